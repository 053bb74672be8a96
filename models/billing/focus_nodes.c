/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/focus_nodes.h"

#include "models/billing/clock_hours.h"
#include "models/billing/focus_cut.h"
#include "models/billing/other_charges.h"
#include "models/billing/rating.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- the walk over nodes ---- */

/* One node. */
struct focus_node {
    struct focus_making *m;
    const struct usage *usage;
    const char *type;
    size_t record;
    uint32_t twin;
    int slot;                     /* < 0: nothing covers it */
    const struct held_pool *held; /* capacity reserved of its pool; NULL: none */
    bool is_free;
    int64_t share; /* of its price that a discount takes off; 0: none */
    struct hour_meter meter, off_meter;
};

/* The rest of a piece from at_us on, up to where something about it changes. *hours: as
 * focus_put_cut. False when that cannot be. */
static bool next_cut(const struct focus_node *n, const struct charge_piece *p, int64_t at_us,
                     struct focus_cut *c, size_t *hours)
{
    struct focus_making *m = n->m;
    int64_t to_us = least(p->to_us, focus_next_cut_us(m, at_us)), held_us = INT64_MAX;
    *c = (struct focus_cut){.row = {.kind = n->is_free ? FOCUS_FREE : FOCUS_USAGE,
                                    .usage = n->usage,
                                    .twin = n->twin,
                                    .commitment = SIZE_MAX,
                                    .item = SIZE_MAX,
                                    .payer = n->usage->workload,
                                    .from_us = at_us,
                                    .per_hour = p->per_hour},
                            .slot = n->slot,
                            .type = n->type,
                            .discounted = n->share > 0};
    c->row.window = focus_windows_at(&m->windows, n->usage->pool, p->from_us);
    if (n->held != NULL) {
        c->row.reservation = focus_held_at(&m->held, n->record, n->twin, at_us, &held_us);
        to_us = least(to_us, held_us);
    }
    if (n->held != NULL && n->slot >= 0 && c->row.reservation > 0) {
        c->slot = (int)n->held->slots.inside;
    }
    if (c->slot >= 0 && to_us > at_us && !focus_hours_cut(&m->hours, at_us, &to_us, hours)) {
        return false;
    }
    c->row.to_us = to_us;
    c->us = to_us - at_us;
    return to_us > at_us || (to_us == at_us && to_us == p->to_us);
}

/* A priced piece of the node, cut. What its amount has beyond its time is the minimum of a launch,
 * which goes with the last cut. */
static void node_piece(void *context, const struct charge_piece *p)
{
    struct focus_node *n = context;
    struct focus_making *m = n->m;
    money_t left = p->amount;
    const money_t off_rate = money_share(p->per_hour, n->share, SHARE_WHOLE);
    int64_t used_us = n->usage->end_us - n->usage->start_us, at_us = p->from_us;
    do {
        struct focus_cut c;
        size_t hours = 0;
        if (!next_cut(n, p, at_us, &c, &hours)) {
            focus_fail(m, FOCUS_WRONG);
            return;
        }
        const int64_t to_us = c.row.to_us;
        c.amount = n->is_free ? 0 : hour_meter_add(&n->meter, p->per_hour, at_us, to_us);
        c.off = n->share == 0 ? 0 : hour_meter_add(&n->off_meter, off_rate, at_us, to_us);
        left -= c.amount;
        if (to_us == p->to_us && left > 0) {
            int64_t last_us = p->to_us > p->from_us ? p->to_us - 1 : p->to_us;
            c.unused = left;
            c.unused_us = RATING_MINIMUM_US - used_us;
            c.unused_off = n->share == 0
                               ? 0
                               : hour_meter_extend(&n->off_meter, off_rate, last_us, c.unused_us);
        }
        focus_add_money(m, &m->on_demand_off, c.off + c.unused_off);
        focus_put_cut(m, &c, hours);
        at_us = to_us;
    } while (at_us < p->to_us && m->end == FOCUS_DONE);
    if (m->end == FOCUS_DONE && (left < 0 || (left > 0 && used_us >= RATING_MINIMUM_US))) {
        focus_fail(m, FOCUS_WRONG);
    }
}

static int64_t discount_on(const struct focus_world *w, const struct usage *u)
{
    return w->discount == NULL ? 0 : w->discount->of_pool[u->pool];
}

void focus_put_nodes(struct focus_making *m)
{
    const struct focus_world *w = m->w;
    const struct market_plan *plan = market_plan_of(w->market);
    for (size_t i = 0; i < w->log->count; i++) {
        const struct usage *u = &w->log->records[i];
        for (uint32_t twin = 0; twin <= u->twins && m->end == FOCUS_DONE; twin++) {
            struct focus_node n = {.m = m,
                                   .usage = u,
                                   .type = market_pool_info(plan, u->pool)->type->name,
                                   .record = i,
                                   .twin = twin,
                                   .slot = focus_matches(m) ? w->plan->slot_of_pool[u->pool] : -1,
                                   .held = reservation_plan_pool(&w->plan->reservations, u->pool),
                                   .is_free = rating_is_free(w->market, u),
                                   .share = discount_on(w, u)};
            hour_meter_init(&n.meter, w->frame->start_unix_s);
            hour_meter_init(&n.off_meter, w->frame->start_unix_s);
            if (money_overflowed(
                    rating_pieces(w->market, u, w->frame->start_unix_s, node_piece, &n))) {
                focus_fail(m, FOCUS_OVERFLOW);
            }
        }
    }
}

/* ---- what rounding leaves ---- */

/* As rating does where pieces of what is covered came to more than all of its charge: it gives the
 * nano-units back at the last of them. */
static void give_back(struct focus_making *m)
{
    struct focus_hours *h = &m->hours;
    const money_t excess[] = {h->worth - m->on_demand, h->idle_worth - m->idle};
    const money_t excess_back = h->back - m->on_demand_off;
    const money_t most = h->pieces + m->idle_pieces;
    for (size_t i = 0; i < 2 && h->last != SIZE_MAX; i++) {
        h->hours[h->last].worth -= excess[i] > 0 && excess[i] <= most ? excess[i] : 0;
    }
    if (h->last != SIZE_MAX && excess_back > 0 && excess_back <= most) {
        h->hours[h->last].back -= excess_back;
    }
}

/* One row a month and side of the horizon. */
void focus_put_rounding(struct focus_making *m)
{
    give_back(m);
    const struct focus_hour *hours = m->hours.hours;
    const size_t count = m->hours.hour_count;
    money_t all = 0;
    for (size_t i = 0; i < count && m->end == FOCUS_DONE;) {
        struct focus_row row = {.kind = FOCUS_ROUNDING,
                                .commitment = SIZE_MAX,
                                .item = SIZE_MAX,
                                .payer = m->w->charges->workload_count,
                                .from_us = hours[i].from_us};
        int64_t cut_us = focus_next_cut_us(m, row.from_us);
        for (; i < count && hours[i].from_us < cut_us; i++) {
            row.to_us = hours[i].to_us;
            row.list += hours[i].shared - hours[i].worth;
            row.off += hours[i].shared_back - hours[i].back;
        }
        row.contracted = row.billed = row.effective = row.list - row.off;
        all += (row.list < 0 ? -row.list : row.list) + (row.off < 0 ? -row.off : row.off);
        if (row.list != 0 || row.off != 0) {
            focus_put(m, &row);
        }
    }
    if (all > m->shares) {
        focus_fail(m, FOCUS_WRONG);
    }
}

void focus_check_nodes(struct focus_making *m)
{
    const struct focus_hours *h = &m->hours;
    for (size_t i = 0; i < h->ran_count; i++) {
        if (h->ran_us[i] != h->seen_us[i]) {
            focus_fail(m, FOCUS_WRONG);
        }
    }
}
