/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/held_walk.h"

#include "models/billing/matched_hours.h"

#include <stdlib.h>

struct held_walk {
    const struct reservation_plan *plan;
    struct coverage_change *running; /* of one pool */
    size_t count, capacity;
};

struct held_walk *held_walk_new(const struct reservation_plan *plan)
{
    struct held_walk *w = calloc(1, sizeof *w);
    if (w != NULL) {
        w->plan = plan;
    }
    return w;
}

void held_walk_free(struct held_walk *w)
{
    if (w != NULL) {
        free(w->running);
        free(w);
    }
}

/* ---- what runs in a pool ---- */

static bool add_running(struct held_walk *w, int64_t at_us, int64_t delta)
{
    if (w->count == w->capacity) {
        size_t capacity = w->capacity == 0 ? 64 : 2 * w->capacity;
        struct coverage_change *grown = realloc(w->running, capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        w->running = grown;
        w->capacity = capacity;
    }
    w->running[w->count++] = (struct coverage_change){.at_us = at_us, .delta = (int32_t)delta};
    return true;
}

static bool gather_running(struct held_walk *w, const struct usage_log *log, int pool)
{
    w->count = 0;
    for (size_t i = 0; i < log->count; i++) {
        const struct usage *u = &log->records[i];
        if (u->pool == pool && u->end_us > u->start_us &&
            (!add_running(w, u->start_us, usage_nodes(u)) ||
             !add_running(w, u->end_us, -usage_nodes(u)))) {
            return false;
        }
    }
    if (w->count > 0) {
        coverage_changes_sort(w->running, w->count);
    }
    return true;
}

/* ---- one reservation ---- */

/* Instances that reservations before this one hold at an instant, and their next change. */
static int64_t held_before(const struct reservation_plan *plan, size_t item, int64_t at_us,
                           int64_t *next_us)
{
    int64_t sum = 0;
    for (size_t i = 0; i < item; i++) {
        const struct held_capacity *h = &plan->items[i];
        if (h->pool != plan->items[item].pool) {
            continue;
        }
        sum += h->from_us <= at_us && at_us < h->to_us ? h->count : 0;
        if (h->from_us > at_us && h->from_us < *next_us) {
            *next_us = h->from_us;
        } else if (h->to_us > at_us && h->to_us < *next_us) {
            *next_us = h->to_us;
        }
    }
    return sum;
}

bool held_walk_item(struct held_walk *w, size_t item, struct market *m, const struct usage_log *log,
                    int64_t until_us, void (*sink)(void *context, const struct held_stretch *s),
                    void *context)
{
    const struct held_capacity *h = &w->plan->items[item];
    const int64_t end_us = h->to_us < until_us ? h->to_us : until_us;
    int64_t running = 0;
    size_t i = 0;
    if (!gather_running(w, log, h->pool)) {
        return false;
    }
    for (int64_t at_us = h->from_us, next_us; at_us < end_us; at_us = next_us) {
        for (; i < w->count && w->running[i].at_us <= at_us; i++) {
            running += w->running[i].delta;
        }
        next_us = end_us;
        int64_t left = running - held_before(w->plan, item, at_us, &next_us);
        int64_t inside = left < 0 ? 0 : left < h->count ? left : h->count;
        if (i < w->count && w->running[i].at_us < next_us) {
            next_us = w->running[i].at_us;
        }
        for (int64_t from_us = at_us, to_us; from_us < next_us; from_us = to_us) {
            money_t price = matched_price(m, h->pool, from_us, next_us, &to_us);
            sink(context, &(struct held_stretch){.from_us = from_us,
                                                 .to_us = to_us,
                                                 .inside = inside,
                                                 .idle = h->count - inside,
                                                 .per_hour = price});
        }
    }
    return true;
}
