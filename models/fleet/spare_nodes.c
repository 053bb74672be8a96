/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/spare_nodes.h"

#include "engine/text.h"
#include "models/fleet/crew_ending.h"
#include "models/fleet/fleet_pool.h"
#include "models/fleet/independent_nodes.h"

#include <string.h>

void spare_nodes_make(struct crew *spares, const struct crew *gang, const char *workload_name)
{
    const struct market_plan *market = market_plan_of(fleet_market(spares->fleet));
    independent_make(spares);
    spares->own_books = true; /* which are empty: all is waiting */
    spares->first_slot = gang->size;
    crew_name_sources(spares, workload_name, market_pool_info(market, spares->pool)->name);
}

void spare_nodes_ask(struct crew *spares)
{
    independent_want_at_least(spares, spares->size);
}

static bool can_stand_in(const struct crew *spares, uint32_t slot)
{
    const struct node *n = &spares->nodes[slot];
    return n->state == NODE_HELD && n->booted && !n->failed;
}

/* The place of the gang is free, or only asked for. */
static bool vacate(struct crew *gang, uint32_t slot)
{
    enum node_state s = gang->nodes[slot].state;
    return s == NODE_ABSENT || crew_withdraw_node(gang, slot);
}

static void move(struct crew *spares, uint32_t from, struct crew *gang, uint32_t to)
{
    const struct node spare = spares->nodes[from];
    struct node *n = &gang->nodes[to];
    const uint32_t place = spares->first_slot + from + (uint32_t)spare.moved;
    const uint32_t left = gang->first_slot + to + (uint32_t)n->moved;
    crew_forget(spares, from);
    spares->nodes[from].moved = (int32_t)(left - (spares->first_slot + from));
    n->moved = (int32_t)(place - (gang->first_slot + to));
    n->state = NODE_HELD;
    n->booted = n->failed = false;
    n->start_s = spare.start_s;
    n->booted_s = spare.booted_s;
    n->ready_s = spare.ready_s;
    n->dies_s = spare.dies_s;
    n->fails_s = spare.fails_s;
    n->event = n->failure = EVENT_NONE;
    crew_open_books(gang, n); /* until now it waited */
    gang->held++;
    gang->in->held++;
    if (gang->mortal || gang->law.rate_per_s > 0) {
        crew_schedule_ends(gang, to);
    }
}

uint32_t spare_nodes_stand_in(struct crew *spares, struct crew *gang)
{
    uint32_t count = 0, to = 0;
    for (uint32_t i = 0; i < spares->size && gang->held < gang->size; i++) {
        if (!can_stand_in(spares, i)) {
            continue;
        }
        while (!vacate(gang, to)) {
            to++;
        }
        move(spares, i, gang, to++);
        count++;
    }
    fleet_count_work(gang->fleet, spares->size + to);
    if (count == 0) {
        return 0;
    }
    if (gang->asked == 0) {
        crew_unqueue(gang);
        gang->first_asked = gang->size;
    }
    journal_add(gang->fleet->journal, gang->fleet->calendar->now_s, gang->workload,
                "%u spare node%s stand%s in, %u of %u held", count, text_plural(count),
                count == 1 ? "s" : "", gang->held, gang->size);
    crew_await_ready(gang);
    gang->events->granted(gang->owner, gang);
    return count;
}
