/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/training_subject.h"

#include "tests/support/published_chip.h"
#include "tests/support/worded_amounts.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is trained ---- */

/* Nets for which 6 FLOPs per parameter and token mean nothing, and what is missing. */
static const char *foreign_model(const struct reading *g)
{
    static const char *const names[] = {
        "transformer-xl", "transformer", "lstm",      "rnn",   "ncf", "dlrm",   "diffusion",
        "recommend",      "gnmt",        "unet",      "u-net", "ssd", "mask r", "yolo",
        "wav2vec",        "tacotron",    "fastpitch", "clip",  "vit", "mamba",  "moco"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (reading_says(g, COLUMN_MODEL, names[i])) {
            return "no FLOPs per sample: a class without measured rows";
        }
    }
    return NULL;
}

/* Letters and digits alone, in lower case. */
static const char *plain_text(const char *text, char *out, size_t size)
{
    size_t n = 0;
    for (; *text != '\0' && n + 1 < size; text++) {
        if (isalnum((unsigned char)*text)) {
            out[n++] = (char)tolower((unsigned char)*text);
        }
    }
    out[n] = '\0';
    return out;
}

/* The published model of the longest name that the row's contains, of about its size. */
static const struct model_preset *find_preset(const struct reading *g, double parameters)
{
    char model[256], name[64];
    const struct model_preset *best = NULL;
    size_t longest = 0;
    plain_text(reading_text(g, COLUMN_MODEL), model, sizeof model);
    for (size_t i = 0; i < catalogue_models(g->catalogue); i++) {
        const struct model_preset *p = catalogue_model_at(g->catalogue, i);
        const size_t length = strlen(plain_text(p->name, name, sizeof name));
        const char *at = strstr(model, name);
        const bool whole = at != NULL && !(isdigit((unsigned char)name[length - 1]) &&
                                           isdigit((unsigned char)at[length]));
        const bool sized = !(parameters > 0) || fabs(parameters / p->parameters - 1) < 0.05;
        /* ResNet-50 v1.5 is "resnet50v15"; 50 alone ends its name. */
        if (whole && sized && length > longest) {
            best = p;
            longest = length;
        }
    }
    return best;
}

static struct number stated(double value)
{
    struct number n = NUMBER_CERTAIN(value);
    n.given = value > 0;
    return n;
}

/* Text is what is counted in tokens, or has sequences. */
static bool is_of_text(const struct reading *g)
{
    bool scaled;
    amount_at(reading_text(g, COLUMN_DATA), &scaled);
    return reading_says(g, COLUMN_UNIT, "tok") || reading_says(g, COLUMN_UNIT, "seq") ||
           reading_says(g, COLUMN_DATA, "tok") || reading_says(g, COLUMN_DATA, "seq") ||
           reading_says(g, COLUMN_KIND, "llm") || reading_says(g, COLUMN_KIND, "megatron") ||
           reading_says(g, COLUMN_MODEL, "gpt") || reading_says(g, COLUMN_MODEL, "bert") || scaled;
}

static double sequence_of(const struct reading *g)
{
    static const char *const words[] = {"seqs of", "seq_len", "seqlen", "sequence length", "seq"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const double data = amount_after(reading_text(g, COLUMN_DATA), words[i]);
        const double notes = amount_after(reading_text(g, COLUMN_NOTES), words[i]);
        if (data > 0 || notes > 0) {
            return data > 0 ? data : notes;
        }
    }
    return 0;
}

static const char *read_transformer(struct reading *g)
{
    struct speed_setting *s = &g->row->setting;
    const char *words = reading_text(g, COLUMN_PARAMS);
    const bool encoder = reading_says(g, COLUMN_MODEL, "bert");
    bool scaled;
    const bool experts = strcasestr(words, "act") != NULL;
    const double active = experts ? amount_before(words, "act") : amount_at(words, &scaled);
    const double all = experts ? amount_largest(words) : active;
    const struct model_preset *preset = find_preset(g, all);
    if (!(all > 0) || !(active > 0)) {
        return "no number of parameters";
    }
    const struct model_spec spec = {.class = encoder ? MODEL_ENCODER : MODEL_LLM,
                                    .parameters = stated(all),
                                    .active_parameters = stated(active),
                                    .sequence = stated(sequence_of(g)),
                                    .precision = -1};
    if (encoder && !spec.sequence.given) {
        return "no sequence length";
    }
    s->model = model_shape_resolve(&spec, preset, NULL);
    s->unit = encoder ? SPEED_UNIT_SAMPLE : SPEED_UNIT_TOKEN;
    return NULL;
}

const char *subject_read_model(struct reading *g)
{
    struct speed_setting *s = &g->row->setting;
    const struct model_preset *net = find_preset(g, 0);
    if (net != NULL && net->class == MODEL_CNN) {
        const struct model_spec spec = {.class = -1, .precision = -1};
        if (reading_says(g, COLUMN_DATA, "cifar")) {
            return "images of another size, in a net of its own design: no FLOPs per sample";
        }
        s->model = model_shape_resolve(&spec, net, NULL);
        s->unit = SPEED_UNIT_SAMPLE;
        return NULL;
    }
    const char *foreign = foreign_model(g);
    return foreign != NULL ? foreign
           : is_of_text(g) ? read_transformer(g)
                           : "no FLOPs per sample: neither text nor a net of the catalogue";
}

/* ---- what it runs on ---- */

const char *subject_read_chip(struct reading *g)
{
    return published_chip_find(reading_text(g, COLUMN_GPU_MODEL), reading_text(g, COLUMN_INSTANCE),
                               g->catalogue, &g->row->chip);
}

const char *subject_read_precision(struct reading *g)
{
    static const struct {
        const char *word;
        enum precision precision;
    } words[] = {{"fp8", PRECISION_FP8},   {"tf32", PRECISION_TF32},  {"bf16", PRECISION_BF16},
                 {"fp16", PRECISION_FP16}, {"mixed", PRECISION_FP16}, {"fp32", PRECISION_FP32}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (reading_says(g, COLUMN_PRECISION, words[i].word)) {
            g->row->setting.precision = words[i].precision;
            return NULL;
        }
    }
    return "no precision";
}
