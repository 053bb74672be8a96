/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reserved offers: what one reserved instance of a type in a region costs for one or three years,
 * by class and payment, and since when that is known. A row is what a dated source said about one
 * class; each of its six cells is a price, "none" (the source shows that there was no such offer),
 * or empty (the source does not say). The offer in force is the newest cell that says something:
 * offers disappear, and a price from before they did must not be taken for one of today. Fixed by
 * loading, like the rest of the catalogue.
 *
 * Sources give effective prices an hour; how they fall into upfront and recurring payment is
 * derived here as the provider does it: all-upfront pays all hours of the term at once,
 * partial-upfront half of them. */
#ifndef FLEETCAST_MODELS_RESERVED_OFFERS_H
#define FLEETCAST_MODELS_RESERVED_OFFERS_H

#include "engine/arena.h"
#include "models/catalogue/catalogue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum payment_option {
    PAYMENT_NO_UPFRONT,
    PAYMENT_PARTIAL_UPFRONT,
    PAYMENT_ALL_UPFRONT,
    PAYMENT_COUNT
};
extern const char *const payment_option_names[]; /* "no-upfront" …, NULL */

enum offer_kind {
    OFFER_STANDARD,         /* Reserved Instances, standard */
    OFFER_CONVERTIBLE,      /* Reserved Instances, convertible */
    OFFER_INSTANCE_SAVINGS, /* rate of an EC2 Instance Savings Plan */
    OFFER_COMPUTE_SAVINGS,  /* rate of a Compute Savings Plan */
    OFFER_KIND_COUNT
};
extern const char *const offer_kind_names[]; /* "standard", "convertible",
                                                "ec2-instance-savings-plan",
                                                "compute-savings-plan", NULL */

/* A savings-plan rate that nobody states may be assumed from the Reserved Instances of the same
 * term and payment, standard for an EC2 Instance, convertible for a Compute Savings Plan: their
 * effective price times something between these. */
enum offer_kind offer_as_reserved(enum offer_kind savings);
#define SAVINGS_OVER_RESERVED_LOW  1.0
#define SAVINGS_OVER_RESERVED_HIGH 1.1

struct offer_key {
    const char *type, *region;
    enum offer_kind kind;
    int term_years; /* 1 or 3 */
    enum payment_option payment;
};

/* Of one instance, in the region's currency. effective × hours of the term (8,760 a year) is
 * exactly upfront + hourly × hours. */
struct reserved_price {
    money_t effective_per_hour;
    money_t upfront, hourly; /* derived */
    int64_t from_unix_s, confirmed_unix_s;
    const char *layer, *source;
};

/* The offer known at as_of; false when there is none (or none is known). */
bool catalogue_reserved(const struct catalogue *c, const struct offer_key *key, int64_t as_of,
                        struct reserved_price *out);

/* Rows of one type, region and kind, oldest first, for tables: prices by [term 1 or 3: 0,
 * 1][payment], 0 = not said, RESERVED_NONE = no such offer. */
#define RESERVED_NONE (-1)
struct reserved_row {
    uint32_t cell;
    enum offer_kind kind;
    uint32_t rank; /* of its layer: 0 = shipped, then the price files in order */
    int line;
    int64_t from_unix_s, confirmed_unix_s;
    money_t per_hour[2][PAYMENT_COUNT];
    const char *layer, *source;
};
size_t catalogue_reserved_rows(const struct catalogue *c, const char *type, const char *region,
                               enum offer_kind kind, const struct reserved_row **rows);

/* What exists instead, as one sentence (700 bytes are enough): "no 1-year standard no-upfront offer
 * for 'p5.48xlarge' in 'us-east-1' is known on 2026-01-01; there are: 3-year standard (no-,
 * partial-, all-upfront), …". */
void catalogue_explain_missing_reserved(const struct catalogue *c, const struct offer_key *key,
                                        int64_t as_of, char *out, size_t out_size);

/* Warns of prices in force that are in a strange order: three years dearer than one year, more
 * upfront dearer than less, or a reserved hour dearer than one on demand. Some are as published. */
void catalogue_check_reserved(const struct catalogue *c, const char *type, const char *region,
                              int64_t as_of, struct diagnostics *d);

/* ---- loading, by catalogue.c ---- */

struct reserved_offers {
    struct reserved_row *pending; /* until frozen; on the heap */
    size_t pending_count, pending_capacity;
    struct reserved_row *rows; /* frozen: by cell, kind, date, layer; in the arena */
    size_t count;
};
/* Reads reserved.csv of the catalogue's folder; a folder without it knows no offers. */
bool reserved_offers_read(struct catalogue *c, struct diagnostics *d);
/* Copies a row of a price file; most often one of its prices is set. False when memory or the cap
 * (1 million rows) is out. */
bool reserved_offers_add(struct reserved_offers *o, const struct reserved_row *row);
/* Sorts; of two prices of one offer and date the later layer's stays. False when memory is out. */
bool reserved_offers_freeze(struct reserved_offers *o, struct arena *arena);
void reserved_offers_release(struct reserved_offers *o); /* what was pending */
/* The file that a row is from, as messages call it. */
const char *reserved_offers_file(const struct catalogue *c, const struct reserved_row *row);

#endif
