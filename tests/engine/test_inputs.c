/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/gsl_errors.h"
#include "engine/inputs.h"
#include "tests/support/testing.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct distribution uniform(double a, double b)
{
    struct distribution d = {
        .family = DISTRIBUTION_UNIFORM, .p = {a, b}, .low = -HUGE_VAL, .high = HUGE_VAL};
    char message[200];

    assert_true(distribution_prepare(&d, NULL, message, sizeof(message)));
    return d;
}

static struct inputs *with(struct arena *a, const char *const *names)
{
    struct inputs *in = inputs_new(a);
    struct distribution d = uniform(0, 1);

    for (int i = 0; names[i] != NULL; i++)
        assert_int_equal(inputs_add(in, names[i], "s", &d), i);
    return in;
}

static void prepare(struct inputs *in)
{
    char message[300] = "";

    if (!inputs_prepare(in, message, sizeof(message)))
        fail_msg("%s", message);
}

static void inputs_are_found_by_name(void **state)
{
    static const char *const names[] = {"a", "b.c", NULL};
    struct arena *a = arena_new(0);
    struct inputs *in = with(a, names);
    struct distribution d = uniform(3, 5);
    char name[] = "boot";

    (void)state;
    assert_int_equal(inputs_add(in, name, "s", &d), 2);
    name[0] = 'x'; /* was copied */
    assert_int_equal(inputs_find(in, "boot"), 2);
    assert_int_equal(inputs_find(in, "b.c"), 1);
    assert_int_equal(inputs_find(in, "c"), -1);
    assert_int_equal(inputs_add(in, "boot", "h", &d), -1); /* taken */
    assert_int_equal(inputs_count(in), 3);
    assert_string_equal(inputs_at(in, 2)->unit, "s");
    assert_near(inputs_at(in, 2)->distribution.p[1], 5, 0, "its distribution");
    assert_true(inputs_at(in, 2)->source == random_source("input/%s", "boot"));
    arena_free(a);
}

static void number_of_inputs_is_limited(void **state)
{
    struct arena *a = arena_new(0), *small = arena_new(4000);
    struct inputs *in = inputs_new(a);
    struct distribution d = uniform(0, 1);
    char name[16];

    (void)state;
    for (int i = 0; i < INPUTS_MAX; i++) {
        snprintf(name, sizeof(name), "i%d", i);
        assert_int_equal(inputs_add(in, name, "", &d), i);
    }
    assert_int_equal(inputs_add(in, "one more", "", &d), -1);
    assert_null(inputs_new(small) == NULL ? NULL : arena_alloc(small, 4000));
    arena_free(a);
    arena_free(small);
}

/* DESIGN invariant 2: what is drawn depends on seed, replication and name alone. */
static void a_draw_does_not_depend_on_other_inputs(void **state)
{
    static const char *const few[] = {"a", "b", NULL};
    static const char *const many[] = {"x", "b", "y", "z", "a", NULL};
    struct arena *arena = arena_new(0);
    struct inputs *first = with(arena, few), *second = with(arena, many);
    double u[2], v[5];

    (void)state;
    assert_true(inputs_correlate(second, 0, 2, 0.9)); /* x and y, neither a nor b */
    prepare(first);
    prepare(second);
    for (uint32_t k = 0; k < 100; k++) {
        struct random_world w = {.seed = 7, .replication = k};
        inputs_draw(first, w, u);
        inputs_draw(second, w, v);
        assert_true(u[0] == v[4] && u[1] == v[1]);
        assert_true(u[0] == random_uniform_at(w, random_source("input/%s", "a"), 0));
        assert_true(u[0] != u[1] && v[3] != v[4]);
    }
    arena_free(arena);
}

static void a_later_tie_leaves_earlier_draws_alone(void **state)
{
    static const char *const names[] = {"a", "b", "c", "d", NULL};
    struct arena *arena = arena_new(0);
    struct inputs *first = with(arena, names), *second = with(arena, names);
    double u[4], v[4];

    (void)state;
    assert_true(inputs_correlate(first, 0, 1, 0.6));
    assert_true(inputs_correlate(second, 0, 1, 0.6));
    assert_true(inputs_correlate(second, 1, 3, 0.5));
    prepare(first);
    prepare(second);
    for (uint32_t k = 0; k < 100; k++) {
        struct random_world w = {.seed = 7, .replication = k};
        inputs_draw(first, w, u);
        inputs_draw(second, w, v);
        assert_true(u[0] == v[0] && u[1] == v[1] && u[2] == v[2] && u[3] != v[3]);
        /* the first of a tie keeps its own uniform */
        assert_true(u[0] == random_uniform_at(w, random_source("input/%s", "a"), 0));
    }
    arena_free(arena);
}

/* The correlation of the normal scores is rho; that of the uniforms is 6/pi asin(rho/2) (Nelsen
 * 2006, exercise 5.13 and Kruskal 1958: Spearman's rho of the normal copula). */
static void scores_have_the_stated_correlation(void **state)
{
    static const char *const names[] = {"a", "b", "c", "d", NULL};
    static const double rho[4][4] = {
        {1, 0.6, -0.3, 0}, {0.6, 1, 0.2, 0}, {-0.3, 0.2, 1, 0}, {0, 0, 0, 1}};
    enum { WORLDS = 40000 };
    struct arena *arena = arena_new(0);
    struct inputs *in = with(arena, names);
    double values[4], z[4], sum[4] = {0}, product[4][4] = {{0}}, ranks = 0;
    const double tolerance = 4.5 / sqrt(WORLDS);

    (void)state;
    assert_true(inputs_correlate(in, 1, 0, 0.6));
    assert_true(inputs_correlate(in, 0, 2, -0.3));
    assert_true(inputs_correlate(in, 1, 2, 0.2));
    prepare(in);
    for (uint32_t k = 0; k < WORLDS; k++) {
        inputs_draw(in, (struct random_world){.seed = 1, .replication = k}, values);
        ranks += (values[0] - 0.5) * (values[1] - 0.5);
        for (int i = 0; i < 4; i++) {
            assert_true(values[i] > 0 && values[i] < 1);
            z[i] = gsl_cdf_ugaussian_Pinv(values[i]);
            sum[i] += z[i];
        }
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                product[i][j] += z[i] * z[j];
    }
    for (int i = 0; i < 4; i++) {
        assert_near(sum[i] / WORLDS, 0, tolerance, "mean score");
        for (int j = 0; j < 4; j++)
            assert_near(product[i][j] / WORLDS, rho[i][j], tolerance * (i == j ? 1.5 : 1.2),
                        "correlation");
    }
    assert_near(12 * ranks / WORLDS, 6 / M_PI * asin(0.3), tolerance * 1.2, "rank correlation");
    arena_free(arena);
}

static void full_correlation_is_legal(void **state)
{
    static const char *const names[] = {"a", "b", "c", NULL};
    struct arena *arena = arena_new(0);
    struct inputs *in = with(arena, names);
    double v[3];

    (void)state;
    assert_true(inputs_correlate(in, 0, 1, 1));
    assert_true(inputs_correlate(in, 1, 2, -1));
    assert_true(inputs_correlate(in, 0, 2, -1));
    prepare(in);
    for (uint32_t k = 0; k < 1000; k++) {
        inputs_draw(in, (struct random_world){.seed = 3, .replication = k}, v);
        assert_near(v[1], v[0], 1e-5, "the same luck");
        assert_near(v[2], 1 - v[0], 1e-5, "the opposite luck");
    }
    arena_free(arena);
}

static void impossible_correlations_are_refused(void **state)
{
    static const char *const names[] = {"a", "b", "c", "d", NULL};
    struct arena *arena = arena_new(0);
    struct inputs *in = with(arena, names);
    char message[300];

    (void)state;
    assert_true(inputs_correlate(in, 3, 0, 0.1));
    assert_true(inputs_correlate(in, 0, 1, 0.9));
    assert_true(inputs_correlate(in, 1, 2, 0.9)); /* a and c then at least 0.62, but 0 is stated */
    assert_false(inputs_prepare(in, message, sizeof(message)));
    assert_string_equal(
        message, "the stated correlations cannot all hold together once 'c' is among them (a "
                 "pair that is not stated counts as 0)");
    assert_true(inputs_correlate(in, 0, 2, 0.8));
    prepare(in);
    arena_free(arena);
}

static void wrong_ties_are_refused(void **state)
{
    static const char *const names[] = {"a", "b", NULL};
    struct arena *arena = arena_new(0);
    struct inputs *in = with(arena, names);

    (void)state;
    assert_false(inputs_correlate(in, 0, 0, 0.5));
    assert_false(inputs_correlate(in, 0, 2, 0.5));
    assert_false(inputs_correlate(in, -1, 1, 0.5));
    assert_false(inputs_correlate(in, 0, 1, 1.01));
    assert_false(inputs_correlate(in, 0, 1, (double)NAN));
    assert_true(inputs_correlate(in, 0, 1, 0.5));
    assert_false(inputs_correlate(in, 1, 0, 0.4)); /* tied already */
    prepare(in);
    arena_free(arena);
}

static void number_of_tied_inputs_is_limited(void **state)
{
    struct arena *arena = arena_new(0);
    struct inputs *in = inputs_new(arena);
    struct distribution d = uniform(0, 1);
    double values[INPUTS_MAX_CORRELATED + 2];
    char name[16];

    (void)state;
    for (int i = 0; i < INPUTS_MAX_CORRELATED + 2; i++) {
        snprintf(name, sizeof(name), "i%d", i);
        inputs_add(in, name, "", &d);
    }
    for (int i = 0; i + 1 < INPUTS_MAX_CORRELATED; i += 2)
        assert_true(inputs_correlate(in, i, i + 1, 0.5));
    assert_false(inputs_correlate(in, 0, INPUTS_MAX_CORRELATED, 0.5));
    assert_true(inputs_correlate(in, 0, 2, 0.5));
    prepare(in);
    inputs_draw(in, (struct random_world){.seed = 1}, values);
    arena_free(arena);
}

static void nothing_to_draw_is_legal(void **state)
{
    struct arena *arena = arena_new(0);
    struct inputs *in = inputs_new(arena);
    double value = 42;

    (void)state;
    prepare(in);
    inputs_draw(in, (struct random_world){.seed = 1}, &value);
    assert_near(value, 42, 0, "untouched");
    arena_free(arena);
}

/* ---- numbers and variates ---------------------------------------------------------------------
 */

static void planning_sees_medians(void **state)
{
    struct number certain = NUMBER_CERTAIN(5), uncertain = {.median = 5, .input = 1, .word = -1};
    const double drawn[] = {7, 8};

    (void)state;
    assert_near(number_value(&certain, drawn), 5, 0, "certain");
    assert_near(number_value(&uncertain, drawn), 8, 0, "drawn");
    assert_near(number_value(&uncertain, NULL), 5, 0, "planned");
}

static struct variate variate_of(enum distribution_family f, double p0, double p1, double p2)
{
    struct variate v = variate_constant(p0);

    v.family = f;
    v.p[1] = NUMBER_CERTAIN(p1);
    v.p[2] = NUMBER_CERTAIN(p2);
    return v;
}

static void a_variate_takes_the_drawn_parameters(void **state)
{
    struct variate v = variate_of(DISTRIBUTION_UNIFORM, 2, 4, 0);
    struct distribution d;
    const double drawn[] = {3, 10};

    (void)state;
    v.p[1] = (struct number){.median = 4, .input = 1, .word = -1};
    assert_near(variate_planned_mean(&v), 3, 1e-9, "planned mean");
    assert_true(variate_resolve(&v, drawn, &d));
    assert_near(distribution_quantile(&d, 0.5), 6, 1e-9, "median of 2..10");
    v = variate_constant(7);
    assert_near(variate_planned_mean(&v), 7, 0, "constant");
    assert_true(variate_resolve(&v, drawn, &d));
    assert_near(distribution_quantile(&d, 0.01), 7, 0, "constant");
}

static void ends_that_cross_are_taken_in_their_order(void **state)
{
    struct variate v = variate_of(DISTRIBUTION_UNIFORM, 10, 4, 0);
    struct distribution d;

    (void)state;
    assert_true(variate_resolve(&v, NULL, &d));
    assert_near(d.p[0], 4, 0, "low");
    assert_near(d.p[1], 10, 0, "high");
    v = variate_of(DISTRIBUTION_TRIANGULAR, 3, 2, 1);
    assert_true(variate_resolve(&v, NULL, &d));
    assert_near(d.p[0], 1, 0, "low");
    assert_near(d.p[1], 2, 0, "mode");
    assert_near(d.p[2], 3, 0, "high");
    v = variate_of(DISTRIBUTION_TRIANGULAR, 2, 3, 1);
    assert_true(variate_resolve(&v, NULL, &d));
    assert_near(d.p[0] + 10 * d.p[1] + 100 * d.p[2], 321, 0, "1, 2, 3");
}

static void p95_becomes_the_sd_of_the_log(void **state)
{
    struct variate v = variate_of(DISTRIBUTION_LOGNORMAL, 100, 400, 0);
    struct distribution d;

    (void)state;
    v.p1_is_p95 = true;
    assert_true(variate_resolve(&v, NULL, &d));
    assert_relative(distribution_quantile(&d, 0.5), 100, 1e-9, "P50");
    assert_relative(distribution_quantile(&d, 0.95), 400, 1e-9, "P95");
    v.p[0] = NUMBER_CERTAIN(0);
    assert_false(variate_resolve(&v, NULL, &d)); /* impossible */
}

/* In a single world more than 20 % may lie outside: it is cut, the run does not end. */
static void a_world_may_lie_outside(void **state)
{
    struct variate v = variate_of(DISTRIBUTION_NORMAL, 5, 10, 0);
    struct distribution d;

    (void)state;
    v.low = 0; /* 31 % below */
    assert_true(variate_resolve(&v, NULL, &d));
    for (int i = 1; i < 100; i++)
        assert_true(distribution_quantile(&d, i / 100.0) >= 0);
    /* median of the part above zero: Phi^-1((1 + Phi(-0.5)) / 2) = 0.397 sd above the mean */
    assert_near(distribution_quantile(&d, 0.5),
                5 + 10 * gsl_cdf_ugaussian_Pinv((1 + gsl_cdf_ugaussian_P(-0.5)) / 2), 1e-6,
                "median of the rest");
    v = variate_constant(-3);
    v.low = 0;
    assert_true(variate_resolve(&v, NULL, &d));
    assert_near(distribution_quantile(&d, 0.5), 0, 0, "a constant is brought to the bound");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_are_found_by_name),
        cmocka_unit_test(number_of_inputs_is_limited),
        cmocka_unit_test(a_draw_does_not_depend_on_other_inputs),
        cmocka_unit_test(a_later_tie_leaves_earlier_draws_alone),
        cmocka_unit_test(scores_have_the_stated_correlation),
        cmocka_unit_test(full_correlation_is_legal),
        cmocka_unit_test(impossible_correlations_are_refused),
        cmocka_unit_test(wrong_ties_are_refused),
        cmocka_unit_test(number_of_tied_inputs_is_limited),
        cmocka_unit_test(nothing_to_draw_is_legal),
        cmocka_unit_test(planning_sees_medians),
        cmocka_unit_test(a_variate_takes_the_drawn_parameters),
        cmocka_unit_test(ends_that_cross_are_taken_in_their_order),
        cmocka_unit_test(p95_becomes_the_sd_of_the_log),
        cmocka_unit_test(a_world_may_lie_outside),
    };
    gsl_errors_install();
    return cmocka_run_group_tests_name("inputs", tests, NULL, NULL);
}
