/* SPDX-License-Identifier: GPL-3.0-or-later
 * When requests come, one after the other: a renewal process with gaps of mean 1 and the stated
 * variation in the operational time Λ(t) = ∫ lambda, which is a Poisson process where that
 * variation is 1. The first request comes one gap after the begin. */
#ifndef FLEETCAST_MODELS_ARRIVALS_H
#define FLEETCAST_MODELS_ARRIVALS_H

#include "models/inference/demand.h"

struct arrivals {
    struct demand demand; /* on the stretch of next_s */
    double next_s;        /* read only: of the next request; +infinity: none comes any more */
    /* private */
    gsl_rng *rng;
    uint64_t source;
    int law;             /* enum arrival_law; -1: Poisson */
    double shape, scale; /* of gaps */
    double at_s;         /* where the operational time was counted to */
};

/* Once, for many worlds. False when memory is out. */
bool arrivals_init(struct arrivals *a, const char *workload_name);
void arrivals_release(struct arrivals *a);

/* Stands before the first request of this world. */
void arrivals_begin(struct arrivals *a, const struct demand_plan *p, struct random_world world,
                    const double *drawn);
/* The request at next_s was taken: on to the one after it. */
void arrivals_next(struct arrivals *a);

#endif
