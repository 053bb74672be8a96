/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/hour_tables.h"

#include "scenarios/output/result_rows.h"

#include <math.h>

static double share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : (double)NAN;
}

static void put_cell(struct result_rows *rows, const struct hour_cell *c)
{
    rows_number(rows, hour_cell_mean(c));
    rows_number(rows, hour_cell_quantile(c, 0.1));
    rows_number(rows, hour_cell_quantile(c, 0.5));
    rows_number(rows, hour_cell_quantile(c, 0.9));
    rows_number(rows, share(c->overloaded, c->hours));
    rows_number(rows, share(c->met, c->judged));
    rows_number(rows, 1e-3 * share(c->ended, c->hours));
    rows_integer(rows, (int64_t)c->hours);
}

static void put_name(struct result_rows *rows, const struct run *run, size_t strategy,
                     size_t workload, const char *by)
{
    rows_next(rows);
    rows_text(rows, study_strategy_name(run->study, strategy));
    rows_text(rows, study_workload_name(run->study, workload));
    rows_text(rows, by);
}

static void put_service(struct result_rows *rows, const struct run *run, size_t strategy,
                        size_t workload, const struct hour_cell *cells)
{
    const struct hour_results *r = &run->hours;
    for (size_t k = 0; k < r->buckets; k++) {
        const double start_s = (double)k * r->bucket_s;
        if (cells[k].hours == 0) {
            continue; /* it begins later, or ends earlier, in all worlds */
        }
        put_name(rows, run, strategy, workload, "horizon");
        rows_integer(rows, r->start_unix_s + (int64_t)start_s);
        rows_number(rows, start_s);
        rows_number(rows, fmin(start_s + r->bucket_s, r->horizon_s));
        rows_integer(rows, COLUMN_MISSING_INTEGER);
        put_cell(rows, &cells[k]);
    }
    for (size_t k = 0; k < HOUR_LOG_WEEK; k++) {
        const struct hour_cell *c = &cells[r->buckets + k];
        if (c->hours == 0) {
            continue;
        }
        put_name(rows, run, strategy, workload, "week");
        rows_integer(rows, COLUMN_MISSING_INTEGER);
        rows_number(rows, (double)NAN);
        rows_number(rows, (double)NAN);
        rows_integer(rows, (int64_t)k);
        put_cell(rows, c);
    }
}

struct table *service_hours_table(const struct run *run)
{
    struct result_rows rows;
    rows_begin(&rows, "service_hours", run->study->scenario->currency);
    for (size_t k = 0; run->hours.any && k < run->hours.strategies; k++) {
        for (size_t w = 0; w < run->hours.workloads; w++) {
            const struct hour_cell *cells = hour_results_cells(&run->hours, k, w);
            if (cells != NULL) {
                put_service(&rows, run, k, w, cells);
            }
        }
    }
    return rows_end(&rows);
}
