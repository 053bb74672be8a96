/* SPDX-License-Identifier: GPL-3.0-or-later
 * Every rule of title_offers.h, from levels in which the claim holds and in which it does not; how
 * curves are read, and the chart that is drawn of them. */
#include "tests/support/testing.h"

#include "plots/charts/chart_offers.h"
#include "plots/facts/offer_curves.h"
#include "plots/sentences/title_offers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct bench {
    struct table *t;
    struct arena *arena;
    struct diagnostics *d;
    struct offer_curves curves;
    struct text out;
};

enum { OFFER, IS, UNIT, SIZE, MEAN, REGRET, REGRET_LOW, REGRET_HIGH, OBLIGATION, COLUMNS };
static const struct column columns[COLUMNS] = {
    {"offer", "", "", COLUMN_INTEGER, 0},      {"is", "", "", COLUMN_TEXT, 0},
    {"unit", "", "", COLUMN_TEXT, 0},          {"size", "", "", COLUMN_NUMBER, -1},
    {"mean", "", "", COLUMN_NUMBER, -1},       {"regret", "", "", COLUMN_NUMBER, -1},
    {"regret_low", "", "", COLUMN_NUMBER, -1}, {"regret_high", "", "", COLUMN_NUMBER, -1},
    {"obligation", "", "", COLUMN_NUMBER, -1}};

static int set_up(void **state)
{
    static struct bench b;

    b = (struct bench){.t = table_new("offer_levels", columns, COLUMNS),
                       .arena = arena_new(0),
                       .d = diagnostics_new()};
    text_init(&b.out, 0);
    *state = &b;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *b = *state;

    table_free(b->t);
    arena_free(b->arena);
    diagnostics_free(b->d);
    text_release(&b->out);
    return 0;
}

static void add(struct bench *b, int offer, const char *is, const char *unit, double size,
                double mean, double regret, double half)
{
    const size_t row = table_add_row(b->t);

    table_set_integer(b->t, row, OFFER, offer);
    table_set_text(b->t, row, IS, is);
    table_set_text(b->t, row, UNIT, unit);
    table_set_number(b->t, row, SIZE, size);
    table_set_number(b->t, row, MEAN, mean);
    table_set_number(b->t, row, REGRET, regret);
    table_set_number(b->t, row, REGRET_LOW, regret - half);
    table_set_number(b->t, row, REGRET_HIGH, regret + half);
    table_set_number(b->t, row, OBLIGATION, 1000.0 * size);
}

static const char *title(struct bench *b)
{
    assert_true(offer_curves_read(&b->curves, b->t, b->arena, b->d));
    text_clear(&b->out);
    title_offers(&b->out, &b->curves, "USD");
    return b->out.data;
}

static void a_sure_saving_is_claimed(void **state)
{
    struct bench *b = *state;

    add(b, 1, "a type, 1-year", "instances", 0.0, 9000.0, 1000.0, 200.0);
    add(b, 1, "a type, 1-year", "instances", 2.0, 8000.0, 0.0, 0.0);
    add(b, 1, "a type, 1-year", "instances", 4.0, 9500.0, 1500.0, 200.0);
    add(b, 2, "a plan", "currency an hour", 0.0, 9000.0, 2000.0, 2100.0);
    add(b, 2, "a plan", "currency an hour", 3.5, 7000.0, 0.0, 0.0);
    /* The plan's mean is the least, but its saving is not sure. */
    assert_string_equal(
        title(b), "2 of a type, 1-year alone cost $1,000 less on average than nothing signed");
    assert_int_equal(b->curves.count, 2);
    assert_string_equal(b->curves.offer[0].name, "a plan");
    assert_int_equal(b->curves.offer[1].least, 1);
    assert_string_equal(offer_size(&b->curves.offer[0], &b->curves.offer[0].point[1], "USD").text,
                        "$3.50/h");
}

static void what_covers_zero_is_not_claimed(void **state)
{
    struct bench *b = *state;

    add(b, 1, "a", "instances", 0.0, 9000.0, 1000.0, 1200.0);
    add(b, 1, "a", "instances", 2.0, 8000.0, 0.0, 0.0);
    assert_string_equal(title(b), "No offer alone is clearly cheaper than nothing signed");
}

static void nothing_may_be_the_best(void **state)
{
    struct bench *b = *state;

    add(b, 1, "a", "instances", 0.0, 9000.0, 0.0, 0.0);
    add(b, 1, "a", "instances", 1.0, 9900.0, 900.0, 100.0);
    add(b, 2, "lonely", "instances", 0.0, 9000.0, 0.0, 0.0);
    add(b, 3, "unknown", "instances", 0.0, 9000.0, 0.0, 0.0);
    add(b, 3, "unknown", "instances", 1.0, (double)NAN, 0.0, 0.0);
    assert_string_equal(title(b), "No offer alone costs less than nothing signed");
    assert_int_equal(b->curves.count, 1); /* others are no curves */
}

static void a_table_without_its_columns_is_told(void **state)
{
    struct bench *b = *state;
    struct table *other = table_new("offer_levels", columns, 2);

    assert_false(offer_curves_read(&b->curves, other, b->arena, b->d));
    assert_true(diagnostics_failed(b->d));
    table_free(other);
}

/* Many offers: the page holds some, the rest is said; a name with a quote is harmless. */
static void the_chart_holds_what_fits(void **state)
{
    struct bench *b = *state;
    const struct chart_frame frame = {.currency = "USD", .cost_metric = "cost_usd", .origin = "o"};
    const struct study_facts facts = {.frame = &frame, .baseline = -1, .chosen = -1, .subject = -1};
    const struct chart_tables tables = {.offers = b->t};
    const struct chart_context c = {
        .facts = &facts, .tables = &tables, .arena = b->arena, .diagnostics = b->d};
    struct chart_script s;
    FILE *data = tmpfile();

    for (int i = 0; i < 6; i++) {
        add(b, i + 1, "it's `an` offer", "instances", 0.0, 9000.0, 1000.0, 200.0);
        add(b, i + 1, "it's `an` offer", "instances", 2.0, 8000.0, 0.0, 0.0);
        /* Far beyond what pays: not on the page. */
        add(b, i + 1, "it's `an` offer", "instances", 4.0, 9e6, 9e6, 10.0);
        add(b, i + 1, "it's `an` offer", "instances", 4e3, 9e9, 9e9, 10.0);
    }
    assert_non_null(data);
    assert_true(chart_script_init(&s, "offers", data));
    assert_int_equal(chart_offers(&s, &c), CHART_DRAWN);
    assert_non_null(strstr(s.gp.data, "2 more offers in offer_levels.csv"));
    assert_non_null(strstr(s.gp.data, "regret: none $1,000"));
    assert_null(strstr(s.gp.data, "$9B"));
    assert_true(chart_script_finish(&s));
    chart_script_release(&s);
    fclose(data);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_sure_saving_is_claimed), TEST(what_covers_zero_is_not_claimed),
        TEST(nothing_may_be_the_best), TEST(a_table_without_its_columns_is_told),
        TEST(the_chart_holds_what_fits)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
