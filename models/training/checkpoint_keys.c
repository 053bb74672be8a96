/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/checkpoint_keys.h"

#include <stddef.h>

#define DAY_S  86400.0
#define YEAR_S (365.25 * DAY_S)

static const char *const checkpoint_mode_names[] = {"periodic", "continuous", "none", NULL};
static const char *const every_words[] = {"auto", "adaptive", NULL};
static const char *const storage_names[] = {"s3", "fsx", "ebs", "local", NULL};

_Static_assert(STORED_IN_S3 == 0 && STORED_LOCALLY == 3 && EVERY_ADAPTIVE == 1,
               "the names are indexed by their enums");
_Static_assert(CHECKPOINT_PERIODIC == 0 && CHECKPOINT_CONTINUOUS == 1 && CHECKPOINT_NONE == 2,
               "checkpoint_mode_names are indexed by enum checkpoint_mode");

#define CHECKPOINT(member) offsetof(struct checkpoint_spec, member)

static const struct schema_key checkpoint_keys[] = {
    {.name = "mode",
     .kind = SCHEMA_CHOICE,
     .choices = checkpoint_mode_names,
     .default_text = "periodic",
     .offset = CHECKPOINT(mode),
     .help =
         "`periodic`; `continuous`: no work is ever lost; `none`: a loss starts all over again."},
    {.name = "every",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 1,
     .high = 10 * YEAR_S,
     .choices = every_words,
     .default_text = "auto",
     .offset = CHECKPOINT(every),
     .help =
         "Useful work between two checkpoints; `auto`: the optimum for the planned rate of "
         "losing work, listed under \"assumed\"; `adaptive`: that for the rate planned and seen "
         "so far."},
    {.name = "write",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 30 * DAY_S,
     .default_text = "0s",
     .offset = CHECKPOINT(write),
     .help = "Time to write one, for which work stands still unless it is written asynchronously; "
             "not stated: from its size and the bandwidth, where the size is known."},
    {.name = "restore",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 30 * DAY_S,
     .default_text = "0s",
     .offset = CHECKPOINT(restore),
     .help =
         "Time to load one after a loss, before work goes on; not stated: from its size and the "
         "bandwidth, where the size is known."},
    {.name = "size",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA,
     .low = 0,
     .high = 1e18,
     .offset = CHECKPOINT(size),
     .help =
         "Size of one, by which those that are kept are charged. Not stated, but a model: 14 bytes "
         "a trained parameter."},
    {.name = "keep",
     .kind = SCHEMA_INTEGER,
     .low = 0,
     .high = CHECKPOINTS_KEPT_MAX,
     .default_text = "1",
     .offset = CHECKPOINT(keep),
     .help = "How many are kept, from the first one on to the end of the work: paid as S3 Standard "
             "where they lie in S3."},
    {.name = "per_gb_month",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = 1e6,
     .offset = CHECKPOINT(per_gb_month),
     .help = "Price of keeping a GiB for a month of 730 hours; default: the catalogue's."},
    {.name = "part_size",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA,
     .low = 1,
     .high = 1e18,
     .offset = CHECKPOINT(part_size),
     .help = "Size of the parts in which one is written to S3 and read: each is one request; "
             "requests are charged where it is stated."},
    {.name = "per_1000_put",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = 1e6,
     .offset = CHECKPOINT(per_1000_put),
     .help = "Price of a thousand PUT requests; default: the catalogue's."},
    {.name = "per_1000_get",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = 1e6,
     .offset = CHECKPOINT(per_1000_get),
     .help = "Price of a thousand GET requests; default: the catalogue's."},
    {.name = "storage",
     .kind = SCHEMA_CHOICE,
     .choices = storage_names,
     .default_text = "s3",
     .offset = CHECKPOINT(storage),
     .place_offset = CHECKPOINT(storage_place),
     .help = "Where they are written: `s3`, `fsx` (for Lustre), `ebs` (a volume of each node); "
             "`local` disks are refused, since they go with their node."},
    {.name = "bandwidth_per_node",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA_RATE,
     .low = 1,
     .high = 1e15,
     .offset = CHECKPOINT(bandwidth_per_node),
     .help = "At which a node writes and reads; default: 1 GB/s to S3, at most its network; 125 "
             "MB/s to EBS, or the disk's `throughput`; no limit of its own to FSx."},
    {.name = "bandwidth_shared",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA_RATE,
     .low = 1,
     .high = 1e15,
     .offset = CHECKPOINT(bandwidth_shared),
     .help = "That all nodes have together; default: no limit, but to be stated for `fsx`."},
    {.name = "latency",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = DAY_S,
     .default_text = "5s",
     .offset = CHECKPOINT(latency),
     .help = "Time of a write or a restore that comes on top of size over bandwidth."},
    {.name = "sharded",
     .kind = SCHEMA_FLAG,
     .default_text = "yes",
     .offset = CHECKPOINT(sharded),
     .help = "Every node writes and reads its part; `no`: one node does all."},
    {.name = "asynchronous",
     .kind = SCHEMA_FLAG,
     .default_text = "no",
     .offset = CHECKPOINT(asynchronous),
     .place_offset = CHECKPOINT(asynchronous_place),
     .help = "Work stands still for the copy to host memory only; the checkpoint counts when its "
             "write ends."},
    {.name = "copy",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = DAY_S,
     .offset = CHECKPOINT(copy),
     .help = "Time of that copy; default: an accelerator's part of the size at 10 GB/s."},
    {.name = "final",
     .kind = SCHEMA_FLAG,
     .default_text = "yes",
     .offset = CHECKPOINT(final),
     .help = "A last checkpoint is written when the work is done."},
    {.name = "restore_from_scratch",
     .kind = SCHEMA_FLAG,
     .default_text = "no",
     .offset = CHECKPOINT(restore_from_scratch),
     .help = "A restore is paid after a loss even when nothing had been saved."},
};

const struct schema checkpoint_schema = {
    .name = "training.checkpoint",
    .shorthand = "mode",
    SCHEMA_KEYS(checkpoint_keys),
    .size = sizeof(struct checkpoint_spec),
    .help = "How work is kept. Without this section nothing is.",
};
