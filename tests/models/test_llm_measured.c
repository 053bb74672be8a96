/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a measured pair of a language-model replica means, how its saturated rate compares with the
 * engine token by token, and how long requests are. */
#include "engine/inputs.h"
#include "models/inference/llm_capacity.h"
#include "models/inference/token_lengths.h"
#include "tests/support/llm_steps.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdlib.h>

/* Llama 2 7B on one A100-40GB. */
static const struct llm_model seven = {.parameters = 6.738e9,
                                       .active_parameters = 6.738e9,
                                       .layers = 32,
                                       .hidden = 4096,
                                       .kv_heads = 32,
                                       .head_size = 128,
                                       .bytes_per_weight = 2,
                                       .bytes_per_kv = 2};
static const struct llm_hardware a100 = {
    .accelerators = 1, .flops = 312e12, .bytes_per_s = 1.555e12, .memory_bytes = 40e9};

static struct llm_rules rules_with(uint32_t most, uint32_t budget)
{
    struct llm_overheads o = llm_overheads_default(false);
    return (struct llm_rules){.step = llm_step_make(&seven, &a100, &o, 1.0),
                              .scheduling = LLM_CHUNKED,
                              .admission = LLM_ADMIT_PROMPT,
                              .most_sequences = most,
                              .token_budget = budget,
                              .waste_tokens = 7.5,
                              .watermark = 0.01};
}

/* ---- saturation ---- */

static void a_long_prompt_takes_chunks(void **state)
{
    (void)state;
    struct llm_rules r = rules_with(32, 2048);
    /* 5,000 tokens in chunks of 2,048; of those in the prefix cache none is computed. */
    const struct llm_lengths in_cache = {.prompt = 6000, .output = 2, .cached = 1000};
    double sum_s = 0, done = 1000;
    const double chunks[] = {2048, 2048, 904};
    for (int i = 0; i < 3; i++) {
        sum_s += llm_step_s(&r.step, chunks[i], 0, 0, llm_step_attention(chunks[i], done));
        done += chunks[i];
    }
    assert_relative(llm_prefill_s(&r, &in_cache), sum_s, 1e-12, "chunks");
}

/* The replica itself, where requests of one length always wait, against the formula: prompts share
 * steps with decoding, so that it may serve a little more; blocked admission a little less: 3 % at
 * most here. */
static void saturation_is_what_the_replica_does(void **state)
{
    (void)state;
    static const struct {
        uint32_t most, budget;
        struct llm_lengths l;
    } rows[] = {{32, 2048, {512, 256, 0}}, {256, 2048, {512, 256, 0}}, {64, 512, {200, 400, 0}}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        struct llm_rules r = rules_with(rows[k].most, rows[k].budget);
        enum { COUNT = 1500 };
        struct llm_steps_request requests[COUNT];
        for (int i = 0; i < COUNT; i++) {
            requests[i] = (struct llm_steps_request){.arrived_s = 1e-3 * i,
                                                     .prompt = (uint32_t)rows[k].l.prompt,
                                                     .output = (uint32_t)rows[k].l.output};
        }
        llm_steps_serve(&r, 16, requests, COUNT);
        /* Between those that end after the beginning and before the end. */
        double from_s = requests[COUNT / 3].done_s, to_s = requests[COUNT - COUNT / 3].done_s;
        double rate = (COUNT - COUNT / 3 - COUNT / 3) / (to_s - from_s);
        assert_relative(llm_saturated_rate(&r, &rows[k].l), rate, 0.04, "rate");
    }
}

/* ---- measured pairs ---- */

static void a_measured_pair_is_met(void **state)
{
    (void)state;
    static const struct {
        double tpot_s, tokens_per_s;
        enum llm_fit fit;
    } rows[] = {
        {0.020, 600, LLM_FIT_GOOD},       /* an overhead of a sequence */
        {0.016, 1180, LLM_FIT_GOOD},      /* a little more than the usual share of the peak */
        {0.012, 300, LLM_FIT_GOOD},       /* prompts are slow */
        {0.005, 600, LLM_FIT_TPOT_SHORT}, /* reading the weights takes 9.4 ms */
        {0.016, 9000, LLM_FIT_TOO_FAST},  {0.016, 1, LLM_FIT_TOO_SLOW},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        struct llm_rules r = rules_with(32, 2048);
        const struct llm_measured m = {.tpot_s = rows[k].tpot_s,
                                       .tokens_per_s = rows[k].tokens_per_s,
                                       .lengths = {.prompt = 500, .output = 250}};
        enum llm_fit fit = llm_fit_measured(&r, &seven, &a100, llm_overheads_default(false), &m);
        assert_int_equal(fit, rows[k].fit);
        assert_true(isfinite(r.step.fixed_s) && r.step.fixed_s >= 0 && r.step.sequence_s >= 0);
        if (fit == LLM_FIT_GOOD) {
            assert_relative(llm_decode_step_s(&r, &m.lengths, 1), m.tpot_s, 1e-9, "one sequence");
            assert_relative(llm_saturated_rate(&r, &m.lengths) * 250, m.tokens_per_s, 1e-6,
                            "saturated");
        }
    }
}

/* ---- lengths ---- */

static void lengths_are_of_the_request(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    struct llm_spec spec = {.prompt = variate_constant(0), .output = variate_constant(0)};
    spec.prompt = (struct variate){.family = DISTRIBUTION_LOGNORMAL,
                                   .p = {NUMBER_CERTAIN(500), NUMBER_CERTAIN(0.8)},
                                   .low = 1,
                                   .high = 1e7,
                                   .given = true};
    spec.output = spec.prompt;
    spec.output.p[0] = NUMBER_CERTAIN(100);
    spec.correlation = NUMBER_CERTAIN(0.6);
    spec.prefix_hits = NUMBER_CERTAIN(0.25);
    struct token_lengths t;
    const struct token_length none = {0};
    token_lengths_init(&t, "chat");
    assert_true(token_lengths_begin(&t, &spec, NULL));
    double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        struct token_length l = token_lengths_of(&t, (struct random_world){.seed = 3}, i, &none);
        struct token_length again =
            token_lengths_of(&t, (struct random_world){.seed = 3}, i, &none);
        assert_true(l.prompt == again.prompt && l.output == again.output);
        assert_int_equal(l.cached, l.prompt / 4);
        double a = log(l.prompt / 500.0), b = log(l.output / 100.0);
        x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
    }
    double error = 1 / sqrt(COUNT);
    assert_near(x / COUNT, 0, 4 * 0.8 * error, "log of prompts");
    assert_near(y / COUNT, 0, 4 * 0.8 * error + 0.002, "log of outputs");
    assert_near(sqrt(xx / COUNT), 0.8, 4 * 0.8 * error, "spread of prompts");
    assert_near(xy / sqrt(xx * yy), 0.6, 4 * error, "correlation");
}

static void lengths_of_a_trace_stay(void **state)
{
    (void)state;
    struct llm_spec spec = {.correlation = NUMBER_CERTAIN(0.5)};
    struct token_lengths t;
    const struct token_length traced = {.prompt = 700, .output = 0, .cached = 900};
    token_lengths_init(&t, "chat");
    assert_true(token_lengths_begin(&t, &spec, NULL));
    struct token_length l = token_lengths_of(&t, (struct random_world){.seed = 3}, 1, &traced);
    assert_int_equal(l.prompt, 700);
    assert_int_equal(l.output, 1); /* something is made of every request */
    assert_int_equal(l.cached, 699);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_prompt_takes_chunks),
        cmocka_unit_test(saturation_is_what_the_replica_does),
        cmocka_unit_test(a_measured_pair_is_met),
        cmocka_unit_test(lengths_are_of_the_request),
        cmocka_unit_test(lengths_of_a_trace_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
