/* SPDX-License-Identifier: GPL-3.0-or-later
 * Phrases that the titles have in common; the rules stand in titles.h. */
#ifndef FLEETCAST_PLOTS_TITLE_PARTS_H
#define FLEETCAST_PLOTS_TITLE_PARTS_H

#include "engine/text.h"
#include "plots/facts/study_facts.h"
#include "plots/text/figures.h"

#include <stdbool.h>

struct title_words {
    char text[512];
};

/* The strategy's name, shortened so that a sentence about two of them fits a page. */
struct title_words title_name(const struct study_facts *f, int index);
struct figure title_money(const struct study_facts *f, double value, enum figure_rounding r);
/* A quantile or its bounds: "$2,410", "$2,330 to $2,350". */
struct figure title_quantile(const struct study_facts *f, const struct fact_quantile *q);
/* "the $6,000 budget", or "its budget (P50 $6,000, uncertain)" when each world has its own. */
struct title_words title_budget(const struct study_facts *f);
/* "in 93 of 100 futures"; at_least: "in at least 92 of 100 futures", rounded down. */
struct title_words title_in_futures(double share, double n, bool at_least);

/* Nobody stands. */
void title_unfinished(struct text *out, const struct study_facts *f);
/* "X costs $2,410 in the one simulated future", or in every future; false, and nothing added, when
 * neither holds. */
bool title_no_spread(struct text *out, const struct study_facts *f, int x);
/* The above, else "X: 9 in 10 futures cost at most $2,610", or all of them when the dearest does.
 */
void title_level(struct text *out, const struct study_facts *f, int x);

#endif
