/* SPDX-License-Identifier: GPL-3.0-or-later
 * Requests as importers gather them, whatever the format. For scenarios/import only. */
#ifndef FLEETCAST_SCENARIOS_REQUEST_ROWS_H
#define FLEETCAST_SCENARIOS_REQUEST_ROWS_H

#include "scenarios/import/importer.h"

#define REQUEST_TICKS_PER_S INT64_C(10000000) /* 100 ns: the finest that traces have */

struct imported_request {
    int64_t at;                     /* ticks, on the files' own clock */
    int64_t prompt, output, cached; /* tokens; -1: not known */
};

struct request_rows {
    struct imported_request *items; /* times never fall */
    size_t count, capacity;
    bool has_zone;     /* times are since 1970 in UTC */
    size_t failed;     /* left out: they got no answer */
    size_t blocks;     /* of prompts, 512 tokens each … */
    size_t hit_blocks; /* … and those of them that a cache without end would have had */
};

/* False, told: out of order, more than can be read, out of memory. */
bool request_rows_append(struct request_rows *rows, const struct import_request *r,
                         const struct imported_request *request, struct place where);

/* Mooncake's JSON lines: `timestamp` in ms, `input_length`, `output_length`, `hash_ids`. */
bool request_rows_read_mooncake(struct request_rows *rows, const struct import_request *r);

#endif
