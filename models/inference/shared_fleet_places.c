/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/shared_fleet_places.h"

#include "models/fleet/independent_nodes.h"
#include "models/inference/service_state.h"

#include <stdlib.h>

bool shared_fleet_tenant_stands(const struct fleet_tenant *t)
{
    return t->run->begun && !t->run->over;
}

/* ---- life ---- */

bool shared_fleet_places_init(struct shared_fleet_places *p, const struct shared_fleet_plan *plan,
                              struct fleet *fleet, struct crew *const *crews)
{
    *p = (struct shared_fleet_places){.plan = plan, .fleet = fleet};
    for (size_t k = 0; k < plan->work.pool_count; k++) {
        p->crews[k] = crews[k];
        p->first[k] = p->node_count;
        p->node_count += plan->work.pools[k].nodes;
    }
    fill_init(&p->fill, plan->fill.entries, plan->fill.count, p->crews, plan->work.pool_count);
    p->nodes = calloc(p->node_count + 1, sizeof *p->nodes);
    p->rooms = calloc(plan->most_nodes + 1, sizeof *p->rooms);
    return p->nodes != NULL && p->rooms != NULL;
}

void shared_fleet_places_release(struct shared_fleet_places *p)
{
    free(p->nodes);
    free(p->rooms);
    free(p->wishes);
    free(p->tenants);
}

void shared_fleet_places_begin(struct shared_fleet_places *p)
{
    for (size_t k = 0; k < p->plan->work.pool_count; k++) {
        p->reach[k] = p->reached[k] = 0;
    }
    for (uint32_t i = 0; i < p->node_count; i++) {
        p->nodes[i] = (struct packing_node){0};
    }
    for (size_t t = 0; t < p->tenant_count; t++) {
        p->tenants[t].taken = p->tenants[t].node_s = 0;
    }
    fill_begin(&p->fill);
    p->fill.holds = true; /* which node goes is decided here */
}

bool shared_fleet_places_add(struct shared_fleet_places *p, struct service_run *s)
{
    size_t count = p->tenant_count + 1;
    struct fleet_tenant *tenants = realloc(p->tenants, count * sizeof *tenants);
    if (tenants != NULL) {
        p->tenants = tenants;
    }
    struct packing_wish *wishes = realloc(p->wishes, count * sizeof *wishes);
    if (wishes != NULL) {
        p->wishes = wishes;
    }
    if (tenants == NULL || wishes == NULL) {
        return false;
    }
    struct fleet_tenant *t = &tenants[p->tenant_count++];
    *t = (struct fleet_tenant){.run = s};
    for (size_t k = 0; k < p->plan->work.pool_count; k++) {
        t->units[k] = packing_units(service_node_share(s->plan, k));
    }
    return true;
}

/* ---- replicas and nodes ---- */

static const struct node *node_at(const struct shared_fleet_places *p, size_t pool, uint32_t slot)
{
    return &p->crews[pool]->nodes[slot];
}

static bool works(const struct node *n)
{
    return n->state == NODE_HELD && n->booted;
}

/* The first of a service's replicas that may be on a node of this pool. */
static struct replica *replicas_on(const struct fleet_tenant *t, size_t pool, uint32_t slot)
{
    struct service_run *s = t->run;
    return &s->replicas[s->pool_first[pool] + slot * s->plan->replicas_per_node];
}

static bool takes_room(const struct replica *r)
{
    return r->placed || (r->state == REPLICA_DRAINING && r->busy > 0);
}

/* Low slots are filled first: no node is behind these, nor was when replicas were last told. */
static void reach(struct shared_fleet_places *p)
{
    for (size_t k = 0; k < p->plan->work.pool_count; k++) {
        uint32_t now = p->crews[k]->size;
        while (now > 0 && node_at(p, k, now - 1)->state == NODE_ABSENT) {
            now--;
        }
        p->reach[k] = now > p->reached[k] ? now : p->reached[k];
        p->reached[k] = now;
    }
}

/* What is used of each node; a replica whose node is gone has no place any more. */
static void look(struct shared_fleet_places *p)
{
    uint32_t looked = 0;
    for (size_t t = 0; t < p->tenant_count; t++) {
        p->tenants[t].taken = 0;
        p->tenants[t].placed = 0;
    }
    for (size_t k = 0; k < p->plan->work.pool_count; k++) {
        looked += p->reach[k];
        for (uint32_t slot = 0; slot < p->reach[k]; slot++) {
            const struct node *n = node_at(p, k, slot);
            struct packing_node *of = &p->nodes[p->first[k] + slot];
            *of = (struct packing_node){.open = works(n)};
            for (size_t t = 0; t < p->tenant_count; t++) {
                struct fleet_tenant *tenant = &p->tenants[t];
                struct replica *r = replicas_on(tenant, k, slot);
                for (uint32_t i = 0;
                     shared_fleet_tenant_stands(tenant) && i < tenant->run->plan->replicas_per_node;
                     i++) {
                    r[i].placed &= works(n) && r[i].launch == n->launches;
                    bool takes = takes_room(&r[i]);
                    tenant->placed += r[i].placed;
                    of->used += takes ? tenant->units[k] : 0;
                    tenant->taken +=
                        takes ? (double)tenant->units[k] / (double)PACKING_NODE_UNITS : 0;
                }
            }
        }
    }
    fleet_count_work(p->fleet, looked);
}

/* Tells every replica of its node, and whether it is wanted there. */
static void tell(struct shared_fleet_places *p)
{
    for (size_t t = 0; t < p->tenant_count; t++) {
        struct fleet_tenant *tenant = &p->tenants[t];
        struct service_run *s = tenant->run;
        for (size_t k = 0; shared_fleet_tenant_stands(tenant) && k < p->plan->work.pool_count;
             k++) {
            for (uint32_t slot = 0; slot < p->reach[k]; slot++) {
                struct replica *r = replicas_on(tenant, k, slot);
                for (uint32_t i = 0; i < s->plan->replicas_per_node; i++) {
                    service_follow_replica(s, (uint32_t)(&r[i] - s->replicas), node_at(p, k, slot),
                                           r[i].placed);
                }
            }
        }
    }
    look(p);
}

/* ---- too many ---- */

/* The emptiest node of the last pool on which the service has one; of a node the last that still
 * loads, else the last. NULL: it has none. */
static struct replica *one_too_many(const struct shared_fleet_places *p,
                                    const struct fleet_tenant *t)
{
    struct replica *best = NULL;
    uint64_t least = 0;
    for (size_t k = 0; k < p->plan->work.pool_count; k++) {
        for (uint32_t slot = 0; slot < p->reach[k]; slot++) {
            struct replica *r = replicas_on(t, k, slot), *here = NULL;
            uint64_t used = p->nodes[p->first[k] + slot].used;
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

/* Has nothing to do; in steps of time a replica that is ready has something, on average. */
static bool goes_at_once(const struct fleet_tenant *t, const struct replica *r)
{
    return t->run->interval != NULL ? r->state != REPLICA_READY : r->busy == 0;
}

/* Where it goes at once its node looks emptier for the next. */
static void take_surplus(struct shared_fleet_places *p)
{
    for (size_t t = 0; t < p->tenant_count; t++) {
        struct fleet_tenant *tenant = &p->tenants[t];
        while (shared_fleet_tenant_stands(tenant) && tenant->placed > tenant->run->wanted) {
            struct replica *r = one_too_many(p, tenant);
            r->placed = false;
            tenant->placed--;
            if (goes_at_once(tenant, r)) {
                look(p);
            }
        }
    }
}

/* The emptiest of the nodes of this pool that work and are open. */
static uint32_t emptiest(const struct shared_fleet_places *p, size_t pool)
{
    uint32_t best = p->crews[pool]->size;
    for (uint32_t slot = 0; slot < p->reach[pool]; slot++) {
        const struct packing_node *n = &p->nodes[p->first[pool] + slot];
        if (n->open &&
            (best == p->crews[pool]->size || n->used <= p->nodes[p->first[pool] + best].used)) {
            best = slot;
        }
    }
    return best;
}

/* What stood in for an earlier pool is to be given back: nothing is placed on it any more. */
static void close_beyond_shares(struct shared_fleet_places *p)
{
    uint32_t share[FILL_MAX_ENTRIES];
    fill_keeps(&p->fill, share);
    for (size_t k = 0; k < p->plan->work.pool_count; k++) {
        for (uint32_t ready = p->crews[k]->ready; ready > share[k]; ready--) {
            uint32_t slot = emptiest(p, k);
            if (slot == p->crews[k]->size) {
                break;
            }
            p->nodes[p->first[k] + slot].open = false;
            for (size_t t = 0; t < p->tenant_count; t++) {
                struct replica *r = replicas_on(&p->tenants[t], k, slot);
                for (uint32_t i = 0; i < p->tenants[t].run->plan->replicas_per_node; i++) {
                    p->tenants[t].placed -= r[i].placed && p->tenants[t].placed > 0;
                    r[i].placed = false;
                }
            }
        }
    }
}

/* ---- too few ---- */

/* Those that drain on an open node go on, before others begin. */
static uint32_t resume(struct shared_fleet_places *p, struct fleet_tenant *t, uint32_t missing)
{
    for (size_t k = 0; k < p->plan->work.pool_count; k++) {
        for (uint32_t slot = 0; slot < p->reach[k]; slot++) {
            struct replica *r = replicas_on(t, k, slot);
            bool open = p->nodes[p->first[k] + slot].open;
            for (uint32_t i = 0; open && i < t->run->plan->replicas_per_node; i++) {
                bool back = missing > 0 && !r[i].placed && takes_room(&r[i]);
                r[i].placed |= back;
                missing -= back;
            }
        }
    }
    return missing;
}

static size_t pool_of(const struct shared_fleet_places *p, size_t node)
{
    size_t k = 0;
    while (k + 1 < p->plan->work.pool_count && node >= p->first[k + 1]) {
        k++;
    }
    return k;
}

/* False: there is no room. */
static bool place_one(struct shared_fleet_places *p, struct fleet_tenant *t)
{
    size_t node = packing_place(p->nodes, p->node_count, t->units[0]);
    if (node == p->node_count) {
        return false;
    }
    size_t k = pool_of(p, node);
    struct replica *r = replicas_on(t, k, (uint32_t)node - p->first[k]);
    for (uint32_t i = 0; i < t->run->plan->replicas_per_node; i++) {
        if (!takes_room(&r[i])) {
            r[i].placed = true;
            p->nodes[node].used += t->units[k];
            return true;
        }
    }
    return false;
}

/* The largest first; what finds no room is a wish. */
static void place_missing(struct shared_fleet_places *p)
{
    for (size_t t = 0; t < p->tenant_count; t++) {
        struct fleet_tenant *tenant = &p->tenants[t];
        uint32_t placed = tenant->placed;
        uint32_t missing = shared_fleet_tenant_stands(tenant) && tenant->run->wanted > placed
                               ? tenant->run->wanted - placed
                               : 0;
        p->wishes[t] =
            (struct packing_wish){.units = tenant->units[0], .count = resume(p, tenant, missing)};
    }
    for (uint64_t below = UINT64_MAX, next; below > 0; below = next) {
        next = 0;
        for (size_t t = 0; t < p->tenant_count; t++) {
            uint64_t units = p->wishes[t].units;
            next = units < below && units > next ? units : next;
        }
        for (size_t t = 0; next > 0 && t < p->tenant_count; t++) {
            while (p->wishes[t].units == next && p->wishes[t].count > 0 &&
                   place_one(p, &p->tenants[t])) {
                p->wishes[t].count--;
            }
        }
    }
}

/* ---- nodes ---- */

static uint32_t count_needed(const struct shared_fleet_places *p)
{
    uint32_t occupied = 0;
    for (uint32_t i = 0; i < p->node_count; i++) {
        occupied += p->nodes[i].open && p->nodes[i].used > 0;
    }
    uint32_t need =
        occupied + packing_nodes_for(p->wishes, p->tenant_count, p->rooms, p->plan->most_nodes);
    need = need > p->plan->least_nodes ? need : p->plan->least_nodes;
    return need < p->plan->most_nodes ? need : p->plan->most_nodes;
}

/* Of a pool that has more than its share: those that boot, then those that are empty, from the last
 * slot. */
static bool end_surplus(struct shared_fleet_places *p, size_t pool, bool booting, uint32_t share)
{
    struct crew *c = p->crews[pool];
    uint32_t before = c->held;
    for (uint32_t slot = c->size; slot-- > 0 && c->held - c->noticed > share;) {
        const struct node *n = &c->nodes[slot];
        bool empty = p->nodes[p->first[pool] + slot].used == 0;
        if (n->state == NODE_HELD && (booting ? !n->booted : n->booted && empty)) {
            p->nodes[p->first[pool] + slot].open = false;
            independent_end(c, slot, END_RELEASED);
        }
    }
    return c->held < before;
}

static bool end_all_surplus(struct shared_fleet_places *p)
{
    uint32_t share[FILL_MAX_ENTRIES];
    bool any = false;
    fill_keeps(&p->fill, share);
    for (size_t k = 0; k < p->plan->work.pool_count; k++) {
        any |= end_surplus(p, k, true, share[k]);
        any |= end_surplus(p, k, false, share[k]);
    }
    return any;
}

bool shared_fleet_places_follow(struct shared_fleet_places *p)
{
    reach(p);
    look(p);
    take_surplus(p);
    close_beyond_shares(p);
    tell(p);
    close_beyond_shares(p);
    place_missing(p);
    uint32_t need = count_needed(p), before = p->fill.need;
    tell(p);
    fill_need(&p->fill, need);
    return end_all_surplus(p) || need != before;
}
