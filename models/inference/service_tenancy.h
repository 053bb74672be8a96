/* SPDX-License-Identifier: GPL-3.0-or-later
 * The part of a service's plan that is about standing on the nodes of a shared fleet. For
 * service_plan.c only; what is wrong is told at its key, and false then. */
#ifndef FLEETCAST_MODELS_SERVICE_TENANCY_H
#define FLEETCAST_MODELS_SERVICE_TENANCY_H

#include "models/inference/service_fleet_plan.h"

/* First of all: the fleet it names, if any, and what a service on shared nodes cannot have. */
bool service_set_host(const struct service_making *m);
/* In place of its own pools, once everything else is known. */
bool service_stand_on_host(const struct service_making *m);

#endif
