/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tabulated quantiles against the inverses that they stand for, and, as a sample, against GSL's
 * distribution function. */
#include "engine/gsl_errors.h"
#include "engine/quantile_table.h"
#include "engine/random.h"
#include "tests/support/testing.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define NO_LIMIT     HUGE_VAL

struct row {
    const char *name;
    enum distribution_family family;
    double p[3];
    double low, high;
};

static const struct row rows[] = {
    {"gamma", DISTRIBUTION_GAMMA, {0.5, 0.5}, 0, NO_LIMIT},
    {"gamma, cv 0", DISTRIBUTION_GAMMA, {0.5, 0}, 0, NO_LIMIT},
    {"gamma, cv 0.01", DISTRIBUTION_GAMMA, {0.5, 0.01}, 0, NO_LIMIT},
    {"gamma, cv 1", DISTRIBUTION_GAMMA, {0.5, 1}, 0, NO_LIMIT},
    {"gamma, cv 3", DISTRIBUTION_GAMMA, {0.5, 3}, 0, NO_LIMIT},
    /* Most of its quantiles span orders of magnitude in a cell: the inverse itself. */
    {"gamma, cv 30", DISTRIBUTION_GAMMA, {0.5, 30}, 0, NO_LIMIT},
    {"gamma, cut", DISTRIBUTION_GAMMA, {10, 0.5}, 3, 30},
    {"lognormal", DISTRIBUTION_LOGNORMAL, {500, 0.9}, 1, NO_LIMIT},
    {"lognormal, wide", DISTRIBUTION_LOGNORMAL, {1, 4}, 0, NO_LIMIT},
    {"lognormal, cut", DISTRIBUTION_LOGNORMAL, {500, 0.9}, 200, 3000},
    {"normal", DISTRIBUTION_NORMAL, {0, 1}, -NO_LIMIT, NO_LIMIT},
    {"normal, cut", DISTRIBUTION_NORMAL, {5, 2}, 2.5, NO_LIMIT},
    {"logit-normal", DISTRIBUTION_LOGIT_NORMAL, {0.9, 0.5}, -NO_LIMIT, NO_LIMIT},
    {"weibull", DISTRIBUTION_WEIBULL, {1.5, 2}, 0, NO_LIMIT},
    {"weibull, shape 0.4", DISTRIBUTION_WEIBULL, {0.4, 2}, 0, NO_LIMIT},
};

static struct distribution prepare(const struct row *r)
{
    struct distribution d = {
        .family = r->family, .p = {r->p[0], r->p[1], r->p[2]}, .low = r->low, .high = r->high};
    char message[200] = "";
    if (!distribution_prepare(&d, NULL, message, sizeof message)) {
        fail_msg("%s: %s", r->name, message);
    }
    return d;
}

static struct quantile_table *table_of(const struct distribution *d)
{
    struct quantile_table *t = quantile_table_new();
    assert_non_null(t);
    assert_true(quantile_table_begin(t, d));
    return t;
}

/* ---- the inverse ---------------------------------------------------------------------------- */

static void is_the_inverse(void **state)
{
    const struct row *r = *state;
    const struct distribution d = prepare(r);
    struct quantile_table *t = table_of(&d);
    /* Both ends of cells, the middle, and what lies beyond all cells. */
    static const double special[] = {0.5,      0.25,         0.75, 0.5 - 0x1p-53, 0x1.1p-2,
                                     0x1p-15,  1 - 0x1p-15,  1e-9, 1 - 1e-9,      0x1p-53,
                                     0x1.fp-3, 0x1.fffffp-3, 1e-4, 0.9999,        1 - 0x1p-53};
    for (size_t i = 0; i < COUNT(special); i++) {
        assert_relative(quantile_table_at(t, special[i]), distribution_quantile(&d, special[i]),
                        QUANTILE_TABLE_ERROR, r->name);
    }
    for (uint32_t i = 0; i < 600; i++) {
        double u = random_uniform_at((struct random_world){.seed = 5}, 1, i);
        u = i % 3 == 0 ? u : i % 3 == 1 ? u * u * u : 1 - u * u * u; /* tails too */
        assert_relative(quantile_table_at(t, u), distribution_quantile(&d, u), QUANTILE_TABLE_ERROR,
                        r->name);
    }
    quantile_table_free(t);
}

/* What was asked before changes nothing: every strategy meets the same draws. */
static void depends_on_the_draw_only(void **state)
{
    (void)state;
    enum { DRAWS = 300 };
    const struct distribution d = prepare(&rows[0]), other = prepare(&rows[7]);
    struct quantile_table *up = table_of(&d), *down = table_of(&other);
    static double want[DRAWS];
    for (uint32_t i = 0; i < DRAWS; i++) {
        double u = random_uniform_at((struct random_world){.seed = 6}, 1, i);
        want[i] = quantile_table_at(up, u);
        (void)quantile_table_at(down, u);
    }
    assert_true(quantile_table_begin(down, &d));
    for (uint32_t i = DRAWS; i-- > 0;) {
        double u = random_uniform_at((struct random_world){.seed = 6}, 1, i);
        assert_true(quantile_table_at(down, u) == want[i]);
    }
    assert_true(quantile_table_begin(down, &d)); /* keeps what it has */
    assert_true(quantile_table_at(down, 0.3) == quantile_table_at(up, 0.3));
    quantile_table_free(up);
    quantile_table_free(down);
}

static void cheap_or_rough_ones_are_left_alone(void **state)
{
    (void)state;
    static const double values[] = {1, 2, 3};
    const struct distribution some[] = {
        {.family = DISTRIBUTION_CONSTANT, .p = {1}, .u_high = 1},
        {.family = DISTRIBUTION_EXPONENTIAL, .p = {1}, .u_high = 1},
        {.family = DISTRIBUTION_POISSON, .p = {4}, .u_high = 1},
        {.family = DISTRIBUTION_TRIANGULAR, .p = {0, 1, 2}, .u_high = 1},
        {.family = DISTRIBUTION_EMPIRICAL, .values = values, .value_count = 3, .u_high = 1},
    };
    struct quantile_table *t = quantile_table_new();
    for (size_t i = 0; i < COUNT(some); i++) {
        assert_false(quantile_table_begin(t, &some[i]));
    }
    quantile_table_free(t);
}

/* ---- as a sample ---------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Kolmogorov and Smirnov's distance to GSL's distribution function, and mean and variance: those of
 * a gamma distribution with mean m and coefficient of variation c have the standard errors
 * m c / sqrt(n) and (m c)^2 sqrt((2 + 6 c^2) / n). */
static void draws_are_of_the_distribution(void **state)
{
    enum { DRAWS = 20000 };
    const struct row *r = *state;
    const struct distribution d = prepare(r);
    const double shape = 1 / (r->p[1] * r->p[1]), scale = r->p[0] / shape;
    const double sd = r->p[0] * r->p[1];
    struct quantile_table *t = table_of(&d);
    static double x[DRAWS];
    double sum = 0, squares = 0, distance = 0;
    for (uint32_t i = 0; i < DRAWS; i++) {
        x[i] = quantile_table_at(t, random_uniform_at((struct random_world){.seed = 7}, 1, i));
        sum += x[i];
        squares += (x[i] - r->p[0]) * (x[i] - r->p[0]);
    }
    qsort(x, DRAWS, sizeof x[0], by_size);
    for (size_t i = 0; i < DRAWS; i++) {
        double below = gsl_cdf_gamma_P(x[i], shape, scale);
        distance = fmax(distance, fmax(below - (double)i / DRAWS, (double)(i + 1) / DRAWS - below));
    }
    /* 1.63: the 1 % point of Kolmogorov's distribution (Smirnov, Annals of Mathematical Statistics
     * 19, 1948) */
    assert_true(distance < 1.63 / sqrt(DRAWS));
    assert_true(fabs(sum / DRAWS - r->p[0]) < 4 * sd / sqrt(DRAWS));
    assert_true(fabs(squares / DRAWS - sd * sd) <
                4 * sd * sd * sqrt((2 + 6 * r->p[1] * r->p[1]) / DRAWS));
    quantile_table_free(t);
}

int main(void)
{
    static struct CMUnitTest tests[COUNT(rows) + 4];
    size_t n = 0;
    gsl_errors_install();
    for (size_t i = 0; i < COUNT(rows); i++) {
        tests[n++] = (struct CMUnitTest){rows[i].name, is_the_inverse, NULL, NULL,
                                         (void *)(uintptr_t)&rows[i]};
    }
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(depends_on_the_draw_only);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(cheap_or_rough_ones_are_left_alone);
    tests[n++] = (struct CMUnitTest){"draws, gamma", draws_are_of_the_distribution, NULL, NULL,
                                     (void *)(uintptr_t)&rows[0]};
    tests[n++] = (struct CMUnitTest){"draws, gamma, cv 3", draws_are_of_the_distribution, NULL,
                                     NULL, (void *)(uintptr_t)&rows[4]};
    return _cmocka_run_group_tests("quantile_table", tests, n, NULL, NULL);
}
