/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/oracle_plan.h"

#include "models/market/hidden_process.h"
#include "models/training/training_work.h"
#include "scenarios/study/study.h"

#include <math.h>

/* Ticks of all gangs in all worlds: some tenths of a second. */
#define MOST_TICKS 2e6

/* ---- who is compared ---- */

static const struct instance_type *type_of(const struct study *study, const struct work_plan *w)
{
    return market_pool_info(study->market, w->pools[0].pool)->type;
}

static bool is_compared(const struct study *study, size_t strategy, const struct work_plan *w)
{
    if (w->kind != &work_training || w->awaits || w->pool_count == 0 ||
        study_is_covered(study, strategy) ||
        study->strategies[strategy].commitments.reservations.count > 0) {
        return false;
    }
    if (training_plan_of(w)->elastic.is) {
        return false; /* its work is not that of a gang */
    }
    for (size_t i = 0; i < w->pool_count; i++) {
        const struct work_pool *p = &w->pools[i];
        bool known = p->purchase == PURCHASE_ON_DEMAND || p->purchase == PURCHASE_SPOT;
        if (!known || p->nodes != w->nodes ||
            market_pool_info(study->market, p->pool)->type != type_of(study, w)) {
            return false;
        }
    }
    return true;
}

/* Most nodes that other workloads hold in a pool under any strategy. */
static uint32_t held_by_others(const struct study *study, size_t workload, int pool)
{
    uint32_t most = 0;
    for (size_t k = 0; k < study->strategy_count; k++) {
        uint32_t sum = 0;
        for (size_t w = 0; w < study->workload_count; w++) {
            const struct work_plan *plan = study->strategies[k].plans[w];
            for (size_t i = 0; w != workload && i < plan->pool_count; i++) {
                sum += plan->pools[i].pool == pool ? plan->pools[i].nodes : 0;
            }
        }
        most = sum > most ? sum : most;
    }
    return most;
}

/* False when it is there already. */
static bool add_pool(struct oracle_gang *g, int pools[ORACLE_MOST_ZONES], size_t *count, int pool)
{
    for (size_t i = 0; i < *count; i++) {
        if (pools[i] == pool) {
            return false;
        }
    }
    if (*count == ORACLE_MOST_ZONES) {
        g->too_many = true;
        return false;
    }
    pools[(*count)++] = pool;
    return true;
}

static void add_spot(struct oracle_gang *g, const struct study *study, int pool)
{
    if (add_pool(g, g->spot, &g->spot_count, pool)) {
        g->others[g->spot_count - 1] = held_by_others(study, g->workload, pool);
    }
}

static void add_pools(struct oracle_gang *g, const struct study *study, const struct work_plan *w)
{
    for (size_t i = 0; i < w->pool_count; i++) {
        if (w->pools[i].purchase == PURCHASE_SPOT) {
            add_spot(g, study, w->pools[i].pool);
        } else {
            (void)add_pool(g, g->on_demand, &g->on_demand_count, w->pools[i].pool);
        }
    }
}

static int find_gang(const struct oracle_plan *p, const struct study *study,
                     const struct work_plan *w)
{
    for (size_t i = 0; i < p->gang_count; i++) {
        const struct work_plan *first = &p->gangs[i].plan->work;
        if (first->workload == w->workload && first->nodes == w->nodes &&
            type_of(study, first) == type_of(study, w)) {
            return (int)i;
        }
    }
    return -1;
}

static void add_strategy(struct oracle_plan *p, const struct study *study, size_t strategy)
{
    for (size_t k = 0; k < study->workload_count; k++) {
        const struct work_plan *w = study->strategies[strategy].plans[k];
        int *of = &p->of[strategy * study->workload_count + k];
        *of = -1;
        if (!is_compared(study, strategy, w)) {
            continue;
        }
        *of = find_gang(p, study, w);
        if (*of < 0) {
            *of = (int)p->gang_count;
            p->gangs[p->gang_count++] =
                (struct oracle_gang){.plan = training_plan_of(w),
                                     .workload = k,
                                     .last_s = fmin(w->deadline_s, study->scenario->horizon_s)};
            p->gangs[*of].ticks = (size_t)ceil(p->gangs[*of].last_s / HIDDEN_STEP_S);
        }
        add_pools(&p->gangs[*of], study, w);
    }
}

/* ---- in how many worlds ---- */

/* Gangs that never see spot have a bound that says nothing. */
static void drop_without_spot(struct oracle_plan *p, size_t cells)
{
    for (size_t i = 0; i < cells; i++) {
        bool none = p->of[i] < 0 || p->gangs[p->of[i]].spot_count == 0;
        p->of[i] = none || p->gangs[p->of[i]].too_many ? -1 : p->of[i];
    }
}

static uint32_t worlds_for(const struct oracle_plan *p, const struct study *study, size_t cells)
{
    double ticks = 0;
    bool any = false;
    for (size_t i = 0; i < p->gang_count; i++) {
        ticks += (double)p->gangs[i].ticks * (double)p->gangs[i].spot_count;
    }
    for (size_t i = 0; i < cells; i++) {
        any = any || p->of[i] >= 0;
    }
    double most = fmin(ORACLE_MOST_WORLDS, study->most_replications);
    double fits = fmax(floor(MOST_TICKS / fmax(ticks, 1)), ORACLE_LEAST_WORLDS);
    return any ? (uint32_t)fmin(most, fits) : 0;
}

bool oracle_plan_make(struct oracle_plan *p, const struct study *study, struct arena *arena)
{
    const size_t cells = study->strategy_count * study->workload_count;
    *p = (struct oracle_plan){.gangs = arena_array(arena, cells + 1, sizeof *p->gangs),
                              .of = arena_array(arena, cells + 1, sizeof *p->of)};
    if (p->gangs == NULL || p->of == NULL) {
        return false;
    }
    for (size_t k = 0; k < study->strategy_count; k++) {
        add_strategy(p, study, k);
    }
    drop_without_spot(p, cells);
    p->worlds = worlds_for(p, study, cells);
    return true;
}
