/* SPDX-License-Identifier: GPL-3.0-or-later
 * The hidden Gaussian process of a spot pool's spare capacity. A pool holds node k while
 *
 *     Z(t) < theta(t) - beta ln k,      theta(t) = scale * x + s(t),      x = Phi^-1(availability),
 *
 *     Z = sqrt(rg) G + sqrt(rr - rg) R + sqrt(1 - rr) E,       rg = 0.25, rr = 0.65,
 *
 * with G one process for all the world, R one per region and E one per pool, for each GPU family.
 * Each is sqrt(w) X1 + sqrt(1 - w) X2 of two Ornstein-Uhlenbeck processes (relaxation times 2 h and
 * 48 h, w = 0.5 by default) on a grid of 10 minutes, X_i+1 = r X_i + sqrt(1 - r^2) N(0,1),
 * r = exp(-step/time), started from their stationary law. The grid step is part of the model: an
 * Ornstein-Uhlenbeck path crosses its threshold infinitely often.
 *
 *     s(t) = A cos(2 pi (h - h0)/24) + B (weekend - 2/7),   scale = sqrt(1 + A^2/2 + B^2
 * (2/7)(5/7)),
 *
 * h the local hour; the scale keeps the share of time up at `availability`.
 *
 * Why this and not a renewal process: on 28 public availability series it gives the 90th percentile
 * of a 48 h job's completion within 10 %, where exponential up and down times with the right means
 * are 23 % low, because it remembers good and bad days. docs/models.md has sources and limits.
 *
 * What is drawn are innovations, one sequence a source. Processes with one relaxation time add up,
 * so a path first mixes the innovations of its three sources and then runs two recursions, not six.
 * A pool with relaxation times of its own filters the same innovations with those: it then meets
 * its stated loss rate, and stays tied to its neighbours. */
#ifndef FLEETCAST_MODELS_HIDDEN_PROCESS_H
#define FLEETCAST_MODELS_HIDDEN_PROCESS_H

#include "engine/random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HIDDEN_STEP_S        600.0
#define HIDDEN_TICKS_PER_DAY 144
#define HIDDEN_SOURCES       3
#define HIDDEN_EDGES         129 /* node counts whose logarithm is kept */
#define HIDDEN_MAX_TICKS     ((size_t)3653 * HIDDEN_TICKS_PER_DAY + 2) /* ten years */

/* Correlations of two pools of one family: in one region, and in different regions. */
#define HIDDEN_REGION_CORRELATION 0.65
#define HIDDEN_WORLD_CORRELATION  0.25

/* The innovations of one source in one world: two standard normals a tick (short, long), drawn when
 * first needed and kept for the world's other pools and strategies. */
struct hidden_noise {
    uint64_t source;
    struct random_stream stream;
    double *normals; /* 2 * limit */
    size_t ticks;    /* drawn so far */
    size_t limit;
};
/* False when out of memory. */
bool hidden_noise_init(struct hidden_noise *n, uint64_t source, size_t limit_ticks);
void hidden_noise_release(struct hidden_noise *n);
void hidden_noise_begin(struct hidden_noise *n, struct random_world world);

struct hidden_season {
    double amplitude;     /* A, in probits; 0 = no hour of the day */
    double weekend_shift; /* B, in probits */
    double best_hour;     /* h0, local time */
};
double hidden_season_scale(const struct hidden_season *s);

struct hidden_parameters {
    double threshold; /* x = Phi^-1(availability) of one node */
    double short_weight;
    double short_s, long_s; /* relaxation times, > 0 */
    double node_slope;      /* beta */
    struct hidden_season season;
};

/* One pool's path in one world: the margins theta - Z, tick by tick, as far as asked for. */
struct hidden_path {
    struct hidden_noise *noise[HIDDEN_SOURCES]; /* world, region, own; borrowed */
    int64_t local_start_s;                      /* local civil time of tick 0, as if it were UTC */
    double *margins;
    size_t ticks, limit;
    double y_short, y_long; /* the recursions' state at tick ticks - 1 */
    double r_short, q_short, r_long, q_long, a_short, a_long;
    double node_slope;
    double log_of[HIDDEN_EDGES]; /* ln k */
    double base;                 /* scale * x - B * 2/7 */
    struct hidden_season season;
    bool tabulated;                   /* `day` belongs to `season` */
    double day[HIDDEN_TICKS_PER_DAY]; /* A cos(...) by tick of the day, from the start's hour */
};
bool hidden_path_init(struct hidden_path *p, struct hidden_noise *const noise[HIDDEN_SOURCES],
                      int64_t local_start_s, size_t limit_ticks);
void hidden_path_release(struct hidden_path *p);
/* Forgets the path; the noise must have begun its world. */
void hidden_path_begin(struct hidden_path *p, const struct hidden_parameters *parameters);
/* Margin at a tick < limit. */
double hidden_path_margin(struct hidden_path *p, size_t tick);
/* The first tick >= from whose margin is not in (low, high]; limit when there is none. */
size_t hidden_path_leaves(struct hidden_path *p, size_t from, double low, double high);

/* The margin beyond which a kth node can be had: beta ln k; k > 0. */
double hidden_edge(const struct hidden_path *p, uint32_t k);
/* Nodes obtainable at a margin, at most cap: the number of k with margin > beta ln k. */
uint32_t hidden_nodes(const struct hidden_path *p, double margin, uint32_t cap);

#endif
