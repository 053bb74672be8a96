/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/reservation_charges.h"

#include "models/billing/clock_hours.h"

#include <stdlib.h>

struct reservation_charges {
    const struct reservation_plan *plan;
    struct coverage_change *running; /* of one pool */
    size_t count, capacity;
};

struct reservation_charges *reservation_charges_new(const struct reservation_plan *plan)
{
    struct reservation_charges *r = calloc(1, sizeof *r);
    if (r != NULL) {
        r->plan = plan;
    }
    return r;
}

void reservation_charges_free(struct reservation_charges *r)
{
    if (r != NULL) {
        free(r->running);
        free(r);
    }
}

/* ---- what runs in a pool ---- */

static bool add_running(struct reservation_charges *r, int64_t at_us, int64_t delta)
{
    if (r->count == r->capacity) {
        size_t capacity = r->capacity == 0 ? 64 : 2 * r->capacity;
        struct coverage_change *grown = realloc(r->running, capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        r->running = grown;
        r->capacity = capacity;
    }
    r->running[r->count++] = (struct coverage_change){.at_us = at_us, .delta = (int32_t)delta};
    return true;
}

static bool gather_running(struct reservation_charges *r, const struct usage_log *log, int pool)
{
    r->count = 0;
    for (size_t i = 0; i < log->count; i++) {
        const struct usage *u = &log->records[i];
        if (u->pool == pool && u->end_us > u->start_us &&
            (!add_running(r, u->start_us, usage_nodes(u)) ||
             !add_running(r, u->end_us, -usage_nodes(u)))) {
            return false;
        }
    }
    if (r->count > 0) {
        coverage_changes_sort(r->running, r->count);
    }
    return true;
}

/* ---- one reservation ---- */

/* What the sweep along one reservation needs. */
struct held_sweep {
    const struct rating_frame *frame;
    struct market *market;
    const struct covered_discount *discount; /* may be NULL */
    struct bill *bill;
    double *spend_units;
    struct reservation_use *use;
    struct hour_meter idle, inside, off;
    int pool;
    int64_t pieces;
    money_t discounted;
};

static money_t price_until(struct market *m, int pool, int64_t at_us, int64_t *until_us)
{
    double until_s = (double)at_us / (double)MICROSECONDS;
    money_t price;
    do {
        price = market_price(m, pool, until_s, &until_s);
        *until_us = microseconds(until_s);
    } while (*until_us <= at_us);
    return price;
}

static void charge_idle(struct held_sweep *s, money_t rate, money_t off, size_t month,
                        int64_t from_us, int64_t to_us)
{
    const struct rating_frame *f = s->frame;
    struct bill *b = s->bill;
    money_t amount = hour_meter_add(&s->idle, rate, from_us, to_us), taken = 0;
    accumulate(&s->use->idle, amount, &b->overflow);
    accumulate(&b->reserved_idle, amount, &b->overflow);
    bill_charge(b, f, BILL_RESERVATIONS, month, true, amount);
    if (off > 0) {
        taken = hour_meter_add(&s->off, off, from_us, to_us);
        accumulate(&s->discounted, taken, &b->overflow);
        accumulate(&b->other[s->discount->item], -taken, &b->overflow);
        bill_charge(b, f, bill_category_of_other(f, s->discount->item), month, true, -taken);
    }
    if (s->spend_units != NULL && f->buckets > 0) {
        bill_spread(f, s->spend_units, from_us, to_us, money_to_double(amount - taken));
    }
    s->pieces += 2 + (to_us - from_us) / HOUR_US;
}

/* [from, to) with so many instances inside and idle; it ends at the horizon at the latest. */
static void sweep_stretch(struct held_sweep *s, int64_t inside, int64_t idle, int64_t from_us,
                          int64_t to_us)
{
    const struct rating_frame *f = s->frame;
    s->use->inside_us += inside * (to_us - from_us);
    s->use->idle_us += idle * (to_us - from_us);
    while (from_us < to_us) {
        int64_t until_us;
        money_t price = price_until(s->market, s->pool, from_us, &until_us);
        size_t month = f->months > 0 ? bill_month(f, from_us) : 0;
        until_us = until_us < to_us ? until_us : to_us;
        if (month + 1 < f->months && f->month_start_us[month + 1] < until_us) {
            until_us = f->month_start_us[month + 1];
        }
        if (inside > 0) {
            money_t worth =
                hour_meter_add(&s->inside, money_times(price, inside), from_us, until_us);
            accumulate(&s->use->inside, worth, &s->bill->overflow);
        }
        if (idle > 0) {
            money_t off = s->discount == NULL ? 0
                                              : money_share(price, s->discount->of_pool[s->pool],
                                                            s->discount->whole);
            charge_idle(s, money_times(price, idle), money_times(off, idle), month, from_us,
                        until_us);
        }
        from_us = until_us;
    }
}

/* Instances that reservations before this one hold at an instant, and their next change. */
static int64_t held_before(const struct reservation_plan *plan, size_t item, int64_t at_us,
                           int64_t *next_us)
{
    int64_t sum = 0;
    for (size_t i = 0; i < item; i++) {
        const struct held_capacity *h = &plan->items[i];
        if (h->pool != plan->items[item].pool) {
            continue;
        }
        sum += h->from_us <= at_us && at_us < h->to_us ? h->count : 0;
        if (h->from_us > at_us && h->from_us < *next_us) {
            *next_us = h->from_us;
        } else if (h->to_us > at_us && h->to_us < *next_us) {
            *next_us = h->to_us;
        }
    }
    return sum;
}

static void sweep_item(const struct reservation_charges *r, size_t item, struct held_sweep *s)
{
    const struct held_capacity *h = &r->plan->items[item];
    int64_t running = 0;
    size_t i = 0;
    for (int64_t at_us = h->from_us, next_us; at_us < h->to_us; at_us = next_us) {
        for (; i < r->count && r->running[i].at_us <= at_us; i++) {
            running += r->running[i].delta;
        }
        next_us = h->to_us;
        int64_t left = running - held_before(r->plan, item, at_us, &next_us);
        int64_t inside = left < 0 ? 0 : left < h->count ? left : h->count;
        if (i < r->count && r->running[i].at_us < next_us) {
            next_us = r->running[i].at_us;
        }
        sweep_stretch(s, inside, h->count - inside, at_us, next_us);
    }
}

bool reservation_charges_rate(struct reservation_charges *r, const struct rating_frame *f,
                              struct market *m, const struct usage_log *log,
                              const struct covered_discount *discount, struct bill *bill,
                              double *spend_units, struct reservation_use *uses, int64_t *pieces,
                              money_t *discounted)
{
    *pieces = 0;
    *discounted = 0;
    for (size_t k = 0; k < r->plan->count; k++) {
        struct held_sweep s = {.frame = f,
                               .market = m,
                               .discount = discount,
                               .bill = bill,
                               .spend_units = spend_units,
                               .use = &uses[k],
                               .pool = r->plan->items[k].pool};
        uses[k] = (struct reservation_use){0};
        hour_meter_init(&s.idle, f->start_unix_s);
        hour_meter_init(&s.inside, f->start_unix_s);
        hour_meter_init(&s.off, f->start_unix_s);
        if (!gather_running(r, log, s.pool)) {
            return false;
        }
        sweep_item(r, k, &s);
        *pieces += s.pieces;
        accumulate(discounted, s.discounted, &bill->overflow);
    }
    return true;
}
