/* SPDX-License-Identifier: GPL-3.0-or-later
 * The assumptions that carry the decision, three at most, and the value at which each turns it:
 * thresholds.csv and sensitivity.csv.
 *
 * Which three: inputs with a value that turns the choice come first, the nearest to what the plan
 * uses first, in widths of the input's P10 to P90 (where that is not known, of the range that was
 * searched); then those whose rank correlation with cost has an interval that leaves zero out, the
 * strongest first. What was not computed is said to be so, and how it is. */
#ifndef FLEETCAST_PLOTS_REPORT_FLIPS_H
#define FLEETCAST_PLOTS_REPORT_FLIPS_H

#include "plots/report/report_choice.h"

#define REPORT_FLIPS_MAX 3

/* strategy: whose cost the correlations are of; -1: nobody's, and nothing is said of them. */
/* The sentence under the chart of what moves the cost; NULL when there is nothing to say. */
const char *report_sentence_tornado(struct report_document *r, const struct report_source *s,
                                    int strategy);
void report_flips(struct report_document *r, const struct report_source *s, int strategy);

#endif
