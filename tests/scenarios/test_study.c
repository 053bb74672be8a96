/* SPDX-License-Identifier: GPL-3.0-or-later
 * From a scenario to a study that is ready to run: its frame, its names, its limits. */
#include "engine/gsl_errors.h"
#include "scenarios/study/study.h"
#include "scenarios/study/timeline.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TWO                                                                                        \
    "version: 1\nstart: 2026-01-30T10:17Z\nhorizon: 20d\nregion: us-east-1\n"                      \
    "workloads:\n"                                                                                 \
    "  first: {kind: training, hours: 10h, deadline: 5d}\n"                                        \
    "  second: {kind: training, hours: 5h}\n"                                                      \
    "strategies:\n"                                                                                \
    "  a: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n"                                      \
    "  b: {instance: p3.2xlarge, nodes: 2, buy: on-demand}\n"

static void names_and_baseline(void **state)
{
    (void)state;
    struct study *s = study_from_text(TWO, NULL);
    assert_int_equal(s->workload_count, 2);
    assert_string_equal(study_workload_name(s, 0), "first");
    assert_string_equal(study_workload_name(s, 1), "second");
    assert_string_equal(study_workload_name(s, 2), "all");
    assert_string_equal(study_strategy_name(s, 1), "b");
    assert_int_equal(s->baseline, 0);
    assert_int_equal(s->replications, 1000);
    study_free(s);
    s = study_from_text(TWO "baseline: b\n", NULL);
    assert_int_equal(s->baseline, 1);
    study_free(s);
}

static void no_workload_is_called_all(void **state)
{
    (void)state;
    static const char text[] = "version: 1\nstart: 2026-01-30\nhorizon: 20d\nregion: us-east-1\n"
                               "workloads:\n  all: {kind: training, hours: 10h}\n"
                               "  shared: {kind: training, hours: 10h}\n"
                               "strategies: {a: {instance: p3.2xlarge, nodes: 1, buy: spot}}\n";
    int code = 0;
    char *what = study_errors(text, &code);
    assert_int_equal(code, 2);
    assert_non_null(strstr(what, ":6:3: error: a workload cannot be called 'all'"));
    assert_non_null(strstr(what, ":7:3: error: a workload cannot be called 'shared'"));
    free(what);
}

static bool memory_is_left_out(const char *text)
{
    struct study *s = study_from_text(text, NULL);
    bool told = false;
    for (size_t i = 0; study_not_modelled(s, i) != NULL; i++) {
        told = told || strstr(study_not_modelled(s, i), "fits into memory") != NULL;
    }
    study_free(s);
    return told;
}

#define OF_SIZE(job, service)                                                                      \
    "version: 1\nstart: 2026-01-30\nhorizon: 20d\nregion: us-east-1\n"                             \
    "workloads:\n"                                                                                 \
    "  job: {kind: training, hours: 10h" job "}\n"                                                 \
    "  chat: {kind: inference, demand: 1/s, " service "}\n"                                        \
    "strategies: {a: {instance: p4d.24xlarge, buy: on-demand, workloads: {job: {nodes: 1}}, "      \
    "nodes: 1}}\n"

static void memory_that_was_checked_is_not_said_to_be_left_out(void **state)
{
    (void)state;
#define LLM "llm: {model: llama-2-7b, prompt: 500, output: 200}"
    assert_false(memory_is_left_out(OF_SIZE(", model: llama-2-7b", LLM)));
    assert_true(memory_is_left_out(OF_SIZE("", LLM)));
    assert_true(memory_is_left_out(OF_SIZE(", model: llama-2-7b, memory: {check: no}", LLM)));
    assert_true(
        memory_is_left_out(OF_SIZE(", model: llama-2-7b", "service: {p4d.24xlarge: {time: 1s}}")));
}

struct months_case {
    const char *name, *start, *horizon;
    size_t months;
    double second_month_h; /* where the second month begins, in hours from the start */
};

/* The months of the horizon and three more, so that what is finished past it has its own. */
static const struct months_case months_cases[] = {
    {"inside one month", "2026-01-02", "20d", 1 + 3, 30 * 24},
    {"ends with the month", "2026-01-01", "31d", 1 + 3, 31 * 24},
    {"one second into the next", "2026-01-01", "2678401s", 2 + 3, 31 * 24},
    {"begins in its last minute", "2026-01-31T23:59Z", "20d", 2 + 3, 1.0 / 60},
    {"over a leap day", "2028-02-15", "1mo", 2 + 3, 15 * 24},
    {"ten years", "2026-01-01", "87660h", 121 + 3, 31 * 24},
};

static void months_of_the_frame(void **state)
{
    const struct months_case *c = *state;
    char text[1024];
    snprintf(text, sizeof text,
             "version: 1\nstart: %s\nhorizon: %s\nregion: us-east-1\nreplications: 1\n"
             "workloads: {job: {kind: training, hours: 1h}}\n"
             "strategies: {a: {instance: p3.2xlarge, nodes: 1, buy: on-demand}}\n",
             c->start, c->horizon);
    struct study *s = study_from_text(text, NULL);
    const struct rating_frame *f = &s->frame;
    assert_int_equal(f->months, c->months);
    assert_true(f->month_start_us[0] <= 0);
    assert_int_equal(f->month_start_us[1], (int64_t)(c->second_month_h * 3600e6));
    for (size_t i = 1; i < f->months; i++) {
        int64_t days = (f->month_start_us[i] - f->month_start_us[i - 1]) / (24 * HOUR_US);
        assert_true(days >= 28 && days <= 31);
    }
    /* The fourth month from the end is the last that may begin before the horizon. */
    assert_true(f->month_start_us[f->months - 4] < f->horizon_us);
    assert_true(f->month_start_us[f->months - 3] >= f->horizon_us);
    study_free(s);
}

/* An old price is one assumption, made by the market: not one of the study's beside it. */
static void an_old_price_is_assumed_once(void **state)
{
    (void)state;
    static const char text[] =
        "version: 1\nstart: 2029-01-30\nhorizon: 20d\nregion: us-east-1\n"
        "workloads: {job: {kind: training, hours: 10h}}\n"
        "strategies: {a: {instance: p3.2xlarge, nodes: 1, buy: on-demand}}\n";
    struct study *s = study_from_text(text, NULL);
    size_t found = 0;
    for (size_t i = 0; i < s->assumptions.count; i++) {
        found += strstr(s->assumptions.items[i].what, "on-demand price of p3.2xlarge") != NULL;
    }
    assert_int_equal(found, 1);
    study_free(s);
}

static const struct assumption *find_assumption(const struct study *s, const char *what)
{
    for (size_t i = 0; i < s->assumptions.count; i++) {
        if (strcmp(s->assumptions.items[i].what, what) == 0) {
            return &s->assumptions.items[i];
        }
    }
    return NULL;
}

/* What holds for several strategies is said once; what differs, by what it depends on. */
static void equal_assumptions_are_one(void **state)
{
    (void)state;
    static const char text[] =
        "version: 1\nstart: 2026-01-30\nhorizon: 20d\nregion: us-east-1\n"
        "workloads: {job: {kind: training, model: {parameters: 7B, precision: bf16}, tokens: 2B,\n"
        "                  mfu: 0.4, checkpoint: {every: auto, write: 90s}}}\n"
        "strategies:\n"
        "  a: {instance: p4d.24xlarge, nodes: 4, buy: spot}\n"
        "  b: {instance: p4d.24xlarge, nodes: 4, buy: spot, policy: fallback}\n"
        "  c: {instance: p4d.24xlarge, nodes: 1, buy: spot}\n";
    struct study *s = study_from_text(text, NULL);
    size_t intervals = 0;
    for (size_t i = 0; i < s->assumptions.count; i++) {
        intervals += strstr(s->assumptions.items[i].what, "checkpoint interval") != NULL;
    }
    assert_int_equal(intervals, 3);
    assert_non_null(find_assumption(s, "checkpoint interval of job on 4 spot nodes"));
    assert_non_null(find_assumption(s, "checkpoint interval of job on 4 on-demand nodes"));
    assert_non_null(find_assumption(s, "checkpoint interval of job on 1 spot node"));
    const struct assumption *speed = find_assumption(s, "speed of job on 4 x p4d.24xlarge");
    assert_non_null(speed);
    assert_non_null(strstr(speed->source, "6 FLOPs per parameter and token"));
    study_free(s);

    const char *const sets[] = {"workloads.job.throughput={p4d.24xlarge: 9000/s}", NULL};
    s = study_from_text(text, sets); /* measured: nothing of the kind is assumed */
    assert_null(find_assumption(s, "speed of job on 4 x p4d.24xlarge"));
    study_free(s);
}

static void an_unknown_region_is_told_with_the_nearest(void **state)
{
    (void)state;
    static const char text[] =
        "version: 1\nstart: 2026-01-30\nhorizon: 20d\nregion: us-esat-1\n"
        "workloads: {job: {kind: training, hours: 10h}}\n"
        "strategies: {a: {instance: p3.2xlarge, nodes: 1, buy: on-demand}}\n";
    int code = 0;
    char *what = study_errors(text, &code);
    assert_int_equal(code, 2);
    assert_non_null(strstr(what, "unknown region 'us-esat-1'; did you mean 'us-east-1'?"));
    free(what);
}

/* Memory is refused before anything runs, and what the timeline takes is counted too. */
static void memory_is_counted(void **state)
{
    (void)state;
    assert_near(timeline_bytes(1, 1), 5 * 400 * (4 + 8), 0, "one world");
    assert_near(timeline_bytes(64, 1000000), 64 * 5 * 400 * (2000.0 * 4 + 8), 0, "2,000 at most");
}

int main(void)
{
    gsl_errors_install();
    enum { MONTHS = sizeof months_cases / sizeof months_cases[0] };
    const struct CMUnitTest own[] = {
        cmocka_unit_test(names_and_baseline),
        cmocka_unit_test(memory_that_was_checked_is_not_said_to_be_left_out),
        cmocka_unit_test(no_workload_is_called_all),
        cmocka_unit_test(an_old_price_is_assumed_once),
        cmocka_unit_test(equal_assumptions_are_one),
        cmocka_unit_test(an_unknown_region_is_told_with_the_nearest),
        cmocka_unit_test(memory_is_counted),
    };
    struct CMUnitTest tests[sizeof own / sizeof own[0] + MONTHS];
    size_t n = sizeof own / sizeof own[0];
    memcpy(tests, own, sizeof own);
    for (size_t i = 0; i < MONTHS; i++) {
        tests[n++] = (struct CMUnitTest){.name = months_cases[i].name,
                                         .test_func = months_of_the_frame,
                                         .initial_state = (void *)(uintptr_t)&months_cases[i]};
    }
    return _cmocka_run_group_tests("study", tests, n, NULL, NULL);
}
