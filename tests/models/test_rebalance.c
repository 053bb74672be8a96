/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a scenario states of rebalance recommendations, as a world draws it. */
#include "engine/gsl_errors.h"
#include "models/market/rebalance.h"
#include "tests/support/testing.h"

#include <math.h>

static struct rebalance_spec stated(double share, double lead_s, double false_per_s)
{
    struct rebalance_spec s = {.given = true,
                               .share = NUMBER_CERTAIN(share),
                               .lead = variate_constant(lead_s),
                               .false_alarms = NUMBER_CERTAIN(false_per_s)};
    return s;
}

static void the_share_is_announced(void **state)
{
    (void)state;
    struct rebalance_spec s = stated(0.6, 300, 0);
    struct rebalance r;
    assert_true(rebalance_begin(&r, &s, NULL));
    assert_near(rebalance_lead_s(&r, 0.59, 0.5), 300, 0, "announced");
    assert_near(rebalance_lead_s(&r, 0.6, 0.5), -1, 0, "not announced");
    assert_true(isinf(rebalance_false_after_s(&r, 0.5)));
    s.lead = (struct variate){.family = DISTRIBUTION_EXPONENTIAL,
                              .p = {NUMBER_CERTAIN(600)},
                              .low = 0,
                              .high = (double)INFINITY,
                              .given = true};
    assert_true(rebalance_begin(&r, &s, NULL));
    assert_relative(rebalance_lead_s(&r, 0.1, 0.5), 600 * log(2), 1e-9, "a variate");
}

static void false_alarms_are_exponential(void **state)
{
    (void)state;
    struct rebalance_spec s = stated(0, 300, 1 / 3600.0);
    struct rebalance r;
    assert_true(rebalance_begin(&r, &s, NULL));
    assert_near(rebalance_lead_s(&r, 1e-9, 0.5), -1, 0, "no share");
    assert_relative(rebalance_false_after_s(&r, 0.5), 3600 * log(2), 1e-12, "median");
}

static void nothing_stated_is_nothing(void **state)
{
    (void)state;
    struct rebalance_spec s = {0};
    struct rebalance r;
    assert_true(rebalance_begin(&r, &s, NULL));
    assert_false(r.given);
    assert_near(rebalance_lead_s(&r, 0, 0.5), -1, 0, "no lead");
    assert_true(isinf(rebalance_false_after_s(&r, 0.5)));
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_share_is_announced),
        cmocka_unit_test(false_alarms_are_exponential),
        cmocka_unit_test(nothing_stated_is_nothing),
    };
    return cmocka_run_group_tests_name("rebalance", tests, NULL, NULL);
}
