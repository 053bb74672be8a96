/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/bill_tables.h"

#include "engine/civil_time.h"
#include "scenarios/study/result_rows.h"
#include "scenarios/study/world_quantiles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One value per world while a row is made. */
struct worlds {
    size_t n;
    double *values;
    unsigned char *censored;
    size_t cut; /* censored ones */
};

static bool worlds_init(struct worlds *w, size_t n)
{
    *w = (struct worlds){.n = n};
    w->values = malloc((n + 1) * sizeof *w->values);
    w->censored = malloc(n + 1);
    return w->values != NULL && w->censored != NULL;
}

static void worlds_release(struct worlds *w)
{
    free(w->values);
    free(w->censored);
}

/* Marks the worlds in which this workload was cut off at the horizon. */
static void mark_cut(struct worlds *w, const struct results *r, size_t strategy, size_t workload)
{
    w->cut = 0;
    for (size_t i = 0; i < w->n; i++) {
        w->censored[i] = metric_cut(results_cells(r, (uint32_t)i, strategy, workload));
        w->cut += w->censored[i];
    }
}

/* ---- months ---- */

static const char *month_name(int64_t unix_s, char out[32])
{
    struct civil c = civil_from_unix(unix_s);
    snprintf(out, 32, "%04d-%02d", c.year, c.month);
    return out;
}

static bool ends_by_the_horizon(const struct rating_frame *f, size_t month)
{
    return month + 1 < f->months && f->month_start_us[month + 1] <= f->horizon_us;
}

static void put_month(struct result_rows *rows, const struct run *run, size_t strategy,
                      size_t month, struct worlds *w)
{
    const struct results *r = &run->results;
    const struct rating_frame *frame = &run->study->frame;
    uint32_t plan = run->plan_worlds[strategy];
    bool known = ends_by_the_horizon(frame, month);
    bool spent = frame->month_start_us[month] < frame->horizon_us;
    for (size_t i = 0; i < w->n; i++) {
        money_t v = results_months(r, (uint32_t)i, strategy)[month];
        w->values[i] = money_to_double(v);
        spent = spent || v != 0;
    }
    struct world_quantiles q;
    char name[32];
    if (!spent) {
        return;
    }
    if (!world_quantiles(&q, w->values, known ? NULL : w->censored, w->n)) {
        rows_fail(rows);
        return;
    }
    rows_next(rows);
    rows_text(rows, study_strategy_name(run->study, strategy));
    rows_text(rows,
              month_name(frame->start_unix_s + frame->month_start_us[month] / MICROSECONDS, name));
    rows_number(rows, q.mean);
    rows_money(rows, plan == UINT32_MAX ? COLUMN_MISSING_INTEGER
                                        : results_months(r, plan, strategy)[month]);
    rows_number(rows, q.p10);
    rows_number(rows, q.p90);
    rows_integer(rows, known ? 0 : (int64_t)w->cut);
}

struct table *monthly_table(const struct run *run)
{
    const struct results *r = &run->results;
    struct result_rows rows;
    struct worlds w;
    rows_begin(&rows, "monthly", run->study->scenario->currency);
    if (worlds_init(&w, r->replications)) {
        for (size_t k = 0; k < r->strategies; k++) {
            mark_cut(&w, r, k, r->workloads);
            for (size_t month = 0; month < r->months; month++) {
                put_month(&rows, run, k, month, &w);
            }
        }
    } else {
        rows_fail(&rows);
    }
    worlds_release(&w);
    return rows_end(&rows);
}

/* ---- lines ---- */

static void put_line(struct result_rows *rows, const struct run *run, size_t strategy,
                     size_t workload, int purchase, int activity, struct worlds *w)
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
}

/* Of unused and later cost all is known at the horizon. What is covered grows with the work, so
 * that its line, being negative, is at most what it is at the horizon: the quantiles are sure as
 * they are, and only the mean is not known. */
static void put_shared_line(struct result_rows *rows, const struct run *run, size_t strategy,
                            const struct shared_line *line, struct worlds *w)
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
    rows_text(rows, METRIC_SHARED_PURCHASE);
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
}

/* A line that falls as work goes on is at most what it is at the horizon: the quantiles are sure as
 * they are, and only the mean is not known. */
static bool falls_with_the_end(const struct run *run, size_t strategy, size_t row, size_t line)
{
    enum charge_kind kind = run->study->charges.items[line].kind;
    bool signs = run->study->strategies[strategy].commitments.count > 0;
    return kind == CHARGE_DISCOUNT || (row == run->results.workloads && signs &&
                                       (kind == CHARGE_SUPPORT || kind == CHARGE_TAX));
}

/* Other charges: of a workload, or of what they share (row `workloads`). */
static void put_other_line(struct result_rows *rows, const struct run *run, size_t strategy,
                           size_t row, size_t line, struct worlds *w)
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
}

/* All lines that may stand there, zero or not. */
static void put_other_lines(struct result_rows *rows, const struct run *run, size_t strategy,
                            size_t row, struct worlds *w)
{
    const struct charge_plan *charges = &run->study->charges;
    for (size_t i = 0; i < run->results.others; i++) {
        const struct charge_item *item = &charges->items[i];
        if (row == run->results.workloads ? item->shared_line : item->workload_line) {
            put_other_line(rows, run, strategy, row, i, w);
        }
    }
}

struct table *lines_table(const struct run *run)
{
    const struct results *r = &run->results;
    struct result_rows rows;
    struct worlds worlds;
    rows_begin(&rows, "lines", run->study->scenario->currency);
    if (!worlds_init(&worlds, r->replications)) {
        rows_fail(&rows);
    }
    for (size_t k = 0; !rows.failed && k < r->strategies; k++) {
        for (size_t w = 0; w < r->workloads; w++) {
            const struct work_plan *plan = run->study->strategies[k].plans[w];
            mark_cut(&worlds, r, k, w);
            for (int line = 0; line < PURCHASE_COUNT * ACTIVITY_COUNT; line++) {
                int purchase = line / ACTIVITY_COUNT;
                if (work_plan_buys(plan, (enum purchase)purchase)) {
                    put_line(&rows, run, k, w, purchase, line % ACTIVITY_COUNT, &worlds);
                }
            }
            put_other_lines(&rows, run, k, w, &worlds);
        }
        mark_cut(&worlds, r, k, r->workloads);
        put_other_lines(&rows, run, k, r->workloads, &worlds);
        bool signs = run->study->strategies[k].commitments.count > 0;
        for (size_t i = 0; signs && metric_shared_lines[i].activity != NULL; i++) {
            put_shared_line(&rows, run, k, &metric_shared_lines[i], &worlds);
        }
    }
    worlds_release(&worlds);
    return rows_end(&rows);
}
