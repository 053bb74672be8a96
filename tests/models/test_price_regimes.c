/* SPDX-License-Identifier: GPL-3.0-or-later
 * Spot prices by regimes: the chain's stationary shares, the ramps, the limits, and what two zones
 * have in common. */
#include "models/market/price_regimes.h"

#include "tests/support/testing.h"

#include <math.h>

#define WEEK   604800.0
#define HOUR   3600.0
#define DOLLAR INT64_C(1000000000)

static const struct price_regime_sources zone_a = {1, 2, 3, 4}, zone_b = {1, 5, 3, 6};

static void begin(struct price_regime_path *p, uint32_t replication, money_t first)
{
    price_regime_path_begin(p, (struct random_world){7, replication}, 300 * DOLLAR / 1000, first,
                            DOLLAR);
}

static double weekly(double *shares, double to[PRICE_REGIMES])
{
    double moved = 0;
    for (int k = 0; k < PRICE_REGIMES; k++) {
        to[k] = 0;
        for (int i = 0; i < PRICE_REGIMES; i++) {
            to[k] += shares[i] * price_regime_chances[i][k];
        }
    }
    for (int k = 0; k < PRICE_REGIMES; k++) {
        moved += fabs(shares[k] - to[k]);
        shares[k] = to[k];
    }
    return moved;
}

/* Shares of the chain 0.785, 0.104, 0.110 (the note's, to its three digits). */
static void the_chain_has_its_shares(void **state)
{
    (void)state;
    double shares[PRICE_REGIMES] = {1, 0, 0}, next[PRICE_REGIMES];
    while (weekly(shares, next) > 1e-14) {
    }
    assert_near(shares[PRICE_AT_FLOOR], 0.785, 1e-3, "floor");
    assert_near(shares[PRICE_LOW], 0.104, 1e-3, "low");
    assert_near(shares[PRICE_HIGH], 0.110, 1e-3, "high");
    /* After 60 weeks from the floor, each world by itself. */
    enum { WORLDS = 20000, WEEKS = 60 };
    double then[PRICE_REGIMES] = {1, 0, 0};
    for (int week = 1; week < WEEKS; week++) {
        (void)weekly(then, next);
    }
    struct price_regime_path p;
    assert_true(price_regime_path_init(&p, &zone_a, WEEKS * WEEK - HOUR));
    int seen[PRICE_REGIMES] = {0};
    for (uint32_t world = 0; world < WORLDS; world++) {
        double until_s;
        begin(&p, world, 300 * DOLLAR / 1000);
        (void)price_regime_path_at(&p, WEEKS * WEEK, &until_s);
        seen[p.regime]++;
    }
    for (int k = 0; k < PRICE_REGIMES; k++) {
        assert_near(then[k], shares[k], 0.01, "nearly stationary by then");
        double error = sqrt(then[k] * (1 - then[k]) / WORLDS);
        assert_near(seen[k] / (double)WORLDS, then[k], 4 * error, "share of worlds");
    }
    price_regime_path_release(&p);
}

static void prices_ramp_between_floor_and_ceiling(void **state)
{
    (void)state;
    struct price_regime_path p;
    assert_true(price_regime_path_init(&p, &zone_a, 520 * WEEK));
    int ups = 0, moves = 0;
    for (uint32_t world = 0; world < 20; world++) {
        begin(&p, world, 400 * DOLLAR / 1000);
        double until_s, t = 0;
        money_t before = price_regime_path_at(&p, t, &until_s);
        assert_true(before == 400 * DOLLAR / 1000);
        while (isfinite(until_s)) {
            assert_true(until_s > t);
            t = until_s;
            money_t now = price_regime_path_at(&p, t, &until_s);
            double step = log((double)now / (double)before);
            assert_true(now != before && now >= 300 * DOLLAR / 1000 && now <= DOLLAR);
            assert_true(fabs(step) <= log(1.03) + 1e-8);
            assert_near(fmod(t, 6 * HOUR), 0, 0, "on the grid");
            ups += step > 0;
            moves++;
            before = now;
        }
        /* The first week stays as it is known. */
        assert_true(price_regime_path_at(&p, WEEK - 1, &until_s) == 400 * DOLLAR / 1000);
    }
    assert_true(moves > 1000 && ups > moves / 4 && ups < 3 * moves / 4);
    price_regime_path_release(&p);
}

/* Of two zones in one region the targets' luck has correlation 0.65; of zones without a common
 * source none. Asking for them in another order, or only for one, changes nothing. */
static void zones_have_their_ramps_in_common(void **state)
{
    (void)state;
    enum { WORLDS = 4000 };
    struct price_regime_path a, b;
    assert_true(price_regime_path_init(&a, &zone_a, WEEK));
    assert_true(price_regime_path_init(&b, &zone_b, WEEK));
    double xy = 0, xx = 0, yy = 0, x = 0, y = 0;
    int n = 0;
    for (uint32_t world = 0; world < WORLDS; world++) {
        double until_s;
        begin(&a, world, 670 * DOLLAR / 1000);
        begin(&b, world, 670 * DOLLAR / 1000);
        (void)price_regime_path_at(&b, WEEK, &until_s);
        (void)price_regime_path_at(&a, WEEK, &until_s);
        /* Both stay high; the edges of the regime are 2.7 standard deviations away. */
        if (a.regime != PRICE_HIGH || b.regime != PRICE_HIGH) {
            continue;
        }
        n++;
        x += a.target;
        y += b.target;
        xy += a.target * b.target;
        xx += a.target * a.target;
        yy += b.target * b.target;
    }
    double r = (n * xy - x * y) / sqrt((n * xx - x * x) * (n * yy - y * y));
    /* (1 - r^2)/sqrt(n) is 0.010. */
    assert_near(r, 0.65, 0.04, "correlation of the targets' steps");
    price_regime_path_release(&a);
    price_regime_path_release(&b);
}

static void regimes_lie_over_the_floor(void **state)
{
    (void)state;
    assert_int_equal(price_regime_of(300, 300), PRICE_AT_FLOOR);
    assert_int_equal(price_regime_of(304, 300), PRICE_AT_FLOOR);
    assert_int_equal(price_regime_of(306, 300), PRICE_LOW);
    assert_int_equal(price_regime_of(449, 300), PRICE_LOW);
    assert_int_equal(price_regime_of(451, 300), PRICE_HIGH);
    /* No room between floor and on-demand: the price stays. */
    struct price_regime_path p;
    double until_s;
    assert_true(price_regime_path_init(&p, &zone_a, 100 * WEEK));
    price_regime_path_begin(&p, (struct random_world){7, 0}, DOLLAR, DOLLAR, DOLLAR);
    assert_true(price_regime_path_at(&p, 0, &until_s) == DOLLAR && isinf(until_s));
    price_regime_path_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chain_has_its_shares),
        cmocka_unit_test(prices_ramp_between_floor_and_ceiling),
        cmocka_unit_test(zones_have_their_ramps_in_common),
        cmocka_unit_test(regimes_lie_over_the_floor),
    };
    return cmocka_run_group_tests_name("price_regimes", tests, NULL, NULL);
}
