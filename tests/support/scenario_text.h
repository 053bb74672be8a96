/* SPDX-License-Identifier: GPL-3.0-or-later
 * Scenarios from text: files in a folder of their own that goes away with it. */
#ifndef FLEETCAST_TESTS_SCENARIO_TEXT_H
#define FLEETCAST_TESTS_SCENARIO_TEXT_H

#include "engine/diagnostics.h"
#include "scenarios/reader/scenario.h"

#include <stddef.h>

/* A scenario's files, settings and choice of strategies, as scenario_read wants them. */
struct scenario_text {
    char folder[64];
    char *paths[16];
    size_t path_count;
    const char *sets[64];
    size_t set_count;
    const char *strategies[16];
    size_t strategy_count;
    struct diagnostics *diagnostics;
    struct scenario *scenario; /* of scenario_text_read; NULL when it was refused */
};

void scenario_text_init(struct scenario_text *t);
void scenario_text_release(struct scenario_text *t);

/* Writes a file into the folder; scenario_text_add makes it the next scenario file too. */
void scenario_text_write(struct scenario_text *t, const char *name, const char *text,
                         size_t length);
void scenario_text_add(struct scenario_text *t, const char *name, const char *text, size_t length);

/* Reads it all; currencies: regions that begin with "cn-" pay in CNY, "nowhere" is unknown. */
struct scenario *scenario_text_read(struct scenario_text *t);

/* What diagnostics_write writes, without the folder in front of the file names; the caller frees.
 */
char *scenario_text_output(struct scenario_text *t);

/* One file and no settings: init, add as "scenario.yaml", read. */
struct scenario *scenario_text_of(struct scenario_text *t, const char *text);

#endif
