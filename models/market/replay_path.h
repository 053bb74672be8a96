/* SPDX-License-Identifier: GPL-3.0-or-later
 * Replay of an observed series: steps of whole numbers (nodes, or a price) over a window of time,
 * met from an offset on, once or around and around. A step is in force from its very instant on,
 * and the instants told are those that questions are compared with, so that no rounding can make an
 * event find the value before it. */
#ifndef FLEETCAST_MODELS_REPLAY_PATH_H
#define FLEETCAST_MODELS_REPLAY_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct replay_step {
    double at_s; /* since the window's begin */
    int64_t value;
};

struct replay_series {
    const struct replay_step *steps; /* rising, the first at 0; neighbours differ */
    size_t count;                    /* > 0 */
    double length_s;                 /* > the last step's time, unless it does not wrap */
    bool wraps;                      /* false: the last step holds for ever */
};

struct replay_path {
    const struct replay_series *series;
    double offset_s; /* of the scenario's start in the window, in [0, length) */
    double cycle_s;  /* when the cycle of `at` begins, in the scenario's time */
    size_t at;       /* the step last asked for */
};

void replay_path_begin(struct replay_path *p, const struct replay_series *s, double offset_s);
/* The value in force at t_s >= 0. */
int64_t replay_path_at(struct replay_path *p, double t_s);
/* The first time > t_s, and at most until_s, at which min(value, cap) differs from its value at
 * t_s; +infinity: none. */
double replay_path_next(struct replay_path *p, double t_s, int64_t cap, double until_s);

/* When the window ends, in the scenario's time: of a series that does not wrap, for good. */
double replay_path_end_s(const struct replay_path *p);

/* Over one turn of the window: the time for which the value is at least `level`, and how often it
 * falls below. What lies behind the end of a series that does not wrap is not counted. */
struct replay_share {
    double up_s;
    size_t falls;
};
struct replay_share replay_share_of(const struct replay_series *s, int64_t level);
/* Likewise of the value being at most `level`, and how often it rises above. */
struct replay_share replay_share_at_most(const struct replay_series *s, int64_t level);
/* Mean over one turn, by time. */
double replay_mean(const struct replay_series *s);

#endif
