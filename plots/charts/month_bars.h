/* SPDX-License-Identifier: GPL-3.0-or-later
 * Panels of a chart whose x axis is calendar months, one a unit. */
#ifndef FLEETCAST_PLOTS_MONTH_BARS_H
#define FLEETCAST_PLOTS_MONTH_BARS_H

#include "plots/charts/chart_context.h"
#include "plots/charts/chart_panels.h"
#include "plots/facts/month_amounts.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether the means of all rows of the strategies that are shown are known. */
bool month_bars_have_means(const struct month_source *s, const struct study_facts *f,
                           const struct chart_shown *shown);

/* After chart_panels_next: months on the x axis, low..high on the y axis. */
void month_bars_axes(struct chart_script *s, const struct chart_panels *p,
                     const struct month_axis *axis, double low, double high);

/* Half the breadth of a bar: many leave no gaps, which would shimmer on a small page. */
double month_bars_half(const struct month_axis *axis);

struct month_key {
    const char *name, *colour;
};
/* A line or two of coloured boxes with names under the title block, which they lower. */
void month_bars_key(struct chart_script *s, const struct month_key *keys, size_t count);

#endif
