/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a workload says about its data: the disk of each node, the data set it keeps, the data it
 * moves. Prices that are not stated come from the catalogue. */
#ifndef FLEETCAST_MODELS_STORAGE_KEYS_H
#define FLEETCAST_MODELS_STORAGE_KEYS_H

#include "engine/diagnostics.h"
#include "engine/inputs.h"
#include "engine/schema.h"

#include <stdbool.h>
#include <stddef.h>

enum disk_type { DISK_GP3, DISK_GP2, DISK_IO1, DISK_IO2, DISK_ST1, DISK_SC1, DISK_TYPE_COUNT };
extern const char *const disk_type_names[];

struct disk_spec {
    bool given;
    struct place place;
    struct number size;                                         /* bytes */
    int type;                                                   /* enum disk_type */
    struct number iops;                                         /* provisioned */
    struct number throughput;                                   /* bytes per second */
    struct number per_gb_month, per_iops_month, per_mbps_month; /* stated prices */
    bool keep;                                                  /* between launches too */
};
extern const struct schema disk_schema;

enum dataset_read { READ_AT_LAUNCH, READ_AT_START, READ_NEVER };

struct dataset_spec {
    bool given;
    struct place place;
    struct number size; /* bytes */
    int store;          /* 0: s3 */
    struct number per_gb_month;
    struct number object_size; /* bytes; not given: requests are not counted */
    int read;                  /* enum dataset_read */
    struct number passes;      /* times that it is read each time */
    bool upload;               /* written by the plan, at submission */
    struct number per_1000_put, per_1000_get;
};
extern const struct schema dataset_schema;

enum transfer_when { TRANSFER_PER_LAUNCH, TRANSFER_AT_START, TRANSFER_AT_END };
enum transfer_route { ROUTE_NAT, ROUTE_CROSS_AZ, ROUTE_CROSS_REGION, ROUTE_INTERNET, ROUTE_COUNT };
extern const char *const transfer_route_names[];

struct transfer_spec {
    struct schema_item item;
    struct number size; /* bytes, each time */
    int when, route;
    struct number per_gb;
};
extern const struct schema transfer_schema;

struct storage_spec {
    struct disk_spec disk;
    struct dataset_spec dataset;
    struct schema_list transfer; /* struct transfer_spec */
};

/* The keys of a workload's data, in the schema of every kind: its spec has a member storage. */
#define STORAGE_KEYS(type)                                                                         \
    {.name = "disk",                                                                               \
     .kind = SCHEMA_SECTION,                                                                       \
     .inner = &disk_schema,                                                                        \
     .offset = offsetof(type, storage.disk),                                                       \
     .given_offset = offsetof(type, storage.disk.given),                                           \
     .place_offset = offsetof(type, storage.disk.place),                                           \
     .help = "The volume of each node: a size, or a section."},                                    \
        {.name = "dataset",                                                                        \
         .kind = SCHEMA_SECTION,                                                                   \
         .inner = &dataset_schema,                                                                 \
         .offset = offsetof(type, storage.dataset),                                                \
         .given_offset = offsetof(type, storage.dataset.given),                                    \
         .place_offset = offsetof(type, storage.dataset.place),                                    \
         .help = "The data set it keeps: a size, or a section."},                                  \
    {                                                                                              \
        .name = "transfer", .kind = SCHEMA_LIST, .inner = &transfer_schema, .list_or_one = true,   \
        .low = 0, .high = 16, .offset = offsetof(type, storage.transfer),                          \
        .help = "The data it moves."                                                               \
    }

#endif
