/* SPDX-License-Identifier: GPL-3.0-or-later
 * The list of autoscalers. A new one is one file that defines `autoscaler_NAME` and
 * `autoscaler_NAME_schema`, and one row here. */
#ifndef FLEETCAST_MODELS_AUTOSCALER_ROWS_H
#define FLEETCAST_MODELS_AUTOSCALER_ROWS_H

#include "models/autoscaling/autoscaler.h"

#define AUTOSCALER_ROWS(ROW)                                                                       \
    ROW(fixed)                                                                                     \
    ROW(target_tracking)                                                                           \
    ROW(step_scaling)                                                                              \
    ROW(simple_scaling)                                                                            \
    ROW(scheduled)                                                                                 \
    ROW(sagemaker)                                                                                 \
    ROW(hpa)                                                                                       \
    ROW(keda)                                                                                      \
    ROW(skyserve)                                                                                  \
    ROW(predictive)                                                                                \
    ROW(keda_jobs)

#define AUTOSCALER_DECLARE(name)                                                                   \
    extern const struct autoscaler autoscaler_##name;                                              \
    extern const struct schema autoscaler_##name##_schema;
AUTOSCALER_ROWS(AUTOSCALER_DECLARE)
#undef AUTOSCALER_DECLARE

#endif
