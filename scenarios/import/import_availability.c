/* SPDX-License-Identifier: GPL-3.0-or-later
 * What was observed of spot capacity, in each format that people have, to a trace table. */
#include "models/market/trace.h"
#include "models/market/trace_builder.h"
#include "scenarios/import/availability_layouts.h"
#include "scenarios/import/importer.h"

#include <string.h>

static const struct {
    const char *name;
    bool (*read)(const struct import_request *r, const char *path, struct trace_builder *b);
} layouts[] = {{"ticks", availability_read_ticks}};

static const char *const layout_names[] = {"ticks", NULL};

static void *finish(const struct import_request *r, struct trace_builder *b)
{
    struct trace_set *set = arena_alloc(r->arena, sizeof *set);
    struct place where = {r->files[0], 0, 0};
    switch (set == NULL ? TRACE_NO_MEMORY : trace_builder_finish(b, set, NULL)) {
    case TRACE_BUILT:
        return set;
    case TRACE_TOO_LONG:
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, where, "more than %d changes, too many",
                        TRACE_MOST_STEPS);
        return NULL;
    case TRACE_EMPTY:
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, where, "nothing is observed in this file");
        return NULL;
    case TRACE_NO_MEMORY:
    default:
        diagnostics_add(r->d, DIAGNOSTIC_FAILURE, where, "out of memory");
        return NULL;
    }
}

static void *read_all(const struct import_request *r)
{
    size_t layout = 0;
    while (r->layout != NULL && layout + 1 < sizeof layouts / sizeof layouts[0] &&
           strcmp(layouts[layout].name, r->layout) != 0) {
        layout++;
    }
    struct trace_builder *b = trace_builder_new(r->arena);
    void *made = NULL;
    bool ok = b != NULL;
    for (size_t i = 0; ok && i < r->file_count; i++) {
        ok = layouts[layout].read(r, r->files[i], b);
    }
    if (b == NULL) {
        diagnostics_add(r->d, DIAGNOSTIC_FAILURE, (struct place){NULL, 0, 0}, "out of memory");
    } else if (ok) {
        made = finish(r, b);
    }
    trace_builder_free(b);
    return made;
}

static bool write_table(const void *what, FILE *out)
{
    return trace_write(what, out);
}

const struct importer importer_availability = {
    .name = "availability",
    .summary = "observations of spot capacity, to a trace table",
    .layouts = layout_names,
    .first_column = "zone",
    .read = read_all,
    .write = write_table,
};
