/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/testing.h"

#include "engine/civil_time.h"
#include "plots/text/ticks.h"

#include <stdio.h>
#include <string.h>

/* All labels of t, joined by '|'. */
static const char *labels(const struct ticks *t, char out[1024])
{
    out[0] = '\0';
    for (size_t i = 0; i < t->count; i++)
        snprintf(out + strlen(out), 1024 - strlen(out), "%s%s", i == 0 ? "" : "|",
                 t->tick[i].label);
    return out;
}

static void steps_are_round(void **state)
{
    static const struct {
        double span;
        size_t wanted;
        double step;
    } rows[] = {{100, 5, 20},    {100, 4, 25},  {1, 10, 0.1},   {7, 3, 2.5},
                {0.03, 3, 0.01}, {9e8, 2, 5e8}, {3600, 1, 5000}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_relative(ticks_step(rows[i].span, rows[i].wanted), rows[i].step, 1e-12, "step");
}

static void money_has_one_unit_on_an_axis(void **state)
{
    struct ticks t;
    char text[1024];

    (void)state;
    ticks_money(&t, 230000.0, 730000.0, 10, "USD");
    assert_string_equal(labels(&t, text),
                        "$250k|$300k|$350k|$400k|$450k|$500k|$550k|$600k|$650k|$700k");
    assert_near(t.tick[0].at, 250000.0, 1e-6, "at");
    ticks_money(&t, 0.0, 12500.0, 5, "USD");
    assert_string_equal(labels(&t, text), "$0|$2,500|$5,000|$7,500|$10,000|$12,500");
    ticks_money(&t, 0.0, 3e6, 3, "CNY");
    assert_string_equal(labels(&t, text), "CNY 0|CNY 1M|CNY 2M|CNY 3M");
    ticks_money(&t, 0.0, 4100.0, 4, "USD");
    assert_string_equal(labels(&t, text), "$0|$2,000|$4,000");
    ticks_money(&t, 0.0, 0.04, 4, "USD");
    assert_string_equal(labels(&t, text), "$0|$0.01|$0.02|$0.03|$0.04");
    /* A narrow range far from zero keeps what tells its ticks apart. */
    ticks_money(&t, 1000000.0, 1000004.0, 4, "USD");
    assert_string_equal(labels(&t, text), "$1,000,000|$1,000,001|$1,000,002|$1,000,003|$1,000,004");
}

static void whole_numbers_stay_whole(void **state)
{
    struct ticks t;
    char text[1024];

    (void)state;
    ticks_whole(&t, 0.0, 1.1, 6);
    assert_string_equal(labels(&t, text), "0|1");
    ticks_whole(&t, 0.0, 9.0, 4);
    assert_string_equal(labels(&t, text), "0|5");
    ticks_plain(&t, 2.0, 4.5, 5);
    assert_string_equal(labels(&t, text), "2.0|2.5|3.0|3.5|4.0|4.5");
}

static int64_t unix_of(const char *text)
{
    int64_t s = 0;

    assert_true(civil_parse(text, &s));
    return s;
}

static void dates_stand_at_round_instants(void **state)
{
    int64_t start = unix_of("2026-03-02T05:30Z"); /* a Monday */
    struct ticks t;
    char text[1024];

    (void)state;
    ticks_dates(&t, start, 0.0, 86400.0, 4);
    assert_string_equal(labels(&t, text), "06:00|12:00|18:00|3 Mar");
    assert_near(t.tick[0].at, 1800.0, 1e-9, "half an hour after the start");
    ticks_dates(&t, start, 0.0, 4 * 86400.0, 4);
    assert_string_equal(labels(&t, text), "3 Mar|4 Mar|5 Mar|6 Mar");
    ticks_dates(&t, start, 0.0, 30 * 86400.0, 5);
    assert_string_equal(labels(&t, text), "9 Mar|16 Mar|23 Mar|30 Mar"); /* Mondays */
    for (size_t i = 0; i < t.count; i++)
        assert_int_equal(civil_weekday(start + (int64_t)t.tick[i].at), 0);
    ticks_dates(&t, unix_of("2026-11-20"), 0.0, 130 * 86400.0, 5);
    assert_string_equal(labels(&t, text), "Dec 2026|Jan 2027|Feb|Mar");
    ticks_dates(&t, start, 0.0, 3.2 * 365.0 * 86400.0, 4);
    assert_string_equal(labels(&t, text), "Jan 2027|Jan 2028|Jan 2029");
    ticks_dates(&t, start, 0.0, 1800.0, 6);
    assert_string_equal(labels(&t, text), "05:30|05:45|06:00");
    assert_string_equal(ticks_date_words(unix_of("2026-03-14"), true).text, "14 Mar 2026");
    assert_string_equal(ticks_date_words(unix_of("2026-03-14T09:05Z"), true).text,
                        "09:05 on 14 Mar");
    assert_string_equal(ticks_date_words(unix_of("2026-03-14T09:05Z"), false).text, "14 Mar 2026");
}

static void never_more_than_fit(void **state)
{
    struct ticks t;

    (void)state;
    for (double span = 1e-6; span < 1e12; span *= 3.7) {
        ticks_plain(&t, 0.0, span, 100);
        assert_true(t.count <= TICKS_MAX && t.count > 0);
        ticks_money(&t, -span, span, 6, "USD");
        assert_true(t.count <= 7 && t.count >= 2);
        for (size_t i = 0; i < t.count; i++) {
            assert_true(t.tick[i].at >= -span * (1 + 1e-9) && t.tick[i].at <= span * (1 + 1e-9));
            for (size_t k = 0; k < i; k++)
                assert_string_not_equal(t.tick[i].label, t.tick[k].label);
        }
        if (span < 1e10)
            ticks_dates(&t, unix_of("2026-03-02"), 0.0, span, 5);
        assert_true(t.count <= TICKS_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_round), cmocka_unit_test(money_has_one_unit_on_an_axis),
        cmocka_unit_test(whole_numbers_stay_whole), cmocka_unit_test(dates_stand_at_round_instants),
        cmocka_unit_test(never_more_than_fit)};

    return cmocka_run_group_tests_name("ticks", tests, NULL, NULL);
}
