/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/invoice_charges.h"

#include "engine/civil_time.h"

#include <string.h>

enum { MONTHS_OF_A_YEAR = 12 };

/* ---- tiers of support plans, USD a month ---- */

enum { SUPPORT_TIERS = 4 };
static const struct {
    int64_t minimum;
    struct {
        int64_t up_to; /* of the month's charges; 0: no end */
        int percent;
    } tiers[SUPPORT_TIERS];
} support_plans[] = {
    [SUPPORT_TIER_DEVELOPER] = {29, {{0, 3}}},
    [SUPPORT_TIER_BUSINESS] = {100, {{10000, 10}, {80000, 7}, {250000, 5}, {0, 3}}},
    [SUPPORT_TIER_ON_RAMP] = {5500, {{0, 10}}},
    [SUPPORT_TIER_ENTERPRISE] = {15000, {{150000, 10}, {500000, 7}, {1000000, 5}, {0, 3}}},
};

money_t invoice_support_minimum(enum support_tier plan)
{
    return support_plans[plan].minimum * MONEY_UNIT;
}

money_t invoice_support_fee(enum support_tier plan, money_t cost)
{
    money_t fee = 0, from = 0;
    for (size_t i = 0; i < SUPPORT_TIERS && from < cost; i++) {
        money_t up_to = support_plans[plan].tiers[i].up_to * MONEY_UNIT;
        money_t to = up_to == 0 || cost < up_to ? cost : up_to;
        fee += money_share(to - from, support_plans[plan].tiers[i].percent, 100);
        from = to;
    }
    return fee;
}

/* ---- before any world ---- */

static bool only_one(const struct charge_item *item, const struct charge_plan *plan,
                     const struct market_context *c)
{
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->items[i].kind == item->kind) {
            return charge_complain(c, item->spec->item.place, "'%s' stands twice in 'charges'",
                                   item->kind == CHARGE_EDP ? "edp" : "support_plan");
        }
    }
    return true;
}

static bool check_support_plan(const struct charge_item *item, const struct market_context *c)
{
    enum support_tier plan = (enum support_tier)item->spec->support_plan.plan;
    if (strcmp(c->region->currency, "USD") != 0) {
        return charge_complain(c, item->spec->item.place,
                               "the tiers of 'support_plan' are in USD, and '%s' counts in %s; "
                               "state a share: 'support'",
                               c->region->code, c->region->currency);
    }
    assumptions_add(c->assumptions, false, "AWS Support plan pricing, as of 2025",
                    arena_format(c->arena, "support plan '%s'", support_tier_names[plan]),
                    "at least %lld USD a month, else %d %% of the month's charges%s",
                    (long long)support_plans[plan].minimum, support_plans[plan].tiers[0].percent,
                    support_plans[plan].tiers[0].up_to > 0 ? " and less in tiers" : "");
    return true;
}

static bool check_credit(const struct charge_item *item, const struct market_context *c)
{
    const struct charge_spec *s = item->spec;
    int64_t end_us = (s->expires.unix_s + 86400 - c->start_unix_s) * MICROSECONDS;
    if (s->expires.given && end_us <= item->at_us) {
        return charge_complain(c, s->item.place, "this credit expires before it begins");
    }
    return true;
}

bool invoice_check(const struct charge_item *item, const struct charge_plan *plan,
                   const struct market_context *c)
{
    switch (item->kind) {
    case CHARGE_EDP:
        return only_one(item, plan, c);
    case CHARGE_SUPPORT_PLAN:
        return only_one(item, plan, c) && check_support_plan(item, c);
    default:
        return check_credit(item, c);
    }
}

/* ---- an agreement ---- */

void invoice_edp(const struct charging *c, struct invoice_ledger *l)
{
    struct charge_target t = charging_target(c, charging_shared_row(c), NULL);
    int64_t share = charge_parts(charging_number(c, &c->item->spec->edp.discount));
    for (size_t p = 0; p < l->periods; p++) {
        int64_t from_us, to_us;
        money_t off = 0;
        invoice_ledger_span(l, p, &from_us, &to_us);
        for (int s = 0; s < SERVICE_COUNT; s++) {
            money_t *net = invoice_ledger_net(l, (enum charge_service)s, p);
            money_t part = money_share(*net, share, SHARE_WHOLE);
            *net -= part;
            off += part; /* no more than is on the bill */
        }
        charge_put(&t, from_us, p <= l->horizon ? to_us : from_us, -off);
    }
}

void invoice_edp_shortfall(const struct charging *c, const struct invoice_ledger *l)
{
    const struct edp_spec *s = &c->item->spec->edp;
    struct charge_target t = charging_target(c, charging_shared_row(c), NULL);
    money_t minimum = charge_money(&t, charging_number(c, &s->minimum));
    money_t others = charge_money(&t, charging_number(c, &s->other_spend) * MONTHS_OF_A_YEAR);
    int64_t first = civil_month_start(l->frame->start_unix_s);
    for (int64_t year = 0; year < s->years; year++) {
        size_t from = (size_t)year * MONTHS_OF_A_YEAR;
        int64_t end = civil_add_months(first, (int)(year + 1) * MONTHS_OF_A_YEAR);
        money_t spent = others;
        for (size_t p = 0; p < l->periods; p++) {
            size_t month = invoice_ledger_month(l, p);
            if (month >= from && month < from + MONTHS_OF_A_YEAR) {
                (void)money_add(&spent, invoice_ledger_sum(l, p));
                (void)money_add(&spent, l->paid[p]);
            }
        }
        if (spent < minimum) {
            int64_t at_us = (end - l->frame->start_unix_s) * MICROSECONDS;
            charge_put(&t, at_us, at_us, minimum - spent);
        }
    }
}

/* ---- support ---- */

static int64_t overlap(int64_t a, int64_t b, int64_t from, int64_t to)
{
    int64_t low = a > from ? a : from, high = b < to ? b : to;
    return high > low ? high - low : 0;
}

/* A part of a month's fee, for the time of the plan in the period. */
static void put_fee(const struct charge_target *t, const struct invoice_ledger *l, size_t period,
                    int64_t begin_us, int64_t end_us, money_t fee)
{
    int64_t from_us, to_us;
    invoice_ledger_span(l, period, &from_us, &to_us);
    from_us = from_us > begin_us ? from_us : begin_us;
    to_us = to_us < end_us ? to_us : end_us;
    bool inside = period <= l->horizon;
    if (inside && from_us >= l->frame->horizon_us) {
        from_us = l->frame->horizon_us - 1;
    }
    charge_put(t, from_us, inside && to_us > from_us ? to_us : from_us, fee);
}

static money_t at_least(money_t fee, money_t least)
{
    return fee > least ? fee : least;
}

void invoice_support_plan(const struct charging *c, const struct invoice_ledger *l)
{
    const enum support_tier plan = (enum support_tier)c->item->spec->support_plan.plan;
    struct charge_target t = charging_target(c, charging_shared_row(c), NULL);
    const money_t others =
        charge_money(&t, charging_number(c, &c->item->spec->support_plan.other_spend));
    int64_t begin_us = c->item->at_us, end_us = charging_end(c);
    for (size_t m = 0; m < l->frame->months; m++) {
        int64_t start_us = l->frame->month_start_us[m];
        int64_t next = civil_add_months(l->frame->start_unix_s + start_us / MICROSECONDS, 1);
        int64_t next_us = (next - l->frame->start_unix_s) * MICROSECONDS;
        int64_t time_us = overlap(begin_us, end_us, start_us, next_us);
        if (time_us == 0) {
            continue;
        }
        bool split = m == l->horizon;
        size_t p = m <= l->horizon ? m : m + 1;
        money_t before = invoice_ledger_sum(l, p) + l->paid[p];
        money_t cost = before + (split ? invoice_ledger_sum(l, p + 1) : 0);
        const money_t least =
            money_share(invoice_support_minimum(plan), time_us, next_us - start_us);
        /* Others pay for it without the project, too. */
        money_t fee = at_least(invoice_support_fee(plan, others + cost), least);
        fee -= others > 0 ? at_least(invoice_support_fee(plan, others), least) : 0;
        /* In the month of the horizon as its cost is split, or if there is none, its time. */
        money_t part = fee;
        if (split && cost > 0) {
            part = money_share(fee, before, cost);
        } else if (split) {
            int64_t inside_us = overlap(begin_us, end_us, start_us, l->frame->horizon_us);
            part = money_share(fee, inside_us, time_us);
        }
        put_fee(&t, l, p, begin_us, end_us, part);
        if (split) {
            put_fee(&t, l, p + 1, begin_us, end_us, fee - part);
        }
    }
}
