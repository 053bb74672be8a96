/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a training job says about failures of hardware, about what is done then, and about time that
 * goes beside the work: staging the data set, starting a large gang, evaluations, rework. */
#ifndef FLEETCAST_MODELS_RELIABILITY_KEYS_H
#define FLEETCAST_MODELS_RELIABILITY_KEYS_H

#include "engine/diagnostics.h"
#include "engine/inputs.h"
#include "engine/schema.h"

#include <stdbool.h>
#include <stddef.h>

enum mtbf_word { MTBF_PUBLISHED, MTBF_NONE };
enum mtbf_of { MTBF_OF_NODE, MTBF_OF_GPU };
/* As enum restart, in words of its own defaults. */
enum failure_restart { FAILURE_RESTART_NODE, FAILURE_RESTART_GANG };

struct young_spec {
    struct number factor; /* of the hazard */
    struct number lasts;  /* seconds from launch */
};

struct failures_spec {
    bool given;
    struct place place;
    struct number mtbf; /* seconds; or a word */
    int of;             /* enum mtbf_of */
    struct young_spec young;
    bool young_given;
    struct variate detect; /* seconds */
    int restart;           /* enum failure_restart */
};

struct response_spec {
    bool given;
    struct variate automatic, human; /* seconds from detection */
    struct number p_human;           /* share of failures that need somebody */
};

enum staging_share { STAGING_WHOLE, STAGING_PART };

struct staging_spec {
    bool given;
    struct place place;
    struct number bandwidth; /* bytes per second, of one node */
    int share;               /* enum staging_share: what each node reads */
};

struct evaluation_spec {
    bool given;
    struct place place;
    struct number every, takes; /* seconds of work, of standing still */
};

struct restart_time_spec {
    bool given;
    struct number fixed, per_node, per_doubling; /* seconds */
};

struct reliability_spec {
    struct failures_spec failures;
    struct response_spec response;
    struct number rework; /* all work over useful work; >= 1 */
    struct staging_spec staging;
    struct evaluation_spec evaluation;
    struct restart_time_spec restart_time;
};

extern const struct schema failures_schema, response_schema, staging_schema, evaluation_schema,
    restart_time_schema;

/* The rows of these keys in the schema of a workload whose spec has a member `reliability`. */
#define RELIABILITY_SECTION(type, key, what)                                                       \
    {                                                                                              \
        .name = #key, .kind = SCHEMA_SECTION, .inner = &key##_schema,                              \
        .offset = offsetof(type, reliability.key),                                                 \
        .given_offset = offsetof(type, reliability.key.given), .help = what                        \
    }
#define RELIABILITY_PLACED(type, key, what)                                                        \
    {                                                                                              \
        .name = #key, .kind = SCHEMA_SECTION, .inner = &key##_schema,                              \
        .offset = offsetof(type, reliability.key),                                                 \
        .given_offset = offsetof(type, reliability.key.given),                                     \
        .place_offset = offsetof(type, reliability.key.place), .help = what                        \
    }
#define RELIABILITY_KEYS(type)                                                                     \
    RELIABILITY_PLACED(type, failures,                                                             \
                       "Failures of its nodes' hardware, however they are bought: `published`, "   \
                       "`none`, a time between failures of one node, or a section. Default: not "  \
                       "modelled, which the output says."),                                        \
        RELIABILITY_SECTION(type, response, "What happens once a failure has been noticed."),      \
        {.name = "rework",                                                                         \
         .kind = SCHEMA_NUMBER,                                                                    \
         .dimension = DIMENSION_COUNT,                                                             \
         .low = 1,                                                                                 \
         .high = 100,                                                                              \
         .default_text = "1",                                                                      \
         .offset = offsetof(type, reliability.rework),                                             \
         .help = "All work over the work that counts: runs that failed or were rolled back by "    \
                 "their owners, done again; `1.2` is a fifth more, counted as lost."},             \
        RELIABILITY_PLACED(type, staging,                                                          \
                           "Each node reads the `dataset` before it is ready, and a new one "      \
                           "again: a bandwidth, or a section. Default: no time."),                 \
        RELIABILITY_PLACED(type, evaluation, "Work stands still at times for an evaluation."),     \
        RELIABILITY_SECTION(type, restart_time,                                                    \
                            "Time from all nodes being ready to the first step, at the start and " \
                            "at each restart: a fixed one, or a section that grows with nodes.")

#endif
