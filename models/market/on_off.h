/* SPDX-License-Identifier: GPL-3.0-or-later
 * A pool that is wholly there or wholly gone, in independent turns: alternating renewal. The turns
 * of one kind are exponential, or short or long ones at random (hyperexponential of two phases).
 * Kept for comparison with closed forms and with published simulators.
 *
 * It starts from its stationary law: up with probability mean up/(mean up + mean down); the turn at
 * hand is a long one as often as long ones fill the time (share × mean of the long ones over the
 * mean of all: the equilibrium law of renewal theory, Cox, "Renewal Theory", 1962, chapter 5), and,
 * being exponential, it has a full turn of its kind left to run.
 *
 * Only the turn that holds the current time is kept. Asking for an earlier time draws the path
 * again from its start, so that memory does not grow with the horizon; strategies run one after the
 * other, hence this happens once a strategy. */
#ifndef FLEETCAST_MODELS_ON_OFF_H
#define FLEETCAST_MODELS_ON_OFF_H

#include "engine/random.h"

#include <stdbool.h>
#include <stdint.h>

/* How long turns of one kind are: exponential of mean short_s with probability short_share, else of
 * mean long_s. short_share 1: exponential, for which no phase is drawn. */
struct on_off_turns {
    double short_share, short_s, long_s;
};
struct on_off_turns on_off_exponential(double mean_s);
/* Turns of this mean whose long ones are in the mean `ratio` >= 1 times as long as the short ones;
 * exponential where that is so (a share of 0 or 1, a ratio of 1). */
struct on_off_turns on_off_hyperexponential(double mean_s, double short_share, double ratio);
double on_off_mean_s(struct on_off_turns t);

struct on_off {
    struct random_world world;
    uint64_t source;
    struct on_off_turns up_turns, down_turns;
    struct random_stream stream;
    bool up;
    double from_s, until_s; /* the turn at hand: [from, until) */
};

/* Means > 0. */
void on_off_begin(struct on_off *o, struct random_world world, uint64_t source,
                  struct on_off_turns up, struct on_off_turns down);
/* Whether the pool is up at t_s >= 0; *until_s: when that changes next. */
bool on_off_at(struct on_off *o, double t_s, double *until_s);

#endif
