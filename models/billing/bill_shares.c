/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/bill_shares.h"

#include "models/billing/charging.h"

/* What a bill holds before a share is added. */
struct share_base {
    money_t cost, cash, amortised;
    const money_t *month;
    const money_t *by_month; /* NULL: not wanted */
};

/* The share of cash or amortised cost by month, as of the cost. */
static void note_share(const struct rating_frame *f, struct bill *b, const struct share_base *base,
                       enum bill_row row, int64_t share)
{
    money_t sum = 0, given = 0;
    for (size_t i = 0; base->by_month != NULL && i < f->months; i++) {
        accumulate(&sum, base->by_month[(size_t)row * f->months + i], &b->overflow);
        money_t upto = money_share(sum, share, SHARE_WHOLE);
        bill_note(b, f, (size_t)row, i, upto - given);
        given = upto;
    }
}

static void add_share(const struct charge_world *w, struct bill *bills, size_t row,
                      const struct share_base *base, size_t line, int64_t share)
{
    const struct rating_frame *f = w->frame;
    struct bill *b = &bills[row];
    const size_t category = BILL_ROW_CATEGORY + (size_t)bill_category_of_other(f, line);
    money_t sum = 0, given = 0;
    money_t all = money_share(base->cost, share, SHARE_WHOLE);
    accumulate(&b->other[line], all, &b->overflow);
    accumulate(&b->cost, all, &b->overflow);
    money_t cash = money_share(base->cash, share, SHARE_WHOLE);
    money_t amortised = money_share(base->amortised, share, SHARE_WHOLE);
    accumulate(&b->cash, cash, &b->overflow);
    accumulate(&b->amortised, amortised, &b->overflow);
    if (w->sink != NULL) {
        w->sink->take(w->sink->context, &(struct charge_note){.row = row,
                                                              .item = line,
                                                              .to_us = f->horizon_us,
                                                              .amount = cash,
                                                              .of_others = true,
                                                              .amortised = amortised,
                                                              .later = all - cash});
    }
    for (size_t i = 0; i < f->months; i++) {
        accumulate(&sum, base->month[i], &b->overflow);
        money_t upto = money_share(sum, share, SHARE_WHOLE);
        accumulate(&b->month[i], upto - given, &b->overflow);
        bill_note(b, f, category, i, upto - given);
        given = upto;
    }
    note_share(f, b, base, BILL_ROW_CASH, share);
    note_share(f, b, base, BILL_ROW_AMORTISED, share);
}

static double share_of(const struct charge_item *item, const double *drawn_values)
{
    const struct charge_spec *s = item->spec;
    return number_value(item->kind == CHARGE_TAX ? &s->tax : &s->support, drawn_values);
}

int64_t bill_shares_of(const struct charge_plan *plan, const double *drawn, enum charge_kind kind)
{
    int64_t sum = 0;
    for (size_t i = 0; i < plan->count; i++) {
        sum += plan->items[i].kind == kind ? charge_parts(share_of(&plan->items[i], drawn)) : 0;
    }
    return sum;
}

void bill_shares_add(const struct charge_plan *plan, const struct charge_world *w,
                     struct bill *bills, enum charge_kind kind, money_t *month, money_t *by_month)
{
    const struct rating_frame *f = w->frame;
    double sum = 0;
    for (size_t row = 0; row <= plan->workload_count; row++) {
        const struct bill *b = &bills[row];
        struct share_base base = {b->cost, b->cash, b->amortised, month,
                                  b->by_month == NULL ? NULL : by_month};
        for (size_t i = 0; i < f->months; i++) {
            month[i] = b->month[i];
        }
        for (size_t i = 0; base.by_month != NULL && i < BILL_ROW_CATEGORY * f->months; i++) {
            by_month[i] = b->by_month[i];
        }
        sum = 0;
        for (size_t i = 0; i < plan->count; i++) {
            if (plan->items[i].kind == kind) {
                double share = share_of(&plan->items[i], w->drawn);
                add_share(w, bills, row, &base, i, charge_parts(share));
                sum += share;
            }
        }
    }
    for (size_t i = 0; w->spend_units != NULL && i < f->buckets; i++) {
        w->spend_units[i] *= 1 + sum;
    }
}
