/* SPDX-License-Identifier: GPL-3.0-or-later
 * Shared file systems, as items of `charges`: EFS and FSx for Lustre. */
#ifndef FLEETCAST_MODELS_FILESYSTEM_KEYS_H
#define FLEETCAST_MODELS_FILESYSTEM_KEYS_H

#include "engine/inputs.h"
#include "engine/schema.h"

#include <stdbool.h>

enum efs_class { EFS_STANDARD, EFS_INFREQUENT };

struct efs_spec {
    bool given;
    struct number size;       /* bytes */
    int storage_class;        /* enum efs_class */
    struct number throughput; /* provisioned, bytes per second */
    struct number read;       /* bytes at each launch of a node */
    struct number write;      /* bytes at each checkpoint */
    struct number per_gb_month, per_mbps_month, per_gb_read, per_gb_write;
};
extern const struct schema efs_schema;

enum lustre_deployment { LUSTRE_SCRATCH, LUSTRE_PERSISTENT_1, LUSTRE_PERSISTENT_2 };
enum lustre_storage { LUSTRE_SSD, LUSTRE_HDD };

struct lustre_spec {
    bool given;
    struct number size; /* bytes */
    int deployment, storage;
    int64_t throughput; /* MB/s per TiB; 0: not given */
    struct number per_gb_month;
};
extern const struct schema lustre_schema;

#endif
