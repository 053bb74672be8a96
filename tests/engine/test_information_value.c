/* SPDX-License-Identifier: GPL-3.0-or-later
 * The value of information where it is known in closed form: the loss of one option is a constant,
 * that of the other linear in a normal input, with noise that nobody knows. With the mean
 * difference m and its standard deviation s given what is known, the value is
 * s phi(m / s) + m Phi(m / s) - max(0, m): the unit loss integral (Raiffa and Schlaifer 1961). */
#include "engine/information_value.h"

#include "engine/gsl_errors.h"
#include "engine/random.h"
#include "tests/support/testing.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

enum { WORLDS = 4000 };

struct worlds {
    double fixed[WORLDS], linear[WORLDS], known[WORLDS], unrelated[WORLDS];
};

static double closed_form(double m, double s)
{
    return s * gsl_ran_ugaussian_pdf(m / s) + m * gsl_cdf_ugaussian_P(m / s) - fmax(0.0, m);
}

/* Losses 100 and 100 - m - slope x + noise. */
static void make(struct worlds *w, double m, double slope, double noise, uint64_t seed)
{
    struct random_stream s;
    random_stream_init(&s, (struct random_world){seed, 0}, random_source("worlds"));
    for (size_t i = 0; i < WORLDS; i++) {
        w->known[i] = random_normal(&s);
        w->unrelated[i] = random_normal(&s);
        w->fixed[i] = 100;
        w->linear[i] = 100 - m - slope * w->known[i] + noise * random_normal(&s);
    }
}

/* 4 standard errors: the interval is 1.96 on each side. */
static void assert_value(struct information_value v, double want, double bias, const char *what)
{
    assert_true(v.low <= v.value && v.value <= v.high);
    assert_near(v.value, want, 4 * (v.high - v.low) / 3.92 + bias, what);
}

static void linear_in_a_normal_input(void **state)
{
    (void)state;
    static const double means[] = {-1.5, -0.5, 0, 0.8};
    static struct worlds w;
    for (size_t k = 0; k < 4; k++) {
        make(&w, means[k], 2, 3, k);
        const double *losses[] = {w.fixed, w.linear};
        const struct information_losses l = {losses, 2, WORLDS};
        assert_int_equal(information_best(&l), means[k] > 0);
        struct information_value one = information_value_of(&l, w.known);
        assert_value(one, closed_form(means[k], 2), 0, "one input");
        assert_true(one.low > 0);
        struct information_value all = information_value_of_all(&l);
        assert_value(all, closed_form(means[k], sqrt(4 + 9)), 0, "all");
        assert_true(all.value > one.value);
    }
}

/* A monotone transform of the input tells the same. */
static void any_scale(void **state)
{
    (void)state;
    static struct worlds w;
    static double grown[WORLDS];
    make(&w, 0, 2, 1, 3);
    for (size_t i = 0; i < WORLDS; i++) {
        grown[i] = exp(3 * w.known[i]);
    }
    const double *losses[] = {w.fixed, w.linear};
    const struct information_losses l = {losses, 2, WORLDS};
    assert_near(information_value_of(&l, grown).value, information_value_of(&l, w.known).value,
                1e-12, "value");
}

/* Two options as good as each other, and an input that has nothing to do with them: what a plain
 * estimator finds by chance is not there. */
static void nothing_from_nothing(void **state)
{
    (void)state;
    static struct worlds w;
    size_t claimed = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        make(&w, 0, 2, 3, 100 + seed);
        const double *losses[] = {w.fixed, w.linear};
        const struct information_losses l = {losses, 2, WORLDS};
        struct information_value v = information_value_of(&l, w.unrelated);
        assert_value(v, 0, 0, "unrelated");
        claimed += v.low > 0;
    }
    assert_true(claimed <= 4); /* of 40, each with at most 2.5 %: P(more than 4) < 0.3 % */
}

/* An input of two values, three options: with x = 0 the first is best, by 2, with x = 1 the third,
 * by 4; the second is never. Without knowledge the third: the gain is half of 2. */
static void two_values(void **state)
{
    (void)state;
    static double x[1000], a[1000], b[1000], c[1000];
    for (size_t i = 0; i < 1000; i++) {
        x[i] = (double)(i / 3 % 2);
        a[i] = 10;
        b[i] = 11;
        c[i] = x[i] > 0 ? 6 : 12;
    }
    const double *losses[] = {a, b, c};
    const struct information_losses l = {losses, 3, 1000};
    double ones = 0;
    for (size_t i = 0; i < 1000; i++) {
        ones += x[i];
    }
    assert_int_equal(information_best(&l), 2);
    assert_near(information_value_of(&l, x).value, 2 * (1000 - ones) / 1000, 1e-9, "value");
    assert_near(information_value_of_all(&l).value, 2 * (1000 - ones) / 1000, 1e-9, "all");
}

static void too_little(void **state)
{
    (void)state;
    const double loss[INFORMATION_MIN_WORLDS] = {0};
    const double *losses[] = {loss, loss};
    struct information_losses l = {losses, 2, INFORMATION_MIN_WORLDS - 1};
    assert_true(isnan(information_value_of(&l, loss).value));
    assert_true(isnan(information_value_of_all(&l).low));
    l.n++;
    assert_true(information_value_of(&l, loss).value == 0);
    l.options = 1;
    assert_true(information_value_of_all(&l).value == 0);
    assert_true(information_value_of(&l, loss).high == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_in_a_normal_input),
        cmocka_unit_test(any_scale),
        cmocka_unit_test(nothing_from_nothing),
        cmocka_unit_test(two_values),
        cmocka_unit_test(too_little),
    };
    gsl_errors_install();
    return cmocka_run_group_tests_name("information_value", tests, NULL, NULL);
}
