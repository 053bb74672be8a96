/* SPDX-License-Identifier: GPL-3.0-or-later
 * The windows of capacity blocks as a job sees them: it knows beforehand when each closes, and is
 * called in time to save its work. From then on to the window's end the block counts as closed, so
 * that nobody goes back into its last minutes. */
#ifndef FLEETCAST_MODELS_WINDOW_WATCH_H
#define FLEETCAST_MODELS_WINDOW_WATCH_H

#include "engine/calendar.h"
#include "models/market/market.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Read only for owners. */
struct window_watch {
    struct calendar *calendar;
    const struct market_window *windows;
    size_t count;
    double before_s;
    void (*closes)(void *owner);
    void *owner;
    double end_s;          /* of the window watched */
    double closed_until_s; /* by then it opens again, if it ever does */
    struct event_id event;
    bool failed; /* the calendar is full */
};

/* closes is called before_s before nodes of the pool go. pool < 0: there are no windows. */
void window_watch_init(struct window_watch *w, struct calendar *calendar,
                       const struct market_plan *market, int pool, double before_s,
                       void (*closes)(void *owner), void *owner);
/* For a new world: nothing is watched, nothing closed. */
void window_watch_reset(struct window_watch *w);
/* Watches from now on. */
void window_watch_start(struct window_watch *w);
void window_watch_stop(struct window_watch *w);
bool window_watch_closed(const struct window_watch *w);
/* True when a window that holds so many nodes is open, or opens later. */
bool window_watch_to_come(const struct window_watch *w, uint32_t nodes);

#endif
