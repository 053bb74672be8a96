/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/interval_retries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fewer requests are none. */
#define LEAST_REQUESTS 1e-9

void interval_retries_begin(struct interval_retries *r, size_t most, double after_s)
{
    r->most = most;
    r->after_s = after_s;
    r->first = r->count = 0;
    r->amount = 0;
}

void interval_retries_release(struct interval_retries *r)
{
    free(r->batches);
    *r = (struct interval_retries){0};
}

struct request_mix request_mix_fresh(void)
{
    return (struct request_mix){.share = {1}};
}

void request_mix_add(struct request_mix *mix, double amount, const struct request_mix *other,
                     double more)
{
    double all = amount + more;
    if (!(more > 0) || !(all > 0)) {
        return;
    }
    for (size_t k = 0; k <= INTERVAL_MOST_RETRIES; k++) {
        double here = amount * mix->share[k], there = more * other->share[k];
        if (here + there > 0) {
            mix->age_s[k] = (here * mix->age_s[k] + there * other->age_s[k]) / (here + there);
        }
        mix->share[k] = (here + there) / all;
    }
}

static struct retry_batch *at(const struct interval_retries *r, size_t i)
{
    return &r->batches[(r->first + i) % r->capacity];
}

static bool grow(struct interval_retries *r)
{
    size_t capacity = r->capacity == 0 ? 16 : 2 * r->capacity;
    struct retry_batch *batches = malloc(capacity * sizeof *batches);
    if (batches == NULL) {
        return false;
    }
    for (size_t i = 0; i < r->count; i++) {
        batches[i] = *at(r, i);
    }
    free(r->batches);
    r->batches = batches;
    r->capacity = capacity;
    r->first = 0;
    return true;
}

double interval_retries_fail(struct interval_retries *r, const struct request_mix *mix,
                             double amount, double waited_s, double now_s, bool *good)
{
    *good = true;
    if (r->most == 0 || !(amount > LEAST_REQUESTS)) {
        return 0;
    }
    struct retry_batch b = {.due_s = now_s + r->after_s};
    for (size_t k = 0; k < r->most; k++) {
        b.mix.share[k + 1] = mix->share[k];
        b.mix.age_s[k + 1] = mix->age_s[k] + waited_s + r->after_s;
        b.amount += amount * mix->share[k];
    }
    if (!(b.amount > LEAST_REQUESTS)) {
        return 0;
    }
    for (size_t k = 1; k <= r->most; k++) {
        b.mix.share[k] *= amount / b.amount;
    }
    if (r->count == r->capacity && !grow(r)) {
        *good = false;
        return 0;
    }
    *at(r, r->count++) = b;
    r->amount += b.amount;
    return b.amount;
}

double interval_retries_take(struct interval_retries *r, double by_s, double fresh,
                             struct request_mix *mix)
{
    double taken = 0;
    while (r->count > 0 && at(r, 0)->due_s <= by_s) {
        const struct retry_batch *b = at(r, 0);
        request_mix_add(mix, fresh + taken, &b->mix, b->amount);
        taken += b->amount;
        r->first = (r->first + 1) % r->capacity;
        r->count--;
    }
    r->amount = r->count == 0 ? 0 : r->amount - taken;
    return taken;
}

void interval_retries_return(struct interval_retries *r, const struct request_mix *mix,
                             double amount, double due_s)
{
    /* Of what was taken a place is free. */
    if (!(amount > LEAST_REQUESTS) || r->count == r->capacity) {
        return;
    }
    struct retry_batch b = {.due_s = due_s, .amount = amount, .mix = *mix};
    double again = 1 - b.mix.share[0];
    if (!(again > 0)) {
        return;
    }
    b.mix.share[0] = 0;
    for (size_t k = 1; k <= INTERVAL_MOST_RETRIES; k++) {
        b.mix.share[k] /= again;
    }
    r->first = (r->first + r->capacity - 1) % r->capacity;
    r->count++;
    r->batches[r->first] = b;
    r->amount += amount;
}
