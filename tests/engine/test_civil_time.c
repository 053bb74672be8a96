/* SPDX-License-Identifier: GPL-3.0-or-later
 * Dates against known instants (POSIX "seconds since the Epoch", checked with date -u -d), and
 * against the C library's gmtime_r over eight centuries. */
#include "engine/civil_time.h"
#include "tests/support/testing.h"

#include <limits.h>
#include <string.h>
#include <time.h>

struct known {
    const char *text; /* as civil_time_text writes it */
    int64_t unix_s;
    int weekday;
};

static const struct known known[] = {
    {"1970-01-01T00:00:00Z", 0, 3},
    {"1969-12-31T23:59:59Z", -1, 2},
    {"2000-02-29T12:00:00Z", 951825600, 1},
    {"2001-09-09T01:46:40Z", 1000000000, 6},
    {"2026-03-02T08:00:00Z", 1772438400, 0},
    {"2038-01-19T03:14:07Z", 2147483647, 1},
    {"2100-02-28T23:59:59Z", 4107542399, 6},
    {"2100-03-01T00:00:00Z", 4107542400, 0},
    {"2999-12-31T23:59:59Z", 32503679999, 1},
    {"1600-02-29T00:00:00Z", -11670998400, 1},
    {"0000-01-01T00:00:00Z", -62167219200, 5},
};

static void known_instants(void **state)
{
    const struct known *k = *state;
    char text[24];
    assert_string_equal(civil_time_text(k->unix_s, text), k->text);
    struct civil c = civil_from_unix(k->unix_s);
    assert_int_equal(civil_to_unix(c), k->unix_s);
    assert_int_equal(civil_weekday(k->unix_s), k->weekday);
    assert_memory_equal(civil_date_text(k->unix_s, text), k->text, 10);
    assert_int_equal(strlen(text), 10);
}

static void agrees_with_gmtime(void **state)
{
    (void)state;
    /* A prime step of about four days and a bit meets every hour, month and leap rule. */
    for (int64_t t = INT64_C(-11670998400); t < INT64_C(13569465600); t += 350003) {
        time_t clock = (time_t)t;
        struct tm want;
        assert_non_null(gmtime_r(&clock, &want));
        struct civil got = civil_from_unix(t);
        assert_int_equal(got.year, want.tm_year + 1900);
        assert_int_equal(got.month, want.tm_mon + 1);
        assert_int_equal(got.day, want.tm_mday);
        assert_int_equal(got.hour, want.tm_hour);
        assert_int_equal(got.minute, want.tm_min);
        assert_int_equal(got.second, want.tm_sec);
        assert_int_equal(civil_weekday(t), (want.tm_wday + 6) % 7);
        assert_int_equal(civil_to_unix(got), t);
        got.day = 1;
        got.hour = got.minute = got.second = 0;
        assert_int_equal(civil_month_start(t), civil_to_unix(got));
    }
}

static void out_of_range_is_clamped(void **state)
{
    (void)state;
    char text[24];
    assert_string_equal(civil_time_text(INT64_MAX, text), "9999-12-31T23:59:59Z");
    assert_string_equal(civil_time_text(INT64_MIN, text), "0000-01-01T00:00:00Z");
}

static void months_are_carried(void **state)
{
    (void)state;
    struct civil december = {.year = 2025, .month = 12, .day = 5};
    struct civil as_13 = {.year = 2024, .month = 24, .day = 5};
    struct civil as_0 = {.year = 2026, .month = 0, .day = 5};
    struct civil as_minus_12 = {.year = 2027, .month = -12, .day = 5};
    assert_int_equal(civil_to_unix(as_13), civil_to_unix(december));
    assert_int_equal(civil_to_unix(as_0), civil_to_unix(december));
    assert_int_equal(civil_to_unix(as_minus_12), civil_to_unix(december));
}

struct addition {
    const char *from;
    int months;
    const char *to;
};

static const struct addition additions[] = {
    {"2026-01-31", 1, "2026-02-28"},   {"2024-01-31", 1, "2024-02-29"},
    {"2026-01-31", 2, "2026-03-31"},   {"2026-03-31", -1, "2026-02-28"},
    {"2024-02-29", 12, "2025-02-28"},  {"2024-02-29", 48, "2028-02-29"},
    {"2026-11-30", 3, "2027-02-28"},   {"2026-12-15", 1, "2027-01-15"},
    {"2026-01-15", -1, "2025-12-15"},  {"2026-05-31", 0, "2026-05-31"},
    {"2096-02-29", 48, "2100-02-28"},  {"2026-03-02", 36, "2029-03-02"},
    {"2026-06-10", -30, "2023-12-10"},
};

static void months_are_added(void **state)
{
    const struct addition *a = *state;
    int64_t from;
    assert_true(civil_parse(a->from, &from));
    char text[24];
    assert_string_equal(civil_date_text(civil_add_months(from, a->months), text), a->to);
    /* The time of day stays. */
    assert_int_equal(civil_add_months(from + 8 * 3600 + 59, a->months),
                     civil_add_months(from, a->months) + 8 * 3600 + 59);
}

static void months_at_the_extremes(void **state)
{
    (void)state;
    /* No overflow: under the undefined-behaviour sanitizer this would trap. */
    assert_true(civil_add_months(INT64_MAX, INT_MAX) > civil_add_months(0, INT_MAX - 1));
    assert_true(civil_add_months(INT64_MIN, INT_MIN) < 0);
}

static const char *const accepted[] = {
    "2026-03-02T08:00:00Z",
    "2026-03-02T08:00Z",
    "2026-03-02 08:00",
};

static void forms_that_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof accepted / sizeof accepted[0]; i++) {
        int64_t t = 0;
        assert_true(civil_parse(accepted[i], &t));
        assert_int_equal(t, 1772438400);
    }
    int64_t t = 0;
    assert_true(civil_parse("2026-03-02", &t));
    assert_int_equal(t, 1772438400 - 8 * 3600);
    assert_true(civil_parse("2024-02-29T23:59:59Z", &t));
    assert_true(civil_parse("2999-12-31", &t));
    assert_true(civil_parse("2000-02-29", &t));
}

static const char *const refused[] = {
    "",
    "2026",
    "2026-03",
    "2026-3-2",
    "2026-02-30",
    "2026-02-29",
    "2100-02-29",
    "2026-04-31",
    "2026-00-10",
    "2026-13-01",
    "2026-01-00",
    "1969-12-31",
    "3000-01-01",
    "26-03-02",
    "+2026-03-02",
    " 2026-03-02",
    "2026-03-02 ",
    "2026-03-02T",
    "2026-03-02T08",
    "2026-03-02T08:00",
    "2026-03-02T08:00:00",
    "2026-03-02T08:00:00+01:00",
    "2026-03-02T8:00Z",
    "2026-03-02T24:00Z",
    "2026-03-02T08:60Z",
    "2026-03-02T08:00:60Z",
    "2026-03-02T08:00:00.5Z",
    "2026-03-02t08:00Z",
    "2026-03-02 08:00Z",
    "2026-03-02 08:00:00",
    "2026/03/02",
    "2026-03-02x",
    "2026-03-0२",
};

static void refuses(void **state)
{
    int64_t t = 77;
    assert_false(civil_parse(*state, &t));
    assert_int_equal(t, 77);
}

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

int main(void)
{
    struct CMUnitTest tests[COUNT(known) + COUNT(additions) + COUNT(refused) + 5];
    size_t n = 0;
    for (size_t i = 0; i < COUNT(known); i++) {
        tests[n++] =
            (struct CMUnitTest){known[i].text, known_instants, NULL, NULL, (void *)&known[i]};
    }
    for (size_t i = 0; i < COUNT(additions); i++) {
        tests[n++] = (struct CMUnitTest){additions[i].from, months_are_added, NULL, NULL,
                                         (void *)&additions[i]};
    }
    for (size_t i = 0; i < COUNT(refused); i++) {
        tests[n++] = (struct CMUnitTest){refused[i], refuses, NULL, NULL, (void *)refused[i]};
    }
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(agrees_with_gmtime);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(out_of_range_is_clamped);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(months_are_carried);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(months_at_the_extremes);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(forms_that_are_read);
    return _cmocka_run_group_tests("civil_time", tests, n, NULL, NULL);
}
