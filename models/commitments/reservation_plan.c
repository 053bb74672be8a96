/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/commitments/reservation_plan.h"

#include "engine/civil_time.h"

#include <stdlib.h>
#include <string.h>

static bool refuse(const struct commitment_spec *s, const struct market_context *c,
                   const char *format, ...) __attribute__((format(printf, 3, 4)));

static bool refuse(const struct commitment_spec *s, const struct market_context *c,
                   const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diagnostics_addv(c->diagnostics, DIAGNOSTIC_ERROR, s->item.place, format, args);
    va_end(args);
    return false;
}

static bool is_reservation(const struct commitment_spec *s)
{
    return s->kind == CHOICE_CAPACITY_RESERVATION;
}

/* ---- keys ---- */

static bool is_span(const struct quantity *q)
{
    return q->months > 0 || q->value > 0;
}

static bool check_keys(const struct commitment_spec *s, const struct market_context *c)
{
    const struct {
        const char *name;
        bool given;
    } others[] = {
        {"class", s->class_place.file != NULL},
        {"family", s->family != NULL},
        {"hourly", s->hourly.value > 0},
        {"rate", s->rate >= 0},
        {"rates", s->rates.count > 0},
        {"term", s->term >= 0},
        {"payment", s->payment_place.file != NULL},
        {"every", is_span(&s->every)},
        {"times", s->times > 1},
        {"reuse", s->reuse.value > 0},
    };
    bool ok = true;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (others[i].given) {
            ok = refuse(s, c,
                        "'%s' does not belong to a capacity reservation, which has neither a term "
                        "nor a price of its own; expected 'instance', 'count', 'zone', 'at' and "
                        "'for' or 'until'",
                        others[i].name);
        }
    }
    if (s->instance == NULL || s->count == 0) {
        ok = refuse(s, c, "'%s' is missing from this kind of commitment",
                    s->instance == NULL ? "instance" : "count");
    }
    if (is_span(&s->lasts) && s->until.given) {
        ok = refuse(s, c, "both 'for' and 'until'; expected one of them, or none: to the horizon");
    }
    return ok;
}

/* ---- times ---- */

static int64_t at_unix_us(const struct quantity *q, int months, double seconds,
                          const struct market_context *c)
{
    int64_t day = civil_add_months(c->start_unix_s, months + q->months);
    return (day - c->start_unix_s) * MICROSECONDS + microseconds(seconds + q->value);
}

static void find_times(const struct commitment_spec *s, const struct market_context *c,
                       int64_t *from_us, int64_t *to_us)
{
    const int64_t horizon_us = microseconds(c->horizon_s);
    *from_us = at_unix_us(&s->at, 0, 0, c);
    *to_us = is_span(&s->lasts) ? at_unix_us(&s->lasts, s->at.months, s->at.value, c)
             : s->until.given   ? (s->until.unix_s - c->start_unix_s) * MICROSECONDS
                                : horizon_us;
}

static bool check_times(const struct commitment_spec *s, const struct market_context *c,
                        int64_t from_us, int64_t to_us)
{
    if (from_us >= microseconds(c->horizon_s)) {
        return refuse(s, c,
                      "the reservation begins at or after the horizon; lengthen 'horizon', or let "
                      "it begin earlier");
    }
    return to_us > from_us || refuse(s, c, "'until' is not after the reservation begins");
}

/* ---- what is held ---- */

static bool make_held(struct held_capacity *h, const struct commitment_spec *s,
                      struct market_plan *market, const struct market_context *c)
{
    if (!check_keys(s, c)) {
        return false;
    }
    *h = (struct held_capacity){.spec = s, .count = (uint32_t)s->count};
    find_times(s, c, &h->from_us, &h->to_us);
    h->pool = market_plan_pool(market, s->zone, s->instance, PURCHASE_ON_DEMAND, s->item.place);
    if (h->pool < 0 || !check_times(s, c, h->from_us, h->to_us)) {
        return false;
    }
    const int64_t horizon_us = microseconds(c->horizon_s);
    h->to_us = h->to_us < horizon_us ? h->to_us : horizon_us;
    h->name = arena_format(c->arena, "%u x %s reserved in %s", h->count, s->instance,
                           market_pool_info(market, h->pool)->zone);
    return h->name != NULL;
}

/* Changes of all items of a pool, in the order of time. */
static bool make_pool(struct held_pool *out, const struct reservation_plan *p, int pool,
                      const struct market_context *c)
{
    struct coverage_change *changes = arena_array(c->arena, 2 * p->count, sizeof *changes);
    size_t n = 0;
    for (size_t i = 0; changes != NULL && i < p->count; i++) {
        const struct held_capacity *h = &p->items[i];
        if (h->pool == pool) {
            changes[n++] =
                (struct coverage_change){.at_us = h->from_us, .delta = (int32_t)h->count};
            changes[n++] = (struct coverage_change){.at_us = h->to_us, .delta = -(int32_t)h->count};
        }
    }
    if (changes != NULL) {
        coverage_changes_sort(changes, n);
    }
    *out = (struct held_pool){.pool = pool, .changes = changes, .change_count = n};
    return changes != NULL;
}

bool reservation_plan_make(struct reservation_plan *p, const struct commitment_spec *specs,
                           size_t count, struct market_plan *market,
                           const struct market_context *context)
{
    bool ok = true;
    *p = (struct reservation_plan){0};
    for (size_t i = 0; i < count; i++) {
        p->count += is_reservation(&specs[i]);
    }
    if (p->count == 0) {
        return true;
    }
    p->items = arena_array(context->arena, p->count, sizeof *p->items);
    p->pools = arena_array(context->arena, p->count, sizeof *p->pools);
    if (p->items == NULL || p->pools == NULL) {
        return false;
    }
    for (size_t i = 0, k = 0; i < count; i++) {
        if (is_reservation(&specs[i])) {
            ok = make_held(&p->items[k++], &specs[i], market, context) && ok;
        }
    }
    for (size_t i = 0; ok && i < p->count; i++) {
        if (reservation_plan_pool(p, p->items[i].pool) == NULL) {
            ok = make_pool(&p->pools[p->pool_count++], p, p->items[i].pool, context);
        }
    }
    assumptions_add(context->assumptions, false, "default", "capacity reservations",
                    "granted when they are asked for, and given up at the horizon");
    return ok;
}

const struct held_pool *reservation_plan_pool(const struct reservation_plan *p, int pool)
{
    for (size_t i = 0; i < p->pool_count; i++) {
        if (p->pools[i].pool == pool) {
            return &p->pools[i];
        }
    }
    return NULL;
}

int64_t held_pool_count(const struct held_pool *p, int64_t at_us)
{
    int64_t sum = 0;
    for (size_t i = 0; i < p->change_count && p->changes[i].at_us <= at_us; i++) {
        sum += p->changes[i].delta;
    }
    return sum;
}

int64_t held_pool_next_us(const struct held_pool *p, int64_t at_us)
{
    size_t i = 0;
    while (i < p->change_count && p->changes[i].at_us <= at_us) {
        i++;
    }
    return i < p->change_count ? p->changes[i].at_us : INT64_MAX;
}

/* Before the plan is made, and so of what may still turn out to be wrong. */
uint32_t reservation_most(const struct schema_list *specs, const char *type, const char *zone,
                          const struct market_context *context)
{
    const struct commitment_spec *s = specs->items;
    int64_t most = 0;
    for (size_t i = 0; i < specs->count; i++) {
        int64_t at_us, to_us, sum = 0;
        find_times(&s[i], context, &at_us, &to_us);
        for (size_t k = 0; is_reservation(&s[i]) && k < specs->count; k++) {
            int64_t from_us;
            const char *where = s[k].zone != NULL ? s[k].zone : context->region->first_zone;
            bool same = is_reservation(&s[k]) && s[k].instance != NULL &&
                        strcmp(s[k].instance, type) == 0 && strcmp(where, zone) == 0;
            find_times(&s[k], context, &from_us, &to_us);
            sum += same && from_us <= at_us && at_us < to_us ? s[k].count : 0;
        }
        most = sum > most ? sum : most;
    }
    return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
}
