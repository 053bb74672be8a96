/* SPDX-License-Identifier: GPL-3.0-or-later
 * The closed forms of a language-model replica: against the sum over every step, against the
 * simulation by jumps, by hand, and beside published measurements. */
#include "models/inference/llm_capacity.h"
#include "models/inference/llm_engine.h"
#include "tests/support/testing.h"

#include <math.h>

/* Llama 7B on one A100-80GB, 16 bit; NVIDIA's data sheet. */
static struct llm_rules rules_7b(double most_sequences, double budget)
{
    struct llm_model m = {.parameters = 6.738e9,
                          .active_parameters = 6.738e9,
                          .layers = 32,
                          .hidden = 4096,
                          .kv_heads = 32,
                          .head_size = 128,
                          .bytes_per_weight = 2,
                          .bytes_per_kv = 2};
    struct llm_hardware h = {
        .accelerators = 1, .flops = 312e12, .bytes_per_s = 2.039e12, .memory_bytes = 80e9};
    struct llm_overheads o = llm_overheads_default(false);
    return (struct llm_rules){.step = llm_step_make(&m, &h, &o, 1.0),
                              .scheduling = LLM_CHUNKED,
                              .admission = LLM_ADMIT_PROMPT,
                              .most_sequences = (uint32_t)most_sequences,
                              .token_budget = (uint32_t)budget,
                              .waste_tokens = 7.5,
                              .watermark = 0.01};
}

/* ---- a batch ---- */

static void a_batch_is_the_sum_of_its_steps(void **state)
{
    (void)state;
    const struct llm_rules r = rules_7b(256, 8192);
    const double lengths[][3] = {{128, 128, 384}, {128, 2048, 60}, {2000, 2, 1}, {7, 1, 3}};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const double in = lengths[i][0], out = lengths[i][1], b = lengths[i][2];
        const struct llm_lengths l = {.prompt = in, .output = out};
        double sum_s = llm_step_s(&r.step, b * in, 0, 0, b * in * in / 2);
        assert_relative(llm_batch_prefill_s(&r, &l, b), sum_s, 1e-12, "prompts");
        for (double k = 1; k < out; k++) {
            sum_s += llm_step_s(&r.step, b, b, b * (in + k), 0);
        }
        assert_relative(llm_static_batch_tokens_per_s(&r, &l, b), b * out / sum_s, 1e-12,
                        "tokens a second");
    }
}

/* By hand: 2,048 tokens of 13.476 GFLOP each at 0.7 of 312 TFLOP/s take 126.4 ms, their attention
 * 4 x 32 x 4096 x 2048^2 / 2 FLOP 5.0 ms, 32 layers 5.1 ms. Measured: 133 ms (TensorRT-LLM 0.5). */
static void a_prompt_by_hand(void **state)
{
    (void)state;
    const struct llm_rules r = rules_7b(256, 8192);
    const struct llm_lengths l = {.prompt = 2048, .output = 1};
    const double flops = 2048 * 2 * 6.738e9 + 4.0 * 32 * 4096 * 2048 * 1024;
    const double by_hand_s = flops / (0.7 * 312e12) + 32 * 0.16e-3;
    assert_relative(llm_batch_prefill_s(&r, &l, 1), by_hand_s, 1e-9, "by hand");
    assert_relative(llm_prefill_s(&r, &l), by_hand_s, 1e-9, "alone");
    assert_relative(by_hand_s, 0.133, 0.05, "measured");
}

/* TensorRT-LLM 0.6.1, docs/source/performance.md, LLaMA 7B, FP16 on one A100: 5,586 and 1,928. */
static void batches_as_measured(void **state)
{
    (void)state;
    const struct llm_rules r = rules_7b(256, 8192);
    const struct llm_lengths brief = {.prompt = 128, .output = 128},
                             lengthy = {.prompt = 128, .output = 2048};
    assert_relative(llm_static_batch_tokens_per_s(&r, &brief, 384), 5586, 0.10, "128/128");
    assert_relative(llm_static_batch_tokens_per_s(&r, &lengthy, 60), 1928, 0.10, "128/2048");
}

/* ---- always full ---- */

static void fullness_by_hand(void **state)
{
    (void)state;
    struct llm_rules r = rules_7b(64, 1024);
    const struct llm_lengths l = {.prompt = 100, .output = 50};
    /* Ten prompts of 100 share a step of 1,024 tokens; 64 sequences of 125 tokens fit. */
    const double step_s = llm_step_s(&r.step, 64, 64, 64 * 125, 0);
    const double prompts_s = llm_step_s(&r.step, 1000, 0, 0, 10 * 100 * 100 / 2) / 10;
    assert_near(llm_saturated_sequences(&r, &l), 64, 0, "sequences");
    assert_relative(llm_saturated_rate(&r, &l), 64 / (49 * step_s + 64 * prompts_s), 1e-12, "rate");
    /* A prompt that fills the budget, or more, has its steps to itself. */
    const struct llm_lengths large = {.prompt = 1500, .output = 50};
    const double b = llm_saturated_sequences(&r, &large);
    const double decode_s = llm_step_s(&r.step, b, b, b * 1525, 0);
    assert_relative(llm_saturated_rate(&r, &large),
                    b / (49 * decode_s + b * llm_prefill_s(&r, &large)), 1e-12, "large prompts");
    /* The cache is the limit: 62.8 GB of 524,288 bytes a token. */
    r.most_sequences = 10000;
    assert_relative(llm_saturated_sequences(&r, &l),
                    (72e9 - 1.5e9 - 2 * 6.738e9) / 524288.0 / (125 + 7.5), 1e-9, "by the cache");
}

static void note_done(void *owner, uint32_t request, double done_s)
{
    (void)request;
    *(double *)owner = done_s;
}

/* Of 40 batches that come at once the simulation serves as many a second, but for the beginning and
 * the end, as the closed form says. */
static void fullness_as_simulated(void **state)
{
    (void)state;
    enum { MANY = 40 * 64 };
    const struct llm_rules r = rules_7b(64, 1024);
    const double lengths[][2] = {{100, 50}, {400, 200}, {30, 300}, {900, 20}};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const struct llm_lengths l = {.prompt = lengths[i][0], .output = lengths[i][1]};
        struct service_requests pool;
        struct llm_replica replica;
        double end_s = 0;
        service_requests_init(&pool, MANY + 1);
        llm_replica_init(&replica, &r, &pool);
        for (int k = 0; k < MANY; k++) {
            const uint32_t q = service_requests_take(&pool);
            pool.items[q].prompt = (uint32_t)l.prompt;
            pool.items[q].output = (uint32_t)l.output;
            assert_true(llm_replica_arrive(&replica, q, 0));
        }
        while (isfinite(replica.end_s)) {
            llm_replica_advance(&replica, note_done, &end_s);
        }
        assert_relative(llm_saturated_rate(&r, &l), MANY / end_s, 0.10, "requests a second");
        llm_replica_release(&replica);
        service_requests_release(&pool);
    }
}

/* ---- generations of engines ---- */

static void the_host_of_a_step(void **state)
{
    (void)state;
    struct llm_model m = {.parameters = 8e9,
                          .active_parameters = 8e9,
                          .layers = 32,
                          .hidden = 4096,
                          .kv_heads = 8,
                          .head_size = 128,
                          .bytes_per_weight = 2,
                          .bytes_per_kv = 2};
    struct llm_hardware h = {
        .accelerators = 1, .flops = 312e12, .bytes_per_s = 2.039e12, .memory_bytes = 80e9};
    struct llm_overheads o = llm_overheads_default(false);
    const struct llm_step without = llm_step_make(&m, &h, &o, 1.0);
    o.host_s = 9e-3;
    const struct llm_step with = llm_step_make(&m, &h, &o, 1.2);
    assert_relative(llm_step_s(&with, 8, 8, 900, 0),
                    1.2 * (llm_step_s(&without, 8, 8, 900, 0) + 9e-3), 1e-12, "once a step");
}

static void factors_have_their_intervals(void **state)
{
    (void)state;
    for (int e = 0; e < LLM_ENGINE_COUNT; e++) {
        const struct llm_engine_profile *p = &llm_engine_profiles[e];
        struct distribution d = llm_engine_factor((enum llm_engine)e);
        char message[160];
        assert_true(distribution_prepare(&d, NULL, message, sizeof message));
        assert_relative(distribution_quantile(&d, 0.05), p->low, 0.02, llm_engine_names[e]);
        assert_relative(distribution_quantile(&d, 0.95), p->high, 0.02, llm_engine_names[e]);
        assert_true(p->usual > p->low && p->usual < p->high);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_batch_is_the_sum_of_its_steps),
                                       cmocka_unit_test(a_prompt_by_hand),
                                       cmocka_unit_test(batches_as_measured),
                                       cmocka_unit_test(fullness_by_hand),
                                       cmocka_unit_test(fullness_as_simulated),
                                       cmocka_unit_test(the_host_of_a_step),
                                       cmocka_unit_test(factors_have_their_intervals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
