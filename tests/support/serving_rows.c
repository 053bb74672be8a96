/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/serving_rows.h"

#include "tests/support/worded_amounts.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WASTE_TOKENS 7.5
#define WATERMARK    0.01
#define LONG_OUTPUT  1024.0

const char *const serving_columns[] = {
    "id",        "kind",     "model",         "params",    "gpu_model",  "gpu_count", "aws_equiv",
    "precision", "scenario", "batch_or_conc", "input_len", "output_len", "metric",    "value",
    "unit",      "p50_ms",   "mean_ms",       "source",    "notes",      NULL};

const char *const serving_measure_names[SERVING_MEASURES] = {"tokens/s", "TTFT", "TPOT"};

const char *serving_text(const struct serving_reading *g, enum serving_column c)
{
    return csv_text(g->csv, (size_t)c);
}

bool serving_says(const struct serving_reading *g, enum serving_column c, const char *words)
{
    return strcasestr(serving_text(g, c), words) != NULL;
}

static double number_in(const struct serving_reading *g, enum serving_column c)
{
    bool scaled;
    return amount_at(serving_text(g, c), &scaled);
}

/* Repository and version, without the commit. */
static void read_source(const struct serving_reading *g)
{
    const char *text = serving_text(g, SERVING_SOURCE);
    char *out = g->row->source;
    const char *commit = strchr(text, '@');
    const char *words = strstr(text, " commit ");
    if (commit != NULL) {
        const char *rest = commit + strcspn(commit, " ");
        snprintf(out, sizeof g->row->source, "%.*s%s", (int)(commit - text), text, rest);
    } else {
        const size_t length = words != NULL ? (size_t)(words - text) : strlen(text);
        snprintf(out, sizeof g->row->source, "%.*s", (int)length, text);
    }
}

/* ---- the engine ---- */

/* 0.5 of "vLLM 0.5.4", as {0, 5}. False: not named, or without a version. */
static bool version_behind(const char *text, const char *name, long version[2])
{
    for (const char *at = strcasestr(text, name); at != NULL; at = strcasestr(at + 1, name)) {
        const char *number = at + strlen(name);
        char *end;
        number += strspn(number, " v-");
        if (isdigit((unsigned char)*number)) {
            version[0] = strtol(number, &end, 10);
            version[1] = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
            return true;
        }
    }
    return false;
}

static bool find_version(const struct serving_reading *g, const char *name, long version[2])
{
    return version_behind(serving_text(g, SERVING_SCENARIO), name, version) ||
           version_behind(serving_text(g, SERVING_SOURCE), name, version) ||
           version_behind(serving_text(g, SERVING_NOTES), name, version);
}

/* What an engine does unless told otherwise: most sequences, tokens of a step, scheduling. vLLM
 * schedules prompts first until its second engine (0.8, 2025). */
static void set_rules(const struct serving_reading *g, double sequences, double budget,
                      enum llm_scheduling scheduling, enum llm_admission admission)
{
    g->row->rules = (struct llm_rules){.scheduling = scheduling,
                                       .admission = admission,
                                       .most_sequences = (uint32_t)sequences,
                                       .token_budget = (uint32_t)budget,
                                       .waste_tokens = WASTE_TOKENS,
                                       .watermark = WATERMARK};
}

static const char *read_engine(const struct serving_reading *g)
{
    long v[2] = {0, 0};
    if (serving_says(g, SERVING_SOURCE, "TensorRT-LLM")) {
        g->row->engine = LLM_ENGINE_TUNED;
        set_rules(g, 2048, 8192, LLM_CHUNKED, LLM_ADMIT_GUARANTEED);
        if (version_behind(serving_text(g, SERVING_SOURCE), "(", v) && v[0] == 0 && v[1] < 7 &&
            g->row->model.kv_heads < g->row->model.hidden / g->row->model.head_size &&
            number_in(g, SERVING_OUTPUT) >= LONG_OUTPUT) {
            g->row->unpredictable = "grouped attention over long outputs before 0.7: the kernel";
        }
        return NULL;
    }
    if (find_version(g, "vLLM", v)) {
        const long age = v[0] * 1000 + v[1];
        g->row->engine = age < 7 ? LLM_ENGINE_2024 : LLM_ENGINE_TUNED;
        if (age < 8) {
            set_rules(g, 256, 8192, LLM_PREFILL_FIRST, LLM_ADMIT_PROMPT);
        } else {
            set_rules(g, 256, 2048, LLM_CHUNKED, LLM_ADMIT_PROMPT);
        }
    } else if (find_version(g, "TGI", v)) {
        g->row->engine = v[0] < 2 ? LLM_ENGINE_2023 : LLM_ENGINE_2024;
        set_rules(g, 128, 4096, LLM_PREFILL_FIRST, LLM_ADMIT_GUARANTEED);
    } else {
        return "no engine with its version: which factor holds is not known";
    }
    g->row->host_s = llm_engine_profiles[g->row->engine].host_s;
    if (g->row->engine != LLM_ENGINE_TUNED && g->row->unpredictable == NULL) {
        g->row->unpredictable = "engine generation: the host's work between steps";
    }
    return NULL;
}

/* ---- load and lengths ---- */

/* Requests a second; 0: not said, or "inf". */
static double read_rate(const struct serving_reading *g)
{
    static const char *const behind[] = {"rps", "qps", "request rate"};
    static const char *const before[] = {"req/s", "requests/s", "rps", "qps"};
    const char *text = serving_text(g, SERVING_SCENARIO);
    double rate = 0;
    for (size_t i = 0; i < sizeof behind / sizeof behind[0] && !(rate > 0); i++) {
        rate = amount_after(text, behind[i]);
    }
    for (size_t i = 0; i < sizeof before / sizeof before[0] && !(rate > 0); i++) {
        rate = amount_before(text, before[i]);
    }
    return rate * g->row->hardware.accelerators / g->count;
}

static const char *read_load(const struct serving_reading *g)
{
    struct serving_row *row = g->row;
    const double prompts = amount_before(serving_text(g, SERVING_SCENARIO), "prompts");
    row->batch = number_in(g, SERVING_BATCH);
    row->rate_per_s = read_rate(g);
    if (row->rate_per_s > 0) {
        row->load = SERVING_OPEN;
        row->batch = 1;
    } else if (prompts > 0) {
        row->load = SERVING_BURST;
        row->batch = prompts;
    } else if (serving_says(g, SERVING_SCENARIO, "static") ||
               serving_says(g, SERVING_SCENARIO, "batch ")) {
        row->load = number_in(g, SERVING_OUTPUT) > 1 ? SERVING_STATIC : SERVING_PROMPT;
    } else if (serving_says(g, SERVING_SCENARIO, "in-flight") ||
               serving_says(g, SERVING_SCENARIO, "infinite rate") ||
               serving_says(g, SERVING_SCENARIO, "saturat")) {
        row->load = SERVING_SATURATED;
        row->batch = 1;
    } else if (serving_says(g, SERVING_SCENARIO, "closed loop") ||
               serving_says(g, SERVING_SCENARIO, "concurrency")) {
        row->load = SERVING_CLOSED;
    } else {
        return "no load: neither a batch, nor users, nor a burst, nor saturation";
    }
    return row->batch >= 1 ? NULL : "no batch, or number of users";
}

/* Named sets have mean lengths: ShareGPT as vLLM's benchmark filters it, 217,393 prompt and 201,847
 * output tokens of 1,000 requests; that they vary as an exponential does is assumed. Where
 * nothing is named the row is shown with those of the published description of text generation, 200
 * and 250, marked, and in no median. */
static const char *read_lengths(const struct serving_reading *g)
{
    struct llm_lengths *l = &g->row->lengths;
    *l = (struct llm_lengths){.prompt = number_in(g, SERVING_INPUT),
                              .output = number_in(g, SERVING_OUTPUT)};
    if (serving_says(g, SERVING_INPUT, "sharegpt")) {
        *l = (struct llm_lengths){.prompt = 217, .output = 202};
        g->row->varied = true;
    }
    if (l->prompt >= 1 && !(l->output >= 1) && g->row->load == SERVING_PROMPT) {
        l->output = 1;
    }
    if (!(l->prompt >= 1) && !(l->output >= 1) && g->row->load == SERVING_CLOSED) {
        *l = (struct llm_lengths){.prompt = 200, .output = 250};
        g->row->assumed = true;
    }
    return l->prompt >= 1 && l->output >= 1 ? NULL : "no lengths of prompts and outputs";
}

/* ---- what was measured ---- */

/* Whether the notes say that this column is a time per token of output. */
static bool is_per_token(const struct serving_reading *g, const char *column)
{
    static const char *const words[] = {"inter-token", "tpot", "ms/token"};
    const char *at = strcasestr(serving_text(g, SERVING_NOTES), column);
    char phrase[64];
    if (at == NULL) {
        return false;
    }
    snprintf(phrase, sizeof phrase, "%.*s", (int)strcspn(at, ";"), at);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcasestr(phrase, words[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static double tokens_per_unit(const struct serving_reading *g)
{
    const struct llm_lengths *l = &g->row->lengths;
    if (serving_says(g, SERVING_UNIT, "req/s") || serving_says(g, SERVING_UNIT, "requests/s")) {
        return l->output;
    }
    if (!serving_says(g, SERVING_UNIT, "tok")) {
        return 0;
    }
    return serving_says(g, SERVING_UNIT, "total tok") ? l->output / (l->prompt + l->output) : 1;
}

static const char *read_measured(const struct serving_reading *g)
{
    double *m = g->row->measured;
    const double value = number_in(g, SERVING_VALUE);
    const double time_s = serving_says(g, SERVING_UNIT, "ms") ? value * 1e-3 : value;
    const bool each = serving_says(g, SERVING_UNIT, "/gpu");
    if (serving_says(g, SERVING_METRIC, "throughput")) {
        const double replicas = g->count / g->row->hardware.accelerators;
        m[SERVING_TOKENS_PER_S] = value * tokens_per_unit(g) * (each ? g->count : 1) / replicas;
        if (!(m[SERVING_TOKENS_PER_S] > 0)) {
            return "a unit that says no rate of tokens or requests";
        }
    } else if (serving_says(g, SERVING_METRIC, "first_token") ||
               serving_says(g, SERVING_METRIC, "ttft")) {
        m[SERVING_TTFT] = time_s;
    } else if (serving_says(g, SERVING_METRIC, "tpot") ||
               serving_says(g, SERVING_METRIC, "inter_token") ||
               serving_says(g, SERVING_METRIC, "time_per_output")) {
        m[SERVING_TPOT] = time_s;
    } else {
        return "a metric that is neither throughput, TTFT nor TPOT";
    }
    if (!(value > 0)) {
        return "no value";
    }
    if (is_per_token(g, "mean_ms")) {
        m[SERVING_TPOT] = 1e-3 * number_in(g, SERVING_MEAN);
        g->row->by_token = serving_says(g, SERVING_NOTES, "inter-token");
    } else if (is_per_token(g, "p50_ms")) {
        m[SERVING_TPOT] = 1e-3 * number_in(g, SERVING_P50);
    }
    return NULL;
}

/* Not rows of images, and of encoders. */
static bool writes_text(const struct serving_reading *g)
{
    static const char *const others[] = {"resnet", "bert",      "unet", "dlrm",
                                         "rnn-t",  "retinanet", "ssd",  "diffusion"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (serving_says(g, SERVING_MODEL, others[i])) {
            return false;
        }
    }
    return true;
}

const char *serving_row_read(struct serving_row *row, struct csv_reader *r,
                             const struct catalogue *c)
{
    struct serving_reading g = {.csv = r, .catalogue = c, .row = row};
    *row = (struct serving_row){.batch = 1};
    snprintf(row->id, sizeof row->id, "%s", serving_text(&g, SERVING_ID));
    snprintf(row->metric, sizeof row->metric, "%s", serving_text(&g, SERVING_METRIC));
    row->text = writes_text(&g);
    read_source(&g);
    if (!row->text) {
        return "no language model that writes";
    }
    if (serving_says(&g, SERVING_KIND, "fidelity")) {
        return "how well another simulator does, without model, lengths and load";
    }
    const char *reason = serving_read_model(&g);
    reason = reason != NULL ? reason : serving_read_hardware(&g);
    reason = reason != NULL ? reason : read_engine(&g);
    reason = reason != NULL ? reason : read_load(&g);
    reason = reason != NULL ? reason : read_lengths(&g);
    return reason != NULL ? reason : read_measured(&g);
}
