/* SPDX-License-Identifier: GPL-3.0-or-later
 * Distributions: quantiles and means against known answers, every family for its general laws, and
 * what cannot be. Numbers without another source were integrated or inverted from the density with
 * 30 digits (mpmath 1.3.0). */
#include "engine/distribution.h"
#include "engine/gsl_errors.h"
#include "tests/support/testing.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define NO_LIMIT     HUGE_VAL

static const double observed[] = {1, 2, 2, 3, 5, 8, 13, 21, 34, 55};

struct row {
    const char *name;
    enum distribution_family family;
    double p[3];
    double low, high;
};

/* Fails the test when it cannot be prepared. */
static struct distribution prepare(const struct row *r)
{
    struct distribution d = {.family = r->family,
                             .p = {r->p[0], r->p[1], r->p[2]},
                             .values = observed,
                             .value_count = COUNT(observed),
                             .low = r->low,
                             .high = r->high};
    char message[200] = "";
    if (!distribution_prepare(&d, NULL, message, sizeof message)) {
        fail_msg("%s: %s", r->name, message);
    }
    return d;
}

/* ---- known quantiles ------------------------------------------------------------------------ */

struct quantile_row {
    struct row d;
    double u, want;
};

#define WHOLE -NO_LIMIT, NO_LIMIT

static const struct quantile_row quantile_rows[] = {
    {{"constant", DISTRIBUTION_CONSTANT, {7}, WHOLE}, 0.3, 7},
    {{"uniform", DISTRIBUTION_UNIFORM, {60, 120}, WHOLE}, 0.25, 75},
    /* NIST/SEMATECH e-Handbook, table 1.3.6.7.1: 1.959964 at 0.975 */
    {{"normal", DISTRIBUTION_NORMAL, {10, 2}, WHOLE}, 0.975, 10 + 2 * 1.959963984540054},
    {{"normal, lower tail", DISTRIBUTION_NORMAL, {0, 1}, WHOLE}, 1e-10, -6.361340902404056},
    {{"lognormal", DISTRIBUTION_LOGNORMAL, {8, 0.4}, WHOLE}, 0.95, 15.4465085264229327},
    {{"logit-normal", DISTRIBUTION_LOGIT_NORMAL, {0.9, 0.5}, WHOLE}, 0.95, 0.953454056857692593},
    {{"triangular, left", DISTRIBUTION_TRIANGULAR, {2, 5, 10}, WHOLE}, 0.375 / 4, 3.5},
    {{"triangular, mode", DISTRIBUTION_TRIANGULAR, {2, 5, 10}, WHOLE}, 0.375, 5},
    {{"triangular, right", DISTRIBUTION_TRIANGULAR, {2, 5, 10}, WHOLE}, 1 - 0.625 / 4, 7.5},
    {{"triangular, mode at a", DISTRIBUTION_TRIANGULAR, {0, 0, 1}, WHOLE}, 0.75, 0.5},
    {{"triangular, mode at b", DISTRIBUTION_TRIANGULAR, {0, 1, 1}, WHOLE}, 0.25, 0.5},
    {{"exponential", DISTRIBUTION_EXPONENTIAL, {50}, WHOLE}, 0.5, 50 * 0.6931471805599453},
    /* chi-squared with 10 degrees of freedom: 18.307 at 0.95 (NIST, table 1.3.6.7.4) */
    {{"gamma as chi-squared", DISTRIBUTION_GAMMA, {10, 0.44721359549995794}, WHOLE},
     0.95,
     18.307038053275146},
    {{"gamma", DISTRIBUTION_GAMMA, {10, 0.5}, WHOLE}, 0.95, 19.3841413198318172},
    {{"gamma, cv 5, middle", DISTRIBUTION_GAMMA, {10, 5}, WHOLE}, 0.5, 4.32041170985651563e-06},
    {{"gamma, cv 5, upper", DISTRIBUTION_GAMMA, {10, 5}, WHOLE}, 0.9, 10.8460338322783014},
    {{"gamma, cv 5, tail", DISTRIBUTION_GAMMA, {10, 5}, WHOLE}, 0.999, 637.501421666610778},
    {{"weibull", DISTRIBUTION_WEIBULL, {2, 100}, WHOLE}, 0.5, 83.25546111576978},
    /* P(K <= k) of mean 2.5: 0.0821, 0.2873, 0.5438, 0.7576, 0.8912 */
    {{"poisson, 0", DISTRIBUTION_POISSON, {2.5}, WHOLE}, 0.0820, 0},
    {{"poisson, 1", DISTRIBUTION_POISSON, {2.5}, WHOLE}, 0.0822, 1},
    {{"poisson, 3", DISTRIBUTION_POISSON, {2.5}, WHOLE}, 0.7575, 3},
    {{"poisson, 4", DISTRIBUTION_POISSON, {2.5}, WHOLE}, 0.7577, 4},
    {{"poisson, mean 0", DISTRIBUTION_POISSON, {0}, WHOLE}, 0.999, 0},
    {{"poisson, large", DISTRIBUTION_POISSON, {1e8}, WHOLE}, 0.5, 1e8},
    {{"empirical, low", DISTRIBUTION_EMPIRICAL, {0}, WHOLE}, 0.05, 1},
    {{"empirical, high", DISTRIBUTION_EMPIRICAL, {0}, WHOLE}, 0.95, 55},
    {{"empirical, tie", DISTRIBUTION_EMPIRICAL, {0}, WHOLE}, 0.15, 2},
    {{"normal, sd 0", DISTRIBUTION_NORMAL, {3, 0}, 3, 3}, 0.1, 3},
    {{"gamma, cv 0", DISTRIBUTION_GAMMA, {3, 0}, 0, 3}, 0.1, 3},
    {{"uniform, a = b", DISTRIBUTION_UNIFORM, {3, 3}, 3, 5}, 0.1, 3},
    {{"triangular, a = b", DISTRIBUTION_TRIANGULAR, {3, 3, 3}, 0, 3}, 0.1, 3},
    /* the lower 20 % cut off: the quantile at 0.2 + 0.8 u */
    {{"uniform, cut", DISTRIBUTION_UNIFORM, {0, 100}, 20, NO_LIMIT}, 0.5, 60},
    {{"uniform, cut twice", DISTRIBUTION_UNIFORM, {0, 100}, 10, 90}, 0.25, 30},
    {{"empirical, cut", DISTRIBUTION_EMPIRICAL, {0}, 2, 34}, 0.001, 2},
    {{"empirical, cut above", DISTRIBUTION_EMPIRICAL, {0}, 2, 34}, 0.999, 34},
};

static void known_quantile(void **state)
{
    const struct quantile_row *r = *state;
    struct distribution d = prepare(&r->d);
    assert_relative(distribution_quantile(&d, r->u), r->want, 1e-12, r->d.name);
}

/* ---- known means ---------------------------------------------------------------------------- */

struct mean_row {
    struct row d;
    double want;
};

static const struct mean_row mean_rows[] = {
    {{"constant", DISTRIBUTION_CONSTANT, {7}, WHOLE}, 7},
    {{"uniform", DISTRIBUTION_UNIFORM, {60, 120}, WHOLE}, 90},
    {{"normal", DISTRIBUTION_NORMAL, {10, 2}, WHOLE}, 10},
    {{"lognormal", DISTRIBUTION_LOGNORMAL, {8, 0.4}, WHOLE}, 8.666296541399668},
    {{"logit-normal", DISTRIBUTION_LOGIT_NORMAL, {0.9, 0.5}, WHOLE}, 0.891076349918940374},
    {{"logit-normal, wide", DISTRIBUTION_LOGIT_NORMAL, {0.3, 1.2}, WHOLE}, 0.340383034098107510},
    {{"logit-normal, half", DISTRIBUTION_LOGIT_NORMAL, {0.5, 3}, WHOLE}, 0.5},
    {{"triangular", DISTRIBUTION_TRIANGULAR, {2, 5, 10}, WHOLE}, 17.0 / 3},
    {{"exponential", DISTRIBUTION_EXPONENTIAL, {50}, WHOLE}, 50},
    {{"gamma", DISTRIBUTION_GAMMA, {10, 0.5}, WHOLE}, 10},
    {{"weibull", DISTRIBUTION_WEIBULL, {2, 100}, WHOLE}, 88.62269254527580},
    {{"poisson", DISTRIBUTION_POISSON, {2.5}, WHOLE}, 2.5},
    {{"empirical", DISTRIBUTION_EMPIRICAL, {0}, WHOLE}, 14.4},
    {{"uniform, cut", DISTRIBUTION_UNIFORM, {0, 100}, 20, NO_LIMIT}, 60},
    {{"normal, cut", DISTRIBUTION_NORMAL, {5, 2}, 3, 12}, 5.57328395811733432},
    {{"lognormal, cut", DISTRIBUTION_LOGNORMAL, {8, 0.4}, 5.5, 20}, 9.36265572445439576},
    {{"logit-normal, cut", DISTRIBUTION_LOGIT_NORMAL, {0.9, 0.5}, 0.85, 1}, 0.908617101313821069},
    {{"triangular, cut", DISTRIBUTION_TRIANGULAR, {2, 5, 10}, 3, 9}, 5.70238095238095238},
    {{"exponential, cut", DISTRIBUTION_EXPONENTIAL, {50}, 2, 200}, 48.1521513924789028},
    {{"gamma, cut", DISTRIBUTION_GAMMA, {10, 0.5}, 3, 30}, 10.2148950842887583},
    {{"weibull, cut", DISTRIBUTION_WEIBULL, {1.5, 100}, 10, 250}, 89.0117887586468352},
    {{"poisson, cut", DISTRIBUTION_POISSON, {4.5}, 2, 7}, 4.32908167022608440},
    {{"empirical, cut", DISTRIBUTION_EMPIRICAL, {0}, 2, 34}, 88.0 / 8},
    {{"normal, sd 0", DISTRIBUTION_NORMAL, {3, 0}, 3, 3}, 3},
};

static void known_mean(void **state)
{
    const struct mean_row *r = *state;
    struct distribution d = prepare(&r->d);
    assert_relative(distribution_mean(&d), r->want, 1e-11, r->d.name);
    assert_true(distribution_median(&d) == distribution_quantile(&d, 0.5));
}

/* ---- laws of every family ------------------------------------------------------------------- */

static const struct row families[] = {
    {"constant", DISTRIBUTION_CONSTANT, {7}, 0, 10},
    {"uniform", DISTRIBUTION_UNIFORM, {60, 120}, 65, NO_LIMIT},
    {"normal", DISTRIBUTION_NORMAL, {10, 2}, 8, 15},
    {"normal, narrow", DISTRIBUTION_NORMAL, {1e6, 1e-3}, 0, NO_LIMIT},
    {"lognormal", DISTRIBUTION_LOGNORMAL, {8, 0.4}, 0, 12},
    {"lognormal, wide", DISTRIBUTION_LOGNORMAL, {1, 5}, 0, NO_LIMIT},
    {"logit-normal", DISTRIBUTION_LOGIT_NORMAL, {0.9, 0.5}, 0, 1},
    {"logit-normal, edge", DISTRIBUTION_LOGIT_NORMAL, {1 - 1e-12, 4}, 0.001, 1},
    {"triangular", DISTRIBUTION_TRIANGULAR, {2, 5, 10}, 3, 9},
    {"exponential", DISTRIBUTION_EXPONENTIAL, {50}, 5, 200},
    {"gamma", DISTRIBUTION_GAMMA, {10, 0.5}, 3, 30},
    {"gamma, cv 0.01", DISTRIBUTION_GAMMA, {10, 0.01}, 0, NO_LIMIT},
    {"gamma, cv 4", DISTRIBUTION_GAMMA, {10, 4}, 0, 500},
    {"gamma, cv 100", DISTRIBUTION_GAMMA, {10, 100}, 0, NO_LIMIT},
    {"weibull", DISTRIBUTION_WEIBULL, {1.5, 100}, 10, 250},
    {"weibull, heavy", DISTRIBUTION_WEIBULL, {0.3, 100}, 0, NO_LIMIT},
    {"poisson", DISTRIBUTION_POISSON, {4.5}, 2, 7},
    {"poisson, small", DISTRIBUTION_POISSON, {1e-3}, 0, NO_LIMIT},
    {"empirical", DISTRIBUTION_EMPIRICAL, {0}, 2, 34},
};

static void laws(void **state)
{
    const struct row *r = *state;
    struct distribution d = prepare(r);
    double before = -DBL_MAX;
    double sum = 0;
    enum { STEPS = 20000 };
    for (int i = 0; i < STEPS; i++) {
        double x = distribution_quantile(&d, (i + 0.5) / STEPS);
        assert_true(isfinite(x));
        assert_true(x >= before - 1e-9 * fabs(before)); /* rises */
        assert_true(x >= r->low && x <= r->high);
        before = x;
        sum += x;
    }
    const double ends[] = {DBL_TRUE_MIN, 0x1p-53, 1 - 0x1p-53, 0, 1};
    for (size_t i = 0; i < COUNT(ends); i++) {
        double x = distribution_quantile(&d, ends[i]);
        assert_true(isfinite(x) && x >= r->low && x <= r->high);
    }
    double mean = distribution_mean(&d);
    assert_true(isfinite(mean) && mean >= r->low && mean <= r->high);
    if (strstr(r->name, "wide") == NULL && strstr(r->name, "cv 100") == NULL) {
        /* The midpoint sum misses up to 1/STEPS of the tail. */
        assert_relative(sum / STEPS, mean, 2e-2, r->name);
    }
}

/* P(X <= Q(u)) = u by GSL's distribution functions. */
static void gamma_inverse_is_precise(void **state)
{
    (void)state;
    const double cvs[] = {0.003, 0.05, 0.3, 0.9, 1, 1.7, 2.9, 3.1, 8, 30};
    const double us[] = {1e-12, 1e-6, 0.01, 0.3, 0.5, 0.7, 0.95, 0.9999, 1 - 1e-10};
    for (size_t i = 0; i < COUNT(cvs); i++) {
        struct row r = {"gamma", DISTRIBUTION_GAMMA, {20, cvs[i]}, WHOLE};
        struct distribution d = prepare(&r);
        double shape = 1 / (cvs[i] * cvs[i]);
        for (size_t k = 0; k < COUNT(us); k++) {
            double x = distribution_quantile(&d, us[k]);
            if (x < 1e-290) {
                continue; /* the true quantile is below the doubles */
            }
            if (us[k] < 0.5) {
                assert_relative(gsl_cdf_gamma_P(x, shape, 20 / shape), us[k], 1e-8, "P");
            } else {
                assert_relative(gsl_cdf_gamma_Q(x, shape, 20 / shape), 1 - us[k], 1e-8, "Q");
            }
        }
    }
}

/* ---- refusals ------------------------------------------------------------------------------- */

struct refusal {
    struct row d;
    const char *message;
};

static const struct refusal refusals[] = {
    {{"nan", DISTRIBUTION_CONSTANT, {(double)NAN}, WHOLE}, "parameters are not finite"},
    {{"infinite", DISTRIBUTION_NORMAL, {0, HUGE_VAL}, WHOLE}, "parameters are not finite"},
    {{"uniform", DISTRIBUTION_UNIFORM, {2, 1}, WHOLE}, "upper end"},
    {{"normal", DISTRIBUTION_NORMAL, {2, -1}, WHOLE}, "standard deviation"},
    {{"lognormal", DISTRIBUTION_LOGNORMAL, {0, 1}, WHOLE}, "median"},
    {{"lognormal, spread", DISTRIBUTION_LOGNORMAL, {2, -1}, WHOLE}, "below its median"},
    {{"share of 0", DISTRIBUTION_LOGIT_NORMAL, {0, 1}, WHOLE}, "between 0 and 1"},
    {{"share of 1", DISTRIBUTION_LOGIT_NORMAL, {1, 1}, WHOLE}, "between 0 and 1"},
    {{"share, spread", DISTRIBUTION_LOGIT_NORMAL, {0.5, -1}, WHOLE}, "spread"},
    {{"triangular, mode low", DISTRIBUTION_TRIANGULAR, {2, 1, 3}, WHOLE}, "do not rise"},
    {{"triangular, mode high", DISTRIBUTION_TRIANGULAR, {2, 4, 3}, WHOLE}, "do not rise"},
    {{"exponential", DISTRIBUTION_EXPONENTIAL, {0}, WHOLE}, "not positive"},
    {{"gamma", DISTRIBUTION_GAMMA, {0, 1}, WHOLE}, "not positive"},
    {{"gamma, cv < 0", DISTRIBUTION_GAMMA, {1, -1}, WHOLE}, "negative"},
    {{"gamma, cv huge", DISTRIBUTION_GAMMA, {1, 1e6}, WHOLE}, "above 1000"},
    {{"weibull, shape", DISTRIBUTION_WEIBULL, {0, 1}, WHOLE}, "both positive"},
    {{"weibull, scale", DISTRIBUTION_WEIBULL, {1, 0}, WHOLE}, "both positive"},
    {{"poisson < 0", DISTRIBUTION_POISSON, {-1}, WHOLE}, "[0, 1e9)"},
    {{"poisson, huge", DISTRIBUTION_POISSON, {1e9}, WHOLE}, "[0, 1e9)"},
    {{"uniform, overflow", DISTRIBUTION_UNIFORM, {-1e308, 1.7e308}, WHOLE},
     "beyond what can be computed"},
    {{"lognormal, overflow", DISTRIBUTION_LOGNORMAL, {1, 100}, WHOLE},
     "beyond what can be computed"},
    {{"lognormal, mean overflows", DISTRIBUTION_LOGNORMAL, {1, 40}, WHOLE},
     "beyond what can be computed"},
    {{"triangular, overflow", DISTRIBUTION_TRIANGULAR, {0, 1, 1e300}, WHOLE},
     "beyond what can be computed"},
    {{"gamma, overflow", DISTRIBUTION_GAMMA, {1e308, 10}, WHOLE}, "beyond what can be computed"},
    {{"weibull, overflow", DISTRIBUTION_WEIBULL, {0.001, 1}, WHOLE}, "beyond what can be computed"},
    {{"weibull, mean overflows", DISTRIBUTION_WEIBULL, {1 / 172.0, 1}, WHOLE},
     "beyond what can be computed"},
    {{"constant below", DISTRIBUTION_CONSTANT, {1}, 2, 3}, "100 % of the distribution"},
    {{"constant above", DISTRIBUTION_CONSTANT, {4}, 2, 3}, "100 % of the distribution"},
    {{"a quarter outside", DISTRIBUTION_UNIFORM, {0, 100}, 10, 85}, "25 % of the distribution"},
    {{"atoms outside", DISTRIBUTION_EMPIRICAL, {0}, 3, 100}, "30 % of the distribution"},
};

static void refused(void **state)
{
    const struct refusal *r = *state;
    struct distribution d = {.family = r->d.family,
                             .p = {r->d.p[0], r->d.p[1], r->d.p[2]},
                             .values = observed,
                             .value_count = COUNT(observed),
                             .low = r->d.low,
                             .high = r->d.high};
    char message[200] = "";
    double outside = -1;
    assert_false(distribution_prepare(&d, &outside, message, sizeof message));
    if (strstr(message, r->message) == NULL) {
        fail_msg("%s: \"%s\" does not say \"%s\"", r->d.name, message, r->message);
    }
    assert_true(strchr(r->message, '%') != NULL ? outside > 0.2 : outside == 0);
}

static void empirical_needs_values(void **state)
{
    (void)state;
    struct distribution d = {.family = DISTRIBUTION_EMPIRICAL, .low = 0, .high = 1};
    char message[100] = "";
    assert_false(distribution_prepare(&d, NULL, message, sizeof message));
    assert_string_equal(message, "there are no values");
    const double endless[] = {1, HUGE_VAL};
    d.values = endless;
    d.value_count = 2;
    assert_false(distribution_prepare(&d, NULL, message, sizeof message));
    assert_string_equal(message, "its values are not finite");
}

static double outside_of(const struct row *r)
{
    struct distribution d = {.family = r->family,
                             .p = {r->p[0], r->p[1], r->p[2]},
                             .values = observed,
                             .value_count = COUNT(observed),
                             .low = r->low,
                             .high = r->high};
    double outside = -1;
    char message[100];
    assert_true(distribution_prepare(&d, &outside, message, sizeof message));
    return outside;
}

static void the_share_outside_is_told(void **state)
{
    (void)state;
    const struct row fifth = {"", DISTRIBUTION_UNIFORM, {0, 100}, 10, 90};
    assert_near(outside_of(&fifth), 0.2, 1e-15, "exactly a fifth is legal");
    const struct row tail = {"", DISTRIBUTION_NORMAL, {0, 1}, -1, NO_LIMIT};
    assert_relative(outside_of(&tail), 0.15865525393145705, 1e-14, "below one sd");
    /* Atoms on the ends are inside. */
    const struct row atoms = {"", DISTRIBUTION_EMPIRICAL, {0}, 2, 34};
    assert_near(outside_of(&atoms), 0.2, 1e-15, "one below, one above");
    const struct row counts = {"", DISTRIBUTION_POISSON, {4.5}, 2, 7};
    assert_relative(outside_of(&counts), 0.147685952607688709, 1e-12, "counts of 2 to 7");
    const struct row between = {"", DISTRIBUTION_POISSON, {4.5}, 1.5, 7.5};
    assert_relative(outside_of(&between), 0.147685952607688709, 1e-12, "the same counts");
}

/* ---- intervals ------------------------------------------------------------------------------ */

static void check_interval(double a, double b, bool share, enum distribution_family family)
{
    struct distribution d = distribution_from_interval(a, b, share);
    char message[100];
    assert_int_equal(d.family, family);
    assert_true(distribution_prepare(&d, NULL, message, sizeof message));
    assert_near(distribution_quantile(&d, 0.05), a, 1e-12 * fmax(fabs(a), fabs(b)), "P5");
    assert_near(distribution_quantile(&d, 0.95), b, 1e-12 * fmax(fabs(a), fabs(b)), "P95");
}

static void intervals_are_p5_and_p95(void **state)
{
    (void)state;
    check_interval(0.34, 0.46, true, DISTRIBUTION_LOGIT_NORMAL);
    check_interval(0.001, 0.999, true, DISTRIBUTION_LOGIT_NORMAL);
    check_interval(0.34, 0.46, false, DISTRIBUTION_LOGNORMAL);
    check_interval(0.34, 1.46, true, DISTRIBUTION_LOGNORMAL);
    check_interval(5, 9, false, DISTRIBUTION_LOGNORMAL);
    check_interval(1e-200, 1e-190, false, DISTRIBUTION_LOGNORMAL);
    check_interval(7, 7, false, DISTRIBUTION_LOGNORMAL);
    check_interval(0, 9, false, DISTRIBUTION_NORMAL);
    check_interval(-3, 9, true, DISTRIBUTION_NORMAL);
    check_interval(-9, -3, false, DISTRIBUTION_NORMAL);

    struct distribution d = distribution_lognormal(10, 30);
    char message[100];
    assert_true(distribution_prepare(&d, NULL, message, sizeof message));
    assert_relative(distribution_median(&d), 10, 1e-14, "P50");
    assert_relative(distribution_quantile(&d, 0.95), 30, 1e-13, "P95");

    d = distribution_from_interval(9, 5, false); /* the wrong way round */
    assert_false(distribution_prepare(&d, NULL, message, sizeof message));
}

static void every_family_has_a_name(void **state)
{
    (void)state;
    assert_string_equal(distribution_family_name(DISTRIBUTION_CONSTANT), "constant");
    assert_string_equal(distribution_family_name(DISTRIBUTION_LOGIT_NORMAL), "logitnormal");
    assert_string_equal(distribution_family_name(DISTRIBUTION_EMPIRICAL), "empirical");
}

#define ADD(table, test, name_of)                                                                  \
    for (size_t i = 0; i < COUNT(table); i++) {                                                    \
        tests[n++] =                                                                               \
            (struct CMUnitTest){(table)[i].name_of, test, NULL, NULL, (void *)&(table)[i]};        \
    }

int main(void)
{
    gsl_errors_install();
    struct CMUnitTest
        tests[COUNT(quantile_rows) + COUNT(mean_rows) + COUNT(families) + COUNT(refusals) + 5];
    size_t n = 0;
    ADD(quantile_rows, known_quantile, d.name)
    ADD(mean_rows, known_mean, d.name)
    ADD(families, laws, name)
    ADD(refusals, refused, d.name)
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(gamma_inverse_is_precise);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(empirical_needs_values);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(the_share_outside_is_told);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(intervals_are_p5_and_p95);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(every_family_has_a_name);
    return _cmocka_run_group_tests("distribution", tests, n, NULL, NULL);
}
