/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/storage_keys.h"

#include <stddef.h>

const char *const disk_type_names[] = {"gp3", "gp2", "io1", "io2", "st1", "sc1", NULL};
static const char *const store_names[] = {"s3", NULL};
static const char *const read_names[] = {"launch", "start", "never", NULL};
static const char *const when_names[] = {"launch", "start", "end", NULL};
const char *const transfer_route_names[] = {"nat", "cross-az", "cross-region", "internet", NULL};

#define MOST_PRICE 1e6

/* ---- disk ----------------------------------------------------------------------------------- */

#define DISK(member) offsetof(struct disk_spec, member)

static const struct schema_key disk_keys[] = {
    {.name = "size",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA,
     .low = 0,
     .high = 1e18,
     .offset = DISK(size),
     .help = "Size of each node's volume, rounded up to whole GiB as volumes are."},
    {.name = "type",
     .kind = SCHEMA_CHOICE,
     .choices = disk_type_names,
     .default_text = "gp3",
     .offset = DISK(type),
     .help = "The kind of EBS volume."},
    {.name = "iops",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = 1e7,
     .offset = DISK(iops),
     .help = "Provisioned operations a second: `gp3` (3,000 are free), `io1` and `io2`."},
    {.name = "throughput",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA_RATE,
     .low = 0,
     .high = 1e12,
     .offset = DISK(throughput),
     .help = "Provisioned throughput: `gp3` alone (125 MiB/s are free)."},
    {.name = "per_gb_month",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = MOST_PRICE,
     .offset = DISK(per_gb_month),
     .help = "Price of a GiB in a month of 730 hours; default: the catalogue's."},
    {.name = "per_iops_month",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = MOST_PRICE,
     .offset = DISK(per_iops_month),
     .help = "Price of a provisioned operation a second; default: the catalogue's."},
    {.name = "per_mbps_month",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = MOST_PRICE,
     .offset = DISK(per_mbps_month),
     .help = "Price of a MiB/s of provisioned throughput; default: the catalogue's."},
    {.name = "keep",
     .kind = SCHEMA_FLAG,
     .default_text = "no",
     .offset = DISK(keep),
     .help = "Volumes stay, and are paid, between a node's launches and up to the end of the work, "
             "as those of stopped nodes do."},
};

const struct schema disk_schema = {
    .name = "training.disk",
    .shorthand = "size",
    SCHEMA_KEYS(disk_keys),
    .size = sizeof(struct disk_spec),
    .help = "The volume of each node, paid while the node exists, however it was bought.",
};

/* ---- data set ------------------------------------------------------------------------------- */

#define DATASET(member) offsetof(struct dataset_spec, member)

static const struct schema_key dataset_keys[] = {
    {.name = "size",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA,
     .low = 0,
     .high = 1e18,
     .offset = DATASET(size),
     .help = "Its size."},
    {.name = "store",
     .kind = SCHEMA_CHOICE,
     .choices = store_names,
     .default_text = "s3",
     .offset = DATASET(store),
     .help = "Where it is kept: S3 Standard."},
    {.name = "per_gb_month",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = MOST_PRICE,
     .offset = DATASET(per_gb_month),
     .help = "Price of a GiB in a month of 730 hours; default: the catalogue's."},
    {.name = "object_size",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA,
     .low = 1,
     .high = 1e18,
     .offset = DATASET(object_size),
     .help = "Size of its objects: each is one request; requests are charged where it is stated."},
    {.name = "read",
     .kind = SCHEMA_CHOICE,
     .choices = read_names,
     .default_text = "launch",
     .offset = DATASET(read),
     .help = "When all of it is read: at each node's `launch`, once at the `start` (first launch), "
             "or `never`."},
    {.name = "passes",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = 1e9,
     .default_text = "1",
     .offset = DATASET(passes),
     .help = "How often it is read each time."},
    {.name = "upload",
     .kind = SCHEMA_FLAG,
     .default_text = "no",
     .offset = DATASET(upload),
     .help = "The plan writes it, at its submission: a PUT for each object."},
    {.name = "per_1000_put",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = MOST_PRICE,
     .offset = DATASET(per_1000_put),
     .help = "Price of a thousand PUT requests; default: the catalogue's."},
    {.name = "per_1000_get",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = MOST_PRICE,
     .offset = DATASET(per_1000_get),
     .help = "Price of a thousand GET requests; default: the catalogue's."},
};

const struct schema dataset_schema = {
    .name = "training.dataset",
    .shorthand = "size",
    SCHEMA_KEYS(dataset_keys),
    .size = sizeof(struct dataset_spec),
    .help = "A data set that is kept from the submission to the end of the work.",
};

/* ---- transfer ------------------------------------------------------------------------------- */

#define TRANSFER(member) offsetof(struct transfer_spec, member)

static const struct schema_key transfer_keys[] = {
    {.name = "size",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA,
     .low = 0,
     .high = 1e18,
     .required = true,
     .offset = TRANSFER(size),
     .help = "Data that is moved each time."},
    {.name = "route",
     .kind = SCHEMA_CHOICE,
     .choices = transfer_route_names,
     .required = true,
     .offset = TRANSFER(route),
     .help = "Through a NAT gateway, to another zone (both directions are charged), to another "
             "region, or out to the internet."},
    {.name = "when",
     .kind = SCHEMA_CHOICE,
     .choices = when_names,
     .default_text = "launch",
     .offset = TRANSFER(when),
     .help = "At each node's `launch`, once at the `start` (first launch), or once at the `end` of "
             "finished work."},
    {.name = "per_gb",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = MOST_PRICE,
     .offset = TRANSFER(per_gb),
     .help = "Price of a GiB, in all; default: the catalogue's."},
};

const struct schema transfer_schema = {
    .name = "training.transfer",
    SCHEMA_KEYS(transfer_keys),
    .size = sizeof(struct transfer_spec),
    .help = "Data that crosses something that charges for it.",
};
