/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/fleet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A pool as this strategy sees it: what is held, who asks, when its capacity changes next. */
struct fleet_pool {
    struct fleet *fleet;
    int pool;
    uint32_t most;     /* all nodes that crews of this pool may want together */
    uint32_t held;     /* without those under notice: the cloud has taken them back already */
    uint32_t capacity; /* min(K, most) now */
    uint32_t losses;
    double closed_until_s; /* regain: no grant before */
    struct crew *first_asking, *last_asking;
    struct event_id reopen;
    uint64_t source_regain;
};

struct fleet {
    struct market *market;
    struct calendar *calendar;
    struct usage_log *log;
    struct journal *journal;
    struct random_world world;
    struct crew **crews;
    size_t crew_count, crew_capacity;
    struct fleet_pool **pools;
    size_t pool_count;
    uint32_t *victims; /* scratch: as many as the largest pool may hold */
    bool failed;
};

static void pool_grant(struct fleet_pool *p);

/* ---- set-up ---- */

struct fleet *fleet_new(struct market *market, struct calendar *calendar, struct usage_log *log)
{
    struct fleet *f = calloc(1, sizeof *f);
    if (f == NULL) {
        return NULL;
    }
    f->market = market;
    f->calendar = calendar;
    f->log = log;
    return f;
}

static void crew_free(struct crew *c)
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

void fleet_free(struct fleet *f)
{
    if (f == NULL) {
        return;
    }
    for (size_t i = 0; i < f->crew_count; i++) {
        crew_free(f->crews[i]);
    }
    for (size_t i = 0; i < f->pool_count; i++) {
        free(f->pools[i]);
    }
    free(f->crews);
    free(f->pools);
    free(f->victims);
    free(f);
}

static struct fleet_pool *fleet_pool_for(struct fleet *f, int pool)
{
    for (size_t i = 0; i < f->pool_count; i++) {
        if (f->pools[i]->pool == pool) {
            return f->pools[i];
        }
    }
    struct fleet_pool **grown = realloc(f->pools, (f->pool_count + 1) * sizeof *grown);
    if (grown == NULL) {
        return NULL;
    }
    f->pools = grown;
    struct fleet_pool *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return NULL;
    }
    const char *name = market_pool_info(market_plan_of(f->market), pool)->name;
    *p = (struct fleet_pool){
        .fleet = f, .pool = pool, .source_regain = random_source("regain/%s", name)};
    f->pools[f->pool_count++] = p;
    return p;
}

static bool crew_allocate(struct crew *c, const char *workload_name, const char *pool_name)
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

struct crew *fleet_add_crew(struct fleet *f, const struct crew_events *events, void *owner,
                            uint32_t workload, const char *workload_name, int pool, uint32_t size,
                            const struct variate *boot)
{
    if (f->crew_count == f->crew_capacity) {
        size_t capacity = f->crew_capacity == 0 ? 8 : 2 * f->crew_capacity;
        struct crew **grown = realloc(f->crews, capacity * sizeof(struct crew *));
        if (grown == NULL) {
            return NULL;
        }
        f->crews = grown;
        f->crew_capacity = capacity;
    }
    struct fleet_pool *p = fleet_pool_for(f, pool);
    struct crew *c = calloc(1, sizeof *c);
    if (p == NULL || c == NULL) {
        free(c);
        return NULL;
    }
    const struct pool_info *info = market_pool_info(market_plan_of(f->market), pool);
    c->fleet = f;
    c->events = events;
    c->owner = owner;
    c->workload = workload;
    c->pool = pool;
    c->purchase = info->purchase;
    c->size = size;
    c->in = p;
    c->boot_spec = boot;
    uint32_t *victims = realloc(f->victims, ((size_t)p->most + size) * sizeof *victims);
    if (victims != NULL) {
        f->victims = victims;
    }
    if (victims == NULL || !crew_allocate(c, workload_name, info->name)) {
        crew_free(c);
        return NULL;
    }
    p->most += size;
    f->crews[f->crew_count++] = c;
    return c;
}

/* ---- the end of a node ---- */

static void node_end(struct crew *c, uint32_t slot, enum end_reason reason)
{
    struct fleet *f = c->fleet;
    struct node *n = &c->nodes[slot];
    double now_s = f->calendar->now_s;
    double activity_s[ACTIVITY_COUNT];
    double told_s = 0;
    for (int a = 0; a < ACTIVITY_COUNT; a++) {
        activity_s[a] = c->did_s[a] - n->joined_s[a];
        told_s += activity_s[a];
    }
    activity_s[ACTIVITY_BOOT] = fmin(n->ready_s, now_s) - n->start_s;
    activity_s[ACTIVITY_WAITING] = fmax(0, now_s - n->start_s - activity_s[ACTIVITY_BOOT] - told_s);
    usage_log_add(f->log,
                  (struct usage){.workload = c->workload,
                                 .slot = slot,
                                 .launch = n->launches - 1,
                                 .pool = c->pool,
                                 .reason = reason},
                  n->start_s, now_s, activity_s);
    if (n->state == NODE_NOTICED) {
        c->noticed--;
    } else {
        c->in->held--;
    }
    calendar_cancel(f->calendar, n->event);
    n->event = EVENT_NONE;
    n->state = NODE_ABSENT;
    c->held--;
    if (reason == END_INTERRUPTED) {
        c->interrupted++;
    }
}

void crew_did(struct crew *c, enum activity activity, double s)
{
    c->did_s[activity] += s;
}

/* ---- notices and losses ---- */

/* The nodes of one batch of notices vanish. */
static void batch_gone(void *actor, uint64_t tag)
{
    struct crew *c = actor;
    struct fleet *f = c->fleet;
    bool any = false;
    for (uint32_t i = 0; i < c->size; i++) {
        any = any || (c->nodes[i].state == NODE_NOTICED && c->nodes[i].batch == tag);
    }
    if (!any) {
        return; /* released before their time */
    }
    c->events->losing(c->owner, c);
    uint32_t gone = 0;
    for (uint32_t i = 0; i < c->size; i++) {
        if (c->nodes[i].state == NODE_NOTICED && c->nodes[i].batch == tag) {
            node_end(c, i, END_INTERRUPTED);
            gone++;
        }
    }
    journal_add(f->journal, f->calendar->now_s, c->workload, "%u of %u %s nodes are gone", gone,
                c->size, purchase_names[c->purchase]);
    struct fleet_pool *p = c->in;
    double u = random_uniform_at(f->world, p->source_regain, p->losses++);
    double regain_s = market_regain_s(f->market, p->pool, u);
    if (regain_s > 0) {
        p->closed_until_s = fmax(p->closed_until_s, f->calendar->now_s + regain_s);
    }
    c->events->lost(c->owner, c);
    pool_grant(p); /* a crew that asked while these nodes were still there is served now */
}

static void crew_notice(struct crew *c, uint32_t slot)
{
    struct node *n = &c->nodes[slot];
    calendar_cancel(c->fleet->calendar, n->event);
    n->event = EVENT_NONE;
    n->state = NODE_NOTICED;
    n->batch = c->batches;
    c->noticed++;
    c->in->held--;
}

/* Nodes of the current batch were marked by crew_notice: tells the owner and schedules their end.
 */
static void crew_batch_given(struct crew *c, uint32_t count)
{
    struct fleet *f = c->fleet;
    double notice_s = market_notice_s(f->market, c->pool);
    uint64_t batch = c->batches++;
    journal_add(f->journal, f->calendar->now_s, c->workload,
                "notice: %u of %u %s nodes go in %.0f s", count, c->size,
                purchase_names[c->purchase], notice_s);
    calendar_cancel(f->calendar, c->ready_event);
    c->events->noticed(c->owner, c);
    if (notice_s <= 0) {
        batch_gone(c, batch);
    } else if (calendar_schedule(f->calendar, f->calendar->now_s + notice_s, EVENT_NODE, batch_gone,
                                 c, batch, NULL) != CALENDAR_OK) {
        f->failed = true;
    }
}

/* Per-node hazard: the node of this slot is struck. */
static void node_struck(void *actor, uint64_t tag)
{
    struct crew *c = actor;
    crew_notice(c, (uint32_t)tag);
    crew_batch_given(c, 1);
}

/* Who falls is a shuffle named by pool and instant: the same whatever the strategy did before. */
static void pool_choose_victims(struct fleet_pool *p, uint32_t excess)
{
    struct fleet *f = p->fleet;
    if (excess == p->held) {
        return;
    }
    struct random_stream s;
    const char *name = market_pool_info(market_plan_of(f->market), p->pool)->name;
    random_stream_init(
        &s, f->world,
        random_source("falls/%s/%lld", name, (long long)microseconds(f->calendar->now_s)));
    for (uint32_t i = 0; i < excess; i++) {
        uint32_t j = i + random_below(&s, p->held - i);
        uint32_t swap = f->victims[i];
        f->victims[i] = f->victims[j];
        f->victims[j] = swap;
    }
}

static int compare_slots(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Gives notice to so many nodes of the pool. Victims are numbered over all crews of the pool. */
static void pool_drop(struct fleet_pool *p, uint32_t excess)
{
    struct fleet *f = p->fleet;
    for (uint32_t i = 0; i < p->held; i++) {
        f->victims[i] = i;
    }
    pool_choose_victims(p, excess);
    if (excess != p->held) {
        qsort(f->victims, excess, sizeof f->victims[0], compare_slots);
    }
    uint32_t counts_seen = 0;
    uint32_t next = 0;
    size_t crews = f->crew_count;
    /* First mark all, then tell: an owner's reaction must not change who falls. */
    uint32_t *given = calloc(crews, sizeof *given);
    if (given == NULL) {
        f->failed = true;
        return;
    }
    for (size_t k = 0; k < crews; k++) {
        struct crew *c = f->crews[k];
        if (c->in != p) {
            continue;
        }
        for (uint32_t i = 0; i < c->size; i++) {
            if (c->nodes[i].state != NODE_HELD) {
                continue;
            }
            if (next < excess && f->victims[next] == counts_seen) {
                crew_notice(c, i);
                given[k]++;
                next++;
            }
            counts_seen++;
        }
    }
    for (size_t k = 0; k < crews; k++) {
        if (given[k] > 0) {
            crew_batch_given(f->crews[k], given[k]);
        }
    }
    free(given);
}

/* ---- asking and granting ---- */

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
    c->in->held++;
    double hazard_per_s = market_hazard(f->market, c->pool);
    if (hazard_per_s > 0) {
        double u = random_uniform_at(f->world, c->source_lifetime[slot], ordinal);
        double life_s = -log(u) / hazard_per_s;
        if (isfinite(life_s) && calendar_schedule(f->calendar, n->start_s + life_s, EVENT_NODE,
                                                  node_struck, c, slot, &n->event) != CALENDAR_OK) {
            f->failed = true;
        }
    }
}

/* After launches: when the crew is whole, schedule the moment its slowest node is ready. */
static void crew_launched(struct crew *c, uint32_t count)
{
    struct fleet *f = c->fleet;
    journal_add(f->journal, f->calendar->now_s, c->workload, "%u %s nodes launched, %u of %u held",
                count, purchase_names[c->purchase], c->held, c->size);
    if (c->held == c->size) {
        c->asking = false;
    }
    if (crew_complete(c)) {
        double ready_s = f->calendar->now_s;
        for (uint32_t i = 0; i < c->size; i++) {
            ready_s = fmax(ready_s, c->nodes[i].ready_s);
        }
        calendar_cancel(f->calendar, c->ready_event);
        if (calendar_schedule(f->calendar, ready_s, EVENT_NODE, crew_ready_event, c, 0,
                              &c->ready_event) != CALENDAR_OK) {
            f->failed = true;
        }
    }
    c->events->granted(c->owner, c);
}

/* A pool that makes each node wait: this node's wait is over. */
static void node_wait_over(void *actor, uint64_t tag)
{
    struct crew *c = actor;
    node_launch(c, (uint32_t)tag);
    crew_launched(c, 1);
}

static void queue_push(struct fleet_pool *p, struct crew *c)
{
    c->next_asking = NULL;
    if (p->last_asking != NULL) {
        p->last_asking->next_asking = c;
    } else {
        p->first_asking = c;
    }
    p->last_asking = c;
}

static void queue_remove(struct fleet_pool *p, struct crew *c)
{
    struct crew *before = NULL;
    for (struct crew *k = p->first_asking; k != NULL; before = k, k = k->next_asking) {
        if (k != c) {
            continue;
        }
        if (before != NULL) {
            before->next_asking = c->next_asking;
        } else {
            p->first_asking = c->next_asking;
        }
        if (p->last_asking == c) {
            p->last_asking = before;
        }
        c->next_asking = NULL;
        return;
    }
}

static void pool_reopen(void *actor, uint64_t tag)
{
    struct fleet_pool *p = actor;
    struct fleet *f = p->fleet;
    (void)tag;
    p->reopen = EVENT_NONE;
    pool_grant(p);
    for (size_t k = 0; k < f->crew_count; k++) {
        if (f->crews[k]->in == p) {
            f->crews[k]->events->capacity(f->crews[k]->owner, f->crews[k]);
        }
    }
}

static void pool_grant(struct fleet_pool *p)
{
    struct fleet *f = p->fleet;
    if (p->first_asking != NULL && f->calendar->now_s < p->closed_until_s) {
        if (!calendar_pending(f->calendar, p->reopen) &&
            calendar_schedule(f->calendar, p->closed_until_s, EVENT_MARKET, pool_reopen, p, 0,
                              &p->reopen) != CALENDAR_OK) {
            f->failed = true;
        }
        return;
    }
    while (p->first_asking != NULL && p->held < p->capacity) {
        struct crew *c = p->first_asking;
        uint32_t count = 0;
        for (uint32_t i = 0; i < c->size && p->held < p->capacity; i++) {
            if (c->nodes[i].state == NODE_ABSENT) {
                node_launch(c, i);
                count++;
            }
        }
        if (c->held == c->size) {
            queue_remove(p, c);
        }
        if (count == 0) {
            return; /* all missing nodes are still under notice */
        }
        crew_launched(c, count);
    }
}

/* Each missing node comes after a wait of its own. */
static void crew_ask_with_waits(struct crew *c)
{
    struct fleet *f = c->fleet;
    for (uint32_t i = 0; i < c->size; i++) {
        struct node *n = &c->nodes[i];
        if (n->state != NODE_ABSENT) {
            continue;
        }
        double u = random_uniform_at(f->world, c->source_wait[i], n->launches);
        n->state = NODE_ASKED;
        if (calendar_schedule(f->calendar,
                              f->calendar->now_s + market_wait_s(f->market, c->pool, u), EVENT_NODE,
                              node_wait_over, c, i, &n->event) != CALENDAR_OK) {
            f->failed = true;
        }
    }
}

void crew_ask(struct crew *c)
{
    struct fleet *f = c->fleet;
    if (c->asking || c->held == c->size) {
        return;
    }
    c->asking = true;
    journal_add(f->journal, f->calendar->now_s, c->workload, "asks for %u %s nodes",
                c->size - c->held, purchase_names[c->purchase]);
    /* A pool without waits says 0 at any luck; only a waiting pool is worth a draw a node. */
    if (market_wait_s(f->market, c->pool, 1 - 1e-9) > 0) {
        crew_ask_with_waits(c);
        return;
    }
    queue_push(c->in, c);
    pool_grant(c->in);
}

void crew_withdraw(struct crew *c)
{
    if (!c->asking) {
        return;
    }
    c->asking = false;
    queue_remove(c->in, c);
    for (uint32_t i = 0; i < c->size; i++) {
        struct node *n = &c->nodes[i];
        if (n->state == NODE_ASKED) {
            calendar_cancel(c->fleet->calendar, n->event);
            n->event = EVENT_NONE;
            n->state = NODE_ABSENT;
        }
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
    journal_add(f->journal, f->calendar->now_s, c->workload, "%u %s nodes end: %s", c->held,
                purchase_names[c->purchase], end_reason_names[reason]);
    for (uint32_t i = 0; i < c->size; i++) {
        if (c->nodes[i].state == NODE_HELD || c->nodes[i].state == NODE_NOTICED) {
            node_end(c, i, reason);
        }
    }
    pool_grant(c->in);
}

bool crew_obtainable(const struct crew *c)
{
    const struct fleet_pool *p = c->in;
    return p->first_asking == NULL && p->capacity >= p->held + c->size &&
           c->fleet->calendar->now_s >= p->closed_until_s;
}

/* ---- the world ---- */

static void pool_capacity_event(void *actor, uint64_t tag);

static void pool_schedule_change(struct fleet_pool *p)
{
    struct fleet *f = p->fleet;
    double next_s = market_next_change(f->market, p->pool, f->calendar->now_s, p->most);
    if (isfinite(next_s) && calendar_schedule(f->calendar, next_s, EVENT_MARKET,
                                              pool_capacity_event, p, 0, NULL) != CALENDAR_OK) {
        f->failed = true;
    }
}

static void pool_capacity_event(void *actor, uint64_t tag)
{
    struct fleet_pool *p = actor;
    struct fleet *f = p->fleet;
    (void)tag;
    p->capacity = market_capacity(f->market, p->pool, f->calendar->now_s, p->most);
    const struct pool_info *info = market_pool_info(market_plan_of(f->market), p->pool);
    journal_add(f->journal, f->calendar->now_s, UINT32_MAX, "%s: room for %u%s nodes", info->name,
                p->capacity, p->capacity == p->most ? " or more" : "");
    if (p->capacity < p->held) {
        pool_drop(p, p->held - p->capacity);
    } else {
        pool_grant(p);
    }
    for (size_t k = 0; k < f->crew_count; k++) {
        if (f->crews[k]->in == p) {
            f->crews[k]->events->capacity(f->crews[k]->owner, f->crews[k]);
        }
    }
    pool_schedule_change(p);
}

bool fleet_begin(struct fleet *f, struct random_world world, const double *drawn,
                 struct journal *journal)
{
    f->world = world;
    f->journal = journal;
    f->failed = false;
    calendar_reset(f->calendar);
    for (size_t k = 0; k < f->crew_count; k++) {
        struct crew *c = f->crews[k];
        memset(c->nodes, 0, c->size * sizeof *c->nodes);
        memset(c->did_s, 0, sizeof c->did_s);
        c->held = c->noticed = c->launched = c->interrupted = c->batches = 0;
        c->asking = false;
        c->ready_event = EVENT_NONE;
        c->next_asking = NULL;
        if (!variate_resolve(c->boot_spec, drawn, &c->boot)) {
            return false;
        }
    }
    for (size_t k = 0; k < f->pool_count; k++) {
        struct fleet_pool *p = f->pools[k];
        p->held = p->losses = 0;
        p->closed_until_s = 0;
        p->first_asking = p->last_asking = NULL;
        p->reopen = EVENT_NONE;
        p->capacity = market_capacity(f->market, p->pool, 0, p->most);
        pool_schedule_change(p);
    }
    return !f->failed;
}

struct calendar *fleet_calendar(const struct fleet *f)
{
    return f->calendar;
}

struct market *fleet_market(const struct fleet *f)
{
    return f->market;
}

struct journal *fleet_journal(const struct fleet *f)
{
    return f->journal;
}

struct random_world fleet_world(const struct fleet *f)
{
    return f->world;
}

bool fleet_failed(const struct fleet *f)
{
    return f->failed || f->log->overflow;
}
