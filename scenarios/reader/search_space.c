/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/search_space.h"

#include "engine/text.h"
#include "scenarios/reader/quote.h"
#include "scenarios/reader/search_plans.h"
#include "scenarios/reader/search_values.h"
#include "scenarios/reader/yaml_flow.h"

#include <math.h>
#include <string.h>

#define ALL_THAT_FIT "all that fit"

static bool wrong_key(struct diagnostics *d, struct place where, struct arena *a, const char *path)
{
    diagnostics_add(d, DIAGNOSTIC_ERROR, where,
                    "%s is no key of a strategy, and no path of a workload such as "
                    "workloads.NAME.checkpoint.every",
                    quote(a, path));
    return false;
}

static bool check_path(struct search_key *k, struct arena *a, struct diagnostics *d)
{
    if (strchr(k->path, '=') != NULL)
        return wrong_key(d, k->place, a, k->path);
    k->of_strategy = search_plans_is_of_strategy(k->path, a);
    if (!k->of_strategy && strncmp(k->path, "workloads.", strlen("workloads.")) != 0)
        return wrong_key(d, k->place, a, k->path);
    return true;
}

static bool read_key(struct search_key *k, const struct yaml_node *node,
                     const struct catalogue *catalogue, struct arena *a, struct diagnostics *d)
{
    struct search_values values = {.arena = a, .catalogue = catalogue, .diagnostics = d};
    const char *last;

    *k = (struct search_key){.path = node->key, .place = node->key_place};
    if (!check_path(k, a, d))
        return false;
    last = strrchr(k->path, '.');
    values.of_types = strcmp(last == NULL ? k->path : last + 1, "instance") == 0;
    if (node->kind == YAML_MAP) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, node->place,
                        "the values of %s must be a list such as [a, b], or a range such as 2..16 "
                        "step 2; a mapping that is one value stands in a list of one",
                        quote(a, k->path));
        return false;
    }
    return search_values_read(&values, k, node);
}

/* The keys as axes. */
static bool make_grid(struct search_grid *g, struct arena *a)
{
    struct setting_axis *axes = arena_array(a, g->key_count, sizeof(*axes));

    for (size_t k = 0; axes != NULL && k < g->key_count; k++) {
        const struct search_key *key = &g->keys[k];
        const char **texts = arena_array(a, key->count + 1, sizeof(*texts));
        if (texts == NULL)
            return false;
        for (size_t i = 0; i < key->count; i++)
            texts[i] = key->values[i].text;
        axes[k] = (struct setting_axis){key->path, texts, key->count};
    }
    if (axes != NULL)
        g->grid = setting_grid_of(axes, g->key_count, SEARCH_MAX_PLANS);
    return axes != NULL;
}

static bool read_grid(struct search_grid *g, const struct yaml_node *map,
                      const struct catalogue *catalogue, struct arena *a, struct diagnostics *d)
{
    bool good = true;

    if (map->kind != YAML_MAP || map->count == 0 || map->count > SEARCH_MAX_KEYS) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, map->place,
                        "'over' must be a mapping of 1 to %d keys to their values, such as "
                        "{nodes: [2, 4, 8]}, or a list of such mappings",
                        SEARCH_MAX_KEYS);
        return false;
    }
    g->keys = arena_array(a, map->count, sizeof(*g->keys));
    if (g->keys == NULL)
        return false;
    for (const struct yaml_node *n = map->first; n != NULL; n = n->next)
        good &= read_key(&g->keys[g->key_count++], n, catalogue, a, d);
    if (good && !make_grid(g, a)) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, map->place, "out of memory");
        return false;
    }
    return good;
}

static bool note_columns(struct search_space *s, struct arena *a)
{
    size_t most = 0;

    for (size_t g = 0; g < s->grid_count; g++)
        most += s->grids[g].key_count;
    s->columns = arena_array(a, most + 1, sizeof(*s->columns));
    if (s->columns == NULL)
        return false;
    for (size_t g = 0; g < s->grid_count; g++) {
        for (size_t k = 0; k < s->grids[g].key_count; k++) {
            const char *path = s->grids[g].keys[k].path;
            size_t i = 0;
            while (i < s->column_count && strcmp(s->columns[i], path) != 0)
                i++;
            if (i == s->column_count)
                s->columns[s->column_count++] = path;
        }
    }
    return true;
}

bool search_space_read(struct search_space *s, const struct yaml_node *over,
                       const struct catalogue *catalogue, struct arena *a, struct diagnostics *d)
{
    const bool several = over->kind == YAML_LIST;
    const struct yaml_node *node = several ? over->first : over;
    bool good = true;

    *s = (struct search_space){0};
    if (several && (over->count == 0 || over->count > SEARCH_MAX_GRIDS)) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, over->place,
                        "'over' has %zu entries; expected 1 to %d", over->count, SEARCH_MAX_GRIDS);
        return false;
    }
    s->grids = arena_array(a, several ? over->count : 1, sizeof(*s->grids));
    for (; s->grids != NULL && node != NULL; node = several ? node->next : NULL) {
        struct search_grid *g = &s->grids[s->grid_count++];
        good &= read_grid(g, node, catalogue, a, d);
        s->plans += g->grid.points;
    }
    if (s->grids == NULL || (good && !note_columns(s, a))) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, over->place, "out of memory");
        return false;
    }
    if (good && s->plans > SEARCH_MAX_PLANS) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, over->place,
                        "more than %d plans; give fewer values, or larger steps", SEARCH_MAX_PLANS);
        return false;
    }
    return good;
}

const struct search_grid *search_space_plan(const struct search_space *s, size_t plan,
                                            size_t *indices)
{
    const struct search_grid *g = s->grids;

    while (plan >= g->grid.points) {
        plan -= g->grid.points;
        g++;
    }
    for (size_t k = 0; k < g->key_count; k++)
        indices[k] = setting_grid_at(&g->grid, plan, k);
    return g;
}

size_t search_key_set(const struct search_key *k, const struct search_value *v, struct arena *a,
                      const char **sets)
{
    size_t count = 0;

    if (v->is_section) { /* nothing of what is there may stay beside it */
        sets[count] = arena_format(a, "%s=null", k->path);
        if (sets[count++] == NULL)
            return 0;
    }
    sets[count] = arena_format(a, "%s=%s", k->path, v->text);
    return sets[count] == NULL ? 0 : count + 1;
}
