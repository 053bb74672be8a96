/* SPDX-License-Identifier: GPL-3.0-or-later
 * A scenario made ready to run: every strategy resolved against catalogue and market, everything
 * that is assumed written down, all uncertain inputs known. Read only afterwards. */
#ifndef FLEETCAST_SCENARIOS_STUDY_H
#define FLEETCAST_SCENARIOS_STUDY_H

#include "models/billing/bill.h"
#include "models/billing/charge_plan.h"
#include "models/billing/cost_holders.h"
#include "models/billing/owned_charges.h"
#include "models/catalogue/catalogue.h"
#include "models/commitments/commitment_levels.h"
#include "models/commitments/commitment_plan.h"
#include "models/fleet/work.h"
#include "models/market/market.h"
#include "scenarios/reader/scenario.h"
#include "scenarios/study/choice_plan.h"
#include "scenarios/study/input_copies.h"
#include "scenarios/study/metrics.h"
#include "scenarios/study/oracle_plan.h"

#include <stddef.h>
#include <stdint.h>

/* Nodes of all strategies and workloads together, at some 120 bytes in each thread. */
#define STUDY_MAX_NODES 4000000

struct study_strategy {
    const struct strategy *spec;
    const struct work_plan **plans; /* one per workload */
    struct commitment_plan commitments;
    struct commitment_levels levels; /* what is rated beside what is signed */
    int *windows;                    /* pools of what it has bought for a time, each once */
    size_t window_count;
    struct owned_hardware *owned; /* what it owns, each once */
    size_t owned_count;
};

struct study {
    struct scenario *scenario;   /* owned */
    struct catalogue *catalogue; /* owned, unless shared */
    bool shares_catalogue;
    const struct region *region;
    struct market_plan *market;
    struct assumptions assumptions;
    const char *failures_left_out; /* in words; NULL: none are */
    struct account_plan account;   /* beside the plan */
    struct commitment_plan alone;  /* the account without it: runs and signs nothing */
    struct project project;        /* its risk as a whole */
    struct work_order order;       /* what begins after what */
    struct study_strategy *strategies;
    size_t strategy_count;
    size_t workload_count;
    size_t baseline;             /* index */
    struct charge_plan charges;  /* beside nodes; the same for all strategies */
    struct cost_holders holders; /* by whom costs are split */
    struct rating_frame frame;   /* without timeline buckets */
    uint32_t replications;       /* fixed number; 0 = until precise */
    uint32_t most_replications;  /* what the run can reach */
    struct oracle_plan oracle;   /* who is held against hindsight */
    struct choice_plan choice;   /* by what one is chosen, and what must hold */
    struct input_copies copies;  /* of all files that the scenario was read from */
};

/* What a plan leaves out, said under every result: the index-th, in words; NULL beyond the last. */
const char *study_not_modelled(const struct study *s, size_t index);

/* Takes scenario and catalogue, also when it fails. Errors and warnings go to d. NULL on error. */
struct study *study_new(struct scenario *scenario, struct catalogue *catalogue,
                        struct diagnostics *d);
/* Likewise with a catalogue that others use too, price files among it: borrowed. */
struct study *study_new_sharing(struct scenario *scenario, struct catalogue *catalogue,
                                struct diagnostics *d);
void study_free(struct study *s);

/* True when the scenario states a tax, which costs then include. */
bool study_with_tax(const struct study *s);

/* True when commitments have a part in the bills of this strategy, its own or the account's. */
bool study_is_covered(const struct study *s, size_t strategy);

/* The lines of commitments that this study shows, from 0; NULL behind the last. */
const struct shared_line *study_shared_line(const struct study *s, size_t index);

/* What the results call all workloads together; no workload may be called so. */
#define STUDY_ALL "all"

/* What drives the work of this workload. */
const struct work_kind *study_work_kind(const struct study *s, size_t workload);

/* The workload's name; STUDY_ALL for the index workload_count. */
const char *study_workload_name(const struct study *s, size_t workload);
const char *study_strategy_name(const struct study *s, size_t strategy);

#endif
