/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/oracle_table.h"

#include "scenarios/output/result_rows.h"
#include "scenarios/output/world_quantiles.h"

#include <math.h>
#include <stdlib.h>

/* Done by the last tick that the bound knows of. */
static bool in_time(const struct metric_cells *c, double last_s)
{
    return c->value[METRIC_FINISHED].number > 0 && !metric_cancelled(c) &&
           c->value[METRIC_TIME_TO_TRAIN].number * 3600 <= last_s * (1 + 1e-12);
}

static void put_strategy(struct result_rows *rows, const struct run *run, size_t strategy,
                         size_t workload, double *regrets)
{
    const struct study *study = run->study;
    const int gang = study->oracle.of[strategy * study->workload_count + workload];
    const uint32_t worlds = run->results.replications < run->results.bound_worlds
                                ? run->results.replications
                                : run->results.bound_worlds;
    double oracle = 0, nodes = 0;
    size_t n = 0, known = 0;
    if (gang < 0) {
        return;
    }
    const double last_s = study->oracle.gangs[gang].last_s;
    for (uint32_t i = 0; i < worlds; i++) {
        const struct metric_cells *c = results_cells(&run->results, i, strategy, workload);
        double bound = results_bounds(&run->results, i)[gang];
        known += isnan(bound) ? 0 : 1;
        if (isnan(bound) || !in_time(c, last_s)) {
            continue;
        }
        double cost = metric_number(c, METRIC_ON_DEMAND_COST) + metric_number(c, METRIC_SPOT_COST);
        oracle += bound;
        nodes += cost;
        regrets[n++] = cost - bound;
    }
    struct world_quantiles q = {.mean = (double)NAN, .p90 = (double)NAN};
    if (known == 0) {
        return;
    }
    if (n > 0 && !world_quantiles(&q, regrets, NULL, n)) {
        rows_fail(rows);
        return;
    }
    rows_next(rows);
    rows_text(rows, study_strategy_name(study, strategy));
    rows_text(rows, study_workload_name(study, workload));
    rows_integer(rows, (int64_t)n);
    rows_integer(rows, worlds);
    rows_number(rows, n > 0 ? oracle / (double)n : (double)NAN);
    rows_number(rows, n > 0 ? nodes / (double)n : (double)NAN);
    rows_number(rows, q.mean);
    rows_number(rows, q.p90);
    rows_number(rows, nodes > 0 ? (nodes - oracle) / nodes : (double)NAN);
}

struct table *oracle_table(const struct run *run)
{
    struct result_rows rows;
    double *regrets = malloc(((size_t)run->results.bound_worlds + 1) * sizeof *regrets);
    rows_begin(&rows, "oracle", run->study->scenario->currency);
    if (regrets == NULL) {
        rows_fail(&rows);
    }
    for (size_t k = 0; regrets != NULL && k < run->results.strategies; k++) {
        for (size_t w = 0; run->results.bound_worlds > 0 && w < run->results.workloads; w++) {
            put_strategy(&rows, run, k, w, regrets);
        }
    }
    free(regrets);
    return rows_end(&rows);
}
