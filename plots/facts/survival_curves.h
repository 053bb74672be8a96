/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pairs of survival curves, read from the table survival: up times as they are seen, and what a
 * model makes of them. */
#ifndef FLEETCAST_PLOTS_SURVIVAL_CURVES_H
#define FLEETCAST_PLOTS_SURVIVAL_CURVES_H

#include "engine/diagnostics.h"
#include "engine/table.h"

#include <stdbool.h>
#include <stddef.h>

#define SURVIVAL_POINTS_MAX 256
#define SURVIVAL_PAIRS_MAX  3

struct survival_curve {
    size_t count;
    double hours[SURVIVAL_POINTS_MAX], share[SURVIVAL_POINTS_MAX];
    double low[SURVIVAL_POINTS_MAX], high[SURVIVAL_POINTS_MAX]; /* NaN: none */
    double runs;
};

struct survival_pair {
    const char *zone, *type;
    double nodes;
    bool fitted; /* trace against its fit; else simulated against planned */
    struct survival_curve seen, model;
    /* The hour at which the two lie farthest apart, and both there. */
    double apart, at_hours, seen_share, model_share;
};

struct survival_pairs {
    size_t count, of; /* read, and in the table: pools that have both curves */
    struct survival_pair pair[SURVIVAL_PAIRS_MAX];
};

/* False, with an error in d, when a column is absent. Large: not for the stack. */
bool survival_pairs_read(struct survival_pairs *p, const struct table *t, struct diagnostics *d);

#endif
