/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/filesystem_keys.h"

#include <stddef.h>

static const char *const class_names[] = {"standard", "infrequent-access", NULL};
static const char *const deployment_names[] = {"scratch", "persistent-1", "persistent-2", NULL};
static const char *const storage_names[] = {"ssd", "hdd", NULL};

#define MOST_PRICE  1e6
#define EFS(member) offsetof(struct efs_spec, member)

static const struct schema_key efs_keys[] = {
    {.name = "size",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA,
     .low = 0,
     .high = 1e18,
     .offset = EFS(size),
     .help = "What is stored in it all the time."},
    {.name = "class",
     .kind = SCHEMA_CHOICE,
     .choices = class_names,
     .default_text = "standard",
     .offset = EFS(storage_class),
     .help = "The storage class that holds all of it."},
    {.name = "throughput",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA_RATE,
     .low = 0,
     .high = 1e12,
     .offset = EFS(throughput),
     .help = "Provisioned throughput; 50 KiB/s for each GiB of standard storage are free."},
    {.name = "read",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA,
     .low = 0,
     .high = 1e18,
     .offset = EFS(read),
     .help = "Data that each launch of a node reads, where reading is charged: elastic throughput, "
             "infrequent access."},
    {.name = "write",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA,
     .low = 0,
     .high = 1e18,
     .offset = EFS(write),
     .help = "Data that each complete checkpoint writes, where writing is charged."},
    {.name = "per_gb_month",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = MOST_PRICE,
     .offset = EFS(per_gb_month),
     .help = "Price of a GiB in a month of 730 hours; default: the price files'."},
    {.name = "per_mbps_month",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = MOST_PRICE,
     .offset = EFS(per_mbps_month),
     .help = "Price of a MiB/s of provisioned throughput; default: the price files'."},
    {.name = "per_gb_read",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = MOST_PRICE,
     .offset = EFS(per_gb_read),
     .help = "Price of a GiB read; default: the price files'."},
    {.name = "per_gb_write",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = MOST_PRICE,
     .offset = EFS(per_gb_write),
     .help = "Price of a GiB written; default: the price files'."},
};

const struct schema efs_schema = {
    .name = "charges.efs",
    .shorthand = "size",
    SCHEMA_KEYS(efs_keys),
    .size = sizeof(struct efs_spec),
    .help = "A file system of EFS.",
};

#define LUSTRE(member) offsetof(struct lustre_spec, member)

static const struct schema_key lustre_keys[] = {
    {.name = "size",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA,
     .low = 0,
     .high = 1e18,
     .offset = LUSTRE(size),
     .help = "Its capacity, rounded up to the next that can be had: 1,200 or 2,400 GiB or a "
             "multiple of "
             "2,400; of `hdd` a multiple of 6,000 (12 MB/s per TiB) or 1,800 (40)."},
    {.name = "deployment",
     .kind = SCHEMA_CHOICE,
     .choices = deployment_names,
     .default_text = "persistent-2",
     .offset = LUSTRE(deployment),
     .help = "Its deployment type."},
    {.name = "storage",
     .kind = SCHEMA_CHOICE,
     .choices = storage_names,
     .default_text = "ssd",
     .offset = LUSTRE(storage),
     .help = "Its disks; `hdd` with `persistent-1` alone."},
    {.name = "throughput",
     .kind = SCHEMA_INTEGER,
     .low = 0,
     .high = 1000,
     .default_text = "0",
     .offset = LUSTRE(throughput),
     .help = "MB/s for each TiB, which the price depends on: `persistent-2` 125, 250, 500 or 1000; "
             "`persistent-1` 50, 100 or 200, on `hdd` 12 or 40; `scratch` has one alone."},
    {.name = "per_gb_month",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = MOST_PRICE,
     .offset = LUSTRE(per_gb_month),
     .help = "Price of a GiB of its capacity in a month of 730 hours; default: the price files'."},
};

const struct schema lustre_schema = {
    .name = "charges.lustre",
    SCHEMA_KEYS(lustre_keys),
    .size = sizeof(struct lustre_spec),
    .help = "A file system of FSx for Lustre.",
};
