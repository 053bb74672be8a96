/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/training_reasons.h"

#include "models/training/training_work.h"

#include <math.h>
#include <stdio.h>

static const double GIB = 1073741824.0;

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

/* ---- all of it ---- */

void training_reasons(const struct work_plan *plan, work_reason_row *row, void *context)
{
    const struct training_plan *p = training_plan_of(plan);
    struct reason_sink to = {.row = row, .context = context};
    if (p->memory.checked) {
        to.part = "GPU memory";
        say_gpu(&to, &p->memory);
    }
    if (p->memory.host.need_bytes > 0) {
        to.part = "host memory";
        say_host(&to, &p->memory.host);
    }
}
