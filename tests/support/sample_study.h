/* SPDX-License-Identifier: GPL-3.0-or-later
 * Result tables as a study writes them, from a made-up law of cost and time and an own generator of
 * fixed seed: tests of tables and charts need tables that look real, at their edges too. */
#ifndef FLEETCAST_TESTS_SAMPLE_STUDY_H
#define FLEETCAST_TESTS_SAMPLE_STUDY_H

#include "plots/facts/chart_frame.h"

#include <stdbool.h>

struct sample_strategy {
    const char *name;
    double cost_p50, cost_spread; /* P50; sigma of the logarithm, 0 = certain */
    double time_p50_h, time_spread;
    double unfinished; /* share of worlds cut at the horizon */
    double spot_share; /* of nodes, in the plan world */
    double obligation;
};

struct sample_options {
    size_t worlds;
    double budget, deadline_h; /* NaN = none */
    double horizon_h;
    bool without_time;    /* no finite workload */
    const char *currency; /* NULL = USD */
    const char *scenario; /* NULL = a default name */
};

struct sample_study {
    struct chart_frame frame;
    struct chart_tables tables;
    const char *names[80];
    struct chart_deadline deadline;
    char cost_metric[32], obligation_metric[32], cumulative[32];
    char unused_metric[32], later_metric[32];
    struct table *owned[9];
    struct table
        *of_market[13]; /* sample_market.h, sample_search.h; NULL but of sample_study_real */
};

/* The first strategy is the baseline. False when out of memory. */
bool sample_study_init(struct sample_study *s, const struct sample_strategy *strategies,
                       size_t count, const struct sample_options *options);
void sample_study_release(struct sample_study *s);

/* Four strategies, 2,000 worlds, budget $2,500, deadline 4 days; levels of commitment of one. */
bool sample_study_real(struct sample_study *s);

/* Cells of the summary and comparison tables (workload "all"), to make a claim false. */
void sample_set(struct sample_study *s, const char *strategy, const char *metric,
                const char *column, double value);
void sample_set_pair(struct sample_study *s, const char *strategy, const char *metric,
                     const char *column, double value);

#endif
