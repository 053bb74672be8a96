/* SPDX-License-Identifier: GPL-3.0-or-later
 * The statistics of a table of requests, as a table: one row a statistic. */
#ifndef FLEETCAST_SCENARIOS_REQUESTS_SUMMARY_H
#define FLEETCAST_SCENARIOS_REQUESTS_SUMMARY_H

#include "engine/diagnostics.h"
#include "engine/table.h"

/* NULL when the file cannot be read, told in d, or when memory is out. path must outlive d. */
struct table *requests_summary(const char *path, struct diagnostics *d);

#endif
