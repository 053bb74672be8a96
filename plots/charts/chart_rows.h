/* SPDX-License-Identifier: GPL-3.0-or-later
 * The layout of charts with one row per strategy: names at the left, the drawing on one common
 * axis, a few numbers in columns at the right. The y axis runs from 0 (top) to `count` (bottom);
 * row i lies between i and i + 1. */
#ifndef FLEETCAST_PLOTS_CHART_ROWS_H
#define FLEETCAST_PLOTS_CHART_ROWS_H

#include "plots/charts/chart_context.h"
#include "plots/facts/spread.h"

struct chart_rows {
    double left, right, bottom, top; /* of the drawing, screen */
    size_t count;
    double column_x[3]; /* right edges of the columns */
    double column_width;
    size_t columns;
    int size; /* of text, after the number of rows */
};

/* Sets margins, ranges and a vertical grid with ticks of money; headings: of 1 to 3 columns. */
struct chart_rows chart_rows_begin(struct chart_script *s, const struct chart_context *c,
                                   struct spread_axis axis, size_t count,
                                   const char *const *headings, size_t columns);

/* The strategy's name at row `row`; under it whether it was chosen or cannot be told from the
 * chosen one, and what is not finished. */
void chart_rows_name(struct chart_script *s, const struct chart_rows *r,
                     const struct study_facts *f, size_t strategy, size_t row);

/* "2 % beyond →" at the right end of a row whose futures do not all fit on the axis. */
void chart_rows_beyond(struct chart_script *s, const struct spread *spread, struct spread_axis axis,
                       size_t row, double worlds);

/* A number in a column: bold, plain, red or grey. A range that is too broad, "$2,330 to
 * $2,350", stands on two lines. */
enum chart_tone { CHART_STRONG, CHART_PLAIN, CHART_ALARM, CHART_QUIET };
void chart_rows_value(struct chart_script *s, const struct chart_rows *r, size_t row, size_t column,
                      const char *text, enum chart_tone tone);
/* A small grey line under the number. */
void chart_rows_note(struct chart_script *s, const struct chart_rows *r, size_t row, size_t column,
                     const char *text);

#endif
