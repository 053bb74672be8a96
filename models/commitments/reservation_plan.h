/* SPDX-License-Identifier: GPL-3.0-or-later
 * A strategy's On-Demand Capacity Reservations: how many instances of a type are held in a zone,
 * from when to when. Held capacity is paid at the on-demand price in force, whether instances run
 * in it or not; what runs in it is on-demand usage like any other. It may be given up at any time,
 * so nothing is signed, and it is kept to the horizon at most, or until the project is cancelled.
 * It is taken to be granted when it is asked for. Source: EC2 user guide, "On-Demand Capacity
 * Reservations" (2023-06-15). Read only after making. */
#ifndef FLEETCAST_MODELS_RESERVATION_PLAN_H
#define FLEETCAST_MODELS_RESERVATION_PLAN_H

#include "models/commitments/capacity_reservation.h"
#include "models/commitments/commitment_keys.h"
#include "models/market/market.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One item of `commitments`. */
struct held_capacity {
    const struct commitment_spec *spec;
    const char *name;       /* as shown */
    int pool;               /* of the market, on demand */
    int64_t from_us, to_us; /* since the scenario's start; to the horizon at most */
    uint32_t count;
};

/* All that is held of one pool. */
struct held_pool {
    int pool;
    const struct coverage_change *changes; /* of the number held, sorted by time */
    size_t change_count;
    struct reservation_slots slots; /* set by the commitment plan */
};

struct reservation_plan {
    struct held_capacity *items; /* in the order of the scenario */
    size_t count;
    struct held_pool *pools;
    size_t pool_count;
};

/* specs: those of other kinds are passed over. Adds pools to the market. What is wrong is told at
 * the item's place; false then, or when memory is out. */
bool reservation_plan_make(struct reservation_plan *p, const struct commitment_spec *specs,
                           size_t count, struct market_plan *market,
                           const struct market_context *context);

/* What is held of a market pool; NULL: nothing at any time. */
const struct held_pool *reservation_plan_pool(const struct reservation_plan *p, int pool);
/* How many are held at an instant (right-continuous). */
int64_t held_pool_count(const struct held_pool *p, int64_t at_us);
/* The first change after an instant; INT64_MAX: none. */
int64_t held_pool_next_us(const struct held_pool *p, int64_t at_us);

/* Most instances of a type that these specs hold in a zone at one time. */
uint32_t reservation_most(const struct schema_list *specs, const char *type, const char *zone,
                          const struct market_context *context);

#endif
