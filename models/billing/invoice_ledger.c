/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/invoice_ledger.h"

#include "engine/civil_time.h"
#include "models/commitments/commitment.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define EVER (INT64_MIN / 4)

struct invoice_ledger *invoice_ledger_new(const struct charge_plan *plan, size_t months)
{
    struct invoice_ledger *l = calloc(1, sizeof *l);
    if (l == NULL) {
        return NULL;
    }
    l->plan = plan;
    l->periods = months + 1;
    l->net = calloc(SERVICE_COUNT * l->periods, sizeof *l->net);
    l->paid = calloc(l->periods, sizeof *l->paid);
    l->recurring = calloc(l->periods, sizeof *l->recurring);
    l->off = calloc(l->periods, sizeof *l->off);
    l->told = calloc(l->periods, sizeof *l->told);
    if (l->net == NULL || l->paid == NULL || l->recurring == NULL || l->off == NULL ||
        l->told == NULL) {
        invoice_ledger_free(l);
        return NULL;
    }
    return l;
}

void invoice_ledger_free(struct invoice_ledger *l)
{
    if (l != NULL) {
        free(l->net);
        free(l->paid);
        free(l->recurring);
        free(l->off);
        free(l->told);
        free(l->kept);
        free(l);
    }
}

/* ---- listening ---- */

static void take(void *context, const struct charge_note *note)
{
    struct invoice_ledger *l = context;
    const struct rating_frame *f = l->frame;
    enum charge_service service = l->plan->items[note->item].service;
    size_t month = bill_month(f, note->from_us);
    bool inside = note->from_us < f->horizon_us;
    money_t net = note->amount - note->discount; /* both are on a bill */
    if (service != SERVICE_NONE) {
        accumulate(invoice_ledger_net(l, service, month + !inside), net, &l->overflow);
    }
    accumulate(&l->off[month], note->discount, &l->overflow);
    if (inside) {
        accumulate(&l->told[month], net, &l->overflow);
    }
    if (l->next != NULL) {
        l->next->take(l->next->context, note);
    }
}

const struct charge_sink *invoice_ledger_begin(struct invoice_ledger *l,
                                               const struct charge_world *w)
{
    assert(w->frame->months + 1 == l->periods);
    l->frame = w->frame;
    l->next = w->sink;
    l->sink = (struct charge_sink){.take = take, .context = l};
    l->horizon = bill_month(w->frame, w->frame->horizon_us - 1);
    l->overflow = false;
    memset(l->net, 0, SERVICE_COUNT * l->periods * sizeof *l->net);
    memset(l->paid, 0, l->periods * sizeof *l->paid);
    memset(l->recurring, 0, l->periods * sizeof *l->recurring);
    memset(l->off, 0, l->periods * sizeof *l->off);
    memset(l->told, 0, l->periods * sizeof *l->told);
    return &l->sink;
}

/* ---- the same notes on several bills ---- */

/* The amounts of a ledger, one array after the other; to or from `kept`. */
static void copy_amounts(struct invoice_ledger *l, bool keep)
{
    money_t *const arrays[] = {l->net, l->paid, l->recurring, l->off, l->told};
    money_t *at = l->kept;
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        const size_t count = (i == 0 ? SERVICE_COUNT : 1) * l->periods;
        memcpy(keep ? at : arrays[i], keep ? arrays[i] : at, count * sizeof *at);
        at += count;
    }
}

bool invoice_ledger_hold(struct invoice_ledger *l)
{
    if (l->kept == NULL) {
        l->kept = calloc((SERVICE_COUNT + 4) * l->periods, sizeof *l->kept);
    }
    if (l->kept == NULL) {
        return false;
    }
    copy_amounts(l, true);
    l->kept_overflow = l->overflow;
    return true;
}

void invoice_ledger_again(struct invoice_ledger *l)
{
    assert(l->kept != NULL);
    copy_amounts(l, false);
    l->overflow = l->kept_overflow;
}

/* ---- nodes and commitments ---- */

static money_t by_month(const struct invoice_ledger *l, const struct bill *bills, size_t row,
                        size_t month)
{
    money_t sum = 0;
    for (size_t i = 0; i <= l->plan->workload_count; i++) {
        (void)money_add(&sum, bills[i].by_month[row * l->frame->months + month]);
    }
    return sum;
}

static void add_commitments(struct invoice_ledger *l, const struct charge_world *w)
{
    for (size_t p = 0; p <= l->horizon; p++) {
        int64_t from_us, to_us;
        invoice_ledger_span(l, p, &from_us, &to_us);
        from_us = p == 0 ? EVER : from_us; /* what was bought before counts with the first month */
        for (size_t k = 0; k < w->commitment_count; k++) {
            const struct commitment *c = &w->commitments[k];
            money_t paid = commitment_paid(c, from_us, to_us);
            bool upfront = c->start_us >= from_us && c->start_us < to_us;
            accumulate(&l->paid[p], paid, &l->overflow);
            accumulate(&l->recurring[p], paid - (upfront ? c->upfront : 0), &l->overflow);
        }
    }
}

/* Capacity blocks are paid as a whole when they are bought, inside the horizon. */
static void add_windows(struct invoice_ledger *l, const struct charge_world *w)
{
    for (size_t i = 0; i < w->window_count; i++) {
        const struct market_window *windows;
        size_t count = market_plan_windows(market_plan_of(w->market), w->windows[i], &windows);
        for (size_t k = 0; k < count; k++) {
            if (microseconds(windows[k].bought_s) >= w->signed_until_us) {
                continue;
            }
            size_t month = bill_month(l->frame, microseconds(windows[k].bought_s));
            accumulate(&l->paid[month], market_window_cost(w->market, w->windows[i], k),
                       &l->overflow);
        }
    }
}

void invoice_ledger_close(struct invoice_ledger *l, const struct charge_world *w,
                          const struct bill *bills)
{
    const size_t of = BILL_ROW_CATEGORY;
    add_commitments(l, w);
    add_windows(l, w);
    for (size_t m = 0; m < l->frame->months; m++) {
        /* What is taken off nodes is all that notes did not tell of discounts. */
        money_t nodes = by_month(l, bills, of + BILL_ON_DEMAND, m) +
                        by_month(l, bills, of + BILL_SPOT, m) +
                        by_month(l, bills, of + BILL_DISPLACED, m) +
                        by_month(l, bills, of + BILL_RESERVATIONS, m) +
                        by_month(l, bills, of + BILL_DISCOUNT, m) + l->off[m];
        if (m < l->horizon) {
            accumulate(invoice_ledger_net(l, SERVICE_EC2, m), nodes, &l->overflow);
            continue;
        }
        money_t inside = 0;
        if (m == l->horizon) {
            inside = by_month(l, bills, BILL_ROW_CASH, m) - l->told[m] - l->paid[m];
            accumulate(invoice_ledger_net(l, SERVICE_EC2, m), inside, &l->overflow);
        }
        accumulate(invoice_ledger_net(l, SERVICE_EC2, m + 1), nodes - inside, &l->overflow);
    }
}

/* ---- periods ---- */

void invoice_ledger_span(const struct invoice_ledger *l, size_t period, int64_t *from_us,
                         int64_t *to_us)
{
    const struct rating_frame *f = l->frame;
    size_t m = invoice_ledger_month(l, period);
    int64_t start_us = f->month_start_us[m], end_us;
    if (m + 1 < f->months) {
        end_us = f->month_start_us[m + 1];
    } else {
        int64_t next = civil_add_months(f->start_unix_s + start_us / MICROSECONDS, 1);
        end_us = (next - f->start_unix_s) * MICROSECONDS;
    }
    if (period <= l->horizon) {
        *from_us = start_us > 0 ? start_us : 0;
        *to_us = end_us < f->horizon_us ? end_us : f->horizon_us;
    } else {
        *from_us = start_us > f->horizon_us ? start_us : f->horizon_us;
        *to_us = end_us;
    }
}

money_t invoice_ledger_sum(const struct invoice_ledger *l, size_t period)
{
    money_t sum = 0;
    for (int s = 0; s < SERVICE_COUNT; s++) {
        (void)money_add(&sum, *invoice_ledger_net(l, (enum charge_service)s, period));
    }
    return sum;
}
