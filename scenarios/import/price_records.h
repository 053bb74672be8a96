/* SPDX-License-Identifier: GPL-3.0-or-later
 * Records of a spot price history, in any order and from several files, to traces. */
#ifndef FLEETCAST_SCENARIOS_PRICE_RECORDS_H
#define FLEETCAST_SCENARIOS_PRICE_RECORDS_H

#include "models/market/trace_builder.h"
#include "scenarios/import/importer.h"
#include "scenarios/import/name_index.h"

#include <stdbool.h>

/* One record as a file has it; texts are borrowed for the call. */
struct price_record {
    const char *zone, *type, *product, *price, *time; /* NULL: the record lacks it */
};

struct stored_price {
    int64_t us; /* since 1970 */
    money_t price;
    int line;
    unsigned pool, file;
};

struct price_records {
    const struct import_request *r;
    const char *product; /* kept */
    struct stored_price *items;
    size_t count, capacity;
    struct name_index pools;    /* "zone TAB type" */
    struct name_index products; /* left out */
    size_t left_out, file_records;
    bool has_names, has_ids; /* of zones: us-east-1a, use1-az1 */
    unsigned file;           /* index of the one being read */
};

void price_records_release(struct price_records *p);
/* Keeps a record of the product, checked. What is wrong with it comes out as a sentence for the
 * reader's own error with its line (in `message`); false then. */
bool price_records_add(struct price_records *p, const struct price_record *record, int line,
                       char *message, size_t message_size);
/* Sorted, without repetitions, into the builder; time 0 of all pools is the second of the first
 * record. False when told: nothing kept, or two prices of one instant. */
bool price_records_build(struct price_records *p, struct trace_builder *b);

#endif
