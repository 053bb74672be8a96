/* SPDX-License-Identifier: GPL-3.0-or-later
 * Importers: from the formats that the public has to the project's own tables. A new kind is one
 * file that defines `importer_NAME` and one row in importer.c. */
#ifndef FLEETCAST_SCENARIOS_IMPORTER_H
#define FLEETCAST_SCENARIOS_IMPORTER_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "engine/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct import_request {
    const char *const *files;
    size_t file_count;
    const char *zone, *instance; /* of what the files do not name; NULL: not given */
    const char *layout;          /* which of the kind's formats; NULL: not given */
    const char *polarity;        /* "available" or "preempted": what 1 says; NULL: not given */
    const char *product;         /* of price histories; NULL: the kind's default */
    double unit_s;               /* of times that are bare numbers; 0: not given */
    double tick_s;               /* between two probes; 0: not given */
    double length_s;             /* of the whole observation; 0: not given */
    const char *columns;         /* names of a file's columns, with commas; NULL: not given */
    int64_t now_us;              /* since 1970: later times are refused; 0: none is */
    /* Of price lists: what is wanted of them, and what they do not say themselves. */
    const char *region, *source; /* NULL: not given */
    int64_t date_unix_s;         /* INT64_MAX: not given */
    struct text *said;           /* lines for standard error: what was kept and what was not */
    struct arena *arena;
    struct diagnostics *d;
};

struct importer {
    const char *name;           /* "availability" */
    const char *summary;        /* what it reads and what it writes; one sentence */
    const char *const *layouts; /* names, NULL-terminated; NULL: it has but one format */
    const char *first_column;   /* of the table it writes */
    bool prices; /* a price list: takes --region, --instance, --date and --source, but no --zone */
    bool takes_columns; /* --columns */
    /* Reads all files; what is wrong is told in d. What it read, to be handed to `write`; NULL on
     * failure. In the arena, or given back by `release`. */
    void *(*read)(const struct import_request *r);
    bool (*write)(const void *what, FILE *out); /* false on a write error (errno holds) */
    void (*release)(void *what);                /* NULL: nothing to give back */
};

extern const struct importer *const importer_table[]; /* NULL-terminated */
extern const char *const importer_names[];            /* likewise, same order */

#endif
