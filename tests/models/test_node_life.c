/* SPDX-License-Identifier: GPL-3.0-or-later
 * Lives of single spot nodes: the bathtub against its survival function, the hazard, mixtures, and
 * keys that do not fit. */
#include "models/market/node_life.h"

#include "tests/support/testing.h"

#include "engine/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define HOUR 3600.0

enum { LIVES = 20000 };

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void draw(const struct spot_spec *s, double *lives)
{
    struct life_law l;
    assert_true(life_law_make(&l, s, NULL));
    assert_true(life_law_ends(&l));
    for (uint32_t i = 0; i < LIVES; i++) {
        lives[i] = life_law_s(&l, random_uniform_at((struct random_world){11, 3}, 42, i));
    }
    qsort(lives, LIVES, sizeof *lives, by_value);
}

/* Share of lives < t, from the text of the model: early deaths by Weibull, the others at the cap.
 */
static double bathtub_below(double t_s)
{
    return t_s > 24 * HOUR ? 1 : 0.425 * (1 - exp(-pow(t_s / (5.3 * HOUR), 0.58)));
}

/* Largest distance of the empirical distribution from F, the atom at the cap included: both sides
 * of every value. Kolmogorov's 1 % point is 1.63/sqrt(n). */
static double distance(const double *lives, double (*below)(double))
{
    double most = 0;
    for (size_t i = 0; i < LIVES;) {
        size_t j = i;
        while (j < LIVES && lives[j] == lives[i]) {
            j++;
        }
        most = fmax(most, fabs((double)i / LIVES - below(lives[i])));
        most = fmax(most, fabs((double)j / LIVES - below(nextafter(lives[i], HUGE_VAL))));
        i = j;
    }
    return most;
}

static void the_bathtub_has_its_survival(void **state)
{
    (void)state;
    static double lives[LIVES];
    struct spot_spec s = spot_spec_default();
    s.lifetimes = LIFETIMES_BATHTUB;
    draw(&s, lives);
    assert_true(distance(lives, bathtub_below) < 1.63 / sqrt(LIVES));
    assert_true(lives[LIVES - 1] == 24 * HOUR);
    /* The share that reaches the cap: 1 - 0.425 (1 - exp(-(24/5.3)^0.58)) = 0.6129. */
    size_t capped = 0;
    for (size_t i = 0; i < LIVES; i++) {
        capped += lives[i] == 24 * HOUR;
    }
    double share = 1 - 0.425 * (1 - exp(-pow(24 / 5.3, 0.58)));
    assert_near((double)capped / LIVES, share, 4 * sqrt(share * (1 - share) / LIVES), "capped");
}

static double weibull_below(double t_s)
{
    return 1 - exp(-pow(t_s / (14 * HOUR), 0.7));
}

static void a_stated_law_is_followed(void **state)
{
    (void)state;
    static double lives[LIVES];
    struct spot_spec s = spot_spec_default();
    s.lifetime = variate_constant(0);
    s.lifetime.family = DISTRIBUTION_WEIBULL;
    s.lifetime.p[0] = NUMBER_CERTAIN(0.7);
    s.lifetime.p[1] = NUMBER_CERTAIN(14 * HOUR);
    s.lifetime.given = true;
    draw(&s, lives);
    assert_true(distance(lives, weibull_below) < 1.63 / sqrt(LIVES));
    struct life_law l;
    assert_true(life_law_make(&l, &s, NULL));
    /* Mean scale x Gamma(1 + 1/shape). */
    assert_relative(life_law_rate(&l), 1 / (14 * HOUR * tgamma(1 + 1 / 0.7)), 0.01, "rate");
}

static double exponential_below(double t_s)
{
    return 1 - exp(-0.2 / HOUR * t_s);
}

static void a_hazard_stays_what_it_was(void **state)
{
    (void)state;
    static double lives[LIVES];
    struct spot_spec s = spot_spec_default();
    struct life_law l;
    assert_true(life_law_make(&l, &s, NULL));
    assert_false(life_law_ends(&l));
    assert_true(isinf(life_law_s(&l, 0.5)) && life_law_rate(&l) == 0);
    s.interruptions = NUMBER_CERTAIN(0.2 / HOUR);
    s.interruptions.given = true;
    assert_true(life_law_make(&l, &s, NULL));
    assert_true(life_law_s(&l, 0.3) == -log(0.3) / (0.2 / HOUR));
    assert_near(life_law_rate(&l), 0.2 / HOUR, 0, "rate");
    draw(&s, lives);
    assert_true(distance(lives, exponential_below) < 1.63 / sqrt(LIVES));
}

static void a_cap_alone_ends_all(void **state)
{
    (void)state;
    struct spot_spec s = spot_spec_default();
    struct life_law l;
    s.lifetime_cap = NUMBER_CERTAIN(5 * HOUR);
    s.lifetime_cap.given = true;
    assert_true(life_law_make(&l, &s, NULL));
    assert_true(life_law_s(&l, 1e-9) == 5 * HOUR && life_law_s(&l, 1 - 1e-9) == 5 * HOUR);
    assert_relative(life_law_rate(&l), 1 / (5 * HOUR), 1e-12, "rate");
}

static void keys_must_fit(void **state)
{
    (void)state;
    struct spot_spec s = spot_spec_default();
    s.item = (struct schema_item){"p3.2xlarge", {"plan.yaml", 1, 1}};
    s.early_share = NUMBER_CERTAIN(0.5);
    s.early_share.given = true;
    struct diagnostics *d = diagnostics_new();
    assert_false(node_life_check(&s, d)); /* early by which law? */
    s.lifetime.given = true;
    assert_false(node_life_check(&s, d)); /* and the others? */
    s.lifetime_cap = NUMBER_CERTAIN(HOUR);
    s.lifetime_cap.given = true;
    assert_true(node_life_check(&s, d));
    s.interruptions = NUMBER_CERTAIN(1e-4);
    s.interruptions.given = true;
    s.interruptions.word = -1;
    assert_false(node_life_check(&s, d));
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_ERROR), 3);
    diagnostics_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bathtub_has_its_survival),
        cmocka_unit_test(a_stated_law_is_followed),
        cmocka_unit_test(a_hazard_stays_what_it_was),
        cmocka_unit_test(a_cap_alone_ends_all),
        cmocka_unit_test(keys_must_fit),
    };
    return cmocka_run_group_tests_name("node_life", tests, NULL, NULL);
}
