/* SPDX-License-Identifier: GPL-3.0-or-later
 * The functions of scripted_market.h: to be included by one source file of a test program. Not in
 * the archive of test support, from which the linker would give them to every test that asks the
 * real market something. */
#ifndef FLEETCAST_TESTS_SCRIPTED_MARKET_DOUBLE_H
#define FLEETCAST_TESTS_SCRIPTED_MARKET_DOUBLE_H

#include "tests/support/scripted_market.h"

#include <math.h>
#include <stdlib.h>

struct market_plan {
    struct pool_info info[SCRIPTED_POOLS];
    struct pool_quota quotas[SCRIPTED_POOLS];
};

struct market {
    struct market_plan plan;
    struct scripted_pool pools[SCRIPTED_POOLS];
};

const char *const purchase_names[] = {"on-demand", "spot", "capacity-block", "owned", NULL};

struct market *scripted_market_new(const struct scripted_pool *pools, size_t count)
{
    struct market *m = calloc(1, sizeof *m);
    for (size_t i = 0; m != NULL && i < count && i < SCRIPTED_POOLS; i++) {
        m->pools[i] = pools[i];
        m->plan.info[i] = (struct pool_info){
            .zone = "zone", .purchase = pools[i].purchase, .name = pools[i].name};
        m->plan.quotas[i] = pools[i].quota;
    }
    return m;
}

void market_free(struct market *m)
{
    free(m);
}

const struct market_plan *market_plan_of(const struct market *m)
{
    return &m->plan;
}

const struct pool_info *market_pool_info(const struct market_plan *p, int pool)
{
    return &p->info[pool];
}

struct pool_quota market_plan_quota(const struct market_plan *p, int pool)
{
    return p->quotas[pool];
}

money_t market_price(struct market *m, int pool, double t_s, double *until_s)
{
    const struct scripted_pool *p = &m->pools[pool];
    money_t price = p->per_hour;
    double next_s = HUGE_VAL;
    for (size_t i = 0; i < SCRIPTED_PRICES && p->prices[i].from_s > 0; i++) {
        if (p->prices[i].from_s > t_s) {
            next_s = p->prices[i].from_s;
            break;
        }
        price = p->prices[i].per_hour;
    }
    if (until_s != NULL) {
        *until_s = next_s;
    }
    return price;
}

static uint32_t nodes_at(const struct scripted_pool *p, double t_s, uint32_t cap)
{
    uint32_t nodes = UINT32_MAX;
    for (size_t i = 0; i < p->step_count && p->steps[i].from_s <= t_s; i++) {
        nodes = p->steps[i].nodes;
    }
    return nodes < cap ? nodes : cap;
}

uint32_t market_capacity(struct market *m, int pool, double t_s, uint32_t cap)
{
    return nodes_at(&m->pools[pool], t_s, cap);
}

double market_next_change(struct market *m, int pool, double t_s, uint32_t cap)
{
    const struct scripted_pool *p = &m->pools[pool];
    for (size_t i = 0; i < p->step_count; i++) {
        double from_s = p->steps[i].from_s;
        if (from_s > t_s && nodes_at(p, from_s, cap) != nodes_at(p, t_s, cap)) {
            return from_s;
        }
    }
    return HUGE_VAL;
}

double market_hazard(struct market *m, int pool)
{
    return m->pools[pool].hazard_per_s;
}

bool market_ends_nodes(struct market *m, int pool)
{
    return m->pools[pool].hazard_per_s > 0;
}

double market_node_life_s(struct market *m, int pool, double u)
{
    return -log(u) / m->pools[pool].hazard_per_s;
}

double market_notice_s(struct market *m, int pool)
{
    return m->pools[pool].notice_s;
}

bool market_delays(const struct market *m, int pool)
{
    return m->pools[pool].delay_s > 0 || m->pools[pool].delay_spread_s > 0;
}

static double delay_s(const struct scripted_pool *p, enum purchase purchase, double u)
{
    return p->purchase == purchase ? p->delay_s + p->delay_spread_s * u : 0;
}

double market_regain_s(struct market *m, int pool, double u)
{
    return delay_s(&m->pools[pool], PURCHASE_SPOT, u);
}

double market_wait_s(struct market *m, int pool, double u)
{
    return delay_s(&m->pools[pool], PURCHASE_ON_DEMAND, u);
}

/* No pool is its buyer's own. */
size_t market_plan_windows(const struct market_plan *p, int pool,
                           const struct market_window **windows)
{
    (void)p, (void)pool;
    *windows = NULL;
    return 0;
}

bool market_rebalances(const struct market *m, int pool)
{
    return m->pools[pool].rebalance_lead_s > 0 || m->pools[pool].false_alarm_s > 0;
}

double market_rebalance_lead_s(const struct market *m, int pool, double u_share, double u_lead)
{
    (void)u_share, (void)u_lead;
    return m->pools[pool].rebalance_lead_s > 0 ? m->pools[pool].rebalance_lead_s : -1;
}

double market_false_alarm_s(const struct market *m, int pool, double u)
{
    (void)u;
    return m->pools[pool].false_alarm_s > 0 ? m->pools[pool].false_alarm_s : HUGE_VAL;
}

double market_trace_end_s(struct market *m, int pool)
{
    (void)m, (void)pool;
    return HUGE_VAL;
}

/* ---- asked by planning only, which such tests do not do ---- */

int market_plan_own_pool(struct market_plan *p, const char *zone, const char *type,
                         enum purchase purchase, const void *owner,
                         const struct market_window *windows, size_t count, struct place where)
{
    (void)p, (void)zone, (void)type, (void)purchase, (void)owner;
    (void)windows, (void)count, (void)where;
    abort();
}

int market_plan_owned_by(const struct market_plan *p, const void *owner)
{
    (void)p, (void)owner;
    abort();
}

int market_plan_pool(struct market_plan *p, const char *zone, const char *type,
                     enum purchase purchase, struct place where)
{
    (void)p, (void)zone, (void)type, (void)purchase, (void)where;
    abort();
}

const char *market_planned_limit_advice(const struct market_plan *p, int pool)
{
    (void)p, (void)pool;
    abort();
}

uint32_t market_planned_limit(const struct market_plan *p, int pool)
{
    (void)p, (void)pool;
    abort();
}

double market_planned_price_per_hour(const struct market_plan *p, int pool)
{
    (void)p, (void)pool;
    abort();
}

double market_planned_notice_s(const struct market_plan *p, int pool)
{
    (void)p, (void)pool;
    abort();
}

double market_planned_loss_rate(const struct market_plan *p, int pool, uint32_t n)
{
    (void)p, (void)pool, (void)n;
    abort();
}

#endif
