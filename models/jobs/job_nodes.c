/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/jobs/job_nodes.h"

#include "models/fleet/independent_nodes.h"

#include <math.h>
#include <stdlib.h>

bool job_nodes_make(struct job_nodes *n, const struct jobs_entry *entry, struct crew *crew)
{
    *n = (struct job_nodes){.entry = entry,
                            .crew = crew,
                            .nodes = calloc(entry->nodes, sizeof *n->nodes),
                            .room = calloc(entry->nodes, sizeof *n->room)};
    independent_make(crew);
    independent_keep_books(crew);
    return n->nodes != NULL && n->room != NULL;
}

void job_nodes_release(struct job_nodes *n)
{
    free(n->nodes);
    free(n->room);
    n->nodes = NULL;
    n->room = NULL;
}

void job_nodes_begin(struct job_nodes *n)
{
    for (uint32_t i = 0; i < n->entry->nodes; i++) {
        n->nodes[i] =
            (struct job_node){.free = n->entry->gpus, .next = NO_SLOT, .gone_s = HUGE_VAL};
    }
}

static bool is_ready(const struct job_nodes *n, uint32_t slot)
{
    const struct node *node = &n->crew->nodes[slot];
    return node->state == NODE_HELD && node->booted;
}

static bool is_held(const struct job_nodes *n, uint32_t slot)
{
    return n->crew->nodes[slot].state == NODE_HELD;
}

void job_nodes_round(struct job_nodes *n)
{
    const uint32_t gpus = n->entry->gpus;
    n->left = 0;
    n->called = 0;
    n->may_come = n->entry->nodes - n->crew->held;
    for (uint32_t i = 0; i < n->entry->nodes; i++) {
        const struct node *node = &n->crew->nodes[i];
        struct job_node *mine = &n->nodes[i];
        bool ready = is_ready(n, i);
        if (ready && mine->launch != node->launches) {
            mine->launch = node->launches; /* it has booted */
            mine->idle_since_s = node->ready_s;
        }
        if (node->state != NODE_NOTICED) {
            mine->gone_s = HUGE_VAL;
        }
        n->room[i] = ready ? mine->free + mine->yields : node->state == NODE_NOTICED ? 0 : gpus;
        mine->kept = false;
        n->left += n->room[i];
    }
    fleet_count_work(n->crew->fleet, n->entry->nodes);
}

static void take_room(struct job_nodes *n, uint32_t slot, uint32_t gpus)
{
    n->room[slot] -= gpus;
    n->left -= gpus;
}

/* So many GPUs are there now, and nobody speaks for them. */
static bool is_takeable(const struct job_nodes *n, uint32_t slot, uint32_t gpus, bool passes)
{
    const struct job_node *node = &n->nodes[slot];
    return n->room[slot] >= gpus && node->free >= gpus && is_ready(n, slot) &&
           !(passes && node->kept);
}

static uint32_t take_shared(struct job_nodes *n, uint32_t gpus, bool passes)
{
    uint32_t best = NO_SLOT;
    for (uint32_t i = 0; i < n->entry->nodes; i++) {
        bool fits = is_takeable(n, i, gpus, passes);
        if (fits && (best == NO_SLOT || n->room[i] < n->room[best])) {
            best = i;
        }
    }
    if (best != NO_SLOT) {
        take_room(n, best, gpus);
        n->nodes[best].free -= gpus;
    }
    return best;
}

uint32_t job_nodes_take(struct job_nodes *n, struct job_width width, bool passes)
{
    const uint32_t gpus = n->entry->gpus;
    uint32_t found = 0, first = NO_SLOT, last = NO_SLOT;
    if (n->left < (uint64_t)width.nodes * width.gpus || n->crew->ready < width.nodes) {
        return NO_SLOT;
    }
    fleet_count_work(n->crew->fleet, n->entry->nodes);
    if (width.gpus < gpus) {
        return take_shared(n, width.gpus, passes);
    }
    for (uint32_t i = 0; i < n->entry->nodes && found < width.nodes; i++) {
        found += is_takeable(n, i, gpus, passes);
    }
    if (found < width.nodes) {
        return NO_SLOT;
    }
    for (uint32_t i = 0; found > 0; i++) {
        if (is_takeable(n, i, gpus, passes)) {
            found--;
            take_room(n, i, gpus);
            n->nodes[i].free = 0;
            n->nodes[i].next = NO_SLOT;
            if (last == NO_SLOT) {
                first = i;
            } else {
                n->nodes[last].next = i;
            }
            last = i;
        }
    }
    return first;
}

/* A node that this job may speak for; new ones only as long as they may come. */
static bool is_callable(const struct job_nodes *n, uint32_t slot, uint32_t gpus, uint32_t new_left,
                        bool passes)
{
    bool untouched = n->room[slot] == n->entry->gpus;
    return n->room[slot] >= gpus && (is_held(n, slot) || !untouched || new_left > 0) &&
           !(passes && n->nodes[slot].kept);
}

bool job_nodes_call(struct job_nodes *n, struct job_width width, bool soon, bool passes)
{
    uint32_t found = 0, new_left = n->may_come;
    if (soon) {
        uint32_t room = independent_room(n->crew);
        uint32_t more = room > n->called ? room - n->called : 0;
        new_left = more < new_left ? more : new_left;
    }
    if (n->left < (uint64_t)width.nodes * width.gpus) {
        return false;
    }
    fleet_count_work(n->crew->fleet, n->entry->nodes);
    for (uint32_t i = 0, left = new_left; i < n->entry->nodes && found < width.nodes; i++) {
        if (is_callable(n, i, width.gpus, left, passes)) {
            found++;
            left -= !is_held(n, i) && n->room[i] == n->entry->gpus;
        }
    }
    if (found < width.nodes) {
        return false;
    }
    for (uint32_t i = 0; found > 0; i++) {
        if (is_callable(n, i, width.gpus, new_left, passes)) {
            bool new = !is_held(n, i) && n->room[i] == n->entry->gpus;
            new_left -= new;
            n->may_come -= new;
            n->called += new;
            found--;
            take_room(n, i, width.gpus);
        }
    }
    return true;
}

void job_nodes_give_back(struct job_nodes *n, uint32_t first, struct job_width width, double now_s)
{
    for (uint32_t i = first; i != NO_SLOT;) {
        struct job_node *node = &n->nodes[i];
        uint32_t next = width.gpus < n->entry->gpus ? NO_SLOT : node->next;
        node->free += width.gpus;
        node->next = NO_SLOT;
        if (node->free == n->entry->gpus) {
            node->idle_since_s = now_s;
        }
        i = next;
    }
}

void job_nodes_yield(struct job_nodes *n, uint32_t first, struct job_width width, bool yields)
{
    for (uint32_t i = first; i != NO_SLOT; i = n->nodes[i].next) {
        if (yields) {
            n->nodes[i].yields += width.gpus;
            n->room[i] += width.gpus;
            n->left += width.gpus;
        } else {
            n->nodes[i].yields -= width.gpus;
        }
        if (width.gpus < n->entry->gpus) {
            break;
        }
    }
}

void job_nodes_freed(struct job_nodes *n, uint32_t first, struct job_width width)
{
    for (uint32_t i = first, k = 0; i != NO_SLOT && k < width.nodes; k++, i = n->nodes[i].next) {
        n->room[i] += width.gpus;
        n->left += width.gpus;
    }
}

void job_nodes_ask(struct job_nodes *n, bool all)
{
    independent_want(n->crew, all ? n->crew->size : n->crew->held + n->called);
}

void job_nodes_tidy(struct job_nodes *n, double keep_s, double *next_s)
{
    const double now_s = fleet_calendar(n->crew->fleet)->now_s;
    for (uint32_t i = 0; i < n->entry->nodes; i++) {
        bool idle =
            is_ready(n, i) && n->room[i] == n->entry->gpus && n->nodes[i].free == n->entry->gpus;
        double due_s = n->nodes[i].idle_since_s + keep_s;
        if (idle && due_s <= now_s) {
            independent_end(n->crew, i, END_RELEASED);
        } else if (idle && due_s < *next_s) {
            *next_s = due_s;
        }
    }
}

void job_nodes_noticed(struct job_nodes *n, double gone_s)
{
    for (uint32_t i = 0; i < n->entry->nodes; i++) {
        if (n->crew->nodes[i].state == NODE_NOTICED && isinf(n->nodes[i].gone_s)) {
            n->nodes[i].gone_s = gone_s;
        }
    }
    fleet_count_work(n->crew->fleet, n->entry->nodes);
}

double job_nodes_gone_s(const struct job_nodes *n, uint32_t first)
{
    double gone_s = HUGE_VAL;
    for (uint32_t i = first; i != NO_SLOT; i = n->nodes[i].next) {
        gone_s = fmin(gone_s, n->nodes[i].gone_s);
    }
    return gone_s;
}
