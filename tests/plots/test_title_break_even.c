/* SPDX-License-Identifier: GPL-3.0-or-later
 * Every rule of title_break_even.h, and which ways the chart shows. */
#include "tests/support/testing.h"

#include "plots/sentences/title_break_even.h"

#include <math.h>
#include <stdio.h>

static struct table *new_table(void)
{
    static const struct column columns[] = {
        {"instance_type", "", "", COLUMN_TEXT, -1},
        {"way", "", "", COLUMN_TEXT, -1},
        {"term_years", "", "", COLUMN_INTEGER, 0},
        {"payment", "", "", COLUMN_TEXT, -1},
        {"basis", "", "", COLUMN_TEXT, -1},
        {"fixed", "", "", COLUMN_INTEGER, 0},
        {"signed", "", "", COLUMN_INTEGER, 0},
        {"per_hour_usd", "usd", "", COLUMN_NUMBER, -1},
        {"break_even_frac", "frac", "", COLUMN_NUMBER, -1},
        {"break_even_spot_frac", "frac", "", COLUMN_NUMBER, -1},
    };
    return table_new("break_even", columns, sizeof columns / sizeof columns[0]);
}

/* Of g5.xlarge, at 10 USD/h on demand; spot 0: none is known. */
static void add(struct table *t, const char *way, int years, const char *basis, int as_signed,
                double price, double spot)
{
    size_t row = table_add_row(t);

    table_set_text(t, row, 0, "g5.xlarge");
    table_set_text(t, row, 1, way);
    table_set_integer(t, row, 2, years > 0 ? years : COLUMN_MISSING_INTEGER);
    table_set_text(t, row, 3, years > 0 ? "no-upfront" : NULL);
    table_set_text(t, row, 4, basis);
    table_set_integer(t, row, 5, years > 0);
    table_set_integer(t, row, 6, as_signed);
    table_set_number(t, row, 7, price);
    table_set_number(t, row, 8, years > 0 ? price / 10 : (double)NAN);
    table_set_number(t, row, 9, years > 0 && spot > 0 ? price / spot : (double)NAN);
}

struct title_case {
    const char *name, *basis, *way;
    double price, spot;
    const char *title;
};

static const struct title_case cases[] = {
    {"beats both", "listed", "standard", 6.331, 7,
     "1-year standard RI, no upfront beats on-demand g5.xlarge when used more than 64 % of its "
     "term, and spot above 91 %"},
    {"never beats spot", "listed", "standard", 6.0, 6.0,
     "1-year standard RI, no upfront beats on-demand g5.xlarge when used more than 60 % of its "
     "term, and never beats spot"},
    {"no spot price", "stated", "compute-savings-plan", 6.0, 0,
     "1-year compute SP, no upfront beats on-demand g5.xlarge when used more than 60 % of its "
     "term"},
    {"never beats on demand", "stated", "compute-savings-plan", 10.0, 3,
     "1-year compute SP, no upfront never beats on-demand g5.xlarge"},
    {"assumed", "assumed", "compute-savings-plan", 5.0, 0,
     "1-year compute SP, no upfront (assumed) beats on-demand g5.xlarge when used more than 50 % "
     "of "
     "its term"},
};

static void title_of_a_way(void **state)
{
    const struct title_case *c = *state;
    struct table *t = new_table();
    struct diagnostics *d = diagnostics_new();
    struct buy_ways w;
    struct text title;

    add(t, "on-demand", 0, "planned", 0, 10, 0);
    if (c->spot > 0)
        add(t, "spot", 0, "planned", 0, c->spot, 0);
    add(t, "convertible", 1, "listed", 0, 1.0, c->spot); /* cheaper, and nobody signs it */
    add(t, c->way, 1, c->basis, 1, c->price, c->spot);
    assert_true(buy_ways_read(&w, t, "cost_usd", d));
    text_init(&title, 0);
    title_break_even(&title, &w);
    assert_string_equal(title.data, c->title);
    assert_near(w.on_demand, 10, 0, "on demand");
    assert_true(c->spot > 0 ? w.spot == c->spot : isnan(w.spot));
    text_release(&title);
    diagnostics_free(d);
    table_free(t);
}

/* All that is signed, then the cheapest of each kind and term. */
static void which_ways_are_shown(void **state)
{
    struct table *t = new_table();
    struct diagnostics *d = diagnostics_new();
    struct buy_ways w;
    (void)state;

    add(t, "on-demand", 0, "planned", 0, 10, 0);
    add(t, "standard", 1, "listed", 0, 7, 0);
    add(t, "standard", 1, "listed", 0, 6, 0);
    add(t, "standard", 3, "listed", 0, 4, 0);
    assert_true(buy_ways_read(&w, t, "cost_usd", d));
    assert_int_equal(w.count, 0); /* nothing is signed */
    assert_null(buy_ways_signed(&w));
    add(t, "standard", 1, "listed", 2, 8, 0);
    assert_true(buy_ways_read(&w, t, "cost_usd", d));
    assert_int_equal(w.count, 2);
    assert_int_equal(w.left_out, 2);
    assert_near(w.way[0].per_hour, 4, 0, "by price");
    assert_near(w.way[1].per_hour, 8, 0, "the signed one, though it is dearer");
    assert_ptr_equal(buy_ways_signed(&w), &w.way[1]);
    diagnostics_free(d);
    table_free(t);
}

int main(void)
{
    enum { CASES = sizeof cases / sizeof cases[0] };
    struct CMUnitTest tests[CASES + 1] = {cmocka_unit_test(which_ways_are_shown)};

    for (size_t i = 0; i < CASES; i++)
        tests[i + 1] = (struct CMUnitTest){cases[i].name, title_of_a_way, NULL, NULL,
                                           (void *)(uintptr_t)&cases[i]};
    return _cmocka_run_group_tests("title_break_even", tests, CASES + 1, NULL, NULL);
}
