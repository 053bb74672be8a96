/* SPDX-License-Identifier: GPL-3.0-or-later
 * `choose` and `limits`: by what a strategy is chosen, and what must hold of it. Texts here; the
 * study knows which metrics they name (scenarios/study/choice_plan.h). */
#ifndef FLEETCAST_SCENARIOS_CHOOSE_KEYS_H
#define FLEETCAST_SCENARIOS_CHOOSE_KEYS_H

#include "engine/schema.h"

#include <stdbool.h>
#include <stdint.h>

#define CHOOSE_MOST_CONDITIONS   64
#define CHOOSE_MOST_FRESH_WORLDS 100000

struct condition_spec {
    struct schema_item item;
    const char *condition; /* "p_late <= 5 %" */
};
extern const struct schema condition_schema;

struct choose_spec {
    struct schema_item item;
    bool given;                      /* set by the schema of the section that holds it */
    const char *minimise, *maximise; /* one of them, when given */
    struct place minimise_place, maximise_place;
    struct schema_list subject_to; /* struct condition_spec */
    struct quantity confidence, serve_at_least;
    int64_t fresh_worlds;
    bool fresh_given;
};
extern const struct schema choose_schema;

#endif
