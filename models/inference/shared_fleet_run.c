/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/shared_fleet_run.h"

#include "models/fleet/independent_nodes.h"
#include "models/inference/service_state.h"
#include "models/inference/shared_fleet_places.h"

#include <stdlib.h>

/* A pass may free what the next one uses; more of them only follow what changed meanwhile. */
enum { MOST_PASSES = 64 };

struct shared_fleet_run {
    const struct shared_fleet_plan *plan;
    struct calendar *calendar;
    struct shared_fleet_places places;
    bool begun, over, finished, cancelled, following, again;
    double end_s;
    /* Books: the time up to booked_s is counted, with the numbers of the places from there on. */
    double booked_s;
    double idle_s;
};

/* What one service asks for may move the replicas of another: all are up to date before. */
static void book(struct shared_fleet_run *h)
{
    struct shared_fleet_places *p = &h->places;
    double now_s = h->calendar->now_s, past_s = now_s - h->booked_s;
    for (size_t t = 0; t < p->tenant_count; t++) {
        p->tenants[t].node_s += past_s * p->tenants[t].taken;
        if (shared_fleet_tenant_stands(&p->tenants[t])) {
            service_book(p->tenants[t].run);
        }
    }
    h->idle_s += p->fill.need > 0 && fill_held(&p->fill) == 0 ? past_s : 0;
    h->booked_s = now_s;
}

void shared_fleet_follow(struct shared_fleet_run *h)
{
    if (h->over || h->following) {
        h->again = true;
        return;
    }
    book(h);
    h->begun = h->following = true;
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        h->again = false;
        if (!shared_fleet_places_follow(&h->places) && !h->again) {
            break;
        }
    }
    h->following = false;
    bool all_over = true;
    for (size_t t = 0; t < h->places.tenant_count; t++) {
        all_over &= h->places.tenants[t].run->over;
        if (shared_fleet_tenant_stands(&h->places.tenants[t])) {
            service_dispatch(h->places.tenants[t].run);
        }
    }
    if (all_over) {
        h->finished = true;
        shared_fleet_run_end(h, END_FINISHED);
    }
}

static void on_change(void *owner, struct crew *c)
{
    struct shared_fleet_run *h = owner;
    (void)c;
    if (!h->begun || h->over) {
        return;
    }
    fill_follow(&h->places.fill);
    shared_fleet_follow(h);
}

static void on_losing(void *owner, struct crew *c)
{
    (void)owner;
    (void)c;
}

static const struct crew_events shared_fleet_events = {
    .granted = on_change,
    .ready = on_change,
    .noticed = on_change,
    .losing = on_losing,
    .lost = on_change,
    .capacity = on_change,
    .room = on_change,
};

/* ---- life ---- */

struct shared_fleet_run *shared_fleet_run_new(const struct shared_fleet_plan *plan,
                                              struct fleet *fleet)
{
    struct crew *crews[WORK_MAX_POOLS] = {NULL};
    struct shared_fleet_run *h = calloc(1, sizeof *h);
    if (h == NULL) {
        return NULL;
    }
    h->plan = plan;
    h->calendar = fleet_calendar(fleet);
    for (size_t k = 0; k < plan->work.pool_count; k++) {
        const struct work_pool *pool = &plan->work.pools[k];
        crews[k] =
            fleet_add_crew(fleet, &shared_fleet_events, h, plan->work.workload,
                           plan->work.workload_name, pool->pool, pool->nodes, &plan->spec->boot);
        if (crews[k] == NULL) {
            shared_fleet_run_free(h);
            return NULL;
        }
        independent_make(crews[k]);
    }
    if (!shared_fleet_places_init(&h->places, plan, fleet, crews) ||
        !fleet_offer(fleet, plan->work.workload, h)) {
        shared_fleet_run_free(h);
        return NULL;
    }
    return h;
}

void shared_fleet_run_free(struct shared_fleet_run *h)
{
    if (h != NULL) {
        shared_fleet_places_release(&h->places);
        free(h);
    }
}

void shared_fleet_run_begin(struct shared_fleet_run *h)
{
    h->begun = h->over = h->finished = h->cancelled = h->following = h->again = false;
    h->end_s = h->booked_s = 0;
    h->idle_s = 0;
    shared_fleet_places_begin(&h->places);
}

bool shared_fleet_run_over(const struct shared_fleet_run *h)
{
    return h->over || h->places.tenant_count == 0;
}

void shared_fleet_run_end(struct shared_fleet_run *h, enum end_reason reason)
{
    if (h->over) {
        return;
    }
    book(h);
    h->over = true;
    h->cancelled = reason == END_CANCELLED;
    h->end_s = h->calendar->now_s;
    fill_release(&h->places.fill, reason);
}

struct work_result shared_fleet_run_result(const struct shared_fleet_run *h)
{
    struct work_result r = {.by_clock = true,
                            .finished = h->finished,
                            .cancelled = h->cancelled,
                            .end_s = h->end_s,
                            .idle_s = h->idle_s};
    for (size_t k = 0; k < h->plan->work.pool_count; k++) {
        r.launches += h->places.crews[k]->launched;
        r.interruptions += h->places.crews[k]->interrupted;
    }
    return r;
}

/* ---- for services ---- */

bool shared_fleet_join(struct shared_fleet_run *h, struct service_run *s)
{
    return shared_fleet_places_add(&h->places, s);
}

double shared_fleet_node_s(const struct shared_fleet_run *h, const struct service_run *s)
{
    for (size_t t = 0; t < h->places.tenant_count; t++) {
        if (h->places.tenants[t].run == s) {
            return h->places.tenants[t].node_s;
        }
    }
    return 0;
}
