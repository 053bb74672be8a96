/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/speed/speed_keys.h"

#include <stddef.h>

#define LOADER(member) offsetof(struct loader_spec, member)

static const char *const decode_names[] = {"none", "cpu", NULL};
_Static_assert(DECODE_NOWHERE == 0 && DECODE_CPU == 1,
               "decode_names are indexed by enum loader_decode");

static const struct schema_key loader_keys[] = {
    {.name = "rate",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_RATE,
     .low = 1e-9,
     .high = 1e15,
     .offset = LOADER(rate),
     .help = "Samples per second that one node can load and prepare."},
    {.name = "decode",
     .kind = SCHEMA_CHOICE,
     .choices = decode_names,
     .default_text = "none",
     .offset = LOADER(decode),
     .help = "`cpu`: images are decoded by the host's vCPUs; `none`: by the accelerators, or they "
             "are stored decoded."},
    {.name = "per_vcpu",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_RATE,
     .low = 1e-9,
     .high = 1e12,
     .offset = LOADER(per_vcpu),
     .help = "Samples per second that one vCPU prepares; with `decode: cpu` 20/s where it is not "
             "stated, a rule of thumb for JPEG images."},
    {.name = "storage",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA_RATE,
     .low = 1,
     .high = 1e15,
     .offset = LOADER(storage),
     .help = "Bandwidth of the storage to all nodes together; needs `sample_size`."},
    {.name = "sample_size",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA,
     .low = 1,
     .high = 1e15,
     .offset = LOADER(sample_size),
     .help = "Size of a sample as it is read: `110 kB` for an ImageNet photograph."},
};

const struct schema loader_schema = {
    .name = "training.loader",
    .shorthand = "rate",
    SCHEMA_KEYS(loader_keys),
    .size = sizeof(struct loader_spec),
    .help = "What the input pipeline can deliver; the least of what is stated counts.",
};

static const struct schema_key accelerator_hours_keys[] = {
    {.name = "hours",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = 1e12,
     .required = true,
     .offset = offsetof(struct accelerator_hours_spec, hours),
     .help = "Hours of one accelerator, without loss or overhead."},
};

const struct schema accelerator_hours_schema = {
    .name = "training.gpu_hours",
    .shorthand = "hours",
    SCHEMA_KEYS(accelerator_hours_keys),
    .size = sizeof(struct accelerator_hours_spec),
    .help = "The work on one kind of accelerator; the number alone may stand in its place.",
};
