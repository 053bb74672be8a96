/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/survival_table.h"

#include "models/market/hidden_process.h"
#include "scenarios/output/market_table.h"

#include <math.h>
#include <stdlib.h>

#define HOUR_S  3600.0
#define FIRST_S 60.0
/* Of the market's grid, in all pools and worlds: some hundredths of a second. */
#define MOST_TICKS 3e5
enum { POINTS = 80, LEAST_WORLDS = 4, MOST_WORLDS = 200, FIT_WINDOWS = 20 };

/* Whose curve it is. */
struct curve_of {
    const char *zone, *type;
    uint32_t nodes;
};

/* 0, then from a minute to the end in equal steps of the logarithm. */
static void make_times(double *times_s, double end_s)
{
    times_s[0] = 0;
    for (int k = 1; k < POINTS; k++) {
        double share = (double)(k - 1) / (POINTS - 2);
        times_s[k] = FIRST_S * exp(share * log(fmax(end_s, 2 * FIRST_S) / FIRST_S));
    }
}

/* Curves fall at ends of up times: each time becomes that of the last end seen before it, if any.
 */
static void snap_times(double *times_s, const struct up_runs *seen)
{
    size_t i = 0;
    for (int k = 1; k < POINTS; k++) {
        while (i < seen->count && seen->items[i].length_s <= times_s[k]) {
            i++;
        }
        times_s[k] = i > 0 ? seen->items[i - 1].length_s : times_s[k];
    }
}

static void put_point(struct result_rows *rows, const struct curve_of *of, const char *curve,
                      double time_s, struct survival_point p, const struct up_runs *runs)
{
    rows_next(rows);
    rows_text(rows, of->zone);
    rows_text(rows, of->type);
    rows_integer(rows, of->nodes);
    rows_text(rows, curve);
    rows_number(rows, time_s / HOUR_S);
    rows_number(rows, p.share);
    rows_number(rows, p.low);
    rows_number(rows, p.high);
    rows_integer(rows, runs == NULL ? COLUMN_MISSING_INTEGER : (int64_t)runs->count);
    rows_integer(rows, runs == NULL ? COLUMN_MISSING_INTEGER : (int64_t)runs->ended);
}

static void put_runs(struct result_rows *rows, const struct curve_of *of, const char *curve,
                     struct up_runs *runs, const double *times_s)
{
    struct survival_point points[POINTS];
    if (runs->failed) {
        rows_fail(rows);
        return;
    }
    up_runs_sort(runs);
    survival_at(runs, times_s, POINTS, points);
    for (int k = 0; k < POINTS && isfinite(points[k].share); k++) {
        if (k == 0 || times_s[k] > times_s[k - 1]) {
            put_point(rows, of, curve, times_s[k], points[k], runs);
        }
    }
}

/* ---- a trace and its fit ---- */

void survival_put_trace(struct result_rows *rows, const struct trace *t, const char *zone,
                        const char *type, uint32_t nodes, int64_t trace_nodes)
{
    const struct curve_of of = {zone, type, nodes};
    struct up_runs seen = {0}, fitted = {0};
    struct spot_fit fit;
    double times_s[POINTS];
    enum spot_fit_status status = spot_fit_make(&fit, t);
    up_runs_of_trace(&seen, t, trace_nodes);
    if (status == SPOT_FIT_NO_MEMORY ||
        (status == SPOT_FIT_DONE &&
         !spot_fit_up_runs(&fit, (uint32_t)trace_nodes, FIT_WINDOWS, &fitted))) {
        rows_fail(rows);
    }
    make_times(times_s, fmax(up_runs_longest_s(&seen), up_runs_longest_s(&fitted)));
    up_runs_sort(&seen);
    snap_times(times_s, &seen);
    put_runs(rows, &of, "trace", &seen, times_s);
    put_runs(rows, &of, "fitted", &fitted, times_s);
    up_runs_release(&seen);
    up_runs_release(&fitted);
}

/* ---- a scenario's own market ---- */

static void put_planned(struct result_rows *rows, const struct curve_of *of, double rate_per_s,
                        const double *times_s)
{
    for (int k = 0; k < POINTS; k++) {
        if (k > 0 && times_s[k] <= times_s[k - 1]) {
            continue;
        }
        struct survival_point p = {exp(-rate_per_s * times_s[k]), (double)NAN, (double)NAN};
        put_point(rows, of, "planned", times_s[k], p, NULL);
    }
}

static uint32_t worlds_for(const struct run *run, size_t pools)
{
    double ticks = (double)pools * ceil(run->study->scenario->horizon_s / HIDDEN_STEP_S);
    double worlds = fmin(fmax(floor(MOST_TICKS / fmax(ticks, 1)), LEAST_WORLDS), MOST_WORLDS);
    return (uint32_t)fmin(worlds, run->results.replications);
}

/* Up times of all pools in the first worlds. */
static bool simulate(const struct run *run, struct up_runs *runs, size_t pools)
{
    const struct scenario *sc = run->study->scenario;
    struct market *market = market_new(run->study->market);
    double *drawn = calloc(inputs_count(sc->inputs) + 1, sizeof *drawn);
    bool ok = market != NULL && drawn != NULL;
    for (uint32_t k = 0, worlds = worlds_for(run, pools); ok && k < worlds; k++) {
        const struct random_world world = {.seed = (uint64_t)sc->seed, .replication = k};
        struct random_stream luck;
        inputs_draw(sc->inputs, world, drawn);
        ok = market_begin(market, world, drawn);
        random_stream_init(&luck, world, random_source("survival/lives"));
        for (size_t i = 0; ok && i < pools; i++) {
            uint32_t nodes;
            int pool = market_table_pool(run->study, i, &nodes);
            int64_t unit;
            if (market_plan_trace(run->study->market, pool, &unit) == NULL) {
                up_runs_of_market(&runs[i], market, pool, nodes, sc->horizon_s, &luck);
            }
        }
    }
    free(drawn);
    market_free(market);
    return ok;
}

static void put_pool(struct result_rows *rows, const struct run *run, size_t index,
                     struct up_runs *runs)
{
    const struct market_plan *market = run->study->market;
    uint32_t nodes;
    int pool = market_table_pool(run->study, index, &nodes);
    const struct pool_info *info = market_pool_info(market, pool);
    const struct curve_of of = {info->zone, info->type->name, nodes};
    double times_s[POINTS];
    int64_t unit = 1;
    const struct trace *t = market_plan_trace(market, pool, &unit);
    if (t != NULL) {
        survival_put_trace(rows, t, of.zone, of.type, nodes, (nodes + unit - 1) / unit);
        return;
    }
    make_times(times_s, up_runs_longest_s(runs));
    up_runs_sort(runs);
    snap_times(times_s, runs);
    if (runs->ended > 0) {
        put_runs(rows, &of, "simulated", runs, times_s);
        put_planned(rows, &of, market_planned_loss_rate(market, pool, nodes), times_s);
    }
}

struct table *survival_table(const struct run *run)
{
    struct result_rows rows;
    size_t pools = 0;
    uint32_t nodes;
    rows_begin(&rows, "survival", run->study->scenario->currency);
    while (market_table_pool(run->study, pools, &nodes) >= 0) {
        pools++;
    }
    struct up_runs *runs = calloc(pools + 1, sizeof *runs);
    if (runs == NULL || (pools > 0 && !simulate(run, runs, pools))) {
        rows_fail(&rows);
    }
    for (size_t i = 0; i < pools && !rows.failed; i++) {
        put_pool(&rows, run, i, &runs[i]);
    }
    for (size_t i = 0; runs != NULL && i < pools; i++) {
        up_runs_release(&runs[i]);
    }
    free(runs);
    return rows_end(&rows);
}
