/* SPDX-License-Identifier: GPL-3.0-or-later
 * Under the table of results: what the cost hangs on, and what it would be worth to know it. */
#ifndef FLEETCAST_PLOTS_DRIVER_LINES_H
#define FLEETCAST_PLOTS_DRIVER_LINES_H

#include "plots/facts/study_facts.h"
#include "plots/text/terminal_table.h"

#include <stdbool.h>
#include <stdio.h>

/* At most two paragraphs; none for a table that is NULL or has no rows. What is worth knowing is
 * said only of what surely has a worth. False when they could not be written, or a table lacks a
 * column (told). */
bool driver_lines(const struct study_facts *f, const struct table *sensitivity,
                  const struct table *information, int decimals, const struct terminal_style *style,
                  FILE *out, struct diagnostics *d);

#endif
