/* SPDX-License-Identifier: GPL-3.0-or-later
 * Charges that are a share of every bill as it stands: support and tax. */
#ifndef FLEETCAST_MODELS_BILL_SHARES_H
#define FLEETCAST_MODELS_BILL_SHARES_H

#include "models/billing/other_charges.h"

/* Adds all items of the kind, each as a share of the same. bills: one per workload, then the shared
 * one. month, by_month: scratch, frame.months and BILL_ROWS of them. */
void bill_shares_add(const struct charge_plan *plan, const struct charge_world *w,
                     struct bill *bills, enum charge_kind kind, money_t *month, money_t *by_month);

/* All items of the kind together, in parts of SHARE_WHOLE. */
int64_t bill_shares_of(const struct charge_plan *plan, const double *drawn, enum charge_kind kind);

#endif
