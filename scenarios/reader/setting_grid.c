/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/setting_grid.h"

#include <string.h>

bool setting_axis_has(const struct setting_axis *axis, const char *value)
{
    for (size_t i = 0; i < axis->count; i++) {
        if (strcmp(axis->values[i], value) == 0) {
            return true;
        }
    }
    return false;
}

struct setting_grid setting_grid_of(const struct setting_axis *axes, size_t count, size_t most)
{
    struct setting_grid g = {.axes = axes, .count = count, .points = 1};
    for (size_t i = 0; i < count; i++) {
        g.points = axes[i].count > 0 && g.points > most / axes[i].count ? most + 1
                                                                        : g.points * axes[i].count;
    }
    return g;
}

bool setting_grid_make(struct setting_grid *g, const struct setting_axis *axes, size_t count,
                       struct diagnostics *d)
{
    const struct place nowhere = {0};
    *g = setting_grid_of(axes, count, SETTING_GRID_MAX);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (strcmp(axes[i].path, axes[k].path) == 0) {
                diagnostics_add(d, DIAGNOSTIC_ERROR, nowhere, "'%s' is swept twice", axes[i].path);
                return false;
            }
        }
    }
    if (g->points > SETTING_GRID_MAX) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, nowhere,
                        "the grid has more than %d points; give fewer values", SETTING_GRID_MAX);
        return false;
    }
    return true;
}

size_t setting_grid_at(const struct setting_grid *g, size_t point, size_t axis)
{
    for (size_t i = g->count; i-- > axis + 1;) {
        point /= g->axes[i].count;
    }
    return point % g->axes[axis].count;
}

bool setting_grid_settings(const struct setting_grid *g, size_t point, struct arena *a,
                           const char **out)
{
    for (size_t i = 0; i < g->count; i++) {
        out[i] = arena_format(a, "%s=%s", g->axes[i].path, setting_grid_value(g, point, i));
        if (out[i] == NULL) {
            return false;
        }
    }
    return true;
}
