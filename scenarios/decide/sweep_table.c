/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/sweep_table.h"

#include "plots/text/figures.h"
#include "scenarios/output/result_layouts.h"
#include "scenarios/study/study.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Columns before those of the summary, beside the paths. */
#define BEFORE 1

struct table *sweep_table_new(const char *const *paths, size_t count, struct arena *a)
{
    struct result_table_layout summary;
    if (!result_table_layout("summary", "USD", a, &summary)) {
        return NULL;
    }
    const size_t all = BEFORE + count + summary.count + 2;
    struct column *columns = arena_array(a, all, sizeof *columns);
    if (columns == NULL) {
        return NULL;
    }
    columns[0] =
        (struct column){.name = "point",
                        .unit = "",
                        .meaning = "Number of the point, from 0; the last path runs fastest",
                        .kind = COLUMN_INTEGER};
    for (size_t i = 0; i < count; i++) {
        columns[BEFORE + i] = (struct column){.name = paths[i],
                                              .unit = "",
                                              .meaning = "The value set, as it was given",
                                              .kind = COLUMN_TEXT,
                                              .decimals = -1};
    }
    memcpy(columns + BEFORE + count, summary.columns, summary.count * sizeof *columns);
    columns[all - 2] = (struct column){.name = "choice",
                                       .unit = "",
                                       .meaning = "What `choose` makes of the strategy",
                                       .kind = COLUMN_TEXT,
                                       .decimals = -1};
    columns[all - 1] = (struct column){.name = "refused",
                                       .unit = "",
                                       .meaning = "Why the point could not be simulated",
                                       .kind = COLUMN_TEXT,
                                       .decimals = -1};
    return table_new("sweep", columns, all);
}

static size_t add_point(struct table *t, size_t point, const char *const *values, size_t count)
{
    size_t row = table_add_row(t);
    for (size_t i = 0; row != SIZE_MAX && i < count; i++) {
        table_set_text(t, row, BEFORE + i, values[i]);
    }
    if (row != SIZE_MAX) {
        table_set_integer(t, row, 0, (int64_t)point);
    }
    return row;
}

static void copy_cell(struct table *to, size_t row, size_t column, const struct table *from,
                      size_t from_row, size_t from_column)
{
    switch (table_column(from, from_column)->kind) {
    case COLUMN_TEXT:
        table_set_text(to, row, column, table_text(from, from_row, from_column));
        break;
    case COLUMN_NUMBER:
        table_set_number(to, row, column, table_number(from, from_row, from_column));
        break;
    default:
        table_set_integer(to, row, column, table_integer(from, from_row, from_column));
    }
}

void sweep_table_add(struct table *t, size_t point, const char *const *values, size_t count,
                     const struct table *summary, sweep_choice_name *choice, const void *context)
{
    const size_t strategy = (size_t)table_find(summary, "strategy");
    for (size_t i = 0; i < table_rows(summary); i++) {
        size_t row = add_point(t, point, values, count);
        for (size_t c = 0; row != SIZE_MAX && c < table_columns(summary); c++) {
            copy_cell(t, row, BEFORE + count + c, summary, i, c);
        }
        if (row != SIZE_MAX && choice != NULL) {
            table_set_text(t, row, table_columns(t) - 2,
                           choice(context, table_text(summary, i, strategy)));
        }
    }
}

void sweep_table_refuse(struct table *t, size_t point, const char *const *values, size_t count,
                        const char *reason)
{
    size_t row = add_point(t, point, values, count);
    if (row != SIZE_MAX) {
        table_set_text(t, row, table_columns(t) - 1, reason);
    }
}

/* ---- for people ---- */

enum {
    S_STRATEGY,
    S_COST_P50,
    S_COST_P90,
    S_TIME_P50,
    S_TIME_P90,
    S_LATE,
    S_DONE,
    S_CHOICE,
    S_REFUSED
};

static const struct {
    const char *name, *metric, *from;
    int decimals; /* -1: as the largest value needs */
} shown[] = {
    [S_STRATEGY] = {"strategy", NULL, "strategy", -1},
    [S_COST_P50] = {"cost P50", "cost_", "p50", -1},
    [S_COST_P90] = {"cost P90", "cost_", "p90", -1},
    [S_TIME_P50] = {"time P50, h", "time_to_train_h", "p50", 1},
    [S_TIME_P90] = {"time P90, h", "time_to_train_h", "p90", 1},
    [S_LATE] = {"late", "late", "mean", 3},
    [S_DONE] = {"finished", "finished", "mean", 3},
    [S_CHOICE] = {"choice", NULL, "choice", -1},
    [S_REFUSED] = {"refused", NULL, "refused", -1},
};
enum { SHOWN = sizeof shown / sizeof shown[0] };

/* "cost_usd", "cost_cny", but no other that begins so. */
static bool is_metric(const char *metric, const char *wanted)
{
    size_t length = strlen(wanted);
    if (wanted[length - 1] != '_') {
        return strcmp(metric, wanted) == 0;
    }
    return strncmp(metric, wanted, length) == 0 && strlen(metric) == length + 3;
}

/* The unit of the first cost there is, which is that of the computation: rows in a report's
 * currency follow behind them. "" when there is none. */
static const char *currency_unit(const struct table *sweep)
{
    const size_t metric = (size_t)table_find(sweep, "metric"),
                 unit = (size_t)table_find(sweep, "unit");
    for (size_t row = 0; row < table_rows(sweep); row++) {
        if (!table_missing(sweep, row, metric) &&
            is_metric(table_text(sweep, row, metric), "cost_")) {
            return table_text(sweep, row, unit);
        }
    }
    return "";
}

/* An amount in another currency: the same once more. */
static bool is_twin(const struct table *sweep, size_t row, const char *currency)
{
    const char *metric = table_text(sweep, row, (size_t)table_find(sweep, "metric"));
    const char *unit = table_text(sweep, row, (size_t)table_find(sweep, "unit"));
    const size_t length = strlen(metric), ending = strlen(unit);
    return ending == 3 && length > ending + 1 && strcmp(unit, currency) != 0 &&
           metric[length - ending - 1] == '_' && strcmp(metric + length - ending, unit) == 0;
}

/* So that all amounts of a column have the same decimals. */
static double largest_cost(const struct table *sweep)
{
    const size_t metric = (size_t)table_find(sweep, "metric"),
                 p90 = (size_t)table_find(sweep, "p90");
    double largest = 0;
    for (size_t row = 0; row < table_rows(sweep); row++) {
        if (is_metric(table_text(sweep, row, metric), "cost_")) {
            largest = fmax(largest, table_number(sweep, row, p90)); /* fmax passes over NaN */
        }
    }
    return largest;
}

static struct table *short_table(const struct table *sweep, size_t paths, struct arena *a)
{
    struct column *columns = arena_array(a, paths + SHOWN, sizeof *columns);
    if (columns == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < paths; i++) {
        columns[i] = *table_column(sweep, BEFORE + i);
    }
    for (size_t i = 0; i < SHOWN; i++) {
        columns[paths + i] =
            (struct column){.name = shown[i].name,
                            .unit = "",
                            .meaning = "",
                            .kind = shown[i].metric == NULL ? COLUMN_TEXT : COLUMN_NUMBER,
                            .decimals = shown[i].decimals};
        if (shown[i].metric != NULL && shown[i].decimals < 0) {
            columns[paths + i].name =
                currency_unit(sweep)[0] == '\0'
                    ? shown[i].name
                    : arena_format(a, "%s, %s", shown[i].name, currency_unit(sweep));
            columns[paths + i].decimals = figure_amount_decimals(largest_cost(sweep));
        }
    }
    for (size_t i = 0; i < SHOWN; i++) {
        if (columns[paths + i].name == NULL) {
            return NULL;
        }
    }
    return table_new("sweep", columns, paths + SHOWN);
}

static size_t short_row(struct table *t, const struct table *sweep, size_t row, size_t paths)
{
    size_t added = table_add_row(t);
    for (size_t i = 0; added != SIZE_MAX && i < paths; i++) {
        table_set_text(t, added, i, table_text(sweep, row, BEFORE + i));
    }
    return added;
}

static void fill(struct table *t, size_t at, size_t paths, const struct table *sweep, size_t row)
{
    const char *metric = table_text(sweep, row, (size_t)table_find(sweep, "metric"));
    for (size_t i = 0; i < SHOWN; i++) {
        if (shown[i].metric != NULL && is_metric(metric, shown[i].metric) &&
            table_missing(t, at, paths + i)) {
            double value = table_number(sweep, row, (size_t)table_find(sweep, shown[i].from));
            table_set_number(t, at, paths + i, value);
        }
    }
}

struct table *sweep_table_short(const struct table *sweep, size_t paths, struct arena *a)
{
    struct table *t = short_table(sweep, paths, a);
    const size_t strategy = (size_t)table_find(sweep, "strategy"),
                 workload = (size_t)table_find(sweep, "workload"),
                 refused = table_columns(sweep) - 1;
    int64_t point = -1;
    const char *name = "", *currency = currency_unit(sweep);
    size_t at = SIZE_MAX;
    for (size_t row = 0; t != NULL && row < table_rows(sweep); row++) {
        const bool is_refused = !table_missing(sweep, row, refused);
        if (!is_refused && (strcmp(table_text(sweep, row, workload), STUDY_ALL) != 0 ||
                            is_twin(sweep, row, currency))) {
            continue;
        }
        if (table_integer(sweep, row, 0) != point ||
            strcmp(table_text(sweep, row, strategy), name) != 0) {
            point = table_integer(sweep, row, 0);
            name = table_text(sweep, row, strategy);
            at = short_row(t, sweep, row, paths);
        }
        if (at == SIZE_MAX) {
            continue;
        }
        if (is_refused) {
            table_set_text(t, at, paths + S_REFUSED, table_text(sweep, row, refused));
        } else {
            table_set_text(t, at, paths + S_STRATEGY, name);
            table_set_text(t, at, paths + S_CHOICE,
                           table_text(sweep, row, table_columns(sweep) - 2));
            fill(t, at, paths, sweep, row);
        }
    }
    return t;
}
