/* SPDX-License-Identifier: GPL-3.0-or-later
 * Buckets of 100 s, filled by hand. */
#include "models/fleet/service_log.h"

#include "tests/support/testing.h"

#include <math.h>

static const struct service_goal none = {
    .within_s = {(double)INFINITY, (double)INFINITY, (double)INFINITY}};
static const struct service_goal goal = {.stated = true, .within_s = {(double)INFINITY, 2, 0.1}};

static struct service_span span(double from_s, double to_s, double capacity, double waiting)
{
    return (struct service_span){.from_s = from_s,
                                 .to_s = to_s,
                                 .ready = 2,
                                 .asked = 3,
                                 .serving = 2.5,
                                 .busy = 0.5,
                                 .active = 1.5,
                                 .held = 0.7,
                                 .waiting = waiting,
                                 .capacity = capacity};
}

static void a_span_is_cut_at_buckets_and_quarters(void **state)
{
    (void)state;
    struct service_log *log = service_log_new(2, 3, 100);
    assert_non_null(log);
    assert_null(service_log_buckets(log, 0));
    service_log_begin(log, 0, &goal);
    const struct service_span one = span(90, 230, 10, 4), beyond = span(250, 900, 1, 1);
    service_log_span(log, 0, &one);
    service_log_span(log, 0, &beyond);
    service_log_close(log);
    const struct service_bucket *b = service_log_buckets(log, 0);
    assert_near(b[0].span_s, 10, 1e-9, "the end of the first");
    assert_near(b[0].part_s[3], 10, 1e-9, "in its last quarter");
    assert_near(b[1].span_s, 100, 1e-9, "all of the second");
    assert_near(b[1].ready_s, 200, 1e-9, "ready");
    assert_near(b[1].asked_s, 300, 1e-9, "asked");
    assert_near(b[1].busy_s, 50, 1e-9, "busy");
    assert_near(b[1].serving_s, 250, 1e-9, "serving");
    assert_near(b[1].active_s, 150, 1e-9, "active");
    assert_near(b[1].memory_s, 70, 1e-9, "weights");
    assert_near(b[1].could_serve, 1000, 1e-9, "could serve");
    assert_near(b[1].part_waiting_s[2], 100, 1e-9, "waiting in a quarter");
    assert_near(b[2].span_s, 80, 1e-9, "nothing behind the last bucket");
    assert_near(b[2].could_serve, 30 * 10 + 50 * 1, 1e-9, "two capacities");
    assert_null(service_log_buckets(log, 1));
    assert_true(service_log_goal(log, 0)->stated);
    assert_near(service_log_goal(log, 0)->within_s[SERVICE_TTFT], 2, 0, "objective");
    service_log_clear(log);
    assert_null(service_log_buckets(log, 0));
    service_log_free(log);
}

static void counts_and_latencies_stay_in_their_bucket(void **state)
{
    (void)state;
    struct service_log *log = service_log_new(1, 3, 100);
    service_log_begin(log, 0, &none);
    for (int i = 1; i <= 100; i++) {
        service_log_count(log, 0, i * 0.5, SERVICE_SERVED, 1);
        service_log_value(log, 0, i * 0.5, SERVICE_LATENCY, i, 1);
    }
    service_log_count(log, 0, 250, SERVICE_SERVED, 0.5);
    service_log_value(log, 0, 250, SERVICE_LATENCY, 7, 0.5);
    service_log_count(log, 0, 300, SERVICE_SERVED, 1); /* behind the last */
    service_log_value(log, 0, 300, SERVICE_LATENCY, 1, 1);
    service_log_close(log);
    const struct service_bucket *b = service_log_buckets(log, 0);
    assert_near(b[0].count[SERVICE_SERVED], 100, 0, "first");
    assert_near(b[0].quantile_s[SERVICE_LATENCY][0], 50, 0.5, "P50 of 1 to 100, bins of 0.8 %");
    assert_near(b[0].quantile_s[SERVICE_LATENCY][2], 95, 0.8, "P95");
    assert_true(isnan(b[1].quantile_s[SERVICE_LATENCY][0]));
    assert_near(b[2].count[SERVICE_SERVED], 0.5, 0, "last");
    assert_near(b[2].quantile_s[SERVICE_LATENCY][2], 7, 0.06, "one value");
    service_log_free(log);
}

/* Each measure has quantiles of its own; a histogram is as good as its values. */
static void measures_are_apart(void **state)
{
    (void)state;
    struct service_log *log = service_log_new(1, 2, 100);
    static struct log_histogram many;
    service_log_begin(log, 0, &none);
    log_histogram_clear(&many);
    for (int i = 1; i <= 1000; i++) {
        log_histogram_add(&many, 0.001 * i, 1);
        service_log_value(log, 0, 10, SERVICE_TTFT, 2, 1);
    }
    service_log_values(log, 0, 20, SERVICE_LATENCY, &many);
    service_log_values(log, 0, 150, SERVICE_TPOT, &many);
    service_log_close(log);
    const struct service_bucket *b = service_log_buckets(log, 0);
    assert_near(b[0].quantile_s[SERVICE_LATENCY][1], 0.9, 0.008, "P90");
    assert_near(b[0].quantile_s[SERVICE_LATENCY][3], 0.99, 0.008, "P99");
    assert_near(b[0].quantile_s[SERVICE_TTFT][0], 2, 0.02, "all the same");
    assert_true(isnan(b[0].quantile_s[SERVICE_TPOT][0]));
    assert_near(b[1].quantile_s[SERVICE_TPOT][2], 0.95, 0.008, "P95");
    assert_true(isnan(b[1].quantile_s[SERVICE_TTFT][0]));
    assert_true(service_log_same_bucket(log, 0, 99));
    assert_false(service_log_same_bucket(log, 99, 100));
    service_log_free(log);
}

static void a_cache_is_spread_over_its_stretch(void **state)
{
    (void)state;
    struct service_log *log = service_log_new(1, 3, 100);
    service_log_begin(log, 0, &none);
    service_log_cache(log, 0, 50, 250, 20, 10);
    service_log_cache(log, 0, 40, 60, 4, 1);     /* before what was told last */
    service_log_cache(log, 0, 250, 650, 40, 20); /* what lies behind the last is left out */
    service_log_cache(log, 0, 70, 70, 0, 0);     /* no time at all */
    const struct service_bucket *b = service_log_buckets(log, 0);
    assert_near(b[0].cache_s, 5 + 4, 1e-9, "a quarter, and all of another");
    assert_near(b[1].cache_s, 10, 1e-9, "half");
    assert_near(b[2].cache_s, 5 + 5, 1e-9, "a quarter, and an eighth");
    assert_near(b[1].memory_s, 5, 1e-9, "half of its memory");
    service_log_free(log);
}

/* Ten minutes with a capacity of 2 a second. */
static bool has_burst(const double came_per_s[], size_t count, double each_s, double left)
{
    struct service_log *log = service_log_new(1, 2, 600);
    const struct service_span all = span(0, 1200, 2, 0);
    service_log_begin(log, 0, &none);
    service_log_span(log, 0, &all);
    for (size_t i = 0; i < count; i++) {
        service_log_came(log, 0, (double)i * each_s, (double)(i + 1) * each_s,
                         each_s * came_per_s[i]);
    }
    service_log_left(log, 0, 130, 170, left);
    service_log_came(log, 0, 700, 700, 1); /* a moment, in the second bucket */
    service_log_close(log);
    const struct service_bucket *b = service_log_buckets(log, 0);
    const bool burst = b[0].burst;
    assert_false(b[1].burst);
    assert_int_equal(service_bucket_overloaded(&b[0]), false); /* nothing was counted as come */
    service_log_free(log);
    return burst;
}

static void bursts_are_found_inside_a_bucket(void **state)
{
    (void)state;
    /* 180 came in a minute: 60 more than could be served, 3 √180 = 40. */
    assert_true(has_burst((const double[]){1, 3, 1, 1}, 4, 60, 0));
    assert_false(has_burst((const double[]){1, 2.5, 1, 1}, 4, 60, 0));  /* 30 more, 3 √150 = 37 */
    assert_true(has_burst((const double[]){1, 2.5, 2.5, 1}, 4, 60, 0)); /* 60 more, 3 √300 = 52 */
    assert_false(has_burst((const double[]){1, 2.5, 2.5, 1}, 4, 60, 10)); /* 10 of them gave up */
    assert_false(has_burst((const double[]){2, 2, 2, 2, 2}, 5, 60, 0));   /* just as much */
    assert_false(has_burst((const double[]){1, 3, 1, 3}, 4, 20, 0));      /* within a minute */
}

static void nobody_needs_a_log(void **state)
{
    (void)state;
    const struct service_span one = span(0, 1, 1, 1);
    service_log_begin(NULL, 0, &none);
    service_log_span(NULL, 0, &one);
    service_log_count(NULL, 0, 1, SERVICE_SERVED, 1);
    service_log_value(NULL, 0, 1, SERVICE_TTFT, 1, 1);
    service_log_cache(NULL, 0, 0, 1, 1, 1);
    service_log_close(NULL);
}

struct overload_case {
    double arrived, retried, could_serve;
    double waiting[SERVICE_BUCKET_PARTS];
    bool overloaded;
};

static const struct overload_case cases[] = {
    {100, 0, 120, {0, 0, 0, 0}, false},
    {130, 0, 120, {0, 0, 0, 0}, true},
    {100, 30, 120, {0, 0, 0, 0}, true},   /* what is sent again counts */
    {0, 0, 0, {0, 0, 0, 0}, false},       /* nothing came */
    {1, 0, 0, {1, 1, 1, 1}, true},        /* and nothing was ready */
    {100, 0, 120, {0, 10, 20, 31}, true}, /* 31 > 3 √100 */
    {100, 0, 120, {0, 10, 20, 29}, false},
    {100, 0, 120, {0, 30, 20, 60}, false},      /* it fell in between */
    {100, 0, (double)NAN, {0, 0, 0, 0}, false}, /* what it can is not known */
    {100, 0, (double)NAN, {0, 20, 40, 60}, true},
};

static void overload(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct overload_case *c = &cases[i];
        struct service_bucket b = {.could_serve = c->could_serve, .span_s = 100};
        b.count[SERVICE_ARRIVED] = c->arrived;
        b.count[SERVICE_RETRIED] = c->retried;
        for (size_t p = 0; p < SERVICE_BUCKET_PARTS; p++) {
            b.part_s[p] = 25;
            b.part_waiting_s[p] = 25 * c->waiting[p];
        }
        if (service_bucket_overloaded(&b) != c->overloaded) {
            fail_msg("case %zu", i);
        }
    }
    /* A queue that grows in half a bucket is none that grows throughout. */
    struct service_bucket half = {.could_serve = 120, .part_s = {25, 25, 0, 0}};
    half.count[SERVICE_ARRIVED] = 100;
    half.part_waiting_s[1] = 25 * 50;
    assert_false(service_bucket_overloaded(&half));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_span_is_cut_at_buckets_and_quarters),
        cmocka_unit_test(counts_and_latencies_stay_in_their_bucket),
        cmocka_unit_test(measures_are_apart),
        cmocka_unit_test(a_cache_is_spread_over_its_stretch),
        cmocka_unit_test(bursts_are_found_inside_a_bucket),
        cmocka_unit_test(nobody_needs_a_log),
        cmocka_unit_test(overload),
    };
    return cmocka_run_group_tests_name("service_log", tests, NULL, NULL);
}
