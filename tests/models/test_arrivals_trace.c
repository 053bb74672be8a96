/* SPDX-License-Identifier: GPL-3.0-or-later
 * Requests of a trace replayed as the demand of a service: as they came, in a loop, thinned and
 * multiplied. */
#include "engine/civil_time.h"
#include "engine/diagnostics.h"
#include "models/inference/arrivals.h"
#include "tests/support/section_text.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HOUR_S 3600.0
#define DAY_S  86400.0

/* Five requests over 90 s, two at one instant, not from 0 on: a lap is 90 · 5/4 = 112.5 s. */
static const struct traced_request five[] = {
    {10, 100, 1, 0}, {40, 200, 2, 50}, {40, 300, 3, 0}, {55, 400, 4, 0}, {100, 500, 5, 500}};
enum { FIVE = 5 };
#define LAP_S 112.5

struct scene {
    struct arena *arena;
    struct diagnostics *diagnostics;
    struct demand_spec spec;
    struct market_context context;
    struct demand_plan plan;
    struct arrivals arrivals;
    bool made;
};

static void open_trace(struct scene *s, const char *text, double horizon_s,
                       const struct traced_request *items, size_t count)
{
    *s = (struct scene){.arena = arena_new(0), .diagnostics = diagnostics_new()};
    assert_true(civil_parse("2026-03-02", &s->context.start_unix_s));
    s->context.horizon_s = horizon_s;
    s->context.arena = s->arena;
    s->context.diagnostics = s->diagnostics;
    section_text_read(&demand_schema, text, s->arena, inputs_new(s->arena), &s->spec);
    s->spec.requests = (struct request_trace){.items = items, .count = count};
    s->made = demand_plan_make(&s->plan, &s->spec, "chat", NULL, &s->context);
    assert_true(arrivals_init(&s->arrivals, "chat"));
}

static void open_scene(struct scene *s, const char *text, double horizon_s)
{
    open_trace(s, text, horizon_s, five, FIVE);
}

static void close_scene(struct scene *s)
{
    arrivals_release(&s->arrivals);
    diagnostics_free(s->diagnostics);
    arena_free(s->arena);
}

static const double nothing_drawn[1] = {0};

static void begin(struct scene *s, uint32_t replication)
{
    struct random_world world = {.seed = 7, .replication = replication};
    arrivals_begin(&s->arrivals, &s->plan, world, nothing_drawn);
}

static void expect(struct scene *s, double at_s, uint32_t prompt)
{
    assert_near(s->arrivals.next_s, at_s, 1e-9, "time of a request");
    assert_int_equal(s->arrivals.prompt_tokens, prompt);
    arrivals_next(&s->arrivals);
}

static double count_all(struct scene *s, uint32_t replication)
{
    double count = 0;
    for (begin(s, replication); isfinite(s->arrivals.next_s); arrivals_next(&s->arrivals)) {
        count++;
    }
    return count;
}

static void a_trace_is_replayed_as_it_was(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, "{trace: t.csv, from: 60s}", DAY_S);
    assert_true(s.made);
    begin(&s, 3);
    assert_int_equal(s.arrivals.output_tokens, 1);
    expect(&s, 60, 100);
    assert_int_equal(s.arrivals.cached_tokens, 50);
    expect(&s, 90, 200);
    expect(&s, 90, 300);
    expect(&s, 105, 400);
    expect(&s, 150, 500);
    assert_true(isinf(s.arrivals.next_s));
    close_scene(&s);
}

static void it_loops_after_one_mean_gap(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, "{trace: t.csv, loop: yes, begin: first, until: 500s}", DAY_S);
    assert_true(s.made);
    begin(&s, 0);
    for (double lap_s = 0; lap_s < 400; lap_s += LAP_S) {
        expect(&s, lap_s, 100);
        expect(&s, lap_s + 30, 200);
        expect(&s, lap_s + 30, 300);
        expect(&s, lap_s + 45, 400);
        expect(&s, lap_s + 90, 500);
    }
    expect(&s, 4 * LAP_S, 100);
    expect(&s, 4 * LAP_S + 30, 200);
    expect(&s, 4 * LAP_S + 30, 300);
    expect(&s, 4 * LAP_S + 45, 400);
    assert_true(isinf(s.arrivals.next_s)); /* 540 s is past the end */
    close_scene(&s);
}

/* Ten laps have fifty requests, wherever they are begun; the first is uniform over the gaps: its
 * mean wait is sum of squared gaps / 2 laps, and its second moment sum of cubes / 3 laps. */
static void a_loop_begins_anywhere(void **state)
{
    (void)state;
    enum { WORLDS = 4000 };
    const double gaps[] = {30, 0, 15, 45, 22.5};
    double squares = 0, cubes = 0, sum = 0;
    struct scene s;
    open_scene(&s, "{trace: t.csv, loop: yes}", 10 * LAP_S);
    for (uint32_t k = 0; k < WORLDS; k++) {
        begin(&s, k);
        sum += s.arrivals.next_s;
        if (k < 50) {
            assert_near(count_all(&s, k), 50, 0, "requests of ten laps");
        }
    }
    for (size_t i = 0; i < FIVE; i++) {
        squares += pow(gaps[i], 2);
        cubes += pow(gaps[i], 3);
    }
    double mean = squares / 2 / LAP_S, deviation = sqrt(cubes / 3 / LAP_S - mean * mean);
    assert_near(sum / WORLDS, mean, 4 * deviation / sqrt(WORLDS), "wait for the first request");
    close_scene(&s);
}

/* Each comes with a chance of 0.3, 20 laps of 5: binomial. */
static void a_trace_is_thinned(void **state)
{
    (void)state;
    enum { WORLDS = 1000 };
    double sum = 0;
    struct scene s;
    open_scene(&s, "{trace: t.csv, loop: yes, begin: first, scale: 0.3}", 20 * LAP_S);
    for (uint32_t k = 0; k < WORLDS; k++) {
        sum += count_all(&s, k);
    }
    assert_near(sum / WORLDS, 30, 4 * sqrt(100 * 0.3 * 0.7 / WORLDS), "thinned");
    close_scene(&s);
}

/* Three for one: the first when it came, two uniform before the next one of the trace; those of
 * 40 s come at one instant. */
static void a_trace_is_multiplied(void **state)
{
    (void)state;
    enum { WORLDS = 2000 };
    double sum = 0;
    struct scene s;
    open_scene(&s, "{trace: t.csv, scale: 3}", DAY_S);
    for (uint32_t k = 0; k < WORLDS; k++) {
        double last_s = 0, at_once = 0, count = 0;
        for (begin(&s, k); isfinite(s.arrivals.next_s); arrivals_next(&s.arrivals)) {
            count++;
            assert_true(s.arrivals.next_s >= last_s);
            last_s = s.arrivals.next_s;
            at_once += s.arrivals.next_s == 30;
            sum += s.arrivals.prompt_tokens == 100 && s.arrivals.next_s > 0 ? s.arrivals.next_s : 0;
        }
        assert_near(count, 15, 0, "three for one");
        assert_near(at_once, 4, 0, "without a gap before the next");
    }
    /* Two uniform over 30 s each world. */
    assert_near(sum / (2 * WORLDS), 15, 4 * 30 / sqrt(12.0 * 2 * WORLDS), "where copies come");
    close_scene(&s);
}

static void events_and_growth_multiply_it(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s,
               "{trace: t.csv, loop: yes, begin: first, scale: 2, events: {from: 112.5s, for: 225s,"
               " factor: 3}}",
               4 * LAP_S);
    assert_true(s.made);
    assert_near(count_all(&s, 0), 5 * 2 + 2 * 5 * 6 + 5 * 2, 0, "laps of 2, 6, 6 and 2 for one");
    struct demand_outlook o = demand_planned(&s.plan);
    assert_near(o.requests, 80, 1e-9, "planned");
    close_scene(&s);
    open_scene(&s, "{trace: t.csv}", DAY_S);
    o = demand_planned(&s.plan);
    assert_near(o.requests, 5, 1e-9, "planned once");
    close_scene(&s);
}

static void one_request_and_none(void **state)
{
    (void)state;
    struct scene s;
    open_trace(&s, "{trace: t.csv}", DAY_S, five, 1);
    assert_true(s.made);
    begin(&s, 0);
    expect(&s, 0, 100);
    assert_true(isinf(s.arrivals.next_s));
    close_scene(&s);
    open_scene(&s, "{trace: t.csv, scale: 0, loop: yes}", DAY_S);
    assert_true(s.made);
    assert_near(count_all(&s, 0), 0, 0, "none of them");
    close_scene(&s);
}

static void what_cannot_be_is_told(void **state)
{
    static const struct {
        const char *text, *says;
        size_t count;
    } wrong[] = {
        {"{trace: t.csv, rate: 3/s}", "states both 'rate' and 'trace'", FIVE},
        {"{growth: 5 %}", "does not say how many requests come; expected 'rate' or 'trace'", FIVE},
        {"{rate: 3/s, loop: yes}", "but no 'trace' that they are of", FIVE},
        {"{rate: 3/s, scale: 2}", "but no 'trace' that they are of", FIVE},
        {"{trace: t.csv, cv: 2}", "a 'cv' beside its 'trace'", FIVE},
        {"{trace: t.csv, profile: [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}",
         "a 'profile' beside its 'trace'", FIVE},
        {"{trace: t.csv, loop: yes}", "come at one instant, so it cannot loop", 1},
    };
    static const struct traced_request fast[] = {{0, 1, 1, 0}, {1e-6, 1, 1, 0}};
    (void)state;
    struct scene s;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        open_trace(&s, wrong[i].text, DAY_S, five, wrong[i].count);
        const char *text = diagnostics_text(s.diagnostics, 0, NULL, NULL);
        if (s.made || text == NULL || strstr(text, wrong[i].says) == NULL) {
            fail_msg("%s: expected '%s', got '%s'", wrong[i].text, wrong[i].says,
                     text == NULL ? "nothing" : text);
        }
        close_scene(&s);
    }
    open_trace(&s, "{trace: t.csv, loop: yes, scale: 1e-6}", DAY_S, fast, 2);
    assert_false(s.made);
    assert_non_null(
        strstr(diagnostics_text(s.diagnostics, 0, NULL, NULL), "would be gone through"));
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_is_replayed_as_it_was),
        cmocka_unit_test(it_loops_after_one_mean_gap),
        cmocka_unit_test(a_loop_begins_anywhere),
        cmocka_unit_test(a_trace_is_thinned),
        cmocka_unit_test(a_trace_is_multiplied),
        cmocka_unit_test(events_and_growth_multiply_it),
        cmocka_unit_test(one_request_and_none),
        cmocka_unit_test(what_cannot_be_is_told),
    };
    return cmocka_run_group_tests_name("arrivals_trace", tests, NULL, NULL);
}
