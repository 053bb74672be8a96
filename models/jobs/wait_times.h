/* SPDX-License-Identifier: GPL-3.0-or-later
 * Waits and turnarounds of the jobs of one world, and what is told of them. For models/jobs only.
 */
#ifndef FLEETCAST_MODELS_WAIT_TIMES_H
#define FLEETCAST_MODELS_WAIT_TIMES_H

#include "models/fleet/work.h"

#include <stdbool.h>
#include <stddef.h>

struct times_list {
    double *items, *spare;
    size_t count, capacity;
};
void times_list_release(struct times_list *t);
/* False when out of memory. */
bool times_list_add(struct times_list *t, double s);

/* Sorts both, and fills what queue says of waits and turnarounds. Quantiles are order statistics:
 * the smallest value with at least that share of the jobs at or below it. */
void wait_times_tell(struct times_list *waits, struct times_list *turnarounds,
                     struct work_queue *queue);

#endif
