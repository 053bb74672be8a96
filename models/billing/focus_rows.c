/* SPDX-License-Identifier: GPL-3.0-or-later
 * Two walks. The first, over time, is that of focus_hours. The second, over nodes, cuts each node's
 * priced pieces at months, the horizon and those hours, and gives every cut its share of what the
 * hours covered. */
#include "models/billing/focus_rows.h"

#include "engine/civil_time.h"
#include "models/billing/clock_hours.h"
#include "models/billing/focus_hours.h"
#include "models/billing/rating.h"

#include <stdlib.h>

struct focus_making {
    const struct focus_world *w;
    bool (*sink)(void *context, const struct focus_row *row);
    void *context;
    enum focus_end end;
    size_t rows;
    struct focus_hours hours;       /* of commitments */
    money_t on_demand;              /* of all nodes, before commitments */
    int64_t shares;                 /* amounts that were rounded on their way */
    money_t *purchased, *amortised; /* by commitment, in rows */
};

static bool fail(struct focus_making *m, enum focus_end end)
{
    m->end = m->end == FOCUS_DONE ? end : m->end;
    return false;
}

static void add_money(struct focus_making *m, money_t *sum, money_t amount)
{
    if (!money_add(sum, amount)) {
        fail(m, FOCUS_OVERFLOW);
    }
}

static bool put(struct focus_making *m, struct focus_row *row)
{
    row->inside = row->from_us < m->w->frame->horizon_us;
    if (++m->rows > FOCUS_ROWS_MAX) {
        return fail(m, FOCUS_TOO_MANY);
    }
    if (row->usage != NULL &&
        market_pool_info(market_plan_of(m->w->market), row->usage->pool)->purchase ==
            PURCHASE_ON_DEMAND) {
        add_money(m, &m->on_demand, row->list);
    }
    if (row->commitment != SIZE_MAX) {
        bool purchase = row->kind == FOCUS_UPFRONT || row->kind == FOCUS_RECURRING;
        add_money(m, purchase ? &m->purchased[row->commitment] : &m->amortised[row->commitment],
                  purchase ? row->billed : row->effective);
    }
    return m->sink(m->context, row) || fail(m, FOCUS_STOPPED);
}

/* ---- cuts ---- */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t unix_s_of(const struct focus_making *m, int64_t at_us)
{
    int64_t s = at_us / MICROSECONDS;
    return m->w->frame->start_unix_s + s - (at_us % MICROSECONDS < 0);
}

static int64_t next_month_us(const struct focus_making *m, int64_t at_us)
{
    int64_t next_s = civil_add_months(civil_month_start(unix_s_of(m, at_us)), 1);
    return (next_s - m->w->frame->start_unix_s) * MICROSECONDS;
}

/* The end of the month, or the horizon, whichever is next after at_us. */
static int64_t next_cut_us(const struct focus_making *m, int64_t at_us)
{
    int64_t cut_us = next_month_us(m, at_us);
    return at_us < m->w->frame->horizon_us ? least(cut_us, m->w->frame->horizon_us) : cut_us;
}

/* ---- hours ---- */

static bool keep_hours(struct focus_making *m)
{
    static const enum focus_end ends[] = {[FOCUS_HOURS_DONE] = FOCUS_DONE,
                                          [FOCUS_HOURS_NO_MEMORY] = FOCUS_NO_MEMORY,
                                          [FOCUS_HOURS_TOO_MANY] = FOCUS_TOO_MANY,
                                          [FOCUS_HOURS_OVERFLOW] = FOCUS_OVERFLOW};
    const struct focus_world *w = m->w;
    m->end = ends[focus_hours_init(&m->hours, w->plan, w->matched, w->frame, w->market, w->log)];
    return m->end == FOCUS_DONE;
}

/* ---- the walk over nodes ---- */

/* One node. */
struct focus_node {
    struct focus_making *m;
    const struct usage *usage;
    uint32_t twin;
    int slot; /* < 0: nothing covers it */
    bool is_free;
    struct hour_meter meter;
};

/* A cut of the node's time, and what it costs before commitments. */
struct focus_cut {
    int64_t from_us, to_us;
    money_t per_hour, amount;
    int64_t unused_us; /* charged beyond its end, with `unused` */
    money_t unused;
};

static struct focus_row row_of(const struct focus_node *n, const struct focus_cut *c,
                               enum focus_kind kind)
{
    return (struct focus_row){.kind = kind,
                              .usage = n->usage,
                              .twin = n->twin,
                              .commitment = SIZE_MAX,
                              .from_us = c->from_us,
                              .to_us = c->to_us,
                              .per_hour = c->per_hour};
}

/* What is left of a cut after covered_us of it, worth `covered`. */
static void put_rest(const struct focus_node *n, const struct focus_cut *c, int64_t covered_us,
                     money_t covered)
{
    struct focus_row row = row_of(n, c, n->is_free ? FOCUS_FREE : FOCUS_USAGE);
    row.used_us = c->to_us - c->from_us - covered_us;
    row.priced_us = n->is_free ? 0 : row.used_us + c->unused_us;
    row.list = c->amount - covered + c->unused;
    row.billed = row.effective = row.list;
    if (row.used_us > 0 || row.list > 0) {
        put(n->m, &row);
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
        fail(m, FOCUS_WRONG);
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
    money_t worth = 0;
    m->shares++;
    for (size_t i = h->first_cover; last != SIZE_MAX && i <= last; i++) {
        if (covers[i].slot != (uint32_t)n->slot) {
            continue;
        }
        int64_t part_us = share_of_cover(&covers[i], i == last, upto_us, ran_us, left_us);
        left_us -= part_us;
        covered_us += part_us;
        money_t upto = share_of_total(c->amount, covered_us, us);
        const struct commitment *signed_for = &m->w->plan->items[covers[i].commitment];
        struct focus_row row = row_of(n, c, FOCUS_COVERED);
        row.commitment = covers[i].commitment;
        row.used_us = row.priced_us = part_us;
        row.units_us = focus_reserved_us(
            signed_for, market_pool_info(market_plan_of(m->w->market), n->usage->pool)->type->name,
            part_us);
        row.list = upto - worth;
        row.effective = money_share(covers[i].money, upto_us, ran_us) -
                        money_share(covers[i].money, before_us, ran_us);
        worth = upto;
        m->shares += h->two_prices ? 2 + c->per_hour / HOUR_US : 1;
        if (row.used_us > 0 || row.effective > 0) {
            put(m, &row);
        }
    }
    add_money(m, &h->shared, worth);
    put_rest(n, c, covered_us, worth);
}

static void put_cut(struct focus_node *n, struct focus_cut *c, size_t hours)
{
    if (n->slot < 0 || c->from_us == c->to_us) {
        put_rest(n, c, 0, 0);
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
    struct focus_cut c = {.from_us = p->from_us, .per_hour = p->per_hour};
    money_t left = p->amount;
    int64_t used_us = n->usage->end_us - n->usage->start_us;
    do {
        size_t hours = 0;
        c.to_us = least(p->to_us, next_cut_us(m, c.from_us));
        if (n->slot >= 0 && c.to_us > c.from_us) {
            hours = focus_hours_at(&m->hours, c.from_us);
            if (hours >= m->hours.hour_count) {
                fail(m, FOCUS_WRONG);
                return;
            }
            c.to_us = least(c.to_us, m->hours.hours[hours].to_us);
        }
        if (c.to_us < c.from_us || (c.to_us == c.from_us && c.to_us < p->to_us)) {
            fail(m, FOCUS_WRONG);
            return;
        }
        c.amount = n->is_free ? 0 : hour_meter_add(&n->meter, p->per_hour, c.from_us, c.to_us);
        left -= c.amount;
        if (c.to_us == p->to_us && left > 0) {
            c.unused = left;
            c.unused_us = RATING_MINIMUM_US - used_us;
        }
        put_cut(n, &c, hours);
        c.from_us = c.to_us;
    } while (c.from_us < p->to_us && m->end == FOCUS_DONE);
    if (m->end == FOCUS_DONE && (left < 0 || (left > 0 && used_us >= RATING_MINIMUM_US))) {
        fail(m, FOCUS_WRONG);
    }
}

static void walk_nodes(struct focus_making *m)
{
    const struct focus_world *w = m->w;
    for (size_t i = 0; i < w->log->count; i++) {
        const struct usage *u = &w->log->records[i];
        for (uint32_t twin = 0; twin <= u->twins && m->end == FOCUS_DONE; twin++) {
            struct focus_node n = {.m = m,
                                   .usage = u,
                                   .twin = twin,
                                   .slot = w->plan->count > 0 ? w->plan->slot_of_pool[u->pool] : -1,
                                   .is_free = rating_is_free(w->market, u)};
            hour_meter_init(&n.meter, w->frame->start_unix_s);
            if (money_overflowed(
                    rating_pieces(w->market, u, w->frame->start_unix_s, node_piece, &n))) {
                fail(m, FOCUS_OVERFLOW);
            }
        }
    }
}

/* ---- commitments ---- */

static void put_purchases(struct focus_making *m, size_t k)
{
    const struct commitment *c = &m->w->plan->items[k];
    int64_t end_us = least(c->end_us, m->w->frame->horizon_us);
    struct focus_row row = {.commitment = k, .from_us = c->start_us};
    if (c->start_us < m->w->frame->horizon_us && c->upfront > 0) {
        row.kind = FOCUS_UPFRONT;
        row.to_us = c->start_us + HOUR_US;
        row.billed = row.list = c->upfront;
        row.units_us = c->count * (c->end_us - c->start_us);
        put(m, &row);
    }
    row.kind = FOCUS_RECURRING;
    while (row.from_us < end_us && c->recurring_per_hour > 0 && m->end == FOCUS_DONE) {
        row.to_us = least(end_us, next_cut_us(m, row.from_us));
        row.billed = commitment_paid(c, row.from_us, row.to_us) -
                     (row.from_us == c->start_us ? c->upfront : 0);
        row.list = row.billed;
        row.used_us = row.to_us - row.from_us;
        row.units_us = c->count * row.used_us;
        if (row.billed > 0) {
            put(m, &row);
        }
        row.from_us = row.to_us;
    }
}

/* In a stretch in which nothing at all is used. */
static void put_idle(struct focus_making *m, size_t k, int64_t from_us, int64_t to_us)
{
    const struct commitment *c = &m->w->plan->items[k];
    from_us = from_us > c->start_us ? from_us : c->start_us;
    to_us = least(least(to_us, c->end_us), m->w->frame->horizon_us);
    while (from_us < to_us && m->end == FOCUS_DONE) {
        int64_t until_us = least(to_us, next_cut_us(m, from_us));
        struct focus_row row = {.kind = FOCUS_UNUSED,
                                .commitment = k,
                                .from_us = from_us,
                                .to_us = until_us,
                                .units_us = c->count * (until_us - from_us),
                                .effective = commitment_amortised(c, from_us, until_us)};
        if (row.effective > 0) {
            put(m, &row);
        }
        from_us = until_us;
    }
}

static void put_commitment(struct focus_making *m, size_t k)
{
    const struct commitment *c = &m->w->plan->items[k];
    const struct focus_unused *unused = m->hours.unused;
    if (!commitment_is_reserved(c) && !commitment_is_savings_plan(c)) {
        fail(m, FOCUS_WRONG);
        return;
    }
    put_purchases(m, k);
    put_idle(m, k, INT64_MIN, 0);
    for (size_t i = 0; i < m->hours.unused_count && m->end == FOCUS_DONE; i++) {
        if (unused[i].commitment == k) {
            struct focus_row row = {.kind = FOCUS_UNUSED,
                                    .commitment = k,
                                    .from_us = unused[i].from_us,
                                    .to_us = unused[i].to_us,
                                    .units_us = unused[i].units_us,
                                    .effective = unused[i].money};
            put(m, &row);
        }
    }
    put_idle(m, k, m->hours.until_us, INT64_MAX);
}

/* ---- what rounding leaves ---- */

/* As rating does where pieces of what is covered came to more than all of its charge: it gives the
 * nano-units back at the last of them. */
static void give_back(struct focus_making *m)
{
    struct focus_hours *h = &m->hours;
    money_t excess = -m->on_demand, most = (money_t)h->cover_count;
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < h->hour_count; i++) {
        excess += h->hours[i].worth;
        most += h->hours[i].two_prices ? PRICES_AN_HOUR * (money_t)h->hours[i].cover_count : 0;
        last = h->hours[i].cover_count > 0 && !h->hours[i].tail ? i : last;
    }
    if (last != SIZE_MAX && excess > 0 && excess <= most) {
        h->hours[last].worth -= excess;
    }
}

/* One row a month and side of the horizon. */
static void put_rounding(struct focus_making *m)
{
    give_back(m);
    const struct focus_hour *hours = m->hours.hours;
    const size_t count = m->hours.hour_count;
    money_t all = 0;
    for (size_t i = 0; i < count && m->end == FOCUS_DONE;) {
        struct focus_row row = {
            .kind = FOCUS_ROUNDING, .commitment = SIZE_MAX, .from_us = hours[i].from_us};
        int64_t cut_us = next_cut_us(m, row.from_us);
        for (; i < count && hours[i].from_us < cut_us; i++) {
            row.to_us = hours[i].to_us;
            row.billed += hours[i].shared - hours[i].worth;
        }
        row.effective = row.billed;
        all += row.billed < 0 ? -row.billed : row.billed;
        if (row.billed != 0) {
            put(m, &row);
        }
    }
    if (all > m->shares) {
        fail(m, FOCUS_WRONG);
    }
}

static void check_seen(struct focus_making *m)
{
    const struct focus_hours *h = &m->hours;
    for (size_t i = 0; i < h->ran_count; i++) {
        if (h->ran_us[i] != h->seen_us[i]) {
            fail(m, FOCUS_WRONG);
        }
    }
}

/* ---- all of it ---- */

static void make(struct focus_making *m, struct focus_rest *rest)
{
    const struct commitment_plan *plan = m->w->plan;
    if (plan->count > 0 && !keep_hours(m)) {
        return;
    }
    walk_nodes(m);
    for (size_t k = 0; k < plan->count && m->end == FOCUS_DONE; k++) {
        put_commitment(m, k);
    }
    if (m->end == FOCUS_DONE) {
        check_seen(m);
        put_rounding(m);
    }
    for (size_t k = 0; k < plan->count && rest != NULL; k++) {
        money_t total = commitment_total(&plan->items[k]);
        rest[k] = (struct focus_rest){.billed = total - m->purchased[k],
                                      .effective = total - m->amortised[k]};
    }
}

enum focus_end focus_rows(const struct focus_world *w,
                          bool (*sink)(void *context, const struct focus_row *row), void *context,
                          struct focus_rest *rest)
{
    struct focus_making m = {.w = w, .sink = sink, .context = context, .end = FOCUS_DONE};
    m.purchased = calloc(w->plan->count + 1, sizeof *m.purchased);
    m.amortised = calloc(w->plan->count + 1, sizeof *m.amortised);
    if (m.purchased != NULL && m.amortised != NULL) {
        make(&m, rest);
    } else {
        fail(&m, FOCUS_NO_MEMORY);
    }
    free(m.purchased);
    free(m.amortised);
    focus_hours_release(&m.hours);
    return m.end;
}
