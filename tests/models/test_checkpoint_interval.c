/* SPDX-License-Identifier: GPL-3.0-or-later
 * The optimal checkpoint interval. Known values computed with mpmath, 40 digits, from
 * tau = M (1 + W0(-exp(-1 - C/M))). */
#include "tests/support/testing.h"

#include "engine/gsl_errors.h"
#include "models/policies/checkpoint_interval.h"

#include <math.h>

static void known_values(void **state)
{
    (void)state;
    static const double rows[][3] = {
        /* M, C, tau */
        {24, 0.1, 2.12473692}, {3, 0.05, 0.514908854},       {100, 0.2, 6.19193066},
        {10, 0.5, 2.83810545}, {8, 1.0 / 60.0, 0.505346953}, {1, 0.5, 0.698290437},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_relative(checkpoint_interval_s(1.0 / rows[i][0], rows[i][1]), rows[i][2], 2e-9,
                        "tau");
    }
}

/* Slowdown of a long job: (exp((tau + C)/M) - 1) M / tau. */
static double slowdown(double rate, double write, double tau)
{
    return expm1((tau + write) * rate) / (rate * tau);
}

static void is_a_minimum(void **state)
{
    (void)state;
    for (double rate = 1e-6; rate < 1e-2; rate *= 3.7) {
        for (double write = 1.0; write < 2000.0; write *= 5.3) {
            double tau = checkpoint_interval_s(rate, write);
            double best = slowdown(rate, write, tau);
            assert_true(best <= slowdown(rate, write, 1.01 * tau));
            assert_true(best <= slowdown(rate, write, 0.99 * tau));
        }
    }
    /* Slowdowns of the same table: M = 24, C = 0.1 and M = 1, C = 0.5. */
    assert_relative(slowdown(1.0 / 24.0, 0.1, checkpoint_interval_s(1.0 / 24.0, 0.1)), 1.09712966,
                    1e-8, "slowdown");
    assert_relative(slowdown(1.0, 0.5, checkpoint_interval_s(1.0, 0.5)), 3.31444582, 1e-8,
                    "slowdown");
}

static void precise_at_both_ends(void **state)
{
    (void)state;
    /* C << M: Young's sqrt(2 C M) less 2 C/3; where the plain formula has lost all its digits. */
    for (double write = 1e-3; write > 1e-15; write /= 10.0) {
        double young = sqrt(2.0 * write);
        assert_relative(checkpoint_interval_s(1.0, write), young - 2.0 / 3.0 * write,
                        0.1 * write + 1e-14, "small C/M");
    }
    /* The two branches of the code meet, at p = 0.02. */
    double e = -log1p(-0.0002);
    assert_relative(checkpoint_interval_s(1.0, e * (1.0 - 1e-9)),
                    checkpoint_interval_s(1.0, e * (1.0 + 1e-9)), 2e-9, "seam");
    /* C >> M: never more work than M between two. */
    assert_relative(checkpoint_interval_s(1e-3, 1e6), 1000.0, 1e-12, "large C/M");
    assert_relative(checkpoint_interval_s(1e300, 1e300), 1e-300, 1e-12, "huge");
}

static void edges(void **state)
{
    (void)state;
    assert_true(isinf(checkpoint_interval_s(0.0, 60.0)));
    assert_true(isinf(checkpoint_interval_s(0.0, 0.0)));
    assert_near(checkpoint_interval_s(1e-4, 0.0), 0.0, 0.0, "continuous");
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values),
        cmocka_unit_test(is_a_minimum),
        cmocka_unit_test(precise_at_both_ends),
        cmocka_unit_test(edges),
    };
    return cmocka_run_group_tests_name("checkpoint interval", tests, NULL, NULL);
}
