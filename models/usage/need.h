/* SPDX-License-Identifier: GPL-3.0-or-later
 * How many nodes are needed at each time: a step function of the clock, resolved from what the
 * scenario says, and walked through stretch by stretch in a world.
 *
 * The need at t is floor(scale × (1 + grow) × n(t) + 1/2), where n(t) adds up the items that hold
 * at t, or is the profile's number of that hour (UTC), or that of the last row of the file at or
 * before t. Numbers that are uncertain are those of the world. A project that slips moves items,
 * files, and where the whole begins and ends; a profile stays with its hours. */
#ifndef FLEETCAST_MODELS_NEED_H
#define FLEETCAST_MODELS_NEED_H

#include "models/fleet/project.h"
#include "models/market/market.h"
#include "models/usage/usage_keys.h"

#include <stdbool.h>
#include <stdint.h>

enum need_shape { NEED_ITEMS, NEED_DAY, NEED_WEEK, NEED_FILE };

/* When an item of the list holds. */
struct need_span {
    double from_s, to_s;
};

struct need_plan {
    const struct usage_spec *spec;
    const struct project *project; /* NULL: it neither slips nor grows */
    enum need_shape shape;
    const struct need_span *spans; /* ITEMS: of each */
    int64_t start_unix_s;
    double from_s; /* nothing is needed before … */
    double end_s;  /* … and from here on; the horizon when it does not end before */
    bool ends;     /* it does */
    double stated_end_s, horizon_s; /* where it ends although the horizon may come before */
};

/* Tells what is wrong at its place. False then. */
bool need_plan_make(struct need_plan *p, const struct usage_spec *spec,
                    const struct project *project, const struct market_context *c);

/* No world needs more at a time. May pass what can be simulated. */
double need_most(const struct need_plan *p, const struct inputs *inputs);

/* A walk. Read only. */
struct need {
    const struct need_plan *plan;
    const double *drawn;
    double from_s, to_s; /* of the stretch: the need changes at to_s, or ends */
    uint32_t nodes;
    double slip_s, scale, end_s; /* of this world: how late, how large, and where it ends … */
    bool ends;                   /* … which is before the horizon */
};

/* Stands on the first stretch, which begins at the plan's from_s, or later where the project slips;
 * where that is past the end, on one without nodes. drawn NULL: as planning sees it. */
void need_begin(struct need *n, const struct need_plan *p, const double *drawn);
/* Goes on to the next one, which has another number of nodes. False at the end. */
bool need_next(struct need *n);

#endif
