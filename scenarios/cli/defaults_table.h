/* SPDX-License-Identifier: GPL-3.0-or-later
 * Every key of a scenario with its kind, unit and default, as a table: `show defaults`. */
#ifndef FLEETCAST_SCENARIOS_DEFAULTS_TABLE_H
#define FLEETCAST_SCENARIOS_DEFAULTS_TABLE_H

#include "engine/schema.h"
#include "engine/table.h"

/* pattern: a glob on the dotted path; NULL: all. NULL when out of memory. */
struct table *defaults_table(const struct schema *root, const char *pattern);

#endif
