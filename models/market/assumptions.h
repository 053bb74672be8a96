/* SPDX-License-Identifier: GPL-3.0-or-later
 * The register of assumptions: every value that the program chose because nobody stated one, with
 * where it came from. It is shown under every result (DESIGN invariant 4: never a silent default).
 */
#ifndef FLEETCAST_MODELS_ASSUMPTIONS_H
#define FLEETCAST_MODELS_ASSUMPTIONS_H

#include "engine/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct assumption {
    const char *what;   /* "spot price of p4d.24xlarge" */
    const char *value;  /* "8.59 USD/h, mean over zones" */
    const char *source; /* "catalogue, 2025-11-30 (…)" or "default" */
    bool extrapolated;  /* true where the modelling note says no public trace supports it */
};

/* Zeroed except `arena`, which owns everything and must outlive it. */
struct assumptions {
    struct arena *arena;
    struct assumption *items; /* read only */
    size_t count, capacity;
};

/* Copies; the same (what, value) is kept once. source may be NULL ("default" then). Does nothing
 * when a is NULL; when memory is out the assumption is lost, as everything else in that arena. */
void assumptions_add(struct assumptions *a, bool extrapolated, const char *source, const char *what,
                     const char *value_format, ...) __attribute__((format(printf, 5, 6)));

#endif
