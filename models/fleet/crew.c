/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/crew.h"

#include "engine/text.h"
#include "models/fleet/crew_ending.h"
#include "models/fleet/fleet_pool.h"
#include "models/fleet/independent_nodes.h"
#include "models/fleet/pool_advice.h"
#include "models/fleet/team_nodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Nodes of a crew that draw their lifetimes in batches, which takes 160 bytes each: in a larger
 * crew hardly any is launched often. */
#define MOST_WINDOWS 1024

/* ---- set-up ---- */

void crew_free(struct crew *c)
{
    if (c == NULL) {
        return;
    }
    free(c->nodes);
    free(c->lifetimes);
    free(c->source_boot);
    free(c->source_lifetime);
    free(c->source_wait);
    free(c->source_failure);
    free(c);
}

bool crew_allocate(struct crew *c, const char *workload_name, const char *pool_name)
{
    c->nodes = calloc(c->size, sizeof *c->nodes);
    c->source_boot = calloc(c->size, sizeof *c->source_boot);
    c->source_lifetime = calloc(c->size, sizeof *c->source_lifetime);
    c->source_wait = calloc(c->size, sizeof *c->source_wait);
    c->source_failure = calloc(c->size, sizeof *c->source_failure);
    if (c->size <= MOST_WINDOWS) {
        c->lifetimes = calloc(c->size, sizeof *c->lifetimes);
    }
    if (c->nodes == NULL || c->source_boot == NULL || c->source_lifetime == NULL ||
        c->source_wait == NULL || c->source_failure == NULL) {
        return false;
    }
    crew_name_sources(c, workload_name, pool_name);
    return true;
}

void crew_name_sources(struct crew *c, const char *workload_name, const char *pool_name)
{
    for (uint32_t i = 0; i < c->size; i++) {
        uint32_t slot = c->first_slot + i;
        c->source_boot[i] = random_source("launch/%s/%s/%u/boot", workload_name, pool_name, slot);
        c->source_lifetime[i] =
            random_source("launch/%s/%s/%u/lifetime", workload_name, pool_name, slot);
        c->source_wait[i] = random_source("launch/%s/%s/%u/wait", workload_name, pool_name, slot);
        c->source_failure[i] =
            random_source("launch/%s/%s/%u/failure", workload_name, pool_name, slot);
    }
}

bool crew_begin(struct crew *c, const double *drawn)
{
    memset(c->nodes, 0, c->size * sizeof *c->nodes);
    memset(c->did_s, 0, sizeof c->did_s);
    c->held = c->noticed = c->launched = c->interrupted = c->batches = 0;
    c->waiting = c->asked = 0;
    c->ready = c->leaving = 0;
    c->failed = c->failures = 0;
    c->staging_s = 0;
    c->law = (struct failure_law){0};
    c->useful_share = 1;
    c->evaluation_share = 0;
    c->team.part = c->team.noticed = c->team.going = c->team.failed = 0;
    c->launchings = 0;
    c->first_absent = 0;
    c->first_asked = c->size;
    c->latest_ready_s = 0;
    c->latest_is_gone = false;
    c->queued = false;
    c->mortal = market_ends_nodes(c->fleet->market, c->pool);
    c->ready_event = EVENT_NONE;
    c->next_asking = NULL;
    c->warm = 0;
    return variate_resolve(c->boot_spec, drawn, &c->boot) &&
           (c->warm_start == NULL || variate_resolve(c->warm_start, drawn, &c->start));
}

/* ---- its time ---- */

void crew_did(struct crew *c, enum activity activity, double s)
{
    c->did_s[activity] += s;
    c->books++;
}

/* ---- notices and losses ---- */

static bool is_of_batch(const struct node *n, uint64_t batch)
{
    return n->state == NODE_NOTICED && n->batch == batch;
}

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
    team_count_going(c, first, batch, gone);
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

/* Puts a node under notice, in the batch that crew_batch_given closes; counting it is the caller's.
 */
static inline void node_notice(struct crew *c, struct node *n)
{
    calendar_cancel(c->fleet->calendar, n->event);
    n->event = EVENT_NONE;
    n->state = NODE_NOTICED;
    n->batch = c->batches;
    if (c->team.together) {
        c->team.noticed += n->part == NODE_TAKES_PART;
        c->team.failed -= n->failed;
    }
}

static inline void count_noticed(struct crew *c, uint32_t count, uint32_t booted)
{
    c->noticed += count;
    c->in->leaving += count;
    c->in->held -= count;
    c->ready -= booted;
    c->leaving += booted;
}

uint32_t crew_notice_marked(struct crew *c, const bool *marked)
{
    const struct node *const end = c->nodes + c->size;
    uint32_t seen = 0, booted = 0;
    c->given = 0;
    for (struct node *n = c->nodes; n < end; n++) {
        const bool held = n->state == NODE_HELD;
        if (held && marked[seen]) {
            node_notice(c, n);
            booted += n->booted;
            c->first_given = c->given++ == 0 ? (uint32_t)(n - c->nodes) : c->first_given;
        }
        seen += held;
    }
    count_noticed(c, c->given, booted);
    return seen;
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
    c->nodes[tag].event = EVENT_NONE;
    node_notice(c, &c->nodes[tag]);
    count_noticed(c, 1, c->nodes[tag].booted);
    crew_batch_given(c, (uint32_t)tag, 1);
    pool_grant(c->in);
    pool_freed(c->in);
}

/* ---- failures ---- */

static void node_fails(void *actor, uint64_t tag)
{
    struct crew *c = actor;
    struct fleet *f = c->fleet;
    struct node *n = &c->nodes[tag];
    n->failure = EVENT_NONE;
    n->failed = true;
    c->failed++;
    c->failures++;
    journal_add(f->journal, f->calendar->now_s, c->workload, "the hardware of %s node %u fails",
                purchase_names[c->purchase], c->first_slot + (uint32_t)tag + (uint32_t)n->moved);
    calendar_cancel(f->calendar, c->ready_event);
    if (c->team.together) {
        team_node_failed(c, (uint32_t)tag);
    }
    if (c->events->failed != NULL) {
        c->events->failed(c->owner, c, (uint32_t)tag);
    } else {
        c->events->losing(c->owner, c);
        crew_end_failed(c);
        c->events->lost(c->owner, c);
    }
}

void crew_equip(struct crew *c, double staging_s, const struct failure_law *law)
{
    c->staging_s = staging_s;
    c->law = *law;
}

void crew_share(struct crew *c, double useful_share, double evaluation_share)
{
    c->useful_share = useful_share;
    c->evaluation_share = evaluation_share;
}

void crew_end_failed(struct crew *c)
{
    uint32_t count = 0;
    for (uint32_t i = 0; c->failed > 0 && i < c->size; i++) {
        count += c->nodes[i].state == NODE_HELD && c->nodes[i].failed;
    }
    if (count > 0) {
        journal_add(c->fleet->journal, c->fleet->calendar->now_s, c->workload,
                    "%u failed node%s given up", count, count == 1 ? " is" : "s are");
        crew_end(c, 0, count, CREW_FAILED, END_FAILED);
        pool_grant(c->in);
        pool_freed(c->in);
    }
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

static void schedule_end(struct crew *c, uint32_t slot, double at_s, event_handler *handler,
                         struct event_id *id)
{
    if (isfinite(at_s) && calendar_schedule(c->fleet->calendar, at_s, EVENT_NODE, handler, c, slot,
                                            id) != CALENDAR_OK) {
        c->fleet->failed = true;
    }
}

void crew_schedule_ends(struct crew *c, uint32_t slot)
{
    struct node *n = &c->nodes[slot];
    schedule_end(c, slot, n->dies_s, node_struck, &n->event);
    schedule_end(c, slot, n->fails_s, node_fails, &n->failure);
}

void crew_open_books(const struct crew *c, struct node *n)
{
    memcpy(n->joined_s, c->did_s, sizeof n->joined_s);
    n->books = c->books;
    n->together = 0;
}

/* The ordinal-th draw of the lifetime in this slot. What dies often draws a batch from its third
 * launch on, at a fifth of the cost of as many single draws. */
static double lifetime_draw(const struct crew *c, uint32_t slot, uint32_t ordinal)
{
    const struct random_world w = c->fleet->world;
    const uint64_t source = c->source_lifetime[slot];
    return ordinal < 2 || c->lifetimes == NULL
               ? random_uniform_at(w, source, ordinal)
               : random_window_at(&c->lifetimes[slot], w, source, ordinal);
}

static void draw_ends(struct crew *c, uint32_t slot)
{
    struct fleet *f = c->fleet;
    struct node *n = &c->nodes[slot];
    const uint32_t ordinal = n->launches - 1;
    n->dies_s = n->fails_s = HUGE_VAL;
    if (c->mortal) {
        double u = lifetime_draw(c, slot, ordinal);
        n->dies_s = n->start_s + market_node_life_s(f->market, c->pool, u);
        if (isfinite(n->dies_s)) {
            pool_advice_strike(c, slot, n->dies_s);
        }
    }
    if (c->law.rate_per_s > 0) {
        double u = random_uniform_at(f->world, c->source_failure[slot], ordinal);
        n->fails_s = n->start_s + failure_law_life_s(&c->law, u);
    }
    crew_schedule_ends(c, slot);
}

/* What a node of a launch has of it. */
struct boot {
    bool warm, constant;
    double booted_s, ready_s; /* where constant */
    uint64_t together;
};

static struct boot boot_of(const struct crew *c, double now_s, bool warm)
{
    const struct distribution *d = warm ? &c->start : &c->boot;
    const bool constant = d->family == DISTRIBUTION_CONSTANT;
    const double booted_s = now_s + (constant ? d->p[0] : 0);
    return (struct boot){.warm = warm,
                         .constant = constant,
                         .booted_s = booted_s,
                         .ready_s = booted_s + c->staging_s,
                         .together = constant ? 2 * c->launchings + warm : 0};
}

/* Counting it is the caller's; so are its boot, where it is drawn, and its end. */
static inline void node_launch(struct crew *c, struct node *n, double now_s, const struct boot *b)
{
    n->launches++;
    n->booted_s = b->booted_s;
    n->ready_s = b->ready_s;
    n->state = NODE_HELD;
    n->part = NODE_APART;
    n->event = n->failure = EVENT_NONE;
    n->start_s = now_s;
    n->warm = b->warm;
    memcpy(n->joined_s, c->did_s, sizeof n->joined_s);
    n->books = c->books;
    n->together = b->together;
}

static void expect_ready(struct crew *c, double ready_s)
{
    c->latest_ready_s = ready_s > c->latest_ready_s ? ready_s : c->latest_ready_s;
}

/* Launches so many of the nodes asked for, of which nothing is drawn. Returns the slot behind the
 * last of them. */
static uint32_t launch_alike(struct crew *c, uint32_t count, double now_s, const struct boot *b)
{
    struct node *n = c->nodes + c->first_asked;
    if (count > 0) {
        expect_ready(c, b->ready_s);
    }
    for (; count > 0; n++) {
        if (n->state == NODE_ASKED) {
            node_launch(c, n, now_s, b);
            count--;
        }
    }
    return (uint32_t)(n - c->nodes);
}

/* The same, each with its own luck. */
static uint32_t launch_each(struct crew *c, uint32_t count, double now_s, struct boot b)
{
    uint32_t i = c->first_asked;
    for (; count > 0; i++) {
        struct node *n = &c->nodes[i];
        if (n->state != NODE_ASKED) {
            continue;
        }
        if (b.warm && c->warm-- == 0) {
            c->warm = 0;
            b = boot_of(c, now_s, false);
        }
        node_launch(c, n, now_s, &b);
        if (!b.constant) {
            double u = random_uniform_at(c->fleet->world, c->source_boot[i], n->launches - 1);
            n->booted_s = now_s + distribution_quantile(b.warm ? &c->start : &c->boot, u);
            n->ready_s = n->booted_s + c->staging_s;
        }
        expect_ready(c, n->ready_s);
        if (c->mortal || c->law.rate_per_s > 0) {
            draw_ends(c, i);
        }
        count--;
    }
    return i;
}

uint32_t crew_launch(struct crew *c, uint32_t room)
{
    const uint32_t from = c->first_asked, asked = c->asked, count = asked < room ? asked : room;
    const double now_s = c->fleet->calendar->now_s;
    c->launchings++;
    const struct boot boot = boot_of(c, now_s, c->warm > 0);
    const bool drawn = !boot.constant || boot.warm || c->mortal || c->law.rate_per_s > 0;
    const uint32_t i =
        drawn ? launch_each(c, count, now_s, boot) : launch_alike(c, count, now_s, &boot);
    c->asked = asked - count;
    c->held += count;
    c->launched += count;
    c->in->held += count;
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
            if ((n->state == NODE_HELD || n->state == NODE_NOTICED) &&
                n->ready_s > c->latest_ready_s) {
                c->latest_ready_s = n->ready_s;
            }
        }
    }
    double now_s = c->fleet->calendar->now_s;
    return c->latest_ready_s > now_s ? c->latest_ready_s : now_s;
}

void crew_await_ready(struct crew *c)
{
    if (!c->independent && crew_complete(c)) {
        if (calendar_schedule(c->fleet->calendar, latest_ready_s(c), EVENT_NODE, crew_ready_event,
                              c, 0, &c->ready_event) != CALENDAR_OK) {
            c->fleet->failed = true;
        }
    }
}

void crew_launched(struct crew *c, uint32_t count)
{
    struct fleet *f = c->fleet;
    journal_add(f->journal, f->calendar->now_s, c->workload, "%u %s node%s launched, %u of %u held",
                count, purchase_names[c->purchase], text_plural(count), c->held, c->size);
    crew_await_ready(c);
    c->events->granted(c->owner, c);
}

/* ---- the end of all ---- */

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
