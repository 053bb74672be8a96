/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which services are said to be overloaded, and for how long. */
#include "plots/console/service_lines.h"

#include "tests/support/testing.h"
#include "tests/support/text_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void assert_told(const char *rows, const char *expected)
{
    struct table *t =
        text_table("services", "strategy:t,workload:t,start_s,end_s,overloaded", rows);
    const struct terminal_style style = {0, true};
    struct diagnostics *d = diagnostics_new();
    char *said = NULL;
    size_t length;
    FILE *out = open_memstream(&said, &length);
    assert_true(service_lines(t, &style, out, d));
    fclose(out);
    if (strncmp(said, expected, strlen(expected)) != 0) {
        fail_msg("it said \"%s\", not \"%s\"", said, expected);
    }
    free(said);
    diagnostics_free(d);
    table_free(t);
}

static void hours_of_the_plan_world(void **state)
{
    (void)state;
    assert_told("od,web,0,180,1\nod,web,180,3600,0\n",
                "od: 'web' is overloaded in 3 minutes of 1 hour of the plan world\n");
    assert_told("od,web,0,180,1\nod,web,180,7200,0\n",
                "od: 'web' is overloaded in 3 minutes of 2 hours of the plan world\n");
    assert_told("od,web,0,3600,1\n", "od: 'web' is overloaded in 1 of 1 hour of the plan world\n");
    assert_told("od,web,0,1800,1\n",
                "od: 'web' is overloaded in 30 minutes of 0.5 hours of the plan world\n");
    /* An hour that is not measured is none of them. */
    assert_told("od,web,0,3600,\nod,web,3600,7200,1\nod,web,7200,10800,0\n",
                "od: 'web' is overloaded in 1 of 2 hours of the plan world\n");
}

static void nothing_of_calm_ones(void **state)
{
    (void)state;
    assert_told("od,web,0,3600,0\n", "");
    assert_told("", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hours_of_the_plan_world),
        cmocka_unit_test(nothing_of_calm_ones),
    };
    return cmocka_run_group_tests_name("service_lines", tests, NULL, NULL);
}
