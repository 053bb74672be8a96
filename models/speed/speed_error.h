/* SPDX-License-Identifier: GPL-3.0-or-later
 * How wrong an estimate of speed may be: rate = point × exp(sigma Z), Z standard normal. The error
 * is systematic: it is drawn once a replication, and is the same for all strategies that run a
 * workload on the same accelerator. */
#ifndef FLEETCAST_MODELS_SPEED_ERROR_H
#define FLEETCAST_MODELS_SPEED_ERROR_H

#include "models/catalogue/catalogue.h"
#include "models/speed/chip_speed.h"
#include "models/speed/roofline.h"

#include <stdbool.h>

/* Correlation of the errors of one workload on two kinds of accelerators: assumed. */
#define SPEED_ERROR_CORRELATION 0.7
/* Below so much computing between two steps, latency makes an estimate unsure. */
#define SPEED_SHORT_STEP_S 0.020
/* Sequences per accelerator: fine-tuning with less is slower than estimated. */
#define SPEED_SMALL_BATCH 16

struct speed_situation {
    enum roofline_class class;
    enum precision precision;
    enum speed_stack stack;
    enum chip_evidence evidence;
    bool short_step; /* b t < SPEED_SHORT_STEP_S, or fine-tuning with a small batch */
    bool outside;    /* of the range of models and jobs that were measured */
    bool campaign;   /* whole published campaigns, see struct roofline */
};
/* sigma, and in *bias the factor on the point. */
double speed_error_sigma(const struct speed_situation *s, double *bias);
/* The factor on speed from the two scores of a world: of the workload, and of the workload on this
 * accelerator. */
double speed_error_factor(double sigma, double workload_score, double accelerator_score);

#endif
