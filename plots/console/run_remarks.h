/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is said around the table that `run` prints: above it what is compared, under it what must be
 * known to read it, such as what is signed for nothing, not finished or left undecided. */
#ifndef FLEETCAST_PLOTS_RUN_REMARKS_H
#define FLEETCAST_PLOTS_RUN_REMARKS_H

#include "engine/text.h"
#include "plots/facts/study_facts.h"
#include "plots/text/terminal_table.h"

#include <stdbool.h>
#include <stdio.h>

struct run_remarks {
    const struct study_facts *facts; /* borrowed */
    int decimals;                    /* of amounts, as in the table */
    bool saves;                      /* there is a baseline to compare with */
    bool unclear;                    /* some difference covers zero */
    bool assumed;                    /* some difference rests on an assumption */
    bool interval;                   /* some saving has its interval beside it */
    bool latency;                    /* latencies are shown */
};

/* False on a write error. */
bool run_remarks_head(const struct run_remarks *t, const struct terminal_style *style, FILE *out);
bool run_remarks_foot(const struct run_remarks *t, const struct terminal_style *style, FILE *out);

#endif
