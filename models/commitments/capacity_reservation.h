/* SPDX-License-Identifier: GPL-3.0-or-later
 * On-demand capacity reservations over time: what runs in the reserved capacity, what runs outside
 * it, and what is reserved and idle. Each is billed at the on-demand price, but discounts treat
 * them differently (see coverage.h), so each is a group of usage of its own. Source: EC2 user
 * guide, "Capacity Reservation pricing and billing" (2023-06-15). */
#ifndef FLEETCAST_MODELS_CAPACITY_RESERVATION_H
#define FLEETCAST_MODELS_CAPACITY_RESERVATION_H

#include "models/commitments/coverage_run.h"

#include <stddef.h>
#include <stdint.h>

#define RESERVATION_NO_SLOT UINT32_MAX

struct reservation_slots {
    uint32_t outside; /* USE_INSTANCE; RESERVATION_NO_SLOT: nothing ever runs */
    uint32_t inside;  /* USE_IN_RESERVATION */
    uint32_t idle;    /* USE_IDLE */
};

/* running: changes of the instances that match the reservation, reserved: of the capacity held;
 * both sorted by time, their slots are not read. Writes the changes of the three slots to out,
 * which has room for 3 × (running_count + reserved_count), sorted by time; returns their number. */
size_t capacity_reservation_changes(const struct coverage_change *running, size_t running_count,
                                    const struct coverage_change *reserved, size_t reserved_count,
                                    const struct reservation_slots *slots,
                                    struct coverage_change *out);

#endif
