/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/crew.h"

#include "engine/text.h"
#include "models/fleet/fleet_pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- set-up ---- */

void crew_free(struct crew *c)
{
    if (c == NULL) {
        return;
    }
    free(c->nodes);
    free(c->source_boot);
    free(c->source_lifetime);
    free(c->source_wait);
    free(c);
}

bool crew_allocate(struct crew *c, const char *workload_name, const char *pool_name)
{
    c->nodes = calloc(c->size, sizeof *c->nodes);
    c->source_boot = calloc(c->size, sizeof *c->source_boot);
    c->source_lifetime = calloc(c->size, sizeof *c->source_lifetime);
    c->source_wait = calloc(c->size, sizeof *c->source_wait);
    if (c->nodes == NULL || c->source_boot == NULL || c->source_lifetime == NULL ||
        c->source_wait == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < c->size; i++) {
        c->source_boot[i] = random_source("launch/%s/%s/%u/boot", workload_name, pool_name, i);
        c->source_lifetime[i] =
            random_source("launch/%s/%s/%u/lifetime", workload_name, pool_name, i);
        c->source_wait[i] = random_source("launch/%s/%s/%u/wait", workload_name, pool_name, i);
    }
    return true;
}

bool crew_begin(struct crew *c, const double *drawn)
{
    memset(c->nodes, 0, c->size * sizeof *c->nodes);
    memset(c->did_s, 0, sizeof c->did_s);
    c->held = c->noticed = c->launched = c->interrupted = c->batches = 0;
    c->waiting = c->asked = 0;
    c->queued = false;
    c->hazard_per_s = market_hazard(c->fleet->market, c->pool);
    c->ready_event = EVENT_NONE;
    c->next_asking = NULL;
    return variate_resolve(c->boot_spec, drawn, &c->boot);
}

/* ---- the end of a node ---- */

/* Equal in all that a usage record says, but for the slot. */
static bool are_twins(const struct node *a, const struct node *b)
{
    return a->start_s == b->start_s && a->ready_s == b->ready_s &&
           memcmp(a->joined_s, b->joined_s, sizeof a->joined_s) == 0;
}

/* Writes the record of `count` twins that end now, the first of them in this slot. */
static void record(struct crew *c, uint32_t slot, uint32_t count, enum end_reason reason)
{
    const struct node *n = &c->nodes[slot];
    double now_s = c->fleet->calendar->now_s;
    double activity_s[ACTIVITY_COUNT];
    double told_s = 0;
    for (int a = 0; a < ACTIVITY_COUNT; a++) {
        activity_s[a] = c->did_s[a] - n->joined_s[a];
        told_s += activity_s[a];
    }
    double booted_s = n->ready_s < now_s ? n->ready_s : now_s;
    double waited_s = now_s - booted_s - told_s;
    activity_s[ACTIVITY_BOOT] = booted_s - n->start_s;
    activity_s[ACTIVITY_WAITING] = waited_s > 0 ? waited_s : 0;
    usage_log_add(c->fleet->log,
                  (struct usage){.workload = c->workload,
                                 .slot = slot,
                                 .pool = c->pool,
                                 .reason = reason,
                                 .twins = count - 1},
                  n->start_s, now_s, activity_s);
}

static void node_cancel(struct crew *c, struct node *n)
{
    if (n->event.generation != EVENT_NONE.generation) {
        calendar_cancel(c->fleet->calendar, n->event);
        n->event = EVENT_NONE;
    }
}

static void node_forget(struct crew *c, struct node *n)
{
    if (n->state == NODE_NOTICED) {
        c->noticed--;
    } else {
        c->in->held--;
    }
    node_cancel(c, n);
    n->state = NODE_ABSENT;
    c->held--;
}

/* Ends the nodes held; with ALL_BATCHES all of them, else those under notice in this batch. Returns
 * how many. */
#define ALL_BATCHES UINT64_MAX
static uint32_t crew_end(struct crew *c, uint64_t batch, enum end_reason reason)
{
    uint32_t ended = 0;
    uint32_t first = 0, count = 0; /* of the twins not yet recorded */
    c->fleet->work += c->size;
    for (uint32_t i = 0; i < c->size && (batch != ALL_BATCHES || c->held > 0); i++) {
        struct node *n = &c->nodes[i];
        bool held = n->state == NODE_HELD || n->state == NODE_NOTICED;
        if (!held || (batch != ALL_BATCHES && (n->state != NODE_NOTICED || n->batch != batch))) {
            continue;
        }
        if (count > 0 && (i != first + count || !are_twins(&c->nodes[first], n))) {
            record(c, first, count, reason);
            count = 0;
        }
        if (count == 0) {
            first = i;
        }
        count++;
        ended++;
        node_forget(c, n);
    }
    if (count > 0) {
        record(c, first, count, reason);
    }
    return ended;
}

void crew_did(struct crew *c, enum activity activity, double s)
{
    c->did_s[activity] += s;
}

/* ---- notices and losses ---- */

static bool batch_is_there(const struct crew *c, uint64_t batch)
{
    c->fleet->work += c->size;
    for (uint32_t i = 0; i < c->size && c->noticed > 0; i++) {
        if (c->nodes[i].state == NODE_NOTICED && c->nodes[i].batch == batch) {
            return true;
        }
    }
    return false;
}

/* The nodes of one batch of notices vanish. */
static void batch_gone(void *actor, uint64_t tag)
{
    struct crew *c = actor;
    struct fleet *f = c->fleet;
    if (!batch_is_there(c, tag)) {
        return; /* released before their time */
    }
    c->events->losing(c->owner, c);
    uint32_t gone = crew_end(c, tag, END_INTERRUPTED);
    c->interrupted += gone;
    journal_add(f->journal, f->calendar->now_s, c->workload, "%u of %u %s node%s %s gone", gone,
                c->size, purchase_names[c->purchase], text_plural(c->size),
                gone == 1 ? "is" : "are");
    pool_lost(c->in);
    c->events->lost(c->owner, c);
}

void crew_notice(struct crew *c, uint32_t slot)
{
    struct node *n = &c->nodes[slot];
    node_cancel(c, n);
    n->state = NODE_NOTICED;
    n->batch = c->batches;
    c->noticed++;
    c->in->held--;
}

void crew_batch_given(struct crew *c, uint32_t count)
{
    struct fleet *f = c->fleet;
    double notice_s = market_notice_s(f->market, c->pool);
    uint64_t batch = c->batches++;
    journal_add(f->journal, f->calendar->now_s, c->workload,
                "notice: %u of %u %s node%s %s in %.0f s", count, c->size,
                purchase_names[c->purchase], text_plural(c->size), count == 1 ? "goes" : "go",
                notice_s);
    calendar_cancel(f->calendar, c->ready_event);
    c->events->noticed(c->owner, c);
    if (notice_s <= 0) {
        batch_gone(c, batch);
    } else if (calendar_schedule(f->calendar, f->calendar->now_s + notice_s, EVENT_NODE, batch_gone,
                                 c, batch, NULL) != CALENDAR_OK) {
        f->failed = true;
    }
}

/* Per-node hazard: the node of this slot is struck, and others may have its room. */
static void node_struck(void *actor, uint64_t tag)
{
    struct crew *c = actor;
    crew_notice(c, (uint32_t)tag);
    crew_batch_given(c, 1);
    pool_grant(c->in);
    pool_freed(c->in);
}

/* ---- launches ---- */

static void crew_ready_event(void *actor, uint64_t tag)
{
    struct crew *c = actor;
    (void)tag;
    c->ready_event = EVENT_NONE;
    if (crew_complete(c)) {
        c->events->ready(c->owner, c);
    }
}

static void node_launch(struct crew *c, uint32_t slot)
{
    struct fleet *f = c->fleet;
    struct node *n = &c->nodes[slot];
    uint32_t ordinal = n->launches++;
    n->state = NODE_HELD;
    n->event = EVENT_NONE;
    n->start_s = f->calendar->now_s;
    double boot_s = c->boot.family == DISTRIBUTION_CONSTANT
                        ? c->boot.p[0]
                        : distribution_quantile(
                              &c->boot, random_uniform_at(f->world, c->source_boot[slot], ordinal));
    n->ready_s = n->start_s + boot_s;
    memcpy(n->joined_s, c->did_s, sizeof n->joined_s);
    c->held++;
    c->launched++;
    f->work += FLEET_WORK_OF_A_LAUNCH;
    c->in->held++;
    if (c->hazard_per_s > 0) {
        double u = random_uniform_at(f->world, c->source_lifetime[slot], ordinal);
        double life_s = -log(u) / c->hazard_per_s;
        if (isfinite(life_s) && calendar_schedule(f->calendar, n->start_s + life_s, EVENT_NODE,
                                                  node_struck, c, slot, &n->event) != CALENDAR_OK) {
            f->failed = true;
        }
    }
}

uint32_t crew_launch(struct crew *c, uint32_t room)
{
    uint32_t count = 0;
    c->fleet->work += c->size;
    for (uint32_t i = 0; i < c->size && count < room && c->asked > 0; i++) {
        if (c->nodes[i].state == NODE_ASKED) {
            c->asked--;
            node_launch(c, i);
            count++;
        }
    }
    return count;
}

void crew_launched(struct crew *c, uint32_t count)
{
    struct fleet *f = c->fleet;
    journal_add(f->journal, f->calendar->now_s, c->workload, "%u %s node%s launched, %u of %u held",
                count, purchase_names[c->purchase], text_plural(count), c->held, c->size);
    if (crew_complete(c)) {
        double ready_s = f->calendar->now_s;
        f->work += c->size;
        for (uint32_t i = 0; i < c->size; i++) {
            ready_s = c->nodes[i].ready_s > ready_s ? c->nodes[i].ready_s : ready_s;
        }
        if (calendar_schedule(f->calendar, ready_s, EVENT_NODE, crew_ready_event, c, 0,
                              &c->ready_event) != CALENDAR_OK) {
            f->failed = true;
        }
    }
    c->events->granted(c->owner, c);
}

/* ---- asking ---- */

static void crew_queue(struct crew *c)
{
    if (!c->queued) {
        c->queued = true;
        pool_queue(c->in, c);
    }
    pool_grant(c->in);
}

/* A pool that makes each node wait: this node's wait is over. */
static void node_wait_over(void *actor, uint64_t tag)
{
    struct crew *c = actor;
    c->nodes[tag].state = NODE_ASKED;
    c->nodes[tag].event = EVENT_NONE;
    c->waiting--;
    c->asked++;
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

void crew_ask(struct crew *c)
{
    struct fleet *f = c->fleet;
    uint32_t missing = c->size - c->held - c->waiting - c->asked;
    if (missing == 0) {
        return;
    }
    journal_add(f->journal, f->calendar->now_s, c->workload, "asks for %u %s node%s", missing,
                purchase_names[c->purchase], text_plural(missing));
    bool waits = c->purchase == PURCHASE_ON_DEMAND && market_delays(f->market, c->pool);
    f->work += c->size;
    for (uint32_t i = 0; missing > 0; i++) {
        if (c->nodes[i].state != NODE_ABSENT) {
            continue;
        }
        missing--;
        if (waits) {
            node_wait(c, i);
        } else {
            c->nodes[i].state = NODE_ASKED;
            c->asked++;
        }
    }
    if (c->asked > 0) {
        crew_queue(c);
    }
}

void crew_withdraw(struct crew *c)
{
    if (c->queued) {
        c->queued = false;
        pool_unqueue(c->in, c);
    }
    c->fleet->work += c->size;
    for (uint32_t i = 0; i < c->size && c->waiting + c->asked > 0; i++) {
        struct node *n = &c->nodes[i];
        if (n->state == NODE_WAITING) {
            c->waiting--;
        } else if (n->state == NODE_ASKED) {
            c->asked--;
        } else {
            continue;
        }
        node_cancel(c, n);
        n->state = NODE_ABSENT;
    }
}

void crew_release(struct crew *c, enum end_reason reason)
{
    struct fleet *f = c->fleet;
    crew_withdraw(c);
    calendar_cancel(f->calendar, c->ready_event);
    if (c->held == 0) {
        return;
    }
    journal_add(f->journal, f->calendar->now_s, c->workload, "%u %s node%s: %s", c->held,
                purchase_names[c->purchase], c->held == 1 ? " ends" : "s end",
                end_reason_names[reason]);
    (void)crew_end(c, ALL_BATCHES, reason);
    pool_grant(c->in);
    pool_freed(c->in);
}

bool crew_obtainable(const struct crew *c)
{
    const struct fleet_pool *p = c->in;
    return p->first_asking == NULL && p->capacity >= p->held + c->size &&
           c->fleet->calendar->now_s >= p->closed_until_s;
}
