/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/autoscaling/scaling_metric.h"

#include <math.h>
#include <stdio.h>

static const char *const names[SCALING_TARGET_COUNT] = {
    [SCALING_UTILISATION] = "utilisation", [SCALING_CONCURRENCY] = "concurrency",
    [SCALING_REQUESTS] = "requests",       [SCALING_QUEUE] = "queue",
    [SCALING_LATENCY] = "latency",
};

const char *scaling_metric_name(enum scaling_metric metric)
{
    return names[metric];
}

size_t scaling_target_count(const struct scaling_target *t)
{
    size_t count = 0;
    for (int m = 0; m < SCALING_TARGET_COUNT; m++) {
        count += t->of[m].given;
    }
    return count;
}

enum scaling_metric scaling_target_metric(const struct scaling_target *t)
{
    int m = 0;
    while (m < SCALING_TARGET_COUNT && !t->of[m].given) {
        m++;
    }
    return (enum scaling_metric)m;
}

double scaling_target_of(const struct scaling_target *t, enum scaling_metric metric)
{
    bool given = metric < SCALING_TARGET_COUNT && t->of[metric].given;
    return given ? t->of[metric].median : (double)NAN;
}

bool scaling_target_check(const struct scaling_target *t, const char *who, char *message,
                          size_t size)
{
    size_t count = scaling_target_count(t);
    if (count == 1) {
        return true;
    }
    snprintf(message, size,
             "%s has %s; expected exactly one of 'utilisation', 'concurrency', 'requests', "
             "'queue', 'latency'",
             who, count == 0 ? "no target" : "several targets");
    return false;
}
