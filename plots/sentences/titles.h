/* SPDX-License-Identifier: GPL-3.0-or-later
 * The message of each chart as a sentence, computed from the result tables and from nothing else
 * (compare and cost-time: title_compare.h).
 * A title claims no more than the tables hold; the rules, in the order in which they are tried:
 *
 * Everywhere
 *   - The *subject* is the strategy with the lowest P50 of cost among those that stand (at most 1 %
 *     of futures unfinished, P50 of cost known or surely within 1 %). The others are never called
 *     cheap or fast, and no title is about them when one stands.
 *   - A quantile that is only bounded is written as its bounds, "$2,330 to $2,350".
 *   - An uncertain budget is one per world: "its budget (P50 $6,000, uncertain)".
 *   - Times are in the unit of the chart. A stated amount, such as the budget, is not rounded.
 *   - "All" is said in place of "9 in 10" where it is all.
 *   - Nobody stands: "No strategy is sure to finish: the surest, X, is not finished in 12 of 100
 *     futures" (one strategy: "X is not finished in …"; none in any future: "No strategy finishes
 * by the horizon in any of 2,000 futures", one strategy: "X does not finish by …").
 *   - One future: "X costs $2,410 in the one simulated future": no chance is claimed.
 *   - "At most" figures are rounded up, chances to a whole percent; above 99 and below 1 of 100
 * they say "more than 99" and "fewer than 1"; "all" and "none" mean every future simulated. cost
 *   - Cost the same in all futures: "X costs $2,410 in every future".
 *   - Budget: "X keeps within the $6,000 budget in 93 of 100 futures"; "in at least" when
 * unfinished futures are counted as over the budget.
 *   - Else: "X: 9 in 10 futures cost at most $2,610" (P90).
 * time
 *   - Deadline: "X meets the deadline of 4 days in 96 of 100 futures"; "every deadline" when there
 *     are several; "the deadline of 'b', 4 days," when other work has none.
 *   - Else "X finishes within 3.6 days in 9 of 10 futures" (P90).
 * compare: B is the baseline, and the interval is that of the mean paired difference of cost
 *   - A strategy was chosen, stands, is not B and has pairs: it is the X of all that follows, named
 *     "X (chosen)"; when its interval lies above zero: "X (chosen) costs $80 more on average than
 * B".
 *   - Interval below zero for some X (of these, the lowest P50): "X is cheaper than B in 93 of 100
 *     futures: P50 $2,410 against $3,310"; when X wins fewer than half of the futures: "X saves $80
 * on average against B, but is cheaper in only 40 of 100 futures".
 *   - Else interval covers zero for some X: "No clear difference in cost between X and B".
 *   - Else the difference rests on an assumed rate for some X: "Between X and B the cheaper is not
 *     decided: a rate is assumed"; so wherever two such strategies would be compared.
 *   - Else it lies above zero for all: "No strategy is cheaper than B: the next, X, costs $80 more
 * on average" ("No strategy that finishes" when some do not stand).
 *   - Pairs of the subject left out, and more than half of the futures are surely cheaper than the
 *     baseline's, as is the P50: "X is cheaper than B in at least 97 of 100 futures: …".
 *   - No baseline that stands, or pairs of the subject left out: intervals of P50 decide between
 * the subject and the others that stand: "X has the lowest P50 cost: $2,410 against $3,310 for Y",
 * or "No clear difference in P50 cost between X and Y". cost-time: the same choice of X, and the
 * same interval of the time:
 *   - "X is cheaper than B but slower", "X is cheaper and faster than B", "X is cheaper than B,
 * with no clear difference in time", …, "No clear difference between X and B in cost or time", with
 *     the P50s behind where they fit. Without pairs: "X: P50 $2,410 and 3.5 days".
 * spend: quantiles of the cumulative spend of the subject
 *   - Budget passed: "1 in 10 futures of X pass the $6,000 budget by 14 Mar" (the largest share of
 *     9 in 10, 3 in 4, half, 1 in 4, 1 in 10 whose quantile passes it, and the first day it does),
 *     unless fewer of all simulated futures do; all do: "X passes the $6,000 budget in all 2,000
 *     futures: in 9 of 10 by 14 Mar".
 *   - Else "X stays within the $6,000 budget in 97 of 100 futures", where that is also what the
 *     curves show.
 *   - Else: "X spends $2,410 by 14 Mar (P50); 8 in 10 futures lie between $2,100 and $2,900"; with
 *     commitments what is paid is not what it costs: "…; with all it signs for, over the budget in
 *     …" or "X pays $4,290 (P50); its cost, less reuse, is within the $2,000 budget in …".
 *   - An uncertain budget: "X stays within its budget (P50 $6,000, uncertain) in …" alone.
 * nodes: node hours of the plan world
 *   - "X buys 64 % of its node hours on spot in the plan world", of the strategy of lowest P50 that
 *     stands and uses spot; none does: "X runs no node on spot in the plan world", of the subject;
 *     nobody uses spot: "No node runs on spot in the plan world". */
#ifndef FLEETCAST_PLOTS_TITLES_H
#define FLEETCAST_PLOTS_TITLES_H

#include "engine/text.h"
#include "plots/facts/study_facts.h"
#include "plots/facts/time_course.h"

void title_cost(struct text *out, const struct study_facts *f);
void title_time(struct text *out, const struct study_facts *f);
/* strategy: index of the strategy whose cumulative spend this is. */
void title_spend(struct text *out, const struct study_facts *f, size_t strategy,
                 const struct time_course *cumulative);
/* Per strategy of the study: node hours of its plan world. */
struct title_nodes {
    double on_demand_h, spot_h;
    double held_h; /* of what was bought beforehand: capacity blocks, owned hardware */
};
void title_nodes(struct text *out, const struct study_facts *f, const struct title_nodes *nodes);

#endif
