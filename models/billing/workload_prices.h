/* SPDX-License-Identifier: GPL-3.0-or-later
 * The prices of what a workload keeps, asks for and moves, found before any world is drawn. */
#ifndef FLEETCAST_MODELS_WORKLOAD_PRICES_H
#define FLEETCAST_MODELS_WORKLOAD_PRICES_H

#include "models/billing/charge_plan.h"

/* Whether requests of a workload are charged. */
bool workload_prices_requests(const struct workload_charges *w);
/* All prices that w->data needs; the plan's gateway must be known. What is wrong or missing is
 * told.
 */
bool workload_prices_find(const struct charge_plan *plan, struct workload_charges *w,
                          const struct market_context *c);

#endif
