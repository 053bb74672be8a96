/* SPDX-License-Identifier: GPL-3.0-or-later
 * A column at the right that names the series of a chart whose curves or marks may cover one
 * another: a sample of the line or mark, the name in its colour, and what to know in a line or
 * three. */
#ifndef FLEETCAST_PLOTS_CHART_LEGEND_H
#define FLEETCAST_PLOTS_CHART_LEGEND_H

#include "plots/charts/chart_context.h"

#define CHART_LEGEND_LEFT  0.735
#define CHART_LEGEND_LINES 3

struct chart_legend_entry {
    char lines[CHART_LEGEND_LINES][64]; /* "" = none */
    bool warning;                       /* the last line is in red */
};

/* Lines of facts there is room for with `count` entries: 1 to 3. */
size_t chart_legend_room(size_t count);

/* Room in such a line. */
double chart_legend_line_em(size_t count);

/* entries: one per c->shown. marks: samples are marks, else lines of chart_legend_width. */
void chart_legend(struct chart_script *s, const struct chart_context *c,
                  const struct chart_legend_entry *entries, bool marks);

/* Earlier curves are broader, so that one that covers another lets it show. */
double chart_legend_width(size_t series);

#endif
