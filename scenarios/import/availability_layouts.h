/* SPDX-License-Identifier: GPL-3.0-or-later
 * The formats of observed capacity; each reads one file into the builder, and tells all that is
 * wrong with file and line. False then. */
#ifndef FLEETCAST_SCENARIOS_AVAILABILITY_LAYOUTS_H
#define FLEETCAST_SCENARIOS_AVAILABILITY_LAYOUTS_H

#include "models/market/lifetimes.h"
#include "models/market/trace_builder.h"
#include "scenarios/import/importer.h"

#include <stdbool.h>

/* JSON: {"metadata": {"gap_seconds": 600}, "data": [1, 0, …], "prices": [0.918, …]}: nodes that
 * were there in each gap, and, where known, the price per hour (skypilot-org/spot-traces). */
bool availability_read_ticks(const struct import_request *r, const char *path,
                             struct trace_builder *b);

/* CSV `index,time,flag`, all files of the request one after the other, as --polarity and --tick say
 * (Michaelvll/skypilot-spot-strategy). */
bool availability_read_timestamps(const struct import_request *r, struct trace_builder *b);
/* CSV `time,nodes`, in --unit; of rows of one time the last counts (uclasystem/bamboo,
 * JF-D/Parcae). */
bool availability_read_steps(const struct import_request *r, const char *path,
                             struct trace_builder *b);
/* CSV `time,add|remove,node`, in --unit (JF-D/Parcae). */
bool availability_read_events(const struct import_request *r, const char *path,
                              struct trace_builder *b);
/* What a prober wrote of the instances that it held (stanford-futuredata/training_on_a_dime): the
 * nodes held of each zone and type, and how long each lived. */
bool availability_read_log(const struct import_request *r, const char *path,
                           struct trace_builder *b);
bool availability_read_log_lifetimes(const struct import_request *r, const char *path,
                                     struct lifetime_list *l);
/* CSV with a header: how long each node lived, and whether the cloud ended it
 * (kadupitiya/goog-preemption-data, and the project's own table). */
bool availability_read_lifetimes(const struct import_request *r, const char *path,
                                 struct lifetime_list *l);

#endif
