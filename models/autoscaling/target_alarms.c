/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/autoscaling/target_alarms.h"

struct autoscaler_decision target_alarms_look(struct target_alarms *alarms,
                                              const struct target_terms *terms,
                                              const struct autoscaler_view *view)
{
    const struct scaling_reading *r = &view->readings[terms->metric];
    /* With no replica ready the metric has no mean: all that is there is above any target. */
    double aim = terms->target * view->ready, total = scaling_reading_total(r, view->ready);
    if (r->repeated) {
        return autoscaler_stay(); /* alarms act on datapoints */
    }
    bool high = metric_alarm_on(&alarms->high, r->known, total > aim, terms->out_points);
    bool low =
        metric_alarm_on(&alarms->low, r->known, total < terms->low_share * aim, terms->in_points);
    uint32_t wants = autoscaler_ceil(total / terms->target);
    if (high && wants > view->desired) {
        return autoscaler_want(wants);
    }
    if (low && terms->scale_in && view->warming == 0 && wants < view->desired) {
        return autoscaler_want(wants);
    }
    return autoscaler_stay();
}
