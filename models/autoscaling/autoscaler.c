/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tables of autoscalers, from the rows of autoscaler_rows.h. */
#include "models/autoscaling/autoscaler.h"

#include "engine/extremes.h"
#include "models/autoscaling/autoscaler_rows.h"

#include <math.h>

#define AUTOSCALER_ENTRY(name) &autoscaler_##name,
const struct autoscaler *const autoscaler_table[] = {AUTOSCALER_ROWS(AUTOSCALER_ENTRY) NULL};
#undef AUTOSCALER_ENTRY

#define AUTOSCALER_ENTRY(name) &autoscaler_##name##_schema,
const struct schema *const autoscaler_variants[] = {AUTOSCALER_ROWS(AUTOSCALER_ENTRY) NULL};
#undef AUTOSCALER_ENTRY

uint32_t autoscaler_ceil(double replicas)
{
    /* A controller counts in milli-units, so 15.000000001 is 15 to it. */
    double whole = ceil(replicas - 1e-9 * double_max(1.0, fabs(replicas)));
    if (!(whole > 0)) {
        return 0;
    }
    return whole < AUTOSCALER_MOST_REPLICAS ? (uint32_t)whole : AUTOSCALER_MOST_REPLICAS;
}
