/* SPDX-License-Identifier: GPL-3.0-or-later
 * One thread's machinery to simulate and rate worlds: all strategies of a study over the same
 * world, one after the other. */
#ifndef FLEETCAST_SCENARIOS_SIMULATION_H
#define FLEETCAST_SCENARIOS_SIMULATION_H

#include "models/billing/charge_note.h"
#include "models/billing/committed.h"
#include "models/fleet/hour_log.h"
#include "models/fleet/journal.h"
#include "models/fleet/trail.h"
#include "models/fleet/usage.h"
#include "scenarios/study/kept_usage.h"
#include "scenarios/study/level_results.h"
#include "scenarios/study/metrics.h"
#include "scenarios/study/study.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Events of one strategy in one world, launches and work on large gangs counted too, beside those
 * of the requests that its services are planned to answer; one that needs more is refused by name.
 */
#define SIMULATION_MAX_EVENTS       UINT64_C(10000000)
#define SIMULATION_EVENTS_A_REQUEST 10
#define SIMULATION_MAX_RECORDS      2000000

struct simulation;

/* NULL when out of memory. The study is borrowed. */
struct simulation *simulation_new(const struct study *study);
void simulation_free(struct simulation *s);

/* What a run of one strategy in one world may write to, beside its metrics; any may be NULL. */
struct simulation_outputs {
    struct metric_cells *cells; /* workloads + 1: the last is `all` */
    money_t *months;            /* frame.months */
    money_t *by_month;          /* BILL_ROWS × frame.months, as in bill.h */
    money_t *others;            /* (workloads + 1) × frame.others: of each, then the shared ones */
    money_t *holders;           /* holders.count of the study: who bears the cost */
    struct committed_account *accounts; /* one per commitment of the strategy */
    struct level_cell *levels;          /* one per level of the strategy's commitments */
    struct journal *journal;
    struct trail *trail; /* closed at the end of the last work */
    struct attempt_log *attempts;
    struct service_log *services; /* closed likewise */
    struct hour_log *hours;       /* cleared before */
    /* Timeline: buckets of bucket_us from the start. */
    size_t buckets;
    int64_t bucket_us;
    double *spend_units;               /* buckets */
    double *nodes;                     /* PURCHASE_COUNT × buckets */
    const struct charge_sink *charges; /* told of every amount beside nodes (other_charges.h) */
};

/* From now on a run that is under way when this is set gives up soon: it returns false, and its
 * outputs mean nothing. Borrowed; NULL: none does. */
void simulation_give_up(struct simulation *s, const atomic_bool *interrupted);
/* Draws the world; then any of its strategies may be run. */
bool simulation_begin_world(struct simulation *s, uint32_t replication);
bool simulation_run_strategy(struct simulation *s, size_t strategy,
                             const struct simulation_outputs *out);
/* Keeps what the strategy run last left for its bill, if it can be kept. */
void simulation_keep(const struct simulation *s, struct kept_worlds *kept, size_t slot);
/* Rates what was kept of this strategy in the world that was begun last, at the study's levels of
 * commitments, as simulation_run_strategy would, which simulates it anew. */
bool simulation_rate_kept(struct simulation *s, size_t strategy, const struct kept_usage *kept,
                          struct level_cell *levels);
/* The usage records and the market of the strategy run last; borrowed until the next run. */
const struct usage_log *simulation_usage(const struct simulation *s);
struct market *simulation_market(struct simulation *s);
/* What each commitment of this strategy did to its bill, when it was run last; NULL when it signs
 * for none. */
const struct committed_account *simulation_commitments(const struct simulation *s, size_t strategy);
/* In the strategy run last nothing was signed from then on, since its project was cancelled;
 * INT64_MAX: it was not. */
int64_t simulation_signed_until_us(const struct simulation *s);
/* The account beside the plan in the current world; NULL: there is none. */
struct account_world *simulation_account(struct simulation *s);
/* Likewise the discount on on-demand nodes, by market pool; see other_charges_discounts. */
const int64_t *simulation_discounts(const struct simulation *s);
/* The inputs drawn for the current world, in the order of the scenario's table. */
const double *simulation_drawn(const struct simulation *s);
/* Why the last call returned false: one sentence. */
const char *simulation_error(const struct simulation *s);

#endif
