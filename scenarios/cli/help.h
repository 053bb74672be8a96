/* SPDX-License-Identifier: GPL-3.0-or-later
 * Help for people, from the tables of verbs and options. All return EXIT_DONE, so that a verb may
 * end with them. */
#ifndef FLEETCAST_SCENARIOS_HELP_H
#define FLEETCAST_SCENARIOS_HELP_H

#include "scenarios/cli/options.h"

#include <stdio.h>

/* What the program is for, its verbs, common options and exit codes. */
int help_print_program(FILE *out);
/* One verb: what it does, its options, three examples. */
int help_print_verb(FILE *out, const struct verb *verb);

/* "-o, --output DIR" */
const char *help_option_text(const struct option_row *row, char out[64]);

#endif
