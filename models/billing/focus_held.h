/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which nodes run in which On-Demand Capacity Reservation, for an export. The bill only asks how
 * many do, and fills the first reservation of a pool first. Here a node stays in its reservation
 * while that has a place for it; places that are left go to those that were launched first, also to
 * nodes that run already, as running instances move in that match an open reservation (EC2 user
 * guide, "On-Demand Capacity Reservations", 2023-06-15). */
#ifndef FLEETCAST_MODELS_FOCUS_HELD_H
#define FLEETCAST_MODELS_FOCUS_HELD_H

#include "models/commitments/reservation_plan.h"
#include "models/fleet/usage.h"

#include <stddef.h>
#include <stdint.h>

/* A node's stay in a reservation. */
struct focus_stay {
    size_t record; /* of the log */
    uint32_t twin;
    uint32_t item; /* of the plan's reservations */
    int64_t from_us, to_us;
};

struct focus_held {
    struct focus_stay *stays; /* by node and time */
    size_t count, capacity;
};

enum focus_held_end { FOCUS_HELD_DONE, FOCUS_HELD_NO_MEMORY, FOCUS_HELD_TOO_MANY };

/* until_us: capacity is given up then. focus_held_release is due either way. */
enum focus_held_end focus_held_init(struct focus_held *h, const struct reservation_plan *plan,
                                    const struct usage_log *log, int64_t until_us);
void focus_held_release(struct focus_held *h);
/* The reservation that a node is in, counted from 1 as in the plan; 0: none. *until_us: how long
 * that holds. */
size_t focus_held_at(const struct focus_held *h, size_t record, uint32_t twin, int64_t at_us,
                     int64_t *until_us);

#endif
