/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the provider's services cost in each month, over all workloads: what support plans, credits
 * and agreements are reckoned from. It listens to every amount beside nodes as it enters a bill,
 * and takes nodes from the bills themselves, so that nothing is computed twice.
 *
 * A *period* is a calendar month (UTC), or the part of the month that holds the horizon before or
 * after it: what is charged in one lies on one side of the horizon. */
#ifndef FLEETCAST_MODELS_INVOICE_LEDGER_H
#define FLEETCAST_MODELS_INVOICE_LEDGER_H

#include "models/billing/charging.h"

struct invoice_ledger {
    size_t periods; /* frame.months + 1, in order of time; some may hold no time */
    size_t horizon; /* the last one before the horizon */
    money_t *net;   /* [SERVICE_COUNT][periods]: discounts taken off, coverage by commitments too */
    money_t *paid;  /* by period: for commitments and blocks, inside the horizon … */
    money_t *recurring; /* … of that what was not paid upfront */
    /* Private. */
    const struct charge_plan *plan;
    const struct rating_frame *frame;
    const struct charge_sink *next;
    struct charge_sink sink;
    money_t *off, *told; /* by month: discounts in notes; all that notes told inside the horizon */
    money_t *kept;       /* all of the above, as invoice_ledger_hold found it; NULL: never */
    bool overflow, kept_overflow;
};

struct invoice_ledger *invoice_ledger_new(const struct charge_plan *plan, size_t months);
void invoice_ledger_free(struct invoice_ledger *l); /* may be NULL */
/* For a new bill; notes are handed on to w->sink. */
const struct charge_sink *invoice_ledger_begin(struct invoice_ledger *l,
                                               const struct charge_world *w);
/* When nodes, charges beside them, discounts and commitments are on the bills, and nothing else. */
void invoice_ledger_close(struct invoice_ledger *l, const struct charge_world *w,
                          const struct bill *bills);

/* Keeps what notes have told, before the ledger is closed; _again goes back there, so that it can
 * be closed on other bills of the same notes. _hold: false when out of memory. */
bool invoice_ledger_hold(struct invoice_ledger *l);
void invoice_ledger_again(struct invoice_ledger *l);

static inline size_t invoice_ledger_month(const struct invoice_ledger *l, size_t period)
{
    return period <= l->horizon ? period : period - 1;
}

static inline money_t *invoice_ledger_net(const struct invoice_ledger *l,
                                          enum charge_service service, size_t period)
{
    return &l->net[(size_t)service * l->periods + period];
}

/* The time of a period; from >= to: none. */
void invoice_ledger_span(const struct invoice_ledger *l, size_t period, int64_t *from_us,
                         int64_t *to_us);
/* All services together. */
money_t invoice_ledger_sum(const struct invoice_ledger *l, size_t period);

#endif
