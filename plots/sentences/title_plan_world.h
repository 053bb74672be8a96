/* SPDX-License-Identifier: GPL-3.0-or-later
 * The message of the chart of plan worlds. It is about the subject (titles.h) in its own plan
 * world, and says nothing of other futures:
 *   - "In its plan world X is interrupted 7 times" ("once"; "is never interrupted"), over all its
 *     workloads; where hardware failed "is stopped 7 times, 2 of them by failed hardware,", and
 *   - one deadline for all: "and finishes 3.2 hours before the deadline" (rounded down;
 *     less than a minute: "just before the deadline") or "2.1
 *     hours after the deadline" (rounded up); without one, or with several: "and finishes after 61
 *     hours"; cut off: "and is not finished".
 *   - Nobody stands: as everywhere. */
#ifndef FLEETCAST_PLOTS_TITLE_PLAN_WORLD_H
#define FLEETCAST_PLOTS_TITLE_PLAN_WORLD_H

#include "engine/text.h"
#include "plots/facts/study_facts.h"

#include <stdbool.h>
#include <stddef.h>

/* All workloads of a strategy together. */
struct title_plan_world {
    size_t losses;
    double end_h;
    bool done;
    size_t failures; /* of the losses, by hardware */
};

/* of: by strategy of the study. */
void title_plan_world(struct text *out, const struct study_facts *f,
                      const struct title_plan_world *of);

#endif
