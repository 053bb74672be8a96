/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which inputs `thresholds` searches, and over which range: those that --input names, or every
 * uncertain input and, of each pool that a strategy may buy from, its price and, on spot, how often
 * there is capacity, as far as the scenario's keys reach them. */
#ifndef FLEETCAST_SCENARIOS_THRESHOLD_INPUTS_H
#define FLEETCAST_SCENARIOS_THRESHOLD_INPUTS_H

#include "scenarios/cli/command.h"
#include "scenarios/study/study.h"

#include <stdbool.h>
#include <stddef.h>

struct threshold_input {
    const char *path;   /* as --set takes it */
    const char *unit;   /* suffix of its column */
    double from, to;    /* from < to */
    double now;         /* NaN: not known */
    bool whole;         /* takes whole numbers */
    const char *reason; /* why it cannot be searched; NULL: it can */
};

struct threshold_inputs {
    struct threshold_input *items;
    size_t count;
};

/* In the command's arena. False, told, when an --input is wrong or memory is out. */
bool threshold_inputs_find(struct threshold_inputs *out, struct command *c,
                           const struct study *base);

#endif
