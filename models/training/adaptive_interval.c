/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/adaptive_interval.h"

#include <math.h>

/* More would not fit; nothing runs that long. */
#define MOST_CHECKPOINTS 1e15

double adaptive_loss_rate(const struct loss_record *seen, double planned_per_s)
{
    return planned_per_s * (ADAPTIVE_PLAN_LOSSES + (double)seen->losses) /
           (ADAPTIVE_PLAN_LOSSES + seen->expected);
}

uint64_t adaptive_look_after(const struct loss_record *seen, double planned_per_s, double period_s)
{
    double count = ceil((ADAPTIVE_PLAN_LOSSES + seen->expected) / (planned_per_s * period_s));
    return count >= 1 ? (uint64_t)fmin(count, MOST_CHECKPOINTS) : 1;
}
