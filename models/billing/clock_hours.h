/* SPDX-License-Identifier: GPL-3.0-or-later
 * The price of time, rounded as DESIGN invariant 3 asks: once per (launch, rate, clock hour of
 * UTC), half to even, from summed microseconds. A meter follows one launch; it is told stretches of
 * constant price in order of time and answers what each adds to the bill. A whole hour at one price
 * costs exactly that price, so a stretch of n hours needs at most two divisions, whatever n is.
 *
 * When a rate comes back within its hour, or a stretch is cut (at the horizon, at a month), the
 * pieces of that (rate, hour) are running totals: each piece is the rounded total so far less what
 * was given before. So cuts change no total, and the first piece is what it would cost alone. */
#ifndef FLEETCAST_MODELS_CLOCK_HOURS_H
#define FLEETCAST_MODELS_CLOCK_HOURS_H

#include "engine/money.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most different rates of one hour that are remembered. If an hour has more, the oldest is closed,
 * and rounded anew should it come back: an error of half a nano-unit each, and no allocation. */
enum { HOUR_METER_RATES = 32 };

struct hour_meter {
    int64_t phase_us; /* from a full clock hour to the scenario's start */
    int64_t hour;     /* of the rates below; counted from the start's hour */
    uint32_t count, oldest;
    struct hour_rate {
        money_t per_hour;
        int64_t us;
        money_t given;
    } rates[HOUR_METER_RATES];
};

void hour_meter_init(struct hour_meter *m, int64_t start_unix_s);
/* What [from_us, to_us) at this price adds. Times since the scenario's start, 0 <= from <= to;
 * per_hour >= 0. Saturates at MONEY_MAX. */
money_t hour_meter_add(struct hour_meter *m, money_t per_hour, int64_t from_us, int64_t to_us);
/* What extra_us (at most an hour with what was metered before) of unused but charged time add to
 * the hour that holds at_us. */
money_t hour_meter_extend(struct hour_meter *m, money_t per_hour, int64_t at_us, int64_t extra_us);

/* money_for_time for 0 <= us <= HOUR_US and per_hour >= 0, in 64 bits: the same result, faster. */
money_t part_hour_price(money_t per_hour, int64_t us);
/* money_share for total >= 0 and 0 <= part <= whole, by a double and a correction: likewise. */
money_t share_of_total(money_t total, int64_t part, int64_t whole);

/* The same for many parts of one total, which share its division. */
struct share_rule {
    money_t total;
    int64_t whole;
    double ratio;
    bool small; /* so that doubles are near enough */
};

static inline struct share_rule share_rule_of(money_t total, int64_t whole)
{
    const int64_t small = INT64_C(1) << 49;
    return (struct share_rule){total, whole, whole > 0 ? (double)total / (double)whole : 0,
                               total < small && whole < small};
}

/* part <= whole < 2^49 and a total below 2^49 are exact as doubles, so the product of part and
 * ratio carries two roundings and misses the quotient by an eighth at most. Cut to an integer it
 * leaves a remainder, exact modulo 2^64, between -1/8 and 9/8 of whole, which says whether to round
 * up, half to even: by arithmetic, since no branch predictor can know it. */
static inline money_t share_by_rule(const struct share_rule *r, int64_t part)
{
    assert(r->total >= 0 && 0 <= part && part <= r->whole);
    if (!r->small) {
        return money_share(r->total, part, r->whole);
    }
    int64_t quotient = (int64_t)((double)part * r->ratio);
    int64_t rest =
        (int64_t)((uint64_t)r->total * (uint64_t)part - (uint64_t)quotient * (uint64_t)r->whole);
    int64_t twice_rest = 2 * rest;
    return quotient + ((twice_rest > r->whole) | ((twice_rest == r->whole) & (quotient & 1)));
}

#endif
