/* SPDX-License-Identifier: GPL-3.0-or-later
 * Titles of the charts by month. Amounts are means over all futures, or of the plan world, and say
 * which.
 *
 * months: cost inside the plan by category
 *   - Nobody stands: as on the other charts.
 *   - X is the subject (the lowest P50 that stands). One month: "On-demand nodes are 93 % of what X
 *     costs in Mar 2026"; the share is of the charges, before discounts.
 *   - One month costs clearly most (1 % more than any other): "X costs most in Jan 2026: $18,900
 *     (mean), 93 % of it on-demand nodes".
 *   - Else "No month of X stands out: it costs at most $18,900 a month (mean)".
 *   - What commitments cost after the plan is no month's: "…; $52,700 more falls after the plan".
 * cash: cash against amortised cost, both summed up
 *   - X is, of those that stand and are ever 0.5 % of their cash ahead, the one of lowest P50: "X
 * has paid $97,100 ahead of its use by the end of Jan 2026 (mean), and still $52,700 at the end of
 *     the plan", or "and nothing".
 *   - None is: "No strategy that finishes pays ahead of its use". */
#ifndef FLEETCAST_PLOTS_TITLE_MONTHS_H
#define FLEETCAST_PLOTS_TITLE_MONTHS_H

#include "engine/text.h"
#include "plots/facts/month_amounts.h"
#include "plots/facts/study_facts.h"

/* What a strategy costs by month. */
struct title_categories {
    struct month_axis axis;
    double total[MONTH_BARS_MAX];         /* of all categories */
    double charges[MONTH_BARS_MAX];       /* of those above zero */
    double largest[MONTH_BARS_MAX];       /* of the largest category … */
    const char *category[MONTH_BARS_MAX]; /* … which is "on-demand nodes" */
    double later;                         /* behind the plan */
    bool means;                           /* else of the plan world */
};

/* of: of the subject; nothing is read when nobody stands. */
void title_months(struct text *out, const struct study_facts *f, const struct title_categories *of);

/* Sums up to the end of each month. */
struct title_cash {
    struct month_axis axis;
    double cash[MONTH_BARS_MAX], amortised[MONTH_BARS_MAX];
    bool means;
};

/* The most that the strategy is ahead, as a share of its cash in all; 0 or below: never. */
double title_cash_lead(const struct title_cash *c);
/* of: per strategy of the study; NULL: not shown. */
void title_cash(struct text *out, const struct study_facts *f, const struct title_cash *const *of);

#endif
