/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/market_windows.h"

#include <assert.h>
#include <math.h>

uint32_t market_windows_nodes(const struct market_window *w, size_t count, double t_s)
{
    for (size_t i = 0; i < count && w[i].from_s <= t_s; i++) {
        if (t_s < w[i].until_s) {
            return w[i].nodes;
        }
    }
    return 0;
}

/* The first begin or end of a window after t. */
static double next_edge_s(const struct market_window *w, size_t count, double t_s)
{
    double next_s = HUGE_VAL;
    for (size_t i = 0; i < count; i++) {
        if (w[i].from_s > t_s) {
            next_s = fmin(next_s, w[i].from_s);
        } else if (w[i].until_s > t_s) {
            next_s = fmin(next_s, w[i].until_s);
        }
    }
    return next_s;
}

static uint32_t at_most(uint32_t nodes, uint32_t cap)
{
    return nodes < cap ? nodes : cap;
}

double market_windows_next_change(const struct market_window *w, size_t count, double t_s,
                                  uint32_t cap)
{
    const uint32_t now = at_most(market_windows_nodes(w, count, t_s), cap);
    double next_s = next_edge_s(w, count, t_s);
    while (isfinite(next_s) && at_most(market_windows_nodes(w, count, next_s), cap) == now) {
        next_s = next_edge_s(w, count, next_s);
    }
    return next_s;
}

double market_windows_open_s(const struct market_window *w, size_t count, double t_s,
                             uint32_t nodes)
{
    for (size_t i = 0; i < count; i++) {
        if (w[i].nodes >= nodes && t_s < w[i].until_s) {
            return fmax(t_s, w[i].from_s);
        }
    }
    return HUGE_VAL;
}

double market_windows_fall_s(const struct market_window *w, size_t count, double t_s)
{
    for (size_t i = 0; i < count; i++) {
        bool goes_on =
            i + 1 < count && w[i + 1].from_s == w[i].until_s && w[i + 1].nodes >= w[i].nodes;
        if (w[i].until_s > t_s && !goes_on) {
            return w[i].until_s;
        }
    }
    return HUGE_VAL;
}

size_t market_windows_index(const struct market_window *w, size_t count, double t_s)
{
    size_t i = 0;
    while (i + 1 < count && w[i + 1].from_s <= t_s) {
        i++;
    }
    return i;
}

bool market_window_price(const struct market_window *w, const double *drawn, money_t *total,
                         money_t *per_hour)
{
    if (w->owned) {
        *total = *per_hour = 0;
        return true;
    }
    const int64_t us = microseconds(w->paid_until_s) - microseconds(w->from_s);
    int64_t node_us;
    assert(us > 0 && w->nodes > 0);
    if (__builtin_mul_overflow(us, (int64_t)w->nodes, &node_us)) {
        return false;
    }
    money_t stated = 0;
    if (w->price.given && !money_from_double(number_value(&w->price, drawn), &stated)) {
        return false;
    }
    if (w->price.given && w->whole) {
        *total = stated;
    } else {
        money_t each = money_for_time(w->price.given ? stated : w->listed->per_hour, us);
        *total = money_times(each, w->nodes);
    }
    if (money_overflowed(*total)) {
        return false;
    }
    *per_hour = money_share(*total, HOUR_US, node_us);
    return !money_overflowed(*per_hour);
}
