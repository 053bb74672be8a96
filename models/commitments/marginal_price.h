/* SPDX-License-Identifier: GPL-3.0-or-later
 * What one more instance costs now: the on-demand bill of the hour with it, less that without it.
 * Zero while it fits into a commitment that is paid anyway, the on-demand price when all are full,
 * between the two when one has room for a part of it, and the price of whatever it displaces when
 * it takes another's cover. This, not the list price, is what a choice between ways to buy
 * compares. */
#ifndef FLEETCAST_MODELS_MARGINAL_PRICE_H
#define FLEETCAST_MODELS_MARGINAL_PRICE_H

#include "models/commitments/coverage.h"

struct marginal_price;                                               /* one thread's memory */
struct marginal_price *marginal_price_new(const struct coverage *c); /* NULL: no memory */
void marginal_price_free(struct marginal_price *m);

/* Nano-units an hour for one more instance of the slot, over an hour that begins at at_us with
 * these instances running (by slot, each 0 … 1,000,000). Never negative. MONEY_MAX on overflow. */
money_t marginal_price(struct marginal_price *m, const int64_t *running, size_t slot,
                       int64_t at_us);
/* The same for `count` more of them together. */
money_t marginal_price_of(struct marginal_price *m, const int64_t *running, size_t slot,
                          int64_t count, int64_t at_us);
/* What an hour costs with one set of instances more than with another; below 0 when it is less. */
money_t marginal_price_between(struct marginal_price *m, const int64_t *without,
                               const int64_t *with, int64_t at_us);

#endif
