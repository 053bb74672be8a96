/* SPDX-License-Identifier: GPL-3.0-or-later
 * What manifest.json says of a run beside what redrawing needs: what was assumed, what is not
 * modelled, which prices were used, and by what the run is known. For reports. */
#ifndef FLEETCAST_SCENARIOS_MANIFEST_REGISTER_H
#define FLEETCAST_SCENARIOS_MANIFEST_REGISTER_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "engine/json_writer.h"
#include "scenarios/study/study.h"

#include <stdbool.h>
#include <stddef.h>

/* Strings in the arena; "" where the manifest says nothing. */
struct manifest_register {
    const char *version, *scenario_hash, *catalogue_hash, *region;
    struct manifest_assumption {
        const char *what, *value, *source;
        bool extrapolated;
    } * assumptions;
    size_t assumption_count;
    const char **not_modelled;
    size_t not_modelled_count;
    struct manifest_price {
        const char *instance_type, *zone, *purchase, *since, *last_seen, *source;
        double per_hour; /* NaN: not said */
    } * prices;
    size_t price_count;
    double sunk; /* for existing commitments inside the horizon; NaN: there are none */
    const char **sunk_names;
    size_t sunk_count;
};

/* Writes the members "prices", "assumptions" and "not_modelled" of an object that is open. */
void manifest_register_put(struct json_writer *j, const struct study *s);
/* Of a folder whose manifest manifest_read took. False, told in d, when it cannot be read. */
bool manifest_register_read(struct manifest_register *r, struct arena *a, const char *folder,
                            struct diagnostics *d);
/* What the manifest of this study would hold of it, without the strings of its identity. */
bool manifest_register_of(struct manifest_register *r, struct arena *a, const struct study *s,
                          struct diagnostics *d);

#endif
