/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/pool_advice.h"

#include <math.h>

static void tell(struct crew *c, const char *why)
{
    struct fleet *f = c->fleet;
    if (c->held == c->noticed) {
        return;
    }
    journal_add(f->journal, f->calendar->now_s, c->workload, "rebalance recommendation: %s", why);
    if (c->events->advised != NULL) {
        c->events->advised(c->owner, c);
    }
}

static void tell_all(struct fleet_pool *p, const char *why)
{
    for (size_t k = 0; k < p->fleet->crew_count; k++) {
        if (p->fleet->crews[k]->in == p) {
            tell(p->fleet->crews[k], why);
        }
    }
}

static void schedule(struct fleet *f, double at_s, event_handler *handler, void *actor,
                     uint64_t tag)
{
    if (calendar_schedule(f->calendar, fmax(at_s, f->calendar->now_s), EVENT_MARKET, handler, actor,
                          tag, NULL) != CALENDAR_OK) {
        f->failed = true;
    }
}

/* How early the interruption of this source is announced; -1: it is not. */
static double lead_s(const struct fleet_pool *p, uint64_t source)
{
    const struct fleet *f = p->fleet;
    return market_rebalance_lead_s(f->market, p->pool, random_uniform_at(f->world, source, 0),
                                   random_uniform_at(f->world, source, 1));
}

/* ---- capacity that falls ---- */

/* tag: the bits of the instant of the change. */
static void fall_ahead(void *actor, uint64_t tag)
{
    struct fleet_pool *p = actor;
    struct fleet *f = p->fleet;
    double change_s = (double)tag / (double)MICROSECONDS;
    uint32_t then = market_capacity(f->market, p->pool, change_s, p->most);
    if (then < p->held) {
        tell_all(p, "capacity is at risk");
    }
}

void pool_advice_change(struct fleet_pool *p, double change_s)
{
    struct fleet *f = p->fleet;
    if (!market_rebalances(f->market, p->pool)) {
        return;
    }
    /* A microsecond later at the most: behind the change for certain. */
    uint64_t instant_us = (uint64_t)microseconds(change_s) + 1;
    double lead = lead_s(p, random_source_at(p->source_advice, instant_us));
    if (lead >= 0) {
        schedule(f, change_s - lead, fall_ahead, p, instant_us);
    }
}

/* ---- single nodes ---- */

static void strike_ahead(void *actor, uint64_t tag)
{
    struct crew *c = actor;
    const struct node *n = &c->nodes[(uint32_t)(tag >> 32)];
    if (n->state == NODE_HELD && n->launches == (uint32_t)tag) {
        tell(c, "a node is at risk");
    }
}

void pool_advice_strike(struct crew *c, uint32_t slot, double strike_s)
{
    struct fleet *f = c->fleet;
    if (!market_rebalances(f->market, c->pool)) {
        return;
    }
    const struct node *n = &c->nodes[slot];
    uint64_t source =
        random_source_at(c->in->source_advice ^ c->source_lifetime[slot], n->launches);
    double lead = lead_s(c->in, source);
    if (lead >= 0) {
        schedule(f, strike_s - lead, strike_ahead, c, (uint64_t)slot << 32 | n->launches);
    }
}

/* ---- in vain ---- */

static void schedule_false(struct fleet_pool *p, uint32_t index);

static void false_alarm(void *actor, uint64_t tag)
{
    struct fleet_pool *p = actor;
    tell_all(p, "capacity is at risk");
    schedule_false(p, (uint32_t)tag + 1);
}

static void schedule_false(struct fleet_pool *p, uint32_t index)
{
    struct fleet *f = p->fleet;
    double u = random_uniform_at(f->world, p->source_false_alarms, index);
    double after_s = market_false_alarm_s(f->market, p->pool, u);
    if (isfinite(after_s)) {
        schedule(f, f->calendar->now_s + after_s, false_alarm, p, index);
    }
}

void pool_advice_begin(struct fleet_pool *p)
{
    if (market_rebalances(p->fleet->market, p->pool)) {
        schedule_false(p, 0);
    }
}
