/* SPDX-License-Identifier: GPL-3.0-or-later
 * A price that charges beside nodes are made of: what the scenario states, else what the catalogue
 * and the user's price files know, which goes to the register of assumptions with source and age. A
 * price that nobody knows is an error: it is never zero and never a guess. */
#ifndef FLEETCAST_MODELS_CHARGE_PRICE_H
#define FLEETCAST_MODELS_CHARGE_PRICE_H

#include "models/catalogue/storage_prices.h"
#include "models/market/market.h"

#include <stdbool.h>

struct charge_price {
    const struct number *stated; /* NULL: listed */
    struct storage_price listed;
};

/* stated when given, else the catalogue's newest at prices_as_of; key: what states it. False when
 * there is none, told at `where`. */
bool charge_price_find(struct charge_price *p, const struct number *stated, enum storage_item item,
                       const char *key, struct place where, const struct market_context *c);
/* Per unit, in currency units; of a listed price its first tier. */
double charge_price_value(const struct charge_price *p, const double *drawn);
/* Of so many units, in currency units: through the tiers of a listed price. */
double charge_price_of(const struct charge_price *p, double quantity, const double *drawn);

/* An error of the scenario at a place; false. */
bool charge_complain(const struct market_context *c, struct place where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
