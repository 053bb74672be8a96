/* SPDX-License-Identifier: GPL-3.0-or-later
 * Exact rounding without 128-bit division, which is what rating would otherwise spend most of its
 * time on, and without branches on remainders, which nobody can predict. Two identities:
 *   rate × us / H = (rate div H) × us + (rate mod H) × us / H, where H = 3.6e9 us: for us <= H both
 *   products stay below 2^64;
 *   round(total × part / whole): see share_by_rule. */
#include "models/billing/clock_hours.h"

#include <assert.h>

money_t part_hour_price(money_t per_hour, int64_t us)
{
    assert(per_hour >= 0 && us >= 0 && us <= HOUR_US);
    const uint64_t hour = (uint64_t)HOUR_US;
    uint64_t whole = (uint64_t)per_hour / hour * (uint64_t)us;   /* <= per_hour */
    uint64_t product = (uint64_t)per_hour % hour * (uint64_t)us; /* < 1.3e19 */
    uint64_t quotient = whole + product / hour;
    uint64_t twice_rest = 2 * (product % hour);
    quotient += (twice_rest > hour) | ((twice_rest == hour) & (quotient & 1));
    return (money_t)quotient; /* <= per_hour */
}

money_t share_of_total(money_t total, int64_t part, int64_t whole)
{
    const struct share_rule rule = share_rule_of(total, whole);
    return share_by_rule(&rule, part);
}

void hour_meter_init(struct hour_meter *m, int64_t start_unix_s)
{
    const int64_t hour_s = HOUR_US / MICROSECONDS;
    int64_t into_hour_s = start_unix_s % hour_s;
    m->phase_us = (into_hour_s < 0 ? into_hour_s + hour_s : into_hour_s) * MICROSECONDS;
    m->hour = -1;
    m->count = 0;
    m->oldest = 0;
}

static struct hour_rate *find_rate(struct hour_meter *m, int64_t hour, money_t per_hour)
{
    if (hour != m->hour) {
        m->hour = hour;
        m->count = 0;
        m->oldest = 0;
    }
    for (uint32_t i = 0; i < m->count; i++) {
        if (m->rates[i].per_hour == per_hour) {
            return &m->rates[i];
        }
    }
    struct hour_rate *rate;
    if (m->count < HOUR_METER_RATES) {
        rate = &m->rates[m->count++];
    } else {
        rate = &m->rates[m->oldest];
        m->oldest = (m->oldest + 1) % HOUR_METER_RATES;
    }
    *rate = (struct hour_rate){.per_hour = per_hour};
    return rate;
}

static money_t add_in_hour(struct hour_meter *m, int64_t hour, money_t per_hour, int64_t us)
{
    struct hour_rate *rate = find_rate(m, hour, per_hour);
    rate->us += us;
    money_t upto = part_hour_price(per_hour, rate->us);
    money_t added = upto - rate->given;
    rate->given = upto;
    return added;
}

money_t hour_meter_add(struct hour_meter *m, money_t per_hour, int64_t from_us, int64_t to_us)
{
    assert(0 <= from_us && from_us <= to_us && per_hour >= 0);
    if (money_overflowed(per_hour)) {
        return from_us < to_us ? MONEY_MAX : 0;
    }
    int64_t from = from_us + m->phase_us, to = to_us + m->phase_us;
    int64_t first_hour = from / HOUR_US, last_hour = to / HOUR_US;
    if (first_hour == last_hour) {
        return from < to ? add_in_hour(m, first_hour, per_hour, to - from) : 0;
    }
    int64_t into_first = from - first_hour * HOUR_US, into_last = to - last_hour * HOUR_US;
    int64_t whole_hours = last_hour - first_hour;
    money_t first = 0, last = 0, amount;
    if (into_first > 0) {
        first = add_in_hour(m, first_hour, per_hour, HOUR_US - into_first);
        whole_hours--;
    }
    if (into_last > 0) {
        last = add_in_hour(m, last_hour, per_hour, into_last);
    }
    if (__builtin_mul_overflow(per_hour, whole_hours, &amount) ||
        __builtin_add_overflow(amount, first, &amount) ||
        __builtin_add_overflow(amount, last, &amount)) {
        return MONEY_MAX;
    }
    return amount;
}

money_t hour_meter_extend(struct hour_meter *m, money_t per_hour, int64_t at_us, int64_t extra_us)
{
    if (money_overflowed(per_hour)) {
        return MONEY_MAX;
    }
    return add_in_hour(m, (at_us + m->phase_us) / HOUR_US, per_hour, extra_us);
}
