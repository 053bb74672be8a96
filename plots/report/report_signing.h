/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is to be signed for a strategy: from commitments.csv. By when: the first day on which one of
 * them comes into force. For how long: to the last day of any term. */
#ifndef FLEETCAST_PLOTS_REPORT_SIGNING_H
#define FLEETCAST_PLOTS_REPORT_SIGNING_H

#include "plots/report/report_document.h"
#include "plots/report/report_source.h"

#include <stddef.h>
#include <stdint.h>

struct report_signing {
    size_t count;         /* of what is signed; capacity reservations and the row of all left out */
    size_t first_row;     /* in commitments.csv */
    double signed_amount; /* in all; NaN: some amount is missing */
    int64_t by_unix_s, until_unix_s;
};

void report_signing_read(struct report_signing *g, const struct report_source *s, int strategy);
/* "Sign … by …, … in all until …, and run X", or "Approve X: nothing is signed ahead". */
void report_signing_lead(struct report_document *r, const struct report_source *s, int strategy,
                         const struct report_signing *g);
/* A grid of what is signed, amount and dates; nothing when it is one thing, which the sentence
 * says. */
void report_signing_grid(struct report_document *r, const struct report_source *s, int strategy,
                         const struct report_signing *g);

/* What of it the cost leaves out since others are stated to use it after the plan (`reuse`): the
 * mean, and whether it is more than what the strategy saves. Nothing where that is nothing, or
 * where what else obliges to pay (owned nodes) leaves it unknown. */
void report_signing_reuse(struct report_document *r, const struct report_source *s, int strategy);

#endif
