/* SPDX-License-Identifier: GPL-3.0-or-later
 * The formats of observed capacity; each reads one file into the builder, and tells all that is
 * wrong with file and line. False then. */
#ifndef FLEETCAST_SCENARIOS_AVAILABILITY_LAYOUTS_H
#define FLEETCAST_SCENARIOS_AVAILABILITY_LAYOUTS_H

#include "models/market/trace_builder.h"
#include "scenarios/import/importer.h"

#include <stdbool.h>

/* JSON: {"metadata": {"gap_seconds": 600}, "data": [1, 0, …], "prices": [0.918, …]}: nodes that
 * were there in each gap, and, where known, the price per hour (skypilot-org/spot-traces). */
bool availability_read_ticks(const struct import_request *r, const char *path,
                             struct trace_builder *b);

#endif
