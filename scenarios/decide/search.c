/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/search.h"

#include "engine/text.h"
#include "models/inference/llm_table_store.h"
#include "scenarios/decide/search_confidence.h"
#include "scenarios/decide/search_judge.h"
#include "scenarios/decide/search_refine.h"
#include "scenarios/decide/search_rounds.h"
#include "scenarios/decide/search_screen.h"
#include "scenarios/decide/search_studies.h"
#include "scenarios/reader/quote.h"
#include "scenarios/reader/yaml_tree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *const candidate_status_names[CANDIDATE_STATUSES] = {
    "refused", "screened", "dropped", "tried", "finalist", "runner-up", "chosen"};

static bool out_of_memory(struct search *s)
{
    diagnostics_add(s->diagnostics, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
    return false;
}

/* ---- measures ---- */

size_t search_measures(const struct search *s)
{
    return search_service(s, s->base->workload_count, 0);
}

size_t search_extra(const struct search *s, enum search_extra extra)
{
    return 1 + s->goal.condition_count + (size_t)extra;
}

size_t search_service(const struct search *s, size_t workload, enum search_service service)
{
    return search_extra(s, SEARCH_EXTRAS) + workload * SEARCH_SERVICES + (size_t)service;
}

const struct objective *search_measure(const struct search *s, size_t measure)
{
    const size_t extras = search_extra(s, 0), services = search_extra(s, SEARCH_EXTRAS);
    if (measure == 0) {
        return &s->goal.objective;
    }
    return measure < extras     ? &s->goal.conditions[measure - 1].objective
           : measure < services ? &s->extras[measure - extras]
                                : &s->services[measure - services];
}

static bool make_services(struct search *s)
{
    static const enum metric metrics[SEARCH_SERVICES] = {[SEARCH_REQUESTS_SERVED] =
                                                             METRIC_REQUESTS_SERVED,
                                                         [SEARCH_REQUESTS] = METRIC_REQUESTS,
                                                         [SEARCH_NODES_SERVED] = METRIC_SERVED,
                                                         [SEARCH_NODES_NEEDED] = METRIC_NEEDED};
    const size_t count = s->base->workload_count;
    s->services = arena_array(s->arena, count * SEARCH_SERVICES + 1, sizeof *s->services);
    bool ok = s->services != NULL;
    for (size_t i = 0; i < 2; i++) {
        s->seen[i].best_served = arena_array(s->arena, count + 1, sizeof(double));
        s->seen[i].valued = arena_alloc(s->arena, SEARCH_MOST_WORLDS);
        ok = ok && s->seen[i].best_served != NULL && s->seen[i].valued != NULL;
    }
    for (size_t w = 0; s->services != NULL && w < count; w++) {
        for (size_t k = 0; k < SEARCH_SERVICES; k++) {
            s->services[w * SEARCH_SERVICES + k] =
                (struct objective){.text = "served",
                                   .length = strlen("served"),
                                   .workload = study_workload_name(s->base, w),
                                   .workload_index = w,
                                   .metric = metrics[k],
                                   .stat = OBJECTIVE_MEAN};
        }
    }
    return ok || out_of_memory(s);
}

/* Both axes of the front are medians, as on every other page, but cost is what the objective makes
 * of it where it is one. */
static bool make_extras(struct search *s)
{
    char column[64], message[256];
    const struct objective_names names = {.currency = s->base->scenario->currency};
    const char *cost = arena_format(
        s->arena, "%s.p50", metric_column(METRIC_COST, s->base->scenario->currency, column));
    const char *const texts[SEARCH_EXTRAS] = {"p_unfinished", cost, "time_to_train_h.p50"};
    for (size_t i = 0; i < SEARCH_EXTRAS; i++) {
        if (texts[i] == NULL || !objective_parse(texts[i], strlen(texts[i]), &names, &s->extras[i],
                                                 message, sizeof message)) {
            return out_of_memory(s);
        }
    }
    const struct objective *o = &s->goal.objective;
    if (o->workload == NULL && o->metric == METRIC_COST) {
        s->extras[SEARCH_COST] = *o;
    }
    if (o->workload == NULL && o->metric == METRIC_TIME_TO_TRAIN) {
        s->extras[SEARCH_TIME] = *o;
    }
    return true;
}

/* ---- candidates ---- */

/* Settings of one kind, strategy's or scenario's, of a plan; NULL when memory is out. */
static const char *const *settings_of(struct search *s, const struct search_grid *g,
                                      const struct search_value *values, bool of_strategy,
                                      size_t *count)
{
    const char **sets = arena_array(s->arena, 2 * g->key_count + 1, sizeof *sets);
    *count = 0;
    for (size_t k = 0; sets != NULL && k < g->key_count; k++) {
        if (g->keys[k].of_strategy == of_strategy) {
            size_t more = search_key_set(&g->keys[k], &values[k], s->arena, sets + *count);
            if (more == 0) {
                return NULL;
            }
            *count += more;
        }
    }
    return sets;
}

struct candidate *search_add(struct search *s, const struct search_grid *g,
                             const struct search_value *values)
{
    struct candidate *c = &s->candidates[s->count];
    assert(s->count < s->capacity);
    *c = (struct candidate){.grid = g, .status = CANDIDATE_DROPPED, .shared_id = SIZE_MAX};
    c->plan.name = arena_format(s->arena, "plan-%zu", s->count + 1);
    c->plan.sets = settings_of(s, g, values, true, &c->plan.set_count);
    c->shared = settings_of(s, g, values, false, &c->shared_count);
    c->values = arena_array(s->arena, s->space.column_count, sizeof *c->values);
    if (c->plan.name == NULL || c->plan.sets == NULL || c->shared == NULL || c->values == NULL) {
        out_of_memory(s);
        return NULL;
    }
    for (size_t k = 0; k < g->key_count; k++) {
        for (size_t i = 0; i < s->space.column_count; i++) {
            if (strcmp(s->space.columns[i], g->keys[k].path) == 0) {
                c->values[i] = values[k].text;
            }
        }
    }
    s->count++;
    return c;
}

/* Plans of one grid have the same settings of the scenario when their indices of such keys are. */
static size_t shared_id(const struct search_space *space, const struct search_grid *g,
                        const size_t *indices)
{
    size_t grid = (size_t)(g - space->grids), id = 0;
    bool any = false;
    for (size_t k = 0; k < g->key_count; k++) {
        if (!g->keys[k].of_strategy) {
            id = id * g->keys[k].count + indices[k];
            any = true;
        }
    }
    return any ? 1 + grid * (SEARCH_MAX_PLANS + 1) + id : 0;
}

static bool add_plan(struct search *s, size_t plan)
{
    size_t indices[SEARCH_MAX_KEYS] = {0};
    struct search_value values[SEARCH_MAX_KEYS];
    const struct search_grid *g = search_space_plan(&s->space, plan, indices);
    for (size_t k = 0; k < g->key_count; k++) {
        values[k] = g->keys[k].values[indices[k]];
    }
    struct candidate *c = search_add(s, g, values);
    size_t *kept = c == NULL ? NULL : arena_array(s->arena, g->key_count, sizeof *kept);
    if (kept == NULL) {
        return out_of_memory(s);
    }
    memcpy(kept, indices, g->key_count * sizeof *kept);
    c->indices = kept;
    c->shared_id = shared_id(&s->space, g, indices);
    return true;
}

static bool find_base(struct search *s)
{
    const struct scenario *sc = s->base->scenario;
    s->base_name =
        s->spec->base != NULL ? s->spec->base : study_strategy_name(s->base, s->base->baseline);
    const struct yaml_node *strategies = yaml_tree_find(sc->tree, "strategies");
    if (strategies != NULL && yaml_tree_find(strategies, s->base_name) != NULL) {
        return true;
    }
    diagnostics_add(s->diagnostics, DIAGNOSTIC_ERROR, s->spec->place, "no strategy is called %s",
                    quote(s->arena, s->base_name));
    return false;
}

static bool check_input(struct search *s)
{
    for (size_t i = 0; i < s->request->path_count; i++) {
        if (strcmp(s->request->paths[i], "-") == 0) {
            diagnostics_add(s->diagnostics, DIAGNOSTIC_ERROR, (struct place){0},
                            "a search reads its scenario more than once, which standard input "
                            "cannot be; name a file");
            return false;
        }
    }
    if (!s->spec->given) {
        diagnostics_add(s->diagnostics, DIAGNOSTIC_ERROR, s->base->scenario->item.place,
                        "there is nothing to search: expected `search:` with `over:`, such as "
                        "search: {over: {nodes: [2, 4, 8]}}");
        return false;
    }
    return true;
}

bool search_init(struct search *s, const struct study *base, const struct scenario_request *request,
                 const struct search_goal *goal, const struct run_options *options, struct arena *a,
                 struct diagnostics *d)
{
    *s = (struct search){.base = base,
                         .request = request,
                         .options = options,
                         .diagnostics = d,
                         .arena = a,
                         .goal = *goal,
                         .spec = &base->scenario->search,
                         .chosen = SIZE_MAX,
                         .runner_up = SIZE_MAX};
    if (!check_input(s) || !find_base(s) ||
        !search_space_read(&s->space, s->spec->over, base->catalogue, a, d) || !make_extras(s) ||
        !make_services(s)) {
        return false;
    }
    s->tables = llm_table_store_new();
    s->capacity = s->space.plans + SEARCH_MAX_TRIALS;
    s->candidates = calloc(s->capacity, sizeof *s->candidates);
    if (s->candidates == NULL) {
        return out_of_memory(s);
    }
    for (size_t i = 0; i < s->space.plans; i++) {
        if (!add_plan(s, i)) {
            return false;
        }
    }
    return true;
}

static void release_worlds(struct candidate_worlds *w)
{
    free(w->values);
    free(w->censored);
    *w = (struct candidate_worlds){0};
}

void search_release(struct search *s)
{
    for (size_t i = 0; i < s->count; i++) {
        release_worlds(&s->candidates[i].searched);
        release_worlds(&s->candidates[i].judged);
        free(s->candidates[i].least_cost);
    }
    for (size_t i = 0; i < s->study_count; i++) {
        study_free(s->studies[i]);
    }
    llm_table_store_free(s->tables);
    free(s->candidates);
    free(s->studies);
    free(s->front);
    *s = (struct search){0};
}

bool search_run(struct search *s)
{
    if (!search_studies_make(s)) {
        return false;
    }
    if (s->spec->screen && !search_screen(s)) {
        return false;
    }
    return search_rounds(s) && search_refine(s) && search_judge(s) && search_confidence(s);
}

bool search_keeps_all(const struct candidate *c)
{
    return c->standing.strict && (c->judged.count == 0 || c->verdict.strict) && !c->passed_over;
}

/* ---- in words ---- */

const char *search_plan_text(const struct search *s, const struct candidate *c)
{
    struct text t;
    text_init(&t, 0);
    for (size_t i = 0; i < s->space.column_count; i++) {
        if (c->values[i] != NULL) {
            text_format(&t, "%s%s %s", t.length > 0 ? ", " : "", s->space.columns[i], c->values[i]);
        }
    }
    const char *copy = t.overflow ? NULL : arena_copy(s->arena, t.data, t.length);
    text_release(&t);
    return copy == NULL ? c->plan.name : copy;
}

const char *search_strategy_name(const struct search *s, const struct candidate *c)
{
    const struct yaml_node *all = yaml_tree_find(s->base->scenario->tree, "strategies");
    const char *name = c->plan.name;
    for (int n = 2; name != NULL && all != NULL && yaml_tree_find(all, name) != NULL; n++) {
        name = arena_format(s->arena, "%s-%d", c->plan.name, n);
    }
    return name;
}

struct search_plans search_as_plans(const struct search *s, const struct candidate *c)
{
    return (struct search_plans){.base = s->base_name,
                                 .sets = c->shared,
                                 .set_count = c->shared_count,
                                 .plans = &c->plan,
                                 .count = 1};
}
