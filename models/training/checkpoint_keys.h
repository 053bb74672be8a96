/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a scenario says about the checkpoints of a training job. */
#ifndef FLEETCAST_MODELS_CHECKPOINT_KEYS_H
#define FLEETCAST_MODELS_CHECKPOINT_KEYS_H

#include "engine/inputs.h"
#include "engine/schema.h"

#include <stdbool.h>
#include <stdint.h>

/* Most checkpoints that are kept: the times of the first so many are remembered. */
enum { CHECKPOINTS_KEPT_MAX = 64 };

enum checkpoint_mode { CHECKPOINT_PERIODIC, CHECKPOINT_CONTINUOUS, CHECKPOINT_NONE };
enum checkpoint_storage { STORED_IN_S3, STORED_IN_FSX, STORED_IN_EBS, STORED_LOCALLY };
enum checkpoint_every_word { EVERY_AUTO, EVERY_ADAPTIVE };

struct checkpoint_spec {
    bool given;             /* set by the reader's post-processing of `mode`, see training_keys.c */
    int mode;               /* enum checkpoint_mode */
    struct number every;    /* useful work between two; its word: enum checkpoint_every_word */
    struct number write;    /* seconds */
    struct variate restore; /* seconds */
    struct number size;     /* bytes; not given: by the model, if that is known */
    int64_t keep;           /* the newest so many are kept in S3 */
    struct number per_gb_month; /* stated price of keeping */
    struct number part_size;    /* bytes of one request; not given: requests are not counted */
    struct number per_1000_put, per_1000_get;
    int storage; /* enum checkpoint_storage */
    struct place storage_place, asynchronous_place;
    struct number bandwidth_per_node, bandwidth_shared; /* bytes per second; may be absent */
    struct number latency;     /* seconds of a write or a restore that no bandwidth shortens */
    bool sharded;              /* all nodes write and read; else one does */
    bool asynchronous;         /* work stands still for the copy to host memory only … */
    struct number copy;        /* … so many seconds; may be absent */
    bool final;                /* a last checkpoint is written at the end */
    bool restore_from_scratch; /* a restore is paid even when nothing was saved yet */
};
extern const struct schema checkpoint_schema; /* section `checkpoint` */

#endif
