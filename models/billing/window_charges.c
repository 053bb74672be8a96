/* SPDX-License-Identifier: GPL-3.0-or-later
 * What was charged by time is rated once more, into a bill of its own, and taken off the price. */
#include "models/billing/window_charges.h"

#include "models/billing/rating.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct window_charges {
    struct bill used; /* of all records in these windows */
    double *spend;
    size_t buckets; /* room of spend */
};

struct window_charges *window_charges_new(size_t months, size_t others)
{
    struct window_charges *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return NULL;
    }
    w->used.month = calloc(months + 1, sizeof(money_t));
    w->used.by_month = calloc(BILL_ROWS * months + 1, sizeof(money_t));
    w->used.other = calloc(others + 1, sizeof(money_t));
    if (w->used.month == NULL || w->used.by_month == NULL || w->used.other == NULL) {
        window_charges_free(w);
        return NULL;
    }
    return w;
}

void window_charges_free(struct window_charges *w)
{
    if (w != NULL) {
        free(w->used.month);
        free(w->used.by_month);
        free(w->used.other);
        free(w->spend);
        free(w);
    }
}

/* The share of a window's price that falls into [from, to). */
static money_t share_of(const struct market_window *w, money_t total, int64_t from_us,
                        int64_t to_us)
{
    const int64_t start_us = microseconds(w->from_s), end_us = microseconds(w->paid_until_s);
    int64_t a = from_us < start_us ? start_us : from_us > end_us ? end_us : from_us;
    int64_t z = to_us < start_us ? start_us : to_us > end_us ? end_us : to_us;
    return money_share(total, z - start_us, end_us - start_us) -
           money_share(total, a - start_us, end_us - start_us);
}

static void add_window(const struct rating_frame *f, const struct market_window *w, money_t total,
                       struct bill *b, double *spend_units)
{
    const int64_t bought_us = microseconds(w->bought_s);
    accumulate(&b->cost, total, &b->overflow);
    accumulate(&b->obligation, total, &b->overflow);
    accumulate(&b->windows_unused, total, &b->overflow);
    accumulate(&b->amortised, share_of(w, total, INT64_MIN, f->horizon_us), &b->overflow);
    for (size_t i = 0; i < f->months; i++) {
        int64_t from_us = i == 0 ? INT64_MIN : f->month_start_us[i];
        int64_t to_us = i + 1 < f->months ? f->month_start_us[i + 1] : INT64_MAX;
        money_t share = share_of(w, total, from_us, to_us);
        accumulate(&b->month[i], share, &b->overflow);
        bill_note(b, f, BILL_ROW_CATEGORY + BILL_BLOCKS, i, share);
        to_us = to_us < f->horizon_us ? to_us : f->horizon_us;
        if (from_us < to_us) {
            bill_note(b, f, BILL_ROW_AMORTISED, i, share_of(w, total, from_us, to_us));
        }
    }
    if (f->months > 0) {
        bill_note(b, f, BILL_ROW_CASH, bill_month(f, bought_us), total);
    }
    assert(bought_us < f->horizon_us);
    accumulate(&b->cash, total, &b->overflow);
    if (spend_units != NULL && f->buckets > 0) {
        bill_spread(f, spend_units, bought_us, bought_us, money_to_double(total));
    }
}

static bool is_among(int pool, const int *pools, size_t count)
{
    size_t i = 0;
    while (i < count && pools[i] != pool) {
        i++;
    }
    return i < count;
}

static void take_off(const struct rating_frame *f, const struct window_charges *w, struct bill *b,
                     double *spend_units)
{
    const struct bill *used = &w->used;
    b->overflow = b->overflow || used->overflow;
    accumulate(&b->cost, -used->cost, &b->overflow);
    accumulate(&b->cash, -used->cash, &b->overflow);
    accumulate(&b->amortised, -used->amortised, &b->overflow);
    accumulate(&b->windows_unused, -used->cost, &b->overflow);
    for (size_t i = 0; i < f->months; i++) {
        accumulate(&b->month[i], -used->month[i], &b->overflow);
    }
    for (size_t i = 0; b->by_month != NULL && i < BILL_ROWS * f->months; i++) {
        accumulate(&b->by_month[i], -used->by_month[i], &b->overflow);
    }
    for (size_t i = 0; spend_units != NULL && i < f->buckets; i++) {
        spend_units[i] -= w->spend[i];
    }
}

/* Room for the timeline, all zero. */
static bool clear_spend(struct window_charges *w, size_t buckets)
{
    if (w->buckets < buckets) {
        double *grown = realloc(w->spend, buckets * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        w->spend = grown;
        w->buckets = buckets;
    }
    if (buckets > 0) {
        memset(w->spend, 0, buckets * sizeof *w->spend);
    }
    return true;
}

bool window_charges_rate(struct window_charges *w, const struct rating_frame *f, struct market *m,
                         const int *pools, size_t pool_count, int64_t bought_until_us,
                         const struct usage_log *log, struct bill *shared, double *spend_units)
{
    if (pool_count == 0) {
        return true;
    }
    if (!clear_spend(w, spend_units == NULL ? 0 : f->buckets)) {
        return false;
    }
    bill_clear(&w->used, f);
    for (size_t i = 0; i < log->count; i++) {
        if (is_among(log->records[i].pool, pools, pool_count)) {
            rating_rate(f, m, &log->records[i], &w->used, spend_units == NULL ? NULL : w->spend,
                        NULL);
        }
    }
    for (size_t i = 0; i < pool_count; i++) {
        const struct market_window *windows;
        size_t count = market_plan_windows(market_plan_of(m), pools[i], &windows);
        for (size_t k = 0; k < count; k++) {
            if (microseconds(windows[k].bought_s) < bought_until_us) {
                add_window(f, &windows[k], market_window_cost(m, pools[i], k), shared, spend_units);
            }
        }
    }
    take_off(f, w, shared, spend_units);
    return true;
}
