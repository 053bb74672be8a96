/* SPDX-License-Identifier: GPL-3.0-or-later
 * How long a pool stays up: the survival function of its up times, observed or simulated.
 *
 * An up run is a longest stretch with at least so many nodes. The run under way when observation
 * begins, or behind a hole, is left out (nobody saw it begin); one that is still under way when
 * observation ends is censored: it lasted at least so long. The estimate is that of Kaplan and
 * Meier (Nonparametric Estimation from Incomplete Observations, 1958),
 *
 *     S(t) = product over ends t_i <= t of (1 - d_i / n_i),
 *
 * d_i runs ending after t_i, n_i lasting at least as long. Its interval is Greenwood's on the scale
 * of log(-log S) (Kalbfleisch and Prentice, 1980, section 1.4), as if runs were independent; those
 * of real pools are not, so that it is too narrow. */
#ifndef FLEETCAST_MODELS_UP_SURVIVAL_H
#define FLEETCAST_MODELS_UP_SURVIVAL_H

#include "models/market/market.h"
#include "models/market/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct up_run {
    double length_s;
    bool ended; /* false: censored */
};

struct up_runs {
    struct up_run *items;
    size_t count, capacity, ended;
    bool failed; /* memory was out: nothing may be made of it */
};
void up_runs_release(struct up_runs *r); /* a zeroed one is empty */
void up_runs_add(struct up_runs *r, double length_s, bool ended);

/* Of a trace: stretches with at least `nodes` of its nodes. */
void up_runs_of_trace(struct up_runs *r, const struct trace *t, int64_t nodes);
/* Of a market's current world up to until_s: how long a gang of `nodes` lasts that is there
 * whenever there is room, ended by capacity, by a price above a maximum, or by the life of one of
 * its nodes; the next one follows at once while there is room. luck: the source of the lives. */
void up_runs_of_market(struct up_runs *r, struct market *m, int pool, uint32_t nodes,
                       double until_s, struct random_stream *luck);

/* Sorts r; must be called before survival_at. */
void up_runs_sort(struct up_runs *r);
double up_runs_longest_s(const struct up_runs *r); /* 0 without any */

struct survival_point {
    double share;     /* S(t); NaN beyond the longest run, if that is censored, or without any */
    double low, high; /* 95 %; NaN where S is 0 or 1 */
};
/* times_s rising. */
void survival_at(const struct up_runs *r, const double *times_s, size_t count,
                 struct survival_point *out);

#endif
