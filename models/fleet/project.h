/* SPDX-License-Identifier: GPL-3.0-or-later
 * The risk of the project as a whole, outside anybody's control and the same for every strategy: it
 * may be cancelled, start later than planned, or turn out larger. Keys at the top of the scenario;
 * all are numbers drawn once a world. Planning sees medians, and no cancellation. */
#ifndef FLEETCAST_MODELS_PROJECT_H
#define FLEETCAST_MODELS_PROJECT_H

#include "engine/inputs.h"
#include "engine/schema.h"
#include "models/market/market.h"

#include <stdbool.h>

struct cancel_spec {
    struct number probability; /* share */
    struct number at;          /* from the start; see number.months */
    struct place place;        /* of probability */
};

struct grow_spec {
    struct number work; /* share that comes on top of what is stated */
};

struct project_spec {
    struct cancel_spec cancel;
    struct place cancel_place;
    struct number slip; /* seconds; see number.months */
    struct grow_spec grow;
};
extern const struct schema cancel_schema, grow_schema;

/* Read only once it is made. */
struct project {
    struct project_spec spec;
    int64_t start_unix_s;
    bool cancels; /* in some world */
    int luck;     /* index of the uniform input that decides; -1: none */
};

/* Adds the input `cancel.luck` where a cancellation is possible. What is wrong is told in the
 * context's diagnostics. False when memory is out. */
bool project_make(struct project *p, const struct project_spec *spec,
                  const struct market_context *context);
/* When the project is cancelled; +infinity: not in this world, nor for planning (drawn NULL). */
double project_cancel_s(const struct project *p, const double *drawn);
/* How much later than stated all work is submitted. */
double project_slip_s(const struct project *p, const double *drawn);
/* Amount of finite work over what is stated. */
double project_work_factor(const struct project *p, const double *drawn);

#endif
