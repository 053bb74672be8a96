/* SPDX-License-Identifier: GPL-3.0-or-later
 * From a tree to C structs, by the declared keys alone: every schema_kind, defaults through the
 * same path as what a user writes, and all faults of all keys in one pass. */
#ifndef FLEETCAST_SCENARIOS_BINDER_H
#define FLEETCAST_SCENARIOS_BINDER_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "engine/inputs.h"
#include "engine/schema.h"
#include "scenarios/reader/yaml_tree.h"

#include <stdbool.h>

enum {
    BINDER_MAX_ITEMS = 10000, /* of a map or list whose key says nothing else */
    BINDER_MAX_NAME = 64      /* characters of a name in a map */
};

struct binder {
    struct arena *arena;   /* owns what the structs point to */
    struct inputs *inputs; /* uncertain numbers, named by their path */
    struct diagnostics *d;
    const char *currency;       /* "USD": money in another is refused, but … */
    const char *other_currency; /* … in this one where a key says `either_currency`; NULL: none */
    double other_rate;          /* how many of it one of `currency` is */
    const char *folder;         /* relative files start here */
};

/* Fills `out`, schema->size zeroed bytes, from the mapping `root`. False when a key is unknown,
 * missing, or wrong, told in d; `out` is then filled as far as it goes. */
bool binder_fill(const struct binder *b, const struct schema *schema, struct yaml_node *root,
                 void *out);

#endif
