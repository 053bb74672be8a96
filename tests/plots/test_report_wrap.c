/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/testing.h"

#include "plots/report/report_wrap.h"
#include "plots/text/label.h"

#include <string.h>

static const char *nth(const char *s, double max_em, size_t n)
{
    static struct text line;
    struct report_wrap w = {s, max_em, false};
    size_t i = 0;

    text_release(&line);
    text_init(&line, 0);
    while (report_wrap_next(&w, &line) && i < n)
        i++;
    return line.data;
}

static void test_breaks_at_spaces(void **state)
{
    (void)state;
    assert_string_equal(nth("one two three", 5.0, 0), "one two ");
    assert_string_equal(nth("one two three", 5.0, 1), "three");
    assert_int_equal(report_wrap_count("one two three", 100.0, false), 1);
    assert_int_equal(report_wrap_count("", 10.0, false), 1);
}

static void test_every_line_fits_and_nothing_is_lost(void **state)
{
    static const char s[] =
        "Sign 2 x p4d.24xlarge, 3-year standard all-upfront-and-a-very-long-word "
        "by 1 December";

    (void)state;
    for (double em = 4.0; em < 40.0; em += 3.0) {
        struct report_wrap w = {s, em, false};
        struct text line, all;
        text_init(&line, 0);
        text_init(&all, 0);
        while (report_wrap_next(&w, &line)) {
            size_t length = strlen(line.data);
            text_add(&all, line.data);
            if (length > 0 && line.data[length - 1] == ' ')
                line.data[length - 1] = '\0';
            assert_true(label_width(line.data, false) <= em + 1e-9);
        }
        assert_string_equal(all.data, s);
        text_release(&line);
        text_release(&all);
    }
}

static void test_a_word_longer_than_the_line(void **state)
{
    (void)state;
    assert_true(report_wrap_count("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 3.0, false) > 3);
    /* A line of no width at all still takes a character, so that it ends. */
    assert_int_equal(report_wrap_count("abc", 0.0, false), 3);
}

static void test_wide_characters_break_but_not_before_a_mark(void **state)
{
    (void)state;
    assert_int_equal(report_wrap_count("请批准方案", 2.2, false), 3);
    assert_string_equal(nth("批准。", 2.2, 0), "批");
    assert_string_equal(nth("批准。", 2.2, 1), "准。");
}

static void test_a_minus_stays_with_its_number(void **state)
{
    (void)state;
    /* Whatever the width, no line but one that is too narrow for both ends in the minus. */
    for (double width = 3.0; width < 20.0; width += 0.25) {
        const char *const texts[] = {"rank correlation -0.65", "秩相关 -0.65", "(-0.65)"};
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
            const size_t lines = report_wrap_count(texts[i], width, false);
            for (size_t k = 0; k + 1 < lines; k++) {
                const char *line = nth(texts[i], width, k);
                assert_true(line[strlen(line) - 1] != '-');
            }
        }
    }
    assert_string_equal(nth("us-east", 2.2, 0), "us-");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_breaks_at_spaces),
        cmocka_unit_test(test_every_line_fits_and_nothing_is_lost),
        cmocka_unit_test(test_a_word_longer_than_the_line),
        cmocka_unit_test(test_wide_characters_break_but_not_before_a_mark),
        cmocka_unit_test(test_a_minus_stays_with_its_number),
    };

    return cmocka_run_group_tests_name("report_wrap", tests, NULL, NULL);
}
