/* SPDX-License-Identifier: GPL-3.0-or-later
 * Exact money: int64 nano-units of the scenario's currency (9.2e9 units at most, DESIGN invariant
 * 3) and int64 microseconds of usage. Doubles enter only as a stated price, rounded once.
 *
 * An amount that overflows becomes +-MONEY_MAX and stays there: no later sum, share or product
 * brings it back among the plausible numbers. Whoever reports an amount asks money_overflowed. */
#ifndef FLEETCAST_ENGINE_MONEY_H
#define FLEETCAST_ENGINE_MONEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int64_t money_t; /* nano-units */

#define MONEY_UNIT   INT64_C(1000000000)
#define MONEY_MAX    INT64_MAX
#define MICROSECONDS INT64_C(1000000)
#define HOUR_US      INT64_C(3600000000)

/* False (and *out untouched) when not finite or beyond +-9.2e9 units. Rounds half to even. */
bool money_from_double(double units, money_t *out);
double money_to_double(money_t m);

/* nano_per_hour × us / 3.6e9, rounded half to even, in 128 bits. Saturates at +-MONEY_MAX. */
money_t money_for_time(money_t nano_per_hour, int64_t us);
/* total × part / whole, rounded half to even, in 128 bits; whole > 0. To split a total without
 * losing a nano-unit, take differences of shares of the running sum of the parts. */
money_t money_share(money_t total, int64_t part, int64_t whole);

/* Adds b to *a; on overflow *a becomes +-MONEY_MAX and false is returned, then and for every later
 * addition. A sum that reached MONEY_MAX is refused by name when it is reported, never shown. */
bool money_add(money_t *a, money_t b);
/* a × n with the same saturation. */
money_t money_times(money_t a, int64_t n);
/* True for an amount that was saturated. */
static inline bool money_overflowed(money_t m)
{
    return m == MONEY_MAX || m <= -MONEY_MAX;
}

/* Exact decimal without thousands: at least 2 and at most 9 decimals, trailing zeros dropped.
 * Writes at most 32 bytes; returns out. */
char *money_text(money_t m, char out[32]);

/* microseconds() of any number. */
int64_t microseconds_exactly(double s);
/* Seconds to whole microseconds, rounded half to even; saturates. NaN counts as too large, so that
 * what it buys is refused. */
static inline int64_t microseconds(double s)
{
    /* Nearly always the rounded product is far enough from a half to decide: below 2^48 it is off
     * by at most 2^-5. Ten times as fast, and every node that ends comes through here. */
    double product = s * (double)MICROSECONDS;
    if (product >= 0 && product < 0x1p48) {
        int64_t nearest = (int64_t)(product + 0.5);
        double off = product - (double)nearest;
        if (off > -0.45 && off < 0.45) {
            return nearest;
        }
    }
    return microseconds_exactly(s);
}

#endif
