/* SPDX-License-Identifier: GPL-3.0-or-later
 * Choosing the best of several: that the intervals hold, that the set of the level ones holds the
 * best, and that a choice said to be sure is right, over 1,000 repetitions with fixed seeds. */
#include "engine/gsl_errors.h"
#include "engine/random.h"
#include "engine/selection.h"
#include "engine/statistics.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPETITIONS = DRAWS_OF(1000), MOST = 6, MOST_WORLDS = 500 };

/* One value from what all alternatives share in a world, and what is their own. */
enum shape { NORMAL, LOGNORMAL, HEAVY, STEPS, ALIKE };

static double value_of(enum shape shape, double shared, double own)
{
    switch (shape) {
    case NORMAL:
        return 100 + 10 * shared + 3 * own;
    case LOGNORMAL:
        return 100 * exp(0.5 * shared + 0.3 * own);
    case HEAVY: /* hardly correlated, sd = 1.8 times the mean */
        return 100 * exp(0.3 * shared + 1.1 * own);
    case STEPS:
        return floor(20 + 4 * shared + 2 * own);
    default: /* nearly the same in every world */
        return (10 + shared) * 10 * (1 + 0.02 * own);
    }
}

struct sample_of {
    size_t count, worlds;
    double column[MOST][MOST_WORLDS];
    const double *values[MOST];
};

/* worse[k] is added to every value of the k-th: a mean and all quantiles move by so much. */
static void draw(struct sample_of *s, enum shape shape, const double *worse, uint32_t repetition)
{
    struct random_stream stream;
    random_stream_init(&stream, (struct random_world){.seed = 11, .replication = repetition},
                       random_source("test/selection/%d", (int)shape));
    for (size_t i = 0; i < s->worlds; i++) {
        const double shared = random_normal(&stream);
        for (size_t k = 0; k < s->count; k++) {
            s->column[k][i] = value_of(shape, shared, random_normal(&stream)) + worse[k];
            s->values[k] = s->column[k];
        }
    }
}

static struct selection select_of(const struct sample_of *s, double p, double confidence)
{
    struct selection out;
    const struct selection_request q = {.count = s->count,
                                        .worlds = s->worlds,
                                        .values = s->values,
                                        .p = p,
                                        .confidence = confidence};
    assert_true(selection_make(&out, &q));
    return out;
}

/* At least `claimed`, but for 3 standard errors of a frequency. */
static void assert_as_often(size_t times, double claimed, const char *what)
{
    const double share = (double)times / REPETITIONS;
    const double error = sqrt(claimed * (1 - claimed) / REPETITIONS);
    if (share < claimed - 3 * error) {
        fail_msg("%s in %.1f %% of repetitions, where %.1f %% are claimed", what, 100 * share,
                 100 * claimed);
    }
}

/* ---- intervals and the set ---- */

struct covering {
    const char *name;
    enum shape shape;
    double p;
    size_t worlds;
};

static const struct covering coverings[] = {
    {"mean, normal", NORMAL, 0, 400},        {"mean, lognormal", LOGNORMAL, 0, 400},
    {"P80, lognormal", LOGNORMAL, 0.8, 400}, {"P90, heavy", HEAVY, 0.9, 400},
    {"P90, in steps", STEPS, 0.9, 400},
};

/* Four that are equally good: whichever looks best, every difference is 0, and any of them is the
 * best. This is the hardest case: the chosen one is chosen for its luck. */
static void differences_are_covered(void **state)
{
    const struct covering *c = *state;
    static struct sample_of s;
    const double worse[MOST] = {0};
    size_t covered = 0, held = 0;
    s.count = 4;
    s.worlds = c->worlds;
    for (uint32_t r = 0; r < REPETITIONS; r++) {
        draw(&s, c->shape, worse, r);
        struct selection x = select_of(&s, c->p, 0.95);
        bool all = true;
        for (size_t k = 0; k < s.count; k++) {
            all = all && x.one[k].low <= 0 && x.one[k].high >= 0;
        }
        covered += all;
        held += x.one[0].level;
        selection_release(&x);
    }
    assert_as_often(covered, 0.95, "all differences are covered");
    assert_as_often(held, 0.95, "the best is among the level ones");
}

/* One of them is better by little, and known to be: it is among the level ones, and the regret of
 * the choice is not above what is said. */
static void the_best_is_among_the_level_ones(void **state)
{
    (void)state;
    static struct sample_of s;
    const double worse[MOST] = {0.5, 0.3, 0, 0.3, 0.7, 2};
    static const double ps[] = {0, 0.8};
    s.count = 6;
    s.worlds = 200;
    for (size_t p = 0; p < 2; p++) {
        size_t held = 0, bounded = 0;
        for (uint32_t r = 0; r < REPETITIONS; r++) {
            draw(&s, NORMAL, worse, r);
            struct selection x = select_of(&s, ps[p], 0.9);
            held += x.one[2].level;
            bounded += worse[x.best] <= x.at_most;
            selection_release(&x);
        }
        assert_as_often(held, 0.9, "the best is among the level ones");
        assert_as_often(bounded, 0.9, "the choice costs no more than said");
    }
}

/* ---- the probability of a correct choice ---- */

struct deciding {
    const char *name;
    enum shape shape;
    double p, gap;
};

static const struct deciding decidings[] = {
    {"mean, normal", NORMAL, 0, 0.6},
    {"P80, lognormal", LOGNORMAL, 0.8, 25},
    {"P90, nearly alike", ALIKE, 0.9, 2.5},
};

/* The least favourable case: all others equally bad, by little. A choice said to be sure to s is
 * wrong in 1 - s of repetitions at most; and of all choices at least as many are right as were
 * promised on average. */
static void a_sure_choice_is_right(void **state)
{
    const struct deciding *c = *state;
    static struct sample_of s;
    static const double stated[] = {0.5, 0.8, 0.9, 0.95, 0.99};
    enum { STATED = sizeof stated / sizeof stated[0] };
    const double worse[MOST] = {c->gap, c->gap, 0, c->gap, c->gap};
    size_t not_wrong[STATED] = {0}, right = 0, decided = 0;
    double promised = 0;
    s.count = 5;
    s.worlds = 300;
    for (uint32_t r = 0; r < REPETITIONS; r++) {
        draw(&s, c->shape, worse, r);
        struct selection x = select_of(&s, c->p, 0.95);
        right += x.best == 2;
        promised += x.sure;
        for (size_t i = 0; i < STATED; i++) {
            not_wrong[i] += x.best == 2 || x.sure < stated[i];
        }
        bool alone = true;
        for (size_t k = 0; k < s.count; k++) {
            alone = alone && (k == x.best || !x.one[k].level);
        }
        decided += alone;
        /* Both say the same, but for the draws. */
        assert_true(alone ? x.sure >= 0.945 : x.sure <= 0.955);
        selection_release(&x);
    }
    for (size_t i = 0; i < STATED; i++) {
        assert_as_often(not_wrong[i], stated[i], "no choice that was stated to be sure is wrong");
    }
    assert_true((double)right >= promised);
    /* The case is neither hopeless nor trivial. */
    assert_true(decided > REPETITIONS / 20 && decided < REPETITIONS * 19 / 20);
}

/* ---- single cases ---- */

/* Of two the interval is Student's paired one. */
static void of_two_it_is_the_paired_interval(void **state)
{
    (void)state;
    static struct sample_of s;
    const double worse[MOST] = {0, 1};
    s.count = 2;
    s.worlds = 60;
    draw(&s, NORMAL, worse, 3);
    struct selection x = select_of(&s, 0, 0.95);
    const size_t b = x.best, other = 1 - b;
    const struct paired p = paired_difference(s.column[other], NULL, s.column[b], NULL, s.worlds);
    assert_near(x.one[other].difference, p.mean, 1e-9, "difference");
    assert_relative(x.one[other].high - x.one[other].difference, p.high - p.mean, 1e-9, "half");
    assert_near(x.at_most, -x.one[other].low, 1e-9, "regret");
    selection_release(&x);
}

static void the_same_and_what_is_certain(void **state)
{
    (void)state;
    static struct sample_of s;
    static const double ps[] = {0, 0.5, 0.9};
    const double worse[MOST] = {0};
    s.count = 3;
    s.worlds = 300;
    for (size_t p = 0; p < 3; p++) {
        draw(&s, LOGNORMAL, worse, 5);
        for (size_t i = 0; i < s.worlds; i++) {
            s.column[1][i] = s.column[0][i];
            s.column[2][i] = s.column[0][i] + 7;
        }
        struct selection x = select_of(&s, ps[p], 0.95);
        assert_int_equal(x.best, 0);
        assert_int_equal(x.second, 1);
        assert_true(x.one[0].level && x.one[1].level && !x.one[2].level);
        assert_near(x.one[1].difference, 0, 0, "the same");
        assert_near(x.one[2].low, 7, 1e-6, "low");
        assert_near(x.one[2].high, 7, 1e-6, "high");
        assert_near(x.sure, 0, 0, "sure");
        assert_true(isinf(x.worlds_needed));
        selection_release(&x);
        /* Without its twin the choice is certain. */
        s.values[1] = s.column[2];
        s.count = 2;
        x = select_of(&s, ps[p], 0.95);
        assert_near(x.sure, 1, 0, "sure");
        assert_near(x.at_most, 0, 0, "regret");
        selection_release(&x);
        s.count = 3;
    }
}

/* What lies above any number leaves a quantile known, but not how well. */
static void what_passes_any_number(void **state)
{
    (void)state;
    static struct sample_of s;
    const double worse[MOST] = {0, 1000};
    s.count = 2;
    s.worlds = 400;
    draw(&s, NORMAL, worse, 8);
    for (size_t i = 0; i < 30; i++) {
        s.column[0][i] = HUGE_VAL; /* 7.5 % */
    }
    struct selection x = select_of(&s, 0.5, 0.95); /* far from them: as good as before */
    assert_int_equal(x.best, 0);
    assert_false(x.one[1].level);
    assert_true(isfinite(x.one[1].high));
    selection_release(&x);
    x = select_of(&s, 0.91, 0.95); /* they may reach into it */
    assert_int_equal(x.best, 0);
    assert_true(x.one[1].level);
    assert_true(isinf(x.one[1].high) && isinf(x.one[1].low));
    assert_near(x.sure, 0, 0, "sure");
    selection_release(&x);
}

static void one_alone_and_one_world(void **state)
{
    (void)state;
    static struct sample_of s;
    const double worse[MOST] = {0, 1000};
    s.count = 1;
    s.worlds = 100;
    draw(&s, NORMAL, worse, 1);
    struct selection x = select_of(&s, 0.9, 0.95);
    assert_int_equal(x.best, 0);
    assert_int_equal(x.second, 0);
    assert_true(x.one[0].level);
    assert_near(x.sure, 1, 0, "sure");
    selection_release(&x);
    s.count = 2;
    s.worlds = 1;
    draw(&s, NORMAL, worse, 1);
    for (int p = 0; p < 2; p++) {
        x = select_of(&s, p * 0.5, 0.95);
        assert_int_equal(x.best, 0);
        assert_true(x.one[1].level && isinf(x.one[1].high));
        assert_near(x.sure, 0, 0, "sure");
        selection_release(&x);
    }
}

/* P80 of four worlds is the dearest of them: all values lie at or below it, which is no proof that
 * it is certain. */
static void the_extreme_of_few_worlds(void **state)
{
    (void)state;
    static struct sample_of s;
    static const struct {
        size_t worlds;
        double p;
    } cases[] = {{4, 0.8}, {9, 0.9}, {60, 0.99}, {8, 0.1}};
    const double worse[MOST] = {0, 1000};
    s.count = 2;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        s.worlds = cases[i].worlds;
        draw(&s, NORMAL, worse, 3);
        struct selection x = select_of(&s, cases[i].p, 0.95);
        assert_int_equal(x.best, 0);
        assert_true(x.one[1].level && isinf(x.one[1].high) && isinf(x.one[1].low));
        assert_near(x.sure, 0, 0, "sure");
        selection_release(&x);
        /* Enough worlds on the other side of it, and something is. */
        s.worlds = cases[i].p > 0.5 ? 2 * cases[i].worlds + 4 : 20;
        draw(&s, NORMAL, worse, 3);
        x = select_of(&s, cases[i].p, 0.95);
        assert_true(isfinite(x.one[1].high));
        selection_release(&x);
        /* What is the same in every world is certain, however few there are. */
        s.worlds = cases[i].worlds;
        for (size_t k = 0; k < s.worlds; k++) {
            s.column[0][k] = 1;
            s.column[1][k] = 2;
        }
        x = select_of(&s, cases[i].p, 0.95);
        assert_false(x.one[1].level);
        assert_near(x.one[1].low, 1, 1e-9, "low");
        selection_release(&x);
    }
}

/* So many that nothing is drawn: Bonferroni's critical value. */
static void of_very_many_bonferroni(void **state)
{
    (void)state;
    enum { MANY = 150, WORLDS = 100 };
    double *column = malloc(MANY * WORLDS * sizeof *column);
    const double *values[MANY];
    struct random_stream stream;
    random_stream_init(&stream, (struct random_world){.seed = 1}, random_source("test/many"));
    for (size_t k = 0; k < MANY; k++) {
        values[k] = column + k * WORLDS;
        for (size_t i = 0; i < WORLDS; i++) {
            column[k * WORLDS + i] = random_normal(&stream) + (k == 77 ? 0 : 2);
        }
    }
    struct selection x;
    const struct selection_request q = {
        .count = MANY, .worlds = WORLDS, .values = values, .confidence = 0.95};
    assert_true(selection_make(&x, &q));
    assert_int_equal(x.best, 77);
    const struct paired p = paired_difference(values[x.second], NULL, values[77], NULL, WORLDS);
    /* t of 99 degrees at 1 - 0.025 / 11,175 over that at 0.975: 4.8564 / 1.9842. */
    assert_relative((x.one[x.second].high - p.mean) / (p.high - p.mean), 4.8564 / 1.9842, 0.01,
                    "critical value");
    for (size_t k = 0; k < MANY; k++) {
        assert_true(x.one[k].level == (k == 77));
    }
    assert_true(x.sure > 0.95 && x.sure <= 1);
    selection_release(&x);
    free(column);
}

int main(void)
{
    gsl_errors_install();
    enum {
        COVERINGS = sizeof coverings / sizeof coverings[0],
        DECIDINGS = sizeof decidings / sizeof decidings[0],
        OTHERS = 7
    };
    struct CMUnitTest tests[COVERINGS + DECIDINGS + OTHERS] = {
        cmocka_unit_test(the_best_is_among_the_level_ones),
        cmocka_unit_test(of_two_it_is_the_paired_interval),
        cmocka_unit_test(the_same_and_what_is_certain),
        cmocka_unit_test(what_passes_any_number),
        cmocka_unit_test(one_alone_and_one_world),
        cmocka_unit_test(the_extreme_of_few_worlds),
        cmocka_unit_test(of_very_many_bonferroni),
    };
    size_t n = OTHERS;
    for (size_t i = 0; i < COVERINGS; i++) {
        tests[n++] = (struct CMUnitTest){.name = coverings[i].name,
                                         .test_func = differences_are_covered,
                                         .initial_state = (void *)(uintptr_t)&coverings[i]};
    }
    for (size_t i = 0; i < DECIDINGS; i++) {
        tests[n++] = (struct CMUnitTest){.name = decidings[i].name,
                                         .test_func = a_sure_choice_is_right,
                                         .initial_state = (void *)(uintptr_t)&decidings[i]};
    }
    return _cmocka_run_group_tests("selection", tests, n, NULL, NULL);
}
