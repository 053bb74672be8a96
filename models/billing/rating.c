/* SPDX-License-Identifier: GPL-3.0-or-later
 * The market as a price source. The market's clock is a double, the bill's is whole microseconds; a
 * price step is rounded to the grid as usage is, so that both agree on which side of it a second
 * lies. Steps that fall together on the grid are passed over: the last of them holds. */
#include "models/billing/rating.h"

#include "models/billing/rating_core.h"

#include <assert.h>
#include <math.h>

struct market_price_source {
    struct market *market;
    int pool;
    int64_t part, whole; /* of the price that counts; whole 0: all */
};

static money_t market_price_at(void *context, int64_t at_us, int64_t *until_us)
{
    const struct market_price_source *source = context;
    double at_s = (double)at_us / (double)MICROSECONDS, until_s;
    money_t price = market_price(source->market, source->pool, at_s, &until_s);
    *until_us = until_s == HUGE_VAL ? INT64_MAX : microseconds(until_s);
    while (*until_us <= at_us) {
        assert(until_s > at_s);
        at_s = until_s;
        price = market_price(source->market, source->pool, at_s, &until_s);
        *until_us = microseconds(until_s);
    }
    return source->whole == 0 ? price : money_share(price, source->part, source->whole);
}

static struct rating_terms market_terms(struct market_price_source *source)
{
    const struct pool_info *info = market_pool_info(market_plan_of(source->market), source->pool);
    return (struct rating_terms){
        .purchase = info->purchase,
        .first_hour_free =
            info->purchase == PURCHASE_SPOT && market_first_hour_free(source->market, source->pool),
        .price = {.price_at = market_price_at, .context = source},
    };
}

void rating_rate(const struct rating_frame *f, struct market *m, const struct usage *u,
                 struct bill *b, double *spend_units, double *nodes)
{
    struct market_price_source source = {.market = m, .pool = u->pool};
    struct rating_terms terms = market_terms(&source);
    rating_core_rate(f, &terms, u, b, spend_units, nodes);
}

void rating_rate_share(const struct rating_frame *f, struct market *m, const struct usage *u,
                       int64_t part, int64_t whole, struct bill *b, double *spend_units)
{
    struct market_price_source source = {
        .market = m, .pool = u->pool, .part = part, .whole = whole};
    struct rating_terms terms = market_terms(&source);
    rating_core_rate(f, &terms, u, b, spend_units, NULL);
}

money_t rating_pieces(struct market *m, const struct usage *u, int64_t start_unix_s,
                      void (*piece)(void *context, const struct charge_piece *p), void *context)
{
    struct market_price_source source = {.market = m, .pool = u->pool};
    struct rating_terms terms = market_terms(&source);
    return rating_core_pieces(&terms, u, start_unix_s, piece, context);
}

bool rating_is_free(struct market *m, const struct usage *u)
{
    struct market_price_source source = {.market = m, .pool = u->pool};
    struct rating_terms terms = market_terms(&source);
    return rating_core_is_free(&terms, u);
}
