/* SPDX-License-Identifier: GPL-3.0-or-later
 * When volumes lie there without a node: those of a slot from the end of each launch to the
 * beginning of the next, and from the last one to the end of the work. While two nodes of a slot
 * overlap, each has a volume of its own, and one of them stays. */
#ifndef FLEETCAST_MODELS_KEPT_VOLUMES_H
#define FLEETCAST_MODELS_KEPT_VOLUMES_H

#include "models/fleet/usage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Calls hold for every such time of `count` equal volumes of a workload, in order of time for each
 * slot. False when memory is out. */
bool kept_volumes(const struct usage_log *log, size_t workload, int64_t end_us,
                  void (*hold)(void *context, int64_t from_us, int64_t to_us, int64_t count),
                  void *context);

#endif
