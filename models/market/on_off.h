/* SPDX-License-Identifier: GPL-3.0-or-later
 * A pool that is wholly there or wholly gone, in turns of exponential length: the textbook renewal
 * model, kept for comparison with closed forms and with published simulators. It starts from its
 * stationary law: up with probability up/(up + down), and, being memoryless, with a full
 * exponential left to run.
 *
 * Only the turn that holds the current time is kept. Asking for an earlier time draws the path
 * again from its start, so that memory does not grow with the horizon; strategies run one after the
 * other, hence this happens once a strategy. */
#ifndef FLEETCAST_MODELS_ON_OFF_H
#define FLEETCAST_MODELS_ON_OFF_H

#include "engine/random.h"

#include <stdbool.h>
#include <stdint.h>

struct on_off {
    struct random_world world;
    uint64_t source;
    double mean_up_s, mean_down_s;
    struct random_stream stream;
    bool up;
    double from_s, until_s; /* the turn at hand: [from, until) */
};

/* Means > 0. */
void on_off_begin(struct on_off *o, struct random_world world, uint64_t source, double mean_up_s,
                  double mean_down_s);
/* Whether the pool is up at t_s >= 0; *until_s: when that changes next. */
bool on_off_at(struct on_off *o, double t_s, double *until_s);

#endif
