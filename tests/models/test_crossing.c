/* SPDX-License-Identifier: GPL-3.0-or-later
 * Crossing formulas against the reference values of the default process, which were computed twice,
 * independently, by simulation of 10-minute grids (Monte-Carlo error at most 0.2 %). */
#include "tests/support/testing.h"

#include "engine/gsl_errors.h"
#include "models/market/crossing.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define HOUR 3600.0
#define DAY  86400.0

static double default_correlation(void)
{
    return crossing_tick_correlation(0.5, 2.0 * HOUR, 48.0 * HOUR);
}

struct loss_row {
    const char *name;
    double availability, losses_per_day;
};

static void exact_losses(void **state)
{
    const struct loss_row *row = *state;
    double x = gsl_cdf_ugaussian_Pinv(row->availability);
    assert_relative(crossing_loss_rate_exact(x, default_correlation()) * DAY, row->losses_per_day,
                    2e-3, "losses a day");
    /* "Within 2 % for t1 >= 2 h and a <= 0.99". */
    assert_relative(crossing_loss_rate(x, default_correlation()) * DAY, row->losses_per_day, 0.02,
                    "first-order losses a day");
}

static void symmetric_in_the_threshold(void **state)
{
    (void)state;
    double rho = default_correlation();
    assert_near(crossing_loss_rate_exact(0.7, rho), crossing_loss_rate_exact(-0.7, rho), 1e-18,
                "losses equal gains");
}

static void exact_at_zero_threshold(void **state)
{
    (void)state;
    /* Sheppard: P(Z1 < 0, Z2 >= 0) = arccos(rho)/(2 pi). */
    for (double rho = -0.9; rho < 0.95; rho += 0.3) {
        assert_relative(crossing_loss_rate_exact(0.0, rho), acos(rho) / (2.0 * M_PI) / 600.0, 1e-12,
                        "Sheppard");
    }
}

static void short_times_are_overestimated(void **state)
{
    (void)state;
    /* The formula's stated weakness: at a = 0.99 it is 4.5 % high at t1 = 0.8 h. */
    double rho = crossing_tick_correlation(0.5, 0.8 * HOUR, 48.0 * HOUR);
    double x = gsl_cdf_ugaussian_Pinv(0.99);
    assert_near(crossing_loss_rate(x, rho) / crossing_loss_rate_exact(x, rho), 1.045, 0.003,
                "ratio");
}

static void fit_goes_round(void **state)
{
    (void)state;
    static const double availabilities[] = {0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99};
    static const double hours[] = {0.2, 0.8, 2.0, 2.5, 8.0, 20.0};
    for (size_t i = 0; i < sizeof availabilities / sizeof *availabilities; i++) {
        double x = gsl_cdf_ugaussian_Pinv(availabilities[i]);
        for (size_t j = 0; j < sizeof hours / sizeof *hours; j++) {
            for (double w = 0.2; w < 1.01; w += 0.2) {
                double rate = crossing_loss_rate(
                    x, crossing_tick_correlation(w, hours[j] * HOUR, 48.0 * HOUR));
                struct crossing_fit fit = crossing_fit_short_time(x, rate, w, 48.0 * HOUR);
                assert_false(fit.clipped);
                assert_relative(fit.short_s, hours[j] * HOUR, 1e-8, "short time");
                assert_true(fit.least_per_s < rate && rate < fit.most_per_s);
            }
        }
    }
}

static void fit_is_clipped_at_its_reach(void **state)
{
    (void)state;
    double x = gsl_cdf_ugaussian_Pinv(0.7);
    struct crossing_fit fit = crossing_fit_short_time(x, 1.0 / DAY, 0.5, 48.0 * HOUR);
    /* "a = 0.7 reaches only L = 2.04-18.7". */
    assert_near(fit.least_per_s * DAY, 2.04, 0.005, "least");
    assert_near(fit.most_per_s * DAY, 18.7, 0.05, "most");
    assert_true(fit.clipped);
    assert_near(fit.short_s, 24.0 * HOUR, 0.0, "too few losses: the longest");
    static const double too_many[] = {18.8, 40.0, 62.7, 63.0, 1000.0, 1e9};
    for (size_t i = 0; i < sizeof too_many / sizeof *too_many; i++) {
        fit = crossing_fit_short_time(x, too_many[i] / DAY, 0.5, 48.0 * HOUR);
        assert_true(fit.clipped);
        assert_near(fit.short_s, 0.1 * HOUR, 0.0, "too many losses: the shortest");
    }
    fit = crossing_fit_short_time(x, 0.0, 0.5, 48.0 * HOUR);
    assert_true(fit.clipped);
    assert_near(fit.short_s, 24.0 * HOUR, 0.0, "none");
    fit = crossing_fit_short_time(x, 5.784 / DAY, 0.5, 48.0 * HOUR);
    assert_false(fit.clipped);
    assert_near(fit.short_s, 2.0 * HOUR, 0.02 * HOUR, "the default's own rate");
}

static void rate_per_up_time(void **state)
{
    (void)state;
    double rho = default_correlation();
    for (double x = -3.0; x < 3.1; x += 0.5) {
        assert_relative(crossing_loss_rate_when_up(x, rho),
                        crossing_loss_rate(x, rho) / gsl_cdf_ugaussian_P(x), 1e-9, "per up second");
    }
    /* At a = 0.5 a pool is up for 1.806 h on average. */
    assert_relative(1.0 / crossing_loss_rate_when_up(0.0, rho) / HOUR, 1.806, 1e-3, "mean up");
    double deep = crossing_loss_rate_when_up(-60.0, rho);
    assert_true(isfinite(deep) && deep > 0.0 && deep <= 1.0 / 600.0);
    assert_near(crossing_loss_rate_when_up(60.0, rho), 0.0, 1e-300, "never lost");
}

int main(void)
{
    gsl_errors_install();
    static struct loss_row rows[] = {
        {"losses at availability 0.30", 0.30, 5.784},  {"losses at availability 0.50", 0.50, 6.643},
        {"losses at availability 0.70", 0.70, 5.784},  {"losses at availability 0.80", 0.80, 4.650},
        {"losses at availability 0.90", 0.90, 2.905},  {"losses at availability 0.95", 0.95, 1.701},
        {"losses at availability 0.99", 0.99, 0.4354},
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    struct CMUnitTest row_tests[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        row_tests[i] = (struct CMUnitTest){rows[i].name, exact_losses, NULL, NULL, &rows[i]};
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symmetric_in_the_threshold),    cmocka_unit_test(exact_at_zero_threshold),
        cmocka_unit_test(short_times_are_overestimated), cmocka_unit_test(fit_goes_round),
        cmocka_unit_test(fit_is_clipped_at_its_reach),   cmocka_unit_test(rate_per_up_time),
    };
    return cmocka_run_group_tests_name("crossing: reference", row_tests, NULL, NULL) +
           cmocka_run_group_tests_name("crossing", tests, NULL, NULL);
}
