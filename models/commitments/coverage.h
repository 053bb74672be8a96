/* SPDX-License-Identifier: GPL-3.0-or-later
 * Who covers what: the usage of one clock hour against the commitments in force, in the provider's
 * order. Zonal Reserved Instances first (unused ones of other accounts too), then regional ones,
 * from the smallest size of the family up, then EC2 Instance Savings Plans, then Compute Savings
 * Plans, each by the highest saving first and among equals by the lowest rate; what is left is on
 * demand. Within each step the owner's usage comes before other accounts', running instances before
 * idle reserved capacity. Sources: EC2 user guide, "How Reserved Instances are applied" and
 * "Capacity Reservation pricing and billing" (2023-06-15); Savings Plans user guide, "Understanding
 * how Savings Plans apply to your usage".
 *
 * The order depends on usage and commitments only by what they are, never by how much there is. So
 * all pairs (commitment, group of usage) that can meet are sorted once, and an hour is one walk
 * along them: cover the smaller of what is left of both. Everything is whole numbers: usage in
 * instance-microseconds, a commitment's capacity in weight × microseconds, where the weight is a
 * normalisation factor or a savings-plan rate. A commitment that cannot cover one more microsecond
 * is used up. The walk is monotone: more of a commitment leaves no usage with less cover.
 *
 * Money of covered usage is rounded once per (commitment, group, clock hour) as differences of a
 * running total, so that used + unused of a commitment is exactly its amortised cost. */
#ifndef FLEETCAST_MODELS_COVERAGE_H
#define FLEETCAST_MODELS_COVERAGE_H

#include "models/commitments/commitment.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum coverage_use {
    USE_INSTANCE,       /* an instance that runs on demand */
    USE_IN_RESERVATION, /* the same in an on-demand capacity reservation: no zonal discount */
    USE_IDLE            /* capacity reserved and not used: no zonal discount either */
};

#define COVERAGE_NOT_ELIGIBLE (-1)

/* Usage that only differs in when it ran: one type, place, account and price. Texts are borrowed
 * until coverage_new returns. Usage under two prices in one hour makes two groups. */
struct coverage_group {
    const char *type;          /* "p4d.24xlarge"; without a dot: not EC2, such as "fargate-vcpu" */
    const char *region, *zone; /* not NULL */
    int32_t account;
    bool others; /* not the plan's: kept apart from it, and covered before what is equal to it */
    enum platform platform;
    enum coverage_use use;
    money_t on_demand_per_hour; /* > 0 */
    /* Savings-plan rates an hour, one for each commitment given to coverage_new; read only where
     * the plan could apply, and there > 0 or COVERAGE_NOT_ELIGIBLE. NULL = none. */
    const money_t *plan_rates;
};

enum {
    COVERAGE_GROUPS_MAX = 10000,
    COVERAGE_COMMITMENTS_MAX = 10000,
    COVERAGE_PAIRS_MAX = 4000000
};

struct coverage; /* read only after coverage_new; safe to share between threads */

/* What cannot be is told in d (a commitment that commitment_check refuses, a price <= 0, a missing
 * savings-plan rate, a size without a factor in a flexible family that meets a commitment) and NULL
 * returns. Commitments are copied, their texts are not kept. */
struct coverage *coverage_new(const struct coverage_group *groups, size_t group_count,
                              const struct commitment *commitments, size_t commitment_count,
                              struct place where, struct diagnostics *d);
void coverage_free(struct coverage *c);

/* Groups that are equal in everything are one slot, and slots are in an order of their own, so that
 * neither the order nor the splitting of groups changes anything. */
size_t coverage_slots(const struct coverage *c);
size_t coverage_slot(const struct coverage *c, size_t group);
size_t coverage_commitments(const struct coverage *c);
/* How many instances of the slot the commitment covers when it covers nothing else; 0: it cannot
 * cover any. */
double coverage_reach(const struct coverage *c, size_t commitment, size_t slot);

/* One pair that met. */
struct coverage_cover {
    uint32_t commitment, slot;
    int64_t us;    /* of the slot's usage */
    money_t money; /* its share of the commitment's amortised cost */
};

/* Of one clock hour, or of `hours` equal ones together. Read only; lives in the work. Capacity
 * blocks and capacity reservations cover nothing, and their used and unused are 0: a block is paid
 * as a whole, and what a reservation keeps idle is usage of its own (USE_IDLE). */
struct coverage_outcome {
    int64_t from_us, to_us, hours;
    size_t cover_count;
    const struct coverage_cover *covers; /* in the order in which they were matched */
    const int64_t *on_demand_us;         /* by slot */
    const money_t *on_demand;            /* by slot: price × what is left, rounded per hour */
    const money_t *used, *unused;        /* by commitment; together its amortised cost */
    bool overflow;                       /* a sum passed what int64 holds: refuse it by name */
};

struct coverage_work;                                              /* one thread's memory */
struct coverage_work *coverage_work_new(const struct coverage *c); /* NULL: no memory */
void coverage_work_free(struct coverage_work *w);

/* used_us: instance-microseconds of one hour, by slot, each 0 … 1e16. [from_us, to_us): the hour
 * (or the part of it that counts: capacity is in proportion), or several whole hours of equal usage
 * in which no commitment begins or ends. Allocates nothing. */
const struct coverage_outcome *coverage_match(const struct coverage *c, struct coverage_work *w,
                                              const int64_t *used_us, int64_t from_us,
                                              int64_t to_us);

/* Instants at which a commitment begins or ends, sorted, without duplicates. */
size_t coverage_edges(const struct coverage *c, const int64_t **edges_us);

#endif
