/* SPDX-License-Identifier: GPL-3.0-or-later
 * Machines that people work on, in one world. Each person has one node, of the first pool of `fill`
 * that has it: it is launched when a session begins, unless it still runs, and given back when the
 * session ends, unless it is forgotten; then when it is found, or has been idle for long enough.
 * Time in sessions is useful, the rest after the boot was waiting: it was forgotten. */
#ifndef FLEETCAST_MODELS_NOTEBOOK_RUN_H
#define FLEETCAST_MODELS_NOTEBOOK_RUN_H

#include "models/usage/notebook_plan.h"

#include <stdbool.h>

struct notebook_run;

/* Adds its crews to the fleet, one for each person and pool. NULL when out of memory. The plan is
 * borrowed. */
struct notebook_run *notebook_run_new(const struct notebook_plan *plan, struct fleet *fleet);
void notebook_run_free(struct notebook_run *n);
/* After fleet_begin. False when memory is out, or what was drawn is impossible. */
bool notebook_run_begin(struct notebook_run *n, const double *drawn);
bool notebook_run_over(const struct notebook_run *n);
/* At the horizon, with the calendar standing there. */
void notebook_run_horizon(struct notebook_run *n);
/* The project is cancelled, now. */
void notebook_run_cancel(struct notebook_run *n);
struct work_result notebook_run_result(const struct notebook_run *n);

#endif
