/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tables of policies, from the rows of policy_rows.h. */
#include "models/policies/policy.h"

#include "models/policies/policy_rows.h"

#define POLICY_ENTRY(name) &policy_##name,
const struct policy *const policy_table[] = {POLICY_ROWS(POLICY_ENTRY) NULL};
#undef POLICY_ENTRY

#define POLICY_ENTRY(name) &policy_##name##_schema,
const struct schema *const policy_variants[] = {POLICY_ROWS(POLICY_ENTRY) NULL};
#undef POLICY_ENTRY
