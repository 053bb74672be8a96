/* SPDX-License-Identifier: GPL-3.0-or-later
 * A result directory: written beside its place under another name, then put there by a rename, so
 * that it is there whole or not at all. What is at the place is replaced only when it is an empty
 * directory, or one in which nothing is but what this program writes. */
#ifndef FLEETCAST_SCENARIOS_RESULT_FOLDER_H
#define FLEETCAST_SCENARIOS_RESULT_FOLDER_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "scenarios/output/manifest.h"
#include "scenarios/output/result_tables.h"
#include "scenarios/study/run.h"

#include <stdbool.h>

struct result_folder {
    const char *path;  /* where it will be */
    const char *draft; /* where it is written; NULL: there is none */
};

/* Checks path, makes the folders above it and the draft. False with the reason in d; nothing is
 * left behind then but the folders above. What can go wrong with the renames is found here, before
 * anybody waits for results: a file, a link or a foreign directory in the way, a mount point, the
 * current directory. Strings in the arena. */
bool result_folder_open(struct result_folder *f, struct arena *a, const char *path,
                        struct diagnostics *d);
/* Writes manifest, inputs and all CSV files into the draft. */
bool result_folder_write(const struct result_folder *f, const struct run *run,
                         const struct result_tables *tables, const struct manifest_request *request,
                         struct diagnostics *d);
/* Puts the draft in its place, and deletes what was there; when that cannot be deleted, d has a
 * warning. When the place was taken meanwhile the draft is kept, and a note says where. */
bool result_folder_close(struct result_folder *f, struct diagnostics *d);
/* Deletes the draft, if there is one. */
void result_folder_abandon(const struct result_folder *f);

/* Reads the tables back (`plot DIR`); columns by the manifest's currencies. */
bool result_folder_read(struct result_tables *t, const char *folder, const struct manifest *m,
                        struct diagnostics *d);

#endif
