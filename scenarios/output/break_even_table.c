/* SPDX-License-Identifier: GPL-3.0-or-later
 * See break_even_table.h. Prices are those that planning knows: of pools, as the market states
 * them; of offers, as known at `prices_as_of`. An offer that no strategy signs is listed too. */
#include "scenarios/output/break_even_table.h"

#include "models/catalogue/block_prices.h"
#include "models/catalogue/reserved_offers.h"
#include "scenarios/output/result_rows.h"

#include <math.h>
#include <string.h>

/* Types of a study, and ways to buy one: more are left out. */
enum { TYPES_MAX = 64, WAYS_MAX = 128 };

struct way {
    const char *name, *payment, *basis; /* payment NULL: by use, or a block */
    int term_years;
    bool fixed; /* paid in every hour of its term */
    money_t per_hour;
    int64_t signed_by; /* strategies */
};

struct ways {
    const struct study *study;
    const char *type;
    struct way way[WAYS_MAX];
    size_t count;
    money_t on_demand, spot; /* 0: unknown */
};

/* The way, new or known already; NULL when there are too many. */
static struct way *add_way(struct ways *w, struct way as)
{
    for (size_t i = 0; i < w->count; i++) {
        struct way *known = &w->way[i];
        bool same_payment =
            known->payment == as.payment || (known->payment != NULL && as.payment != NULL &&
                                             strcmp(known->payment, as.payment) == 0);
        if (strcmp(known->name, as.name) == 0 && strcmp(known->basis, as.basis) == 0 &&
            known->term_years == as.term_years && same_payment && known->per_hour == as.per_hour) {
            return known;
        }
    }
    if (w->count == WAYS_MAX) {
        return NULL;
    }
    w->way[w->count] = as;
    return &w->way[w->count++];
}

/* ---- by use ---- */

/* The planned price of the first pool of the type that is bought so; 0: there is none. */
static money_t pool_price(const struct ways *w, enum purchase purchase)
{
    const struct market_plan *m = w->study->market;
    money_t price = 0;
    for (size_t p = 0; p < market_plan_pools(m); p++) {
        const struct pool_info *info = market_pool_info(m, (int)p);
        if (info->purchase == purchase && strcmp(info->type->name, w->type) == 0 &&
            money_from_double(market_planned_price_per_hour(m, (int)p), &price)) {
            return price;
        }
    }
    return 0;
}

static void add_by_use(struct ways *w)
{
    const struct study *s = w->study;
    const int64_t as_of = s->scenario->prices_as_of_unix_s;
    const struct dated_price *listed =
        catalogue_on_demand_at(s->catalogue, w->type, s->region->code, as_of, as_of);
    struct dated_price spot;
    w->on_demand = pool_price(w, PURCHASE_ON_DEMAND);
    w->spot = pool_price(w, PURCHASE_SPOT);
    if (w->on_demand == 0 && listed != NULL) {
        w->on_demand = listed->per_hour;
    }
    if (w->spot == 0 &&
        catalogue_spot(s->catalogue, w->type, s->region->code, NULL, SPOT_MEAN, as_of, &spot)) {
        w->spot = spot.per_hour;
    }
    if (w->on_demand > 0) {
        (void)add_way(w, (struct way){.name = purchase_names[PURCHASE_ON_DEMAND],
                                      .basis = "planned",
                                      .per_hour = w->on_demand});
    }
    if (w->spot > 0) {
        (void)add_way(w, (struct way){.name = purchase_names[PURCHASE_SPOT],
                                      .basis = "planned",
                                      .per_hour = w->spot});
    }
}

/* ---- paid anyway ---- */

static void add_offers(struct ways *w)
{
    const struct study *s = w->study;
    const int64_t as_of = s->scenario->prices_as_of_unix_s;
    for (int kind = 0; kind < OFFER_KIND_COUNT; kind++) {
        for (int term = 1; term <= 3; term += 2) {
            for (int payment = 0; payment < PAYMENT_COUNT; payment++) {
                const struct offer_key key = {.type = w->type,
                                              .region = s->region->code,
                                              .kind = (enum offer_kind)kind,
                                              .term_years = term,
                                              .payment = (enum payment_option)payment};
                struct reserved_price price;
                if (catalogue_reserved(s->catalogue, &key, as_of, &price)) {
                    (void)add_way(w, (struct way){.name = offer_kind_names[kind],
                                                  .payment = payment_option_names[payment],
                                                  .basis = "listed",
                                                  .term_years = term,
                                                  .fixed = true,
                                                  .per_hour = price.effective_per_hour});
                }
            }
        }
    }
    const struct block_price *block =
        catalogue_block(s->catalogue, w->type, s->region->code, as_of);
    if (block != NULL) {
        (void)add_way(w, (struct way){.name = purchase_names[PURCHASE_BLOCK],
                                      .basis = "listed",
                                      .fixed = true,
                                      .per_hour = block->per_hour});
    }
}

static enum offer_kind kind_of(const struct commitment *c)
{
    return c->kind == COMMITMENT_COMPUTE_SAVINGS    ? OFFER_COMPUTE_SAVINGS
           : c->kind == COMMITMENT_INSTANCE_SAVINGS ? OFFER_INSTANCE_SAVINGS
                                                    : c->offering_class;
}

/* The rate of the type under the k-th commitment, and what it rests on; 0: it does not apply. */
static money_t rate_of(const struct ways *w, const struct commitment_plan *plan, size_t k,
                       const char **basis)
{
    for (size_t g = 0; g < plan->group_count; g++) {
        const struct savings_rate *rate = &plan->rates[commitment_plan_cell(plan, g, k)];
        if (strcmp(plan->groups[g].type, w->type) != 0 || rate->stated == COVERAGE_NOT_ELIGIBLE) {
            continue;
        }
        *basis = rate->stated == 0 ? "assumed" : "stated";
        return savings_rate_of(rate, number_value(&plan->factor, NULL),
                               plan->groups[g].on_demand_per_hour);
    }
    return 0;
}

/* What a strategy signs, each item once whatever its purchases. */
static void add_signed(struct ways *w, const struct commitment_plan *plan)
{
    for (size_t k = 0; k < plan->count; k++) {
        const struct commitment *c = &plan->later.listed[k];
        const bool savings = commitment_is_savings_plan(c);
        const char *basis = "listed";
        if (plan->rungs[k].rung > 0 || (!savings && strcmp(c->type, w->type) != 0)) {
            continue;
        }
        money_t price = savings ? rate_of(w, plan, k, &basis) : 0;
        if (!savings) {
            const int64_t hours = commitment_term_us(c->term_years) / HOUR_US;
            price = (c->upfront / hours + c->recurring_per_hour) / c->count;
        }
        struct way *way = price == 0
                              ? NULL
                              : add_way(w, (struct way){.name = offer_kind_names[kind_of(c)],
                                                        .payment = payment_option_names[c->payment],
                                                        .basis = basis,
                                                        .term_years = c->term_years,
                                                        .fixed = true,
                                                        .per_hour = price});
        if (way != NULL) {
            way->signed_by++;
        }
    }
}

/* ---- rows ---- */

static double share(money_t price, money_t of)
{
    return of > 0 ? (double)price / (double)of : (double)NAN;
}

static void put_way(struct result_rows *rows, const struct ways *w, const struct way *way)
{
    rows_next(rows);
    rows_text(rows, w->type);
    rows_text(rows, way->name);
    rows_integer(rows, way->term_years > 0 ? way->term_years : COLUMN_MISSING_INTEGER);
    rows_text(rows, way->payment);
    rows_text(rows, way->basis);
    rows_integer(rows, way->fixed);
    rows_integer(rows, way->signed_by);
    rows_money(rows, way->per_hour);
    rows_number(rows, way->fixed ? share(way->per_hour, w->on_demand) : (double)NAN);
    rows_number(rows, way->fixed ? share(way->per_hour, w->spot) : (double)NAN);
}

static void put_type(struct result_rows *rows, const struct study *s, const char *type)
{
    struct ways w = {.study = s, .type = type};
    add_by_use(&w);
    add_offers(&w);
    for (size_t k = 0; k < s->strategy_count; k++) {
        add_signed(&w, &s->strategies[k].commitments);
    }
    for (size_t i = 0; i < w.count; i++) {
        put_way(rows, &w, &w.way[i]);
    }
}

static size_t note_type(const char **types, size_t count, const char *type)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(types[i], type) == 0) {
            return count;
        }
    }
    if (count < TYPES_MAX) {
        types[count++] = type;
    }
    return count;
}

struct table *break_even_table(const struct study *s)
{
    const char *types[TYPES_MAX];
    size_t count = 0;
    struct result_rows rows;
    rows_begin(&rows, "break_even", s->scenario->currency);
    for (size_t k = 0; k < s->strategy_count; k++) {
        const struct commitment_plan *plan = &s->strategies[k].commitments;
        for (size_t i = 0; i < s->workload_count; i++) {
            const struct work_plan *work = s->strategies[k].plans[i];
            for (size_t p = 0; p < work->pool_count; p++) {
                const struct pool_info *info = market_pool_info(s->market, work->pools[p].pool);
                count = note_type(types, count, info->type->name);
            }
        }
        for (size_t i = 0; i < plan->count; i++) {
            count =
                plan->items[i].type == NULL ? count : note_type(types, count, plan->items[i].type);
        }
    }
    for (size_t i = 0; i < count; i++) {
        put_type(&rows, s, types[i]);
    }
    return rows_end(&rows);
}
