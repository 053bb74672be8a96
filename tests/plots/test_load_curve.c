/* SPDX-License-Identifier: GPL-3.0-or-later
 * Costs against loads, from tables that are written by hand. */
#include "plots/facts/load_curve.h"

#include "tests/support/testing.h"
#include "tests/support/text_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COLUMNS                                                                                    \
    "strategy:t,workload:t,start_s,end_s,arrived,served,overloaded,prompt_tokens,output_tokens,"   \
    "spend_usd"

struct made {
    char text[65536];
    size_t length;
};

/* An hour in two buckets: requests a second, dollars an hour; tokens < 0: no language model. */
static void add_hour(struct made *m, int hour, double per_s, double paid, double tokens, int hot)
{
    for (int half = 0; half < 2; half++) {
        const int from_s = 3600 * hour + 1800 * half;
        const double came = per_s * 1800;
        m->length += (size_t)snprintf(m->text + m->length, sizeof m->text - m->length,
                                      "a,w,%d,%d,%.10g,%.10g,%d,", from_s, from_s + 1800, came,
                                      came, hot && half == 1);
        if (tokens >= 0)
            m->length +=
                (size_t)snprintf(m->text + m->length, sizeof m->text - m->length, "%.10g,%.10g,",
                                 0.75 * tokens * came, 0.25 * tokens * came);
        else
            m->length += (size_t)snprintf(m->text + m->length, sizeof m->text - m->length, ",,");
        if (isfinite(paid))
            m->length += (size_t)snprintf(m->text + m->length, sizeof m->text - m->length, "%.10g",
                                          0.5 * paid);
        m->length += (size_t)snprintf(m->text + m->length, sizeof m->text - m->length, "\n");
    }
}

static struct load_curve curve_of(const struct made *m, const char *columns)
{
    struct table *t = text_table("services", columns, m->text);
    struct arena *arena = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    struct load_curve curve;
    assert_true(load_curve_read(&curve, t, "spend_usd", "a", "w", arena, d));
    diagnostics_free(d);
    arena_free(arena);
    table_free(t);
    return curve;
}

/* One node of $2 an hour by night, two by day: $2 over 0.5/s × 3600 × 1000 tokens, … */
static void a_group_is_what_is_paid_over_what_is_answered(void **state)
{
    struct made m = {.length = 0};
    (void)state;
    for (int h = 0; h < 24; h++) {
        const bool day = h % 4 >= 2;
        add_hour(&m, h, day ? 2 : 0.5, day ? 4 : 2, 1000, 0);
    }
    struct load_curve c = curve_of(&m, COLUMNS);
    assert_true(c.tokens);
    assert_int_equal(c.count, 2); /* two loads, however many hours */
    assert_near(c.hours, 24, 1e-9, "hours");
    assert_near(c.point[0].per_s, 0.5, 1e-9, "night");
    assert_near(c.point[0].cost, 2 / 1.8, 1e-9, "$ a million tokens");
    assert_near(c.point[0].hours, 12, 1e-9, "half the day");
    assert_near(c.point[1].cost, 4 / 7.2, 1e-9, "by day");
}

static void loads_between_are_grouped_in_order(void **state)
{
    struct made m = {.length = 0};
    (void)state;
    double paid = 0, requests = 0;
    for (int h = 0; h < 25; h++) {
        add_hour(&m, h, 1 + (h * 7) % 25, 3, -1, 0);
    }
    struct load_curve c = curve_of(&m, COLUMNS);
    assert_false(c.tokens);
    assert_int_equal(c.count, LOAD_CURVE_POINTS);
    for (size_t k = 0; k < c.count; k++) {
        assert_true(c.point[k].hours >= 3 - 1e-9);
        assert_true(k == 0 || c.point[k].per_s > c.point[k - 1].per_s);
        paid += c.point[k].hours * 3;
        requests += c.point[k].per_s * c.point[k].hours * 3600;
        assert_near(c.point[k].cost, 3 / (3.6 * c.point[k].per_s), 1e-9, "of 1,000 requests");
    }
    assert_near(paid, 75, 1e-9, "every hour is in one group");
    assert_near(requests, 3600.0 * 25 * 13, 1e-3, "likewise its requests");
}

static void overload_makes_nothing_cheap(void **state)
{
    struct made m = {.length = 0};
    (void)state;
    for (int h = 0; h < 12; h++) {
        add_hour(&m, h, h < 6 ? 1 : 2, 1, 100, 0);
    }
    struct load_curve calm = curve_of(&m, COLUMNS);
    for (int h = 12; h < 20; h++) {
        add_hour(&m, h, 50, 1, 100, 1);
    }
    struct load_curve c = curve_of(&m, COLUMNS);
    assert_int_equal(c.count, 2);
    assert_near(c.left_out_h, 8, 1e-9, "left out, though half of each was not overloaded");
    assert_near(c.point[1].cost, calm.point[1].cost, 0, "as without them");
}

static void hours_before_measuring_are_none(void **state)
{
    struct made m = {.length = 0};
    (void)state;
    m.length = (size_t)snprintf(m.text, sizeof m.text,
                                "a,w,0,1800,9000,0,,,,70\n"
                                "a,w,1800,3600,9000,9000,0,,,70\n");
    for (int h = 1; h < 13; h++) {
        add_hour(&m, h, h < 7 ? 1 : 2, 1, -1, 0);
    }
    struct load_curve c = curve_of(&m, COLUMNS);
    assert_int_equal(c.count, 2);
    assert_near(c.hours, 12, 1e-9, "the first is not one of them");
    assert_near(c.left_out_h, 0, 0, "nor is it one of overload");
    assert_near(c.point[1].cost, 1 / 7.2, 1e-9, "of 1,000 requests");
}

/* Chance alone makes no curve, and splits no load in two. */
static void loads_that_differ_by_chance_are_one(void **state)
{
    struct made m = {.length = 0};
    (void)state;
    for (int h = 0; h < 48; h++) {
        add_hour(&m, h, (h % 2 == 0 ? 0.5 : 2) * (1 + 0.01 * (h % 5)), 1, -1, 0);
    }
    struct load_curve c = curve_of(&m, COLUMNS);
    assert_int_equal(c.count, 2);
    assert_near(c.point[0].hours, 24, 1e-9, "0.5");
    m.length = 0;
    for (int h = 0; h < 48; h++) {
        add_hour(&m, h, 2 + 0.03 * (h % 5), 1, -1, 0);
    }
    assert_int_equal(curve_of(&m, COLUMNS).count, 0);
}

static void what_says_nothing_has_no_points(void **state)
{
    struct made m = {.length = 0};
    (void)state;
    for (int h = 0; h < 5; h++) {
        add_hour(&m, h, 1 + h, 1, -1, 0);
    }
    assert_int_equal(curve_of(&m, COLUMNS).count, 0); /* too short */
    m.length = 0;
    for (int h = 0; h < 48; h++) {
        add_hour(&m, h, 1 + h % 5, (double)NAN, -1, 0);
    }
    struct load_curve c = curve_of(&m, COLUMNS);
    assert_int_equal(c.count, 0);
    assert_true(c.unpaid);
    m.length = 0;
    for (int h = 0; h < 48; h++) {
        add_hour(&m, h, 0, 1, -1, 0); /* nothing comes */
    }
    assert_int_equal(curve_of(&m, COLUMNS).count, 0);
    m.length = 0;
    for (int h = 0; h < 48; h++) {
        add_hour(&m, h, 3, 1, -1, 0); /* one load is no curve */
    }
    assert_int_equal(curve_of(&m, COLUMNS).count, 0);
    const struct made none = {.text = "a,w,0\n"};
    assert_int_equal(curve_of(&none, "strategy:t,workload:t,start_s").count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_group_is_what_is_paid_over_what_is_answered),
        cmocka_unit_test(loads_between_are_grouped_in_order),
        cmocka_unit_test(overload_makes_nothing_cheap),
        cmocka_unit_test(hours_before_measuring_are_none),
        cmocka_unit_test(loads_that_differ_by_chance_are_one),
        cmocka_unit_test(what_says_nothing_has_no_points),
    };
    return cmocka_run_group_tests_name("load_curve", tests, NULL, NULL);
}
