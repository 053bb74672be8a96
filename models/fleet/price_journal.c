/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/price_journal.h"

#include "models/fleet/fleet_pool.h"

#include <math.h>

static void write_price(struct fleet *f, int pool, double at_s, money_t per_hour)
{
    char amount[32];
    journal_add(f->journal, at_s, UINT32_MAX, "%s: costs %s an hour",
                market_pool_info(market_plan_of(f->market), pool)->name,
                money_text(per_hour, amount));
}

/* The first price is told where another follows, whenever that is: no strategy that ends sooner
 * leaves it out. */
static void write_pool(struct fleet *f, int pool, double until_s)
{
    double next_s;
    money_t told = market_price(f->market, pool, 0, &next_s);
    for (bool first = true; isfinite(next_s) && (first || next_s <= until_s);) {
        double at_s = next_s;
        money_t price = market_price(f->market, pool, at_s, &next_s);
        if (price == told) {
            continue;
        }
        if (first) {
            write_price(f, pool, 0, told);
            first = false;
        }
        if (at_s <= until_s) {
            write_price(f, pool, at_s, price);
        }
        told = price;
    }
}

void price_journal_write(struct fleet *f, double until_s)
{
    for (size_t k = 0; f->journal != NULL && k < f->pool_count; k++) {
        enum purchase purchase =
            market_pool_info(market_plan_of(f->market), f->pools[k]->pool)->purchase;
        if (purchase == PURCHASE_ON_DEMAND || purchase == PURCHASE_SPOT) {
            write_pool(f, f->pools[k]->pool, until_s);
        }
    }
}
