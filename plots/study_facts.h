/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the result tables say about each strategy, gathered once: quantiles with their bounds,
 * chances, what is not finished, the paired difference to the baseline. Titles, charts and the
 * table for people all read this, so that they cannot disagree.
 *
 * Two ideas carry the honesty of all of them. A strategy *stands* when at most 1 % of its worlds
 * are unfinished and the P50 of its cost is known; only one that stands is ever called cheap, fast
 * or best. And two strategies differ only where an interval says so: the paired one to the
 * baseline, or, between two others, intervals of P50 that do not touch. */
#ifndef FLEETCAST_PLOTS_STUDY_FACTS_H
#define FLEETCAST_PLOTS_STUDY_FACTS_H

#include "engine/diagnostics.h"
#include "engine/text.h"
#include "plots/chart_frame.h"

#include <stdbool.h>
#include <stddef.h>

struct fact_quantile {
    double value;     /* NaN = unknown */
    double at_least;  /* a sure lower bound when unknown; NaN = none */
    double low, high; /* 95 % interval; NaN = open or not given */
};

/* One metric of one strategy, workload "all". Without such a row: present = false, all NaN. */
struct fact_metric {
    bool present;
    double n, censored;
    double mean, min, max, p5, p95; /* NaN = unknown */
    struct fact_quantile p10, p25, p50, p75, p90;
};

/* A chance: the mean of a 0/1 metric. */
struct fact_chance {
    double share; /* NaN = no such metric, or unknown */
    double n;
    bool at_least; /* unfinished worlds may still add to it */
};

enum fact_relation {
    FACT_UNKNOWN, /* no pairs, or censored ones: nothing can be said */
    FACT_LESS,    /* the whole interval is below zero */
    FACT_MORE,    /* above zero */
    FACT_SAME,    /* not one world differs */
    FACT_UNCLEAR  /* the interval covers zero */
};

/* strategy − baseline, world by world. */
struct fact_difference {
    enum fact_relation relation;
    double mean, low, high; /* NaN when unknown */
    double win_share, tie_share;
    double n, left_out;
};

struct strategy_facts {
    const char *name; /* the frame's */
    struct fact_metric cost, time;
    struct fact_chance over_budget, late;
    double obligation;       /* P50 of the signed obligation; NaN = none given */
    double worlds;           /* simulated futures */
    double unfinished;       /* how many of them are not finished */
    double unfinished_share; /* 0 … 1; NaN when nothing is known */
    bool stands;
    struct fact_difference cost_difference, time_difference;
};

struct study_facts {
    const struct chart_frame *frame;
    size_t count; /* strategies, in the frame's order */
    struct strategy_facts strategy[CHART_STRATEGIES_MAX];
    int baseline; /* index; -1 = none */
    int subject;  /* stands and has the lowest P50 of cost; -1 = none stands */
    bool has_time, has_budget, has_late, has_obligation;
    double largest_time_h; /* of all known quantiles and bounds; 0 without any */
};

/* Reads summary (must be there) and comparison (may be NULL). False, with an error in d, when a
 * table lacks a column. frame must outlive f. */
bool study_facts_init(struct study_facts *f, const struct chart_frame *frame,
                      const struct chart_tables *tables, struct diagnostics *d);

/* Relation of the P50s of cost of two strategies that stand: FACT_LESS when the interval of a lies
 * wholly below that of b, FACT_UNCLEAR when they touch, FACT_SAME when both are one and the same
 * certain value. */
enum fact_relation facts_p50_relation(const struct fact_metric *a, const struct fact_metric *b);

/* True when every world has the same value. */
bool facts_certain(const struct fact_metric *m);

/* Adds the strategy's name, cleaned, shortened to max_em; with "#3", its place in the file, when
 * another name looks the same when shortened. */
void facts_name(struct text *out, const struct study_facts *f, size_t index, double max_em,
                bool bold);

/* The deadline in hours when the study has one, or several that are equal; NaN else. */
double facts_single_deadline_h(const struct chart_frame *frame);

#endif
