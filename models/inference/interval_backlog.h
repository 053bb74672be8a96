/* SPDX-License-Identifier: GPL-3.0-or-later
 * The backlog of a service as a fluid, first come, first served: requests that came over a stretch
 * of time flow in at a constant rate, and out as fast as replicas serve. What flows out waited from
 * when it came to when it went: along a line from the first of a stretch to the last. */
#ifndef FLEETCAST_MODELS_INTERVAL_BACKLOG_H
#define FLEETCAST_MODELS_INTERVAL_BACKLOG_H

#include "models/inference/interval_retries.h"

#include <stdbool.h>
#include <stddef.h>

/* Requests that came evenly from one time to another. */
struct backlog_parcel {
    double from_s, to_s, amount;
    double below_per_s; /* > 0: they came to a queue that is as long as it may be, and waits are
                           shorter by an exponential time of that rate */
    struct request_mix mix;
};

/* Zeroed: empty, without memory. */
struct interval_backlog {
    struct backlog_parcel *parcels; /* a ring; first come, first */
    size_t first, count, capacity;
    double amount; /* read only: of all */
};

void interval_backlog_clear(struct interval_backlog *b); /* keeps memory */
void interval_backlog_release(struct interval_backlog *b);

/* Requests that came after all that are there. False when memory is out. */
bool interval_backlog_add(struct interval_backlog *b, double from_s, double to_s, double amount,
                          const struct request_mix *mix);
/* Those added last found the queue full. */
void interval_backlog_mark(struct interval_backlog *b, double below_per_s);
/* Only this share of each parcel stays. */
void interval_backlog_thin(struct interval_backlog *b, double share);
/* Takes up to `amount` of the first parcel, as one parcel. There is one. */
struct backlog_parcel interval_backlog_take(struct interval_backlog *b, double amount);

#endif
