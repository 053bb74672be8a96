/* SPDX-License-Identifier: GPL-3.0-or-later
 * The empirical distribution of one metric of one strategy, out of the distribution table: points
 * with the share of futures that each stands for. A point may be censored: a lower bound, of a
 * future that was not finished. Nothing here turns a bound into a value. */
#ifndef FLEETCAST_PLOTS_SPREAD_H
#define FLEETCAST_PLOTS_SPREAD_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "engine/table.h"

#include <stdbool.h>
#include <stddef.h>

struct spread {
    size_t count; /* points, ascending; arrays in the arena */
    double *value, *share;
    bool *censored;
    double unfinished; /* share of censored points */
};

/* Workload "all". A bound without cumulative_frac takes its share from what the rows around it
 * leave (to 1 behind the last); finished_frac, if there, parts finished and other futures of one
 * row. count = 0 without such rows. False, with an error in d, when a column is absent or memory is
 * out. */
bool spread_read(struct spread *out, const struct table *t, const char *strategy,
                 const char *metric, struct arena *a, struct diagnostics *d);

/* Smallest value (bounds counted as values: for axes only) below or at which a share p lies; NaN
 * when empty. */
double spread_level(const struct spread *s, double p);

/* Shares per bin [low + k step, low + (k + 1) step); what lies outside is left out. */
void spread_histogram(const struct spread *s, double low, double step, size_t bins,
                      double *finished, double *unfinished);

/* Gaussian kernel density at `points` places from low to high, scaled so that its peak is 1;
 * bandwidth by Silverman's rule (Density Estimation, 1986, eq. 3.31) on n worlds. Bounds count as
 * values: the caller marks such a shape. False when there is no width to show. */
bool spread_density(const struct spread *s, double n, double low, double high, size_t points,
                    double *out);

/* What is more than SPREAD_FAR times the typical (the lower median of `count` middles, which are
 * sorted) would flatten all others on one axis and is left off it. */
#define SPREAD_FAR       8.0
#define SPREAD_COUNT_MAX 64
double spread_typical(double *middles, size_t count);
bool spread_far(double middle, double typical);

/* An axis that holds `count` spreads but those far off, and the line `limit` (NaN = none; left out
 * when far away); far tails are cut behind P99. Never empty: low < high. */
struct spread_axis {
    double low, high;
};
struct spread_axis spread_axis_for(const struct spread *spreads, size_t count, double limit);
/* Share of a spread's futures beyond the axis' high end. */
double spread_beyond(const struct spread *s, double high);
/* Widens low..high to hold x when that makes it at most `stretch` (1 = twice as wide) wider. */
struct spread_axis spread_axis_hold(struct spread_axis axis, double x, double stretch);
/* Adds a little air; makes a point an interval. */
struct spread_axis spread_axis_pad(struct spread_axis axis);

#endif
