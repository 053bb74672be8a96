/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is said of failures of hardware where the scenario says nothing of them: they are left out,
 * how many were to be expected at published rates, and what one would cost. */
#ifndef FLEETCAST_SCENARIOS_LEFT_OUT_H
#define FLEETCAST_SCENARIOS_LEFT_OUT_H

struct study;

/* In the scenario's arena; NULL when every workload states its failures. Needs the plans of all
 * strategies. */
const char *left_out_failures(const struct study *s);

#endif
