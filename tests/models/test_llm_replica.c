/* SPDX-License-Identifier: GPL-3.0-or-later
 * The jumps of a language-model replica against the same engine simulated token by token, against
 * sums in closed form, and by hand. */
#include "engine/random.h"
#include "models/inference/llm_replica_losses.h"
#include "tests/support/llm_steps.h"
#include "tests/support/testing.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Llama 3.1 8B on one A100-80GB, 16 bit. */
static struct llm_rules rules_8b(enum llm_scheduling scheduling, enum llm_admission admission)
{
    struct llm_model m = {.parameters = 8.03e9,
                          .active_parameters = 8.03e9,
                          .layers = 32,
                          .hidden = 4096,
                          .kv_heads = 8,
                          .head_size = 128,
                          .bytes_per_weight = 2,
                          .bytes_per_kv = 2};
    struct llm_hardware h = {
        .accelerators = 1, .flops = 312e12, .bytes_per_s = 2.039e12, .memory_bytes = 80e9};
    struct llm_overheads o = llm_overheads_default(false);
    return (struct llm_rules){.step = llm_step_make(&m, &h, &o, 1.0),
                              .scheduling = scheduling,
                              .admission = admission,
                              .most_sequences = 256,
                              .token_budget = 2048,
                              .waste_tokens = 7.5,
                              .watermark = 0.01};
}

/* ---- a run of the jump model over a list ---- */

struct run {
    struct llm_steps_request *requests;
    struct service_requests *pool;
    size_t done;
};

static void note_done(void *owner, uint32_t request, double done_s)
{
    struct run *run = owner;
    const struct service_request *q = &run->pool->items[request];
    run->requests[q->number].first_s = q->first_s;
    run->requests[q->number].done_s = done_s;
    run->done++;
    service_requests_give(run->pool, request);
}

/* Serves all; returns events. */
static uint64_t serve(const struct llm_rules *rules, struct llm_steps_request *requests,
                      size_t count, uint64_t *evictions)
{
    struct service_requests pool;
    struct llm_replica r;
    struct run run = {.requests = requests, .pool = &pool};
    service_requests_init(&pool, 1000000);
    llm_replica_init(&r, rules, &pool);
    for (size_t i = 0; i < count;) {
        if (r.end_s <= requests[i].arrived_s) {
            llm_replica_advance(&r, note_done, &run);
            continue;
        }
        uint32_t q = service_requests_take(&pool);
        assert_int_not_equal(q, 0);
        pool.items[q].number = (uint32_t)i;
        pool.items[q].arrived_s = requests[i].arrived_s;
        pool.items[q].prompt = requests[i].prompt;
        pool.items[q].output = requests[i].output;
        pool.items[q].cached = requests[i].cached;
        assert_true(llm_replica_arrive(&r, q, requests[i].arrived_s));
        i++;
    }
    while (isfinite(r.end_s)) {
        llm_replica_advance(&r, note_done, &run);
    }
    assert_int_equal(run.done, count);
    assert_int_equal(r.in_flight, 0);
    assert_int_equal(r.waiting, 0);
    assert_near(r.used, 0, 1e-6, "tokens in use at the end");
    assert_near(r.cached, 0, 1e-6, "tokens that decoding reads at the end");
    if (evictions != NULL) {
        *evictions = r.evictions;
    }
    uint64_t events = r.events;
    llm_replica_release(&r);
    service_requests_release(&pool);
    return events;
}

/* ---- equation ---- */

static void the_cache_of_published_models(void **state)
{
    (void)state;
    struct llm_overheads o = llm_overheads_default(false);
    /* Llama 2 7B on one A10G (24 GB): 524,288 bytes a token, and about 13,600 tokens with 1 GB kept
     * back. */
    struct llm_model seven = {.parameters = 6.74e9,
                              .active_parameters = 6.74e9,
                              .layers = 32,
                              .hidden = 4096,
                              .kv_heads = 32,
                              .head_size = 128,
                              .bytes_per_weight = 2,
                              .bytes_per_kv = 2};
    struct llm_hardware a10g = {
        .accelerators = 1, .flops = 70e12, .bytes_per_s = 600e9, .memory_bytes = 24e9};
    o.reserve_bytes = 1e9;
    struct llm_step s = llm_step_make(&seven, &a10g, &o, 1.0);
    assert_near(s.kv_bytes_per_token, 524288, 0, "bytes a token");
    assert_relative(s.kv_tokens, 13600, 0.005, "tokens");
    /* Reading 13.48 GB of weights at 92 % of 600 GB/s takes 24.4 ms, 32 layers 5.1 ms. */
    assert_near(llm_step_s(&s, 1, 1, 0, 0), 13.48e9 / 552e9 + 32 * 0.16e-3 + 2e-6, 1e-9, "a step");
    /* Twice the time in a world with the factor 2. */
    struct llm_step slow = llm_step_make(&seven, &a10g, &o, 2.0);
    assert_relative(llm_step_s(&slow, 100, 50, 10000, 1e5), 2 * llm_step_s(&s, 100, 50, 10000, 1e5),
                    1e-12, "factor");
}

/* ---- closed sums ---- */

/* Prefill of b prompts at once, then out - 1 steps that read b (in + i). */
static void a_static_batch_is_the_closed_sum(void **state)
{
    (void)state;
    struct llm_rules rules = rules_8b(LLM_PREFILL_FIRST, LLM_ADMIT_PROMPT);
    enum { B = 16, IN = 100, OUT = 50 };
    struct llm_steps_request requests[B + 1];
    /* One that runs alone first, so that the others wait and make one step together. */
    requests[0] = (struct llm_steps_request){.prompt = 1000, .output = 1};
    for (int i = 1; i <= B; i++) {
        requests[i] = (struct llm_steps_request){.arrived_s = 1e-4, .prompt = IN, .output = OUT};
    }
    serve(&rules, requests, B + 1, NULL);
    double begin_s = llm_step_s(&rules.step, 1000, 0, 0, llm_step_attention(1000, 0));
    assert_near(requests[0].done_s, begin_s, 1e-12, "the first");
    double first_s = begin_s + llm_step_s(&rules.step, B * IN, 0, 0, B * llm_step_attention(IN, 0));
    double done_s = first_s;
    for (int i = 1; i < OUT; i++) {
        done_s += llm_step_s(&rules.step, B, B, B * (IN + i), 0);
    }
    for (int i = 1; i <= B; i++) {
        assert_near(requests[i].first_s, first_s, 1e-12, "first token");
        assert_near(requests[i].done_s, done_s, 1e-9, "last token");
    }
}

static void a_long_prompt_is_prefilled_chunk_by_chunk(void **state)
{
    (void)state;
    struct llm_rules rules = rules_8b(LLM_CHUNKED, LLM_ADMIT_PROMPT);
    struct llm_steps_request request = {.prompt = 5000, .output = 1};
    uint64_t events = serve(&rules, &request, 1, NULL);
    double want_s = llm_step_s(&rules.step, 2048, 0, 0, llm_step_attention(2048, 0)) +
                    llm_step_s(&rules.step, 2048, 0, 0, llm_step_attention(2048, 2048)) +
                    llm_step_s(&rules.step, 904, 0, 0, llm_step_attention(904, 4096));
    assert_near(request.first_s, want_s, 1e-12, "first token");
    assert_near(request.done_s, want_s, 1e-12, "last token");
    assert_int_equal(events, 3); /* its first chunk, the full ones, and the last */
}

static void tokens_in_the_prefix_cache_are_not_prefilled(void **state)
{
    (void)state;
    struct llm_rules rules = rules_8b(LLM_CHUNKED, LLM_ADMIT_PROMPT);
    struct llm_steps_request request = {.prompt = 1500, .output = 2, .cached = 1000};
    serve(&rules, &request, 1, NULL);
    double first_s = llm_step_s(&rules.step, 500, 0, 0, llm_step_attention(500, 1000));
    assert_near(request.first_s, first_s, 1e-12, "first token");
    assert_near(request.done_s, first_s + llm_step_s(&rules.step, 1, 1, 1501, 0), 1e-12, "last");
}

/* ---- against the reference ---- */

struct load {
    const char *name;
    enum llm_scheduling scheduling;
    enum llm_admission admission;
    double kv_tokens; /* 0: as the hardware has it */
    double rate;      /* arrivals a second */
    double mean_prompt, mean_output, cv;
    double tolerance; /* relative, of means and 95 % quantiles */
};

static uint32_t lognormal_tokens(struct random_stream *s, double mean, double cv)
{
    double variance = log(1 + cv * cv);
    double tokens = mean * exp(sqrt(variance) * random_normal(s) - 0.5 * variance);
    return (uint32_t)fmin(fmax(tokens, 1), 12000);
}

static void draw(const struct load *load, uint64_t seed, struct llm_steps_request *requests,
                 size_t count)
{
    struct random_stream s;
    random_stream_init(&s, (struct random_world){.seed = seed, .replication = 0},
                       random_source("test"));
    double now_s = 0;
    for (size_t i = 0; i < count; i++) {
        now_s += random_exponential(&s) / load->rate;
        requests[i] = (struct llm_steps_request){
            .arrived_s = now_s,
            .prompt = lognormal_tokens(&s, load->mean_prompt, load->cv),
            .output = lognormal_tokens(&s, load->mean_output, load->cv),
        };
    }
}

struct figures {
    double ttft_mean, ttft_p95, tpot_mean, tpot_p95, e2e_mean, e2e_p95;
};

static struct figures measure(const struct llm_steps_request *requests, size_t count)
{
    double *ttft = malloc(count * sizeof *ttft), *tpot = malloc(count * sizeof *tpot),
           *e2e = malloc(count * sizeof *e2e);
    size_t n = 0, m = 0;
    for (size_t i = count / 10; i < count - count / 10; i++) {
        const struct llm_steps_request *q = &requests[i];
        ttft[n] = q->first_s - q->arrived_s;
        e2e[n++] = q->done_s - q->arrived_s;
        if (q->output >= 2) {
            tpot[m++] = (q->done_s - q->first_s) / (q->output - 1);
        }
    }
    gsl_sort(ttft, 1, n);
    gsl_sort(tpot, 1, m);
    gsl_sort(e2e, 1, n);
    struct figures f = {.ttft_mean = gsl_stats_mean(ttft, 1, n),
                        .ttft_p95 = gsl_stats_quantile_from_sorted_data(ttft, 1, n, 0.95),
                        .tpot_mean = gsl_stats_mean(tpot, 1, m),
                        .tpot_p95 = gsl_stats_quantile_from_sorted_data(tpot, 1, m, 0.95),
                        .e2e_mean = gsl_stats_mean(e2e, 1, n),
                        .e2e_p95 = gsl_stats_quantile_from_sorted_data(e2e, 1, n, 0.95)};
    free(ttft);
    free(tpot);
    free(e2e);
    return f;
}

static void compare(const struct load *load, uint64_t seed)
{
    enum { COUNT = 2000 };
    static struct llm_steps_request truth[COUNT], jump[COUNT];
    struct llm_rules rules = rules_8b(load->scheduling, load->admission);
    if (load->kv_tokens > 0) {
        rules.step.kv_tokens = load->kv_tokens;
    }
    draw(load, seed, truth, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        jump[i] = truth[i];
    }
    uint64_t evictions = 0;
    struct llm_steps_result reference = llm_steps_serve(&rules, 16, truth, COUNT);
    uint64_t events = serve(&rules, jump, COUNT, &evictions);
    struct figures want = measure(truth, COUNT), got = measure(jump, COUNT);
    char what[200];
    const double *w = (const double *)&want, *g = (const double *)&got;
    static const char *const names[] = {"TTFT mean", "TTFT p95", "TPOT mean",
                                        "TPOT p95",  "E2E mean", "E2E p95"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(what, sizeof what, "%s, seed %llu, %s", load->name, (unsigned long long)seed,
                 names[i]);
        assert_relative(g[i], w[i], load->tolerance, what);
    }
    assert_true(events < 6 * COUNT);
    assert_true(reference.steps > events);
    if (load->kv_tokens == 0) {
        assert_int_equal(evictions, 0);
        assert_int_equal(reference.evictions, 0);
    }
}

static void jumps_are_the_steps_where_the_cache_is_not_full(void **state)
{
    (void)state;
    /* About 10, 50 and 85 % of what it can serve. */
    static const struct load loads[] = {
        {"prefill first, low", LLM_PREFILL_FIRST, LLM_ADMIT_PROMPT, 0, 1, 500, 200, 1.5, 0.01},
        {"prefill first, half", LLM_PREFILL_FIRST, LLM_ADMIT_PROMPT, 0, 6, 500, 200, 1.5, 0.01},
        {"prefill first, high", LLM_PREFILL_FIRST, LLM_ADMIT_PROMPT, 0, 10, 500, 200, 1.5, 0.01},
        {"chunked, low", LLM_CHUNKED, LLM_ADMIT_PROMPT, 0, 1, 500, 200, 1.5, 0.01},
        {"chunked, half", LLM_CHUNKED, LLM_ADMIT_PROMPT, 0, 6, 500, 200, 1.5, 0.01},
        {"chunked, high", LLM_CHUNKED, LLM_ADMIT_PROMPT, 0, 10, 500, 200, 1.5, 0.01},
        {"chunked, constant", LLM_CHUNKED, LLM_ADMIT_CHUNK, 0, 6, 512, 256, 0, 0.01},
        {"long prompts", LLM_CHUNKED, LLM_ADMIT_GUARANTEED, 0, 1, 4000, 100, 1, 0.01},
    };
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        for (uint64_t seed = 1; seed <= 2; seed++) {
            compare(&loads[i], seed);
        }
    }
}

/* Where the cache is full, the paths drift apart with every eviction; what holds is about the same
 * service. The published comparison has errors to 16 % there. */
static void jumps_are_near_the_steps_where_it_is_full(void **state)
{
    (void)state;
    static const struct load loads[] = {
        {"tight", LLM_CHUNKED, LLM_ADMIT_PROMPT, 14000, 2.5, 500, 200, 1, 0.2},
        {"tight, prefill first", LLM_PREFILL_FIRST, LLM_ADMIT_PROMPT, 14000, 2.5, 500, 200, 1, 0.2},
        {"tight, guaranteed", LLM_CHUNKED, LLM_ADMIT_GUARANTEED, 14000, 2.5, 500, 200, 1, 0.2},
    };
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        compare(&loads[i], 3);
    }
}

/* Without blocks the reference counts as the jumps do: then it is the same path, evictions and all.
 */
static void without_blocks_each_request_is_the_same(void **state)
{
    (void)state;
    enum { COUNT = 800 };
    static struct llm_steps_request truth[COUNT], jump[COUNT];
    uint64_t evicted = 0;
    for (int scheduling = LLM_PREFILL_FIRST; scheduling <= LLM_CHUNKED; scheduling++) {
        for (int admission = LLM_ADMIT_PROMPT; admission <= LLM_ADMIT_GUARANTEED; admission++) {
            for (int cut = 0; cut < 3; cut++) {
                struct load load = {.rate = 8.0, .mean_prompt = 400, .mean_output = 150, .cv = 1};
                struct llm_rules rules =
                    rules_8b((enum llm_scheduling)scheduling, (enum llm_admission)admission);
                rules.step.kv_tokens = cut == 0 ? 7000.25 : cut == 1 ? 20000.25 : 100000.25;
                rules.most_sequences = cut == 2 ? 5 : 256;
                rules.token_budget = cut == 2 ? 300 : 2048;
                draw(&load, 77, truth, COUNT);
                for (size_t i = 0; i < COUNT; i++) {
                    /* Some of the prompts in the prefix cache. */
                    truth[i].cached = i % 3 == 0 ? truth[i].prompt / 2 : 0;
                    jump[i] = truth[i];
                }
                uint64_t evictions = 0;
                struct llm_steps_result reference = llm_steps_serve(&rules, 0, truth, COUNT);
                serve(&rules, jump, COUNT, &evictions);
                assert_int_equal(evictions, reference.evictions);
                evicted += evictions;
                for (size_t i = 0; i < COUNT; i++) {
                    char what[120];
                    snprintf(what, sizeof what, "scheduling %d, admission %d, case %d, request %zu",
                             scheduling, admission, cut, i);
                    assert_relative(jump[i].first_s, truth[i].first_s, 1e-9, what);
                    assert_relative(jump[i].done_s, truth[i].done_s, 1e-9, what);
                }
            }
        }
    }
    assert_true(evicted > 100); /* the cases are tight enough to mean something */
}

/* ---- edges ---- */

static void what_can_never_be_served_is_known_before(void **state)
{
    (void)state;
    struct llm_rules rules = rules_8b(LLM_CHUNKED, LLM_ADMIT_PROMPT);
    rules.step.kv_tokens = 1000;
    assert_true(llm_rules_can_serve(&rules, 900, 92));
    assert_false(llm_rules_can_serve(&rules, 900, 93));
    rules.step.kv_tokens = -5; /* the weights do not fit */
    assert_false(llm_rules_can_serve(&rules, 1, 1));
}

struct lost {
    struct service_requests *pool;
    size_t count;
    double sum;
};

static void note_lost(void *owner, uint32_t request, double lost_s)
{
    struct lost *lost = owner;
    lost->count++;
    lost->sum += lost_s - lost->pool->items[request].arrived_s;
    service_requests_give(lost->pool, request);
}

static void a_replica_that_vanishes_loses_what_is_in_it(void **state)
{
    (void)state;
    struct llm_rules rules = rules_8b(LLM_CHUNKED, LLM_ADMIT_PROMPT);
    struct service_requests pool;
    struct llm_replica r;
    struct lost lost = {.pool = &pool};
    rules.most_sequences = 2;
    service_requests_init(&pool, 100);
    llm_replica_init(&r, &rules, &pool);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 5; i++) {
            uint32_t q = service_requests_take(&pool);
            pool.items[q].arrived_s = round;
            pool.items[q].prompt = 100;
            pool.items[q].output = 1000;
            assert_true(llm_replica_arrive(&r, q, round));
        }
        while (r.end_s < round + 0.5) {
            llm_replica_advance(&r, note_lost, &lost);
        }
        assert_int_equal(lost.count, 5 * round);
        llm_replica_drop(&r, round + 0.5, note_lost, &lost);
        assert_int_equal(lost.count, 5 * (round + 1));
        assert_int_equal(r.in_flight, 0);
        assert_true(isinf(r.end_s));
    }
    assert_near(lost.sum, 15 * 0.5, 1e-9, "time of those lost");
    assert_near(r.busy_s, 1.5, 1e-9, "busy");
    assert_int_equal(pool.count, 5); /* records are used again */
    llm_replica_release(&r);
    service_requests_release(&pool);
}

/* One request alone: its prompt fills the cache for a step, then each step holds a token more. */
static void the_cache_in_use_is_summed_over_time(void **state)
{
    (void)state;
    enum { PROMPT = 100, OUTPUT = 1000 };
    struct llm_rules rules = rules_8b(LLM_CHUNKED, LLM_ADMIT_PROMPT);
    const struct llm_step *s = &rules.step;
    struct service_requests pool;
    struct llm_replica r;
    struct lost done = {.pool = &pool};
    service_requests_init(&pool, 10);
    llm_replica_init(&r, &rules, &pool);
    uint32_t q = service_requests_take(&pool);
    pool.items[q].prompt = PROMPT;
    pool.items[q].output = OUTPUT;
    assert_true(llm_replica_arrive(&r, q, 0));
    double sum = (PROMPT + 7.5) * llm_step_s(s, PROMPT, 0, 0, llm_step_attention(PROMPT, 0));
    for (int made = 1; made < OUTPUT; made++) {
        sum += (PROMPT + 7.5 + made + 0.5) * llm_step_s(s, 1, 1, PROMPT + made, 0);
    }
    while (!isinf(r.end_s)) {
        llm_replica_advance(&r, note_lost, &done);
    }
    assert_int_equal(done.count, 1);
    assert_near(r.cache_token_s, sum, 1e-3 * sum, "token-seconds");
    llm_replica_reset(&r);
    assert_near(r.cache_token_s, 0, 0, "forgotten");
    llm_replica_release(&r);
    service_requests_release(&pool);
}

static void the_pool_has_a_limit(void **state)
{
    (void)state;
    struct service_requests pool;
    service_requests_init(&pool, 3);
    uint32_t last = 0;
    for (int i = 0; i < 3; i++) {
        last = service_requests_take(&pool);
        assert_int_not_equal(last, 0);
    }
    assert_int_equal(service_requests_take(&pool), 0);
    service_requests_give(&pool, last);
    assert_int_equal(service_requests_take(&pool), last);
    service_requests_release(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cache_of_published_models),
        cmocka_unit_test(a_static_batch_is_the_closed_sum),
        cmocka_unit_test(a_long_prompt_is_prefilled_chunk_by_chunk),
        cmocka_unit_test(tokens_in_the_prefix_cache_are_not_prefilled),
        cmocka_unit_test(jumps_are_the_steps_where_the_cache_is_not_full),
        cmocka_unit_test(jumps_are_near_the_steps_where_it_is_full),
        cmocka_unit_test(without_blocks_each_request_is_the_same),
        cmocka_unit_test(what_can_never_be_served_is_known_before),
        cmocka_unit_test(a_replica_that_vanishes_loses_what_is_in_it),
        cmocka_unit_test(the_cache_in_use_is_summed_over_time),
        cmocka_unit_test(the_pool_has_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
