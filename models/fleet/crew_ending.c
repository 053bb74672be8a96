/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/crew_ending.h"

#include <assert.h>
#include <string.h>

/* A gang of which nothing has failed: its nodes differ by their launches and places alone, since
 * only what is independent is counted as booted or takes part in the work of a team. */
static inline bool is_plain(const struct crew *c)
{
    return !c->independent && c->failed == 0;
}

/* Equal in all that a usage record says, but for the slot. Of a gang that was launched together one
 * number says so, since this is asked for every node that ends. */
static inline bool are_twins(const struct crew *c, const struct node *a, const struct node *b)
{
    if (a->together == b->together && a->together != 0 && !c->independent) {
        return a->moved == b->moved && (c->failed == 0 || a->failed == b->failed);
    }
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

/* Since its hardware failed, in a team, which goes on without it. */
static double down_s_of(const struct crew *c, const struct node *n)
{
    double since_s = n->fails_s > n->ready_s ? n->fails_s : n->ready_s;
    double down_s = c->fleet->calendar->now_s - since_s;
    return c->team.together && n->failed && down_s > 0 ? down_s : 0;
}

/* What the crew told of this node's time, and that it was down. */
static void told_of(const struct crew *c, const struct node *n, double told_s[ACTIVITY_COUNT])
{
    static_assert(ACTIVITY_DOWN == ACTIVITY_COUNT - 1, "the others are an even number");
    if (!c->team.together || n->part == NODE_TAKES_PART) {
        for (int a = 0; a < ACTIVITY_DOWN; a++) { /* two at a time */
            told_s[a] = c->did_s[a] - n->joined_s[a];
        }
        told_s[ACTIVITY_DOWN] = c->did_s[ACTIVITY_DOWN] - n->joined_s[ACTIVITY_DOWN];
    } else {
        for (int a = 0; a < ACTIVITY_COUNT; a++) {
            told_s[a] = n->part == NODE_LEFT ? n->joined_s[a] : 0;
        }
    }
    told_s[ACTIVITY_DOWN] += down_s_of(c, n);
}

/* Writes the record of `count` twins that end now, the first of them in this slot. */
static void record(struct crew *c, uint32_t slot, uint32_t count, enum end_reason reason)
{
    const struct node *n = &c->nodes[slot];
    double now_s = c->fleet->calendar->now_s;
    double activity_s[ACTIVITY_COUNT];
    double told_s = 0;
    told_of(c, n, activity_s);
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
    struct usage u; /* without what usage_log_add sets: zeros there would only be written over */
    u.workload = c->workload;
    u.slot = c->first_slot + slot + (uint32_t)n->moved;
    u.pool = c->pool;
    u.reason = reason_of(n, reason);
    u.twins = count - 1;
    usage_log_add(c->fleet->log, &u, n->start_s, now_s, activity_s);
}

/* Empties slots side by side of a plain gang. Returns how many nodes were under notice. */
static uint32_t empty_plain(struct crew *c, uint32_t first, uint32_t count)
{
    const struct node *const end = c->nodes + first + count;
    uint32_t noticed = 0;
    for (struct node *n = c->nodes + first; n < end; n++) {
        noticed += n->state == NODE_NOTICED;
        crew_cancel_events(c, n);
        n->state = NODE_ABSENT;
    }
    return noticed;
}

/* The same of any crew. */
static uint32_t empty_slots(struct crew *c, uint32_t first, uint32_t count)
{
    uint32_t noticed = 0, ready = 0, leaving = 0;
    for (uint32_t i = first; i < first + count; i++) {
        struct node *n = &c->nodes[i];
        const bool is_noticed = n->state == NODE_NOTICED;
        noticed += is_noticed;
        ready += n->booted && !is_noticed;
        leaving += n->booted && is_noticed;
        if (n->part == NODE_TAKES_PART) {
            c->team.part--;
            c->team.noticed -= is_noticed;
        }
        if (n->failed) {
            c->failed--;
            c->team.failed -= c->team.together && n->state == NODE_HELD;
        }
        n->booted = n->failed = false;
        crew_cancel_events(c, n);
        n->state = NODE_ABSENT;
    }
    c->ready -= ready;
    c->leaving -= leaving;
    return noticed;
}

/* Nodes that have been ended and are still counted. */
struct gone {
    uint32_t count, noticed, first; /* the first slot of them */
    double ready_s;                 /* of the last to be ready */
};

/* Ends twins in slots side by side, of which some may be under notice. */
static void forget(struct crew *c, uint32_t first, uint32_t count, struct gone *gone)
{
    const double ready_s = c->nodes[first].ready_s;
    gone->noticed += is_plain(c) ? empty_plain(c, first, count) : empty_slots(c, first, count);
    gone->ready_s = gone->count == 0 || ready_s > gone->ready_s ? ready_s : gone->ready_s;
    gone->first = gone->count == 0 || first < gone->first ? first : gone->first;
    gone->count += count;
}

static void uncount(struct crew *c, const struct gone *gone)
{
    if (gone->count == 0) {
        return;
    }
    c->noticed -= gone->noticed;
    c->in->leaving -= gone->noticed;
    c->in->held -= gone->count - gone->noticed;
    c->held -= gone->count;
    c->first_absent = gone->first < c->first_absent ? gone->first : c->first_absent;
    if (c->held == 0) {
        c->latest_ready_s = 0;
        c->latest_is_gone = false;
    } else if (gone->ready_s >= c->latest_ready_s && gone->ready_s > c->fleet->calendar->now_s) {
        c->latest_is_gone = true;
    }
}

void crew_forget(struct crew *c, uint32_t slot)
{
    struct gone gone = {0};
    forget(c, slot, 1, &gone);
    uncount(c, &gone);
}

static inline bool is_meant(const struct node *n, uint64_t batch)
{
    if (batch < CREW_APART) {
        return n->state == NODE_NOTICED && n->batch == batch;
    }
    if (batch == CREW_ANY_BATCH) {
        return n->state == NODE_HELD || n->state == NODE_NOTICED;
    }
    return n->state == NODE_HELD &&
           (batch == CREW_NOT_LEAVING || (batch == CREW_BOOTING && !n->booted) ||
            (batch == CREW_FAILED && n->failed) ||
            (batch == CREW_APART && n->part != NODE_TAKES_PART));
}

/* Nodes side by side that end now, as twins. */
struct twins {
    uint32_t first, count;
    bool again; /* twins too of those recorded just before, which are not beside them */
};

static void end_twins(struct crew *c, struct twins t, enum end_reason reason, struct gone *gone)
{
    if (t.count == 0) {
        return;
    }
    if (t.again) {
        const uint32_t moved = (uint32_t)c->nodes[t.first].moved;
        usage_log_again(c->fleet->log, c->first_slot + t.first + moved, t.count - 1);
    } else {
        record(c, t.first, t.count, reason);
    }
    forget(c, t.first, t.count, gone);
}

void crew_end(struct crew *c, uint32_t from, uint32_t number, uint64_t batch,
              enum end_reason reason)
{
    const struct node *n = c->nodes + from, *first = n;
    struct twins t = {0}; /* found, not yet ended; `first` is the first of them */
    struct gone gone = {0};
    for (; number > 0; n++) {
        if (!is_meant(n, batch)) {
            continue;
        }
        number--;
        const bool alike = t.count > 0 && are_twins(c, first, n);
        if (alike && n == first + t.count) {
            t.count++;
        } else {
            end_twins(c, t, reason, &gone);
            first = n;
            t = (struct twins){.first = (uint32_t)(n - c->nodes), .count = 1, .again = alike};
        }
    }
    end_twins(c, t, reason, &gone);
    uncount(c, &gone);
    c->fleet->work += (uint32_t)(n - c->nodes) - from;
}
