/* SPDX-License-Identifier: GPL-3.0-or-later
 * The rate of requests over time, and the arrivals that follow it. */
#include "models/inference/arrivals.h"

#include "engine/civil_time.h"
#include "engine/diagnostics.h"
#include "tests/support/section_text.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOUR_S 3600.0
#define DAY_S  86400.0

struct scene {
    struct arena *arena;
    struct diagnostics *diagnostics;
    struct demand_spec spec;
    struct market_context context;
    struct demand_plan plan;
    bool made;
};

static void open_scene(struct scene *s, const char *text, const char *start, double horizon_s)
{
    *s = (struct scene){.arena = arena_new(0), .diagnostics = diagnostics_new()};
    assert_true(civil_parse(start, &s->context.start_unix_s));
    s->context.horizon_s = horizon_s;
    s->context.arena = s->arena;
    s->context.diagnostics = s->diagnostics;
    section_text_read(&demand_schema, text, s->arena, inputs_new(s->arena), &s->spec);
    s->made = demand_plan_make(&s->plan, &s->spec, "chat", NULL, &s->context);
}

static void close_scene(struct scene *s)
{
    diagnostics_free(s->diagnostics);
    arena_free(s->arena);
}

static const struct random_world world = {.seed = 7, .replication = 0};
/* Planning's medians, as a world: nothing is uncertain in these scenes. */
static const double nothing_drawn[1] = {0};

/* The rate at a time of the world. */
static double rate_at(const struct scene *s, double t_s)
{
    struct demand d;
    bool more = demand_begin(&d, &s->plan, world, nothing_drawn);
    for (; more && d.to_s <= t_s; more = demand_next(&d)) {
    }
    assert_true(more);
    return d.rate;
}

/* Requests expected between two times. */
static double requests_between(const struct scene *s, double from_s, double to_s,
                               struct random_world w)
{
    struct demand d;
    double sum = 0;
    for (bool more = demand_begin(&d, &s->plan, w, nothing_drawn); more; more = demand_next(&d)) {
        double length_s = fmin(d.to_s, to_s) - fmax(d.from_s, from_s);
        sum += length_s > 0 ? d.rate * length_s : 0;
    }
    return sum;
}

static void a_rate_alone_is_constant(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, "{rate: 20/s}", "2026-03-02", DAY_S);
    assert_true(s.made);
    assert_near(requests_between(&s, 0, DAY_S, world), 20 * DAY_S, 1e-6, "requests of a day");
    struct demand_outlook o = demand_planned(&s.plan);
    assert_near(o.mean, 20, 1e-9, "planned mean");
    assert_near(o.peak, 20, 1e-9, "planned peak");
    close_scene(&s);
}

static void a_profile_swings_around_the_rate(void **state)
{
    (void)state;
    struct scene s;
    /* Hours 8 to 19 three times the others: 2 is their mean. */
    open_scene(&s,
               "{rate: 10/s, profile: [1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, "
               "1, 1, 1, 1]}",
               "2026-03-02", 7 * DAY_S);
    assert_true(s.made);
    assert_near(requests_between(&s, 0, 7 * DAY_S, world), 10 * 7 * DAY_S, 1e-3, "of a week");
    assert_near(rate_at(&s, 3 * HOUR_S), 5, 1e-9, "at night");
    assert_near(rate_at(&s, 12 * HOUR_S), 15, 1e-9, "at noon");
    /* Between the middles of the hours 7 and 8 along a line: half way at 8:00. */
    assert_near(rate_at(&s, 8 * HOUR_S), 10, 0.1, "at eight");
    assert_near(demand_planned(&s.plan).peak, 15, 1e-9, "planned peak");
    close_scene(&s);
}

static void a_week_begins_on_monday(void **state)
{
    (void)state;
    char text[1000] = "{rate: 1/s, profile: [";
    for (int hour = 0; hour < 168; hour++) {
        strcat(text, hour / 24 == 2 ? "7," : "0,"); /* Wednesdays only */
    }
    text[strlen(text) - 1] = 0;
    strcat(text, "]}");
    struct scene s;
    open_scene(&s, text, "2026-03-06", 14 * DAY_S); /* a Friday */
    assert_true(s.made);
    assert_near(rate_at(&s, 5.5 * DAY_S), 7, 1e-9, "on Wednesday, 11 March");
    assert_near(rate_at(&s, 4.5 * DAY_S), 0, 1e-9, "on Tuesday");
    assert_near(requests_between(&s, 0, 7 * DAY_S, world), 7 * DAY_S, 1e-3, "of a week");
    close_scene(&s);
}

static void growth_compounds_by_the_month(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, "{rate: 10/s, growth: 8 %}", "2026-01-01", 400 * DAY_S);
    assert_relative(rate_at(&s, 12 * NUMBER_MONTH_S), 10 * pow(1.08, 12), 1e-5, "after a year");
    close_scene(&s);
}

static void events_multiply_while_they_last(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s,
               "{rate: 10/s, events: [{from: 2026-03-03, for: 1d, factor: 3}, "
               "{from: 36h, for: 2h, factor: 0.5}]}",
               "2026-03-02", 4 * DAY_S);
    assert_true(s.made);
    assert_near(rate_at(&s, 12 * HOUR_S), 10, 1e-9, "before");
    assert_near(rate_at(&s, 25 * HOUR_S), 30, 1e-9, "in the first");
    assert_near(rate_at(&s, 37 * HOUR_S), 15, 1e-9, "in both");
    assert_near(rate_at(&s, 50 * HOUR_S), 10, 1e-9, "after");
    close_scene(&s);
}

static void bursts_come_as_often_as_stated(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, "{rate: 10/s, bursts: {every: 2h, for: 10min, factor: 4}}", "2026-03-02",
               30 * DAY_S);
    assert_true(s.made);
    /* A twelfth of the time four times the rate: 12.5/s on average. The share of time in bursts of
     * one month varies with sd about sqrt(2 q (1 - q)^2 · 10 min / 30 d) = 0.0059. */
    double mean = 0;
    enum { WORLDS = 20 };
    for (uint32_t k = 0; k < WORLDS; k++) {
        mean += requests_between(&s, 0, 30 * DAY_S, (struct random_world){7, k}) / (30 * DAY_S);
    }
    mean /= WORLDS;
    assert_near(mean, 12.5, 4 * 30 * 0.0059 / sqrt(WORLDS), "mean rate");
    assert_near(demand_planned(&s.plan).mean, 12.5, 1e-9, "planned");
    close_scene(&s);

    open_scene(&s, "{rate: 10/s, bursts: {every: 10min, for: 30s, factor: 6, regular: yes}}",
               "2026-03-02", DAY_S);
    assert_near(requests_between(&s, 0, DAY_S, world) / DAY_S, 10 * (1 + 5.0 / 20), 1e-9,
                "regular");
    assert_near(rate_at(&s, 569), 10, 1e-9, "before the first");
    assert_near(rate_at(&s, 571), 60, 1e-9, "in the first");
    assert_near(rate_at(&s, 601), 10, 1e-9, "after the first");
    close_scene(&s);
}

static void it_begins_and_ends_as_stated(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, "{rate: 2/s, from: 1d, until: 2026-03-05}", "2026-03-02", 10 * DAY_S);
    assert_true(s.made);
    assert_near(requests_between(&s, 0, 10 * DAY_S, world), 2 * 2 * DAY_S, 1e-6, "two days");
    close_scene(&s);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *told;
    } rows[] = {
        {"{rate: 1/s, profile: [1, 2, 3]}", "has 3 numbers; expected 24"},
        {"{rate: 1/s, profile: [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}",
         "is 0 in every hour"},
        {"{rate: 1/s, from: 20d}", "begins at or after the horizon"},
        {"{rate: 1/s, from: 2d, until: 1d}", "ends before it begins"},
        {"{rate: 1/s, bursts: {every: 1min, for: 1min, factor: 2}}", "as long as they are apart"},
        {"{rate: 1/s, events: {from: soon, for: 1d, factor: 2}}", "'from' is 'soon'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;
        open_scene(&s, rows[i].text, "2026-03-02", 10 * DAY_S);
        assert_false(s.made);
        assert_int_equal(diagnostics_count(s.diagnostics, DIAGNOSTIC_ERROR), 1);
        char *told = NULL;
        size_t length = 0;
        FILE *f = open_memstream(&told, &length);
        diagnostics_write(s.diagnostics, f);
        fclose(f);
        if (strstr(told, rows[i].told) == NULL) {
            fail_msg("%s: %s", rows[i].text, told);
        }
        if (strncmp(told, "fleetcast:", 10) == 0) {
            fail_msg("%s: no place: %s", rows[i].text, told);
        }
        free(told);
        close_scene(&s);
    }
}

/* ---- arrivals ---- */

struct gaps {
    size_t count;
    double mean, cv, last_s;
};

static struct gaps arrive(const struct scene *s, struct random_world w)
{
    struct arrivals a;
    struct gaps g = {0};
    double sum = 0, squares = 0, before_s = 0;
    assert_true(arrivals_init(&a, "chat"));
    arrivals_begin(&a, &s->plan, w, nothing_drawn);
    for (; isfinite(a.next_s); arrivals_next(&a)) {
        double gap = a.next_s - before_s;
        assert_true(gap >= 0);
        sum += gap;
        squares += gap * gap;
        before_s = a.next_s;
        g.count++;
    }
    arrivals_release(&a);
    double n = (double)g.count;
    g.mean = sum / n;
    g.cv = sqrt(squares / n - g.mean * g.mean) / g.mean;
    g.last_s = before_s;
    return g;
}

static void arrivals_have_the_stated_rate_and_variation(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double cv, tolerance; /* of the cv: about four standard errors for 200,000 gaps */
    } rows[] = {
        {"{rate: 20/s}", 1, 0.02},
        {"{rate: 20/s, cv: 0.5}", 0.5, 0.01},
        {"{rate: 20/s, cv: 3}", 3, 0.2},
        {"{rate: 20/s, cv: 2, law: weibull}", 2, 0.1},
        {"{rate: 20/s, cv: 0.3, law: weibull}", 0.3, 0.01},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;
        open_scene(&s, rows[i].text, "2026-03-02", 10000);
        struct gaps g = arrive(&s, world);
        double n = 20 * 10000;
        assert_near((double)g.count, n, 4 * rows[i].cv * sqrt(n), rows[i].text);
        assert_near(g.cv, rows[i].cv, rows[i].tolerance, rows[i].text);
        close_scene(&s);
    }
}

static void arrivals_follow_the_rate(void **state)
{
    (void)state;
    struct scene s;
    struct arrivals a;
    open_scene(&s,
               "{rate: 5/s, events: {from: 2h, for: 1h, factor: 0}, "
               "bursts: {every: 10min, for: 30s, factor: 6, regular: yes}}",
               "2026-03-02", 4 * HOUR_S);
    assert_true(arrivals_init(&a, "chat"));
    double in_burst = 0, outside = 0;
    arrivals_begin(&a, &s.plan, world, nothing_drawn);
    for (; isfinite(a.next_s); arrivals_next(&a)) {
        assert_false(a.next_s >= 2 * HOUR_S && a.next_s < 3 * HOUR_S);
        double of_cycle_s = fmod(a.next_s, 600);
        *(of_cycle_s >= 570 ? &in_burst : &outside) += 1;
    }
    assert_near(in_burst, 3 * 6 * 30 * 30, 4 * sqrt(3 * 6 * 30 * 30), "in bursts");
    assert_near(outside, 3 * 6 * 570 * 5, 4 * sqrt(3 * 6 * 570 * 5), "outside");
    arrivals_release(&a);
    close_scene(&s);
}

static void a_world_is_the_same_every_time(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, "{rate: 3/s, cv: 2, bursts: {every: 1h, for: 5min, factor: 4}}", "2026-03-02",
               10000);
    struct gaps first = arrive(&s, world), again = arrive(&s, world);
    struct gaps other = arrive(&s, (struct random_world){7, 1});
    assert_int_equal(first.count, again.count);
    assert_near(first.last_s, again.last_s, 0, "last arrival");
    assert_true(first.last_s != other.last_s);
    close_scene(&s);
}

static void no_rate_is_no_request(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, "{rate: 0/s}", "2026-03-02", 10000);
    assert_true(s.made);
    assert_int_equal(arrive(&s, world).count, 0);
    assert_near(demand_planned(&s.plan).requests, 0, 0, "planned");
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rate_alone_is_constant),
        cmocka_unit_test(a_profile_swings_around_the_rate),
        cmocka_unit_test(a_week_begins_on_monday),
        cmocka_unit_test(growth_compounds_by_the_month),
        cmocka_unit_test(events_multiply_while_they_last),
        cmocka_unit_test(bursts_come_as_often_as_stated),
        cmocka_unit_test(it_begins_and_ends_as_stated),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(arrivals_have_the_stated_rate_and_variation),
        cmocka_unit_test(arrivals_follow_the_rate),
        cmocka_unit_test(a_world_is_the_same_every_time),
        cmocka_unit_test(no_rate_is_no_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
