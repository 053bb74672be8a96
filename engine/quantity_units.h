/* SPDX-License-Identifier: GPL-3.0-or-later
 * The units of each dimension, the words for it, and what to say to units that people also write.
 * Private to quantity.c and to those who read columns that carry their unit in the name. */
#ifndef FLEETCAST_ENGINE_QUANTITY_UNITS_H
#define FLEETCAST_ENGINE_QUANTITY_UNITS_H

#include "engine/quantity.h"

struct unit {
    const char *name;
    double factor, divisor; /* two numbers, so that 7 % is 7 / 100 and not 7 x 0.01 */
};

struct dimension_words {
    const char *noun, *examples, *wanted; /* wanted = noun " such as " examples */
    const char *unit;                     /* inside */
    const struct unit *units;
    bool bare_zero, negative; /* accepted */
};

/* Each list ends with a NULL name. */
extern const struct unit unit_times[], unit_rates[], unit_prices[], unit_magnitudes[];
extern const struct unit unit_one;
extern const struct dimension_words unit_words[]; /* by enum dimension */

const struct unit *unit_find(const struct unit *units, const char *name); /* NULL when unknown */
/* "write h for hours": what to say to this unit, or NULL. */
const char *unit_hint(enum dimension dimension, const char *unit);

#endif
