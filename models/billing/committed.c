/* SPDX-License-Identifier: GPL-3.0-or-later
 * The value of what is covered is its time at the on-demand price then in force; the share of a
 * commitment that it used is what coverage says, and what is not used is the rest of the amortised
 * cost: differences of exact totals, so that used + unused + later is all that was signed. */
#include "models/billing/committed.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct committed {
    const struct commitment_plan *plan;
    struct coverage_run *run;
    struct coverage_change *changes;
    size_t change_count, change_capacity;
    int64_t *cuts;
    size_t cut_count, cut_capacity;
    struct committed_account *accounts; /* by commitment */
    money_t *used_inside;               /* by commitment; inside the horizon */
};

/* What the sink of coverage_run needs. */
struct pass {
    struct committed *c;
    const struct rating_frame *frame;
    struct market *market;
    struct bill *bill;
    double *spend_units;
    const struct covered_discount *discount; /* may be NULL */
    money_t discount_back;                   /* given back so far */
    int64_t pieces;                          /* of covered time, each rounded to a nano-unit */
    struct {
        uint32_t commitment;
        size_t month;
        bool inside;
    } last; /* piece */
};

struct committed *committed_new(const struct commitment_plan *plan)
{
    struct committed *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return NULL;
    }
    c->plan = plan;
    c->run = coverage_run_new(plan->coverage);
    c->accounts = calloc(plan->count, sizeof *c->accounts);
    c->used_inside = calloc(plan->count, sizeof *c->used_inside);
    if (c->run == NULL || c->accounts == NULL || c->used_inside == NULL) {
        committed_free(c);
        return NULL;
    }
    return c;
}

void committed_free(struct committed *c)
{
    if (c != NULL) {
        coverage_run_free(c->run);
        free(c->changes);
        free(c->cuts);
        free(c->accounts);
        free(c->used_inside);
        free(c);
    }
}

const struct committed_account *committed_accounts(const struct committed *c)
{
    return c->accounts;
}

/* ---- usage as changes ---- */

static bool add_change(struct committed *c, int64_t at_us, int slot, int64_t delta)
{
    if (c->change_count == c->change_capacity) {
        size_t capacity = c->change_capacity == 0 ? 256 : 2 * c->change_capacity;
        struct coverage_change *grown = realloc(c->changes, capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        c->changes = grown;
        c->change_capacity = capacity;
    }
    c->changes[c->change_count++] =
        (struct coverage_change){.at_us = at_us, .slot = (uint32_t)slot, .delta = (int32_t)delta};
    return true;
}

static bool gather_changes(struct committed *c, const struct usage_log *log, int64_t *end_us)
{
    c->change_count = 0;
    *end_us = 0;
    for (size_t i = 0; i < log->count; i++) {
        const struct usage *u = &log->records[i];
        int slot = c->plan->slot_of_pool[u->pool];
        if (slot < 0 || u->end_us == u->start_us) {
            continue;
        }
        if (!add_change(c, u->start_us, slot, usage_nodes(u)) ||
            !add_change(c, u->end_us, slot, -usage_nodes(u))) {
            return false;
        }
        *end_us = u->end_us > *end_us ? u->end_us : *end_us;
    }
    coverage_changes_sort(c->changes, c->change_count);
    return true;
}

/* ---- cuts: months, the horizon, changes of price ---- */

static bool add_cut(struct committed *c, int64_t at_us)
{
    if (c->cut_count == c->cut_capacity) {
        size_t capacity = c->cut_capacity == 0 ? 64 : 2 * c->cut_capacity;
        int64_t *grown = realloc(c->cuts, capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        c->cuts = grown;
        c->cut_capacity = capacity;
    }
    c->cuts[c->cut_count++] = at_us;
    return true;
}

static int compare_cuts(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static bool gather_cuts(struct committed *c, const struct rating_frame *f, struct market *m,
                        int64_t end_us)
{
    c->cut_count = 0;
    bool ok = add_cut(c, f->horizon_us);
    for (size_t i = 0; ok && i < f->months; i++) {
        ok = f->month_start_us[i] <= 0 || add_cut(c, f->month_start_us[i]);
    }
    for (size_t p = 0; ok && p < c->plan->pool_count; p++) {
        double until_s = 0;
        while (ok && c->plan->slot_of_pool[p] >= 0 && microseconds(until_s) < end_us) {
            (void)market_price(m, (int)p, until_s, &until_s);
            ok = !isfinite(until_s) || add_cut(c, microseconds(until_s));
        }
    }
    qsort(c->cuts, c->cut_count, sizeof *c->cuts, compare_cuts);
    size_t kept = 0;
    for (size_t i = 0; i < c->cut_count; i++) {
        if (kept == 0 || c->cuts[i] != c->cuts[kept - 1]) {
            c->cuts[kept++] = c->cuts[i];
        }
    }
    c->cut_count = kept;
    return ok;
}

/* ---- hours ---- */

/* Every pool has one slot, so the first that matches is it: coverage knows no other slots. */
static size_t pool_of_slot(const struct committed *c, uint32_t slot)
{
    size_t i = 0;
    while (i + 1 < c->plan->pool_count && c->plan->slot_of_pool[i] != (int)slot) {
        i++;
    }
    return i;
}

/* The on-demand price of a pool. */
static money_t price_of_pool(struct market *m, size_t pool, int64_t at_us)
{
    return market_price(m, (int)pool, (double)(at_us > 0 ? at_us : 0) / 1e6, NULL);
}

struct committed_part committed_whole(const struct committed *c, struct market *m,
                                      const struct coverage_outcome *o, size_t cover)
{
    const struct coverage_cover *k = &o->covers[cover];
    return (struct committed_part){
        .us = k->us,
        .worth = money_for_time(price_of_pool(m, pool_of_slot(c, k->slot), o->from_us), k->us),
        .money = k->money,
    };
}

int64_t committed_ran_us(const struct committed *c, uint32_t slot, int64_t from_us, int64_t to_us)
{
    int64_t running = 0, sum_us = 0, at_us = from_us;
    for (size_t i = 0; i < c->change_count && c->changes[i].at_us < to_us; i++) {
        const struct coverage_change *change = &c->changes[i];
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
static struct committed_part split_part(const struct committed *c, struct market *m,
                                        const struct coverage_outcome *o, size_t cover,
                                        int64_t horizon_us, money_t left)
{
    const uint32_t slot = o->covers[cover].slot;
    const int64_t inside_us = committed_ran_us(c, slot, o->from_us, horizon_us);
    const int64_t ran_us = committed_ran_us(c, slot, o->from_us, o->to_us);
    struct committed_part part = committed_whole(c, m, o, cover);
    assert(inside_us <= ran_us && ran_us > 0);
    /* By a running total over the slot's covers, which never passes the usage on either side. */
    int64_t before_us = 0;
    for (size_t i = 0; i < cover; i++) {
        before_us += o->covers[i].slot == slot ? o->covers[i].us : 0;
    }
    part.us = money_share(before_us + part.us, inside_us, ran_us) -
              money_share(before_us, inside_us, ran_us);
    part.worth = money_share(part.worth, inside_us, ran_us);
    part.money = money_share(part.money, horizon_us - o->from_us, o->to_us - o->from_us);
    part.money = inside_us == 0 ? 0 : part.money < left ? part.money : left;
    return part;
}

struct committed_part committed_inside(const struct committed *c, const struct rating_frame *f,
                                       struct market *m, const struct coverage_outcome *o,
                                       size_t cover)
{
    if (o->to_us <= f->horizon_us) {
        return committed_whole(c, m, o, cover);
    }
    if (o->from_us >= f->horizon_us) {
        return (struct committed_part){0};
    }
    const uint32_t k = o->covers[cover].commitment;
    money_t left = commitment_amortised(&c->plan->items[k], o->from_us, f->horizon_us);
    for (size_t i = 0; i < cover; i++) {
        if (o->covers[i].commitment == k) {
            left -= split_part(c, m, o, i, f->horizon_us, left).money;
        }
    }
    return split_part(c, m, o, cover, f->horizon_us, left);
}

static void take(money_t *from, money_t amount)
{
    *from -= amount; /* both are parts of totals that fit */
}

static void spread(const struct rating_frame *f, double *buckets, int64_t from_us, int64_t to_us,
                   double units)
{
    double length = (double)(to_us - from_us);
    for (size_t b = (size_t)((from_us > 0 ? from_us : 0) / f->bucket_us); b < f->buckets; b++) {
        int64_t low = (int64_t)b * f->bucket_us;
        int64_t high = b + 1 < f->buckets ? low + f->bucket_us : INT64_MAX;
        int64_t a = from_us > low ? from_us : low;
        int64_t z = to_us < high ? to_us : high;
        if (a >= to_us) {
            break;
        }
        buckets[b] += z > a ? units * (double)(z - a) / length : 0;
    }
}

/* Takes an amount off what was charged for these hours; part: of it inside the horizon. */
static void take_off(const struct pass *p, const struct coverage_outcome *o, money_t amount,
                     money_t part)
{
    struct bill *b = p->bill;
    const int64_t horizon_us = p->frame->horizon_us;
    take(&b->cost, amount);
    if (p->frame->months > 0) {
        take(&b->month[bill_month(p->frame, o->from_us)], amount);
    }
    if (o->from_us < horizon_us) {
        take(&b->cash, part);
        take(&b->amortised, part);
        if (p->spend_units != NULL && p->frame->buckets > 0) {
            int64_t to_us = o->to_us < horizon_us ? o->to_us : horizon_us;
            spread(p->frame, p->spend_units, o->from_us, to_us, -money_to_double(part));
        }
    }
}

/* What is covered is no on-demand usage: what was taken off for a discount is charged again. */
static void give_back_discount(struct pass *p, const struct coverage_outcome *o,
                               const struct coverage_cover *cover,
                               const struct committed_part *whole,
                               const struct committed_part *inside)
{
    size_t pool = pool_of_slot(p->c, cover->slot);
    money_t rate = money_share(price_of_pool(p->market, pool, o->from_us),
                               p->discount->of_pool[pool], p->discount->whole);
    money_t back = money_for_time(rate, cover->us);
    money_t part = whole->worth > 0 ? money_share(back, inside->worth, whole->worth) : 0;
    accumulate(&p->discount_back, back, &p->bill->overflow);
    accumulate(&p->bill->other[p->discount->item], back, &p->bill->overflow);
    take_off(p, o, -back, -part);
}

static void hours_matched(void *context, const struct coverage_outcome *o)
{
    struct pass *p = context;
    struct bill *b = p->bill;
    const int64_t horizon_us = p->frame->horizon_us;
    bool inside = o->from_us < horizon_us;
    for (size_t i = 0; i < o->cover_count; i++) {
        const struct coverage_cover *cover = &o->covers[i];
        const struct committed_part whole = committed_whole(p->c, p->market, o, i);
        const struct committed_part part =
            o->to_us <= horizon_us ? whole : committed_inside(p->c, p->frame, p->market, o, i);
        money_t worth = whole.worth;
        struct committed_account *account = &p->c->accounts[cover->commitment];
        accumulate(&b->committed.covered, worth, &b->overflow);
        accumulate(&account->covered, worth, &b->overflow);
        account->covered_us += cover->us;
        p->pieces++;
        p->last.commitment = cover->commitment;
        p->last.month = p->frame->months > 0 ? bill_month(p->frame, o->from_us) : 0;
        p->last.inside = inside;
        take_off(p, o, worth, part.worth);
        if (p->discount != NULL) {
            give_back_discount(p, o, cover, &whole, &part);
        }
        p->c->used_inside[cover->commitment] += part.money;
    }
    for (size_t k = 0; k < p->c->plan->count; k++) {
        accumulate(&b->committed.used, o->used[k], &b->overflow);
        p->c->accounts[k].used += o->used[k];
    }
    b->overflow = b->overflow || o->overflow;
}

/* Charges are rounded node by node and covered time piece by piece, so that the pieces of what is
 * covered in full may come to some nano-units more than its charge: they are given back, since
 * nobody is charged less than nothing on demand. More than rounding is not touched. */
static void correct(const struct pass *p, money_t amount)
{
    struct bill *b = p->bill;
    accumulate(&b->cost, amount, &b->overflow);
    if (p->frame->months > 0) {
        accumulate(&b->month[p->last.month], amount, &b->overflow);
    }
    if (p->last.inside) {
        accumulate(&b->cash, amount, &b->overflow);
        accumulate(&b->amortised, amount, &b->overflow);
    }
}

static bool is_rounding(const struct pass *p, money_t excess)
{
    return excess > 0 && excess <= p->pieces;
}

static void give_back_rounding(const struct pass *p, money_t charged)
{
    struct bill *b = p->bill;
    money_t excess = b->committed.covered - charged;
    if (is_rounding(p, excess)) {
        take(&b->committed.covered, excess);
        take(&p->c->accounts[p->last.commitment].covered, excess);
        correct(p, excess);
    }
    excess = p->discount == NULL ? 0 : p->discount_back - p->discount->given;
    if (is_rounding(p, excess)) {
        take(&b->other[p->discount->item], excess);
        correct(p, -excess);
    }
}

/* ---- what was signed ---- */

static void add_signed(const struct pass *p)
{
    const struct rating_frame *f = p->frame;
    const struct commitment_plan *plan = p->c->plan;
    struct bill *b = p->bill;
    for (size_t k = 0; k < plan->count; k++) {
        const struct commitment *c = &plan->items[k];
        money_t total = commitment_total(c);
        money_t amortised = commitment_amortised(c, INT64_MIN / 4, f->horizon_us);
        money_t reused = (money_t)llround((double)(total - amortised) * plan->reuse[k]);
        accumulate(&b->obligation, commitment_obligation(c), &b->overflow);
        accumulate(&b->cash, commitment_paid(c, INT64_MIN / 4, f->horizon_us), &b->overflow);
        accumulate(&b->amortised, amortised, &b->overflow);
        accumulate(&b->cost, total - reused, &b->overflow);
        /* Usage after the horizon (finishing late) is covered by what is paid then anyway. */
        struct committed_account *account = &p->c->accounts[k];
        account->unused = amortised - p->c->used_inside[k];
        account->later = total - amortised - reused - (account->used - p->c->used_inside[k]);
        accumulate(&b->committed.unused, account->unused, &b->overflow);
        accumulate(&b->committed.later, account->later, &b->overflow);
        for (size_t month = 0; month < f->months; month++) {
            int64_t from_us = month == 0 ? INT64_MIN / 4 : f->month_start_us[month];
            int64_t to_us = month + 1 < f->months ? f->month_start_us[month + 1] : f->horizon_us;
            to_us = to_us < f->horizon_us ? to_us : f->horizon_us;
            if (from_us < to_us) {
                accumulate(&b->month[month], commitment_amortised(c, from_us, to_us), &b->overflow);
            }
        }
        if (f->months > 0) {
            accumulate(&b->month[f->months - 1], total - amortised - reused, &b->overflow);
        }
        for (size_t i = 0; p->spend_units != NULL && i < f->buckets; i++) {
            int64_t from_us = i == 0 ? INT64_MIN / 4 : (int64_t)i * f->bucket_us;
            int64_t to_us = i + 1 < f->buckets ? ((int64_t)i + 1) * f->bucket_us : f->horizon_us;
            p->spend_units[i] += money_to_double(commitment_paid(c, from_us, to_us));
        }
    }
}

/* The end of the clock hour that holds the instant: a commitment covers its whole clock hour,
 * however early in it usage ends. */
static int64_t clock_hour_end(int64_t at_us, int64_t start_unix_s)
{
    int64_t phase_us = start_unix_s % 3600 * MICROSECONDS;
    int64_t into_us = (at_us + phase_us) % HOUR_US;
    return into_us == 0 ? at_us : at_us + HOUR_US - into_us;
}

enum committed_status committed_walk(struct committed *c, const struct rating_frame *f,
                                     struct market *m, const struct usage_log *log,
                                     void (*sink)(void *context, const struct coverage_outcome *o),
                                     void *context, int64_t *until_us)
{
    int64_t end_us;
    *until_us = 0;
    if (!gather_changes(c, log, &end_us) || !gather_cuts(c, f, m, end_us)) {
        return COMMITTED_NO_MEMORY;
    }
    if (end_us == 0) {
        return COMMITTED_OK;
    }
    *until_us = clock_hour_end(end_us, f->start_unix_s);
    const struct coverage_span span = {.to_us = *until_us,
                                       .start_unix_s = f->start_unix_s,
                                       .cut_us = c->cuts,
                                       .cut_count = c->cut_count};
    enum coverage_run_end end =
        coverage_run(c->run, c->changes, c->change_count, &span, sink, context);
    assert(end != COVERAGE_RUN_NEGATIVE); /* records end after they begin */
    return end == COVERAGE_RUN_TOO_MUCH ? COMMITTED_TOO_MANY
           : end == COVERAGE_RUN_DONE   ? COMMITTED_OK
                                        : COMMITTED_OVERFLOW;
}

enum committed_status committed_rate(struct committed *c, const struct rating_frame *f,
                                     struct market *m, const struct usage_log *log, money_t charged,
                                     const struct covered_discount *discount, struct bill *bill,
                                     double *spend_units)
{
    struct pass p = {.c = c,
                     .frame = f,
                     .market = m,
                     .bill = bill,
                     .spend_units = spend_units,
                     .discount = discount};
    int64_t until_us;
    memset(c->accounts, 0, c->plan->count * sizeof *c->accounts);
    memset(c->used_inside, 0, c->plan->count * sizeof *c->used_inside);
    enum committed_status status = committed_walk(c, f, m, log, hours_matched, &p, &until_us);
    if (status == COMMITTED_OVERFLOW) {
        bill->overflow = true;
    } else if (status != COMMITTED_OK) {
        return status;
    }
    if (!bill->overflow) {
        give_back_rounding(&p, charged);
    }
    add_signed(&p);
    return COMMITTED_OK;
}
