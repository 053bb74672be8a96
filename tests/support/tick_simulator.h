/* SPDX-License-Identifier: GPL-3.0-or-later
 * A case of the tick model (tick_model.h) run by the simulator proper: its trace replayed in
 * continuous time, from a scenario, by one policy. */
#ifndef FLEETCAST_TESTS_TICK_SIMULATOR_H
#define FLEETCAST_TESTS_TICK_SIMULATOR_H

#include "tests/support/tick_model.h"

#include <stdbool.h>

/* How the simulator differs from the tick model beside its clock. */
struct tick_simulator_rules {
    const char *handover; /* "stop-first": a planned move costs the overhead; "overlap" */
    bool looks;           /* decides at ticks only, else whenever something changes */
    bool first_hour_free; /* the billing rule of spot */
};

/* The cost of one job; NaN when it does not end within what is known of the trace. policy: in the
 * words of a scenario, "{name: greedy, margin: 0s}" (NULL: on-demand). folder: for the trace.
 * Fails the test, or the program, when the scenario is refused. */
double tick_simulator_cost(const struct tick_case *c, const char *policy,
                           struct tick_simulator_rules rules, const char *folder);

#endif
