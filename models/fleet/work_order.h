/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which work begins when other work is done: a project as a graph without circles (`after` and
 * `delay` of a workload). The same for all strategies; settled before any plan is made.
 *
 * Planning walks it forwards for the earliest beginning of each workload, as the critical path
 * method does (Kelley and Walker, "Critical-path planning and scheduling", EJCC 1959). */
#ifndef FLEETCAST_MODELS_WORK_ORDER_H
#define FLEETCAST_MODELS_WORK_ORDER_H

#include "engine/inputs.h"
#include "engine/schema.h"
#include "models/market/market.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a workload says. */
struct order_spec {
    struct schema_list after; /* const char *: names of workloads */
    struct place after_place, delay_place;
    struct number delay; /* seconds */
};

/* The keys, for a schema whose struct has them at base (a struct order_spec). */
#define ORDER_KEYS(base)                                                                           \
    {.name = "after",                                                                              \
     .kind = SCHEMA_TEXTS,                                                                         \
     .list_or_one = true,                                                                          \
     .low = 0,                                                                                     \
     .high = 64,                                                                                   \
     .offset = (base) + offsetof(struct order_spec, after),                                        \
     .place_offset = (base) + offsetof(struct order_spec, after_place),                            \
     .help = "Workloads that must be done before it begins: a name or a list of them. Where one "  \
             "of them is not finished, it never begins."},                                         \
    {                                                                                              \
        .name = "delay", .kind = SCHEMA_NUMBER, .dimension = DIMENSION_SPAN, .low = 0,             \
        .high = 10 * 365.25 * 86400, .default_text = "0s",                                         \
        .offset = (base) + offsetof(struct order_spec, delay),                                     \
        .place_offset = (base) + offsetof(struct order_spec, delay_place),                         \
        .help = "How long after the last of `after` it begins."                                    \
    }

/* One workload: what it waits for. */
struct work_wait {
    const uint32_t *after; /* indices, each once */
    size_t count;          /* 0: it waits for nothing */
    const struct number *delay;
    bool followed; /* something waits for it */
};

/* Read only once it is made. */
struct work_order {
    size_t workloads;
    bool any;                 /* something waits for something */
    struct work_wait *waits;  /* workloads of them */
    const uint32_t *sequence; /* all workloads, each behind those that it waits for */
    double deadline_s;        /* of the project, from the scenario's start; +infinity: none */
    struct place deadline_place;
};

/* Of one workload, as the kind tells it. */
struct work_step {
    const char *name;
    const struct order_spec *spec; /* NULL: the kind has no end of its own, nor keys for an order */
};

/* In the context's arena. Unknown names, a workload after itself, circles and waiting for work
 * without an end are told at `after`. False when something is wrong or memory is out. */
bool work_order_make(struct work_order *o, const struct work_step *steps, size_t count,
                     const struct market_context *context);

/* When each workload would begin if nothing is ever lost: begins_s, one per workload, holds the
 * stated times of submission and is raised to what it waits for; lasts_s is how long each takes.
 * Delays are as planning sees them. */
void work_order_plan(const struct work_order *o, const double *lasts_s, double *begins_s);

#endif
