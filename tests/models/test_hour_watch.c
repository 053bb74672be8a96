/* SPDX-License-Identifier: GPL-3.0-or-later
 * Hours by hand: what came, what could be served, what ended within. */
#include "models/inference/hour_watch.h"

#include "tests/support/testing.h"

#include <math.h>

/* 2026-03-02T00:00:00Z, a Monday. */
#define MONDAY INT64_C(1772409600)
#define HOUR   3600.0

struct watched {
    struct hour_log *log;
    struct hour_watch watch;
};

static void begin(struct watched *t, bool judges, double target, double now_s, double counted_s)
{
    t->log = hour_log_new(1, 8, HOUR, MONDAY);
    assert_non_null(t->log);
    hour_watch_begin(&t->watch, judges, target, t->log, 0);
    hour_watch_start(&t->watch, now_s, counted_s);
}

/* An hour in which so many come and end evenly, against what can be served in a second. */
static void pass_hour(struct watched *t, double hour, double came, double could_per_s,
                      double within)
{
    const struct hour_flow f = {
        .came = came, .could = could_per_s * HOUR, .ended = came, .within = within};
    hour_watch_flow(&t->watch, hour * HOUR, (hour + 1) * HOUR, &f);
}

static void hours_are_judged_by_their_share(void **state)
{
    (void)state;
    struct watched t;
    begin(&t, true, 0.95, 0, 0);
    pass_hour(&t, 0, 7200, 4, 7200);
    pass_hour(&t, 1, 7200, 4, 0.95 * 7200);
    pass_hour(&t, 2, 7200, 4, 0.9499 * 7200);
    pass_hour(&t, 3, 0, 4, 0); /* nothing came: not judged */
    hour_watch_end(&t.watch);
    assert_near(t.watch.judged, 3, 0, "judged");
    assert_near(t.watch.met, 2, 0, "met");
    assert_near(t.watch.overloaded_h, 0, 0, "calm");
    const struct hour_sum *h = hour_log_buckets(t.log, 0);
    assert_near(hour_sum_attained(&h[1]), 0.95, 1e-12, "share");
    assert_near(hour_sum_attained(&h[2]), 0.9499, 1e-12, "share");
    assert_true(isnan(hour_sum_attained(&h[3])));
    assert_int_equal(h[3].hours, 1);
    assert_int_equal(h[3].judged, 0);
    assert_int_equal(h[4].hours, 0);
    hour_log_free(t.log);
}

/* The same as service_log says of buckets of an hour, told in steps that do not end on minutes. */
static void overload_is_that_of_the_log(void **state)
{
    (void)state;
    struct watched t;
    struct service_log *log = service_log_new(1, 6, HOUR);
    const struct service_goal goal = {.stated = true};
    double overloaded = 0;
    begin(&t, true, 0.95, 0, 0);
    service_log_begin(log, 0, &goal);
    for (double at_s = 0; at_s < 6 * HOUR; at_s += 45) {
        const size_t hour = (size_t)(at_s / HOUR);
        /* 2/s of 4/s; a burst for six minutes; above for an hour; a queue that grows; nothing
         * ready. */
        const bool burst = hour == 1 && at_s >= 1.5 * HOUR && at_s < 1.6 * HOUR;
        const double rate = burst ? 8 : hour == 2 ? 4.5 : 2, capacity = hour == 5 ? 0 : 4;
        const double waiting = hour == 3 ? 0.2 * (at_s - 3 * HOUR) : 0;
        const struct service_span span = {
            .from_s = at_s, .to_s = at_s + 45, .capacity = capacity, .waiting = waiting};
        const struct hour_flow f = {
            .came = 45 * rate, .could = 45 * capacity, .waiting = 45 * waiting, .ended = 45 * 2};
        service_log_span(log, 0, &span);
        service_log_count(log, 0, at_s + 20, SERVICE_ARRIVED, 45 * rate);
        service_log_came(log, 0, at_s, at_s + 45, 45 * rate);
        hour_watch_flow(&t.watch, at_s, at_s + 45, &f);
    }
    service_log_close(log);
    hour_watch_end(&t.watch);
    for (size_t k = 0; k < 6; k++) {
        const bool there = service_bucket_overloaded(&service_log_buckets(log, 0)[k]);
        assert_int_equal(hour_log_buckets(t.log, 0)[k].overloaded, there);
        assert_int_equal(there, k != 0 && k != 4);
        overloaded += there;
    }
    assert_near(t.watch.overloaded_h, overloaded, 1e-9, "hours");
    service_log_free(log);
    hour_log_free(t.log);
}

/* Nothing ends while nothing is ready: that hour was not within. */
static void a_standstill_is_no_success(void **state)
{
    (void)state;
    struct watched t;
    begin(&t, true, 0, 0, 0); /* even a target of 0 % */
    hour_watch_flow(&t.watch, 0, HOUR, &(struct hour_flow){.came = 10});
    hour_watch_end(&t.watch);
    assert_near(t.watch.judged, 1, 0, "judged");
    assert_near(hour_sum_attained(hour_log_buckets(t.log, 0)), 0, 0, "attained");
    assert_near(t.watch.overloaded_h, 1, 1e-9, "overloaded");
    hour_log_free(t.log);
}

/* From 00:30 to 02:15; counted from 01:00 on. Events one by one. */
static void parts_of_hours(void **state)
{
    (void)state;
    struct watched t;
    begin(&t, true, 0.5, 1800, HOUR);
    double before_s = 1800;
    for (double at_s = 1830; at_s <= 2.25 * HOUR; at_s += 30) {
        hour_watch_pass(&t.watch, before_s, at_s, 1, 0);
        before_s = at_s;
        if (at_s < 2.25 * HOUR) {
            t.watch.came++;
            t.watch.ended++;
            t.watch.within += at_s < 2 * HOUR;
        }
    }
    hour_watch_end(&t.watch);
    const struct hour_sum *h = hour_log_buckets(t.log, 0);
    assert_int_equal(h[0].hours, 0); /* it is not counted */
    assert_near(h[1].ended, 120, 0, "all of the second, with what ends at its begin");
    assert_near(h[2].ended, 30, 0, "the rest");
    assert_near(h[2].within, 0, 0, "late");
    assert_near(t.watch.judged, 2, 0, "two of three count");
    assert_near(t.watch.met, 1, 0, "the second");
    hour_log_free(t.log);
}

/* Nothing is ready for ten minutes, and twenty minutes are not counted: that hour is in no sum. */
static void what_is_not_counted_is_not_overloaded(void **state)
{
    (void)state;
    for (int counted = 0; counted < 2; counted++) {
        struct watched t;
        begin(&t, true, 0.5, 0, counted ? 0 : 1200);
        hour_watch_flow(&t.watch, 0, 600, &(struct hour_flow){.came = 1200});
        hour_watch_flow(
            &t.watch, 600, HOUR,
            &(struct hour_flow){.came = 6000, .could = 12000, .ended = 7200, .within = 7200});
        pass_hour(&t, 1, 7200, 4, 7200);
        hour_watch_end(&t.watch);
        const struct hour_sum *h = hour_log_buckets(t.log, 0), *week = hour_log_week(t.log, 0);
        assert_int_equal(h[0].hours, counted);
        assert_int_equal(h[0].overloaded, counted);
        assert_int_equal(week[0].hours, counted);
        assert_near(t.watch.overloaded_h, counted, 1e-9, "overloaded");
        assert_near(t.watch.judged, 1 + counted, 0, "judged");
        assert_int_equal(h[1].hours, 1);
        assert_int_equal(h[1].overloaded, 0);
        hour_log_free(t.log);
    }
}

static void weeks_lie_over_each_other(void **state)
{
    (void)state;
    /* From Sunday 22:30 on: an hour counts by its middle. */
    struct hour_log *log = hour_log_new(2, 40, 8 * HOUR, MONDAY - 5400);
    const struct hour_sum one = {.ended = 2, .within = 1, .hours = 1, .judged = 1};
    hour_log_put(log, 1, 0, &one);
    hour_log_put(log, 1, HOUR, &one);
    hour_log_put(log, 1, 169 * HOUR, &one);
    hour_log_put(log, 1, 320 * HOUR, &one); /* behind the last */
    hour_log_put(NULL, 1, 0, &one);
    assert_int_equal(hour_log_week(log, 1)[167].hours, 1);
    assert_int_equal(hour_log_week(log, 1)[0].hours, 2);
    assert_int_equal(hour_log_buckets(log, 1)[0].hours, 2);
    assert_int_equal(hour_log_buckets(log, 1)[21].hours, 1);
    assert_int_equal(hour_log_week(log, 0)[0].hours, 0);
    hour_log_clear(log);
    assert_int_equal(hour_log_week(log, 1)[0].hours, 0);
    hour_log_free(log);
}

/* Without an objective nothing is judged, and overload is told all the same. */
static void overload_needs_no_objective(void **state)
{
    (void)state;
    struct watched t;
    begin(&t, false, 0, 0, 0);
    pass_hour(&t, 0, 7200, 1, 0);
    hour_watch_end(&t.watch);
    assert_near(t.watch.judged, 0, 0, "judged");
    assert_near(t.watch.overloaded_h, 1, 1e-9, "overloaded");
    hour_watch_begin(&t.watch, true, 0, NULL, 0);
    hour_watch_end(&t.watch); /* it never began */
    assert_near(t.watch.judged, 0, 0, "judged");
    hour_log_free(t.log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hours_are_judged_by_their_share),
        cmocka_unit_test(overload_is_that_of_the_log),
        cmocka_unit_test(a_standstill_is_no_success),
        cmocka_unit_test(parts_of_hours),
        cmocka_unit_test(what_is_not_counted_is_not_overloaded),
        cmocka_unit_test(weeks_lie_over_each_other),
        cmocka_unit_test(overload_needs_no_objective),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
