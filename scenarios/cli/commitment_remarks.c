/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/commitment_remarks.h"

#include "engine/civil_time.h"
#include "engine/text.h"
#include "models/catalogue/reserved_offers.h"
#include "plots/text/figures.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/remarks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MEANING = 14, PURCHASES_SHOWN = 12 };

/* One commitment under way. */
struct remark {
    const struct study *study;
    size_t strategy, index;
    const struct commitment *commitment;
    double reuse;
};

static void print_term(const char *term, struct text *meaning)
{
    printf("  %-*s", MEANING - 2, term);
    remarks_print_wrapped(meaning, MEANING, MEANING);
    text_clear(meaning);
}

static void add_money(struct text *t, const struct remark *r, money_t m, const char *per)
{
    char amount[32];
    text_format(t, "%s %s%s", money_text(m, amount), r->study->scenario->currency, per);
}

static const char *date_of(const struct remark *r, int64_t us, char out[24])
{
    return civil_date_text(r->study->scenario->start.unix_s + us / MICROSECONDS, out);
}

/* ---- what is signed ---- */

static void add_offer(struct text *t, const struct remark *r)
{
    const struct commitment *c = r->commitment;
    if (commitment_is_reserved(c)) {
        text_format(t, "%s x %s, %s (%s)", figure_count((double)c->count).text, c->type,
                    commitment_kind_names[c->kind], offering_class_names[c->offering_class]);
        if (c->zone != NULL) {
            text_add(t, " in ");
            text_add_visible(t, c->zone, strlen(c->zone));
        }
    } else {
        text_add(t, commitment_kind_names[c->kind]);
        if (c->family != NULL) {
            text_add(t, " for ");
            text_add_visible(t, c->family, strlen(c->family));
        }
        text_add(t, ", ");
        add_money(t, r, c->hourly, "/h in its rates");
    }
    text_format(t, ", for %s, %s", c->term_years == 1 ? "one year" : "three years",
                payment_option_names[c->payment]);
}

/* The catalogue's offer, of one instance; a savings plan is priced by the scenario. */
static void add_price(struct text *t, const struct remark *r)
{
    const struct commitment *c = r->commitment;
    struct reserved_price price;
    struct offer_key key = {.type = c->type,
                            .region = c->region,
                            .kind = c->offering_class,
                            .term_years = c->term_years,
                            .payment = c->payment};
    char from[24], seen[24];
    if (!commitment_is_reserved(c)) {
        text_add(t, "as the scenario states: ");
        add_money(t, r, c->upfront, " upfront and ");
        add_money(t, r, c->recurring_per_hour, "/h");
        return;
    }
    if (!catalogue_reserved(r->study->catalogue, &key, r->study->scenario->prices_as_of_unix_s,
                            &price)) {
        return; /* it was there when the plan was made */
    }
    add_money(t, r, price.effective_per_hour, "/h effective, each: ");
    add_money(t, r, price.upfront, " upfront and ");
    add_money(t, r, price.hourly, "/h");
    text_format(t, "; known since %s, last seen %s; ", civil_date_text(price.from_unix_s, from),
                civil_date_text(price.confirmed_unix_s, seen));
    text_add_visible(t, price.layer, strlen(price.layer));
    text_add(t, ": ");
    text_add_visible(t, price.source, strlen(price.source));
}

static void add_total(struct text *t, const struct remark *r)
{
    const struct commitment *c = r->commitment;
    int64_t horizon_us = r->study->frame.horizon_us;
    char from[24], to[24];
    add_money(t, r, commitment_obligation(c), " in all");
    text_format(t, ", from %s to %s", date_of(r, c->start_us, from), date_of(r, c->end_us, to));
    if (c->end_us > horizon_us) {
        text_add(t, "; ");
        add_money(t, r, commitment_amortised(c, horizon_us, c->end_us),
                  " of it for time after the horizon");
        if (r->reuse > 0) {
            text_format(t, ", of which %.3g %% is of use elsewhere", 100 * r->reuse);
        }
    }
}

/* The days of a ladder's purchases, all of them unless they are many. */
static void print_purchases(const struct remark *r, struct text *t)
{
    const struct commitment_plan *plan = &r->study->strategies[r->strategy].commitments;
    const size_t rungs = (size_t)plan->rungs[r->index].rungs;
    char date[24];
    if (rungs == 1) {
        return;
    }
    money_t later = 0, total = 0;
    text_format(t, "%s times: ", figure_count((double)rungs).text);
    for (size_t i = 0; i < rungs; i++) {
        const struct commitment *c = &plan->items[r->index + i];
        (void)money_add(&total, commitment_obligation(c));
        (void)money_add(&later, commitment_amortised(c, r->study->frame.horizon_us, INT64_MAX));
        if (i < PURCHASES_SHOWN || i + 1 == rungs) {
            text_format(t, "%s%s", i == 0 ? "" : ", ", date_of(r, c->start_us, date));
        } else if (i == PURCHASES_SHOWN) {
            text_add(t, ", …");
        }
    }
    text_add(t, ", each with a term of its own; together ");
    add_money(t, r, total, " signed");
    if (later > 0) {
        text_add(t, ", ");
        add_money(t, r, later, " of it for time after the horizon");
    }
    text_add(t, "; what follows is of the first");
    print_term("bought", t);
}

/* ---- what it is good for ---- */

bool commitment_break_even(const struct study *s, size_t strategy, size_t commitment, int pool,
                           struct break_even *out)
{
    const struct commitment_plan *plan = &s->strategies[strategy].commitments;
    const struct commitment *c = &plan->items[commitment];
    int slot = plan->slot_of_pool[pool];
    double nodes = slot < 0 ? 0 : coverage_reach(plan->coverage, commitment, (size_t)slot);
    if (!(nodes > 0)) {
        return false;
    }
    double price = market_planned_price_per_hour(s->market, pool);
    double total = money_to_double(commitment_total(c));
    double later = money_to_double(commitment_amortised(c, s->frame.horizon_us, INT64_MAX)) *
                   plan->reuse[commitment];
    double hour = nodes * price; /* what an hour of all of it is worth */
    double term_h = (double)(c->end_us - c->start_us) / (double)HOUR_US;
    *out = (struct break_even){
        .nodes = nodes,
        .on_demand_per_hour = price,
        .share = total / hour / term_h,
        .plan_h = (total - later) / hour,
        .horizon_h =
            (double)commitment_overlap_us(c, INT64_MIN / 4, s->frame.horizon_us) / (double)HOUR_US,
    };
    return true;
}

static void add_cover(struct text *t, const struct remark *r, int pool, const struct break_even *b)
{
    const struct pool_info *info = market_pool_info(r->study->market, pool);
    int decimals = b->nodes == floor(b->nodes) ? 0 : 2;
    text_format(t, "%s on-demand %s", figure_decimal(b->nodes, decimals).text, info->type->name);
    text_add(t, " in ");
    text_add_visible(t, info->zone, strlen(info->zone));
}

static void add_break_even(struct text *t, const struct remark *r, const struct break_even *b)
{
    const struct commitment *c = r->commitment;
    double term_h = (double)(c->end_us - c->start_us) / (double)HOUR_US;
    text_format(t, "at %.3g %% use against %.8g %s/h on demand", 100 * b->share,
                b->on_demand_per_hour, r->study->scenario->currency);
    if (b->share > 1) {
        text_add(t, ": never");
        return;
    }
    text_format(t, ": %s of the term's %s hours", figure_count(b->share * term_h).text,
                figure_count(term_h).text);
    if (b->horizon_h < term_h) {
        if (r->reuse > 0) {
            text_format(t, "; in this plan, which does not bear what is of use elsewhere, %s",
                        figure_count(b->plan_h).text);
        }
        text_format(t, "; the horizon leaves %s of them%s", figure_count(b->horizon_h).text,
                    b->plan_h > b->horizon_h ? ", too few" : "");
    }
    if (c->term_years > 0) {
        text_format(t, "; given up before %.3g months (of 730 h) of full use it does not pay",
                    b->share * term_h / 730);
    }
}

/* The same against spot at its mean price; nothing where the catalogue knows none. */
static void print_against_spot(const struct remark *r, struct text *t, int pool,
                               const struct break_even *b)
{
    const struct scenario *sc = r->study->scenario;
    const struct pool_info *info = market_pool_info(r->study->market, pool);
    struct dated_price spot;
    if (!catalogue_spot(r->study->catalogue, info->type->name, sc->region, NULL, SPOT_MEAN,
                        sc->prices_as_of_unix_s, &spot)) {
        return;
    }
    double share = b->share * b->on_demand_per_hour / money_to_double(spot.per_hour);
    text_format(t, "at %.3g %% use against the mean spot price, ", 100 * share);
    add_money(t, r, spot.per_hour, "/h");
    text_add(t, share > 1 ? ": never" : ", while spot can be had");
    print_term("on spot", t);
}

/* What it covers, and at which use it pays, for each pool on demand. */
static void print_use(const struct remark *r, struct text *t)
{
    const struct commitment_plan *plan = &r->study->strategies[r->strategy].commitments;
    bool any = false;
    for (size_t pool = 0; pool < plan->pool_count; pool++) {
        struct break_even b;
        if (!commitment_break_even(r->study, r->strategy, r->index, (int)pool, &b)) {
            continue;
        }
        any = true;
        text_add(t, "up to ");
        add_cover(t, r, (int)pool, &b);
        print_term("covers", t);
        add_break_even(t, r, &b);
        print_term("breaks even", t);
        print_against_spot(r, t, (int)pool, &b);
    }
    if (!any) {
        text_add(t, "nothing that this strategy runs on demand");
        print_term("covers", t);
    }
}

void commitment_remarks_print(const struct study *s, size_t strategy)
{
    const struct commitment_plan *plan = &s->strategies[strategy].commitments;
    for (size_t i = 0; i < plan->count; i++) {
        struct remark r = {s, strategy, i, &plan->items[i], plan->reuse[i]};
        struct text t;
        if (plan->rungs[i].rung > 0) {
            continue; /* said with the first purchase of its ladder */
        }
        text_init(&t, 0);
        putchar('\n');
        command_print(study_strategy_name(s, strategy));
        size_t items = plan->rungs[plan->count - 1].item + 1;
        if (items > 1) {
            printf(", commitment %zu of %zu\n", plan->rungs[i].item + 1, items);
        } else {
            puts(", commitment");
        }
        add_offer(&t, &r);
        print_term("signs for", &t);
        add_price(&t, &r);
        print_term("price", &t);
        print_purchases(&r, &t);
        add_total(&t, &r);
        print_term("signed", &t);
        print_use(&r, &t);
        text_release(&t);
    }
}
