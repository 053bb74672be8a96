/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/interval_backlog.h"

#include <stdlib.h>

/* Steps that still wait; older ones are joined two by two, which keeps their mean wait. */
enum { MOST_PARCELS = 1 << 14 };

static struct backlog_parcel *at(const struct interval_backlog *b, size_t i)
{
    return &b->parcels[(b->first + i) % b->capacity];
}

void interval_backlog_clear(struct interval_backlog *b)
{
    b->first = b->count = 0;
    b->amount = 0;
}

void interval_backlog_release(struct interval_backlog *b)
{
    free(b->parcels);
    *b = (struct interval_backlog){0};
}

static bool grow(struct interval_backlog *b)
{
    size_t capacity = b->capacity == 0 ? 64 : 2 * b->capacity;
    struct backlog_parcel *parcels = malloc(capacity * sizeof *parcels);
    if (parcels == NULL) {
        return false;
    }
    for (size_t i = 0; i < b->count; i++) {
        parcels[i] = *at(b, i);
    }
    free(b->parcels);
    b->parcels = parcels;
    b->capacity = capacity;
    b->first = 0;
    return true;
}

static void join(struct interval_backlog *b)
{
    size_t half = b->count / 2;
    for (size_t i = 0; i < half; i++) {
        const struct backlog_parcel one = *at(b, 2 * i), other = *at(b, 2 * i + 1);
        struct backlog_parcel both = {one.from_s, other.to_s, one.amount + other.amount,
                                      one.below_per_s, one.mix};
        request_mix_add(&both.mix, one.amount, &other.mix, other.amount);
        *at(b, i) = both;
    }
    if (b->count % 2 == 1) {
        *at(b, half) = *at(b, b->count - 1);
    }
    b->count = half + b->count % 2;
}

bool interval_backlog_add(struct interval_backlog *b, double from_s, double to_s, double amount,
                          const struct request_mix *mix)
{
    if (!(amount > 0)) {
        return true;
    }
    if (b->count >= MOST_PARCELS) {
        join(b);
    }
    if (b->count == b->capacity && !grow(b)) {
        return false;
    }
    *at(b, b->count++) = (struct backlog_parcel){from_s, to_s, amount, 0, *mix};
    b->amount += amount;
    return true;
}

void interval_backlog_mark(struct interval_backlog *b, double below_per_s)
{
    if (b->count > 0) {
        at(b, b->count - 1)->below_per_s = below_per_s;
    }
}

void interval_backlog_thin(struct interval_backlog *b, double share)
{
    for (size_t i = 0; i < b->count; i++) {
        at(b, i)->amount *= share;
    }
    b->amount *= share;
}

struct backlog_parcel interval_backlog_take(struct interval_backlog *b, double amount)
{
    struct backlog_parcel *p = at(b, 0), taken = *p;
    if (amount < p->amount) {
        double share = amount / p->amount;
        taken.amount = amount;
        taken.to_s = p->from_s + share * (p->to_s - p->from_s);
        p->from_s = taken.to_s;
        p->amount -= amount;
        b->amount -= amount;
        return taken;
    }
    b->first = (b->first + 1) % b->capacity;
    b->count--;
    b->amount = b->count == 0 ? 0 : b->amount - taken.amount;
    return taken;
}
