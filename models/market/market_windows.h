/* SPDX-License-Identifier: GPL-3.0-or-later
 * Capacity that is known beforehand: windows of time in which so many nodes can be held and before
 * and after which none can, paid for as a whole. Capacity Blocks are such windows. They are not the
 * market's luck but what a strategy has bought, so every buyer has a pool of its own.
 *
 * Windows stand in the order of time and do not overlap; one may begin where another ends. */
#ifndef FLEETCAST_MODELS_MARKET_WINDOWS_H
#define FLEETCAST_MODELS_MARKET_WINDOWS_H

#include "engine/inputs.h"
#include "engine/money.h"
#include "models/catalogue/block_prices.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Times from the scenario's start. */
struct market_window {
    double from_s, until_s; /* nodes can be held in [from, until) */
    double paid_until_s;    /* >= until: the price is that of [from, paid_until) */
    double bought_s;        /* when it is paid, <= from */
    uint32_t nodes;         /* > 0 */
    bool whole;             /* the price is that of all nodes over all the time, not of an hour */
    bool owned;             /* it is the buyer's own: nothing is asked for it here */
    struct number price;    /* stated; not given: listed */
    const struct block_price *listed; /* the catalogue's row, of one node-hour */
    const char *name;                 /* as the user knows it, for messages and tables */
};

/* Nodes that can be held at t (right-continuous). */
uint32_t market_windows_nodes(const struct market_window *w, size_t count, double t_s);
/* The first time > t at which min(nodes, cap) differs from its value at t; +infinity: never. */
double market_windows_next_change(const struct market_window *w, size_t count, double t_s,
                                  uint32_t cap);
/* The first time >= t at which so many nodes can be held; +infinity: never again. */
double market_windows_open_s(const struct market_window *w, size_t count, double t_s,
                             uint32_t nodes);
/* The first time > t at which fewer nodes can be held than just before; +infinity: never again. */
double market_windows_fall_s(const struct market_window *w, size_t count, double t_s);
/* The window whose price holds at t: the last that has begun, else the first. count > 0. */
size_t market_windows_index(const struct market_window *w, size_t count, double t_s);
/* The price of all of it and, in *per_hour, that of one node-hour: the total over them, rounded.
 * drawn as of number_value. False when it is more than can be counted exactly. */
bool market_window_price(const struct market_window *w, const double *drawn, money_t *total,
                         money_t *per_hour);

#endif
