/* SPDX-License-Identifier: GPL-3.0-or-later
 * Small multiples: up to six panels that share both axes, one per strategy, on one page. */
#ifndef FLEETCAST_PLOTS_CHART_PANELS_H
#define FLEETCAST_PLOTS_CHART_PANELS_H

#include "plots/chart_context.h"

#define CHART_PANELS_MAX 6

struct chart_panels {
    struct chart_shown shown; /* at most CHART_PANELS_MAX */
    size_t columns, lines;    /* of panels on the page */
    double left, right, bottom, top;
    double x_high_s, y_high;
    size_t x_ticks; /* wanted in one panel */
};

/* Opens the multiplot. x: seconds from the scenario's start, from 0 to x_high_s; y from 0. */
struct chart_panels chart_panels_begin(struct chart_script *s, const struct chart_context *c,
                                       struct chart_shown shown, double x_high_s, double y_high);

/* Places panel k with its axes, the strategy's name in `colour` and a line under it. y_ticks get
 * their labels in the first column only. Ends with everything set for the plot command. */
void chart_panels_next(struct chart_script *s, const struct chart_context *c,
                       const struct chart_panels *p, size_t k, const struct ticks *y_ticks,
                       const char *colour, const char *line);

/* The plot command of a panel ends, and what belongs to it alone is forgotten. */
void chart_panels_drawn(struct chart_script *s);
/* Closes the multiplot. */
void chart_panels_end(struct chart_script *s);

#endif
