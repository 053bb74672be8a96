/* SPDX-License-Identifier: GPL-3.0-or-later
 * A result directory: written beside its place under another name, then put there by a rename, so
 * that it is there whole or not at all. It replaces only an empty directory or one that this
 * program wrote. */
#ifndef FLEETCAST_SCENARIOS_RESULT_FOLDER_H
#define FLEETCAST_SCENARIOS_RESULT_FOLDER_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "scenarios/study/manifest.h"
#include "scenarios/study/result_tables.h"
#include "scenarios/study/run.h"

#include <stdbool.h>

struct result_folder {
    const char *path;  /* where it will be */
    const char *draft; /* where it is written */
};

/* Before the simulation, so that nobody waits for results that cannot be written: checks that path
 * is free, empty or ours, and makes the draft. False with the reason in d. */
bool result_folder_open(struct result_folder *f, struct arena *a, const char *path,
                        struct diagnostics *d);
/* Writes manifest, inputs and all CSV files into the draft. */
bool result_folder_write(const struct result_folder *f, const struct run *run,
                         const struct result_tables *tables, const struct manifest_request *request,
                         struct diagnostics *d);
/* Puts the draft in its place. */
bool result_folder_close(const struct result_folder *f, struct diagnostics *d);
/* Deletes the draft. */
void result_folder_abandon(const struct result_folder *f);

/* Reads the tables back (`plot DIR`); columns by the manifest's currency. */
bool result_folder_read(struct result_tables *t, const char *folder, const char *currency,
                        struct diagnostics *d);

#endif
