/* SPDX-License-Identifier: GPL-3.0-or-later
 * All that a report is made of: facts, tables and what the manifest of the run says. Strings are
 * borrowed and may hold anything; the report cleans what it shows. */
#ifndef FLEETCAST_PLOTS_REPORT_SOURCE_H
#define FLEETCAST_PLOTS_REPORT_SOURCE_H

#include "plots/facts/study_facts.h"

struct report_assumption {
    const char *what, *value, *source;
    bool extrapolated;
};

struct report_price {
    const char *instance_type, *zone, *purchase;
    double per_hour;
    const char *since, *last_seen; /* "2025-11-30"; "" where the scenario states the price */
    const char *source;
};

struct report_source {
    const struct study_facts *facts;
    struct chart_tables charts;
    /* NULL: not there. Columns are found by name. */
    const struct table *quarters, *commitments, *lines, *choice, *sensitivity, *information,
        *thresholds, *limits;
    const struct report_assumption *assumptions;
    size_t assumption_count;
    const char *const *not_modelled;
    size_t not_modelled_count;
    const struct report_price *prices;
    size_t price_count;
    const char *price_currency; /* of `prices`, and of the choice */
    double rate;                /* of the frame's currency to it, where the two differ; else 0 */
    const char *folder;         /* as a shell takes it: for commands that can be pasted */
    double sunk; /* for existing commitments inside the horizon, in price_currency; NaN: none */
    const char *const *sunk_names;
    size_t sunk_count;
    const char *version, *scenario_hash, *catalogue_hash, *region; /* "": not said */
    bool charts_english; /* the words inside the charts are, whatever the report's language */
    bool partial;        /* the run was interrupted */
};

/* A cell by the column's name; NaN and "" when missing or when there is no such column or table. */
double report_cell_number(const struct table *t, size_t row, const char *column);
const char *report_cell_text(const struct table *t, size_t row, const char *column);
/* "cash_mean_usd" for "cash_mean" in the frame's currency. Returns out. */
const char *report_money_column(const struct chart_frame *frame, const char *name, char out[64]);
/* Index of the strategy, or -1. */
int report_strategy(const struct study_facts *f, const char *name);
/* A quantile of a metric of all workloads by its column: "p80", "p95". NaN when not there. */
struct fact_quantile report_quantile_of(const struct report_source *s, int strategy,
                                        const char *metric, const char *quantile);
/* Too few worlds for the interval of a P95 to have an upper end: all of them lie below the true one
 * with a chance above 2.5 %. A cost that is the same in every world needs none. */
bool report_p95_unbounded(const struct fact_metric *m);

#endif
