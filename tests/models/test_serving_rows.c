/* SPDX-License-Identifier: GPL-3.0-or-later
 * The reader of published serving speeds, their prediction and the fits, which `make validate`
 * stands on: rows as questions by their words, reasons where an input is missing, and numbers found
 * again from rows that were made with others. */
#include "engine/gsl_errors.h"
#include "tests/support/latency_law.h"
#include "tests/support/serving_prediction.h"
#include "tests/support/testing.h"

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

/* fields: model, GPU, count, precision, scenario, batch, input, output, metric, value, unit,
 * mean_ms, source, notes. */
static const char *read_line(struct serving_row *row, const char *const fields[14])
{
    char text[2048] = "";
    const char *reason = "no line";
    struct diagnostics *d = diagnostics_new();
    for (size_t i = 0; serving_columns[i] != NULL; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i > 0 ? "," : "",
                 serving_columns[i]);
    }
    snprintf(text + strlen(text), sizeof text - strlen(text),
             "\nR1,kind,%s,,%s,%s,,%s,%s,%s,%s,%s,%s,%s,%s,,%s,%s,%s\n", fields[0], fields[1],
             fields[2], fields[3], fields[4], fields[5], fields[6], fields[7], fields[8], fields[9],
             fields[10], fields[11], fields[12], fields[13]);
    struct csv_reader *r = csv_open_text(text, strlen(text), "rows", serving_columns, d);
    if (r != NULL && csv_next(r) == 1) {
        reason = serving_row_read(row, r, shipped);
    }
    csv_close(r);
    diagnostics_free(d);
    return reason;
}

#define TRT            "NVIDIA/TensorRT-LLM@0123abcd docs/performance.md (v1.0)"
#define READ(row, ...) read_line(row, (const char *const[14]){__VA_ARGS__})

static void words_become_questions(void **state)
{
    (void)state;
    struct serving_row row;
    /* Two replicas of two GPUs, per GPU: one makes twice the figure. */
    assert_null(READ(&row, "LLaMA-70B", "A100-SXM-80GB", "4", "FP16", "static max batch", "64",
                     "128", "256", "throughput", "500", "out tok/s/GPU", "", TRT, "TP=2"));
    assert_string_equal(row.name, "llama-2-70b");
    assert_string_equal(row.source, "NVIDIA/TensorRT-LLM docs/performance.md (v1.0)");
    assert_int_equal(row.load, SERVING_STATIC);
    assert_int_equal(row.engine, LLM_ENGINE_TUNED);
    assert_near(row.batch, 64, 0, "batch");
    assert_near(row.hardware.accelerators, 2, 0, "ways");
    assert_near(row.hardware.flops, 312e12, 0, "peak");
    assert_near(row.hardware.link_bytes_per_s, 180e9, 0, "links");
    assert_near(row.measured[SERVING_TOKENS_PER_S], 1000, 1e-9, "of one replica");
    assert_null(row.unpredictable);

    assert_null(READ(&row, "Llama-3.1-8B", "H100-SXM-80GB", "1", "FP8", "in-flight batching", "",
                     "128", "128", "throughput", "20", "req/s", "", TRT, ""));
    assert_string_equal(row.name, "llama-3-8b");
    assert_int_equal(row.load, SERVING_SATURATED);
    assert_near(row.hardware.flops, 1979e12, 0, "8-bit peak");
    assert_near(row.model.bytes_per_kv, 1, 0, "8-bit cache");
    assert_near(row.measured[SERVING_TOKENS_PER_S], 2560, 1e-9, "tokens of output");

    /* Weights alone at 8 bits on a GPU without them; a mean over tokens beside the rate. */
    assert_null(READ(&row, "Hermes-3-405B-FP8", "A100-SXM-80GB", "8", "FP8 weights",
                     "vLLM serving of 320 prompts", "320", "ShareGPT", "", "throughput", "468",
                     "out tok/s", "180.5", "x/y@01 (vLLM 0.5.4)",
                     "mean_ms column = inter-token latency; tensor parallel=8"));
    assert_string_equal(row.name, "llama-3.1-405b");
    assert_int_equal(row.load, SERVING_BURST);
    assert_int_equal(row.engine, LLM_ENGINE_2024);
    assert_false(row.eight_bit);
    assert_near(row.model.bytes_per_weight, 1, 0, "weights");
    assert_near(row.model.bytes_per_kv, 2, 0, "cache");
    assert_near(row.measured[SERVING_TPOT], 0.1805, 1e-12, "TPOT");
    assert_true(row.varied && row.by_token);
    assert_non_null(row.unpredictable);

    assert_null(READ(&row, "Llama-2 13B", "A10G", "4", "fp16", "vLLM 0.11 at rps 3", "", "100",
                     "50", "ttft", "90", "ms", "", "x", ""));
    assert_int_equal(row.load, SERVING_OPEN);
    assert_int_equal(row.engine, LLM_ENGINE_TUNED);
    assert_near(row.rate_per_s, 3, 0, "rate");
    assert_near(row.measured[SERVING_TTFT], 0.09, 1e-12, "TTFT");
    assert_non_null(strstr(row.unpredictable, "NVLink"));

    assert_null(READ(&row, "GPT-J-6B", "L40S", "1", "FP8", "static", "64", "128", "128",
                     "throughput", "1", "out tok/s", "", TRT, ""));
    assert_string_equal(row.name, "gpt-j-6b");

    assert_null(READ(&row, "Llama-2 7B", "A10G", "1", "GPTQ-4bit", "TGI closed loop", "5", "", "",
                     "throughput", "120", "tok/s", "", "x (TGI 1.0.3)", ""));
    assert_int_equal(row.engine, LLM_ENGINE_2023);
    assert_true(row.assumed);
    assert_non_null(strstr(row.unpredictable, "4-bit"));
}

static void what_is_missing_is_said(void **state)
{
    (void)state;
    struct serving_row row;
    assert_non_null(strstr(READ(&row, "Qwen3-32B", "H100", "1", "FP8", "static", "8", "1", "2",
                                "throughput", "1", "tok/s", "", TRT, ""),
                           "layers and heads"));
    assert_non_null(strstr(READ(&row, "Llama-2 7B", "RTX4090", "1", "FP16", "static", "8", "1", "2",
                                "throughput", "1", "tok/s", "", TRT, ""),
                           "catalogue does not know"));
    assert_non_null(strstr(READ(&row, "Llama-2 7B", "H100", "1", "FP16", "static", "8", "1", "2",
                                "throughput", "1", "tok/s", "", "a blog", ""),
                           "no engine"));
    assert_non_null(strstr(READ(&row, "Llama-2 7B", "H100", "1", "FP16", "best effort", "8", "1",
                                "2", "throughput", "1", "tok/s", "", TRT, ""),
                           "no load"));
    assert_non_null(strstr(READ(&row, "Llama-2 7B", "H100", "1", "FP16", "static", "8", "", "2",
                                "throughput", "1", "tok/s", "", TRT, ""),
                           "no lengths"));
    assert_non_null(strstr(READ(&row, "Llama-2 7B", "H100", "1", "", "static", "8", "1", "2",
                                "throughput", "1", "tok/s", "", TRT, ""),
                           "no precision"));
    assert_non_null(strstr(READ(&row, "Llama-2 7B", "H100", "3", "FP16", "static", "8", "1", "2",
                                "throughput", "1", "tok/s", "", TRT, "TP=2"),
                           "do not divide"));
    assert_true(row.text);
    assert_non_null(READ(&row, "ResNet-50", "T4", "1", "INT8", "Offline", "", "", "", "throughput",
                         "1", "img/s", "", "x", ""));
    assert_false(row.text);
}

/* One user alone: the steps one after the other, whatever the model of arrivals. */
static void a_user_alone(void **state)
{
    (void)state;
    struct serving_row row;
    double out[SERVING_MEASURES], sum_s;
    const struct serving_numbers n = serving_numbers_default();
    assert_null(READ(&row, "Llama-3.1-8B", "A100-40GB", "1", "bf16", "vLLM 0.23 concurrency 1", "1",
                     "1024", "128", "throughput", "75", "out tok/s", "", "x", ""));
    assert_true(serving_predict(&row, &n, 2, out));
    struct llm_overheads o = llm_overheads_default(false);
    const struct llm_step s = llm_step_make(&row.model, &row.hardware, &o, 2);
    sum_s = llm_step_s(&s, 1024, 0, 0, 1024.0 * 512);
    assert_relative(out[SERVING_TTFT], sum_s, 1e-9, "TTFT");
    for (int i = 1; i < 128; i++) {
        sum_s += llm_step_s(&s, 1, 1, 1024 + i, 0);
    }
    assert_relative(out[SERVING_TOKENS_PER_S], 128 / sum_s, 1e-9, "tokens a second");
    assert_relative(out[SERVING_TPOT], (sum_s - out[SERVING_TTFT]) / 127, 1e-9, "TPOT");
}

/* Rows that other numbers made give these back, once there are so many that the prior fades. */
static void numbers_are_found_again(void **state)
{
    (void)state;
    enum { KINDS = 24, EACH = 100 };
    static struct serving_row rows[KINDS * EACH];
    static const char *const precisions[] = {"FP16", "FP8"};
    static const char *const batches[] = {"1", "32", "256"}, *const inputs[] = {"128", "2048"};
    const struct serving_numbers truth = {{0.60, 0.50, 0.80, 0.25e-3, 10e-6}};
    struct serving_numbers found;
    size_t count = 0;
    for (size_t i = 0; i < KINDS; i++) {
        double out[SERVING_MEASURES];
        struct serving_row *row = &rows[count++];
        assert_null(READ(row, i / 12 > 0 ? "LLaMA-13B" : "LLaMA-7B", "H100", "1", precisions[i % 2],
                         "static", batches[i / 2 % 3], inputs[i / 6 % 2], "200", "throughput", "1",
                         "out tok/s", "", TRT, ""));
        assert_true(serving_predict(row, &truth, 1, out));
        row->measured[SERVING_TOKENS_PER_S] = out[SERVING_TOKENS_PER_S];
    }
    for (; count < KINDS * EACH; count++) {
        rows[count] = rows[count - KINDS];
    }
    assert_int_equal(serving_fit(&found, rows, count, NULL), count);
    for (size_t i = 0; i < SERVING_NUMBERS; i++) {
        assert_relative(found.of[i], truth.of[i], 0.05, serving_number_names[i]);
    }
    assert_int_equal(serving_fit(&found, rows, count, rows[0].source), 0);
    assert_relative(found.of[0], 0.70, 1e-12, "nothing left: as shipped");
}

static void laws_are_found_again(void **state)
{
    (void)state;
    const double batch[] = {1, 8, 32, 128, 256};
    for (int form = LATENCY_QUADRATURE; form <= LATENCY_LINEAR; form++) {
        const struct latency_law truth = {(enum latency_form)form, 5e-3, 0.2e-3};
        double time_s[5];
        for (size_t i = 0; i < 5; i++) {
            time_s[i] = latency_law_s(&truth, batch[i]);
        }
        const struct latency_law found = latency_law_fit(truth.form, batch, time_s, 5);
        assert_relative(found.start_s, 5e-3, 1e-4, "t_0");
        assert_relative(found.sample_s, 0.2e-3, 1e-4, "c");
    }
    assert_near(latency_law_s(&(struct latency_law){LATENCY_QUADRATURE, 3, 0.5}, 8), 5, 1e-12,
                "3, 4, 5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_become_questions), cmocka_unit_test(what_is_missing_is_said),
        cmocka_unit_test(a_user_alone), cmocka_unit_test(numbers_are_found_again),
        cmocka_unit_test(laws_are_found_again)};
    gsl_errors_install();
    return cmocka_run_group_tests(tests, load, unload);
}
