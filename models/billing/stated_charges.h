/* SPDX-License-Identifier: GPL-3.0-or-later
 * What `charges` states an amount for. */
#ifndef FLEETCAST_MODELS_STATED_CHARGES_H
#define FLEETCAST_MODELS_STATED_CHARGES_H

#include "models/billing/charging.h"

void charge_monthly(struct charging *c);
void charge_hourly(struct charging *c);
void charge_instance(struct charging *c);
void charge_once(struct charging *c);
void charge_per_node_hour(struct charging *c);
void charge_per_vcpu_hour(struct charging *c);
void charge_per_gpu_hour(struct charging *c);
void charge_monitoring(struct charging *c);

#endif
