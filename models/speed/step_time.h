/* SPDX-License-Identifier: GPL-3.0-or-later
 * One optimizer step of a whole job, and so its rate: the roofline's time for the work, what the
 * exchange adds that computing does not hide, the bubble of a pipeline, a delay per step, and what
 * the input pipeline can deliver:
 *
 *     step = b t (1 + bubble) + tau log2 N + max(0, exchange - omega b t)
 *     rate = min(N b / step, loader)
 *
 * b units of work per accelerator and step. Where the batch is not known steps are taken for so
 * long that only t counts. */
#ifndef FLEETCAST_MODELS_STEP_TIME_H
#define FLEETCAST_MODELS_STEP_TIME_H

#include "models/speed/interconnect.h"

/* Share of the computing that hides communication: assumed; the backward pass is 2/3 of it. */
#define STEP_OVERLAP 0.6

enum step_bound {
    STEP_COMPUTE,  /* matrix products */
    STEP_TRAFFIC,  /* device memory */
    STEP_EXCHANGE, /* NVLink, PCIe, network */
    STEP_DELAY,    /* latency: the batch per accelerator is small */
    STEP_BUBBLE,   /* idle pipeline stages */
    STEP_LOADER    /* the input pipeline */
};
extern const char *const step_bound_names[];

struct step_question {
    double compute_s, traffic_s; /* of one unit of work on one accelerator, all factors in */
    double accelerators;         /* N */
    double units_per_step;       /* of the whole job; 0: not known */
    double micro_batches;        /* that a replica goes through in a step; 0: not known */
    double step_delay_s;         /* tau */
    double speed_factor; /* on the rate of all but the loader: what is not modelled; else 1 */
    struct interconnect links;
    struct exchange exchange;
    double loader_units_per_s; /* of the whole job; +infinity: never the bottleneck */
};

/* Of one step, where the batch is known; else per unit of work and accelerator, with nothing but
 * the first two. */
struct step_time {
    double compute_s, traffic_s, exchange_s, hidden_s, delay_s, bubble_s;
    double step_s;          /* without waiting for the loader */
    double own_units_per_s; /* of the whole job, could the loader always deliver */
    double units_per_s;     /* of the whole job */
    enum step_bound bound;  /* the largest part, or the loader */
};
struct step_time step_time_of(const struct step_question *q);

/* Units per step of the whole job from which on computing hides the exchange of gradients; 0: there
 * is none. */
double step_units_that_hide(const struct step_question *q);

#endif
