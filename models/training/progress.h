/* SPDX-License-Identifier: GPL-3.0-or-later
 * How the work of one job goes on while a whole gang runs: restore, work with its checkpoints, and
 * the checkpoints written because of a notice or before a planned move; what is kept, and what is
 * lost when the gang is stopped. Which gang runs, and when, is decided in job.c.
 *
 * A gang is its crews, the number of nodes that work, and its pace: useful seconds of the whole job
 * in a second of its work, 1 for the nodes of the plan. Where nodes join or leave without a loss,
 * the work that no checkpoint holds is carried on.
 *
 * What is complete at an instant counts, even if nodes go at the same instant: a write that takes
 * as long as the notice is kept, and work that ends when its gang is lost is done. */
#ifndef FLEETCAST_MODELS_PROGRESS_H
#define FLEETCAST_MODELS_PROGRESS_H

#include "models/fleet/fleet.h"
#include "models/training/adaptive_interval.h"
#include "models/training/checkpoint_cycle.h"
#include "models/training/training_plan.h"

#include <stdbool.h>
#include <stdint.h>

/* Called from events of the calendar only, never from inside a call of the owner. */
struct progress_events {
    void (*finished)(void *owner); /* the work is done; the gang is still held */
    /* A checkpoint out of turn is written, and the gang waits: that of progress_leave, which wants
     * an answer (progress_stop or progress_work_on), or one because of a notice. */
    void (*saved)(void *owner, bool leaving);
};

/* What works: all nodes of its crews, or those of them that take part (crew_join). */
enum { GANG_CREWS_MAX = SITE_COUNT };
struct gang {
    struct crew *crews[GANG_CREWS_MAX];
    size_t crew_count;
    uint32_t nodes;
    double pace;
    int site; /* whose losses it expects, and whose checkpoint interval it keeps */
};

enum phase {
    PHASE_NONE,   /* no gang runs */
    PHASE_RESIZE, /* nodes have joined or left: the others are told, work is shared anew */
    PHASE_RESTORE,
    PHASE_WORK,   /* work and periodic checkpoints in turn: see checkpoint_cycle.h */
    PHASE_RESCUE, /* writes a checkpoint after a notice */
    PHASE_LEAVE,  /* writes a checkpoint before a planned move */
    PHASE_SAVED   /* either is written: the gang waits, for its owner or the end of the notice */
};

/* Read only for owners. */
struct progress {
    const struct training_plan *plan;
    struct fleet *fleet;
    struct calendar *calendar;
    const struct progress_events *events;
    void *owner;
    uint64_t source_restore[SITE_COUNT];

    enum phase phase;
    struct gang gang;      /* that runs, or ran last */
    struct crew *crew;     /* its first; NULL: none runs */
    bool restores_next;    /* after the resize */
    const double *drawn;   /* of this world */
    double start_s, end_s; /* of the phase; +infinity while SAVED */
    struct event_id end_event;
    double work_s, kept_s;    /* useful seconds of the whole job, and those kept so far: with what
                                 is done for nothing and for evaluations, see training_work_time */
    double starting_s;        /* before each beginning of a whole gang, beside a restore */
    double carried_s;         /* done, in no checkpoint, but in the memory of the gang */
    double told_s;            /* seconds of work that crews take for useful, of what is carried */
    double unsaved_s;         /* that the write of RESCUE or LEAVE will keep, … */
    double untold_s;          /* … and seconds of work of it that no crew was told of */
    double pause_s, behind_s; /* of a checkpoint by this gang: see checkpoint_cycle.h */
    double every_s[SITE_COUNT];
    struct loss_record seen[SITE_COUNT];
    double seen_until_s;
    struct distribution restore;
    uint32_t restores[SITE_COUNT];
    struct checkpoint_cycle cycle;             /* of the stretch of work under way, … */
    bool looks;                                /* … which ends at a look, not with the work */
    double look_s;                             /* after so long */
    uint64_t checkpoints;                      /* complete ones */
    double written_at_s[CHECKPOINTS_KEPT_MAX]; /* when the first `keep` of them were complete */
    uint32_t restarts;                         /* restores begun */
    uint32_t resizes;                          /* begun */
};

/* The plan must have its pools. Events, owner, plan and fleet are borrowed. */
void progress_init(struct progress *p, const struct training_plan *plan, struct fleet *fleet,
                   const struct progress_events *events, void *owner);
/* For a new world: nothing is kept, no gang runs. False when a drawn number is impossible. */
bool progress_begin(struct progress *p, const double *drawn);

/* A whole gang is ready: it restores when there is something to restore, then works. after_loss:
 * the job has lost a gang before, so that a restore from scratch is due where that is paid. */
void progress_run(struct progress *p, struct crew *crew, bool after_loss);
/* Nodes of the gang that runs, of this crew, were given notice now: what `on_notice` says is done.
 */
void progress_notice(struct progress *p, const struct crew *crew);
/* Stops the gang now; work that no checkpoint holds is lost. */
void progress_stop(struct progress *p);
/* Likewise, since it loses nodes: that is remembered, for adaptive intervals. */
void progress_lose(struct progress *p);
/* Any phase but NONE: stops the gang, but what it has done stays in its memory. */
void progress_pause(struct progress *p);
/* After a stop or a pause: another gang, with or without nodes of the one before, begins a resize
 * that takes so long. It restores when work is kept and none is carried; then it works. */
void progress_reshape(struct progress *p, const struct gang *gang, double resize_s,
                      bool after_loss);
/* What is in the memory of a paused gang is lost with it. */
void progress_forget(struct progress *p);
/* PHASE_WORK: begins a checkpoint so that nothing is lost by stopping; `saved` follows. Where all
 * work will be done before the write would be, work goes on, and `finished` comes. False when the
 * job writes no checkpoints; then nothing is done. */
bool progress_leave(struct progress *p);
/* After `saved`: works on with the same gang. */
void progress_work_on(struct progress *p);
/* All work is kept. */
bool progress_complete(const struct progress *p);
/* Useful seconds now: kept_s counts what complete checkpoints hold, also those of the stretch under
 * way; done_s all that is done and not lost. */
struct progress_now {
    double kept_s, done_s;
};
struct progress_now progress_now(const struct progress *p);

#endif
