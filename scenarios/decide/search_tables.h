/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a search found, as tables: candidates.csv and front.csv. */
#ifndef FLEETCAST_SCENARIOS_SEARCH_TABLES_H
#define FLEETCAST_SCENARIOS_SEARCH_TABLES_H

#include "engine/table.h"
#include "scenarios/decide/search.h"

/* Both are the caller's; NULL when memory was out. */
struct table *search_table_candidates(const struct search *s);
struct table *search_table_front(const struct search *s);

#endif
