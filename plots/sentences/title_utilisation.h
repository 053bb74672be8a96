/* SPDX-License-Identifier: GPL-3.0-or-later
 * The message of the chart of utilisation, about the queue of one strategy in its plan world and
 * nothing else: "In its plan world X uses 62 % of its 16 nodes" (busy over what could be, from the
 * beginning to the last job's end), then ", and jobs wait in 40 % of the time" (in which on average
 * at least half a job waits in a bucket; nothing when none does). Shares are rounded; what is not
 * all is never "100 %". */
#ifndef FLEETCAST_PLOTS_TITLE_UTILISATION_H
#define FLEETCAST_PLOTS_TITLE_UTILISATION_H

#include "engine/text.h"
#include "plots/facts/study_facts.h"

struct title_utilisation {
    double nodes;   /* of the first way to buy */
    double used;    /* share */
    double waiting; /* share of the time */
};

void title_utilisation(struct text *out, const struct study_facts *f, int strategy,
                       const struct title_utilisation *of);

#endif
