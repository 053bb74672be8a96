/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/result_tables.h"

#include "engine/civil_time.h"
#include "engine/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONFIDENCE 0.95
/* More points than a chart can show; the file stays small at any number of replications. */
#define DISTRIBUTION_POINTS 1000

/* What every table needs while it is filled. */
struct filling {
    const struct run *run;
    struct arena *arena;
    struct table *table;
    double *values, *others; /* one per replication */
    unsigned char *censored, *others_censored;
    bool ok;
};

static const char *workload_label(const struct filling *f, size_t workload)
{
    return workload == f->run->results.workloads ? "all"
                                                 : study_workload_name(f->run->study, workload);
}

static bool filling_begin(struct filling *f, const struct run *run, const char *name)
{
    size_t n = (size_t)run->results.replications + 1;
    *f = (struct filling){.run = run, .arena = arena_new(0), .ok = true};
    f->values = malloc(n * sizeof *f->values);
    f->others = malloc(n * sizeof *f->others);
    f->censored = malloc(n);
    f->others_censored = malloc(n);
    struct result_table_layout layout;
    f->ok = f->arena != NULL && f->values != NULL && f->others != NULL && f->censored != NULL &&
            f->others_censored != NULL &&
            result_table_layout(name, run->study->scenario->currency, f->arena, &layout);
    f->table = f->ok ? table_new(layout.name, layout.columns, layout.count) : NULL;
    f->ok = f->table != NULL;
    return f->ok;
}

static struct table *filling_end(struct filling *f)
{
    free(f->values);
    free(f->others);
    free(f->censored);
    free(f->others_censored);
    arena_free(f->arena);
    if (!f->ok) {
        table_free(f->table);
        return NULL;
    }
    return f->table;
}

/* A row whose cells are set in order. */
struct row {
    struct table *table;
    size_t row, column;
};

static struct row add_row(struct filling *f)
{
    struct row r = {f->table, table_add_row(f->table), 0};
    f->ok = f->ok && r.row != SIZE_MAX;
    return r;
}

static void put_text(struct row *r, const char *text)
{
    if (r->row != SIZE_MAX) {
        table_set_text(r->table, r->row, r->column, text);
    }
    r->column++;
}

static void put(struct row *r, double value)
{
    if (r->row != SIZE_MAX) {
        table_set_number(r->table, r->row, r->column, value);
    }
    r->column++;
}

static void put_integer(struct row *r, int64_t value)
{
    if (r->row != SIZE_MAX) {
        table_set_integer(r->table, r->row, r->column, value);
    }
    r->column++;
}

static void put_money(struct row *r, money_t value)
{
    if (r->row != SIZE_MAX) {
        table_set_money(r->table, r->row, r->column, value);
    }
    r->column++;
}

static double finite_or_missing(double v)
{
    return isfinite(v) ? v : (double)NAN;
}

/* ---- summary ---- */

static void summary_row(struct filling *f, size_t strategy, size_t workload, enum metric m)
{
    static const double quantiles[] = {0.05, 0.10, 0.25, 0.50, 0.75, 0.80, 0.90, 0.95, 0.99};
    static const int with_interval[] = {3, 5, 6, 7};
    const struct run *run = f->run;
    size_t count = sizeof quantiles / sizeof quantiles[0];
    results_column(&run->results, strategy, workload, m, f->values, f->censored);
    struct sample *s = sample_new(f->values, f->censored, run->results.replications);
    if (s == NULL) {
        f->ok = false;
        return;
    }
    if (sample_count(s) > 0) {
        char column[64], unit[16];
        const char *currency = run->study->scenario->currency;
        struct quantile q[sizeof quantiles / sizeof quantiles[0]];
        struct row r = add_row(f);
        put_text(&r, study_strategy_name(run->study, strategy));
        put_text(&r, workload_label(f, workload));
        put_text(&r, metric_column(m, currency, column));
        put_text(&r, metric_unit(m, currency, unit));
        put_integer(&r, (int64_t)sample_count(s));
        put_integer(&r, (int64_t)sample_censored(s));
        put(&r, sample_mean(s));
        put(&r, sample_sd(s));
        put(&r, sample_min(s));
        for (size_t i = 0; i < count; i++) {
            q[i] = sample_quantile(s, quantiles[i], CONFIDENCE);
            put(&r, q[i].known ? q[i].value : (double)NAN);
        }
        put(&r, sample_max(s));
        for (size_t i = 0; i < 4; i++) {
            put(&r, finite_or_missing(q[with_interval[i]].low));
            put(&r, finite_or_missing(q[with_interval[i]].high));
        }
        for (size_t i = 0; i < 4; i++) {
            const struct quantile *one = &q[with_interval[i]];
            put(&r, one->known ? (double)NAN : finite_or_missing(one->at_least));
        }
        for (size_t i = 0; i < 4; i++) {
            const struct quantile *one = &q[with_interval[i]];
            put(&r, one->known ? (double)NAN : finite_or_missing(one->at_most));
        }
    }
    sample_free(s);
}

static struct table *make_summary(const struct run *run)
{
    struct filling f;
    if (filling_begin(&f, run, "summary")) {
        for (size_t k = 0; k < run->results.strategies; k++) {
            for (size_t w = 0; w <= run->results.workloads; w++) {
                for (int m = 0; m < METRIC_COUNT; m++) {
                    summary_row(&f, k, w, (enum metric)m);
                }
            }
        }
    }
    return filling_end(&f);
}

/* ---- comparison ---- */

static void comparison_row(struct filling *f, size_t strategy, size_t workload, enum metric m)
{
    const struct run *run = f->run;
    const struct study *study = run->study;
    size_t n = run->results.replications;
    results_column(&run->results, strategy, workload, m, f->values, f->censored);
    results_column(&run->results, study->baseline, workload, m, f->others, f->others_censored);
    struct paired p = paired_difference(f->values, f->censored, f->others, f->others_censored, n);
    if (p.n + p.left_out == 0) {
        return;
    }
    struct sample *base = sample_new(f->others, f->others_censored, n);
    double base_mean = base == NULL ? (double)NAN : sample_mean(base);
    char column[64], unit[16];
    struct row r = add_row(f);
    put_text(&r, study_strategy_name(study, strategy));
    put_text(&r, study_strategy_name(study, study->baseline));
    put_text(&r, workload_label(f, workload));
    put_text(&r, metric_column(m, study->scenario->currency, column));
    put_text(&r, metric_unit(m, study->scenario->currency, unit));
    put_integer(&r, (int64_t)p.n);
    put_integer(&r, (int64_t)p.left_out);
    put(&r, p.mean);
    put(&r, p.low);
    put(&r, p.high);
    put(&r, p.n > 0 ? p.win_share : (double)NAN);
    put(&r, p.n > 0 ? p.tie_share : (double)NAN);
    put(&r, base_mean > 0 || base_mean < 0 ? p.mean / base_mean : (double)NAN);
    sample_free(base);
}

static struct table *make_comparison(const struct run *run)
{
    struct filling f;
    if (filling_begin(&f, run, "comparison")) {
        for (size_t k = 0; k < run->results.strategies; k++) {
            for (size_t w = 0; k != run->study->baseline && w <= run->results.workloads; w++) {
                for (int m = 0; m < METRIC_COUNT; m++) {
                    comparison_row(&f, k, w, (enum metric)m);
                }
            }
        }
    }
    return filling_end(&f);
}

/* ---- distribution ---- */

struct point {
    double value;
    bool censored;
};

static int compare_points(const void *a, const void *b)
{
    const struct point *x = a;
    const struct point *y = b;
    if (x->value < y->value || x->value > y->value) {
        return x->value < y->value ? -1 : 1;
    }
    return (int)x->censored - (int)y->censored;
}

static void distribution_rows(struct filling *f, size_t strategy, size_t workload, enum metric m)
{
    const struct run *run = f->run;
    size_t n = run->results.replications;
    struct point *points = malloc((n + 1) * sizeof *points);
    if (points == NULL) {
        f->ok = false;
        return;
    }
    results_column(&run->results, strategy, workload, m, f->values, f->censored);
    for (size_t i = 0; i < n; i++) {
        points[i] = (struct point){f->values[i], f->censored[i] != 0};
    }
    qsort(points, n, sizeof *points, compare_points);
    size_t rows = n < DISTRIBUTION_POINTS ? n : DISTRIBUTION_POINTS;
    char column[64];
    metric_column(m, run->study->scenario->currency, column);
    for (size_t i = 1; i <= rows && f->ok; i++) {
        size_t rank = i * n / rows; /* rank of rank/n: the last point is the largest value */
        const struct point *p = &points[rank - 1];
        struct row r = add_row(f);
        put_text(&r, study_strategy_name(run->study, strategy));
        put_text(&r, workload_label(f, workload));
        put_text(&r, column);
        put(&r, p->value);
        put(&r, (double)rank / (double)n);
        put_integer(&r, p->censored);
    }
    free(points);
}

static struct table *make_distribution(const struct run *run)
{
    struct filling f;
    if (filling_begin(&f, run, "distribution")) {
        for (size_t k = 0; k < run->results.strategies; k++) {
            for (size_t w = 0; w <= run->results.workloads; w++) {
                distribution_rows(&f, k, w, METRIC_COST);
                distribution_rows(&f, k, w, METRIC_TIME_TO_TRAIN);
            }
        }
    }
    return filling_end(&f);
}

/* ---- means and quantiles of a column of plain numbers ---- */

struct spread {
    double mean, p10, p25, p50, p75, p90;
};

static struct spread spread_of(const double *values, size_t n, bool *ok)
{
    struct spread out = {(double)NAN, (double)NAN, (double)NAN,
                         (double)NAN, (double)NAN, (double)NAN};
    struct sample *s = sample_new(values, NULL, n);
    if (s == NULL) {
        *ok = false;
        return out;
    }
    if (n > 0) {
        out.mean = sample_mean(s);
        out.p10 = sample_quantile(s, 0.10, CONFIDENCE).value;
        out.p25 = sample_quantile(s, 0.25, CONFIDENCE).value;
        out.p50 = sample_quantile(s, 0.50, CONFIDENCE).value;
        out.p75 = sample_quantile(s, 0.75, CONFIDENCE).value;
        out.p90 = sample_quantile(s, 0.90, CONFIDENCE).value;
    }
    sample_free(s);
    return out;
}

/* ---- timeline ---- */

/* measure TIMELINE_MEASURES: the running sum of the spend. */
static void timeline_rows(struct filling *f, size_t strategy, int measure)
{
    const struct run *run = f->run;
    const struct timeline *t = &run->timeline;
    char unit[16], name[64];
    metric_unit(METRIC_COST, run->study->scenario->currency, unit);
    bool cumulative = measure == TIMELINE_MEASURES;
    enum timeline_measure m = cumulative ? TIMELINE_SPEND : (enum timeline_measure)measure;
    if (m == TIMELINE_SPEND) {
        snprintf(name, sizeof name, "%s_%s", cumulative ? "cumulative" : "spend", unit);
    } else {
        snprintf(name, sizeof name, "%s",
                 m == TIMELINE_ON_DEMAND_NODES ? "on_demand_nodes" : "spot_nodes");
        unit[0] = '\0';
    }
    double plan = 0;
    memset(f->values, 0, t->replications * sizeof *f->values);
    for (size_t b = 0; b < t->buckets && f->ok; b++) {
        for (uint32_t i = 0; i < t->replications; i++) {
            double v = (double)timeline_world(t, i, strategy, m)[b];
            f->values[i] = cumulative ? f->values[i] + v : v;
        }
        double v = timeline_plan(t, strategy, m)[b];
        plan = cumulative ? plan + v : v;
        struct spread s = spread_of(f->values, t->replications, &f->ok);
        struct row r = add_row(f);
        double start_s = (double)b * (double)t->bucket_us / 1e6;
        put_text(&r, study_strategy_name(run->study, strategy));
        put_integer(&r, run->study->scenario->start.unix_s + (int64_t)start_s);
        put(&r, start_s);
        put(&r, (double)t->bucket_us / 1e6);
        put_text(&r, name);
        put_text(&r, unit);
        put(&r, s.mean);
        put(&r, plan);
        put(&r, s.p10);
        put(&r, s.p25);
        put(&r, s.p50);
        put(&r, s.p75);
        put(&r, s.p90);
    }
}

static struct table *make_timeline(const struct run *run)
{
    struct filling f;
    if (filling_begin(&f, run, "timeline") && run->timeline.worlds != NULL) {
        for (size_t k = 0; k < run->results.strategies; k++) {
            timeline_rows(&f, k, TIMELINE_SPEND);
            timeline_rows(&f, k, TIMELINE_MEASURES);
            timeline_rows(&f, k, TIMELINE_ON_DEMAND_NODES);
            timeline_rows(&f, k, TIMELINE_SPOT_NODES);
        }
    }
    return filling_end(&f);
}

/* ---- months ---- */

static void monthly_rows(struct filling *f, size_t strategy)
{
    const struct run *run = f->run;
    const struct results *r = &run->results;
    const struct rating_frame *frame = &run->study->frame;
    int64_t censored = 0;
    for (uint32_t i = 0; i < r->replications; i++) {
        censored += metric_censored(results_cells(r, i, strategy, r->workloads), METRIC_COST);
    }
    for (size_t month = 0; month < frame->months && f->ok; month++) {
        money_t most = 0;
        for (uint32_t i = 0; i < r->replications; i++) {
            money_t v = results_months(r, i, strategy)[month];
            f->values[i] = money_to_double(v);
            most = v > most ? v : most;
        }
        bool inside = frame->month_start_us[month] < frame->horizon_us;
        if (!inside && most == 0) {
            continue; /* months after the horizon are shown only when something is finished there */
        }
        struct spread s = spread_of(f->values, r->replications, &f->ok);
        int64_t start = frame->start_unix_s + frame->month_start_us[month] / MICROSECONDS;
        struct civil c = civil_from_unix(start);
        char name[32];
        snprintf(name, sizeof name, "%04d-%02d", c.year, c.month);
        uint32_t plan = run->plan_worlds[strategy];
        struct row row = add_row(f);
        put_text(&row, study_strategy_name(run->study, strategy));
        put_text(&row, name);
        put(&row, s.mean);
        put_money(&row, plan == UINT32_MAX ? COLUMN_MISSING_INTEGER
                                           : results_months(r, plan, strategy)[month]);
        put(&row, s.p10);
        put(&row, s.p90);
        put_integer(&row, censored);
    }
}

static struct table *make_monthly(const struct run *run)
{
    struct filling f;
    if (filling_begin(&f, run, "monthly")) {
        for (size_t k = 0; k < run->results.strategies; k++) {
            monthly_rows(&f, k);
        }
    }
    return filling_end(&f);
}

/* ---- lines ---- */

static void line_row(struct filling *f, size_t strategy, size_t workload, int purchase,
                     int activity)
{
    const struct run *run = f->run;
    const struct results *r = &run->results;
    double hours = 0;
    for (uint32_t i = 0; i < r->replications; i++) {
        const struct metric_cells *c = results_cells(r, i, strategy, workload);
        f->values[i] = money_to_double(c->line[purchase][activity]);
        hours += (double)c->node_h[purchase][activity];
    }
    struct spread s = spread_of(f->values, r->replications, &f->ok);
    uint32_t plan = run->plan_worlds[strategy];
    const struct metric_cells *world =
        plan == UINT32_MAX ? NULL : results_cells(r, plan, strategy, workload);
    struct row row = add_row(f);
    put_text(&row, study_strategy_name(run->study, strategy));
    put_text(&row, workload_label(f, workload));
    put_text(&row, purchase_names[purchase]);
    put_text(&row, activity_names[activity]);
    put(&row, s.mean);
    put_money(&row, world == NULL ? COLUMN_MISSING_INTEGER : world->line[purchase][activity]);
    put(&row, s.p10);
    put(&row, s.p90);
    put(&row, r->replications > 0 ? hours / r->replications : (double)NAN);
    put(&row, world == NULL ? (double)NAN : (double)world->node_h[purchase][activity]);
}

static struct table *make_lines(const struct run *run)
{
    struct filling f;
    if (filling_begin(&f, run, "lines")) {
        for (size_t k = 0; k < run->results.strategies; k++) {
            for (size_t w = 0; w < run->results.workloads; w++) {
                for (int p = 0; p < PURCHASE_COUNT; p++) {
                    for (int a = 0; a < ACTIVITY_COUNT && f.ok; a++) {
                        if (run->study->strategies[k].plans[w].pools[p] >= 0) {
                            line_row(&f, k, w, p, a);
                        }
                    }
                }
            }
        }
    }
    return filling_end(&f);
}

bool result_tables_make(struct result_tables *t, const struct run *run)
{
    *t = (struct result_tables){
        .summary = make_summary(run),
        .comparison = make_comparison(run),
        .distribution = make_distribution(run),
        .timeline = make_timeline(run),
        .monthly = make_monthly(run),
        .lines = make_lines(run),
    };
    if (t->summary == NULL || t->comparison == NULL || t->distribution == NULL ||
        t->timeline == NULL || t->monthly == NULL || t->lines == NULL) {
        result_tables_release(t);
        return false;
    }
    return true;
}

void result_tables_release(struct result_tables *t)
{
    table_free(t->summary);
    table_free(t->comparison);
    table_free(t->distribution);
    table_free(t->timeline);
    table_free(t->monthly);
    table_free(t->lines);
    *t = (struct result_tables){0};
}
