/* SPDX-License-Identifier: GPL-3.0-or-later
 * The rows of an export as a FOCUS 1.2 file: what stands in each column. */
#ifndef FLEETCAST_SCENARIOS_FOCUS_FILE_H
#define FLEETCAST_SCENARIOS_FOCUS_FILE_H

#include "scenarios/output/focus_export.h"

#include <stdbool.h>
#include <stdio.h>

/* e must be open. False on a write error, or out of memory (errno is set). */
bool focus_file_write(struct focus_export *e, FILE *out);

#endif
