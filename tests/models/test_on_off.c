/* SPDX-License-Identifier: GPL-3.0-or-later
 * The pool that comes and goes in turns, exponential or hyperexponential: stationary start, means,
 * and a path that does not depend on who asks for what in which order. */
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
            on_off_begin(&o, (struct random_world){3, w}, 99, on_off_exponential(5.0 * HOUR),
                         on_off_exponential(1.0 * HOUR));
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
    on_off_begin(&o, (struct random_world){3, 0}, 5, on_off_exponential(2.0 * HOUR),
                 on_off_exponential(0.5 * HOUR));
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
    on_off_begin(&forward, world, 5, on_off_exponential(2.0 * HOUR),
                 on_off_exponential(1.0 * HOUR));
    on_off_begin(&jumping, world, 5, on_off_exponential(2.0 * HOUR),
                 on_off_exponential(1.0 * HOUR));
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
    on_off_begin(&a, world, 5, on_off_exponential(2.0 * HOUR), on_off_exponential(1.0 * HOUR));
    on_off_begin(&b, world, 5, on_off_exponential(4.0 * HOUR), on_off_exponential(2.0 * HOUR));
    double t = 0.0;
    for (int i = 0; i < 50; i++) {
        double ua, ub;
        assert_int_equal(on_off_at(&a, t, &ua), on_off_at(&b, 2.0 * t, &ub));
        assert_relative(ub, 2.0 * ua, 1e-12, "until");
        t = ua;
    }
}

/* ---- hyperexponential ---- */

static const struct on_off_turns up_turns = {0.67, 1.0 * HOUR, 13.5 * HOUR};
static const struct on_off_turns down_turns = {0.8, 0.25 * HOUR, 3.25 * HOUR};

/* E[X^2]/2 of short and long exponentials, and E[X^3]/6. */
static double half_square(struct on_off_turns t)
{
    return t.short_share * t.short_s * t.short_s + (1 - t.short_share) * t.long_s * t.long_s;
}

static double sixth_cube(struct on_off_turns t)
{
    return t.short_share * pow(t.short_s, 3) + (1 - t.short_share) * pow(t.long_s, 3);
}

static void shapes_keep_the_mean(void **state)
{
    (void)state;
    struct on_off_turns t = on_off_hyperexponential(5.125 * HOUR, 0.67, 13.5);
    assert_relative(t.short_s, HOUR, 1e-12, "short");
    assert_relative(t.long_s, 13.5 * HOUR, 1e-12, "long");
    assert_relative(on_off_mean_s(t), 5.125 * HOUR, 1e-12, "mean");
    /* What is one exponential draws no phase. */
    const struct on_off_turns alone[] = {on_off_hyperexponential(HOUR, 1.0, 13.0),
                                         on_off_hyperexponential(HOUR, 0.0, 13.0),
                                         on_off_hyperexponential(HOUR, 0.5, 1.0)};
    for (int i = 0; i < 3; i++) {
        assert_near(alone[i].short_share, 1.0, 0.0, "share");
        assert_near(alone[i].short_s, HOUR, 0.0, "mean");
    }
}

/* What is left of the turn at hand at any time has the equilibrium law: mean E[X^2]/(2 E[X]),
 * second moment E[X^3]/(3 E[X]) (renewal theory). Started from a fresh turn, the mean at time 0
 * would be 5.1 h in place of 11.9 h. */
static void hyperexponential_starts_stationary(void **state)
{
    (void)state;
    enum { N = 40000 };
    const double times[] = {0.0, 2.0 * HOUR, 50.0 * HOUR};
    const double mean[2] = {on_off_mean_s(down_turns), on_off_mean_s(up_turns)};
    const struct on_off_turns laws[2] = {down_turns, up_turns};
    const double a = mean[1] / (mean[0] + mean[1]);
    for (int k = 0; k < 3; k++) {
        double count[2] = {0}, left[2] = {0};
        for (uint32_t w = 0; w < N; w++) {
            struct on_off o;
            double until_s;
            on_off_begin(&o, (struct random_world){3, w}, 99, up_turns, down_turns);
            bool up = on_off_at(&o, times[k], &until_s);
            count[up]++;
            left[up] += until_s - times[k];
        }
        assert_near(count[1] / N, a, 4.0 * sqrt(a * (1.0 - a) / N), "share up");
        for (int up = 0; up < 2; up++) {
            double want = half_square(laws[up]) / mean[up];
            double square = 2.0 * sixth_cube(laws[up]) / mean[up];
            assert_near(left[up] / count[up], want, 4.0 * sqrt((square - want * want) / count[up]),
                        "mean left");
        }
    }
}

static void hyperexponential_turns_have_their_law(void **state)
{
    (void)state;
    struct on_off o;
    on_off_begin(&o, (struct random_world){3, 0}, 5, up_turns, down_turns);
    enum { TURNS = 200000 };
    double t = 0.0, until, sum[2] = {0}, longer[2] = {0};
    bool up = on_off_at(&o, t, &until);
    t = until; /* the first turn is what is left of one */
    for (int i = 0; i < TURNS; i++) {
        up = on_off_at(&o, t, &until);
        sum[up] += until - t;
        longer[up] += until - t > 6.0 * HOUR;
        t = until;
    }
    const struct on_off_turns laws[2] = {down_turns, up_turns};
    const double n = TURNS / 2.0;
    for (int k = 0; k < 2; k++) {
        const struct on_off_turns *l = &laws[k];
        double mean = on_off_mean_s(*l);
        double sd = sqrt(2.0 * half_square(*l) - mean * mean);
        double survive = l->short_share * exp(-6.0 * HOUR / l->short_s) +
                         (1.0 - l->short_share) * exp(-6.0 * HOUR / l->long_s);
        assert_near(sum[k] / n, mean, 4.0 * sd / sqrt(n), "mean");
        assert_near(longer[k] / n, survive, 4.0 * sqrt(survive * (1.0 - survive) / n),
                    "longer than 6 h");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_stationary),
        cmocka_unit_test(turns_have_their_means),
        cmocka_unit_test(order_of_questions_does_not_matter),
        cmocka_unit_test(one_luck_whatever_the_means),
        cmocka_unit_test(shapes_keep_the_mean),
        cmocka_unit_test(hyperexponential_starts_stationary),
        cmocka_unit_test(hyperexponential_turns_have_their_law),
    };
    return cmocka_run_group_tests_name("on-off", tests, NULL, NULL);
}
