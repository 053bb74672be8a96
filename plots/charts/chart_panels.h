/* SPDX-License-Identifier: GPL-3.0-or-later
 * Small multiples: up to six panels, one per strategy, on one page. They share their axes; only
 * where one strategy takes several times as long as another each panel has its own end of time. */
#ifndef FLEETCAST_PLOTS_CHART_PANELS_H
#define FLEETCAST_PLOTS_CHART_PANELS_H

#include "plots/charts/chart_context.h"

#define CHART_PANELS_MAX 6

/* Where the panels' time axes end, in seconds. */
struct chart_panel_ends {
    double x_high_s[CHART_PANELS_MAX];
    bool own; /* they are not all the same */
};

/* end_s: where each strategy shown ends (0 = nothing there). An axis for all, cut as chart_time_end
 * says, unless of those that stand one ends CHART_PANELS_APART times as late as another: then each
 * panel ends with its own strategy. */
#define CHART_PANELS_APART 4.0
struct chart_panel_ends chart_panels_ends(const struct study_facts *f,
                                          const struct chart_shown *shown, const double *end_s);

/* "; each panel has its own time axis" when they are. */
void chart_panels_say_ends(struct text *subtitle, const struct chart_panel_ends *ends);

struct chart_panels {
    struct chart_shown shown; /* at most CHART_PANELS_MAX */
    size_t columns, lines;    /* of panels on the page */
    double left, right, bottom, top;
    struct chart_panel_ends ends;
    double y_high;
    size_t x_ticks; /* wanted in one panel */
    double from_s;  /* where x = 0 lies, since the scenario's start: 0, unless set afterwards */
    double header;  /* above a panel: name and lines */
};

/* Opens the multiplot. x: seconds from the scenario's start, from 0; y from 0. warnings: there is a
 * third line above the panels. */
struct chart_panels chart_panels_begin(struct chart_script *s, struct chart_shown shown,
                                       struct chart_panel_ends ends, double y_high, bool warnings);

/* Moves the first panel to the right when the labels of the y axis need it ("EUR 15,000"). */
void chart_panels_fit(struct chart_panels *p, const struct ticks *y_ticks);

/* Room for a line above a panel, of size 18. */
double chart_panels_line_em(const struct chart_panels *p);

/* Places panel k with its axes, the strategy's name in `colour` and a line under it, and one in red
 * ("" = none). y_ticks get their labels in the first column only. Ends with everything set for the
 * plot command. */
void chart_panels_next(struct chart_script *s, const struct chart_context *c,
                       const struct chart_panels *p, size_t k, const struct ticks *y_ticks,
                       const char *colour, const char *line, const char *warning);

/* The plot command of a panel ends, and what belongs to it alone is forgotten. */
/* Empties labels of x ticks (low..high) that would write over the one before, or into the next
 * panel. */
void chart_panels_thin(const struct chart_script *s, const struct chart_panels *p, struct ticks *t,
                       double low, double high, bool last);

void chart_panels_drawn(struct chart_script *s);
/* Closes the multiplot. */
void chart_panels_end(struct chart_script *s);

#endif
