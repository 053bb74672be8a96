/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a search of commitments found, as tables. */
#ifndef FLEETCAST_SCENARIOS_COMMIT_TABLES_H
#define FLEETCAST_SCENARIOS_COMMIT_TABLES_H

#include "engine/table.h"
#include "engine/text.h"
#include "scenarios/decide/commit_search.h"

/* A portfolio that is judged on fresh worlds. */
struct commit_choice {
    const char *name; /* "nothing", "as listed", "least mean", … */
    struct commit_point point;
};

enum { COMMIT_LEVEL_COLUMNS = 14, COMMIT_PORTFOLIO_COLUMNS = 14 };
extern const struct column commit_level_columns[COMMIT_LEVEL_COLUMNS];
extern const struct column commit_portfolio_columns[COMMIT_PORTFOLIO_COLUMNS];

/* offer_levels: every size of every commitment alone that was looked at. NULL: out of memory. */
struct table *commit_levels_table(const struct commit_search *s);
/* portfolios: the first choice is signing nothing. NULL when out of memory. */
struct table *commit_portfolios_table(const struct commit_worlds *w,
                                      const struct commit_choice *choices, size_t count);

/* "p4d.24xlarge, 1-year standard no-upfront": what the k-th commitment of the strategy is. */
void commit_offer_text(const struct commit_worlds *w, size_t item, struct text *out);
/* "3 x p4d.24xlarge, 1-year …; 4.25/h of 1-year compute savings plan …"; "nothing". */
void commit_sizes_text(const struct commit_worlds *w, const double *sizes, struct text *out);

#endif
