/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/reliability_summary.h"

#include "scenarios/cli/table_print.h"
#include "scenarios/study/study.h"

#include <math.h>
#include <stdio.h>

enum { STRATEGY, FAILURES, INTERRUPTIONS, BETWEEN, GOODPUT, EFFECTIVE, COLUMNS };

/* Mean over the worlds in which it exists. */
static double mean_of(const struct run *run, size_t strategy, enum metric m)
{
    const struct results *r = &run->results;
    double sum = 0, count = 0;
    for (uint32_t i = 0; i < r->replications; i++) {
        double v = metric_number(results_cells(r, i, strategy, r->workloads), m);
        sum += isnan(v) ? 0 : v;
        count += !isnan(v);
    }
    return count > 0 ? sum / count : (double)NAN;
}

static bool add_row(struct table *t, const struct run *run, size_t strategy)
{
    size_t row = table_add_row(t);
    if (row == SIZE_MAX) {
        return false;
    }
    double losses = mean_of(run, strategy, METRIC_LOSSES);
    table_set_text(t, row, STRATEGY, study_strategy_name(run->study, strategy));
    table_set_number(t, row, FAILURES, mean_of(run, strategy, METRIC_FAILURES));
    table_set_number(t, row, INTERRUPTIONS, mean_of(run, strategy, METRIC_INTERRUPTIONS));
    table_set_number(t, row, BETWEEN,
                     losses > 0 ? mean_of(run, strategy, METRIC_MAKESPAN) / losses : (double)NAN);
    table_set_number(t, row, GOODPUT, 100 * mean_of(run, strategy, METRIC_GOODPUT));
    table_set_number(t, row, EFFECTIVE, 100 * mean_of(run, strategy, METRIC_EFFECTIVE_TIME));
    return true;
}

void reliability_summary_print(struct command *c, const struct run *run)
{
    static const struct column columns[COLUMNS] = {
        [STRATEGY] = {"strategy", "", "Strategy", COLUMN_TEXT, -1},
        [FAILURES] = {"failures", "", "Nodes whose hardware failed", COLUMN_NUMBER, 1},
        [INTERRUPTIONS] = {"interruptions", "", "Nodes that the cloud took", COLUMN_NUMBER, 1},
        [BETWEEN] = {"h_between_losses", "h", "Between two losses of the gang", COLUMN_NUMBER, 1},
        [GOODPUT] = {"goodput_%", "%", "Useful of all node-hours", COLUMN_NUMBER, 1},
        [EFFECTIVE] = {"effective_%", "%", "Useful of all time", COLUMN_NUMBER, 1},
    };
    bool any = false;
    for (size_t k = 0; k < run->results.strategies; k++) {
        any = any || !isnan(mean_of(run, k, METRIC_FAILURES));
    }
    if (!any) {
        return;
    }
    struct table *t = table_new("reliability", columns, COLUMNS);
    bool ok = t != NULL;
    for (size_t k = 0; ok && k < run->results.strategies; k++) {
        ok = add_row(t, run, k);
    }
    if (ok) {
        puts("\nWhat fails: means over futures; goodput: useful of all node-hours held; effective: "
             "useful time\nof the gang of all time from its submission to the end");
        table_print_aligned(c, t, NULL);
    } else {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
    }
    table_free(t);
}
