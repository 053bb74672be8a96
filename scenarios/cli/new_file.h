/* SPDX-License-Identifier: GPL-3.0-or-later
 * A file that a verb writes: whole or not at all, and never over one that is not its own. */
#ifndef FLEETCAST_SCENARIOS_NEW_FILE_H
#define FLEETCAST_SCENARIOS_NEW_FILE_H

#include "engine/table.h"
#include "scenarios/cli/command.h"

#include <stdbool.h>
#include <stdio.h>

/* What the verb writes: "export", and how such a file begins. */
struct new_file_kind {
    const char *noun;
    const char *begins;
};

/* True when nothing is at the path ("-" and NULL: standard output), or such a file, which will be
 * replaced; else an error. */
bool new_file_allowed(struct command *c, const char *path, struct new_file_kind kind);
/* Writes to standard output or, beside its place first, to the path. `write` returns false with
 * errno set. False when it could not be written; told. */
bool new_file_write(struct command *c, const char *path, bool (*write)(const void *what, FILE *out),
                    const void *what);
/* The same of a table, as CSV. */
bool new_file_table(struct command *c, const char *path, const struct table *t);

#endif
