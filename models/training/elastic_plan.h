/* SPDX-License-Identifier: GPL-3.0-or-later
 * A training job that runs on as many nodes as it gets, under one strategy: between which numbers,
 * bought how, and how fast on each of them. For models/training only. */
#ifndef FLEETCAST_MODELS_ELASTIC_PLAN_H
#define FLEETCAST_MODELS_ELASTIC_PLAN_H

#include "engine/inputs.h"
#include "models/policies/policy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct making;
struct training_plan;

/* Most counts of nodes for which a measured speed of the whole job is looked at. */
enum { ELASTIC_RATES_MAX = 32 };

struct counted_rate {
    uint32_t nodes;
    const struct number *rate;
};

/* In this order, what earlier ones did not get; each way to buy may come more than once. */
struct elastic_entry {
    enum purchase purchase;
    uint32_t most; /* nodes, or FILL_ALL_THE_REST */
};
enum { ELASTIC_ENTRIES_MAX = 16 };

/* Part of a training plan, whose nodes are the most that it runs on. */
struct elastic_plan {
    bool is;    /* else nothing of it counts */
    bool whole; /* a gang of all its nodes, which come from several zones one by one */
    uint32_t least;
    struct counted_rate rates[ELASTIC_RATES_MAX]; /* JOB_THROUGHPUT: by rising count */
    size_t rate_count;
    struct elastic_entry entries[ELASTIC_ENTRIES_MAX]; /* from `fill`; none: as the policy says */
    size_t entry_count;
};

/* Before the plan's nodes are made: they are those of the strategy, else the workload's `max`. */
void elastic_plan_nodes(struct making *m);
/* `fill` stands for a policy. Sets the plan's policy; false, told, when it fills a gang from what
 * it cannot. */
bool elastic_plan_fill(struct making *m);
/* The rest; needs nodes, speed and policy. False, told: a minimum above the nodes, what an elastic
 * job cannot do (several zones, capacity blocks), speeds that are measured for too few counts,
 * memory that is too little on the fewest nodes. */
bool elastic_plan_make(struct making *m);
void elastic_plan_assume(const struct making *m);

/* Speed on so many nodes in that on all of them, in this world; drawn NULL: as planned. */
double elastic_pace(const struct training_plan *p, uint32_t nodes, const double *drawn);

#endif
