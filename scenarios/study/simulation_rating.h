/* SPDX-License-Identifier: GPL-3.0-or-later
 * The second station of a replication: the usage that a strategy left in a world, to bills. */
#ifndef FLEETCAST_SCENARIOS_SIMULATION_RATING_H
#define FLEETCAST_SCENARIOS_SIMULATION_RATING_H

#include "scenarios/study/simulation_state.h"

/* Rates all records and all that is charged beside them: into a bill for each workload, one for
 * what they share, and their sum. s->works and s->submit_s say what became of the work. */
bool simulation_rate(struct simulation *s, size_t strategy, const struct simulation_outputs *out);
struct bill *simulation_bill_of_all(const struct simulation *s);

#endif
