/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/independent_nodes.h"

#include "engine/text.h"
#include "models/fleet/crew_ending.h"
#include "models/fleet/fleet_pool.h"

/* ---- boots ---- */

/* Nodes that began together have booted: of so many slots from this one on, those due now. */
static void nodes_booted(void *actor, uint64_t tag)
{
    struct crew *c = actor;
    uint32_t first = (uint32_t)(tag >> 32), span = (uint32_t)tag, booted = 0;
    for (uint32_t i = first; i < first + span; i++) {
        struct node *n = &c->nodes[i];
        bool held = n->state == NODE_HELD || n->state == NODE_NOTICED;
        if (held && !n->booted && !(n->failed && c->team.together) &&
            n->ready_s <= c->fleet->calendar->now_s) {
            n->booted = true;
            c->leaving += n->state == NODE_NOTICED;
            c->ready += n->state == NODE_HELD;
            booted++;
        }
    }
    c->fleet->work += span;
    if (booted > 0) {
        c->events->ready(c->owner, c);
    }
}

static bool is_new(const struct crew *c, uint32_t slot)
{
    const struct node *n = &c->nodes[slot];
    return n->state == NODE_HELD && !n->booted && n->start_s >= c->fleet->calendar->now_s;
}

/* One event for all that boot as long as each other and follow each other, whatever old nodes stand
 * between them. */
void independent_await_boots(struct crew *c, uint32_t from, uint32_t to)
{
    struct fleet *f = c->fleet;
    for (uint32_t i = from; i < to;) {
        uint32_t first = i++;
        if (!is_new(c, first)) {
            continue;
        }
        double ready_s = c->nodes[first].ready_s;
        while (i < to && (!is_new(c, i) || c->nodes[i].ready_s == ready_s)) {
            i++;
        }
        uint64_t tag = (uint64_t)first << 32 | (i - first);
        if (calendar_schedule(f->calendar, ready_s, EVENT_NODE, nodes_booted, c, tag, NULL) !=
            CALENDAR_OK) {
            f->failed = true;
        }
    }
}

/* ---- more and fewer ---- */

void independent_make(struct crew *c)
{
    c->independent = true;
}

void independent_place(struct crew *c, uint32_t slot, const char *workload_name)
{
    const struct market_plan *market = market_plan_of(fleet_market(c->fleet));
    independent_make(c);
    c->first_slot = slot;
    crew_name_sources(c, workload_name, market_pool_info(market, c->pool)->name);
}

void independent_keep_books(struct crew *c)
{
    c->own_books = true;
}

/* The crew's own books stay empty, so that a node has done what they lack. */
void independent_did(struct crew *c, uint32_t slot, enum activity activity, double s)
{
    c->nodes[slot].joined_s[activity] -= s;
}

void independent_end(struct crew *c, uint32_t slot, enum end_reason reason)
{
    crew_end(c, slot, 1, CREW_NOT_LEAVING, reason);
    pool_grant(c->in);
    pool_freed(c->in);
}

uint32_t independent_room(const struct crew *c)
{
    const struct fleet_pool *p = c->in;
    bool open = (p->first_asking == NULL || p->first_asking == c) &&
                c->fleet->calendar->now_s >= p->closed_until_s && p->capacity > p->held;
    uint32_t room = open ? p->capacity - p->held : 0;
    uint32_t left = c->size - c->held;
    return room < left ? room : left;
}

void independent_want_at_least(struct crew *c, uint32_t count)
{
    uint32_t taken = c->held + c->waiting + c->asked;
    if (taken < count) {
        crew_ask_for(c, count - taken);
    }
}

void independent_want(struct crew *c, uint32_t count)
{
    uint32_t taken = c->held + c->waiting + c->asked;
    if (taken <= count) {
        independent_want_at_least(c, count);
        return;
    }
    uint32_t surplus = taken - count, i = c->size;
    for (; surplus > 0 && c->waiting + c->asked > 0; i--) {
        surplus -= crew_withdraw_node(c, i - 1);
    }
    c->fleet->work += c->size - i;
    if (c->asked == 0) {
        crew_unqueue(c);
        c->first_asked = c->size;
    }
}

/* Ends so many nodes that are under no notice, or of which none has booted, from the last slot. */
static void end_last(struct crew *c, uint32_t number, bool booting, enum end_reason reason)
{
    uint32_t i = c->size;
    for (uint32_t found = 0; found < number; i--) {
        const struct node *n = &c->nodes[i - 1];
        found += n->state == NODE_HELD && !(booting && n->booted);
    }
    c->fleet->work += c->size - i;
    crew_end(c, i, number, booting ? CREW_BOOTING : CREW_NOT_LEAVING, reason);
}

void independent_keep(struct crew *c, uint32_t count, enum end_reason reason)
{
    struct fleet *f = c->fleet;
    uint32_t staying = c->held - c->noticed;
    if (staying <= count) {
        return;
    }
    uint32_t surplus = staying - count, booting = staying - c->ready;
    journal_add(f->journal, f->calendar->now_s, c->workload, "%u %s node%s: %s", surplus,
                purchase_names[c->purchase], surplus == 1 ? " ends" : "s end",
                end_reason_names[reason]);
    if (booting > 0) {
        end_last(c, booting < surplus ? booting : surplus, true, reason);
    }
    if (surplus > booting) {
        end_last(c, surplus - booting, false, reason);
    }
    pool_grant(c->in);
    pool_freed(c->in);
}
