/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast export: the charges of one world, for tools that read cost and usage files. A result
 * directory is run again from its copies, in its own words, for the one world and strategy. */
#include "engine/file.h"
#include "scenarios/cli/load.h"
#include "scenarios/cli/new_file.h"
#include "scenarios/cli/rerun_arguments.h"
#include "scenarios/output/focus_columns.h"
#include "scenarios/output/focus_export.h"
#include "scenarios/output/focus_file.h"
#include "scenarios/output/manifest.h"
#include "scenarios/output/result_folder.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct exporting {
    struct command *command;
    const struct manifest *manifest; /* NULL: from a scenario */
    const char *folder;              /* of the manifest */
    struct study *study;
    size_t strategy;
    uint32_t world;
    struct focus_export export;
    struct focus_export *writing; /* export, while its rows are written */
};

/* ---- what is exported ---- */

/* The scenario in the directory as its run was asked for. */
static bool load_again(struct exporting *e)
{
    struct command *c = e->command;
    struct arguments again;
    if (!rerun_arguments(c, e->folder, e->manifest, &again)) {
        return false;
    }
    struct command inner = *c;
    inner.arguments = &again;
    e->study = load_study(&inner);
    return e->study != NULL;
}

/* All strategies, so that the baseline is one of them whichever is exported. */
static bool load_scenario(struct exporting *e)
{
    struct arguments all = *e->command->arguments;
    all.strategy_count = 0;
    struct command inner = *e->command;
    inner.arguments = &all;
    e->study = load_study(&inner);
    return e->study != NULL;
}

static bool check_words(struct command *c, bool folder)
{
    const struct arguments *a = c->arguments;
    if (a->value[OPTION_FOCUS] == NULL) {
        command_complain(c, DIAGNOSTIC_ERROR, "the format is not named; expected --focus 1.2");
    }
    if (a->strategy_count > 1) {
        command_complain(c, DIAGNOSTIC_ERROR,
                         "one strategy can be exported at a time; expected one --strategy");
    }
    if (folder && a->operand_count > 1) {
        command_complain(c, DIAGNOSTIC_ERROR,
                         "expected one result directory, or scenario files alone");
    }
    if (folder && a->set_count > 0) {
        command_complain(c, DIAGNOSTIC_ERROR,
                         "a result directory is exported as it was run, without --set and --seed; "
                         "expected a scenario with them");
    }
    return !diagnostics_failed(c->d);
}

static bool choose_strategy(struct exporting *e)
{
    const struct arguments *a = e->command->arguments;
    e->strategy = e->study->baseline;
    if (a->strategy_count == 0) {
        return true;
    }
    for (size_t k = 0; k < e->study->strategy_count; k++) {
        if (strcmp(study_strategy_name(e->study, k), a->strategies[0]) == 0) {
            e->strategy = k;
            return true;
        }
    }
    struct text names;
    text_init(&names, 400);
    for (size_t k = 0; k < e->study->strategy_count; k++) {
        text_format(&names, "%s%s", k == 0 ? "" : ", ", study_strategy_name(e->study, k));
    }
    command_complain(e->command, DIAGNOSTIC_ERROR,
                     "no strategy is called '%s'; expected one of: %s", a->strategies[0],
                     names.data);
    text_release(&names);
    return false;
}

static bool choose_world(struct exporting *e)
{
    const struct arguments *a = e->command->arguments;
    const struct manifest *m = e->manifest;
    e->world = a->replication;
    if (m == NULL || a->value[OPTION_REPLICATION] != NULL) {
        return true;
    }
    const char *name = study_strategy_name(e->study, e->strategy);
    for (size_t k = 0; k < m->strategy_count; k++) {
        if (strcmp(m->strategies[k], name) == 0 && m->plan_worlds[k] >= 0 &&
            m->plan_worlds[k] < UINT32_MAX) {
            e->world = (uint32_t)m->plan_worlds[k];
            return true;
        }
    }
    command_complain(e->command, DIAGNOSTIC_ERROR,
                     "the manifest of '%s' names no plan world of strategy '%s'", e->folder, name);
    return false;
}

/* The column whose name begins so; -1: none. */
static int find_column(const struct table *t, const char *start)
{
    for (size_t i = 0; i < table_columns(t); i++) {
        if (strncmp(table_column(t, i)->name, start, strlen(start)) == 0) {
            return (int)i;
        }
    }
    return -1;
}

/* What the directory says that the plan world costs, in all its months; NaN: it does not say. */
static double cost_in_folder(const struct exporting *e)
{
    struct result_tables t;
    const char *name = study_strategy_name(e->study, e->strategy);
    if (!result_folder_read(&t, e->folder, e->manifest, e->command->d)) {
        return (double)NAN;
    }
    int strategy = table_find(t.monthly, "strategy");
    int cost = find_column(t.monthly, "cost_plan_");
    double sum = strategy >= 0 && cost >= 0 ? 0 : (double)NAN;
    for (size_t row = 0; !isnan(sum) && row < table_rows(t.monthly); row++) {
        if (strcmp(table_text(t.monthly, row, (size_t)strategy), name) == 0) {
            sum += table_number(t.monthly, row, (size_t)cost);
        }
    }
    result_tables_release(&t);
    return sum;
}

/* A world that is not the one of the directory (another catalogue, another program) must not be
 * taken for it. */
static bool is_the_same(struct exporting *e)
{
    if (e->manifest == NULL || e->command->arguments->value[OPTION_REPLICATION] != NULL) {
        return true;
    }
    double here = money_to_double(e->export.all.value[METRIC_COST].money);
    double there = cost_in_folder(e);
    if (fabs(here - there) <= 1e-9 * fmax(1, fabs(there))) {
        return true;
    }
    command_complain(e->command, DIAGNOSTIC_FAILURE,
                     "the plan world costs %.2f %s now, but %.2f in '%s': prices or the program "
                     "have changed since; run the scenario again",
                     here, e->study->scenario->currency, there, e->folder);
    return false;
}

/* ---- writing ---- */

static bool write_rows(const void *what, FILE *out)
{
    const struct exporting *e = what;
    return focus_file_write(e->writing, out);
}

static void tell_rest(const struct exporting *e)
{
    const struct commitment_plan *plan = &e->study->strategies[e->strategy].commitments;
    for (size_t k = 0; k < plan->count; k++) {
        const struct focus_rest *rest = &e->export.rest[k];
        char billed[32], effective[32];
        if (rest->billed != 0 || rest->effective != 0) {
            command_complain(e->command, DIAGNOSTIC_WARNING,
                             "commitment-%zu (%s) outlives the horizon: %s %s are billed and %s "
                             "amortised after it, in no row",
                             k + 1, plan->items[k].name, money_text(rest->billed, billed),
                             e->study->scenario->currency, money_text(rest->effective, effective));
        }
    }
}

static void write_export(struct exporting *e)
{
    struct command *c = e->command;
    const char *path = c->arguments->value[OPTION_OUTPUT];
    if (new_file_allowed(c, path, (struct new_file_kind){"export", focus_column_table[0].name})) {
        tell_rest(e);
        e->writing = &e->export;
        new_file_write(c, path, write_rows, e);
    }
}

/* ---- the verb ---- */

int cmd_export(struct command *c)
{
    struct exporting e = {.command = c, .folder = c->arguments->operands[0]};
    bool folder = file_is_folder(e.folder);
    if (!check_words(c, folder)) {
        return EXIT_USAGE;
    }
    if (folder) {
        e.manifest = manifest_read(c->arena, e.folder, c->d);
        if (e.manifest == NULL) {
            return EXIT_USAGE;
        }
    }
    if ((folder ? load_again(&e) : load_scenario(&e)) && choose_strategy(&e) && choose_world(&e) &&
        command_tell(c)) {
        if (focus_export_open(&e.export, e.study, e.strategy, e.world, c->d) && is_the_same(&e)) {
            write_export(&e);
        }
        focus_export_close(&e.export);
    }
    study_free(e.study);
    return EXIT_DONE;
}
