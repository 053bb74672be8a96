/* SPDX-License-Identifier: GPL-3.0-or-later
 * Shared file systems on the bill: EFS by what lies in it, by provisioned throughput above what
 * comes with it, by what is read and written; FSx for Lustre by its capacity, in the provider's
 * steps.
 * Sources: AWS re:Post, "Is EFS Provisioned Throughput mode billed at daily granularity?" (by the
 * hour, above what Standard storage allows, 50 KiB/s a GiB); FSx API, UpdateFileSystem,
 * StorageCapacity and PerUnitStorageThroughput (steps of capacity, rates of throughput). */
#ifndef FLEETCAST_MODELS_FILESYSTEM_CHARGES_H
#define FLEETCAST_MODELS_FILESYSTEM_CHARGES_H

#include "models/billing/charging.h"

struct filesystem_prices {
    struct charge_price size, throughput, read, write;
};

/* Checks the item's keys and finds its prices. What is wrong or missing is told. */
bool filesystem_make(struct charge_item *item, const struct market_context *c);

/* The capacity that is paid for one of so many bytes, GiB. */
double lustre_capacity_gib(const struct lustre_spec *s, double bytes);

void charge_efs(struct charging *c);
void charge_lustre(struct charging *c);

#endif
