/* SPDX-License-Identifier: GPL-3.0-or-later
 * The table `oracle`, what each strategy's nodes cost over the least that hindsight allows, in
 * words: lines for the table of results, and the title of the chart of policies. */
#ifndef FLEETCAST_PLOTS_REGRETS_H
#define FLEETCAST_PLOTS_REGRETS_H

#include "engine/diagnostics.h"
#include "engine/text.h"
#include "plots/facts/study_facts.h"

#include <stdbool.h>
#include <stddef.h>

/* One workload. of: by strategy of the study; n < 0: not compared; n 0: never in time, and the
 * means are NaN. */
struct regrets {
    const char *workload; /* of the table's */
    double worlds;        /* looked at; of them n are in time */
    bool one_of_several;  /* there are others: what is said names it */
    struct regret {
        double n, oracle, nodes, mean, p90;
    } of[CHART_STRATEGIES_MAX];
};

/* The index-th workload that has rows, from 0; false behind the last, or when a column is absent
 * (told). t may be NULL: no rows. */
bool regrets_read(struct regrets *r, const struct study_facts *f, const struct table *t,
                  size_t index, struct diagnostics *d);

/* "with hindsight 'job' could have been done for 27.44 at the least (its nodes, mean of the first
 * 200 futures)" */
void regrets_headline(struct text *out, const struct regrets *r, const struct study_facts *f,
                      int decimals);
/* "greedy: 10.21, P90 14.90, in 187 of 200 futures in time": what of the strategy. */
void regrets_entry(struct text *out, const struct regrets *r, const struct study_facts *f,
                   size_t strategy, int decimals);

/* The rules, in the order in which they are tried; X is the strategy of lowest P50 cost that
 * stands:
 *   - Nobody stands: as on the other charts.
 *   - X is not compared, or never in time: "What X could have saved with hindsight is not known".
 *   - "of 'job'" is put in where there are several workloads: that on which most could be saved.
 *   - Less than 1 % of its nodes' cost: "Hindsight could have saved X less than 1 % (mean)".
 *   - Else "Hindsight could have saved X at most $13 of $91 (mean)", rounded up.
 *   - Where X is not in time in all of the futures compared: ", where it is in time". Else, with a
 *     deadline, how often X is late: "; it is late in none of 2,000 futures". */
void title_policies(struct text *out, const struct study_facts *f, const struct regrets *r);

#endif
