/* SPDX-License-Identifier: GPL-3.0-or-later
 * A grid of settings: every value of each axis with every one of the others, the last axis running
 * fastest. Of `sweep`, whose axes are settings of the command line (setting_axis.h), and of
 * `search: over:`, whose axes are keys of a scenario (search_space.h). */
#ifndef FLEETCAST_SCENARIOS_SETTING_GRID_H
#define FLEETCAST_SCENARIOS_SETTING_GRID_H

#include "engine/arena.h"
#include "engine/diagnostics.h"

#include <stdbool.h>
#include <stddef.h>

struct setting_axis {
    const char *path;
    const char *const *values;
    size_t count;
};
/* Whether one of the values is this text. */
bool setting_axis_has(const struct setting_axis *axis, const char *value);

/* Borrows the axes. */
struct setting_grid {
    const struct setting_axis *axes;
    size_t count;
    size_t points;
};
#define SETTING_GRID_MAX 1000

/* The points are counted up to most + 1. */
struct setting_grid setting_grid_of(const struct setting_axis *axes, size_t count, size_t most);
/* For `sweep`. False, told, when a path is there twice or the grid has more than SETTING_GRID_MAX
 * points. */
bool setting_grid_make(struct setting_grid *g, const struct setting_axis *axes, size_t count,
                       struct diagnostics *d);
/* Which value of an axis a point has: the last axis runs fastest. */
size_t setting_grid_at(const struct setting_grid *g, size_t point, size_t axis);
static inline const char *setting_grid_value(const struct setting_grid *g, size_t point,
                                             size_t axis)
{
    return g->axes[axis].values[setting_grid_at(g, point, axis)];
}
/* The settings of a point, "path=value", one an axis, into out[g->count]; in the arena. False when
 * out of memory. */
bool setting_grid_settings(const struct setting_grid *g, size_t point, struct arena *a,
                           const char **out);

#endif
