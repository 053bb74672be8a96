/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/plan_world_table.h"

#include "scenarios/output/result_rows.h"
#include "scenarios/study/simulation.h"

#include <math.h>

static void put_entry(struct result_rows *rows, const struct run *run, size_t strategy,
                      const struct trail_entry *e, size_t left_out)
{
    const struct study *s = run->study;
    const struct pool_info *pool = e->pool < 0 ? NULL : market_pool_info(s->market, e->pool);
    rows_next(rows);
    rows_text(rows, study_strategy_name(s, strategy));
    rows_text(rows, study_workload_name(s, e->workload));
    rows_integer(rows, run->plan_worlds[strategy]);
    rows_integer(rows, s->scenario->start.unix_s + (int64_t)floor(e->start_s));
    rows_number(rows, e->start_s);
    rows_number(rows, e->end_s);
    rows_text(rows, e->is_mark ? trail_mark_names[e->mark] : trail_state_names[e->state]);
    rows_text(rows, pool == NULL ? NULL : purchase_names[pool->purchase]);
    rows_text(rows, pool == NULL ? NULL : pool->zone);
    rows_integer(rows, e->is_mark ? COLUMN_MISSING_INTEGER : (int64_t)e->nodes);
    rows_integer(rows, (int64_t)left_out);
}

/* Work of kinds that leave no trail (jobs, trials) has an end all the same. */
static void put_end(struct result_rows *rows, const struct run *run, size_t strategy,
                    uint32_t workload)
{
    const struct metric_cells *c =
        results_cells(&run->results, run->plan_worlds[strategy], strategy, workload);
    double end_s = c->value[METRIC_TIME_TO_TRAIN].number * 3600;
    bool done = c->value[METRIC_FINISHED].number > 0;
    if (isnan(end_s)) {
        return; /* it has none, or is cancelled */
    }
    const struct trail_entry e = {.start_s = end_s,
                                  .end_s = end_s,
                                  .workload = workload,
                                  .is_mark = true,
                                  .mark = done ? TRAIL_DONE : TRAIL_CUT,
                                  .pool = -1};
    put_entry(rows, run, strategy, &e, 0);
}

static void put_strategy(struct result_rows *rows, const struct run *run, struct simulation *sim,
                         size_t strategy)
{
    const uint32_t world = run->plan_worlds[strategy];
    struct trail *trail = trail_new(PLAN_WORLD_ROWS);
    const struct simulation_outputs out = {.trail = trail};
    /* The world ran before, so only memory can fail. */
    if (trail == NULL || !simulation_begin_world(sim, world) ||
        !simulation_run_strategy(sim, strategy, &out)) {
        rows_fail(rows);
    }
    size_t i = 0;
    for (uint32_t w = 0; !rows->failed && w < run->study->workload_count; w++) {
        size_t first = i;
        while (i < trail_count(trail) && trail_at(trail, i)->workload == w) {
            put_entry(rows, run, strategy, trail_at(trail, i++), trail_dropped(trail));
        }
        if (i == first) {
            put_end(rows, run, strategy, w);
        }
    }
    trail_free(trail);
}

struct table *plan_world_table(const struct run *run)
{
    struct simulation *sim = simulation_new(run->study);
    struct result_rows rows;
    rows_begin(&rows, "plan_world", run->study->scenario->currency);
    if (sim == NULL) {
        rows_fail(&rows);
    }
    for (size_t k = 0; !rows.failed && k < run->study->strategy_count; k++) {
        if (run->plan_worlds[k] != UINT32_MAX) {
            put_strategy(&rows, run, sim, k);
        }
    }
    simulation_free(sim);
    return rows_end(&rows);
}
