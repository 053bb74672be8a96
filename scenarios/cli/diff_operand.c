/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/diff_operand.h"

#include "engine/civil_time.h"
#include "engine/file.h"
#include "engine/table_read.h"
#include "scenarios/cli/choice_summary.h"
#include "scenarios/cli/load.h"
#include "scenarios/cli/progress_line.h"
#include "scenarios/cli/rerun_arguments.h"
#include "scenarios/output/past_results.h"
#include "scenarios/reader/scenario_sources.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

/* Those that may be set of both, since the two are then still comparable. */
static bool is_of_both(const char *set)
{
    static const char *const keys[] = {"seed", "replications", "precision", "precision_of",
                                       "max_replications"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const size_t length = strlen(keys[i]);
        if (strncmp(set, keys[i], length) == 0 && set[length] == '=') {
            return true;
        }
    }
    return false;
}

static bool is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* ---- a directory ---- */

static bool is_asked_for(const struct arguments *a, const char *strategy)
{
    for (size_t i = 0; i < a->strategy_count; i++) {
        if (strcmp(a->strategies[i], strategy) == 0) {
            return true;
        }
    }
    return a->strategy_count == 0;
}

/* Leaves out what --strategy does not ask for: the rest moves up in its place. */
static void keep_strategies(struct results *r, const char **names, const struct arguments *a)
{
    const size_t row = r->workloads + 1, had = r->strategies;
    size_t kept = 0;
    for (uint32_t i = 0; i < r->replications; i++) {
        for (size_t k = 0; k < had; k++) {
            if (is_asked_for(a, names[k])) {
                memmove(r->cells + kept++ * row, r->cells + ((size_t)i * had + k) * row,
                        row * sizeof *r->cells);
            }
        }
    }
    r->strategies = kept / r->replications;
    for (size_t k = 0, to = 0; k < had; k++) {
        if (is_asked_for(a, names[k])) {
            names[to++] = names[k];
        }
    }
}

static bool name_folder(struct diff_operand *o, struct command *c, const char *path,
                        const struct manifest *m)
{
    const char **workloads = arena_array(c->arena, m->workload_count + 1, sizeof *workloads);
    if (workloads == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        return false;
    }
    for (size_t w = 0; w < m->workload_count; w++) {
        workloads[w] = m->workloads[w].workload;
    }
    o->side = (struct diff_side){.label = path,
                                 .scenario = m->scenario,
                                 .currency = m->currency,
                                 .prices_as_of = m->prices_as_of,
                                 .version = m->version,
                                 .seed = m->seed,
                                 .start_unix_s = m->start_unix_s,
                                 .horizon_s = m->horizon_s,
                                 .budget = m->budget,
                                 .partial = m->partial,
                                 .results = &o->past,
                                 .strategies = m->strategies,
                                 .workloads = workloads,
                                 .has = o->has};
    return true;
}

/* Of the copies in a directory, which a newer program may have written in words of its own, or an
 * older one not at all: what is wrong with them says nothing against the results. */
static const struct yaml_node *past_tree(struct command *c, const char *folder,
                                         const struct manifest *m)
{
    struct arguments rerun;
    struct scenario_sources sources = {.root = NULL};
    struct command quiet = *c;
    quiet.d = diagnostics_new();
    if (quiet.d != NULL && rerun_arguments(&quiet, folder, m, &rerun)) {
        const struct scenario_request request = {.paths = rerun.operands,
                                                 .path_count = rerun.operand_count,
                                                 .sets = rerun.sets,
                                                 .set_count = rerun.set_count};
        scenario_sources_read(&sources, &request, c->arena, quiet.d);
    }
    const bool read = quiet.d != NULL && !diagnostics_failed(quiet.d);
    diagnostics_free(quiet.d);
    return read ? sources.root : NULL;
}

static bool open_folder(struct diff_operand *o, struct command *c, const char *path)
{
    const struct manifest *m = manifest_read(c->arena, path, c->d);
    if (m == NULL) {
        return false;
    }
    if (m->replications == 0) {
        command_complain(c, DIAGNOSTIC_ERROR, "'%s' holds no world; expected a run with some",
                         path);
        return false;
    }
    if (!past_results_read(&o->past, o->has, c->arena, path, m, c->d)) {
        return false;
    }
    if (!run_basis_read(&o->basis, c->arena, path, m, c->d)) {
        return false;
    }
    keep_strategies(&o->past, m->strategies, c->arguments);
    o->tree = past_tree(c, path, m);
    return name_folder(o, c, path, m);
}

/* ---- a scenario ---- */

static bool name_scenario(struct diff_operand *o, struct command *c, const char *path)
{
    const struct study *s = o->study;
    const struct scenario *sc = s->scenario;
    o->tree = sc->tree;
    const char **strategies = arena_array(c->arena, s->strategy_count + 1, sizeof *strategies);
    const char **workloads = arena_array(c->arena, s->workload_count + 1, sizeof *workloads);
    char date[24];
    const char *as_of = arena_string(c->arena, civil_date_text(sc->prices_as_of_unix_s, date));
    if (strategies == NULL || workloads == NULL || as_of == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        return false;
    }
    for (size_t k = 0; k < s->strategy_count; k++) {
        strategies[k] = study_strategy_name(s, k);
    }
    for (size_t w = 0; w < s->workload_count; w++) {
        workloads[w] = study_workload_name(s, w);
    }
    o->side = (struct diff_side){.label = path,
                                 .scenario = sc->name,
                                 .currency = sc->currency,
                                 .prices_as_of = as_of,
                                 .version = FLEETCAST_VERSION,
                                 .seed = sc->seed,
                                 .start_unix_s = sc->start.unix_s,
                                 .horizon_s = sc->horizon_s,
                                 .budget = sc->budget.given ? sc->budget.median : (double)NAN,
                                 .results = &o->run.results,
                                 .strategies = strategies,
                                 .workloads = workloads};
    return true;
}

static bool open_scenario(struct diff_operand *o, struct command *c, const char *path,
                          bool with_sets)
{
    const struct arguments *a = c->arguments;
    const char **sets = arena_array(c->arena, a->set_count + 1, sizeof *sets);
    const char **paths = arena_array(c->arena, 1, sizeof *paths);
    if (sets == NULL || paths == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        return false;
    }
    struct load_request request = {.paths = paths,
                                   .path_count = 1,
                                   .sets = sets,
                                   .strategies = a->strategies,
                                   .strategy_count = a->strategy_count};
    paths[0] = path;
    for (size_t i = 0; i < a->set_count; i++) {
        if (with_sets || is_of_both(a->sets[i])) {
            sets[request.set_count++] = a->sets[i];
        }
    }
    o->study = load_study_of(c, &request);
    return o->study != NULL && name_scenario(o, c, path);
}

/* ---- both ---- */

bool diff_operand_open(struct diff_operand *o, struct command *c, const char *path, bool with_sets)
{
    *o = (struct diff_operand){0};
    return is_folder(path) ? open_folder(o, c, path) : open_scenario(o, c, path, with_sets);
}

bool diff_operand_run(struct diff_operand *o, struct command *c, atomic_bool *interrupted)
{
    if (o->study == NULL) {
        return true;
    }
    struct progress_line progress;
    progress_line_init(&progress, c->quiet);
    const struct run_options options = {.jobs = c->arguments->jobs,
                                        .interrupted = interrupted,
                                        .progress = progress_line_draw,
                                        .progress_context = &progress};
    const bool ok = run_study(&o->run, o->study, &options, c->d);
    progress_line_clear(&progress);
    o->side.partial = ok && o->run.partial;
    return ok;
}

bool diff_operand_find_basis(struct diff_operand *o, struct command *c)
{
    return o->study == NULL || run_basis_of(&o->basis, c->arena, &o->run, c->d);
}

/* ---- limits ---- */

/* limits.csv, as a directory of before the file was written has not. */
static struct table *read_limits(struct command *c, const char *folder)
{
    static const struct column columns[] = {{"strategy", "", "", COLUMN_TEXT, 0},
                                            {"status", "", "", COLUMN_TEXT, 0},
                                            {"sentence", "", "", COLUMN_TEXT, 0}};
    const char *path = file_join(c->arena, folder, "limits.csv");
    return path != NULL && file_exists(path)
               ? table_read_csv(path, "limits", columns, sizeof columns / sizeof columns[0], c->d)
               : NULL;
}

static bool tell_past_limits(struct command *c, const char *folder, bool *broken)
{
    struct table *t = read_limits(c, folder);
    if (t == NULL) {
        return !diagnostics_failed(c->d);
    }
    for (size_t i = 0; i < table_rows(t); i++) {
        const char *strategy = table_text(t, i, 0);
        const bool kept = strcmp(table_text(t, i, 1), "kept") == 0;
        if (!kept && (strategy[0] == '\0' || is_asked_for(c->arguments, strategy))) {
            command_complain(c, DIAGNOSTIC_WARNING, "%s", table_text(t, i, 2));
            *broken = true;
        }
    }
    table_free(t);
    return true;
}

bool diff_operand_tell_limits(const struct diff_operand *o, struct command *c, bool *broken)
{
    *broken = false;
    if (o->study != NULL) {
        *broken = choice_summary_tell_limits(c, &o->run);
        return true;
    }
    return tell_past_limits(c, o->side.label, broken);
}

void diff_operand_release(struct diff_operand *o)
{
    results_release(&o->past);
    if (o->study != NULL) {
        run_release(&o->run);
        study_free(o->study);
    }
}
