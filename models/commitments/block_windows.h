/* SPDX-License-Identifier: GPL-3.0-or-later
 * Capacity Blocks as a strategy states them, resolved to windows: when instances can be held, what
 * is paid and when. Each ends at 11:30 UTC and loses its instances 30 minutes before, unless it is
 * extended (capacity_block.h). A block is sold at most eight weeks before it begins (EC2 user
 * guide, "Capacity Blocks for ML"), which is when it is paid unless the scenario says otherwise. */
#ifndef FLEETCAST_MODELS_BLOCK_WINDOWS_H
#define FLEETCAST_MODELS_BLOCK_WINDOWS_H

#include "engine/schema.h"
#include "models/market/market.h"

#include <stddef.h>

/* specs: struct block_spec, at least one. The windows in the context's arena, one for each item.
 * What is wrong is told at the item, a missing price with what exists instead; NULL then. What is
 * assumed goes to the register. */
const struct market_window *block_windows_make(const struct schema_list *specs, const char *type,
                                               const struct market_context *context);

#endif
