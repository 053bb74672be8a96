/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which jobs of a study are held against what hindsight could have done: settled before any world
 * is drawn. Nothing that a strategy does depends on it, and no draw.
 *
 * Strategies that run one workload on the same number of nodes of the same type share one bound: of
 * the cheapest plan on on-demand and on spot of any zone that one of them uses. Left out: workloads
 * of other kinds or that begin after others, studies in which no such gang uses spot, and
 * strategies with commitments, capacity blocks or hardware of their own, or in an account that has
 * commitments, since what is paid anyway makes nodes cheaper than the prices that the bound counts
 * with. */
#ifndef FLEETCAST_SCENARIOS_ORACLE_PLAN_H
#define FLEETCAST_SCENARIOS_ORACLE_PLAN_H

#include "models/market/market.h"
#include "models/training/training_plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct study;

enum { ORACLE_MOST_WORLDS = 200, ORACLE_LEAST_WORLDS = 20, ORACLE_MOST_ZONES = 8 };

/* One bound in each world. */
struct oracle_gang {
    const struct training_plan *plan; /* of the first strategy that runs it so */
    size_t workload;
    double
        last_s;   /* by when the work must be done to be compared: the deadline, else the horizon */
    size_t ticks; /* of the market, from the start to then */
    int on_demand[ORACLE_MOST_ZONES]; /* market pools */
    size_t on_demand_count;
    int spot[ORACLE_MOST_ZONES];
    uint32_t others[ORACLE_MOST_ZONES]; /* most nodes of other workloads in them */
    size_t spot_count;
    bool too_many; /* more zones than are counted with: no bound */
};

struct oracle_plan {
    struct oracle_gang *gangs;
    size_t gang_count;
    int *of;         /* [strategy × workloads + workload]: its gang; -1: none */
    uint32_t worlds; /* the first so many have a bound; 0: none has */
};

/* In the arena; the study's strategies must have been made. False when out of memory. */
bool oracle_plan_make(struct oracle_plan *p, const struct study *study, struct arena *arena);

#endif
