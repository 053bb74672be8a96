/* SPDX-License-Identifier: GPL-3.0-or-later
 * `choose` and `limits` of a scenario, resolved: which metrics they name, in which units. */
#ifndef FLEETCAST_SCENARIOS_CHOICE_PLAN_H
#define FLEETCAST_SCENARIOS_CHOICE_PLAN_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "scenarios/reader/scenario.h"
#include "scenarios/study/objective.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct study;

struct choice_plan {
    bool given; /* the scenario has `choose` */
    struct objective objective;
    bool maximise;
    struct condition *conditions; /* of subject_to */
    size_t condition_count;
    double confidence;
    double serve_at_least;
    uint32_t fresh_worlds; /* at most; of a run with fewer worlds as many as that */
    bool fresh_given;      /* … unless the scenario says so */
    struct condition *limits;
    size_t limit_count;
};

/* In the arena; texts are the scenario's. The study's strategies must have been made. All that is
 * wrong is told in d, also a metric that no world can have. False when out of memory. */
bool choice_plan_make(struct choice_plan *p, const struct study *study, struct arena *arena,
                      struct diagnostics *d);

#endif
