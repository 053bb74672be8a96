/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a policy may see of a training job: where its gangs and its work stand, as an engineer would
 * know it at that moment. */
#ifndef FLEETCAST_MODELS_JOB_VIEW_H
#define FLEETCAST_MODELS_JOB_VIEW_H

#include "models/fleet/fleet.h"
#include "models/policies/policy.h"
#include "models/training/progress.h"
#include "models/training/training_plan.h"
#include "models/training/window_watch.h"

#include <stdbool.h>

/* All borrowed; must live as long as the view is read, since prices are worked out when asked for.
 */
struct job_situation {
    const struct training_plan *plan;
    double submitted_s;
    const struct progress *progress;
    const struct window_watch *windows;
    struct fleet *fleet;
    struct crew *const *crews;   /* by site; NULL: never asked */
    const struct crew *spot;     /* where spot would be asked now, or is; NULL: nowhere */
    const bool *dear;            /* by site: not to be asked now */
    const struct crew *active;   /* the gang that gathers or runs; NULL: none */
    double whole_since_s;        /* the active gang, if it is whole: since when it counts */
    double spot_wanted_since_s;  /* see policy_view */
    struct policy_prices prices; /* filled by job_view */
};

/* The work as a policy sees it: all of it, done, left and at risk. */
void job_view_work(const struct training_plan *plan, const struct progress *progress,
                   struct policy_view *view);
/* Notes are the caller's to fill in. */
struct policy_view job_view(struct job_situation *s);

#endif
