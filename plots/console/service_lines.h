/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is said under the table that `run` prints of services: in how many hours of the plan world
 * more came than could be served. */
#ifndef FLEETCAST_PLOTS_SERVICE_LINES_H
#define FLEETCAST_PLOTS_SERVICE_LINES_H

#include "engine/diagnostics.h"
#include "engine/table.h"
#include "plots/text/terminal_table.h"

#include <stdbool.h>
#include <stdio.h>

/* Nothing where services is NULL or nothing is overloaded. False on a missing column (told in d),
 * a write error or without memory. */
bool service_lines(const struct table *services, const struct terminal_style *style, FILE *out,
                   struct diagnostics *d);

#endif
