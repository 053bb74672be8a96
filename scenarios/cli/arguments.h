/* SPDX-License-Identifier: GPL-3.0-or-later
 * The command line, taken apart: verb, operands, options. Options may stand anywhere, also before
 * the verb; `--` ends them; `--name=value` and `--name value` are the same; `-` is an operand. */
#ifndef FLEETCAST_SCENARIOS_ARGUMENTS_H
#define FLEETCAST_SCENARIOS_ARGUMENTS_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "scenarios/cli/options.h"

#include <stddef.h>
#include <stdint.h>

enum output_format { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON };
/* In the order of report_format_names. */
enum report_format { REPORT_HTML, REPORT_MARKDOWN, REPORT_PDF, REPORT_WORKBOOK };

struct arguments {
    const char *const *all; /* as given, without the program's name */
    size_t all_count;
    const struct verb *verb; /* NULL: none given, or none of this name */
    const char *const *operands;
    size_t operand_count;
    const char *value[OPTION_COUNT]; /* the last one given; "" for a flag; NULL: not given */
    /* Settings of the scenario in the order given, those of --seed and the like among them. */
    const char *const *sets;
    size_t set_count;
    const char *const *strategies;
    size_t strategy_count;
    const char *const *fail_on;
    size_t fail_on_count;
    const char *const *inputs; /* --input */
    size_t input_count;
    const char *const *where;
    size_t where_count;
    enum output_format format;
    enum report_format report_format; /* of --format alone */
    int language;                     /* of --lang: index into report_language_names */
    int jobs;
    uint32_t replication;
    size_t limit;
    int64_t date_unix_s; /* INT64_MAX: not given */
};

/* Everything is in the arena or borrowed from argv. All that is wrong is told in d; false then. A
 * request for help or the version is never wrong. */
bool arguments_parse(struct arguments *a, struct arena *arena, int argc, char *const *argv,
                     struct diagnostics *d);

#endif
