/* SPDX-License-Identifier: GPL-3.0-or-later
 * A scenario needs the catalogue to know its region's currency, and the catalogue needs the
 * scenario to know its price files. So the shipped catalogue comes first, and once more with the
 * price files when there are any. */
#include "scenarios/cli/load.h"

#include "engine/file.h"
#include "scenarios/cli/plan_checks.h"
#include "scenarios/study/precision.h"

static const char *currency_of(void *context, const char *region)
{
    const struct region *r = catalogue_region(context, region);
    return r == NULL ? NULL : r->currency;
}

static void copy_diagnostics(struct diagnostics *to, const struct diagnostics *from)
{
    enum diagnostic_kind kind;
    struct place where;
    const char *text;
    for (size_t i = 0; (text = diagnostics_text(from, i, &kind, &where)) != NULL; i++) {
        diagnostics_add(to, kind, where, "%s", text);
    }
}

/* The catalogue with the scenario's price files, or the one that is given. */
static struct catalogue *with_price_files(struct command *c, const struct scenario *s,
                                          struct catalogue *shipped)
{
    size_t count = s->price_files.count;
    const char *const *names = s->price_files.items;
    const char **paths = arena_array(c->arena, count + 1, sizeof *paths);
    for (size_t i = 0; paths != NULL && i < count; i++) {
        paths[i] = file_join(c->arena, s->folder, names[i]);
        if (paths[i] == NULL) {
            paths = NULL;
        }
    }
    catalogue_free(shipped);
    if (paths == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        return NULL;
    }
    return catalogue_load(NULL, paths, count, c->d);
}

static struct scenario *read_scenario(struct command *c, const struct load_request *from,
                                      struct catalogue *catalogue)
{
    struct scenario_request request = {
        .paths = from->paths,
        .path_count = from->path_count,
        .sets = from->sets,
        .set_count = from->set_count,
        .strategies = from->strategies,
        .strategy_count = from->strategy_count,
        .currency_of = currency_of,
        .context = catalogue,
        .tables = c->tables,
    };
    return scenario_read(&request, c->d);
}

/* What only a run would find. */
static bool check_precision(struct command *c, const struct study *study)
{
    struct precision_target target;
    return study->replications > 0 || precision_target_from(&target, study, c->d);
}

struct study *load_study(struct command *c)
{
    const struct arguments *a = c->arguments;
    return load_study_of(c, &(struct load_request){.paths = a->operands,
                                                   .path_count = a->operand_count,
                                                   .sets = a->sets,
                                                   .set_count = a->set_count,
                                                   .strategies = a->strategies,
                                                   .strategy_count = a->strategy_count});
}

struct study *load_study_of(struct command *c, const struct load_request *request)
{
    struct diagnostics *of_catalogue = diagnostics_new();
    if (of_catalogue == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        return NULL;
    }
    struct catalogue *catalogue = catalogue_load(NULL, NULL, 0, of_catalogue);
    struct scenario *scenario = catalogue == NULL ? NULL : read_scenario(c, request, catalogue);
    bool again = scenario != NULL && scenario->price_files.count > 0;
    if (again) {
        catalogue = with_price_files(c, scenario, catalogue);
    } else {
        copy_diagnostics(c->d, of_catalogue);
    }
    diagnostics_free(of_catalogue);
    if (scenario == NULL || catalogue == NULL) {
        scenario_free(scenario);
        catalogue_free(catalogue);
        return NULL;
    }
    struct study *study = study_new(scenario, catalogue, c->d);
    if (study != NULL && !check_precision(c, study)) {
        study_free(study);
        return NULL;
    }
    if (study != NULL) {
        plan_checks(study, c->d);
    }
    return study;
}

struct study *load_study_with(struct command *c, const char *const *sets, size_t count,
                              struct diagnostics *d)
{
    struct arguments arguments = *c->arguments;
    struct command with = *c;
    const char **all = arena_array(c->arena, arguments.set_count + count + 1, sizeof *all);
    with.d = d;
    if (all == NULL) {
        command_complain(&with, DIAGNOSTIC_FAILURE, "out of memory");
        return NULL;
    }
    for (size_t i = 0; i < arguments.set_count; i++) {
        all[i] = arguments.sets[i];
    }
    for (size_t i = 0; i < count; i++) {
        all[arguments.set_count + i] = sets[i];
    }
    arguments.sets = all;
    arguments.set_count += count;
    with.arguments = &arguments;
    return load_study(&with);
}
