/* SPDX-License-Identifier: GPL-3.0-or-later
 * Estimated speeds through the scenario reader: the keys that a user writes, the worked example,
 * what is refused and in which words, what is listed under "assumed", and whose luck the error is.
 */
#include "models/training/training_work.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD  "version: 1\nstart: 2026-01-05\nhorizon: 90d\nregion: us-east-1\nreplications: 1\n"
#define SEVEN "model: {parameters: 6.7B, sequence: 2048, precision: bf16}"
#define WORDS 4096

static struct study *study_of(const char *job, const char *strategies)
{
    char text[WORDS];
    snprintf(text, sizeof text, HEAD "workloads: {w: {kind: training, %s}}\nstrategies: {%s}\n",
             job, strategies);
    return study_from_text(text, NULL);
}

static const struct training_plan *plan_of(const struct study *s, size_t strategy)
{
    return training_plan_of(s->strategies[strategy].plans[0]);
}

static const struct assumption *assumption(const struct study *s, const char *what)
{
    for (size_t i = 0; i < s->assumptions.count; i++) {
        if (strcmp(s->assumptions.items[i].what, what) == 0) {
            return &s->assumptions.items[i];
        }
    }
    return NULL;
}

/* ---- speeds ---- */

struct speed_row {
    const char *name, *job, *strategy;
    enum speed_basis basis;
    double hours, tolerance;
};

#define P4D(nodes) "s: {instance: p4d.24xlarge, nodes: " #nodes ", buy: on-demand}"
#define P3         "s: {instance: p3.16xlarge, nodes: 1, buy: on-demand}"
#define TRN1       "s: {instance: trn1.32xlarge, nodes: 4, buy: on-demand}"

static const struct speed_row speeds[] = {
    /* 3,670 tokens/s on each of 32: 47.3 h. */
    {"a language model of 7B", "tokens: 20B, stack: tuned, " SEVEN, P4D(4), SPEED_ROOFLINE, 47.3,
     1e-3},
    {"in sequences", "samples: 9765625, stack: tuned, " SEVEN, P4D(4), SPEED_ROOFLINE, 47.3, 1e-3},
    {"twice as fast by what is stated", "tokens: 20B, stack: tuned, speed_factor: 2, " SEVEN,
     P4D(4), SPEED_ROOFLINE, 47.3 / 2, 1e-3},
    {"recomputation as stated",
     "tokens: 20B, stack: tuned, parallel: {recompute: full, recompute_time: 1.3}, " SEVEN, P4D(4),
     SPEED_ROOFLINE, 47.3 * 1.3, 1e-3},
    {"scaling as stated", "tokens: 20B, stack: tuned, scaling: 80 %, " SEVEN, P4D(4),
     SPEED_ROOFLINE, 47.3 / 0.8, 1e-3},
    /* 1,493 images/s on each of 8. */
    {"ResNet-50 on V100",
     "samples: 1281167, epochs: 90, stack: tuned, model: {gmac: 4.1, "
     "parameters: 25.6M, precision: fp16}",
     P3, SPEED_ROOFLINE, 1281167 * 90 / (8 * 1493.0) / 3600, 1e-3},
    {"a loader of 1150 images/s",
     "samples: 1281167, epochs: 90, stack: tuned, loader: 1150/s, model: {gmac: 4.1, parameters: "
     "25.6M, precision: fp16}",
     P3, SPEED_ROOFLINE, 1281167 * 90 / 1150.0 / 3600, 1e-9},
    {"64 vCPUs that decode 20 a second",
     "samples: 1281167, epochs: 90, stack: tuned, loader: {decode: cpu}, model: {gmac: 4.1, "
     "parameters: 25.6M, precision: fp16}",
     P3, SPEED_ROOFLINE, 1281167 * 90 / 1280.0 / 3600, 1e-9},
    {"storage of 100 MB/s for samples of 110 kB",
     "samples: 1281167, epochs: 90, stack: tuned, loader: {storage: 110 MB/s, sample_size: 110 "
     "kB}, "
     "model: {gmac: 4.1, parameters: 25.6M, precision: fp16}",
     P3, SPEED_ROOFLINE, 1281167 * 90 / 1000.0 / 3600, 1e-9},
    {"hours of an accelerator", "gpu_hours: {A100-40GB: 1514, H100: 700}", P4D(4), SPEED_GPU_HOURS,
     1514 / 32.0, 1e-12},
    {"hours on an instance type before those of its accelerator",
     "gpu_hours: {A100-40GB: 1514, p4d.24xlarge: 3200}, scaling: 50 %", P4D(4), SPEED_GPU_HOURS,
     200, 1e-12},
    /* 4 x 16 x 190e12 x 0.4 / (6 x 7e9), whatever the chip. */
    {"a stated mfu on Trainium", "tokens: 20B, mfu: 0.4, model: {parameters: 7B, precision: bf16}",
     TRN1, SPEED_MFU, 20e9 * 6 * 7e9 / (64 * 190e12 * 0.4) / 3600, 1e-9},
    {"a stated mfu with attention",
     "tokens: 20B, mfu: 0.4, model: {parameters: 7B, layers: 32, hidden: 4096, sequence: 2048, "
     "precision: bf16}",
     TRN1, SPEED_MFU, 20e9 * (6 * 7e9 + 12.0 * 32 * 4096 * 2048) / (64 * 190e12 * 0.4) / 3600,
     1e-9},
};

static void speed(void **state)
{
    const struct speed_row *row = *state;
    char job[WORDS / 2];
    snprintf(job, sizeof job, "memory: {check: no}, %s", row->job);
    struct study *s = study_of(job, row->strategy);
    assert_int_equal(plan_of(s, 0)->speed, row->basis);
    assert_relative(training_work_s(plan_of(s, 0), NULL) / 3600, row->hours, row->tolerance,
                    "hours");
    study_free(s);
}

/* Half of the nodes take twice as long where nothing is exchanged visibly. */
static void other_numbers_of_nodes(void **state)
{
    (void)state;
    struct study *s = study_of("tokens: 20B, stack: tuned, " SEVEN, P4D(4));
    const struct training_plan *p = plan_of(s, 0);
    assert_relative(training_work_on_s(p, 2, NULL), 2 * training_work_s(p, NULL), 1e-12, "nodes");
    study_free(s);
}

/* ---- refusals ---- */

struct refusal_row {
    const char *name, *job, *strategy;
    int code;
    const char *says;
};

static const struct refusal_row refusals[] = {
    {"V100 has no bf16", "tokens: 1B, model: {parameters: 100M, precision: bf16}", P3, 4,
     "'p3.16xlarge' (V100-16GB) has no peak for bf16, so no speed can be estimated for 'w'; choose "
     "another precision (it has fp32, fp16) or state a throughput"},
    {"K80 has no tensor cores", "tokens: 1B, model: {parameters: 100M, precision: fp16}",
     "s: {instance: p2.8xlarge, nodes: 1, buy: on-demand}", 4, "(it has fp32)"},
    {"Trainium was not measured", "tokens: 1B, model: {parameters: 100M, precision: bf16}", TRN1, 2,
     "no published measurement supports an estimate for such accelerators; state 'throughput: "
     "{trn1.32xlarge: …/s}', or 'mfu'"},
    {"another class", "samples: 1M, model: {class: other, parameters: 100M, precision: fp16}", P3,
     2, "no speed can be estimated for the model of 'w': no published measurements of its class"},
    {"a format that was not measured", "tokens: 1B, model: {parameters: 100M, precision: int8}",
     P4D(1), 2, "no speed can be estimated for 'w' in int8"},
    {"samples of unknown length", "samples: 1M, model: {parameters: 100M, precision: fp16}", P3, 2,
     "expected 'sequence' in its 'model', or 'tokens'"},
    {"tokens of images", "tokens: 1M, model: {gmac: 4, precision: fp16}", P3, 2,
     "but its model is a convolution net; expected 'samples'"},
    {"more accelerators than samples",
     "tokens: 1B, parallel: {batch: 16}, model: {parameters: 100M, precision: bf16}", P4D(4), 4,
     "32 data-parallel ways of 'w' under strategy 's' are more than the 16 samples of its batch; "
     "take at most 16 accelerators"},
    {"ways that do not divide",
     "tokens: 1B, parallel: {tensor: 3}, model: {parameters: 100M, precision: bf16}", P4D(4), 2,
     "32 accelerators of 'w' under strategy 's' cannot be divided into 3 tensor-parallel times 1"},
    {"more stages than layers",
     "tokens: 1B, parallel: {pipeline: 32}, memory: {check: no}, model: {preset: bert-large, "
     "precision: bf16}",
     P4D(4), 2, "'pipeline: 32' of 'w', but its model has 24 layers; expected at most 24"},
    {"more ways than heads",
     "tokens: 1B, parallel: {tensor: 32}, memory: {check: no}, model: {preset: bert-large, "
     "precision: bf16}",
     P4D(4), 2, "'tensor: 32' of 'w', but its model has 16 heads; expected at most 16"},
    {"a micro-batch above a replica's part of the batch",
     "tokens: 1B, parallel: {batch: 64, micro_batch: 3}, model: {parameters: 100M, precision: "
     "bf16}",
     P4D(4), 2,
     "'micro_batch: 3' of 'w' under strategy 's', but each of 32 data-parallel ways gets 2 "
     "samples of a batch of 64; expected at most so many"},
    {"hours of other accelerators", "gpu_hours: {H100: 700}", P4D(4), 2,
     "the work of 'w' is stated in hours of other accelerators than the A100-40GB of "
     "'p4d.24xlarge'; expected 'gpu_hours: {A100-40GB: …}'"},
    {"an unknown accelerator", "gpu_hours: {A100: 700}", P4D(4), 2,
     "unknown accelerator 'A100' in 'gpu_hours' of 'w'"},
    {"half a storage", "samples: 1M, loader: {storage: 1 GB/s}, model: {gmac: 4, precision: fp16}",
     P3, 2, "'loader' of 'w' needs both 'storage' and 'sample_size'"},
    /* 32 x 312e12 / (6 x 7e9) = 237,714 tokens/s are the peak. */
    {"a measured speed above the peak",
     "tokens: 20B, model: {parameters: 7B, precision: bf16}, memory: {check: no}, "
     "job_throughput: {p4d.24xlarge x 4: 475429/s}",
     P4D(4), 2, "the measured speed of 'w' on 'p4d.24xlarge' means 2 times the peak"},
    {"two kinds of work", "tokens: 1B, gpu_hours: {A100-40GB: 1}", P4D(4), 2,
     "states its work more than once"},
};

static void refusal(void **state)
{
    const struct refusal_row *row = *state;
    char text[WORDS];
    int code = 0;
    snprintf(text, sizeof text, HEAD "workloads: {w: {kind: training, %s}}\nstrategies: {%s}\n",
             row->job, row->strategy);
    char *what = study_errors(text, &code);
    if (strstr(what, row->says) == NULL) {
        fail_msg("expected: %s\ngot: %s", row->says, what);
    }
    assert_int_equal(code, row->code);
    free(what);
}

static void a_doubtful_speed_is_warned_of(void **state)
{
    (void)state;
    struct diagnostics *d = diagnostics_new();
    struct study *s = study_from_text_telling(
        HEAD "workloads: {w: {kind: training, tokens: 20B, mfu: 0.75, memory: {check: no}, model: "
             "{parameters: 7B, precision: bf16}}}\nstrategies: {" P4D(4) "}\n",
        d);
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_WARNING), 1);
    study_free(s);
    diagnostics_free(d);
}

static void a_network_that_nothing_hides_is_warned_of(void **state)
{
    (void)state;
    static const struct {
        const char *parallel;
        size_t warnings;
    } rows[] = {{"", 1}, {"parallel: {batch: 4096}, ", 0}, {"scaling: 60 %, ", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[WORDS];
        struct diagnostics *d = diagnostics_new();
        snprintf(text, sizeof text,
                 HEAD "workloads: {w: {kind: training, tokens: 1B, %smemory: {check: no}, model: "
                      "{parameters: 7B, sequence: 2048, precision: fp16}}}\nstrategies: {s: "
                      "{instance: p3.16xlarge, nodes: 128, buy: on-demand}}\n",
                 rows[i].parallel);
        struct study *s = study_from_text_telling(text, d);
        assert_int_equal(diagnostics_count(d, DIAGNOSTIC_WARNING), rows[i].warnings);
        study_free(s);
        diagnostics_free(d);
    }
}

/* ---- assumptions ---- */

static void what_is_assumed(void **state)
{
    (void)state;
    struct study *s =
        study_of("tokens: 20B, memory: {check: no}, model: {parameters: 7B, precision: bf16}",
                 "s: {instance: g5.48xlarge, nodes: 2, buy: on-demand}");
    const struct assumption *a = assumption(s, "speed of w on 2 x g5.48xlarge");
    assert_non_null(a);
    assert_true(a->extrapolated);
    assert_non_null(strstr(a->value, "no measurement of this accelerator"));
    assert_non_null(assumption(s, "software stack of w"));
    assert_string_equal(assumption(s, "sequence of the model of w")->value, "2048 tokens");
    a = assumption(s, "communication of w on 2 x g5.48xlarge");
    assert_non_null(a);
    assert_non_null(strstr(a->value, "hidden by computing, which takes a batch of at least"));
    study_free(s);
    s = study_of("tokens: 20B, stack: tuned, parallel: {batch: 1024}, memory: {check: no}, " SEVEN,
                 P4D(4));
    assert_null(assumption(s, "software stack of w"));
    assert_null(assumption(s, "sequence of the model of w"));
    assert_false(assumption(s, "speed of w on 4 x p4d.24xlarge")->extrapolated);
    assert_non_null(strstr(assumption(s, "communication of w on 4 x p4d.24xlarge")->value,
                           "300 GB/s inside a node, 6.25 GB/s of network"));
    study_free(s);
    s = study_of(
        "samples: 1M, stack: tuned, loader: 1150/s, memory: {check: no}, model: {gmac: 30, "
        "parameters: 25.6M, precision: fp16}",
        P3);
    a = assumption(s, "speed of w on 1 x p3.16xlarge");
    assert_true(a->extrapolated);
    assert_non_null(strstr(a->value, "outside the range of models and jobs"));
    assert_non_null(strstr(a->value, "the bottleneck is the input pipeline, without which 1633"));
    study_free(s);
}

/* ---- whose luck it is ---- */

enum { WORLDS = 2000 };

/* ln of the time in each world over the planned one. */
static void times(const struct study *s, size_t strategy, double out[WORLDS])
{
    const struct training_plan *p = plan_of(s, strategy);
    const struct inputs *in = s->scenario->inputs;
    double *drawn = malloc(inputs_count(in) * sizeof *drawn);
    assert_non_null(drawn);
    for (uint32_t k = 0; k < WORLDS; k++) {
        inputs_draw(in, (struct random_world){.seed = 1, .replication = k}, drawn);
        out[k] = log(training_work_s(p, drawn) / training_work_s(p, NULL));
    }
    free(drawn);
}

static double moment(const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < WORLDS; k++) {
        sum += a[k] * b[k] / WORLDS;
    }
    return sum;
}

static void one_error_for_all_strategies(void **state)
{
    (void)state;
    static double four[WORLDS], eight[WORLDS], h100[WORLDS], alone[WORLDS];
    const char *job = "tokens: 20B, stack: tuned, memory: {check: no}, " SEVEN;
    struct study *s = study_of(job, "a: {instance: p4d.24xlarge, nodes: 4, buy: on-demand}, "
                                    "b: {instance: p4d.24xlarge, nodes: 8, buy: spot}, "
                                    "c: {instance: p5.48xlarge, nodes: 2, buy: on-demand}");
    times(s, 0, four);
    times(s, 1, eight);
    times(s, 2, h100);
    for (int k = 0; k < WORLDS; k++) {
        assert_near(eight[k], four[k], 1e-12, "the same accelerator, the same luck");
    }
    /* Standard error of a variance: sigma^2 sqrt(2 / n) = 3.2 %; four of them. */
    assert_relative(moment(four, four), 0.13 * 0.13, 4 * sqrt(2.0 / WORLDS), "sigma^2 of A100");
    assert_relative(moment(h100, h100), 0.13 * 0.13, 4 * sqrt(2.0 / WORLDS), "sigma^2 of H100");
    const double r = moment(four, h100) / sqrt(moment(four, four) * moment(h100, h100));
    assert_near(r, 0.7, 4 * (1 - 0.49) / sqrt(WORLDS), "correlation of the two");
    assert_true(inputs_find(s->scenario->inputs, "workloads.w.speed.score") >= 0);
    assert_true(inputs_find(s->scenario->inputs, "workloads.w.speed.A100-40GB.score") >= 0);
    study_free(s);
    /* Another strategy beside it changes nothing. */
    s = study_of(job, "c: {instance: p5.48xlarge, nodes: 2, buy: on-demand}");
    times(s, 0, alone);
    for (int k = 0; k < WORLDS; k++) {
        assert_near(alone[k], h100[k], 0, "alone or among others");
    }
    study_free(s);
}

static void stated_speeds_have_no_error(void **state)
{
    (void)state;
    struct study *s = study_of("tokens: 20B, mfu: 0.4, memory: {check: no}, " SEVEN, P4D(4));
    assert_int_equal(inputs_count(s->scenario->inputs), 0);
    study_free(s);
    s = study_of("tokens: 20B, throughput: {p4d.24xlarge: 29000/s}, memory: {check: no}, " SEVEN,
                 P4D(4));
    assert_int_equal(inputs_count(s->scenario->inputs), 0);
    study_free(s);
}

int main(void)
{
    struct CMUnitTest tests[64] = {
        cmocka_unit_test(other_numbers_of_nodes),
        cmocka_unit_test(a_doubtful_speed_is_warned_of),
        cmocka_unit_test(a_network_that_nothing_hides_is_warned_of),
        cmocka_unit_test(what_is_assumed),
        cmocka_unit_test(one_error_for_all_strategies),
        cmocka_unit_test(stated_speeds_have_no_error),
    };
    size_t n = 6;
    for (size_t i = 0; i < sizeof speeds / sizeof speeds[0]; i++) {
        tests[n++] = (struct CMUnitTest){
            .name = speeds[i].name, .test_func = speed, .initial_state = (void *)&speeds[i]};
    }
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        tests[n++] = (struct CMUnitTest){
            .name = refusals[i].name, .test_func = refusal, .initial_state = (void *)&refusals[i]};
    }
    return _cmocka_run_group_tests("training_estimate", tests, n, NULL, NULL);
}
