/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/reservation_charges.h"

#include "models/billing/clock_hours.h"
#include "models/billing/held_walk.h"

#include <stdlib.h>

struct reservation_charges {
    const struct reservation_plan *plan;
    struct held_walk *walk;
};

struct reservation_charges *reservation_charges_new(const struct reservation_plan *plan)
{
    struct reservation_charges *r = calloc(1, sizeof *r);
    if (r != NULL) {
        r->plan = plan;
        r->walk = held_walk_new(plan);
    }
    if (r != NULL && r->walk == NULL) {
        reservation_charges_free(r);
        return NULL;
    }
    return r;
}

void reservation_charges_free(struct reservation_charges *r)
{
    if (r != NULL) {
        held_walk_free(r->walk);
        free(r);
    }
}

/* ---- one reservation ---- */

/* What the sweep along one reservation needs. */
struct held_sweep {
    const struct rating_frame *frame;
    const struct covered_discount *discount; /* may be NULL */
    struct bill *bill;
    double *spend_units;
    struct reservation_use *use;
    struct hour_meter idle, inside, off;
    int pool;
    int64_t pieces;
    money_t discounted;
};

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
    s->pieces += reservation_pieces(from_us, to_us);
}

static void sweep_stretch(void *context, const struct held_stretch *h)
{
    struct held_sweep *s = context;
    const struct rating_frame *f = s->frame;
    s->use->inside_us += h->inside * (h->to_us - h->from_us);
    s->use->idle_us += h->idle * (h->to_us - h->from_us);
    for (int64_t from_us = h->from_us, until_us; from_us < h->to_us; from_us = until_us) {
        size_t month = f->months > 0 ? bill_month(f, from_us) : 0;
        until_us = h->to_us;
        if (month + 1 < f->months && f->month_start_us[month + 1] < until_us) {
            until_us = f->month_start_us[month + 1];
        }
        if (h->inside > 0) {
            money_t worth =
                hour_meter_add(&s->inside, money_times(h->per_hour, h->inside), from_us, until_us);
            accumulate(&s->use->inside, worth, &s->bill->overflow);
        }
        if (h->idle > 0) {
            money_t off =
                s->discount == NULL
                    ? 0
                    : money_share(h->per_hour, s->discount->of_pool[s->pool], s->discount->whole);
            charge_idle(s, money_times(h->per_hour, h->idle), money_times(off, h->idle), month,
                        from_us, until_us);
        }
    }
}

bool reservation_charges_rate(struct reservation_charges *r, const struct rating_frame *f,
                              struct market *m, const struct usage_log *log, int64_t until_us,
                              const struct covered_discount *discount, struct bill *bill,
                              double *spend_units, struct reservation_use *uses, int64_t *pieces,
                              money_t *discounted)
{
    *pieces = 0;
    *discounted = 0;
    for (size_t k = 0; k < r->plan->count; k++) {
        struct held_sweep s = {.frame = f,
                               .discount = discount,
                               .bill = bill,
                               .spend_units = spend_units,
                               .use = &uses[k],
                               .pool = r->plan->items[k].pool};
        uses[k] = (struct reservation_use){0};
        hour_meter_init(&s.idle, f->start_unix_s);
        hour_meter_init(&s.inside, f->start_unix_s);
        hour_meter_init(&s.off, f->start_unix_s);
        if (!held_walk_item(r->walk, k, m, log, until_us, sweep_stretch, &s)) {
            return false;
        }
        *pieces += s.pieces;
        accumulate(discounted, s.discounted, &bill->overflow);
    }
    return true;
}
