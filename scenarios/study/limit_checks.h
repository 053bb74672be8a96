/* SPDX-License-Identifier: GPL-3.0-or-later
 * The limits of a scenario held against the results: of the chosen strategy, or of every one where
 * nothing is chosen. */
#ifndef FLEETCAST_SCENARIOS_LIMIT_CHECKS_H
#define FLEETCAST_SCENARIOS_LIMIT_CHECKS_H

#include "engine/text.h"
#include "scenarios/study/choice.h"

#include <stdbool.h>
#include <stddef.h>

enum limit_answer { LIMIT_KEPT, LIMIT_BROKEN, LIMIT_UNKNOWN };

struct limit_check {
    size_t strategy; /* CHOICE_NONE: of the chosen one, but there is none */
    const struct condition *limit;
    struct estimate value;
    enum limit_answer answer;
};

struct limit_checks {
    struct limit_check *items; /* by strategy, then as in the file; NULL without limits */
    size_t count;
    size_t broken; /* that do not hold, or are not known to */
};

/* choice: NULL where nothing is asked. False when out of memory; limit_checks_release is due. */
bool limit_checks_make(struct limit_checks *l, const struct study *study, const struct results *r,
                       const struct choice *choice);
void limit_checks_release(struct limit_checks *l);
/* One sentence with the strategy's name, of any answer, without a full stop. */
void limit_check_words(struct text *out, const struct limit_check *l, const struct study *study);

#endif
