/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pools of what a buyer holds by itself: no part of the market's luck, and not shared with others.
 * Declared in market.h. */
#include "models/market/market_plan.h"

#include <assert.h>

int market_plan_owned_by(const struct market_plan *p, const void *owner)
{
    for (size_t i = 0; i < p->pool_count; i++) {
        if (p->pools[i]->windows != NULL && p->pools[i]->owner == owner) {
            return (int)i;
        }
    }
    return -1;
}

/* The steps of the median price; where windows ask the same there is none. */
static bool plan_window_prices(struct market_plan *p, struct pool_plan *pool, struct place where)
{
    struct price_step *steps = arena_array(p->context.arena, pool->window_count, sizeof *steps);
    size_t count = 0;
    for (size_t i = 0; steps != NULL && i < pool->window_count; i++) {
        const struct market_window *w = &pool->windows[i];
        money_t total, per_hour;
        if (!market_window_price(w, NULL, &total, &per_hour)) {
            diagnostics_add(p->context.diagnostics, DIAGNOSTIC_ERROR, where,
                            "the price of %s is beyond what money can hold", w->name);
            return false;
        }
        if (count == 0 || steps[count - 1].per_hour != per_hour) {
            steps[count] = (struct price_step){count == 0 ? 0.0 : w->from_s, per_hour};
            count++;
        }
    }
    pool->price = (struct pool_price){steps, count};
    if (steps == NULL) {
        diagnostics_add(p->context.diagnostics, DIAGNOSTIC_FAILURE, where, "out of memory");
    }
    return steps != NULL;
}

int market_plan_own_pool(struct market_plan *p, const char *zone, const char *type,
                         enum purchase purchase, const void *owner,
                         const struct market_window *windows, size_t count, struct place where)
{
    static const struct number none = {.input = -1, .word = -1};
    int index = market_plan_owned_by(p, owner);
    if (index >= 0) {
        return index;
    }
    const struct instance_type *instance = market_plan_place(p, &zone, type, where);
    struct pool_plan *pool =
        instance == NULL ? NULL : market_plan_new_pool(p, zone, instance, purchase, where);
    if (pool == NULL) {
        return -1;
    }
    pool->kind = CAPACITY_WINDOWS;
    pool->windows = windows;
    pool->window_count = count;
    pool->owner = owner;
    pool->stated = &none;
    for (size_t i = 0; i < count; i++) {
        pool->nodes = windows[i].nodes > pool->nodes ? windows[i].nodes : pool->nodes;
    }
    if (!plan_window_prices(p, pool, where)) {
        return -1;
    }
    p->pools[p->pool_count] = pool;
    return (int)p->pool_count++;
}

size_t market_plan_windows(const struct market_plan *p, int pool,
                           const struct market_window **windows)
{
    assert(pool >= 0 && (size_t)pool < p->pool_count);
    const struct pool_plan *plan = p->pools[pool];
    *windows = plan->windows;
    return plan->window_count;
}
