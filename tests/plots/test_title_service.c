/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/title_service.h"

#include "tests/support/testing.h"

#include <math.h>
#include <stdlib.h>

static struct chart_frame frame = {.currency = "USD", .cost_metric = "cost_usd"};

static struct study_facts *two(void)
{
    struct study_facts *f = calloc(1, sizeof *f);
    static const char *const names[] = {"cheap", "dear"};
    f->frame = &frame;
    f->count = 2;
    f->subject = 0;
    f->baseline = -1;
    for (size_t i = 0; i < 2; i++) {
        struct strategy_facts *s = &f->strategy[i];
        s->name = names[i];
        s->stands = true;
        s->worlds = 200;
        s->cost = (struct fact_metric){.present = true, .n = 200, .min = 30, .max = 60};
        s->cost.p50.value = i == 0 ? 41 : 52;
        s->slo = (struct fact_metric){.present = true, .mean = i == 0 ? 0.9712 : 0.9989};
        s->latency_p95 = (struct fact_metric){.present = true, .n = 200, .min = 1, .max = 2};
        s->latency_p95.p50.value = 1.2;
        s->latency_p95.p90.value = 1.3141;
    }
    return f;
}

static void says(struct text *t, const char *want)
{
    assert_string_equal(t->data, want);
    text_release(t);
}

static void demand(void **state)
{
    (void)state;
    static const struct {
        struct service_hours hours;
        const char *want;
    } cases[] = {
        {{48, 0}, "In its plan world cheap is never overloaded in the 48 hours shown"},
        {{48, 3.166}, "In its plan world cheap is overloaded in 3.2 of the 48 hours shown"},
        {{48, 0.0834}, "In its plan world cheap is overloaded in 5 minutes of the 48 hours shown"},
        {{168, 168}, "In its plan world cheap is overloaded in all 168 hours shown"},
    };
    struct study_facts *f = two();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text t;
        text_init(&t, 0);
        title_demand(&t, f, 0, &cases[i].hours);
        says(&t, cases[i].want);
    }
    free(f);
}

static void latency(void **state)
{
    (void)state;
    struct study_facts *f = two();
    struct text t;
    text_init(&t, 0);
    title_latency(&t, f, 1);
    says(&t, "dear answers 99.8 % of requests within its objective (mean)");
    f->strategy[1].slo.mean = 0.99999; /* not all */
    text_init(&t, 0);
    title_latency(&t, f, 1);
    says(&t, "dear answers 99.9 % of requests within its objective (mean)");
    f->strategy[1].slo.mean = 1;
    text_init(&t, 0);
    title_latency(&t, f, 1);
    says(&t, "dear answers all requests within its objective (mean)");
    f->strategy[0].slo.mean = (double)NAN;
    text_init(&t, 0);
    title_latency(&t, f, 0);
    says(&t, "cheap: P95 of latency is at most 1.32 s in 9 of 10 futures");
    f->strategy[0].worlds = 1;
    text_init(&t, 0);
    title_latency(&t, f, 0);
    says(&t, "cheap: P95 of latency is 1.20 s in the one simulated future");
    f->strategy[0].overloaded_h = 0.5;
    text_init(&t, 0);
    title_latency(&t, f, 0);
    says(&t, "cheap: P95 of latency is 1.20 s in the one simulated future, hours of overload "
             "included");
    f->strategy[0].latency_p95.p90.value = (double)NAN; /* of several services */
    text_init(&t, 0);
    title_latency(&t, f, 0);
    says(&t, "Latency of what cheap answers in its plan world");
    free(f);
}

static void slo(void **state)
{
    (void)state;
    struct study_facts *f = two();
    struct text t;
    text_init(&t, 0);
    title_slo(&t, f);
    says(&t, "cheap costs least, $41 with 97.1 % within the objective; dear reaches 99.8 % for "
             "$52");
    f->strategy[1].slo.mean = 0.9719;
    text_init(&t, 0);
    title_slo(&t, f);
    says(&t, "No strategy answers clearly more within the objective than cheap: 97.1 %");
    f->strategy[1].slo.mean = 0.9;
    text_init(&t, 0);
    title_slo(&t, f);
    says(&t, "cheap has the lowest P50 cost and answers most within the objective: 97.1 %");
    f->strategy[1].slo.mean = 0.9989;
    f->strategy[1].stands = false; /* what does not stand is praised for nothing */
    text_init(&t, 0);
    title_slo(&t, f);
    says(&t, "cheap answers 97.1 % within its objective (mean) for $41 (P50)");
    free(f);
}

static void slo_hours(void **state)
{
    (void)state;
    struct study_facts *f = two();
    struct text t;
    text_init(&t, 0);
    title_slo_hours(&t, f, 0, 0.97099, 1);
    says(&t, "In its worst hour cheap answers at least 97.0 % within its objective in 9 of 10 "
             "futures");
    text_init(&t, 0);
    title_slo_hours(&t, f, 0, 1, 24);
    says(&t, "In its worst 24 hours cheap answers all requests within its objective in 9 of 10 "
             "futures");
    text_init(&t, 0);
    title_slo_hours(&t, f, 0, 0.0004, 1);
    says(&t, "In its worst hour cheap answers nothing within its objective in 1 of 10 futures or "
             "more");
    f->strategy[0].worlds = 1;
    text_init(&t, 0);
    title_slo_hours(&t, f, 0, 0.5, 1);
    says(&t, "In its worst hour cheap answers 50.0 % within its objective in the one simulated "
             "future");
    text_init(&t, 0);
    title_slo_hours(&t, f, 0, (double)NAN, 1);
    says(&t, "Requests that cheap answers within its objective");
    free(f);
}

static void week(void **state)
{
    (void)state;
    struct study_facts *f = two();
    double spend[TITLE_WEEK_HOURS];
    struct text t;
    for (size_t k = 0; k < TITLE_WEEK_HOURS; k++) {
        spend[k] = 1;
    }
    text_init(&t, 0);
    title_week(&t, f, 0, spend);
    says(&t, "No hour of the week costs cheap clearly more than another: at most $1");
    spend[24 + 19] = 2.5;
    text_init(&t, 0);
    title_week(&t, f, 0, spend);
    says(&t, "cheap pays most on Tuesdays from 19:00 UTC: $2.50 an hour, 2.5 times its mean");
    for (size_t k = 0; k < TITLE_WEEK_HOURS; k++) {
        spend[k] = k < 3 ? 0 : (double)NAN;
    }
    text_init(&t, 0);
    title_week(&t, f, 0, spend);
    says(&t, "cheap pays for no node in its plan world");
    free(f);
}

static void figures(void **state)
{
    (void)state;
    assert_string_equal(title_latency_figure(0.8404, FIGURE_NEAREST).text, "840 ms");
    assert_string_equal(title_latency_figure(0.00012345, FIGURE_NEAREST).text, "0.123 ms");
    assert_string_equal(title_latency_figure(1.314, FIGURE_UP).text, "1.32 s");
    assert_string_equal(title_latency_figure(0.9999, FIGURE_NEAREST).text, "1.00 s");
    assert_string_equal(title_latency_figure(43.21, FIGURE_NEAREST).text, "43.2 s");
    assert_string_equal(title_latency_figure(4321, FIGURE_NEAREST).text, "4,320 s");
    assert_string_equal(title_attained(0.9990).text, "99.9 %");
    assert_string_equal(title_attained(1.0).text, "all");
    assert_string_equal(title_attained(0).text, "0.0 %");
}

static void unit_cost(void **state)
{
    (void)state;
    struct study_facts *f = two();
    struct load_curve curve = {
        .tokens = true, .count = 3, .point = {{0.2811, 1.316, 3}, {1, 0.7, 3}, {2.149, 0.6114, 3}}};
    struct text t;
    text_init(&t, 0);
    title_unit_cost(&t, f, 0, &curve);
    says(&t,
         "In its plan world cheap pays $1.32 for a million tokens at 0.28 requests/s, $0.611 at "
         "2.1");
    text_init(&t, 0);
    curve.tokens = false;
    curve.point[0].cost = 0.63;
    curve.point[1].cost = 0.62;
    title_unit_cost(&t, f, 0, &curve); /* 3 % are no difference */
    says(&t, "In its plan world cheap pays about $0.621 for 1,000 requests from 0.28 to 2.1 "
             "requests/s");
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(demand), cmocka_unit_test(latency),
                                       cmocka_unit_test(slo),    cmocka_unit_test(slo_hours),
                                       cmocka_unit_test(week),   cmocka_unit_test(unit_cost),
                                       cmocka_unit_test(figures)};
    return cmocka_run_group_tests_name("title_service", tests, NULL, NULL);
}
