/* SPDX-License-Identifier: GPL-3.0-or-later
 * Credits pay what the provider's services cost after discounts, in order of time, never below
 * zero. The one that expires first goes first, of equal ones that for a single service, then the
 * one that stands first; each goes to the service that costs most first. They pay no upfront fees,
 * no support, no tax, and nothing that is not the provider's. In a period in which a credit begins
 * or expires it may pay the share of the node time that lies before or after that.
 * Sources: AWS Billing User Guide, "AWS credits", steps 1 and 2; AWS re:Post, "Can I use AWS
 * promotional credits to purchase a Reserved Instance or Savings Plan?" (recurring fees, no upfront
 * ones). */
#ifndef FLEETCAST_MODELS_INVOICE_CREDITS_H
#define FLEETCAST_MODELS_INVOICE_CREDITS_H

#include "models/billing/invoice_ledger.h"

/* All credits of the plan, each on its line, what they share. The ledger must be closed. False when
 * memory is out. */
bool invoice_credits(const struct charging *c, const struct invoice_ledger *l);

#endif
