/* SPDX-License-Identifier: GPL-3.0-or-later
 * Prices of storage and network: volumes, objects, data transfer, NAT gateways, by region and date.
 * A price may fall in tiers of the quantity of a month. The unit of data is the provider's: its GB
 * are 2^30 bytes (usage is metered in byte-hours and divided by 1024^3). */
#ifndef FLEETCAST_MODELS_STORAGE_PRICES_H
#define FLEETCAST_MODELS_STORAGE_PRICES_H

#include "engine/diagnostics.h"
#include "engine/money.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STORAGE_GIB_BYTES 1073741824.0

enum storage_item {
    STORAGE_GP3,
    STORAGE_GP3_IOPS,       /* above the 3,000 that every volume has */
    STORAGE_GP3_THROUGHPUT, /* above 125 MiB/s */
    STORAGE_GP2,
    STORAGE_IO1,
    STORAGE_IO1_IOPS,
    STORAGE_IO2,
    STORAGE_IO2_IOPS,
    STORAGE_ST1,
    STORAGE_SC1,
    STORAGE_S3,
    STORAGE_S3_PUT, /* PUT, COPY, POST, LIST, parts of an upload */
    STORAGE_S3_GET,
    STORAGE_NAT_HOUR,
    STORAGE_NAT_DATA,
    STORAGE_CROSS_AZ, /* each direction */
    STORAGE_CROSS_REGION,
    STORAGE_INTERNET,
    STORAGE_EFS,
    STORAGE_EFS_IA,         /* infrequent access */
    STORAGE_EFS_THROUGHPUT, /* provisioned */
    STORAGE_EFS_READ,       /* elastic throughput */
    STORAGE_EFS_WRITE,
    STORAGE_EFS_IA_READ, /* of what lies in infrequent access */
    STORAGE_EFS_IA_WRITE,
    STORAGE_FSX_SCRATCH, /* FSx for Lustre; the others by MB/s per TiB */
    STORAGE_FSX_12,
    STORAGE_FSX_40,
    STORAGE_FSX_50,
    STORAGE_FSX_100,
    STORAGE_FSX_125,
    STORAGE_FSX_200,
    STORAGE_FSX_250,
    STORAGE_FSX_500,
    STORAGE_FSX_1000,
    STORAGE_ITEM_COUNT
};
extern const char *const storage_item_names[]; /* "gp3", "gp3-iops", …, NULL */

enum { STORAGE_TIERS = 8 };

struct storage_price {
    struct storage_tier {
        double up_to; /* of the month's quantity, in units; +infinity: no end */
        money_t price;
    } tiers[STORAGE_TIERS]; /* rising */
    size_t tier_count;      /* >= 1 */
    int64_t from_unix_s;
    const char *unit; /* "GiB-month", "GiB", "IOPS-month", "MiBps-month", "hour", "1000-requests" */
    const char *layer, *source;
};

struct catalogue;
struct catalogue_input;

/* What a month's first `quantity` costs, in currency units; beyond the last tier its price holds.
 */
double storage_price_of_first(const struct storage_price *p, double quantity);

/* The rows of the newest date at or before as_of. False when there is none. */
bool catalogue_storage(const struct catalogue *c, enum storage_item item, const char *region,
                       int64_t as_of, struct storage_price *out);
/* What exists instead, as one sentence (700 bytes are enough). */
void catalogue_explain_missing_storage(const struct catalogue *c, enum storage_item item,
                                       const char *region, int64_t as_of, char *out,
                                       size_t out_size);

/* ---- loading, by catalogue.c ---- */

struct storage_row {
    uint32_t region;
    enum storage_item item;
    int64_t from_unix_s;
    double up_to;
    money_t price;
    uint32_t layer; /* 0 = shipped, then the price files in order */
    int line;
    const char *unit, *source;
};
struct storage_prices {
    struct storage_row *rows; /* in the arena; by region, item, date, tier */
    size_t count;
};
/* Reads storage_network.csv of the catalogue's folder; a folder without it knows no such price. */
bool storage_prices_read(struct catalogue *c, struct diagnostics *d);
/* Reads a user's file of such prices, which price_layers.h opened; its layer's rows replace those
 * of earlier layers with the same region, item and date, all tiers at once. */
bool storage_prices_read_layer(struct catalogue_input *in);
/* True when the opened file's header is that of storage prices. */
bool storage_prices_are_in(const struct catalogue_input *in);

#endif
