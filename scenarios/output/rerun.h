/* SPDX-License-Identifier: GPL-3.0-or-later
 * The command line that makes the same results again, from the copies in a result directory. */
#ifndef FLEETCAST_SCENARIOS_RERUN_H
#define FLEETCAST_SCENARIOS_RERUN_H

#include "engine/arena.h"
#include "engine/text.h"
#include "scenarios/study/input_copies.h"

#include <stddef.h>
#include <stdint.h>

/* How the scenario was asked for. */
struct rerun_request {
    const char *const *sets; /* "path.to.key=value", those of --seed and the like among them */
    size_t set_count;
    const char *const *strategies; /* --strategy */
    size_t strategy_count;
    uint32_t replications; /* > 0: only so many, of a run that was interrupted */
};

/* Adds the command, for a POSIX shell in the result directory. Every word that a shell might read
 * otherwise is in single quotes. */
void rerun_command(struct text *out, const struct input_copies *c, const struct rerun_request *r);

/* The words of such a command, of which `fleetcast` is the first, without a shell: NULL when it is
 * none, or memory is out. Words in the arena; the list ends with NULL. */
char **rerun_words(struct arena *a, const char *command, size_t *count);

#endif
