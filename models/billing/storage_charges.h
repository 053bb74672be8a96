/* SPDX-License-Identifier: GPL-3.0-or-later
 * What workloads keep: volumes, data sets, checkpoints, and the requests for them. */
#ifndef FLEETCAST_MODELS_STORAGE_CHARGES_H
#define FLEETCAST_MODELS_STORAGE_CHARGES_H

#include "models/billing/charging.h"

void charge_disk(struct charging *c);
void charge_dataset(struct charging *c);
void charge_checkpoints(struct charging *c);
void charge_requests(struct charging *c);

#endif
