/* SPDX-License-Identifier: GPL-3.0-or-later
 * An alarm on consecutive datapoints of a metric, as CloudWatch keeps one. */
#ifndef FLEETCAST_MODELS_METRIC_ALARM_H
#define FLEETCAST_MODELS_METRIC_ALARM_H

#include <stdbool.h>
#include <stdint.h>

struct metric_alarm {
    uint32_t breaches; /* the newest datapoints in a row that breach */
};

/* After one more datapoint. A missing one leaves the alarm without sufficient data: it acts on
 * nothing, and counts anew. True while the newest `needed` (at least 1) breach: an alarm that stays
 * on goes on to act. */
static inline bool metric_alarm_on(struct metric_alarm *a, bool known, bool breaches,
                                   uint32_t needed)
{
    if (!known || !breaches) {
        a->breaches = 0;
        return false;
    }
    if (a->breaches < UINT32_MAX) {
        a->breaches++;
    }
    return a->breaches >= needed;
}

#endif
