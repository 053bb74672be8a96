/* SPDX-License-Identifier: GPL-3.0-or-later
 * The usage of one strategy in one world, billed again at other levels of its commitments. All that
 * does not hang on commitments (nodes at on-demand prices, storage, fees, windows) is on the bills
 * before they come, which are held; what does (coverage, what is signed, agreements, support,
 * credits, tax, what is displaced in the account) is rated anew for each level. */
#ifndef FLEETCAST_SCENARIOS_LEVEL_RATING_H
#define FLEETCAST_SCENARIOS_LEVEL_RATING_H

#include "models/billing/committed.h"
#include "models/billing/other_charges.h"
#include "scenarios/study/level_results.h"
#include "scenarios/study/study.h"

#include <stdbool.h>

struct level_rating; /* one thread's memory */

/* Borrows all. account: NULL when there is none. NULL when out of memory. */
struct level_rating *level_rating_new(const struct study *study, struct account_world *account);
void level_rating_free(struct level_rating *r); /* may be NULL */

/* Before commitments and shares are added to the bills (of workloads, then the shared one), which
 * are copied, with what the charges know of them. False when out of memory. */
bool level_rating_hold(struct level_rating *r, const struct bill *bills,
                       struct other_charges *charges);

/* What a bill at a level is made of; world as for other_charges_rate, without sinks and buckets. */
struct level_world {
    struct charge_world charges;
    money_t on_demand; /* charged of all on-demand records */
    money_t apart;     /* on the bill behind the shares, the same at every level */
    const struct covered_discount *discount; /* may be NULL */
};
/* Rates what is held at every level of the strategy, into cells by level; the charges are spent
 * then. In a status other than MATCHED_OK the cells are of no use; a bill that cannot be counted is
 * MATCHED_OVERFLOW. */
enum matched_status level_rating_rate(struct level_rating *r, size_t strategy,
                                      struct other_charges *charges, const struct level_world *w,
                                      struct level_cell *cells);

#endif
