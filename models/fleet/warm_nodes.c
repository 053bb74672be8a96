/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/warm_nodes.h"

#include "engine/text.h"
#include "models/fleet/fleet_pool.h"
#include "models/fleet/independent_nodes.h"

#include <stdlib.h>

static struct calendar *calendar_of(const struct warm_nodes *w)
{
    return w->crew->fleet->calendar;
}

/* ---- how many stand stopped ---- */

/* Closes the span up to now when their number has changed. */
static void note(struct warm_nodes *w)
{
    double now_s = calendar_of(w)->now_s;
    if (w->crew->warm == w->stopped) {
        return;
    }
    if (w->stopped > 0 && now_s > w->since_s) {
        if (w->span_count == w->span_capacity) {
            size_t capacity = w->span_capacity > 0 ? 2 * w->span_capacity : 64;
            struct stopped_span *spans = realloc(w->spans, capacity * sizeof *spans);
            if (spans == NULL) {
                w->crew->fleet->failed = true;
                return;
            }
            w->spans = spans;
            w->span_capacity = capacity;
        }
        w->spans[w->span_count++] =
            (struct stopped_span){.from_s = w->since_s, .to_s = now_s, .nodes = w->stopped};
    }
    journal_add(w->crew->fleet->journal, now_s, w->crew->workload, "%u node%s stand%s stopped",
                w->crew->warm, text_plural(w->crew->warm), w->crew->warm == 1 ? "s" : "");
    w->stopped = w->crew->warm;
    w->since_s = now_s;
}

/* ---- making nodes ready ---- */

static void follow_again(struct warm_nodes *w);

/* tag: the slot, and which of its launches. */
static void on_prepared(void *owner, uint64_t tag)
{
    struct warm_nodes *w = owner;
    struct crew *c = w->preparing;
    uint32_t slot = (uint32_t)(tag >> 32);
    const struct node *n = &c->nodes[slot];
    if (n->state != NODE_HELD || !n->booted || n->launches != (uint32_t)tag) {
        return;
    }
    w->crew->warm++;
    note(w);
    independent_end(c, slot, END_RELEASED);
    follow_again(w);
}

static void on_ready(void *owner, struct crew *c)
{
    struct warm_nodes *w = owner;
    double now_s = calendar_of(w)->now_s;
    for (uint32_t i = 0; i < c->size; i++) {
        const struct node *n = &c->nodes[i];
        if (n->state != NODE_HELD || !n->booted || n->ready_s < now_s) {
            continue; /* or it has been told of before */
        }
        uint64_t tag = (uint64_t)i << 32 | n->launches;
        if (calendar_schedule(calendar_of(w), now_s + w->prepare_s, EVENT_NODE, on_prepared, w, tag,
                              NULL) != CALENDAR_OK) {
            c->fleet->failed = true;
        }
    }
    fleet_count_work(c->fleet, c->size);
}

static void on_change(void *owner, struct crew *c)
{
    (void)c;
    follow_again(owner);
}

static void on_losing(void *owner, struct crew *c)
{
    (void)owner;
    (void)c;
}

static const struct crew_events preparing_events = {
    .granted = on_change,
    .ready = on_ready,
    .noticed = on_change,
    .losing = on_losing,
    .lost = on_change,
    .capacity = on_change,
    .room = on_change,
};

/* ---- the pool ---- */

bool warm_nodes_init(struct warm_nodes *w, struct crew *crew, const char *workload_name,
                     const struct warm_pool_spec *spec, uint32_t prepared,
                     const struct variate *boot)
{
    *w = (struct warm_nodes){
        .crew = crew, .least = (uint32_t)spec->least, .prepared = prepared, .reuse = spec->reuse};
    uint32_t most = prepared > w->least ? prepared : w->least;
    struct crew *c = fleet_add_crew(crew->fleet, &preparing_events, w, crew->workload,
                                    workload_name, crew->pool, most > 0 ? most : 1, boot);
    if (c == NULL) {
        return false;
    }
    const struct market_plan *market = market_plan_of(fleet_market(c->fleet));
    independent_make(c);
    c->own_books = true; /* which are empty: all but the boot is waiting */
    c->first_slot = crew->size;
    crew_name_sources(c, workload_name, market_pool_info(market, c->pool)->name);
    crew->warm_start = &spec->start;
    w->preparing = c;
    return true;
}

void warm_nodes_release(struct warm_nodes *w)
{
    free(w->spans);
    w->spans = NULL;
}

void warm_nodes_begin(struct warm_nodes *w, double prepare_s)
{
    w->prepare_s = prepare_s;
    w->target = w->wanted = w->held = w->launched = w->interrupted = w->stopped = 0;
    w->since_s = 0;
    w->span_count = 0;
    w->following = w->again = false;
}

/* Of the nodes that the crew has given back since it was seen last, those there is room for. */
static void take_back(struct warm_nodes *w)
{
    const struct crew *c = w->crew;
    uint32_t gone = w->held + (c->launched - w->launched) - c->held;
    uint32_t taken = c->interrupted - w->interrupted, released = gone > taken ? gone - taken : 0;
    uint32_t there = c->warm + w->preparing->held;
    w->held = c->held;
    w->launched = c->launched;
    w->interrupted = c->interrupted;
    if (w->reuse && w->target > there) {
        uint32_t room = w->target - there;
        w->crew->warm += released < room ? released : room;
    }
}

static void follow_once(struct warm_nodes *w)
{
    if (w->crew->warm > w->target) {
        w->crew->warm = w->target;
    }
    note(w);
    /* Those that will be given back once they have drained are not replaced. */
    const struct crew *c = w->crew;
    uint32_t returning = w->reuse && c->held > w->wanted ? c->held - w->wanted : 0;
    uint32_t there = c->warm + returning, lack = w->target > there ? w->target - there : 0;
    independent_want(w->preparing, lack);
    independent_keep(w->preparing, lack, END_RELEASED);
}

static void follow_again(struct warm_nodes *w)
{
    if (w->following) {
        w->again = true;
        return;
    }
    w->following = true;
    do {
        w->again = false;
        follow_once(w);
    } while (w->again);
    w->following = false;
}

void warm_nodes_follow(struct warm_nodes *w, uint32_t wanted)
{
    uint32_t rest = w->prepared > wanted ? w->prepared - wanted : 0;
    w->target = rest > w->least ? rest : w->least;
    w->wanted = wanted;
    take_back(w);
    follow_again(w);
}

void warm_nodes_end(struct warm_nodes *w, enum end_reason reason)
{
    w->target = 0;
    w->following = true; /* nobody asks in the middle of it */
    crew_release(w->preparing, reason);
    w->crew->warm = 0;
    note(w);
}
