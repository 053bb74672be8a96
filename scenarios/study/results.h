/* SPDX-License-Identifier: GPL-3.0-or-later
 * All metrics of all worlds, one slot per replication: memory grows with replications × metrics,
 * never with events. */
#ifndef FLEETCAST_SCENARIOS_RESULTS_H
#define FLEETCAST_SCENARIOS_RESULTS_H

#include "models/billing/committed.h"
#include "scenarios/study/metrics.h"

#include <stddef.h>
#include <stdint.h>

#define RESULTS_MAX_BYTES 8e9

/* Row `workloads` of a strategy is `all`. Slots are written by different threads, each its own. */
struct results {
    size_t strategies, workloads, months, others;
    uint32_t replications; /* complete ones, from 0 */
    uint32_t capacity;
    struct metric_cells *cells; /* [replication][strategy][workload + all] */
    money_t *month;             /* [replication][strategy][month], of all workloads together */
    money_t *by_month;          /* [replication][strategy][BILL_ROWS][month], likewise */
    money_t *other; /* [replication][strategy][workload + shared][line]: other charges */
    /* [replication][commitment of all strategies, one after the other]; NULL: none is kept */
    struct committed_account *accounts;
    money_t *held; /* [replication][strategy][holder]: who bears the cost */
    size_t holders;
    double *bounds; /* [world][gang]: what hindsight could have done (oracle_world.h) */
    size_t gangs;
    uint32_t bound_worlds; /* that there is room for */
    size_t *account_start; /* by strategy, and behind the last: where its commitments begin */
};

/* Bytes a replication needs, those for making its tables among them. */
size_t results_bytes(size_t strategies, size_t workloads, size_t months, size_t others);
/* False when out of memory. */
bool results_init(struct results *r, size_t strategies, size_t workloads, size_t months,
                  size_t others, uint32_t capacity);
/* Room for what each commitment did; counts: commitments by strategy. False when out of memory.
 * results_init must come before. */
bool results_keep_accounts(struct results *r, const size_t *counts);
/* Room for who bears the cost. results_init must come before. */
bool results_keep_holders(struct results *r, size_t holders);
/* Room for the bounds of the first worlds. results_init must come before. */
bool results_keep_bounds(struct results *r, size_t gangs, uint32_t worlds);
void results_release(struct results *r);
/* Whether the strategy's work is cut off in every world. */
bool results_never_finish(const struct results *r, size_t strategy);

static inline struct metric_cells *results_cells(const struct results *r, uint32_t replication,
                                                 size_t strategy, size_t workload)
{
    return &r->cells[((size_t)replication * r->strategies + strategy) * (r->workloads + 1) +
                     workload];
}
static inline money_t *results_months(const struct results *r, uint32_t replication,
                                      size_t strategy)
{
    return &r->month[((size_t)replication * r->strategies + strategy) * r->months];
}
/* BILL_ROWS × r->months: what the bill parts beside cost. */
static inline money_t *results_by_month(const struct results *r, uint32_t replication,
                                        size_t strategy)
{
    return &r->by_month[((size_t)replication * r->strategies + strategy) * BILL_ROWS * r->months];
}
/* r->others lines of each workload, then of what they share. */
static inline money_t *results_others(const struct results *r, uint32_t replication,
                                      size_t strategy)
{
    return &r->other[((size_t)replication * r->strategies + strategy) * (r->workloads + 1) *
                     r->others];
}

/* By holder; NULL: costs are not split. */
static inline money_t *results_holders(const struct results *r, uint32_t replication,
                                       size_t strategy)
{
    return r->holders == 0
               ? NULL
               : &r->held[((size_t)replication * r->strategies + strategy) * r->holders];
}

/* By gang of the study's oracle plan; NULL: none in this world. */
static inline double *results_bounds(const struct results *r, uint32_t replication)
{
    return replication < r->bound_worlds ? &r->bounds[(size_t)replication * r->gangs] : NULL;
}

static inline bool results_has_accounts(const struct results *r, size_t strategy)
{
    return r->accounts != NULL && r->account_start[strategy + 1] > r->account_start[strategy];
}
/* By commitment of the strategy; NULL when none is kept. */
static inline struct committed_account *results_accounts(const struct results *r,
                                                         uint32_t replication, size_t strategy)
{
    return results_has_accounts(r, strategy)
               ? &r->accounts[(size_t)replication * r->account_start[r->strategies] +
                              r->account_start[strategy]]
               : NULL;
}

/* One metric over all complete replications, and which are only lower bounds; both arrays hold
 * r->replications entries. Returns how many are censored. */
size_t results_column(const struct results *r, size_t strategy, size_t workload, enum metric m,
                      double *values, unsigned char *censored);

/* The plan world of a strategy: the replication whose cost (all workloads) is nearest the median,
 * the first of equals; among the finished worlds when there are any. UINT32_MAX when there is no
 * world at all. False when out of memory. */
bool results_plan_world(const struct results *r, size_t strategy, uint32_t *world);

#endif
