/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is said beside every result: the prices used with date, source and age, what was assumed
 * since nobody stated it, and what is not modelled. */
#ifndef FLEETCAST_SCENARIOS_REMARKS_H
#define FLEETCAST_SCENARIOS_REMARKS_H

#include "engine/text.h"
#include "scenarios/study/study.h"

/* Text of one or more paragraphs, wrapped to the terminal (COLUMNS), at most 100 columns. The first
 * line begins at `column`, where the cursor stands, later ones at `indent`. */
void remarks_print_wrapped(const struct text *t, int column, int indent);

/* "Scenario NAME" and what it is about: start, horizon, region, price date, budget. */
void remarks_print_scenario(const struct study *s);
/* Each pool's price at the start, and where it comes from. */
void remarks_print_prices(const struct study *s);
/* One line: what kind of prices these are, and how old the oldest in use is. */
void remarks_print_price_age(const struct study *s);
/* One paragraph with the prices that change between start and horizon; nothing when none does. */
void remarks_print_price_steps(const struct study *s);
void remarks_print_assumptions(const struct study *s);
void remarks_print_not_modelled(const struct study *s);

#endif
