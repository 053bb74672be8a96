/* SPDX-License-Identifier: GPL-3.0-or-later
 * A service in one world: requests come, wait in one queue and are served by replicas, which
 * autoscalers add and take away; request by request, or in steps of time (service_interval). */
#ifndef FLEETCAST_MODELS_SERVICE_RUN_H
#define FLEETCAST_MODELS_SERVICE_RUN_H

#include "models/fleet/work.h"
#include "models/inference/service_plan.h"

#include <stdbool.h>

struct service_run;

/* Adds its crews to the fleet. NULL when out of memory. The plan is borrowed. */
struct service_run *service_run_new(const struct service_plan *plan, struct fleet *fleet);
void service_run_free(struct service_run *s);

/* After fleet_begin. False when a drawn number is impossible, or memory is out. */
bool service_run_begin(struct service_run *s, const double *drawn);
bool service_run_over(const struct service_run *s);
/* At the horizon, with the calendar standing there: ends what still runs. */
void service_run_horizon(struct service_run *s);
/* The project is cancelled, now. */
void service_run_cancel(struct service_run *s);
struct work_result service_run_result(const struct service_run *s);

#endif
