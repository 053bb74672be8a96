/* SPDX-License-Identifier: GPL-3.0-or-later
 * See running_price.h. Coverage knows the on-demand price that was planned; the share that is left
 * to pay is taken from it and put to the price now. */
#include "models/fleet/running_price.h"

#include "models/commitments/coverage_run.h"
#include "models/commitments/marginal_price.h"
#include "models/commitments/others_use.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct running_price {
    const struct commitment_plan *plan;
    struct marginal_price *marginal;
    int64_t *running; /* by slot */
    int64_t *with;    /* the same with the gang */
};

struct running_price *running_price_new(const struct commitment_plan *plan)
{
    struct running_price *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return NULL;
    }
    r->plan = plan;
    r->marginal = marginal_price_new(plan->coverage);
    r->running = calloc(coverage_slots(plan->coverage) + 1, sizeof *r->running);
    r->with = calloc(coverage_slots(plan->coverage) + 1, sizeof *r->with);
    if (r->marginal == NULL || r->running == NULL || r->with == NULL) {
        running_price_free(r);
        return NULL;
    }
    return r;
}

void running_price_free(struct running_price *r)
{
    if (r != NULL) {
        marginal_price_free(r->marginal);
        free(r->running);
        free(r->with);
        free(r);
    }
}

static int slot_of(const struct running_price *r, const struct crew *c)
{
    return c->purchase == PURCHASE_ON_DEMAND ? r->plan->slot_of_pool[c->pool] : -1;
}

/* What the account runs beside the plan, as planned. */
static void count_account(struct running_price *r, int64_t now_us)
{
    const struct account_plan *account = r->plan->account;
    for (size_t i = 0; i < account->use_count; i++) {
        int64_t *running = &r->running[r->plan->slot_of_use[i]];
        *running += others_use_at(&account->uses[i], now_us);
        *running = *running < COVERAGE_RUNNING_MAX ? *running : COVERAGE_RUNNING_MAX;
    }
}

/* All that others hold or wait for, on demand. */
static void count_others(struct running_price *r, const struct crew *own, struct crew *const *crews,
                         size_t crew_count, int64_t now_us)
{
    memset(r->running, 0, coverage_slots(r->plan->coverage) * sizeof *r->running);
    if (now_us < r->plan->account->until_us) {
        count_account(r, now_us);
    }
    for (size_t i = 0; i < crew_count; i++) {
        const struct crew *c = crews[i];
        int slot = slot_of(r, c);
        if (c != own && slot >= 0) {
            r->running[slot] += (int64_t)c->held + c->waiting + c->asked;
        }
    }
}

static money_t planned_price(const struct running_price *r, size_t slot)
{
    size_t i = 0;
    while (coverage_slot(r->plan->coverage, i) != slot) {
        i++;
    }
    return r->plan->groups[i].on_demand_per_hour;
}

/* Of what runs in a pool, what fits into reserved capacity; that is paid for whether used or not.
 */
static void split_reserved(const struct reservation_plan *plan, int64_t now_us, int64_t *running)
{
    for (size_t i = 0; i < plan->pool_count; i++) {
        const struct held_pool *held = &plan->pools[i];
        const int64_t count = held_pool_count(held, now_us);
        const bool runs = held->slots.outside != RESERVATION_NO_SLOT;
        const int64_t all = runs ? running[held->slots.outside] : 0;
        const int64_t inside = all < count ? all : count;
        if (runs) {
            running[held->slots.outside] = all - inside;
        }
        running[held->slots.inside] = inside;
        running[held->slots.idle] = count - inside;
    }
}

/* What the gang adds to an hour's bill. */
static money_t added_by(struct running_price *r, const struct crew *c, size_t slot, int64_t now_us)
{
    const struct reservation_plan *reserved = &r->plan->reservations;
    if (reserved->count == 0) {
        return marginal_price_of(r->marginal, r->running, slot, c->size, now_us);
    }
    memcpy(r->with, r->running, coverage_slots(r->plan->coverage) * sizeof *r->with);
    r->with[slot] += c->size;
    split_reserved(reserved, now_us, r->running);
    split_reserved(reserved, now_us, r->with);
    money_t added = marginal_price_between(r->marginal, r->running, r->with, now_us);
    return added > 0 ? added : 0;
}

struct gang_price running_price_of(struct running_price *r, const struct crew *c,
                                   struct crew *const *crews, size_t crew_count)
{
    const double now_s = fleet_calendar(c->fleet)->now_s;
    double list =
        c->size * money_to_double(market_price(fleet_market(c->fleet), c->pool, now_s, NULL));
    int slot = slot_of(r, c);
    struct gang_price p = {.per_hour = list, .list_per_hour = list};
    if (slot < 0) {
        return p;
    }
    count_others(r, c, crews, crew_count, (int64_t)(now_s * 1e6));
    /* many commitments are much to match */
    fleet_count_work(c->fleet, (uint32_t)coverage_commitments(r->plan->coverage));
    money_t added = added_by(r, c, (size_t)slot, (int64_t)(now_s * 1e6));
    double whole = c->size * money_to_double(planned_price(r, (size_t)slot));
    if (!money_overflowed(added) && whole > 0) {
        p.per_hour = list * money_to_double(added) / whole;
    }
    return p;
}

/* When more or less capacity is reserved. */
static double reserved_change_s(const struct reservation_plan *plan, double now_s)
{
    double next_s = HUGE_VAL;
    for (size_t i = 0; i < plan->pool_count; i++) {
        for (size_t k = 0; k < plan->pools[i].change_count; k++) {
            double at_s = (double)plan->pools[i].changes[k].at_us / 1e6;
            next_s = at_s > now_s && at_s < next_s ? at_s : next_s;
        }
    }
    return next_s;
}

double running_price_change_s(const struct running_price *r, double now_s)
{
    const int64_t *edges_us;
    size_t count = coverage_edges(r->plan->coverage, &edges_us);
    double reserved_s = reserved_change_s(&r->plan->reservations, now_s);
    for (size_t i = 0; i < count; i++) {
        double edge_s = (double)edges_us[i] / 1e6;
        if (edge_s > now_s) {
            return fmin(edge_s, reserved_s);
        }
    }
    return reserved_s;
}
