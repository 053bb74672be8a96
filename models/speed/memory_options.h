/* SPDX-License-Identifier: GPL-3.0-or-later
 * What would fit in place of a layout that does not: the nearest changes, one at a time and then
 * together. */
#ifndef FLEETCAST_MODELS_MEMORY_OPTIONS_H
#define FLEETCAST_MODELS_MEMORY_OPTIONS_H

#include "engine/text.h"
#include "models/speed/gpu_memory.h"

/* The same with smallest micro-batch, all recomputed, and all state divided. */
struct memory_layout memory_frugal(const struct memory_layout *l);
/* The first that fits of: ZeRO 0, 1, 2, 3, then the same with full recomputation, at the layout's
 * micro-batch. The most frugal of them when none does. */
struct memory_layout memory_first_that_fits(const struct memory_layout *l, double device_bytes);

/* The largest micro-batch that fits with all else as it is, up to `most`; 0: not even one does. */
double memory_largest_batch(const struct memory_layout *l, double device_bytes, double most);

/* Adds "micro_batch: 4; recompute: full; 3 nodes": each what alone would fit, and where nothing
 * does, all together. per_node accelerators; other node counts are tried up to most_nodes. Returns
 * how many were found. */
int memory_options_add(struct text *out, const struct memory_layout *l, double per_node,
                       double device_bytes, double most_nodes);

#endif
