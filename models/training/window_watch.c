/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/window_watch.h"

#include <math.h>

void window_watch_init(struct window_watch *w, struct calendar *calendar,
                       const struct market_plan *market, int pool, double before_s,
                       void (*closes)(void *owner), void *owner)
{
    *w = (struct window_watch){.calendar = calendar,
                               .before_s = before_s,
                               .closes = closes,
                               .owner = owner,
                               .event = EVENT_NONE};
    if (pool >= 0) {
        w->count = market_plan_windows(market, pool, &w->windows);
    }
}

void window_watch_reset(struct window_watch *w)
{
    w->event = EVENT_NONE;
    w->closed_until_s = 0;
    w->failed = false;
}

static void window_closes(void *actor, uint64_t tag);

static void watch_next(struct window_watch *w, double after_s)
{
    const double now_s = w->calendar->now_s;
    w->end_s = market_windows_fall_s(w->windows, w->count, after_s);
    if (w->end_s - w->before_s <= now_s) {
        w->closed_until_s = w->end_s; /* too late for this one */
    }
    if (isfinite(w->end_s)) {
        double at_s = fmax(now_s, w->end_s - w->before_s);
        w->failed = w->failed || calendar_schedule(w->calendar, at_s, EVENT_POLICY, window_closes,
                                                   w, 0, &w->event) != CALENDAR_OK;
    }
}

static void window_closes(void *actor, uint64_t tag)
{
    struct window_watch *w = actor;
    (void)tag;
    w->event = EVENT_NONE;
    w->closed_until_s = w->end_s;
    watch_next(w, w->end_s);
    w->closes(w->owner);
}

void window_watch_start(struct window_watch *w)
{
    watch_next(w, w->calendar->now_s);
}

void window_watch_stop(struct window_watch *w)
{
    calendar_cancel(w->calendar, w->event);
    w->event = EVENT_NONE;
}

bool window_watch_closed(const struct window_watch *w)
{
    return w->calendar->now_s < w->closed_until_s;
}

bool window_watch_to_come(const struct window_watch *w, uint32_t nodes)
{
    double from_s = fmax(w->calendar->now_s, w->closed_until_s);
    return isfinite(market_windows_open_s(w->windows, w->count, from_s, nodes));
}
