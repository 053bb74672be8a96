/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/focus_cut.h"

#include "models/billing/clock_hours.h"

/* What is left of a cut after covered_us of it, worth `covered`, on which no discount of `off` is
 * given. */
static void put_rest(struct focus_making *m, const struct focus_cut *c, int64_t covered_us,
                     money_t covered, money_t off)
{
    struct focus_row row = c->row;
    row.used_us = c->us - covered_us;
    row.priced_us = row.kind == FOCUS_FREE ? 0 : row.used_us + c->unused_us;
    row.list = c->amount - covered + c->unused;
    row.off = c->off - off + c->unused_off;
    row.contracted = row.billed = row.effective = row.list - row.off;
    if (row.window > 0) { /* paid at its purchase */
        row.billed = 0;
        focus_windows_use(m, row.window, row.from_us, row.effective);
    }
    if (row.used_us > 0 || row.list > 0) {
        focus_put(m, &row);
    }
}

/* Shares of one cover in a cut; left_us: what is still to be covered of the cut. */
static int64_t share_of_cover(struct focus_cover *cover, bool last, int64_t upto_us, int64_t ran_us,
                              int64_t left_us)
{
    int64_t us = left_us;
    if (!last) {
        int64_t due_us = money_share(cover->us, upto_us, ran_us) - cover->given_us;
        us = due_us < 0 ? 0 : due_us < left_us ? due_us : left_us;
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

/* Shares what the hours covered of the slot. */
static void put_shares(struct focus_making *m, const struct focus_cut *c, size_t index)
{
    struct focus_hour *h = &m->hours.hours[index];
    struct focus_cover *covers = m->hours.covers;
    const size_t state = index * m->hours.slots + (size_t)c->slot;
    const int64_t ran_us = m->hours.ran_us[state];
    const int64_t before_us = m->hours.seen_us[state], upto_us = before_us + c->us;
    if (ran_us < upto_us) {
        focus_fail(m, FOCUS_WRONG);
        return;
    }
    m->hours.seen_us[state] = upto_us;
    int64_t all_us = 0;
    size_t last = last_cover_of(m, h, c->slot);
    for (size_t i = h->first_cover; last != SIZE_MAX && i <= last; i++) {
        all_us += covers[i].slot == (uint32_t)c->slot ? covers[i].us : 0;
    }
    int64_t left_us = money_share(all_us, upto_us, ran_us) - money_share(all_us, before_us, ran_us);
    int64_t covered_us = 0;
    money_t worth = 0, off = 0;
    m->shares += c->discounted ? 2 : 1;
    for (size_t i = h->first_cover; last != SIZE_MAX && i <= last; i++) {
        if (covers[i].slot != (uint32_t)c->slot) {
            continue;
        }
        int64_t part_us = share_of_cover(&covers[i], i == last, upto_us, ran_us, left_us);
        left_us -= part_us;
        covered_us += part_us;
        money_t upto = share_of_total(c->amount, covered_us, c->us);
        const struct commitment *signed_for = &matched_items(m->w->matched)[covers[i].commitment];
        struct focus_row row = c->row;
        row.kind = FOCUS_COVERED;
        row.commitment = covers[i].commitment;
        row.used_us = row.priced_us = part_us;
        row.units_us = focus_reserved_us(signed_for, c->type, part_us);
        row.list = row.contracted = upto - worth;
        row.effective = money_share(covers[i].money, upto_us, ran_us) -
                        money_share(covers[i].money, before_us, ran_us);
        worth = upto;
        off = share_of_total(c->off, covered_us, c->us);
        m->shares += (h->two_prices ? 2 + c->row.per_hour / HOUR_US : 1) * (c->discounted ? 2 : 1);
        if (row.used_us > 0 || row.effective > 0) {
            focus_put(m, &row);
        }
    }
    focus_add_money(m, &h->shared, worth);
    focus_add_money(m, &h->shared_back, off);
    put_rest(m, c, covered_us, worth, off);
}

void focus_put_cut(struct focus_making *m, const struct focus_cut *c, size_t hours)
{
    if (c->slot < 0 || c->us == 0) {
        put_rest(m, c, 0, 0, 0);
    } else {
        put_shares(m, c, hours);
    }
}
