/* SPDX-License-Identifier: GPL-3.0-or-later
 * Services at the ends of what there is: a single request, equal timestamps, nodes that can never
 * be had, prompts that fit no cache. Numbers are worked out by hand, and none of a table is NaN. */
#include "engine/gsl_errors.h"
#include "scenarios/output/service_tables.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD "version: 1\nstart: 2026-03-02\nregion: us-east-1\nreplications: 1\nhorizon: 6h\n"
#define ONE  "strategies: {s: {instance: g5.xlarge, nodes: 1, buy: on-demand}}\n"

struct one {
    struct study *study;
    struct run run;
    struct table *services, *week;
};

static void run_one(struct one *o, const char *text)
{
    o->study = study_from_text(text, NULL);
    study_run(&o->run, o->study, 1);
    service_tables_make(&o->run, &o->services, &o->week);
    assert_non_null(o->services);
    for (size_t row = 0; row < table_rows(o->services); row++) {
        for (size_t k = 0; k < table_columns(o->services); k++) {
            if (table_column(o->services, k)->kind == COLUMN_NUMBER) {
                assert_true(fabs(table_number(o->services, row, k)) < 1e300 ||
                            isnan(table_number(o->services, row, k)));
            }
        }
    }
}

static void release(struct one *o)
{
    table_free(o->services);
    table_free(o->week);
    run_release(&o->run);
    study_free(o->study);
}

static double value(const struct one *o, enum metric m)
{
    return run_value(&o->run, 0, 0, m);
}

static double what_became(const struct one *o)
{
    static const enum metric parts[] = {METRIC_REQUESTS_SERVED,    METRIC_REQUESTS_DROPPED,
                                        METRIC_REQUESTS_TIMED_OUT, METRIC_REQUESTS_LOST,
                                        METRIC_REQUESTS_REJECTED,  METRIC_REQUESTS_LEFT};
    double sum = 0;
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        sum += value(o, parts[k]);
    }
    return sum;
}

/* Requests of the service at these seconds, with one kind of lengths. */
static void run_trace(struct one *o, const char *times[], size_t count, const char *service)
{
    char path[] = "/tmp/fleetcast-limits-XXXXXX", text[1500];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *out = fdopen(fd, "w");
    assert_non_null(out);
    fputs("start,time_s,prompt_tokens,output_tokens,cached_tokens\n", out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, ",%s\n", times[i]);
    }
    fclose(out);
    snprintf(text, sizeof text,
             HEAD "workloads: {w: {kind: inference, mode: requests, boot: 0s, slo: {latency: 10s}, "
                  "demand: {trace: %s}, %s}}\n" ONE,
             path, service);
    run_one(o, text);
    unlink(path);
}

#define SLOTS "service: {any: {time: 2s, slots: 1}}"

static void one_request(void **state)
{
    (void)state;
    struct one o;
    run_trace(&o, (const char *[]){"5,100,10,"}, 1, SLOTS);
    assert_near(value(&o, METRIC_REQUESTS), 1, 0, "requests");
    assert_near(value(&o, METRIC_REQUESTS_SERVED), 1, 0, "served");
    assert_near(value(&o, METRIC_LATENCY_P50), 2, 0.01, "P50");
    assert_near(value(&o, METRIC_LATENCY_P99), 2, 0.01, "P99");
    assert_near(value(&o, METRIC_REQUEST_WAIT_MEAN), 0, 0, "it need not wait");
    assert_near(value(&o, METRIC_SLO_ATTAINED), 1, 0, "within the objective");
    assert_near(value(&o, METRIC_PER_1000_REQUESTS), 1000 * value(&o, METRIC_COST), 1e-6, "cost");
    release(&o);
}

/* Four at the same moment are served one after the other: after 2, 4, 6 and 8 s. */
static void equal_timestamps(void **state)
{
    (void)state;
    struct one o;
    run_trace(&o, (const char *[]){"5,100,10,", "5,100,10,", "5,100,10,", "5,100,10,"}, 4, SLOTS);
    assert_near(value(&o, METRIC_REQUESTS), 4, 0, "requests");
    assert_near(what_became(&o), 4, 0, "add up");
    assert_near(value(&o, METRIC_LATENCY_MEAN), 5, 1e-9, "mean");
    assert_near(value(&o, METRIC_LATENCY_P99), 8, 0.04, "the last");
    assert_near(value(&o, METRIC_REQUESTS_WAITED), 0.75, 1e-9, "all but the first");
    release(&o);
}

/* Four of 10 s each at one moment, of which two may wait, for 15 s: the first ends at 10, the
 * second at 20, the fourth is dropped, and dropped again after a second. The third gives up at 15,
 * at which nothing else happens, comes again at 16 and is served from 20 to 30. */
static void who_gives_up_comes_again_in_time(void **state)
{
    (void)state;
    struct one o;
    run_trace(&o, (const char *[]){"0,1,1,", "0,1,1,", "0,1,1,", "0,1,1,"}, 4,
              "service: {any: {time: 10s}}, queue_limit: 2, timeout: 15s, retries: 1, "
              "retry_after: 1s");
    assert_near(value(&o, METRIC_REQUESTS_SERVED), 3, 0, "served");
    assert_near(value(&o, METRIC_REQUESTS_DROPPED), 1, 0, "dropped");
    assert_near(value(&o, METRIC_RETRIES), 2, 0, "sent again");
    assert_near(value(&o, METRIC_LATENCY_MEAN), (10 + 20 + 30) / 3.0, 1e-9, "latency");
    release(&o);
}

/* Nobody who has given up is in the queue any more: of two the first is served for 100 s, the
 * second waits for 15 s of them. */
static void who_gives_up_waits_no_more(void **state)
{
    (void)state;
    struct one o;
    run_trace(&o, (const char *[]){"0,1,1,", "0,1,1,"}, 2,
              "service: {any: {time: 100s}}, timeout: 15s");
    assert_near(value(&o, METRIC_REQUESTS_TIMED_OUT), 1, 0, "timed out");
    assert_near(value(&o, METRIC_REQUESTS_INSIDE), (100.0 + 15) / 21600, 1e-12, "inside");
    release(&o);
}

/* Likewise where it waits at a replica, whose only sequence makes tokens meanwhile: a second's
 * wait, sent again a second later, and another. */
static void who_gives_up_leaves_the_replica(void **state)
{
    (void)state;
    struct one o;
    run_trace(&o, (const char *[]){"0,100,1000,", "0,100,1000,"}, 2,
              "llm: {model: llama-2-7b, factor: 1, most_sequences: 1}, timeout: 1s, retries: 1, "
              "retry_after: 1s");
    assert_near(value(&o, METRIC_REQUESTS_SERVED), 1, 0, "served");
    assert_near(value(&o, METRIC_REQUESTS_TIMED_OUT), 1, 0, "timed out");
    assert_near(value(&o, METRIC_RETRIES), 1, 0, "sent again");
    assert_true(value(&o, METRIC_LATENCY_MEAN) > 10);
    assert_near(value(&o, METRIC_REQUESTS_INSIDE) * 21600 - value(&o, METRIC_LATENCY_MEAN), 2, 1e-6,
                "waits");
    release(&o);
}

/* Of 10 s each, 5 s apart: the first has half of its work left when the second comes, shares for
 * 10 s, and leaves 5 s to the second alone. Three at one moment take three times as long; on two
 * replicas two do not meet. */
static void slots_that_share_an_accelerator(void **state)
{
    (void)state;
    struct one o;
    run_trace(&o, (const char *[]){"5,100,10,", "10,100,10,"}, 2,
              "service: {any: {time: 10s, slots: 4, sharing: yes}}");
    assert_near(value(&o, METRIC_LATENCY_MEAN), 15, 1e-9, "both");
    assert_near(value(&o, METRIC_LATENCY_P50), 15, 0.06, "the first");
    assert_near(value(&o, METRIC_REQUEST_WAIT_MEAN), 0, 0, "none waits");
    release(&o);
    run_trace(&o, (const char *[]){"5,100,10,", "5,100,10,", "5,100,10,"}, 3,
              "service: {any: {time: 10s, slots: 4, sharing: yes}}");
    assert_near(value(&o, METRIC_LATENCY_MEAN), 30, 1e-9, "three");
    assert_near(what_became(&o), 3, 0, "add up");
    release(&o);
    run_trace(&o, (const char *[]){"5,100,10,", "5,100,10,"}, 2,
              "service: {any: {time: 10s, slots: 4, sharing: yes, replicas_per_node: 2}}");
    assert_near(value(&o, METRIC_LATENCY_MEAN), 10, 1e-9, "each on its own");
    release(&o);
}

/* A language model batches them: the prompts go into one step, so that all are alike. */
static void equal_timestamps_of_a_language_model(void **state)
{
    (void)state;
    struct one o;
    run_trace(&o, (const char *[]){"5,100,10,", "5,100,10,", "5,100,10,"}, 3,
              "llm: {model: llama-2-7b}");
    assert_near(value(&o, METRIC_REQUESTS_SERVED), 3, 0, "served");
    assert_near(value(&o, METRIC_PROMPT_TOKENS), 300, 0, "prompts");
    assert_near(value(&o, METRIC_OUTPUT_TOKENS), 30, 0, "answers");
    assert_true(value(&o, METRIC_TTFT_P50) > 0);
    assert_near(value(&o, METRIC_LATENCY_MEAN),
                value(&o, METRIC_TTFT_MEAN) + 9 * value(&o, METRIC_TPOT_MEAN), 1e-9,
                "first token and nine more");
    release(&o);
}

/* Of two prompts one fits no cache: 12,634 tokens. */
static void a_prompt_longer_than_the_cache(void **state)
{
    (void)state;
    struct one o;
    run_trace(&o, (const char *[]){"5,100,10,", "6,20000,10,"}, 2, "llm: {model: llama-2-7b}");
    assert_near(value(&o, METRIC_REQUESTS), 2, 0, "requests");
    assert_near(value(&o, METRIC_REQUESTS_REJECTED), 1, 0, "rejected");
    assert_near(value(&o, METRIC_REQUESTS_SERVED), 1, 0, "served");
    assert_near(value(&o, METRIC_SLO_ATTAINED), 0.5, 0, "what is rejected is not within it");
    release(&o);
    int exit_code;
    char *told = study_errors(HEAD "workloads: {w: {kind: inference, demand: 1/s, llm: {model: "
                                   "llama-2-7b, prompt: 20000, output: 10}}}\n" ONE,
                              &exit_code);
    assert_non_null(strstr(told, "does not fit onto 1 A10G of g5.xlarge"));
    assert_non_null(strstr(told, "less than the 20010 of a mean request"));
    free(told);
}

#define SPOT(availability)                                                                         \
    HEAD "market: {spot: {g5.xlarge: {availability: " availability "}}}\nworkloads: {w: {kind: "   \
         "inference, mode: requests, demand: 1/s, timeout: 1min, slo: 2s, service: {any: {time: "  \
         "1s}}, boot: 1min}}\nstrategies: {s: {instance: g5.xlarge, min_replicas: 1, "             \
         "max_replicas: 4, buy: spot, autoscale: {name: hpa, utilisation: 50 %}}}\n"

/* Never is refused by name; nearly never serves nobody, costs nothing, and is all overload. */
static void capacity_that_is_never_there(void **state)
{
    (void)state;
    struct one o;
    int exit_code;
    char *told = study_errors(SPOT("0"), &exit_code);
    assert_non_null(strstr(told, "no node could ever be had"));
    free(told);
    run_one(&o, SPOT("0.0001 %"));
    assert_true(value(&o, METRIC_REQUESTS) > 20000);
    assert_near(value(&o, METRIC_REQUESTS_SERVED), 0, 0, "served");
    assert_near(what_became(&o), value(&o, METRIC_REQUESTS), 0, "add up");
    assert_true(isnan(value(&o, METRIC_LATENCY_P95)));
    assert_true(isnan(value(&o, METRIC_PER_1000_REQUESTS)));
    assert_near(value(&o, METRIC_SLO_ATTAINED), 0, 0, "within the objective");
    assert_near(value(&o, METRIC_COST), 0, 0, "cost");
    for (size_t row = 0; row < table_rows(o.services); row++) {
        const size_t hot = (size_t)table_find(o.services, "overloaded");
        assert_near(table_number(o.services, row, hot), 1, 0, "overload");
    }
    release(&o);
}

#define SCALED                                                                                     \
    HEAD "workloads: {w: {kind: inference, mode: requests, demand: 5/h, service: {any: {time: "    \
         "1s}}}}\nstrategies: {s: {instance: g5.xlarge, buy: on-demand, min_replicas: 0, "         \
         "max_replicas: 3, "

/* Nothing may stand beyond what memory was made for, whoever raises the limit. */
static void limits_above_the_most_replicas(void **state)
{
    (void)state;
    static const char *const refused[] = {
        "autoscale: {name: scheduled, actions: [{at: 0s, max: 4}, {at: 1h, min: 1}]}}}\n",
        "autoscale: {name: scheduled, actions: {at: 1h, min: 4}}}}\n",
        "autoscale: [{name: hpa, queue: 1}, {name: scheduled, actions: {at: 0s, max: 1M}}]}}\n"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char text[1000];
        int exit_code;
        snprintf(text, sizeof text, SCALED "%s", refused[i]);
        char *told = study_errors(text, &exit_code);
        assert_non_null(strstr(told, "above 'max_replicas: 3'"));
        free(told);
    }
    struct one o;
    run_one(&o, SCALED "autoscale: {name: scheduled, actions: {at: 0s, min: 3, max: 3}}}}\n");
    assert_near(value(&o, METRIC_NODE_HOURS), 18, 1e-9, "three nodes for six hours");
    release(&o);
}

/* An autoscaler's settings are chosen, not drawn; a range that changes nothing is told. */
static void uncertain_settings_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *settings, *expect;
    } rows[] = {{"autoscale: {name: hpa, concurrency: 1..4}", "'concurrency' of hpa is uncertain"},
                {"autoscale: {name: hpa, queue: 2, up: {stabilise: 1min..2min}}",
                 "'stabilise' of hpa is uncertain"},
                {"autoscale: {name: scheduled, actions: {at: 0s, max: 1..2}}",
                 "'max' of scheduled is uncertain"},
                {"warm_up: 1min..2min, autoscale: {name: hpa, queue: 1}", "'warm_up' is uncertain"},
                {"autoscale: {name: hpa, concurrency: 2..2}", NULL},
                {"warm_up: 1min, autoscale: {name: keda}", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1000];
        int exit_code;
        /* What is wrong besides makes the messages be told. */
        snprintf(text, sizeof text,
                 SCALED "%s}, t: {instance: g5.xlarge, buy: on-demand, max_replicas: 1, autoscale: "
                        "{name: scheduled, actions: {at: 0s, max: 2}}}}\n",
                 rows[i].settings);
        char *told = study_errors(text, &exit_code);
        assert_true(rows[i].expect == NULL ? strstr(told, "is uncertain") == NULL
                                           : strstr(told, rows[i].expect) != NULL);
        free(told);
    }
}

/* The second strategy is wrong, so that all messages are told. */
#define LANGUAGE(mode, llm, strategy)                                                              \
    HEAD "workloads: {w: {kind: inference, demand: 5/s, " mode                                     \
         "llm: {model: llama-2-7b, context: "                                                      \
         "4096, " llm "}}}\nstrategies: {s: {instance: g5.xlarge, buy: on-demand, " strategy       \
         "}, t: {instance: g5.xlarge, buy: on-demand, max_replicas: 60, autoscale: {name: "        \
         "scheduled, actions: {at: 0s, max: 61}}}}\n"
#define GROWS "prompt: 375, output: 600"

/* What steps of time err at for a language model is refused, and where they are stated told: what
 * makes replicas swing, and caches that requests outgrow. 0.66 requests/s is what a replica of
 * GROWS serves at most; 0.75 / (1 + 0.3 x 600 / 375) of it is surely served. */
static void steps_that_err_for_a_language_model(void **state)
{
    (void)state;
    static const struct {
        const char *text, *told; /* NULL: nothing of steps */
    } rows[] = {
        {LANGUAGE("", GROWS, "nodes: 12"), "error: 12 replicas of 'w' in strategy 's' may be full"},
        {LANGUAGE("", GROWS, "max_replicas: 12, autoscale: {name: hpa, concurrency: 4}"),
         "cannot be simulated in intervals"},
        {LANGUAGE("mode: interval, ", GROWS, "nodes: 12"),
         "warning: 12 replicas of 'w' in strategy 's' may be full"},
        {LANGUAGE("", GROWS, "nodes: 18"), NULL},
        {LANGUAGE("mode: requests, ", GROWS, "nodes: 12"), NULL},
        {LANGUAGE("", GROWS ", admission: guaranteed", "nodes: 12"), NULL},
        {LANGUAGE("", GROWS ", most_sequences: 4", "nodes: 12"), NULL}, /* never full */
        {LANGUAGE("", "prompt: 1000, output: 300", "nodes: 4"), NULL},
        {LANGUAGE("", "prompt: 1000, output: 300",
                  "max_replicas: 40, autoscale: {name: target-tracking, concurrency: 12}"),
         "error: strategy 's' scales 'w' by its concurrency, of which a replica has"},
        {LANGUAGE("mode: interval, ", "prompt: 1000, output: 300",
                  "max_replicas: 40, autoscale: {name: target-tracking, concurrency: 12}"),
         "warning: strategy 's' scales 'w' by its concurrency"},
        {LANGUAGE("", "prompt: 1000, output: 300",
                  "max_replicas: 40, autoscale: {name: target-tracking, concurrency: 3}"),
         NULL},
        {LANGUAGE("", "prompt: 1000, output: 300",
                  "max_replicas: 40, autoscale: {name: hpa, queue: 1}"),
         "error: strategy 's' scales 'w' by its queue, which a replica hardly shows"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int exit_code;
        char *told = study_errors(rows[i].text, &exit_code);
        bool good = rows[i].told == NULL ? strstr(told, "expected 'mode: requests'") == NULL &&
                                               strstr(told, "state 'mode: requests'") == NULL
                                         : strstr(told, rows[i].told) != NULL;
        if (!good) {
            fail_msg("row %zu: expected '%s', told:\n%s", i, rows[i].told, told);
        }
        free(told);
    }
}

/* More comes than four slots can serve, and what waits too long goes: they are busy all the time,
 * in steps of time as request by request, however long a request takes beside a step. */
static void full_slots_are_never_idle(void **state)
{
    (void)state;
    static const struct {
        const char *mode, *rate, *time, *limit;
    } rows[] = {{"interval", "10/s", "500ms", "timeout: 5s"},
                {"interval", "10/s", "exponential(500ms)", "timeout: 5s"},
                {"interval", "10/s", "500ms", "queue_limit: 40"},
                {"interval", "0.1/s", "exponential(1min)", "queue_limit: 20"},
                {"requests", "10/s", "500ms", "timeout: 5s"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD "workloads: {w: {kind: inference, mode: %s, demand: %s, boot: 0s, "
                      "service: {any: {time: %s, slots: 4}}, %s, measure_from: 1h}}\n" ONE,
                 rows[i].mode, rows[i].rate, rows[i].time, rows[i].limit);
        struct one o;
        run_one(&o, text);
        assert_near(value(&o, METRIC_REPLICA_BUSY), 1, 2e-3, rows[i].limit);
        release(&o);
    }
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_request),
        cmocka_unit_test(equal_timestamps),
        cmocka_unit_test(slots_that_share_an_accelerator),
        cmocka_unit_test(equal_timestamps_of_a_language_model),
        cmocka_unit_test(a_prompt_longer_than_the_cache),
        cmocka_unit_test(who_gives_up_comes_again_in_time),
        cmocka_unit_test(who_gives_up_waits_no_more),
        cmocka_unit_test(who_gives_up_leaves_the_replica),
        cmocka_unit_test(capacity_that_is_never_there),
        cmocka_unit_test(full_slots_are_never_idle),
        cmocka_unit_test(limits_above_the_most_replicas),
        cmocka_unit_test(uncertain_settings_are_told),
        cmocka_unit_test(steps_that_err_for_a_language_model),
    };
    return cmocka_run_group_tests_name("service_limits", tests, NULL, NULL);
}
