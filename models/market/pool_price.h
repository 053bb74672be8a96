/* SPDX-License-Identifier: GPL-3.0-or-later
 * The price path of a pool: steps in time. On-demand follows the dated rows of the catalogue, as
 * far as they are known at `prices_as_of`; spot is constant, which holds for jobs of up to a week
 * or so (mean price over the next 48 h within 0.2 % of the start price in the median, 1.5 % at the
 * 90th percentile). Price never drives interruption. */
#ifndef FLEETCAST_MODELS_POOL_PRICE_H
#define FLEETCAST_MODELS_POOL_PRICE_H

#include "engine/arena.h"
#include "engine/money.h"
#include "models/catalogue/catalogue.h"

#include <stddef.h>
#include <stdint.h>

struct price_step {
    double from_s;    /* since the scenario's start */
    money_t per_hour; /* in force from then on */
};

struct pool_price {
    const struct price_step *steps; /* ascending; the first at 0; in an arena */
    size_t count;
};

/* On-demand prices of the type from start on, given what was known at as_of; *first (may be NULL)
 * receives the row in force at the start. count 0 when no row is in force at the start, or when
 * memory is out. */
struct pool_price pool_price_on_demand(const struct catalogue *c, const char *type,
                                       const char *region, int64_t start_unix_s,
                                       int64_t as_of_unix_s, struct arena *arena,
                                       const struct dated_price **first);
/* One price for ever. */
struct pool_price pool_price_constant(money_t per_hour, struct arena *arena);
/* Price in force at t_s >= 0; *until_s (may be NULL): its next change, +infinity if none. */
money_t pool_price_at(const struct pool_price *p, double t_s, double *until_s);

#endif
