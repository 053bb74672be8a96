/* SPDX-License-Identifier: GPL-3.0-or-later
 * The order of a project's workloads in one world: tells work to begin when what it waits for is
 * done, and to give up when that has ended undone. */
#ifndef FLEETCAST_SCENARIOS_PRECEDENCE_H
#define FLEETCAST_SCENARIOS_PRECEDENCE_H

#include "engine/calendar.h"
#include "scenarios/study/study.h"

#include <stdbool.h>
#include <stddef.h>

struct precedence;

/* NULL when out of memory. Both are borrowed. */
struct precedence *precedence_new(const struct study *study, struct calendar *calendar);
void precedence_free(struct precedence *p);

/* For a new world of a strategy, after all work has begun; works: one per workload, borrowed. */
void precedence_begin(struct precedence *p, size_t strategy, void *const *works,
                      const double *drawn);
/* To be called after every event, if any workload waits for another: whatever has ended by it lets
 * others begin, or not. False when the calendar could not take it. */
bool precedence_follow(struct precedence *p);
/* When the workload was submitted in this world: as stated, or when it was told to begin, or its
 * end where it never was. */
double precedence_submit_s(const struct precedence *p, size_t workload, double end_s);

#endif
