/* SPDX-License-Identifier: GPL-3.0-or-later
 * Quotas of the account (EC2 user guide, "Amazon EC2 instance type quotas", 2025: so many vCPUs of
 * all running on-demand instances of some families together, and another number for their spot
 * instances): the keys of `market.quotas`, and which pools share which quota.
 *
 * A quota refuses requests; it ends nothing that runs. A node counts from its grant to its end,
 * under notice too. Capacity Blocks and hardware of one's own do not count. */
#ifndef FLEETCAST_MODELS_ACCOUNT_QUOTAS_H
#define FLEETCAST_MODELS_ACCOUNT_QUOTAS_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "engine/schema.h"
#include "models/catalogue/catalogue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum quota_purchase { QUOTA_ON_DEMAND, QUOTA_SPOT };

struct quota_spec {
    struct schema_item item;
    struct schema_list families; /* const char * */
    int purchase;                /* enum quota_purchase */
    int64_t vcpus, nodes;        /* 0: not given */
};
extern const struct schema quota_schema;

/* What pools hold together is at most `most`, each node counting by its vCPUs, or as one. */
struct account_quota {
    const char *name; /* "1,152 vCPUs on demand of p4d and p5" */
    uint64_t most;
    bool in_vcpus;
};
/* A pool's part of it. */
struct pool_quota {
    const struct account_quota *of; /* NULL: none; the same for all pools that share it */
    uint32_t weight;                /* what a node counts, > 0 */
};

struct account_quotas {
    const struct schema_list *specs;
    struct account_quota *items; /* by spec */
    bool *good;                  /* likewise */
};

/* What is wrong is told at the item's place, and the quota holds for nobody then. False when out of
 * memory. `specs`, of struct quota_spec, must outlive it. */
bool account_quotas_init(struct account_quotas *q, const struct schema_list *specs,
                         const struct catalogue *catalogue, struct arena *arena,
                         struct diagnostics *d);
struct pool_quota account_quotas_of(const struct account_quotas *q,
                                    const struct instance_type *type, enum quota_purchase purchase);
/* Most nodes that the quota allows of this pool alone; UINT32_MAX: no quota. */
uint32_t pool_quota_most(struct pool_quota q);

#endif
