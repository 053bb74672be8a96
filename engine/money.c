/* SPDX-License-Identifier: GPL-3.0-or-later
 * Exact money. A double is mantissa × 2^exponent, so times 10^9 it is still an exact 83-bit integer
 * times a power of two: rounding happens once, on the exact product, never on a product that a
 * double has already rounded. Products of two amounts are taken in 128 bits for the same reason. */
#include "engine/money.h"

#include <assert.h>
#include <math.h>

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

#define MONEY_LIMIT_UNITS 9.2e9
#define MANTISSA_BITS     53

/* x × factor rounded half to even; the caller has made sure that it fits into 63 bits. */
static int64_t scale_exactly(double x, int64_t factor)
{
    int exponent;
    uint64_t mantissa = (uint64_t)ldexp(frexp(fabs(x), &exponent), MANTISSA_BITS);
    exponent -= MANTISSA_BITS;
    uint128 product = (uint128)mantissa * (uint64_t)factor; /* < 2^53 × 2^30 */
    uint128 magnitude;
    if (exponent >= 0) {
        magnitude = product << exponent;
    } else if (exponent < -100) {
        magnitude = 0;
    } else {
        uint128 unit = (uint128)1 << -exponent;
        uint128 rest = product & (unit - 1);
        magnitude = product >> -exponent;
        if (rest > unit / 2 || (rest == unit / 2 && (magnitude & 1))) {
            magnitude++;
        }
    }
    return x < 0 ? -(int64_t)magnitude : (int64_t)magnitude;
}

static money_t saturate(int128 amount)
{
    if (amount > MONEY_MAX) {
        return MONEY_MAX;
    }
    return amount < -(int128)MONEY_MAX ? -MONEY_MAX : (money_t)amount;
}

static int128 divide_half_even(int128 dividend, int64_t divisor)
{
    int128 quotient = dividend / divisor;
    int128 twice_rest = 2 * (dividend % divisor);
    int sign = dividend < 0 ? -1 : 1;
    if (twice_rest * sign > divisor || (twice_rest * sign == divisor && quotient % 2 != 0)) {
        quotient += sign;
    }
    return quotient;
}

/* What becomes of a saturated amount: zero times it is zero, all else stays saturated. */
static money_t saturated_times(money_t m, int64_t n)
{
    if (n == 0) {
        return 0;
    }
    return (m > 0) == (n > 0) ? MONEY_MAX : -MONEY_MAX;
}

bool money_from_double(double units, money_t *out)
{
    if (!(fabs(units) <= MONEY_LIMIT_UNITS)) {
        return false;
    }
    *out = scale_exactly(units, MONEY_UNIT);
    return true;
}

double money_to_double(money_t m)
{
    return (double)m / (double)MONEY_UNIT;
}

money_t money_for_time(money_t nano_per_hour, int64_t us)
{
    if (money_overflowed(nano_per_hour)) {
        return saturated_times(nano_per_hour, us);
    }
    return saturate(divide_half_even((int128)nano_per_hour * us, HOUR_US));
}

money_t money_share(money_t total, int64_t part, int64_t whole)
{
    assert(whole > 0);
    if (money_overflowed(total)) {
        return saturated_times(total, part);
    }
    return saturate(divide_half_even((int128)total * part, whole));
}

bool money_add(money_t *a, money_t b)
{
    if (money_overflowed(*a)) {
        return false;
    }
    *a = money_overflowed(b) ? b : saturate((int128)*a + b);
    return !money_overflowed(*a);
}

money_t money_times(money_t a, int64_t n)
{
    return money_overflowed(a) ? saturated_times(a, n) : saturate((int128)a * n);
}

char *money_text(money_t m, char out[32])
{
    uint64_t magnitude = m < 0 ? 0 - (uint64_t)m : (uint64_t)m;
    char reversed[32];
    size_t length = 0;
    int decimals = 9;
    while (decimals > 2 && magnitude % 10 == 0) {
        magnitude /= 10;
        decimals--;
    }
    for (int digit = 0; magnitude > 0 || digit <= decimals; digit++) {
        if (digit == decimals) {
            reversed[length++] = '.';
        }
        reversed[length++] = (char)('0' + magnitude % 10);
        magnitude /= 10;
    }
    if (m < 0) {
        reversed[length++] = '-';
    }
    for (size_t i = 0; i < length; i++) {
        out[i] = reversed[length - 1 - i];
    }
    out[length] = '\0';
    return out;
}

int64_t microseconds_exactly(double s)
{
    const double limit_s = 9.2e12; /* 292,000 years */
    if (!(s < limit_s)) {
        return INT64_MAX;
    }
    return s <= -limit_s ? -INT64_MAX : scale_exactly(s, MICROSECONDS);
}
