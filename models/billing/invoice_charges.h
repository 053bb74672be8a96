/* SPDX-License-Identifier: GPL-3.0-or-later
 * Charges that look at a month's bill as a whole, on what all workloads share.
 *
 * Agreement (EDP): a share off the net cost of the provider's services; per year of twelve calendar
 * months from that of the start, what net cost, payments for commitments and the spend of others
 * leave of the minimum is charged at the year's end.
 * Support plan: the greater of its minimum, of a part of a month its share by time, and the sum
 * over tiers of the month's net cost, payments for commitments and blocks among it. Sources:
 * aws.amazon.com/premiumsupport/pricing (tiers and minimums, as of 2025) and Knowledge Center, "How
 * am I billed for AWS Support?" (the minimum of a part of a month). */
#ifndef FLEETCAST_MODELS_INVOICE_CHARGES_H
#define FLEETCAST_MODELS_INVOICE_CHARGES_H

#include "models/billing/invoice_ledger.h"

/* Checks an item of the plan that is being made; what is wrong is told. */
bool invoice_check(const struct charge_item *item, const struct charge_plan *plan,
                   const struct market_context *c);

/* A tiered fee on a month's cost, without the minimum. */
money_t invoice_support_fee(enum support_tier plan, money_t cost);
money_t invoice_support_minimum(enum support_tier plan);

/* c: with item and line set. In this order: the agreement (which takes its discount off the
 * ledger),
 * its shortfall, support plans. */
void invoice_edp(const struct charging *c, struct invoice_ledger *l);
void invoice_edp_shortfall(const struct charging *c, const struct invoice_ledger *l);
void invoice_support_plan(const struct charging *c, const struct invoice_ledger *l);

#endif
