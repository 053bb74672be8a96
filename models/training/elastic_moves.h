/* SPDX-License-Identifier: GPL-3.0-or-later
 * The nodes of an elastic job: which are asked for, which take part, and when that changes. After
 * whatever happens elastic_consider asks for what is wanted and takes in what is ready. For
 * models/training only; the rest of the job's life is elastic_job.c.
 *
 * - Nodes that are ready join when all that are held are, or one has waited for `settle`; but not
 *   when the resize would take longer than they save. Such are given back, and none are asked for
 *   that would come too late.
 * - Nodes that vanish are left out at once, whatever else is ready is taken in with that resize.
 * - Below the minimum nothing runs; what is held is kept for as long as the job has patience. */
#ifndef FLEETCAST_MODELS_ELASTIC_MOVES_H
#define FLEETCAST_MODELS_ELASTIC_MOVES_H

#include "models/fleet/crew_asking.h"
#include "models/fleet/fill.h"
#include "models/training/elastic_job.h"
#include "models/training/failure_response.h"
#include "models/training/progress.h"
#include "models/training/spending.h"
#include "models/training/window_watch.h"
#include "models/training/zone_watch.h"

/* Each entry of a fill may stand for several zones, for what they hold and for what lacks. */
enum { ELASTIC_ASKS_MAX = ELASTIC_ENTRIES_MAX * 2 * ZONES_MAX };

struct elastic_job {
    const struct training_plan *plan;
    struct fleet *fleet;
    struct calendar *calendar;
    struct crew *crews[SITE_COUNT];  /* by site; NULL where the plan has no pool */
    struct crew *spares[SITE_COUNT]; /* none */
    uint32_t index[SITE_COUNT];      /* of them in the fill */
    struct fill fill;
    struct fill_entry entries[ELASTIC_ASKS_MAX]; /* as they are now */
    struct progress progress;
    struct spending spending; /* up to a budget */
    double resize_s, settle_s, patience_s;
    uint32_t nodes; /* that take part; 0: nothing runs */
    bool submitted, over, stopping, beyond_horizon;
    bool considering, again; /* inside elastic_consider; something happened meanwhile */
    bool shrinks;            /* nodes that took part are vanishing */
    bool down;               /* all stand still: one that took part has failed, and nobody knows */
    double down_since_s;
    struct event_id down_event;
    struct failure_response response;
    bool asleep; /* all was given back out of patience, until a pool changes */
    bool leaves_spot, leaves_on_demand, leaves_block; /* what runs there is saved and given back */
    struct window_watch windows;
    struct zone_watch zones;
    struct crew *spot; /* the zone that is asked for spot, where it is one at a time; may be NULL */
    double crossed_s, crossed_from_s; /* see elastic_zones.h */
    double joiner_since_s;            /* < 0: none waits */
    double submitted_s, wanted_since_s, idle_since_s;
    struct event_id settle_event, patience_event, ask_again_event, look_event, ready_event,
        closing_event, window_event;
    bool dear[SITE_COUNT];      /* not to be asked, as of the last decision */
    double noted[POLICY_NOTES]; /* what the policy keeps between its decisions */
    struct work_result result;
};

void elastic_note(const struct elastic_job *j, const char *text);
/* Looks again then, not when it was to before; +infinity: never. */
void elastic_look_at(struct elastic_job *j, double time_s, struct event_id *id);
/* Whatever happened: asks, gives back, takes in. */
void elastic_consider(struct elastic_job *j);
/* The same after all else that happens at this instant. */
void elastic_soon(struct elastic_job *j);
/* All that is ready works from now on, as far as it is wanted; the gang before was stopped or
 * paused. resizing: it ran up to now. */
void elastic_reshape(struct elastic_job *j, bool resizing);
/* Ready nodes that would take part if the gang were shaped now. */
uint32_t elastic_target(const struct elastic_job *j);
/* Who takes part and is under no notice, but for so many, can go on with what is in memory. */
bool elastic_continues(const struct elastic_job *j, uint32_t but);
/* Nodes that took part are gone, or left out: the others go on, or all is over. */
void elastic_go_on(struct elastic_job *j);
/* All nodes are given back; nothing runs. */
void elastic_give_back(struct elastic_job *j);
/* Nothing runs any longer. */
void elastic_idle(struct elastic_job *j);
/* Idle time runs while nothing is held; called whenever that may have changed. */
void elastic_track_idle(struct elastic_job *j);
/* Nothing more comes of it; all nodes are given back. */
void elastic_end(struct elastic_job *j, bool finished, enum end_reason reason);

#endif
