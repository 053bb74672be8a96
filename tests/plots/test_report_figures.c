/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/testing.h"

#include "engine/civil_time.h"
#include "plots/sentences/report_figures.h"

#include <math.h>

#define NONE ((double)NAN)

static void test_money(void **state)
{
    static const struct {
        double value;
        const char *currency, *en, *zh;
    } rows[] = {{5152.0, "USD", "$5,150", "5,150 美元"},
                {241700.0, "USD", "$242k", "24.2 万美元"},
                {243900.0, "CNY", "CNY 244k", "24.4 万元"},
                {99990.0, "USD", "$100k", "10 万美元"},
                {1.2345e8, "USD", "$123M", "1.23 亿美元"},
                {99.999, "EUR", "EUR 100", "100 欧元"},
                {12.345, "USD", "$12.35", "12.35 美元"},
                {0.97316, "USD", "$0.973", "0.973 美元"},
                {0.0, "USD", "$0", "0 美元"},
                {-395.0, "USD", "-$395", "-395 美元"},
                {5.0e5, "XYZ", "XYZ 500k", "50 万XYZ"}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(
            report_money(REPORT_EN, rows[i].value, rows[i].currency, FIGURE_NEAREST).text,
            rows[i].en);
        assert_string_equal(
            report_money(REPORT_ZH, rows[i].value, rows[i].currency, FIGURE_NEAREST).text,
            rows[i].zh);
    }
    assert_string_equal(report_money(REPORT_EN, NONE, "USD", FIGURE_NEAREST).text, "unknown");
    assert_string_equal(report_money(REPORT_ZH, (double)INFINITY, "USD", FIGURE_NEAREST).text,
                        "未知");
}

static void test_a_stated_amount_loses_nothing(void **state)
{
    (void)state;
    assert_string_equal(report_money_exact(REPORT_ZH, 61250.0, "USD").text, "6.125 万美元");
    assert_string_equal(report_money_exact(REPORT_ZH, 12345678.91, "USD").text,
                        "1,234.567891 万美元");
    assert_string_equal(report_money_exact(REPORT_ZH, 6000.0, "USD").text, "6,000 美元");
    assert_string_equal(report_money_exact(REPORT_ZH, 99.95, "USD").text, "99.95 美元");
    assert_string_equal(report_money_exact(REPORT_EN, 61250.0, "USD").text, "$61,250");
}

/* What stands beside each other adds up as it stands. */
static void test_the_rest_adds_up_as_shown(void **state)
{
    static const struct {
        double whole, part;
        bool stated;
        const char *en, *zh;
    } rows[] = {
        /* 4,720 = 3,660 + 1,060, though the difference is 1,068. */
        {4723.0, 3655.1, false, "$1,060", "1,060 美元"},
        {12345.0, 1234.0, false, "$11,070", "1.107 万美元"},
        {20000.0, 12589.0, true, "$7,400", "7,400 美元"},
        {20050.0, 972.6, true, "$19,077", "1.9077 万美元"},
        {-20000.0, -23456.0, true, "$3,500", "3,500 美元"},
        /* Nothing would be left of it, or the wrong sign. */
        {4722.0, 4719.0, false, "$3", "3 美元"},
        {12560.0, 12555.0, true, "$5", "5 美元"},
        {50.0, 50.0, true, "$0", "0 美元"},
        {6000.0, NONE, true, "unknown", "未知"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(
            report_money_rest(REPORT_EN, rows[i].whole, rows[i].stated, rows[i].part, "USD").text,
            rows[i].en);
        assert_string_equal(
            report_money_rest(REPORT_ZH, rows[i].whole, rows[i].stated, rows[i].part, "USD").text,
            rows[i].zh);
    }
}

static void test_ranges_round_outwards(void **state)
{
    (void)state;
    assert_string_equal(report_money_range(REPORT_EN, 1321.0, 1539.0, "USD").text,
                        "$1,320 to $1,540");
    assert_string_equal(report_money_range(REPORT_ZH, 1321.0, 1539.0, "USD").text,
                        "1,320 至 1,540 美元");
    /* Not of one scale: both keep theirs. */
    assert_string_equal(report_money_range(REPORT_ZH, 9000.0, 12000.0, "USD").text,
                        "9,000 美元 至 1.2 万美元");
}

static void test_quantiles_and_their_bounds(void **state)
{
    const struct fact_quantile known = {2410.0, NONE, NONE, NONE, NONE};
    const struct fact_quantile bounded = {NONE, 2323.0, 2338.0, NONE, NONE};
    const struct fact_quantile open = {NONE, 2323.0, NONE, NONE, NONE};
    const struct fact_quantile nothing = {NONE, NONE, NONE, NONE, NONE};

    (void)state;
    assert_string_equal(report_quantile(REPORT_ZH, &known, "USD").text, "2,410 美元");
    assert_string_equal(report_quantile(REPORT_EN, &bounded, "USD").text, "$2,320 to $2,340");
    assert_string_equal(report_quantile(REPORT_ZH, &bounded, "USD").text, "2,320 至 2,340 美元");
    assert_string_equal(report_quantile(REPORT_EN, &open, "USD").text, ">= $2,320");
    assert_string_equal(report_quantile(REPORT_ZH, &open, "USD").text, "不低于 2,320 美元");
    assert_string_equal(report_quantile(REPORT_EN, &nothing, "USD").text, "unknown");
}

static void test_dates_and_times(void **state)
{
    int64_t unix_s = 0;

    (void)state;
    assert_true(civil_parse("2026-03-02", &unix_s));
    assert_string_equal(report_date(REPORT_EN, unix_s).text, "2 Mar 2026");
    assert_string_equal(report_date(REPORT_ZH, unix_s).text, "2026年3月2日");
    assert_string_equal(report_date_text(REPORT_ZH, "2026-12-31T23:59:59Z").text, "2026年12月31日");
    assert_string_equal(report_date_text(REPORT_EN, "spring").text, "spring");
    assert_string_equal(report_time(REPORT_EN, 85.2, TIME_DAYS, FIGURE_NEAREST).text, "3.55 days");
    assert_string_equal(report_time(REPORT_ZH, 85.2, TIME_DAYS, FIGURE_NEAREST).text, "3.55 天");
    assert_string_equal(report_time_short(REPORT_EN, 12.0, TIME_HOURS, FIGURE_NEAREST).text,
                        "12.0 h");
    assert_string_equal(report_time(REPORT_ZH, NONE, TIME_DAYS, FIGURE_NEAREST).text, "未知");
}

static void test_chances(void **state)
{
    (void)state;
    assert_string_equal(report_share(REPORT_EN, 0.12, 400.0).text, "12 %");
    assert_string_equal(report_share(REPORT_ZH, 0.12, 400.0).text, "12%");
    assert_string_equal(report_share(REPORT_ZH, 0.0, 400.0).text, "0/400");
    assert_string_equal(report_share(REPORT_ZH, 0.8, 5.0).text, "4/5");
    assert_string_equal(report_share(REPORT_ZH, 0.001, 2000.0).text, "低于 1%");
    assert_string_equal(report_chance(REPORT_EN, 0.0, 0.03, 400.0).text, "0 to 3 %");
    assert_string_equal(report_chance(REPORT_ZH, 0.0, 0.03, 400.0).text, "0% 至 3%");
    assert_string_equal(report_chance(REPORT_ZH, 0.4, 1.0, 400.0).text, "至少 40%");
    assert_string_equal(report_chance(REPORT_ZH, 0.0, 1.0, 400.0).text, "未知");
    assert_string_equal(report_futures(REPORT_ZH, 0.93, 400.0, FIGURE_NEAREST).text,
                        "93% 的模拟未来");
    assert_string_equal(report_futures(REPORT_ZH, 1.0, 400.0, FIGURE_NEAREST).text,
                        "全部 400 个模拟未来");
    assert_string_equal(report_futures(REPORT_EN, 0.93, 400.0, FIGURE_NEAREST).text,
                        "93 of 100 futures");
}

static void test_any_unit(void **state)
{
    (void)state;
    assert_string_equal(report_value(REPORT_EN, 9.5, "usd").text, "$9.50");
    assert_string_equal(report_value(REPORT_ZH, 50000.0, "usd").text, "5 万美元");
    assert_string_equal(report_value(REPORT_EN, 0.4, "frac").text, "40 %");
    assert_string_equal(report_value(REPORT_ZH, 0.4, "frac").text, "40%");
    assert_string_equal(report_value(REPORT_EN, 3.1, "").text, "3.1");
    assert_string_equal(report_value(REPORT_EN, 120.0, "s").text, "2 min");
    assert_string_equal(report_value(REPORT_EN, 250000.0, "").text, "250,000");
    assert_string_equal(report_value(REPORT_EN, NONE, "usd").text, "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_money),
        cmocka_unit_test(test_a_stated_amount_loses_nothing),
        cmocka_unit_test(test_the_rest_adds_up_as_shown),
        cmocka_unit_test(test_ranges_round_outwards),
        cmocka_unit_test(test_quantiles_and_their_bounds),
        cmocka_unit_test(test_dates_and_times),
        cmocka_unit_test(test_chances),
        cmocka_unit_test(test_any_unit),
    };

    return cmocka_run_group_tests_name("report_figures", tests, NULL, NULL);
}
