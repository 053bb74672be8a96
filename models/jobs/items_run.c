/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/jobs/items_run.h"

#include "engine/text.h"
#include "models/fleet/fill.h"
#include "models/fleet/independent_nodes.h"

#include <math.h>
#include <stdlib.h>

/* What a slot of a pool does. */
struct item_node {
    bool works;          /* has a chunk */
    double since_s;      /* when it took the chunk */
    double items, end_s; /* of the chunk */
    double gone_s;       /* under notice: when it goes; +infinity: under none */
    struct event_id end;
};

struct item_pool {
    struct items_run *run;
    struct crew *crew;
    struct item_node *nodes; /* crew->size */
    double rate;             /* of a node, in this world */
    uint32_t busy;
};

struct items_run {
    const struct items_plan *plan;
    struct fleet *fleet;
    struct calendar *calendar;
    struct fill fill;
    struct item_pool pools[WORK_MAX_POOLS];
    double chunk_s, load_s, fastest;
    double left; /* items that nobody has */
    bool begun, over, finished, cancelled;
    double end_s, idle_s, booked_s;
    uint32_t losses;
    struct work_items told;
};

static void note(const struct items_run *r, const char *what)
{
    journal_add(fleet_journal(r->fleet), r->calendar->now_s, r->plan->work.workload,
                "%s; %.6g of %.6g items are done", what, r->told.done, r->told.items);
}

static uint32_t busy_nodes(const struct items_run *r)
{
    uint32_t busy = 0;
    for (size_t k = 0; k < r->plan->work.pool_count; k++) {
        busy += r->pools[k].busy;
    }
    return busy;
}

/* Time up to now in which no node was held. */
static void book(struct items_run *r)
{
    double now_s = r->calendar->now_s;
    r->idle_s += r->begun && fill_held(&r->fill) == 0 ? now_s - r->booked_s : 0;
    r->booked_s = now_s;
}

/* ---- the end ---- */

/* What a node has done of its chunk, and does not finish, was in vain. */
static void drop_chunk(struct item_pool *p, uint32_t slot)
{
    struct items_run *r = p->run;
    struct item_node *n = &p->nodes[slot];
    double past_s = r->calendar->now_s - n->since_s;
    independent_did(p->crew, slot, ACTIVITY_LOST, past_s);
    r->told.redone += past_s * p->rate;
    r->left += n->items;
    calendar_cancel(r->calendar, n->end);
    n->works = false;
    p->busy--;
}

static void end(struct items_run *r, bool finished, enum end_reason reason)
{
    book(r);
    for (size_t k = 0; k < r->plan->work.pool_count; k++) {
        struct item_pool *p = &r->pools[k];
        for (uint32_t i = 0; i < p->crew->size; i++) {
            if (p->nodes[i].works) {
                drop_chunk(p, i);
            }
        }
    }
    r->over = true;
    r->finished = finished;
    r->end_s = r->calendar->now_s;
    if (finished) {
        r->told.done = r->told.items; /* sums of chunks differ in their last digits */
    }
    fill_release(&r->fill, reason);
    note(r, finished                  ? "all items are done"
            : reason == END_CANCELLED ? "the project is cancelled"
            : reason == END_RELEASED  ? "what it follows is not done: it never begins"
                                      : "the horizon cuts what is not done");
}

/* ---- chunks ---- */

static void on_chunk(void *pool, uint64_t slot);

static bool may_work(const struct item_pool *p, uint32_t slot)
{
    const struct node *n = &p->crew->nodes[slot];
    return n->state == NODE_HELD && n->booted && !p->nodes[slot].works;
}

static void take_chunk(struct item_pool *p, uint32_t slot)
{
    struct items_run *r = p->run;
    struct item_node *n = &p->nodes[slot];
    n->items = fmin(r->left, p->rate * r->chunk_s);
    n->since_s = r->calendar->now_s;
    n->end_s = n->since_s + n->items / p->rate;
    n->works = true;
    n->gone_s = HUGE_VAL;
    r->left -= n->items;
    p->busy++;
    if (calendar_schedule(r->calendar, n->end_s, EVENT_WORK, on_chunk, p, slot, &n->end) !=
        CALENDAR_OK) {
        fleet_fail(r->fleet);
    }
}

static void complete_chunk(struct item_pool *p, uint32_t slot)
{
    struct items_run *r = p->run;
    struct item_node *n = &p->nodes[slot];
    calendar_cancel(r->calendar, n->end);
    independent_did(p->crew, slot, ACTIVITY_USEFUL, r->calendar->now_s - n->since_s);
    r->told.done += n->items;
    n->works = false;
    p->busy--;
}

/* ---- nodes ---- */

/* Chunks that those at work leave to nodes which would be asked for now. */
static double chunks_for_more(const struct items_run *r)
{
    double rate = 0;
    for (size_t k = 0; k < r->plan->work.pool_count; k++) {
        rate += r->pools[k].busy * r->pools[k].rate;
    }
    double then = r->left - rate * (r->plan->boot_mean_s + r->load_s);
    return then > 0 ? ceil(then / (r->fastest * r->chunk_s)) : 0;
}

/* A node that stands in for one of an earlier way to buy, which is ready now. */
static bool is_surplus(const struct items_run *r, size_t pool)
{
    uint32_t ready[FILL_MAX_ENTRIES], share[FILL_MAX_ENTRIES];
    const size_t pools = r->plan->work.pool_count;
    for (size_t k = 0; k < pools; k++) {
        ready[k] = r->pools[k].crew->ready;
    }
    fill_share(r->fill.entries, r->fill.entry_count, r->plan->work.nodes, ready, share, pools);
    return ready[pool] > share[pool];
}

/* Hands out chunks to nodes without one; those for which there is none, or that are too many, go.
 */
static void employ(struct items_run *r)
{
    for (size_t k = 0; k < r->plan->work.pool_count; k++) {
        struct item_pool *p = &r->pools[k];
        for (uint32_t i = 0; i < p->crew->size; i++) {
            const struct node *n = &p->crew->nodes[i];
            if (n->state != NODE_HELD || p->nodes[i].works) {
                continue;
            }
            if (r->left <= 0 || (n->booted && is_surplus(r, k))) {
                independent_end(p->crew, i, END_RELEASED);
            } else if (may_work(p, i)) {
                take_chunk(p, i);
            }
        }
        fleet_count_work(r->fleet, p->crew->size);
    }
}

/* Asks for nodes, or for none any more; what is held stays. */
static void consider(struct items_run *r)
{
    double more = chunks_for_more(r), most = r->plan->work.nodes;
    fill_need(&r->fill, more > 0 ? (uint32_t)fmin(busy_nodes(r) + more, most) : 0);
}

/* Ends of nodes and grants within this are followed by it. */
static void follow(struct items_run *r)
{
    if (r->fill.updating) {
        r->fill.again = true;
        return;
    }
    consider(r);
    r->fill.updating = true;
    employ(r);
    r->fill.updating = false;
    consider(r);
    if (r->left <= 0 && busy_nodes(r) == 0) {
        end(r, true, END_FINISHED);
    }
}

static void on_chunk(void *pool, uint64_t slot)
{
    struct item_pool *p = pool;
    struct items_run *r = p->run;
    uint32_t i = (uint32_t)slot;
    if (r->over) {
        return;
    }
    book(r);
    complete_chunk(p, i);
    bool stays = r->left > 0 && may_work(p, i) && !is_surplus(r, (size_t)(p - r->pools));
    if (stays) {
        take_chunk(p, i);
    } else {
        follow(r);
    }
}

/* ---- what the crews tell ---- */

static struct item_pool *pool_of(struct items_run *r, const struct crew *c)
{
    size_t k = 0;
    while (r->pools[k].crew != c) {
        k++;
    }
    return &r->pools[k];
}

static void on_change(void *owner, struct crew *c)
{
    struct items_run *r = owner;
    (void)c;
    if (r->begun && !r->over) {
        book(r);
        follow(r);
    }
}

/* Who is under notice finishes its chunk if it can, and gets no other. */
static void on_noticed(void *owner, struct crew *c)
{
    struct items_run *r = owner;
    if (!r->begun || r->over) {
        return;
    }
    struct item_pool *p = pool_of(r, c);
    double gone_s = r->calendar->now_s + market_notice_s(fleet_market(r->fleet), c->pool);
    for (uint32_t i = 0; i < c->size; i++) {
        if (c->nodes[i].state == NODE_NOTICED && p->nodes[i].works && isinf(p->nodes[i].gone_s)) {
            p->nodes[i].gone_s = gone_s;
        }
    }
    fleet_count_work(r->fleet, c->size);
    on_change(owner, c);
}

/* What is complete at this instant counts. */
static void on_losing(void *owner, struct crew *c)
{
    struct items_run *r = owner;
    if (!r->begun || r->over) {
        return;
    }
    struct item_pool *p = pool_of(r, c);
    double now_s = r->calendar->now_s;
    for (uint32_t i = 0; i < c->size; i++) {
        struct item_node *n = &p->nodes[i];
        if (n->works && c->nodes[i].state == NODE_NOTICED && n->gone_s <= now_s) {
            r->losses += n->end_s > now_s;
            (n->end_s <= now_s ? complete_chunk : drop_chunk)(p, i);
        }
    }
    fleet_count_work(r->fleet, c->size);
}

static const struct crew_events items_events = {
    .granted = on_change,
    .ready = on_change,
    .noticed = on_noticed,
    .losing = on_losing,
    .lost = on_change,
    .capacity = on_change,
    .room = on_change,
};

/* ---- life ---- */

struct items_run *items_run_new(const struct items_plan *plan, struct fleet *fleet)
{
    struct crew *crews[WORK_MAX_POOLS];
    struct items_run *r = calloc(1, sizeof *r);
    bool good = r != NULL;
    for (size_t k = 0; good && k < plan->work.pool_count; k++) {
        const struct work_pool *pool = &plan->work.pools[k];
        crews[k] =
            fleet_add_crew(fleet, &items_events, r, plan->work.workload, plan->work.workload_name,
                           pool->pool, pool->nodes, &plan->spec->boot);
        r->pools[k] =
            (struct item_pool){.run = r,
                               .crew = crews[k],
                               .nodes = calloc(pool->nodes + 1, sizeof *r->pools[k].nodes)};
        good = crews[k] != NULL && r->pools[k].nodes != NULL;
        if (good) {
            independent_make(crews[k]);
            independent_keep_books(crews[k]);
        }
    }
    if (!good) {
        items_run_free(r);
        return NULL;
    }
    r->plan = plan;
    r->fleet = fleet;
    r->calendar = fleet_calendar(fleet);
    fill_init(&r->fill, plan->fill.entries, plan->fill.count, crews, plan->work.pool_count);
    r->fill.holds = true; /* who goes is said here: nobody who works */
    return r;
}

void items_run_free(struct items_run *r)
{
    for (size_t k = 0; r != NULL && k < WORK_MAX_POOLS; k++) {
        free(r->pools[k].nodes);
    }
    free(r);
}

static void begin_event(void *actor, uint64_t tag)
{
    struct items_run *r = actor;
    (void)tag;
    if (!r->over) {
        r->begun = true;
        r->booked_s = r->calendar->now_s;
        note(r, "begins");
        follow(r);
    }
}

bool items_run_begin(struct items_run *r, const double *drawn)
{
    const struct items_plan *plan = r->plan;
    const struct items_spec *s = plan->spec;
    const struct project *project = plan->work.project;
    static const struct failure_law never; /* hardware does not fail */
    r->begun = r->over = r->finished = r->cancelled = false;
    r->end_s = r->idle_s = r->booked_s = r->fastest = 0;
    r->losses = 0;
    r->chunk_s = number_value(&s->chunk, drawn);
    r->load_s = number_value(&s->load, drawn);
    r->told =
        (struct work_items){.items = number_value(&s->items, drawn) *
                                     (project == NULL ? 1 : project_work_factor(project, drawn))};
    r->left = r->told.items;
    for (size_t k = 0; k < plan->work.pool_count; k++) {
        struct item_pool *p = &r->pools[k];
        p->rate = number_value(plan->rate[k], drawn);
        p->busy = 0;
        crew_equip(p->crew, r->load_s, &never);
        r->fastest = fmax(r->fastest, p->rate);
        for (uint32_t i = 0; i < p->crew->size; i++) {
            p->nodes[i] = (struct item_node){.gone_s = HUGE_VAL, .end = EVENT_NONE};
        }
    }
    fill_begin(&r->fill);
    return plan->work.awaits ||
           calendar_schedule(r->calendar, work_submit_s(&plan->work, drawn), EVENT_WORK,
                             begin_event, r, 0, NULL) == CALENDAR_OK;
}

void items_run_start(struct items_run *r)
{
    begin_event(r, 0);
}

void items_run_forgo(struct items_run *r)
{
    if (!r->over) {
        end(r, false, END_RELEASED);
    }
}

bool items_run_done(const struct items_run *r)
{
    return r->over;
}

void items_run_horizon(struct items_run *r)
{
    if (!r->over) {
        end(r, false, END_HORIZON);
    }
}

void items_run_cancel(struct items_run *r)
{
    if (!r->over) {
        r->cancelled = true;
        end(r, false, END_CANCELLED);
    }
}

struct work_result items_run_result(const struct items_run *r)
{
    struct work_result result = {.finished = r->finished,
                                 .cancelled = r->cancelled,
                                 .end_s = r->end_s,
                                 .losses = r->losses,
                                 .idle_s = r->idle_s,
                                 .items = &r->told};
    for (size_t k = 0; k < r->plan->work.pool_count; k++) {
        result.launches += r->pools[k].crew->launched;
        result.interruptions += r->pools[k].crew->interrupted;
    }
    return result;
}
