/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is said of a threshold: each rule of threshold_rows.h, and no more than was found. */
#include "scenarios/decide/threshold_rows.h"

#include "tests/support/testing.h"

#include <math.h>
#include <string.h>

#define NONE ((double)NAN)

static struct threshold_case base(const struct crossings *found)
{
    return (struct threshold_case){.input = "market.spot.x.price",
                                   .unit = "usd_per_hour",
                                   .now = 20,
                                   .from = 10,
                                   .to = 40,
                                   .chosen = "spot",
                                   .other = "od",
                                   .objective = "cost_usd.mean",
                                   .found = found,
                                   .worlds = 500};
}

static void assert_said(const struct threshold_case *c, size_t index, const char *want)
{
    struct text out;

    text_init(&out, 4096);
    threshold_sentence(&out, c, index);
    assert_string_equal(out.data, want);
    text_release(&out);
}

static void a_flip(void **state)
{
    (void)state;
    struct crossings f = {.of = {{30.004, 28, 33, true, 29}},
                          .count = 1,
                          .known_from = 10,
                          .known_to = 40,
                          .first = -5};
    struct threshold_case c = base(&f);
    assert_said(&c, 0,
                "od wins above 30 USD/h of market.spot.x.price (now 20 USD/h); level from 28 USD/h "
                "to 33 USD/h");
    f.of[0].rises = false;
    f.of[0].high = NONE;
    c.now = NONE;
    assert_said(&c, 0,
                "od wins below 30 USD/h of market.spot.x.price; level from 28 USD/h to the end of "
                "the range");
    f.of[0].low = f.of[0].high = f.of[0].at;
    assert_said(&c, 0, "od wins below 30 USD/h of market.spot.x.price");
    f.of[0].low = f.of[0].at - 1e-4; /* less than its four digits show */
    f.of[0].high = f.of[0].at + 1e-4;
    assert_said(&c, 0, "od wins below 30 USD/h of market.spot.x.price");
    f.count = 2;
    f.of[1] = (struct crossing){35, 35, 35, true, 34};
    assert_said(&c, 1,
                "od wins above 35 USD/h of market.spot.x.price; one of 2 values at which it flips");
    f.count = 1;
    f.known_to = 36;
    c.reason = "not finished";
    assert_said(&c, 0,
                "od wins below 30 USD/h of market.spot.x.price; beyond 36 USD/h nothing is known: "
                "not finished");
}

static void none(void **state)
{
    (void)state;
    struct crossings f = {.known_from = 10, .known_to = 40, .first = -5};
    struct threshold_case c = base(&f);
    assert_said(
        &c, 0,
        "none in the range 10 USD/h to 40 USD/h of market.spot.x.price: spot stays ahead of "
        "od");
    f.first = 5;
    assert_said(&c, 0,
                "none in the range 10 USD/h to 40 USD/h of market.spot.x.price: od stays ahead of "
                "spot");
    f.first = 0;
    assert_said(
        &c, 0,
        "none in the range 10 USD/h to 40 USD/h of market.spot.x.price: spot and od are the "
        "same");
    f.known_from = f.known_to = NONE;
    c.reason = "no price";
    assert_said(&c, 0, "not known of market.spot.x.price: no price");
    c.found = NULL;
    assert_said(&c, 0, "not known of market.spot.x.price: no price");
}

static void rows(void **state)
{
    (void)state;
    struct crossings f = {.of = {{30, 28, NONE, true, 0}, {35, 35, 35, false, 0}},
                          .count = 2,
                          .known_from = 10,
                          .known_to = 40,
                          .first = -5};
    struct threshold_case c = base(&f);
    struct result_rows r;
    rows_begin(&r, "thresholds", "USD");
    threshold_rows_put(&r, &c);
    f.count = 0;
    threshold_rows_put(&r, &c);
    f.first = 5;
    threshold_rows_put(&r, &c);
    f.first = 0;
    threshold_rows_put(&r, &c);
    f.gaps = true;
    threshold_rows_put(&r, &c);
    c.found = NULL;
    threshold_rows_put(&r, &c);
    struct table *t = rows_end(&r);
    assert_int_equal(table_rows(t), 7);
    static const char *const outcomes[] = {"flips", "flips",   "ahead",  "behind",
                                           "same",  "unknown", "unknown"};
    for (size_t i = 0; i < 7; i++) {
        assert_string_equal(table_text(t, i, (size_t)table_find(t, "outcome")), outcomes[i]);
    }
    assert_near(table_number(t, 2, (size_t)table_find(t, "known_to")), 40, 0, "known to");
    assert_true(table_missing(t, 6, (size_t)table_find(t, "known_from")));
    size_t at = (size_t)table_find(t, "threshold"), side = (size_t)table_find(t, "direction");
    assert_near(table_number(t, 0, at), 30, 0, "threshold");
    assert_string_equal(table_text(t, 0, side), "above");
    assert_string_equal(table_text(t, 1, side), "below");
    assert_true(table_missing(t, 2, at) && table_missing(t, 2, side));
    assert_true(table_missing(t, 0, (size_t)table_find(t, "threshold_high")));
    table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flip),
        cmocka_unit_test(none),
        cmocka_unit_test(rows),
    };
    return cmocka_run_group_tests_name("threshold_rows", tests, NULL, NULL);
}
