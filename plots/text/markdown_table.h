/* SPDX-License-Identifier: GPL-3.0-or-later
 * Any table as a Markdown table, and any text so that Markdown reads it as text. */
#ifndef FLEETCAST_PLOTS_MARKDOWN_TABLE_H
#define FLEETCAST_PLOTS_MARKDOWN_TABLE_H

#include "engine/table.h"

#include <stdbool.h>
#include <stdio.h>

/* What Markdown or HTML would take for a mark is escaped, line breaks become spaces, control
 * characters and those that change the direction of text become visible. */
void markdown_put_text(FILE *out, const char *text);
/* Columns in which nothing stands are left out. Headings are the columns' names with spaces for
 * underscores; numbers stand to the right. False on a write error (errno holds). */
bool markdown_table_write(const struct table *t, FILE *out);

#endif
