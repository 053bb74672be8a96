/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a user is told of memory: refusals with what binds, by how much, and what would fit instead;
 * warnings; what is assumed; what is not checked. Through the scenario reader. */
#include "engine/gsl_errors.h"
#include "models/speed/memory_options.h"
#include "models/training/training_work.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "version: 1\nstart: 2026-03-02\nhorizon: 60d\nregion: us-east-1\nreplications: 1\n"
#define JOB(keys)                                                                                  \
    HEAD "workloads: {w: {kind: training, tokens: 1B, throughput: {p4d.24xlarge: 3000/s, "         \
         "p4de.24xlarge: 3000/s, p2.xlarge: 10/s}, " keys "}}\n"
#define ON(type, nodes) "strategies: {s: {instance: " type ", nodes: " nodes ", buy: on-demand}}\n"
#define SEVEN           "model: {preset: llama-2-7b, precision: bf16, sequence: 2048}"

struct refusal_row {
    const char *name, *text;
    const char *says[5];
};

static const struct refusal_row refusals[] = {
    {"the binding term, the shortfall and the smallest changes",
     JOB(SEVEN ", parallel: {zero: 3, micro_batch: 64, recompute: full}") ON("p4d.24xlarge", "1"),
     {"'w' does not fit on 1 x 'p4d.24xlarge': each A100-40GB would need", "of 38.8 GiB",
      "most of it activations", "would fit: micro_batch: 19", "1 x p5en.48xlarge"}},
    {"a stage of ZeRO where that alone does it",
     JOB(SEVEN ", parallel: {micro_batch: 1, recompute: full}") ON("p4d.24xlarge", "1"),
     {"would need 108.1 GiB of 38.8 GiB, 69.3 GiB too much", "most of it optimizer, 75.3 GiB",
      "zero: 2", "offload: optimizer", "1 x p6-b200.48xlarge"}},
    {"recomputation where that alone does it",
     JOB(SEVEN ", parallel: {zero: 3, micro_batch: 8}") ON("p4d.24xlarge", "1"),
     {"micro_batch: 2; recompute: full; 1 x p5en.48xlarge"}},
    {"all together where no single change does it",
     JOB(SEVEN ", parallel: {micro_batch: 16}") ON("p4d.24xlarge", "1"),
     {"would fit: zero: 3, recompute: full together"}},
    {"more nodes where the state is too large",
     JOB("model: {preset: llama-2-70b, precision: bf16}, parallel: {zero: 3, micro_batch: 1, "
         "recompute: full}") ON("p4d.24xlarge", "1"),
     {"most of it optimizer", "nodes"}},
    {"even the most frugal layout, where none is stated",
     JOB("model: {preset: llama-2-70b, precision: bf16}") ON("p4d.24xlarge", "1"),
     {"even with zero: 3, recompute: full and micro_batch: 1", "nodes"}},
    {"a lower bound where the sequence is unknown",
     JOB("model: {parameters: 70B, precision: bf16}") ON("p4d.24xlarge", "1"),
     {"would need at least 14"}},
    {"more ways than accelerators",
     JOB(SEVEN ", parallel: {tensor: 8, pipeline: 2}") ON("p4d.24xlarge", "1"),
     {"tensor 8 x pipeline 2 accelerators, but 1 x 'p4d.24xlarge' have 8"}},
    {"a cache larger than the host",
     JOB("memory: {data_cache: 1.5 TB}") ON("p4d.24xlarge", "1"),
     {"does not fit into the main memory of 'p4d.24xlarge': 1397.0 GiB of 1152.0 GiB, 245.0 GiB "
      "too much; most of it data cache"}},
    {"workers that fill it",
     JOB("memory: {loader_workers: 40, worker_memory: 4 GiB}") ON("p2.xlarge", "1"),
     {"160.0 GiB of 61.0 GiB", "most of it loader workers"}},
};
enum { REFUSALS = sizeof refusals / sizeof refusals[0] };

static void refusal(void **state)
{
    const struct refusal_row *row = *state;
    int code = 0;
    char *what = study_errors(row->text, &code);
    for (size_t i = 0; i < 5 && row->says[i] != NULL; i++) {
        if (strstr(what, row->says[i]) == NULL) {
            fail_msg("expected: %s\ngot: %s", row->says[i], what);
        }
    }
    assert_int_equal(code, 4);
    free(what);
}

static const struct training_memory *memory_of(const struct study *s)
{
    return &training_plan_of(s->strategies[0].plans[0])->memory;
}

static const char *assumed(const struct study *s, const char *what)
{
    for (size_t i = 0; i < s->assumptions.count; i++) {
        if (strcmp(s->assumptions.items[i].what, what) == 0) {
            return s->assumptions.items[i].value;
        }
    }
    return NULL;
}

/* What the refusals propose does fit. */
static void what_is_proposed_fits(void **state)
{
    (void)state;
    static const char *const texts[] = {
        JOB(SEVEN ", parallel: {zero: 3, micro_batch: 19, recompute: full}")
            ON("p4d.24xlarge", "1"),
        JOB(SEVEN ", parallel: {zero: 2, micro_batch: 1, recompute: full}") ON("p4d.24xlarge", "1"),
        JOB(SEVEN ", parallel: {zero: 3, micro_batch: 8, recompute: full}") ON("p4d.24xlarge", "1"),
        JOB(SEVEN ", parallel: {zero: 3, micro_batch: 2}") ON("p4d.24xlarge", "1"),
        JOB(SEVEN ", parallel: {zero: 3, recompute: full, micro_batch: 16}")
            ON("p4d.24xlarge", "1"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct study *s = study_from_text(texts[i], NULL);
        assert_true(memory_of(s)->checked);
        assert_true(gpu_memory_share(&memory_of(s)->gpu) <= 1.0);
        study_free(s);
    }
}

/* The number of nodes that a refusal names is the smallest. */
static void the_fewest_nodes_are_named(void **state)
{
    (void)state;
    struct memory_layout l = {
        .shape = {.class = MODEL_LLM,
                  .parameters = 69e9,
                  .trained_parameters = 69e9,
                  .layers = 80,
                  .hidden = 8192,
                  .sequence = 4096,
                  .vocabulary = 32000,
                  .precision = PRECISION_BF16},
        .accelerators = 8,
        .tensor = 1,
        .pipeline = 1,
        .zero = 3,
        .micro_batch = 1,
        .recompute = RECOMPUTE_FULL,
        .master_weights = true,
        .sequence_parallel = true,
    };
    const double device = 40 * 1073741824.0;
    struct text t;
    int nodes = 0;
    text_init(&t, 0);
    assert_true(memory_options_add(&t, &l, 8, device, 4096) >= 1);
    assert_int_equal(sscanf(strstr(t.data, " nodes") - 1, "%d", &nodes), 1);
    l.accelerators = 8.0 * nodes;
    struct gpu_memory with = gpu_memory_of(&l, device);
    l.accelerators = 8.0 * (nodes - 1);
    struct gpu_memory less = gpu_memory_of(&l, device);
    assert_true(gpu_memory_share(&with) <= 1 && gpu_memory_share(&less) > 1);
    text_release(&t);
}

static void a_tight_fit_is_warned_of(void **state)
{
    (void)state;
    struct diagnostics *d = diagnostics_new();
    struct study *s =
        study_from_text_telling(JOB(SEVEN ", parallel: {zero: 3, micro_batch: 21, recompute: full}")
                                    ON("p4d.24xlarge", "1"),
                                d);
    const char *what = diagnostics_text(d, 0, NULL, NULL);
    assert_non_null(what);
    assert_non_null(strstr(what, "'w' just fits on 1 x 'p4d.24xlarge', if at all"));
    study_free(s);
    diagnostics_free(d);
}

static void the_first_layout_that_fits_is_taken_where_none_is_stated(void **state)
{
    (void)state;
    struct study *s = study_from_text(JOB(SEVEN) ON("p4d.24xlarge", "4"), NULL);
    const struct training_memory *m = memory_of(s);
    assert_true(m->checked && m->layout_chosen);
    assert_int_equal(m->layout.zero, 2);
    const char *value = assumed(s, "GPU memory of w on 4 x p4d.24xlarge");
    assert_non_null(value);
    assert_non_null(strstr(value, "zero 2, recompute none, micro-batch 1, fused attention"));
    study_free(s);
}

static void sequence_parallelism_is_assumed_where_it_is_not_stated(void **state)
{
    (void)state;
    static const char *const stated[] = {"", ", memory: {sequence_parallel: yes}"};
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof text, JOB(SEVEN ", parallel: {tensor: 8}%s") ON("p4d.24xlarge", "4"),
                 stated[i]);
        struct study *s = study_from_text(text, NULL);
        const char *value = assumed(s, "GPU memory of w on 4 x p4d.24xlarge");
        assert_non_null(value);
        bool told = strstr(value, "tensor ways split all activations") != NULL;
        assert_int_equal(told, i == 0);
        study_free(s);
    }
}

static void what_cannot_be_computed_is_left_unchecked(void **state)
{
    (void)state;
    static const char *const texts[] = {
        JOB("on_notice: nothing") ON("p4d.24xlarge", "1"),
        JOB("model: {preset: llama-2-70b, precision: bf16}, memory: {check: no}")
            ON("p4d.24xlarge", "1"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct study *s = study_from_text(texts[i], NULL);
        assert_false(memory_of(s)->checked);
        assert_null(assumed(s, "GPU memory of w on 1 x p4d.24xlarge"));
        study_free(s);
    }
}

/* Eight accelerators put 12 bytes a parameter, divided by eight, into one host. */
static void offloaded_state_counts_in_the_host(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        JOB(SEVEN ", parallel: {zero: 2, micro_batch: 1, recompute: full}, memory: {offload: "
                  "optimizer, loader_workers: 16}") ON("p4d.24xlarge", "1"),
        NULL);
    const struct host_memory *h = &memory_of(s)->host;
    assert_relative(h->bytes[HOST_OFFLOAD], 12 * 6.738416e9, 1e-9, "offload");
    assert_relative(h->bytes[HOST_LOADER], 16 * 2 * 1073741824.0, 1e-12, "workers");
    assert_relative(h->need_bytes, h->bytes[HOST_OFFLOAD] + h->bytes[HOST_LOADER], 1e-12, "need");
    study_free(s);
}

/* ---- figures ---- */

struct seen {
    int rows, parts;
    double need_gib, terms_gib, mfu;
    const char *part;
};

static void see(void *context, const struct work_reason *r)
{
    struct seen *seen = context;
    seen->rows++;
    if (seen->part == NULL || strcmp(seen->part, r->part) != 0) {
        seen->parts++;
        seen->part = r->part;
    }
    if (strcmp(r->quantity, "utilisation") == 0) {
        seen->mfu = r->value;
    }
    if (strcmp(r->part, "GPU memory") != 0) {
        return;
    }
    for (int i = 0; i < MEMORY_TERM_COUNT; i++) {
        seen->terms_gib += strcmp(r->quantity, memory_term_names[i]) == 0 ? r->value : 0;
    }
    seen->need_gib = strcmp(r->quantity, "need") == 0 ? r->value : seen->need_gib;
}

/* The terms add up to the need; the utilisation is FLOPs times rate over the peak. By hand: 6 ·
 * 6.738e9 + 12 · 32 · 4096 · 2048 = 4.365e10 FLOP; · 3000/s / (8 · 312e12) = 5.247 %. */
static void figures_add_up(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        JOB(SEVEN ", parallel: {zero: 3, micro_batch: 4, recompute: full}") ON("p4d.24xlarge", "1"),
        NULL);
    const struct work_plan *plan = s->strategies[0].plans[0];
    struct seen seen = {0};
    plan->kind->reasons(plan, see, &seen);
    assert_true(seen.rows > 10 && seen.parts == 2);
    assert_relative(seen.terms_gib, seen.need_gib, 1e-9, "sum");
    assert_relative(seen.mfu, 5.247, 1e-3, "mfu");
    study_free(s);
}

static int group_setup(void **state)
{
    (void)state;
    gsl_errors_install();
    return 0;
}

int main(void)
{
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(what_is_proposed_fits),
        cmocka_unit_test(the_fewest_nodes_are_named),
        cmocka_unit_test(a_tight_fit_is_warned_of),
        cmocka_unit_test(the_first_layout_that_fits_is_taken_where_none_is_stated),
        cmocka_unit_test(sequence_parallelism_is_assumed_where_it_is_not_stated),
        cmocka_unit_test(what_cannot_be_computed_is_left_unchecked),
        cmocka_unit_test(offloaded_state_counts_in_the_host),
        cmocka_unit_test(figures_add_up),
    };
    enum { OTHERS = sizeof others / sizeof others[0] };
    struct CMUnitTest tests[REFUSALS + OTHERS];
    size_t count = 0;
    for (size_t i = 0; i < REFUSALS; i++) {
        tests[count++] =
            (struct CMUnitTest){refusals[i].name, refusal, NULL, NULL, (void *)&refusals[i]};
    }
    for (size_t i = 0; i < OTHERS; i++) {
        tests[count++] = others[i];
    }
    return _cmocka_run_group_tests("training memory", tests, count, group_setup, NULL);
}
