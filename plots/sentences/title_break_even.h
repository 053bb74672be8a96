/* SPDX-License-Identifier: GPL-3.0-or-later
 * The title of the break-even chart, of the cheapest way W that some strategy signs. Prices are as
 * known when planning: it claims nothing of futures.
 *   - W beats on demand from a use on: "1-year standard RI, no upfront beats on-demand p4d.24xlarge
 *     when used more than 64 % of its term"; with a spot price "…, and spot above 93 %", or "…, and
 *     never beats spot". Shares are rounded up.
 *   - It costs as much as on demand in full use, or more: "… never beats on-demand p4d.24xlarge".
 *   - Its rate is assumed: "… (assumed) …" stands in its name. */
#ifndef FLEETCAST_PLOTS_TITLE_BREAK_EVEN_H
#define FLEETCAST_PLOTS_TITLE_BREAK_EVEN_H

#include "engine/text.h"
#include "plots/facts/buy_ways.h"

/* w has a signed way, and a price on demand. */
void title_break_even(struct text *out, const struct buy_ways *w);

#endif
