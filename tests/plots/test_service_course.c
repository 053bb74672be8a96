/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which of several services is shown. */
#include "tests/support/testing.h"

#include "plots/facts/service_course.h"
#include "tests/support/text_table.h"

#include <math.h>
#include <stdio.h>

/* Sixty hours of two services; `hours` of the smaller one are overloaded. */
static struct table *two_services(int hours)
{
    static char rows[8192];
    size_t length = 0;

    for (int h = 0; h < 60; h++)
        length += (size_t)snprintf(rows + length, sizeof rows - length, "a,search,%d,%d,900,%d\n",
                                   h * 3600, (h + 1) * 3600, h == 0);
    for (int h = 0; h < 60; h++)
        length += (size_t)snprintf(rows + length, sizeof rows - length, "a,chat,%d,%d,50,%d\n",
                                   h * 3600, (h + 1) * 3600, h < hours);
    return text_table("services", "strategy:t,workload:t,start_s,end_s,arrived,overloaded", rows);
}

static void shows_what_is_overloaded(void **state)
{
    struct table *t = two_services(20);
    size_t others = 0;

    (void)state;
    assert_string_equal(service_course_main(t, &others), "chat");
    assert_int_equal(others, 1);
    table_free(t);
    /* Less than the other: the first hour of one in sixty is more than 1 %. */
    t = two_services(0);
    assert_string_equal(service_course_main(t, &others), "search");
    table_free(t);
}

static void else_the_busiest(void **state)
{
    static const char columns[] = "strategy:t,workload:t,arrived,overloaded";
    struct table *t = text_table("services", columns, "a,chat,50,0\na,search,900,0\n");
    size_t others = 0;

    (void)state;
    assert_string_equal(service_course_main(t, &others), "search");
    assert_int_equal(others, 1);
    table_free(t);
    assert_null(service_course_main(NULL, &others));
}

/* Buckets of half an hour, of which the first is not measured. */
static void hours_are_those_that_are_measured(void **state)
{
    double start_s[] = {0, 1800, 3600, 5400}, end_s[] = {1800, 3600, 5400, 7200},
           overloaded[] = {(double)NAN, 1, 0, 1};
    const struct service_course c = {
        .start_s = start_s, .end_s = end_s, .overloaded = overloaded, .count = 4};
    const struct service_window all = {0.0, 7200.0, false}, part = {0.0, 5400.0, false};
    struct service_hours h = service_course_hours(&c, &all);

    (void)state;
    assert_near(h.all, 1.5, 1e-12, "measured hours");
    assert_near(h.overloaded, 1.0, 1e-12, "overloaded of them");
    h = service_course_hours(&c, &part);
    assert_near(h.all, 1.0, 1e-12, "inside the window");
    assert_near(h.overloaded, 0.5, 1e-12, "of them");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shows_what_is_overloaded),
                                       cmocka_unit_test(else_the_busiest),
                                       cmocka_unit_test(hours_are_those_that_are_measured)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
