/* SPDX-License-Identifier: GPL-3.0-or-later
 * A quantile as people read it, known or not. Work that was cut off may leave a quantile between
 * two sure bounds, or with a lower one alone. Rounding hides a narrow gap: where both bounds are
 * the same figure, that figure is the truth; where they are near each other, both are shown; else
 * the lower one, as such. */
#ifndef FLEETCAST_PLOTS_QUANTILE_TEXT_H
#define FLEETCAST_PLOTS_QUANTILE_TEXT_H

#include "plots/facts/study_facts.h"
#include "plots/text/figures.h"

/* Bounds are shown as a range up to this distance, as a share of the lower one. */
#define QUANTILE_RANGE_MAX 0.05

enum quantile_style {
    QUANTILE_FULL, /* "$2,330 to $2,350", lower bound down, upper up */
    QUANTILE_SHORT /* ">= $2,330" in its place, where there is no room */
};

/* "$2,410", "$2,330 to $2,350", ">= $2,410" or "unknown". */
struct figure quantile_money(const struct fact_quantile *q, const char *currency,
                             enum quantile_style style);
/* The same as a plain amount with `decimals`, for tables: "2,332 to 2,343". */
struct figure quantile_amount(const struct fact_quantile *q, int decimals);
/* "3.52 d", "3.50 to 3.55 d", ">= 60.0 d". */
struct figure quantile_time(const struct fact_quantile *q, enum time_unit unit,
                            enum quantile_style style);

#endif
