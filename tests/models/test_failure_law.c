/* SPDX-License-Identifier: GPL-3.0-or-later
 * Failures of a node by its age, against the survival function S(t) = exp(-H(t)), and the published
 * rates against the figures that they come from. */
#include "engine/random.h"
#include "models/fleet/failure_law.h"
#include "models/training/failure_rates.h"
#include "tests/support/testing.h"

#include <math.h>

#define DAY 86400.0

static void a_life_is_where_the_hazard_is_spent(void **state)
{
    (void)state;
    const struct failure_law l = {.rate_per_s = 1 / DAY, .young_factor = 3, .young_s = DAY / 2};
    for (int i = 1; i < 200; i++) {
        double u = i / 200.0, t = failure_law_life_s(&l, u);
        assert_relative(exp(-failure_law_expected(&l, t)), u, 1e-12, "S(life) = u");
        assert_true(t < failure_law_life_s(&l, u - 0.004));
    }
    /* By hand: 1.5 failures up to half a day, 2 up to a day. */
    assert_relative(failure_law_expected(&l, DAY / 4), 0.75, 1e-12, "young");
    assert_relative(failure_law_expected(&l, DAY), 2, 1e-12, "young and old");
    assert_relative(failure_law_life_s(&l, exp(-0.75)), DAY / 4, 1e-12, "dies young");
    assert_relative(failure_law_life_s(&l, exp(-2)), DAY, 1e-12, "dies old");
}

static void nothing_fails_at_rate_zero(void **state)
{
    (void)state;
    const struct failure_law l = {.young_factor = 3, .young_s = DAY};
    assert_true(isinf(failure_law_life_s(&l, 1e-9)));
    assert_near(failure_law_expected(&l, 1e9), 0, 0, "none");
}

static void the_young_may_be_spared(void **state)
{
    (void)state;
    const struct failure_law l = {.rate_per_s = 1 / DAY, .young_factor = 0, .young_s = DAY};
    assert_relative(failure_law_life_s(&l, exp(-1)), 2 * DAY, 1e-12, "a day later");
    const struct failure_law plain = {.rate_per_s = 1 / DAY, .young_factor = 1, .young_s = DAY};
    assert_relative(failure_law_life_s(&plain, exp(-0.3)), 0.3 * DAY, 1e-12, "exponential");
}

/* Mean and share of early deaths of many draws. */
static void draws_follow_the_law(void **state)
{
    (void)state;
    const struct failure_law l = {.rate_per_s = 1 / DAY, .young_factor = 2, .young_s = DAY / 4};
    const struct random_world w = {.seed = 5, .replication = 2};
    enum { N = 40000 };
    double sum = 0, early = 0;
    for (uint32_t i = 0; i < N; i++) {
        double t = failure_law_life_s(&l, random_uniform_at(w, random_source("failure test"), i));
        sum += t / DAY;
        early += t < DAY / 4;
    }
    /* 1 - exp(-1/2); mean (1 - q)/2 + q with q = exp(-1/2), in days. */
    double q = exp(-0.5);
    assert_near(early / N, 1 - q, 4 * sqrt(q * (1 - q) / N), "early deaths");
    assert_near(sum / N, (1 - q) / 2 + q, 4 * 1.0 / sqrt(N), "mean life");
}

static struct instance_type type_of(const struct accelerator *a, double count)
{
    return (struct instance_type){.name = "x", .accelerator = a, .accelerator_count = count};
}

static void rates_are_those_published(void **state)
{
    (void)state;
    const struct accelerator hopper = {.name = "H100", .architecture = "Hopper"};
    const struct accelerator ampere = {.name = "A100-40GB", .architecture = "Ampere"};
    const struct accelerator volta = {.name = "V100-16GB", .architecture = "Volta"};
    struct instance_type t = type_of(&hopper, 8);
    /* 419 in 54 days of 2,048 nodes: one every 3.093 h. */
    const struct failure_rate *h = failure_rate_of(&t);
    assert_relative(1000.0 * 24 / (h->per_1000_days * 2048), 3.0 + 0.093, 2e-3, "Llama 3");
    assert_false(h->extrapolated);
    t = type_of(&ampere, 8);
    double four = pow(6.5 * 2.34 * 3.0 * 15.6, 0.25);
    assert_relative(failure_rate_of(&t)->per_1000_days, four, 0.01, "geometric mean");
    double six = pow(6.5 * 2.34 * 3.0 * 15.6 * 3.79 * 2.9, 1 / 6.0);
    t = type_of(&volta, 8);
    assert_relative(failure_rate_of(&t)->per_1000_days, six, 0.01, "of all");
    assert_true(failure_rate_of(&t)->extrapolated);
    t = type_of(NULL, 1);
    assert_non_null(failure_rate_of(&t));
    assert_relative(failure_rate_scale(&t), 1 - 7 * 268.0 / 419 / 8, 1e-12, "one of eight");
    t = type_of(&hopper, 8);
    assert_relative(failure_rate_scale(&t), 1, 1e-12, "eight");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_life_is_where_the_hazard_is_spent),
        cmocka_unit_test(nothing_fails_at_rate_zero),
        cmocka_unit_test(the_young_may_be_spared),
        cmocka_unit_test(draws_follow_the_law),
        cmocka_unit_test(rates_are_those_published),
    };
    return cmocka_run_group_tests_name("failure_law", tests, NULL, NULL);
}
