/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/training_rows.h"

#include "tests/support/training_subject.h"
#include "tests/support/worded_amounts.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAY_S             86400.0
#define IMAGENET_IMAGES   1281167.0 /* ILSVRC 2012, training */
#define NODE_ACCELERATORS 8.0

const char *const training_columns[] = {
    "id",        "kind",   "model", "params", "data",   "gpu_model", "gpu_count", "aws_equiv",
    "precision", "metric", "value", "unit",   "spread", "source",    "notes",     NULL};

const char *reading_text(const struct reading *g, enum training_column c)
{
    return csv_text(g->csv, (size_t)c);
}

bool reading_says(const struct reading *g, enum training_column c, const char *words)
{
    return strcasestr(reading_text(g, c), words) != NULL;
}

/* Shares of real tokens in Wikipedia sequences of 512 (Krell et al., arXiv 2107.02027): MLPerf
 * submissions leave the padding out; others do in part. */
static double real_share(const struct reading *g)
{
    const struct model_shape *m = &g->row->setting.model;
    if (m->class != MODEL_ENCODER || m->sequence < 512) {
        return 1;
    }
    return reading_says(g, COLUMN_SOURCE, "training_results") ? 0.5 : 0.65;
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

/* No language model was measured on chips of 2022 and later without fused attention (arXiv
 * 2205.14135, 2022). */
static bool after_fused_attention(const struct reading *g)
{
    const char *date = g->row->chip.date;
    return g->row->setting.model.class == MODEL_LLM && date != NULL &&
           strtol(date, NULL, 10) >= 2022;
}

/* What the source runs, as its own description says it: fused attention and optimizer and a fast
 * input pipeline, or not. The first that matches counts. */
static enum speed_stack read_stack(const struct reading *g)
{
    static const struct {
        const char *words;
        enum speed_stack stack;
    } stacks[] = {
        {"llm-foundry", STACK_TUNED},
        {"training_results_v", STACK_TUNED}, /* MLPerf */
        {"llm.c", STACK_TUNED},
        {"megatron-core", STACK_TUNED},
        {"nemo", STACK_TUNED},
        {"transformerengine", STACK_TUNED},
        {"torchtitan", STACK_TUNED},
        {"mxnet", STACK_TUNED},
        {"pytorch/languagemodeling/bert", STACK_TUNED}, /* fused LAMB and layer norm */
        {"deeplearningexamples", STACK_PLAIN},
        {"megatron-lm", STACK_PLAIN},
        {"deepspeed", STACK_PLAIN},
        {"smith et al. 2022", STACK_PLAIN},
        {"bigscience", STACK_PLAIN},
        {"metaseq", STACK_PLAIN},
        {"opt paper", STACK_PLAIN},
        {"tensorflow", STACK_PLAIN},
        {"gavel", STACK_PLAIN},
    };
    for (size_t i = 0; i < sizeof stacks / sizeof stacks[0]; i++) {
        if (reading_says(g, COLUMN_SOURCE, stacks[i].words)) {
            return after_fused_attention(g) ? STACK_TUNED : stacks[i].stack;
        }
    }
    return STACK_UNSTATED;
}

/* Rows of one source share its repository, or its submitter, or its paper. */
static void read_source(const struct reading *g)
{
    const char *text = reading_text(g, COLUMN_SOURCE);
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

/* Units of the whole run; 0: not stated. */
static double whole_work(const struct reading *g)
{
    const struct speed_setting *s = &g->row->setting;
    const char *data = reading_text(g, COLUMN_DATA);
    bool scaled;
    if (s->model.class == MODEL_CNN) {
        return reading_says(g, COLUMN_DATA, "imagenet")
                   ? amount_before(data, "epochs") * IMAGENET_IMAGES
                   : 0;
    }
    if (s->model.class == MODEL_ENCODER) {
        return amount_before(data, "seqs");
    }
    if (strcasestr(data, "up to") != NULL || strcasestr(data, "per iteration") != NULL) {
        return 0;
    }
    const double steps = amount_of_steps(data), tokens = amount_before(data, "tok");
    const double first = amount_at(data, &scaled);
    return steps > 0 ? steps : tokens > 0 ? tokens : scaled ? first : 0;
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
    s->campaign = (accelerator_hours || time_s > DAY_S) && !reading_says(g, COLUMN_UNIT, "ideal") &&
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
    const char *data = reading_text(g, COLUMN_DATA);
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

/* Work per second in one of the unit's: by its first word. */
static double rate_unit(const struct reading *g)
{
    const struct speed_setting *s = &g->row->setting;
    const char *unit = reading_text(g, COLUMN_UNIT);
    bool assumed;
    const double flops = speed_flops_per_unit(&s->model, s->unit, s->real_share, false, &assumed);
    /* Recomputation adds a forward pass: 8 for 6. */
    const double model_share = strcasestr(unit, "recompute") != NULL ? 6.0 / 8 : 1;
    const bool images = s->model.class == MODEL_CNN;
    const bool sequences = strncasecmp(unit, "seq", 3) == 0 || strncasecmp(unit, "sample", 6) == 0;
    if (strncasecmp(unit, "tflop", 5) == 0 || strncasecmp(unit, "pflop", 5) == 0) {
        return (tolower((unsigned char)unit[0]) == 't' ? 1e12 : 1e15) * model_share / flops;
    }
    if (unit[0] == '%') {
        return g->row->chip.peak_flops[s->precision] / flops / 100;
    }
    if (strcasestr(unit, "steps/s") != NULL) {
        return amount_after(reading_text(g, COLUMN_MODEL), "bs");
    }
    if (images) {
        return strncasecmp(unit, "im", 2) == 0 || sequences ? 1 : 0;
    }
    if (sequences) {
        return s->unit == SPEED_UNIT_SAMPLE ? 1 : s->model.sequence;
    }
    return strncasecmp(unit, "tok", 3) == 0 && s->unit == SPEED_UNIT_TOKEN ? 1 : 0;
}

/* A rate as it stands, of the job or of each accelerator. */
static const char *read_rate(struct reading *g)
{
    static const char *const each[] = {"/gpu", "per gpu", "/device", "/accelerator", "/chip"};
    const char *unit = reading_text(g, COLUMN_UNIT);
    bool per_chip = unit[0] == '%';
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
        per_chip = per_chip || strcasestr(unit, each[i]) != NULL;
    }
    g->row->units_per_s =
        g->measured * rate_unit(g) * (per_chip ? g->row->setting.accelerators : 1);
    return g->row->units_per_s > 0 ? NULL : "a unit that says no rate of this work";
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
    double batch = amount_after(reading_text(g, COLUMN_DATA), "gbs");
    if (!(batch > 0)) {
        batch = amount_after(reading_text(g, COLUMN_SPREAD), "gb");
    }
    if (!(batch > 0)) {
        batch = amount_after(reading_text(g, COLUMN_MODEL), "bs") * s->accelerators;
    }
    s->batch = batch;
    const double ways = amount_after(reading_text(g, COLUMN_NOTES), "model-parallel size");
    if (ways > 1) {
        s->tensor = fmin(ways, NODE_ACCELERATORS);
        s->pipeline = ways / s->tensor;
    } else if (batch < s->accelerators) {
        s->batch = 0; /* some ways must be model-parallel, and which is not said */
    }
    s->micro_batch = amount_after(reading_text(g, COLUMN_DATA), "mbs");
}

static const char *read_count(struct reading *g)
{
    struct speed_setting *s = &g->row->setting;
    const char *count = reading_text(g, COLUMN_GPU_COUNT);
    bool scaled;
    s->accelerators = amount_at(count, &scaled);
    if (s->accelerators >= 1 && strchr(count, '/') == NULL) {
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
                                             .speed_factor = 1,
                                             .loader_units_per_s = HUGE_VAL}};
    snprintf(row->id, sizeof row->id, "%s", reading_text(&g, COLUMN_ID));
    snprintf(row->metric, sizeof row->metric, "%s", reading_text(&g, COLUMN_METRIC));
    row->wanted = is_wanted(row->metric);
    read_source(&g);
    bool scaled;
    g.measured = amount_at(reading_text(&g, COLUMN_VALUE), &scaled);
    g.seconds = seconds_of_unit(reading_text(&g, COLUMN_UNIT));
    const char *(*const steps[])(struct reading *) = {subject_read_model, subject_read_chip,
                                                      subject_read_precision, read_count};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const char *reason = steps[i](&g);
        if (reason != NULL) {
            return reason;
        }
    }
    row->setting.stack = read_stack(&g);
    row->setting.real_share = real_share(&g);
    read_batch(&g);
    row->setting.small_batch = reading_says(&g, COLUMN_MODEL, "fine-tun") &&
                               row->setting.batch < SPEED_SMALL_BATCH * row->setting.accelerators;
    read_links(&g);
    if (!(g.measured > 0)) {
        return "no value";
    }
    const char *reason = read_measurement(&g);
    return reason != NULL ? reason : check_possible(&g);
}
