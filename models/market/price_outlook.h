/* SPDX-License-Identifier: GPL-3.0-or-later
 * What list prices may do after the date on which they are known: dated changes that the scenario
 * states, and cuts that nobody has announced. This is the plan's half, read only once it is built;
 * price_paths.h draws a world's.
 *
 * Cuts are a Poisson process for each instance family; all types, sizes and zones of a family move
 * together, as they did in the price history. A provider dates its prices by day: a cut holds from
 * the midnight (UTC) after its instant on, so that a clock hour keeps one price. Where prices are
 * known beyond the start, cuts begin after that date. */
#ifndef FLEETCAST_MODELS_PRICE_OUTLOOK_H
#define FLEETCAST_MODELS_PRICE_OUTLOOK_H

#include "models/market/market.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whose price a change reaches: one type under one way to buy. */
struct price_reach {
    const struct instance_type *type;
    enum purchase purchase;
    const size_t *changes; /* indices into the outlook's changes, by time */
    size_t change_count;
    int family; /* index into the outlook's families; -1: never cut */
};

struct price_family {
    const char *name;
    uint64_t time_source, size_source; /* index = ordinal of the cut */
};

struct price_change {
    const struct price_change_spec *spec;
    double at_s;
    bool known; /* at the start */
};

struct price_outlook {
    const struct market_spec *spec;
    struct market_context context;
    struct price_change *changes; /* by time */
    size_t change_count;
    bool cuts;           /* prices of some family are cut in some worlds */
    bool cuts_told;      /* the defaults are registered */
    struct number rate;  /* per second */
    struct variate size; /* share taken off */
    double cuts_from_s;  /* no instant before it */
    struct price_family *families;
    size_t family_count, family_capacity;
    struct price_reach *reaches;
    size_t reach_count, reach_capacity;
};

/* What is wrong in the spec is told in the context's diagnostics. False when memory is out. */
bool price_outlook_init(struct price_outlook *o, const struct market_spec *spec,
                        const struct market_context *context);
/* Index of the reach, made when it is asked for first; -1 when memory is out. */
int price_outlook_reach(struct price_outlook *o, const struct instance_type *type,
                        enum purchase purchase);
/* False when the reach's price never changes. */
bool price_outlook_moves(const struct price_outlook *o, int reach);
/* Price at t over the price without all this, as planning sees it: changes known at the start, at
 * their medians, and no cuts. *until_s (may be NULL): the next change, +infinity if none. */
double price_outlook_planned(const struct price_outlook *o, int reach, double t_s, double *until_s);

#endif
