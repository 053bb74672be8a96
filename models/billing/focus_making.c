/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/focus_making.h"

#include "engine/civil_time.h"

bool focus_fail(struct focus_making *m, enum focus_end end)
{
    m->end = m->end == FOCUS_DONE ? end : m->end;
    return false;
}

void focus_add_money(struct focus_making *m, money_t *sum, money_t amount)
{
    if (!money_add(sum, amount)) {
        focus_fail(m, FOCUS_OVERFLOW);
    }
}

bool focus_put(struct focus_making *m, struct focus_row *row)
{
    const bool existing = row->commitment != SIZE_MAX && row->commitment >= m->w->plan->count;
    if (row->party != FOCUS_OTHERS) {
        row->plan_billed = row->party == FOCUS_EXISTING ? 0 : row->billed;
        row->plan_effective = existing ? 0 : row->effective;
    }
    row->inside = row->from_us < m->w->frame->horizon_us;
    if (++m->rows > FOCUS_ROWS_MAX) {
        return focus_fail(m, FOCUS_TOO_MANY);
    }
    if (row->usage != NULL &&
        market_pool_info(market_plan_of(m->w->market), row->usage->pool)->purchase ==
            PURCHASE_ON_DEMAND) {
        focus_add_money(m, &m->on_demand, row->list);
    }
    if (row->usage == NULL && row->reservation > 0) {
        focus_add_money(m, &m->idle, row->list);
    }
    if (row->commitment != SIZE_MAX) {
        bool purchase = row->kind == FOCUS_UPFRONT || row->kind == FOCUS_RECURRING;
        focus_add_money(m,
                        purchase ? &m->purchased[row->commitment] : &m->amortised[row->commitment],
                        purchase ? row->billed : row->effective);
    }
    focus_shares_add(&m->following, row);
    if (m->following.overflow) {
        return focus_fail(m, FOCUS_OVERFLOW);
    }
    return m->sink(m->context, row) || focus_fail(m, FOCUS_STOPPED);
}

/* ---- cuts ---- */

static int64_t earlier(int64_t a, int64_t b)
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
int64_t focus_next_cut_us(const struct focus_making *m, int64_t at_us)
{
    int64_t cut_us = next_month_us(m, at_us);
    return at_us < m->w->frame->horizon_us ? earlier(cut_us, m->w->frame->horizon_us) : cut_us;
}
