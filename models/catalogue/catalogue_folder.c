/* SPDX-License-Identifier: GPL-3.0-or-later
 * See catalogue_folder.h. */
#include "models/catalogue/catalogue_folder.h"

#include "engine/file.h"
#include "engine/text.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

const char *const catalogue_file_names[CATALOGUE_FILE_COUNT] = {
    "accelerators.csv",     "instance_types.csv", "regions.csv",
    "prices_on_demand.csv", "prices_spot.csv",    "spot_advisor.csv",
};

static const struct place NOWHERE = {NULL, 0, 0};

/* Relative to the folder of the executable: build/, build/asan/, build/tests/models/,
 * build/asan/tests/models/, then PREFIX/bin. */
static const char *const places[] = {
    "../models/catalogue/data",       "../../models/catalogue/data",
    "../../../models/catalogue/data", "../../../../models/catalogue/data",
    "../share/fleetcast/catalogue",
};
enum { PLACE_COUNT = sizeof places / sizeof places[0] };

/* The first file that is not there; NULL when all are, "" when memory is out. */
static const char *lacking(const char *folder, struct arena *arena)
{
    for (size_t i = 0; i < CATALOGUE_FILE_COUNT; i++) {
        const char *path = file_join(arena, folder, catalogue_file_names[i]);
        if (!path) {
            return "";
        }
        if (!file_exists(path)) {
            return catalogue_file_names[i];
        }
    }
    return NULL;
}

static const char *named_folder(const char *folder, const char *said_by, struct arena *arena,
                                struct diagnostics *d)
{
    const char *missing = lacking(folder, arena);
    if (missing) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, NOWHERE,
                        "the catalogue folder '%s' (%s) does not hold '%s'", folder, said_by,
                        missing);
        return NULL;
    }
    return arena_string(arena, folder);
}

/* The folder of the running program, or NULL: /proc may be absent. */
static const char *program_folder(struct arena *arena)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) {
        return NULL;
    }
    path[length] = '\0';
    return file_folder(arena, path);
}

/* Without "..", for messages and the manifest. */
static const char *tidy(const char *folder, struct arena *arena)
{
    char *real = realpath(folder, NULL);
    const char *result = arena_string(arena, real ? real : folder);
    free(real);
    return result;
}

const char *catalogue_find_folder(const char *wanted, struct arena *arena, struct diagnostics *d)
{
    if (wanted) {
        return named_folder(wanted, "as asked for", arena, d);
    }
    const char *environment = getenv("FLEETCAST_CATALOGUE");
    if (environment && *environment) {
        return named_folder(environment, "from FLEETCAST_CATALOGUE", arena, d);
    }
    struct text tried;
    text_init(&tried, 16384);
    const char *program = program_folder(arena);
    for (size_t i = 0; i <= PLACE_COUNT; i++) {
        const char *folder = FLEETCAST_DATADIR "/catalogue";
        if (i < PLACE_COUNT) {
            folder = program ? file_join(arena, program, places[i]) : NULL;
        }
        if (!folder) {
            continue;
        }
        if (!lacking(folder, arena)) {
            text_release(&tried);
            return tidy(folder, arena);
        }
        text_format(&tried, "%s'%s'", tried.length ? ", " : "", folder);
    }
    diagnostics_add(d, DIAGNOSTIC_FAILURE, NOWHERE,
                    "no catalogue was found: none of %s holds all of its files; "
                    "set FLEETCAST_CATALOGUE to a folder that does",
                    tried.data);
    text_release(&tried);
    return NULL;
}
