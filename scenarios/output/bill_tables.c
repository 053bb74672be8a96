/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/bill_tables.h"

#include "scenarios/output/result_rows.h"
#include "scenarios/output/world_quantiles.h"
#include "scenarios/output/world_values.h"

#include <math.h>

static void put_line(struct result_rows *rows, const struct run *run, size_t strategy,
                     size_t workload, int purchase, int activity, struct world_values *w)
{
    const struct results *r = &run->results;
    uint32_t plan = run->plan_worlds[strategy];
    const struct metric_cells *world =
        plan == UINT32_MAX ? NULL : results_cells(r, plan, strategy, workload);
    double hours = 0;
    for (size_t i = 0; i < w->n; i++) {
        const struct metric_cells *c = results_cells(r, (uint32_t)i, strategy, workload);
        w->values[i] = money_to_double(c->line[purchase][activity]);
        hours += c->node_h[purchase][activity];
    }
    struct world_quantiles q;
    if (!world_quantiles(&q, w->values, w->censored, w->n)) {
        rows_fail(rows);
        return;
    }
    rows_next(rows);
    rows_text(rows, study_strategy_name(run->study, strategy));
    rows_text(rows, study_workload_name(run->study, workload));
    rows_text(rows, purchase_names[purchase]);
    rows_text(rows, activity_names[activity]);
    rows_number(rows, q.mean);
    rows_money(rows, world == NULL ? COLUMN_MISSING_INTEGER : world->line[purchase][activity]);
    rows_number(rows, q.p10);
    rows_number(rows, q.p90);
    rows_number(rows, w->cut == 0 && w->n > 0 ? hours / (double)w->n : (double)NAN);
    rows_number(rows, world == NULL ? (double)NAN : world->node_h[purchase][activity]);
    rows_integer(rows, (int64_t)w->cut);
    rows_text(rows, bill_category_names[bill_category_of_nodes((enum purchase)purchase)]);
}

/* Of unused and later cost all is known at the horizon. What is covered grows with the work, so
 * that its line, being negative, is at most what it is at the horizon: the quantiles are sure as
 * they are, and only the mean is not known. */
static void put_shared_line(struct result_rows *rows, const struct run *run, size_t strategy,
                            const char *purchase, const struct shared_line *line,
                            struct world_values *w)
{
    const struct results *r = &run->results;
    uint32_t plan = run->plan_worlds[strategy];
    w->cut = 0;
    for (size_t i = 0; i < w->n; i++) {
        const struct metric_cells *all = results_cells(r, (uint32_t)i, strategy, r->workloads);
        w->values[i] = line->sign * metric_number(all, line->metric);
        w->censored[i] = metric_censored(all, line->metric);
        w->cut += w->censored[i];
    }
    struct world_quantiles q;
    if (!world_quantiles(&q, w->values, line->sign < 0 ? NULL : w->censored, w->n)) {
        rows_fail(rows);
        return;
    }
    rows_next(rows);
    rows_text(rows, study_strategy_name(run->study, strategy));
    rows_text(rows, METRIC_SHARED_WORKLOAD);
    rows_text(rows, purchase);
    rows_text(rows, line->activity);
    rows_number(rows, w->cut == 0 ? q.mean : (double)NAN);
    rows_money(rows,
               plan == UINT32_MAX
                   ? COLUMN_MISSING_INTEGER
                   : line->sign *
                         results_cells(r, plan, strategy, r->workloads)->value[line->metric].money);
    rows_number(rows, q.p10);
    rows_number(rows, q.p90);
    rows_number(rows, (double)NAN);
    rows_number(rows, (double)NAN);
    rows_integer(rows, (int64_t)w->cut);
    rows_text(rows, bill_category_names[line->category]);
}

/* A line that falls as work goes on is at most what it is at the horizon: the quantiles are sure as
 * they are, and only the mean is not known. */
static bool falls_with_the_end(const struct run *run, size_t strategy, size_t row, size_t line)
{
    enum charge_kind kind = run->study->charges.items[line].kind;
    bool signs = study_is_covered(run->study, strategy) ||
                 run->study->charges.of_invoice; /* what is taken off stands on what is shared */
    return kind == CHARGE_DISCOUNT || kind == CHARGE_EDP || kind == CHARGE_EDP_SHORTFALL ||
           kind == CHARGE_CREDIT ||
           (row == run->results.workloads && signs &&
            (kind == CHARGE_SUPPORT || kind == CHARGE_TAX));
}

/* Other charges: of a workload, or of what they share (row `workloads`). */
static void put_other_line(struct result_rows *rows, const struct run *run, size_t strategy,
                           size_t row, size_t line, struct world_values *w)
{
    const struct results *r = &run->results;
    uint32_t plan = run->plan_worlds[strategy];
    size_t at = row * r->others + line;
    for (size_t i = 0; i < w->n; i++) {
        w->values[i] = money_to_double(results_others(r, (uint32_t)i, strategy)[at]);
    }
    struct world_quantiles q;
    bool falls = falls_with_the_end(run, strategy, row, line);
    if (!world_quantiles(&q, w->values, falls ? NULL : w->censored, w->n)) {
        rows_fail(rows);
        return;
    }
    rows_next(rows);
    rows_text(rows, study_strategy_name(run->study, strategy));
    rows_text(rows,
              row == r->workloads ? METRIC_SHARED_WORKLOAD : study_workload_name(run->study, row));
    rows_text(rows, "other");
    rows_text(rows, run->study->charges.items[line].name);
    rows_number(rows, falls && w->cut > 0 ? (double)NAN : q.mean);
    rows_money(rows,
               plan == UINT32_MAX ? COLUMN_MISSING_INTEGER : results_others(r, plan, strategy)[at]);
    rows_number(rows, q.p10);
    rows_number(rows, q.p90);
    rows_number(rows, (double)NAN);
    rows_number(rows, (double)NAN);
    rows_integer(rows, (int64_t)w->cut);
    rows_text(rows, bill_category_names[run->study->frame.other_category[line]]);
}

/* All lines that may stand there, zero or not. */
static void put_other_lines(struct result_rows *rows, const struct run *run, size_t strategy,
                            size_t row, struct world_values *w)
{
    const struct charge_plan *charges = &run->study->charges;
    for (size_t i = 0; i < run->results.others; i++) {
        const struct charge_item *item = &charges->items[i];
        if (row == run->results.workloads ? item->shared_line : item->workload_line) {
            put_other_line(rows, run, strategy, row, i, w);
        }
    }
}

/* Time for failures, data and evaluations has a line where there is any. */
static bool stands(const struct run *run, size_t strategy, size_t workload, int purchase,
                   int activity)
{
    const struct results *r = &run->results;
    bool any = activity <= ACTIVITY_WAITING;
    for (uint32_t i = 0; !any && i < r->replications; i++) {
        const struct metric_cells *c = results_cells(r, i, strategy, workload);
        any = c->node_h[purchase][activity] > 0 || c->line[purchase][activity] != 0;
    }
    return any;
}

struct table *lines_table(const struct run *run)
{
    const struct results *r = &run->results;
    struct result_rows rows;
    struct world_values worlds;
    rows_begin(&rows, "lines", run->study->scenario->currency);
    if (!world_values_init(&worlds, r->replications)) {
        rows_fail(&rows);
    }
    for (size_t k = 0; !rows.failed && k < r->strategies; k++) {
        for (size_t w = 0; w < r->workloads; w++) {
            const struct work_plan *plan = run->study->strategies[k].plans[w];
            world_values_mark_cut(&worlds, r, k, w);
            for (int line = 0; line < PURCHASE_COUNT * ACTIVITY_COUNT; line++) {
                int purchase = line / ACTIVITY_COUNT;
                if (work_plan_buys(plan, (enum purchase)purchase) &&
                    stands(run, k, w, purchase, line % ACTIVITY_COUNT)) {
                    put_line(&rows, run, k, w, purchase, line % ACTIVITY_COUNT, &worlds);
                }
            }
            put_other_lines(&rows, run, k, w, &worlds);
        }
        world_values_mark_cut(&worlds, r, k, r->workloads);
        put_other_lines(&rows, run, k, r->workloads, &worlds);
        bool covered = study_is_covered(run->study, k);
        for (size_t i = 0; covered && study_shared_line(run->study, i) != NULL; i++) {
            put_shared_line(&rows, run, k, METRIC_SHARED_PURCHASE, study_shared_line(run->study, i),
                            &worlds);
        }
        if (run->study->strategies[k].commitments.reservations.count > 0) {
            put_shared_line(&rows, run, k, METRIC_RESERVED_PURCHASE, &metric_reservation_line,
                            &worlds);
        }
        bool owns = run->study->strategies[k].owned_count > 0;
        for (size_t i = 0; owns && metric_owned_lines[i].activity != NULL; i++) {
            put_shared_line(&rows, run, k, purchase_names[PURCHASE_OWNED], &metric_owned_lines[i],
                            &worlds);
        }
        if (run->study->strategies[k].window_count > 0) {
            put_shared_line(&rows, run, k, purchase_names[PURCHASE_BLOCK], &metric_block_line,
                            &worlds);
        }
    }
    world_values_release(&worlds);
    return rows_end(&rows);
}
