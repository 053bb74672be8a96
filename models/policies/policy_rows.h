/* SPDX-License-Identifier: GPL-3.0-or-later
 * The list of policies. A new policy is one file that defines `policy_NAME` and
 * `policy_NAME_schema`, and one row here. */
#ifndef FLEETCAST_MODELS_POLICY_ROWS_H
#define FLEETCAST_MODELS_POLICY_ROWS_H

#include "models/policies/policy.h"

#include <stddef.h>

#define POLICY_ROWS(ROW)                                                                           \
    ROW(on_demand)                                                                                 \
    ROW(wait)                                                                                      \
    ROW(fallback)                                                                                  \
    ROW(greedy)                                                                                    \
    ROW(uniform_progress)                                                                          \
    ROW(time_sliced)                                                                               \
    ROW(last_moment)                                                                               \
    ROW(capacity_block)                                                                            \
    ROW(owned)

#define POLICY_DECLARE(name)                                                                       \
    extern const struct policy policy_##name;                                                      \
    extern const struct schema policy_##name##_schema;
POLICY_ROWS(POLICY_DECLARE)
#undef POLICY_DECLARE

#endif
