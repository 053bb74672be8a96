/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/crew_asking.h"

#include "engine/text.h"
#include "models/fleet/crew_ending.h"
#include "models/fleet/fleet_pool.h"

static void crew_queue(struct crew *c)
{
    if (!c->queued) {
        c->queued = true;
        pool_queue(c->in, c);
    }
    pool_grant(c->in);
}

static void node_ask(struct crew *c, uint32_t slot)
{
    c->nodes[slot].state = NODE_ASKED;
    c->asked++;
    c->first_asked = slot < c->first_asked ? slot : c->first_asked;
}

/* A pool that makes each node wait: this node's wait is over. */
static void node_wait_over(void *actor, uint64_t tag)
{
    struct crew *c = actor;
    c->nodes[tag].event = EVENT_NONE;
    c->waiting--;
    node_ask(c, (uint32_t)tag);
    crew_queue(c);
}

/* The node comes after a wait of its own. */
static void node_wait(struct crew *c, uint32_t slot)
{
    struct fleet *f = c->fleet;
    struct node *n = &c->nodes[slot];
    double u = random_uniform_at(f->world, c->source_wait[slot], n->waits++);
    double over_s = f->calendar->now_s + market_wait_s(f->market, c->pool, u);
    n->state = NODE_WAITING;
    c->waiting++;
    if (calendar_schedule(f->calendar, over_s, EVENT_NODE, node_wait_over, c, slot, &n->event) !=
        CALENDAR_OK) {
        f->failed = true;
    }
}

/* As node_ask for so many absent nodes, found from this slot on; number >= 1. Returns the slot
 * behind the last of them. */
static uint32_t nodes_ask(struct crew *c, uint32_t from, uint32_t number)
{
    struct node *n = c->nodes + from;
    while (n->state != NODE_ABSENT) {
        n++;
    }
    const uint32_t first = (uint32_t)(n - c->nodes);
    c->first_asked = first < c->first_asked ? first : c->first_asked;
    c->asked += number;
    for (; number > 0; n++) { /* without a branch on what is random */
        const bool absent = n->state == NODE_ABSENT;
        n->state = absent ? NODE_ASKED : n->state;
        number -= absent;
    }
    return (uint32_t)(n - c->nodes);
}

/* Each of so many absent nodes comes after a wait of its own, but those for which there is reserved
 * room. Returns as nodes_ask. */
static uint32_t nodes_wait(struct crew *c, uint32_t from, uint32_t number)
{
    uint32_t reserved = pool_reserved_room(c->in), i = from;
    for (; number > 0; i++) {
        if (c->nodes[i].state != NODE_ABSENT) {
            continue;
        }
        number--;
        if (reserved == 0) {
            node_wait(c, i);
        } else {
            node_ask(c, i);
            reserved--;
        }
    }
    return i;
}

void crew_ask_for(struct crew *c, uint32_t missing)
{
    struct fleet *f = c->fleet;
    journal_add(f->journal, f->calendar->now_s, c->workload, "asks for %u %s node%s", missing,
                purchase_names[c->purchase], text_plural(missing));
    bool waits = c->purchase == PURCHASE_ON_DEMAND && market_delays(f->market, c->pool);
    const uint32_t from = c->first_absent;
    const uint32_t i = waits ? nodes_wait(c, from, missing) : nodes_ask(c, from, missing);
    f->work += i - from;
    c->first_absent = c->held + c->waiting + c->asked == c->size ? c->size : i;
    if (c->asked > 0) {
        crew_queue(c);
    }
}

void crew_stop_waiting(struct crew *c, uint32_t count)
{
    uint32_t i = 0, asked = c->asked;
    for (; count > 0 && c->waiting > 0; i++) {
        if (c->nodes[i].state == NODE_WAITING) {
            crew_cancel_events(c, &c->nodes[i]);
            c->waiting--;
            node_ask(c, i);
            count--;
        }
    }
    c->fleet->work += i;
    if (c->asked > asked) {
        crew_queue(c);
    }
}

void crew_ask(struct crew *c)
{
    uint32_t missing = c->size - c->held - c->waiting - c->asked;
    if (missing > 0) {
        crew_ask_for(c, missing);
    }
}

void crew_unqueue(struct crew *c)
{
    if (c->queued) {
        c->queued = false;
        pool_unqueue(c->in, c);
    }
}

bool crew_withdraw_node(struct crew *c, uint32_t slot)
{
    struct node *n = &c->nodes[slot];
    if (n->state != NODE_WAITING && n->state != NODE_ASKED) {
        return false;
    }
    if (n->state == NODE_WAITING) {
        c->waiting--;
    } else {
        c->asked--;
    }
    crew_cancel_events(c, n);
    n->state = NODE_ABSENT;
    c->first_absent = slot < c->first_absent ? slot : c->first_absent;
    return true;
}

/* Of nodes of which none waits: no event is theirs. Returns how many slots it looked at. */
static uint32_t withdraw_asked(struct crew *c)
{
    struct node *const first = c->nodes + c->first_asked, *n = first;
    c->first_absent = c->first_asked < c->first_absent ? c->first_asked : c->first_absent;
    for (uint32_t left = c->asked; left > 0; n++) { /* as nodes_ask */
        const bool asked = n->state == NODE_ASKED;
        n->state = asked ? NODE_ABSENT : n->state;
        left -= asked;
    }
    c->asked = 0;
    return (uint32_t)(n - first);
}

void crew_withdraw(struct crew *c)
{
    crew_unqueue(c);
    uint32_t i = 0;
    for (; c->waiting > 0; i++) {
        (void)crew_withdraw_node(c, i);
    }
    if (c->asked > 0) {
        i += withdraw_asked(c);
    }
    c->first_asked = c->size;
    c->fleet->work += i;
}

bool crew_obtainable(const struct crew *c)
{
    const struct fleet_pool *p = c->in;
    return p->first_asking == NULL && pool_room(p) >= c->size &&
           c->fleet->calendar->now_s >= p->closed_until_s;
}

uint32_t crew_room(const struct crew *c)
{
    const struct fleet_pool *p = c->in;
    bool open = (p->first_asking == NULL || p->first_asking == c) &&
                c->fleet->calendar->now_s >= p->closed_until_s;
    uint32_t room = open ? pool_room(p) : 0, lacks = c->size - c->held;
    return room < lacks ? room : lacks;
}

bool crew_could_be_whole(const struct crew *c)
{
    const struct fleet_pool *p = c->in;
    uint32_t lacks = c->size - (c->held - c->noticed);
    return (p->first_asking == NULL || p->first_asking == c) && pool_room(p) >= lacks &&
           c->fleet->calendar->now_s >= p->closed_until_s;
}
