/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/admission_keys.h"

#include <stddef.h>

#define DAY_S 86400.0

#define ADMISSION(member) offsetof(struct admission_spec, member)

static const struct schema_key keys[] = {
    {.name = "in_flight",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1e6,
     .offset = ADMISSION(in_flight),
     .help = "Most requests that wait or are served at a time."},
    {.name = "in_flight_per_replica",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1e5,
     .offset = ADMISSION(in_flight_per_replica),
     .help = "Likewise for each replica that is ready, or for one while none is."},
    {.name = "rate",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_RATE,
     .low = 1e-9,
     .high = 1e9,
     .offset = ADMISSION(rate),
     .help = "Requests a second that are let in for long: a bucket of `burst` tokens that fills so "
             "fast, of which each takes one."},
    {.name = "burst",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1e9,
     .default_text = "1",
     .offset = ADMISSION(burst),
     .help = "Requests that are let in at once when the bucket is full."},
    {.name = "wait",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 30 * DAY_S,
     .offset = ADMISSION(wait),
     .help = "Longest wait that a request is let in for, as it is foreseen: those that wait, and "
             "itself, over what the ready replicas serve at most; while none is ready nothing is "
             "foreseen."},
};

const struct schema admission_schema = {
    .name = "inference.admission",
    SCHEMA_KEYS(keys),
    .size = sizeof(struct admission_spec),
    .help =
        "Which requests are let in. One that is not is rejected at once (HTTP 429 or 503), sent "
        "again as `retries` say, and else counted as rejected.",
};
