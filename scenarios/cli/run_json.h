/* SPDX-License-Identifier: GPL-3.0-or-later
 * `run --format json`: one document with the manifest (so that the run can be repeated), the
 * summary and the comparison. */
#ifndef FLEETCAST_SCENARIOS_RUN_JSON_H
#define FLEETCAST_SCENARIOS_RUN_JSON_H

#include "scenarios/output/result_tables.h"

#include <stdio.h>

/* folder: the result directory, whose manifest is taken over. False on a read or write error or
 * when out of memory (errno says why). */
bool run_json_write(FILE *out, const char *folder, const struct result_tables *tables);

#endif
