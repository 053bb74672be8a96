/* SPDX-License-Identifier: GPL-3.0-or-later
 * The drawn inputs of a run's worlds, input by input. They are drawn again rather than kept: a
 * function of seed and replication. */
#ifndef FLEETCAST_SCENARIOS_DRAWN_INPUTS_H
#define FLEETCAST_SCENARIOS_DRAWN_INPUTS_H

#include "scenarios/study/run.h"

#include <stddef.h>

struct drawn_inputs {
    size_t count, n; /* inputs, worlds */
    double *values;  /* [input][world] */
};

/* False when out of memory; drawn_inputs_release is due in any case. */
bool drawn_inputs_init(struct drawn_inputs *in, const struct run *run);
void drawn_inputs_release(struct drawn_inputs *in);

static inline const double *drawn_input(const struct drawn_inputs *in, size_t input)
{
    return in->values + input * in->n;
}

#endif
