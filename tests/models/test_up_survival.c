/* SPDX-License-Identifier: GPL-3.0-or-later
 * Up times: the estimate of Kaplan and Meier against published values, what counts as a run, and
 * the fitted process against its own loss rate. */
#include "tests/support/testing.h"

#include "models/market/crossing.h"
#include "models/market/spot_fit.h"
#include "models/market/up_survival.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* Weeks of remission of 21 patients under 6-mercaptopurine (Freireich et al., 1963), the standard
 * example; estimates as in Cox and Oakes, Analysis of Survival Data, 1984, table 1.1 and section
 * 4.2. */
static void remission_times_give_published_estimates(void **state)
{
    (void)state;
    static const struct up_run weeks[] = {
        {6, true},   {6, true},   {6, true},   {6, false},  {7, true},   {9, false},  {10, true},
        {10, false}, {11, false}, {13, true},  {16, true},  {17, false}, {19, false}, {20, false},
        {22, true},  {23, true},  {25, false}, {32, false}, {32, false}, {34, false}, {35, false}};
    static const double at[] = {5.9, 6, 7, 10, 13, 16, 22, 23, 35};
    static const double want[] = {1, 0.8571, 0.8067, 0.7529, 0.6902, 0.6275, 0.5378, 0.4482};
    struct survival_point got[9];
    struct up_runs r = {0};
    for (size_t i = 0; i < sizeof weeks / sizeof weeks[0]; i++) {
        up_runs_add(&r, weeks[(i * 8) % 21].length_s, weeks[(i * 8) % 21].ended);
    }
    up_runs_sort(&r);
    survival_at(&r, at, 9, got);
    for (size_t i = 0; i < 8; i++) {
        assert_near(got[i].share, want[i], 5e-5, "share");
    }
    assert_true(isnan(got[8].share)); /* the last was censored: nothing is known behind it */
    assert_true(isnan(got[0].low));
    /* At 6: three of 21. Greenwood: 3 / (21 × 18) = 0.0079365, its root over |ln 0.857143| =
     * 0.154151 is 0.577921; times 1.959964: e^1.132705 = 3.10404. 0.857143^3.10404 = 0.61972, and
     * 0.857143^(1/3.10404) = 0.95155, the 0.620 and 0.952 that R's survfit prints under log-log. */
    assert_near(got[1].low, 0.61972, 2e-5, "low");
    assert_near(got[1].high, 0.95155, 2e-5, "high");
    up_runs_release(&r);
}

/* Up at the start (not seen to begin), 4 hours from 2 to 6, cut by a hole at 9, and from 14 to the
 * end at 20, each with at least 2 nodes. */
static void runs_of_a_trace(void **state)
{
    (void)state;
    struct trace_step steps[] = {{0, 2, 0, false},
                                 {1, 1, 0, false},
                                 {2, 2, 0, false},
                                 {4, 3, 0, false},
                                 {6, 0, 0, false},
                                 {8, 2, 0, false},
                                 {9, TRACE_UNKNOWN, TRACE_UNKNOWN, true},
                                 {11, 2, 0, false}, /* behind a hole: not seen to begin */
                                 {13, 1, 0, false},
                                 {14, 2, 0, false}};
    const struct trace t = {.zone = "",
                            .instance_type = "",
                            .steps = steps,
                            .count = sizeof steps / sizeof steps[0],
                            .end_s = 20,
                            .has_nodes = true};
    struct up_runs r = {0};
    up_runs_of_trace(&r, &t, 2);
    assert_int_equal(r.count, 3);
    assert_int_equal(r.ended, 1);
    assert_true(r.items[0].length_s == 4 && r.items[0].ended);
    assert_true(r.items[1].length_s == 1 && !r.items[1].ended);
    assert_true(r.items[2].length_s == 6 && !r.items[2].ended);
    assert_true(up_runs_longest_s(&r) == 6);
    up_runs_release(&r);
}

static void without_runs_nothing_is_known(void **state)
{
    (void)state;
    const double at = 1;
    struct survival_point p;
    struct up_runs r = {0};
    up_runs_sort(&r);
    survival_at(&r, &at, 1, &p);
    assert_true(isnan(p.share));
    assert_true(up_runs_longest_s(&r) == 0);
}

/* 200 windows of 30 days: the mean length of up runs is availability over the rate of losses of the
 * crossing formula. The runs that windows cut are few; more nodes last less long. */
static void the_fitted_process_has_its_loss_rate(void **state)
{
    (void)state;
    const double threshold = gsl_cdf_ugaussian_Pinv(0.7), losses_per_s = 5.0 / 86400;
    const struct spot_fit fit = {
        .observed_s = 30 * 86400.0,
        .losses = 1,
        .availability = 0.7,
        .losses_per_day = 5,
        .short_s = crossing_fit_short_time(threshold, losses_per_s, 0.5, 48 * 3600.0).short_s,
        .most_nodes = 16,
        .has_slope = true,
        .node_slope = 0.1};
    struct up_runs one = {0}, many = {0};
    double sum[2] = {0, 0};
    assert_true(spot_fit_up_runs(&fit, 1, 200, &one));
    assert_true(spot_fit_up_runs(&fit, 16, 200, &many));
    for (size_t i = 0; i < one.count; i++) {
        sum[0] += one.items[i].length_s;
    }
    for (size_t i = 0; i < many.count; i++) {
        sum[1] += many.items[i].length_s;
    }
    assert_true(one.ended > 20000);
    /* Between windows the mean run has a spread of some 25 %: 1.8 % over 200, 4 of them 7 %. */
    assert_near(sum[0] / (double)one.ended, 0.7 / losses_per_s, 0.07 * 0.7 / losses_per_s, "mean");
    assert_true(sum[1] / (double)many.ended < sum[0] / (double)one.ended);
    up_runs_release(&one);
    up_runs_release(&many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(remission_times_give_published_estimates),
        cmocka_unit_test(runs_of_a_trace),
        cmocka_unit_test(without_runs_nothing_is_known),
        cmocka_unit_test(the_fitted_process_has_its_loss_rate),
    };
    return cmocka_run_group_tests_name("up_survival", tests, NULL, NULL);
}
