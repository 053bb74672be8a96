/* SPDX-License-Identifier: GPL-3.0-or-later
 * What was served, and what on, from the words of a row of serving_rows.h. */
#include "models/catalogue/model_presets.h"
#include "models/speed/chip_speed.h"
#include "tests/support/published_chip.h"
#include "tests/support/serving_rows.h"
#include "tests/support/worded_amounts.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GIB               1073741824.0
#define GB                1e9
#define NVLINK_SHARE      0.3
#define PLAIN_BYTES_PER_S 15e9
#define SIZE_TOLERANCE    0.05

/* ---- the model ---- */

/* Letters that a model's name begins with: its family. */
static bool same_family(const char *text, const char *name)
{
    const size_t length = strcspn(name, "-0123456789");
    for (const char *at = text; *at != '\0'; at++) {
        if (strncasecmp(at, name, length) == 0 && (at == text || !isalpha((unsigned char)at[-1])) &&
            !isalpha((unsigned char)at[length])) {
            return true;
        }
    }
    return false;
}

/* 3 of "Llama-3.1-8B" and of "llama-3-8b"; 0: the number behind the family is its size. */
static long version_of(const char *text)
{
    const char *at = text + strcspn(text, "0123456789");
    char *end;
    const long whole = strtol(at, &end, 10);
    if (end[0] == '.') {
        strtol(end + 1, &end, 10);
    }
    return tolower((unsigned char)end[0]) == 'b' || tolower((unsigned char)end[0]) == 'm' ||
                   tolower((unsigned char)end[0]) == 'x'
               ? 0
               : whole;
}

/* Parameters by the name, "…-70B": the last such amount. */
static double size_of(const char *text)
{
    double size = 0;
    for (const char *at = text; *at != '\0'; at++) {
        bool scaled;
        if (isdigit((unsigned char)at[0]) && (at == text || !isalnum((unsigned char)at[-1])) &&
            (at == text || at[-1] != '.')) {
            const double amount = amount_at(at, &scaled);
            const size_t digits = strspn(at, "0123456789.");
            const bool small_b = at[digits] == 'b' && !isalnum((unsigned char)at[digits + 1]);
            size = scaled ? amount : small_b ? amount * 1e9 : size;
        }
    }
    return size;
}

/* Tuned from another model, of its shape: Hermes 3 from Llama 3.1 (arXiv 2408.11857), Vicuna from
 * Llama (lmsys.org, 2023). */
static const char *shape_name(const char *model)
{
    static const char *const tuned[][2] = {{"hermes-3-", "llama-3.1-"}, {"vicuna-", "llama-"}};
    for (size_t i = 0; i < sizeof tuned / sizeof tuned[0]; i++) {
        if (strncasecmp(model, tuned[i][0], strlen(tuned[i][0])) == 0) {
            return tuned[i][1];
        }
    }
    return model;
}

/* Of the family and, where the row says it, the generation and the size; else the first
 * generation that has the size. */
static const struct model_preset *find_preset(const char *model, const char *parameters,
                                              const struct catalogue *c)
{
    const struct model_preset *best = NULL;
    const char *family = shape_name(model);
    const double named = size_of(model);
    const double size = named > 0 ? named : size_of(parameters);
    const long version = version_of(family == model ? model : family);
    for (size_t i = 0; i < catalogue_models(c); i++) {
        const struct model_preset *p = catalogue_model_at(c, i);
        const long its = version_of(p->name);
        if (p->class != MODEL_LLM || !(size > 0) || !same_family(family, p->name) ||
            fabs(size / p->parameters - 1) > SIZE_TOLERANCE || (version > 0 && version != its)) {
            continue;
        }
        best = best == NULL || its < version_of(best->name) ? p : best;
    }
    return best;
}

const char *serving_read_model(struct serving_reading *g)
{
    const struct model_preset *p =
        find_preset(serving_text(g, SERVING_MODEL), serving_text(g, SERVING_PARAMS), g->catalogue);
    struct llm_model *m = &g->row->model;
    const bool whole_eight =
        serving_says(g, SERVING_PRECISION, "fp8") && !serving_says(g, SERVING_PRECISION, "weights");
    const bool eight =
        serving_says(g, SERVING_PRECISION, "fp8") || serving_says(g, SERVING_PRECISION, "int8");
    const bool four = serving_says(g, SERVING_PRECISION, "4bit") ||
                      serving_says(g, SERVING_PRECISION, "4-bit") ||
                      serving_says(g, SERVING_PRECISION, "int4");
    const bool half =
        serving_says(g, SERVING_PRECISION, "fp16") || serving_says(g, SERVING_PRECISION, "bf16");
    if (p == NULL) {
        return "a model whose layers and heads the catalogue does not know";
    }
    if (!eight && !four && !half) {
        return "no precision, or one without measured rows";
    }
    snprintf(g->row->name, sizeof g->row->name, "%s", p->name);
    *m = (struct llm_model){.parameters = p->parameters,
                            .active_parameters =
                                p->active_parameters > 0 ? p->active_parameters : p->parameters,
                            .layers = p->layers,
                            .hidden = p->hidden,
                            .kv_heads = p->kv_heads > 0 ? p->kv_heads : p->heads,
                            .head_size = p->head_size > 0 ? p->head_size : p->hidden / p->heads,
                            .bytes_per_weight = four    ? 0.5
                                                : eight ? 1
                                                        : 2,
                            .bytes_per_kv = whole_eight ? 1 : 2};
    return NULL;
}

/* ---- the hardware ---- */

/* An instance of the catalogue with this accelerator, the one with the fastest links. */
static const struct instance_type *host_of(const struct accelerator *a, const struct catalogue *c)
{
    const struct instance_type *best = NULL;
    for (size_t i = 0; i < catalogue_types(c); i++) {
        const struct instance_type *t = catalogue_type_at(c, i);
        if (t->accelerator != NULL && strcmp(t->accelerator->name, a->name) == 0 &&
            t->accelerator_count >= 1 &&
            (best == NULL || t->nvlink_bytes_per_s > best->nvlink_bytes_per_s)) {
            best = t;
        }
    }
    return best;
}

static double ways_of(const struct serving_reading *g)
{
    const char *notes = serving_text(g, SERVING_NOTES);
    const double tp = amount_after(notes, "TP");
    const double words = amount_after(notes, "tensor parallel");
    return tp > 0 ? tp : words > 0 ? words : g->count;
}

static void judge_links(struct serving_reading *g, const struct instance_type *host)
{
    struct llm_hardware *h = &g->row->hardware;
    const bool fast =
        host != NULL && host->nvlink_bytes_per_s > 0 && !serving_says(g, SERVING_GPU_MODEL, "pcie");
    h->link_bytes_per_s = fast ? NVLINK_SHARE * host->nvlink_bytes_per_s : PLAIN_BYTES_PER_S;
    if (h->accelerators > 1 && !fast) {
        g->row->unpredictable = "tensor parallel without NVLink";
    }
    if (g->row->model.active_parameters < g->row->model.parameters) {
        g->row->unpredictable = "mixture of experts: no row was fitted";
    }
    if (g->row->model.bytes_per_weight < 1) {
        g->row->unpredictable = "4-bit weights: the kernel";
    }
}

const char *serving_read_hardware(struct serving_reading *g)
{
    struct accelerator chip;
    const char *reason = published_chip_find(
        serving_text(g, SERVING_GPU_MODEL), serving_text(g, SERVING_INSTANCE), g->catalogue, &chip);
    bool scaled;
    if (reason != NULL) {
        return reason;
    }
    if (chip_evidence_of(&chip) == CHIP_FOREIGN) {
        return "an accelerator for which no estimate is made";
    }
    g->count = amount_at(serving_text(g, SERVING_GPU_COUNT), &scaled);
    if (!(g->count >= 1)) {
        return "no number of accelerators";
    }
    const double ways = ways_of(g);
    if (ways < 1 || fmod(g->count, ways) > 0) {
        return "accelerators that the parallel ways do not divide";
    }
    const struct instance_type *host = host_of(&chip, g->catalogue);
    const double memory = fmin(host != NULL ? host->accelerator_memory_bytes : HUGE_VAL,
                               chip.memory_bytes / GIB * GB);
    const double fp8 = chip_peak_flops(&chip, PRECISION_FP8);
    const double half =
        fmax(chip_peak_flops(&chip, PRECISION_FP16), chip_peak_flops(&chip, PRECISION_BF16));
    const bool by_eight = serving_says(g, SERVING_PRECISION, "fp8");
    g->row->eight_bit = by_eight && fp8 > 0;
    g->row->hardware = (struct llm_hardware){.accelerators = ways,
                                             .flops = g->row->eight_bit ? fp8 : half,
                                             .bytes_per_s = chip.memory_bandwidth_bytes_per_s,
                                             .memory_bytes = memory};
    if (!(g->row->hardware.flops > 0) || !(g->row->hardware.bytes_per_s > 0) || !(memory > 0)) {
        return "no published peak, bandwidth or memory of the accelerator";
    }
    snprintf(g->row->chip, sizeof g->row->chip, "%s", chip.name);
    g->row->model.kv_heads = fmax(g->row->model.kv_heads, ways);
    judge_links(g, host);
    return NULL;
}
