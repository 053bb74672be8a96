/* SPDX-License-Identifier: GPL-3.0-or-later
 * What an instance costs an hour under a savings plan. A rate that the scenario states holds, else
 * one that the catalogue or a price file knows; with `rate: as-reserved` all that are not stated
 * are assumed: the effective price of Reserved Instances of the same term and payment (standard for
 * an EC2 Instance Savings Plan, convertible for a Compute Savings Plan) times one uncertain factor
 * of all plans of the scenario, uniform from 1.00 to 1.10, drawn once a world and its median for
 * planning. No such rate passes the on-demand price: the provider's never do. Since the factor
 * decides by itself whether the plan or the reservation is the cheaper, no choice between the two
 * may rest on it: see scenarios/study/rate_doubt.h. */
#ifndef FLEETCAST_MODELS_SAVINGS_RATES_H
#define FLEETCAST_MODELS_SAVINGS_RATES_H

#include "engine/inputs.h"
#include "models/commitments/commitment_keys.h"
#include "models/market/market.h"

#include <stdbool.h>

/* Nano-units an hour. */
struct savings_rate {
    money_t stated;   /* COVERAGE_NOT_ELIGIBLE: the plan does not apply; 0: as reserved */
    money_t reserved; /* the reservation's effective price, where stated is 0 */
};

/* The rate of a type under one plan (any item may be asked; what is no savings plan applies to
 * nothing). A missing one is told at the item's place and false: the provider would cover such
 * usage, so that it is never taken as on demand without a word. Assumed ones are registered. */
bool savings_rate_find(const struct commitment_spec *s, const char *type,
                       const struct market_context *c, struct savings_rate *out);

/* The factor as an input of the scenario, added when it is asked for first. False: no memory. */
#define SAVINGS_FACTOR_INPUT "savings_plans.rate_over_reserved"
bool savings_factor(const struct market_context *c, struct number *out);

/* The rate in a world (or as planned): reserved × factor, at most the on-demand price. */
money_t savings_rate_of(const struct savings_rate *r, double factor, money_t on_demand);

#endif
