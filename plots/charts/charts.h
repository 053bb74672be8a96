/* SPDX-License-Identifier: GPL-3.0-or-later
 * All charts of a study. A new one is one file with a chart_writer and one row in charts.c. */
#ifndef FLEETCAST_PLOTS_CHARTS_H
#define FLEETCAST_PLOTS_CHARTS_H

#include "engine/diagnostics.h"
#include "plots/facts/chart_frame.h"

#include <stdbool.h>
#include <stddef.h>

/* Writes NAME.gp, NAME.csv, NAME.svg and NAME.png for each chart under folder (made when absent),
 * each through a temporary name beside it. A chart that the tables have nothing for is left out.
 * Without gnuplot: one warning; scripts and data are written all the same. A chart that gnuplot
 * refuses: a warning with gnuplot's own line, and the others are drawn. False when folder or files
 * cannot be written or a table lacks a column (told in d). */
bool charts_draw(const struct chart_frame *frame, const struct chart_tables *tables,
                 const char *folder, struct diagnostics *d);

/* The same for the chart of this name alone, which must need no summary: "survival". */
bool charts_draw_one(const char *name, const struct chart_frame *frame,
                     const struct chart_tables *tables, const char *folder, struct diagnostics *d);

/* Charts as pages of a deck: their scripts are loaded one after the other by a script that has set
 * DECK and opened its output. */
#define CHART_PAGES_MAX 64
struct chart_pages {
    /* A title in place of the chart's own; NULL, or what it returns is NULL: that. */
    const char *(*title)(const void *of, const char *chart);
    const void *of;
    const char *name[CHART_PAGES_MAX]; /* set: those that the tables have something for */
    size_t count;
};
/* Writes NAME.gp and NAME.csv of all charts under folder, and draws nothing. */
bool charts_write(const struct chart_frame *frame, const struct chart_tables *tables,
                  const char *folder, struct chart_pages *pages, struct diagnostics *d);

/* The name of the i-th chart in the order in which they are drawn; NULL after the last. */
const char *chart_name(size_t i);

#endif
