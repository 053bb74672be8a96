/* SPDX-License-Identifier: GPL-3.0-or-later
 * Whether a training workload fits into the memory of the accelerators and hosts that a strategy
 * gives it (models/speed/gpu_memory.h, host_memory.h). */
#ifndef FLEETCAST_MODELS_TRAINING_MEMORY_H
#define FLEETCAST_MODELS_TRAINING_MEMORY_H

#include "models/speed/gpu_memory.h"
#include "models/speed/host_memory.h"

#include <stdbool.h>

struct making;

struct training_memory {
    bool checked; /* else neither of the next four is known */
    struct memory_layout layout;
    double device_bytes; /* memory of one accelerator */
    struct gpu_memory gpu;
    bool layout_chosen; /* the scenario does not say how the model is spread: the first way that
                           fits was taken */
    struct host_memory host; /* of a node; need 0: nothing is stated */
};

/* The keys of the model, whatever the strategy: a published one that exists, parts that are parts.
 * False, told once. */
bool training_model_check(const struct making *m);
/* The accelerators are a multiple of tensor times pipeline ways, of which the model has layers and
 * heads enough, and a micro-batch is no more than a way's part of the batch. False, told. The type
 * is known. */
bool training_ways_check(const struct making *m);
/* Tells what does not fit, by which term and by how much, with the nearest options that would;
 * false then. Warns of what just fits. What cannot be computed is left unchecked: no parameters,
 * `check: no`. The type is known. */
bool training_memory_make(const struct making *m, struct training_memory *out);
/* What the check rests on that nobody stated. */
void training_memory_assume(const struct making *m);

#endif
