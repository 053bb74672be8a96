/* SPDX-License-Identifier: GPL-3.0-or-later
 * The prior of a pool's availability against the table of its source (10 %, median, 90 %). */
#include "tests/support/testing.h"

#include "engine/gsl_errors.h"
#include "models/market/crossing.h"
#include "models/market/spot_prior.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

struct row {
    const char *name;
    enum advisor_bucket bucket;
    double availability[3];
    double losses_per_up_day[3];
};

static void quantiles_match(void **state)
{
    static const double p[3] = {0.1, 0.5, 0.9};
    const struct row *row = *state;
    struct spot_prior prior = spot_prior_of(row->bucket);
    double rho = crossing_tick_correlation(0.5, 7200.0, 172800.0);
    for (int i = 0; i < 3; i++) {
        /* Printed to three decimals (0.9985 to four). */
        assert_near(spot_prior_availability(prior, p[i]), row->availability[i], 0.00051,
                    "availability");
        /* Losses fall as availability rises: the 10 % of one is the 90 % of the other. */
        double x = prior.mean + prior.sd * gsl_cdf_ugaussian_Pinv(1.0 - p[i]);
        double losses = crossing_loss_rate_exact(x, rho) / gsl_cdf_ugaussian_P(x) * 86400.0;
        assert_relative(losses, row->losses_per_up_day[i], 0.05, "losses per up-day");
    }
}

static void scores_share_the_variance(void **state)
{
    (void)state;
    struct spot_prior prior = {0.3, 0.75};
    assert_near(spot_prior_threshold(prior, 0.0, 0.0), 0.3, 0.0, "median");
    double region = spot_prior_threshold(prior, 1.0, 0.0) - 0.3;
    double zone = spot_prior_threshold(prior, 0.0, 1.0) - 0.3;
    assert_relative(region * region + zone * zone, 0.75 * 0.75, 1e-12, "variance");
    assert_relative(region * region / (0.75 * 0.75), 0.8, 1e-12, "of the region");
}

static void what_is_extrapolated(void **state)
{
    (void)state;
    assert_false(spot_prior_extrapolated(ADVISOR_ABOVE_20, "p3"));
    assert_false(spot_prior_extrapolated(ADVISOR_ABOVE_20, "p2"));
    assert_true(spot_prior_extrapolated(ADVISOR_ABOVE_20, "p3dn"));
    assert_true(spot_prior_extrapolated(ADVISOR_ABOVE_20, "g5"));
    assert_true(spot_prior_extrapolated(ADVISOR_15_20, "p3"));
    assert_true(spot_prior_extrapolated(ADVISOR_UNKNOWN, "p3"));
}

int main(void)
{
    gsl_errors_install();
    static struct row rows[] = {
        {"<5%", ADVISOR_BELOW_5, {0.924, 0.986, 0.9985}, {0.08, 0.59, 2.6}},
        {"5-10%", ADVISOR_5_10, {0.871, 0.971, 0.996}, {0.18, 1.1, 4.0}},
        {"10-15%", ADVISOR_10_15, {0.811, 0.951, 0.992}, {0.35, 1.8, 5.5}},
        {"15-20%", ADVISOR_15_20, {0.736, 0.919, 0.985}, {0.63, 2.7, 7.4}},
        {">20%", ADVISOR_ABOVE_20, {0.254, 0.618, 0.896}, {3.3, 10.3, 21.0}},
        {"unknown", ADVISOR_UNKNOWN, {0.389, 0.841, 0.989}, {0.49, 4.8, 16.4}},
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    struct CMUnitTest row_tests[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        row_tests[i] = (struct CMUnitTest){rows[i].name, quantiles_match, NULL, NULL, &rows[i]};
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_share_the_variance),
        cmocka_unit_test(what_is_extrapolated),
    };
    return cmocka_run_group_tests_name("spot prior: table", row_tests, NULL, NULL) +
           cmocka_run_group_tests_name("spot prior", tests, NULL, NULL);
}
