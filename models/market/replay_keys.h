/* SPDX-License-Identifier: GPL-3.0-or-later
 * The keys of `market.spot.NAME.trace`: which trace table a pool replays, from where on, and what
 * happens at its end. */
#ifndef FLEETCAST_MODELS_REPLAY_KEYS_H
#define FLEETCAST_MODELS_REPLAY_KEYS_H

#include "engine/schema.h"

#include <stdbool.h>
#include <stdint.h>

struct replay_spec {
    const char *file;            /* NULL: no trace */
    const char *zone, *instance; /* in the table; NULL: the pool's own */
    const char *start;           /* "random", a time into the trace, or a date; NULL: random */
    bool wrap, wrap_given;
    int64_t nodes_per_unit; /* 0: not said, 1 */
    struct place file_place, start_place;
};
extern const struct schema replay_schema;

#endif
