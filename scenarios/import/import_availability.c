/* SPDX-License-Identifier: GPL-3.0-or-later
 * What was observed of spot capacity, in each format that people have, to a trace table or a table
 * of lifetimes. */
#include "models/market/lifetimes.h"
#include "models/market/trace.h"
#include "models/market/trace_builder.h"
#include "scenarios/import/availability_layouts.h"
#include "scenarios/import/importer.h"

#include <string.h>

/* Options beside those of all kinds. */
enum {
    TAKES_NAMES = 1, /* --zone, --instance */
    TAKES_POLARITY = 2,
    TAKES_TICK = 4,
    TAKES_UNIT = 8,
    TAKES_LENGTH = 16
};

struct availability_layout {
    const char *name;
    unsigned takes, needs; /* TAKES_…; what is needed is taken too */
    const char *why_one;   /* why it reads one file only; NULL: it reads several */
    /* One of the three: of a file, of all files, of a file's lifetimes. */
    bool (*read)(const struct import_request *r, const char *path, struct trace_builder *b);
    bool (*read_all)(const struct import_request *r, struct trace_builder *b);
    bool (*read_lifetimes)(const struct import_request *r, const char *path,
                           struct lifetime_list *l);
};

#define NO_CLOCK "the files do not say when their time 0 was"
static const struct availability_layout layouts[] = {
    {"ticks", TAKES_NAMES, 0, NO_CLOCK, availability_read_ticks, NULL, NULL},
    {"timestamps", TAKES_NAMES, TAKES_POLARITY | TAKES_TICK, NULL, NULL,
     availability_read_timestamps, NULL},
    {"steps", TAKES_NAMES | TAKES_LENGTH, TAKES_UNIT, NO_CLOCK, availability_read_steps, NULL,
     NULL},
    {"events", TAKES_NAMES | TAKES_LENGTH, TAKES_UNIT, NO_CLOCK, availability_read_events, NULL,
     NULL},
    {"log", TAKES_TICK, 0, "what each log holds is counted by itself", availability_read_log, NULL,
     NULL},
    {"log-lifetimes", 0, 0, NULL, NULL, NULL, availability_read_log_lifetimes},
    {"lifetimes", TAKES_NAMES, 0, NULL, NULL, NULL, availability_read_lifetimes},
};

static const char *const layout_names[] = {"ticks", "timestamps",    "steps",     "events",
                                           "log",   "log-lifetimes", "lifetimes", NULL};

/* What was read: one of the two. */
struct availability {
    struct trace_builder *traces;
    struct lifetime_list lifetimes;
    bool has_lifetimes;
};

/* ---- what was asked ---- */

static const struct place nowhere = {NULL, 0, 0};

static bool check_options(const struct import_request *r, const struct availability_layout *l)
{
    const struct {
        unsigned bit;
        bool given;
        const char *option, *expected;
    } options[] = {
        {TAKES_NAMES, r->zone != NULL, "--zone", ""},
        {TAKES_NAMES, r->instance != NULL, "--instance", ""},
        {TAKES_POLARITY, r->polarity != NULL, "--polarity",
         "--polarity available when 1 says that a node can be had, --polarity preempted when 1 "
         "says that none can"},
        {TAKES_TICK, r->tick_s > 0, "--tick", "the time between two probes, such as --tick 10min"},
        {TAKES_UNIT, r->unit_s > 0, "--unit", "the unit of the file's times: --unit s, ms or h"},
        {TAKES_LENGTH, r->length_s > 0, "--length", ""},
        {0, r->product != NULL, "--product", ""},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (options[i].given && !((l->takes | l->needs) & options[i].bit)) {
            diagnostics_add(r->d, DIAGNOSTIC_ERROR, nowhere,
                            "option '%s' means nothing for the layout '%s'", options[i].option,
                            l->name);
        } else if (!options[i].given && (l->needs & options[i].bit)) {
            diagnostics_add(r->d, DIAGNOSTIC_ERROR, nowhere,
                            "the layout '%s' leaves something open; expected %s", l->name,
                            options[i].expected);
        }
    }
    if (l->why_one != NULL && r->file_count > 1) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, nowhere,
                        "the layout '%s' takes one file at a time: %s", l->name, l->why_one);
    }
    return !diagnostics_failed(r->d);
}

/* ---- reading ---- */

static bool finish(const struct import_request *r, struct trace_builder *b)
{
    struct place where = {r->files[0], 0, 0};
    switch (trace_builder_close(b, NULL)) {
    case TRACE_BUILT:
        return true;
    case TRACE_TOO_LONG:
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, where, "more than %d changes, too many",
                        TRACE_MOST_STEPS);
        return false;
    case TRACE_EMPTY:
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, where, "nothing is observed in this file");
        return false;
    case TRACE_NO_MEMORY:
    default:
        diagnostics_add(r->d, DIAGNOSTIC_FAILURE, where, "out of memory");
        return false;
    }
}

static bool read_traces(const struct import_request *r, const struct availability_layout *l,
                        struct trace_builder **made)
{
    struct trace_builder *b = *made = trace_builder_new(r->arena);
    bool ok = b != NULL;
    if (!ok) {
        diagnostics_add(r->d, DIAGNOSTIC_FAILURE, nowhere, "out of memory");
    }
    ok = ok && (l->read_all != NULL ? l->read_all(r, b) : l->read(r, r->files[0], b)) &&
         finish(r, b);
    if (!ok) {
        trace_builder_free(b);
    }
    return ok;
}

static bool read_lifetimes(const struct import_request *r, const struct availability_layout *l,
                           struct lifetime_list *lifetimes)
{
    bool ok = lifetimes_init(lifetimes);
    if (!ok) {
        diagnostics_add(r->d, DIAGNOSTIC_FAILURE, nowhere, "out of memory");
    }
    for (size_t i = 0; ok && i < r->file_count; i++) {
        ok = l->read_lifetimes(r, r->files[i], lifetimes);
    }
    if (ok && lifetimes->count == 0) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, (struct place){r->files[0], 0, 0},
                        "no lifetime is observed in this file");
        ok = false;
    }
    if (!ok) {
        lifetimes_release(lifetimes);
    }
    return ok;
}

static void *read_all(const struct import_request *r)
{
    size_t layout = 0;
    while (r->layout != NULL && layout + 1 < sizeof layouts / sizeof layouts[0] &&
           strcmp(layouts[layout].name, r->layout) != 0) {
        layout++;
    }
    const struct availability_layout *l = &layouts[layout];
    struct availability *made = arena_alloc(r->arena, sizeof *made);
    if (made == NULL || !check_options(r, l)) {
        return NULL;
    }
    *made = (struct availability){.has_lifetimes = l->read_lifetimes != NULL};
    bool ok = made->has_lifetimes ? read_lifetimes(r, l, &made->lifetimes)
                                  : read_traces(r, l, &made->traces);
    return ok ? made : NULL;
}

static bool write_table(const void *what, FILE *out)
{
    const struct availability *made = what;
    return made->has_lifetimes ? lifetimes_write(&made->lifetimes, out)
                               : trace_write_built(made->traces, out);
}

static void release(void *what)
{
    struct availability *made = what;
    lifetimes_release(&made->lifetimes);
    trace_builder_free(made->traces);
}

const struct importer importer_availability = {
    .name = "availability",
    .summary = "observations of spot capacity, to a trace table or a table of lifetimes",
    .layouts = layout_names,
    .first_column = "zone",
    .read = read_all,
    .write = write_table,
    .release = release,
};
