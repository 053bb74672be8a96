/* SPDX-License-Identifier: GPL-3.0-or-later
 * A report as Markdown (GitHub's, with tables), for a review or a wiki. All text is escaped: it
 * makes no markup, no HTML, no link and no mention of somebody. */
#ifndef FLEETCAST_PLOTS_REPORT_MARKDOWN_H
#define FLEETCAST_PLOTS_REPORT_MARKDOWN_H

#include "plots/report/report_document.h"

#include <stdbool.h>
#include <stdio.h>

/* Adds s so that it shows as it is, in a line or a cell. */
void report_markdown_escape(struct text *out, const char *s);
/* charts: the folder of the pictures as a link from where the file will be: "charts". False on a
 * write error or without memory. */
bool report_markdown_write(const struct report_document *r, const char *charts, FILE *out);

#endif
