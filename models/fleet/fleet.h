/* SPDX-License-Identifier: GPL-3.0-or-later
 * All crews of one strategy over one market: the fleet asks the pools for nodes, launches what is
 * granted, gives notice when capacity falls or a hazard strikes, ends nodes, and writes one usage
 * record for each launch. Who falls when capacity drops in part is a shuffle named by pool and
 * instant: the same in every strategy. */
#ifndef FLEETCAST_MODELS_FLEET_H
#define FLEETCAST_MODELS_FLEET_H

#include "engine/calendar.h"
#include "models/fleet/attempt_log.h"
#include "models/fleet/crew.h"
#include "models/fleet/crew_asking.h"
#include "models/fleet/journal.h"
#include "models/fleet/service_log.h"
#include "models/fleet/trail.h"
#include "models/fleet/usage.h"
#include "models/market/market.h"

#include <stdbool.h>
#include <stdint.h>

struct commitment_plan;
struct running_price;
struct gang_price;
struct hour_log;

/* All crews of one strategy over one market, in one thread. NULL when out of memory. */
struct fleet *fleet_new(struct market *market, struct calendar *calendar, struct usage_log *log);
void fleet_free(struct fleet *f); /* with its crews */

/* What the strategy signs for and reserves, borrowed; after all crews, before the first begin, and
 * only when there is something to cover or reserved. False when out of memory. Without it nobody
 * asks for what covers. */
bool fleet_sign(struct fleet *f, const struct commitment_plan *plan);
/* What policies may ask of prices; NULL without commitments. */
struct running_price *fleet_prices(const struct fleet *f);
/* running_price_of, beside all crews of the fleet; with commitments only. */
struct gang_price fleet_gang_price(const struct fleet *f, const struct crew *c);

/* Adds a crew, before the first begin. workload_name names the sources. boot: borrowed. NULL when
 * out of memory. */
struct crew *fleet_add_crew(struct fleet *f, const struct crew_events *events, void *owner,
                            uint32_t workload, const char *workload_name, int pool, uint32_t size,
                            const struct variate *boot);

/* What a workload offers to others of the same fleet; before the first begin. False when out of
 * memory. Borrowed. */
bool fleet_offer(struct fleet *f, uint32_t workload, void *what);
/* What the workload of this index offers; NULL: nothing. */
void *fleet_offered(const struct fleet *f, uint32_t workload);

/* Starts a world: all crews empty, clock at 0, capacity events scheduled. drawn: the replication's
 * inputs. journal may be NULL. False when a drawn distribution is impossible or memory is out. */
bool fleet_begin(struct fleet *f, struct random_world world, const double *drawn,
                 struct journal *journal);

/* From the next world on its gangs leave their trail here; NULL, as at first: nowhere. Borrowed. */
void fleet_follow(struct fleet *f, struct trail *trail);

struct calendar *fleet_calendar(const struct fleet *f);
struct market *fleet_market(const struct fleet *f);
struct journal *fleet_journal(const struct fleet *f);
struct trail *fleet_trail(const struct fleet *f);
struct random_world fleet_world(const struct fleet *f);
/* Attempts are logged there from now on; NULL: nowhere, as at first. */
void fleet_log_attempts(struct fleet *f, struct attempt_log *log);
struct attempt_log *fleet_attempts(const struct fleet *f);
/* Likewise how services fare, from the next world on. Borrowed. */
void fleet_log_services(struct fleet *f, struct service_log *log);
struct service_log *fleet_services(const struct fleet *f);
/* Likewise hour by hour. */
void fleet_log_hours(struct fleet *f, struct hour_log *log);
struct hour_log *fleet_hours(const struct fleet *f);
/* Something could not be done inside an event (calendar full, memory): the replication must be
 * refused. */
void fleet_fail(struct fleet *f);
bool fleet_failed(const struct fleet *f);
/* What this world took beside its events, in units that cost about as much as one: launches, and
 * looking through the nodes of a gang. One event of a large gang can be much work. */
double fleet_work(const struct fleet *f);
/* Neither has failed nor taken more events and work than so many. One call, since it is asked after
 * every event. */
bool fleet_goes_on(const struct fleet *f, uint64_t most_events); /* < 2^58 */
/* An owner looked through so many nodes. */
void fleet_count_work(struct fleet *f, uint32_t nodes);

#endif
