/* SPDX-License-Identifier: GPL-3.0-or-later
 * Monitoring: when datapoints are seen, which mean is made of them, and how far they are off. */
#include "engine/gsl_errors.h"
#include "models/autoscaling/metric_feed.h"
#include "tests/support/autoscale_text.h"
#include "tests/support/testing.h"

#include <math.h>

static const struct random_world world = {.seed = 7, .replication = 3};

static struct metric_point point_at(double at_s, double ready, double total)
{
    struct metric_point p = {.at_s = at_s, .ready = ready};
    for (int m = 0; m < SCALING_METRIC_COUNT; m++) {
        p.readings[m] = (struct scaling_reading){.known = true, .total = total};
    }
    return p;
}

static void add(struct metric_feed *f, double at_s, double ready, double total)
{
    struct metric_point p = point_at(at_s, ready, total);
    assert_true(metric_feed_add(f, &p));
}

static struct scaling_reading queue_at(struct metric_feed *f, double now_s)
{
    struct autoscaler_view view = {.now_s = now_s};
    metric_feed_show(f, &view);
    return view.readings[SCALING_QUEUE];
}

static void nothing_is_known_before_the_first_is_visible(void **state)
{
    (void)state;
    struct metric_feed f = {0};
    metric_feed_begin(&f, world, 1, 120, 0);
    assert_false(queue_at(&f, 0).known);
    add(&f, 60, 2, 10);
    assert_false(queue_at(&f, 179).known);
    struct scaling_reading r = queue_at(&f, 180);
    assert_true(r.known && !r.repeated);
    assert_near(r.total, 10, 0, "total");
    assert_near(r.of_ready, 2, 0, "of so many");
    r = queue_at(&f, 195);
    assert_true(r.known && r.repeated);
    assert_near(r.total, 10, 0, "once more");
    metric_feed_release(&f);
}

static void a_look_sees_the_mean_of_what_is_new(void **state)
{
    (void)state;
    struct metric_feed f = {0};
    metric_feed_begin(&f, world, 1, 30, 0);
    for (int i = 1; i <= 40; i++) {
        add(&f, 15 * i, 4, i);
    }
    /* Those that ended by 60: 1 to 4; by 120: 5 to 8; by 600: the rest. */
    assert_near(queue_at(&f, 90).total, 2.5, 1e-12, "first");
    assert_near(queue_at(&f, 150).total, 6.5, 1e-12, "second");
    assert_near(queue_at(&f, 630).total, 24.5, 1e-12, "all that is left");
    assert_true(queue_at(&f, 645).repeated);
    metric_feed_release(&f);
}

/* A datapoint that is missing, such as the latency of no request, spoils no mean. */
static void what_is_not_known_is_left_out(void **state)
{
    (void)state;
    struct metric_feed f = {0};
    metric_feed_begin(&f, world, 1, 0, 0);
    struct metric_point p = point_at(10, 3, 99);
    p.readings[SCALING_QUEUE].known = false;
    assert_true(metric_feed_add(&f, &p));
    add(&f, 20, 5, 7);
    struct scaling_reading r = queue_at(&f, 20);
    assert_near(r.total, 7, 0, "total");
    assert_near(r.of_ready, 5, 0, "of so many");
    metric_feed_release(&f);
}

static void errors_have_mean_one_and_the_stated_deviation(void **state)
{
    (void)state;
    enum { N = 20000 };
    const double cv = 0.2;
    struct metric_feed f = {0};
    double sum = 0, squares = 0;
    metric_feed_begin(&f, world, 1, 0, cv);
    for (int i = 0; i < N; i++) {
        add(&f, i, 100, 10);
        double x = queue_at(&f, i).total / 10;
        sum += x;
        squares += (x - 1) * (x - 1);
    }
    assert_near(sum / N, 1, 4 * cv / sqrt(N), "mean");
    /* The variance of a squared deviation is (kurtosis - 1) cv^4; 4 is above a lognormal's of 0.2.
     */
    assert_near(squares / N, cv * cv, 4 * cv * cv * sqrt(3.0 / N), "variance");
    metric_feed_release(&f);
}

static void errors_are_of_the_world_the_metric_and_the_number(void **state)
{
    (void)state;
    struct metric_feed a = {0}, b = {0};
    metric_feed_begin(&a, world, 1, 0, 0.3);
    metric_feed_begin(&b, world, 1, 0, 0.3);
    for (int i = 1; i <= 20; i++) {
        add(&a, i, 10, 5);
        add(&b, 60.0 * i, 10, 5); /* at other times: it is the number that counts */
        struct autoscaler_view va = {.now_s = i}, vb = {.now_s = 60.0 * i};
        metric_feed_show(&a, &va);
        metric_feed_show(&b, &vb);
        for (int m = 0; m < SCALING_METRIC_COUNT; m++) {
            assert_near(va.readings[m].total, vb.readings[m].total, 0, "same luck");
        }
        assert_true(va.readings[SCALING_QUEUE].total != va.readings[SCALING_LATENCY].total);
    }
    metric_feed_release(&a);
    metric_feed_release(&b);
}

static void no_replica_looks_busier_than_busy(void **state)
{
    (void)state;
    struct metric_feed f = {0};
    metric_feed_begin(&f, world, 1, 0, 1);
    for (int i = 1; i <= 100; i++) {
        add(&f, i, 10, 9);
        struct autoscaler_view view = {.now_s = i};
        metric_feed_show(&f, &view);
        assert_true(view.readings[SCALING_UTILISATION].total <= 10);
    }
    metric_feed_release(&f);
}

static struct autoscaler_view seen(double now_s, uint32_t ready, double total, double of_ready,
                                   bool repeated)
{
    struct autoscaler_view v = {
        .now_s = now_s, .desired = ready, .ready = ready, .changed_at_s = -HUGE_VAL};
    for (int m = 0; m < SCALING_METRIC_COUNT; m++) {
        v.readings[m] = (struct scaling_reading){true, total, of_ready, repeated};
    }
    return v;
}

/* 20 replicas now, and a datapoint of when there were 10 with 8 of them busy: who knows the mean
 * alone, 80 %, asks for 20 × 80 / 50 = 32; who counts the whole asks for 8 / 0.5 = 16. */
static void a_mean_that_is_late_is_taken_for_todays(void **state)
{
    (void)state;
    static const struct {
        const char *list;
        uint32_t want;
    } rows[] = {
        {"{name: target-tracking, utilisation: 50 %, out_after: 1}", 32},
        {"{name: hpa, utilisation: 50 %}", 32},
        {"{name: keda, utilisation: 50 %}", 16},
        {"{name: step-scaling, out_after: 1, out: [{utilisation: 70 %, count: 3}]}", 23},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct autoscale_text t;
        autoscale_text_open(&t, rows[i].list, 1, 100);
        struct autoscaler_view v = seen(0, 20, 8, 10, false);
        assert_int_equal(autoscaler_group_look(&t.group, &v, NULL, NULL), rows[i].want);
        autoscale_text_close(&t);
    }
}

/* Three datapoints of five minutes are fifteen minutes, however often the alarm looks. */
static void alarms_count_datapoints_not_looks(void **state)
{
    (void)state;
    struct autoscale_text t;
    autoscale_text_open(&t, "{name: target-tracking, utilisation: 50 %}", 1, 100);
    for (int minute = 1; minute <= 15; minute++) {
        struct autoscaler_view v = seen(60.0 * (minute - 1), 10, 8, 10, minute % 5 != 0);
        assert_int_equal(autoscaler_group_look(&t.group, &v, NULL, NULL), minute < 15 ? 10 : 16);
    }
    autoscale_text_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_known_before_the_first_is_visible),
        cmocka_unit_test(a_look_sees_the_mean_of_what_is_new),
        cmocka_unit_test(what_is_not_known_is_left_out),
        cmocka_unit_test(errors_have_mean_one_and_the_stated_deviation),
        cmocka_unit_test(errors_are_of_the_world_the_metric_and_the_number),
        cmocka_unit_test(no_replica_looks_busier_than_busy),
        cmocka_unit_test(a_mean_that_is_late_is_taken_for_todays),
        cmocka_unit_test(alarms_count_datapoints_not_looks),
    };
    gsl_errors_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
