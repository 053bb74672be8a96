/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a table for people or a chart must know of a study beside its result tables: what it is
 * called, in which money and time it counts, and the lines that the reader compares with. plots/
 * knows nothing else of a scenario, so that a result directory can be drawn again without one. */
#ifndef FLEETCAST_PLOTS_CHART_FRAME_H
#define FLEETCAST_PLOTS_CHART_FRAME_H

#include "engine/table.h"
#include "plots/text/report_words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Hours on the clock of the time metric, within which a workload should be done. */
struct chart_deadline {
    const char *workload; /* NULL or "all": the one deadline of the study */
    double hours;
};

/* Two strategies, by index, whose difference in cost rests on an assumption alone: neither is ever
 * said to be the better. */
struct chart_pair {
    size_t a, b;
};

/* All strings are UTF-8 and borrowed; whatever else they hold (control characters, quotes, code) is
 * made harmless where it is shown. */
struct chart_frame {
    const char *scenario;          /* the scenario's name; NULL or "": not shown */
    const char *currency;          /* "USD", "CNY" */
    const char *conversion;        /* "computed in USD, shown in EUR at 0.92 (2026-03-01)"; NULL:
                                      all is in the currency that it was computed in */
    bool tax_included;             /* in all money */
    const char *cost_metric;       /* name of the cost in the tables: "cost_usd" */
    const char *obligation_metric; /* "obligation_usd"; NULL: no such column */
    const char *time_metric;       /* "time_to_train_h"; NULL: no finite workload, no time chart */
    size_t replications;
    uint64_t seed;
    double budget;                /* in the currency; NaN = none; of an uncertain one the median */
    bool budget_uncertain;        /* each world has its own, and is counted against that */
    size_t timeline_replications; /* worlds behind the timeline table; 0 = all */
    size_t workload_count;        /* with and without deadline; 0 = as many as deadlines */
    int64_t start_unix_s;         /* the scenario's start */
    double horizon_s;
    const char *const *strategies; /* in the file's order; at most CHART_STRATEGIES_MAX are read */
    size_t strategy_count;
    const char *baseline;               /* one of strategies; NULL = none */
    const char *chosen;                 /* the strategy that was chosen; NULL = none */
    uint64_t level;                     /* bit i: strategy i cannot be told from the chosen one */
    const struct chart_pair *undecided; /* a < b */
    size_t undecided_count;
    const struct chart_deadline *deadlines;
    size_t deadline_count;
    const char *prices_as_of; /* "2025-11-30"; NULL: not said */
    const char *simulated;    /* "60 simulated futures at each point, seed 1", at the foot in place
                                 of replications and seed; NULL: those */
    const char *origin;       /* where it comes from, in place of the whole foot; NULL: the foot */
    const char *note;         /* more for the subtitles, "partial run"; NULL = none */
    enum report_language language; /* of the words on charts */
};

#define CHART_STRATEGIES_MAX 64

/* The result tables of docs/output.md; NULL where there is none. Columns are found by name. */
struct chart_tables {
    const struct table *summary;
    const struct table *comparison;
    const struct table *distribution;
    const struct table *timeline;
    const struct table *monthly;
    const struct table *categories;
    const struct table *levels;
    const struct table *break_even;
    const struct table *oracle;
    const struct table *market;
    const struct table *survival;
    const struct table *plan_world;
    const struct table *jobs;
    const struct table *utilisation;
    const struct table *services;
    const struct table *hour_of_week;
    const struct table *service_hours;
    const struct table *sensitivity;
    const struct table *information;
    const struct table *sweep;
    const struct table *candidates; /* of a search, as the next */
    const struct table *front;
    const struct table *offers; /* offer_levels of a search of commitments */
};

#endif
