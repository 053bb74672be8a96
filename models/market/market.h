/* SPDX-License-Identifier: GPL-3.0-or-later
 * The market: pools with a price path and a capacity path, described once and the same for every
 * strategy. A pool is one instance type in one zone under one way to buy.
 *
 * Two halves. The *plan* is built once from scenario and catalogue and is read only. A *market* is
 * one thread's view of one world: paths are drawn lazily, in chunks, each from a source of its own,
 * and kept until the next world, so that every strategy of that world meets the same paths. */
#ifndef FLEETCAST_MODELS_MARKET_H
#define FLEETCAST_MODELS_MARKET_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "engine/inputs.h"
#include "engine/money.h"
#include "engine/random.h"
#include "engine/schema.h"
#include "models/catalogue/catalogue.h"
#include "models/market/account_quotas.h"
#include "models/market/assumptions.h"
#include "models/market/market_windows.h"
#include "models/market/price_outlook_keys.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum purchase { PURCHASE_ON_DEMAND, PURCHASE_SPOT, PURCHASE_BLOCK, PURCHASE_OWNED, PURCHASE_COUNT };
extern const char
    *const purchase_names[]; /* "on-demand", "spot", "capacity-block", "owned", NULL */

/* What a scenario says: keys in market_keys.c, filled by the reader. */
struct market_spec {
    struct schema_list spot; /* struct spot_spec (market_keys.h), named "TYPE" or "ZONE/TYPE" */
    struct schema_list on_demand;     /* struct on_demand_spec, named likewise */
    struct schema_list price_changes; /* struct price_change_spec */
    struct price_cuts_spec price_cuts;
    struct schema_list quotas; /* struct quota_spec */
};
extern const struct schema market_schema; /* the top-level section `market` */

struct llm_table_store;

struct market_context {
    const struct catalogue *catalogue;
    const struct region *region;
    const char *folder; /* where relative file names start; NULL: the working directory */
    int64_t start_unix_s;
    int64_t prices_as_of_unix_s;
    double horizon_s;
    struct inputs *inputs; /* the market registers its own uncertain inputs (theta) here */
    struct assumptions *assumptions;
    struct arena *arena;
    struct diagnostics *diagnostics;
    struct llm_table_store *tables; /* of services, made for other studies; NULL: none */
};

struct trace;
struct market_plan;
/* Builds an empty plan in the context's arena; pools are added as strategies ask for them. What is
 * wrong in the spec, used or not, is told in the diagnostics; pools of a wrong entry give -1. NULL
 * when memory is out. Spec and context must outlive the plan. */
struct market_plan *market_plan_new(const struct market_spec *spec, struct market_context context);
/* The pool's index; the same (zone, type, purchase) gives the same index. zone NULL: the region's
 * first. Missing prices, unknown types, impossible parameters are told in the diagnostics at
 * `where`; -1 then. Must not be called after inputs_prepare. */
int market_plan_pool(struct market_plan *p, const char *zone, const char *type,
                     enum purchase purchase, struct place where);
/* The pool of what a buyer holds by itself, in these windows (count > 0; borrowed): `owner`, the
 * address of what it was bought by, tells it from other such pools. The first call makes it, later
 * ones find it. -1 as above. */
int market_plan_own_pool(struct market_plan *p, const char *zone, const char *type,
                         enum purchase purchase, const void *owner,
                         const struct market_window *windows, size_t count, struct place where);
/* That pool, whatever its zone and type; -1: none yet. */
int market_plan_owned_by(const struct market_plan *p, const void *owner);
/* Its windows; 0 of a pool of the market. */
size_t market_plan_windows(const struct market_plan *p, int pool,
                           const struct market_window **windows);
size_t market_plan_pools(const struct market_plan *p);
/* The handle of a type's on-demand list price, for market_offer_factor; -1: no such type, or out of
 * memory. Must not be called after inputs_prepare. */
int market_plan_offer(struct market_plan *p, const char *type);
/* market_offer_factor as planning sees it; false in *moves (may be NULL): 1 at all times in all
 * worlds. */
double market_planned_offer_factor(const struct market_plan *p, int offer, double t_s, bool *moves);

/* The account's quota that a pool's nodes count towards. */
struct pool_quota market_plan_quota(const struct market_plan *p, int pool);

struct pool_info {
    const char *zone;
    const struct instance_type *type;
    enum purchase purchase;
    const char *name; /* "us-east-1a/p4d.24xlarge/spot" */
};
const struct pool_info *market_pool_info(const struct market_plan *p, int pool);

/* What planning may know (medians of the inputs), DESIGN invariant 7. */
/* Rate at which a running gang of n nodes loses at least one node, per second of running: crossing
 * formula of the hidden process at theta - beta ln n over the share of time a gang is up (the
 * season averaged out: rarer by its scale), or 1/mean up, plus n × hazard. 0 = never. */
double market_planned_loss_rate(const struct market_plan *p, int pool, uint32_t n);
/* Share of time n nodes are obtainable; 1 for on-demand `always`. */
double market_planned_availability(const struct market_plan *p, int pool, uint32_t n);
double market_planned_price_per_hour(const struct market_plan *p, int pool);
/* The catalogue's row that this price comes from; false when the scenario states the price. */
bool market_planned_price_row(const struct market_plan *p, int pool, struct dated_price *row);
/* The 90 % interval (P5, P95) of a stated price that is uncertain, per hour; false when it is
 * certain. */
bool market_planned_price_range(const struct market_plan *p, int pool, double *low, double *high);
/* The index-th price, from 0, that comes into force after the start and before the horizon, as far
 * as it is known at the start; false beyond the last. */
bool market_planned_price_step(const struct market_plan *p, int pool, size_t index, double *from_s,
                               money_t *per_hour);
/* Whether prices may change in ways that the catalogue does not know: stated changes, or cuts. */
bool market_planned_price_outlook(const struct market_plan *p);
/* Notice before a node goes, seconds: a median. */
double market_planned_notice_s(const struct market_plan *p, int pool);
/* The trace whose capacity the pool replays, and in *nodes_per_unit how many nodes one of its nodes
 * stands for; NULL: its capacity is none of a trace. */
const struct trace *market_plan_trace(const struct market_plan *p, int pool,
                                      int64_t *nodes_per_unit);
/* Most nodes the pool can ever hold (limit, constant, quota); UINT32_MAX = no limit. */
uint32_t market_planned_limit(const struct market_plan *p, int pool);
/* What a user may do about that limit, as the end of a sentence; "" when nothing is known. */
const char *market_planned_limit_advice(const struct market_plan *p, int pool);

/* What a pool replays; false: nothing. */
struct planned_replay {
    const char *file; /* as the scenario names it */
    bool nodes, price;
    double length_s;
    bool wraps; /* false: behind its end there are no nodes */
};
bool market_planned_replay(const struct market_plan *p, int pool, struct planned_replay *out);

struct market; /* one thread's */
struct market *market_new(const struct market_plan *p);
void market_free(struct market *m);
const struct market_plan *market_plan_of(const struct market *m);
/* Starts a world; drawn: inputs of this replication (borrowed until the next begin). False when the
 * drawn parameters are impossible; market_message says why, in a sentence without a place. */
bool market_begin(struct market *m, struct random_world world, const double *drawn);
const char *market_message(const struct market *m);

/* min(K(t), cap): nodes of the pool that can be held at time t (right-continuous). */
uint32_t market_capacity(struct market *m, int pool, double t_s, uint32_t cap);
/* The first time > t_s at which min(K, cap) differs from its value at t_s; +infinity if never
 * within reach (end_s of the market_begin horizon plus one grid step). */
double market_next_change(struct market *m, int pool, double t_s, uint32_t cap);
/* When the nodes that the pool replays end for good in this world; +infinity: never. */
double market_trace_end_s(struct market *m, int pool);
/* Price in force at t and, in *until_s (may be NULL), the time of its next change (+infinity:
 * none). */
money_t market_price(struct market *m, int pool, double t_s, double *until_s);
/* On-demand list price of a type at t over what it is without stated changes and cuts, whether a
 * pool of it is there or not: what a commitment bought then costs more or less. offer: of
 * market_plan_offer. */
double market_offer_factor(struct market *m, int offer, double t_s);
/* Interruptions of a single node on top of the capacity path, per second; 0 = none. */
double market_hazard(struct market *m, int pool);
/* Whether single nodes of the pool end by themselves, by a hazard or a law of life; and after how
 * long, at luck u in (0, 1): +infinity never. */
bool market_ends_nodes(struct market *m, int pool);
double market_node_life_s(struct market *m, int pool, double u);
double market_notice_s(struct market *m, int pool);
/* Whether rebalance recommendations come at all; how long before its notice an interruption with
 * two uniforms of its own is announced (-1: it is not), and the time to the next false alarm. See
 * rebalance.h. */
bool market_rebalances(const struct market *m, int pool);
double market_rebalance_lead_s(const struct market *m, int pool, double u_share, double u_lead);
double market_false_alarm_s(const struct market *m, int pool, double u);
/* Time after an interruption of ours in which this pool grants nothing; drawn by u. 0 by default.
 */
double market_regain_s(struct market *m, int pool, double u);
/* Wait between a request and its grant in an on-demand pool with `wait`; drawn by u. 0 else. */
double market_wait_s(struct market *m, int pool, double u);
/* False when the pool's regain (spot) or wait (on-demand) is 0 at any luck: nothing need be drawn.
 */
bool market_delays(const struct market *m, int pool);
bool market_first_hour_free(const struct market *m, int pool); /* spot billing rule of the pool */
/* What the index-th window of a buyer's own pool costs in this world. */
money_t market_window_cost(const struct market *m, int pool, size_t index);

#endif
