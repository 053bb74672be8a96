/* SPDX-License-Identifier: GPL-3.0-or-later
 * Windows that a strategy has bought (Capacity Blocks) as rows of an export: the purchase, and what
 * of each nothing used, by month. What nodes used of them stands in the nodes' rows, which bill
 * nothing: all is paid at the purchase. */
#ifndef FLEETCAST_MODELS_FOCUS_WINDOWS_H
#define FLEETCAST_MODELS_FOCUS_WINDOWS_H

#include "models/billing/focus_rows.h"

#include <stdbool.h>
#include <stddef.h>

struct focus_window {
    int pool;
    const struct market_window *window;
    money_t total; /* its price in the world */
};

struct focus_windows {
    struct focus_window *items;
    size_t count;
    money_t *used; /* by window: months inside the horizon, months past it */
};

struct focus_making;

/* Those of the world. False when out of memory; release is due either way. */
bool focus_windows_init(struct focus_windows *f, const struct focus_world *w);
void focus_windows_release(struct focus_windows *f);
/* The window of this pool whose price holds then, counted from 1; 0: the pool has none. */
size_t focus_windows_at(const struct focus_windows *f, int pool, int64_t at_us);
/* A node's row used so much of a window; the row lies in one month and on one side of the horizon.
 */
void focus_windows_use(struct focus_making *m, size_t window, int64_t at_us, money_t amount);
/* After all nodes. */
void focus_put_windows(struct focus_making *m);

#endif
