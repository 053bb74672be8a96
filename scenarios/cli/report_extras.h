/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a report reads beside the tables of every run: the values at which the choice turns, which
 * `fleetcast thresholds` adds to a result directory. Only the columns that it needs are asked for.
 */
#ifndef FLEETCAST_SCENARIOS_REPORT_EXTRAS_H
#define FLEETCAST_SCENARIOS_REPORT_EXTRAS_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "engine/table.h"

#include <stdbool.h>

struct report_extras {
    struct table *thresholds; /* NULL: not there */
};

/* False, told in d, when a file that is there cannot be read. */
bool report_extras_read(struct report_extras *e, struct arena *a, const char *folder,
                        struct diagnostics *d);
void report_extras_release(struct report_extras *e);

#endif
