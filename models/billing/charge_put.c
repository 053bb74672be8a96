/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/charge_put.h"

#include "engine/civil_time.h"

static void put_on(const struct charge_target *t, size_t item, int64_t from_us, int64_t to_us,
                   money_t amount)
{
    const struct rating_frame *f = t->frame;
    struct bill *b = t->bill;
    const bool inside = from_us < f->horizon_us;
    accumulate(&b->other[item], amount, &b->overflow);
    bill_charge(b, f, bill_category_of_other(f, item), f->months > 0 ? bill_month(f, from_us) : 0,
                inside, amount);
    if (inside && t->spend_units != NULL && f->buckets > 0) {
        bill_spread(f, t->spend_units, from_us, to_us, money_to_double(amount));
    }
}

/* scale: of the quantities of the target's measures, for the sink. */
static void put_scaled(const struct charge_target *t, int64_t from_us, int64_t to_us,
                       money_t amount, double scale)
{
    money_t off = 0;
    if (amount == 0) {
        return;
    }
    put_on(t, t->item, from_us, to_us, amount);
    if (t->discount > 0) {
        off = money_share(amount, t->discount, SHARE_WHOLE);
        put_on(t, t->discount_item, from_us, to_us, -off);
    }
    if (t->sink != NULL) {
        t->sink->take(t->sink->context, &(struct charge_note){.row = t->row,
                                                              .item = t->item,
                                                              .from_us = from_us,
                                                              .to_us = to_us,
                                                              .amount = amount,
                                                              .discount = off,
                                                              .scale = scale,
                                                              .measures = t->measures,
                                                              .measure_count = t->measure_count});
    }
}

void charge_put(const struct charge_target *t, int64_t from_us, int64_t to_us, money_t amount)
{
    put_scaled(t, from_us, to_us, amount, 1);
}

/* The next instant at which an amount must be cut: a month's start or the horizon. */
static int64_t next_cut(const struct rating_frame *f, int64_t at_us, int64_t end_us)
{
    int64_t cut_us = end_us;
    if (at_us < f->horizon_us && f->horizon_us < cut_us) {
        cut_us = f->horizon_us;
    }
    size_t next = f->months > 0 ? bill_month(f, at_us) + 1 : 0;
    if (next < f->months && f->month_start_us[next] > at_us && f->month_start_us[next] < cut_us) {
        cut_us = f->month_start_us[next];
    }
    return cut_us;
}

static money_t times(const struct charge_target *t, money_t amount, int64_t count)
{
    money_t all = 0;
    accumulate_times(&all, amount, count, &t->bill->overflow);
    return all;
}

void charge_hold(const struct charge_target *t, money_t per_hour, int64_t from_us, int64_t to_us,
                 int64_t count)
{
    money_t given = 0;
    for (int64_t at_us = from_us; at_us < to_us;) {
        int64_t stop_us = next_cut(t->frame, at_us, to_us);
        money_t upto = money_for_time(per_hour, stop_us - from_us);
        t->bill->overflow = t->bill->overflow || money_overflowed(upto);
        double hours = (double)(stop_us - at_us) / (double)HOUR_US;
        put_scaled(t, at_us, stop_us, times(t, upto - given, count), hours * (double)count);
        given = upto;
        at_us = stop_us;
    }
}

void charge_by_month(const struct charge_target *t, money_t per_month, int64_t from_us,
                     int64_t to_us)
{
    const int64_t start_unix_s = t->frame->start_unix_s;
    for (int64_t at_us = from_us; at_us < to_us;) {
        int64_t first = civil_month_start(start_unix_s + at_us / MICROSECONDS);
        int64_t first_us = (first - start_unix_s) * MICROSECONDS;
        int64_t last_us = (civil_add_months(first, 1) - start_unix_s) * MICROSECONDS;
        int64_t stop_us = last_us < to_us ? last_us : to_us;
        if (at_us < t->frame->horizon_us && t->frame->horizon_us < stop_us) {
            stop_us = t->frame->horizon_us;
        }
        money_t before = money_share(per_month, at_us - first_us, last_us - first_us);
        money_t upto = money_share(per_month, stop_us - first_us, last_us - first_us);
        put_scaled(t, at_us, stop_us, upto - before,
                   (double)(stop_us - at_us) / (double)(last_us - first_us));
        at_us = stop_us;
    }
}

void charge_spread(const struct charge_target *t, money_t amount, int64_t from_us, int64_t to_us)
{
    money_t given = 0;
    if (to_us <= from_us) {
        charge_put(t, from_us, from_us, amount);
        return;
    }
    for (int64_t at_us = from_us; at_us < to_us;) {
        int64_t stop_us = next_cut(t->frame, at_us, to_us);
        money_t upto = money_share(amount, stop_us - from_us, to_us - from_us);
        put_scaled(t, at_us, stop_us, upto - given,
                   (double)(stop_us - at_us) / (double)(to_us - from_us));
        given = upto;
        at_us = stop_us;
    }
}

money_t charge_money(const struct charge_target *t, double units)
{
    money_t m = 0;
    if (!money_from_double(units, &m)) {
        t->bill->overflow = true;
    }
    return m;
}
