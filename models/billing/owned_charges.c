/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/owned_charges.h"

#include "models/billing/rating_core.h"

#include <math.h>

static money_t amount(struct bill *b, double units)
{
    money_t m = 0;
    if (!money_from_double(units, &m)) {
        b->overflow = true;
    }
    return m;
}

static int64_t within(int64_t us, int64_t low, int64_t high)
{
    return us < low ? low : us > high ? high : us;
}

/* ---- capital ---- */

/* Written off up to an instant. */
static money_t written_off(const struct owned_hardware *h, money_t capital, int64_t at_us)
{
    int64_t end_us = h->from_us + h->life_us;
    return money_share(capital, within(at_us, h->from_us, end_us) - h->from_us, h->life_us);
}

/* When the plan itself last uses it; never before the horizon. */
static int64_t end_of_use(const struct owned_hardware *h, const struct owned_world *w)
{
    int64_t end_us = w->frame->horizon_us;
    for (size_t i = 0; i < w->log->count; i++) {
        const struct usage *u = &w->log->records[i];
        end_us = u->pool == h->pool && u->end_us > end_us ? u->end_us : end_us;
    }
    return end_us;
}

static void add_capital(const struct owned_hardware *h, const struct owned_world *w, struct bill *b)
{
    const struct rating_frame *f = w->frame;
    const money_t each = amount(b, number_value(&h->spec->capital, w->drawn));
    const money_t capital = money_times(each, h->spec->nodes);
    if (money_overflowed(capital)) {
        b->overflow = true;
        return;
    }
    const money_t inside = written_off(h, capital, f->horizon_us);
    const money_t rest = capital - written_off(h, capital, end_of_use(h, w));
    const money_t reused = (money_t)llround((double)rest * h->spec->reuse.value);
    const money_t borne = capital - reused;
    accumulate(&b->owned[OWNED_CAPITAL], borne, &b->overflow);
    accumulate(&b->cost, borne, &b->overflow);
    accumulate(&b->obligation, capital, &b->overflow);
    accumulate(&b->cash, capital, &b->overflow);
    accumulate(&b->amortised, inside, &b->overflow);
    money_t before = 0;
    for (size_t i = 0; i < f->months; i++) {
        bool last = i + 1 == f->months;
        int64_t to_us = last ? f->horizon_us : f->month_start_us[i + 1];
        money_t upto = written_off(h, capital, to_us < f->horizon_us ? to_us : f->horizon_us);
        money_t share = upto - before;
        bill_note(b, f, BILL_ROW_AMORTISED, i, share);
        share += last ? borne - inside : 0; /* what outlives the horizon */
        accumulate(&b->month[i], share, &b->overflow);
        bill_note(b, f, BILL_ROW_CATEGORY + BILL_OWNED, i, share);
        before = upto;
    }
    if (f->months > 0) {
        bill_note(b, f, BILL_ROW_CASH, 0, capital);
    }
    if (w->spend_units != NULL && f->buckets > 0) {
        bill_spread(f, w->spend_units, 0, 0, money_to_double(capital));
    }
}

/* ---- by the month ---- */

/* Of every calendar month the share by time that it is there before the horizon. */
static void add_monthly(const struct owned_hardware *h, const struct owned_world *w, money_t each,
                        enum owned_line line, struct bill *b)
{
    const struct rating_frame *f = w->frame;
    for (size_t i = 0; i + 1 < f->months; i++) {
        const int64_t first_us = f->month_start_us[i], end_us = f->month_start_us[i + 1];
        int64_t from_us = within(h->from_us, first_us > 0 ? first_us : 0, end_us);
        int64_t to_us = within(f->horizon_us, first_us, end_us);
        if (from_us >= to_us) {
            continue;
        }
        money_t share = money_share(each, to_us - from_us, end_us - first_us);
        accumulate(&b->owned[line], share, &b->overflow);
        bill_charge(b, f, BILL_OWNED, i, true, share);
        if (w->spend_units != NULL && f->buckets > 0) {
            bill_spread(f, w->spend_units, from_us, to_us, money_to_double(share));
        }
    }
}

/* ---- power ---- */

static money_t power_price(void *context, int64_t at_us, int64_t *until_us)
{
    (void)at_us;
    *until_us = INT64_MAX;
    return *(const money_t *)context;
}

static void add_power(const struct owned_hardware *h, const struct owned_world *w,
                      struct bill *used, struct bill *b)
{
    const struct owned_spec *s = h->spec;
    money_t per_hour =
        amount(b, number_value(&s->power_kw, w->drawn) * number_value(&s->pue, w->drawn) *
                      number_value(&s->per_kwh, w->drawn));
    const struct rating_terms terms = {.purchase = PURCHASE_OWNED,
                                       .price = {.price_at = power_price, .context = &per_hour}};
    bill_clear(used, w->frame);
    for (size_t i = 0; per_hour > 0 && i < w->log->count; i++) {
        if (w->log->records[i].pool == h->pool) {
            rating_core_rate(w->frame, &terms, &w->log->records[i], used, w->spend_units, NULL);
        }
    }
    /* Node time and lines are the workloads' already. */
    for (int a = 0; a < ACTIVITY_COUNT; a++) {
        used->line[PURCHASE_OWNED][a] = used->node_us[PURCHASE_OWNED][a] = 0;
    }
    accumulate(&b->owned[OWNED_POWER], used->cost, &b->overflow);
    bill_add(b, used, w->frame);
}

void owned_charges_rate(const struct owned_hardware *h, const struct owned_world *w,
                        struct bill *used, struct bill *b)
{
    add_capital(h, w, b);
    add_power(h, w, used, b);
    add_monthly(h, w, amount(b, number_value(&h->spec->staff, w->drawn)), OWNED_STAFF, b);
    add_monthly(h, w, amount(b, number_value(&h->spec->colocation, w->drawn)), OWNED_COLOCATION, b);
}
