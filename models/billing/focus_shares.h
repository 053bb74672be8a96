/* SPDX-License-Identifier: GPL-3.0-or-later
 * What shares of a bill (support, tax) are shares of, as rows of an export: by payer and month. A
 * share is known for all of a bill; its rows follow the rows it is a share of. */
#ifndef FLEETCAST_MODELS_FOCUS_SHARES_H
#define FLEETCAST_MODELS_FOCUS_SHARES_H

#include "engine/money_split.h"
#include "models/billing/bill.h"
#include "models/billing/focus_rows.h"

#include <stdbool.h>
#include <stddef.h>

enum focus_sum { SUM_BILLED, SUM_EFFECTIVE, SUM_LIST, SUM_CONTRACTED, FOCUS_SUMS };

/* Cells: payer × months inside the horizon, then payer × months past it. */
struct focus_shares {
    const struct rating_frame *frame; /* borrowed; months >= 1 */
    size_t payers, cells;
    money_t *sums[FOCUS_SUMS];
    money_t *base[FOCUS_SUMS];  /* as they were at focus_shares_mark */
    money_t *parts[FOCUS_SUMS]; /* of the share split last */
    money_t *by_month;          /* of the share split last, scratch, as the next two */
    money_t *weights;
    struct money_part *scratch;
    money_t elsewhere; /* on the bill past the horizon and in no row: see focus_shares_owe … */
    money_t elsewhere_base; /* … as it was at focus_shares_mark */
    bool overflow;
};

/* A share of the bill. */
struct focus_share {
    int64_t from_us, to_us; /* of what: within the horizon */
    money_t billed, effective, later;
};

/* False when out of memory; release is due either way. payers: workloads and what they share. */
bool focus_shares_init(struct focus_shares *s, size_t payers, const struct rating_frame *f);
void focus_shares_release(struct focus_shares *s);
void focus_shares_add(struct focus_shares *s, const struct focus_row *row);
/* What commitments still cost past the horizon is on the bill, shares of it too, but no row. */
void focus_shares_owe(struct focus_shares *s, money_t amount);
/* From here on shares are of what was added so far. */
void focus_shares_mark(struct focus_shares *s);
/* Splits a share over cells, into parts: over months in proportion to what all of a month bills,
 * what credits take off among it, and there over who is billed, and so on; parts of the horizon's
 * time add up to `billed` and `effective`. Past the horizon, `later` less what of it is of what is
 * in no row. */
void focus_shares_split(struct focus_shares *s, const struct focus_share *share);
/* Time of a cell. */
void focus_shares_period(const struct focus_shares *s, size_t cell, int64_t *from_us,
                         int64_t *to_us);
size_t focus_shares_payer(const struct focus_shares *s, size_t cell);

#endif
