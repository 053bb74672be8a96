/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/account_world.h"

#include "models/commitments/others_use.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct account_piece {
    int64_t from_us, to_us;
    struct account_covered covered; /* of each hour */
};

struct account_world {
    const struct account_plan *account;
    const struct commitment_plan *alone;
    struct matched_hours *hours; /* NULL: there are no commitments, so nothing is covered */
    struct others_change *changes;
    size_t change_count;
    int64_t *by_slot;
    struct account_piece *pieces;
    size_t piece_count, piece_capacity;
    bool made, rated, uncertain;
};

static const struct usage_log nothing_runs = {0};

/* Each use ends with the account: one change more than it has steps. */
static size_t most_changes(const struct account_plan *a)
{
    size_t most = 0;
    for (size_t i = 0; i < a->use_count; i++) {
        most += a->uses[i].step_count + 1;
    }
    return most;
}

struct account_world *account_world_new(const struct commitment_plan *alone)
{
    struct account_world *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return NULL;
    }
    w->alone = alone;
    w->account = alone->account;
    w->changes = calloc(most_changes(w->account) + 1, sizeof *w->changes);
    for (size_t i = 0; i < w->account->use_count; i++) {
        w->uncertain = w->uncertain || w->account->uses[i].spec->scale.input >= 0;
    }
    bool ok = w->changes != NULL;
    if (alone->coverage != NULL && alone->sunk > 0) {
        w->hours = matched_hours_new(alone);
        w->by_slot = calloc(coverage_slots(alone->coverage) + 1, sizeof *w->by_slot);
        ok = ok && w->hours != NULL && w->by_slot != NULL;
    }
    if (!ok) {
        account_world_free(w);
        return NULL;
    }
    return w;
}

void account_world_free(struct account_world *w)
{
    if (w != NULL) {
        matched_hours_free(w->hours);
        free(w->changes);
        free(w->by_slot);
        free(w->pieces);
        free(w);
    }
}

/* ---- what others run ---- */

static void add_use(struct account_world *w, uint32_t use, double scale)
{
    const struct others_use *u = &w->account->uses[use];
    int64_t running = 0;
    for (size_t i = 0; i <= u->step_count; i++) {
        bool over = i == u->step_count || u->steps[i].at_us >= w->account->until_us;
        int64_t count = over ? 0 : others_use_scaled(u->steps[i].count, scale);
        if (count != running) {
            w->changes[w->change_count++] =
                (struct others_change){.at_us = over ? w->account->until_us : u->steps[i].at_us,
                                       .use = use,
                                       .delta = (int32_t)(count - running)};
        }
        running = count;
        if (over) {
            break;
        }
    }
}

static int compare_others(const void *left, const void *right)
{
    const struct others_change *a = left, *b = right;
    if (a->at_us != b->at_us) {
        return a->at_us < b->at_us ? -1 : 1;
    }
    return (a->use > b->use) - (a->use < b->use);
}

static void set_changes(struct account_world *w, const double *drawn)
{
    w->change_count = 0;
    for (uint32_t i = 0; i < w->account->use_count; i++) {
        add_use(w, i, number_value(&w->account->uses[i].spec->scale, drawn));
    }
    if (w->change_count > 0) {
        qsort(w->changes, w->change_count, sizeof *w->changes, compare_others);
    }
}

bool account_world_begin(struct account_world *w, struct market *m, const double *drawn)
{
    w->rated = false;
    if (!w->made || w->uncertain) {
        set_changes(w, drawn);
        w->made = true;
    }
    return w->hours == NULL || matched_begin(w->hours, m, drawn, INT64_MAX);
}

const struct others_change *account_world_changes(const struct account_world *w, size_t *count)
{
    *count = w->change_count;
    return w->changes;
}

int64_t account_world_until(const struct account_world *w)
{
    return w->account->until_us;
}

/* ---- without the plan ---- */

int64_t account_last_hour(const struct coverage_outcome *o)
{
    return o->hours > 1 ? o->to_us - HOUR_US : o->from_us;
}

/* On-demand prices as the account pays them. */
static struct price_share net_of(const struct covered_discount *discount, int pool)
{
    return discount == NULL
               ? (struct price_share){1, 1}
               : (struct price_share){discount->whole - discount->of_pool[pool], discount->whole};
}

struct account_covered account_covered_hour(const struct account_hour *h,
                                            const struct coverage_outcome *o, int64_t from_us,
                                            int64_t *by_slot, bool *overflow)
{
    const size_t slots = coverage_slots(h->plan->coverage);
    const int64_t to_us = o->hours > 1 ? from_us + HOUR_US : o->to_us;
    const bool split = from_us < h->horizon_us && h->horizon_us < to_us;
    struct account_covered sum = {0};
    memset(by_slot, 0, slots * sizeof *by_slot);
    for (size_t i = 0; i < o->cover_count; i++) {
        by_slot[o->covers[i].slot] += o->covers[i].us / o->hours; /* hours are equal: exact */
    }
    for (uint32_t slot = 0; slot < slots; slot++) {
        if (h->plan->others[slot] && by_slot[slot] > 0) {
            const struct price_share net = net_of(h->discount, h->plan->pool_of_slot[slot]);
            const money_t worth = matched_worth_between(h->hours, h->market, slot, by_slot[slot],
                                                        from_us, to_us, net);
            accumulate(&sum.worth, worth, overflow);
            accumulate(&sum.inside,
                       split ? money_share(worth, h->horizon_us - from_us, to_us - from_us) : worth,
                       overflow);
        }
    }
    return sum;
}

/* What the sink of matched_walk needs. */
struct account_rating {
    struct account_world *world;
    struct market *market;
    const struct covered_discount *discount;
    int64_t horizon_us;
    bool overflow, no_memory;
};

static bool is_whole(int64_t from_us, int64_t to_us)
{
    return (to_us - from_us) % HOUR_US == 0;
}

/* Equal hours one after the other are one piece. */
static void keep_piece(struct account_rating *r, int64_t from_us, int64_t to_us,
                       struct account_covered covered)
{
    struct account_world *w = r->world;
    struct account_piece *last = w->piece_count == 0 ? NULL : &w->pieces[w->piece_count - 1];
    if (last != NULL && last->covered.worth == covered.worth &&
        last->covered.inside == covered.inside && is_whole(last->from_us, last->to_us) &&
        is_whole(from_us, to_us)) {
        last->to_us = to_us;
        return;
    }
    if (w->piece_count == w->piece_capacity) {
        size_t capacity = w->piece_capacity == 0 ? 256 : 2 * w->piece_capacity;
        struct account_piece *grown = realloc(w->pieces, capacity * sizeof *grown);
        if (grown == NULL) {
            r->no_memory = true;
            return;
        }
        w->pieces = grown;
        w->piece_capacity = capacity;
    }
    w->pieces[w->piece_count++] =
        (struct account_piece){.from_us = from_us, .to_us = to_us, .covered = covered};
}

static void keep_outcome(void *context, const struct coverage_outcome *o)
{
    struct account_rating *r = context;
    struct account_world *w = r->world;
    const struct account_hour hour = {w->hours, w->alone, r->market, r->discount, r->horizon_us};
    const int64_t last_us = account_last_hour(o);
    if (last_us > o->from_us) {
        keep_piece(r, o->from_us, last_us,
                   account_covered_hour(&hour, o, o->from_us, w->by_slot, &r->overflow));
    }
    keep_piece(r, last_us, o->to_us,
               account_covered_hour(&hour, o, last_us, w->by_slot, &r->overflow));
}

enum matched_status account_world_rate(struct account_world *w, const struct rating_frame *f,
                                       struct market *m, const struct covered_discount *discount)
{
    struct account_rating r = {
        .world = w, .market = m, .discount = discount, .horizon_us = f->horizon_us};
    int64_t until_us;
    if (w->rated || w->hours == NULL) {
        return MATCHED_OK;
    }
    w->piece_count = 0;
    matched_set_others(w->hours, w->changes, w->change_count, w->account->until_us);
    enum matched_status status =
        matched_walk(w->hours, f, m, &nothing_runs, keep_outcome, &r, &until_us);
    if (r.no_memory) {
        return MATCHED_NO_MEMORY;
    }
    w->rated = status == MATCHED_OK && !r.overflow;
    return status == MATCHED_OK && r.overflow ? MATCHED_OVERFLOW : status;
}

struct account_stretch account_world_without(const struct account_world *w, size_t *piece,
                                             int64_t at_us, int64_t limit_us)
{
    while (*piece < w->piece_count && w->pieces[*piece].to_us <= at_us) {
        (*piece)++;
    }
    if (w->hours == NULL || *piece == w->piece_count) {
        return (struct account_stretch){.to_us = limit_us};
    }
    const struct account_piece *p = &w->pieces[*piece];
    assert(p->from_us <= at_us);
    return (struct account_stretch){.to_us = p->to_us < limit_us ? p->to_us : limit_us,
                                    .covered = p->covered};
}
