/* SPDX-License-Identifier: GPL-3.0-or-later
 * Small tables written as text in a test. */
#ifndef FLEETCAST_TESTS_TEXT_TABLE_H
#define FLEETCAST_TESTS_TEXT_TABLE_H

#include "engine/table.h"

/* columns: "strategy:t,start_s": names, ":t" behind those of text, the others are numbers. rows:
 * "a,0\nb,1\n"; an empty cell is missing. NULL when out of memory. */
struct table *text_table(const char *name, const char *columns, const char *rows);

#endif
