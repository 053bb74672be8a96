/* SPDX-License-Identifier: GPL-3.0-or-later
 * Every rule of title_levels.h, from levels in which the claim holds and in which it does not, and
 * the chart that is drawn from the same table. */
#include "tests/support/testing.h"

#include "plots/charts/chart_levels.h"
#include "plots/sentences/title_levels.h"
#include "tests/support/sample_study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAVED "savings plan"

struct bench {
    struct sample_study study;
    struct study_facts facts;
    struct diagnostics *d;
    struct table *levels;
    struct text out;
    char title[512];
};

static int set_up(void **state)
{
    static struct bench b;
    const struct sample_strategy strategies[] = {
        {"on-demand", 3300.0, 0.1, 60.0, 0.1, 0.0, 0.0, 0.0},
        {SAVED, 1500.0, 0.1, 80.0, 0.1, 0.0, 0.0, 100.0},
        {"reserved", 2500.0, 0.1, 80.0, 0.1, 0.0, 0.0, 100.0}};
    const struct sample_options options = {
        .worlds = 200, .budget = (double)NAN, .deadline_h = (double)NAN, .horizon_h = 1000.0};
    static const struct column columns[] = {
        {"strategy", "", "", COLUMN_TEXT, -1},
        {"level_frac", "frac", "", COLUMN_NUMBER, -1},
        {"instances", "", "", COLUMN_INTEGER, 0},
        {"hourly_usd", "usd", "", COLUMN_NUMBER, -1},
        {"cost_mean_usd", "usd", "", COLUMN_NUMBER, -1},
        {"cost_p10_usd", "usd", "", COLUMN_NUMBER, -1},
        {"cost_p90_usd", "usd", "", COLUMN_NUMBER, -1},
        {"unused_mean_frac", "frac", "", COLUMN_NUMBER, -1},
        {"over_signed_mean_usd", "usd", "", COLUMN_NUMBER, -1},
        {"over_signed_low_usd", "usd", "", COLUMN_NUMBER, -1},
        {"over_signed_high_usd", "usd", "", COLUMN_NUMBER, -1},
        {"n", "", "", COLUMN_INTEGER, 0},
        {"censored", "", "", COLUMN_INTEGER, 0},
    };

    memset(&b, 0, sizeof b);
    if (!sample_study_init(&b.study, strategies, 3, &options))
        return -1;
    b.d = diagnostics_new();
    b.levels = table_new("commitment_levels", columns, sizeof columns / sizeof columns[0]);
    b.study.tables.levels = b.levels;
    text_init(&b.out, 0);
    assert_true(study_facts_init(&b.facts, &b.study.frame, &b.study.tables, b.d));
    *state = &b;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *b = *state;

    table_free(b->levels);
    sample_study_release(&b->study);
    diagnostics_free(b->d);
    text_release(&b->out);
    return 0;
}

/* The cost of a level is known within `half`, against the signed one. */
static void add(struct bench *b, const char *strategy, double level, double instances,
                double hourly, double mean, double over, double half, int worlds)
{
    size_t row = table_add_row(b->levels);
    const double numbers[] = {
        mean, mean - 100.0, mean + 100.0, level > 0.0 ? 0.1 * level : (double)NAN,
        over, over - half,  over + half};

    table_set_text(b->levels, row, 0, strategy);
    table_set_number(b->levels, row, 1, level);
    table_set_integer(b->levels, row, 2,
                      isnan(instances) ? COLUMN_MISSING_INTEGER : (int64_t)instances);
    table_set_number(b->levels, row, 3, hourly);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        table_set_number(b->levels, row, 4 + i, numbers[i]);
    table_set_integer(b->levels, row, 11, worlds);
    table_set_integer(b->levels, row, 12, 0);
}

/* Signed: two instances at $1,500 (mean). One costs `over` more, none $900, four $700 more. */
static const char *title(struct bench *b, double over, double half, int worlds)
{
    struct level_course c;

    add(b, SAVED, 0, 0, (double)NAN, 2400, 900, half, worlds);
    add(b, SAVED, 0.5, 1, (double)NAN, 1500 + over, over, half, worlds);
    add(b, SAVED, 1, 2, (double)NAN, 1500, 0, 0, worlds);
    add(b, SAVED, 2, 4, (double)NAN, 2200, 700, half, worlds);
    assert_true(level_course_read(&c, b->levels, SAVED, "cost_usd", b->d));
    assert_int_equal(c.count, 4);
    title_levels(&b->out, &b->facts, 1, &c);
    return b->out.data;
}

static void another_size_is_surely_cheaper(void **state)
{
    assert_string_equal(title(*state, -123.4, 50, 200),
                        SAVED " would cost $123 less (mean) with 1 instance in place of 2");
}

static void none_is_cheapest(void **state)
{
    struct bench *b = *state;
    struct level_course c;

    add(b, SAVED, 0, 0, (double)NAN, 1000, -500, 20, 200);
    add(b, SAVED, 1, 2, (double)NAN, 1500, 0, 0, 200);
    assert_true(level_course_read(&c, b->levels, SAVED, "cost_usd", b->d));
    title_levels(&b->out, &b->facts, 1, &c);
    assert_string_equal(b->out.data, SAVED " would cost $500 less (mean) with no commitment");
}

/* The same differences, less well known. */
static void an_interval_over_zero_claims_nothing(void **state)
{
    assert_string_equal(title(*state, -123.4, 150, 200),
                        "No size of commitment is clearly cheaper than what " SAVED
                        " signs: 2 instances, $1,500 (mean)");
}

static void every_other_size_surely_costs_more(void **state)
{
    assert_string_equal(title(*state, 123.4, 50, 200),
                        "What " SAVED
                        " signs, 2 instances, costs less than any other size: $1,500 (mean)");
}

/* It has the least mean, but one other is not surely dearer. */
static void the_least_mean_alone_is_no_claim(void **state)
{
    assert_string_equal(title(*state, 123.4, 150, 200),
                        "No size of commitment is clearly cheaper than what " SAVED
                        " signs: 2 instances, $1,500 (mean)");
}

static void one_future_is_said_to_be_one(void **state)
{
    assert_string_equal(title(*state, -123.4, (double)NAN, 1),
                        SAVED " would cost $123 less (in the one simulated future) with 1 instance "
                              "in place of 2");
}

/* What is on the axis is what is signed. */
static void sizes_in_words(void **state)
{
    struct bench *b = *state;
    struct level_course c;

    add(b, SAVED, 0.5, (double)NAN, 15, 1400, -100, 5, 200);
    add(b, SAVED, 1, (double)NAN, 30, 1500, 0, 0, 200);
    assert_true(level_course_read(&c, b->levels, SAVED, "cost_usd", b->d));
    assert_int_equal(level_course_scale(&c), LEVEL_HOURLY);
    title_levels(&b->out, &b->facts, 1, &c);
    assert_string_equal(b->out.data,
                        SAVED " would cost $100 less (mean) with $15/h in place of $30/h");
    add(b, "reserved", 0.5, 1, 15, 1400, -100, 5, 200);
    add(b, "reserved", 1, 2, 30, 1500, 0, 0, 200);
    assert_true(level_course_read(&c, b->levels, "reserved", "cost_usd", b->d));
    assert_int_equal(level_course_scale(&c), LEVEL_PERCENT);
    text_clear(&b->out);
    title_levels(&b->out, &b->facts, 2, &c);
    assert_string_equal(b->out.data, "reserved would cost $100 less (mean) with 50 % of it signed");
}

/* ---- the chart ---- */

static enum chart_result draw(struct bench *b)
{
    struct chart_context c = {.facts = &b->facts, .tables = &b->study.tables, .diagnostics = b->d};
    struct chart_script s;
    FILE *data = tmpfile();
    enum chart_result result;

    c.arena = arena_new(0);
    c.shown = chart_shown_pick(&b->facts, CHART_SERIES_MAX);
    assert_true(data != NULL && c.arena != NULL && chart_script_init(&s, "levels", data));
    result = chart_levels(&s, &c);
    assert_true(chart_script_finish(&s));
    text_clear(&b->out);
    text_add(&b->out, s.gp.data);
    snprintf(b->title, sizeof b->title, "%s", s.title);
    chart_script_release(&s);
    fclose(data);
    arena_free(c.arena);
    return result;
}

static void has(const struct bench *b, const char *what)
{
    if (strstr(b->out.data, what) == NULL)
        fail_msg("'%s' is not in the script", what);
}

static void the_subject_has_the_page(void **state)
{
    struct bench *b = *state;

    add(b, "reserved", 0, 0, (double)NAN, 2600, 100, 5, 200);
    add(b, "reserved", 1, 2, (double)NAN, 2500, 0, 0, 200);
    (void)title(b, -123.4, 50, 200);
    assert_int_equal(draw(b), CHART_DRAWN);
    assert_string_equal(b->title,
                        SAVED " would cost $123 less (mean) with 1 instance in place of 2");
    has(b, "'Signed: 2 instances'");
    has(b, "'Least mean: $1,380'");
    has(b, "1 more strategy is in commitment_levels.csv");
    has(b, "'Instances reserved'");
    has(b, "'20 %'"); /* of four instances goes unused */
}

/* Nothing signed, and means that nobody knows: no chart. */
static void nothing_to_draw(void **state)
{
    struct bench *b = *state;

    assert_int_equal(draw(b), CHART_NOTHING);
    add(b, SAVED, 0, 0, (double)NAN, (double)NAN, (double)NAN, 0, 200);
    add(b, SAVED, 1, 2, (double)NAN, (double)NAN, (double)NAN, 0, 200);
    assert_int_equal(draw(b), CHART_NOTHING);
    add(b, "reserved", 0, 0, (double)NAN, 2600, 100, 5, 200);
    add(b, "reserved", 1, 2, (double)NAN, 2500, 0, 0, 200);
    assert_int_equal(draw(b), CHART_DRAWN);
    assert_string_equal(
        b->title,
        "What reserved signs, 2 instances, costs less than any other size: $2,500 (mean)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(another_size_is_surely_cheaper, set_up, tear_down),
        cmocka_unit_test_setup_teardown(none_is_cheapest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_interval_over_zero_claims_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_other_size_surely_costs_more, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_least_mean_alone_is_no_claim, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_future_is_said_to_be_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sizes_in_words, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_subject_has_the_page, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_to_draw, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("title_levels", tests, NULL, NULL);
}
