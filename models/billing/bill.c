/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sums saturate and say so: a bill that overflowed is refused, whatever part of it did. */
#include "models/billing/bill.h"

const char *const bill_category_names[BILL_CATEGORY_COUNT] = {
    [BILL_ON_DEMAND] = "on-demand",
    [BILL_SPOT] = "spot",
    [BILL_COMMITMENTS_USED] = "commitments-used",
    [BILL_COMMITMENTS_UNUSED] = "commitments-unused",
    [BILL_COMMITMENTS_LATER] = "commitments-later",
    [BILL_STORAGE] = "storage",
    [BILL_TRANSFER] = "transfer",
    [BILL_FEES] = "fees",
    [BILL_DISCOUNT] = "discount",
    [BILL_SUPPORT] = "support",
    [BILL_TAX] = "tax",
    [BILL_BLOCKS] = "capacity-blocks",
    [BILL_DISPLACED] = "displaced",
    [BILL_OWNED] = "owned",
    [BILL_RESERVATIONS] = "capacity-reservations",
};

void bill_clear(struct bill *b, const struct rating_frame *f)
{
    money_t *month = b->month, *by_month = b->by_month, *other = b->other;
    *b = (struct bill){.month = month, .by_month = by_month, .others = f->others, .other = other};
    for (size_t i = 0; by_month != NULL && i < BILL_ROWS * f->months; i++) {
        by_month[i] = 0;
    }
    for (size_t i = 0; i < f->months; i++) {
        month[i] = 0;
    }
    for (size_t i = 0; i < f->others; i++) {
        other[i] = 0;
    }
}

void bill_add(struct bill *whole, const struct bill *part, const struct rating_frame *f)
{
    bool *overflow = &whole->overflow;
    *overflow = *overflow || part->overflow;
    accumulate(&whole->cost, part->cost, overflow);
    accumulate(&whole->cash, part->cash, overflow);
    accumulate(&whole->amortised, part->amortised, overflow);
    accumulate(&whole->obligation, part->obligation, overflow);
    for (int p = 0; p < PURCHASE_COUNT; p++) {
        for (int a = 0; a < ACTIVITY_COUNT; a++) {
            accumulate(&whole->line[p][a], part->line[p][a], overflow);
            accumulate(&whole->node_us[p][a], part->node_us[p][a], overflow);
        }
    }
    accumulate(&whole->free_us, part->free_us, overflow);
    accumulate(&whole->free_worth, part->free_worth, overflow);
    for (size_t i = 0; i < f->months; i++) {
        accumulate(&whole->month[i], part->month[i], overflow);
    }
    for (size_t i = 0;
         whole->by_month != NULL && part->by_month != NULL && i < BILL_ROWS * f->months; i++) {
        accumulate(&whole->by_month[i], part->by_month[i], overflow);
    }
    for (size_t i = 0; i < f->others; i++) {
        accumulate(&whole->other[i], part->other[i], overflow);
    }
    accumulate(&whole->committed.covered, part->committed.covered, overflow);
    accumulate(&whole->committed.used, part->committed.used, overflow);
    accumulate(&whole->committed.unused, part->committed.unused, overflow);
    accumulate(&whole->committed.later, part->committed.later, overflow);
    accumulate(&whole->windows_unused, part->windows_unused, overflow);
    accumulate(&whole->committed.displaced, part->committed.displaced, overflow);
    accumulate(&whole->reserved_idle, part->reserved_idle, overflow);
    for (int i = 0; i < OWNED_LINES; i++) {
        accumulate(&whole->owned[i], part->owned[i], overflow);
    }
}

void bill_charge(struct bill *b, const struct rating_frame *f, enum bill_category c, size_t month,
                 bool inside, money_t amount)
{
    accumulate(&b->cost, amount, &b->overflow);
    if (f->months > 0) {
        accumulate(&b->month[month], amount, &b->overflow);
        bill_note(b, f, BILL_ROW_CATEGORY + (size_t)c, month, amount);
    }
    if (inside) {
        accumulate(&b->cash, amount, &b->overflow);
        accumulate(&b->amortised, amount, &b->overflow);
        bill_note(b, f, BILL_ROW_CASH, month, amount);
        bill_note(b, f, BILL_ROW_AMORTISED, month, amount);
    }
}

size_t bill_month(const struct rating_frame *f, int64_t at_us)
{
    size_t low = 0, high = f->months;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (f->month_start_us[middle] <= at_us) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

void bill_spread(const struct rating_frame *f, double *buckets, int64_t from_us, int64_t to_us,
                 double units)
{
    const size_t last = f->buckets - 1;
    size_t i = (size_t)(from_us / f->bucket_us);
    i = i < last ? i : last;
    if (to_us <= from_us) {
        buckets[i] += units;
        return;
    }
    const double per_us = units / (double)(to_us - from_us);
    for (int64_t at_us = from_us; at_us < to_us; i++) {
        int64_t edge_us = i < last ? ((int64_t)i + 1) * f->bucket_us : to_us;
        int64_t stop_us = edge_us < to_us ? edge_us : to_us;
        buckets[i] += per_us * (double)(stop_us - at_us);
        at_us = stop_us;
    }
}
