/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/market_table.h"

#include "models/market/market.h"
#include "scenarios/output/result_rows.h"

#include <math.h>
#include <stdlib.h>

#define HOUR_S 3600.0

/* ---- pools ---- */

static void note_nodes(const struct study *s, int pool, uint32_t *nodes)
{
    *nodes = 0;
    for (size_t i = 0; i < s->strategy_count * s->workload_count; i++) {
        const struct work_plan *w =
            s->strategies[i / s->workload_count].plans[i % s->workload_count];
        for (size_t k = 0; k < w->pool_count; k++) {
            bool more = w->pools[k].pool == pool && w->pools[k].nodes > *nodes;
            *nodes = more ? w->pools[k].nodes : *nodes;
        }
    }
}

/* The k-th use of a spot pool by a workload under a strategy; -1 beyond the last. */
static int spot_use(const struct study *s, size_t k)
{
    for (size_t i = 0; i < s->strategy_count * s->workload_count; i++) {
        const struct work_plan *w =
            s->strategies[i / s->workload_count].plans[i % s->workload_count];
        for (size_t j = 0; j < w->pool_count; j++) {
            if (w->pools[j].purchase == PURCHASE_SPOT && k-- == 0) {
                return w->pools[j].pool;
            }
        }
    }
    return -1;
}

int market_table_pool(const struct study *s, size_t index, uint32_t *nodes)
{
    for (size_t k = 0; spot_use(s, k) >= 0; k++) {
        int pool = spot_use(s, k);
        bool seen = false;
        for (size_t before = 0; before < k && !seen; before++) {
            seen = spot_use(s, before) == pool;
        }
        if (!seen && index-- == 0) {
            note_nodes(s, pool, nodes);
            return pool;
        }
    }
    return -1;
}

static bool uses_spot(const struct study *s, size_t strategy)
{
    bool any = false;
    for (size_t w = 0; w < s->workload_count; w++) {
        any = any || work_plan_buys(s->strategies[strategy].plans[w], PURCHASE_SPOT);
    }
    return any;
}

/* ---- rows ---- */

/* When the last work of this strategy ends in its plan world; the horizon where nothing tells. */
static double end_s(const struct run *run, size_t strategy)
{
    const struct study *s = run->study;
    const struct metric_cells *all =
        results_cells(&run->results, run->plan_worlds[strategy], strategy, s->workload_count);
    double h = metric_cancelled(all) || all->value[METRIC_NEEDED].number > 0
                   ? HUGE_VAL
                   : all->value[METRIC_TIME_TO_TRAIN].number;
    return fmin(isnan(h) ? HUGE_VAL : h * HOUR_S, s->scenario->horizon_s);
}

/* Up to when its pools are shown; 0: nobody whose plan world it is uses spot. */
static double shown_until_s(const struct run *run, uint32_t world)
{
    double until_s = 0;
    for (size_t k = 0; k < run->study->strategy_count; k++) {
        if (run->plan_worlds[k] == world && uses_spot(run->study, k)) {
            until_s = fmax(until_s, end_s(run, k));
        }
    }
    return until_s;
}

static void put_pool(struct result_rows *rows, const struct study *s, struct market *market,
                     uint32_t world, int pool, uint32_t nodes, double until_s)
{
    const struct pool_info *info = market_pool_info(s->market, pool);
    uint32_t before = 0;
    double at_s = 0;
    for (int k = 0; k < MARKET_TABLE_ROWS && at_s < until_s; k++) {
        double price_s;
        money_t price = market_price(market, pool, at_s, &price_s);
        uint32_t now = market_capacity(market, pool, at_s, nodes);
        double next_s = fmin(price_s, market_next_change(market, pool, at_s, nodes));
        rows_next(rows);
        rows_integer(rows, world);
        rows_text(rows, info->zone);
        rows_text(rows, info->type->name);
        rows_integer(rows, nodes);
        rows_integer(rows, s->scenario->start.unix_s + (int64_t)floor(at_s));
        rows_number(rows, at_s);
        rows_number(rows, fmin(next_s, until_s));
        rows_money(rows, price);
        rows_integer(rows, now);
        rows_integer(rows, now < before ? before - now : 0);
        before = now;
        at_s = next_s;
    }
}

static bool put_world(struct result_rows *rows, const struct run *run, struct market *market,
                      uint32_t world, double *drawn)
{
    const struct scenario *sc = run->study->scenario;
    const struct random_world of = {.seed = (uint64_t)sc->seed, .replication = world};
    uint32_t nodes;
    int pool;
    inputs_draw(sc->inputs, of, drawn);
    if (!market_begin(market, of, drawn)) {
        return false; /* it ran before: cannot be */
    }
    for (size_t i = 0; (pool = market_table_pool(run->study, i, &nodes)) >= 0; i++) {
        put_pool(rows, run->study, market, world, pool, nodes, shown_until_s(run, world));
    }
    return true;
}

static bool is_first_of_its_world(const struct run *run, size_t strategy)
{
    for (size_t k = 0; k < strategy; k++) {
        if (run->plan_worlds[k] == run->plan_worlds[strategy]) {
            return false;
        }
    }
    return run->plan_worlds[strategy] != UINT32_MAX;
}

struct table *market_table(const struct run *run)
{
    const struct study *s = run->study;
    struct result_rows rows;
    uint32_t nodes;
    rows_begin(&rows, "market", s->scenario->currency);
    if (market_table_pool(s, 0, &nodes) < 0) {
        return rows_end(&rows); /* nothing is bought on spot */
    }
    struct market *market = market_new(s->market);
    double *drawn = calloc(inputs_count(s->scenario->inputs) + 1, sizeof *drawn);
    if (market == NULL || drawn == NULL) {
        rows_fail(&rows);
    }
    for (size_t k = 0; !rows.failed && k < s->strategy_count; k++) {
        if (is_first_of_its_world(run, k) &&
            !put_world(&rows, run, market, run->plan_worlds[k], drawn)) {
            rows_fail(&rows);
        }
    }
    free(drawn);
    market_free(market);
    return rows_end(&rows);
}
