/* SPDX-License-Identifier: GPL-3.0-or-later
 * Instance types, accelerators, regions and dated prices, read from CSV in layers: what is shipped,
 * then each of the user's price files, row by row. Read only after loading; safe to share between
 * threads. Every row carries a date and a source, and every answer says which layer it came from.
 */
#ifndef FLEETCAST_MODELS_CATALOGUE_H
#define FLEETCAST_MODELS_CATALOGUE_H

#include "engine/diagnostics.h"
#include "engine/money.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum precision {
    PRECISION_FP64,
    PRECISION_FP32,
    PRECISION_TF32,
    PRECISION_FP16,
    PRECISION_BF16,
    PRECISION_FP8,
    PRECISION_INT8,
    PRECISION_FP4,
    PRECISION_COUNT
};
extern const char *const precision_names[]; /* "fp64" …, NULL at the end: choices of a schema key */

struct accelerator {
    const char *name;      /* short: "A100-40GB" */
    const char *full_name; /* "NVIDIA A100 SXM4 40GB" */
    const char *architecture;
    /* Dense, per second, per chip; fp16 and below by tensor cores. 0 = the chip lacks it, or it was
     * never published. */
    double peak_flops[PRECISION_COUNT];
    double memory_bytes;
    double memory_bandwidth_bytes_per_s; /* 0 = unknown */
    const char *date, *source, *note;
};

struct instance_type {
    const char *name;                      /* "p4d.24xlarge" */
    const char *family;                    /* "p4d" */
    const struct accelerator *accelerator; /* NULL when the accelerator has no row of its own */
    const char *accelerator_name;
    double accelerator_count;        /* chips, not cores; a share of one chip on g6f */
    double accelerator_memory_bytes; /* of one, as the instance sees it: g6f has its share only */
    double vcpus, memory_bytes;
    double network_bytes_per_s; /* 0 = unknown */
    bool efa;
    double nvlink_bytes_per_s; /* per GPU; 0 = none or unknown */
    double local_nvme_bytes;
    const char *date, *source, *note;
};

struct region {
    const char *code;       /* "us-east-1" */
    const char *name;       /* "US East (N. Virginia)" */
    const char *currency;   /* "USD", "CNY" */
    double utc_offset_h;    /* standard time; for daily seasons only */
    const char *first_zone; /* "us-east-1a": where a plan runs that names no zone */
    const char *date, *source;
};

/* One price and since when it is known. */
struct dated_price {
    int64_t from_unix_s;      /* the row's date, 00:00 UTC */
    int64_t confirmed_unix_s; /* newest sighting of this price; >= from. Age = as_of - this, or 0 */
    money_t per_hour;         /* nano-units of the region's currency; > 0 */
    const char *layer;        /* "shipped" or the price file's name */
    const char *source;
};

enum spot_statistic { SPOT_MIN, SPOT_MEAN, SPOT_MAX, SPOT_STATISTIC_COUNT };
extern const char *const spot_statistic_names[]; /* "min", "mean", "max", NULL */

/* Advisor buckets: share of instances reclaimed in the trailing month. Never a monthly hazard. */
enum advisor_bucket {
    ADVISOR_UNKNOWN = -1,
    ADVISOR_BELOW_5,
    ADVISOR_5_10,
    ADVISOR_10_15,
    ADVISOR_15_20,
    ADVISOR_ABOVE_20
};
extern const char *const advisor_bucket_names[]; /* "<5%" …, NULL */

struct advisor_row {
    enum advisor_bucket bucket;
    double savings_frac; /* what spot was cheaper than on-demand in that month; below 0: not said */
    int64_t date_unix_s;
    const char *source;
    const char *layer;
};

struct catalogue;

/* folder NULL: the environment's FLEETCAST_CATALOGUE, else beside the program
 * (../models/catalogue/data of the executable's build folder, ../share/fleetcast/catalogue), else
 * the installed FLEETCAST_DATADIR/catalogue; the error names all places tried. price_files: the
 * user's layers, later ones win; their names are borrowed and must outlive d and the catalogue.
 * Errors (duplicate key in one layer, unknown type or region, price <= 0 or above a million an
 * hour, wrong currency, bad UTF-8) and warnings (spot above the on-demand price of that date; a
 * price file's row that a newer row of an earlier layer ends) go to d. NULL on error.
 *
 * A price file of storage and network is described in price_layers.h; one of instances is CSV with
 * one header row and the columns
 *     kind            on-demand, spot, reserved, savings-plan or advisor
 *     region          exact code: us-east-1
 *     instance_type   p4d.24xlarge
 *     date            YYYY-MM-DD: the day since which the price holds
 *     price_per_hour  of a whole instance; > 0; of a reserved offer the effective price, or `none`
 *     currency        the region's: USD, in China CNY
 *     statistic       optional; spot only: min, mean or max over zones; empty = all three
 *     class, term, payment   reserved only: standard or convertible; 1y or 3y; no-upfront,
 *                     partial-upfront or all-upfront
 *     bucket          advisor only: <5%, 5-10%, 10-15%, 15-20% or >20% of the instances were
 *                     reclaimed in the month before; such a row has no price and no currency
 *     savings_frac    optional; advisor only: what spot was cheaper than on-demand, 0 to 1
 *     source          optional; where it comes from
 * in any order. A row replaces the row of an earlier layer with the same kind, region, type, date
 * (and statistic, or class, term and payment), or stands beside the others; the newest row known at
 * a date is the price then.
 */
struct catalogue *catalogue_load(const char *folder, const char *const *price_files,
                                 size_t price_file_count, struct diagnostics *d);
void catalogue_free(struct catalogue *c);
/* Hash over the bytes of all files read, in order: for the manifest. */
uint64_t catalogue_hash(const struct catalogue *c);
const char *catalogue_folder(const struct catalogue *c);

size_t catalogue_types(const struct catalogue *c);
const struct instance_type *catalogue_type_at(const struct catalogue *c, size_t index);
const struct instance_type *catalogue_type(const struct catalogue *c,
                                           const char *name); /* or NULL */
bool catalogue_has_family(const struct catalogue *c, const char *family);
/* The nearest name, else the first type of this family or with this accelerator; or NULL. */
const char *catalogue_suggest_type(const struct catalogue *c, const char *name);
size_t catalogue_regions(const struct catalogue *c);
const struct region *catalogue_region_at(const struct catalogue *c, size_t index);
const struct region *catalogue_region(const struct catalogue *c, const char *code); /* or NULL */
/* The nearest code, else the region whose name begins so ("US East"); or NULL. */
const char *catalogue_suggest_region(const struct catalogue *c, const char *code);

/* All on-demand (Linux, shared tenancy) prices of a type in a region, oldest first; a later layer
 * replaces rows of the same date. Returns their number; 0 = never priced. */
size_t catalogue_on_demand(const struct catalogue *c, const char *type, const char *region,
                           const struct dated_price **prices);
/* The on-demand row in force at `unix_s` given what was known at `as_of`: the newest at or before
 * min(unix_s, as_of). NULL when there is none. */
const struct dated_price *catalogue_on_demand_at(const struct catalogue *c, const char *type,
                                                 const char *region, int64_t unix_s, int64_t as_of);
/* The newest spot price of this statistic over zones at or before as_of. zone "" or NULL: regional
 * statistic; a zone with rows of its own: the zone's. False when there is none. */
bool catalogue_spot(const struct catalogue *c, const char *type, const char *region,
                    const char *zone, enum spot_statistic statistic, int64_t as_of,
                    struct dated_price *out);
/* All regional rows of one statistic, oldest first; their number. */
size_t catalogue_spot_rows(const struct catalogue *c, const char *type, const char *region,
                           enum spot_statistic statistic, const struct dated_price **prices);
/* Newest advisor row at or before as_of; bucket ADVISOR_UNKNOWN when there is none. */
struct advisor_row catalogue_advisor(const struct catalogue *c, const char *type,
                                     const char *region, int64_t as_of);

/* What exists instead, as one sentence in out (512 bytes are enough): "no on-demand price for
 * 'p4d.24xlarge' in 'us-west-2' is known on 2025-03-01; the first is of 2025-06-04; it has one then
 * in us-east-1, us-gov-west-1". Unknown types and regions are told with a suggestion. */
void catalogue_explain_missing(const struct catalogue *c, const char *type, const char *region,
                               int64_t unix_s, int64_t as_of, char *out, size_t out_size);
/* The same for the regional spot price of a statistic. */
void catalogue_explain_missing_spot(const struct catalogue *c, const char *type, const char *region,
                                    enum spot_statistic statistic, int64_t as_of, char *out,
                                    size_t out_size);

#endif
