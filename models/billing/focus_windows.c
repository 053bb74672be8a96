/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/focus_windows.h"

#include "models/billing/focus_making.h"

#include <stdlib.h>

static size_t cells_of(const struct rating_frame *f)
{
    return 2 * f->months;
}

bool focus_windows_init(struct focus_windows *f, const struct focus_world *w)
{
    const struct market_plan *plan = market_plan_of(w->market);
    const struct market_window *windows;
    size_t count = 0;
    for (size_t i = 0; i < w->window_count; i++) {
        count += market_plan_windows(plan, w->windows[i], &windows);
    }
    *f = (struct focus_windows){.items = calloc(count + 1, sizeof *f->items),
                                .used = calloc(count * cells_of(w->frame) + 1, sizeof *f->used)};
    if (f->items == NULL || f->used == NULL) {
        return false;
    }
    for (size_t i = 0; i < w->window_count; i++) {
        size_t of_pool = market_plan_windows(plan, w->windows[i], &windows);
        for (size_t k = 0; k < of_pool; k++) {
            f->items[f->count++] = (struct focus_window){
                .pool = w->windows[i],
                .window = &windows[k],
                .total = microseconds(windows[k].bought_s) < w->signed_until_us
                             ? market_window_cost(w->market, w->windows[i], k)
                             : 0};
        }
    }
    return true;
}

void focus_windows_release(struct focus_windows *f)
{
    free(f->items);
    free(f->used);
}

size_t focus_windows_at(const struct focus_windows *f, int pool, int64_t at_us)
{
    size_t found = 0;
    for (size_t i = 0; i < f->count; i++) {
        const struct focus_window *w = &f->items[i];
        if (w->pool == pool && (found == 0 || microseconds(w->window->from_s) <= at_us)) {
            found = i + 1;
        }
    }
    return found;
}

static money_t *used_then(struct focus_making *m, size_t window, int64_t at_us)
{
    const struct rating_frame *f = m->w->frame;
    size_t cell = bill_month(f, at_us) + (at_us < f->horizon_us ? 0 : f->months);
    return &m->windows.used[(window - 1) * cells_of(f) + cell];
}

void focus_windows_use(struct focus_making *m, size_t window, int64_t at_us, money_t amount)
{
    focus_add_money(m, used_then(m, window, at_us), amount);
}

static struct focus_row row_of_window(const struct focus_making *m, size_t window,
                                      enum focus_kind kind)
{
    return (struct focus_row){.kind = kind,
                              .commitment = SIZE_MAX,
                              .item = SIZE_MAX,
                              .window = window,
                              .payer = m->w->charges->workload_count};
}

/* What is left of [from, to); the price of a node-hour being rounded, used time may come to some
 * nano-units more than its share of the whole. */
static void put_left(struct focus_making *m, size_t window, int64_t from_us, int64_t to_us,
                     money_t share)
{
    const struct market_window *w = m->windows.items[window - 1].window;
    const money_t left = share - *used_then(m, window, from_us);
    const double node_h = (double)w->nodes * (w->paid_until_s - w->from_s) / 3600;
    struct focus_row row = row_of_window(m, window, left < 0 ? FOCUS_ROUNDING : FOCUS_BLOCK_UNUSED);
    row.from_us = from_us;
    row.to_us = to_us;
    row.effective = left;
    row.list = row.contracted = left > 0 ? left : 0;
    if ((double)left < -(node_h + 1000)) {
        focus_fail(m, FOCUS_WRONG);
    } else if (left != 0) {
        focus_put(m, &row);
    }
}

static void put_window(struct focus_making *m, size_t window)
{
    const struct focus_window *item = &m->windows.items[window - 1];
    if (item->total == 0) {
        return; /* not bought */
    }
    const int64_t start_us = microseconds(item->window->from_s);
    const int64_t end_us = microseconds(item->window->paid_until_s);
    struct focus_row bought = row_of_window(m, window, FOCUS_BLOCK);
    bought.from_us = microseconds(item->window->bought_s);
    bought.to_us = bought.from_us + HOUR_US;
    bought.billed = bought.list = bought.contracted = item->total;
    focus_put(m, &bought);
    money_t given = 0;
    for (int64_t at_us = start_us; at_us < end_us && m->end == FOCUS_DONE;) {
        int64_t cut_us = focus_next_cut_us(m, at_us);
        int64_t stop_us = cut_us < end_us ? cut_us : end_us;
        money_t upto = money_share(item->total, stop_us - start_us, end_us - start_us);
        put_left(m, window, at_us, stop_us, upto - given);
        given = upto;
        at_us = stop_us;
    }
}

void focus_put_windows(struct focus_making *m)
{
    for (size_t i = 1; i <= m->windows.count && m->end == FOCUS_DONE; i++) {
        put_window(m, i);
    }
}
