/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/commitments/later_offers.h"

#include <math.h>

static bool is_later(const struct commitment *c)
{
    return c->start_us > 0 && (commitment_is_reserved(c) || commitment_is_savings_plan(c));
}

bool later_offers_init(struct later_offers *l, const struct commitment *listed, size_t count,
                       const struct coverage_group *groups, size_t group_count,
                       struct market_plan *market, const struct market_context *c)
{
    *l = (struct later_offers){.market = market, .listed = listed, .count = count};
    l->item_offers = arena_array(c->arena, count + 1, sizeof *l->item_offers);
    l->group_offers = arena_array(c->arena, group_count + 1, sizeof *l->group_offers);
    if (l->item_offers == NULL || l->group_offers == NULL) {
        return false;
    }
    bool plans = false;
    for (size_t k = 0; k < count; k++) {
        l->item_offers[k] = -1;
        plans = plans || (is_later(&listed[k]) && commitment_is_savings_plan(&listed[k]));
        if (is_later(&listed[k]) && commitment_is_reserved(&listed[k])) {
            bool moves;
            l->item_offers[k] = market_plan_offer(market, listed[k].type);
            if (l->item_offers[k] < 0) {
                return false;
            }
            (void)market_planned_offer_factor(market, l->item_offers[k], 0, &moves);
            l->moves = l->moves || moves;
        }
    }
    for (size_t i = 0; plans && i < group_count; i++) {
        bool moves;
        l->group_offers[i] = market_plan_offer(market, groups[i].type);
        if (l->group_offers[i] < 0) {
            return false;
        }
        (void)market_planned_offer_factor(market, l->group_offers[i], 0, &moves);
        l->moves = l->moves || moves;
    }
    if (l->moves) {
        assumptions_add(c->assumptions, false, "default", "offers of commitments bought later",
                        "as known now, times the on-demand price of the day over that of the "
                        "start");
    }
    return true;
}

static double factor_of(const struct later_offers *l, struct market *m, int offer, int64_t at_us)
{
    double at_s = (double)at_us / (double)MICROSECONDS;
    return m != NULL ? market_offer_factor(m, offer, at_s)
                     : market_planned_offer_factor(l->market, offer, at_s, NULL);
}

static money_t times(money_t amount, double factor)
{
    return (money_t)llround((double)amount * factor);
}

void later_offers_price(const struct later_offers *l, struct market *m, struct commitment *out)
{
    for (size_t k = 0; k < l->count; k++) {
        const struct commitment *c = &l->listed[k];
        out[k] = *c;
        double factor =
            l->item_offers[k] < 0 ? 1.0 : factor_of(l, m, l->item_offers[k], c->start_us);
        if (factor != 1.0 && c->count > 0) {
            commitment_set_reserved(&out[k], c->count, times(c->upfront / c->count, factor),
                                    times(c->recurring_per_hour / c->count, factor));
        }
    }
}

double later_offers_rate(const struct later_offers *l, struct market *m, size_t group,
                         size_t commitment)
{
    const struct commitment *c = &l->listed[commitment];
    return l->moves && is_later(c) && commitment_is_savings_plan(c)
               ? factor_of(l, m, l->group_offers[group], c->start_us)
               : 1.0;
}
