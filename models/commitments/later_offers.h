/* SPDX-License-Identifier: GPL-3.0-or-later
 * What commitments bought after the start cost. Offers are known at the start; one bought later
 * costs as much more or less as the on-demand price of its type then does (`market.price_changes`,
 * `market.price_cuts`): after the cut of June 2025 the reserved offers of P4d followed it, by 31
 * against 33 %. Reserved Instances change in price; a savings plan of so much an hour changes in
 * the rates at which it is spent. What is bought at the start, or once it is bought, changes no
 * more. */
#ifndef FLEETCAST_MODELS_LATER_OFFERS_H
#define FLEETCAST_MODELS_LATER_OFFERS_H

#include "models/commitments/coverage.h"
#include "models/market/market.h"

#include <stdbool.h>
#include <stddef.h>

struct later_offers {
    const struct market_plan *market;
    const struct commitment *listed; /* as offered at the start; borrowed */
    size_t count;
    int *item_offers;  /* by commitment: handle of market_plan_offer; -1: price stays */
    int *group_offers; /* by group */
    bool moves;        /* some price or rate may differ from what is listed */
};

/* Registers the on-demand prices that matter with the market's plan. False when out of memory. */
bool later_offers_init(struct later_offers *l, const struct commitment *listed, size_t count,
                       const struct coverage_group *groups, size_t group_count,
                       struct market_plan *market, const struct market_context *c);
/* All commitments, into out[count], as bought in the market's world; NULL: as planned. */
void later_offers_price(const struct later_offers *l, struct market *m, struct commitment *out);
/* The rate of a group under a commitment of the list, over what it is at the start. */
double later_offers_rate(const struct later_offers *l, struct market *m, size_t group,
                         size_t commitment);

#endif
