/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/quantity.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct good {
    const char *text;
    enum dimension dimension;
    double value;
    const char *currency;
    int months;
};

#define COUNT     DIMENSION_COUNT
#define SHARE     DIMENSION_SHARE
#define TIME      DIMENSION_TIME
#define SPAN      DIMENSION_SPAN
#define DATA      DIMENSION_DATA
#define DATA_RATE DIMENSION_DATA_RATE
#define RATE      DIMENSION_RATE
#define HAZARD    DIMENSION_HAZARD
#define MONEY     DIMENSION_MONEY
#define PRICE     DIMENSION_PRICE
#define FLOPS     DIMENSION_FLOPS

static struct good goods[] = {
    {"5", COUNT, 5, "", 0},
    {"  5\t", COUNT, 5, "", 0},
    {"+5", COUNT, 5, "", 0},
    {"-5", COUNT, -5, "", 0},
    {"0", COUNT, 0, "", 0},
    {"-0", COUNT, 0, "", 0},
    {".5", COUNT, 0.5, "", 0},
    {"2.5k", COUNT, 2500, "", 0},
    {"2.5 k", COUNT, 2500, "", 0},
    {"7B", COUNT, 7e9, "", 0},
    {"7G", COUNT, 7e9, "", 0},
    {"20B", COUNT, 20e9, "", 0},
    {"1.5T", COUNT, 1.5e12, "", 0},
    {"3M", COUNT, 3e6, "", 0},
    {"1e3", COUNT, 1000, "", 0},
    {"1E-3", COUNT, 0.001, "", 0},
    {"1e3k", COUNT, 1e6, "", 0},
    {"007", COUNT, 7, "", 0},
    {"0.12", SHARE, 0.12, "", 0},
    {"12 %", SHARE, 0.12, "", 0},
    {"7%", SHARE, 0.07, "", 0}, /* exactly the double 0.07 */
    {"-3 %", SHARE, -0.03, "", 0},
    {"90s", TIME, 90, "", 0},
    {"90 s", TIME, 90, "", 0},
    {"90\xc2\xa0s", TIME, 90, "", 0}, /* a no-break space comes with copied text */
    {"90\xe2\x80\xafs ", TIME, 90, "", 0},
    {"4min", TIME, 240, "", 0},
    {"2h", TIME, 7200, "", 0},
    {"1.5d", TIME, 129600, "", 0},
    {"2w", TIME, 1209600, "", 0},
    {"250ms", TIME, 0.25, "", 0},
    {"3us", TIME, 3e-6, "", 0},
    {"0", TIME, 0, "", 0},
    {"0s", TIME, 0, "", 0},
    {"60d", SPAN, 5184000, "", 0},
    {"3mo", SPAN, 0, "", 3},
    {"3 mo", SPAN, 0, "", 3},
    {"1y", SPAN, 0, "", 12},
    {"1000y", SPAN, 0, "", 12000},
    {"0", SPAN, 0, "", 0},
    {"98 GB", DATA, 98e9, "", 0},
    {"98GB", DATA, 98e9, "", 0},
    {"1GiB", DATA, 1073741824.0, "", 0},
    {"16 KiB", DATA, 16384, "", 0},
    {"3 kB", DATA, 3000, "", 0},
    {"2TiB", DATA, 2199023255552.0, "", 0},
    {"12 B", DATA, 12, "", 0},
    {"0", DATA, 0, "", 0},
    {"2 GB/s", DATA_RATE, 2e9, "", 0},
    {"2 GB / s", DATA_RATE, 2e9, "", 0},
    {"100 Gbit/s", DATA_RATE, 12.5e9, "", 0},
    {"100Gbps", DATA_RATE, 12.5e9, "", 0},
    {"500 MiB/s", DATA_RATE, 524288000, "", 0},
    {"30/s", RATE, 30, "", 0},
    {"30 / s", RATE, 30, "", 0},
    {"0.2/h", RATE, 0.2 / 3600, "", 0},
    {"5/d", RATE, 5.0 / 86400, "", 0},
    {"2/min", RATE, 2.0 / 60, "", 0},
    {"29k/s", RATE, 29000, "", 0},
    {"29 k/s", RATE, 29000, "", 0},
    {"1.2M/h", RATE, 1.2e6 / 3600, "", 0},
    {"0/h", RATE, 0, "", 0},
    {"0.2/h", HAZARD, 0.2 / 3600, "", 0},
    {"14h", HAZARD, 1.0 / 50400, "", 0},
    {"30 d", HAZARD, 1.0 / 2592000, "", 0},
    {"0/d", HAZARD, 0, "", 0},
    {"6000 USD", MONEY, 6000, "USD", 0},
    {"6000USD", MONEY, 6000, "USD", 0},
    {"6k USD", MONEY, 6000, "USD", 0},
    {"6 kUSD", MONEY, 6000, "USD", 0},
    {"6 k USD", MONEY, 6000, "USD", 0},
    {"$6000", MONEY, 6000, "USD", 0},
    {"$6k", MONEY, 6000, "USD", 0},
    {"$1.2 M", MONEY, 1.2e6, "USD", 0},
    {"-$6", MONEY, -6, "USD", 0},
    {"-6 USD", MONEY, -6, "USD", 0},
    {"$6000 USD", MONEY, 6000, "USD", 0},
    {"6000 CNY", MONEY, 6000, "CNY", 0},
    {"6 BRL", MONEY, 6, "BRL", 0}, /* three letters are a code, not B of "RL" */
    {"6 MXN", MONEY, 6, "MXN", 0},
    {"6 BMXN", MONEY, 6e9, "MXN", 0},
    {"0", MONEY, 0, "", 0},
    {"0.9 USD/h", PRICE, 0.9, "USD", 0},
    {"0.9 USD / h", PRICE, 0.9, "USD", 0},
    {"$0.9/h", PRICE, 0.9, "USD", 0},
    {"6.5 CNY/h", PRICE, 6.5, "CNY", 0},
    {"730 USD/mo", PRICE, 1, "USD", 0},
    {"24 USD/d", PRICE, 1, "USD", 0},
    {"0.01 USD/min", PRICE, 0.6, "USD", 0},
    {"312 TFLOPS", FLOPS, 312e12, "", 0},
    {"312 TFLOP/s", FLOPS, 312e12, "", 0},
    {"1.979 PFLOPS", FLOPS, 1.979e15, "", 0},
};

static void is_read(void **state)
{
    const struct good *row = *state;
    struct quantity q;
    char message[200] = "";

    if (!quantity_parse(row->text, strlen(row->text), row->dimension, &q, message, sizeof(message)))
        fail_msg("'%s': %s", row->text, message);
    assert_relative(q.value, row->value, row->dimension == SHARE ? 0 : 4e-16, row->text);
    assert_false(signbit(q.value) && q.value == 0);
    assert_int_equal(q.months, row->months);
    assert_string_equal(q.currency, row->currency);
}

struct bad {
    const char *text;
    enum dimension dimension;
    const char *message; /* what it must contain */
};

static struct bad bads[] = {
    {"", COUNT, "nothing where a number such as 5, 2.5k or 7B is wanted"},
    {"   ", TIME, "nothing where a duration"},
    {"abc", COUNT, "'abc' where a number such as"},
    {"nan", COUNT, "'nan' where"},
    {"inf", COUNT, "'inf' where"},
    {"-inf", SHARE, "'-inf' where"},
    {"infinity", TIME, "where a duration"},
    {"0x10", COUNT, "only decimal digits"},
    {"1e999", COUNT, "too large to be held"},
    {"-1e999", COUNT, "too large to be held"},
    {"1e-999", COUNT, "too small to be held"},
    {"1e308 PB", DATA, "too large to be held"},
    {"1e-308us", TIME, "too small"},
    {"1e308k", COUNT, "too large to be held"},
    {"1e-320h", HAZARD, "too small to be held"},
    {"--5", COUNT, "'--5' where"},
    {"5-", COUNT, "unknown unit '-'"},
    {"1,500", COUNT, "',' does not belong into it; write 1500 or 1.5k"},
    {"1_500", COUNT, "'_' does not belong"},
    {"1'500", COUNT, "''' does not belong"},
    {"2,5 GB", DATA, "1.5 with a point"},
    {"1.2.3", COUNT, "'.' does not belong"},
    {"5 apples", COUNT, "unknown unit 'apples'; a number takes k, M, B, G or T"},
    {"5m", COUNT, "write M for a million"},
    {"5..9", COUNT, "'5..9' is uncertain where one certain value is wanted"},
    {"uniform(1, 2)", TIME, "is uncertain where one certain value is wanted"},
    {"12", TIME, "a bare number where a duration is wanted; write 90s, 4min or 2h"},
    {"0.0001", TIME, "a bare number where a duration"},
    {"2 parsecs", TIME, "unknown unit 'parsecs'; a duration takes us, ms, s, min, h, d or w"},
    {"5m", TIME, "'m' may be minutes or months"},
    {"5 hours", TIME, "write h for hours"},
    {"3mo", TIME, "months have no fixed length"},
    {"1y", TIME, "years have no fixed length"},
    {"1h30min", TIME, "'h30min' follows the number; one number and one unit are wanted"},
    {"1h 30min", TIME, "one number and one unit are wanted, such as 90s"},
    {"-5s", TIME, "a duration cannot be negative"},
    {"5s x", TIME, "unknown unit 's x'"},
    {"5 S", TIME, "unknown unit 'S'"},
    {"5 GB", TIME, "unknown unit 'GB'"},
    {"$5", TIME, "'$5' where a duration"},
    {"1.5mo", SPAN, "months are counted whole"},
    {"-1mo", SPAN, "cannot be negative"},
    {"1001y", SPAN, "more than 1000 years"},
    {"1e30mo", SPAN, "more than 1000 years"},
    {"5m", SPAN, "write min or mo"},
    {"3 months", SPAN, "write mo for months"},
    {"60", SPAN, "a bare number where a span of time is wanted; write 60d, 3mo or 1y"},
    {"5 fortnights", SPAN, "h, d, w, mo or y"},
    {"98", DATA, "a bare number where an amount of data is wanted; write 98 GB or 16 GiB"},
    {"98 G", DATA, "write GB for 10^9 or GiB for 2^30 bytes"},
    {"98 Gb", DATA, "may be bits"},
    {"98 KB", DATA, "has two readings"},
    {"98 gb", DATA, "unknown unit 'gb'"},
    {"-1 GB", DATA, "cannot be negative"},
    {"2 GB", DATA_RATE, "unknown unit 'GB'; a data rate takes B/s, kB/s"},
    {"2 Gb/s", DATA_RATE, "may be bits"},
    {"0", DATA_RATE, "a bare number"},
    {"30", RATE, "a bare number where a rate is wanted; write 30/s, 2/min or 0.2/h"},
    {"0", RATE, "a bare number"},
    {"30s", RATE, "unknown unit 's'; a rate takes /s, /min, /h, /d, /w, /y or /yr"},
    {"30/x", RATE, "unknown unit '/x'"},
    {"30/mo", RATE, "months have no fixed length"},
    {"30/hour", RATE, "write /h"},
    {"30 req/s", RATE, "unknown unit 'req/s'"},
    {"30//s", RATE, "unknown unit '//s'"},
    {"-1/s", RATE, "cannot be negative"},
    {"1e308T/s", RATE, "too large"},
    {"0h", HAZARD, "a mean time between events must be above zero"},
    {"-3h", HAZARD, "cannot be negative"},
    {"3", HAZARD, "a bare number where a rate or a mean time between events is wanted"},
    {"0", HAZARD, "a bare number"},
    {"3mo", HAZARD, "months have no fixed length"},
    {"3 x", HAZARD, "or a time in s, min, h, d or w"},
    {"3/hour", HAZARD, "write /h"},
    {"3 hours", HAZARD, "write h for hours"},
    {"6000", MONEY, "a bare number where an amount of money is wanted; write 6000 USD or 6k USD"},
    {"6k", MONEY, "a bare number where an amount of money"},
    {"6000 usd", MONEY, "unknown currency 'usd'; write USD"},
    {"¥6000", MONEY, "'¥6000' where an amount of money"},
    {"6000 ¥", MONEY, "write CNY or JPY"},
    {"6000 €", MONEY, "write EUR"},
    {"6000 dollars", MONEY, "unknown currency 'dollars'"},
    {"$6000 CNY", MONEY, "'$' and 'CNY' do not go together"},
    {"6000 USD/h", MONEY, "a price where an amount of money is wanted"},
    {"$", MONEY, "'$' where an amount"},
    {"-$-6", MONEY, "'-$-6' where"},
    {"0.9", PRICE, "a bare number where a price per hour is wanted; write 0.9 USD/h"},
    {"0", PRICE, "a bare number"},
    {"0.9/h", PRICE, "a bare number where a price per hour"},
    {"0.9 USD", PRICE, "an amount without a time"},
    {"$0.9", PRICE, "an amount without a time"},
    {"0.9 USD/hour", PRICE, "write /h for per hour"},
    {"0.9 USD/m", PRICE, "write /min or /mo"},
    {"0.9 USD/x", PRICE, "unknown unit '/x'; a price per hour takes /h, /d, /w, /mo, /min or /s"},
    {"-0.9 USD/h", PRICE, "cannot be negative"},
    {"312", FLOPS, "a bare number where a computing speed"},
    {"312 T", FLOPS, "unknown unit 'T'"},
};

static void is_refused(void **state)
{
    const struct bad *row = *state;
    struct quantity q;
    char message[400] = "";

    if (quantity_parse(row->text, strlen(row->text), row->dimension, &q, message, sizeof(message)))
        fail_msg("'%s' was read as %g", row->text, q.value);
    if (strstr(message, row->message) == NULL)
        fail_msg("'%s': %s", row->text, message);
}

static void length_bounds_the_text(void **state)
{
    struct quantity q;
    char message[200];

    (void)state;
    assert_true(quantity_parse("90sxyz", 3, TIME, &q, message, sizeof(message)));
    assert_near(q.value, 90, 0, "90s");
    assert_true(quantity_parse("125", 2, COUNT, &q, message, sizeof(message)));
    assert_near(q.value, 12, 0, "12");
    assert_false(quantity_parse("90s\0x", 5, TIME, &q, message, sizeof(message)));
    assert_false(quantity_parse("90\0", 3, COUNT, &q, message, sizeof(message)));
}

static void long_text_is_refused_in_few_words(void **state)
{
    char *text = malloc(100001), message[200];
    struct quantity q;

    (void)state;
    memset(text, '7', 100000);
    text[100000] = '\0';
    assert_false(quantity_parse(text, 100000, COUNT, &q, message, sizeof(message)));
    assert_string_equal(message, "a number of more than 100 characters");
    text[0] = 'x';
    assert_false(quantity_parse(text, 100000, COUNT, &q, message, sizeof(message)));
    assert_true(strlen(message) < 120);
    memset(text + 1, 'y', 99999);
    text[0] = '5';
    assert_false(quantity_parse(text, 100000, TIME, &q, message, sizeof(message)));
    assert_true(strlen(message) < 120);
    assert_false(quantity_parse(text, 100000, TIME, &q, message, 10)); /* a small buffer is kept */
    assert_int_equal(strlen(message), 9);
    free(text);
}

static void number_ends_where_the_unit_begins(void **state)
{
    (void)state;
    assert_int_equal(quantity_number_length("5..9", 4), 1);
    assert_int_equal(quantity_number_length("5.5..9", 6), 3);
    assert_int_equal(quantity_number_length("-1e-3x", 6), 5);
    assert_int_equal(quantity_number_length("1e", 2), 1);
    assert_int_equal(quantity_number_length("1e+", 3), 1);
    assert_int_equal(quantity_number_length("x", 1), 0);
    assert_int_equal(quantity_number_length("-", 1), 0);
    assert_int_equal(quantity_number_length(".", 1), 0);
    assert_int_equal(quantity_number_length("", 0), 0);
}

struct shown {
    double value;
    enum dimension dimension;
    const char *currency, *want;
};

static struct shown showns[] = {
    {90, TIME, NULL, "90 s"},
    {3600, TIME, NULL, "1 h"},
    {259200, TIME, NULL, "3 d"},
    {0, TIME, NULL, "0 s"},
    {0.25, TIME, NULL, "250 ms"},
    {31536000, SPAN, NULL, "365 d"},
    {0.12, SHARE, NULL, "12 %"},
    {1, SHARE, NULL, "100 %"},
    {17179869184.0, DATA, NULL, "16 GiB"},
    {98e9, DATA, NULL, "98 GB"},
    {0, DATA, NULL, "0 bytes"},
    {12.5e9, DATA_RATE, NULL, "100 Gbit/s"},
    {30, RATE, NULL, "30/s"},
    {0.2 / 3600, HAZARD, NULL, "0.2/h"},
    {0, RATE, NULL, "0/s"},
    {7e9, COUNT, NULL, "7B"},
    {5, COUNT, NULL, "5"},
    {1000, COUNT, NULL, "1000"},
    {1e6, COUNT, NULL, "1M"},
    {0.5, COUNT, NULL, "0.5"},
    {-3, COUNT, NULL, "-3"},
    {6000, MONEY, "USD", "6000 USD"},
    {6000, MONEY, NULL, "6000"},
    {0.9, PRICE, "CNY", "0.9 CNY/h"},
    {312e12, FLOPS, NULL, "312 TFLOPS"},
};

static void is_shown(void **state)
{
    const struct shown *row = *state;
    char out[48];

    assert_string_equal(quantity_text(row->value, row->dimension, row->currency, out), row->want);
}

static void times_are_said_for_people(void **state)
{
    static const struct {
        double s;
        const char *want;
    } rows[] = {
        {0, "0 s"},
        {240, "4 min"},
        {9000, "2.5 h"},
        {276480, "3.2 d"},
        {90, "90 s"},
        {99.99, "1.67 min"},
        {0.0123, "12.3 ms"},
        {2e-5, "20 us"},
        {5994, "99.9 min"},
        {86400 * 1.5, "36 h"},
        {86400.0 * 2, "2 d"},
        {86400.0 * 4321, "4321 d"},
        {-9000, "-2.5 h"},
        {3599.9, "60 min"},
        {1e300, "1.16e+295 d"},
    };
    char out[32];

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_string_equal(quantity_time_text(rows[i].s, out), rows[i].want);
    assert_string_equal(quantity_time_text((double)NAN, out), "unknown");
    assert_string_equal(quantity_time_text(HUGE_VAL, out), "unknown");
}

static void every_dimension_has_its_words(void **state)
{
    (void)state;
    for (int d = DIMENSION_COUNT; d <= DIMENSION_FLOPS; d++) {
        struct quantity q;
        char message[300], example[100];
        const char *such_as = strstr(quantity_wanted((enum dimension)d), " such as ");
        assert_non_null(such_as);
        /* The first example given to users must itself be legal. */
        snprintf(example, sizeof(example), "%s", such_as + 9);
        if (strstr(example, " or ") != NULL)
            *strstr(example, " or ") = '\0';
        example[strcspn(example, ",")] = '\0';
        if (!quantity_parse(example, strlen(example), (enum dimension)d, &q, message,
                            sizeof(message)))
            fail_msg("example '%s': %s", example, message);
        assert_non_null(quantity_unit((enum dimension)d));
    }
    assert_string_equal(quantity_wanted(TIME), "a duration such as 90s, 4min or 2h");
    assert_near(quantity_least(TIME), 0, 0, "least duration");
    assert_true(isinf(quantity_least(COUNT)));
}

enum {
    GOODS = sizeof(goods) / sizeof(goods[0]),
    BADS = sizeof(bads) / sizeof(bads[0]),
    SHOWNS = sizeof(showns) / sizeof(showns[0])
};

int main(void)
{
    static char names[GOODS + BADS + SHOWNS][64];
    const struct CMUnitTest own[] = {
        cmocka_unit_test(length_bounds_the_text),
        cmocka_unit_test(long_text_is_refused_in_few_words),
        cmocka_unit_test(number_ends_where_the_unit_begins),
        cmocka_unit_test(times_are_said_for_people),
        cmocka_unit_test(every_dimension_has_its_words),
    };
    struct CMUnitTest tests[sizeof own / sizeof own[0] + GOODS + BADS + SHOWNS];
    size_t n = sizeof own / sizeof own[0], name = 0;

    memcpy(tests, own, sizeof own);
    for (size_t i = 0; i < GOODS; i++) {
        snprintf(names[name], sizeof(names[0]), "read %s as %s", goods[i].text,
                 quantity_unit(goods[i].dimension));
        tests[n++] = (struct CMUnitTest){names[name++], is_read, NULL, NULL, &goods[i]};
    }
    for (size_t i = 0; i < BADS; i++) {
        snprintf(names[name], sizeof(names[0]), "refuse %s as %s", bads[i].text,
                 quantity_unit(bads[i].dimension));
        tests[n++] = (struct CMUnitTest){names[name++], is_refused, NULL, NULL, &bads[i]};
    }
    for (size_t i = 0; i < SHOWNS; i++) {
        snprintf(names[name], sizeof(names[0]), "show %s", showns[i].want);
        tests[n++] = (struct CMUnitTest){names[name++], is_shown, NULL, NULL, &showns[i]};
    }
    return _cmocka_run_group_tests("quantity", tests, n, NULL, NULL);
}
