/* SPDX-License-Identifier: GPL-3.0-or-later
 * Copies of all that a scenario was read from, so that a result directory can be explained and run
 * again when the files have changed or gone. Taken when the study is made, not when the results are
 * written, which may be hours later.
 *
 * A copied scenario finds its data where it says they are: below inputs/ the files lie to each
 * other as they did, so that no path need be rewritten. A path that climbs above the scenario's
 * folder has the scenarios lie as many folders deep. An absolute path cannot be followed: such a
 * file is copied all the same, into a folder of its own, and the scenario must be told. */
#ifndef FLEETCAST_SCENARIOS_INPUT_COPIES_H
#define FLEETCAST_SCENARIOS_INPUT_COPIES_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "scenarios/reader/scenario.h"

#include <stdbool.h>
#include <stddef.h>

enum input_kind { INPUT_SCENARIO, INPUT_PRICES, INPUT_DATA };

struct input_copy {
    enum input_kind kind;
    const char *path; /* as it was read; "-": standard input */
    const char *name; /* as the scenario gives it; NULL for scenarios */
    const char *copy; /* below inputs/ */
    const char *way;  /* the same place, through all folders that `name` goes through */
    const char *text;
    size_t length;
    bool moved; /* not where `name` leads to from the copied scenarios */
    bool again; /* the same file as an earlier one, whose copy it shares */
};

struct input_copies {
    struct arena *arena;
    struct input_copy *items; /* scenarios, prices, data, each in the order of reading */
    size_t count;
    const char *folder; /* of the scenarios below inputs/: "" or "scenario/" … */
};

/* Reads what was not kept already. False with an error in d. */
bool input_copies_init(struct input_copies *c, const struct scenario *s, struct diagnostics *d);
void input_copies_release(struct input_copies *c);
/* Writes all of them below `folder`, which is made and must be new. */
bool input_copies_write(const struct input_copies *c, const char *folder, struct diagnostics *d);

#endif
