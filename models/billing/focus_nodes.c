/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/focus_nodes.h"

#include "models/billing/clock_hours.h"
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
    uint32_t twin;
    int slot; /* < 0: nothing covers it */
    bool is_free;
    int64_t share; /* of its price that a discount takes off; 0: none */
    struct hour_meter meter, off_meter;
};

/* A cut of the node's time, and what it costs before commitments. */
struct focus_cut {
    int64_t from_us, to_us;
    money_t per_hour, amount;
    size_t window;     /* as focus_row */
    money_t off;       /* what a discount takes off the amount */
    int64_t unused_us; /* charged beyond its end, with `unused` */
    money_t unused, unused_off;
};

static struct focus_row row_of(const struct focus_node *n, const struct focus_cut *c,
                               enum focus_kind kind)
{
    return (struct focus_row){.kind = kind,
                              .usage = n->usage,
                              .twin = n->twin,
                              .commitment = SIZE_MAX,
                              .item = SIZE_MAX,
                              .payer = n->usage->workload,
                              .window = c->window,
                              .from_us = c->from_us,
                              .to_us = c->to_us,
                              .per_hour = c->per_hour};
}

/* What is left of a cut after covered_us of it, worth `covered`, on which no discount of `off` is
 * given. */
static void put_rest(const struct focus_node *n, const struct focus_cut *c, int64_t covered_us,
                     money_t covered, money_t off)
{
    struct focus_row row = row_of(n, c, n->is_free ? FOCUS_FREE : FOCUS_USAGE);
    row.used_us = c->to_us - c->from_us - covered_us;
    row.priced_us = n->is_free ? 0 : row.used_us + c->unused_us;
    row.list = c->amount - covered + c->unused;
    row.off = c->off - off + c->unused_off;
    row.contracted = row.billed = row.effective = row.list - row.off;
    if (c->window > 0) { /* paid at its purchase */
        row.billed = 0;
        focus_windows_use(n->m, c->window, c->from_us, row.effective);
    }
    if (row.used_us > 0 || row.list > 0) {
        focus_put(n->m, &row);
    }
}

/* Shares of one cover in a cut; *left_us: what is still to be covered of the cut. */
static int64_t share_of_cover(struct focus_cover *cover, bool last, int64_t upto_us, int64_t ran_us,
                              int64_t left_us)
{
    int64_t us = left_us;
    if (!last) {
        int64_t due_us = money_share(cover->us, upto_us, ran_us) - cover->given_us;
        us = due_us < 0 ? 0 : least(due_us, left_us);
    }
    cover->given_us += us;
    return us;
}

static size_t last_cover_of(const struct focus_making *m, const struct focus_hour *h, int slot)
{
    const struct focus_cover *covers = m->hours.covers;
    size_t last = SIZE_MAX;
    for (size_t i = h->first_cover; i < h->first_cover + h->cover_count; i++) {
        last = covers[i].slot == (uint32_t)slot ? i : last;
    }
    return last;
}

/* Shares what the hours covered of the node's pool. */
static void put_shares(const struct focus_node *n, const struct focus_cut *c, size_t index)
{
    struct focus_making *m = n->m;
    struct focus_hour *h = &m->hours.hours[index];
    struct focus_cover *covers = m->hours.covers;
    const size_t state = index * m->hours.slots + (size_t)n->slot;
    const int64_t ran_us = m->hours.ran_us[state];
    const int64_t before_us = m->hours.seen_us[state], us = c->to_us - c->from_us;
    const int64_t upto_us = before_us + us;
    if (ran_us < upto_us) {
        focus_fail(m, FOCUS_WRONG);
        return;
    }
    m->hours.seen_us[state] = upto_us;
    int64_t all_us = 0;
    size_t last = last_cover_of(m, h, n->slot);
    for (size_t i = h->first_cover; last != SIZE_MAX && i <= last; i++) {
        all_us += covers[i].slot == (uint32_t)n->slot ? covers[i].us : 0;
    }
    int64_t left_us = money_share(all_us, upto_us, ran_us) - money_share(all_us, before_us, ran_us);
    int64_t covered_us = 0;
    money_t worth = 0, off = 0;
    m->shares += n->share > 0 ? 2 : 1;
    for (size_t i = h->first_cover; last != SIZE_MAX && i <= last; i++) {
        if (covers[i].slot != (uint32_t)n->slot) {
            continue;
        }
        int64_t part_us = share_of_cover(&covers[i], i == last, upto_us, ran_us, left_us);
        left_us -= part_us;
        covered_us += part_us;
        money_t upto = share_of_total(c->amount, covered_us, us);
        const struct commitment *signed_for = &matched_items(m->w->matched)[covers[i].commitment];
        struct focus_row row = row_of(n, c, FOCUS_COVERED);
        row.commitment = covers[i].commitment;
        row.used_us = row.priced_us = part_us;
        row.units_us = focus_reserved_us(
            signed_for, market_pool_info(market_plan_of(m->w->market), n->usage->pool)->type->name,
            part_us);
        row.list = row.contracted = upto - worth;
        row.effective = money_share(covers[i].money, upto_us, ran_us) -
                        money_share(covers[i].money, before_us, ran_us);
        worth = upto;
        off = share_of_total(c->off, covered_us, us);
        m->shares += (h->two_prices ? 2 + c->per_hour / HOUR_US : 1) * (n->share > 0 ? 2 : 1);
        if (row.used_us > 0 || row.effective > 0) {
            focus_put(m, &row);
        }
    }
    focus_add_money(m, &h->shared, worth);
    focus_add_money(m, &h->shared_back, off);
    put_rest(n, c, covered_us, worth, off);
}

static void put_cut(struct focus_node *n, struct focus_cut *c, size_t hours)
{
    if (n->slot < 0 || c->from_us == c->to_us) {
        put_rest(n, c, 0, 0, 0);
    } else {
        put_shares(n, c, hours);
    }
}

/* A priced piece of the node, cut. What its amount has beyond its time is the minimum of a launch,
 * which goes with the last cut. */
static void node_piece(void *context, const struct charge_piece *p)
{
    struct focus_node *n = context;
    struct focus_making *m = n->m;
    struct focus_cut c = {.from_us = p->from_us,
                          .per_hour = p->per_hour,
                          .window = focus_windows_at(&m->windows, n->usage->pool, p->from_us)};
    money_t left = p->amount;
    const money_t off_rate = money_share(p->per_hour, n->share, SHARE_WHOLE);
    int64_t used_us = n->usage->end_us - n->usage->start_us;
    do {
        size_t hours = 0;
        c.to_us = least(p->to_us, focus_next_cut_us(m, c.from_us));
        if (n->slot >= 0 && c.to_us > c.from_us) {
            hours = focus_hours_at(&m->hours, c.from_us);
            if (hours >= m->hours.hour_count) {
                focus_fail(m, FOCUS_WRONG);
                return;
            }
            c.to_us = least(c.to_us, m->hours.hours[hours].to_us);
        }
        if (c.to_us < c.from_us || (c.to_us == c.from_us && c.to_us < p->to_us)) {
            focus_fail(m, FOCUS_WRONG);
            return;
        }
        c.amount = n->is_free ? 0 : hour_meter_add(&n->meter, p->per_hour, c.from_us, c.to_us);
        c.off = n->share == 0 ? 0 : hour_meter_add(&n->off_meter, off_rate, c.from_us, c.to_us);
        left -= c.amount;
        if (c.to_us == p->to_us && left > 0) {
            int64_t last_us = p->to_us > p->from_us ? p->to_us - 1 : p->to_us;
            c.unused = left;
            c.unused_us = RATING_MINIMUM_US - used_us;
            c.unused_off = n->share == 0
                               ? 0
                               : hour_meter_extend(&n->off_meter, off_rate, last_us, c.unused_us);
        }
        focus_add_money(m, &m->on_demand_off, c.off + c.unused_off);
        put_cut(n, &c, hours);
        c.from_us = c.to_us;
    } while (c.from_us < p->to_us && m->end == FOCUS_DONE);
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
    for (size_t i = 0; i < w->log->count; i++) {
        const struct usage *u = &w->log->records[i];
        for (uint32_t twin = 0; twin <= u->twins && m->end == FOCUS_DONE; twin++) {
            struct focus_node n = {.m = m,
                                   .usage = u,
                                   .twin = twin,
                                   .slot = w->plan->count > 0 ? w->plan->slot_of_pool[u->pool] : -1,
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
    money_t excess = -m->on_demand, excess_back = -m->on_demand_off;
    money_t most = (money_t)h->cover_count;
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < h->hour_count; i++) {
        excess += h->hours[i].worth;
        excess_back += h->hours[i].back;
        most += h->hours[i].two_prices ? PRICES_AN_HOUR * (money_t)h->hours[i].cover_count : 0;
        last = h->hours[i].cover_count > 0 && !h->hours[i].tail ? i : last;
    }
    if (last != SIZE_MAX && excess > 0 && excess <= most) {
        h->hours[last].worth -= excess;
    }
    if (last != SIZE_MAX && excess_back > 0 && excess_back <= most) {
        h->hours[last].back -= excess_back;
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
