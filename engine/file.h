/* SPDX-License-Identifier: GPL-3.0-or-later
 * Whole files in, and folders made and deleted with all that is in them.
 * What the user named and is not there (no such file, a folder where a file is wanted, too large)
 * is an ERROR; what the machine would not do (permission, I/O, memory) is a FAILURE. Messages name
 * the path and have no place. */
#ifndef FLEETCAST_ENGINE_FILE_H
#define FLEETCAST_ENGINE_FILE_H

#include "engine/arena.h"
#include "engine/diagnostics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The file's bytes (NUL added behind), in the arena; "-" is standard input. Reading stops with an
 * error at limit_bytes + 1, also for pipes and devices. NULL on failure, told in d. */
char *file_read(struct arena *a, const char *path, size_t limit_bytes, size_t *length,
                struct diagnostics *d);
/* The same for files that another file names or a folder holds: a pipe or a device, which could
 * keep the program waiting for ever, is an error, and "-" is a file's name. */
char *file_read_regular(struct arena *a, const char *path, size_t limit_bytes, size_t *length,
                        struct diagnostics *d);
/* 64-bit FNV-1a of bytes, continued from `seed` (start with FILE_HASH_START). */
#define FILE_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t file_hash(uint64_t seed, const void *bytes, size_t length);

bool file_exists(const char *path); /* of any kind; false for a link that leads nowhere */
bool file_is_folder(const char *path);
/* The folder part of path ("." when none), in the arena. */
char *file_folder(struct arena *a, const char *path);
/* folder/name; name alone when it is absolute or folder is "." or "". Never "-". In the arena. */
char *file_join(struct arena *a, const char *folder, const char *name);
bool file_make_folder(const char *path, struct diagnostics *d); /* parents too; fine if it exists */
/* Deletes a folder and all below it; does not follow links, and refuses a path that is itself a
 * link or no folder. True when there is no such path. At most 32 folders deep. */
bool file_remove_tree(const char *path, struct diagnostics *d);

#endif
