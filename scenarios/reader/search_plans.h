/* SPDX-License-Identifier: GPL-3.0-or-later
 * Plans of a search as strategies of a scenario: each is a copy of one strategy with settings of
 * its own, beside settings of the whole scenario that all of them share. */
#ifndef FLEETCAST_SCENARIOS_SEARCH_PLANS_H
#define FLEETCAST_SCENARIOS_SEARCH_PLANS_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "scenarios/reader/scenario.h"
#include "scenarios/reader/yaml_tree.h"

#include <stdbool.h>
#include <stddef.h>

/* `key.of.a.strategy=value` each, applied in order. */
struct search_plan {
    const char *name; /* as a strategy of the scenario */
    const char *const *sets;
    size_t set_count;
};

struct search_plans {
    const char *base;        /* the strategy that is copied */
    const char *const *sets; /* of the scenario: `workloads.a.checkpoint.every=1h` */
    size_t set_count;
    const struct search_plan *plans;
    size_t count;
    bool beside; /* the strategies in the files stay, with all that is written beside them */
};

/* Puts them into the tree of a scenario. Places of what is set are "--set key=value". False when
 * one is wrong, told in d. */
bool search_plans_put(struct yaml_node *root, const struct search_plans *plans, struct arena *a,
                      struct diagnostics *d);

/* Whether `key` can be followed as a key of a strategy. */
bool search_plans_is_of_strategy(const char *key, struct arena *a);

/* What must be laid over the scenario of the request so that it has these plans beside its own
 * strategies, as YAML. False when memory is out or something cannot be read, told in d. */
bool search_plans_fragment(struct text *out, const struct scenario_request *request,
                           const struct search_plans *plans, struct diagnostics *d);

#endif
