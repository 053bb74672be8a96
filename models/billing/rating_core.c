/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rates one record in one pass and without memory of its own: the price source is walked stretch by
 * stretch, each stretch is cut at the horizon and at the months, and the hour meter prices the
 * cuts. The work grows with the changes of price and month within the record, not with its hours.
 *
 * What is charged beyond the time used (the rest of the 60-second minimum) is metered in the clock
 * hour, at the price and on the side of the horizon of the record's last instant, and goes to the
 * line BOOT: it is a price of starting. The charge for the time itself is shared over the
 * activities in proportion to their time, since a record does not know when they happened; shares
 * are differences of a running total, so that they add up to the nano-unit. */
#include "models/billing/rating_core.h"

#include "models/billing/clock_hours.h"

#include <assert.h>

/* The record's stretches of constant price, in order. */
struct rating_walk {
    const struct price_source *price;
    int64_t at_us, end_us;
    int64_t unused_us; /* charged beyond end_us; belongs to the last stretch */
    bool done;
};

struct stretch {
    int64_t from_us, to_us;
    money_t per_hour;
    int64_t unused_us;
};

static struct rating_walk walk_start(const struct rating_terms *t, const struct usage *u)
{
    assert(0 <= u->start_us && u->start_us <= u->end_us);
    int64_t used_us = u->end_us - u->start_us, unused_us = 0;
    if (t->purchase == PURCHASE_ON_DEMAND && used_us < RATING_MINIMUM_US) {
        unused_us = RATING_MINIMUM_US - used_us;
    }
    if (used_us == 0 && u->reason == END_HORIZON) {
        unused_us = 0; /* the horizon came before the launch */
    }
    return (struct rating_walk){
        .price = &t->price,
        .at_us = u->start_us,
        .end_us = u->end_us,
        .unused_us = unused_us,
        .done = used_us == 0 && unused_us == 0,
    };
}

static bool walk_next(struct rating_walk *w, struct stretch *s)
{
    if (w->done) {
        return false;
    }
    int64_t until_us;
    s->from_us = w->at_us;
    s->per_hour = w->price->price_at(w->price->context, w->at_us, &until_us);
    assert(until_us > w->at_us);
    w->done = until_us >= w->end_us;
    s->to_us = w->done ? w->end_us : until_us;
    s->unused_us = w->done ? w->unused_us : 0;
    w->at_us = s->to_us;
    return true;
}

/* The price of the unused time that ends a stretch. */
static money_t unused_price(struct hour_meter *meter, const struct stretch *s)
{
    if (s->unused_us == 0) {
        return 0;
    }
    int64_t last_us = s->to_us > s->from_us ? s->to_us - 1 : s->to_us;
    return hour_meter_extend(meter, s->per_hour, last_us, s->unused_us);
}

bool rating_core_is_free(const struct rating_terms *t, const struct usage *u)
{
    return t->purchase == PURCHASE_SPOT && t->first_hour_free && u->reason == END_INTERRUPTED &&
           u->end_us - u->start_us < RATING_FIRST_HOUR_US;
}

/* Adds per_us × (time in the bucket) to every bucket that [from_us, to_us) meets. */
static void spread(const struct rating_frame *f, double *buckets, int64_t from_us, int64_t to_us,
                   double per_us)
{
    size_t last = f->buckets - 1;
    size_t i = (size_t)(from_us / f->bucket_us);
    for (i = i < last ? i : last; from_us < to_us; i++) {
        int64_t edge_us = i < last ? ((int64_t)i + 1) * f->bucket_us : to_us;
        int64_t stop_us = edge_us < to_us ? edge_us : to_us;
        buckets[i] += per_us * (double)(stop_us - from_us);
        from_us = stop_us;
    }
}

static void spread_spend(const struct rating_frame *f, double *buckets, const struct stretch *s,
                         money_t amount)
{
    double units = money_to_double(amount);
    if (s->to_us > s->from_us) {
        spread(f, buckets, s->from_us, s->to_us, units / (double)(s->to_us - s->from_us));
    } else {
        spread(f, buckets, s->from_us, s->from_us + 1, units);
    }
}

/* A stretch that lies in one month and on one side of the horizon. */
static void charge(const struct rating_frame *f, struct bill *b, double *spend_units,
                   enum purchase purchase, const struct stretch *s, size_t month, money_t amount,
                   int64_t nodes)
{
    const bool inside = s->from_us < f->horizon_us;
    money_t all = 0;
    accumulate_times(&all, amount, nodes, &b->overflow);
    bill_charge(b, f, bill_category_of_nodes(purchase), month, inside, all);
    if (inside && spend_units && f->buckets > 0) {
        spread_spend(f, spend_units, s, all);
    }
}

struct amounts {
    money_t used, unused;
};

static void charge_stretch(const struct rating_frame *f, struct bill *b, double *spend_units,
                           enum purchase purchase, struct hour_meter *meter, struct stretch s,
                           int64_t nodes, struct amounts *total)
{
    const int64_t end_us = s.to_us, unused_us = s.unused_us;
    size_t month = f->months > 0 ? bill_month(f, s.from_us) : 0;
    do {
        s.to_us = end_us;
        if (s.from_us < f->horizon_us && f->horizon_us < s.to_us) {
            s.to_us = f->horizon_us;
        }
        bool month_ends = month + 1 < f->months && f->month_start_us[month + 1] <= s.to_us;
        if (month_ends) {
            s.to_us = f->month_start_us[month + 1];
        }
        s.unused_us = s.to_us == end_us ? unused_us : 0;
        money_t used = hour_meter_add(meter, s.per_hour, s.from_us, s.to_us);
        money_t amount = used;
        accumulate(&total->used, used, &b->overflow);
        if (s.unused_us > 0) {
            money_t unused = unused_price(meter, &s);
            accumulate(&total->unused, unused, &b->overflow);
            accumulate(&amount, unused, &b->overflow);
        }
        charge(f, b, spend_units, purchase, &s, month, amount, nodes);
        month += month_ends;
        s.from_us = s.to_us;
    } while (s.from_us < end_us);
}

/* What a free record would have cost. */
static money_t worth(const struct rating_frame *f, const struct rating_terms *t,
                     const struct usage *u, bool *overflow)
{
    struct hour_meter meter;
    hour_meter_init(&meter, f->start_unix_s);
    money_t sum = 0;
    struct rating_walk w = walk_start(t, u);
    for (struct stretch s; walk_next(&w, &s);) {
        accumulate(&sum, hour_meter_add(&meter, s.per_hour, s.from_us, s.to_us), overflow);
    }
    return sum;
}

static void count_nodes(struct bill *b, const struct usage *u, enum purchase p)
{
    for (int a = 0; a < ACTIVITY_COUNT; a++) {
        if (u->activity_us[a] != 0) {
            accumulate_times(&b->node_us[p][a], u->activity_us[a], usage_nodes(u), &b->overflow);
        }
    }
}

/* Counts the nodes of a record and shares what they cost: in one pass, since every record comes
 * through here, and most of a short one is zeros. */
static void share_over_lines(struct bill *b, const struct usage *u, enum purchase p,
                             const struct amounts *total)
{
    const int64_t whole_us = u->end_us - u->start_us, count = usage_nodes(u);
    const struct share_rule rule = share_rule_of(total->used, whole_us);
    int64_t cumulative_us = 0;
    money_t given = 0;
    for (int a = 0; a < ACTIVITY_COUNT; a++) {
        const int64_t us = u->activity_us[a];
        assert(us >= 0);
        if (us == 0) {
            continue;
        }
        cumulative_us += us;
        money_t upto =
            cumulative_us == whole_us ? total->used : share_by_rule(&rule, cumulative_us);
        accumulate_times(&b->node_us[p][a], us, count, &b->overflow);
        accumulate_times(&b->line[p][a], upto - given, count, &b->overflow);
        given = upto;
    }
    assert(cumulative_us == whole_us);
    if (total->unused != 0) {
        accumulate_times(&b->line[p][ACTIVITY_BOOT], total->unused, count, &b->overflow);
    }
}

void rating_core_rate(const struct rating_frame *f, const struct rating_terms *t,
                      const struct usage *u, struct bill *b, double *spend_units, double *nodes)
{
    const int64_t count = usage_nodes(u);
    if (rating_core_is_free(t, u)) {
        count_nodes(b, u, t->purchase);
        accumulate_times(&b->free_us, u->end_us - u->start_us, count, &b->overflow);
        accumulate_times(&b->free_worth, worth(f, t, u, &b->overflow), count, &b->overflow);
    } else {
        struct amounts total = {0};
        struct hour_meter meter;
        hour_meter_init(&meter, f->start_unix_s);
        struct rating_walk w = walk_start(t, u);
        for (struct stretch s; walk_next(&w, &s);) {
            charge_stretch(f, b, spend_units, t->purchase, &meter, s, count, &total);
        }
        share_over_lines(b, u, t->purchase, &total);
    }
    if (nodes && f->buckets > 0) {
        int64_t end_us = u->end_us < f->horizon_us ? u->end_us : f->horizon_us;
        spread(f, nodes + t->purchase * f->buckets, u->start_us, end_us,
               (double)count / (double)f->bucket_us);
    }
}

money_t rating_core_pieces(const struct rating_terms *t, const struct usage *u,
                           int64_t start_unix_s,
                           void (*piece)(void *context, const struct charge_piece *p),
                           void *context)
{
    const bool is_free = rating_core_is_free(t, u);
    struct hour_meter meter;
    hour_meter_init(&meter, start_unix_s);
    money_t sum = 0;
    bool overflow = false;
    struct rating_walk w = walk_start(t, u);
    for (struct stretch s; walk_next(&w, &s);) {
        money_t amount = 0;
        if (!is_free) {
            amount = hour_meter_add(&meter, s.per_hour, s.from_us, s.to_us);
            accumulate(&amount, unused_price(&meter, &s), &overflow);
        }
        accumulate(&sum, amount, &overflow);
        if (piece) {
            piece(context, &(struct charge_piece){.from_us = s.from_us,
                                                  .to_us = s.to_us,
                                                  .per_hour = s.per_hour,
                                                  .amount = amount});
        }
    }
    return sum;
}
