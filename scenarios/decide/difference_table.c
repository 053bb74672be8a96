/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/difference_table.h"

#include "scenarios/study/study.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    STRATEGY,
    WORKLOAD,
    METRIC,
    STAT,
    UNIT,
    IN_A,
    IN_B,
    CHANGE,
    CHANGE_LOW,
    CHANGE_HIGH,
    CHANGE_FRAC,
    AT_LEAST,
    AT_MOST,
    WORLDS,
    LEFT_OUT,
    VERDICT,
    COLUMNS
};

const struct column difference_columns[DIFFERENCE_COLUMNS] = {
    {"strategy", "", "Name of the strategy", COLUMN_TEXT, 0},
    {"workload", "", "Name of the workload; `all` for all of them together", COLUMN_TEXT, 0},
    {"metric", "", "Metric, as a column of replications.csv", COLUMN_TEXT, 0},
    {"stat", "", "What of its distribution: mean, p50 or p90", COLUMN_TEXT, 0},
    {"unit", "", "Unit of the numbers in the row; shares are parts of one", COLUMN_TEXT, 0},
    {"a", "unit", "Value in A; empty when work cut off leaves it unknown", COLUMN_NUMBER, -1},
    {"b", "unit", "Value in B", COLUMN_NUMBER, -1},
    {"change", "unit", "B less A", COLUMN_NUMBER, -1},
    {"change_low", "unit", "Lower end of its 95 % interval; empty when open", COLUMN_NUMBER, -1},
    {"change_high", "unit", "Upper end", COLUMN_NUMBER, -1},
    {"change_frac", "frac", "The change over the value in A", COLUMN_NUMBER, -1},
    {"change_at_least", "unit", "Sure lower bound of a change that is unknown", COLUMN_NUMBER, -1},
    {"change_at_most", "unit", "Sure upper bound of it", COLUMN_NUMBER, -1},
    {"worlds", "", "Pairs of worlds that were held against each other", COLUMN_INTEGER, 0},
    {"left_out", "", "Pairs in which the metric does not exist on one side", COLUMN_INTEGER, 0},
    {"verdict", "",
     "unchanged (in every world), no detectable change (the interval covers zero), less, more, "
     "unknown, only in A, only in B",
     COLUMN_TEXT, 0},
};

static_assert(COLUMNS == (int)DIFFERENCE_COLUMNS, "every column has its place");

/* What is asked of a metric's distribution; of a yes-or-no metric the first alone. */
static const struct stat_row {
    const char *name;
    enum objective_stat stat;
    double quantile;
} stat_rows[] = {{"mean", OBJECTIVE_MEAN, 0},
                 {"p50", OBJECTIVE_QUANTILE, 0.5},
                 {"p90", OBJECTIVE_QUANTILE, 0.9}};
enum { STATS = sizeof stat_rows / sizeof stat_rows[0] };

/* A table while it is filled. */
struct differing {
    const struct diff_side *a, *b;
    struct table *table;
    bool failed;
};

struct objective difference_objective(enum metric m, enum objective_stat stat, double quantile,
                                      const char *workload)
{
    return (struct objective){.text = "",
                              .workload = workload,
                              .workload_length = workload == NULL ? 0 : strlen(workload),
                              .metric = m,
                              .stat = stat,
                              .quantile = quantile};
}

static size_t add_row(struct differing *t, const char *strategy, const char *workload)
{
    const size_t row = table_add_row(t->table);
    if (row == SIZE_MAX) {
        t->failed = true;
    } else {
        table_set_text(t->table, row, STRATEGY, strategy);
        table_set_text(t->table, row, WORKLOAD, workload);
    }
    return row;
}

static void add_alone(struct differing *t, const char *strategy, const char *workload,
                      enum diff_verdict verdict)
{
    const size_t row = add_row(t, strategy, workload);
    if (row != SIZE_MAX) {
        table_set_text(t->table, row, VERDICT, diff_verdict_names[verdict]);
    }
}

static void put(struct differing *t, size_t row, enum metric m, const struct stat_row *s,
                const struct diff *d)
{
    char column[64], unit[16];
    table_set_text(t->table, row, METRIC, metric_column(m, t->a->currency, column));
    table_set_text(t->table, row, STAT, s->name);
    table_set_text(t->table, row, UNIT, metric_unit(m, t->a->currency, unit));
    table_set_number(t->table, row, IN_A, d->a);
    table_set_number(t->table, row, IN_B, d->b);
    table_set_number(t->table, row, CHANGE, d->change);
    table_set_number(t->table, row, CHANGE_LOW, d->low);
    table_set_number(t->table, row, CHANGE_HIGH, d->high);
    table_set_number(t->table, row, CHANGE_FRAC, d->share);
    if (d->verdict == DIFF_UNKNOWN) {
        table_set_number(t->table, row, AT_LEAST, d->at_least);
        table_set_number(t->table, row, AT_MOST, d->at_most);
    }
    table_set_integer(t->table, row, WORLDS, (int64_t)d->worlds);
    table_set_integer(t->table, row, LEFT_OUT, (int64_t)d->left_out);
    table_set_text(t->table, row, VERDICT, diff_verdict_names[d->verdict]);
}

static void add_metric(struct differing *t, size_t in_a, size_t in_b, const char *workload,
                       enum metric m, const struct stat_row *s)
{
    struct diff d;
    const struct objective o = difference_objective(
        m, s->stat, s->quantile, strcmp(workload, STUDY_ALL) == 0 ? NULL : workload);
    if (!diff_measure(t->a, in_a, t->b, in_b, &o, &d)) {
        t->failed = true;
    } else if (d.verdict != DIFF_ABSENT) {
        const size_t row = add_row(t, t->a->strategies[in_a], workload);
        if (row != SIZE_MAX) {
            put(t, row, m, s, &d);
        }
    }
}

static void add_workload(struct differing *t, size_t in_a, size_t in_b, const char *workload)
{
    for (int m = 0; m < METRIC_COUNT && !t->failed; m++) {
        const int stats = metric_table[m].kind == METRIC_YES_NO ? 1 : STATS;
        for (int i = 0; i < stats && !t->failed; i++) {
            add_metric(t, in_a, in_b, workload, (enum metric)m, &stat_rows[i]);
        }
    }
}

static void add_strategy(struct differing *t, size_t in_a, size_t in_b)
{
    const char *name = t->a->strategies[in_a];
    add_workload(t, in_a, in_b, STUDY_ALL);
    for (size_t w = 0; w < t->a->results->workloads && !t->failed; w++) {
        const char *workload = t->a->workloads[w];
        if (diff_side_workload(t->b, workload) == SIZE_MAX) {
            add_alone(t, name, workload, DIFF_ONLY_A);
        } else {
            add_workload(t, in_a, in_b, workload);
        }
    }
    for (size_t w = 0; w < t->b->results->workloads && !t->failed; w++) {
        if (diff_side_workload(t->a, t->b->workloads[w]) == SIZE_MAX) {
            add_alone(t, name, t->b->workloads[w], DIFF_ONLY_B);
        }
    }
}

struct table *difference_table(const struct diff_side *a, const struct diff_side *b)
{
    struct differing t = {
        .a = a, .b = b, .table = table_new("differences", difference_columns, DIFFERENCE_COLUMNS)};
    t.failed = t.table == NULL;
    for (size_t k = 0; k < a->results->strategies && !t.failed; k++) {
        const size_t other = diff_side_strategy(b, a->strategies[k]);
        if (other == SIZE_MAX) {
            add_alone(&t, a->strategies[k], STUDY_ALL, DIFF_ONLY_A);
        } else {
            add_strategy(&t, k, other);
        }
    }
    for (size_t k = 0; k < b->results->strategies && !t.failed; k++) {
        if (diff_side_strategy(a, b->strategies[k]) == SIZE_MAX) {
            add_alone(&t, b->strategies[k], STUDY_ALL, DIFF_ONLY_B);
        }
    }
    if (t.failed) {
        table_free(t.table);
        return NULL;
    }
    return t.table;
}
