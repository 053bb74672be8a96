/* SPDX-License-Identifier: GPL-3.0-or-later
 * Amounts of a strategy by calendar month, out of a result table. */
#ifndef FLEETCAST_PLOTS_MONTH_AMOUNTS_H
#define FLEETCAST_PLOTS_MONTH_AMOUNTS_H

#include "engine/diagnostics.h"
#include "engine/table.h"
#include "plots/facts/chart_frame.h"
#include "plots/text/figures.h"

#include <stdbool.h>
#include <stddef.h>

/* Ten years and what may be finished behind them; later months are left out. */
#define MONTH_BARS_MAX 160

/* Months are counted through the years: 12 × year + month - 1. */
struct month_axis {
    int first;
    size_t count; /* 0: there is none */
};

struct month_values {
    double value[MONTH_BARS_MAX]; /* by month of the axis; 0 where the table has no row */
};

/* "2026-03" as such a number; -1 for anything else. */
int month_number(const char *text);
/* "Mar", and "Mar 2026" */
const char *month_name(int month);
struct figure month_words(int month);

/* One amount by month: `measure` is the column's name without "_mean" and the currency. */
struct month_source {
    const struct table *table;
    const char *measure, *cost_metric;         /* "cash", "cost_usd" */
    int strategy, month, category, mean, plan; /* columns; category -1: there is none */
};

/* False, with an error in d, when a column is absent. */
bool month_source_open(struct month_source *s, const struct table *t, const char *measure,
                       const char *cost_metric, struct diagnostics *d);
/* Whether the means of all of the strategy's rows are known; else charts show the plan world. */
bool month_source_has_means(const struct month_source *s, const char *strategy);
/* The last month that begins inside the plan. */
int month_of_plan_end(const struct chart_frame *frame);
/* Widens the axis to all months up to `last` in which the strategy has an amount (other than of the
 * category `but`, NULL: none). */
void month_source_axis(const struct month_source *s, const char *strategy, const char *but,
                       bool means, int last, struct month_axis *axis);
/* Adds the strategy's amounts of a category (NULL: of all rows) to v. */
void month_source_add(const struct month_source *s, const char *strategy, const char *category,
                      bool means, const struct month_axis *axis, struct month_values *v);
/* The sum of what falls behind `last`, and of the category `later` wherever it stands. */
double month_source_behind(const struct month_source *s, const char *strategy, const char *later,
                           bool means, int last);

#endif
