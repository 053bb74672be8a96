/* SPDX-License-Identifier: GPL-3.0-or-later
 * Amounts are those of account_world: of a clock hour's usage in all, rounded once for what is used
 * and once for what is covered. An hour with the horizon inside is split by time, as the bill
 * splits what the plan displaces. */
#include "models/billing/focus_others.h"

#include "models/billing/focus_alone.h"

#include <math.h>

/* One kind of nodes in one of focus_hours, which is an outcome or its side of the horizon. */
struct focus_lot {
    struct focus_making *m;
    const struct focus_hour *hour;
    const struct focus_cover *covers, *beside; /* of the hour; of its other side, or NULL */
    uint32_t slot;
    size_t use; /* one of those that it is of */
    int pool;
    int64_t ran_us;                /* on both sides */
    int64_t from_us, to_us;        /* of both sides */
    int64_t hours, last_us;        /* in all; where the last of them begins */
    int64_t part_us, last_hour_us; /* of the last hour, on this side; its length */
};

/* What of the last hour is on this side; the other gets the rest. */
static int64_t on_this_side(const struct focus_lot *l, int64_t amount)
{
    if (l->beside == NULL) {
        return amount;
    }
    const int64_t inside_us = l->hour->tail ? l->last_hour_us - l->part_us : l->part_us;
    const int64_t inside = money_share(amount, inside_us, l->last_hour_us);
    return l->hour->tail ? amount - inside : inside;
}

/* Of hours that are equal but for the last. */
static int64_t summed(const struct focus_lot *l, int64_t of_each, int64_t of_last)
{
    return (l->hour->tail ? 0 : money_times(of_each, l->hours - 1)) + on_this_side(l, of_last);
}

/* What us of the lot's usage, on both sides, is worth an hour: in hours before the last, and in it.
 */
struct hour_worth {
    money_t each, last;
};

static struct hour_worth worth_of(const struct focus_lot *l, int64_t us, struct price_share part)
{
    const struct focus_world *w = l->m->w;
    const int64_t hour_us = us / l->hours; /* hours are equal: exact */
    struct hour_worth worth = {.last = us == 0 ? 0
                                               : matched_worth_between(w->matched, w->market,
                                                                       l->slot, hour_us, l->last_us,
                                                                       l->to_us, part)};
    worth.each = us == 0 || l->hours == 1
                     ? worth.last
                     : matched_worth_between(w->matched, w->market, l->slot, hour_us, l->from_us,
                                             l->from_us + HOUR_US, part);
    return worth;
}

static money_t worth_here(const struct focus_lot *l, int64_t us, struct price_share part)
{
    const struct hour_worth worth = worth_of(l, us, part);
    return summed(l, worth.each, worth.last);
}

/* The same share of time. */
static int64_t time_here(const struct focus_lot *l, int64_t us)
{
    return summed(l, us / l->hours, us / l->hours);
}

static struct focus_row row_of(const struct focus_lot *l)
{
    return (struct focus_row){.kind = FOCUS_USAGE,
                              .party = FOCUS_OTHERS,
                              .others = &l->m->w->plan->account->uses[l->use],
                              .commitment = SIZE_MAX,
                              .item = SIZE_MAX,
                              .payer = l->m->w->charges->workload_count,
                              .from_us = l->hour->from_us,
                              .to_us = l->hour->to_us};
}

/* The price in force, or where it changes the mean. */
static money_t price_here(const struct focus_lot *l, money_t list, int64_t us)
{
    int64_t until_us;
    money_t price = matched_price(l->m->w->market, l->pool, l->from_us, l->to_us, &until_us);
    return until_us == l->to_us || us == 0
               ? price
               : (money_t)llround((double)list * (double)HOUR_US / (double)us);
}

/* By how much others pay more on demand than without the plan for what this lot is of. */
static money_t displaced_here(const struct focus_lot *l, int64_t covered_us)
{
    const struct focus_alone *alone = &l->m->alone;
    const struct hour_worth with = worth_of(l, covered_us, focus_net_price(l->m->w, l->pool));
    money_t before = 0;
    for (int64_t at_us = l->from_us, to_us; at_us < l->last_us; at_us = to_us) {
        to_us = l->last_us;
        const money_t without = focus_alone_worth(alone, l->use, at_us, &to_us);
        before += money_times(without - with.each, (to_us - at_us) / HOUR_US);
    }
    int64_t to_us = l->to_us;
    const money_t without = focus_alone_worth(alone, l->use, l->last_us, &to_us);
    return (l->hour->tail ? 0 : before) + on_this_side(l, without) - on_this_side(l, with.last);
}

/* Rows of what is covered and of the rest. */
static void put_lot(const struct focus_lot *l)
{
    const struct price_share whole = {1, 1}, net = focus_net_price(l->m->w, l->pool);
    const size_t own = l->m->w->plan->count;
    int64_t covered_us = 0, used_us = 0;
    money_t worth = 0;
    for (size_t i = 0; i < l->hour->cover_count; i++) {
        if (l->covers[i].slot == l->slot) {
            covered_us += l->covers[i].us + (l->beside == NULL ? 0 : l->beside[i].us);
        }
    }
    money_t displaced = displaced_here(l, covered_us);
    covered_us = 0;
    for (size_t i = 0; i < l->hour->cover_count; i++) {
        if (l->covers[i].slot != l->slot) {
            continue;
        }
        struct focus_row row = row_of(l);
        covered_us += l->covers[i].us + (l->beside == NULL ? 0 : l->beside[i].us);
        const money_t upto = worth_here(l, covered_us, whole);
        const int64_t upto_us = time_here(l, covered_us);
        row.kind = FOCUS_COVERED;
        row.commitment = l->covers[i].commitment;
        row.used_us = row.priced_us = upto_us - used_us;
        row.list = row.contracted = upto - worth;
        row.per_hour = price_here(l, row.list, row.used_us);
        row.units_us = focus_reserved_us(
            &matched_items(l->m->w->matched)[row.commitment],
            market_pool_info(market_plan_of(l->m->w->market), l->pool)->type->name, row.used_us);
        row.effective = l->covers[i].money;
        row.plan_effective = row.commitment < own ? row.effective : 0;
        if (displaced < 0) { /* they pay less, since this is covered */
            row.plan_billed = displaced;
            row.plan_effective += displaced;
            displaced = 0;
        }
        used_us = upto_us;
        worth = upto;
        if (row.used_us > 0 || row.effective > 0 || row.plan_billed != 0) {
            focus_put(l->m, &row);
        }
    }
    struct focus_row row = row_of(l);
    row.used_us = row.priced_us = time_here(l, l->ran_us) - used_us;
    row.list = worth_here(l, l->ran_us, whole) - worth;
    row.billed = worth_here(l, l->ran_us, net) - worth_here(l, covered_us, net);
    row.contracted = row.effective = row.billed;
    row.off = 0; /* on no line of the plan's bill */
    row.per_hour = price_here(l, row.list, row.used_us);
    row.plan_billed = row.plan_effective = displaced;
    if (row.used_us > 0 || row.billed != 0 || displaced != 0) {
        focus_put(l->m, &row);
    }
}

/* The use of the account whose slot it is; of several equal ones the first. */
static size_t use_of_slot(const struct commitment_plan *plan, uint32_t slot)
{
    size_t use = 0;
    while (plan->slot_of_use[use] != slot) {
        use++;
    }
    return use;
}

static void put_hour(struct focus_making *m, size_t index)
{
    const struct commitment_plan *plan = m->w->plan;
    const struct focus_hours *h = &m->hours;
    const struct focus_hour *hour = &h->hours[index];
    /* The other side of the horizon. */
    const size_t beside = hour->tail                                              ? index - 1
                          : index + 1 < h->hour_count && h->hours[index + 1].tail ? index + 1
                                                                                  : SIZE_MAX;
    for (uint32_t slot = 0; slot < h->slots && m->end == FOCUS_DONE; slot++) {
        const size_t state = index * h->slots + slot;
        if (!plan->others[slot]) {
            continue;
        }
        h->seen_us[state] = h->ran_us[state];
        struct focus_lot l = {.m = m,
                              .hour = hour,
                              .covers = h->covers + hour->first_cover,
                              .slot = slot,
                              .use = use_of_slot(plan, slot),
                              .pool = plan->pool_of_slot[slot],
                              .ran_us = h->ran_us[state],
                              .from_us = hour->from_us,
                              .to_us = hour->to_us};
        if (beside != SIZE_MAX) {
            l.beside = h->covers + h->hours[beside].first_cover;
            l.ran_us += h->ran_us[beside * h->slots + slot];
            l.from_us = hour->tail ? h->hours[beside].from_us : l.from_us;
            l.to_us = hour->tail ? l.to_us : h->hours[beside].to_us;
        }
        l.hours = (l.to_us - l.from_us) % HOUR_US == 0 ? (l.to_us - l.from_us) / HOUR_US : 1;
        l.last_us = l.hours > 1 ? l.to_us - HOUR_US : l.from_us;
        l.last_hour_us = l.to_us - l.last_us;
        l.part_us = hour->to_us - (hour->from_us > l.last_us ? hour->from_us : l.last_us);
        if (l.ran_us > 0) {
            put_lot(&l);
        }
    }
}

void focus_put_others(struct focus_making *m)
{
    if (m->w->plan->account->use_count == 0) {
        return;
    }
    for (size_t i = 0; i < m->hours.hour_count && m->end == FOCUS_DONE; i++) {
        put_hour(m, i);
    }
}
