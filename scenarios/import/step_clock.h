/* SPDX-License-Identifier: GPL-3.0-or-later
 * The clock of files that count time from a zero of their own, in a unit that --unit names. */
#ifndef FLEETCAST_SCENARIOS_STEP_CLOCK_H
#define FLEETCAST_SCENARIOS_STEP_CLOCK_H

#include "scenarios/import/importer.h"
#include "scenarios/import/line_file.h"

#include <stdbool.h>

/* How long the last change is held when the file does not say how long was observed: so that it
 * counts among the changes, and weighs nothing. */
#define LAST_CHANGE_S 1e-6

struct step_clock {
    double unit_s;
    double first_s, now_s;
    bool begun;
};

static inline struct step_clock step_clock_new(const struct import_request *r)
{
    return (struct step_clock){.unit_s = r->unit_s};
}

/* A row's time, which must not be before that of the row before. False when it was refused. */
bool step_clock_read(struct step_clock *c, struct line_file *f, const char *text);
/* When the observation ended: after --length, else just behind the last row; a single instant needs
 * the option. False when told. */
bool step_clock_end(const struct step_clock *c, const struct import_request *r, const char *path,
                    double *end_s);

#endif
