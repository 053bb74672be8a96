/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/rating_world.h"

#include "engine/civil_time.h"
#include "tests/support/draws.h"

#include <string.h>

__extension__ typedef __int128 int128;

money_t price_steps_at(void *context, int64_t at_us, int64_t *until_us)
{
    const struct price_steps *s = context;
    size_t i = s->count - 1;
    while (s->from_us[i] > at_us) {
        i--;
    }
    *until_us = i + 1 < s->count ? s->from_us[i + 1] : INT64_MAX;
    return s->price[i];
}

struct rating_terms price_steps_terms(struct price_steps *s, enum purchase purchase)
{
    return (struct rating_terms){.purchase = purchase,
                                 .first_hour_free = purchase == PURCHASE_SPOT,
                                 .price = {price_steps_at, s}};
}

/* Few price levels and gaps of all magnitudes, so that a level often comes back within its hour. */
static void draw_price_steps(uint64_t *random, struct price_steps *s)
{
    money_t level[5];
    for (int i = 0; i < 5; i++) {
        level[i] = draw_amount(random, INT64_C(99999999977));
    }
    s->count = 1 + (size_t)draw_below(random, WORLD_STEPS);
    int64_t at_us = 0;
    for (size_t i = 0; i < s->count; i++) {
        s->from_us[i] = at_us;
        s->price[i] = level[draw_below(random, 5)];
        at_us += 1 + draw_amount(random, draw_below(random, 2) ? HOUR_US / 5 : 100 * HOUR_US);
    }
}

void rating_world_set_frame(struct rating_world *w, int64_t start_unix_s, int64_t horizon_us)
{
    for (int i = 0; i < WORLD_MONTHS; i++) {
        int64_t month = civil_add_months(civil_month_start(start_unix_s), i);
        w->month_start_us[i] = (month - start_unix_s) * MICROSECONDS;
    }
    w->frame = (struct rating_frame){.start_unix_s = start_unix_s,
                                     .horizon_us = horizon_us,
                                     .months = WORLD_MONTHS,
                                     .month_start_us = w->month_start_us,
                                     .buckets = WORLD_BUCKETS,
                                     .bucket_us = (horizon_us + WORLD_BUCKETS - 1) / WORLD_BUCKETS};
}

void draw_activities(uint64_t *random, struct usage *u)
{
    memset(u->activity_us, 0, sizeof u->activity_us);
    int64_t left_us = u->end_us - u->start_us;
    for (int n = 0; n < 4; n++) {
        int64_t part_us = draw_amount(random, left_us);
        u->activity_us[draw_below(random, ACTIVITY_COUNT)] += part_us;
        left_us -= part_us;
    }
    u->activity_us[draw_below(random, ACTIVITY_COUNT)] += left_us;
}

void draw_rating_world(uint64_t *random, struct rating_world *w)
{
    draw_price_steps(random, &w->steps);
    /* 2024-01-01 to 2032: leap days, and mostly not at a full hour */
    rating_world_set_frame(w, INT64_C(1704067200) + draw_below(random, 8 * 365 * INT64_C(86400)),
                           1 + draw_length(random, 100 * 24 * HOUR_US));
    for (int i = 0; i < WORLD_RECORDS; i++) {
        struct usage *u = &w->record[i];
        *u = (struct usage){.workload = (uint32_t)draw_below(random, 3),
                            .start_us = draw_length(random, 120 * 24 * HOUR_US),
                            .reason = (enum end_reason)draw_below(random, END_REASON_COUNT)};
        u->end_us = u->start_us + draw_length(random, 60 * 24 * HOUR_US);
        draw_activities(random, u);
        w->purchase[i] = draw_below(random, 2) ? PURCHASE_SPOT : PURCHASE_ON_DEMAND;
    }
}

static money_t round_half_even(int128 dividend, int64_t divisor)
{
    int128 quotient = dividend / divisor, rest = dividend % divisor;
    if (2 * rest > divisor || (2 * rest == divisor && quotient % 2 == 1)) {
        quotient++;
    }
    return (money_t)quotient;
}

/* Summed time of every (rate, clock hour); those of one hour lie together. */
struct plain_cell {
    int64_t hour;
    money_t per_hour;
    int64_t us, inside_us;
};

static void plain_add(struct plain_cell *cells, size_t *count, int64_t hour, money_t per_hour,
                      int64_t us, bool inside)
{
    size_t i = *count;
    while (i > 0 && cells[i - 1].hour == hour && cells[i - 1].per_hour != per_hour) {
        i--;
    }
    if (i == 0 || cells[i - 1].hour != hour) {
        i = ++*count;
        cells[i - 1] = (struct plain_cell){.hour = hour, .per_hour = per_hour};
    }
    cells[i - 1].us += us;
    cells[i - 1].inside_us += inside ? us : 0;
}

struct plain_charge rate_plainly(const struct rating_world *w, enum purchase purchase,
                                 const struct usage *u, bool free_rule)
{
    static struct plain_cell cells[4 * WORLD_STEPS + 6000];
    const int64_t phase_us = w->frame.start_unix_s % 3600 * MICROSECONDS;
    struct plain_charge r = {0};
    int64_t used_us = u->end_us - u->start_us, until_us;
    if (purchase == PURCHASE_SPOT && free_rule && u->reason == END_INTERRUPTED &&
        used_us < HOUR_US) {
        return r;
    }
    size_t count = 0;
    for (int64_t at = u->start_us; at < u->end_us;) {
        money_t price = price_steps_at((void *)(uintptr_t)&w->steps, at, &until_us);
        int64_t hour = (at + phase_us) / HOUR_US;
        int64_t stop = (hour + 1) * HOUR_US - phase_us;
        stop = until_us < stop ? until_us : stop;
        stop = u->end_us < stop ? u->end_us : stop;
        if (at < w->frame.horizon_us && w->frame.horizon_us < stop) {
            stop = w->frame.horizon_us;
        }
        plain_add(cells, &count, hour, price, stop - at, at < w->frame.horizon_us);
        at = stop;
    }
    if (purchase == PURCHASE_ON_DEMAND && used_us < 60 * MICROSECONDS &&
        !(used_us == 0 && u->reason == END_HORIZON)) {
        int64_t last = used_us > 0 ? u->end_us - 1 : u->start_us;
        money_t price = price_steps_at((void *)(uintptr_t)&w->steps, last, &until_us);
        plain_add(cells, &count, (last + phase_us) / HOUR_US, price, 60 * MICROSECONDS - used_us,
                  last < w->frame.horizon_us);
    }
    for (size_t i = 0; i < count; i++) {
        money_t amount = round_half_even((int128)cells[i].per_hour * cells[i].us, HOUR_US);
        int month = 0;
        while (month + 1 < WORLD_MONTHS &&
               w->month_start_us[month + 1] <= cells[i].hour * HOUR_US - phase_us) {
            month++;
        }
        r.total += amount;
        r.month[month] += amount;
        r.inside += round_half_even((int128)cells[i].per_hour * cells[i].inside_us, HOUR_US);
    }
    return r;
}

struct bill *bill_memory_clear(struct bill_memory *m, const struct rating_frame *f)
{
    m->bill.month = m->month;
    m->bill.by_month = m->by_month;
    bill_clear(&m->bill, f);
    return &m->bill;
}

void rate_one(struct rating_world *w, enum purchase purchase, const struct usage *u, struct bill *b)
{
    struct rating_terms terms = price_steps_terms(&w->steps, purchase);
    rating_core_rate(&w->frame, &terms, u, b, NULL, NULL);
}
