/* SPDX-License-Identifier: GPL-3.0-or-later
 * The market's entries in the register of assumptions: what was assumed for a pool, in the words
 * that the reader of a result sees. */
#ifndef FLEETCAST_MODELS_MARKET_ASSUMED_H
#define FLEETCAST_MODELS_MARKET_ASSUMED_H

#include "models/market/market_plan.h"

/* A price last seen so many days before the start may no longer hold: its age is told. */
#define OLD_PRICE_DAYS 180

/* Availability through the Advisor's bucket (row: what the catalogue knows; its source NULL when
 * there is no row or the scenario names the bucket). */
void market_assumed_prior(const struct market_plan *p, const struct pool_plan *pool,
                          const struct advisor_row *row);
/* Relaxation times, node slope and season, as far as nobody stated them. */
void market_assumed_shape(const struct market_plan *p, const struct pool_plan *pool);
/* Mean times and shape of a hyperexponential pool, likewise. */
void market_assumed_turns(const struct market_plan *p, const struct pool_plan *pool);
/* The floor and the chain of a price that moves by regimes. */
void market_assumed_regimes(const struct market_plan *p, const struct pool_plan *pool);
/* Notice, the edge of the free first hour, and capacity where only single nodes fail. */
void market_assumed_spot_rules(const struct market_plan *p, const struct pool_plan *pool);
void market_assumed_spot_price(const struct market_plan *p, const struct pool_plan *pool,
                               const struct dated_price *row);
/* Only when the price was last seen long before the start: it may no longer hold. (A spot price is
 * listed always, with its age when it is old.) */
void market_assumed_on_demand_price(const struct market_plan *p, const struct pool_plan *pool,
                                    const struct dated_price *row);
/* Always there: said once for all, and for each family that is hard to get. */
void market_assumed_on_demand_capacity(const struct market_plan *p, const struct pool_plan *pool);

#endif
