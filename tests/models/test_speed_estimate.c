/* SPDX-License-Identifier: GPL-3.0-or-later
 * The speed of a training step by hand: FLOPs, roofline, exchange, bubble, loader, error. Values of
 * the roofline are worked from data sheets with the shipped numbers; published ones name their
 * source. */
#include "models/speed/chip_speed.h"
#include "models/speed/speed_estimate.h"
#include "models/speed/work_flops.h"
#include "tests/support/testing.h"

#include <math.h>
#include <string.h>

static struct catalogue *shipped;

static int load(void **state)
{
    (void)state;
    struct diagnostics *d = diagnostics_new();
    shipped = catalogue_load("models/catalogue/data", NULL, 0, d);
    diagnostics_free(d);
    return shipped == NULL;
}

static int unload(void **state)
{
    (void)state;
    catalogue_free(shipped);
    return 0;
}

static const struct instance_type *type(const char *name)
{
    const struct instance_type *t = catalogue_type(shipped, name);
    assert_non_null(t);
    return t;
}

static struct number figure(double value)
{
    struct number n = NUMBER_CERTAIN(value);
    n.given = value > 0;
    return n;
}

static struct model_shape llm(double parameters, double sequence)
{
    const struct model_spec spec = {.class = MODEL_LLM,
                                    .parameters = figure(parameters),
                                    .sequence = figure(sequence),
                                    .precision = PRECISION_BF16};
    return model_shape_resolve(&spec, NULL, NULL);
}

static struct model_shape preset(const char *name, double sequence)
{
    const struct model_spec spec = {.class = -1, .precision = -1, .sequence = figure(sequence)};
    const struct model_preset *p = catalogue_model(shipped, name);
    assert_non_null(p);
    return model_shape_resolve(&spec, p, NULL);
}

static struct model_shape resnet50(void)
{
    return (struct model_shape){.class = MODEL_CNN,
                                .gmac = 4.1,
                                .parameters = 25.6e6,
                                .active_parameters = 25.6e6,
                                .trained_parameters = 25.6e6};
}

static struct speed_setting setting(struct model_shape model, const char *instance, double nodes)
{
    const struct instance_type *t = type(instance);
    bool assumed;
    return (struct speed_setting){
        .roofline = &roofline_fitted,
        .model = model,
        .accelerator = t->accelerator,
        .precision = PRECISION_FP16,
        .unit = model.class == MODEL_LLM ? SPEED_UNIT_TOKEN : SPEED_UNIT_SAMPLE,
        .stack = STACK_TUNED,
        .real_share = 1,
        .accelerators = nodes * t->accelerator_count,
        .tensor = 1,
        .pipeline = 1,
        .compute_factor = 1,
        .speed_factor = 1,
        .links = {.per_node = t->accelerator_count,
                  .inside_bytes_per_s = chip_link_bytes_per_s(t, &assumed),
                  .between_bytes_per_s =
                      interconnect_between(t->network_bytes_per_s, t->accelerator_count, t->efa)},
        .loader_units_per_s = HUGE_VAL};
}

static struct speed_estimate estimate(const struct speed_setting *s)
{
    struct speed_estimate e;
    assert_int_equal(speed_estimate_make(&e, s), SPEED_POSSIBLE);
    return e;
}

/* ---- FLOPs ---- */

static void flops(void **state)
{
    (void)state;
    bool assumed;
    struct model_shape m = llm(6.7e9, 2048);
    assert_relative(m.hidden, 4150, 1e-4, "hidden = (128 P / 12)^(1/3)");
    /* 6 P (1 + s / 6 h) */
    assert_relative(speed_flops_per_unit(&m, SPEED_UNIT_TOKEN, 1, false, &assumed), 4.351e10, 1e-4,
                    "Llama-like 7B, a token");
    assert_false(assumed);
    m = preset("bert-large", 512);
    const double p = m.parameters;
    assert_relative(speed_flops_per_unit(&m, SPEED_UNIT_SAMPLE, 0.65, false, &assumed),
                    0.65 * (6 * p * 512 + 12.0 * 24 * 1024 * 512 * 512), 1e-12, "BERT, a sequence");
    m = resnet50();
    assert_relative(speed_flops_per_unit(&m, SPEED_UNIT_SAMPLE, 1, false, &assumed), 24.6e9, 1e-12,
                    "ResNet-50, an image");
    /* Llama-4 Scout: 17B of 109B take part. */
    const struct model_spec moe = {.class = MODEL_LLM,
                                   .parameters = figure(109e9),
                                   .active_parameters = figure(17e9),
                                   .precision = -1};
    m = model_shape_resolve(&moe, NULL, NULL);
    assert_relative(speed_flops_per_unit(&m, SPEED_UNIT_TOKEN, 1, true, &assumed), 6 * 17e9, 1e-12,
                    "experts, without attention");
}

static void frozen_weights_save_their_gradients(void **state)
{
    (void)state;
    assert_relative(flops_of_weights(7e9, 7e9, 7e9), 6 * 7e9, 1e-15, "all trained");
    assert_relative(flops_of_weights(7e9, 7e9, 20e6), 4 * (7e9 - 20e6) + 6 * 20e6, 1e-12,
                    "LoRA: 4 frozen, 6 trained");
    assert_relative(flops_of_weights(17e9, 109e9, 109e6), 17e9 * (4 + 2 * 0.001), 1e-12,
                    "experts: the trained share of the active ones");
}

/* ---- the roofline ---- */

/* TFLOP/s an accelerator reaches in 16 bits on a tuned stack. */
struct rate_row {
    const char *instance;
    double llm, encoder, images;
};
static const struct rate_row rates[] = {
    {"p3.2xlarge", 74, 60, 1493},      {"g4dn.xlarge", 33, 26, 592},
    {"g5.xlarge", 44, 36, 937},        {"g6.xlarge", 43, 31, 633},
    {"g6e.xlarge", 126, 90, 1834},     {"p4d.24xlarge", 160, 124, 2868},
    {"p4de.24xlarge", 178, 143, 3488}, {"p5.48xlarge", 421, 311, 6720},
    {"p5e.48xlarge", 500, 387, 8913},  {"p6-b200.48xlarge", 962, 713, 15417},
};

static void rates_of_accelerators(void **state)
{
    const struct rate_row *row = *state;
    const double devices = type(row->instance)->accelerator_count;
    struct speed_setting s = setting(llm(6.7e9, 2048), row->instance, 1);
    struct speed_estimate e = estimate(&s);
    assert_near(e.flops_per_unit * e.step.units_per_s / devices / 1e12, row->llm, 0.5, "llm");
    s = setting(preset("bert-large", 512), row->instance, 1);
    e = estimate(&s);
    assert_near(e.flops_per_unit * e.step.units_per_s / devices / 1e12, row->encoder, 0.5,
                "encoder");
    s = setting(resnet50(), row->instance, 1);
    e = estimate(&s);
    assert_near(e.step.units_per_s / devices, row->images, 1, "images/s");
}

static void worked_example(void **state)
{
    (void)state;
    struct speed_setting s = setting(llm(6.7e9, 2048), "p4d.24xlarge", 4);
    const struct speed_estimate e = estimate(&s);
    /* MosaicML's llm-foundry published 3,623 to 3,725 on this accelerator. */
    assert_near(e.step.units_per_s / 32, 3670, 1, "tokens/s each");
    assert_near(20e9 / e.step.units_per_s / 3600, 47.3, 0.05, "hours");
    assert_near(32 * 20e9 / e.step.units_per_s / 3600, 1514, 1, "GPU-hours");
    const double band = exp(1.6448536 * e.sigma);
    assert_near(band, 1.24, 0.005, "90 % band");
    assert_near(47.3 / band, 38.1, 0.1, "P5");
    assert_near(47.3 * band, 58.6, 0.15, "P95");
    assert_int_equal(e.step.bound, STEP_COMPUTE);
    assert_near(e.mfu, 0.51, 0.005, "mfu");
}

static void stacks_and_formats(void **state)
{
    (void)state;
    struct speed_setting s = setting(llm(6.7e9, 2048), "p4d.24xlarge", 1);
    const double tuned = estimate(&s).step.units_per_s;
    s.stack = STACK_PLAIN;
    assert_relative(estimate(&s).step.units_per_s, 0.65 * tuned, 1e-12, "plain");
    s.stack = STACK_UNSTATED;
    struct speed_estimate e = estimate(&s);
    assert_relative(e.step.units_per_s, sqrt(0.65) * tuned, 1e-12, "unstated");
    assert_near(exp(1.6448536 * e.sigma), 1.52, 0.005, "band of an unstated stack");
    s.stack = STACK_TUNED;
    s.accelerator = type("g5.xlarge")->accelerator;
    e = estimate(&s);
    assert_int_equal(e.evidence, CHIP_EXTRAPOLATED);
    assert_near(exp(1.6448536 * e.sigma), 1.39, 0.005, "band without measurements");
    /* MXNet ResNet-50 in FP32 on one V100: 384 images/s (NVIDIA DeepLearningExamples). */
    s = setting(resnet50(), "p3.2xlarge", 1);
    s.precision = PRECISION_FP32;
    e = estimate(&s);
    assert_relative(e.step.units_per_s, 384, 0.02, "FP32");
    assert_near(exp(1.6448536 * e.sigma), 1.58, 0.005, "band of FP32");
}

/* ---- chips ---- */

static void chips(void **state)
{
    (void)state;
    bool assumed;
    assert_int_equal(chip_evidence_of(type("p3.2xlarge")->accelerator), CHIP_MEASURED);
    assert_int_equal(chip_evidence_of(type("g6.xlarge")->accelerator), CHIP_MEASURED);
    assert_int_equal(chip_evidence_of(type("g6e.xlarge")->accelerator), CHIP_EXTRAPOLATED);
    assert_int_equal(chip_evidence_of(type("trn1.2xlarge")->accelerator), CHIP_FOREIGN);
    assert_int_equal(chip_evidence_of(type("g4ad.xlarge")->accelerator), CHIP_FOREIGN);
    assert_relative(chip_peak_flops(type("p2.xlarge")->accelerator, PRECISION_FP32), 2.8e12, 0.002,
                    "K80 at its base clock");
    assert_relative(chip_link_bytes_per_s(type("p4d.24xlarge"), &assumed), 300e9, 1e-12, "NVLink");
    assert_false(assumed);
    assert_relative(chip_link_bytes_per_s(type("p2.8xlarge"), &assumed), 1.5e9, 1e-12, "old PCIe");
    assert_true(assumed);
    assert_relative(chip_link_bytes_per_s(type("g5.48xlarge"), &assumed), 12e9, 1e-12, "PCIe");
    /* Shares of the instance's network: 0.39, 1.6, 6.25, 50 GB/s. */
    assert_relative(interconnect_between(25e9 / 8, 8, 0), 0.39e9, 0.01, "p3.16xlarge");
    assert_relative(interconnect_between(400e9 / 8, 8, 1), 6.25e9, 1e-12, "p4d.24xlarge");
    assert_relative(interconnect_between(400e9 / 8, 8, 0), 1.5625e9, 1e-12, "without EFA");
}

struct refusal_row {
    const char *name, *instance;
    enum precision precision;
    enum model_class class;
    double batch, tensor;
    enum speed_refusal refusal;
};
static const struct refusal_row refusals[] = {
    {"no BF16 on a V100", "p3.2xlarge", PRECISION_BF16, MODEL_LLM, 0, 1, SPEED_NO_PRECISION},
    {"no TF32 on a V100", "p3.2xlarge", PRECISION_TF32, MODEL_LLM, 0, 1, SPEED_NO_PRECISION},
    {"no FP16 on a K80", "p2.xlarge", PRECISION_FP16, MODEL_LLM, 0, 1, SPEED_NO_PRECISION},
    {"no FP16 on an M60", "g3.4xlarge", PRECISION_FP16, MODEL_LLM, 0, 1, SPEED_NO_PRECISION},
    {"no FP8 on an A100", "p4d.24xlarge", PRECISION_FP8, MODEL_LLM, 0, 1, SPEED_NO_PRECISION},
    {"INT8 was never measured", "p4d.24xlarge", PRECISION_INT8, MODEL_LLM, 0, 1,
     SPEED_UNMEASURED_PRECISION},
    {"Trainium", "trn1.32xlarge", PRECISION_BF16, MODEL_LLM, 0, 1, SPEED_NO_CHIP},
    {"another class", "p4d.24xlarge", PRECISION_BF16, MODEL_OTHER, 0, 1, SPEED_NO_CLASS},
    {"fewer samples than ways", "p4d.24xlarge", PRECISION_BF16, MODEL_LLM, 4, 1,
     SPEED_BATCH_TOO_SMALL},
    {"tensor ways make up for it", "p4d.24xlarge", PRECISION_BF16, MODEL_LLM, 4, 2, SPEED_POSSIBLE},
    {"ways that do not divide", "p4d.24xlarge", PRECISION_BF16, MODEL_LLM, 64, 3, SPEED_UNDIVIDED},
};

static void refusal(void **state)
{
    const struct refusal_row *row = *state;
    struct speed_setting s = setting(llm(6.7e9, 2048), row->instance, 1);
    struct speed_estimate e;
    s.precision = row->precision;
    s.model.class = row->class;
    s.batch = row->batch;
    s.tensor = row->tensor;
    assert_int_equal(speed_estimate_make(&e, &s), row->refusal);
}

/* ---- exchange ---- */

/* 8 V100 on 8 hosts over 10 Gbit/s: +308 ms for 55 M parameters and +134 ms for 24 M at FP32
 * (Gavel's Transformer and LSTM: +309 and +132 ms, their sizes not published). */
static void ring_over_a_slow_network(void **state)
{
    (void)state;
    const struct interconnect c = {
        .per_node = 1, .inside_bytes_per_s = 1, .between_bytes_per_s = 10e9 / 8};
    struct exchange e = {
        .gradient_bytes = 4 * 55e6, .tensor = 1, .pipeline = 1, .data = 8, .zero = 0};
    assert_near(interconnect_gradients_s(&c, &e), 0.308, 0.0005, "55 M");
    e.gradient_bytes = 4 * 24e6;
    assert_near(interconnect_gradients_s(&c, &e), 0.134, 0.0005, "24 M");
    e.zero = 3;
    e.weight_bytes = e.gradient_bytes;
    assert_near(interconnect_gradients_s(&c, &e), 1.5 * 0.1344, 1e-6, "ZeRO 3");
    e.gradient_bytes = 0;
    assert_near(interconnect_gradients_s(&c, &e), 0.1344, 1e-6, "ZeRO 3 with frozen weights");
}

/* Sixteen ways over two nodes of eight, 300 GB/s inside and 6.25 between: of what each sends, 7/16
 * stay in its node and 8/16 leave it. */
static void exchange_of_experts_and_stages(void **state)
{
    (void)state;
    const struct interconnect c = {
        .per_node = 8, .inside_bytes_per_s = 300e9, .between_bytes_per_s = 6.25e9};
    struct exchange e = {.tensor = 1,
                         .pipeline = 1,
                         .data = 16,
                         .expert = 16,
                         .gradient_bytes = 10e9,
                         .expert_gradient_bytes = 8e9,
                         .token_bytes = 1e9,
                         .expert_layers = 3};
    assert_relative(interconnect_experts_s(&c, &e), 4 * 3 * (7 / 16.0 / 300 + 8 / 16.0 / 6.25),
                    1e-12, "four all-to-alls of 1 GB in each of 3 layers");
    /* Shared: 2 GB in both nodes; each expert is in one place only. */
    const double shared_s = 2 * 7 / 8.0 * 2 / 300 + 2 * 1 / 2.0 * (2 / 8.0) / 6.25;
    assert_relative(interconnect_gradients_s(&c, &e), shared_s, 1e-12, "gradients");
    e.expert = 8; /* the experts of one node are those of the other: 1 GB of each way */
    assert_relative(interconnect_experts_s(&c, &e), 4 * 3 * 7 / 8.0 / 300, 1e-12, "in the node");
    assert_relative(interconnect_gradients_s(&c, &e), shared_s + 2 * 1 / 2.0 * 1 / 6.25, 1e-12,
                    "gradients of experts between nodes");
    e.expert = 1;
    assert_near(interconnect_experts_s(&c, &e), 0, 0, "each has all of them");

    const struct exchange stages = {.tensor = 8, .pipeline = 2, .data = 1, .stage_bytes = 1e9};
    assert_relative(interconnect_stages_s(&c, &stages), 2 / 6.25, 1e-12, "to and fro, by network");
    const struct exchange near = {.tensor = 2, .pipeline = 4, .data = 2, .stage_bytes = 1e9};
    assert_relative(interconnect_stages_s(&c, &near), 2 / 300.0, 1e-12, "in the node");
}

static void exchange_in_and_between_nodes(void **state)
{
    (void)state;
    const struct interconnect c = {
        .per_node = 8, .inside_bytes_per_s = 300e9, .between_bytes_per_s = 6.25e9};
    struct exchange e = {.gradient_bytes = 14e9, .tensor = 1, .pipeline = 1, .data = 32};
    assert_relative(interconnect_gradients_s(&c, &e),
                    2 * 7.0 / 8 * 14e9 / 300e9 + 2 * 3.0 / 4 * (14e9 / 8) / 6.25e9, 1e-12,
                    "2 (n-1)/n P g / B_in + 2 (m-1)/m (P g / n) / B_out");
    /* Eight tensor ways fill a node: an eighth of the gradients, all of it between nodes. */
    e.tensor = 8;
    e.data = 4;
    assert_relative(interconnect_gradients_s(&c, &e), 2 * 3.0 / 4 * (14e9 / 8) / 6.25e9, 1e-12,
                    "tensor-parallel nodes");
    e.activation_bytes = 1e9;
    assert_relative(interconnect_activations_s(&c, &e), 4 * 2 * 7.0 / 8 * 1e9 / 300e9, 1e-12,
                    "four all-reduces a layer");
    e.tensor = 1;
    assert_near(interconnect_activations_s(&c, &e), 0, 0, "one way exchanges nothing");
}

static void a_slow_network_binds_small_batches(void **state)
{
    (void)state;
    struct speed_setting s = setting(llm(6.7e9, 2048), "g5.12xlarge", 8);
    s.batch = 32;
    const struct speed_estimate small = estimate(&s);
    assert_int_equal(small.step.bound, STEP_EXCHANGE);
    const double least = step_units_that_hide(&small.question) / small.units_per_sample;
    s.batch = ceil(least) + 1;
    const struct speed_estimate large = estimate(&s);
    assert_near(large.step.exchange_s - large.step.hidden_s, 0, 0, "hidden from there on");
    s.batch = floor(least) - 1;
    const struct speed_estimate less = estimate(&s);
    assert_true(less.step.exchange_s > less.step.hidden_s);
    s.batch = 0;
    const struct speed_estimate unknown = estimate(&s);
    assert_true(unknown.step.units_per_s > small.step.units_per_s);
}

/* Strong scaling: the batch stays, its share shrinks, the delay of a step does not. */
static void short_steps(void **state)
{
    (void)state;
    struct speed_setting s = setting(resnet50(), "p4d.24xlarge", 96);
    s.batch = 34560;
    struct speed_estimate e = estimate(&s);
    assert_near(e.step.delay_s, 1.2e-3 * log2(768), 1e-12, "tau log2 N");
    const double portion_s = 45 * e.bias * (e.question.compute_s + e.question.traffic_s);
    assert_near(portion_s, 15.7e-3, 1e-4, "45 images, as the roofline has them");
    assert_near(e.bias, portion_s / 20e-3, 1e-12, "no longer than the shortest that is not short");
    assert_near(exp(1.6448536 * e.sigma), 1.78, 0.005, "band of short steps");
    s.batch /= 2;
    e = estimate(&s);
    assert_near(e.bias, 0.75, 0, "22.5 images take 8 ms");
    s.batch *= 8;
    e = estimate(&s);
    assert_near(e.bias, 1, 0, "180 images take 63 ms");
    /* More memory bandwidth, all else equal, makes nothing slower: at any batch. */
    for (int batch = 64; batch <= 8192; batch += 64) {
        struct speed_setting slow = setting(resnet50(), "p5.48xlarge", 2);
        struct speed_setting fast = setting(resnet50(), "p5en.48xlarge", 2);
        slow.batch = fast.batch = batch;
        assert_true(estimate(&fast).step.units_per_s >= estimate(&slow).step.units_per_s);
    }
}

static void pipeline_bubble(void **state)
{
    (void)state;
    struct speed_setting s = setting(llm(175e9, 2048), "p4de.24xlarge", 8);
    s.tensor = 8;
    s.pipeline = 8;
    s.batch = 64;
    s.micro_batch = 1;
    const struct speed_estimate e = estimate(&s);
    assert_near(e.data_ways, 1, 0, "one replica");
    assert_relative(e.step.bubble_s, (e.step.compute_s + e.step.traffic_s) * 7 / 64, 1e-12,
                    "(p - 1) / m");
}

static void loader(void **state)
{
    (void)state;
    struct speed_setting s = setting(resnet50(), "p3.16xlarge", 1);
    s.loader_units_per_s = 1150;
    const struct speed_estimate e = estimate(&s);
    assert_near(e.step.units_per_s, 1150, 0, "images/s");
    assert_int_equal(e.step.bound, STEP_LOADER);
    s.speed_factor = 4;
    const struct speed_estimate faster = estimate(&s);
    assert_near(faster.step.units_per_s, 1150, 0, "nor a stated factor");
    s.loader_units_per_s = HUGE_VAL;
    assert_relative(estimate(&s).step.units_per_s, 4 * e.step.own_units_per_s, 1e-12, "factor");
    assert_near(speed_units_per_s(&e, 2), 1150, 0, "no luck makes it faster");
    assert_relative(speed_units_per_s(&e, 0.05), 0.05 * e.step.own_units_per_s, 1e-12, "bad luck");
}

static void stated_mfu(void **state)
{
    (void)state;
    struct speed_setting s = setting(llm(7e9, 0), "trn1.32xlarge", 4);
    s.precision = PRECISION_BF16;
    s.mfu = 0.4;
    const struct speed_estimate e = estimate(&s);
    assert_relative(e.step.units_per_s, 64 * 190e12 * 0.4 / (6 * 7e9), 1e-12, "any accelerator");
    assert_near(e.sigma, 0, 0, "no error of its own");
    assert_relative(e.mfu, 0.4, 1e-12, "mfu");
}

/* ---- errors ---- */

static void errors_are_correlated(void **state)
{
    (void)state;
    const double sigma = 0.13;
    assert_relative(speed_error_factor(sigma, 0, 0), 1, 1e-15, "median");
    const double both = log(speed_error_factor(sigma, 1, 0)),
                 own = log(speed_error_factor(sigma, 0, 1));
    assert_relative(both * both + own * own, sigma * sigma, 1e-12, "variance");
    assert_relative(both * both / (sigma * sigma), 0.7, 1e-12, "correlation of two kinds");
}

int main(void)
{
    struct CMUnitTest tests[64] = {
        cmocka_unit_test(flops),
        cmocka_unit_test(frozen_weights_save_their_gradients),
        cmocka_unit_test(worked_example),
        cmocka_unit_test(stacks_and_formats),
        cmocka_unit_test(chips),
        cmocka_unit_test(ring_over_a_slow_network),
        cmocka_unit_test(exchange_in_and_between_nodes),
        cmocka_unit_test(exchange_of_experts_and_stages),
        cmocka_unit_test(a_slow_network_binds_small_batches),
        cmocka_unit_test(short_steps),
        cmocka_unit_test(pipeline_bubble),
        cmocka_unit_test(loader),
        cmocka_unit_test(stated_mfu),
        cmocka_unit_test(errors_are_correlated),
    };
    size_t n = 13;
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        tests[n++] = (struct CMUnitTest){.name = rates[i].instance,
                                         .test_func = rates_of_accelerators,
                                         .initial_state = (void *)&rates[i]};
    }
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        tests[n++] = (struct CMUnitTest){
            .name = refusals[i].name, .test_func = refusal, .initial_state = (void *)&refusals[i]};
    }
    return _cmocka_run_group_tests("speed_estimate", tests, n, load, unload);
}
