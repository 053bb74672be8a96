/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a simulation is made of, for simulation.c, which runs a strategy in a world, and
 * simulation_rating.c, which rates what that left. For these two only. */
#ifndef FLEETCAST_SCENARIOS_SIMULATION_STATE_H
#define FLEETCAST_SCENARIOS_SIMULATION_STATE_H

#include "models/billing/bill.h"
#include "models/fleet/fleet.h"
#include "scenarios/study/host_split.h"
#include "scenarios/study/simulation.h"

#include <stdatomic.h>

/* A strategy's crews and works, made once and used for every world. */
struct cast {
    struct fleet *fleet;
    void **works;                /* each of its workload's kind */
    struct committed *committed; /* NULL: the strategy matches nothing */
};

struct simulation {
    const struct study *study;
    struct market *market;
    struct calendar calendar;
    struct usage_log usage;
    struct cast *casts; /* one per strategy */
    double *drawn;
    struct random_world world;
    struct bill *bills; /* workloads, what they share, all */
    money_t *months;    /* (workloads + 2) × frame.months */
    money_t *by_month;  /* (workloads + 2) × BILL_ROWS × frame.months */
    money_t *others;    /* (workloads + 2) × frame.others */
    struct other_charges *charges;
    struct window_charges *windows;
    struct cost_sharing *sharing;  /* NULL: costs are not split */
    struct account_world *account; /* NULL: there is none beside the plan */
    struct level_rating *levels;   /* NULL: no strategy has any */
    struct precedence *precedence;
    struct work_result *works;
    double *submit_s;
    struct host_split hosts; /* scratch */
    bool at_horizon;
    const atomic_bool *interrupted; /* NULL: never */
    int64_t signed_until_us;        /* of the strategy run last: when its project was cancelled */
    char error[512];
};

/* Says why the strategy could not be simulated; false for the caller's convenience. */
bool simulation_refuse(struct simulation *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
