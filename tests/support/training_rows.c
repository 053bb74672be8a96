/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/training_rows.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAY_S             86400.0
#define IMAGENET_IMAGES   1281167.0 /* ILSVRC 2012, training */
#define NODE_ACCELERATORS 8.0

const char *const training_columns[] = {"id",        "kind",      "model",     "params", "data",
                                        "gpu_model", "gpu_count", "precision", "metric", "value",
                                        "unit",      "spread",    "source",    "notes",  NULL};

/* What a line says, and what has been understood of it so far. */
struct reading {
    struct csv_reader *csv;
    const struct catalogue *catalogue;
    struct training_row *row;
    double measured; /* the value as it stands */
    double seconds;  /* of the unit, where it is one of time; else 0 */
    bool encoder_pretraining;
};

static const char *text_of(const struct reading *g, enum training_column c)
{
    return csv_text(g->csv, (size_t)c);
}

static bool says(const struct reading *g, enum training_column c, const char *words)
{
    return strcasestr(text_of(g, c), words) != NULL;
}

/* ---- amounts in words ---- */

static double scale_of(char letter)
{
    switch (letter) {
    case 'k':
    case 'K':
        return 1e3;
    case 'M':
        return 1e6;
    case 'B':
        return 1e9;
    case 'T':
        return 1e12;
    default:
        return 0;
    }
}

/* "2.40M", "1.0T", "512" at the beginning; 0: none. A letter counts only at the end of a word. */
static double amount_at(const char *text, bool *scaled)
{
    char *end;
    *scaled = false;
    if (!isdigit((unsigned char)*text)) {
        return 0;
    }
    const double value = strtod(text, &end);
    const double scale =
        isalnum((unsigned char)end[0]) && isalnum((unsigned char)end[1]) ? 0 : scale_of(end[0]);
    *scaled = scale > 0;
    return value * (*scaled ? scale : 1);
}

static double amount_after(const char *text, const char *word)
{
    bool scaled;
    for (const char *at = strcasestr(text, word); at != NULL; at = strcasestr(at + 1, word)) {
        if (at > text && isalpha((unsigned char)at[-1])) {
            continue; /* "mbs" is no "bs" */
        }
        const char *number = at + strlen(word);
        number += strspn(number, " =");
        const double value = amount_at(number, &scaled);
        if (value > 0) {
            return value;
        }
    }
    return 0;
}

static double amount_before(const char *text, const char *word)
{
    bool scaled;
    const char *at = strcasestr(text, word);
    if (at == NULL || at == text) {
        return 0;
    }
    while (at > text && at[-1] == ' ') {
        at--;
    }
    while (at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '.')) {
        at--;
    }
    return amount_at(at, &scaled);
}

/* ---- what is trained ---- */

/* Nets for which 6 FLOPs per parameter and token mean nothing, and what is missing. */
static const char *foreign_model(const struct reading *g)
{
    static const char *const names[] = {
        "transformer-xl", "transformer", "lstm", "rnn",   "ncf", "dlrm", "diffusion",
        "recommend",      "gnmt",        "unet", "u-net", "ssd", "mask"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (says(g, COLUMN_MODEL, names[i])) {
            return "no FLOPs per sample: a class without measured rows";
        }
    }
    return NULL;
}

struct net {
    const char *name;
    double gmac;       /* multiply-adds of a forward pass at 224 pixels, 1e9 (torchvision) */
    double parameters; /* likewise */
};

static const struct net *find_net(const struct reading *g)
{
    static const struct net nets[] = {{"resnet152", 11.6, 60.2e6}, {"resnet101", 7.8, 44.5e6},
                                      {"resnet50", 4.1, 25.6e6},   {"resnet34", 3.67, 21.8e6},
                                      {"resnet18", 1.8, 11.7e6},   {"vgg16", 15.5, 138.4e6}};
    char plain[128] = "";
    size_t n = 0;
    for (const char *c = text_of(g, COLUMN_MODEL); *c != '\0' && n + 1 < sizeof plain; c++) {
        if (isalnum((unsigned char)*c)) {
            plain[n++] = (char)tolower((unsigned char)*c);
        }
    }
    for (size_t i = 0; i < sizeof nets / sizeof nets[0]; i++) {
        const char *at = strstr(plain, nets[i].name);
        if (at != NULL && (at[strlen(nets[i].name)] < '0' || at[strlen(nets[i].name)] > '9')) {
            return &nets[i];
        }
    }
    return NULL;
}

static struct number stated(double value)
{
    struct number n = NUMBER_CERTAIN(value);
    n.given = value > 0;
    return n;
}

static const char *read_transformer(struct reading *g)
{
    struct speed_setting *s = &g->row->setting;
    bool scaled;
    const bool encoder = says(g, COLUMN_MODEL, "bert");
    const char *words = text_of(g, COLUMN_PARAMS);
    struct model_spec spec = {.class = encoder ? MODEL_ENCODER : MODEL_LLM, .precision = -1};
    const double parameters = amount_at(words, &scaled);
    if (!(parameters > 0)) {
        return "no number of parameters";
    }
    const double all = strstr(words, "act") != NULL && strchr(words, '/') != NULL
                           ? amount_at(strchr(words, '/') + 1, &scaled)
                           : parameters;
    spec.parameters = stated(all);
    spec.active_parameters = stated(parameters);
    double sequence = amount_after(text_of(g, COLUMN_DATA), "seqs of");
    if (!(sequence > 0)) {
        sequence = amount_after(text_of(g, COLUMN_DATA), "seq ");
    }
    spec.sequence = stated(sequence);
    if (encoder && !(sequence > 0)) {
        return "no sequence length";
    }
    s->model = model_shape_resolve(
        &spec, encoder ? catalogue_model(g->catalogue, "bert-large") : NULL, NULL);
    s->unit = encoder ? SPEED_UNIT_SAMPLE : SPEED_UNIT_TOKEN;
    return NULL;
}

static const char *read_model(struct reading *g)
{
    struct speed_setting *s = &g->row->setting;
    const struct net *net = find_net(g);
    if (net != NULL && says(g, COLUMN_DATA, "cifar")) {
        return "images of another size, in a net of its own design: no FLOPs per sample";
    }
    if (net != NULL) {
        s->model = (struct model_shape){.class = MODEL_CNN,
                                        .gmac = net->gmac,
                                        .parameters = net->parameters,
                                        .active_parameters = net->parameters,
                                        .trained_parameters = net->parameters,
                                        .precision = -1};
        s->unit = SPEED_UNIT_SAMPLE;
        return NULL;
    }
    const char *foreign = foreign_model(g);
    return foreign != NULL ? foreign : read_transformer(g);
}

/* Shares of real tokens in Wikipedia sequences of 512 (Krell et al., arXiv 2107.02027): MLPerf
 * submissions leave the padding out; others do in part. */
static double real_share(const struct reading *g)
{
    const struct model_shape *m = &g->row->setting.model;
    if (m->class != MODEL_ENCODER || m->sequence < 512) {
        return 1;
    }
    return says(g, COLUMN_SOURCE, "training_results") ? 0.5 : 0.65;
}

/* ---- what it runs on ---- */

/* Data sheets of accelerators that no instance of the catalogue has. */
static const struct accelerator others[] = {
    {.name = "P100",
     .full_name = "NVIDIA P100",
     .peak_flops = {[PRECISION_FP32] = 9.3e12},
     .memory_bandwidth_bytes_per_s = 732e9,
     .date = "2016"},
    {.name = "A30",
     .full_name = "NVIDIA A30",
     .peak_flops = {[PRECISION_FP32] = 10.3e12,
                    [PRECISION_TF32] = 82e12,
                    [PRECISION_FP16] = 165e12,
                    [PRECISION_BF16] = 165e12},
     .memory_bandwidth_bytes_per_s = 933e9,
     .date = "2021"},
};

/* The accelerator's name, up to its memory, as a word of the text; *exact: with its memory. */
static bool names_chip(const char *text, const char *name, bool *exact)
{
    const size_t length = strcspn(name, "-");
    *exact = name[length] == '\0' || strstr(text, name + length + 1) != NULL;
    char base[32];
    snprintf(base, sizeof base, "%.*s", (int)length, name);
    for (const char *at = strstr(text, base); at != NULL; at = strstr(at + 1, base)) {
        const bool begins = at == text || !isalnum((unsigned char)at[-1]);
        if (begins && !isalnum((unsigned char)at[length])) {
            return true;
        }
    }
    return false;
}

static const char *read_chip(struct reading *g)
{
    const char *text = text_of(g, COLUMN_GPU_MODEL);
    const struct accelerator *found = NULL;
    bool exact, settled = false;
    if (strchr(text, '/') != NULL) {
        return "two kinds of accelerators";
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (names_chip(text, others[i].name, &exact)) {
            g->row->chip = others[i];
            return NULL;
        }
    }
    for (size_t i = 0; i < catalogue_types(g->catalogue); i++) {
        const struct accelerator *a = catalogue_type_at(g->catalogue, i)->accelerator;
        if (a == NULL || a == found || !names_chip(text, a->name, &exact)) {
            continue;
        }
        settled = settled || exact;
        if (found == NULL || exact) {
            found = a;
        } else if (!settled &&
                   found->memory_bandwidth_bytes_per_s < a->memory_bandwidth_bytes_per_s) {
            return "an accelerator of several memories: which is not said";
        }
    }
    if (found == NULL) {
        return "an accelerator that the catalogue does not know";
    }
    if (strcasestr(text, "pcie") != NULL && strstr(found->full_name, "SXM") != NULL) {
        return "a PCIe variant that the catalogue does not know";
    }
    g->row->chip = *found;
    return NULL;
}

static const char *read_precision(struct reading *g)
{
    static const struct {
        const char *word;
        enum precision precision;
    } words[] = {{"fp8", PRECISION_FP8},   {"tf32", PRECISION_TF32},  {"bf16", PRECISION_BF16},
                 {"fp16", PRECISION_FP16}, {"mixed", PRECISION_FP16}, {"fp32", PRECISION_FP32}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (says(g, COLUMN_PRECISION, words[i].word)) {
            g->row->setting.precision = words[i].precision;
            return NULL;
        }
    }
    return "no precision";
}

/* The widest network of the catalogue's instances with this accelerator; else what is of no use. */
static void read_links(struct reading *g)
{
    struct speed_setting *s = &g->row->setting;
    const struct instance_type *best = NULL;
    for (size_t i = 0; i < catalogue_types(g->catalogue); i++) {
        const struct instance_type *t = catalogue_type_at(g->catalogue, i);
        if (t->accelerator != NULL && strcmp(t->accelerator->name, g->row->chip.name) == 0 &&
            (best == NULL || t->network_bytes_per_s > best->network_bytes_per_s)) {
            best = t;
        }
    }
    const struct instance_type plain = {.accelerator = &g->row->chip};
    bool assumed;
    s->links = (struct interconnect){
        .per_node = fmin(NODE_ACCELERATORS, s->accelerators),
        .inside_bytes_per_s = chip_link_bytes_per_s(best != NULL ? best : &plain, &assumed),
        .between_bytes_per_s =
            (best != NULL ? best->network_bytes_per_s : 12.5e9) / NODE_ACCELERATORS};
}

/* ---- software ---- */

/* What the source runs, as its own description says it: fused attention and optimizer and a fast
 * input pipeline, or not. The first that matches counts. */
static enum speed_stack read_stack(const struct reading *g)
{
    static const struct {
        const char *words;
        enum speed_stack stack;
    } stacks[] = {
        {"llm-foundry", STACK_TUNED},
        {"training_results_v", STACK_TUNED},
        {"llm.c", STACK_TUNED},
        {"megatron-core", STACK_TUNED},
        {"megatron-lm readme @d98e", STACK_TUNED},
        {"mxnet", STACK_TUNED},
        {"pytorch/languagemodeling/bert", STACK_TUNED},
        {"deeplearningexamples", STACK_PLAIN},
        {"megatron-lm", STACK_PLAIN},
        {"smith et al. 2022", STACK_PLAIN},
        {"bigscience", STACK_PLAIN},
        {"metaseq", STACK_PLAIN},
        {"opt paper", STACK_PLAIN},
        {"gavel", STACK_PLAIN},
    };
    for (size_t i = 0; i < sizeof stacks / sizeof stacks[0]; i++) {
        if (says(g, COLUMN_SOURCE, stacks[i].words)) {
            return stacks[i].stack;
        }
    }
    return STACK_UNSTATED;
}

/* Rows of one source share its repository, or its submitter, or its paper. */
static void read_source(const struct reading *g)
{
    const char *text = text_of(g, COLUMN_SOURCE);
    size_t length = strcspn(text, "@,[");
    const char *results = strstr(text, "/results");
    const char *paren = strstr(text, " (");
    if (results != NULL) {
        length = (size_t)(results - text);
    } else if (paren != NULL && (size_t)(paren - text) < length) {
        length = (size_t)(paren - text);
    }
    snprintf(g->row->source, sizeof g->row->source, "%.*s", (int)length, text);
    if (strstr(text, "DeepLearningExamples") != NULL && strchr(text, ' ') != NULL) {
        snprintf(g->row->source, sizeof g->row->source, "DeepLearningExamples%s",
                 strchr(text, ' '));
    }
}

/* ---- how much, and how fast ---- */

static double unit_seconds(const char *unit)
{
    static const struct {
        const char *begins;
        double seconds;
    } units[] = {{"seconds", 1}, {"s/", 1}, {"minutes", 60}, {"hours", 3600}, {"days", DAY_S}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strncmp(unit, units[i].begins, strlen(units[i].begins)) == 0) {
            return units[i].seconds;
        }
    }
    return 0;
}

/* Units of the whole run; 0: not stated. */
static double whole_work(const struct reading *g)
{
    const struct speed_setting *s = &g->row->setting;
    const char *data = text_of(g, COLUMN_DATA);
    bool scaled;
    if (s->model.class == MODEL_CNN) {
        return says(g, COLUMN_DATA, "imagenet") ? amount_before(data, "epochs") * IMAGENET_IMAGES
                                                : 0;
    }
    if (s->model.class == MODEL_ENCODER) {
        return amount_before(data, "seqs");
    }
    if (strcasestr(data, "up to") != NULL || strcasestr(data, "per iteration") != NULL) {
        return 0;
    }
    const double tokens = amount_before(data, "tokens");
    const double first = amount_at(data + strspn(data, "~ "), &scaled);
    return tokens > 0 ? tokens : scaled ? first : 0;
}

static const char *read_whole_run(struct reading *g)
{
    struct speed_setting *s = &g->row->setting;
    const double work = whole_work(g);
    const bool accelerator_hours = strcmp(g->row->metric, "gpu_hours") == 0;
    const double time_s = g->measured * (accelerator_hours ? 3600 / s->accelerators : g->seconds);
    if (!(work > 0)) {
        return "the work is not stated, or not as tokens, sequences or epochs of a known set";
    }
    /* A run of days has restarts, evaluation and idle time in it, unless it says not. */
    s->campaign = (accelerator_hours || time_s > DAY_S) && !says(g, COLUMN_UNIT, "ideal") &&
                  s->model.class == MODEL_LLM;
    if (s->campaign && s->stack == STACK_UNSTATED) {
        s->stack = STACK_TUNED; /* the factor of campaigns is of all software together */
    }
    g->row->units_per_s = work / time_s;
    return NULL;
}

static const char *read_iteration(struct reading *g)
{
    const struct speed_setting *s = &g->row->setting;
    const char *data = text_of(g, COLUMN_DATA);
    double units = strcasestr(data, "per iteration") != NULL ? amount_before(data, "tokens") : 0;
    if (!(units > 0) && s->batch > 0 && s->model.sequence > 0) {
        units = s->batch * s->model.sequence;
    }
    if (!(units > 0)) {
        return "no batch, or no sequence length: the work of an iteration is not stated";
    }
    g->row->units_per_s = units / (g->measured * g->seconds);
    return NULL;
}

/* A rate as it stands, by its unit. */
static const char *read_rate(struct reading *g)
{
    const struct speed_setting *s = &g->row->setting;
    const char *unit = text_of(g, COLUMN_UNIT);
    bool assumed;
    const double flops = speed_flops_per_unit(&s->model, s->unit, s->real_share, false, &assumed);
    double rate = 0;
    if (strncmp(unit, "img/s", 5) == 0 || strncmp(unit, "seq/s", 5) == 0 ||
        strcmp(unit, "tokens/s") == 0) {
        rate = g->measured;
    } else if (strncmp(unit, "tokens/s/GPU", 12) == 0) {
        rate = g->measured * s->accelerators;
    } else if (strncmp(unit, "TFLOP/s/GPU", 11) == 0) {
        /* Recomputation adds a forward pass: 8 for 6. */
        const double model_share = strstr(unit, "recompute") != NULL ? 6.0 / 8 : 1;
        rate = g->measured * 1e12 * model_share / flops * s->accelerators;
    } else if (strcmp(unit, "%") == 0) {
        rate = g->measured / 100 * g->row->chip.peak_flops[s->precision] / flops * s->accelerators;
    } else if (strstr(unit, "steps/s") != NULL) {
        rate = g->measured * amount_after(text_of(g, COLUMN_MODEL), "bs");
    }
    if (!(rate > 0)) {
        return "a unit that says no rate of this work";
    }
    g->row->units_per_s = rate;
    return NULL;
}

static const char *read_measurement(struct reading *g)
{
    const char *metric = g->row->metric;
    if (strcmp(metric, "time_to_accuracy") == 0) {
        return "a race to an accuracy, where the size of images may change on the way";
    }
    if (strcmp(metric, "iteration_time") == 0) {
        return read_iteration(g);
    }
    if (g->seconds > 0 || strcmp(metric, "gpu_hours") == 0) {
        return read_whole_run(g);
    }
    return read_rate(g);
}

/* Samples of a step, where the row says so: of the job ("gbs", "gb="), or of one ("bs"). */
static void read_batch(struct reading *g)
{
    struct speed_setting *s = &g->row->setting;
    double batch = amount_after(text_of(g, COLUMN_DATA), "gbs");
    if (!(batch > 0)) {
        batch = amount_after(text_of(g, COLUMN_SPREAD), "gb");
    }
    if (!(batch > 0)) {
        batch = amount_after(text_of(g, COLUMN_MODEL), "bs") * s->accelerators;
    }
    s->batch = batch;
    const double ways = amount_after(text_of(g, COLUMN_NOTES), "model-parallel size");
    if (ways > 1) {
        s->tensor = fmin(ways, NODE_ACCELERATORS);
        s->pipeline = ways / s->tensor;
    } else if (batch < s->accelerators) {
        s->batch = 0; /* some ways must be model-parallel, and which is not said */
    }
    s->micro_batch = amount_after(text_of(g, COLUMN_DATA), "mbs");
}

static const char *read_count(struct reading *g)
{
    struct speed_setting *s = &g->row->setting;
    const char *count = text_of(g, COLUMN_GPU_COUNT);
    s->accelerators = strtod(count, NULL);
    if (s->accelerators >= 1) {
        return NULL;
    }
    /* Hours of all of them together need no count. */
    s->accelerators = 1;
    return strcmp(g->row->metric, "gpu_hours") == 0 && count[0] == '\0'
               ? NULL
               : "no number of accelerators";
}

static bool is_wanted(const char *metric)
{
    static const char *const wanted[] = {"throughput", "train_throughput", "iteration_time",
                                         "gpu_hours", "wall_time"};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        if (strcmp(metric, wanted[i]) == 0) {
            return true;
        }
    }
    return false;
}

static const char *check_possible(const struct reading *g)
{
    const struct speed_setting *s = &g->row->setting;
    bool assumed;
    const double flops = speed_flops_per_unit(&s->model, s->unit, s->real_share, false, &assumed);
    const double peak = g->row->chip.peak_flops[s->precision] * s->accelerators;
    return peak > 0 && g->row->units_per_s * flops > peak
               ? "the measurement lies above the accelerators' peak: something in it is wrong"
               : NULL;
}

const char *training_row_read(struct training_row *row, struct csv_reader *r,
                              const struct catalogue *c)
{
    struct reading g = {.csv = r, .catalogue = c, .row = row};
    *row = (struct training_row){.setting = {.real_share = 1,
                                             .tensor = 1,
                                             .pipeline = 1,
                                             .compute_factor = 1,
                                             .loader_units_per_s = HUGE_VAL}};
    snprintf(row->id, sizeof row->id, "%s", text_of(&g, COLUMN_ID));
    snprintf(row->metric, sizeof row->metric, "%s", text_of(&g, COLUMN_METRIC));
    row->wanted = is_wanted(row->metric);
    read_source(&g);
    row->setting.stack = read_stack(&g);
    g.measured = strtod(text_of(&g, COLUMN_VALUE), NULL);
    g.seconds = unit_seconds(text_of(&g, COLUMN_UNIT));
    const char *(*const steps[])(struct reading *) = {read_model, read_chip, read_precision,
                                                      read_count};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const char *reason = steps[i](&g);
        if (reason != NULL) {
            return reason;
        }
    }
    row->setting.small_batch = says(&g, COLUMN_MODEL, "fine-tun");
    row->setting.real_share = real_share(&g);
    read_batch(&g);
    read_links(&g);
    if (!(g.measured > 0)) {
        return "no value";
    }
    const char *reason = read_measurement(&g);
    return reason != NULL ? reason : check_possible(&g);
}
