/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/team_nodes.h"

#include "engine/text.h"
#include "models/fleet/crew_ending.h"
#include "models/fleet/fleet_pool.h"
#include "models/fleet/independent_nodes.h"

#include <string.h>

void team_make(struct crew *c)
{
    independent_make(c);
    c->team.together = true;
}

/* What it took part in so far stays; what is told from now on is not its. */
static void leave(struct crew *c, struct node *n)
{
    if (n->part != NODE_TAKES_PART) {
        return;
    }
    for (int a = 0; a < ACTIVITY_COUNT; a++) {
        n->joined_s[a] = c->did_s[a] - n->joined_s[a];
    }
    n->part = NODE_LEFT;
    c->team.part--;
    c->team.noticed -= n->state == NODE_NOTICED;
}

void team_leave(struct crew *c, uint32_t slot)
{
    leave(c, &c->nodes[slot]);
}

void team_join(struct crew *c)
{
    c->fleet->work += c->size;
    for (uint32_t i = 0; i < c->size; i++) {
        struct node *n = &c->nodes[i];
        if (n->state == NODE_NOTICED) {
            leave(c, n);
        } else if (n->part == NODE_APART && n->state == NODE_HELD && n->booted) {
            memcpy(n->joined_s, c->did_s, sizeof n->joined_s);
            n->part = NODE_TAKES_PART;
            c->team.part++;
        }
    }
}

void team_keep_apart(struct crew *c, uint32_t count)
{
    struct fleet *f = c->fleet;
    uint32_t held = c->held - c->noticed, apart = held - team_staying(c);
    uint32_t surplus = held > count ? held - count : 0;
    surplus = surplus < apart ? surplus : apart;
    if (surplus == 0) {
        return;
    }
    journal_add(f->journal, f->calendar->now_s, c->workload, "%u %s node%s: %s", surplus,
                purchase_names[c->purchase], surplus == 1 ? " ends" : "s end",
                end_reason_names[END_RELEASED]);
    crew_end(c, 0, surplus, CREW_APART, END_RELEASED);
    pool_grant(c->in);
    pool_freed(c->in);
}

void team_did_in_vain(struct crew *c, double s)
{
    c->fleet->work += c->size;
    for (uint32_t i = 0; i < c->size; i++) {
        struct node *n = &c->nodes[i];
        bool held = n->state == NODE_HELD || n->state == NODE_NOTICED;
        if (held && (!c->team.together || n->part == NODE_TAKES_PART)) {
            double told_s = c->did_s[ACTIVITY_USEFUL] - n->joined_s[ACTIVITY_USEFUL];
            double vain_s = told_s < s ? told_s : s;
            n->joined_s[ACTIVITY_USEFUL] += vain_s;
            n->joined_s[ACTIVITY_LOST] -= vain_s;
        }
    }
}

void team_node_failed(struct crew *c, uint32_t slot)
{
    struct node *n = &c->nodes[slot];
    if (n->state == NODE_NOTICED) {
        c->leaving -= n->booted;
    } else {
        c->ready -= n->booted;
        c->team.failed++;
    }
    n->booted = false;
}

void team_count_going(struct crew *c, uint32_t first, uint32_t batch, uint32_t number)
{
    c->team.going = 0;
    for (uint32_t i = first; c->team.together && number > 0; i++) {
        const struct node *n = &c->nodes[i];
        bool goes = n->state == NODE_NOTICED && n->batch == batch;
        c->team.going += goes && n->part == NODE_TAKES_PART;
        number -= goes;
    }
}
