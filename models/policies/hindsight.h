/* SPDX-License-Identifier: GPL-3.0-or-later
 * A lower bound of what a job costs in continuous time, with all of the future known: no plan that
 * is in time can have cost less. Where oracle.h pays whole ticks, a plan of the simulator pays by
 * the second, moves to nodes that booted while it worked on, and works while a notice runs; so its
 * bound is the Lagrangian dual of that problem,
 *
 *     max over lambda >= 0 of  lambda W + min over plans (cost - lambda work),
 *
 * W the work. The inner minimum needs no state for the work left, and since cost - lambda work is
 * linear in the times at which runs begin and end, it is found exactly with moves at ticks alone,
 * by dynamic programming over (tick; what runs). The dual lies below the optimum by what the work
 * of whole launches leaves uneven, which is less than a launch costs: on 360 published runs 0.3 %
 * on average and 1.2 % at most. Weak duality makes it a bound whatever lambda is tried.
 *
 * A launch from nothing costs boot + restore of working time. One that takes the place of a gang
 * that runs, or ran until now, may instead have booted beside it: then restore alone, and the price
 * of the boot. The first launch restores nothing, since nothing is saved yet. */
#ifndef FLEETCAST_MODELS_HINDSIGHT_H
#define FLEETCAST_MODELS_HINDSIGHT_H

#include <stddef.h>

enum { HINDSIGHT_WAYS = 17 }; /* most ways to run at a time: on-demand, and spot twice a zone */

/* One way to run the whole gang. */
struct hindsight_way {
    const double *per_s; /* by tick: its price; NaN: not there, what runs is lost */
    double least_per_s;  /* the least of them */
    double notice_s;     /* a lost gang works on for so long */
};

struct hindsight_job {
    double tick_s, work_s;
    double boot_s, restore_s; /* the least that they can be */
    size_t ticks;             /* until the deadline */
    struct hindsight_way ways[HINDSIGHT_WAYS];
    size_t way_count;
};

/* NaN: no plan is in time. */
double hindsight_bound(const struct hindsight_job *job);

#endif
