/* SPDX-License-Identifier: GPL-3.0-or-later
 * Data transfer on the bill: what each launch, the start and the end of a workload move. A route
 * whose price falls with the month's quantity is counted over all workloads together, in order of
 * time, as an account's is. */
#ifndef FLEETCAST_MODELS_TRANSFER_CHARGES_H
#define FLEETCAST_MODELS_TRANSFER_CHARGES_H

#include "models/billing/charge_put.h"

struct transfers;

struct transfers *transfers_new(void); /* NULL when out of memory */
void transfers_free(struct transfers *t);
void transfers_clear(struct transfers *t);
bool transfers_failed(const struct transfers *t); /* memory ran out since clear */

/* Charges what has one price; remembers the rest. targets: by route. */
void transfers_of_workload(struct transfers *t, const struct charge_plan *plan, size_t workload,
                           const struct charge_world *w, const struct charge_target *targets);
/* After all workloads: charges this one's share of what was remembered. */
void transfers_in_tiers(struct transfers *t, size_t workload, const struct charge_target *target);

#endif
