/* SPDX-License-Identifier: GPL-3.0-or-later
 * A training workload under one strategy, resolved before any world is drawn: which pools, how many
 * nodes, how fast, how often to write a checkpoint. Read only afterwards. */
#ifndef FLEETCAST_MODELS_TRAINING_PLAN_H
#define FLEETCAST_MODELS_TRAINING_PLAN_H

#include "models/catalogue/catalogue.h"
#include "models/fleet/work.h"
#include "models/market/market.h"
#include "models/policies/strategy.h"
#include "models/speed/speed_estimate.h"
#include "models/training/checkpoint_cost.h"
#include "models/training/elastic_plan.h"
#include "models/training/reliability_plan.h"
#include "models/training/sites.h"
#include "models/training/training_keys.h"
#include "models/training/training_memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* Most work of one job: a longer one is refused by name (3,000 years; doubles count its seconds to
 * the microsecond, and its checkpoints fit in 64 bits). */
#define TRAINING_MOST_WORK_S 1e11

/* Where the speed comes from; of those that are stated the first counts. */
enum speed_basis {
    SPEED_HOURS,          /* the work is stated as hours of the whole gang */
    SPEED_JOB_THROUGHPUT, /* measured for the whole job at this count */
    SPEED_THROUGHPUT,     /* measured per node, times nodes and scaling */
    SPEED_MFU,            /* FLOPs of the model over peak × a stated mfu */
    SPEED_ROOFLINE,       /* estimated: models/speed */
    SPEED_GPU_HOURS       /* the work is stated as hours of one accelerator */
};

struct training_plan {
    struct work_plan work; /* first */
    const struct training_spec *spec;
    int pools[SITE_COUNT];             /* by site; -1: never asked for */
    size_t zones;                      /* of spot, that it may run in: at least 1 where it may */
    const struct zone_rule *zone_rule; /* which of them is asked; NULL with one zone */
    double max_price, max_hourly;      /* of asking, see asking_limits.h; +infinity: none */
    double stop_at_budget;             /* +infinity: none */
    struct reliability_plan reliability;
    uint32_t span_zones; /* in which the gang stands at once; 0: in one at a time */
    const struct policy *policy;
    const void *policy_params;
    enum speed_basis speed;
    const struct number *rate;              /* THROUGHPUT, JOB_THROUGHPUT: the measured number */
    double peak_flops_per_node;             /* MFU */
    const struct number *accelerator_hours; /* GPU_HOURS */
    const struct instance_type *type;
    const struct model_preset *preset; /* NULL: none is named */
    struct accelerator chip; /* MFU, ROOFLINE: as a node sees it, which may have a share of one */
    double chips_per_node;   /* at least 1 */
    struct speed_estimate estimate;        /* MFU, ROOFLINE: as planning sees it */
    int workload_score, accelerator_score; /* ROOFLINE: inputs, standard normal */
    struct checkpoint_cost cost;
    struct elastic_plan elastic;
    struct training_memory memory;
    struct training_memory least_memory; /* elastic: on the fewest nodes */
    double every_s[SITE_COUNT];          /* planned interval of useful work; +infinity: none */
    bool adaptive;                       /* it is planned anew from the losses seen */
    /* Rate at which a running gang loses work that no checkpoint holds, a second, as planned; where
     * it is adaptive never 0. */
    double loss_per_s[SITE_COUNT];
    double save_before_s; /* the last checkpoint in a capacity block is begun so long before its
                             instances go; 0: none is written */
};

/* All that is wrong is told at the key that is, else at the strategy or the workload, in the
 * context's diagnostics: work not stated or stated twice, no speed for this instance type, a
 * throughput stated for another count, more nodes than a pool can ever hold, a precision the chip
 * lacks, a deadline beyond the horizon. What is assumed goes to the context's register. False when
 * anything failed. */
bool training_plan_make(struct training_plan *plan, const struct work_request *request);

/* Seconds the complete gang must work without any loss or overhead, in this world (drawn NULL: as
 * planning sees it). +infinity never; 0 = no work. */
double training_work_s(const struct training_plan *plan, const double *drawn);
/* The same on another number of nodes: what was measured or stated for the plan's number is taken
 * in proportion, an estimate is made anew. */
double training_work_on_s(const struct training_plan *plan, double nodes, const double *drawn);
/* Seconds of useful work between two checkpoints at this site, in this world: a stated `every` as
 * drawn, else what was planned. +infinity: none. */
double training_every_s(const struct training_plan *plan, int site, const double *drawn);
/* Nodes of the gang and its spares. */
static inline uint32_t training_all_nodes(const struct training_plan *plan)
{
    return plan->work.nodes + plan->reliability.spares;
}
/* Nodes that are looked at together in one zone of spot, as planned: all, or an even share. */
static inline uint32_t training_nodes_a_zone(const struct training_plan *plan)
{
    uint32_t zones = plan->span_zones > 0 && plan->zones > 1 ? (uint32_t)plan->zones : 1;
    return (plan->work.nodes + zones - 1) / zones;
}
/* The site of one of the plan's pools. */
static inline int training_site(const struct training_plan *plan, int pool)
{
    int site = 0;
    while (plan->pools[site] != pool) {
        site++;
        assert(site < SITE_COUNT);
    }
    return site;
}

#endif
