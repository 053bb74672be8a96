/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/search_plans.h"

#include "models/policies/strategy.h"
#include "scenarios/reader/quote.h"
#include "scenarios/reader/scenario_sources.h"
#include "scenarios/reader/settings.h"
#include "scenarios/reader/yaml_flow.h"

#include <string.h>

/* Memory for two trees of the largest scenario. */
static const size_t FRAGMENT_MEMORY = (size_t)256 << 20;

static bool out_of_memory(struct diagnostics *d)
{
    diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
    return false;
}

static bool put_plan(struct yaml_node *strategies, const struct yaml_node *base,
                     const struct search_plan *plan, struct arena *a, struct diagnostics *d)
{
    struct yaml_node *copy = yaml_flow_copy(a, base);
    bool good = true;

    if (copy == NULL)
        return out_of_memory(d);
    copy->key = plan->name;
    for (size_t i = 0; i < plan->set_count; i++)
        good &= settings_apply(copy, &strategy_schema, plan->sets[i], a, d);
    yaml_tree_append(strategies, copy);
    return good;
}

static void drop(struct yaml_node *root, const char *key)
{
    struct yaml_node *n = yaml_tree_find(root, key);

    if (n != NULL)
        yaml_tree_remove(root, n);
}

bool search_plans_put(struct yaml_node *root, const struct search_plans *plans, struct arena *a,
                      struct diagnostics *d)
{
    struct yaml_node *strategies = yaml_tree_find(root, "strategies");
    const struct yaml_node *base = strategies == NULL || strategies->kind != YAML_MAP
                                       ? NULL
                                       : yaml_tree_find(strategies, plans->base);
    struct yaml_node *all;
    bool good = true;

    if (base == NULL || base->kind != YAML_MAP) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, root->place, "no strategy is called %s",
                        quote(a, plans->base));
        return false;
    }
    for (size_t i = 0; i < plans->set_count; i++)
        good &= settings_apply(root, &scenario_schema, plans->sets[i], a, d);
    all = plans->beside ? strategies : yaml_tree_map(a, strategies->place);
    if (all == NULL)
        return out_of_memory(d);
    for (size_t i = 0; i < plans->count; i++)
        good &= put_plan(all, base, &plans->plans[i], a, d);
    if (!plans->beside) {
        all->key_place = strategies->key_place;
        yaml_tree_overwrite(strategies, all);
        drop(root, "search");
        drop(root, "baseline");
    }
    return good;
}

/* `workloads.a.checkpoint.every` could be a workload of that name; a strategy has keys below it. */
static bool names_a_workload(const struct yaml_node *map)
{
    const struct yaml_node *workloads = yaml_tree_find(map, "workloads");

    return workloads != NULL && (workloads->kind != YAML_MAP || workloads->first == NULL ||
                                 workloads->first->kind != YAML_MAP);
}

bool search_plans_is_of_strategy(const char *key, struct arena *a)
{
    struct diagnostics *d = diagnostics_new();
    struct yaml_node *map = yaml_tree_map(a, (struct place){0});
    const char *setting = arena_format(a, "%s=0", key);
    const bool is = d != NULL && map != NULL && setting != NULL &&
                    settings_apply(map, &strategy_schema, setting, a, d) && !names_a_workload(map);

    diagnostics_free(d);
    return is;
}

static bool add_fragment(struct text *out, const struct scenario_request *request,
                         const struct search_plans *plans, struct arena *a, struct diagnostics *d)
{
    struct scenario_sources before, after;
    struct yaml_node *difference;

    if (!scenario_sources_read(&before, request, a, d) ||
        !scenario_sources_read(&after, request, a, d) || !search_plans_put(after.root, plans, a, d))
        return false;
    difference = yaml_flow_difference(a, before.root, after.root);
    if (difference == NULL)
        return out_of_memory(d);
    yaml_flow_lines(out, difference, 0, YAML_TREE_MAX_DEPTH);
    return !out->overflow || out_of_memory(d);
}

bool search_plans_fragment(struct text *out, const struct scenario_request *request,
                           const struct search_plans *plans, struct diagnostics *d)
{
    struct arena *a = arena_new(FRAGMENT_MEMORY);
    const bool good = a != NULL ? add_fragment(out, request, plans, a, d) : out_of_memory(d);

    arena_free(a);
    return good;
}
