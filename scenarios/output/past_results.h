/* SPDX-License-Identifier: GPL-3.0-or-later
 * The metrics of all worlds of a run before, read back from its replications.csv, so that all that
 * looks at results looks at those of a directory too. Columns that a newer version of the program
 * added are missing in older directories: their metrics exist in no world there. */
#ifndef FLEETCAST_SCENARIOS_PAST_RESULTS_H
#define FLEETCAST_SCENARIOS_PAST_RESULTS_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "scenarios/output/manifest.h"
#include "scenarios/study/results.h"

#include <stdbool.h>

/* has[m]: whether the file has a column of metric m; what it has not is NaN, or zero of money.
 * Strategies and workloads stand in the manifest's order. Only values of metrics are there: no
 * months, lines, node-hours or commitments. results_release is due either way. False with the
 * reason in d: a row whose strategy, workload or replication the manifest does not know, one that
 * is there twice or not at all, or what the reader of CSV files refuses. `folder` must outlive d;
 * what else messages need is in the arena. */
bool past_results_read(struct results *r, bool has[METRIC_COUNT], struct arena *a,
                       const char *folder, const struct manifest *m, struct diagnostics *d);

#endif
