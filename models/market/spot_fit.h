/* SPDX-License-Identifier: GPL-3.0-or-later
 * The hidden process fitted to an observed trace, and how well it fits.
 *
 * Availability is the share of the observed time with at least one node, losses are counted by the
 * day observed: the first and last run are cut, but both are shares of time and not means of runs,
 * so that no run need be left out. Mean up and down times are exposure over events (time up by
 * losses, time down by returns), which is what censoring leaves of the maximum likelihood of
 * exponential times. The node slope is the least-squares slope of -Phi^-1(share of time with at
 * least k nodes) on ln k. */
#ifndef FLEETCAST_MODELS_SPOT_FIT_H
#define FLEETCAST_MODELS_SPOT_FIT_H

#include "models/market/hidden_process.h"
#include "models/market/ring_job.h"
#include "models/market/trace.h"
#include "models/market/up_survival.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPOT_FIT_WORK_S     (48 * 3600.0) /* of the reference job … */
#define SPOT_FIT_OVERHEAD_S (0.2 * 3600.0)
#define SPOT_FIT_WINDOWS    80

struct spot_fit {
    double observed_s;
    size_t losses, returns;
    double availability, losses_per_day;
    double mean_up_s, mean_down_s; /* NaN without a loss, without a return */
    int64_t most_nodes;
    bool has_slope;
    double node_slope;
    double short_s; /* relaxation time that gives the loss rate; default when it is not known */
    struct hidden_season season; /* none at first */
    int64_t local_start_s;       /* local time of the trace's start, as if it were UTC */
    bool clipped; /* no relaxation time gives that rate: the nearest limit was taken */
};

enum spot_fit_status {
    SPOT_FIT_DONE,
    SPOT_FIT_NO_NODES, /* the trace has prices only */
    SPOT_FIT_ALWAYS,   /* up, or down, all the time: nothing to fit */
    SPOT_FIT_NO_MEMORY
};
enum spot_fit_status spot_fit_make(struct spot_fit *fit, const struct trace *t);

/* Gives the fit a season (season_fit.h), under which losses are rarer: the relaxation time follows.
 */
void spot_fit_set_season(struct spot_fit *fit, struct hidden_season season, int64_t local_start_s);

/* The reference job on the trace itself, and on windows of the fitted process of the same length,
 * each closed to a ring: the median over windows, and the 10th and 90th percentile of their P90. */
struct spot_fit_quality {
    enum ring_status status; /* of the trace; what follows holds only if it is RING_FINISHED */
    struct ring_times trace;
    size_t windows; /* in which the job finishes at all */
    double mean_s, sd_s, p90_s, p90_low_s, p90_high_s;
    bool inside; /* the trace's P90 lies in that band */
};
/* with_losses: the fitted loss rate and season, else the default relaxation time and none, as if
 * only the availability were known. False when out of memory. */
bool spot_fit_judge(const struct spot_fit *fit, const struct trace *t, bool with_losses,
                    struct spot_fit_quality *out);

/* Up times of `nodes` nodes in so many windows of the fitted process. False when out of memory. */
bool spot_fit_up_runs(const struct spot_fit *fit, uint32_t nodes, uint32_t windows,
                      struct up_runs *out);

#endif
