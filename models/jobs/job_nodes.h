/* SPDX-License-Identifier: GPL-3.0-or-later
 * The nodes of one way to buy, as jobs see them: which are ready and how much of each is free, and
 * which are spoken for by jobs that wait for a node to come. For models/jobs only.
 *
 * A job takes whole nodes, or some GPUs of one node; the free GPUs of a node are those that no job
 * runs on. In each round of giving out, `room` holds what of them is not yet given or spoken for;
 * what a job that is preempted will leave counts as to come. */
#ifndef FLEETCAST_MODELS_JOB_NODES_H
#define FLEETCAST_MODELS_JOB_NODES_H

#include "models/fleet/fleet.h"
#include "models/jobs/jobs_plan.h"

#include <stdbool.h>
#include <stdint.h>

#define NO_SLOT UINT32_MAX

struct job_node {
    uint32_t free;   /* GPUs without a job */
    uint32_t next;   /* the next node of its job; NO_SLOT: none, or it is shared */
    uint32_t launch; /* for which idle_since_s holds */
    double idle_since_s;
    double gone_s;   /* under notice: when it goes */
    uint32_t yields; /* GPUs of jobs that are about to leave */
    bool kept;       /* for a job that has a reservation */
};

/* Read only for owners, once made. */
struct job_nodes {
    const struct jobs_entry *entry;
    struct crew *crew;
    struct job_node *nodes; /* entry->nodes */
    /* Of a round: */
    uint32_t *room;    /* GPUs, one per slot; of absent nodes all, while they may come */
    uint64_t left;     /* sum of room */
    uint32_t may_come; /* absent nodes that may still be spoken for */
    uint32_t called;   /* absent nodes that are spoken for */
};

/* The crew is made independent, with books of each node. False when out of memory;
 * job_nodes_release is due either way. */
bool job_nodes_make(struct job_nodes *n, const struct jobs_entry *entry, struct crew *crew);
void job_nodes_release(struct job_nodes *n);
/* For a new world. */
void job_nodes_begin(struct job_nodes *n);

/* A round begins. Nodes that are absent may be spoken for: all of them, or only as many as the pool
 * would launch at once. */
void job_nodes_round(struct job_nodes *n);
/* Takes ready nodes for a job: the first slot of a chain along `next`, or of the one shared node;
 * NO_SLOT: there are too few. passes: only such as are kept for nobody. */
uint32_t job_nodes_take(struct job_nodes *n, struct job_width width, bool passes);
/* Speaks for nodes, ready or to come; only those that could come at once when `soon`. False: too
 * few. passes: likewise. */
bool job_nodes_call(struct job_nodes *n, struct job_width width, bool soon, bool passes);
/* A job of this chain is about to leave (or, `yields` false, no longer): its GPUs may be spoken
 * for. */
void job_nodes_yield(struct job_nodes *n, uint32_t first, struct job_width width, bool yields);
/* In the middle of a round a job of this chain has ended: what it left may be taken. */
void job_nodes_freed(struct job_nodes *n, uint32_t first, struct job_width width);
/* The job of this chain has ended; now_s: when. */
void job_nodes_give_back(struct job_nodes *n, uint32_t first, struct job_width width, double now_s);
/* Asks for those spoken for, or for all; withdraws the rest. */
void job_nodes_ask(struct job_nodes *n, bool all);
/* Ends nodes without a job that nobody speaks for and that have been idle for so long; in *next_s,
 * if that is sooner, when the next of them will have been. */
void job_nodes_tidy(struct job_nodes *n, double keep_s, double *next_s);

/* Nodes were given notice now: marks when they go. */
void job_nodes_noticed(struct job_nodes *n, double gone_s);
/* The earliest time at which a node of the chain goes; +infinity: none does. */
double job_nodes_gone_s(const struct job_nodes *n, uint32_t first);

#endif
