/* SPDX-License-Identifier: GPL-3.0-or-later
 * One value per world while a row of a table is made, and which worlds were cut off. */
#ifndef FLEETCAST_SCENARIOS_WORLD_VALUES_H
#define FLEETCAST_SCENARIOS_WORLD_VALUES_H

#include "scenarios/study/results.h"

#include <stdbool.h>
#include <stddef.h>

struct world_values {
    size_t n;
    double *values;
    unsigned char *censored;
    size_t cut; /* censored ones */
};

/* False when out of memory; world_values_release is due in any case. */
bool world_values_init(struct world_values *w, size_t n);
void world_values_release(struct world_values *w);
/* Marks the worlds in which this workload was cut off at the horizon. */
void world_values_mark_cut(struct world_values *w, const struct results *r, size_t strategy,
                           size_t workload);

#endif
