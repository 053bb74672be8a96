/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rows of an export under way: what the parts that make them (nodes, commitments, charges beside
 * them, shares of all that) have in common. */
#ifndef FLEETCAST_MODELS_FOCUS_MAKING_H
#define FLEETCAST_MODELS_FOCUS_MAKING_H

#include "models/billing/focus_alone.h"
#include "models/billing/focus_held.h"
#include "models/billing/focus_hours.h"
#include "models/billing/focus_rows.h"
#include "models/billing/focus_shares.h"
#include "models/billing/focus_windows.h"

struct focus_making {
    const struct focus_world *w;
    bool (*sink)(void *context, const struct focus_row *row);
    void *context;
    enum focus_end end;
    size_t rows;
    struct focus_hours hours;       /* of commitments */
    money_t on_demand;              /* of all nodes, before discounts and commitments … */
    money_t idle;                   /* likewise, of idle reserved capacity … */
    money_t on_demand_off;          /* … and what discounts take off both */
    int64_t idle_pieces;            /* reservation_pieces of it */
    struct focus_held held;         /* nodes in reservations */
    struct focus_alone alone;       /* others without the plan */
    int64_t shares;                 /* amounts that were rounded on their way */
    money_t *purchased, *amortised; /* by commitment, in rows */
    struct focus_windows windows;
    struct focus_shares following; /* what shares of the bill are shares of */
};

/* Whether there are hours in which usage is matched with commitments. */
static inline bool focus_matches(const struct focus_making *m)
{
    return m->w->matched != NULL;
}
/* Those of the plan, then those from before it. */
static inline size_t focus_commitments(const struct focus_world *w)
{
    return w->plan->count + w->plan->sunk;
}
/* False; the first reason is kept. */
bool focus_fail(struct focus_making *m, enum focus_end end);
void focus_add_money(struct focus_making *m, money_t *sum, money_t amount);
/* To the sink and all sums. */
bool focus_put(struct focus_making *m, struct focus_row *row);
/* The end of the month, or the horizon, whichever is next after at_us. */
int64_t focus_next_cut_us(const struct focus_making *m, int64_t at_us);

#endif
