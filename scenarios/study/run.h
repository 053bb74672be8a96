/* SPDX-License-Identifier: GPL-3.0-or-later
 * Runs a study: all replications over threads, then the worlds again that are shown in time. */
#ifndef FLEETCAST_SCENARIOS_RUN_H
#define FLEETCAST_SCENARIOS_RUN_H

#include "engine/diagnostics.h"
#include "scenarios/study/choice.h"
#include "scenarios/study/hour_results.h"
#include "scenarios/study/level_results.h"
#include "scenarios/study/limit_checks.h"
#include "scenarios/study/results.h"
#include "scenarios/study/study.h"
#include "scenarios/study/timeline.h"
#include "scenarios/study/world_runs.h"

#include <stdbool.h>
#include <stdint.h>

struct run {
    const struct study *study;
    struct results results;
    struct level_results levels; /* of the first worlds at other levels of commitment */
    struct timeline timeline;
    struct hour_results hours; /* of services, over all worlds */
    uint32_t *plan_worlds;     /* one per strategy; UINT32_MAX: none */
    struct choice choice;      /* one is NULL when nothing is asked */
    struct limit_checks limits;
    bool partial; /* interrupted: only the complete prefix is here */
    bool precise; /* the precision asked for was reached (true when none was asked for) */
    double precision_reached; /* worst over the strategies; +infinity while unknown, NaN when no
                                 precision was asked for */
    double cpu_s, wall_s;
};

/* False when it failed (told in d). An interrupted run is not a failure: see `partial`. In both
 * cases run_release is due. */
bool run_study(struct run *run, const struct study *study, const struct run_options *options,
               struct diagnostics *d);
void run_release(struct run *run);

#endif
