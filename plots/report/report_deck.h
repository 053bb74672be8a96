/* SPDX-License-Identifier: GPL-3.0-or-later
 * A report as a deck of 16:9 slides in one PDF, drawn by gnuplot (pdfcairo): a cover, the decision
 * with its key figures, each part of the first page, then one chart a slide. A part that does not
 * fit goes on on another slide. The appendix is left out. */
#ifndef FLEETCAST_PLOTS_REPORT_DECK_H
#define FLEETCAST_PLOTS_REPORT_DECK_H

#include "engine/diagnostics.h"
#include "plots/facts/chart_frame.h"
#include "plots/report/report_document.h"

#include <stdbool.h>

#define REPORT_DECK_FILE "deck.pdf"

/* Writes the scripts into folder, which must exist and be the caller's, and draws
 * folder/REPORT_DECK_FILE. The title of a chart is its sentence where the reader's language is not
 * that of the charts. False, told in d, when it cannot be written or drawn. */
bool report_deck_draw(const struct report_document *r, const struct chart_frame *frame,
                      const struct chart_tables *tables, const char *folder, struct diagnostics *d);

#endif
