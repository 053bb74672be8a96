/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/autoscaling/keda_jobs.h"

#include "models/autoscaling/autoscaler.h"

#include <math.h>

uint32_t keda_jobs_new(const struct keda_jobs_terms *terms, double queue, uint32_t running,
                       uint32_t pending)
{
    double most = terms->maximum, runs = running, waits = pending;
    double scale = fmin(most, autoscaler_ceil(queue / terms->target)), more = 0.0;
    switch (terms->strategy) {
    case KEDA_JOBS_DEFAULT:
        more = scale - runs;
        break;
    case KEDA_JOBS_ACCURATE:
        more = scale + runs > most ? most - runs : scale - waits;
        break;
    case KEDA_JOBS_CUSTOM:
        more = fmin(scale - terms->deduction - floor(runs * terms->running_share), most);
        break;
    case KEDA_JOBS_EAGER:
        more = fmin(most - runs - waits, scale);
        break;
    }
    return more > 0 ? (uint32_t)more : 0;
}
