/* SPDX-License-Identifier: GPL-3.0-or-later
 * Windows that a strategy has bought (Capacity Blocks) on its bill: the whole price whatever is
 * used. Rating charges the nodes that ran in them by time, at the window's price over its
 * node-hours; that is the workloads' share. This adds what is left, on the bill of all workloads
 * together: cost and obligation are the whole price, cash is paid at the purchase, and amortised
 * cost and months follow the window by time. */
#ifndef FLEETCAST_MODELS_WINDOW_CHARGES_H
#define FLEETCAST_MODELS_WINDOW_CHARGES_H

#include "models/billing/bill.h"
#include "models/fleet/usage.h"

#include <stdbool.h>
#include <stddef.h>

struct window_charges; /* one thread's memory */

/* NULL when out of memory. months, others: of the frame. */
struct window_charges *window_charges_new(size_t months, size_t others);
void window_charges_free(struct window_charges *w);

/* pools: those with windows that the strategy has bought, each once. shared: the bill of all
 * workloads together, whose own bills hold the charges of all records. spend_units as in
 * rating_rate. False when memory is out. */
bool window_charges_rate(struct window_charges *w, const struct rating_frame *f, struct market *m,
                         const int *pools, size_t pool_count, int64_t bought_until_us,
                         const struct usage_log *log, struct bill *shared, double *spend_units);

#endif
