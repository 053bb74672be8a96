/* SPDX-License-Identifier: GPL-3.0-or-later
 * The two alarms that AWS target tracking manages, and the size it asks for: shared by EC2 Auto
 * Scaling and Application Auto Scaling. */
#ifndef FLEETCAST_MODELS_TARGET_ALARMS_H
#define FLEETCAST_MODELS_TARGET_ALARMS_H

#include "models/autoscaling/autoscaler.h"
#include "models/autoscaling/metric_alarm.h"

/* What the alarms are set to. */
struct target_terms {
    enum scaling_metric metric;
    double target;    /* a replica; > 0 */
    double low_share; /* of the target: below it a datapoint speaks for fewer replicas */
    uint32_t out_points, in_points; /* datapoints in a row */
    bool scale_in;                  /* it may take replicas away */
};

struct target_alarms {
    struct metric_alarm high, low;
};

/* One datapoint more. Proportional: ceil(replicas × metric / target), the whole of the total both
 * out and in (EC2 Auto Scaling User Guide, "Target tracking scaling policies", 2023-06-15: 1.5 more
 * becomes 2 more, 1.5 fewer becomes 1 fewer). Replicas that warm up do not count in the metric but
 * in what is there already; while any does, none is taken away. */
struct autoscaler_decision target_alarms_look(struct target_alarms *alarms,
                                              const struct target_terms *terms,
                                              const struct autoscaler_view *view);

#endif
