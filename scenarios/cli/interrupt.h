/* SPDX-License-Identifier: GPL-3.0-or-later
 * Ctrl-C: the first one asks the run to stop and keep what it has, the second one ends the program.
 * SIGTERM means the same, so that a scheduler's stop loses nothing either. */
#ifndef FLEETCAST_SCENARIOS_INTERRUPT_H
#define FLEETCAST_SCENARIOS_INTERRUPT_H

#include <stdatomic.h>

/* Installs the handlers; the flag is set by the first signal. Also makes a file that grows beyond
 * the user's limit an error of the write, as a full disk is, instead of a death. */
atomic_bool *interrupt_watch(void);

#endif
