/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/bill_shares.h"

#include "models/billing/charging.h"

/* What a bill holds before a share is added. */
struct share_base {
    money_t cost, cash, amortised;
    const money_t *month;
};

static void add_share(const struct rating_frame *f, struct bill *b, const struct share_base *base,
                      size_t line, int64_t share)
{
    money_t sum = 0, given = 0;
    money_t all = money_share(base->cost, share, SHARE_WHOLE);
    accumulate(&b->other[line], all, &b->overflow);
    accumulate(&b->cost, all, &b->overflow);
    accumulate(&b->cash, money_share(base->cash, share, SHARE_WHOLE), &b->overflow);
    accumulate(&b->amortised, money_share(base->amortised, share, SHARE_WHOLE), &b->overflow);
    for (size_t i = 0; i < f->months; i++) {
        accumulate(&sum, base->month[i], &b->overflow);
        money_t upto = money_share(sum, share, SHARE_WHOLE);
        accumulate(&b->month[i], upto - given, &b->overflow);
        given = upto;
    }
}

static double share_of(const struct charge_item *item, const double *drawn_values)
{
    const struct charge_spec *s = item->spec;
    return number_value(item->kind == CHARGE_TAX ? &s->tax : &s->support, drawn_values);
}

void bill_shares_add(const struct charge_plan *plan, const struct charge_world *w,
                     struct bill *bills, enum charge_kind kind, money_t *month)
{
    const struct rating_frame *f = w->frame;
    double sum = 0;
    for (size_t row = 0; row <= plan->workload_count; row++) {
        struct bill *b = &bills[row];
        struct share_base base = {b->cost, b->cash, b->amortised, month};
        for (size_t i = 0; i < f->months; i++) {
            month[i] = b->month[i];
        }
        sum = 0;
        for (size_t i = 0; i < plan->count; i++) {
            if (plan->items[i].kind == kind) {
                double share = share_of(&plan->items[i], w->drawn);
                add_share(f, b, &base, i, charge_parts(share));
                sum += share;
            }
        }
    }
    for (size_t i = 0; w->spend_units != NULL && i < f->buckets; i++) {
        w->spend_units[i] *= 1 + sum;
    }
}
