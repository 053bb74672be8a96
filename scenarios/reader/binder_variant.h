/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which of several sections is meant: by its tag (`kind: training`), by its name alone
 * (`policy: wait`), or by a scalar that stands for a key of one of them. */
#ifndef FLEETCAST_SCENARIOS_BINDER_VARIANT_H
#define FLEETCAST_SCENARIOS_BINDER_VARIANT_H

#include "scenarios/reader/binder_walk.h"

/* The index of the variant that the node names; -1 with the error told. label: what the node is
 * called. */
int binder_choose_variant(struct binder_walk *w, const struct schema *const *variants,
                          const struct yaml_node *node, const char *label);

#endif
