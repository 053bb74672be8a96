/* SPDX-License-Identifier: GPL-3.0-or-later
 * Known answers are written out by hand from the rules in figures.h. */
#include "tests/support/testing.h"

#include "plots/text/figures.h"

#include <math.h>
#include <string.h>

static void round_keeps_a_claim_true(void **state)
{
    (void)state;
    assert_near(figure_round(41287.0, 3, FIGURE_NEAREST), 41300.0, 1e-9, "nearest");
    assert_near(figure_round(41287.0, 3, FIGURE_DOWN), 41200.0, 1e-9, "down");
    assert_near(figure_round(41201.0, 3, FIGURE_UP), 41300.0, 1e-9, "up");
    /* A value that needs no rounding stays, whatever its binary form. */
    assert_near(figure_round(2.4, 3, FIGURE_UP), 2.4, 1e-12, "2.4 up");
    assert_near(figure_round(0.07, 2, FIGURE_DOWN), 0.07, 1e-15, "0.07 down");
    assert_near(figure_round(-41287.0, 3, FIGURE_UP), -41200.0, 1e-9, "negative up");
    assert_near(figure_round(0.0, 3, FIGURE_UP), 0.0, 0.0, "zero");
    assert_true(isnan(figure_round((double)NAN, 3, FIGURE_NEAREST)));
}

static void a_change_has_its_sign(void **state)
{
    (void)state;
    assert_string_equal(figure_change(0.042).text, "+4.2 %");
    assert_string_equal(figure_change(-0.1234).text, "-12 %");
    assert_string_equal(figure_change(1.63).text, "+163 %");
    assert_string_equal(figure_change(-0.00031).text, "-0.031 %");
    assert_string_equal(figure_change((double)NAN).text, "unknown");
}

struct money_row {
    const char *text;
    double value;
    const char *currency;
    enum figure_rounding rounding;
};

static void money_text_is(void **state)
{
    const struct money_row *r = *state;

    assert_string_equal(figure_money(r->value, r->currency, r->rounding).text, r->text);
}

static const struct money_row money_rows[] = {
    {"$0", 0.0, "USD", FIGURE_NEAREST},
    {"$2,410", 2412.0, "USD", FIGURE_NEAREST},
    {"$2,420", 2412.0, "USD", FIGURE_UP},
    {"$9,990", 9994.0, "USD", FIGURE_NEAREST},
    {"$10,000", 9996.0, "USD", FIGURE_NEAREST},
    {"$54,900", 54905.0, "USD", FIGURE_NEAREST},
    {"CNY 20,000", 20000.0, "CNY", FIGURE_NEAREST}, /* as in a table */
    {"$100k", 99960.0, "USD", FIGURE_NEAREST},      /* the carry changes the unit */
    {"$417k", 416882.0, "USD", FIGURE_NEAREST},
    {"$999k", 999400.0, "USD", FIGURE_NEAREST},
    {"$1M", 999600.0, "USD", FIGURE_NEAREST},
    {"$1.23M", 1234567.0, "USD", FIGURE_NEAREST},
    {"$2.4B", 2.4e9, "USD", FIGURE_NEAREST},
    {"$84", 84.0, "USD", FIGURE_NEAREST},
    {"$84.10", 84.1, "USD", FIGURE_NEAREST},
    {"$8.41", 8.412, "USD", FIGURE_NEAREST},
    {"$0.0523", 0.05234, "USD", FIGURE_NEAREST},
    {"$0.5", 0.5, "USD", FIGURE_NEAREST},
    {"-$485k", -485000.0, "USD", FIGURE_NEAREST},
    {"CNY 417k", 416882.0, "CNY", FIGURE_NEAREST},
    {"unknown", (double)INFINITY, "USD", FIGURE_NEAREST}};

static void amounts_suit_their_column(void **state)
{
    (void)state;
    assert_int_equal(figure_amount_decimals(512400.0), 0);
    assert_int_equal(figure_amount_decimals(14.7), 2);
    assert_int_equal(figure_amount_decimals(0.0312), 5);
    assert_int_equal(figure_amount_decimals(0.0), 0);
    assert_string_equal(figure_amount(512437.0, 0, FIGURE_NEAREST).text, "512,400");
    assert_string_equal(figure_amount(512437.0, 0, FIGURE_UP).text, "512,500");
    assert_string_equal(figure_amount(-1234.4, 0, FIGURE_NEAREST).text, "-1,234");
    assert_string_equal(figure_amount(123.456, 2, FIGURE_NEAREST).text, "123.46");
    assert_string_equal(figure_amount(123.451, 2, FIGURE_UP).text, "123.46");
    /* What is not zero never looks like zero. */
    assert_string_equal(figure_amount(0.2, 0, FIGURE_NEAREST).text, "< 1");
    assert_string_equal(figure_amount(-0.2, 0, FIGURE_NEAREST).text, "> -1");
    assert_string_equal(figure_amount(0.0, 0, FIGURE_NEAREST).text, "0");
    assert_string_equal(figure_amount((double)NAN, 0, FIGURE_NEAREST).text, "unknown");
    assert_string_equal(figure_decimal(1234567.5, 2).text, "1,234,567.50");
    assert_string_equal(figure_decimal(-0.001, 2).text, "0.00");
    /* No digit is cut off, however large. */
    assert_string_equal(figure_decimal(999999999999999.0, 2).text, "999,999,999,999,999.00");
    assert_string_equal(figure_decimal(-1.5e300, 2).text, "-1.5e+300");
    assert_string_equal(figure_money(1.17e28, "USD", FIGURE_NEAREST).text, "$1.17e+19B");
    assert_string_equal(figure_change(8.4e37).text, "+8.4e+39 %");
    assert_string_equal(figure_count(2000.0).text, "2,000");
}

static void times_have_one_unit(void **state)
{
    (void)state;
    assert_int_equal(figure_time_unit(1.0), TIME_MINUTES);
    assert_int_equal(figure_time_unit(71.9), TIME_HOURS);
    assert_int_equal(figure_time_unit(72.0), TIME_DAYS);
    assert_int_equal(figure_time_unit(0.0), TIME_HOURS);
    assert_string_equal(figure_time(38.52, TIME_HOURS, FIGURE_NEAREST).text, "38.5 h");
    assert_string_equal(figure_time(84.5, TIME_DAYS, FIGURE_NEAREST).text, "3.52 d");
    assert_string_equal(figure_time(84.0, TIME_DAYS, FIGURE_DOWN).text, "3.50 d");
    assert_string_equal(figure_time(0.4, TIME_MINUTES, FIGURE_NEAREST).text, "24.0 min");
    assert_string_equal(figure_time(0.0001, TIME_HOURS, FIGURE_NEAREST).text, "< 0.01 h");
    assert_string_equal(figure_time(0.0, TIME_HOURS, FIGURE_NEAREST).text, "0 h");
    assert_string_equal(figure_time((double)NAN, TIME_HOURS, FIGURE_NEAREST).text, "unknown");
    assert_string_equal(figure_time_words(96.0, TIME_DAYS, FIGURE_NEAREST).text, "4 days");
    assert_string_equal(figure_time_words(85.1, TIME_DAYS, FIGURE_UP).text, "3.55 days");
    assert_string_equal(figure_time_words(1.0, TIME_MINUTES, FIGURE_NEAREST).text, "60 minutes");
    assert_string_equal(figure_time_words(1.0, TIME_HOURS, FIGURE_NEAREST).text, "1 hour");
    assert_string_equal(figure_time_words(63.0, TIME_DAYS, FIGURE_NEAREST).text, "2.63 days");
    assert_string_equal(figure_time_words(63.0, TIME_HOURS, FIGURE_NEAREST).text, "63 hours");
    assert_string_equal(figure_time_words(24.0 * 365.0, TIME_DAYS, FIGURE_NEAREST).text,
                        "365 days");
    assert_string_equal(figure_time_words((double)NAN, TIME_DAYS, FIGURE_UP).text, "unknown");
}

/* What somebody stated, a budget, is not rounded to three digits. */
static void stated_amounts_are_not_rounded(void **state)
{
    (void)state;
    assert_string_equal(figure_money_exact(6000.0, "USD").text, "$6,000");
    assert_string_equal(figure_money_exact(61250.0, "USD").text, "$61,250");
    assert_string_equal(figure_money_exact(1234567.0, "CNY").text, "CNY 1,234,567");
    assert_string_equal(figure_money_exact(1500000.0, "USD").text, "$1.5M");
    assert_string_equal(figure_money_exact(1234.5, "USD").text, "$1,234.50");
    assert_string_equal(figure_money_exact((double)NAN, "USD").text, "unknown");
}

struct share_row {
    const char *text;
    double at_least, at_most, n;
};

static void share_text_is(void **state)
{
    const struct share_row *r = *state;

    assert_string_equal(figure_chance(r->at_least, r->at_most, r->n).text, r->text);
    if (r->at_least == r->at_most)
        assert_string_equal(figure_share(r->at_least, r->n).text, r->text);
}

static const struct share_row share_rows[] = {
    {"12 %", 0.124, 0.124, 1000.0},
    {"< 1 %", 0.004, 0.004, 1000.0},
    {"1 %", 0.01, 0.01, 1000.0},
    {"> 99 %", 0.9999, 0.9999, 20000.0},
    {"99 %", 0.99, 0.99, 1000.0},
    {"0 of 1,000", 0.0, 0.0, 1000.0},
    {"all 1,000", 1.0, 1.0, 1000.0},
    {"4 of 5", 0.8, 0.8, 5.0},
    {"unknown", (double)NAN, (double)NAN, 1000.0},
    /* bounds: away from each other, unless both say the same */
    {"0 to 2 %", 0.0, 0.0155, 2000.0},
    {"12 to 14 %", 0.124, 0.1355, 2000.0},
    {"13 %", 0.129, 0.1305, 2000.0},
    {"< 1 %", 0.0, 0.004, 2000.0},
    {">= 97 %", 0.979, 1.0, 2000.0},
    {"97 to 100 %", 0.97, 0.995, 2000.0},
    {"0 to 2 of 5", 0.0, 0.4, 5.0},
    {"unknown", 0.0, 1.0, 500.0},
    {"unknown", 0.0, 1.0, 5.0},
    {"unknown", 0.2, (double)NAN, 5.0}};

struct futures_row {
    const char *text;
    double share, n;
    enum figure_rounding rounding;
};

static void futures_text_is(void **state)
{
    const struct futures_row *r = *state;

    assert_string_equal(figure_futures(r->share, r->n, r->rounding).text, r->text);
}

static const struct futures_row futures_rows[] = {
    {"93 of 100 futures", 0.93, 2000.0, FIGURE_NEAREST},
    {"9 of 10 futures", 0.9, 2000.0, FIGURE_NEAREST},
    {"96 of 100 futures", 0.9695, 2000.0, FIGURE_DOWN},
    {"97 of 100 futures", 0.9605, 2000.0, FIGURE_UP},
    {"all 2,000 futures", 1.0, 2000.0, FIGURE_NEAREST},
    {"none of 2,000 futures", 0.0, 2000.0, FIGURE_NEAREST},
    {"more than 99 of 100 futures", 0.9995, 2000.0, FIGURE_NEAREST},
    {"fewer than 1 of 100 futures", 0.0005, 2000.0, FIGURE_NEAREST},
    {"99 of 100 futures", 0.99, 2000.0, FIGURE_NEAREST},
    {"4 of 5 futures", 0.8, 5.0, FIGURE_NEAREST},
    {"the one future", 1.0, 1.0, FIGURE_NEAREST},
    {"no future", 0.0, 1.0, FIGURE_NEAREST}};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

int main(void)
{
    const struct CMUnitTest own[] = {
        cmocka_unit_test(round_keeps_a_claim_true), cmocka_unit_test(a_change_has_its_sign),
        cmocka_unit_test(amounts_suit_their_column), cmocka_unit_test(times_have_one_unit),
        cmocka_unit_test(stated_amounts_are_not_rounded)};
    struct CMUnitTest tests[sizeof own / sizeof own[0] + COUNT(money_rows) + COUNT(share_rows) +
                            COUNT(futures_rows)];
    size_t n = sizeof own / sizeof own[0];
    memcpy(tests, own, sizeof own);
    for (size_t i = 0; i < COUNT(money_rows); i++)
        tests[n++] = (struct CMUnitTest){money_rows[i].text, money_text_is, NULL, NULL,
                                         (void *)(uintptr_t)&money_rows[i]};
    for (size_t i = 0; i < COUNT(share_rows); i++)
        tests[n++] = (struct CMUnitTest){share_rows[i].text, share_text_is, NULL, NULL,
                                         (void *)(uintptr_t)&share_rows[i]};
    for (size_t i = 0; i < COUNT(futures_rows); i++)
        tests[n++] = (struct CMUnitTest){futures_rows[i].text, futures_text_is, NULL, NULL,
                                         (void *)(uintptr_t)&futures_rows[i]};
    return _cmocka_run_group_tests("figures", tests, n, NULL, NULL);
}
