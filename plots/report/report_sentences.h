/* SPDX-License-Identifier: GPL-3.0-or-later
 * The sentence under each chart of a report, computed from the tables, about the *subject*: the
 * recommended strategy, or without one that of all titles (the lowest P50 of cost that stands).
 *
 *   nobody stands   for charts of cost and time: "No strategy is finished in enough futures to …"
 *   cost            "X: half of the futures cost at most …, 95 of 100 at most …", the second half
 *                   only where P95 is known
 *   time            the same of the time, with P90; and how often it is late
 *   cost-time       cost and time against the baseline, each by the interval of the paired
 *                   difference: less, more, the same, no clear difference, not known
 *   compare         what X saves against the baseline, as on the first page
 *   spend           "X pays … inside the plan in half of the futures, in 9 of 10 at most …"
 *   nodes           share of its node-hours in the plan world that are on spot (lines.csv)
 *   months          the month in which it costs most (mean), when it is 1 % above all others
 *   cash            the most that it is ahead of its use at a month's end (monthly.csv), from 0.5 %
 *                   of its cash on
 *   levels          the size of its commitments at which the mean cost is least
 *   plan-world      how often its gangs are interrupted there
 *   gantt           how many of its jobs are finished there
 *   demand          share of the time in which its services are overloaded there
 *   latency, slo    P95 of latency in half of the futures; mean share within the objective
 *   week            its dearest hour, when it is 5 % above the mean
 *   tornado         the input that moves the median most, of those whose effect is clear
 * (drivers.h) burn-down       chance of passing the budget The others, and any of these whose
 * tables lack what it needs: what the chart shows. */
#ifndef FLEETCAST_PLOTS_REPORT_SENTENCES_H
#define FLEETCAST_PLOTS_REPORT_SENTENCES_H

#include "plots/report/report_choice.h"

/* The sentence under the chart of this name, in the document's arena; subject < 0: nobody stands.
 */
const char *report_sentence(struct report_document *r, const struct report_source *s, int subject,
                            const char *chart);

#endif
