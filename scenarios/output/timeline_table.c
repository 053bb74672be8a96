/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/timeline_table.h"

#include "scenarios/output/result_rows.h"
#include "scenarios/output/world_quantiles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is shown, in this order; a cumulative measure is the running sum of another. */
struct shown {
    const char *name;
    enum timeline_measure of;
    bool cumulative, is_money;
};

static const struct shown measures[] = {
    {"spend", TIMELINE_SPEND, false, true},
    {"cumulative", TIMELINE_SPEND, true, true},
    {"on_demand_nodes", TIMELINE_ON_DEMAND_NODES, false, false},
    {"spot_nodes", TIMELINE_SPOT_NODES, false, false},
    {"capacity_block_nodes", TIMELINE_BLOCK_NODES, false, false},
    {"owned_nodes", TIMELINE_OWNED_NODES, false, false},
};

/* values: one per world of the timeline; of a cumulative measure they hold the sum so far. */
static void put_bucket(struct result_rows *rows, const struct run *run, size_t strategy,
                       const struct shown *shown, size_t bucket, double *values, double *plan)
{
    const struct timeline *t = &run->timeline;
    struct world_quantiles q;
    char unit[16] = "", measure[64];
    for (uint32_t i = 0; i < t->replications; i++) {
        double v = (double)timeline_world(t, i, strategy, shown->of)[bucket];
        values[i] = shown->cumulative ? values[i] + v : v;
    }
    if (!world_quantiles(&q, values, NULL, t->replications)) {
        rows_fail(rows);
        return;
    }
    if (shown->is_money) {
        metric_unit(METRIC_COST, run->study->scenario->currency, unit);
    }
    snprintf(measure, sizeof measure, "%s%s%s", shown->name, shown->is_money ? "_" : "", unit);
    double of_plan = timeline_plan(t, strategy, shown->of)[bucket];
    *plan = shown->cumulative ? *plan + of_plan : of_plan;
    const int64_t bucket_us = t->frames[strategy].bucket_us;
    int64_t start_s = (int64_t)bucket * (bucket_us / MICROSECONDS);
    rows_next(rows);
    rows_text(rows, study_strategy_name(run->study, strategy));
    rows_integer(rows, run->study->scenario->start.unix_s + start_s);
    rows_number(rows, (double)start_s);
    rows_number(rows, (double)bucket_us / (double)MICROSECONDS);
    rows_text(rows, measure);
    rows_text(rows, unit);
    rows_number(rows, q.mean);
    rows_number(rows, run->plan_worlds[strategy] == UINT32_MAX ? (double)NAN : *plan);
    rows_number(rows, q.p10);
    rows_number(rows, q.p25);
    rows_number(rows, q.p50);
    rows_number(rows, q.p75);
    rows_number(rows, q.p90);
}

/* Nodes of a way to buy that not every strategy has are shown of those that have it. */
static bool is_shown(const struct run *run, size_t strategy, const struct shown *shown)
{
    const struct study_strategy *s = &run->study->strategies[strategy];
    return shown->of == TIMELINE_BLOCK_NODES   ? s->window_count > 0
           : shown->of == TIMELINE_OWNED_NODES ? s->owned_count > 0
                                               : true;
}

struct table *timeline_table(const struct run *run)
{
    const struct timeline *t = &run->timeline;
    double *values = malloc(((size_t)t->replications + 1) * sizeof *values);
    struct result_rows rows;
    rows_begin(&rows, "timeline", run->study->scenario->currency);
    if (values == NULL) {
        rows_fail(&rows);
        return rows_end(&rows);
    }
    for (size_t k = 0; t->worlds != NULL && k < t->strategies; k++) {
        for (size_t m = 0; m < sizeof measures / sizeof measures[0]; m++) {
            double plan = 0;
            if (!is_shown(run, k, &measures[m])) {
                continue;
            }
            memset(values, 0, t->replications * sizeof *values);
            for (size_t b = 0; b < t->frames[k].buckets; b++) {
                put_bucket(&rows, run, k, &measures[m], b, values, &plan);
            }
        }
    }
    free(values);
    return rows_end(&rows);
}
