/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a scenario says about the speed of a workload beside its model and how it is spread. */
#ifndef FLEETCAST_MODELS_SPEED_KEYS_H
#define FLEETCAST_MODELS_SPEED_KEYS_H

#include "engine/inputs.h"
#include "engine/schema.h"
#include "models/speed/roofline.h"

#include <stdbool.h>

enum loader_decode { DECODE_NOWHERE, DECODE_CPU };

/* What the input pipeline can deliver: the least of what is stated. */
struct loader_spec {
    bool given;
    struct place place;
    struct number rate;        /* samples per second of a node */
    struct number per_vcpu;    /* samples per second that a vCPU prepares */
    int decode;                /* enum loader_decode */
    struct number storage;     /* bytes per second that reach all nodes together */
    struct number sample_size; /* bytes of a sample as it is read */
};

/* `gpu_hours: {A100-40GB: 1514}`. */
struct accelerator_hours_spec {
    struct schema_item item; /* an accelerator or an instance type */
    struct number hours;
};

struct speed_spec {
    int stack; /* enum speed_stack */
    bool stack_given;
    struct number real_share; /* of the tokens of an encoder's sequences */
    struct number factor;     /* of options whose effect on speed is stated */
    struct loader_spec loader;
    struct schema_list gpu_hours; /* struct accelerator_hours_spec */
    struct place gpu_hours_place;
};
extern const struct schema loader_schema, accelerator_hours_schema;

/* Images a second that one vCPU decodes from JPEG: a rule of thumb. A host of 64 vCPUs
 * (p3.16xlarge) was seen to stop near 1,150 a second (Gavel, OSDI 2020, on 8 V100 and 8 P100). */
#define LOADER_IMAGES_PER_VCPU 20.0

/* The keys in the schema of a workload: its spec has a member speed. */
#define SPEED_KEYS(type)                                                                           \
    {.name = "stack",                                                                              \
     .kind = SCHEMA_CHOICE,                                                                        \
     .choices = speed_stack_names,                                                                 \
     .default_text = "unstated",                                                                   \
     .offset = offsetof(type, speed.stack),                                                        \
     .given_offset = offsetof(type, speed.stack_given),                                            \
     .help = "Software, for an estimate of speed: `tuned` (fused attention and optimizer, fast "   \
             "input), `plain` (framework code as found), or `unstated`: between both, and less "   \
             "sure."},                                                                             \
        {.name = "fill",                                                                           \
         .kind = SCHEMA_NUMBER,                                                                    \
         .dimension = DIMENSION_SHARE,                                                             \
         .low = 0.01,                                                                              \
         .high = 1,                                                                                \
         .default_text = "1",                                                                      \
         .offset = offsetof(type, speed.real_share),                                               \
         .help = "Share of an encoder's tokens that are computed, where padding is left out; "     \
                 "Wikipedia in sequences of 512 has 50 % real ones."},                             \
        {.name = "speed_factor",                                                                   \
         .kind = SCHEMA_NUMBER,                                                                    \
         .dimension = DIMENSION_COUNT,                                                             \
         .low = 0.01,                                                                              \
         .high = 100,                                                                              \
         .default_text = "1",                                                                      \
         .offset = offsetof(type, speed.factor),                                                   \
         .help = "Stated effect on speed of what is not modelled, such as quantisation, "          \
                 "distillation, a compiler: multiplies every throughput, measured or estimated."}, \
        {.name = "loader",                                                                         \
         .kind = SCHEMA_SECTION,                                                                   \
         .inner = &loader_schema,                                                                  \
         .offset = offsetof(type, speed.loader),                                                   \
         .given_offset = offsetof(type, speed.loader.given),                                       \
         .place_offset = offsetof(type, speed.loader.place),                                       \
         .help = "What the input pipeline can deliver, which may be the bottleneck of an "         \
                 "estimate: samples per second of a node, or a section."},                         \
    {                                                                                              \
        .name = "gpu_hours", .kind = SCHEMA_MAP, .inner = &accelerator_hours_schema,               \
        .offset = offsetof(type, speed.gpu_hours),                                                 \
        .place_offset = offsetof(type, speed.gpu_hours_place),                                     \
        .help = "The work, in hours of one accelerator, by accelerator or instance type, in "      \
                "place of `tokens`, `samples` and `hours`: `{A100-40GB: 1514}`."                   \
    }

#endif
