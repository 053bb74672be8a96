/* SPDX-License-Identifier: GPL-3.0-or-later
 * A stretch of usage at one price as rows of an export: what commitments covered of it, each in a
 * row, and the rest. What hours covered of a slot is shared over its cuts in proportion to their
 * time, by differences of running totals. */
#ifndef FLEETCAST_MODELS_FOCUS_CUT_H
#define FLEETCAST_MODELS_FOCUS_CUT_H

#include "models/billing/focus_making.h"

/* Within one month, on one side of the horizon and in one of focus_hours. */
struct focus_cut {
    struct focus_row row; /* what all its rows have in common; kind: of the rest, which is not
                             covered */
    int slot;             /* of coverage; < 0: nothing covers it */
    const char *type;
    int64_t us; /* instance-microseconds */
    bool discounted;
    money_t amount, off; /* of that time, and what a discount takes off it */
    int64_t unused_us;   /* charged beyond its end, with `unused` … */
    money_t unused, unused_off;
};

/* hours: index in m->hours; not read where nothing covers it. */
void focus_put_cut(struct focus_making *m, const struct focus_cut *c, size_t hours);

#endif
