/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a pool's keys mean: the process they choose, what does not fit together, and the parameters
 * at the medians and as drawn. */
#include "tests/support/testing.h"

#include "engine/gsl_errors.h"
#include "models/market/crossing.h"
#include "models/market/pool_terms.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOUR 3600.0
#define DAY  86400.0

static struct number given(double value)
{
    struct number n = NUMBER_CERTAIN(value);
    n.given = true;
    return n;
}

static struct spot_spec spot(void)
{
    struct spot_spec s = spot_spec_default();
    s.item.name = "p3.2xlarge";
    return s;
}

static void defaults_are_the_schemas(void **state)
{
    (void)state;
    struct spot_spec s = spot_spec_default();
    assert_near(s.season_amplitude.median, 0.3, 0.0, "season_amplitude");
    assert_near(s.weekend_shift.median, 0.4, 0.0, "weekend_shift");
    assert_near(s.best_hour.median, 3.0, 0.0, "best_hour");
    assert_near(s.node_slope.median, 0.1, 0.0, "node_slope");
    assert_near(s.short_time.median, 2.0 * HOUR, 0.0, "short_time");
    assert_near(s.long_time.median, 48.0 * HOUR, 0.0, "long_time");
    assert_near(s.short_weight.median, 0.5, 0.0, "short_weight");
    assert_near(s.notice.median, 120.0, 0.0, "notice");
    assert_near(s.interruptions.median, 0.0, 0.0, "interruptions");
    assert_int_equal(s.capacity, SPOT_DEFAULT);
    assert_int_equal(s.bucket, -1);
    assert_int_equal(s.season, SPOT_SEASON_DEFAULT);
    assert_int_equal(s.price_statistic, SPOT_MEAN);
    assert_true(s.first_hour_free);
    assert_int_equal(s.nodes, 0);
    assert_false(s.price.given || s.availability.given || s.losses.given || s.regain.given);
    struct on_demand_spec o = on_demand_spec_default();
    assert_int_equal(o.capacity, ON_DEMAND_DEFAULT);
    assert_false(o.wait.given || o.price.given);
}

static void words_match_their_enums(void **state)
{
    (void)state;
    assert_string_equal(spot_capacity_names[SPOT_HIDDEN], "hidden");
    assert_string_equal(spot_capacity_names[SPOT_ON_OFF], "on-off");
    assert_string_equal(spot_capacity_names[SPOT_CONSTANT], "constant");
    assert_string_equal(spot_capacity_names[SPOT_REPLAY], "replay");
    assert_string_equal(spot_capacity_names[SPOT_HYPEREXPONENTIAL], "hyperexponential");
    assert_string_equal(on_demand_capacity_names[ON_DEMAND_ALWAYS], "always");
    assert_string_equal(on_demand_capacity_names[ON_DEMAND_WAIT], "wait");
    assert_string_equal(on_demand_capacity_names[ON_DEMAND_LIMIT], "limit");
    const struct schema_key *bucket = schema_find(&spot_schema, "bucket");
    assert_string_equal(bucket->choices[ADVISOR_BELOW_5], "<5%");
    assert_string_equal(bucket->choices[ADVISOR_ABOVE_20], ">20%");
    assert_string_equal(bucket->choices[SPOT_BUCKET_UNKNOWN], "unknown");
    for (int i = 0; i <= (int)ADVISOR_ABOVE_20; i++) {
        assert_string_equal(bucket->choices[i], advisor_bucket_names[i]);
    }
}

static void kind_follows_the_keys(void **state)
{
    (void)state;
    struct spot_spec s = spot();
    assert_int_equal(pool_terms_spot_kind(&s), CAPACITY_HIDDEN);
    s.nodes = 8;
    assert_int_equal(pool_terms_spot_kind(&s), CAPACITY_HIDDEN);
    s.interruptions = given(0.2 / HOUR);
    assert_int_equal(pool_terms_spot_kind(&s), CAPACITY_CONSTANT);
    s.availability = given(0.8);
    assert_int_equal(pool_terms_spot_kind(&s), CAPACITY_HIDDEN);
    s = spot();
    s.interruptions = given(0.2 / HOUR);
    s.bucket = ADVISOR_5_10;
    assert_int_equal(pool_terms_spot_kind(&s), CAPACITY_HIDDEN);
    s = spot();
    s.interruptions = given(0.0);
    s.interruptions.word = 0; /* "none" says nothing of the capacity */
    assert_int_equal(pool_terms_spot_kind(&s), CAPACITY_HIDDEN);
    s = spot();
    s.mean_up = given(HOUR);
    assert_int_equal(pool_terms_spot_kind(&s), CAPACITY_ON_OFF);
    s.down_short_share = given(0.5);
    assert_int_equal(pool_terms_spot_kind(&s), CAPACITY_HYPEREXPONENTIAL);
    s.capacity = SPOT_CONSTANT;
    assert_int_equal(pool_terms_spot_kind(&s), CAPACITY_CONSTANT);
}

/* ---- what does not fit ------------------------------------------------------------------------
 */

static void availability_one(struct spot_spec *s)
{
    s->availability = given(1.0);
}
static void availability_zero(struct spot_spec *s)
{
    s->availability = given(0.0);
}
static void losses_alone(struct spot_spec *s)
{
    s->losses = given(4.0 / DAY);
}
static void losses_and_short_time(struct spot_spec *s)
{
    s->availability = given(0.8);
    s->losses = given(4.0 / DAY);
    s->short_time = given(HOUR);
}
static void losses_without_short_weight(struct spot_spec *s)
{
    s->availability = given(0.8);
    s->losses = given(4.0 / DAY);
    s->short_weight = given(0.0);
}
static void availability_and_bucket(struct spot_spec *s)
{
    s->availability = given(0.8);
    s->bucket = ADVISOR_5_10;
}
static void season_none_and_amplitude(struct spot_spec *s)
{
    s->season = SPOT_SEASON_NONE;
    s->season_amplitude = given(0.2);
}
static void mean_up_with_hidden(struct spot_spec *s)
{
    s->capacity = SPOT_HIDDEN;
    s->mean_up = given(HOUR);
}
static void mean_up_alone(struct spot_spec *s)
{
    s->mean_up = given(HOUR);
}
static void availability_with_on_off(struct spot_spec *s)
{
    s->mean_up = given(HOUR);
    s->mean_down = given(HOUR);
    s->availability = given(0.5);
}
static void bucket_with_constant(struct spot_spec *s)
{
    s->capacity = SPOT_CONSTANT;
    s->bucket = ADVISOR_5_10;
}
static void season_with_on_off(struct spot_spec *s)
{
    s->mean_up = given(HOUR);
    s->mean_down = given(HOUR);
    s->season = SPOT_SEASON_NONE;
}

static void hyperexponential_alone(struct spot_spec *s)
{
    s->capacity = SPOT_HYPEREXPONENTIAL;
}
static void hyperexponential_twice(struct spot_spec *s)
{
    s->capacity = SPOT_HYPEREXPONENTIAL;
    s->availability = given(0.8);
    s->mean_up = given(HOUR);
}
static void hyperexponential_with_hidden_key(struct spot_spec *s)
{
    s->up_long_ratio = given(10.0);
    s->availability = given(0.8);
    s->long_time = given(24 * HOUR);
}
static void ratio_with_hidden(struct spot_spec *s)
{
    s->capacity = SPOT_HIDDEN;
    s->up_long_ratio = given(10.0);
}
static void turns_too_short(struct spot_spec *s)
{
    s->up_long_ratio = given(10.0);
    s->availability = given(0.5);
    s->losses = given(0.02);
}

static const struct refusal {
    const char *name;
    void (*spoil)(struct spot_spec *s);
    const char *says;
} refusals[] = {
    {"availability 1", availability_one, "write 'capacity: constant'"},
    {"availability 0", availability_zero, "no node could ever be had"},
    {"losses alone", losses_alone, "'losses' of spot 'p3.2xlarge' needs 'availability'"},
    {"losses and short_time", losses_and_short_time, "both 'losses' and 'short_time'"},
    {"losses without short weight", losses_without_short_weight, "'short_weight' of 0"},
    {"availability and bucket", availability_and_bucket, "both 'availability' and 'bucket'"},
    {"season none and amplitude", season_none_and_amplitude, "'season: none' beside"},
    {"mean_up with hidden", mean_up_with_hidden,
     "'mean_up' of spot 'p3.2xlarge' belongs to capacity 'on-off' or 'hyperexponential', but the "
     "capacity is 'hidden'"},
    {"mean_up alone", mean_up_alone, "needs both 'mean_up' and 'mean_down'"},
    {"availability with on-off", availability_with_on_off,
     "'availability' of spot 'p3.2xlarge' belongs to capacity 'hidden' or 'hyperexponential', but "
     "the capacity is 'on-off'"},
    {"hyperexponential alone", hyperexponential_alone,
     "needs 'mean_up' and 'mean_down', or 'availability'"},
    {"hyperexponential twice", hyperexponential_twice, "both 'availability' and 'mean_up'"},
    {"hyperexponential with hidden key", hyperexponential_with_hidden_key,
     "'long_time' of spot 'p3.2xlarge' belongs to capacity 'hidden', but the capacity is "
     "'hyperexponential'"},
    {"ratio with hidden", ratio_with_hidden, "belongs to capacity 'hyperexponential', but"},
    {"turns too short", turns_too_short, "expected at least 10 s"},
    {"bucket with constant", bucket_with_constant, "'bucket' of spot 'p3.2xlarge' belongs to"},
    {"season with on-off", season_with_on_off, "'season' of spot 'p3.2xlarge' belongs to"},
};

static void written(const struct diagnostics *diagnostics, char *out, size_t size)
{
    FILE *f = tmpfile();
    assert_non_null(f);
    diagnostics_write((struct diagnostics *)(uintptr_t)diagnostics, f);
    rewind(f);
    out[fread(out, 1, size - 1, f)] = '\0';
    fclose(f);
}

static void is_refused(void **state)
{
    const struct refusal *r = *state;
    struct diagnostics *d = diagnostics_new();
    struct spot_spec s = spot();
    s.item.place = (struct place){"plan.yaml", 7, 5};
    r->spoil(&s);
    assert_false(pool_terms_check_spot(&s, d));
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_ERROR), 1);
    char text[2000];
    written(d, text, sizeof text);
    if (strstr(text, r->says) == NULL || strstr(text, "plan.yaml:7:5: error: ") == NULL) {
        fail_msg("expected '%s' in: %s", r->says, text);
    }
    diagnostics_free(d);
}

static void losses_out_of_reach_warn(void **state)
{
    (void)state;
    struct diagnostics *d = diagnostics_new();
    struct spot_spec s = spot();
    s.availability = given(0.7);
    s.losses = given(25.0 / DAY);
    s.season = SPOT_SEASON_NONE;
    assert_true(pool_terms_check_spot(&s, d));
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_WARNING), 1);
    char text[2000];
    written(d, text, sizeof text);
    assert_non_null(strstr(text, "reaches 2.04 to 18.7 a day"));
    s.losses = given(6.0 / DAY);
    assert_true(pool_terms_check_spot(&s, d));
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_WARNING), 1);
    diagnostics_free(d);
}

static void on_demand_keys_fit_together(void **state)
{
    (void)state;
    struct diagnostics *d = diagnostics_new();
    struct on_demand_spec good = on_demand_spec_default();
    good.item.name = "p4d.24xlarge";
    assert_true(pool_terms_check_on_demand(&good, d));
    struct on_demand_spec s = good;
    s.limit = 8;
    s.wait = variate_constant(60.0);
    s.wait.given = true;
    assert_true(pool_terms_check_on_demand(&s, d)); /* a quota, and a wait for what it allows */
    s.capacity = ON_DEMAND_WAIT;
    assert_true(pool_terms_check_on_demand(&s, d));
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_ERROR), 0);
    s.capacity = ON_DEMAND_ALWAYS;
    assert_false(pool_terms_check_on_demand(&s, d));
    s = good;
    s.capacity = ON_DEMAND_WAIT;
    assert_false(pool_terms_check_on_demand(&s, d));
    s.capacity = ON_DEMAND_LIMIT;
    assert_false(pool_terms_check_on_demand(&s, d));
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_ERROR), 3);
    diagnostics_free(d);
}

/* a/L and (1 - a)/L; without L, 1.8 h sqrt(a/(1 - a)) and its inverse: at a = 0.8 3.6 and 0.9 h. */
static void turns_follow_from_the_availability(void **state)
{
    (void)state;
    struct spot_spec s = spot();
    s.capacity = SPOT_HYPEREXPONENTIAL;
    s.availability = given(0.8);
    struct pool_turns t = pool_terms_turns(&s, NULL);
    assert_relative(on_off_mean_s(t.up), 3.6 * HOUR, 1e-12, "up");
    assert_relative(on_off_mean_s(t.down), 0.9 * HOUR, 1e-12, "down");
    assert_relative(t.up.long_s / t.up.short_s, 13.5, 1e-12, "ratio up");
    assert_relative(t.down.long_s / t.down.short_s, 13.0, 1e-12, "ratio down");
    assert_near(t.up.short_share, 0.67, 0.0, "share up");
    assert_near(t.down.short_share, 0.8, 0.0, "share down");
    s.losses = given(4.0 / DAY);
    t = pool_terms_turns(&s, NULL);
    assert_relative(on_off_mean_s(t.up), 0.8 * 6.0 * HOUR, 1e-12, "up, of 4 a day");
    assert_relative(on_off_mean_s(t.down), 0.2 * 6.0 * HOUR, 1e-12, "down, of 4 a day");
    s = spot();
    s.mean_up = given(5.0 * HOUR);
    s.mean_down = given(HOUR);
    t = pool_terms_turns(&s, NULL); /* on-off */
    assert_near(t.up.short_share, 1.0, 0.0, "exponential");
    assert_near(on_off_mean_s(t.up), 5.0 * HOUR, 0.0, "mean up");
    assert_near(on_off_mean_s(t.down), HOUR, 0.0, "mean down");
}

/* ---- parameters -------------------------------------------------------------------------------
 */

static void parameters_follow_what_is_drawn(void **state)
{
    (void)state;
    struct threshold_prior none = {.region_score = -1, .zone_score = -1};
    struct spot_spec s = spot();
    s.availability = given(0.8);
    s.availability.input = 1;
    s.losses = given(5.0 / DAY);
    s.losses.input = 0;
    struct hidden_parameters plan = pool_terms_hidden(&s, &none, NULL);
    assert_relative(plan.threshold, gsl_cdf_ugaussian_Pinv(0.8), 1e-12, "planned");
    const double drawn[] = {3.0 / DAY, 0.9};
    struct hidden_parameters world = pool_terms_hidden(&s, &none, drawn);
    assert_relative(world.threshold, gsl_cdf_ugaussian_Pinv(0.9), 1e-12, "drawn");
    double rho = crossing_tick_correlation(0.5, world.short_s, 48.0 * HOUR);
    assert_relative(crossing_loss_rate(world.threshold, rho),
                    3.0 / DAY * hidden_season_scale(&world.season), 1e-9, "drawn losses");
    assert_near(world.season.amplitude, 0.3, 0.0, "season");
    s.season = SPOT_SEASON_NONE;
    world = pool_terms_hidden(&s, &none, drawn);
    assert_near(world.season.amplitude, 0.0, 0.0, "no day");
    assert_near(world.season.weekend_shift, 0.0, 0.0, "no weekend");
    /* A drawn share of 0 or 1 keeps the threshold finite. */
    const double edges[] = {3.0 / DAY, 1.0};
    assert_true(isfinite(pool_terms_hidden(&s, &none, edges).threshold));
}

static void prior_draws_two_scores(void **state)
{
    (void)state;
    struct threshold_prior prior = {.prior = {0.3, 0.75}, .region_score = 1, .zone_score = 0};
    struct spot_spec s = spot();
    assert_near(pool_terms_hidden(&s, &prior, NULL).threshold, 0.3, 0.0, "median");
    const double drawn[] = {-1.0, 2.0};
    assert_relative(pool_terms_hidden(&s, &prior, drawn).threshold,
                    0.3 + 0.75 * (2.0 * sqrt(0.8) - sqrt(0.2)), 1e-12, "drawn");
}

int main(void)
{
    gsl_errors_install();
    enum { REFUSALS = sizeof refusals / sizeof *refusals };
    struct CMUnitTest rows[REFUSALS];
    for (size_t i = 0; i < REFUSALS; i++) {
        rows[i] = (struct CMUnitTest){refusals[i].name, is_refused, NULL, NULL,
                                      (void *)(uintptr_t)&refusals[i]};
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_the_schemas),
        cmocka_unit_test(words_match_their_enums),
        cmocka_unit_test(kind_follows_the_keys),
        cmocka_unit_test(losses_out_of_reach_warn),
        cmocka_unit_test(on_demand_keys_fit_together),
        cmocka_unit_test(turns_follow_from_the_availability),
        cmocka_unit_test(parameters_follow_what_is_drawn),
        cmocka_unit_test(prior_draws_two_scores),
    };
    return cmocka_run_group_tests_name("pool terms: refusals", rows, NULL, NULL) +
           cmocka_run_group_tests_name("pool terms", tests, NULL, NULL);
}
