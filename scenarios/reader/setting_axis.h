/* SPDX-License-Identifier: GPL-3.0-or-later
 * Settings with several values, `path=a,b,c`, and their grid. A comma parts values only outside of
 * brackets and quotes, so that `uniform(2h, 4h)`, `[a, b]` and `"a,b"` are one value each; a value
 * is what stands behind `=` of an ordinary setting (settings.h), and is not looked into here. */
#ifndef FLEETCAST_SCENARIOS_SETTING_AXIS_H
#define FLEETCAST_SCENARIOS_SETTING_AXIS_H

#include "engine/arena.h"
#include "engine/diagnostics.h"

#include <stdbool.h>
#include <stddef.h>

struct setting_axis {
    const char *path;
    const char *const *values;
    size_t count;
};

/* In the arena. False, told, when there is no `=`, a bracket or quote is not closed, or a value is
 * empty or stands there twice. */
bool setting_axis_parse(struct setting_axis *out, const char *setting, struct arena *a,
                        struct diagnostics *d);

/* A grid: every value of each axis with every one of the others. */
struct setting_grid {
    const struct setting_axis *axes;
    size_t count;
    size_t points;
};
#define SETTING_GRID_MAX 1000

/* False, told, when a path is there twice or the grid has more than SETTING_GRID_MAX points. */
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
