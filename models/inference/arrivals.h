/* SPDX-License-Identifier: GPL-3.0-or-later
 * When requests come, one after the other: a renewal process with gaps of mean 1 and the stated
 * variation in the operational time Λ(t) = ∫ lambda, which is a Poisson process where that
 * variation is 1. The first request comes one gap after the begin.
 *
 * Or the requests of a trace, begun with its first one at the begin of the service or at a random
 * time of it. For each of them lambda come on average: ⌊lambda⌋, and one more with the rest as its
 * chance. The first comes when it did; the others are spread uniformly over the time up to the
 * trace's next request, so that a trace scaled up has no batches that it did not have. */
#ifndef FLEETCAST_MODELS_ARRIVALS_H
#define FLEETCAST_MODELS_ARRIVALS_H

#include "models/inference/demand.h"

/* Gaps of mean 1. */
struct arrival_gaps {
    int law;             /* enum arrival_law; -1: Poisson */
    double shape, scale; /* of the others */
};
/* Of this variation, > 0. */
struct arrival_gaps arrival_gaps_of(int law, double cv);
/* rng: a generator of random_gsl_new. */
double arrival_gap(const struct arrival_gaps *gaps, gsl_rng *rng);

struct arrivals {
    struct demand demand; /* on the stretch of next_s */
    double next_s;        /* read only: of the next request; +infinity: none comes any more */
    /* Read only: of that request, where a trace says so; else 0. */
    uint32_t prompt_tokens, output_tokens, cached_tokens;
    /* private */
    size_t at;        /* in the trace */
    double laps;      /* of it that were gone through */
    double lap_s;     /* how long one is */
    double origin_s;  /* when the trace's first request came, or would have come, in lap 0 */
    double more;      /* requests that still come for that of the trace … */
    double gap_end_s; /* … before this */
    gsl_rng *rng;
    uint64_t source;
    struct arrival_gaps gaps;
    double at_s; /* where the operational time was counted to */
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
