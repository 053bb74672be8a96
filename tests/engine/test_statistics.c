/* SPDX-License-Identifier: GPL-3.0-or-later
 * Statistics against certified and published values, a brute-force search of the intervals, their
 * coverage by simulation, and what censoring may and may not be said to leave known. */
#include "engine/gsl_errors.h"
#include "engine/random.h"
#include "engine/statistics.h"
#include "tests/support/testing.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define MISSING      ((double)NAN)

static struct sample *make(const double *values, const unsigned char *censored, size_t n)
{
    struct sample *s = sample_new(values, censored, n);
    assert_non_null(s);
    return s;
}

/* 1, 2, …, n, so that order statistics are their ranks. */
static struct sample *make_ranks(size_t n)
{
    double *values = malloc((n + 1) * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < n; i++) {
        values[i] = (double)((i * 7919) % n + 1); /* 7919 is prime: a permutation */
    }
    struct sample *s = make(values, NULL, n);
    free(values);
    return s;
}

/* ---- moments -------------------------------------------------------------------------------- */

/* NIST StRD, univariate, certified: NumAcc1 mean 10000002, sd 1; NumAcc3 mean 1000000.2, sd 0.1;
 * NumAcc4 mean 10000000.2, sd 0.1 (1001 values: the mean, then 500 pairs 0.1 below and above). */
static void certified_moments(void **state)
{
    (void)state;
    const double three[] = {10000001, 10000003, 10000002};
    struct sample *s = make(three, NULL, 3);
    assert_true(sample_mean(s) == 10000002);
    assert_true(sample_sd(s) == 1);
    assert_relative(sample_mean_error(s), 1 / sqrt(3), 1e-15, "standard error");
    sample_free(s);

    const double levels[] = {1000000, 10000000};
    for (size_t k = 0; k < COUNT(levels); k++) {
        static double values[1001];
        values[0] = levels[k] + 0.2;
        for (size_t i = 1; i < 1001; i += 2) {
            values[i] = levels[k] + 0.1;
            values[i + 1] = levels[k] + 0.3;
        }
        s = make(values, NULL, 1001);
        assert_relative(sample_mean(s), levels[k] + 0.2, 1e-15, "mean");
        assert_relative(sample_sd(s), 0.1, 1e-7, "sd");
        sample_free(s);
    }
}

static void edges_of_moments(void **state)
{
    (void)state;
    struct sample *s = make(NULL, NULL, 0);
    assert_int_equal(sample_count(s), 0);
    assert_true(isnan(sample_mean(s)) && isnan(sample_sd(s)) && isnan(sample_mean_error(s)));
    assert_true(isnan(sample_min(s)) && isnan(sample_max(s)));
    assert_true(isnan(sample_share_below(s, 1)));
    struct quantile q = sample_quantile(s, 0.5, 0.95);
    assert_true(!q.known && isnan(q.value) && isinf(q.low) && isinf(q.high));
    assert_true(isinf(quantile_precision(&q)));
    sample_free(s);

    const double values[] = {MISSING, 4, MISSING};
    s = make(values, NULL, 3);
    assert_int_equal(sample_count(s), 1);
    assert_true(sample_mean(s) == 4 && sample_min(s) == 4 && sample_max(s) == 4);
    assert_true(isnan(sample_sd(s)) && isnan(sample_mean_error(s)));
    q = sample_quantile(s, 0.9, 0.95);
    assert_true(q.known && q.value == 4 && isinf(q.low) && isinf(q.high));
    sample_free(s);
    sample_free(NULL);
}

/* ---- quantiles ------------------------------------------------------------------------------ */

struct rank_row {
    size_t n;
    double p;
    size_t rank;
};

/* The smallest rank k with k / n >= p. */
static const struct rank_row rank_rows[] = {
    {10, 0.9, 9},      {10, 0.5, 5},       {11, 0.5, 6},           {1, 0.5, 1},
    {100, 0.07, 7},    {100, 0.29, 29},    {100, 0.57, 57},        {1000, 0.999, 999},
    {10, 0.901, 10},   {10, 0.999, 10},    {10, 0.001, 1},         {3, 1.0 / 3, 1},
    {2000, 0.9, 1800}, {2000, 0.95, 1900}, {1000000, 0.8, 800000},
};

static void ranks_are_exact(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rank_rows); i++) {
        struct sample *s = make_ranks(rank_rows[i].n);
        struct quantile q = sample_quantile(s, rank_rows[i].p, 0.95);
        assert_true(q.known);
        assert_true(q.value == (double)rank_rows[i].rank);
        assert_true(q.at_least == q.value && q.at_most == q.value);
        assert_true(q.low <= q.value && q.value <= q.high);
        sample_free(s);
    }
}

/* P(l <= B <= u - 1), B ~ Binomial(n, p). */
static double coverage(size_t l, size_t u, size_t n, double p)
{
    double upto = u > n ? 1 : gsl_cdf_binomial_P((unsigned)u - 1, p, (unsigned)n);
    return upto - (l == 0 ? 0 : gsl_cdf_binomial_P((unsigned)l - 1, p, (unsigned)n));
}

/* Shortest ranks by trying all, between least and most; of the shortest the best covered. */
static bool search(size_t least, size_t most, size_t n, double p, double confidence, size_t *length,
                   double *best)
{
    for (*length = 1; *length <= n + 1; ++*length) {
        *best = 0;
        for (size_t l = least; l + *length <= most; l++) {
            *best = fmax(*best, coverage(l, l + *length, n, p));
        }
        if (*best >= confidence) {
            return true;
        }
    }
    return false;
}

static void intervals_are_the_shortest(void **state)
{
    (void)state;
    const double ps[] = {0.05, 0.1, 0.3, 0.5, 0.75, 0.9, 0.95, 0.99};
    for (size_t n = 1; n <= 120; n += n < 70 ? 1 : 7) {
        struct sample *s = make_ranks(n);
        for (size_t i = 0; i < COUNT(ps); i++) {
            double p = ps[i];
            struct quantile q = sample_quantile(s, p, 0.95);
            size_t l = isinf(q.low) ? 0 : (size_t)q.low;
            size_t u = isinf(q.high) ? n + 1 : (size_t)q.high;
            size_t length = 0;
            double best = 0;
            bool finite = search(1, n, n, p, 0.95, &length, &best);
            if (!finite && !(p >= 0.5 ? search(1, n + 1, n, p, 0.95, &length, &best)
                                      : search(0, n, n, p, 0.95, &length, &best))) {
                assert_true(l == 0 && u == n + 1);
                continue;
            }
            assert_int_equal(u - l, length);
            assert_near(coverage(l, u, n, p), best, 1e-12, "coverage");
            assert_int_equal(isinf(q.low) || isinf(q.high), !finite);
        }
        sample_free(s);
    }
}

struct interval_row {
    size_t n;
    double p;
    double low, high; /* ranks; HUGE_VAL = open */
};

/* Ranks of the median's 95 % interval: Conover, Practical Nonparametric Statistics, 3rd ed.,
 * table A3, and the 59 of Wilks (1941): the least n whose largest value bounds the P95. */
static const struct interval_row interval_rows[] = {
    {6, 0.5, 1, 6},        {10, 0.5, 2, 9},          {20, 0.5, 6, 15},
    {5, 0.5, 1, HUGE_VAL}, {58, 0.95, 52, HUGE_VAL}, {59, 0.95, 50, 59},
};

static void published_intervals(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(interval_rows); i++) {
        const struct interval_row *r = &interval_rows[i];
        struct sample *s = make_ranks(r->n);
        struct quantile q = sample_quantile(s, r->p, 0.95);
        assert_true(q.low == r->low);
        assert_true(q.high == r->high);
        sample_free(s);
    }
}

static void large_samples_are_quick_and_near_normal(void **state)
{
    (void)state;
    const size_t n = 1000000;
    struct sample *s = make_ranks(n);
    for (double p = 0.1; p < 1; p += 0.2) {
        struct quantile q = sample_quantile(s, p, 0.95);
        double half = 1.959963984540054 * sqrt((double)n * p * (1 - p));
        assert_relative(q.high - q.low, 2 * half, 5e-3, "width in ranks");
        assert_near((q.high + q.low) / 2, (double)n * p, 3, "middle");
        assert_relative(quantile_precision(&q), half / ((double)n * p), 5e-3, "precision");
    }
    sample_free(s);
}

/* The true quantile lies inside in at least 95 % of samples, whatever the distribution. */
static void intervals_cover(void **state)
{
    (void)state;
    enum { SAMPLES = 4000, SIZE = 80 };
    const double ps[] = {0.2, 0.5, 0.9};
    for (size_t i = 0; i < COUNT(ps); i++) {
        double truth = -log1p(-ps[i]); /* of the exponential distribution */
        int inside = 0;
        for (uint32_t k = 0; k < SAMPLES; k++) {
            struct random_stream r;
            double values[SIZE];
            random_stream_init(&r, (struct random_world){.seed = 5, .replication = k}, i);
            for (size_t j = 0; j < SIZE; j++) {
                values[j] = random_exponential(&r);
            }
            struct sample *s = make(values, NULL, SIZE);
            struct quantile q = sample_quantile(s, ps[i], 0.95);
            inside += q.low <= truth && truth <= q.high;
            sample_free(s);
        }
        struct sample *ranks = make_ranks(SIZE);
        struct quantile q = sample_quantile(ranks, ps[i], 0.95);
        double want = coverage((size_t)q.low, (size_t)q.high, SIZE, ps[i]);
        sample_free(ranks);
        assert_true(want >= 0.95 && want < 0.97);
        assert_near((double)inside / SAMPLES, want, 4.5 * sqrt(want * (1 - want) / SAMPLES),
                    "coverage");
    }
}

/* ---- censoring ------------------------------------------------------------------------------ */

/* Ten worlds, of which the 3rd, 9th and 10th in order were cut off. */
static const double cut_values[] = {50, 10, 30, 20, 70, 40, 90, 60, 80, 100};
static const unsigned char cut[] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 1};

static void censored_quantiles_are_bounds(void **state)
{
    (void)state;
    struct sample *s = make(cut_values, cut, 10);
    assert_int_equal(sample_count(s), 10);
    assert_int_equal(sample_censored(s), 3);
    const double *sorted = sample_sorted(s);
    for (size_t i = 0; i < 10; i++) {
        assert_true(sorted[i] == 10 * (double)(i + 1));
    }
    /* Below the first censored value all is known. */
    struct quantile q = sample_quantile(s, 0.2, 0.95);
    assert_true(q.known && q.value == 20 && q.at_most == 20);
    /* The world cut off at 30 may end anywhere above: P30 is 30 to 40, P70 is 70 to 80. */
    q = sample_quantile(s, 0.3, 0.95);
    assert_true(!q.known && isnan(q.value) && q.at_least == 30 && q.at_most == 40);
    q = sample_quantile(s, 0.7, 0.95);
    assert_true(!q.known && isnan(q.value) && q.at_least == 70 && q.at_most == 80);
    /* Only seven worlds ended: nothing bounds P80 from above. */
    q = sample_quantile(s, 0.8, 0.95);
    assert_true(!q.known && isnan(q.value) && q.at_least == 80 && isinf(q.at_most));
    assert_true(isinf(q.high) && isinf(quantile_precision(&q)));
    /* The interval of the median is x(2) to x(9): its upper end is open too. */
    q = sample_quantile(s, 0.5, 0.95);
    assert_true(q.at_least == 50 && q.at_most == 60);
    assert_true(q.low == 20 && isinf(q.high));
    sample_free(s);
}

static void censored_moments_are_not_told(void **state)
{
    (void)state;
    struct sample *s = make(cut_values, cut, 10);
    assert_true(isnan(sample_mean(s)) && isnan(sample_sd(s)) && isnan(sample_mean_error(s)));
    assert_true(isnan(sample_max(s)));
    assert_true(sample_min(s) == 10); /* known: every other value is at least 20 */
    sample_free(s);

    const unsigned char least_cut[] = {0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
    s = make(cut_values, least_cut, 10);
    assert_true(isnan(sample_min(s))); /* the one cut off at 10 may end at 200 */
    assert_true(sample_sorted(s)[0] == 10);
    sample_free(s);

    const unsigned char all_cut[] = {1, 1, 1};
    s = make(cut_values, all_cut, 3);
    assert_true(isnan(sample_min(s)) && isnan(sample_max(s)));
    struct quantile q = sample_quantile(s, 0.5, 0.95);
    assert_true(!q.known && q.at_least == 30 && isinf(q.at_most));
    assert_true(sample_share_below(s, 1000) == 0);
    sample_free(s);
}

static void a_tie_with_a_bound_is_known(void **state)
{
    (void)state;
    const double values[] = {1, 5, 5, 9};
    const unsigned char second_cut[] = {0, 1, 0, 0};
    struct sample *s = make(values, second_cut, 4);
    struct quantile q = sample_quantile(s, 0.5, 0.95); /* at least two of four are <= 5 */
    assert_true(q.known && q.value == 5);
    q = sample_quantile(s, 0.75, 0.95);
    assert_true(!q.known && q.at_least == 5 && q.at_most == 9);
    sample_free(s);
}

/* Whatever the censored values become, the true quantile lies within the bounds. */
static void bounds_hold_for_every_outcome(void **state)
{
    (void)state;
    struct random_stream r;
    random_stream_init(&r, (struct random_world){.seed = 6, .replication = 0}, 1);
    for (int trial = 0; trial < 2000; trial++) {
        double truth[12], seen[12];
        unsigned char censored[12];
        size_t n = 1 + random_below(&r, 12);
        for (size_t i = 0; i < n; i++) {
            truth[i] = random_below(&r, 20);
            censored[i] = random_below(&r, 3) == 0;
            seen[i] = censored[i] ? truth[i] - random_below(&r, 5) : truth[i];
        }
        struct sample *whole = make(truth, NULL, n);
        struct sample *partial = make(seen, censored, n);
        for (double p = 0.05; p < 1; p += 0.15) {
            struct quantile want = sample_quantile(whole, p, 0.95);
            struct quantile got = sample_quantile(partial, p, 0.95);
            assert_true(got.at_least <= want.value && want.value <= got.at_most);
            assert_true(got.low <= want.low && want.high <= got.high);
            if (got.known) {
                assert_true(got.value == want.value);
            }
        }
        assert_true(sample_share_below(partial, 9) <= sample_share_below(whole, 9));
        assert_true(isnan(sample_min(partial)) || sample_min(partial) == sample_min(whole));
        sample_free(whole);
        sample_free(partial);
    }
}

static void shares_below(void **state)
{
    (void)state;
    struct sample *s = make(cut_values, cut, 10);
    assert_true(sample_share_below(s, 9.99) == 0);
    assert_true(sample_share_below(s, 10) == 0.1);
    assert_true(sample_share_below(s, 35) == 0.2); /* the one cut off at 30 does not count */
    assert_true(sample_share_below(s, 1000) == 0.7);
    sample_free(s);
}

/* ---- pairs ---------------------------------------------------------------------------------- */

/* Student, "The probable error of a mean", Biometrika 6, 1908: hours of sleep gained under two
 * drugs. Interval as printed by R 4: t.test(extra ~ group, data = sleep, paired = TRUE). */
static const double drug_1[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
static const double drug_2[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

static void students_sleep(void **state)
{
    (void)state;
    struct paired p = paired_difference(drug_1, NULL, drug_2, NULL, 10);
    assert_int_equal(p.n, 10);
    assert_int_equal(p.left_out, 0);
    assert_relative(p.mean, -1.58, 1e-14, "mean");
    assert_relative(p.low, -2.4598858, 1e-7, "low");
    assert_relative(p.high, -0.7001142, 1e-7, "high");
    assert_true(p.win_share == 0.9 && p.tie_share == 0.1);
}

static void pairs_that_are_not_whole_are_left_out(void **state)
{
    (void)state;
    const double a[] = {1, MISSING, 3, 4, 5};
    const double b[] = {2, 2, MISSING, 4, 1};
    const unsigned char a_cut[] = {0, 0, 0, 0, 1};
    struct paired p = paired_difference(a, a_cut, b, NULL, 5);
    assert_int_equal(p.n, 2);
    assert_int_equal(p.left_out, 3);
    assert_true(isnan(p.mean) && isnan(p.low) && isnan(p.high));
    assert_true(p.win_share == 0.5 && p.tie_share == 0.5);

    p = paired_difference(a, NULL, b, a_cut, 1);
    assert_int_equal(p.n, 1);
    assert_true(p.mean == -1 && isnan(p.low) && isnan(p.high));

    p = paired_difference(a, NULL, b, NULL, 0);
    assert_int_equal(p.n, 0);
    assert_true(isnan(p.mean) && isnan(p.win_share) && isnan(p.tie_share));

    const double same[] = {7, 7, 7};
    p = paired_difference(same, NULL, same, NULL, 3);
    assert_true(p.mean == 0 && p.low == 0 && p.high == 0 && p.tie_share == 1);
}

/* ---- shares --------------------------------------------------------------------------------- */

struct share_row {
    size_t k, n;
    double low, high;
};

/* Wilson's interval, 95 %: Brown, Cai, DasGupta, Statistical Science 16, 2001, equation (4),
 * evaluated with 25 digits; 5 of 10 is the (0.2366, 0.7634) of many tables. */
static const struct share_row share_rows[] = {
    {0, 0, 0, 1},
    {0, 10, 0, 0.2775327998628892527},
    {10, 10, 1 - 0.2775327998628892527, 1},
    {5, 10, 0.2365930905125639777, 0.7634069094874360223},
    {8, 10, 0.4901624715366417033, 0.9433178485456247451},
    {93, 100, 0.8625048526092649848, 0.9656807389327273264},
};

static void wilson_intervals(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(share_rows); i++) {
        double low = -1;
        double high = -1;
        share_interval(share_rows[i].k, share_rows[i].n, 0.95, &low, &high);
        assert_near(low, share_rows[i].low, 1e-14, "low");
        assert_near(high, share_rows[i].high, 1e-14, "high");
    }
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certified_moments),
        cmocka_unit_test(edges_of_moments),
        cmocka_unit_test(ranks_are_exact),
        cmocka_unit_test(intervals_are_the_shortest),
        cmocka_unit_test(published_intervals),
        cmocka_unit_test(large_samples_are_quick_and_near_normal),
        cmocka_unit_test(intervals_cover),
        cmocka_unit_test(censored_quantiles_are_bounds),
        cmocka_unit_test(censored_moments_are_not_told),
        cmocka_unit_test(a_tie_with_a_bound_is_known),
        cmocka_unit_test(bounds_hold_for_every_outcome),
        cmocka_unit_test(shares_below),
        cmocka_unit_test(students_sleep),
        cmocka_unit_test(pairs_that_are_not_whole_are_left_out),
        cmocka_unit_test(wilson_intervals),
    };
    return cmocka_run_group_tests_name("statistics", tests, NULL, NULL);
}
