/* SPDX-License-Identifier: GPL-3.0-or-later
 * Mean and a few quantiles of a column of worlds, for tables of many short rows that show no
 * intervals. */
#ifndef FLEETCAST_SCENARIOS_WORLD_QUANTILES_H
#define FLEETCAST_SCENARIOS_WORLD_QUANTILES_H

#include <stdbool.h>
#include <stddef.h>

struct world_quantiles {
    double mean;                    /* NaN when any value is censored, or there is none */
    double p10, p25, p50, p75, p90; /* NaN where censoring makes them unknowable */
};

/* n values, none of them NaN; censored as in engine/statistics.h, may be NULL. False when out of
 * memory. */
bool world_quantiles(struct world_quantiles *q, const double *values, const unsigned char *censored,
                     size_t n);

#endif
