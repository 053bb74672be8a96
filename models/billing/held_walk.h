/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reserved capacity over time: how many instances run in an On-Demand Capacity Reservation and how
 * many of it are idle, at which on-demand price. Of several reservations of one pool the first of
 * the scenario is filled first. The bill and the export walk along the same stretches. */
#ifndef FLEETCAST_MODELS_HELD_WALK_H
#define FLEETCAST_MODELS_HELD_WALK_H

#include "engine/money.h"
#include "models/commitments/reservation_plan.h"
#include "models/fleet/usage.h"
#include "models/market/market.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct held_walk; /* one thread's memory */

/* NULL when out of memory. The plan is borrowed. */
struct held_walk *held_walk_new(const struct reservation_plan *plan);
void held_walk_free(struct held_walk *w);

/* A time in which nothing of it changes. */
struct held_stretch {
    int64_t from_us, to_us; /* from < to, before the horizon */
    int64_t inside, idle;   /* instances; together what is held */
    money_t per_hour;       /* of one, on demand */
};

/* Calls sink for all stretches of a reservation before until_us, by time and without gaps from its
 * beginning to its end. False when out of memory. */
bool held_walk_item(struct held_walk *w, size_t item, struct market *m, const struct usage_log *log,
                    int64_t until_us, void (*sink)(void *context, const struct held_stretch *s),
                    void *context);

#endif
