/* SPDX-License-Identifier: GPL-3.0-or-later
 * A file of dated price rows while it is read: what the shipped tables and the user's layers have
 * in common. Every row begins with region, type and day; keys that a file has twice are told when
 * it is closed. */
#ifndef FLEETCAST_MODELS_PRICE_FILE_H
#define FLEETCAST_MODELS_PRICE_FILE_H

#include "models/catalogue/catalogue_input.h"
#include "models/catalogue/price_keys.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kinds of a user's file come first. */
enum row_kind { ROW_ON_DEMAND, ROW_SPOT, ROW_RESERVED, ROW_SAVINGS, ROW_ADVISOR };
/* "on-demand price", by kind. */
extern const char *const price_row_nouns[];
extern const char *const price_term_names[]; /* "1y", "3y", NULL */
/* Keys of reserved offers and savings-plan rates: this + enum offer_kind, a bit for each term and
 * payment. */
enum { KEY_RESERVED = ROW_ADVISOR + 1 };
#define BUCKETS_EXPECTED "<5%, 5-10%, 10-15%, 15-20% or >20%"
enum { ALL_STATISTICS = (1 << SPOT_STATISTIC_COUNT) - 1 };

struct price_file {
    struct catalogue_input in;
    struct price_keys keys;
    /* Of a user's file; -1 = not there. */
    int statistic_column, source_column, class_column, term_column, payment_column;
    int bucket_column, savings_column;
};

/* Every file begins with these three columns, as far as its reader is concerned. */
enum { C_REGION, C_TYPE, C_DATE, C_OTHER };

struct row_head {
    uint32_t cell;
    size_t region;
    int64_t day;
};

/* False with an error of the row, but for those of them that say otherwise. */
bool price_file_head(struct catalogue_input *in, struct row_head *head);
bool price_file_price(struct catalogue_input *in, size_t column, const char *name, money_t *price);
/* region NOT_FOUND: told already, nothing to compare with. */
bool price_file_currency(struct catalogue_input *in, size_t column, size_t region);
/* The source of a shipped row, which must be there; else NULL. */
const char *price_file_source(struct catalogue_input *in, size_t column);
/* Index of value in a NULL-terminated list, or -1, told with what was expected. */
int price_file_choice(struct catalogue_input *in, const char *name, const char *value,
                      const char *const *choices, const char *expected);

/* These are false when memory is out. kind: enum row_kind, or KEY_RESERVED and more. */
bool price_file_remember(struct price_file *f, int kind, uint32_t cell, int64_t day,
                         uint8_t statistics);
bool price_file_add_price(struct catalogue_input *in, struct price_book *book,
                          const struct row_head *head, int64_t confirmed, money_t price,
                          const char *source);
/* savings: -1.0 when the row does not say it. */
bool price_file_add_advisor(struct price_file *f, const struct row_head *head,
                            enum advisor_bucket bucket, double savings, const char *source);

/* Reads all rows, checks the keys and closes the file. read_row: false when memory is out. */
bool price_file_rows(struct price_file *f, bool (*read_row)(struct price_file *));
bool price_file_close(struct price_file *f);

#endif
