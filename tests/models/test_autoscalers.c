/* SPDX-License-Identifier: GPL-3.0-or-later
 * Load in, capacity out: worked series of the documentation of each autoscaler, and series derived
 * from its rules. Unless a row says otherwise, replicas are there the moment they are asked for. */
#include "models/autoscaling/keda_jobs.h"
#include "tests/support/autoscale_text.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* 1970-01-05 was a Monday. */
#define MONDAY_UNIX_S (4 * 86400.0)

struct series {
    struct autoscale_text text;
    uint32_t desired;
    double now_s;
};

static void series_open(struct series *s, const char *list, uint32_t minimum, uint32_t maximum,
                        uint32_t begin)
{
    autoscale_text_open(&s->text, list, minimum, maximum);
    s->desired = begin;
    s->now_s = 0.0;
}

static void series_close(struct series *s)
{
    autoscale_text_close(&s->text);
}

/* One look, with this much load in each metric and so many of the desired replicas still warming.
 */
static uint32_t look(struct series *s, double load, uint32_t warming)
{
    struct autoscaler_view view = {.now_s = s->now_s,
                                   .unix_s = MONDAY_UNIX_S + s->now_s,
                                   .desired = s->desired,
                                   .ready = s->desired - warming,
                                   .warming = warming,
                                   .changed_at_s = -HUGE_VAL};
    for (int m = 0; m < SCALING_METRIC_COUNT; m++) {
        view.readings[m] = (struct scaling_reading){.known = isfinite(load), .total = load};
    }
    s->desired = autoscaler_group_look(&s->text.group, &view, NULL, NULL);
    double next_s = autoscaler_group_next_s(&s->text.group);
    s->now_s = isfinite(next_s) ? next_s : s->now_s + 60.0;
    return s->desired;
}

/* Fails at the first of `count` looks that gives another capacity. */
static void expect(struct series *s, const double *loads, const uint32_t *want, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t got = look(s, loads[i], 0);
        if (got != want[i]) {
            fail_msg("look %zu, load %g: %u replicas, expected %u", i + 1, loads[i], got, want[i]);
        }
    }
}

static void expect_all(struct series *s, double load, size_t count, uint32_t want)
{
    for (size_t i = 0; i < count; i++) {
        expect(s, &load, &want, 1);
    }
}

/* ---- AWS target tracking ---- */

static void target_tracking_keeps_a_backlog_as_documented(void **state)
{
    (void)state;
    /* EC2 Auto Scaling User Guide, "Scaling based on Amazon SQS": 10 instances, 1,500 messages,
     * 0.1 s each, 10 s allowed: a backlog of 100 each is aimed at, there are 150: out by 5. */
    struct series s;
    series_open(&s, "{name: target-tracking, queue: 100, out_after: 1}", 1, 100, 10);
    assert_int_equal(look(&s, 1500, 0), 15);
    series_close(&s);
}

static void target_tracking_waits_three_and_fifteen_datapoints(void **state)
{
    (void)state;
    /* Derived: cap 10, target 50, no warm-up: load 500 twice, 800 eight times, 300 twenty times. */
    struct series s;
    series_open(&s, "{name: target-tracking, queue: 50}", 1, 100, 10);
    expect_all(&s, 500, 2, 10);
    expect_all(&s, 800, 2, 10);
    expect_all(&s, 800, 6, 16); /* minutes 5 to 10 */
    expect_all(&s, 300, 14, 16);
    expect_all(&s, 300, 6, 6); /* from minute 25 on */
    series_close(&s);
}

static void target_tracking_counts_replicas_that_warm_up(void **state)
{
    (void)state;
    struct series s;
    series_open(&s, "{name: target-tracking, queue: 50, in_after: 1}", 1, 100, 10);
    expect_all(&s, 800, 2, 10);
    assert_int_equal(look(&s, 800, 0), 16);
    /* The same load on the ten that serve wants no more than the six that are on their way. */
    assert_int_equal(look(&s, 800, 6), 16);
    assert_int_equal(look(&s, 1000, 6), 20);
    /* Too little load takes none away while some warm up. */
    assert_int_equal(look(&s, 10, 4), 20);
    assert_int_equal(look(&s, 10, 0), 1);
    series_close(&s);
}

static void target_tracking_does_nothing_without_data(void **state)
{
    (void)state;
    struct series s;
    series_open(&s, "{name: target-tracking, queue: 50}", 0, 100, 10);
    expect_all(&s, 800, 2, 10);
    assert_int_equal(look(&s, NAN, 0), 10);
    expect_all(&s, 800, 2, 10); /* it counts anew */
    assert_int_equal(look(&s, 800, 0), 16);
    expect_all(&s, 0, 14, 16);
    assert_int_equal(look(&s, 0, 0), 0); /* no load is data */
    series_close(&s);
}

static void several_policies_take_away_only_together(void **state)
{
    (void)state;
    struct series s;
    series_open(&s,
                "[{name: target-tracking, queue: 50, out_after: 1, in_after: 1}, "
                "{name: target-tracking, requests: 100/s, out_after: 1, in_after: 3}]",
                1, 100, 10);
    assert_int_equal(look(&s, 1000, 0), 20); /* any wants more: the largest */
    assert_int_equal(look(&s, 300, 0), 20);  /* the second does not yet */
    assert_int_equal(look(&s, 300, 0), 20);
    assert_int_equal(look(&s, 300, 0), 6); /* both: the larger of 6 and 3 */
    series_close(&s);
}

/* ---- SageMaker ---- */

static void sagemaker_scales_by_invocations(void **state)
{
    (void)state;
    /* MAX_RPS 20, safety 0.5: 600 a minute and instance; an endpoint of 3 that gets 2,700 a minute
     * (45 a second): ceil(3 × 900 / 600) = 5. */
    struct series s;
    series_open(&s, "{name: sagemaker, most: 20/s}", 1, 100, 3);
    expect_all(&s, 45, 2, 3);
    assert_int_equal(look(&s, 45, 0), 5);
    series_close(&s);
}

static void sagemaker_rests_after_it_took_away(void **state)
{
    (void)state;
    struct series s;
    series_open(&s, "{name: sagemaker, most: 20/s, in_cooldown: 10min}", 1, 100, 10);
    expect_all(&s, 40, 14, 10);
    assert_int_equal(look(&s, 40, 0), 4);
    expect_all(&s, 5, 9, 4); /* the alarm is still on, and acts when the rest is over */
    assert_int_equal(look(&s, 5, 0), 1);
    series_close(&s);

    series_open(&s, "{name: sagemaker, most: 20/s, in_cooldown: 30min}", 1, 100, 10);
    expect_all(&s, 40, 14, 10);
    assert_int_equal(look(&s, 40, 0), 4);
    expect_all(&s, 5, 29, 4);
    assert_int_equal(look(&s, 5, 0), 1);
    series_close(&s);

    /* More is added at once all the same: 120 a second are 12 of 10. */
    series_open(&s, "{name: sagemaker, most: 20/s, in_cooldown: 30min}", 1, 100, 10);
    expect_all(&s, 40, 14, 10);
    assert_int_equal(look(&s, 40, 0), 4);
    expect_all(&s, 120, 2, 4);
    assert_int_equal(look(&s, 120, 0), 12);
    series_close(&s);
}

/* ---- step scaling ---- */

#define DOCUMENTED_STEPS                                                                           \
    "{name: step-scaling, "                                                                        \
    "out: [{queue: 50, percent: 0}, {queue: 60, percent: 10 %}, {queue: 70, percent: 30 %}], "     \
    "in: [{queue: 50, percent: 0}, {queue: 40, percent: 10 %}, {queue: 30, percent: 30 %}]}"

static void step_scaling_follows_the_documented_example(void **state)
{
    (void)state;
    /* EC2 Auto Scaling User Guide, "Step adjustments": capacity 10; 60: 11; 70: 14; 40: 13; 30: 10.
     */
    struct series s;
    series_open(&s, DOCUMENTED_STEPS, 1, 100, 10);
    assert_int_equal(look(&s, 60 * 10, 0), 11);
    assert_int_equal(look(&s, 70 * 11, 0), 14);
    assert_int_equal(look(&s, 40 * 14, 0), 13);
    assert_int_equal(look(&s, 30 * 13, 0), 10);
    series_close(&s);
}

static void step_bounds_are_inclusive_on_their_own_side(void **state)
{
    (void)state;
    struct series s;
    series_open(&s, DOCUMENTED_STEPS, 1, 100, 10);
    assert_int_equal(look(&s, 59.99 * 10, 0), 10);
    assert_int_equal(look(&s, 69.99 * 10, 0), 11);
    assert_int_equal(look(&s, 40.01 * 11, 0), 11);
    assert_int_equal(look(&s, 30.01 * 11, 0), 10);
    series_close(&s);
}

static void step_changes_are_counted_as_documented(void **state)
{
    (void)state;
    static const struct {
        const char *step;
        uint32_t from, to;
    } rows[] = {
        {"out: [{queue: 1, count: 5}]", 3, 8},
        {"out: [{queue: 1, exact: 5}]", 3, 5},
        {"out: [{queue: 1, percent: 25 %}], min_change: 2", 4, 6},
        {"out: [{queue: 1, percent: 127 %}]", 10, 22}, /* 12.7: 12 */
        {"out: [{queue: 1, percent: 6.7 %}]", 10, 11}, /* 0.67: 1 */
        {"in: [{queue: 9, percent: 5.8 %}]", 10, 9},   /* -0.58: -1 */
        {"in: [{queue: 9, percent: 66.7 %}]", 10, 4},  /* -6.67: -6 */
        {"in: [{queue: 9, count: 20}]", 10, 1},        /* the minimum */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char list[200];
        struct series s;
        snprintf(list, sizeof list, "{name: step-scaling, %s}", rows[i].step);
        series_open(&s, list, 1, 100, rows[i].from);
        uint32_t got = look(&s, 5.0 * rows[i].from, 0);
        if (got != rows[i].to) {
            fail_msg("%s: from %u to %u, expected %u", rows[i].step, rows[i].from, got, rows[i].to);
        }
        series_close(&s);
    }
}

static void one_breach_makes_one_activity_while_replicas_warm_up(void **state)
{
    (void)state;
    struct series s;
    series_open(&s, DOCUMENTED_STEPS, 1, 100, 10);
    assert_int_equal(look(&s, 60 * 10, 0), 11);
    assert_int_equal(look(&s, 60 * 10, 1), 11);
    assert_int_equal(look(&s, 60 * 10, 1), 11);
    assert_int_equal(look(&s, 70 * 10, 1), 13); /* a higher step adds the difference */
    assert_int_equal(look(&s, 0, 3), 13);
    series_close(&s);
}

/* ---- simple scaling ---- */

static void simple_scaling_rests_for_its_cooldown(void **state)
{
    (void)state;
    struct series s;
    series_open(&s, "{name: simple-scaling, out: {queue: 70, count: 1}, in: {queue: 30, count: 1}}",
                1, 100, 2);
    assert_int_equal(look(&s, 80 * 2, 0), 3); /* t = 0 */
    assert_int_equal(look(&s, 80 * 2, 1), 3); /* still launching */
    expect_all(&s, 80 * 3, 3, 3);             /* t = 120 to 240: the cooldown */
    assert_int_equal(look(&s, 80 * 3, 0), 4); /* t = 300 */
    expect_all(&s, 20, 4, 4);
    assert_int_equal(look(&s, 20, 0), 3);
    series_close(&s);
}

/* ---- scheduled actions ---- */

static void scheduled_actions_follow_the_week(void **state)
{
    (void)state;
    /* Monday, 00:00. Before it lies Sunday, so that the weekend's two hold at the beginning. */
    struct series s;
    series_open(&s,
                "{name: scheduled, actions: [{at: 0h, days: weekends, replicas: 2, min: 2}, "
                "{at: 8h, days: weekdays, replicas: 10, min: 8, max: 20}, "
                "{at: 20h, days: weekdays, replicas: 4, min: 3}]}",
                1, 100, 5);
    static const struct {
        int day;
        double hour;
        uint32_t replicas;
    } rows[] = {{0, 0, 4},  {0, 7.9, 4},  {0, 8, 10},  {0, 19.9, 10}, {0, 20, 4},
                {1, 7, 4},  {1, 8, 10},   {4, 20, 4},  {4, 23.9, 4},  {5, 0, 2},
                {6, 12, 2}, {7, 7.95, 2}, {7, 8.1, 10}};
    size_t at = 0;
    /* On Monday at 0:00 the last actions were Sunday 0:00 for replicas and min: 2. */
    assert_int_equal(look(&s, 0, 0), 2);
    while (at < sizeof rows / sizeof rows[0]) {
        double due_s = rows[at].day * 86400.0 + rows[at].hour * 3600.0;
        uint32_t want = rows[at].replicas;
        if (at < 2) {
            want = 2;
        }
        while (s.now_s <= due_s) {
            look(&s, 0, 0);
        }
        if (s.desired != want) {
            fail_msg("day %d, %g h: %u, expected %u", rows[at].day, rows[at].hour, s.desired, want);
        }
        at++;
    }
    series_close(&s);
}

static void scheduled_limits_bound_the_others(void **state)
{
    (void)state;
    struct series s;
    series_open(&s,
                "[{name: scheduled, actions: [{at: 1h, min: 6}, {at: 2h, max: 7}, "
                "{at: 3h, min: 1, max: 100}]}, "
                "{name: hpa, queue: 10, down: {stabilise: 0s}}]",
                1, 100, 2);
    while (s.now_s < 3600) {
        assert_int_equal(look(&s, 20, 0), 2);
    }
    assert_int_equal(look(&s, 20, 0), 6);
    while (s.now_s < 7200) {
        look(&s, 300, 0);
    }
    assert_int_equal(s.desired, 30);
    assert_int_equal(look(&s, 300, 0), 7);
    series_close(&s);
}

/* ---- Kubernetes ---- */

static void hpa_doubles_and_halves_as_documented(void **state)
{
    (void)state;
    struct series s;
    series_open(&s, "{name: hpa, queue: 100, down: {stabilise: 0s}}", 1, 100, 4);
    assert_int_equal(look(&s, 200 * 4, 0), 8);
    assert_int_equal(look(&s, 50 * 8, 0), 4);
    series_close(&s);
}

static void hpa_goes_up_by_double_or_four_pods(void **state)
{
    (void)state;
    static const double loads[] = {100, 100, 220, 220, 900, 900, 900};
    static const uint32_t want[] = {2, 2, 5, 5, 10, 18, 18};
    struct series s;
    series_open(&s, "{name: hpa, queue: 50}", 1, 100, 2);
    expect(&s, loads, want, 7);
    series_close(&s);
}

static void hpa_goes_down_by_the_highest_of_five_minutes(void **state)
{
    (void)state;
    struct series s;
    series_open(&s, "{name: hpa, queue: 50}", 1, 100, 10);
    expect_all(&s, 500, 4, 10);  /* t = 0 to 45 */
    expect_all(&s, 100, 19, 10); /* t = 60 to 330 */
    assert_near(s.now_s, 345, 1e-9, "time of the look");
    assert_int_equal(look(&s, 100, 0), 2);
    series_close(&s);
}

static void hpa_does_nothing_within_its_tolerance(void **state)
{
    (void)state;
    static const double loads[] = {105, 109, 115};
    static const uint32_t want[] = {2, 2, 3};
    struct series s;
    series_open(&s, "{name: hpa, queue: 50}", 1, 100, 2);
    expect(&s, loads, want, 3);
    series_close(&s);
}

static void hpa_policies_limit_the_rate_as_documented(void **state)
{
    (void)state;
    /* kubernetes.io: 4 pods or 10 % a minute, the larger, from 80 to 10. */
    static const uint32_t want[] = {80, 72, 64, 57, 51, 45, 40, 36, 32, 28, 24, 20, 16, 12, 10};
    struct series s;
    series_open(&s,
                "{name: hpa, queue: 50, period: 1min, down: {stabilise: 0s, policies: "
                "[{pods: 4, per: 1min}, {percent: 10 %, per: 1min}]}}",
                1, 100, 80);
    assert_int_equal(look(&s, 4000, 0), 80);
    for (size_t i = 1; i < sizeof want / sizeof want[0]; i++) {
        uint32_t got = look(&s, 500, 0);
        if (got != want[i]) {
            fail_msg("minute %zu: %u, expected %u", i, got, want[i]);
        }
    }
    series_close(&s);
}

static void hpa_policies_of_the_least_change_and_of_none(void **state)
{
    (void)state;
    struct series s;
    series_open(&s,
                "{name: hpa, queue: 50, down: {stabilise: 0s, select: min, policies: "
                "[{pods: 4, per: 15s}, {percent: 10 %, per: 15s}]}}",
                1, 100, 80);
    assert_int_equal(look(&s, 500, 0), 76);
    series_close(&s);
    series_open(&s, "{name: hpa, queue: 50, down: {stabilise: 0s, select: disabled}}", 1, 100, 80);
    expect_all(&s, 500, 3, 80);
    series_close(&s);
    /* Two changes within one period share its limit: 8 a minute, looked at every 15 s. */
    series_open(&s, "{name: hpa, queue: 50, up: {policies: {pods: 8, per: 1min}}}", 1, 100, 10);
    static const double loads[] = {750, 5000, 5000, 5000, 5000};
    static const uint32_t want[] = {15, 18, 18, 18, 23};
    expect(&s, loads, want, 5);
    series_close(&s);
}

static void hpa_takes_the_largest_of_several_metrics(void **state)
{
    (void)state;
    struct series s;
    series_open(&s, "{name: hpa, queue: 50, concurrency: 20}", 1, 100, 4);
    assert_int_equal(look(&s, 160, 0), 8);
    series_close(&s);
}

static void hpa_counts_pods_that_are_not_ready_as_idle(void **state)
{
    (void)state;
    struct series s;
    series_open(&s, "{name: hpa, queue: 50}", 1, 100, 10);
    /* 5 ready at 100 each: ratio 2; over all 10 it is 1: nothing. */
    assert_int_equal(look(&s, 500, 5), 10);
    /* At 150 each: over all 1.5: 15. */
    assert_int_equal(look(&s, 750, 5), 15);
    /* None ready: no metric, nothing is done. */
    assert_int_equal(look(&s, 0, 15), 15);
    series_close(&s);
}

/* ---- KEDA ---- */

static void keda_divides_the_queue_as_documented(void **state)
{
    (void)state;
    static const struct {
        const char *list;
        double queue;
        uint32_t want;
    } rows[] = {{"{name: keda, queue: 10}", 30, 3},
                {"{name: keda, queue: 10}", 31, 4},
                {"{name: keda}", 1200, 100}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct series s;
        series_open(&s, rows[i].list, 0, 100, 0);
        assert_int_equal(look(&s, rows[i].queue, 0), 1); /* from none to one by KEDA itself */
        for (int k = 0; k < 12; k++) {
            look(&s, rows[i].queue, 0);
        }
        assert_int_equal(s.desired, rows[i].want);
        series_close(&s);
    }
}

/* SQS: three visible messages and three in flight are six "actual" ones; with scaleOnInFlight off,
 * three. Of other metrics none of that matters. */
static void keda_counts_what_is_worked_on(void **state)
{
    (void)state;
    static const struct {
        const char *list;
        uint32_t want;
    } rows[] = {{"{name: keda, queue: 1}", 6},
                {"{name: keda, queue: 1, in_flight: no}", 3},
                {"{name: keda}", 2},
                {"{name: keda, requests: 1/s}", 9},
                {"{name: keda, requests: 1/s, in_flight: no}", 9}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct series s;
        series_open(&s, rows[i].list, 0, 100, 1);
        struct autoscaler_view view = {.unix_s = MONDAY_UNIX_S, .desired = 1, .ready = 1};
        view.changed_at_s = -HUGE_VAL;
        view.readings[SCALING_QUEUE] = (struct scaling_reading){.known = true, .total = 3};
        view.readings[SCALING_INSIDE] = (struct scaling_reading){.known = true, .total = 6};
        view.readings[SCALING_REQUESTS] = (struct scaling_reading){.known = true, .total = 9};
        uint32_t got = 0;
        for (int k = 0; k < 12; k++) {
            view.now_s = 15.0 * k;
            got = view.desired = autoscaler_group_look(&s.text.group, &view, NULL, NULL);
        }
        if (got != rows[i].want) {
            fail_msg("%s: %u replicas, expected %u", rows[i].list, got, rows[i].want);
        }
        series_close(&s);
    }
}

/* The last replica stays while it works on something, though nothing waits. */
static void keda_keeps_the_replica_that_works(void **state)
{
    (void)state;
    for (int in_flight = 0; in_flight <= 1; in_flight++) {
        struct series s;
        series_open(&s, in_flight ? "{name: keda}" : "{name: keda, in_flight: no}", 0, 100, 1);
        struct autoscaler_view view = {.unix_s = MONDAY_UNIX_S, .desired = 1, .ready = 1};
        view.changed_at_s = -HUGE_VAL;
        view.readings[SCALING_QUEUE] = (struct scaling_reading){.known = true, .total = 0};
        view.readings[SCALING_INSIDE] = (struct scaling_reading){.known = true, .total = 1};
        for (int k = 0; k < 40; k++) {
            view.now_s = 15.0 * k;
            view.desired = autoscaler_group_look(&s.text.group, &view, NULL, NULL);
        }
        assert_int_equal(view.desired, in_flight);
        series_close(&s);
    }
}

static void keda_goes_to_zero_after_its_cooldown(void **state)
{
    (void)state;
    struct series s;
    series_open(&s, "{name: keda, queue: 10}", 0, 100, 0);
    assert_int_equal(look(&s, 0, 0), 0);
    look(&s, 5, 0);
    assert_int_equal(look(&s, 5, 0), 1); /* polled at 30 s */
    double active_s = 30;
    while (s.now_s < active_s + 300) {
        assert_int_equal(look(&s, 0, 0), 1);
    }
    assert_int_equal(look(&s, 0, 0), 0);
    series_close(&s);
    /* Not below a stated minimum. */
    series_open(&s, "{name: keda, queue: 10}", 2, 100, 2);
    expect_all(&s, 0, 100, 2);
    series_close(&s);
}

static void keda_sees_bursts_only_when_it_polls(void **state)
{
    (void)state;
    struct series s;
    series_open(&s, "{name: keda, queue: 10, poll: 1min}", 0, 100, 0);
    assert_int_equal(look(&s, 0, 0), 0);
    expect_all(&s, 100, 3, 0); /* t = 15, 30, 45 */
    assert_int_equal(look(&s, 100, 0), 1);
    series_close(&s);
}

/* From one replica on the pod autoscaler asks the source itself, every 15 s; only values that are
 * kept between polls let it wait for the next of them (useCachedMetrics). */
static void keda_asks_the_source_between_polls(void **state)
{
    (void)state;
    static const struct {
        const char *list;
        uint32_t want[4];
    } rows[] = {{"{name: keda, queue: 10, poll: 1min}", {3, 3, 3, 3}},
                {"{name: keda, queue: 10, poll: 1min, cached: yes}", {1, 1, 1, 3}}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct series s;
        series_open(&s, rows[i].list, 0, 100, 1);
        assert_int_equal(look(&s, 5, 0), 1); /* polled at 0 s, next at 60 s */
        for (size_t k = 0; k < 4; k++) {
            assert_int_equal(look(&s, 30, 0), rows[i].want[k]);
        }
        series_close(&s);
    }
}

static void keda_jobs_count_as_documented(void **state)
{
    (void)state;
    struct keda_case {
        struct keda_jobs_terms terms;
        double queue;
        uint32_t running, pending, want;
    };
    static const struct keda_case rows[] = {
        /* Three messages, then three more while three jobs of three hours run; at most ten. */
        {{.strategy = KEDA_JOBS_DEFAULT, .target = 1, .maximum = 10}, 3, 0, 0, 3},
        {{.strategy = KEDA_JOBS_DEFAULT, .target = 1, .maximum = 10}, 3, 3, 0, 0},
        {{.strategy = KEDA_JOBS_EAGER, .target = 1, .maximum = 10}, 3, 3, 0, 3},
        {{.strategy = KEDA_JOBS_EAGER, .target = 1, .maximum = 5}, 9, 3, 1, 1},
        {{.strategy = KEDA_JOBS_ACCURATE, .target = 1, .maximum = 10}, 4, 3, 2, 2},
        {{.strategy = KEDA_JOBS_ACCURATE, .target = 1, .maximum = 10}, 9, 3, 0, 7},
        {{.strategy = KEDA_JOBS_CUSTOM,
          .target = 1,
          .maximum = 100,
          .deduction = 1,
          .running_share = 0.5},
         20,
         9,
         0,
         15},
        {{.strategy = KEDA_JOBS_DEFAULT, .target = 5, .maximum = 100}, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t got =
            keda_jobs_new(&rows[i].terms, rows[i].queue, rows[i].running, rows[i].pending);
        if (got != rows[i].want) {
            fail_msg("row %zu: %u new, expected %u", i, got, rows[i].want);
        }
    }
}

/* Jobs of three hours, at most ten: three messages, then three more while three run. Where the
 * queue counts those that wait only, jobs that run are taken off what they have taken already. */
static void keda_jobs_scale_as_documented(void **state)
{
    (void)state;
    static const struct {
        const char *list;
        uint32_t then;
    } rows[] = {
        {"{name: keda-jobs, in_flight: no}", 3},
        {"{name: keda-jobs, in_flight: no, strategy: eager}", 6},
        {"{name: keda-jobs, in_flight: no, strategy: accurate}", 6},
        {"{name: keda-jobs}", 6}, /* six in all less three that run */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct series s;
        series_open(&s, rows[i].list, 0, 10, 0);
        assert_int_equal(look(&s, 3, 0), 3);
        assert_int_equal(look(&s, 3, 0), rows[i].then);
        series_close(&s);
    }
}

/* ---- SkyServe ---- */

static void skyserve_waits_for_its_delays(void **state)
{
    (void)state;
    /* Derived: 2 to 10 replicas, 2.5 a second each; 4/s five times, 12/s thirty, 3/s eighty times:
     * 2 until the 20th decision, then 5, and 2 again from the 95th. */
    struct series s;
    series_open(&s, "{name: skyserve, requests: 2.5/s}", 2, 10, 2);
    for (int step = 1; step <= 115; step++) {
        uint32_t want = step < 20 ? 2 : step < 95 ? 5 : 2;
        uint32_t got = look(&s, step <= 5 ? 4 : step <= 35 ? 12 : 3, 0);
        if (got != want) {
            fail_msg("decision %d: %u, expected %u", step, got, want);
        }
    }
    series_close(&s);
}

static void skyserve_leaves_zero_at_once(void **state)
{
    (void)state;
    struct series s;
    series_open(&s, "{name: skyserve, requests: 2.5/s}", 0, 10, 0);
    assert_int_equal(look(&s, 0, 0), 0);
    assert_int_equal(look(&s, 5.1, 0), 3);
    series_close(&s);
}

/* ---- predictive ---- */

/* A day that repeats: 100 from 9 to 17 o'clock, else 10. */
static double of_hour(double now_s)
{
    int hour = (int)fmod(now_s / 3600.0, 24.0);
    return hour >= 9 && hour < 17 ? 100 : 10;
}

static void predictive_is_there_before_the_hour(void **state)
{
    (void)state;
    struct series s;
    series_open(&s,
                "[{name: predictive, queue: 10}, "
                "{name: target-tracking, queue: 10, out_after: 3, in_after: 15}]",
                1, 100, 1);
    double day_s = 86400, up_first_s = 0, up_second_s = 0;
    while (s.now_s < 2 * day_s) {
        double now_s = s.now_s;
        uint32_t got = look(&s, of_hour(now_s), 0);
        if (got >= 10 && up_first_s == 0) {
            up_first_s = now_s;
        }
        if (now_s > day_s && got >= 10 && up_second_s == 0) {
            up_second_s = now_s;
        }
    }
    /* On the first day there is no forecast: three datapoints late. On the second it is there five
     * minutes before nine. */
    assert_near(up_first_s, 9 * 3600 + 120, 1e-9, "first day");
    assert_near(up_second_s, day_s + 9 * 3600 - 300, 1e-9, "second day");
    series_close(&s);
}

static void predictive_takes_none_away_alone(void **state)
{
    (void)state;
    struct series s;
    series_open(&s, "{name: predictive, queue: 10}", 1, 100, 3);
    uint32_t last = 3;
    while (s.now_s < 3 * 86400) {
        uint32_t got = look(&s, of_hour(s.now_s), 0);
        assert_true(got >= last);
        last = got;
    }
    assert_int_equal(last, 10);
    series_close(&s);
}

/* ---- all of them ---- */

/* What is asked for at a time of the week lies within the limits of then. */
static void numbers_outside_the_limits_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *list;
        double of_week_h; /* -1: none is; -2: at all times */
        uint32_t replicas;
    } rows[] = {
        {"{name: scheduled, actions: {at: 8h, days: weekdays, replicas: 12}}", 8, 12},
        {"{name: scheduled, actions: {at: 8h, days: sunday, replicas: 1}}", 6 * 24 + 8, 1},
        {"{name: scheduled, actions: {at: 8h, replicas: 10}}", -1, 0},
        {"{name: scheduled, actions: [{at: 8h, replicas: 9}, {at: 20h, max: 5}]}", 8, 9},
        {"{name: scheduled, actions: [{at: 8h, replicas: 9, max: 9}, {at: 20h, max: 5}]}", -1, 0},
        {"{name: scheduled, actions: [{at: 8h, replicas: 12, max: 14}, {at: 20h, replicas: 3}]}",
         -1, 0},
        {"[{name: scheduled, actions: {at: 8h, replicas: 9}}, {name: scheduled, actions: [{at: 7h, "
         "days: friday, max: 6}, {at: 9h, days: friday, max: 10}]}]",
         4 * 24 + 8, 9},
        {"{name: scheduled, utc_offset: 8h, actions: {at: 2h, days: tuesday, replicas: 11}}", 18,
         11},
        {"{name: fixed, replicas: 11}", -2, 11},
        {"{name: fixed, replicas: 2}", -1, 0},
        {"[{name: fixed, replicas: 11}, {name: hpa, queue: 1}]", -1, 0},
        {"[{name: hpa, queue: 1}, {name: scheduled, actions: {at: 5h, replicas: 1}}]", 5, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct series s;
        struct autoscaler_outside found = {0};
        series_open(&s, rows[i].list, 2, 10, 5);
        bool any = autoscaler_group_goes_outside(&s.text.group, &found);
        double at_h = !any ? -1 : found.by_time ? found.of_week_s / 3600 : -2;
        if (fabs(at_h - rows[i].of_week_h) > 1e-9 || (any && found.replicas != rows[i].replicas)) {
            fail_msg("%s: at %g h, %u replicas", rows[i].list, at_h, found.replicas);
        }
        series_close(&s);
    }
}

static void limits_hold_whatever_is_wanted(void **state)
{
    (void)state;
    static const char *const lists[] = {"{name: fixed, replicas: 50}",
                                        "{name: target-tracking, queue: 1, out_after: 1}",
                                        DOCUMENTED_STEPS,
                                        "{name: sagemaker, most: 1/s}",
                                        "{name: hpa, queue: 1}",
                                        "{name: keda, queue: 1}",
                                        "{name: skyserve, requests: 1/s}",
                                        "{name: predictive, queue: 1}",
                                        "{name: scheduled, actions: {at: 0h, replicas: 50}}",
                                        "{name: simple-scaling, out: {queue: 1, count: 50}}"};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        struct series s;
        series_open(&s, lists[i], 3, 7, 5);
        for (int k = 0; k < 200; k++) {
            uint32_t got = look(&s, k < 100 ? 1e12 : 0.0, k % 3 == 0 ? 1 : 0);
            if (got < 3 || got > 7) {
                fail_msg("%s: %u replicas", lists[i], got);
            }
        }
        series_close(&s);
    }
}

static void a_world_begins_anew(void **state)
{
    (void)state;
    struct series s;
    series_open(&s, "[{name: hpa, queue: 50}, {name: target-tracking, requests: 50/s}]", 1, 100, 2);
    uint32_t first[40];
    for (int world = 0; world < 2; world++) {
        autoscaler_group_begin(&s.text.group, 0.0);
        s.desired = 2;
        s.now_s = 0;
        for (int k = 0; k < 40; k++) {
            uint32_t got = look(&s, k < 20 ? 900 : 30, 0);
            if (world == 0) {
                first[k] = got;
            }
            assert_int_equal(got, first[k]);
        }
    }
    series_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_outside_the_limits_are_found),
        cmocka_unit_test(target_tracking_keeps_a_backlog_as_documented),
        cmocka_unit_test(target_tracking_waits_three_and_fifteen_datapoints),
        cmocka_unit_test(target_tracking_counts_replicas_that_warm_up),
        cmocka_unit_test(target_tracking_does_nothing_without_data),
        cmocka_unit_test(several_policies_take_away_only_together),
        cmocka_unit_test(sagemaker_scales_by_invocations),
        cmocka_unit_test(sagemaker_rests_after_it_took_away),
        cmocka_unit_test(step_scaling_follows_the_documented_example),
        cmocka_unit_test(step_bounds_are_inclusive_on_their_own_side),
        cmocka_unit_test(step_changes_are_counted_as_documented),
        cmocka_unit_test(one_breach_makes_one_activity_while_replicas_warm_up),
        cmocka_unit_test(simple_scaling_rests_for_its_cooldown),
        cmocka_unit_test(scheduled_actions_follow_the_week),
        cmocka_unit_test(scheduled_limits_bound_the_others),
        cmocka_unit_test(hpa_doubles_and_halves_as_documented),
        cmocka_unit_test(hpa_goes_up_by_double_or_four_pods),
        cmocka_unit_test(hpa_goes_down_by_the_highest_of_five_minutes),
        cmocka_unit_test(hpa_does_nothing_within_its_tolerance),
        cmocka_unit_test(hpa_policies_limit_the_rate_as_documented),
        cmocka_unit_test(hpa_policies_of_the_least_change_and_of_none),
        cmocka_unit_test(hpa_takes_the_largest_of_several_metrics),
        cmocka_unit_test(hpa_counts_pods_that_are_not_ready_as_idle),
        cmocka_unit_test(keda_divides_the_queue_as_documented),
        cmocka_unit_test(keda_counts_what_is_worked_on),
        cmocka_unit_test(keda_keeps_the_replica_that_works),
        cmocka_unit_test(keda_goes_to_zero_after_its_cooldown),
        cmocka_unit_test(keda_sees_bursts_only_when_it_polls),
        cmocka_unit_test(keda_asks_the_source_between_polls),
        cmocka_unit_test(keda_jobs_count_as_documented),
        cmocka_unit_test(keda_jobs_scale_as_documented),
        cmocka_unit_test(skyserve_waits_for_its_delays),
        cmocka_unit_test(skyserve_leaves_zero_at_once),
        cmocka_unit_test(predictive_is_there_before_the_hour),
        cmocka_unit_test(predictive_takes_none_away_alone),
        cmocka_unit_test(limits_hold_whatever_is_wanted),
        cmocka_unit_test(a_world_begins_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
