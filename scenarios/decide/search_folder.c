/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/search_folder.h"

#include "engine/civil_time.h"
#include "engine/file.h"
#include "engine/json_writer.h"
#include "plots/text/figures.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct place nowhere = {0};

static bool out_of_memory(struct diagnostics *d)
{
    diagnostics_add(d, DIAGNOSTIC_FAILURE, nowhere, "out of memory");
    return false;
}

/* ---- chosen.yaml ---- */

static void add_comment(struct text *out, const struct search *s, const struct candidate *c)
{
    const struct objective *o = &s->goal.objective;
    char value[48];
    text_format(
        out,
        "# Found by `fleetcast optimize`; lay it over the scenario:\n"
        "#   fleetcast run SCENARIO chosen.yaml\n"
        "# %.*s is %s on %s fresh worlds.\n",
        (int)o->length, o->text,
        objective_value_text(o, c->verdict.objective.value, s->base->scenario->currency, value),
        figure_count(c->judged.count).text);
    if (c->shared_count > 0) {
        text_add(out, "# What it sets of workloads holds for the other strategies too.\n");
    }
}

bool search_folder_chosen(struct text *out, const struct search *s, const char **name,
                          struct diagnostics *d)
{
    const struct candidate *c = &s->candidates[s->chosen];
    struct search_plan plan = c->plan;
    struct search_plans plans = search_as_plans(s, c);
    *name = plan.name = search_strategy_name(s, c);
    plans.plans = &plan;
    plans.beside = true;
    if (plan.name == NULL) {
        return out_of_memory(d);
    }
    add_comment(out, s, c);
    return search_plans_fragment(out, s->request, &plans, d);
}

/* ---- manifest.json ---- */

static void put_scope(struct json_writer *j, const struct search *s)
{
    const struct scenario *sc = s->base->scenario;
    char text[24];
    json_member_text(j, "written_by", MANIFEST_TOOL);
    json_member_text(j, "version", FLEETCAST_VERSION);
    json_member_text(j, "verb", "optimize");
    json_member_text(j, "scenario", sc->name);
    json_member_hash(j, "scenario_hash", sc->hash);
    json_member_hash(j, "catalogue_hash", catalogue_hash(s->base->catalogue));
    json_member_text(j, "region", sc->region);
    json_member_text(j, "currency", sc->currency);
    json_member_text(j, "start", civil_time_text(sc->start.unix_s, text));
    json_member_number(j, "horizon_s", sc->horizon_s);
    json_member_text(j, "prices_as_of", civil_date_text(sc->prices_as_of_unix_s, text));
    json_member_integer(j, "seed", sc->seed);
    json_member_text(j, "baseline", s->base_name);
    json_put_key(j, "strategies");
    json_begin_array(j);
    json_begin_object(j);
    json_member_text(j, "name", s->base_name);
    json_end_object(j);
    json_end_array(j);
}

static void put_goal(struct json_writer *j, const struct search *s)
{
    const struct objective *o = &s->goal.objective;
    json_member_text(j, s->goal.maximise ? "maximise" : "minimise",
                     arena_format(s->arena, "%.*s", (int)o->length, o->text));
    json_put_key(j, "subject_to");
    json_begin_array(j);
    for (size_t i = 0; i < s->goal.condition_count; i++) {
        const struct condition *c = &s->goal.conditions[i];
        json_put_text(j, arena_format(s->arena, "%.*s", (int)c->length, c->text));
    }
    json_end_array(j);
}

static void put_search(struct json_writer *j, const struct search *s, const char *chosen)
{
    put_goal(j, s);
    json_member_integer(j, "budget_strategy_worlds", s->spec->budget);
    json_member_integer(j, "spent_strategy_worlds", (int64_t)s->spent);
    json_member_integer(j, "spent_refining", (int64_t)s->refine_spent);
    json_member_integer(j, "spent_judging", (int64_t)s->judge_spent);
    json_member_integer(j, "confirming_strategy_worlds", (int64_t)s->confirmed.spent);
    json_member_integer(j, "plans", (int64_t)s->count);
    json_member_integer(j, "rounds", s->rounds);
    json_put_key(j, "ended_without_hope");
    json_put_bool(j, s->hopeless);
    json_put_key(j, "repeatable");
    json_put_bool(j, !s->stopped_early);
    json_member_text(j, "chosen",
                     s->chosen == SIZE_MAX ? NULL : s->candidates[s->chosen].plan.name);
    json_member_text(j, "chosen_strategy", chosen);
    json_member_text(j, "runner_up",
                     s->runner_up == SIZE_MAX ? NULL : s->candidates[s->runner_up].plan.name);
    json_member_number(j, "probability_correct", s->correct);
    json_member_number(j, "probability_within_indifference", s->nearly_correct);
    json_member_number(j, "indifference_frac", SEARCH_INDIFFERENCE);
    json_member_integer(j, "level_plans", (int64_t)s->level);
    json_member_number(j, "better_by_at_most", s->margin);
}

static bool write_manifest(FILE *out, const struct search *s, const char *chosen,
                           const struct manifest_request *request,
                           const struct search_effort *effort)
{
    struct json_writer j;
    json_init(&j, out);
    json_begin_object(&j);
    put_scope(&j, s);
    put_search(&j, s, chosen);
    json_put_key(&j, "arguments");
    json_begin_array(&j);
    for (size_t i = 0; i < request->argument_count; i++) {
        json_put_text(&j, request->arguments[i]);
    }
    json_end_array(&j);
    json_member_integer(&j, "jobs", request->jobs);
    json_put_key(&j, "timings");
    json_begin_object(&j);
    json_member_number(&j, "cpu_s", effort->cpu_s);
    json_member_number(&j, "wall_s", effort->wall_s);
    json_end_object(&j);
    json_end_object(&j);
    json_finish(&j);
    return j.error == 0;
}

/* ---- files ---- */

static bool told(struct diagnostics *d, const char *folder, const char *name, int error)
{
    diagnostics_add(d, DIAGNOSTIC_FAILURE, nowhere, "cannot write '%s/%s': %s", folder, name,
                    strerror(error != 0 ? error : EIO));
    return false;
}

static FILE *create(struct arena *a, const char *folder, const char *name, struct diagnostics *d)
{
    const char *path = file_join(a, folder, name);
    FILE *out = path == NULL ? NULL : fopen(path, "wbx");
    if (out == NULL) {
        told(d, folder, name, path == NULL ? ENOMEM : errno);
    }
    return out;
}

static bool finish(FILE *out, bool written, const char *folder, const char *name,
                   struct diagnostics *d)
{
    const int error = written ? 0 : errno;
    return (fclose(out) == 0 && written) || told(d, folder, name, error != 0 ? error : errno);
}

static bool write_table(struct arena *a, const char *folder, const char *name,
                        const struct table *t, struct diagnostics *d)
{
    FILE *out = create(a, folder, name, d);
    return out != NULL && finish(out, table_write_csv(t, out), folder, name, d);
}

static bool write_chosen(const struct result_folder *f, const struct search *s, const char **name,
                         struct diagnostics *d)
{
    struct text yaml;
    text_init(&yaml, 0);
    bool ok = search_folder_chosen(&yaml, s, name, d);
    FILE *out = ok ? create(s->arena, f->draft, "chosen.yaml", d) : NULL;
    ok = out != NULL && finish(out, fwrite(yaml.data, 1, yaml.length, out) == yaml.length, f->draft,
                               "chosen.yaml", d);
    text_release(&yaml);
    return ok;
}

bool search_folder_write(const struct result_folder *f, const struct search *s,
                         const struct table *candidates, const struct table *front,
                         const struct manifest_request *request, const struct search_effort *effort,
                         struct diagnostics *d)
{
    const char *inputs = file_join(s->arena, f->draft, "inputs"), *chosen = NULL;
    bool ok = write_table(s->arena, f->draft, "candidates.csv", candidates, d) &&
              write_table(s->arena, f->draft, "front.csv", front, d) &&
              (s->chosen == SIZE_MAX || write_chosen(f, s, &chosen, d)) &&
              (inputs != NULL ? input_copies_write(&s->base->copies, inputs, d) : out_of_memory(d));
    FILE *out = ok ? create(s->arena, f->draft, "manifest.json", d) : NULL; /* last */
    return out != NULL && finish(out, write_manifest(out, s, chosen, request, effort), f->draft,
                                 "manifest.json", d);
}
