/* SPDX-License-Identifier: GPL-3.0-or-later
 * A world's bill as single charges, in the shape of FOCUS, the FinOps cost and usage specification
 * (version 1.2): usage by node and span of equal price, split where commitments cover a part of it,
 * purchases, and what of a commitment is not used. Amounts are those of rating, cut but never
 * computed anew: over the rows inside the horizon what the plan is billed adds up to the bill's
 * cash and its effective cost to the amortised cost, to the nano-unit. With an account beside the
 * plan the rows are the account's bill: the usage of others and what was signed before, too.
 *
 * What commitments cover of an hour is shared over the nodes that ran in it, in proportion to
 * their time. Time and money are shared by differences of running totals. Covered usage is taken
 * off the bill once for all nodes but was rated node by node; the nano-units between the two are
 * rows of their own, so that a covered row bills exactly nothing.
 *
 * Charges beside nodes are the notes that were taken when they were billed. Negotiated discounts
 * stand in the row that they are taken off (list against contracted). Support and tax are known for
 * all of a bill: by payer and month they follow the rows that they are shares of. */
#ifndef FLEETCAST_MODELS_FOCUS_ROWS_H
#define FLEETCAST_MODELS_FOCUS_ROWS_H

#include "models/billing/bill.h"
#include "models/billing/charge_note.h"
#include "models/billing/charge_plan.h"
#include "models/billing/committed.h"
#include "models/billing/matched_hours.h"
#include "models/commitments/commitment_plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FOCUS_ROWS_MAX = 10000000 };

/* Whose charge it is. */
enum focus_party {
    FOCUS_PLAN,
    FOCUS_EXISTING, /* a commitment's from before the plan */
    FOCUS_OTHERS    /* beside the plan in its account */
};

enum focus_kind {
    FOCUS_USAGE,        /* at the price per hour: on demand, or spot */
    FOCUS_FREE,         /* spot that the cloud ended within its first hour: nothing is charged */
    FOCUS_COVERED,      /* on demand, by a commitment */
    FOCUS_UNUSED,       /* of a commitment, lost */
    FOCUS_UPFRONT,      /* paid at once for a commitment */
    FOCUS_RECURRING,    /* paid along its term */
    FOCUS_ROUNDING,     /* see above; may be negative */
    FOCUS_CHARGE,       /* beside nodes: a priced part of what was told of it (charge_note.h) */
    FOCUS_SHARE,        /* of the rest of the bill: support, tax */
    FOCUS_BLOCK,        /* paid for a window (Capacity Block) … */
    FOCUS_BLOCK_UNUSED, /* … of which nobody used this */
    FOCUS_IDLE,         /* capacity reserved on demand in which nothing runs */
    FOCUS_KIND_COUNT
};

struct focus_row {
    enum focus_kind kind;
    const struct usage *usage; /* NULL: of no node */
    size_t reservation;        /* of the plan's, counted from 1, in which the node runs, or which is
                                  idle; 0: none */
    uint32_t twin;             /* the node is usage->slot + twin */
    enum focus_party party;
    const struct others_use *others; /* OTHERS: a use that it is of; else NULL */
    size_t commitment;      /* index in the plan, those from before it included; SIZE_MAX: none */
    int64_t from_us, to_us; /* within one calendar month and on one side of the horizon */
    bool inside;            /* the horizon */
    int64_t used_us;        /* of the node */
    int64_t priced_us;      /* charged for: differs where a launch has a minimum, or is free */
    int64_t units_us; /* of reserved instances: time in instances of the type that is reserved */
    money_t per_hour; /* of a node, before commitments */
    money_t list;     /* priced_us at per_hour, as rated */
    money_t off;      /* taken off it for a negotiated discount */
    money_t contracted;
    money_t billed, effective;
    /* What of it the plan costs: over the rows inside the horizon these add up to the bill's cash
     * and amortised cost; the rest is the account's bill without the plan. All of it, but for what
     * commitments from before the plan cover (set by focus_put), and for others, whose part is what
     * they pay more than without the plan, or less. */
    money_t plan_billed, plan_effective;
    size_t window; /* of the strategy's, counted from 1; 0: of none */
    size_t payer;  /* whose bill: a workload, or their number: what they share */
    size_t item;   /* CHARGE, SHARE: line, in the plan of charges; else SIZE_MAX */
    const struct charge_measure *measure; /* CHARGE: NULL: an amount and no more */
    double quantity;                      /* in units of the measure */
};

/* What a commitment still bills and amortises in no row: payments after the horizon, and what it
 * is not used for there. */
struct focus_rest {
    money_t billed, effective;
};

enum focus_end {
    FOCUS_DONE,
    FOCUS_NO_MEMORY,
    FOCUS_TOO_MANY, /* more than FOCUS_ROWS_MAX rows, or FOCUS_STATES_MAX states */
    FOCUS_OVERFLOW, /* a sum passed what money holds */
    FOCUS_WRONG,    /* more is left than rounding explains, or a kind of commitment that this does
                       not know: no file may be made of it */
    FOCUS_STOPPED   /* sink returned false */
};

struct focus_world {
    const struct rating_frame *frame;
    struct market *market;
    const struct usage_log *log;
    const struct charge_plan *charges;
    const struct charge_notes *notes;        /* of the world */
    const struct covered_discount *discount; /* on on-demand nodes; NULL: none */
    const int *windows;                      /* pools of windows that the strategy has bought */
    size_t window_count;
    const struct commitment_plan *plan;  /* count 0: none */
    struct matched_hours *matched;       /* of the plan, with others; NULL when nothing can be
                                            covered and nobody else runs anything */
    int64_t signed_until_us;             /* as they were begun (matched_begin) */
    const struct commitment_plan *alone; /* the account without the plan … */
    struct matched_hours *matched_alone; /* … and its hours; NULL when nothing is covered there */
};

/* Calls sink with every row: nodes in the order of the log, each by time; idle reserved capacity;
 * purchases and unused parts by commitment and time; rounding; other charges as they were told;
 * support and tax. rest: plan->count entries, or NULL. */
enum focus_end focus_rows(const struct focus_world *w,
                          bool (*sink)(void *context, const struct focus_row *row), void *context,
                          struct focus_rest *rest);

#endif
