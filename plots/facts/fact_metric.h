/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a row of the table of summaries says: the quantiles of one metric of one strategy, each with
 * what is surely known of it where worlds were cut off. */
#ifndef FLEETCAST_PLOTS_FACT_METRIC_H
#define FLEETCAST_PLOTS_FACT_METRIC_H

#include "engine/diagnostics.h"
#include "engine/table.h"

#include <stdbool.h>

struct fact_quantile {
    double value;    /* NaN = unknown */
    double at_least; /* sure bounds when unknown; NaN = none */
    double at_most;
    double low, high; /* 95 % interval; NaN = open or not given */
};

/* One metric of one strategy, workload "all". Without such a row: present = false, all NaN. */
struct fact_metric {
    bool present;
    double n, censored;
    double mean, min, max, p5, p95; /* NaN = unknown */
    struct fact_quantile p10, p25, p50, p75, p90;
};

/* A chance: the mean of a 0/1 metric. Worlds that were cut off may still add to it; without them
 * both bounds are the same. NaN: no such metric. */
struct fact_chance {
    double at_least, at_most;
    double n;
};

#define FACT_METRIC_COLUMNS 20
struct fact_metric_columns {
    int of[FACT_METRIC_COLUMNS]; /* -1: older tables have none */
};
/* False, told, when the table lacks a column that all have. */
bool fact_metric_find(struct fact_metric_columns *c, const struct table *t, struct diagnostics *d);
struct fact_metric fact_metric_read(const struct table *t, size_t row,
                                    const struct fact_metric_columns *c);

/* Nothing is known. */
extern const struct fact_metric fact_metric_unknown;
extern const struct fact_chance fact_chance_unknown;

/* Of a metric that is 0 or 1. */
struct fact_chance fact_chance_of(const struct fact_metric *m);

/* The value, or the upper of two bounds that are at most 1 % apart: where a mark may stand, and the
 * order. NaN: unknown. */
double facts_near(const struct fact_quantile *q);

/* True when every world has the same value. */
bool facts_certain(const struct fact_metric *m);

#endif
