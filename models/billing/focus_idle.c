/* SPDX-License-Identifier: GPL-3.0-or-later
 * The amounts are those of reservation_charges: one rate for all idle instances of a reservation.
 */
#include "models/billing/focus_idle.h"

#include "models/billing/clock_hours.h"
#include "models/billing/focus_cut.h"
#include "models/billing/held_walk.h"
#include "models/billing/other_charges.h"
#include "models/billing/reservation_charges.h"

/* One reservation. */
struct focus_idle {
    struct focus_making *m;
    size_t item;
    int slot;
    const char *type;
    int64_t share; /* of the price that a discount takes off */
    struct hour_meter meter, off_meter;
};

static void put_stretch(void *context, const struct held_stretch *h)
{
    struct focus_idle *f = context;
    struct focus_making *m = f->m;
    const money_t rate = money_times(h->per_hour, h->idle);
    const money_t off = money_times(money_share(h->per_hour, f->share, SHARE_WHOLE), h->idle);
    if (h->idle == 0) {
        return;
    }
    m->idle_pieces += reservation_pieces(h->from_us, h->to_us);
    for (int64_t at_us = h->from_us; at_us < h->to_us && m->end == FOCUS_DONE;) {
        size_t hours = 0;
        int64_t to_us = focus_next_cut_us(m, at_us);
        to_us = to_us < h->to_us ? to_us : h->to_us;
        if (f->slot >= 0 && !focus_hours_cut(&m->hours, at_us, &to_us, &hours)) {
            focus_fail(m, FOCUS_WRONG);
            return;
        }
        struct focus_cut c = {.row = {.kind = FOCUS_IDLE,
                                      .commitment = SIZE_MAX,
                                      .item = SIZE_MAX,
                                      .payer = m->w->charges->workload_count,
                                      .reservation = f->item + 1,
                                      .from_us = at_us,
                                      .to_us = to_us,
                                      .per_hour = h->per_hour},
                              .slot = f->slot,
                              .type = f->type,
                              .us = h->idle * (to_us - at_us),
                              .discounted = f->share > 0};
        c.amount = hour_meter_add(&f->meter, rate, at_us, to_us);
        c.off = f->share == 0 ? 0 : hour_meter_add(&f->off_meter, off, at_us, to_us);
        focus_add_money(m, &m->on_demand_off, c.off);
        focus_put_cut(m, &c, hours);
        at_us = to_us;
    }
}

void focus_put_idle(struct focus_making *m)
{
    const struct focus_world *w = m->w;
    const struct reservation_plan *plan = &w->plan->reservations;
    struct held_walk *walk = held_walk_new(plan);
    if (walk == NULL) {
        focus_fail(m, FOCUS_NO_MEMORY);
        return;
    }
    for (size_t i = 0; i < plan->count && m->end == FOCUS_DONE; i++) {
        const int pool = plan->items[i].pool;
        struct focus_idle f = {
            .m = m,
            .item = i,
            .slot = focus_matches(m) ? (int)reservation_plan_pool(plan, pool)->slots.idle : -1,
            .type = market_pool_info(market_plan_of(w->market), pool)->type->name,
            .share = w->discount == NULL ? 0 : w->discount->of_pool[pool]};
        hour_meter_init(&f.meter, w->frame->start_unix_s);
        hour_meter_init(&f.off_meter, w->frame->start_unix_s);
        if (!held_walk_item(walk, i, w->market, w->log, w->signed_until_us, put_stretch, &f)) {
            focus_fail(m, FOCUS_NO_MEMORY);
        }
    }
    held_walk_free(walk);
}
