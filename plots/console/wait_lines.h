/* SPDX-License-Identifier: GPL-3.0-or-later
 * Under the table of results: how long jobs of a queue wait, and how much of the nodes they use.
 *
 *   "jobs of 'q' wait on average (95 % of them at most), and use of the nodes first bought, in the
 *   middle future: od 0.7 h (95 %: 3 h), 80 % used; …": medians over futures; ">= 3 h" where
 * futures are cut off, "unknown" where nothing is known. */
#ifndef FLEETCAST_PLOTS_WAIT_LINES_H
#define FLEETCAST_PLOTS_WAIT_LINES_H

#include "plots/facts/study_facts.h"
#include "plots/text/terminal_table.h"

#include <stdbool.h>
#include <stdio.h>

/* A paragraph for each workload that has jobs; none where there is no such workload. False when it
 * could not be written. */
bool wait_lines(const struct study_facts *f, const struct table *summary,
                const struct terminal_style *style, FILE *out);

#endif
