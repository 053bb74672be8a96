/* SPDX-License-Identifier: GPL-3.0-or-later
 * See marginal_price.h. */
#include "models/commitments/marginal_price.h"

#include <assert.h>
#include <stdlib.h>

struct marginal_price {
    const struct coverage *coverage;
    struct coverage_work *work;
    int64_t *us; /* by slot */
};

struct marginal_price *marginal_price_new(const struct coverage *c)
{
    struct marginal_price *m = calloc(1, sizeof *m);
    if (!m) {
        return NULL;
    }
    m->coverage = c;
    m->work = coverage_work_new(c);
    m->us = calloc(coverage_slots(c) + 1, sizeof *m->us);
    if (!m->work || !m->us) {
        marginal_price_free(m);
        return NULL;
    }
    return m;
}

void marginal_price_free(struct marginal_price *m)
{
    if (m) {
        coverage_work_free(m->work);
        free(m->us);
        free(m);
    }
}

/* On demand in the hour; MONEY_MAX on overflow. */
static money_t on_demand(struct marginal_price *m, int64_t at_us)
{
    const struct coverage_outcome *o =
        coverage_match(m->coverage, m->work, m->us, at_us, at_us + HOUR_US);
    money_t sum = o->overflow ? MONEY_MAX : 0;
    for (size_t i = 0; i < coverage_slots(m->coverage); i++) {
        money_add(&sum, o->on_demand[i]);
    }
    return sum;
}

money_t marginal_price(struct marginal_price *m, const int64_t *running, size_t slot, int64_t at_us)
{
    return marginal_price_of(m, running, slot, 1, at_us);
}

static void set_running(struct marginal_price *m, const int64_t *running)
{
    for (size_t i = 0; i < coverage_slots(m->coverage); i++) {
        m->us[i] = running[i] * HOUR_US;
    }
}

money_t marginal_price_of(struct marginal_price *m, const int64_t *running, size_t slot,
                          int64_t count, int64_t at_us)
{
    assert(slot < coverage_slots(m->coverage));
    set_running(m, running);
    money_t without = on_demand(m, at_us);
    m->us[slot] += count * HOUR_US;
    money_t with = on_demand(m, at_us);
    return money_overflowed(with) ? MONEY_MAX : with - without;
}

money_t marginal_price_between(struct marginal_price *m, const int64_t *without,
                               const int64_t *with, int64_t at_us)
{
    set_running(m, without);
    money_t before = on_demand(m, at_us);
    set_running(m, with);
    money_t after = on_demand(m, at_us);
    return money_overflowed(before) || money_overflowed(after) ? MONEY_MAX : after - before;
}
