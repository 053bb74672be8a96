/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/fleet_pool.h"

#include "engine/text.h"
#include "models/fleet/pool_advice.h"

#include <math.h>
#include <string.h>

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

/* The capacity of this instant, whose event may still be to come. */
static void pool_look(struct fleet_pool *p)
{
    struct fleet *f = p->fleet;
    p->capacity = market_capacity(f->market, p->pool, f->calendar->now_s, p->most);
    if (p->reserved != NULL) {
        int64_t count = held_pool_count(p->reserved, microseconds(f->calendar->now_s));
        p->guaranteed = count < p->most ? (uint32_t)count : p->most;
        p->capacity = p->capacity > p->guaranteed ? p->capacity : p->guaranteed;
    }
}

static void pool_reopen(void *actor, uint64_t tag)
{
    struct fleet_pool *p = actor;
    (void)tag;
    p->reopen = EVENT_NONE;
    pool_look(p);
    pool_grant(p);
    pool_tell(p);
}

/* What the nodes of a pool take of its quota. */
static uint64_t quota_taken(const struct fleet_pool *p)
{
    uint64_t nodes = (uint64_t)p->held + p->leaving;
    return p->quota.weight * (nodes > p->guaranteed ? nodes : p->guaranteed);
}

/* Nodes that the pool may have, those it has included, beside what other pools take. */
static uint64_t quota_most(const struct fleet_pool *p)
{
    const struct fleet *f = p->fleet;
    uint64_t others = 0, most = p->quota.of->most;
    for (size_t k = 0; k < f->pool_count; k++) {
        if (f->pools[k] != p && f->pools[k]->quota.of == p->quota.of) {
            others += quota_taken(f->pools[k]);
        }
    }
    uint64_t nodes = most > others ? (most - others) / p->quota.weight : 0;
    return nodes > p->guaranteed ? nodes : p->guaranteed;
}

uint32_t pool_room(const struct fleet_pool *p)
{
    uint32_t room = p->capacity > p->held ? p->capacity - p->held : 0;
    if (p->quota.of == NULL) {
        return room;
    }
    uint64_t nodes = (uint64_t)p->held + p->leaving, most = quota_most(p);
    uint64_t left = most > nodes ? most - nodes : 0;
    return left < room ? (uint32_t)left : room;
}

void pool_grant(struct fleet_pool *p)
{
    struct fleet *f = p->fleet;
    if (f->calendar->now_s < p->closed_until_s) {
        return;
    }
    for (uint32_t room; p->first_asking != NULL && (room = pool_room(p)) > 0;) {
        struct crew *c = p->first_asking;
        uint32_t count = crew_launch(c, room);
        if (c->asked == 0) {
            c->queued = false;
            pool_unqueue(p, c);
        }
        crew_launched(c, count);
    }
    if (p->quota.of != NULL && p->first_asking != NULL && p->held < p->capacity) {
        journal_add(f->journal, f->calendar->now_s, UINT32_MAX, "%s: the quota of %s is full",
                    market_pool_info(market_plan_of(f->market), p->pool)->name, p->quota.of->name);
    }
}

static void pool_schedule(struct fleet_pool *p, double time_s, event_handler *handler,
                          struct event_id *id)
{
    if (calendar_schedule(p->fleet->calendar, time_s, EVENT_MARKET, handler, p, 0, id) !=
        CALENDAR_OK) {
        p->fleet->failed = true;
    }
}

void pool_lost(struct fleet_pool *p)
{
    struct fleet *f = p->fleet;
    uint32_t ordinal = p->losses++;
    if (!market_delays(f->market, p->pool)) {
        return;
    }
    double u = random_uniform_at(f->world, p->source_regain, ordinal);
    double open_s = f->calendar->now_s + market_regain_s(f->market, p->pool, u);
    if (open_s > p->closed_until_s) {
        p->closed_until_s = open_s;
        calendar_cancel(f->calendar, p->reopen);
        pool_schedule(p, open_s, pool_reopen, &p->reopen);
    }
}

/* ---- reserved capacity ---- */

uint32_t pool_reserved_room(const struct fleet_pool *p)
{
    const struct fleet *f = p->fleet;
    uint64_t taken = p->held;
    for (size_t k = 0; p->guaranteed > 0 && k < f->crew_count; k++) {
        taken += f->crews[k]->in == p ? f->crews[k]->asked : 0;
    }
    return taken < p->guaranteed ? p->guaranteed - (uint32_t)taken : 0;
}

/* Nodes that wait for the market go into what is reserved as soon as there is room. */
static void pool_take_reserved(struct fleet_pool *p)
{
    struct fleet *f = p->fleet;
    for (size_t k = 0; p->guaranteed > 0 && k < f->crew_count; k++) {
        if (f->crews[k]->in == p && f->crews[k]->waiting > 0) {
            crew_stop_waiting(f->crews[k], pool_reserved_room(p));
        }
    }
}

static void pool_schedule_reserved(struct fleet_pool *p);

/* What runs goes on when the reservation ends, as on-demand nodes do: only launches feel it. */
static void pool_reserved_event(void *actor, uint64_t tag)
{
    struct fleet_pool *p = actor;
    struct fleet *f = p->fleet;
    (void)tag;
    pool_look(p);
    const struct pool_info *info = market_pool_info(market_plan_of(f->market), p->pool);
    int64_t count = held_pool_count(p->reserved, microseconds(f->calendar->now_s));
    journal_add(f->journal, f->calendar->now_s, UINT32_MAX, "%s: capacity reserved for %lld node%s",
                info->name, (long long)count, text_plural((double)count));
    pool_take_reserved(p);
    pool_grant(p);
    pool_tell(p);
    if (p->quota.of != NULL) {
        pool_freed(p);
    }
    pool_schedule_reserved(p);
}

static void pool_schedule_reserved(struct fleet_pool *p)
{
    int64_t now_us = microseconds(p->fleet->calendar->now_s);
    int64_t next_us = p->reserved == NULL ? INT64_MAX : held_pool_next_us(p->reserved, now_us);
    if (next_us < INT64_MAX) {
        pool_schedule(p, (double)next_us / (double)MICROSECONDS, pool_reserved_event, NULL);
    }
}

static void pool_room_event(void *actor, uint64_t tag)
{
    struct fleet_pool *p = actor;
    struct fleet *f = p->fleet;
    (void)tag;
    p->room = EVENT_NONE;
    pool_take_reserved(p);
    if (p->quota.of != NULL) {
        pool_grant(p); /* another pool may have freed it */
    }
    for (size_t k = 0; k < f->crew_count; k++) {
        if (f->crews[k]->in == p) {
            f->crews[k]->events->room(f->crews[k]->owner, f->crews[k]);
        }
    }
}

/* Later within this instant, since whoever has just given nodes back is in the middle of a decision
 * that must not be asked of it again. */
void pool_freed(struct fleet_pool *p)
{
    struct fleet *f = p->fleet;
    for (size_t k = 0; k < f->pool_count; k++) {
        struct fleet_pool *of = f->pools[k];
        bool meant = of == p ? p->crews > 1 || p->quota.of != NULL
                             : p->quota.of != NULL && of->quota.of == p->quota.of;
        if (meant && !calendar_pending(f->calendar, of->room)) {
            pool_schedule(of, f->calendar->now_s, pool_room_event, &of->room);
        }
    }
}

/* ---- capacity ---- */

/* Marks who falls among the nodes held, numbered over all crews of the pool: a shuffle named by
 * pool and instant, the same whatever the strategy did before. */
static void pool_choose_victims(struct fleet_pool *p, uint32_t excess)
{
    struct fleet *f = p->fleet;
    bool all = excess == p->held;
    memset(f->falls, all, p->held);
    if (all) {
        return;
    }
    struct random_stream s;
    uint64_t instant_us = (uint64_t)microseconds(f->calendar->now_s);
    random_stream_init(&s, f->world, random_source_at(p->source_falls, instant_us));
    f->work += p->held;
    for (uint32_t i = 0; i < p->held; i++) {
        f->order[i] = i;
    }
    for (uint32_t i = 0; i < excess; i++) {
        uint32_t j = i + random_below(&s, p->held - i);
        f->falls[f->order[j]] = true;
        f->order[j] = f->order[i];
    }
}

/* Gives notice to so many nodes of the pool. First all are marked, then the owners are told: an
 * owner's reaction must not change who falls. */
static void pool_drop(struct fleet_pool *p, uint32_t excess)
{
    struct fleet *f = p->fleet;
    pool_choose_victims(p, excess);
    uint32_t seen = 0;
    for (size_t k = 0; k < f->crew_count; k++) {
        struct crew *c = f->crews[k];
        c->given = 0;
        if (c->in != p) {
            continue;
        }
        f->work += c->size;
        seen += crew_notice_marked(c, f->falls + seen);
    }
    for (size_t k = 0; k < f->crew_count; k++) {
        if (f->crews[k]->in == p && f->crews[k]->given > 0) {
            crew_batch_given(f->crews[k], f->crews[k]->first_given, f->crews[k]->given);
        }
    }
}

static void pool_capacity_event(void *actor, uint64_t tag);

static void pool_schedule_change(struct fleet_pool *p)
{
    struct fleet *f = p->fleet;
    double next_s = market_next_change(f->market, p->pool, f->calendar->now_s, p->most);
    if (isfinite(next_s)) {
        if (calendar_schedule_aside(f->calendar, next_s, EVENT_MARKET, pool_capacity_event, p, 0) !=
            CALENDAR_OK) {
            f->failed = true;
        }
        pool_advice_change(p, next_s);
    }
}

static void note_capacity(const struct fleet_pool *p)
{
    const struct fleet *f = p->fleet;
    const struct pool_info *info = market_pool_info(market_plan_of(f->market), p->pool);
    const bool ends = market_trace_end_s(f->market, p->pool) <= f->calendar->now_s;
    journal_add(f->journal, f->calendar->now_s, UINT32_MAX, "%s: room for %u%s node%s%s",
                info->name, p->capacity, p->capacity == p->most ? " or more" : "",
                text_plural(p->capacity), ends ? "; its trace has ended" : "");
}

static void pool_capacity_event(void *actor, uint64_t tag)
{
    struct fleet_pool *p = actor;
    struct fleet *f = p->fleet;
    (void)tag;
    pool_look(p);
    if (f->journal != NULL) {
        note_capacity(p);
    }
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
    p->held = p->leaving = p->losses = 0;
    p->closed_until_s = 0;
    p->first_asking = p->last_asking = NULL;
    p->reopen = p->room = EVENT_NONE;
    p->guaranteed = 0;
    pool_look(p);
    pool_schedule_change(p);
    pool_schedule_reserved(p);
    pool_advice_begin(p);
}
