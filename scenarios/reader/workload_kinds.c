/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tables of workload kinds, from the rows of workload_kinds.h. */
#include "scenarios/reader/workload_kinds.h"

#define KIND_ENTRY(name) &work_##name,
const struct work_kind *const workload_kinds[] = {WORKLOAD_KIND_ROWS(KIND_ENTRY) NULL};
#undef KIND_ENTRY

#define KIND_ENTRY(name) &name##_schema,
const struct schema *const workload_variants[] = {WORKLOAD_KIND_ROWS(KIND_ENTRY) NULL};
#undef KIND_ENTRY
