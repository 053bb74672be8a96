/* SPDX-License-Identifier: GPL-3.0-or-later
 * Real bills, line by line: a FOCUS cost and usage file (1.0 to 1.3), or a Cost and Usage Report of
 * AWS (CUR 2.0, or the older one), told apart by their columns. Streams: memory does not grow with
 * the file.
 *
 * `billed` is what is invoiced: FOCUS BilledCost, of a CUR the unblended cost. `effective` spreads
 * commitments over what uses them: FOCUS EffectiveCost, of a CUR the amortised cost by AWS's own
 * rule (Cost and Usage Report user guide, "Understanding your amortised costs": covered usage at
 * the effective cost of its commitment, recurring fees at what is unused of it, upfront fees and
 * negations zero). */
#ifndef FLEETCAST_SCENARIOS_BILL_EXPORT_H
#define FLEETCAST_SCENARIOS_BILL_EXPORT_H

#include "engine/arena.h"
#include "engine/diagnostics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a charge is for, as far as a bill says. */
enum bill_part {
    BILL_PART_ON_DEMAND, /* nodes by the second, and blocks of capacity */
    BILL_PART_SPOT,
    BILL_PART_COMMITTED, /* what commitments cover, at its effective cost */
    BILL_PART_UNUSED,    /* of commitments */
    BILL_PART_STORAGE,
    BILL_PART_TRANSFER,
    BILL_PART_SUPPORT,
    BILL_PART_TAX,
    BILL_PART_CREDIT, /* credits, refunds, discounts */
    BILL_PART_OTHER,
    BILL_PART_COUNT
};
extern const char *const bill_part_names[]; /* "on-demand", …, NULL */

struct bill_line {
    int64_t start_unix_s, end_unix_s; /* of the charge; end may be the start, where none is given */
    double billed, effective;
    double node_h; /* hours of instances; 0 of all else */
    enum bill_part part;
    const char *service;      /* valid during the call; "" when the file does not say */
    const char *unknown_type; /* likewise: the kind of line, of which nothing is known here, so that
                                 `part` is by its product; NULL: it is known */
    bool of_plan; /* costs are what of the bill is the plan's, as an export of a world says */
};

/* Rows that are kept: COLUMN=VALUE, all of them; a column in a tag: Tags/KEY=VALUE, of a FOCUS
 * file. */
struct bill_filter {
    const char *const *conditions;
    size_t count;
};

struct bill_totals {
    size_t rows, kept;
    const char *format; /* "FOCUS" or "CUR" */
    size_t unknown;     /* of those kept: of a kind of line that is not known … */
    double unknown_billed;
    char unknown_type[64]; /* … such as this */
    size_t of_plan;        /* of those kept: at the plan's share of them */
};

/* Hands on every row that is kept, until `line` returns false. currency: what the bill must be in.
 * False with the reason in d: an unknown format, a filter on a column that is not there, another
 * currency, a broken row. path must outlive d. */
bool bill_export_read(const char *path, const struct bill_filter *filter, const char *currency,
                      struct arena *a, struct diagnostics *d,
                      bool (*line)(void *context, const struct bill_line *l), void *context,
                      struct bill_totals *totals);

#endif
