/* SPDX-License-Identifier: GPL-3.0-or-later
 * GPU memory: sixteen layouts computed by hand, ten of them of published runs (MosaicML llm-foundry
 * benchmarking tables; Korthikanti et al., arXiv 2205.05198), published runs that went out of
 * memory, and how each term grows. */
#include "tests/support/testing.h"

#include "models/speed/gpu_memory.h"

#include <math.h>

static const double GIB = 1073741824.0;

struct memory_case {
    const char *name;
    double parameters, layers, hidden, heads, sequence, vocabulary;
    double accelerators, device_gib;
    double tensor, pipeline;
    int zero;
    double micro_batch;
    enum recompute recompute;
    enum attention attention;
    double state, activations, rest, need, capacity; /* GiB, as rounded by hand */
};

#define NONE      RECOMPUTE_NONE
#define SELECTIVE RECOMPUTE_SELECTIVE
#define FULL      RECOMPUTE_FULL
#define FUSED     ATTENTION_FUSED
#define PLAIN     ATTENTION_PLAIN
#define BERT      0.336e9, 24, 1024, 16, 384, 30522
#define GPT_2     1.558e9, 48, 1600, 25, 1024, 50257
#define LLAMA_7B  6.7e9, 32, 4096, 32, 2048, 32000
#define MPT_1B    1.315e9, 24, 2048, 16, 2048, 50368
#define MPT_7B    6.65e9, 32, 4096, 32, 2048, 50368
#define MPT_13B   12.85e9, 40, 5120, 40, 2048, 50368
#define MPT_30B   29.975e9, 48, 7168, 56, 2048, 50368
#define MPT_70B   64.9e9, 80, 8192, 64, 2048, 50368
#define GPT_22B   22e9, 48, 6144, 96, 2048, 51200
#define GPT_175B  175e9, 96, 12288, 96, 2048, 51200

static struct memory_case cases[] = {
    {"BERT-large, V100-16, b 8", BERT, 1, 16, 1, 1, 0, 8, NONE, PLAIN, 5.0, 4.5, 0.5, 12.0, 15.5},
    {"GPT-2 1.5B, V100-16", GPT_2, 1, 16, 1, 1, 0, 1, FULL, FUSED, 23.2, 0.2, 0.3, 26.4, 15.5},
    {"Llama-2 7B, A100-80 x 1", LLAMA_7B, 1, 80, 1, 1, 0, 1, FULL, FUSED, 99.8, 0.8, 0.4, 107.5,
     77.6},
    {"Llama-2 7B, A10G x 8, ZeRO 3", LLAMA_7B, 8, 22888 / 1024.0, 1, 1, 3, 1, FULL, FUSED, 12.5,
     0.8, 1.2, 16.6, 21.7},
    {"MPT-1B, A100-40 x 128, b 10", MPT_1B, 128, 40, 1, 1, 3, 10, NONE, FUSED, 0.2, 31.9, 6.0,
     41.4, 38.8},
    {"MPT-7B, A100-40 x 8, b 12", MPT_7B, 8, 40, 1, 1, 3, 12, FULL, FUSED, 12.4, 9.2, 7.7, 32.2,
     38.8},
    {"MPT-7B, A100-80 x 8, b 6", MPT_7B, 8, 80, 1, 1, 3, 6, NONE, FUSED, 12.4, 51.0, 4.3, 72.5,
     77.6},
    {"MPT-13B, A100-40 x 8, b 4", MPT_13B, 8, 40, 1, 1, 3, 4, FULL, FUSED, 23.9, 4.5, 3.5, 35.0,
     38.8},
    {"MPT-13B, H100-80 x 8, b 2", MPT_13B, 8, 80, 1, 1, 3, 2, NONE, FUSED, 23.9, 26.6, 2.4, 57.0,
     77.6},
    {"MPT-30B, A100-80 x 8, b 3", MPT_30B, 8, 80, 1, 1, 3, 3, FULL, FUSED, 55.8, 5.3, 4.0, 70.0,
     77.6},
    {"MPT-30B, A100-40 x 8, b 1", MPT_30B, 8, 40, 1, 1, 3, 1, FULL, FUSED, 55.8, 1.8, 2.9, 65.0,
     38.8},
    {"MPT-70B, A100-40 x 64, b 2", MPT_70B, 64, 40, 1, 1, 3, 2, FULL, FUSED, 15.1, 6.1, 4.2, 28.1,
     38.8},
    {"MPT-70B, H100-80 x 8, b 1", MPT_70B, 8, 80, 1, 1, 3, 1, FULL, FUSED, 120.9, 3.0, 3.6, 135.4,
     77.6},
    {"GPT 22B, A100-80 x 8, T 8, b 4", GPT_22B, 8, 80, 8, 1, 0, 4, SELECTIVE, FUSED, 41.0, 9.6,
     0.3, 54.9, 77.6},
    {"GPT 175B, A100-80 x 64, T 8, P 8", GPT_175B, 64, 80, 8, 8, 0, 1, SELECTIVE, FUSED, 40.7, 9.6,
     0.1, 54.4, 77.6},
    {"GPT 175B, plain attention", GPT_175B, 64, 80, 8, 8, 0, 1, NONE, PLAIN, 40.7, 32.1, 0.1, 78.0,
     77.6},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static struct memory_layout layout_of(const struct memory_case *c)
{
    return (struct memory_layout){
        .shape = {.class = MODEL_LLM,
                  .parameters = c->parameters,
                  .active_parameters = c->parameters,
                  .trained_parameters = c->parameters,
                  .layers = c->layers,
                  .hidden = c->hidden,
                  .heads = c->heads,
                  .sequence = c->sequence,
                  .vocabulary = c->vocabulary,
                  .precision = PRECISION_BF16},
        .accelerators = c->accelerators,
        .tensor = c->tensor,
        .pipeline = c->pipeline,
        .zero = c->zero,
        .micro_batch = c->micro_batch,
        .recompute = c->recompute,
        .attention = c->attention,
        .master_weights = true,
        .sequence_parallel = true,
    };
}

/* The table rounds to a tenth, and adds two rounded parts in `rest`. */
static void a_case_is_as_computed_by_hand(void **state)
{
    const struct memory_case *c = *state;
    struct memory_layout l = layout_of(c);
    struct gpu_memory m = gpu_memory_of(&l, c->device_gib * GIB);
    double state_bytes =
        m.bytes[MEMORY_WEIGHTS] + m.bytes[MEMORY_GRADIENTS] + m.bytes[MEMORY_OPTIMIZER];
    assert_near(state_bytes / GIB, c->state, 0.051, "state");
    assert_near(m.bytes[MEMORY_ACTIVATIONS] / GIB, c->activations, 0.051, "activations");
    assert_near((m.bytes[MEMORY_LOGITS] + m.bytes[MEMORY_GATHER]) / GIB, c->rest, 0.11, "rest");
    assert_near(m.need_bytes / GIB, c->need, 0.051, "need");
    assert_near(m.capacity_bytes / GIB, c->capacity, 0.051, "capacity");
}

int main(void)
{
    struct CMUnitTest tests[CASES + 20];
    size_t count = 0;
    for (size_t i = 0; i < CASES; i++) {
        tests[count++] = (struct CMUnitTest){cases[i].name, a_case_is_as_computed_by_hand, NULL,
                                             NULL, &cases[i]};
    }
    return _cmocka_run_group_tests("gpu memory", tests, count, NULL, NULL);
}
