/* SPDX-License-Identifier: GPL-3.0-or-later
 * Nodes and their life. A *crew* is the set of nodes that one gang holds in one pool; the fleet
 * asks the pools for nodes, launches what is granted, gives notice when capacity falls or a hazard
 * strikes, ends nodes, and writes one usage record for each launch.
 *
 * A workload owns its crews and hears of them through `struct crew_events`. It tells the crew what
 * the time of a complete crew went to (crew_did); boot is known from the node itself, and what is
 * left of a node's life was waiting. So the cost of keeping the books does not grow with the number
 * of phases, only with launches.
 *
 * Luck: the k-th launch of a slot draws its lifetime, boot and wait from sources named by workload,
 * pool and slot at index k, one uniform each, so it is the same in every strategy (common random
 * numbers). Who falls when capacity drops in part is a shuffle named by pool and instant. */
#ifndef FLEETCAST_MODELS_FLEET_H
#define FLEETCAST_MODELS_FLEET_H

#include "engine/calendar.h"
#include "models/fleet/journal.h"
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
    void (*ready)(void *owner, struct crew *c);   /* all nodes held and booted, none under notice */
    void (*noticed)(void *owner, struct crew *c); /* some nodes were just given notice */
    void (*losing)(void *owner, struct crew *c); /* nodes vanish now: account for the time so far */
    void (*lost)(void *owner, struct crew *c);   /* they are gone */
    void (*capacity)(void *owner, struct crew *c); /* the pool's capacity just changed */
};

enum node_state { NODE_ABSENT, NODE_ASKED, NODE_HELD, NODE_NOTICED };

struct node {
    enum node_state state;
    uint32_t launches; /* so far; the current launch's ordinal is launches - 1 */
    uint32_t batch;    /* of notices, when NODE_NOTICED */
    double start_s, ready_s;
    struct event_id event;           /* the grant (ASKED) or the hazard's strike (HELD) */
    double joined_s[ACTIVITY_COUNT]; /* the crew's books when the node came */
};

struct fleet;

/* Read only for owners. */
struct crew {
    struct fleet *fleet;
    const struct crew_events *events;
    void *owner;
    uint32_t workload;
    int pool; /* the market's index */
    enum purchase purchase;
    uint32_t size; /* nodes of the gang */
    uint32_t held; /* launched and not gone, noticed ones included */
    uint32_t noticed;
    bool asking;          /* missing nodes are asked for */
    uint32_t launched;    /* launches in this world */
    uint32_t interrupted; /* nodes the cloud took in this world */

    struct fleet_pool *in;
    struct node *nodes;                                    /* size */
    uint64_t *source_boot, *source_lifetime, *source_wait; /* size each */
    const struct variate *boot_spec;
    struct distribution boot; /* of this world */
    double did_s[ACTIVITY_COUNT];
    uint32_t batches;
    struct event_id ready_event;
    struct crew *next_asking; /* the pool's queue */
};

/* All crews of one strategy over one market, in one thread. NULL when out of memory. */
struct fleet *fleet_new(struct market *market, struct calendar *calendar, struct usage_log *log);
void fleet_free(struct fleet *f); /* with its crews */

/* Adds a crew, before the first begin. workload_name names the sources. boot: borrowed. NULL when
 * out of memory. */
struct crew *fleet_add_crew(struct fleet *f, const struct crew_events *events, void *owner,
                            uint32_t workload, const char *workload_name, int pool, uint32_t size,
                            const struct variate *boot);

/* Starts a world: all crews empty, clock at 0, capacity events scheduled. drawn: the replication's
 * inputs. journal may be NULL. False when a drawn distribution is impossible or memory is out. */
bool fleet_begin(struct fleet *f, struct random_world world, const double *drawn,
                 struct journal *journal);

/* Asks for all nodes the crew lacks; they come at once as far as the pool has room, the rest as it
 * frees up, first come first served among crews. No effect when already asking. */
void crew_ask(struct crew *c);
/* Stops asking; what is held stays. */
void crew_withdraw(struct crew *c);
/* Withdraws and ends all nodes held, now. Time not told by crew_did was waiting. */
void crew_release(struct crew *c, enum end_reason reason);
/* A complete crew spent s seconds on this activity since it was last told. */
void crew_did(struct crew *c, enum activity activity, double s);

static inline bool crew_complete(const struct crew *c)
{
    return c->held == c->size && c->noticed == 0;
}
/* True when the crew, holding nothing, would be granted whole if it asked now. */
bool crew_obtainable(const struct crew *c);

struct calendar *fleet_calendar(const struct fleet *f);
struct market *fleet_market(const struct fleet *f);
struct journal *fleet_journal(const struct fleet *f);
struct random_world fleet_world(const struct fleet *f);
/* Ordered set-up failed inside an event (calendar full, memory): the replication must be refused.
 */
bool fleet_failed(const struct fleet *f);

#endif
