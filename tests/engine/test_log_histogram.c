/* SPDX-License-Identifier: GPL-3.0-or-later
 * Quantiles from bins against the exact ones. */
#include "engine/log_histogram.h"

#include "engine/random.h"
#include "tests/support/testing.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

static struct log_histogram h, other;

static void quantiles_are_right_to_four_tenths_of_a_percent(void **state)
{
    (void)state;
    enum { COUNT = 50000 };
    double *values = malloc(COUNT * sizeof *values);
    struct random_stream s;
    random_stream_init(&s, (struct random_world){.seed = 3}, random_source("histogram"));
    log_histogram_clear(&h);
    for (size_t i = 0; i < COUNT; i++) {
        values[i] = exp(3.0 * random_normal(&s)); /* over nine decades */
        log_histogram_add(&h, values[i], 1);
    }
    gsl_sort(values, 1, COUNT);
    static const double shares[] = {0.001, 0.01, 0.1, 0.5, 0.9, 0.95, 0.99, 0.999, 1};
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        double exact = values[(size_t)ceil(shares[i] * COUNT) - 1];
        assert_relative(log_histogram_quantile(&h, shares[i]), exact, 0.0040, "quantile");
        assert_near(log_histogram_share(&h, exact), shares[i], 0.002, "share");
    }
    free(values);
}

static void nothing_has_no_quantile(void **state)
{
    (void)state;
    log_histogram_clear(&h);
    assert_true(isnan(log_histogram_quantile(&h, 0.5)));
    assert_true(isnan(log_histogram_share(&h, 1)));
}

static void ends_hold_what_lies_beyond(void **state)
{
    (void)state;
    log_histogram_clear(&h);
    log_histogram_add(&h, 0, 3);
    log_histogram_add(&h, 1e30, 1);
    assert_near(log_histogram_quantile(&h, 0.75), 0, 0, "p75");
    assert_true(log_histogram_quantile(&h, 0.8) > 1e7);
    assert_near(log_histogram_share(&h, 0), 0.75, 1e-12, "at 0");
    assert_near(log_histogram_share(&h, 1), 0.75, 1e-12, "at 1");
}

static void weights_and_sums_add_up(void **state)
{
    (void)state;
    log_histogram_clear(&h);
    log_histogram_clear(&other);
    log_histogram_add(&h, 2, 0.25);
    log_histogram_add(&other, 8, 0.75);
    log_histogram_merge(&h, &other);
    assert_near(h.weight, 1, 1e-15, "weight");
    assert_near(h.sum, 6.5, 1e-12, "sum");
    assert_near(h.largest, 8, 0, "largest");
    assert_relative(log_histogram_quantile(&h, 0.2), 2, 0.0040, "p20");
    assert_relative(log_histogram_quantile(&h, 0.3), 8, 0.0040, "p30");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_right_to_four_tenths_of_a_percent),
        cmocka_unit_test(nothing_has_no_quantile),
        cmocka_unit_test(ends_hold_what_lies_beyond),
        cmocka_unit_test(weights_and_sums_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
