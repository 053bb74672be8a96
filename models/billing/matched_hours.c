/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/matched_hours.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

struct matched_hours {
    const struct commitment_plan *plan;
    struct coverage_world world;
    struct coverage_change *changes;
    size_t change_count, change_capacity;
    struct coverage_change *running; /* scratch: of a pool with reserved capacity */
    size_t running_capacity;
    int64_t *cuts;
    size_t cut_count, cut_capacity;
    const struct others_change *others;
    size_t others_count;
    int64_t others_until_us;
    int64_t signed_until_us;
    struct coverage_change *held; /* scratch: capacity reserved of a pool up to then */
    size_t held_capacity;
};

struct matched_hours *matched_hours_new(const struct commitment_plan *plan)
{
    struct matched_hours *h = calloc(1, sizeof *h);
    if (h == NULL) {
        return NULL;
    }
    h->plan = plan;
    h->signed_until_us = INT64_MAX;
    if (!coverage_world_init(&h->world, plan)) {
        matched_hours_free(h);
        return NULL;
    }
    return h;
}

void matched_hours_free(struct matched_hours *h)
{
    if (h != NULL) {
        coverage_world_release(&h->world);
        free(h->changes);
        free(h->running);
        free(h->held);
        free(h->cuts);
        free(h);
    }
}

bool matched_begin(struct matched_hours *h, struct market *m, const double *drawn,
                   int64_t signed_until_us)
{
    h->signed_until_us = signed_until_us;
    return coverage_world_begin(&h->world, m, drawn, signed_until_us);
}

const struct commitment *matched_items(const struct matched_hours *h)
{
    return coverage_world_items(&h->world);
}

/* ---- usage as changes ---- */

static bool make_room(struct matched_hours *h, size_t count)
{
    size_t capacity = h->change_capacity == 0 ? 256 : h->change_capacity;
    while (capacity < count) {
        capacity *= 2;
    }
    if (capacity > h->change_capacity) {
        struct coverage_change *grown = realloc(h->changes, capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        h->changes = grown;
        h->change_capacity = capacity;
    }
    return true;
}

static bool add_change(struct matched_hours *h, int64_t at_us, int slot, int64_t delta)
{
    if (!make_room(h, h->change_count + 1)) {
        return false;
    }
    h->changes[h->change_count++] =
        (struct coverage_change){.at_us = at_us, .slot = (uint32_t)slot, .delta = (int32_t)delta};
    return true;
}

/* Both lists are sorted; from the back, so that nothing is overwritten before it is moved. */
static bool merge_others(struct matched_hours *h)
{
    size_t own = h->change_count, others = h->others_count;
    if (!make_room(h, own + others)) {
        return false;
    }
    h->change_count += others;
    for (size_t k = h->change_count; others > 0; k--) {
        const struct others_change *o = &h->others[others - 1];
        if (own > 0 && h->changes[own - 1].at_us > o->at_us) {
            h->changes[k - 1] = h->changes[--own];
        } else {
            h->changes[k - 1] = (struct coverage_change){
                .at_us = o->at_us, .slot = h->plan->slot_of_use[o->use], .delta = o->delta};
            others--;
        }
    }
    return true;
}

/* Moves the changes of a slot out of the list, in their order; *count: how many. */
static bool take_running(struct matched_hours *h, uint32_t slot, size_t *count)
{
    size_t kept = 0;
    if (h->running_capacity < h->change_count) {
        struct coverage_change *grown = realloc(h->running, h->change_count * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        h->running = grown;
        h->running_capacity = h->change_count;
    }
    *count = 0;
    for (size_t i = 0; i < h->change_count; i++) {
        if (h->changes[i].slot == slot) {
            h->running[(*count)++] = h->changes[i];
        } else {
            h->changes[kept++] = h->changes[i];
        }
    }
    h->change_count = kept;
    return true;
}

/* What is held of a pool, up to where it is given up; *count: changes. NULL when out of memory. */
static const struct coverage_change *held_changes(struct matched_hours *h,
                                                  const struct held_pool *held, size_t *count)
{
    int64_t sum = 0;
    *count = held->change_count;
    if (held->changes[held->change_count - 1].at_us <= h->signed_until_us) {
        return held->changes;
    }
    if (h->held_capacity < held->change_count + 1) {
        struct coverage_change *grown = realloc(h->held, (held->change_count + 1) * sizeof *grown);
        if (grown == NULL) {
            return NULL;
        }
        h->held = grown;
        h->held_capacity = held->change_count + 1;
    }
    *count = 0;
    for (size_t i = 0; held->changes[i].at_us < h->signed_until_us; i++) {
        sum += held->changes[i].delta;
        h->held[(*count)++] = held->changes[i];
    }
    if (sum > 0) {
        h->held[(*count)++] =
            (struct coverage_change){.at_us = h->signed_until_us, .delta = (int32_t)-sum};
    }
    return h->held;
}

/* What runs in reserved capacity, and what of it is idle, is usage of its own. */
static bool split_reserved(struct matched_hours *h, int64_t *end_us)
{
    const struct reservation_plan *plan = &h->plan->reservations;
    for (size_t i = 0; i < plan->pool_count; i++) {
        const struct held_pool *held = &plan->pools[i];
        size_t running = 0, count;
        const struct coverage_change *changes = held_changes(h, held, &count);
        if (changes == NULL) {
            return false;
        }
        if (held->slots.outside != RESERVATION_NO_SLOT &&
            !take_running(h, held->slots.outside, &running)) {
            return false;
        }
        if (!make_room(h, h->change_count + 3 * (running + count))) {
            return false;
        }
        h->change_count += capacity_reservation_changes(h->running, running, changes, count,
                                                        &held->slots, h->changes + h->change_count);
        int64_t last_us = count == 0 ? 0 : changes[count - 1].at_us;
        *end_us = last_us > *end_us ? last_us : *end_us;
    }
    coverage_changes_sort(h->changes, h->change_count);
    return true;
}

static bool gather_changes(struct matched_hours *h, const struct usage_log *log, int64_t *end_us)
{
    h->change_count = 0;
    *end_us = 0;
    for (size_t i = 0; i < log->count; i++) {
        const struct usage *u = &log->records[i];
        int slot = h->plan->slot_of_pool[u->pool];
        if (slot < 0 || u->end_us == u->start_us) {
            continue;
        }
        if (!add_change(h, u->start_us, slot, usage_nodes(u)) ||
            !add_change(h, u->end_us, slot, -usage_nodes(u))) {
            return false;
        }
        *end_us = u->end_us > *end_us ? u->end_us : *end_us;
    }
    coverage_changes_sort(h->changes, h->change_count);
    if (h->plan->reservations.count > 0 && !split_reserved(h, end_us)) {
        return false;
    }
    return h->others_count == 0 || merge_others(h);
}

void matched_set_others(struct matched_hours *h, const struct others_change *changes, size_t count,
                        int64_t until_us)
{
    h->others = changes;
    h->others_count = count;
    h->others_until_us = until_us;
}

/* ---- cuts: months, the horizon, changes of price ---- */

static bool add_cut(struct matched_hours *h, int64_t at_us)
{
    if (h->cut_count == h->cut_capacity) {
        size_t capacity = h->cut_capacity == 0 ? 64 : 2 * h->cut_capacity;
        int64_t *grown = realloc(h->cuts, capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        h->cuts = grown;
        h->cut_capacity = capacity;
    }
    h->cuts[h->cut_count++] = at_us;
    return true;
}

static int compare_cuts(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static bool gather_cuts(struct matched_hours *h, const struct rating_frame *f, struct market *m,
                        int64_t end_us)
{
    h->cut_count = 0;
    bool ok = add_cut(h, f->horizon_us);
    for (size_t i = 0; ok && i < f->months; i++) {
        ok = f->month_start_us[i] <= 0 || add_cut(h, f->month_start_us[i]);
    }
    for (size_t slot = 0; ok && slot < coverage_slots(h->plan->coverage); slot++) {
        double until_s = 0;
        while (ok && microseconds(until_s) < end_us) {
            (void)market_price(m, h->plan->pool_of_slot[slot], until_s, &until_s);
            ok = !isfinite(until_s) || add_cut(h, microseconds(until_s));
        }
    }
    qsort(h->cuts, h->cut_count, sizeof *h->cuts, compare_cuts);
    size_t kept = 0;
    for (size_t i = 0; i < h->cut_count; i++) {
        if (kept == 0 || h->cuts[i] != h->cuts[kept - 1]) {
            h->cuts[kept++] = h->cuts[i];
        }
    }
    h->cut_count = kept;
    return ok;
}

/* ---- hours ---- */

size_t matched_pool(const struct matched_hours *h, uint32_t slot)
{
    return (size_t)h->plan->pool_of_slot[slot];
}

static double seconds(int64_t at_us)
{
    return (double)(at_us > 0 ? at_us : 0) / 1e6;
}

money_t matched_price(struct market *m, int pool, int64_t at_us, int64_t limit_us,
                      int64_t *until_us)
{
    double until_s = seconds(at_us);
    money_t price;
    do {
        price = market_price(m, pool, until_s, &until_s);
        *until_us = microseconds(until_s);
    } while (*until_us <= at_us);
    *until_us = *until_us < limit_us ? *until_us : limit_us;
    return price;
}

/* What us of the slot's usage in the outcome were worth before limit_us, where a price changes in
 * it: as much of the usage under the first price is covered as of that under the next. */
static money_t worth_at_prices(const struct matched_hours *h, struct market *m,
                               const struct coverage_outcome *o, uint32_t slot, int64_t us,
                               struct price_share part, int64_t limit_us)
{
    const size_t pool = matched_pool(h, slot);
    const int64_t ran_us = matched_ran_us(h, slot, o->from_us, o->to_us);
    int64_t seen_us = 0, given_us = 0, until_us;
    money_t sum = 0;
    for (int64_t from_us = o->from_us; from_us < limit_us; from_us = until_us) {
        money_t price = matched_price(m, (int)pool, from_us, limit_us, &until_us);
        seen_us += matched_ran_us(h, slot, from_us, until_us);
        int64_t upto_us = money_share(us, seen_us, ran_us);
        price = money_share(price, part.share, part.whole);
        (void)money_add(&sum, money_for_time(price, upto_us - given_us));
        given_us = upto_us;
    }
    return sum;
}

bool matched_two_prices(const struct matched_hours *h, struct market *m,
                        const struct coverage_outcome *o, uint32_t slot)
{
    int64_t until_us;
    (void)matched_price(m, (int)matched_pool(h, slot), o->from_us, o->to_us, &until_us);
    return until_us < o->to_us;
}

money_t matched_worth_between(const struct matched_hours *h, struct market *m, uint32_t slot,
                              int64_t us, int64_t from_us, int64_t to_us, struct price_share part)
{
    const struct coverage_outcome o = {.from_us = from_us, .to_us = to_us};
    int64_t until_us;
    money_t price = matched_price(m, (int)matched_pool(h, slot), from_us, to_us, &until_us);
    if (until_us < to_us) {
        return worth_at_prices(h, m, &o, slot, us, part, to_us);
    }
    return money_for_time(money_share(price, part.share, part.whole), us);
}

money_t matched_worth(const struct matched_hours *h, struct market *m,
                      const struct coverage_outcome *o, size_t cover, struct price_share part)
{
    const struct coverage_cover *k = &o->covers[cover];
    return matched_worth_between(h, m, k->slot, k->us, o->from_us, o->to_us, part);
}

struct matched_part matched_whole(const struct matched_hours *h, struct market *m,
                                  const struct coverage_outcome *o, size_t cover)
{
    const struct coverage_cover *k = &o->covers[cover];
    return (struct matched_part){
        .us = k->us,
        .worth = matched_worth(h, m, o, cover, (struct price_share){1, 1}),
        .money = k->money,
    };
}

int64_t matched_ran_us(const struct matched_hours *h, uint32_t slot, int64_t from_us, int64_t to_us)
{
    int64_t running = 0, sum_us = 0, at_us = from_us;
    for (size_t i = 0; i < h->change_count && h->changes[i].at_us < to_us; i++) {
        const struct coverage_change *change = &h->changes[i];
        if (change->slot == slot) {
            if (change->at_us > at_us) {
                sum_us += running * (change->at_us - at_us);
                at_us = change->at_us;
            }
            running += change->delta;
        }
    }
    return sum_us + running * (to_us - at_us);
}

/* In the hour that holds the horizon; left: what the commitment still costs in it up to there. */
static struct matched_part split_part(const struct matched_hours *h, struct market *m,
                                      const struct coverage_outcome *o, size_t cover,
                                      int64_t horizon_us, money_t left)
{
    const uint32_t slot = o->covers[cover].slot;
    const int64_t inside_us = matched_ran_us(h, slot, o->from_us, horizon_us);
    const int64_t ran_us = matched_ran_us(h, slot, o->from_us, o->to_us);
    struct matched_part part = matched_whole(h, m, o, cover);
    assert(inside_us <= ran_us && ran_us > 0);
    /* By a running total over the slot's covers, which never passes the usage on either side. */
    int64_t before_us = 0;
    for (size_t i = 0; i < cover; i++) {
        before_us += o->covers[i].slot == slot ? o->covers[i].us : 0;
    }
    part.worth =
        matched_two_prices(h, m, o, slot)
            ? worth_at_prices(h, m, o, slot, part.us, (struct price_share){1, 1}, horizon_us)
            : money_share(part.worth, inside_us, ran_us);
    part.us = money_share(before_us + part.us, inside_us, ran_us) -
              money_share(before_us, inside_us, ran_us);
    part.money = money_share(part.money, horizon_us - o->from_us, o->to_us - o->from_us);
    part.money = inside_us == 0 ? 0 : part.money < left ? part.money : left;
    return part;
}

struct matched_part matched_inside(const struct matched_hours *h, const struct rating_frame *f,
                                   struct market *m, const struct coverage_outcome *o, size_t cover)
{
    if (o->to_us <= f->horizon_us) {
        return matched_whole(h, m, o, cover);
    }
    if (o->from_us >= f->horizon_us) {
        return (struct matched_part){0};
    }
    const uint32_t k = o->covers[cover].commitment;
    money_t left = commitment_amortised(&matched_items(h)[k], o->from_us, f->horizon_us);
    for (size_t i = 0; i < cover; i++) {
        if (o->covers[i].commitment == k) {
            left -= split_part(h, m, o, i, f->horizon_us, left).money;
        }
    }
    return split_part(h, m, o, cover, f->horizon_us, left);
}

/* The end of the clock hour that holds the instant: a commitment covers its whole clock hour,
 * however early in it usage ends. */
static int64_t clock_hour_end(int64_t at_us, int64_t start_unix_s)
{
    int64_t phase_us = start_unix_s % 3600 * MICROSECONDS;
    int64_t into_us = (at_us + phase_us) % HOUR_US;
    return into_us == 0 ? at_us : at_us + HOUR_US - into_us;
}

enum matched_status matched_walk(struct matched_hours *h, const struct rating_frame *f,
                                 struct market *m, const struct usage_log *log,
                                 void (*sink)(void *context, const struct coverage_outcome *o),
                                 void *context, int64_t *until_us)
{
    int64_t end_us;
    *until_us = 0;
    if (!gather_changes(h, log, &end_us)) {
        return MATCHED_NO_MEMORY;
    }
    end_us = clock_hour_end(end_us, f->start_unix_s);
    end_us = end_us > h->others_until_us ? end_us : h->others_until_us;
    if (!gather_cuts(h, f, m, end_us)) {
        return MATCHED_NO_MEMORY;
    }
    if (end_us == 0) {
        return MATCHED_OK;
    }
    *until_us = end_us;
    const struct coverage_span span = {.to_us = *until_us,
                                       .start_unix_s = f->start_unix_s,
                                       .cut_us = h->cuts,
                                       .cut_count = h->cut_count};
    enum coverage_run_end end =
        coverage_run(h->world.run, h->changes, h->change_count, &span, sink, context);
    assert(end != COVERAGE_RUN_NEGATIVE); /* records end after they begin */
    return end == COVERAGE_RUN_TOO_MUCH ? MATCHED_TOO_MANY
           : end == COVERAGE_RUN_DONE   ? MATCHED_OK
                                        : MATCHED_OVERFLOW;
}
