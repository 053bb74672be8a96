/* SPDX-License-Identifier: GPL-3.0-or-later
 * manifest.json: what made a result directory, so that it can be trusted, explained and redrawn.
 * Only `timings` and `jobs` differ between two runs of one scenario with one seed. */
#ifndef FLEETCAST_SCENARIOS_MANIFEST_H
#define FLEETCAST_SCENARIOS_MANIFEST_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "scenarios/output/rerun.h"
#include "scenarios/study/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define MANIFEST_TOOL "fleetcast"

/* How the run was asked for. */
struct manifest_request {
    const char *const *arguments; /* of the command line, program name left out */
    size_t argument_count;
    int jobs;
    struct rerun_request scenario; /* its `replications` is set here when the run was interrupted */
};

/* False on a write error, or out of memory. */
bool manifest_write(FILE *out, const struct run *run, const struct manifest_request *request);

/* What redrawing needs. Strings in the arena. */
struct manifest {
    bool tax_included;             /* the scenario states a tax */
    struct report_currency report; /* given: what is shown; all else is in `currency` */
    const char *scenario, *currency, *baseline, *prices_as_of, *version;
    int64_t replications, timeline_replications, seed, start_unix_s;
    double horizon_s, budget; /* budget NaN: none */
    bool budget_uncertain;    /* each world has its own; `budget` is their median */
    const char **strategies;
    int64_t *plan_worlds; /* by strategy; -1: none */
    size_t strategy_count;
    struct manifest_pair {
        size_t a, b; /* strategies */
    } * undecided;   /* that may not be chosen between: see rate_doubt.h; a < b */
    size_t undecided_count;
    struct manifest_deadline {
        const char *workload;
        double deadline_h; /* from the scenario's start; NaN: none */
    } * workloads;
    size_t workload_count;
    bool partial;
    bool account; /* others' usage or commitments stand beside the plan: its costs are the account's
                     bill with it less the bill without it */
    const char *rerun; /* see rerun_words; "" when there is none */
};

/* Reads folder/manifest.json. A folder that is no result directory of ours, or a broken file, is an
 * error in d. NULL then. */
struct manifest *manifest_read(struct arena *a, const char *folder, struct diagnostics *d);
/* True when folder holds a manifest.json that this program wrote. */
bool manifest_is_ours(const char *folder);

#endif
