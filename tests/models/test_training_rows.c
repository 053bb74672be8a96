/* SPDX-License-Identifier: GPL-3.0-or-later
 * The reader of published training speeds and the fit of the roofline, which `make validate` stands
 * on: amounts in words, rows as questions, reasons where an input is missing, and numbers found
 * again from rows that were made with others. */
#include "tests/support/roofline_fit.h"
#include "tests/support/testing.h"
#include "tests/support/worded_amounts.h"

#include <math.h>
#include <stdio.h>
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

static void amounts(void **state)
{
    (void)state;
    bool scaled;
    assert_relative(amount_at("~300B (600k iters x 491520)", &scaled), 300e9, 1e-15, "at");
    assert_true(scaled);
    assert_relative(amount_at("1.0T", &scaled), 1e12, 1e-15, "trillions");
    assert_relative(amount_at("40Bytes", &scaled), 40, 1e-15, "a word that goes on is no scale");
    assert_false(scaled);
    assert_relative(amount_after("mbs 8 bs64", "bs"), 64, 1e-15, "the word begins so");
    assert_relative(amount_after("ok_runs=10 gb=768", "gb"), 768, 1e-15, "after =");
    assert_relative(amount_before("ImageNet 43 epochs", "epochs"), 43, 1e-15, "before");
    assert_relative(amount_before("(~2.40M seqs of 512)", "seqs"), 2.4e6, 1e-15, "in parentheses");
    assert_relative(amount_of_steps("600k iters x 491520"), 600e3 * 491520, 1e-15, "steps");
    assert_relative(amount_largest("17B act/109B"), 109e9, 1e-15, "largest");
    assert_near(seconds_of_unit("days ideal"), 86400, 0, "days");
    assert_near(seconds_of_unit("s/iteration"), 1, 0, "seconds");
    assert_near(seconds_of_unit("seq/s"), 0, 0, "no time");
    assert_near(seconds_of_unit("ms/step"), 1e-3, 0, "milliseconds");
}

/* Columns: model, params, data, GPU, count, precision, metric, value, unit, source. */
static const char *read_line(struct training_row *row, const char *model, const char *params,
                             const char *data, const char *gpu, const char *count,
                             const char *precision, const char *metric, const char *value,
                             const char *unit, const char *source)
{
    char text[1024];
    const char *reason = "no line";
    struct diagnostics *d = diagnostics_new();
    const int length = snprintf(
        text, sizeof text,
        "id,kind,model,params,data,gpu_model,gpu_count,aws_equiv,precision,metric,value,unit,"
        "spread,source,notes\nA,x,%s,%s,\"%s\",%s,%s,,%s,%s,%s,\"%s\",,%s,\n",
        model, params, data, gpu, count, precision, metric, value, unit, source);
    struct csv_reader *r = csv_open_text(text, (size_t)length, "rows", training_columns, d);
    assert_non_null(r);
    if (csv_next(r) == 1) {
        reason = training_row_read(row, r, shipped);
    }
    csv_close(r);
    diagnostics_free(d);
    return reason;
}

static void rows_as_questions(void **state)
{
    (void)state;
    struct training_row r;
    assert_null(read_line(&r, "MPT 7b", "6658859008", "seq 2048 gbs 48 mbs 6", "A100-SXM4-40GB",
                          "8", "bf16", "throughput", "3679", "tokens/s/GPU", "llm-foundry"));
    assert_near(r.units_per_s, 8 * 3679, 1e-9, "tokens/s of the job");
    assert_near(r.setting.batch, 48, 0, "global batch");
    assert_int_equal(r.setting.stack, STACK_TUNED);
    assert_string_equal(r.chip.name, "A100-40GB");
    assert_true(r.wanted);
    assert_null(read_line(&r, "GPT 18.4B", "18.4B", "seq 2048 gbs 1024", "A100-SXM4-80GB", "256",
                          "fp16", "throughput", "135", "TFLOP/s/GPU (hardware, incl. recompute)",
                          "Megatron-LM"));
    assert_int_equal(r.setting.stack, STACK_PLAIN);
    assert_null(read_line(&r, "LLaMA-7B", "6.7B", "1.0T", "A100-80GB", "", "bf16", "gpu_hours",
                          "82432", "GPU-hours", "paper"));
    assert_relative(r.units_per_s, 1e12 / (82432 * 3600.0), 1e-12, "tokens per GPU-second");
    assert_true(r.setting.campaign);
    assert_null(read_line(&r, "ResNet-50 v1.5", "25.6M", "ImageNet 224px", "V100-SXM2-16GB", "8",
                          "mixed", "train_throughput", "10723", "img/s", "MxNet"));
    assert_int_equal(r.setting.model.class, MODEL_CNN);
    assert_null(read_line(&r, "BERT-large pretrain", "336M", "seq 512", "V100-SXM2-32GB", "8",
                          "FP32", "train_throughput", "149.6", "seq/s", "x"));
    assert_near(r.setting.real_share, 0.65, 0, "padding left out in part");
    assert_near(r.setting.model.layers, 24, 0, "of the published model");
    assert_int_equal(r.setting.stack, STACK_UNSTATED);
}

static void reasons(void **state)
{
    (void)state;
    struct training_row r;
    assert_non_null(strstr(read_line(&r, "LSTM LM bs80", "", "", "V100", "8", "fp32", "throughput",
                                     "231", "steps/s", "x"),
                           "no FLOPs per sample"));
    assert_true(r.wanted);
    assert_non_null(strstr(read_line(&r, "GPT 22B", "22B", "", "A100-SXM4-80GB", "8", "fp16",
                                     "iteration_time", "1.1", "seconds", "x"),
                           "the work of an iteration is not stated"));
    assert_non_null(strstr(read_line(&r, "GPT", "7B", "1T", "A100-40GB / MI250X", "8", "bf16",
                                     "gpu_hours", "1", "GPU-hours", "x"),
                           "two kinds"));
    assert_non_null(strstr(
        read_line(&r, "GPT", "7B", "1T", "A100", "8", "bf16", "gpu_hours", "9e9", "GPU-hours", "x"),
        "several memories"));
    assert_non_null(strstr(read_line(&r, "GPT", "7B", "1T", "A100-80GB", "8", "bf16", "gpu_hours",
                                     "1000", "GPU-hours", "x"),
                           "above the accelerators' peak"));
    assert_non_null(strstr(read_line(&r, "Resnet50", "25.6M", "CIFAR-10 to 94%", "V100", "8",
                                     "fp16", "time_to_accuracy", "1", "hours", "x"),
                           "images of another size"));
}

/* Rows made with other numbers, and no noise: the fit finds them. */
static void the_fit_finds_the_numbers(void **state)
{
    (void)state;
    static struct training_row rows[64];
    static const char *const chips[] = {"V100-32GB", "A100-40GB", "A100-80GB", "H100-80GB"};
    struct roofline truth = roofline_fitted, found = roofline_fitted;
    struct speed_estimate e;
    size_t n = 0;
    truth.bytes_per_kiloflop[ROOFLINE_LLM] = 5;
    truth.bytes_per_kiloflop[ROOFLINE_ENCODER] = 6;
    truth.bytes_per_kiloflop[ROOFLINE_CNN] = 20;
    truth.plain = 0.5;
    truth.campaign = 0.9;
    truth.step_delay_s = 2e-3;
    for (size_t c = 0; c < 4; c++) {
        const char *const sources[] = {"llm-foundry", "bigscience"};
        for (size_t k = 0; k < 2; k++) {
            assert_null(read_line(&rows[n++], "GPT", "7B", "seq 2048", chips[c], "8", "fp16",
                                  "throughput", "1", "tokens/s", sources[k]));
        }
        assert_null(read_line(&rows[n++], "GPT", "7B", "1T", chips[c], "8", "fp16", "gpu_hours",
                              "9e9", "GPU-hours", "card"));
        assert_null(read_line(&rows[n++], "BERT-large", "336M", "seq 128", chips[c], "8", "fp16",
                              "throughput", "1", "seq/s", "llm-foundry"));
        assert_null(read_line(&rows[n++], "ResNet-50", "25.6M", "ImageNet", chips[c], "1", "fp16",
                              "throughput", "1", "img/s", "mxnet"));
        assert_null(read_line(&rows[n++], "ResNet-50", "25.6M", "ImageNet gbs 16384", chips[c],
                              "64", "fp16", "throughput", "1", "img/s", "mxnet"));
    }
    for (size_t i = 0; i < n; i++) {
        rows[i].units_per_s *= exp(training_row_error(&rows[i], &truth, &e));
    }
    double wanted[FIT_NUMBERS], got[FIT_NUMBERS], se[FIT_NUMBERS];
    roofline_fit(&found, rows, n, NULL, se);
    roofline_fit_values(&truth, wanted);
    roofline_fit_values(&found, got);
    for (int i = 0; i < FIT_NUMBERS; i++) {
        assert_relative(got[i], wanted[i], 0.05, roofline_fit_names[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(amounts),
        cmocka_unit_test(rows_as_questions),
        cmocka_unit_test(reasons),
        cmocka_unit_test(the_fit_finds_the_numbers),
    };
    return cmocka_run_group_tests_name("training_rows", tests, load, unload);
}
