/* SPDX-License-Identifier: GPL-3.0-or-later
 * What `search: over:` says: grids of keys and values. A grid is a mapping
 *
 *   instance: [p4d.24xlarge, "p5*"]      a list: of values, and of patterns of instance types
 *   instance: all that fit               every instance type with accelerators; what does not fit
 * is refused later, with the reason nodes: 2..16 step 2                  a range with steps
 *   nodes: 1..64 log 7                   … with so many values at equal ratios
 *   nodes: 2..16                         whole numbers without a unit: each of them
 *   policy.after: 5min..4h               else continuous: a few values, then between them
 *   policy: [wait, {name: fallback, after: 30min}]     any value of the key
 *   policy.after: [null, 30min]          null: without the key
 *
 * or a list of such mappings. The plans are all combinations of each mapping, the last key varying
 * fastest, one mapping after the other. Keys are those of a strategy, or paths from the top that
 * begin with `workloads.`; where both could be meant it is the strategy's. */
#ifndef FLEETCAST_SCENARIOS_SEARCH_SPACE_H
#define FLEETCAST_SCENARIOS_SEARCH_SPACE_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "models/catalogue/catalogue.h"
#include "scenarios/reader/setting_grid.h"
#include "scenarios/reader/yaml_tree.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    SEARCH_MAX_KEYS = 16,
    SEARCH_MAX_GRIDS = 64,
    SEARCH_MAX_PLANS = 20000,
    SEARCH_COARSE_VALUES = 7 /* of a continuous range */
};

struct search_value {
    const char *text; /* YAML, on one line */
    bool is_section;  /* a mapping: it takes the place of what is there, part by part */
    double at;        /* on the scale of a continuous range; else unused */
};

struct search_key {
    const char *path; /* as written */
    bool of_strategy; /* else from the top of the scenario */
    struct place place;
    struct search_value *values;
    size_t count;
    /* Of a continuous range: ends on its scale, which is the logarithm where `logarithmic`. */
    bool continuous, logarithmic;
    double low, high;
    const char *unit;
};

struct search_grid {
    struct search_key *keys;
    size_t key_count;
    struct setting_grid grid; /* its axes are the keys, its points the plans */
};

struct search_space {
    struct search_grid *grids;
    size_t grid_count;
    size_t plans; /* of all grids */
    /* All keys of all grids, each once, in the order of the file: what tables have columns for. */
    const char **columns;
    size_t column_count;
};

/* All in the arena. False when something is wrong, told in d. */
bool search_space_read(struct search_space *s, const struct yaml_node *over,
                       const struct catalogue *catalogue, struct arena *a, struct diagnostics *d);

/* Which value each key of its grid has in a plan: fills indices, SEARCH_MAX_KEYS; returns the grid.
 */
const struct search_grid *search_space_plan(const struct search_space *s, size_t plan,
                                            size_t *indices);

/* The value at a point of a continuous key's scale, as text with its unit; in the arena. */
const char *search_key_text(const struct search_key *k, double at, struct arena *a);

/* Adds the settings that give the key this value to `sets`, which has room for two more; returns
 * how many were added, 0 when memory is out. */
size_t search_key_set(const struct search_key *k, const struct search_value *v, struct arena *a,
                      const char **sets);

#endif
