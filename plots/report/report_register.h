/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the result rests on: what is not included, prices with their date and age, the run's
 * identity, and the register of assumptions. Assumptions stand in the words of the program, in
 * English. */
#ifndef FLEETCAST_PLOTS_REPORT_REGISTER_H
#define FLEETCAST_PLOTS_REPORT_REGISTER_H

#include "plots/report/report_document.h"
#include "plots/report/report_source.h"

#include <stdint.h>

/* The first few of what is not modelled, and how many more the register lists. */
void report_not_included(struct report_document *r, const struct report_source *s);
/* "Prices as of …; the oldest was last seen on …, 184 days before the plan starts." */
void report_price_age(struct report_document *r, const struct report_source *s);
/* The run in one small line, for the first page. */
void report_identity_line(struct report_document *r, const struct report_source *s);
/* Scenario, worlds, seed, version, hashes: what makes the run again. */
void report_identity(struct report_document *r, const struct report_source *s);
/* The whole register: assumptions, what is not modelled, prices. */
void report_register(struct report_document *r, const struct report_source *s);

#endif
