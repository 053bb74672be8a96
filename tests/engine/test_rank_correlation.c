/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rank correlations against published numbers and GSL's; their intervals by how often they hold the
 * true value; what is not finished against a ranking written out. */
#include "engine/rank_correlation.h"

#include "engine/gsl_errors.h"
#include "engine/random.h"
#include "tests/support/testing.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

#define MISSING ((double)NAN)

static struct rank_correlation correlate(const double *x, const double *y,
                                         const unsigned char *beyond, size_t n)
{
    struct ranking a, b;
    assert_true(ranking_init(&a, x, NULL, n));
    assert_true(ranking_init(&b, y, beyond, n));
    struct rank_correlation c = rank_correlation(&a, &b);
    struct rank_correlation back = rank_correlation(&b, &a);
    assert_true(isnan(c.value) ? isnan(back.value) : fabs(c.value - back.value) < 1e-15);
    ranking_release(&a);
    ranking_release(&b);
    return c;
}

/* Intelligence and hours of television of ten people: -29/165 (the worked example of Wikipedia,
 * "Spearman's rank correlation coefficient"). */
static void worked_example(void **state)
{
    (void)state;
    static const double iq[] = {106, 100, 86, 101, 99, 103, 97, 113, 112, 110};
    static const double hours[] = {7, 27, 2, 50, 28, 29, 20, 12, 6, 17};
    struct rank_correlation c = correlate(iq, hours, NULL, 10);
    assert_int_equal(c.n, 10);
    assert_near(c.value, -29.0 / 165, 1e-15, "rho");
    /* By hand: z = -0.1776, sd sqrt((1 + 0.0309 / 2) / 7) = 0.3809, 1.96 of them 0.7465. */
    assert_near(c.low, tanh(-0.1776 - 0.7465), 1e-3, "low");
    assert_near(c.high, tanh(-0.1776 + 0.7465), 1e-3, "high");
}

static void ties_as_gsl_has_them(void **state)
{
    (void)state;
    double x[200], y[200], work[400];
    struct random_stream s;
    random_stream_init(&s, (struct random_world){1, 0}, random_source("ties"));
    for (size_t i = 0; i < 200; i++) {
        x[i] = random_below(&s, 7);
        y[i] = 0.5 * x[i] + random_below(&s, 4);
    }
    struct rank_correlation c = correlate(x, y, NULL, 200);
    assert_near(c.value, gsl_stats_spearman(x, 1, y, 1, 200, work), 1e-12, "rho");
}

static void edges(void **state)
{
    (void)state;
    const double up[] = {1, 2, 3, 4, 5}, flat[] = {2, 2, 2, 2, 2};
    const double gaps[] = {1, MISSING, 9, 16, 25};
    struct rank_correlation c = correlate(up, up, NULL, 5);
    assert_true(c.value == 1 && c.high == 1);
    assert_true(c.low > -1 && c.low < 0.9);
    c = correlate(up, flat, NULL, 5);
    assert_true(isnan(c.value) && isnan(c.low));
    c = correlate(up, gaps, NULL, 5);
    assert_int_equal(c.n, 4);
    assert_true(c.value == 1);
    c = correlate(up, gaps, NULL, 3);
    assert_int_equal(c.n, 2);
    assert_true(c.value == 1 && isnan(c.low) && isnan(c.high));
    c = correlate(up, gaps, NULL, 0);
    assert_true(c.n == 0 && isnan(c.value));
}

/* Two that are not finished, whose bounds are the smallest of all, are the last, and level: the
 * ranks are 1, 2, 3, 4.5, 4.5. */
static void unfinished_is_last(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 4, 5}, y[] = {10, 20, 30, 5, 7};
    const double ranks[] = {1, 2, 3, 4.5, 4.5};
    const unsigned char beyond[] = {0, 0, 0, 1, 1};
    struct rank_correlation c = correlate(x, y, beyond, 5);
    assert_near(c.value, gsl_stats_correlation(x, 1, ranks, 1, 5), 1e-15, "rho");
    assert_true(c.value > 0.9);
    assert_true(correlate(x, y, NULL, 5).value < 0);
}

/* Of a bivariate normal rho_s = 6/pi asin(rho/2) (Kruskal 1958, JASA 53, 814-861): the interval of
 * 100 worlds must hold it in 95 of 100 samples. 1,000 samples: 4 standard errors are 2.8 %. */
static void coverage(void **state)
{
    (void)state;
    const double rho[] = {0, 0.6, -0.9};
    for (size_t k = 0; k < 3; k++) {
        const double truth = 6 / M_PI * asin(rho[k] / 2);
        size_t held = 0;
        struct random_stream s;
        random_stream_init(&s, (struct random_world){7, (uint32_t)k}, random_source("coverage"));
        for (int sample = 0; sample < 1000; sample++) {
            double x[100], y[100];
            for (size_t i = 0; i < 100; i++) {
                x[i] = random_normal(&s);
                y[i] = rho[k] * x[i] + sqrt(1 - rho[k] * rho[k]) * random_normal(&s);
            }
            struct rank_correlation c = correlate(x, y, NULL, 100);
            held += c.low <= truth && truth <= c.high;
        }
        assert_near((double)held / 1000, 0.95, 0.028, "coverage");
    }
}

static void clear_or_not(void **state)
{
    (void)state;
    assert_true(rank_correlation_is_clear(0.3, 100, 0.05));
    assert_true(rank_correlation_is_clear(-0.3, 100, 0.05));
    assert_false(rank_correlation_is_clear(0.3, 100, 0.0005));
    assert_false(rank_correlation_is_clear(0.15, 100, 0.05));
    assert_true(rank_correlation_is_clear(1, 30, 0.001));
    assert_false(rank_correlation_is_clear(1, 3, 0.05));
    assert_false(rank_correlation_is_clear(MISSING, 100, 0.05));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_example), cmocka_unit_test(ties_as_gsl_has_them),
        cmocka_unit_test(edges),          cmocka_unit_test(unfinished_is_last),
        cmocka_unit_test(coverage),       cmocka_unit_test(clear_or_not),
    };
    gsl_errors_install();
    return cmocka_run_group_tests_name("rank_correlation", tests, NULL, NULL);
}
