/* SPDX-License-Identifier: GPL-3.0-or-later
 * Slides as a gnuplot script: a title, and blocks of a report set under each other until the page
 * is full, when another one begins under the same title. User text enters only through label_quote.
 */
#ifndef FLEETCAST_PLOTS_REPORT_SLIDES_H
#define FLEETCAST_PLOTS_REPORT_SLIDES_H

#include "plots/charts/chart_script.h"
#include "plots/report/report_document.h"

#include <stdbool.h>
#include <stdio.h>

struct report_slides {
    struct text gp;             /* of all finished slides */
    struct chart_script script; /* of the open one */
    FILE *data;                 /* charts have a data file; slides leave it empty */
    const char *title, *foot;
    bool open, failed;
    double y; /* where the next thing begins (screen) */
};

void report_slides_init(struct report_slides *s, FILE *data, const char *foot);
void report_slides_release(struct report_slides *s);
/* A first page: title, subtitle and a sentence. */
void report_slides_cover(struct report_slides *s, const char *title, const char *subtitle,
                         const char *sentence);
void report_slides_begin(struct report_slides *s, const char *title);
/* A block of text, tiles or a grid; of other kinds nothing. */
void report_slides_block(struct report_slides *s, const struct report_block *b);
void report_slides_end(struct report_slides *s); /* the open one, if there is one */

#endif
