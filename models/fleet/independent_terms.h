/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a strategy may say to work on independent nodes: in which way or ways they are bought, and
 * nothing that moves a gang. */
#ifndef FLEETCAST_MODELS_INDEPENDENT_TERMS_H
#define FLEETCAST_MODELS_INDEPENDENT_TERMS_H

#include "models/fleet/work.h"

#include <stdbool.h>

/* terms: in force for this workload. Told at their keys: no way to buy, `fill` beside `buy` or
 * `policy`, a policy that decides for a gang, keys that are for a gang. False then. */
bool independent_terms_check(const struct work_request *r, const struct strategy_terms *terms,
                             const char *workload);

/* The terms of one entry of `fill`: its type and zone where it states them, and where that is said
 * for messages about its pool. */
struct strategy_terms independent_terms_of(const struct strategy_terms *terms,
                                           const struct fill_spec *entry, struct place *where);

/* "filled in order: 8 on-demand, then spot"; in the context's arena. */
const char *independent_terms_text(const struct strategy_terms *terms,
                                   const struct market_context *c);

#endif
