/* SPDX-License-Identifier: GPL-3.0-or-later
 * The message of the Gantt chart, about the jobs of one strategy in its plan world and nothing
 * else:
 *   - all done: "In its plan world X does all 64 jobs in 15.5 hours", with several workloads
 *     "…, 'train' last"; rounded up
 *   - else "In its plan world X does 60 of 64 jobs by the horizon" ("before it is cancelled" is not
 *     told apart: "in the end")
 *   - then ", 3 attempts lost nodes" ("one attempt lost nodes"; nothing when none did). */
#ifndef FLEETCAST_PLOTS_TITLE_GANTT_H
#define FLEETCAST_PLOTS_TITLE_GANTT_H

#include "engine/text.h"
#include "plots/facts/study_facts.h"

#include <stddef.h>

struct title_gantt {
    size_t jobs, done, lost;
    double end_h;     /* of the last */
    const char *last; /* the workload that ends last; NULL: there is one only */
};

void title_gantt(struct text *out, const struct study_facts *f, int strategy,
                 const struct title_gantt *of);

#endif
