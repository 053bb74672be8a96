/* SPDX-License-Identifier: GPL-3.0-or-later
 * Under the table of results: what hindsight allows, and what each strategy pays over it. */
#ifndef FLEETCAST_PLOTS_REGRET_LINES_H
#define FLEETCAST_PLOTS_REGRET_LINES_H

#include "plots/facts/study_facts.h"
#include "plots/text/terminal_table.h"

#include <stdbool.h>
#include <stdio.h>

/* Two paragraphs a workload; none without rows, or with oracle NULL. False when they could not be
 * written, or the table lacks a column (told). */
bool regret_lines(const struct study_facts *f, const struct table *oracle, int decimals,
                  const struct terminal_style *style, FILE *out, struct diagnostics *d);

#endif
