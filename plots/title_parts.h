/* SPDX-License-Identifier: GPL-3.0-or-later
 * Phrases that the titles have in common; the rules stand in titles.h. */
#ifndef FLEETCAST_PLOTS_TITLE_PARTS_H
#define FLEETCAST_PLOTS_TITLE_PARTS_H

#include "engine/text.h"
#include "plots/figures.h"
#include "plots/study_facts.h"

#include <stdbool.h>

struct title_words {
    char text[512];
};

/* The strategy's name, shortened so that a sentence about two of them fits a page. */
struct title_words title_name(const struct study_facts *f, int index);
struct figure title_money(const struct study_facts *f, double value, enum figure_rounding r);
struct figure title_budget(const struct study_facts *f);
/* "in 93 of 100 futures"; at_least: "in at least 92 of 100 futures", rounded down. */
struct title_words title_in_futures(double share, double n, bool at_least);

/* Nobody stands. */
void title_unfinished(struct text *out, const struct study_facts *f);
/* "X costs $2,410 in the one simulated future", or in every future; false, and nothing added, when
 * neither holds. */
bool title_no_spread(struct text *out, const struct study_facts *f, int x);
/* The above, else "X: 9 in 10 futures cost at most $2,610". */
void title_level(struct text *out, const struct study_facts *f, int x);

#endif
