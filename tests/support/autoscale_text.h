/* SPDX-License-Identifier: GPL-3.0-or-later
 * Autoscalers as a scenario states them: a group from a YAML list, for tests. */
#ifndef FLEETCAST_TESTS_AUTOSCALE_TEXT_H
#define FLEETCAST_TESTS_AUTOSCALE_TEXT_H

#include "engine/arena.h"
#include "models/autoscaling/autoscaler_group.h"

struct autoscale_text {
    struct arena *arena;
    struct autoscaler_use uses[8];
    size_t count;
    struct autoscaler_group group;
};

/* Fails the test when the text is refused: "[{name: hpa, utilisation: 60 %}]". */
void autoscale_text_open(struct autoscale_text *t, const char *list, uint32_t minimum,
                         uint32_t maximum);
void autoscale_text_close(struct autoscale_text *t);

#endif
