/* SPDX-License-Identifier: GPL-3.0-or-later
 * The title of the front of cost and time, by these rules: no plan: "No plan …"; one member: it is
 * the cheapest and the fastest; the intervals of cost of its ends overlap: no clear difference in
 * cost; those of time do: no clear difference in time; else what the fastest costs more and how
 * much sooner it is done. */
#ifndef FLEETCAST_PLOTS_TITLE_FRONT_H
#define FLEETCAST_PLOTS_TITLE_FRONT_H

#include "engine/text.h"
#include "plots/facts/front_points.h"

void title_front(struct text *out, const struct front_points *p, const char *currency);

/* "cost_usd.p80" in words, "P80 cost": noun is what the metric is called. What is no quantile,
 * mean, least or most of the metric stays as it is. */
void front_measure_words(struct text *out, const char *measure, const char *metric,
                         const char *noun);

#endif
