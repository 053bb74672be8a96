/* SPDX-License-Identifier: GPL-3.0-or-later
 * How long a checkpoint takes to write and to read back. What the scenario states counts; else it
 * follows from the size, where that is known:
 *
 *     time = size / min(m * B_node, B_shared) + latency
 *
 * with m nodes that write, all of them or one. The size, unless stated, is 14 bytes a trained
 * parameter: 2 of weights, 12 of FP32 weights and Adam's moments (BLOOM 176.2B: 2.3 TB = 13.1
 * bytes a parameter, BigScience model page). An asynchronous checkpoint makes work stand still for
 * the copy to host memory only: an accelerator's part of the size at 10 GB/s. */
#ifndef FLEETCAST_MODELS_CHECKPOINT_COST_H
#define FLEETCAST_MODELS_CHECKPOINT_COST_H

#include "models/catalogue/model_presets.h"
#include "models/training/training_keys.h"

#include <stdbool.h>
#include <stdint.h>

struct making;
struct training_plan;

/* Part of a training plan; zeros: all times are as stated. */
struct checkpoint_cost {
    bool sized;                          /* the size is known */
    bool derives_write, derives_restore; /* from it */
    const struct model_preset *preset;   /* of the model; NULL: none */
    double per_node;     /* bytes per second where the scenario states none; +infinity: no limit */
    double accelerators; /* of a node; at least 1 */
};

/* False, told, when a time is wanted that nothing says, or the storage is of no use; what is
 * assumed goes to the register. Needs the plan's nodes and the instance type. */
bool checkpoint_cost_make(struct making *m);

/* What a checkpoint is as large as, of a workload in any strategy. */
struct checkpoint_size {
    const struct training_spec *spec;
    const struct model_preset *preset; /* of the model; NULL: none */
};
/* In this world; drawn NULL: as planned. Bytes; 0: not known. */
double checkpoint_bytes(const struct checkpoint_size *of, const double *drawn);
double checkpoint_size_bytes(const struct training_plan *p, const double *drawn);
/* Seconds from the beginning of a write by so many nodes until the checkpoint is complete, the copy
 * of an asynchronous one apart. */
double checkpoint_write_s(const struct training_plan *p, uint32_t nodes, const double *drawn);
/* For which work stands still: the write, or the copy. */
double checkpoint_pause_s(const struct training_plan *p, uint32_t nodes, const double *drawn);
/* From the first to the last: what an emergency checkpoint needs. */
double checkpoint_complete_s(const struct training_plan *p, uint32_t nodes, const double *drawn);
/* To read one back, where plan.cost.derives_restore. */
double checkpoint_read_s(const struct training_plan *p, uint32_t nodes, const double *drawn);
/* Mean time to restore, as planned. */
double checkpoint_planned_restore_s(const struct training_plan *p, uint32_t nodes);

/* What checkpoint_complete_s exceeds with this chance at most, over all worlds: exact where one
 * number is uncertain, else a bound. */
double checkpoint_complete_within_s(const struct making *m, uint32_t nodes, double chance);

#endif
