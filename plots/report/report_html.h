/* SPDX-License-Identifier: GPL-3.0-or-later
 * A report as one HTML file: no script, nothing from outside (a content policy forbids both), for
 * the screen and for paper (A4 and Letter: the page's size is the printer's). Charts stand in it as
 * images, where a browser runs nothing that an SVG may hold and names inside two of them cannot
 * meet. All text is escaped. */
#ifndef FLEETCAST_PLOTS_REPORT_HTML_H
#define FLEETCAST_PLOTS_REPORT_HTML_H

#include "plots/report/report_document.h"

#include <stdbool.h>
#include <stdio.h>

struct report_picture {
    const char *chart; /* file stem, as in the document */
    const char *bytes; /* an SVG file */
    size_t length;
};

/* Adds s with what HTML takes for markup written as entities; of text and attributes alike. */
void report_html_escape(struct text *out, const char *s);
/* Charts without a picture show their sentence alone. False on a write error or without memory. */
bool report_html_write(const struct report_document *r, const struct report_picture *pictures,
                       size_t picture_count, FILE *out);

#endif
