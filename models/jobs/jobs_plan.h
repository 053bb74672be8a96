/* SPDX-License-Identifier: GPL-3.0-or-later
 * Many jobs under one strategy, resolved before any world is drawn: which ways to buy in which
 * order, how many nodes of each, how fast they are. Read only afterwards. */
#ifndef FLEETCAST_MODELS_JOBS_PLAN_H
#define FLEETCAST_MODELS_JOBS_PLAN_H

#include "models/fleet/fill.h"
#include "models/fleet/work.h"
#include "models/jobs/jobs_keys.h"

#include <stdbool.h>
#include <stdint.h>

/* Nodes of one way to buy: each is looked at whenever something changes. */
enum { JOBS_MAX_NODES = 10000 };

/* One way to buy: a pool of the plan's own. */
struct jobs_entry {
    uint32_t nodes;             /* most that are held at a time */
    uint32_t gpus;              /* of a node; at least 1 */
    const struct number *speed; /* durations are divided by it; NULL: 1 */
    double every_s;             /* planned useful work between two checkpoints; +infinity: none */
};

/* When an item of `list` comes. */
struct listed_time {
    double at_s;
    uint32_t item;
};

struct jobs_plan {
    struct work_plan work; /* first; pools in the order of the entries */
    const struct jobs_spec *spec;
    struct jobs_entry entries[FILL_MAX_ENTRIES];
    size_t entry_count;
    const struct listed_time *list;      /* all of spec->list, by time */
    double until_s;                      /* no job comes later; +infinity: none said */
    double planned_jobs, planned_node_s; /* in the first way to buy */
};

/* What is wrong is told at its key. False when anything failed. */
bool jobs_plan_make(struct jobs_plan *plan, const struct work_request *request);

/* The width of a job of so many nodes or GPUs (0: not stated; both 0: one node) on this entry:
 * nodes, and GPUs of each that it takes. */
struct job_width {
    uint32_t nodes, gpus;
};
struct job_width jobs_width(const struct jobs_entry *e, uint32_t nodes, uint32_t gpus);

#endif
