/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reserved offers as price lists give them: one row for what is paid upfront and one for the hourly
 * rate. Joined to the effective price, all payments over the hours of the term. */
#ifndef FLEETCAST_SCENARIOS_OFFER_PAIRS_H
#define FLEETCAST_SCENARIOS_OFFER_PAIRS_H

#include "scenarios/import/price_rows.h"

#include <stdbool.h>

struct offer_pairs;

/* Of one file. NULL when memory is out, told. */
struct offer_pairs *offer_pairs_new(struct price_rows *rows, const struct import_request *r);
void offer_pairs_free(struct offer_pairs *o);

/* An upfront amount; false when it is none, or above a hundred million. */
bool offer_pairs_upfront(const char *text, money_t *out);

/* One of the two rows; row->per_hour holds its amount. The same half given twice with another
 * amount is an error. False then. */
bool offer_pairs_add(struct offer_pairs *o, const struct imported_price *row, bool upfront);
/* Hands all offers to the rows, at upfront / (8760 × years) + hourly, rounded once. An offer that
 * lacks its upfront half, or (unless all of it is upfront) its hourly one, is an error: the file
 * was cut. False on failure, told. */
bool offer_pairs_finish(struct offer_pairs *o);

#endif
