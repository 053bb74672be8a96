/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/fleet_pool.h"

#include <math.h>
#include <stdlib.h>

/* ---- the queue ---- */

void pool_queue(struct fleet_pool *p, struct crew *c)
{
    c->next_asking = NULL;
    if (p->last_asking != NULL) {
        p->last_asking->next_asking = c;
    } else {
        p->first_asking = c;
    }
    p->last_asking = c;
}

void pool_unqueue(struct fleet_pool *p, struct crew *c)
{
    struct crew *before = NULL;
    for (struct crew *k = p->first_asking; k != NULL; before = k, k = k->next_asking) {
        if (k != c) {
            continue;
        }
        if (before != NULL) {
            before->next_asking = c->next_asking;
        } else {
            p->first_asking = c->next_asking;
        }
        if (p->last_asking == c) {
            p->last_asking = before;
        }
        c->next_asking = NULL;
        return;
    }
}

/* Tells all crews of the pool that its capacity may have changed for them. */
static void pool_tell(struct fleet_pool *p)
{
    struct fleet *f = p->fleet;
    for (size_t k = 0; k < f->crew_count; k++) {
        if (f->crews[k]->in == p) {
            f->crews[k]->events->capacity(f->crews[k]->owner, f->crews[k]);
        }
    }
}

static void pool_reopen(void *actor, uint64_t tag)
{
    struct fleet_pool *p = actor;
    (void)tag;
    p->reopen = EVENT_NONE;
    pool_grant(p);
    pool_tell(p);
}

void pool_grant(struct fleet_pool *p)
{
    struct fleet *f = p->fleet;
    if (p->first_asking != NULL && f->calendar->now_s < p->closed_until_s) {
        if (!calendar_pending(f->calendar, p->reopen) &&
            calendar_schedule(f->calendar, p->closed_until_s, EVENT_MARKET, pool_reopen, p, 0,
                              &p->reopen) != CALENDAR_OK) {
            f->failed = true;
        }
        return;
    }
    while (p->first_asking != NULL && p->held < p->capacity) {
        struct crew *c = p->first_asking;
        uint32_t count = crew_launch(c, p->capacity - p->held);
        if (c->held == c->size) {
            pool_unqueue(p, c);
        }
        if (count == 0) {
            return; /* all missing nodes are still under notice */
        }
        crew_launched(c, count);
    }
}

void pool_lost(struct fleet_pool *p)
{
    struct fleet *f = p->fleet;
    double u = random_uniform_at(f->world, p->source_regain, p->losses++);
    double regain_s = market_regain_s(f->market, p->pool, u);
    if (regain_s > 0) {
        p->closed_until_s = fmax(p->closed_until_s, f->calendar->now_s + regain_s);
    }
}

/* ---- capacity ---- */

/* Who falls is a shuffle named by pool and instant: the same whatever the strategy did before. */
static void pool_choose_victims(struct fleet_pool *p, uint32_t excess)
{
    struct fleet *f = p->fleet;
    if (excess == p->held) {
        return;
    }
    struct random_stream s;
    const char *name = market_pool_info(market_plan_of(f->market), p->pool)->name;
    random_stream_init(
        &s, f->world,
        random_source("falls/%s/%lld", name, (long long)microseconds(f->calendar->now_s)));
    for (uint32_t i = 0; i < excess; i++) {
        uint32_t j = i + random_below(&s, p->held - i);
        uint32_t swap = f->victims[i];
        f->victims[i] = f->victims[j];
        f->victims[j] = swap;
    }
}

static int compare_slots(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Gives notice to so many nodes of the pool. Victims are numbered over all crews of the pool. */
static void pool_drop(struct fleet_pool *p, uint32_t excess)
{
    struct fleet *f = p->fleet;
    for (uint32_t i = 0; i < p->held; i++) {
        f->victims[i] = i;
    }
    pool_choose_victims(p, excess);
    if (excess != p->held) {
        qsort(f->victims, excess, sizeof f->victims[0], compare_slots);
    }
    uint32_t counts_seen = 0;
    uint32_t next = 0;
    size_t crews = f->crew_count;
    /* First mark all, then tell: an owner's reaction must not change who falls. */
    for (size_t k = 0; k < crews; k++) {
        struct crew *c = f->crews[k];
        if (c->in != p) {
            continue;
        }
        c->given = 0;
        for (uint32_t i = 0; i < c->size; i++) {
            if (c->nodes[i].state != NODE_HELD) {
                continue;
            }
            if (next < excess && f->victims[next] == counts_seen) {
                crew_notice(c, i);
                c->given++;
                next++;
            }
            counts_seen++;
        }
    }
    for (size_t k = 0; k < crews; k++) {
        if (f->crews[k]->in == p && f->crews[k]->given > 0) {
            crew_batch_given(f->crews[k], f->crews[k]->given);
        }
    }
}

static void pool_capacity_event(void *actor, uint64_t tag);

static void pool_schedule_change(struct fleet_pool *p)
{
    struct fleet *f = p->fleet;
    double next_s = market_next_change(f->market, p->pool, f->calendar->now_s, p->most);
    if (isfinite(next_s) && calendar_schedule(f->calendar, next_s, EVENT_MARKET,
                                              pool_capacity_event, p, 0, NULL) != CALENDAR_OK) {
        f->failed = true;
    }
}

static void pool_capacity_event(void *actor, uint64_t tag)
{
    struct fleet_pool *p = actor;
    struct fleet *f = p->fleet;
    (void)tag;
    p->capacity = market_capacity(f->market, p->pool, f->calendar->now_s, p->most);
    const struct pool_info *info = market_pool_info(market_plan_of(f->market), p->pool);
    journal_add(f->journal, f->calendar->now_s, UINT32_MAX, "%s: room for %u%s nodes", info->name,
                p->capacity, p->capacity == p->most ? " or more" : "");
    if (p->capacity < p->held) {
        pool_drop(p, p->held - p->capacity);
    } else {
        pool_grant(p);
    }
    pool_tell(p);
    pool_schedule_change(p);
}

void pool_begin(struct fleet_pool *p)
{
    p->held = p->losses = 0;
    p->closed_until_s = 0;
    p->first_asking = p->last_asking = NULL;
    p->reopen = EVENT_NONE;
    p->capacity = market_capacity(p->fleet->market, p->pool, 0, p->most);
    pool_schedule_change(p);
}
