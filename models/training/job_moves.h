/* SPDX-License-Identifier: GPL-3.0-or-later
 * The gangs of a job, and how it moves between them: at most two at a time, each at one site.
 * `active` is the one that gathers or runs; `incoming` boots in another pool while the active one
 * works on. Whatever happens ends in job_reconsider, which asks the policy and sets out to follow
 * it. For models/training only; the rest of a job's life is job.c. */
#ifndef FLEETCAST_MODELS_JOB_MOVES_H
#define FLEETCAST_MODELS_JOB_MOVES_H

#include "models/training/job.h"
#include "models/training/progress.h"
#include "models/training/spending.h"
#include "models/training/window_watch.h"
#include "models/training/zone_watch.h"

struct job {
    const struct training_plan *plan;
    struct fleet *fleet;
    struct calendar *calendar;
    struct crew *crews[SITE_COUNT]; /* by site; NULL where the plan has no pool */
    struct crew *active;            /* asking, booting or running; NULL: none */
    struct crew *incoming;          /* complete, booting while `active` works on */
    bool asleep[SITE_COUNT];        /* gave its nodes back out of patience: asks again when its pool
                                       changes */
    bool whole;                     /* the active gang has been complete since it last lost nodes */
    bool submitted, over;
    bool beyond_horizon; /* finishing on-demand */
    struct progress progress;
    double patience_s;
    double spot_wanted_since_s; /* while no gang is whole */
    double idle_since_s;        /* < 0: some node is held */
    struct event_id patience_event, ask_again_event, look_event;
    struct window_watch windows; /* of its capacity blocks */
    struct zone_watch zones;     /* of spot, since it was submitted */
    struct crew *spot;           /* where spot is asked by the last decision; NULL: nowhere */
    bool dear[SITE_COUNT];       /* not to be asked, as of the last decision */
    struct spending spending;    /* up to a budget */
    bool stopping;               /* the budget is reached: a last checkpoint is written */
    double noted[POLICY_NOTES];  /* what the policy keeps between its decisions */
    struct work_result result;
};

extern const struct crew_events job_crew_events;
extern const struct progress_events job_progress_events;

void job_note(const struct job *j, const char *text);
/* The policy is asked, and followed. Called whenever something changed. */
void job_reconsider(struct job *j);
/* Nothing more comes of it; all nodes are given back. */
void job_end(struct job *j, bool finished, enum end_reason reason);
/* Idle time runs while nothing is held; called whenever that may have changed. */
void job_track_idle(struct job *j);
/* The active gang goes, for on-demand, which is only asked now. */
void job_move_at_horizon(struct job *j);
/* The gang that boots beside the active one is given up. */
void job_dismiss_incoming(struct job *j);
/* The budget is about to be spent. */
void job_budget_reached(void *owner);
/* The window of its capacity block is about to close. */
void job_window_closes(void *owner);

#endif
