/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/planned_losses.h"

double training_planned_loss_rate(const struct market_plan *market, const struct training_plan *p,
                                  int site)
{
    double rate = 0;
    if (p->span_zones > 0 && site_purchase(site) == PURCHASE_SPOT) {
        /* As if each had an even share: any of them may fall. */
        uint32_t each = training_nodes_a_zone(p);
        for (size_t i = 0; i < p->zones; i++) {
            rate += market_planned_loss_rate(market, p->pools[site_of_zone(i)], each);
        }
    } else {
        rate = market_planned_loss_rate(market, p->pools[site], p->work.nodes);
    }
    return rate + training_planned_failure_rate_per_s(p);
}
