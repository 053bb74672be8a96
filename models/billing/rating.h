/* SPDX-License-Identifier: GPL-3.0-or-later
 * Usage to charges. On-demand: per second while running, 60-second minimum a start. Spot: seconds,
 * and nothing at all when the cloud interrupts before one hour after launch; the prevailing price
 * is integrated, a maximum price never is what is paid. Money is rounded once per (launch, rate,
 * clock hour); equal consecutive hours are rated once. Time is billed to the microsecond: the
 * simulator's clock has no grid, and whole seconds would add half a second to every launch.
 * Sources: EC2 user guide, "On-Demand Instances" (2023-06-15) and "Billing for interrupted Spot
 * Instances".
 *
 * This is the market's side; the rules themselves are in rating_core.h, sums in bill.h. */
#ifndef FLEETCAST_MODELS_RATING_H
#define FLEETCAST_MODELS_RATING_H

#include "models/billing/bill.h"
#include "models/billing/rating_core.h"
#include "models/fleet/usage.h"
#include "models/market/market.h"

/* Rates one record, for all its nodes, and adds it to the bill. spend_units, when not NULL, holds
 * frame.buckets doubles: the spend of each bucket is added (currency units; a charge is spread
 * evenly over its record's part in the bucket; what falls after the horizon is in no bucket).
 * nodes, when not NULL, PURCHASE_COUNT × frame.buckets doubles: mean nodes held. */
void rating_rate(const struct rating_frame *f, struct market *m, const struct usage *u,
                 struct bill *b, double *spend_units, double *nodes);

/* The same at this share of the price, each price rounded to nano-units: what a discount takes off.
 */
void rating_rate_share(const struct rating_frame *f, struct market *m, const struct usage *u,
                       int64_t part, int64_t whole, struct bill *b, double *spend_units);

/* Calls piece (which may be NULL) for every stretch of constant price, in order; returns the
 * total of one of the record's nodes. A free record's pieces cost nothing. A total that overflowed
 * is MONEY_MAX. */
money_t rating_pieces(struct market *m, const struct usage *u, int64_t start_unix_s,
                      void (*piece)(void *context, const struct charge_piece *p), void *context);
/* True when the record is free under the first-hour rule. */
bool rating_is_free(struct market *m, const struct usage *u);

#endif
