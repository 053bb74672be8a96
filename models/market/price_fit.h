/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a trace says of prices: their level, and by how much the mean over the next hours or days
 * differs from the price at its beginning, which is the error of a plan that takes the price for
 * constant. From all starting points, on a grid of an hour; the last known price holds where none
 * is told. */
#ifndef FLEETCAST_MODELS_PRICE_FIT_H
#define FLEETCAST_MODELS_PRICE_FIT_H

#include "models/market/trace.h"

#include <stdbool.h>
#include <stddef.h>

#define PRICE_FIT_SHORT_S (48 * 3600.0)
#define PRICE_FIT_LONG_S  (30 * 86400.0)

struct price_error {
    bool known;         /* the trace is longer than that */
    double median, p90; /* of |mean over that time / price at its begin - 1| */
};

struct price_fit {
    double observed_s; /* from the first price on */
    double mean, least, most, last;
    size_t changes;
    struct price_error over_short, over_long;
};

/* has_price must hold. False when out of memory. */
bool price_fit_make(struct price_fit *f, const struct trace *t);

#endif
