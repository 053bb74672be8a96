/* SPDX-License-Identifier: GPL-3.0-or-later
 * The exponential on/off pool: stationary start, means, and a path that does not depend on who asks
 * for what in which order. */
#include "tests/support/testing.h"

#include "models/market/on_off.h"

#include <math.h>

#define HOUR 3600.0

static void starts_stationary(void **state)
{
    (void)state;
    enum { N = 40000 };
    const double times[] = {0.0, 0.5 * HOUR, 30.0 * HOUR};
    for (int k = 0; k < 3; k++) {
        int up = 0;
        double left = 0.0, left_squares = 0.0;
        for (uint32_t w = 0; w < N; w++) {
            struct on_off o;
            double until_s;
            on_off_begin(&o, (struct random_world){3, w}, 99, 5.0 * HOUR, 1.0 * HOUR);
            if (on_off_at(&o, times[k], &until_s)) {
                up++;
                left += until_s - times[k];
                left_squares += (until_s - times[k]) * (until_s - times[k]);
            }
            assert_true(until_s > times[k]);
        }
        double a = 5.0 / 6.0;
        assert_near((double)up / N, a, 4.5 * sqrt(a * (1.0 - a) / N), "share up");
        /* Memoryless: what is left of a turn is a whole exponential, at any time. */
        double mean = left / up, se = 5.0 * HOUR / sqrt(up);
        assert_near(mean, 5.0 * HOUR, 4.5 * se, "mean left");
        assert_relative(sqrt(left_squares / up - mean * mean), 5.0 * HOUR, 0.05, "sd left");
    }
}

static void turns_have_their_means(void **state)
{
    (void)state;
    struct on_off o;
    on_off_begin(&o, (struct random_world){3, 0}, 5, 2.0 * HOUR, 0.5 * HOUR);
    double t = 0.0, until, sum[2] = {0.0, 0.0};
    bool up = on_off_at(&o, t, &until);
    enum { TURNS = 60000 };
    for (int i = 0; i < TURNS; i++) {
        sum[up] += until - t;
        t = until;
        bool now = on_off_at(&o, t, &until);
        assert_true(now != up); /* right-continuous: at the change the new state holds */
        up = now;
    }
    double se = 4.5 / sqrt(TURNS / 2.0);
    assert_relative(sum[1] / (TURNS / 2.0), 2.0 * HOUR, se, "mean up");
    assert_relative(sum[0] / (TURNS / 2.0), 0.5 * HOUR, se, "mean down");
}

static void order_of_questions_does_not_matter(void **state)
{
    (void)state;
    struct on_off forward, jumping;
    struct random_world world = {11, 4};
    enum { N = 200 };
    bool up[N];
    double until[N];
    on_off_begin(&forward, world, 5, 2.0 * HOUR, 1.0 * HOUR);
    on_off_begin(&jumping, world, 5, 2.0 * HOUR, 1.0 * HOUR);
    for (int i = 0; i < N; i++) {
        up[i] = on_off_at(&forward, i * 0.7 * HOUR, &until[i]);
    }
    for (int i = 0; i < N; i++) {
        int j = (i * 83) % N; /* 83 and 200 have no common divisor: every index once */
        double u;
        assert_int_equal(on_off_at(&jumping, j * 0.7 * HOUR, &u), up[j]);
        assert_near(u, until[j], 0.0, "until");
    }
}

static void one_luck_whatever_the_means(void **state)
{
    (void)state;
    /* Doubling both means doubles every turn. */
    struct on_off a, b;
    struct random_world world = {11, 4};
    on_off_begin(&a, world, 5, 2.0 * HOUR, 1.0 * HOUR);
    on_off_begin(&b, world, 5, 4.0 * HOUR, 2.0 * HOUR);
    double t = 0.0;
    for (int i = 0; i < 50; i++) {
        double ua, ub;
        assert_int_equal(on_off_at(&a, t, &ua), on_off_at(&b, 2.0 * t, &ub));
        assert_relative(ub, 2.0 * ua, 1e-12, "until");
        t = ua;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_stationary),
        cmocka_unit_test(turns_have_their_means),
        cmocka_unit_test(order_of_questions_does_not_matter),
        cmocka_unit_test(one_luck_whatever_the_means),
    };
    return cmocka_run_group_tests_name("on-off", tests, NULL, NULL);
}
