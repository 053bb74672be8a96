/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sums saturate and say so: a bill that overflowed is refused, whatever part of it did. */
#include "models/billing/bill.h"

void bill_clear(struct bill *b, const struct rating_frame *f)
{
    money_t *month = b->month;
    *b = (struct bill){.month = month};
    for (size_t i = 0; i < f->months; i++) {
        month[i] = 0;
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
}
