/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/month_tables.h"

#include "engine/civil_time.h"
#include "scenarios/output/result_rows.h"
#include "scenarios/output/world_quantiles.h"
#include "scenarios/output/world_values.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

static const char *month_name(int64_t unix_s, char out[32])
{
    struct civil c = civil_from_unix(unix_s);
    snprintf(out, 32, "%04d-%02d", c.year, c.month);
    return out;
}

/* Months since the beginning of the fiscal year. */
static int month_of_year(struct civil c, int first_month)
{
    return (c.month - first_month + 12) % 12;
}

const char *fiscal_quarter_name(int64_t unix_s, int first_month, char out[32])
{
    assert(1 <= first_month && first_month <= 12);
    struct civil c = civil_from_unix(unix_s);
    int year = c.year + (first_month > 1 && c.month >= first_month);
    snprintf(out, 32, "FY%04d Q%d", year, 1 + month_of_year(c, first_month) / 3);
    return out;
}

/* ---- periods of whole months ---- */

/* Months first … last of the frame. */
struct period {
    size_t first, last;
};

/* What is told of a period. */
enum period_measure { PERIOD_COST, PERIOD_CASH, PERIOD_AMORTISED, PERIOD_MEASURES };

static const money_t *months_of(const struct run *run, uint32_t world, size_t strategy,
                                enum period_measure m)
{
    const struct results *r = &run->results;
    const size_t row = m == PERIOD_CASH ? BILL_ROW_CASH : BILL_ROW_AMORTISED;
    return m == PERIOD_COST ? results_months(r, world, strategy)
                            : results_by_month(r, world, strategy) + row * r->months;
}

static money_t sum_over(const money_t *months, struct period p)
{
    money_t sum = 0; /* of parts of a total that fits */
    for (size_t i = p.first; i <= p.last; i++) {
        sum += months[i];
    }
    return sum;
}

static int64_t month_start(const struct run *run, size_t month)
{
    const struct rating_frame *f = &run->study->frame;
    return f->start_unix_s + f->month_start_us[month] / MICROSECONDS;
}

/* What is spent in it is then known, whatever was cut off. */
static bool ends_by_the_horizon(const struct rating_frame *f, size_t month)
{
    return month + 1 < f->months && f->month_start_us[month + 1] <= f->horizon_us;
}

/* Begins inside the horizon, or costs something in some world. */
static bool is_shown(const struct run *run, size_t strategy, struct period p)
{
    const struct rating_frame *f = &run->study->frame;
    bool shown = f->month_start_us[p.first] < f->horizon_us;
    for (uint32_t i = 0; !shown && i < run->results.replications; i++) {
        shown = sum_over(results_months(&run->results, i, strategy), p) != 0;
    }
    return shown;
}

/* Mean, plan world, P10 and P90 of w->values, money of the plan world. */
static void put_spread(struct result_rows *rows, const struct world_values *w, bool known,
                       money_t plan)
{
    struct world_quantiles q;
    if (!world_quantiles(&q, w->values, known ? NULL : w->censored, w->n)) {
        rows_fail(rows);
        return;
    }
    rows_number(rows, q.mean);
    rows_money(rows, plan);
    rows_number(rows, q.p10);
    rows_number(rows, q.p90);
}

static void put_measure(struct result_rows *rows, const struct run *run, size_t strategy,
                        struct period p, enum period_measure m, struct world_values *w)
{
    uint32_t plan = run->plan_worlds[strategy];
    for (size_t i = 0; i < w->n; i++) {
        w->values[i] = money_to_double(sum_over(months_of(run, (uint32_t)i, strategy, m), p));
    }
    put_spread(rows, w, ends_by_the_horizon(&run->study->frame, p.last),
               plan == UINT32_MAX ? COLUMN_MISSING_INTEGER
                                  : sum_over(months_of(run, plan, strategy, m), p));
}

static void put_censored(struct result_rows *rows, const struct run *run, struct period p,
                         const struct world_values *w)
{
    rows_integer(rows, ends_by_the_horizon(&run->study->frame, p.last) ? 0 : (int64_t)w->cut);
}

/* ---- monthly.csv ---- */

static void put_month(struct result_rows *rows, const struct run *run, size_t strategy,
                      struct period p, struct world_values *w)
{
    char name[32];
    rows_next(rows);
    rows_text(rows, study_strategy_name(run->study, strategy));
    rows_text(rows, month_name(month_start(run, p.first), name));
    put_measure(rows, run, strategy, p, PERIOD_COST, w);
    put_censored(rows, run, p, w);
    put_measure(rows, run, strategy, p, PERIOD_CASH, w);
    put_measure(rows, run, strategy, p, PERIOD_AMORTISED, w);
}

/* ---- quarters.csv ---- */

static void put_quarter(struct result_rows *rows, const struct run *run, size_t strategy,
                        struct period p, struct world_values *w)
{
    char name[32];
    /* Months behind that cost nothing are no part of it. */
    while (p.last > p.first && !is_shown(run, strategy, (struct period){p.last, p.last})) {
        p.last--;
    }
    rows_next(rows);
    rows_text(rows, study_strategy_name(run->study, strategy));
    rows_text(rows, fiscal_quarter_name(month_start(run, p.first),
                                        run->study->scenario->fiscal_year, name));
    rows_text(rows, month_name(month_start(run, p.first), name));
    rows_text(rows, month_name(month_start(run, p.last), name));
    for (int m = 0; m < PERIOD_MEASURES; m++) {
        put_measure(rows, run, strategy, p, (enum period_measure)m, w);
    }
    put_censored(rows, run, p, w);
}

/* The last month of the frame in the fiscal quarter of month `first`. */
static size_t quarter_end(const struct run *run, size_t first)
{
    struct civil c = civil_from_unix(month_start(run, first));
    size_t left = 2 - (size_t)(month_of_year(c, run->study->scenario->fiscal_year) % 3);
    size_t last = run->results.months - 1;
    return first + left < last ? first + left : last;
}

/* ---- categories.csv ---- */

static const money_t *category_of(const struct run *run, uint32_t world, size_t strategy,
                                  size_t category)
{
    return results_by_month(&run->results, world, strategy) +
           (BILL_ROW_CATEGORY + category) * run->results.months;
}

/* Some month of some world has an amount. */
static bool has_category(const struct run *run, size_t strategy, size_t category)
{
    for (uint32_t i = 0; i < run->results.replications; i++) {
        for (size_t m = 0; m < run->results.months; m++) {
            if (category_of(run, i, strategy, category)[m] != 0) {
                return true;
            }
        }
    }
    return false;
}

static void put_category(struct result_rows *rows, const struct run *run, size_t strategy,
                         size_t month, size_t category, struct world_values *w)
{
    const struct period p = {month, month};
    uint32_t plan = run->plan_worlds[strategy];
    char name[32];
    for (size_t i = 0; i < w->n; i++) {
        w->values[i] = money_to_double(category_of(run, (uint32_t)i, strategy, category)[month]);
    }
    /* A discount that falls as work goes on is at most what it is when it is cut off: its quantiles
     * are sure as they are, and only the mean is not known. */
    bool known = ends_by_the_horizon(&run->study->frame, month);
    struct world_quantiles q;
    if (!world_quantiles(&q, w->values, known || category == BILL_DISCOUNT ? NULL : w->censored,
                         w->n)) {
        rows_fail(rows);
        return;
    }
    rows_next(rows);
    rows_text(rows, study_strategy_name(run->study, strategy));
    rows_text(rows, month_name(month_start(run, month), name));
    rows_text(rows, bill_category_names[category]);
    rows_number(rows, known || w->cut == 0 ? q.mean : (double)NAN);
    rows_money(rows, plan == UINT32_MAX ? COLUMN_MISSING_INTEGER
                                        : category_of(run, plan, strategy, category)[month]);
    rows_number(rows, q.p10);
    rows_number(rows, q.p90);
    put_censored(rows, run, p, w);
}

static void put_categories(struct result_rows *rows, const struct run *run, size_t strategy,
                           struct world_values *w)
{
    bool has[BILL_CATEGORY_COUNT];
    for (size_t c = 0; c < BILL_CATEGORY_COUNT; c++) {
        has[c] = has_category(run, strategy, c);
    }
    world_values_mark_cut(w, &run->results, strategy, run->results.workloads);
    for (size_t month = 0; month < run->results.months; month++) {
        bool shown = is_shown(run, strategy, (struct period){month, month});
        for (size_t c = 0; shown && c < BILL_CATEGORY_COUNT; c++) {
            if (has[c]) {
                put_category(rows, run, strategy, month, c, w);
            }
        }
    }
}

/* ---- the tables ---- */

typedef void period_putter(struct result_rows *rows, const struct run *run, size_t strategy,
                           struct period p, struct world_values *w);

static struct table *periods_table(const struct run *run, const char *layout, bool quarters,
                                   period_putter *put)
{
    const struct results *r = &run->results;
    struct result_rows rows;
    struct world_values w;
    rows_begin(&rows, layout, run->study->scenario->currency);
    if (!world_values_init(&w, r->replications)) {
        rows_fail(&rows);
    }
    for (size_t k = 0; !rows.failed && k < r->strategies; k++) {
        world_values_mark_cut(&w, r, k, r->workloads);
        struct period p = {0, 0};
        for (; p.first < r->months; p.first = p.last + 1) {
            p.last = quarters ? quarter_end(run, p.first) : p.first;
            if (is_shown(run, k, p)) {
                put(&rows, run, k, p, &w);
            }
        }
    }
    world_values_release(&w);
    return rows_end(&rows);
}

struct table *monthly_table(const struct run *run)
{
    return periods_table(run, "monthly", false, put_month);
}

struct table *quarters_table(const struct run *run)
{
    return periods_table(run, "quarters", true, put_quarter);
}

struct table *categories_table(const struct run *run)
{
    struct result_rows rows;
    struct world_values w;
    rows_begin(&rows, "categories", run->study->scenario->currency);
    if (!world_values_init(&w, run->results.replications)) {
        rows_fail(&rows);
    }
    for (size_t k = 0; !rows.failed && k < run->results.strategies; k++) {
        put_categories(&rows, run, k, &w);
    }
    world_values_release(&w);
    return rows_end(&rows);
}
