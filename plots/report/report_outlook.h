/* SPDX-License-Identifier: GPL-3.0-or-later
 * What to expect of a strategy: the key figures of the first page, and strategies side by side. A
 * figure that unfinished work leaves unknown is shown as its bounds or as unknown, never as a
 * number. */
#ifndef FLEETCAST_PLOTS_REPORT_OUTLOOK_H
#define FLEETCAST_PLOTS_REPORT_OUTLOOK_H

#include "plots/report/report_choice.h"

/* Ask for P80, of which P80 - P50 is the reserve; worst case P95; saving; done by; late; over
 * budget. */
void report_outlook_tiles(struct report_document *r, const struct report_source *s, int strategy);
/* Recommended, second best and the rest, or without a choice the file's order; ten at most, the
 * others are counted. */
void report_outlook_grid(struct report_document *r, const struct report_source *s,
                         const struct report_choice *c);

#endif
