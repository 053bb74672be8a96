/* SPDX-License-Identifier: GPL-3.0-or-later
 * Values of inputs as text, and back through the reader of quantities. */
#include "engine/column_unit.h"

#include "tests/support/testing.h"

#include <string.h>

struct unit_case {
    const char *suffix;
    double value;
    enum dimension dimension;
    const char *text;
};

static const struct unit_case cases[] = {
    {"frac", 0.352671, DIMENSION_SHARE, "35.27 %"},
    {"usd_per_hour", 20.50412, DIMENSION_PRICE, "20.5 USD/h"},
    {"cny", 6123.4, DIMENSION_MONEY, "6123 CNY"},
    {"s", 90, DIMENSION_TIME, "90 s"},
    {"s", 5400, DIMENSION_TIME, "90 min"},
    {"s", 200000, DIMENSION_TIME, "55.56 h"},
    {"per_s", 3.1 / 86400, DIMENSION_RATE, "3.1/d"},
    {"per_s", 0.4 / 604800, DIMENSION_RATE, "0.4/w"},
    {"per_s", 0.48 / 86400, DIMENSION_RATE, "0.48/d"},
    {"per_s", 0.044 / 31557600, DIMENSION_RATE, "0.044/y"},
    {"per_s", 30, DIMENSION_RATE, "30/s"},
    {"bytes", 98e9, DIMENSION_DATA, "98 GB"},
    {"bytes_per_s", 2e9, DIMENSION_DATA_RATE, "2 GB/s"},
    {"flop_per_s", 3.12e14, DIMENSION_FLOPS, "312 TFLOPS"},
    {"", -1.29212, DIMENSION_COUNT, "-1.292"},
    {"", 4, DIMENSION_COUNT, "4"},
};

static void one(void **state)
{
    const struct unit_case *c = *state;
    char text[48], setting[64], message[256];
    struct quantity q;

    assert_int_equal(column_unit_of(c->suffix).dimension, c->dimension);
    assert_string_equal(column_unit_text(c->value, c->suffix, 4, text), c->text);
    column_unit_setting(c->value, c->suffix, setting);
    if (!quantity_parse(setting, strlen(setting), c->dimension, &q, message, sizeof message))
        fail_msg("'%s': %s", setting, message);
    assert_relative(q.value, c->value, 1e-15, setting);
}

int main(void)
{
    enum { CASES = sizeof cases / sizeof cases[0] };
    struct CMUnitTest tests[CASES];

    for (size_t i = 0; i < CASES; i++)
        tests[i] =
            (struct CMUnitTest){cases[i].text, one, NULL, NULL, (void *)(uintptr_t)&cases[i]};
    return _cmocka_run_group_tests("column_unit", tests, CASES, NULL, NULL);
}
