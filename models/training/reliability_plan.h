/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a plan knows of failures, and of time that goes beside the useful work. */
#ifndef FLEETCAST_MODELS_RELIABILITY_PLAN_H
#define FLEETCAST_MODELS_RELIABILITY_PLAN_H

#include "engine/inputs.h"
#include "models/fleet/crew.h"

#include <stdbool.h>
#include <stdint.h>

struct making;
struct training_plan;

/* In struct training_plan. */
struct reliability_plan {
    bool fails;
    struct number mtbf; /* seconds; as far as `fails` */
    double per_mtbf;    /* failures of one node in that time */
    uint32_t spares;    /* nodes held beside the gang */
};

/* Before the pools are looked for. False, told, when something does not fit. */
bool reliability_plan_check(struct making *m);
/* Once work, pools and intervals are known: what is assumed of failures, or what is left out. */
void reliability_plan_assume(struct making *m);

/* Of one node, in this world (drawn NULL: as planning sees it). */
struct failure_law training_failure_law(const struct training_plan *plan, const double *drawn);
/* Of every crew of a job that holds its nodes, in this world, after fleet_begin. */
void training_equip(const struct training_plan *plan, struct crew *c, const double *drawn);
/* Failures of the gang a second, while it works, as planned: young nodes included. 0: none. */
double training_planned_failure_rate_per_s(const struct training_plan *plan);
/* Time that each new node reads the data set; 0 without `staging`. */
double training_staging_s(const struct training_plan *plan, const double *drawn);
/* Time from a gang of so many nodes being ready to its first step; 0 without `restart_time`. */
double training_start_s(const struct training_plan *plan, uint32_t nodes, const double *drawn);

/* All that a gang has to do, nothing being lost: useful work, the same again as far as `rework`
 * says, evaluations. What goes on in it is taken to be spread evenly. */
struct work_time {
    double all_s;
    double useful_share, evaluation_share; /* of it; the rest is work done for nothing */
};
struct work_time training_work_time(const struct training_plan *plan, const double *drawn);

#endif
