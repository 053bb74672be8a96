/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/crew.h"

#include "engine/text.h"
#include "models/fleet/fleet_pool.h"
#include "models/fleet/independent_nodes.h"
#include "models/fleet/pool_advice.h"
#include "models/fleet/team_nodes.h"

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

/* ---- the end of a node ---- */

/* Equal in all that a usage record says, but for the slot. */
static bool are_twins(const struct crew *c, const struct node *a, const struct node *b)
{
    return a->start_s == b->start_s && a->ready_s == b->ready_s && a->booted_s == b->booted_s &&
           a->failed == b->failed &&
           (!a->failed || !c->team.together || a->fails_s == b->fails_s) && a->moved == b->moved &&
           a->part == b->part &&
           ((a->books == b->books && !c->independent) ||
            memcmp(a->joined_s, b->joined_s, sizeof a->joined_s) == 0);
}

static double sooner(double a_s, double b_s)
{
    return a_s < b_s ? a_s : b_s;
}

/* What failed is what we end, whatever we end beside it. */
static enum end_reason reason_of(const struct node *n, enum end_reason reason)
{
    return n->failed && reason == END_RELEASED ? END_FAILED : reason;
}

static void split_useful(const struct crew *c, double activity_s[ACTIVITY_COUNT])
{
    double told_s = activity_s[ACTIVITY_USEFUL];
    double useful_s = told_s * c->useful_share, evaluation_s = told_s * c->evaluation_share;
    double rest_s = told_s - useful_s - evaluation_s;
    activity_s[ACTIVITY_USEFUL] = useful_s;
    activity_s[ACTIVITY_EVALUATION] += evaluation_s;
    activity_s[ACTIVITY_LOST] += rest_s > 0 ? rest_s : 0;
}

/* What the crew told of this node's time. */
static void told_of(const struct crew *c, const struct node *n, double told_s[ACTIVITY_COUNT])
{
    if (!c->team.together || n->part == NODE_TAKES_PART) {
        for (int a = 0; a < ACTIVITY_COUNT; a++) {
            told_s[a] = c->did_s[a] - n->joined_s[a];
        }
        return;
    }
    for (int a = 0; a < ACTIVITY_COUNT; a++) {
        told_s[a] = n->part == NODE_LEFT ? n->joined_s[a] : 0;
    }
}

/* Since its hardware failed, in a team, which goes on without it. */
static double down_s_of(const struct crew *c, const struct node *n)
{
    double since_s = n->fails_s > n->ready_s ? n->fails_s : n->ready_s;
    double down_s = c->fleet->calendar->now_s - since_s;
    return c->team.together && n->failed && down_s > 0 ? down_s : 0;
}

/* Writes the record of `count` twins that end now, the first of them in this slot. */
static void record(struct crew *c, uint32_t slot, uint32_t count, enum end_reason reason)
{
    const struct node *n = &c->nodes[slot];
    double now_s = c->fleet->calendar->now_s;
    double activity_s[ACTIVITY_COUNT];
    double told_s = 0;
    told_of(c, n, activity_s);
    activity_s[ACTIVITY_DOWN] += down_s_of(c, n);
    for (int a = 0; a < ACTIVITY_COUNT; a++) {
        told_s += activity_s[a];
    }
    if (c->useful_share < 1) {
        split_useful(c, activity_s);
    }
    double booted_s = sooner(n->booted_s, now_s), ready_s = sooner(n->ready_s, now_s);
    double waited_s = now_s - ready_s - told_s;
    activity_s[ACTIVITY_BOOT] = booted_s - n->start_s;
    activity_s[ACTIVITY_STAGING] = ready_s - booted_s;
    activity_s[c->independent && !c->own_books && !c->team.together ? ACTIVITY_USEFUL
                                                                    : ACTIVITY_WAITING] =
        waited_s > 0 ? waited_s : 0;
    usage_log_add(c->fleet->log,
                  (struct usage){.workload = c->workload,
                                 .slot = c->first_slot + slot + (uint32_t)n->moved,
                                 .pool = c->pool,
                                 .reason = reason_of(n, reason),
                                 .twins = count - 1},
                  n->start_s, now_s, activity_s);
}

void crew_cancel_events(struct crew *c, struct node *n)
{
    calendar_cancel(c->fleet->calendar, n->event);
    calendar_cancel(c->fleet->calendar, n->failure);
    n->event = n->failure = EVENT_NONE;
}

void crew_forget(struct crew *c, uint32_t slot)
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
    if (n->part == NODE_TAKES_PART) {
        c->team.part--;
        c->team.noticed -= n->state == NODE_NOTICED;
    }
    c->failed -= n->failed;
    c->team.failed -= c->team.together && n->failed && n->state == NODE_HELD;
    n->booted = n->failed = false;
    crew_cancel_events(c, n);
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
    case CREW_FAILED:
        return n->state == NODE_HELD && n->failed;
    case CREW_APART:
        return n->state == NODE_HELD && n->part != NODE_TAKES_PART;
    default:
        return is_of_batch(n, batch);
    }
}

/* Nodes side by side that end now, as twins. */
struct twins {
    uint32_t first, count;
    bool again; /* twins too of those recorded just before, which are not beside them */
};

static void end_twins(struct crew *c, const struct twins *t, enum end_reason reason)
{
    if (t->again) {
        const uint32_t moved = (uint32_t)c->nodes[t->first].moved;
        usage_log_again(c->fleet->log, c->first_slot + t->first + moved, t->count - 1);
    } else if (t->count > 0) {
        record(c, t->first, t->count, reason);
    }
    for (uint32_t i = 0; i < t->count; i++) {
        crew_forget(c, t->first + i);
    }
}

void crew_end(struct crew *c, uint32_t from, uint32_t number, uint64_t batch,
              enum end_reason reason)
{
    struct twins t = {0}; /* found, not yet ended */
    uint32_t i = from;
    for (; number > 0; i++) {
        const struct node *n = &c->nodes[i];
        if (!is_meant(n, batch)) {
            continue;
        }
        number--;
        const bool alike = t.count > 0 && are_twins(c, &c->nodes[t.first], n);
        if (alike && i == t.first + t.count) {
            t.count++;
        } else {
            end_twins(c, &t, reason);
            t = (struct twins){.first = i, .count = 1, .again = alike};
        }
    }
    end_twins(c, &t, reason);
    c->fleet->work += i - from;
}

void crew_did(struct crew *c, enum activity activity, double s)
{
    c->did_s[activity] += s;
    c->books++;
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

void crew_notice(struct crew *c, uint32_t slot)
{
    struct node *n = &c->nodes[slot];
    calendar_cancel(c->fleet->calendar, n->event);
    n->event = EVENT_NONE;
    n->state = NODE_NOTICED;
    c->team.noticed += n->part == NODE_TAKES_PART;
    c->team.failed -= c->team.together && n->failed;
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
}

static void node_launch(struct crew *c, uint32_t slot)
{
    struct fleet *f = c->fleet;
    struct node *n = &c->nodes[slot];
    uint32_t ordinal = n->launches++;
    n->state = NODE_HELD;
    n->part = NODE_APART;
    n->event = n->failure = EVENT_NONE;
    n->start_s = f->calendar->now_s;
    n->warm = c->warm > 0;
    c->warm -= n->warm;
    const struct distribution *boot = n->warm ? &c->start : &c->boot;
    double boot_s = boot->family == DISTRIBUTION_CONSTANT
                        ? boot->p[0]
                        : distribution_quantile(
                              boot, random_uniform_at(f->world, c->source_boot[slot], ordinal));
    n->booted_s = n->start_s + boot_s;
    n->ready_s = n->booted_s + c->staging_s;
    crew_open_books(c, n);
    c->latest_ready_s = n->ready_s > c->latest_ready_s ? n->ready_s : c->latest_ready_s;
    c->held++;
    c->launched++;
    c->in->held++;
    if (c->mortal || c->law.rate_per_s > 0) {
        n->dies_s = n->fails_s = HUGE_VAL;
        if (c->mortal) {
            double u = random_uniform_at(f->world, c->source_lifetime[slot], ordinal);
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
