/* SPDX-License-Identifier: GPL-3.0-or-later
 * A strategy whose commitments have other sizes, as YAML that can be laid over its scenario. */
#ifndef FLEETCAST_SCENARIOS_SIGNED_STRATEGY_H
#define FLEETCAST_SCENARIOS_SIGNED_STRATEGY_H

#include "engine/arena.h"
#include "engine/text.h"
#include "scenarios/reader/yaml_tree.h"

#include <stdbool.h>
#include <stddef.h>

struct signed_strategy {
    const struct yaml_node *tree; /* of the whole scenario; not changed */
    const char *base;             /* the strategy that is copied */
    const char *const *sizes;     /* "7", "4.25 USD/h": of each commitment that it lists, capacity
                                     reservations left out; NULL: none of it is signed */
    const bool *hourly;           /* the size is an amount an hour, else a count */
    size_t count;
};

/* Adds `strategies:` with the copy beside all there is, under a name that is free: "to sign". What
 * is not signed, and a list that then is empty, are left out. A ladder is as many commitments as it
 * has purchases. False, and nothing is added, when memory is out, the tree does not list so many,
 * or a ladder's purchases have several sizes, which one item cannot. */
bool signed_strategy_add(struct text *out, const struct signed_strategy *s, struct arena *a);

#endif
