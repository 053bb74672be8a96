/* SPDX-License-Identifier: GPL-3.0-or-later
 * The offline optimum: what a job would have cost at least, had its buyer known when spot comes and
 * goes. A lower bound to hold strategies against, on a grid of ticks; no strategy of its own.
 *
 * In each tick the job runs on spot (where there is room), on on-demand, or not at all. A launch,
 * also a change between the two and after a loss, costs an overhead before work goes on; a tick is
 * paid whole. The cheapest plan that does the work by the last tick is found by dynamic programming
 * over (tick; what runs and for how many ticks; work left), exactly when tick, overhead and work
 * are multiples of the unit. Model: "Can't Be Late", NSDI 2024, offline optimum. */
#ifndef FLEETCAST_MODELS_ORACLE_H
#define FLEETCAST_MODELS_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ORACLE_MOST_STATES 400000000 /* ticks × states: about a second */

struct oracle_job {
    int64_t tick_s, work_s, overhead_s; /* whole seconds; tick and work above 0 */
    size_t ticks;                       /* until the deadline */
    /* By tick, per hour of the gang; spot is not there where its price is not above 0. */
    const double *spot_per_hour;
    const double *on_demand_per_hour;
};

enum oracle_status {
    ORACLE_FOUND,
    ORACLE_LATE,      /* no plan is in time */
    ORACLE_TOO_LARGE, /* above ORACLE_MOST_STATES */
    ORACLE_NO_MEMORY
};

/* *cost: of the cheapest plan. work_left_s and overhead in the job are exact; see above. */
enum oracle_status oracle_cost(const struct oracle_job *job, double *cost);

#endif
