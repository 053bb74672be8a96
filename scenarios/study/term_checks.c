/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/term_checks.h"

#include "scenarios/reader/workload_kinds.h"

#include <string.h>

/* A key as one set of terms states it. */
struct stated_key {
    const char *name;
    bool stated;
    struct place place;
};

typedef bool kind_test(const struct work_kind *kind);

static bool is_sized(const struct work_kind *kind)
{
    return kind->sized_by_strategy;
}

static bool is_gang(const struct work_kind *kind)
{
    return kind->is_gang;
}

static bool stops_when_idle(const struct work_kind *kind)
{
    return kind->stops_when_idle;
}

static bool is_service(const struct work_kind *kind)
{
    return kind->is_service;
}

/* The fleet on whose nodes it stands; NULL: it is no service, or has nodes of its own. */
static const char *stands_on(const struct study *s, size_t workload)
{
    const struct schema_variant_item *items = s->scenario->workloads.items;
    const struct service_spec *spec = items[workload].variant.params;
    return study_work_kind(s, workload) == &work_inference ? spec->fleet : NULL;
}

static bool has_own_nodes(const struct study *s, const struct strategy *strategy, size_t workload)
{
    const struct schema_variant_item *items = s->scenario->workloads.items;
    return stands_on(s, workload) == NULL ||
           strategy_terms_for(strategy, items[workload].item.name).own_nodes;
}

static bool any_workload(const struct study *s, kind_test *is)
{
    bool any = false;
    for (size_t w = 0; w < s->workload_count; w++) {
        any = any || is(study_work_kind(s, w));
    }
    return any;
}

/* ---- the keys ---- */

enum { MOST_KEYS = 8 };

static size_t service_keys(const struct strategy_terms *t, struct stated_key keys[MOST_KEYS])
{
    const struct stated_key all[] = {
        {"autoscale", t->autoscale.count > 0, t->autoscale_place},
        {"min_replicas", t->min_replicas_given, t->min_replicas_place},
        {"max_replicas", t->max_replicas_given, t->max_replicas_place},
        {"warm_up", t->warm_up.given, t->warm_up_place},
        {"monitoring", t->monitoring_given, t->monitoring_place},
        {"footprint", t->footprint_given, t->footprint_place},
        {"warm_pool", t->warm_pool_given, t->warm_pool_place},
        {"own_nodes", t->own_nodes_given, t->own_nodes_place},
    };
    memcpy(keys, all, sizeof all);
    return sizeof all / sizeof all[0];
}

static size_t gang_keys(const struct strategy_terms *t, struct stated_key keys[MOST_KEYS])
{
    keys[0] = (struct stated_key){"spares", t->spares > 0, t->spares_place};
    keys[1] = (struct stated_key){"span_zones", t->span_zones, t->span_zones_place};
    return 2;
}

static size_t idle_keys(const struct strategy_terms *t, struct stated_key keys[MOST_KEYS])
{
    keys[0] =
        (struct stated_key){"stop_when_idle", t->stop_when_idle.given, t->stop_when_idle_place};
    return 1;
}

static const struct key_group {
    size_t (*keys)(const struct strategy_terms *t, struct stated_key keys[MOST_KEYS]);
    kind_test *of;
    const char *what; /* "'spares' is …" */
} groups[] = {
    {gang_keys, is_gang, "of a gang (`kind: training`)"},
    {idle_keys, stops_when_idle, "of machines that people work on (`kind: notebooks`)"},
    {service_keys, is_service, "of a service (`kind: inference`)"},
};
enum { GROUPS = sizeof groups / sizeof groups[0] };

/* ---- the checks ---- */

/* A number of nodes that no workload takes would be taken for a plan. */
static void check_sizes(const struct study *s, struct diagnostics *d)
{
    const struct strategy *specs = s->scenario->strategies.items;
    for (size_t k = 0; k < s->strategy_count; k++) {
        bool taken = false;
        for (size_t w = 0; w < s->workload_count; w++) {
            taken = taken || (is_sized(study_work_kind(s, w)) && has_own_nodes(s, &specs[k], w));
        }
        if (!taken && specs[k].terms.nodes != 0) {
            diagnostics_add(d, DIAGNOSTIC_ERROR, specs[k].terms.nodes_place,
                            "no workload takes 'nodes' from a strategy: each of them says itself "
                            "how many run; drop it ('fill' says how many are bought in which way)");
        }
    }
}

/* What a strategy says for all is for those that it concerns: one at least. */
static void check_of_all(const struct study *s, const struct key_group *g, struct diagnostics *d)
{
    const struct strategy *specs = s->scenario->strategies.items;
    bool any = any_workload(s, g->of);
    for (size_t k = 0; !any && k < s->strategy_count; k++) {
        struct stated_key keys[MOST_KEYS];
        size_t count = g->keys(&specs[k].terms, keys);
        for (size_t i = 0; i < count; i++) {
            if (keys[i].stated) {
                diagnostics_add(d, DIAGNOSTIC_ERROR, keys[i].place,
                                "'%s' is %s, and no workload is one; drop it", keys[i].name,
                                g->what);
            }
        }
    }
}

/* What it says for one workload is for that one. */
static void check_of_one(const struct study *s, const struct key_group *g,
                         const struct strategy_terms *own, struct diagnostics *d)
{
    for (size_t w = 0; w < s->workload_count; w++) {
        struct stated_key keys[MOST_KEYS];
        if (strcmp(study_workload_name(s, w), own->item.name) != 0 ||
            g->of(study_work_kind(s, w))) {
            continue;
        }
        size_t count = g->keys(own, keys);
        for (size_t i = 0; i < count; i++) {
            if (keys[i].stated) {
                diagnostics_add(d, DIAGNOSTIC_ERROR, keys[i].place,
                                "'%s' is %s, and '%s' is `kind: %s`; drop it", keys[i].name,
                                g->what, own->item.name, study_work_kind(s, w)->schema->name);
            }
        }
    }
}

/* Nodes to be shared that nobody shares. */
static void check_hosts(const struct study *s, struct diagnostics *d)
{
    const struct schema_variant_item *items = s->scenario->workloads.items;
    for (size_t h = 0; h < s->workload_count; h++) {
        bool stood_on = !study_work_kind(s, h)->is_host;
        for (size_t w = 0; w < s->workload_count && !stood_on; w++) {
            const char *on = stands_on(s, w);
            stood_on = on != NULL && strcmp(on, items[h].item.name) == 0;
        }
        if (!stood_on) {
            diagnostics_add(d, DIAGNOSTIC_ERROR, items[h].item.place,
                            "no service stands on the nodes of '%s'; expected 'fleet: %s' in a "
                            "workload of `kind: inference`",
                            items[h].item.name, items[h].item.name);
        }
    }
}

/* ---- services that stand on shared nodes, under some strategies or all ---- */

static const struct shared_fleet_spec *fleet_named(const struct study *s, const char *name)
{
    const struct schema_variant_item *items = s->scenario->workloads.items;
    for (size_t h = 0; h < s->workload_count; h++) {
        if (study_work_kind(s, h) == &work_shared_fleet && strcmp(items[h].item.name, name) == 0) {
            return items[h].variant.params;
        }
    }
    return NULL;
}

/* The first strategy under which it has nodes of its own; NULL: none. */
static const struct strategy *apart_under(const struct study *s, size_t workload)
{
    const struct strategy *specs = s->scenario->strategies.items;
    for (size_t k = 0; k < s->strategy_count; k++) {
        if (has_own_nodes(s, &specs[k], workload)) {
            return &specs[k];
        }
    }
    return NULL;
}

/* What nodes are like is said of the fleet, and of the service too where it has some of its own: a
 * disk that only those that are shared have would be a saving that is none. */
static void check_member(const struct study *s, size_t workload, struct diagnostics *d)
{
    const struct schema_variant_item *items = s->scenario->workloads.items;
    const struct service_spec *spec = items[workload].variant.params;
    const struct shared_fleet_spec *fleet = fleet_named(s, spec->fleet);
    const struct strategy *apart = apart_under(s, workload);
    const struct {
        const char *name;
        bool own, shared;
    } keys[] = {
        {"boot", spec->boot.given, fleet != NULL && fleet->boot.given},
        {"disk", spec->storage.disk.given, fleet != NULL && fleet->storage.disk.given},
        {"dataset", spec->storage.dataset.given, fleet != NULL && fleet->storage.dataset.given}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (apart == NULL && keys[i].own && i < 2) {
            diagnostics_add(d, DIAGNOSTIC_ERROR, spec->item.place,
                            "'%s' states '%s', but stands on nodes that it shares; state it in "
                            "'%s'",
                            spec->item.name, keys[i].name, spec->fleet);
        } else if (apart != NULL && keys[i].shared && !keys[i].own) {
            diagnostics_add(d, DIAGNOSTIC_ERROR, spec->item.place,
                            "strategy '%s' gives '%s' nodes of its own, but '%s' is stated of "
                            "those of '%s' alone; state it in '%s' too",
                            apart->item.name, spec->item.name, keys[i].name, spec->fleet,
                            spec->item.name);
        }
    }
}

/* Of what a strategy says for one workload. */
static void check_own_nodes(const struct study *s, const struct strategy_terms *own,
                            struct diagnostics *d)
{
    for (size_t w = 0; own->own_nodes_given && w < s->workload_count; w++) {
        if (strcmp(study_workload_name(s, w), own->item.name) == 0 &&
            study_work_kind(s, w)->is_service && stands_on(s, w) == NULL) {
            diagnostics_add(d, DIAGNOSTIC_ERROR, own->own_nodes_place,
                            "'own_nodes' is for a service that states a 'fleet', and '%s' has "
                            "nodes of its own anyway; drop it",
                            own->item.name);
        }
    }
}

static void check_members(const struct study *s, struct diagnostics *d)
{
    const struct strategy *specs = s->scenario->strategies.items;
    for (size_t w = 0; w < s->workload_count; w++) {
        if (stands_on(s, w) != NULL) {
            check_member(s, w, d);
        }
    }
    for (size_t k = 0; k < s->strategy_count; k++) {
        const struct strategy_terms *own = specs[k].workloads.items;
        for (size_t i = 0; i < specs[k].workloads.count; i++) {
            check_own_nodes(s, &own[i], d);
        }
    }
}

void term_checks(const struct study *s, struct diagnostics *d)
{
    const struct strategy *specs = s->scenario->strategies.items;
    check_sizes(s, d);
    check_hosts(s, d);
    check_members(s, d);
    for (size_t g = 0; g < GROUPS; g++) {
        check_of_all(s, &groups[g], d);
        for (size_t k = 0; k < s->strategy_count; k++) {
            const struct strategy_terms *own = specs[k].workloads.items;
            for (size_t i = 0; i < specs[k].workloads.count; i++) {
                check_of_one(s, &groups[g], &own[i], d);
            }
        }
    }
}
