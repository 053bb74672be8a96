/* SPDX-License-Identifier: GPL-3.0-or-later
 * The gangs of a job, and how it moves between them: at most two at a time, each at one site.
 * `active` is the one that gathers or runs; `incoming` boots in another pool while the active one
 * works on. Whatever happens ends in job_reconsider, which asks the policy and sets out to follow
 * it; what makes it reconsider is in job_news.h. For models/training only; the rest of a job's life
 * is job.c. */
#ifndef FLEETCAST_MODELS_JOB_MOVES_H
#define FLEETCAST_MODELS_JOB_MOVES_H

#include "models/training/failure_response.h"
#include "models/training/job.h"
#include "models/training/progress.h"
#include "models/training/spending.h"
#include "models/training/window_watch.h"
#include "models/training/zone_watch.h"

struct job {
    const struct training_plan *plan;
    struct fleet *fleet;
    struct calendar *calendar;
    struct crew *crews[SITE_COUNT];   /* by site; NULL where the plan has no pool */
    struct crew *spares[SITE_COUNT];  /* beside those; NULL: none */
    struct crew *own[2 * SITE_COUNT]; /* all of both, one behind the other */
    size_t own_count;
    struct crew *active;     /* asking, booting or running; NULL: none */
    struct crew *incoming;   /* complete, booting while `active` works on */
    bool asleep[SITE_COUNT]; /* gave its nodes back out of patience: asks again when its pool
                                changes */
    bool whole;              /* the active gang has been complete since it last lost nodes */
    bool submitted, over;
    double submitted_s;  /* as policies see it */
    bool beyond_horizon; /* finishing on-demand */
    struct progress progress;
    double patience_s;
    double whole_since_s;       /* the active gang, when it is whole: since when it counts */
    double spot_wanted_since_s; /* while no gang is whole */
    double idle_since_s;        /* < 0: some node is held */
    struct event_id patience_event, ask_again_event, look_event;
    bool patience_placed; /* its event is not scheduled yet, but has this place in the order */
    uint64_t patience_place;
    struct window_watch windows;    /* of its capacity blocks */
    struct zone_watch zones;        /* of spot, since it was submitted */
    struct crew *spot;              /* where spot is asked by the last decision; NULL: nowhere */
    bool dear[SITE_COUNT];          /* not to be asked, as of the last decision */
    struct spending spending;       /* up to a budget */
    bool stopping;                  /* the budget is reached: a last checkpoint is written */
    double noted[POLICY_NOTES];     /* what the policy keeps between its decisions */
    struct policy_decision decided; /* last, at a look */
    double useful_share;            /* of the work, in this world: see training_work_time */
    struct failure_response response;
    bool down, down_counts; /* the active gang stands still after a failure; all of it does */
    double down_since_s;
    struct event_id respond_event;
    struct work_result result;
};

/* ---- the gangs ---- */

/* The gang that counts from now on; NULL: none. */
void job_set_active(struct job *j, struct crew *c);
/* The active gang is given back. */
void job_drop_active(struct job *j);
/* Patience runs while some, but not all nodes are held; its end counts once none is on its way.
 * Called whenever what the active gang holds has changed. */
void job_watch_patience(struct job *j);
/* The same before what lacks is asked for, which mostly comes at once: then no event is scheduled
 * only to be cancelled. job_watch_patience must follow within the instant. */
void job_expect_patience(struct job *j);
/* True for a gang whose nodes are all held and booted, none under notice; c may be NULL. */
bool job_is_ready(const struct job *j, const struct crew *c);
/* The active gang, which is ready, begins to work. */
void job_run(struct job *j);
/* Stops the gang that runs, of our own will. True when that was the end of all work. */
bool job_stop(struct job *j);
/* The gang that boots beside the active one takes its place and works; the other is given back. */
void job_move_to_incoming(struct job *j);
/* The gang that boots beside the active one is given up. */
void job_dismiss_incoming(struct job *j);
/* `handover: stop-first`, and all is saved: the gang goes before the one that is wanted now, if
 * that has room. False: it is to work on. */
bool job_hand_over(struct job *j);
/* The active gang goes, for on-demand, which is only asked now. */
void job_move_at_horizon(struct job *j);

/* ---- decisions ---- */

/* What the policy says now: how to buy, and whether what runs is given up for it. Two words, which
 * travel in a register: a whole decision copied just after it was made waits for its own writes. */
struct job_choice {
    enum purchase want;
    bool give_up;
};
struct job_choice job_decide(struct job *j);
/* The policy is asked, and followed. Called whenever something changed. */
void job_reconsider(struct job *j);
/* The active gang is whole: the policy is asked again at this instant, once all that happens at it
 * has. */
void job_ask_of_gang(struct job *j);

/* ---- the books ---- */

void job_note(const struct job *j, const char *text);
/* Replaces an event of this job; a time of +infinity never comes. */
void job_at(struct job *j, double time_s, event_handler *handler, uint64_t tag,
            struct event_id *id);
/* What the job does while no gang of it runs; what one that runs does progress.c tells. */
void job_leave_trail(const struct job *j);
/* Idle time runs while nothing is held; called whenever that may have changed. */
void job_track_idle(struct job *j);
/* Nothing more comes of it; all nodes are given back. */
void job_end(struct job *j, bool finished, enum end_reason reason);

#endif
