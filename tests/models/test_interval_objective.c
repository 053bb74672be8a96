/* SPDX-License-Identifier: GPL-3.0-or-later
 * Against laws of wait plus service that can be written down. */
#include "models/inference/interval_objective.h"

#include "tests/support/testing.h"

#include <math.h>

static struct distribution prepared(enum distribution_family family, double p)
{
    struct distribution d = {.family = family, .p = {p}, .low = 0, .high = HUGE_VAL};
    char message[200];
    assert_true(distribution_prepare(&d, NULL, message, sizeof message));
    return d;
}

static void a_constant_time(void **state)
{
    (void)state;
    static struct interval_objective o;
    const struct distribution s = prepared(DISTRIBUTION_CONSTANT, 0.5);
    interval_objective_begin(&o, &s, HUGE_VAL, 2, true);
    assert_near(o.at_once, 1, 0, "at once");
    assert_near(interval_objective_after(&o, 1.4), 1, 0, "in time");
    assert_near(interval_objective_after(&o, 1.6), 0, 0, "late");
    for (double rate = 0.01; rate < 50; rate *= 1.37) {
        assert_near(interval_objective_tail(&o, rate), -expm1(-1.5 * rate), 3e-4, "P(W <= 1.5)");
    }
    interval_objective_begin(&o, &s, 1, 1, true); /* nobody waits longer than a second */
    for (double rate = 0.01; rate < 50; rate *= 1.37) {
        assert_near(interval_objective_tail(&o, rate), expm1(-0.5 * rate) / expm1(-rate), 3e-4,
                    "P(W <= 0.5 | W <= 1)");
    }
}

/* Wait and service exponential of rates a and b: P(W + S <= t) = 1 - (b e^-at - a e^-bt) / (b - a).
 */
static void an_exponential_time(void **state)
{
    (void)state;
    static struct interval_objective o;
    const struct distribution s = prepared(DISTRIBUTION_EXPONENTIAL, 1 / 3.0);
    const double b = 3, t = 0.8;
    interval_objective_begin(&o, &s, HUGE_VAL, t, true);
    assert_near(o.at_once, -expm1(-b * t), 1e-3, "at once");
    for (double a = 0.02; a < 40; a *= 1.53) {
        assert_near(interval_objective_tail(&o, a),
                    1 - (b * exp(-a * t) - a * exp(-b * t)) / (b - a), 2e-3, "wait and service");
    }
    assert_near(interval_objective_tail(&o, 1e-9), 0, 1e-3, "waits for ever");
    assert_near(interval_objective_tail(&o, 1e9), -expm1(-b * t), 1e-3, "waits for nothing");
    assert_near(interval_objective_after(&o, 0.5), -expm1(-b * 0.3), 1e-3, "after half a second");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constant_time),
        cmocka_unit_test(an_exponential_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
