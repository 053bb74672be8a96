/* SPDX-License-Identifier: GPL-3.0-or-later
 * `llm` of `kind: inference`, from scenario files: a replica against the engine simulated token by
 * token, requests that add up whatever happens, what fits, and what does not. */
#include "engine/gsl_errors.h"
#include "models/inference/inference_work.h"
#include "tests/support/llm_steps.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD "version: 1\nstart: 2026-03-02\nregion: us-east-1\nprices_as_of: 2025-11-30\n"
#define ONE  "strategies: {s: {instance: %s, nodes: 1, buy: on-demand}}\n"

static const struct service_plan *plan_of(const struct study *study, size_t strategy)
{
    return service_plan_of(study->strategies[strategy].plans[0]);
}

/* ---- one replica ---- */

enum { REQUESTS = 400 };

static void draw_requests(struct llm_steps_request *requests, double rate)
{
    struct random_stream s;
    random_stream_init(&s, (struct random_world){.seed = 8}, random_source("requests"));
    double now_s = 0;
    for (size_t i = 0; i < REQUESTS; i++) {
        requests[i] = (struct llm_steps_request){
            .arrived_s = round(1e7 * now_s) / 1e7,
            .prompt = (uint32_t)fmin(fmax(exp(6 + random_normal(&s)), 1), 3000),
            .output = (uint32_t)fmin(fmax(exp(5 + 0.7 * random_normal(&s)), 1), 1500)};
        now_s += random_exponential(&s) / rate;
    }
}

static void write_trace(const struct llm_steps_request *requests, char path[])
{
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *out = fdopen(fd, "w");
    assert_non_null(out);
    fputs("start,time_s,prompt_tokens,output_tokens,cached_tokens\n", out);
    for (size_t i = 0; i < REQUESTS; i++) {
        fprintf(out, ",%.7f,%u,%u,\n", requests[i].arrived_s, requests[i].prompt,
                requests[i].output);
    }
    fclose(out);
}

static void a_replica_is_the_engine_token_by_token(void **state)
{
    const char *rules = *state;
    struct llm_steps_request requests[REQUESTS];
    char path[] = "/tmp/fleetcast-trace-XXXXXX", text[1500];
    double ttft[REQUESTS], tpot[REQUESTS], latency[REQUESTS];
    size_t several = 0;
    struct run run;
    draw_requests(requests, 1.5);
    write_trace(requests, path);
    snprintf(text, sizeof text,
             HEAD "horizon: 20min\nreplications: 1\nworkloads: {w: {kind: inference, boot: 0s, "
                  "demand: {trace: %s}, llm: {model: llama-2-7b, factor: 1, accelerators: 8, "
                  "%s}}}\n" ONE,
             path, rules, "p4d.24xlarge");
    struct study *study = study_from_text(text, NULL);
    unlink(path);
    study_run(&run, study, 1);
    llm_steps_serve(&plan_of(study, 0)->hosts[0].rules, 16, requests, REQUESTS);
    double tokens = 0;
    for (size_t i = 0; i < REQUESTS; i++) {
        const struct llm_steps_request *q = &requests[i];
        ttft[i] = q->first_s - q->arrived_s;
        latency[i] = q->done_s - q->arrived_s;
        tokens += q->output;
        if (q->output >= 2) {
            tpot[several++] = (q->done_s - q->first_s) / (q->output - 1);
        }
    }
    gsl_sort(ttft, 1, REQUESTS);
    gsl_sort(tpot, 1, several);
    gsl_sort(latency, 1, REQUESTS);
    const struct {
        enum metric metric;
        double exact;
    } rows[] = {
        {METRIC_TTFT_MEAN, gsl_stats_mean(ttft, 1, REQUESTS)},
        {METRIC_TPOT_MEAN, gsl_stats_mean(tpot, 1, several)},
        {METRIC_LATENCY_MEAN, gsl_stats_mean(latency, 1, REQUESTS)},
        {METRIC_TTFT_P95, gsl_stats_quantile_from_sorted_data(ttft, 1, REQUESTS, 0.95)},
        {METRIC_TPOT_P95, gsl_stats_quantile_from_sorted_data(tpot, 1, several, 0.95)},
        {METRIC_LATENCY_P50, gsl_stats_quantile_from_sorted_data(latency, 1, REQUESTS, 0.5)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_relative(run_value(&run, 0, 0, rows[i].metric), rows[i].exact, 0.012,
                        metric_table[rows[i].metric].name);
    }
    assert_near(run_value(&run, 0, 0, METRIC_OUTPUT_TOKENS), tokens, 0, "tokens");
    assert_near(run_value(&run, 0, 0, METRIC_REQUESTS_SERVED), REQUESTS, 0, "served");
    assert_near(run_value(&run, 0, 0, METRIC_PER_MILLION_OUTPUT_TOKENS),
                1e6 * run_value(&run, 0, 0, METRIC_COST) / tokens, 1e-9, "per million");
    run_release(&run);
    study_free(study);
}

/* ---- they add up ---- */

#define CHAT                                                                                       \
    "prompt: 'lognormal(p50=300, p95=1500)', output: 'lognormal(p50=100, p95=300)', factor: 1"

static void requests_add_up_whatever_happens(void **state)
{
    const char *routing = *state;
    char text[2000];
    struct run run;
    snprintf(text, sizeof text,
             HEAD
             "horizon: 3h\nreplications: 6\nseed: 4\nmarket: {spot: {g5.xlarge: {price: 0.4 USD/h, "
             "capacity: constant, nodes: 100, lifetime: exponential(30min), notice: "
             "0s}}}\nworkloads: {w: {kind: inference, boot: 1min, load: 30s, "
             "timeout: 20s, retries: 1, drain: 1min, demand: {rate: 2/s, bursts: {every: 30min, "
             "for: 3min, factor: 5}}, llm: {model: llama-2-7b, routing: %s, context: 4096, " CHAT
             "}, slo: {ttft: 2s, tpot: 100ms, latency: 60s}}}\nstrategies: {s: {instance: "
             "g5.xlarge, buy: spot, min_replicas: 1, max_replicas: 6, autoscale: {name: hpa, "
             "concurrency: 8}}}\n",
             routing);
    struct study *study = study_from_text(text, NULL);
    study_run(&run, study, 1);
    double lost = 0, timed_out = 0, rejected = 0, retries = 0;
    for (uint32_t r = 0; r < 6; r++) {
        static const enum metric parts[] = {METRIC_REQUESTS_SERVED,    METRIC_REQUESTS_DROPPED,
                                            METRIC_REQUESTS_TIMED_OUT, METRIC_REQUESTS_LOST,
                                            METRIC_REQUESTS_REJECTED,  METRIC_REQUESTS_LEFT};
        double sum = 0;
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
            double part = run_value(&run, 0, r, parts[k]);
            assert_true(part >= 0);
            sum += part;
        }
        assert_near(sum, run_value(&run, 0, r, METRIC_REQUESTS), 0, "requests add up");
        assert_true(run_value(&run, 0, r, METRIC_SLO_ATTAINED) *
                        run_value(&run, 0, r, METRIC_REQUESTS) <=
                    run_value(&run, 0, r, METRIC_REQUESTS_SERVED));
        assert_in_range((uint64_t)(1000 * run_value(&run, 0, r, METRIC_REPLICA_BUSY)), 1, 1000);
        assert_true(run_value(&run, 0, r, METRIC_REQUESTS_INSIDE) > 0);
        lost += run_value(&run, 0, r, METRIC_REQUESTS_LOST);
        timed_out += run_value(&run, 0, r, METRIC_REQUESTS_TIMED_OUT);
        rejected += run_value(&run, 0, r, METRIC_REQUESTS_REJECTED);
        retries += run_value(&run, 0, r, METRIC_RETRIES);
    }
    /* All of it happens. */
    assert_true(lost > 0 && timed_out > 0 && rejected > 0 && retries > lost);
    run_release(&run);
    study_free(study);
}

/* Three times what it can do: it works at the saturated rate, and utilisation says that it is full.
 * Where the cache is the limit, blocked admission keeps it up to a tenth below. */
static void a_full_replica_serves_at_the_saturated_rate(void **state)
{
    (void)state;
    static const struct {
        const char *type, *more;
        double tolerance;
    } rows[] = {{"g5.xlarge", "", 0.10}, {"g5.xlarge", ", most_sequences: 8", 0.03}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1500];
        struct run run;
        snprintf(
            text, sizeof text,
            HEAD
            "horizon: 2h\nreplications: 1\nworkloads: {w: {kind: inference, mode: requests, "
            "boot: 0s, demand: 4/s, llm: {model: llama-2-7b, prompt: 512, output: 256, factor: "
            "1%s}}}\n" ONE,
            rows[i].more, rows[i].type);
        struct study *study = study_from_text(text, NULL);
        study_run(&run, study, 1);
        const struct service_plan *p = plan_of(study, 0);
        double rate = llm_saturated_rate(&p->hosts[0].rules, &p->llm.lengths);
        assert_near(service_most_rate(p, 0), rate, 0, "what planning sees");
        assert_relative(run_value(&run, 0, 0, METRIC_REQUESTS_SERVED) / 7200, rate,
                        rows[i].tolerance, "rate");
        assert_near(run_value(&run, 0, 0, METRIC_REPLICA_BUSY), 1, 0.01, "busy");
        run_release(&run);
        study_free(study);
    }
}

static void a_drained_replica_ends_what_it_has(void **state)
{
    (void)state;
    /* From five replicas to one every other hour, with time to drain: nothing is lost. */
    static const char text[] = HEAD
        "horizon: 4h\nreplications: 1\nworkloads: {w: {kind: inference, boot: 0s, demand: 2/s, "
        "drain: %s, llm: {model: llama-2-7b, " CHAT "}}}\nstrategies: {s: {instance: g5.xlarge, "
        "buy: on-demand, max_replicas: 5, autoscale: {name: scheduled, actions: [{at: 0h, "
        "replicas: 5}, {at: 1h, replicas: 2}, {at: 2h, replicas: 5}, {at: 3h, replicas: 2}]}}}\n";
    static const char *const drains[] = {"10min", "0s"};
    for (size_t i = 0; i < 2; i++) {
        char full[1500];
        struct run run;
        snprintf(full, sizeof full, text, drains[i]);
        struct study *study = study_from_text(full, NULL);
        study_run(&run, study, 1);
        double lost = run_value(&run, 0, 0, METRIC_REQUESTS_LOST);
        assert_true(i == 0 ? lost == 0 : lost > 0);
        run_release(&run);
        study_free(study);
    }
}

static void every_strategy_gets_the_same_requests(void **state)
{
    (void)state;
    struct run run;
    struct study *study = study_from_text(
        HEAD "horizon: 30min\nreplications: 2\nworkloads: {w: {kind: inference, boot: 0s, demand: "
             "1/s, llm: {model: llama-3-8b, correlation: 0.5, prefix_hits: 20 %, " CHAT "}}}\n"
             "strategies: {a: {instance: g5.xlarge, nodes: 3, buy: on-demand}, b: {instance: "
             "p4d.24xlarge, nodes: 1, buy: on-demand}}\n",
        NULL);
    study_run(&run, study, 1);
    for (uint32_t r = 0; r < 2; r++) {
        assert_near(run_value(&run, 0, r, METRIC_REQUESTS), run_value(&run, 1, r, METRIC_REQUESTS),
                    0, "requests");
        /* But for those still served at the end. */
        assert_relative(run_value(&run, 0, r, METRIC_PROMPT_TOKENS),
                        run_value(&run, 1, r, METRIC_PROMPT_TOKENS), 0.03, "prompts");
        assert_true(run_value(&run, 1, r, METRIC_TPOT_P50) <
                    run_value(&run, 0, r, METRIC_TPOT_P50));
    }
    run_release(&run);
    study_free(study);
}

/* ---- what fits ---- */

static void presets_on_instances(void **state)
{
    (void)state;
    static const struct {
        const char *model, *type, *more;
        double accelerators, replicas, kv_bytes, kv_tokens; /* 0: not looked at */
    } rows[] = {
        /* 0.9 of 24 GB, less 1 GB and 13.48 GB of weights, over 524,288. */
        {"llama-2-7b", "g5.xlarge", "reserve: 1 GB", 1, 1, 524288, 13600},
        {"llama-2-7b", "g5.48xlarge", "", 1, 8, 524288, 0},
        {"llama-2-13b", "g5.12xlarge", "", 2, 2, 819200, 0},
        {"llama-2-13b", "g5.xlarge", "weights: int8", 1, 1, 819200, 0},
        {"llama-3-8b", "p4d.24xlarge", "", 1, 8, 131072, 140680},
        {"llama-3-8b", "p4d.24xlarge", "cache: 8-bit", 1, 8, 65536, 281360},
        {"llama-3-70b", "p5.48xlarge", "", 4, 2, 327680, 0},
        {"llama-3-70b", "p5.48xlarge", "weights: fp8", 2, 4, 327680, 0},
        {"llama-3.1-405b", "p5.48xlarge", "weights: fp8", 8, 1, 516096, 0},
        /* Figures: of a 7B with grouped attention. */
        {"{parameters: 7B, layers: 32, hidden: 4096, heads: 32, kv_heads: 8}", "g5.xlarge", "", 1,
         1, 131072, 0},
        /* More accelerators than heads of keys: each holds one. */
        {"llama-3-8b", "p3dn.24xlarge", "accelerators: 8", 8, 1, 131072, 0},
        {"{preset: llama-3-8b, kv_heads: 4}", "p3dn.24xlarge", "accelerators: 8", 8, 1, 131072, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1500];
        snprintf(text, sizeof text,
                 HEAD "horizon: 1h\nreplications: 1\nworkloads: {w: {kind: inference, demand: 1/s, "
                      "llm: {model: %s, prompt: 500, output: 200%s%s}}}\n" ONE,
                 rows[i].model, rows[i].more[0] != '\0' ? ", " : "", rows[i].more, rows[i].type);
        struct study *study = study_from_text(text, NULL);
        const struct llm_host_plan *h = &plan_of(study, 0)->hosts[0];
        assert_near(h->hardware.accelerators, rows[i].accelerators, 0, rows[i].type);
        assert_near(h->replicas_per_node, rows[i].replicas, 0, rows[i].type);
        assert_near(h->rules.step.kv_bytes_per_token, rows[i].kv_bytes, 0, rows[i].model);
        if (rows[i].kv_tokens > 0) {
            assert_relative(h->rules.step.kv_tokens, rows[i].kv_tokens, 0.005, rows[i].model);
        }
        study_free(study);
    }
}

static void a_measured_pair_beats_the_estimate(void **state)
{
    (void)state;
    struct study *study = study_from_text(
        HEAD "horizon: 1h\nreplications: 1\nworkloads: {w: {kind: inference, demand: 1/s, llm: "
             "{model: llama-2-7b, prompt: 1500, output: 245, most_sequences: 32, types: "
             "{inf2.48xlarge: {accelerators: 4, measured: {tpot: 26.7ms, tokens_per_s: 317, "
             "prompt: 1500, output: 245}}}}}}\n"
             "strategies: {s: {instance: inf2.48xlarge, nodes: 1, buy: on-demand}}\n",
        NULL);
    const struct service_plan *p = plan_of(study, 0);
    assert_int_equal(p->replicas_per_node, 3);
    assert_relative(service_most_rate(p, 0), 317.0 / 245, 1e-6, "saturated");
    assert_relative(llm_decode_step_s(&p->hosts[0].rules, &p->llm.lengths, 1), 0.0267, 1e-9,
                    "one sequence");
    study_free(study);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *llm, *type, *told;
        int exit_code;
    } rows[] = {
        {"model: llama-3-70b, prompt: 500, output: 200", "g5.12xlarge",
         "the weights alone take 141.1 (bf16); it takes 8 of them, and g5.12xlarge has 4; "
         "'weights: int8' would fit",
         4},
        {"model: llama-2-13b, prompt: 500, output: 200, accelerators: 1", "g5.12xlarge",
         "2 would hold it", 4},
        {"model: llama-2-7b, prompt: 500, output: 200, reserve: 1000 GB", "g5.xlarge",
         "GB 0 are for weights and cache, since the reserve takes 1000", 4},
        {"model: llama-2-7b, prompt: 12000, output: 2000", "g5.xlarge",
         "less than the 14000 of a mean request", 4},
        {"model: llama-2-7b, prompt: 500, output: 200, accelerators: 2", "g5.xlarge",
         "takes 2 accelerators, and g5.xlarge has 1", 4},
        {"model: llama-2-7b, prompt: 500, output: 200, accelerators: 0.5", "g5.xlarge",
         "'0.5'; expected a whole number, since a replica of a language model has its accelerators "
         "to itself",
         2},
        {"model: llama-2-7b, prompt: 500, output: 200, types: {g5.xlarge: {accelerators: 1.5}}",
         "g5.xlarge", "'1.5'; expected a whole number, since a replica", 2},
        /* 64 heads on three; it does not fit onto these, and that is told too */
        {"model: llama-3-70b, prompt: 500, output: 200, accelerators: 3", "g5.12xlarge",
         "warning: a replica of 'w' takes 3 accelerators, among which its 64 attention heads", 4},
        {"model: llama-2-7b, prompt: 500, output: 200", "inf2.48xlarge",
         "no measurement says how fast 'w' is on AWS Inferentia2", 2},
        {"model: llama-2-7b, prompt: 500, output: 200", "m5.xlarge", "unknown instance type", 2},
        {"model: lama-2-7b, prompt: 500, output: 200", "g5.xlarge", "did you mean 'llama-2-7b'?",
         2},
        {"model: resnet-50, prompt: 500, output: 200", "g5.xlarge", "makes no text", 2},
        {"model: {layers: 32}, prompt: 500, output: 200", "g5.xlarge",
         "neither a preset nor 'parameters'", 2},
        {"model: {preset: llama-2-7b, kv_heads: 64}, prompt: 500, output: 200", "g5.xlarge",
         "'kv_heads' of the model of 'w' is 64, more than its 32 heads", 2},
        {"model: {parameters: 7B, active_parameters: 70B}, prompt: 500, output: 200", "g5.xlarge",
         "'active_parameters' of the model of 'w' is 7e+10, more than its 7e+09 parameters", 2},
        {"model: llama-2-7b, output: 200", "g5.xlarge", "does not say how long prompts are", 2},
        {"model: llama-2-7b, prompt: 200", "g5.xlarge", "does not say how long outputs are", 2},
        {"model: llama-2-7b, prompt: 500, output: 200, types: {g5.xlarge: {measured: {tpot: 5ms, "
         "tokens_per_s: 100, prompt: 500, output: 200}}}",
         "g5.xlarge", "its 'tpot' is less than reading the weights takes", 2},
        {"model: llama-2-7b, prompt: 500, output: 200, types: {inf2.48xlrge: {accelerators: 4}}",
         "g5.xlarge", "unknown instance type 'inf2.48xlrge' in 'types' of 'w'", 2},
        {"model: llama-2-7b, prompt: 500, output: 200}, service: {any: {time: 1s}", "g5.xlarge",
         "both 'service' and 'llm'", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1500];
        int exit_code = 0;
        snprintf(text, sizeof text,
                 HEAD
                 "horizon: 1h\nworkloads: {w: {kind: inference, demand: 1/s, llm: {%s}}}\n" ONE,
                 rows[i].llm, rows[i].type);
        char *told = study_errors(text, &exit_code);
        if (strstr(told, rows[i].told) == NULL || exit_code != rows[i].exit_code) {
            fail_msg("expected '%s' and %d, told %d:\n%s", rows[i].told, rows[i].exit_code,
                     exit_code, told);
        }
        if (strstr(told, "fleetcast: error") != NULL) {
            fail_msg("no place: %s", told);
        }
        free(told);
    }
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(a_replica_is_the_engine_token_by_token,
                                  (void *)(uintptr_t) "scheduling: chunked"),
        cmocka_unit_test_prestate(a_replica_is_the_engine_token_by_token,
                                  (void *)(uintptr_t) "scheduling: prefill-first, admission: "
                                                      "guaranteed"),
        cmocka_unit_test_prestate(requests_add_up_whatever_happens,
                                  (void *)(uintptr_t) "round-robin"),
        cmocka_unit_test_prestate(requests_add_up_whatever_happens,
                                  (void *)(uintptr_t) "two-choices"),
        cmocka_unit_test(a_full_replica_serves_at_the_saturated_rate),
        cmocka_unit_test(a_drained_replica_ends_what_it_has),
        cmocka_unit_test(every_strategy_gets_the_same_requests),
        cmocka_unit_test(presets_on_instances),
        cmocka_unit_test(a_measured_pair_beats_the_estimate),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
