/* SPDX-License-Identifier: GPL-3.0-or-later
 * Who bears the cost of a plan: its workloads, charges that say whose they are, and what is kept
 * apart. Known before any world is drawn. */
#ifndef FLEETCAST_MODELS_COST_HOLDERS_H
#define FLEETCAST_MODELS_COST_HOLDERS_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "models/billing/charge_plan.h"
#include "models/fleet/label_keys.h"

struct cost_holders {
    size_t count;                     /* workloads + lines + 1; 0: nobody states an owner or tag */
    size_t workloads, lines;          /* lines: charges with an owner or tags */
    const size_t *items;              /* by line: in the plan of charges */
    const struct label_spec **labels; /* by holder; NULL: none of its own */
};

/* Borrows the plan. A tag that the export needs for itself is told. False when memory is out. */
bool cost_holders_make(struct cost_holders *h, const struct charge_plan *plan, struct arena *a,
                       struct diagnostics *d);
/* Labels of a charge of the plan; NULL: it has none. */
const struct label_spec *charge_labels(const struct charge_item *item);

#endif
