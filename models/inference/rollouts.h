/* SPDX-License-Identifier: GPL-3.0-or-later
 * New versions of a service: when, and what stands beside it meanwhile. */
#ifndef FLEETCAST_MODELS_ROLLOUTS_H
#define FLEETCAST_MODELS_ROLLOUTS_H

#include "engine/schema.h"
#include "models/market/market.h"

#include <stdbool.h>
#include <stddef.h>

/* `rollouts: {every: 14d, extra: 100 %, takes: 30min}` of a service. */
struct rollouts_spec {
    struct number every;   /* seconds; absent: at the times of `at` only */
    const char *from;      /* the first; NULL: `every` after the service begins */
    struct schema_list at; /* const char *: moments */
    struct number extra;   /* share of the nodes that are there */
    struct number takes;   /* seconds */
    struct place from_place, at_place, place;
};
extern const struct schema rollouts_schema;

/* Resolved, before any world is drawn. Read only afterwards. */
struct rollouts_plan {
    const struct rollouts_spec *spec; /* NULL: there are none */
    double from_s;                    /* +infinity: `every` after the begin */
    const double *at_s;
    size_t at_count;
};
/* What is wrong is told at its key; false then. */
bool rollouts_plan_make(struct rollouts_plan *p, const struct rollouts_spec *spec,
                        const char *workload, const struct market_context *c);

#endif
