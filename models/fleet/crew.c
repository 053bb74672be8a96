/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/crew.h"

#include "engine/text.h"
#include "models/fleet/fleet_pool.h"
#include "models/fleet/independent_nodes.h"
#include "models/fleet/pool_advice.h"

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
    c->ready = c->leaving = 0;
    c->first_absent = 0;
    c->first_asked = c->size;
    c->latest_ready_s = 0;
    c->latest_is_gone = false;
    c->queued = false;
    c->mortal = market_ends_nodes(c->fleet->market, c->pool);
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
    activity_s[c->independent && !c->own_books ? ACTIVITY_USEFUL : ACTIVITY_WAITING] = waited_s > 0 ? waited_s : 0;
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

static void node_forget(struct crew *c, uint32_t slot)
{
    struct node *n = &c->nodes[slot];
    if (n->state == NODE_NOTICED) {
        c->noticed--;
        c->in->leaving--;
        c->leaving -= n->booted;
    } else {
        c->in->held--;
        c->ready -= n->booted;
    }
    n->booted = false;
    node_cancel(c, n);
    n->state = NODE_ABSENT;
    c->held--;
    c->first_absent = slot < c->first_absent ? slot : c->first_absent;
    if (c->held == 0) {
        c->latest_ready_s = 0;
        c->latest_is_gone = false;
    } else if (n->ready_s >= c->latest_ready_s && n->ready_s > c->fleet->calendar->now_s) {
        c->latest_is_gone = true;
    }
}

static bool is_held(const struct node *n)
{
    return n->state == NODE_HELD || n->state == NODE_NOTICED;
}

static bool is_of_batch(const struct node *n, uint64_t batch)
{
    return n->state == NODE_NOTICED && n->batch == batch;
}

static bool is_meant(const struct node *n, uint64_t batch)
{
    switch (batch) {
    case CREW_ANY_BATCH:
        return is_held(n);
    case CREW_NOT_LEAVING:
        return n->state == NODE_HELD;
    case CREW_BOOTING:
        return n->state == NODE_HELD && !n->booted;
    default:
        return is_of_batch(n, batch);
    }
}

void crew_end(struct crew *c, uint32_t from, uint32_t number, uint64_t batch,
              enum end_reason reason)
{
    uint32_t first = 0, count = 0; /* of the twins not yet recorded */
    uint32_t i = from;
    for (; number > 0; i++) {
        struct node *n = &c->nodes[i];
        if (!is_meant(n, batch)) {
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
        number--;
        node_forget(c, i);
    }
    if (count > 0) {
        record(c, first, count, reason);
    }
    c->fleet->work += i - from;
}

void crew_did(struct crew *c, enum activity activity, double s)
{
    c->did_s[activity] += s;
}

void crew_did_in_vain(struct crew *c, double s)
{
    for (uint32_t i = 0; i < c->size; i++) {
        struct node *n = &c->nodes[i];
        if (is_held(n)) {
            double told_s = c->did_s[ACTIVITY_USEFUL] - n->joined_s[ACTIVITY_USEFUL];
            double vain_s = told_s < s ? told_s : s;
            n->joined_s[ACTIVITY_USEFUL] += vain_s;
            n->joined_s[ACTIVITY_LOST] -= vain_s;
        }
    }
    c->fleet->work += c->size;
}

/* ---- notices and losses ---- */

/* The nodes of one batch of notices vanish. */
static void batch_gone(void *actor, uint64_t tag)
{
    struct crew *c = actor;
    struct fleet *f = c->fleet;
    uint32_t first = (uint32_t)(tag >> 32), batch = (uint32_t)tag;
    if (!is_of_batch(&c->nodes[first], batch)) {
        return; /* all were released before their time */
    }
    uint32_t gone = c->nodes[first].batch_size;
    c->events->losing(c->owner, c);
    crew_end(c, first, gone, batch, END_INTERRUPTED);
    c->interrupted += gone;
    journal_add(f->journal, f->calendar->now_s, c->workload, "%u of %u %s node%s %s gone", gone,
                c->size, purchase_names[c->purchase], text_plural(c->size),
                gone == 1 ? "is" : "are");
    pool_lost(c->in);
    if (c->in->quota.of != NULL) {
        pool_freed(c->in);
    }
    c->events->lost(c->owner, c);
}

void crew_notice(struct crew *c, uint32_t slot)
{
    struct node *n = &c->nodes[slot];
    node_cancel(c, n);
    n->state = NODE_NOTICED;
    n->batch = c->batches;
    c->noticed++;
    c->in->leaving++;
    c->ready -= n->booted;
    c->leaving += n->booted;
    c->in->held--;
}

void crew_batch_given(struct crew *c, uint32_t first, uint32_t count)
{
    struct fleet *f = c->fleet;
    double notice_s = market_notice_s(f->market, c->pool);
    uint64_t tag = (uint64_t)first << 32 | c->batches++;
    c->nodes[first].batch_size = count;
    journal_add(f->journal, f->calendar->now_s, c->workload,
                "notice: %u of %u %s node%s %s in %.0f s", count, c->size,
                purchase_names[c->purchase], text_plural(c->size), count == 1 ? "goes" : "go",
                notice_s);
    calendar_cancel(f->calendar, c->ready_event);
    c->events->noticed(c->owner, c);
    if (notice_s <= 0) {
        batch_gone(c, tag);
    } else if (calendar_schedule(f->calendar, f->calendar->now_s + notice_s, EVENT_NODE, batch_gone,
                                 c, tag, NULL) != CALENDAR_OK) {
        f->failed = true;
    }
}

/* By a hazard, or at the end of its life: the node of this slot is struck, and others may have its
 * room. */
static void node_struck(void *actor, uint64_t tag)
{
    struct crew *c = actor;
    crew_notice(c, (uint32_t)tag);
    crew_batch_given(c, (uint32_t)tag, 1);
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
    c->latest_ready_s = n->ready_s > c->latest_ready_s ? n->ready_s : c->latest_ready_s;
    c->held++;
    c->launched++;
    c->in->held++;
    if (c->mortal) {
        double u = random_uniform_at(f->world, c->source_lifetime[slot], ordinal);
        double life_s = market_node_life_s(f->market, c->pool, u);
        if (isfinite(life_s) && calendar_schedule(f->calendar, n->start_s + life_s, EVENT_NODE,
                                                  node_struck, c, slot, &n->event) != CALENDAR_OK) {
            f->failed = true;
        }
        if (isfinite(life_s)) {
            pool_advice_strike(c, slot, n->start_s + life_s);
        }
    }
}

uint32_t crew_launch(struct crew *c, uint32_t room)
{
    const uint32_t from = c->first_asked;
    uint32_t count = 0, i = from;
    for (; count < room && c->asked > 0; i++) {
        if (c->nodes[i].state == NODE_ASKED) {
            c->asked--;
            node_launch(c, i);
            count++;
        }
    }
    c->first_asked = c->asked > 0 ? i : c->size;
    if (c->independent) {
        independent_await_boots(c, from, i);
    }
    c->fleet->work += i - from + (uint64_t)count * FLEET_WORK_OF_A_LAUNCH;
    return count;
}

/* When the last of the nodes held has booted. */
static double latest_ready_s(struct crew *c)
{
    if (c->latest_is_gone) {
        c->latest_is_gone = false;
        c->latest_ready_s = 0;
        c->fleet->work += c->size;
        for (uint32_t i = 0; i < c->size; i++) {
            const struct node *n = &c->nodes[i];
            if (is_held(n) && n->ready_s > c->latest_ready_s) {
                c->latest_ready_s = n->ready_s;
            }
        }
    }
    double now_s = c->fleet->calendar->now_s;
    return c->latest_ready_s > now_s ? c->latest_ready_s : now_s;
}

void crew_launched(struct crew *c, uint32_t count)
{
    struct fleet *f = c->fleet;
    journal_add(f->journal, f->calendar->now_s, c->workload, "%u %s node%s launched, %u of %u held",
                count, purchase_names[c->purchase], text_plural(count), c->held, c->size);
    if (!c->independent && crew_complete(c)) {
        if (calendar_schedule(f->calendar, latest_ready_s(c), EVENT_NODE, crew_ready_event, c, 0,
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

void crew_ask_for(struct crew *c, uint32_t missing)
{
    struct fleet *f = c->fleet;
    journal_add(f->journal, f->calendar->now_s, c->workload, "asks for %u %s node%s", missing,
                purchase_names[c->purchase], text_plural(missing));
    bool waits = c->purchase == PURCHASE_ON_DEMAND && market_delays(f->market, c->pool);
    uint32_t reserved = waits ? pool_reserved_room(c->in) : 0;
    const uint32_t from = c->first_absent;
    uint32_t i = from;
    for (; missing > 0; i++) {
        if (c->nodes[i].state != NODE_ABSENT) {
            continue;
        }
        missing--;
        if (waits && reserved == 0) {
            node_wait(c, i);
        } else {
            node_ask(c, i);
            reserved -= reserved > 0;
        }
    }
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
            node_cancel(c, &c->nodes[i]);
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
    node_cancel(c, n);
    n->state = NODE_ABSENT;
    c->first_absent = slot < c->first_absent ? slot : c->first_absent;
    return true;
}

void crew_withdraw(struct crew *c)
{
    crew_unqueue(c);
    uint32_t i = 0;
    for (; c->waiting + c->asked > 0; i++) {
        (void)crew_withdraw_node(c, i);
    }
    c->first_asked = c->size;
    c->fleet->work += i;
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
    crew_end(c, 0, c->held, CREW_ANY_BATCH, reason);
    pool_grant(c->in);
    pool_freed(c->in);
}

bool crew_obtainable(const struct crew *c)
{
    const struct fleet_pool *p = c->in;
    return p->first_asking == NULL && pool_room(p) >= c->size &&
           c->fleet->calendar->now_s >= p->closed_until_s;
}

bool crew_could_be_whole(const struct crew *c)
{
    const struct fleet_pool *p = c->in;
    uint32_t lacks = c->size - (c->held - c->noticed);
    return (p->first_asking == NULL || p->first_asking == c) && pool_room(p) >= lacks &&
           c->fleet->calendar->now_s >= p->closed_until_s;
}
