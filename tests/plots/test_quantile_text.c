/* SPDX-License-Identifier: GPL-3.0-or-later
 * One row each: what is known of a quantile, and how it is written. */
#include "tests/support/testing.h"

#include "plots/facts/quantile_text.h"

#include <math.h>

#define NONE         ((double)NAN)
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

struct row {
    const char *name;
    double value, at_least, at_most;
    const char *money, *short_money, *amount, *time; /* time: hours, shown in days */
};

static const struct row rows[] = {
    {"known", 2412.4, NONE, NONE, "$2,410", "$2,410", "2,412", "101 d"},
    {"bounds that are the same figure", NONE, 2412.1, 2412.4, "$2,410", "$2,410", "2,412", "101 d"},
    {"a range, rounded away from each other", NONE, 2332.6, 2342.3, "$2,330 to $2,350", ">= $2,330",
     "2,332 to 2,343", "97.1 to 97.6 d"},
    {"bounds far apart", NONE, 2332.6, 2500.0, ">= $2,330", ">= $2,330", ">= 2,332", ">= 97.1 d"},
    {"a lower bound alone", NONE, 1439.9, NONE, ">= $1,430", ">= $1,430", ">= 1,439", ">= 59.9 d"},
    {"nothing", NONE, NONE, NONE, "unknown", "unknown", "unknown", "unknown"},
    {"an upper bound alone says nothing", NONE, NONE, 7.0, "unknown", "unknown", "unknown",
     "unknown"}};

static void is_written(void **state)
{
    const struct row *r = *state;
    const struct fact_quantile q = {r->value, r->at_least, r->at_most, NONE, NONE};

    assert_string_equal(quantile_money(&q, "USD", QUANTILE_FULL).text, r->money);
    assert_string_equal(quantile_money(&q, "USD", QUANTILE_SHORT).text, r->short_money);
    assert_string_equal(quantile_amount(&q, 0).text, r->amount);
    assert_string_equal(quantile_time(&q, TIME_DAYS, QUANTILE_FULL).text, r->time);
}

int main(void)
{
    struct CMUnitTest tests[COUNT(rows)];

    for (size_t i = 0; i < COUNT(rows); i++)
        tests[i] =
            (struct CMUnitTest){rows[i].name, is_written, NULL, NULL, (void *)(uintptr_t)&rows[i]};
    return _cmocka_run_group_tests("quantile_text", tests, COUNT(tests), NULL, NULL);
}
