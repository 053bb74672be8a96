/* SPDX-License-Identifier: GPL-3.0-or-later
 * `admission:` of a service: which requests are let in at all. */
#ifndef FLEETCAST_MODELS_ADMISSION_KEYS_H
#define FLEETCAST_MODELS_ADMISSION_KEYS_H

#include "engine/inputs.h"
#include "engine/schema.h"

#include <stdbool.h>
#include <stdint.h>

struct admission_spec {
    int64_t in_flight, in_flight_per_replica; /* 0: no limit */
    struct number rate;                       /* requests/s; not given: no limit */
    int64_t burst;
    struct number wait; /* seconds; not given: no limit */
    struct place place;
};
extern const struct schema admission_schema;

#endif
