/* SPDX-License-Identifier: GPL-3.0-or-later
 * One call of the program: what was asked for, memory that lasts until the end, and what is wrong.
 * Verbs get one of these and nothing else. */
#ifndef FLEETCAST_SCENARIOS_COMMAND_H
#define FLEETCAST_SCENARIOS_COMMAND_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "scenarios/cli/arguments.h"

#include <stdbool.h>

struct command {
    const struct arguments *arguments;
    struct arena *arena;
    struct diagnostics *d; /* see command_tell */
    bool quiet;
    bool ascii;                     /* the locale's encoding is not UTF-8: print no other marks */
    struct llm_table_store *tables; /* of a verb that loads more than one study; NULL: none */
    int told;                       /* exit code of what was told so far; 0: no failure yet */
};

/* Runs the program; returns its exit code. */
int command_main(int argc, char *const *argv);

/* Writes the diagnostics to standard error and starts anew, so that what is known so far is read
 * before something long begins. False when something failed, now or before. */
bool command_tell(struct command *c);

/* An error, warning or failure without a place. */
void command_complain(struct command *c, enum diagnostic_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints text on standard output so that it cannot drive a terminal. */
void command_print(const char *text);

#endif
