/* SPDX-License-Identifier: GPL-3.0-or-later
 * KEDA's ScaledJob: how many new jobs to start for a queue whose items each take a job of their own
 * that runs to its end (KEDA 2.20 documentation, "Scaling Jobs"). */
#ifndef FLEETCAST_MODELS_KEDA_JOBS_H
#define FLEETCAST_MODELS_KEDA_JOBS_H

#include <stdint.h>

enum keda_jobs_strategy {
    KEDA_JOBS_DEFAULT,  /* those that run are taken off */
    KEDA_JOBS_ACCURATE, /* the queue holds only items that no job has taken */
    KEDA_JOBS_CUSTOM,   /* less a fixed number and a share of those that run */
    KEDA_JOBS_EAGER     /* as many as there is room for */
};

struct keda_jobs_terms {
    enum keda_jobs_strategy strategy;
    double target;        /* items a job; > 0 */
    uint32_t maximum;     /* jobs at a time */
    uint32_t deduction;   /* CUSTOM */
    double running_share; /* CUSTOM, in [0, 1] */
};

/* New jobs now. `running` counts all jobs that have not ended, `pending` those of them that have no
 * node yet. */
uint32_t keda_jobs_new(const struct keda_jobs_terms *terms, double queue, uint32_t running,
                       uint32_t pending);

#endif
