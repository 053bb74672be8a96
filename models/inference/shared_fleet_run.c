/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/shared_fleet_run.h"

#include "engine/text.h"
#include "models/fleet/independent_nodes.h"
#include "models/inference/replica_packing.h"
#include "models/inference/service_state.h"

#include <stdlib.h>

/* A pass may free what the next one uses; more of them only follow what changed meanwhile. */
enum { MOST_PASSES = 64 };

struct tenant {
    struct service_run *run;
    uint64_t units[WORK_MAX_POOLS]; /* of a replica, by pool */
    double taken;                   /* by its replicas now, in nodes */
    double node_s;
};

struct shared_fleet_run {
    const struct shared_fleet_plan *plan;
    struct fleet *fleet;
    struct calendar *calendar;
    struct crew *crews[WORK_MAX_POOLS]; /* as the plan's pools */
    uint32_t first[WORK_MAX_POOLS];     /* node of the first slot of each */
    uint32_t node_count;
    struct packing_node *nodes; /* by pool and slot */
    uint64_t *rooms;            /* scratch */
    struct packing_wish *wishes;
    struct tenant *tenants;
    size_t tenant_count;
    struct fill fill;
    bool begun, over, finished, cancelled, following, again;
    double end_s;
    /* Books: the time up to booked_s is counted, with these numbers from there on. */
    double booked_s;
    uint32_t needed, working; /* nodes */
    double needed_node_s, served_node_s, idle_s;
};

static void book(struct shared_fleet_run *h)
{
    double now_s = h->calendar->now_s, past_s = now_s - h->booked_s;
    for (size_t t = 0; t < h->tenant_count; t++) {
        h->tenants[t].node_s += past_s * h->tenants[t].taken;
    }
    h->needed_node_s += past_s * h->needed;
    h->served_node_s += past_s * (h->working < h->needed ? h->working : h->needed);
    h->idle_s += h->needed > 0 && fill_held(&h->fill) == 0 ? past_s : 0;
    h->booked_s = now_s;
}

static bool stands(const struct tenant *t)
{
    return t->run->begun && !t->run->over;
}

/* ---- replicas and nodes ---- */

static const struct node *node_at(const struct shared_fleet_run *h, size_t pool, uint32_t slot)
{
    return &h->crews[pool]->nodes[slot];
}

static bool works(const struct node *n)
{
    return n->state == NODE_HELD && n->booted;
}

/* The first of a service's replicas that may be on a node of this pool. */
static struct replica *replicas_on(const struct tenant *t, size_t pool, uint32_t slot)
{
    struct service_run *s = t->run;
    return &s->replicas[s->pool_first[pool] + slot * s->plan->replicas_per_node];
}

static bool takes_room(const struct replica *r)
{
    return r->placed || (r->state == REPLICA_DRAINING && r->busy > 0);
}

/* What is used of each node; a replica whose node is gone has no place any more. */
static void look(struct shared_fleet_run *h)
{
    for (size_t t = 0; t < h->tenant_count; t++) {
        h->tenants[t].taken = 0;
    }
    for (size_t k = 0; k < h->plan->work.pool_count; k++) {
        for (uint32_t slot = 0; slot < h->crews[k]->size; slot++) {
            const struct node *n = node_at(h, k, slot);
            struct packing_node *of = &h->nodes[h->first[k] + slot];
            *of = (struct packing_node){.open = works(n)};
            for (size_t t = 0; t < h->tenant_count; t++) {
                struct tenant *tenant = &h->tenants[t];
                struct replica *r = replicas_on(tenant, k, slot);
                for (uint32_t i = 0; stands(tenant) && i < tenant->run->plan->replicas_per_node;
                     i++) {
                    r[i].placed &= works(n) && r[i].launch == n->launches;
                    bool takes = takes_room(&r[i]);
                    of->used += takes ? tenant->units[k] : 0;
                    tenant->taken +=
                        takes ? (double)tenant->units[k] / (double)PACKING_NODE_UNITS : 0;
                }
            }
        }
    }
    fleet_count_work(h->fleet, h->node_count);
}

/* Tells every replica of its node, and whether it is wanted there. */
static void tell(struct shared_fleet_run *h)
{
    for (size_t t = 0; t < h->tenant_count; t++) {
        struct tenant *tenant = &h->tenants[t];
        struct service_run *s = tenant->run;
        for (size_t k = 0; stands(tenant) && k < h->plan->work.pool_count; k++) {
            for (uint32_t slot = 0; slot < h->crews[k]->size; slot++) {
                struct replica *r = replicas_on(tenant, k, slot);
                for (uint32_t i = 0; i < s->plan->replicas_per_node; i++) {
                    service_follow_replica(s, (uint32_t)(&r[i] - s->replicas), node_at(h, k, slot),
                                           r[i].placed);
                }
            }
        }
    }
    look(h);
}

static uint32_t placed_of(const struct service_run *s)
{
    uint32_t placed = 0;
    for (uint32_t i = 0; i < s->replica_count; i++) {
        placed += s->replicas[i].placed;
    }
    return placed;
}

/* ---- too many ---- */

/* The emptiest node of the last pool on which the service has one; of a node the last that still
 * loads, else the last. NULL: it has none. */
static struct replica *one_too_many(const struct shared_fleet_run *h, const struct tenant *t)
{
    struct replica *best = NULL;
    uint64_t least = 0;
    for (size_t k = 0; k < h->plan->work.pool_count; k++) {
        for (uint32_t slot = 0; slot < h->crews[k]->size; slot++) {
            struct replica *r = replicas_on(t, k, slot), *here = NULL;
            uint64_t used = h->nodes[h->first[k] + slot].used;
            for (uint32_t i = 0; i < t->run->plan->replicas_per_node; i++) {
                bool better =
                    here == NULL || here->state == REPLICA_READY || r[i].state != REPLICA_READY;
                here = r[i].placed && better ? &r[i] : here;
            }
            if (here != NULL && (best == NULL || used <= least)) {
                best = here;
                least = used;
            }
        }
    }
    return best;
}

/* It goes at once where it has nothing to do, so that its node looks emptier for the next. */
static void take_surplus(struct shared_fleet_run *h)
{
    for (size_t t = 0; t < h->tenant_count; t++) {
        struct tenant *tenant = &h->tenants[t];
        uint32_t placed = stands(tenant) ? placed_of(tenant->run) : 0;
        for (; placed > tenant->run->wanted && stands(tenant); placed--) {
            struct replica *r = one_too_many(h, tenant);
            r->placed = false;
            if (r->busy == 0) {
                look(h);
            }
        }
    }
}

/* The emptiest of the nodes of this pool that work and are open. */
static uint32_t emptiest(const struct shared_fleet_run *h, size_t pool)
{
    uint32_t best = h->crews[pool]->size;
    for (uint32_t slot = 0; slot < h->crews[pool]->size; slot++) {
        const struct packing_node *n = &h->nodes[h->first[pool] + slot];
        if (n->open &&
            (best == h->crews[pool]->size || n->used <= h->nodes[h->first[pool] + best].used)) {
            best = slot;
        }
    }
    return best;
}

/* What stood in for an earlier pool is to be given back: nothing is placed on it any more. */
static void close_beyond_shares(struct shared_fleet_run *h)
{
    uint32_t share[FILL_MAX_ENTRIES];
    fill_keeps(&h->fill, share);
    for (size_t k = 0; k < h->plan->work.pool_count; k++) {
        for (uint32_t ready = h->crews[k]->ready; ready > share[k]; ready--) {
            uint32_t slot = emptiest(h, k);
            if (slot == h->crews[k]->size) {
                break;
            }
            h->nodes[h->first[k] + slot].open = false;
            for (size_t t = 0; t < h->tenant_count; t++) {
                struct replica *r = replicas_on(&h->tenants[t], k, slot);
                for (uint32_t i = 0; i < h->tenants[t].run->plan->replicas_per_node; i++) {
                    r[i].placed = false;
                }
            }
        }
    }
}

/* ---- too few ---- */

/* Those that drain on an open node go on, before others begin. */
static uint32_t resume(struct shared_fleet_run *h, struct tenant *t, uint32_t missing)
{
    for (size_t k = 0; k < h->plan->work.pool_count; k++) {
        for (uint32_t slot = 0; slot < h->crews[k]->size; slot++) {
            struct replica *r = replicas_on(t, k, slot);
            bool open = h->nodes[h->first[k] + slot].open;
            for (uint32_t i = 0; open && i < t->run->plan->replicas_per_node; i++) {
                bool back = missing > 0 && !r[i].placed && takes_room(&r[i]);
                r[i].placed |= back;
                missing -= back;
            }
        }
    }
    return missing;
}

static size_t pool_of(const struct shared_fleet_run *h, size_t node)
{
    size_t k = 0;
    while (k + 1 < h->plan->work.pool_count && node >= h->first[k + 1]) {
        k++;
    }
    return k;
}

/* False: there is no room. */
static bool place_one(struct shared_fleet_run *h, struct tenant *t)
{
    size_t node = packing_place(h->nodes, h->node_count, t->units[0]);
    if (node == h->node_count) {
        return false;
    }
    size_t k = pool_of(h, node);
    struct replica *r = replicas_on(t, k, (uint32_t)node - h->first[k]);
    for (uint32_t i = 0; i < t->run->plan->replicas_per_node; i++) {
        if (!takes_room(&r[i])) {
            r[i].placed = true;
            h->nodes[node].used += t->units[k];
            return true;
        }
    }
    return false;
}

/* The largest first; what finds no room is a wish. */
static void place_missing(struct shared_fleet_run *h)
{
    for (size_t t = 0; t < h->tenant_count; t++) {
        struct tenant *tenant = &h->tenants[t];
        uint32_t placed = stands(tenant) ? placed_of(tenant->run) : 0;
        uint32_t missing =
            stands(tenant) && tenant->run->wanted > placed ? tenant->run->wanted - placed : 0;
        h->wishes[t] =
            (struct packing_wish){.units = tenant->units[0], .count = resume(h, tenant, missing)};
    }
    for (uint64_t below = UINT64_MAX, next; below > 0; below = next) {
        next = 0;
        for (size_t t = 0; t < h->tenant_count; t++) {
            uint64_t units = h->wishes[t].units;
            next = units < below && units > next ? units : next;
        }
        for (size_t t = 0; next > 0 && t < h->tenant_count; t++) {
            while (h->wishes[t].units == next && h->wishes[t].count > 0 &&
                   place_one(h, &h->tenants[t])) {
                h->wishes[t].count--;
            }
        }
    }
}

/* ---- nodes ---- */

static uint32_t count_needed(struct shared_fleet_run *h)
{
    uint32_t occupied = 0;
    for (uint32_t i = 0; i < h->node_count; i++) {
        occupied += h->nodes[i].open && h->nodes[i].used > 0;
    }
    uint32_t need =
        occupied + packing_nodes_for(h->wishes, h->tenant_count, h->rooms, h->plan->most_nodes);
    need = need > h->plan->least_nodes ? need : h->plan->least_nodes;
    h->needed = need < h->plan->most_nodes ? need : h->plan->most_nodes;
    return h->needed;
}

/* Of a pool that has more than its share: those that boot, then those that are empty, from the last
 * slot. */
static bool end_surplus(struct shared_fleet_run *h, size_t pool, bool booting, uint32_t share)
{
    struct crew *c = h->crews[pool];
    uint32_t before = c->held;
    for (uint32_t slot = c->size; slot-- > 0 && c->held - c->noticed > share;) {
        const struct node *n = &c->nodes[slot];
        bool empty = h->nodes[h->first[pool] + slot].used == 0;
        if (n->state == NODE_HELD && (booting ? !n->booted : n->booted && empty)) {
            h->nodes[h->first[pool] + slot].open = false;
            independent_end(c, slot, END_RELEASED);
        }
    }
    return c->held < before;
}

static bool end_all_surplus(struct shared_fleet_run *h)
{
    uint32_t share[FILL_MAX_ENTRIES];
    bool any = false;
    fill_keeps(&h->fill, share);
    for (size_t k = 0; k < h->plan->work.pool_count; k++) {
        any |= end_surplus(h, k, true, share[k]);
        any |= end_surplus(h, k, false, share[k]);
    }
    return any;
}

/* True when something changed that may let more be placed. */
static bool follow_once(struct shared_fleet_run *h)
{
    look(h);
    take_surplus(h);
    close_beyond_shares(h);
    tell(h);
    close_beyond_shares(h);
    place_missing(h);
    uint32_t need = count_needed(h), before = h->fill.need;
    tell(h);
    fill_need(&h->fill, need);
    h->working = fill_working(&h->fill);
    return end_all_surplus(h) || need != before;
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
        if (!follow_once(h) && !h->again) {
            break;
        }
    }
    h->following = false;
    bool all_over = true;
    for (size_t t = 0; t < h->tenant_count; t++) {
        all_over &= h->tenants[t].run->over;
        if (stands(&h->tenants[t])) {
            service_dispatch(h->tenants[t].run);
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
    for (size_t t = 0; t < h->tenant_count; t++) {
        if (stands(&h->tenants[t])) {
            service_book(h->tenants[t].run);
        }
    }
    fill_follow(&h->fill);
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
    struct shared_fleet_run *h = calloc(1, sizeof *h);
    if (h == NULL) {
        return NULL;
    }
    h->plan = plan;
    h->fleet = fleet;
    h->calendar = fleet_calendar(fleet);
    for (size_t k = 0; k < plan->work.pool_count; k++) {
        const struct work_pool *pool = &plan->work.pools[k];
        h->crews[k] =
            fleet_add_crew(fleet, &shared_fleet_events, h, plan->work.workload,
                           plan->work.workload_name, pool->pool, pool->nodes, &plan->spec->boot);
        if (h->crews[k] == NULL) {
            shared_fleet_run_free(h);
            return NULL;
        }
        independent_make(h->crews[k]);
        h->first[k] = h->node_count;
        h->node_count += pool->nodes;
    }
    fill_init(&h->fill, plan->fill.entries, plan->fill.count, h->crews, plan->work.pool_count);
    h->nodes = calloc(h->node_count + 1, sizeof *h->nodes);
    h->rooms = calloc(plan->most_nodes + 1, sizeof *h->rooms);
    if (h->nodes == NULL || h->rooms == NULL || !fleet_offer(fleet, plan->work.workload, h)) {
        shared_fleet_run_free(h);
        return NULL;
    }
    return h;
}

void shared_fleet_run_free(struct shared_fleet_run *h)
{
    if (h == NULL) {
        return;
    }
    free(h->nodes);
    free(h->rooms);
    free(h->wishes);
    free(h->tenants);
    free(h);
}

void shared_fleet_run_begin(struct shared_fleet_run *h)
{
    h->begun = h->over = h->finished = h->cancelled = h->following = h->again = false;
    h->end_s = h->booked_s = 0;
    h->needed = h->working = 0;
    h->needed_node_s = h->served_node_s = h->idle_s = 0;
    for (size_t t = 0; t < h->tenant_count; t++) {
        h->tenants[t].taken = h->tenants[t].node_s = 0;
    }
    fill_begin(&h->fill);
    h->fill.holds = true; /* which node goes is decided here */
}

bool shared_fleet_run_over(const struct shared_fleet_run *h)
{
    return h->over || h->tenant_count == 0;
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
    fill_release(&h->fill, reason);
}

struct work_result shared_fleet_run_result(const struct shared_fleet_run *h)
{
    struct work_result r = {.by_clock = true,
                            .finished = h->finished,
                            .cancelled = h->cancelled,
                            .end_s = h->end_s,
                            .idle_s = h->idle_s,
                            .needed_node_s = h->needed_node_s,
                            .served_node_s = h->served_node_s};
    for (size_t k = 0; k < h->plan->work.pool_count; k++) {
        r.launches += h->crews[k]->launched;
        r.interruptions += h->crews[k]->interrupted;
    }
    return r;
}

/* ---- for services ---- */

bool shared_fleet_join(struct shared_fleet_run *h, struct service_run *s)
{
    size_t count = h->tenant_count + 1;
    struct tenant *tenants = realloc(h->tenants, count * sizeof *tenants);
    if (tenants != NULL) {
        h->tenants = tenants;
    }
    struct packing_wish *wishes = realloc(h->wishes, count * sizeof *wishes);
    if (wishes != NULL) {
        h->wishes = wishes;
    }
    if (tenants == NULL || wishes == NULL) {
        return false;
    }
    struct tenant *t = &tenants[h->tenant_count++];
    *t = (struct tenant){.run = s};
    for (size_t k = 0; k < h->plan->work.pool_count; k++) {
        t->units[k] = packing_units(service_node_share(s->plan, k));
    }
    return true;
}

double shared_fleet_node_s(const struct shared_fleet_run *h, const struct service_run *s)
{
    for (size_t t = 0; t < h->tenant_count; t++) {
        if (h->tenants[t].run == s) {
            return h->tenants[t].node_s;
        }
    }
    return 0;
}
