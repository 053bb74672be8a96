/* SPDX-License-Identifier: GPL-3.0-or-later
 * How many nodes are needed when: each way to say it, walked through to its end. */
#include "models/usage/need.h"

#include "engine/civil_time.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct need_scene {
    struct arena *arena;
    struct diagnostics *diagnostics;
    struct need_item items[168];
    struct usage_spec spec;
    struct market_context context;
    struct need_plan plan;
};

static void open_scene(struct need_scene *s, const char *start, double horizon_s)
{
    *s = (struct need_scene){.arena = arena_new(0), .diagnostics = diagnostics_new()};
    assert_true(civil_parse(start, &s->context.start_unix_s));
    s->context.horizon_s = horizon_s;
    s->context.arena = s->arena;
    s->context.diagnostics = s->diagnostics;
    s->spec = (struct usage_spec){
        .item = {.name = "w"}, .nodes = {s->items, 0}, .scale = NUMBER_CERTAIN(1)};
}

static struct need_item *add(struct need_scene *s, double nodes)
{
    struct need_item *i = &s->items[s->spec.nodes.count++];
    *i = (struct need_item){.nodes = NUMBER_CERTAIN(nodes)};
    i->nodes.given = true;
    return i;
}

static void add_from_for(struct need_scene *s, double nodes, const char *from, double for_s)
{
    struct need_item *i = add(s, nodes);
    i->from = from;
    i->length = (struct quantity){.value = for_s};
    i->length_given = for_s > 0;
}

/* "0..7200: 3; …; ends" in hours. */
static void assert_walk(struct need_scene *s, const char *expected)
{
    char text[4096] = "";
    struct need n;
    assert_true(need_plan_make(&s->plan, &s->spec, NULL, &s->context));
    need_begin(&n, &s->plan, NULL);
    do {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%.6g..%.6g: %u; ", n.from_s / 3600,
                 n.to_s / 3600, n.nodes);
    } while (need_next(&n));
    strcat(text, s->plan.ends ? "ends" : "cut");
    assert_string_equal(text, expected);
}

static void close_scene(struct need_scene *s)
{
    diagnostics_free(s->diagnostics);
    arena_free(s->arena);
}

static void test_constant(void **state)
{
    (void)state;
    struct need_scene s;
    open_scene(&s, "2026-03-02", 48 * 3600);
    add(&s, 5);
    assert_walk(&s, "0..48: 5; cut");
    s.spec.until = "36h";
    assert_walk(&s, "0..36: 5; ends");
    s.spec.from = "2026-03-02T12:00Z";
    assert_walk(&s, "12..36: 5; ends");
    s.spec.from = "2026-02-01"; /* before the start: from the start on */
    s.spec.until = "2026-03-04";
    assert_walk(&s, "0..48: 5; ends");
    close_scene(&s);
}

static void test_list(void **state)
{
    (void)state;
    struct need_scene s;
    open_scene(&s, "2026-03-02", 1000 * 3600);
    add_from_for(&s, 2, NULL, 10 * 3600);
    add_from_for(&s, 3, "4h", 2 * 3600); /* items add up where they overlap */
    add_from_for(&s, 1, "2026-03-02T20:00Z", 3600);
    add_from_for(&s, 1, "21h", 3600); /* no change: one stretch */
    assert_walk(&s, "0..4: 2; 4..6: 5; 6..10: 2; 10..20: 0; 20..22: 1; ends");
    s.spec.until = "5h";
    assert_walk(&s, "0..4: 2; 4..5: 5; ends");
    close_scene(&s);

    /* An item without `for` has no end; a calendar month from 31 January is one to 28 February. */
    open_scene(&s, "2026-01-31", 1000 * 3600);
    add_from_for(&s, 2, "24h", 0);
    struct need_item *month = add(&s, 1);
    month->length = (struct quantity){.months = 1};
    month->length_given = true;
    assert_walk(&s, "0..24: 1; 24..672: 3; 672..1000: 2; cut");
    close_scene(&s);
}

/* What slips by a length that is no round number moves as a whole: each stretch is found, once, at
 * its end plus the slip, however that sum is rounded. */
static void test_slip(void **state)
{
    (void)state;
    struct need_scene s;
    open_scene(&s, "2026-03-02", 1000 * 3600);
    add_from_for(&s, 3, "5h", 30 * 3600);
    add_from_for(&s, 1, NULL, 40 * 3600);
    static const double ends_h[] = {5, 35, 40};
    static const uint32_t nodes[] = {1, 4, 1};
    for (int i = 1; i <= 2000; i++) {
        struct project project = {.spec.slip = NUMBER_CERTAIN(i * 86.4 / 7)};
        assert_true(need_plan_make(&s.plan, &s.spec, &project, &s.context));
        struct need n;
        need_begin(&n, &s.plan, NULL);
        assert_true(n.from_s == project.spec.slip.median);
        for (int k = 0; k < 3; k++) {
            assert_int_equal(n.nodes, nodes[k]);
            assert_true(n.to_s == ends_h[k] * 3600 + project.spec.slip.median);
            assert_int_equal(need_next(&n), k < 2);
        }
    }
    close_scene(&s);
}

static void test_rounding(void **state)
{
    (void)state;
    static const struct {
        double nodes, scale;
        uint32_t want;
    } cases[] = {{3, 1, 3},   {3, 0.5, 2},    {2.4999, 1, 2}, {2.5, 1, 3},
                 {0.4, 1, 0}, {10, 1.24, 12}, {10, 1.25, 13}, {10, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct need_scene s;
        struct need n;
        open_scene(&s, "2026-03-02", 3600);
        add(&s, cases[i].nodes);
        s.spec.scale = NUMBER_CERTAIN(cases[i].scale);
        assert_true(need_plan_make(&s.plan, &s.spec, NULL, &s.context));
        need_begin(&n, &s.plan, NULL);
        assert_int_equal(n.nodes, cases[i].want);
        close_scene(&s);
    }
}

/* 2026-03-02 is a Monday. */
static void test_day(void **state)
{
    (void)state;
    struct need_scene s;
    open_scene(&s, "2026-03-02T05:30Z", 48 * 3600);
    for (int h = 0; h < 24; h++) {
        add(&s, h >= 8 && h < 20 ? 4 : h == 23 ? 0 : 1);
    }
    assert_walk(&s, "0..2.5: 1; 2.5..14.5: 4; 14.5..17.5: 1; 17.5..18.5: 0; 18.5..26.5: 1; "
                    "26.5..38.5: 4; 38.5..41.5: 1; 41.5..42.5: 0; 42.5..48: 1; cut");
    close_scene(&s);
}

static void test_week(void **state)
{
    (void)state;
    struct need_scene s;
    open_scene(&s, "2026-03-06T12:00Z", 4 * 86400); /* a Friday noon */
    for (int h = 0; h < 168; h++) {
        add(&s, h < 5 * 24 ? 2 : h < 6 * 24 ? 1 : 0); /* Saturday 1, Sunday 0 */
    }
    assert_walk(&s, "0..12: 2; 12..36: 1; 36..60: 0; 60..96: 2; cut");
    close_scene(&s);
}

static void test_file(void **state)
{
    (void)state;
    static const struct need_step steps[] = {
        {-7200, 9}, {-3600, 2}, {3600, 2.4}, {7200, 6}, {1e9, 1}};
    struct need_scene s;
    open_scene(&s, "2026-03-02", 10 * 3600);
    s.items[0].file = "x.csv";
    s.spec.nodes.count = 1;
    s.spec.steps = (struct need_steps){steps, 5};
    assert_walk(&s, "0..2: 2; 2..10: 6; cut");
    s.spec.steps = (struct need_steps){steps + 2, 3};
    assert_walk(&s, "0..1: 0; 1..2: 2; 2..10: 6; cut");
    close_scene(&s);
}

/* No draw passes it, and no smaller number would do. */
static void test_most(void **state)
{
    (void)state;
    struct need_scene s;
    open_scene(&s, "2026-03-02", 48 * 3600);
    struct inputs *inputs = inputs_new(s.arena);
    struct distribution d = {
        .family = DISTRIBUTION_UNIFORM, .p = {2, 6}, .low = -HUGE_VAL, .high = HUGE_VAL};
    assert_true(distribution_prepare(&d, NULL, (char[200]){0}, 200));
    struct need_item *i = add(&s, 4);
    i->nodes.input = inputs_add(inputs, "nodes", "", &d);
    add_from_for(&s, 3, "10h", 3600);
    add_from_for(&s, 5, "12h", 3600);
    assert_true(need_plan_make(&s.plan, &s.spec, NULL, &s.context));
    assert_near(need_most(&s.plan, inputs), 11, 0, "6 + 5");
    s.spec.scale = NUMBER_CERTAIN(0.5);
    assert_near(need_most(&s.plan, inputs), 6, 0, "5.5 rounded");
    s.spec.scale = NUMBER_CERTAIN(1);
    uint32_t most = 0;
    for (uint32_t k = 0; k < 2000; k++) {
        double drawn[1];
        struct need n;
        assert_true(inputs_prepare(inputs, (char[200]){0}, 200));
        inputs_draw(inputs, (struct random_world){.seed = 9, .replication = k}, drawn);
        need_begin(&n, &s.plan, drawn);
        do {
            most = n.nodes > most ? n.nodes : most;
        } while (need_next(&n));
    }
    assert_int_equal(most, 11);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constant), cmocka_unit_test(test_list), cmocka_unit_test(test_slip),
        cmocka_unit_test(test_rounding), cmocka_unit_test(test_day),  cmocka_unit_test(test_week),
        cmocka_unit_test(test_file),     cmocka_unit_test(test_most),
    };
    return cmocka_run_group_tests_name("need", tests, NULL, NULL);
}
