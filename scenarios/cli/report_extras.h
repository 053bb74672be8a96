/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tables of a result directory that a report reads beside those of every run: the choice, and
 * the values at which it turns. Only the columns that it needs are asked for. */
#ifndef FLEETCAST_SCENARIOS_REPORT_EXTRAS_H
#define FLEETCAST_SCENARIOS_REPORT_EXTRAS_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "engine/table.h"

#include <stdbool.h>

struct report_extras {
    struct table *choice, *thresholds; /* NULL: not there */
};

/* False, told in d, when a file that is there cannot be read. */
bool report_extras_read(struct report_extras *e, struct arena *a, const char *folder,
                        struct diagnostics *d);
void report_extras_release(struct report_extras *e);

#endif
