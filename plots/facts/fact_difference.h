/* SPDX-License-Identifier: GPL-3.0-or-later
 * How two strategies differ: what a row of the table of comparisons says of the same worlds, pair
 * by pair, and what intervals of two medians say where there are no pairs. */
#ifndef FLEETCAST_PLOTS_FACT_DIFFERENCE_H
#define FLEETCAST_PLOTS_FACT_DIFFERENCE_H

#include "plots/facts/fact_metric.h"

enum fact_relation {
    FACT_UNKNOWN, /* no pairs, or censored ones: nothing can be said */
    FACT_LESS,    /* the whole interval is below zero */
    FACT_MORE,    /* above zero */
    FACT_SAME,    /* not one world differs */
    FACT_UNCLEAR, /* the interval covers zero */
    FACT_ASSUMED  /* whatever the interval: it rests on an assumption alone, and decides nothing */
};

/* strategy − baseline, world by world. */
struct fact_difference {
    enum fact_relation relation;
    double mean, low, high;           /* NaN when unknown */
    double p10, p90;                  /* of the difference; NaN = not given */
    double win_at_least, win_at_most; /* share of all worlds; the same when all pairs are known */
    double tie_share;
    double n, left_out; /* pairs that are known, and others */
};

#define FACT_DIFFERENCE_COLUMNS 12
struct fact_difference_columns {
    int of[FACT_DIFFERENCE_COLUMNS]; /* -1: older tables have none */
};
/* False, told, when the table lacks a column that all have. */
bool fact_difference_find(struct fact_difference_columns *c, const struct table *t,
                          struct diagnostics *d);
struct fact_difference fact_difference_read(const struct table *t, size_t row,
                                            const struct fact_difference_columns *c);
extern const struct fact_difference fact_difference_unknown;

/* True when all pairs are known, but there is only one: a difference without an interval. */
bool facts_one_pair(const struct fact_difference *d);

/* Relation of the P50s of two strategies that stand: FACT_LESS when the interval of a lies
 * wholly below that of b, FACT_UNCLEAR when they touch, FACT_SAME when both are one and the same
 * certain value. */
enum fact_relation facts_p50_relation(const struct fact_metric *a, const struct fact_metric *b);

#endif
