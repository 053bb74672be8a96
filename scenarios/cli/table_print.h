/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables on standard output: for people as wide as their terminal, as CSV or as JSON. What cannot
 * be printed is told in the command's diagnostics. */
#ifndef FLEETCAST_SCENARIOS_TABLE_PRINT_H
#define FLEETCAST_SCENARIOS_TABLE_PRINT_H

#include "engine/table.h"
#include "plots/facts/chart_frame.h"
#include "plots/text/terminal_table.h"
#include "scenarios/cli/command.h"

/* As --format says. For people, the columns named in `hidden` (NULL-terminated; NULL: none) are
 * left out, and those in which nothing stands. */
void table_print(struct command *c, const struct table *t, const char *const *hidden);
/* For people, whatever --format says. */
void table_print_aligned(struct command *c, const struct table *t, const char *const *hidden);
/* The same; the texts of the column named `folded` are folded into lines rather than shortened. */
void table_print_folded(struct command *c, const struct table *t, const char *const *hidden,
                        const char *folded);

/* Columns of the terminal, or COLUMNS; else `otherwise`. */
size_t table_print_columns(size_t otherwise);
/* The width is that of the terminal, or COLUMNS, else `otherwise` (0: no limit). */
struct terminal_style table_print_style(const struct command *c, size_t otherwise);

#endif
