/* SPDX-License-Identifier: GPL-3.0-or-later
 * Text broken into lines of a measure, for pages that the program lays out itself: at spaces,
 * behind a hyphen or slash, between wide characters (but never before a closing mark), and anywhere
 * when a word is longer than the line. */
#ifndef FLEETCAST_PLOTS_REPORT_WRAP_H
#define FLEETCAST_PLOTS_REPORT_WRAP_H

#include "engine/text.h"

#include <stdbool.h>
#include <stddef.h>

struct report_wrap {
    const char *rest; /* what is not yet taken */
    double max_em;
    bool bold;
};

/* Puts the next line into `line` (emptied first); false, and an empty line, when nothing is left.
 */
bool report_wrap_next(struct report_wrap *w, struct text *line);
/* How many lines s makes; at least 1. */
size_t report_wrap_count(const char *s, double max_em, bool bold);

#endif
