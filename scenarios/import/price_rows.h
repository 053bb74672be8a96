/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rows of a user's price layer (see models/catalogue/catalogue.h) while an importer gathers them:
 * what the catalogue does not describe or nobody asked for is left out, and counted by reason; a
 * row given twice is kept once, and refused when the two differ. Memory grows with the rows that
 * are kept, not with the files. */
#ifndef FLEETCAST_SCENARIOS_PRICE_ROWS_H
#define FLEETCAST_SCENARIOS_PRICE_ROWS_H

#include "engine/money.h"
#include "models/catalogue/catalogue.h"
#include "models/catalogue/reserved_offers.h"
#include "scenarios/import/importer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum price_row_kind { PRICE_ROW_ON_DEMAND, PRICE_ROW_SPOT, PRICE_ROW_OFFER, PRICE_ROW_ADVISOR };

struct imported_price {
    enum price_row_kind kind;
    size_t type, region; /* positions in the catalogue */
    int64_t day;
    money_t per_hour; /* RESERVED_NONE: no such offer; of an advisor row 0 */
    enum spot_statistic statistic;
    enum offer_kind offer;
    int term; /* 0: one year, 1: three */
    enum payment_option payment;
    enum advisor_bucket bucket;
    int savings_percent;       /* of an advisor row; -1: not said */
    const char *file, *source; /* live as long as the rows */
    int line;
};

#define PRICE_ROWS_BEGIN "region,instance_type,kind,date," /* the header's first columns */

struct price_rows;

/* Loads the catalogue and checks what is asked for. NULL on failure, told. */
struct price_rows *price_rows_new(const struct import_request *r);
void price_rows_free(struct price_rows *p);
const struct catalogue *price_rows_catalogue(const struct price_rows *p);

/* Whether rows of this type and region are wanted: known, and asked for. Counts those that are not.
 */
bool price_rows_type(struct price_rows *p, const char *name, size_t *type);
bool price_rows_region(struct price_rows *p, const char *code, size_t *region);
/* One row of the file is left out: "operating system", "Windows". value may be "". */
void price_rows_skip(struct price_rows *p, const char *what, const char *value);
/* A stated price above zero and at most a million an hour; false otherwise. Zero included: lists
 * write it where there is no price. */
bool price_rows_money(const char *text, money_t *out);
/* The day of rows of files that do not say theirs: --date; an error when it is not given. */
bool price_rows_day(struct price_rows *p, const char *file, int64_t *day);
/* --source, or `own`, or when that is NULL the file's name without its folders. NULL: no memory. */
const char *price_rows_source(struct price_rows *p, const char *file, const char *own);

/* The row is copied. False when memory is out (told when finished). */
bool price_rows_add(struct price_rows *p, const struct imported_price *row);
/* Of the last row added, for what is known only later. */
size_t price_rows_count(const struct price_rows *p);
struct imported_price *price_rows_at(struct price_rows *p, size_t index);
void price_rows_truncate(struct price_rows *p, size_t count);

/* Sorts, drops repeats, refuses contradictions, and says in the request's `said` what was kept and
 * what was skipped. False on failure, told. */
bool price_rows_finish(struct price_rows *p);
/* Writes the table; what: struct price_rows. */
bool price_rows_write(const void *what, FILE *out);

/* read() and write() of an importer of price lists: `read_file` is called for every file; what is
 * made is given back by price_rows_release, an importer's `release`. */
void *price_rows_import(const struct import_request *r,
                        bool (*read_file)(struct price_rows *p, const struct import_request *r,
                                          const char *path));
void price_rows_release(void *what);

#endif
