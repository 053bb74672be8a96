/* SPDX-License-Identifier: GPL-3.0-or-later
 * Whom the run chose, and how sure that is, from choice.csv alone. The report recommends a strategy
 * only when the table says `chosen`, the study knows it, and the summary does not show it
 * unfinished in more than 1 % of futures; a table that says otherwise is not believed, and the
 * report says so. */
#ifndef FLEETCAST_PLOTS_REPORT_CHOICE_H
#define FLEETCAST_PLOTS_REPORT_CHOICE_H

#include "plots/report/report_document.h"
#include "plots/report/report_source.h"

#include <stdbool.h>
#include <stddef.h>

struct report_choice {
    bool asked;                            /* there is a choice.csv with rows */
    bool disbelieved;                      /* it names one that the summary shows unfinished */
    int recommended, runner_up;            /* strategies; -1: none */
    size_t recommended_row, runner_up_row; /* of choice.csv */
    int level[CHART_STRATEGIES_MAX];       /* cannot be told from the recommended one */
    size_t level_count;
};

void report_choice_read(struct report_choice *c, const struct report_source *s);

/* The decision asked, the sentence of the page. */
void report_choice_lead(struct report_document *r, const struct report_source *s,
                        const struct report_choice *c);
/* The limits of the scenario that the recommended one breaks, or is not known to keep; nothing
 * where all hold. */
void report_choice_limits(struct report_document *r, const struct report_source *s,
                          const struct report_choice *c);
/* How sure, of a recommendation: against the runner-up, on fresh futures where they are known; who
 * is level; the objective on futures that took no part in the choice. */
void report_choice_sure(struct report_document *r, const struct report_source *s,
                        const struct report_choice *c);
/* A grid with why each other strategy was not chosen; nothing without a choice. */
void report_choice_others(struct report_document *r, const struct report_source *s,
                          const struct report_choice *c);
/* Against the baseline: mean paired difference of cost, with its interval. */
void report_choice_saving(struct report_document *r, const struct report_source *s, int strategy);

/* The strategy's name, cleaned, in the document's arena. */
const char *report_strategy_name(struct report_document *r, const struct report_source *s,
                                 int strategy);

#endif
