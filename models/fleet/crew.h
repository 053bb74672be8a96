/* SPDX-License-Identifier: GPL-3.0-or-later
 * A crew: the nodes that one workload holds in one pool, and their life from launch to usage
 * record: those of a gang, which work when all are ready, or independent ones, each of which does.
 *
 * A workload owns its crews and hears of them through `struct crew_events`. It tells the crew what
 * the time of a complete crew went to (crew_did); boot is known from the node itself, and what is
 * left of a node's life was waiting. So the cost of keeping the books does not grow with the number
 * of phases, only with launches.
 *
 * Luck: the k-th launch of a slot draws its lifetime, boot and failure from sources named by
 * workload, pool and slot at index k, one uniform each, so it is the same in every strategy (common
 * random numbers); likewise the slot's k-th wait.
 *
 * Hardware that fails stays held, and paid, until its owner ends it (crew_end_failed): nobody else
 * knows of it. */
#ifndef FLEETCAST_MODELS_CREW_H
#define FLEETCAST_MODELS_CREW_H

#include "engine/calendar.h"
#include "models/fleet/failure_law.h"
#include "models/fleet/usage.h"
#include "models/market/market.h"

#include <stdbool.h>
#include <stdint.h>

/* Most nodes of one crew: a larger gang is refused by name before any simulation. */
#define CREW_MAX_NODES 100000

struct crew;

/* Called while the calendar stands at the instant; the owner may ask, release or withdraw in any of
 * them except `losing`. */
struct crew_events {
    void (*granted)(void *owner, struct crew *c); /* some nodes were just launched */
    void (*ready)(void *owner, struct crew *c);   /* a gang: all nodes held and booted, none under
                                                     notice; independent: some have just booted */
    void (*noticed)(void *owner, struct crew *c); /* some nodes were just given notice */
    void (*losing)(void *owner, struct crew *c); /* nodes vanish now: account for the time so far */
    void (*lost)(void *owner, struct crew *c);   /* they are gone */
    void (*capacity)(void *owner, struct crew *c); /* the pool's capacity changed, or it reopened */
    void (*room)(void *owner, struct crew *c);     /* a crew of the pool has given nodes back */
    void (*advised)(void *owner, struct crew *c);  /* a rebalance recommendation; may be NULL */
    /* The hardware of a node just failed; NULL: the node is given up at once, and lost. */
    void (*failed)(void *owner, struct crew *c, uint32_t slot);
};

enum node_state {
    NODE_ABSENT,
    NODE_WAITING, /* asked for; its wait (on-demand pools with `wait`) is not over */
    NODE_ASKED,   /* asked for; comes as soon as the pool has room */
    NODE_HELD,
    NODE_NOTICED
};

/* In the work of a team, see team_nodes.h. */
enum node_part { NODE_APART, NODE_TAKES_PART, NODE_LEFT };

struct node {
    enum node_state state;
    enum node_part part;
    uint32_t launches;   /* so far; the current launch's ordinal is launches - 1 */
    uint32_t waits;      /* begun so far */
    uint64_t books;      /* the crew's when it came: a gang's nodes of the same books joined at the
                            same times */
    uint64_t together;   /* nodes of a gang with the same number, if not 0, were launched together
                            and boot alike: their times and books are the same */
    uint32_t batch;      /* of notices, when NODE_NOTICED */
    uint32_t batch_size; /* of the batch whose first node this is */
    bool booted;         /* independent nodes: counted in `ready` or `leaving`, as those of a team
                            are no more once they have failed */
    bool failed;         /* its hardware, while HELD or NOTICED */
    bool warm;           /* started from the warm pool, at its latest launch */
    int32_t moved;       /* its place in the workload is so many beyond that of the slot */
    double start_s, booted_s, ready_s;
    double dies_s, fails_s;          /* times of both events while HELD; +infinity: never */
    struct event_id event;           /* the wait's end (WAITING) or the hazard's strike (HELD) */
    struct event_id failure;         /* of its hardware */
    double joined_s[ACTIVITY_COUNT]; /* the crew's books when the node came; NODE_LEFT: what they
                                        told of it */
};

struct fleet;
struct fleet_pool;

/* Read only for owners. */
struct crew {
    struct fleet *fleet;
    const struct crew_events *events;
    void *owner;
    uint32_t workload;
    int pool; /* the market's index */
    enum purchase purchase;
    uint32_t size;       /* nodes of the gang */
    uint32_t first_slot; /* place of its first node in the workload's gang */
    uint32_t held;       /* launched and not gone, noticed ones included */
    uint32_t noticed;
    uint32_t waiting, asked; /* nodes in these states */
    uint32_t launched;       /* launches in this world */
    uint32_t interrupted;    /* nodes the cloud took in this world */
    uint32_t failed;         /* nodes held whose hardware has failed */
    uint32_t failures;       /* of hardware in this world */
    bool independent;
    bool own_books;   /* independent nodes: what each did is told by independent_did, the rest was
                         waiting */
    uint32_t ready;   /* independent nodes held that have booted, without … */
    uint32_t leaving; /* … and those of them that are under notice, which work on to its end */
    struct {
        bool together;    /* independent nodes that work together */
        uint32_t part;    /* that take part, … */
        uint32_t noticed; /* … those of them under notice, … */
        uint32_t going;   /* … and in `losing`: those of them that vanish */
        uint32_t failed;  /* held, under no notice, whose hardware has failed */
    } team;

    struct fleet_pool *in;
    struct node *nodes;                                                     /* size */
    uint64_t *source_boot, *source_lifetime, *source_wait, *source_failure; /* size each */
    struct random_window *lifetimes; /* size; NULL in a large crew, or without memory for it */
    const struct variate *boot_spec;
    struct distribution boot;         /* of this world */
    const struct variate *warm_start; /* of a stopped node; NULL: there is no warm pool */
    struct distribution start;        /* likewise */
    uint32_t warm;                    /* stopped nodes, which are started before others are
                                         launched; warm_nodes' */
    double staging_s;                 /* from boot to ready; see crew_equip */
    struct failure_law law;
    double useful_share, evaluation_share; /* of what is told as useful; see crew_share */
    bool mortal;                           /* likewise: nodes end by themselves */
    double did_s[ACTIVITY_COUNT];
    uint64_t books; /* how often did_s has changed */
    uint32_t batches;
    uint64_t launchings; /* calls of crew_launch in this world */
    /* So that what happens to one node of many costs no walk over all: no slot below these is in
     * that state, and the latest boot of the nodes held, unless the node it was of is gone. */
    uint32_t first_absent, first_asked;
    double latest_ready_s;
    bool latest_is_gone;
    struct event_id ready_event;
    bool queued;
    struct crew *next_asking;    /* the pool's queue */
    uint32_t given, first_given; /* notices of the drop under way, and the first slot */
};

/* Withdraws and ends all nodes held, now. Time not told by crew_did was waiting. */
void crew_release(struct crew *c, enum end_reason reason);
/* A complete crew spent s seconds on this activity since it was last told. */
void crew_did(struct crew *c, enum activity activity, double s);

/* For this world, after fleet_begin: how long a node reads data between boot and ready, and when
 * its hardware fails. Without it neither happens. */
void crew_equip(struct crew *c, double staging_s, const struct failure_law *law);
/* For this world: of the time told as useful only so much is, so much more goes to evaluations, and
 * the rest is lost all the same. Without it all is useful. */
void crew_share(struct crew *c, double useful_share, double evaluation_share);
/* Ends all nodes whose hardware has failed, but those under notice, which go by themselves. */
void crew_end_failed(struct crew *c);

static inline bool crew_complete(const struct crew *c)
{
    return c->held == c->size && c->noticed == 0 && c->failed == 0;
}
/* ---- for models/fleet only ---- */

/* The sources of its luck, by its first slot. */
void crew_name_sources(struct crew *c, const char *workload_name, const char *pool_name);
/* Fills sizes and sources; the rest is zero. False when out of memory; crew_free is due either way.
 */
bool crew_allocate(struct crew *c, const char *workload_name, const char *pool_name);
void crew_free(struct crew *c);
/* Empties the crew for a new world. False when the drawn boot is impossible. */
bool crew_begin(struct crew *c, const double *drawn);
/* Launches nodes asked for, at most `room`; returns how many. crew_launched must follow when any.
 */
uint32_t crew_launch(struct crew *c, uint32_t room);
void crew_launched(struct crew *c, uint32_t count);
/* Puts under notice those nodes held, in the order of their slots, that are marked; returns how
 * many are held. `given` and `first_given` say how many got it, and the first. They are in the
 * batch that crew_batch_given then closes: the owner hears of it, and all nodes of the batch,
 * `count` from slot `first` on, go when the notice ends. */
uint32_t crew_notice_marked(struct crew *c, const bool *marked);
void crew_batch_given(struct crew *c, uint32_t first, uint32_t count);
/* From now on what the crew does is done by this node, too. */
void crew_open_books(const struct crew *c, struct node *n);
/* Schedules what ends the node of this slot, at its times. */
void crew_schedule_ends(struct crew *c, uint32_t slot);
/* A gang that is complete will be told when its last node is ready. */
void crew_await_ready(struct crew *c);

#endif
