/* SPDX-License-Identifier: GPL-3.0-or-later
 * Text under a table, as the terminal can show it. */
#ifndef FLEETCAST_PLOTS_TERMINAL_LINE_H
#define FLEETCAST_PLOTS_TERMINAL_LINE_H

#include "plots/text/terminal_table.h"

#include <stdbool.h>
#include <stdio.h>

/* One line, however long. False when it could not be written. */
bool terminal_line(const struct terminal_style *style, FILE *out, const char *text);
/* One paragraph, broken at spaces to the width of the terminal, 100 columns at most; all lines but
 * the first are indented. */
bool terminal_paragraph(const struct terminal_style *style, FILE *out, const char *text);

#endif
