/* SPDX-License-Identifier: GPL-3.0-or-later
 * How one model is spread over the accelerators of a job, and in which portions it is fed: what
 * speed and memory are both computed from. */
#ifndef FLEETCAST_MODELS_PARALLEL_KEYS_H
#define FLEETCAST_MODELS_PARALLEL_KEYS_H

#include "engine/inputs.h"
#include "engine/schema.h"

#include <stdbool.h>
#include <stdint.h>

enum recompute { RECOMPUTE_NONE, RECOMPUTE_SELECTIVE, RECOMPUTE_FULL };
extern const char *const recompute_names[]; /* as the enum, NULL */

/* The accelerators of a job are tensor × pipeline × data ways. Certain numbers all: they are
 * settings, not estimates. */
struct parallel_spec {
    bool given;                   /* anything of it is stated */
    int64_t tensor, pipeline;     /* ways; 1: not split like this */
    int64_t expert;               /* data-parallel ways that share the experts; 1: each has all */
    int64_t zero;                 /* stage 0 to 3 of ZeRO; 3 is what FSDP calls full sharding */
    int64_t batch;                /* samples (sequences, images) of one optimizer step of the whole
                                     job; 0: not stated */
    int64_t micro_batch;          /* samples that go through one model replica at a time; 0: not
                                     stated */
    int recompute;                /* enum recompute: activations computed again */
    bool efa;                     /* where the instance type has it */
    struct number step_delay;     /* seconds; not given: the roofline's */
    struct number recompute_time; /* compute time over that without; not given: left out */
    struct place tensor_place, pipeline_place, expert_place, batch_place, micro_batch_place;
};
extern const struct schema parallel_schema; /* the section `parallel` of a training job */

#endif
