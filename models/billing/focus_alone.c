/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/focus_alone.h"

#include "models/billing/account_world.h"
#include "models/billing/focus_hours.h"

#include <stdlib.h>
#include <string.h>

static const struct usage_log nothing_runs = {0};

struct price_share focus_net_price(const struct focus_world *w, int pool)
{
    const struct covered_discount *d = w->discount;
    return d == NULL ? (struct price_share){1, 1}
                     : (struct price_share){d->whole - d->of_pool[pool], d->whole};
}

static bool room(struct focus_alone *a)
{
    if (a->count == a->capacity) {
        size_t capacity = a->capacity == 0 ? 256 : 2 * a->capacity;
        struct alone_piece *grown = realloc(a->pieces, capacity * sizeof *grown);
        if (grown == NULL) {
            a->end = FOCUS_NO_MEMORY;
            return false;
        }
        a->pieces = grown;
        a->capacity = capacity;
    }
    if (a->worth_count + a->slots > a->worth_capacity) {
        size_t capacity = 2 * a->worth_capacity + a->slots + 256;
        money_t *grown =
            capacity > FOCUS_STATES_MAX ? NULL : realloc(a->worth, capacity * sizeof *grown);
        if (grown == NULL) {
            a->end = capacity > FOCUS_STATES_MAX ? FOCUS_TOO_MANY : FOCUS_NO_MEMORY;
            return false;
        }
        a->worth = grown;
        a->worth_capacity = capacity;
    }
    return true;
}

/* Hours like the one that begins at from_us. */
static void keep_piece(struct focus_alone *a, const struct coverage_outcome *o, int64_t from_us,
                       int64_t to_us)
{
    const struct focus_world *w = a->world;
    const int64_t hour_us = o->hours > 1 ? from_us + HOUR_US : o->to_us;
    if (a->end != FOCUS_DONE || from_us == to_us || !room(a)) {
        return;
    }
    memset(a->by_slot, 0, a->slots * sizeof *a->by_slot);
    for (size_t i = 0; i < o->cover_count; i++) {
        a->by_slot[o->covers[i].slot] += o->covers[i].us / o->hours; /* hours are equal: exact */
    }
    a->pieces[a->count++] =
        (struct alone_piece){.from_us = from_us, .to_us = to_us, .first = a->worth_count};
    for (uint32_t slot = 0; slot < a->slots; slot++) {
        const struct price_share net = focus_net_price(w, w->alone->pool_of_slot[slot]);
        a->worth[a->worth_count++] =
            a->by_slot[slot] == 0 ? 0
                                  : matched_worth_between(w->matched_alone, w->market, slot,
                                                          a->by_slot[slot], from_us, hour_us, net);
    }
}

static void keep_outcome(void *context, const struct coverage_outcome *o)
{
    struct focus_alone *a = context;
    const int64_t last_us = account_last_hour(o);
    keep_piece(a, o, o->from_us, last_us);
    keep_piece(a, o, last_us, o->to_us);
}

enum focus_end focus_alone_init(struct focus_alone *a, const struct focus_world *w)
{
    static const enum focus_end ends[] = {[MATCHED_OK] = FOCUS_DONE,
                                          [MATCHED_OVERFLOW] = FOCUS_OVERFLOW,
                                          [MATCHED_TOO_MANY] = FOCUS_TOO_MANY,
                                          [MATCHED_NO_MEMORY] = FOCUS_NO_MEMORY};
    *a = (struct focus_alone){.world = w, .end = FOCUS_DONE};
    if (w->matched_alone == NULL) {
        return FOCUS_DONE;
    }
    int64_t until_us;
    a->slots = coverage_slots(w->alone->coverage);
    a->by_slot = calloc(a->slots + 1, sizeof *a->by_slot);
    if (a->by_slot == NULL) {
        return FOCUS_NO_MEMORY;
    }
    enum matched_status status = matched_walk(w->matched_alone, w->frame, w->market, &nothing_runs,
                                              keep_outcome, a, &until_us);
    return status == MATCHED_OK ? a->end : ends[status];
}

void focus_alone_release(struct focus_alone *a)
{
    free(a->pieces);
    free(a->worth);
    free(a->by_slot);
}

money_t focus_alone_worth(const struct focus_alone *a, size_t use, int64_t at_us, int64_t *to_us)
{
    size_t low = 0, high = a->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (a->pieces[middle].from_us <= at_us) {
            low = middle;
        } else {
            high = middle;
        }
    }
    if (low >= a->count || a->pieces[low].to_us <= at_us) {
        return 0;
    }
    const struct alone_piece *p = &a->pieces[low];
    *to_us = p->to_us < *to_us ? p->to_us : *to_us;
    return a->worth[p->first + a->world->alone->slot_of_use[use]];
}
