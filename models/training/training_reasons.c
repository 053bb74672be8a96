/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/training_reasons.h"

#include "models/speed/chip_speed.h"
#include "models/speed/memory_options.h"
#include "models/training/training_work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double GIB = 1073741824.0;
/* Micro-batches beyond are not looked for. */
enum { LARGEST_BATCH = 1000000 };

/* Where rows go. */
struct reason_sink {
    work_reason_row *row;
    void *context;
    const char *part;
};

static void say(const struct reason_sink *to, const char *quantity, double value, const char *unit,
                const char *note)
{
    to->row(
        to->context,
        &(struct work_reason){
            .part = to->part, .quantity = quantity, .value = value, .unit = unit, .note = note});
}

/* ---- memory ---- */

static const char *layout_text(const struct memory_layout *l, char *out, size_t size)
{
    int at = snprintf(out, size, "zero %d, recompute %s, micro-batch %.0f", l->zero,
                      recompute_names[l->recompute], l->micro_batch);
    if (l->tensor > 1 || l->pipeline > 1) {
        snprintf(out + at, size - (size_t)at, ", tensor %.0f, pipeline %.0f", l->tensor,
                 l->pipeline);
    }
    return out;
}

static void say_gpu(const struct reason_sink *to, const struct training_memory *m)
{
    const struct gpu_memory *g = &m->gpu;
    char text[120];
    say(to, "layout", NAN, "", layout_text(&m->layout, text, sizeof text));
    for (int i = 0; i < MEMORY_TERM_COUNT; i++) {
        bool unknown = !g->activations_known && (i == MEMORY_ACTIVATIONS || i == MEMORY_LOGITS);
        if (unknown) {
            say(to, memory_term_names[i], NAN, "", "unknown: nothing stated gives their size");
        } else if (g->bytes[i] > 0) {
            say(to, memory_term_names[i], g->bytes[i] / GIB, "GiB",
                i == (int)g->binding ? "the largest" : NULL);
        }
    }
    say(to, "need", g->need_bytes / GIB, "GiB", g->activations_known ? NULL : "at least");
    snprintf(text, sizeof text, "usable; the need is %.0f %% of it", 100 * gpu_memory_share(g));
    say(to, "capacity", g->capacity_bytes / GIB, "GiB", text);
    if (g->activations_known) {
        say(to, "largest micro-batch",
            memory_largest_batch(&m->layout, m->device_bytes, LARGEST_BATCH), "samples",
            "that fits with all else as it is");
    }
}

static void say_host(const struct reason_sink *to, const struct host_memory *h)
{
    for (int i = 0; i < HOST_TERM_COUNT; i++) {
        if (h->bytes[i] > 0) {
            say(to, host_term_names[i], h->bytes[i] / GIB, "GiB", NULL);
        }
    }
    say(to, "capacity", h->capacity_bytes / GIB, "GiB", NULL);
}

/* ---- speed ---- */

static bool counts_tokens(const struct training_plan *p, const struct model_shape *shape)
{
    return p->spec->tokens.given || shape->class == MODEL_LLM;
}

static void say_peak(const struct reason_sink *to, const struct training_plan *p)
{
    const int precision = p->spec->model.precision;
    char text[96];
    const struct accelerator *a = p->type->accelerator;
    if (precision >= 0 && a != NULL && a->peak_flops[precision] > 0) {
        /* Some instances see a share of one accelerator only. */
        const double share = fmin(1, p->type->accelerator_count);
        snprintf(text, sizeof text, "dense %s of %s %s", precision_names[precision],
                 share < 1 ? "the share that a node has of one" : "one", p->type->accelerator_name);
        say(to, "peak", share * a->peak_flops[precision] / 1e12, "TFLOP/s", text);
    }
}

/* By the model's FLOPs and the measured rate. False when one of them is not known. */
static bool implied_mfu(const struct training_plan *p, const struct model_shape *shape,
                        double *flops, double *mfu)
{
    const int precision = p->spec->model.precision;
    const struct accelerator *a = p->type->accelerator;
    const struct training_spec *s = p->spec;
    const bool tokens = counts_tokens(p, shape);
    const double units = tokens && s->samples.given ? s->samples.median * shape->sequence
                         : s->tokens.given          ? s->tokens.median
                                                    : s->samples.median;
    bool assumed;
    *flops = shape->class == MODEL_OTHER
                 ? 0
                 : speed_flops_per_unit(shape, tokens ? SPEED_UNIT_TOKEN : SPEED_UNIT_SAMPLE,
                                        s->speed.real_share.median, true, &assumed);
    if (!(*flops > 0) || precision < 0 || a == NULL || !(a->peak_flops[precision] > 0) ||
        !(units > 0) || !(p->work.planned_work_s > 0) ||
        (p->speed != SPEED_THROUGHPUT && p->speed != SPEED_JOB_THROUGHPUT)) {
        return false;
    }
    *mfu = units * s->epochs.median * *flops / p->work.planned_work_s /
           (a->peak_flops[precision] * p->type->accelerator_count * p->work.nodes);
    return true;
}

static void say_measured(const struct reason_sink *to, const struct training_plan *p)
{
    const struct model_shape shape = model_shape_resolve(&p->spec->model, p->preset, NULL);
    double flops, mfu;
    if (implied_mfu(p, &shape, &flops, &mfu)) {
        say(to, "work", flops / 1e9, "GFLOP",
            counts_tokens(p, &shape) ? "a token, forward and backward"
                                     : "a sample, forward and backward");
        say_peak(to, p);
        say(to, "utilisation", 100 * mfu, "%", "of the peak, by the measured speed (MFU)");
    }
}

static void say_estimate(const struct reason_sink *to, const struct training_plan *p)
{
    const struct speed_estimate *e = &p->estimate;
    const struct model_shape shape = model_shape_resolve(&p->spec->model, p->preset, NULL);
    const double rate = p->speed == SPEED_MFU ? 0 : e->step.units_per_s;
    const bool tokens = counts_tokens(p, &shape);
    char text[96];
    say(to, "work", e->flops_per_unit / 1e9, "GFLOP",
        tokens ? "a token, forward and backward" : "a sample, forward and backward");
    say_peak(to, p);
    say(to, "utilisation", 100 * (p->speed == SPEED_MFU ? p->spec->mfu.median : e->mfu), "%",
        p->speed == SPEED_MFU ? "of the peak, as stated (MFU)"
                              : "of the peak, by the estimate (MFU)");
    if (rate > 0) {
        snprintf(text, sizeof text,
                 "of all accelerators; in 9 of 10 futures within a factor of %.3g",
                 exp(1.645 * e->sigma));
        say(to, "rate", rate, tokens ? "tokens/s" : "samples/s", text);
    }
}

/* Parts of the step; of one token or sample where the batch is not known. */
static void say_step(const struct reason_sink *to, const struct training_plan *p)
{
    const struct speed_estimate *e = &p->estimate;
    const struct step_time *t = &e->step;
    const bool known = e->question.units_per_step > 0;
    const double scale = known ? 1e3 : 1e6;
    const char *unit = known ? "ms" : "us";
    const struct {
        const char *name;
        double part_s;
        const char *note;
    } parts[] = {{"compute", t->compute_s, NULL},
                 {"memory traffic", t->traffic_s, NULL},
                 {"communication", t->exchange_s - t->hidden_s, "beyond what computing hides"},
                 {"delay", t->delay_s, "latency, for each doubling of the accelerators"},
                 {"bubble", t->bubble_s, "idle pipeline stages"}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i].part_s > 0) {
            say(to, parts[i].name, scale * parts[i].part_s, unit, parts[i].note);
        }
    }
    if (t->hidden_s > 0) {
        say(to, "hidden exchange", scale * t->hidden_s, unit, "behind the computing");
    }
    say(to, "whole", scale * t->step_s, unit,
        known ? "of an optimizer step"
              : "of one unit of work on one accelerator, as the batch is not stated");
    if (isfinite(e->loader_units_per_s)) {
        say(to, "loader", e->loader_units_per_s, "units/s", "that the input pipeline delivers");
    }
    say(to, "bottleneck", NAN, "", step_bound_names[t->bound]);
}

/* ---- as many nodes as it gets ---- */

static void say_elastic(const struct reason_sink *to, const struct training_plan *p)
{
    const struct training_memory *m = &p->least_memory;
    char text[120];
    say(to, "most nodes", p->work.nodes, "nodes", "that it asks for; the speed above is theirs");
    say(to, "fewest nodes", p->elastic.least, "nodes", "with fewer it waits");
    say(to, "speed on the fewest", 100 * elastic_pace(p, p->elastic.least, NULL), "%",
        "of that on all");
    if (m->checked && p->elastic.least < p->work.nodes) {
        snprintf(text, sizeof text, "on the fewest nodes, %s%.0f %% of what is usable; ",
                 m->gpu.activations_known ? "" : "at least ", 100 * gpu_memory_share(&m->gpu));
        size_t at = strlen(text);
        layout_text(&m->layout, text + at, sizeof text - at);
        say(to, "GPU memory", m->gpu.need_bytes / GIB, "GiB", text);
    }
}

/* ---- all of it ---- */

static void say_speed(struct reason_sink *to, const struct training_plan *p)
{
    to->part = "speed";
    if (p->speed == SPEED_MFU || p->speed == SPEED_ROOFLINE) {
        say_estimate(to, p);
    } else if (p->type != NULL) {
        say_measured(to, p);
    }
    if (p->speed == SPEED_ROOFLINE) {
        to->part = "step";
        say_step(to, p);
    }
}

void training_reasons(const struct work_plan *plan, work_reason_row *row, void *context)
{
    const struct training_plan *p = training_plan_of(plan);
    struct reason_sink to = {.row = row, .context = context};
    say_speed(&to, p);
    if (p->memory.checked) {
        to.part = "GPU memory";
        say_gpu(&to, &p->memory);
    }
    if (p->elastic.is && !p->elastic.whole) {
        to.part = "elastic";
        say_elastic(&to, p);
    }
    if (p->memory.host.need_bytes > 0) {
        to.part = "host memory";
        say_host(&to, &p->memory.host);
    }
}
