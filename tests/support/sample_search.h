/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tables of a search of made-up plans: three on the front, the middle one chosen, one not
 * finished, one far away. */
#ifndef FLEETCAST_TESTS_SAMPLE_SEARCH_H
#define FLEETCAST_TESTS_SAMPLE_SEARCH_H

#include "engine/table.h"

/* NULL when out of memory. */
struct table *sample_candidates_table(void);
struct table *sample_front_table(void);
/* Two offers at three sizes each. */
struct table *sample_offers_table(void);

#endif
