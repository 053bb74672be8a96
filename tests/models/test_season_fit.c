/* SPDX-License-Identifier: GPL-3.0-or-later
 * The season of traces whose answer is known: of hours filled by hand, and of paths of the hidden
 * process with a season and without. */
#include "engine/civil_time.h"
#include "engine/gsl_errors.h"
#include "models/market/season_fit.h"
#include "models/market/trace_builder.h"
#include "tests/support/testing.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define HOUR 3600.0
#define DAY  86400.0

enum { WINDOWS = 12, WINDOW_DAYS = 42 };

static int64_t monday(void)
{
    int64_t s = 0;
    assert_true(civil_parse("2026-03-02", &s));
    return s;
}

/* Each hour is up for the share that the season gives it at its middle. UTC-5. */
static void hours_by_hand(void **state)
{
    (void)state;
    struct arena *arena = arena_new(0);
    struct trace_builder *b = trace_builder_new(arena);
    struct trace_set set;
    int pool = trace_builder_pool(b, "us-east-1a", "t");
    for (int hour = 0; hour < 42 * 24; hour++) {
        int local = hour - 5 + 7 * 24, day = local / 24 % 7;
        double s =
            0.4 * cos(2 * M_PI * (local % 24 + 0.5 - 3.0) / 24) + 0.5 * ((day >= 5) - 2.0 / 7);
        double share = gsl_cdf_ugaussian_P(0.3 + s);
        trace_builder_nodes(b, pool, hour * HOUR, 1);
        trace_builder_nodes(b, pool, (hour + share) * HOUR, 0);
    }
    trace_builder_end(b, pool, 42 * DAY);
    assert_int_equal(trace_builder_finish(b, &set, NULL), TRACE_BUILT);
    struct trace *t = &set.items[0];
    assert_int_equal(season_fit_make(t, -5).status, SEASON_NO_CLOCK);
    t->start_unix_s = monday();
    struct season_fit f = season_fit_make(t, -5);
    assert_int_equal(f.status, SEASON_FITTED);
    assert_near(f.days, 42, 1e-9, "days");
    assert_near(f.raw_amplitude, 0.4, 1e-6, "amplitude");
    assert_near(f.best_hour, 3.0, 1e-5, "best hour");
    assert_near(f.weekend_shift, 0.5, 1e-6, "weekend");
    assert_near(f.chance, 1.0 / 500, 1e-12, "no shuffle swings as much");
    assert_true(f.amplitude > 0.38 && f.amplitude < 0.4);
    assert_true(f.has_weekend);
    assert_near(f.weekend_error, 0, 1e-4, "all weeks are alike"); /* 6 whole local ones and a bit */
    struct hidden_season seen = season_fit_seen(&f);
    assert_near(seen.amplitude, f.amplitude, 0, "seen");
    assert_near(seen.best_hour, f.best_hour, 0, "seen");
    assert_near(seen.weekend_shift, f.weekend_shift, 0, "seen");
    /* The clock of another place. */
    assert_near(season_fit_make(t, 1).best_hour, 9.0, 0.05, "six hours later");
    t->end_s = 13.9 * DAY;
    for (t->count = 0; t->steps[t->count].at_s < t->end_s; t->count++) {
    }
    f = season_fit_make(t, -5);
    assert_int_equal(f.status, SEASON_TOO_SHORT);
    assert_near(f.days, 13.9, 1e-9, "days");
    trace_builder_free(b);
    arena_free(arena);
}

/* Up by day and down by night: no probit is that large. */
static void hours_that_never_change(void **state)
{
    (void)state;
    struct trace_step steps[60];
    struct trace t = {.zone = "", .instance_type = "", .start_unix_s = monday(), .steps = steps};
    for (int i = 0; i < 60; i++) {
        steps[i] =
            (struct trace_step){.at_s = i * 12 * HOUR, .nodes = i % 2, .price = TRACE_UNKNOWN};
    }
    t.count = 60;
    t.end_s = 30 * DAY;
    assert_int_equal(season_fit_make(&t, 0).status, SEASON_NO_FIT);
}

/* ---- paths of the process ---- */

struct source {
    struct hidden_noise noise[HIDDEN_SOURCES];
    struct hidden_path path;
    struct trace_step steps[WINDOW_DAYS * HIDDEN_TICKS_PER_DAY];
};

static void source_init(struct source *s)
{
    struct hidden_noise *noise[HIDDEN_SOURCES];
    const size_t ticks = (size_t)WINDOW_DAYS * HIDDEN_TICKS_PER_DAY;
    for (int k = 0; k < HIDDEN_SOURCES; k++) {
        noise[k] = &s->noise[k];
        assert_true(hidden_noise_init(noise[k], random_source("test/%d", k), ticks));
    }
    assert_true(hidden_path_init(&s->path, noise, monday(), ticks));
}

static void source_release(struct source *s)
{
    hidden_path_release(&s->path);
    for (int k = 0; k < HIDDEN_SOURCES; k++) {
        hidden_noise_release(&s->noise[k]);
    }
}

static struct season_fit fit_window(struct source *s, const struct hidden_parameters *p,
                                    uint32_t world)
{
    for (int k = 0; k < HIDDEN_SOURCES; k++) {
        hidden_noise_begin(&s->noise[k], (struct random_world){7, world});
    }
    hidden_path_begin(&s->path, p);
    struct trace t = {.zone = "", .instance_type = "", .start_unix_s = monday(), .steps = s->steps};
    for (size_t i = 0; i < (size_t)WINDOW_DAYS * HIDDEN_TICKS_PER_DAY; i++) {
        s->steps[t.count++] = (struct trace_step){.at_s = (double)i * HIDDEN_STEP_S,
                                                  .nodes = hidden_path_margin(&s->path, i) > 0,
                                                  .price = TRACE_UNKNOWN};
    }
    t.end_s = WINDOW_DAYS * DAY;
    struct season_fit f = season_fit_make(&t, 0);
    assert_int_equal(f.status, SEASON_FITTED);
    assert_int_equal(f.weeks, WINDOW_DAYS / 7);
    return f;
}

static const struct hidden_parameters plain = {
    .threshold = 0.3, .short_weight = 0.5, .short_s = 2 * HOUR, .long_s = 48 * HOUR};

/* Twelve windows of six weeks: what was put in comes out in the mean, and the day is seen. */
static void a_season_is_found(void **state)
{
    (void)state;
    static struct source s;
    struct hidden_parameters p = plain;
    double sum[3] = {0}, squares[3] = {0};
    size_t seen = 0, covered = 0;
    p.season = (struct hidden_season){.amplitude = 0.5, .weekend_shift = 0.6, .best_hour = 12};
    source_init(&s);
    for (uint32_t w = 0; w < WINDOWS; w++) {
        struct season_fit f = fit_window(&s, &p, w);
        const double found[3] = {f.amplitude, f.best_hour, f.weekend_shift};
        for (int k = 0; k < 3; k++) {
            sum[k] += found[k];
            squares[k] += found[k] * found[k];
        }
        seen += season_fit_seen(&f).amplitude > 0;
        covered += fabs(f.weekend_shift - 0.6) < f.weekend_error;
    }
    source_release(&s);
    const double want[3] = {0.5, 12, 0.6};
    static const char *const names[3] = {"amplitude", "best hour", "weekend"};
    for (int k = 0; k < 3; k++) {
        double mean = sum[k] / WINDOWS;
        double se = sqrt((squares[k] / WINDOWS - mean * mean) / (WINDOWS - 1));
        assert_near(mean, want[k], 4 * se, names[k]);
        assert_true(se < 0.1 * want[k] + 0.05);
    }
    assert_true(seen >= 10);
    assert_true(covered >= 8); /* 95 % of 12: fewer than 8 once in 10,000 */
}

/* Without a season one window in twenty sees a day, and the amplitude left is near 0. */
static void no_season_is_seen_where_none_is(void **state)
{
    (void)state;
    static struct source s;
    size_t days = 0, weekends = 0;
    double amplitude = 0;
    source_init(&s);
    for (uint32_t w = 0; w < WINDOWS; w++) {
        struct season_fit f = fit_window(&s, &plain, 100 + w);
        struct hidden_season seen = season_fit_seen(&f);
        days += seen.amplitude > 0;
        weekends += seen.weekend_shift > 0 || seen.weekend_shift < 0;
        amplitude += f.amplitude / WINDOWS;
    }
    source_release(&s);
    assert_true(days <= 4); /* more than 4 of 12 at 1 in 20: twice in 10,000 */
    assert_true(weekends <= 4);
    assert_true(amplitude < 0.15);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hours_by_hand),
        cmocka_unit_test(hours_that_never_change),
        cmocka_unit_test(a_season_is_found),
        cmocka_unit_test(no_season_is_seen_where_none_is),
    };
    return cmocka_run_group_tests_name("season fit", tests, NULL, NULL);
}
