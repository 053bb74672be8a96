/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the choice is in one study, kept beyond it: who can be chosen and why the others cannot, how
 * far a strategy is from each other, and how far all are from their conditions. For values of an
 * input at which a choice is looked at. */
#ifndef FLEETCAST_SCENARIOS_CHOICE_VALUES_H
#define FLEETCAST_SCENARIOS_CHOICE_VALUES_H

#include "engine/arena.h"
#include "scenarios/study/results.h"
#include "scenarios/study/strategy_gaps.h"
#include "scenarios/study/study.h"

#include <stdbool.h>
#include <stddef.h>

#define CHOICE_VALUES_NO_LIMIT SIZE_MAX

struct choice_value {
    bool eligible;      /* `choose` can choose it; without `choose`: always */
    const char *reason; /* why it cannot; NULL: it can */
    size_t limit;       /* of `subject_to`, the first that it breaks */
    struct strategy_gap gap;
};

struct choice_values {
    size_t chosen;            /* SIZE_MAX: none; without `choose`: not asked */
    struct choice_value *one; /* by strategy */
    /* [strategy][condition]: by how much it breaks the condition, in its unit, with the half width
     * of the estimate's interval; > 0: it does. */
    struct strategy_gap *excess;
    size_t conditions;
};

/* Gaps are of `one` to all by the goal. In the arena. False when memory is out. */
bool choice_values_make(struct choice_values *v, const struct gap_goal *goal,
                        const struct study *study, const struct results *r, size_t one,
                        struct arena *a);

#endif
