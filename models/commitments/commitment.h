/* SPDX-License-Identifier: GPL-3.0-or-later
 * One commitment: what was signed, when, for how long, and what it costs. All amounts are exact
 * int64 nano-units. What has been paid or amortised up to an instant is one rounded-down running
 * total, and what falls into [a, b) is a difference of two: parts add up to the whole whatever the
 * cuts, and over full hours a price that is a whole number of nano-units an hour is met exactly
 * (rounding down commutes with adding a whole number; rounding half to even does not).
 *
 * A term of one year is 365 days, 8,760 hours, of three years 26,280, as the provider's list value
 * counts them ("fixed price + hourly × hours"; EC2 user guide, "Reserved Instances" and "Savings
 * Plans"). */
#ifndef FLEETCAST_MODELS_COMMITMENT_H
#define FLEETCAST_MODELS_COMMITMENT_H

#include "engine/diagnostics.h"
#include "engine/money.h"
#include "models/catalogue/reserved_offers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum commitment_kind {
    COMMITMENT_ZONAL_RESERVED,       /* Reserved Instances of one zone, one type */
    COMMITMENT_REGIONAL_RESERVED,    /* of one region; size-flexible where the family is */
    COMMITMENT_INSTANCE_SAVINGS,     /* EC2 Instance Savings Plan: one family in one region */
    COMMITMENT_COMPUTE_SAVINGS,      /* Compute Savings Plan */
    COMMITMENT_CAPACITY_BLOCK,       /* a fixed window, paid as a whole at its purchase */
    COMMITMENT_CAPACITY_RESERVATION, /* on-demand capacity, paid while idle too */
    COMMITMENT_KIND_COUNT
};
extern const char *const commitment_kind_names[]; /* "zonal reserved instances" …, NULL */

/* Of Reserved Instances: "standard", "convertible", NULL; by OFFER_STANDARD, OFFER_CONVERTIBLE. */
extern const char *const offering_class_names[];

enum platform { PLATFORM_LINUX, PLATFORM_RHEL, PLATFORM_SUSE, PLATFORM_WINDOWS };

enum { COMMITMENT_COUNT_MAX = 100000 };

/* Texts are borrowed. */
struct commitment {
    const char *name; /* as shown in messages and lines */
    enum commitment_kind kind;
    enum offer_kind offering_class; /* reserved instances only; does not change what is covered */
    enum payment_option payment;
    int term_years;     /* 1 or 3; 0 for blocks and capacity reservations */
    const char *type;   /* "p4d.24xlarge"; NULL for savings plans */
    const char *family; /* "p4d", EC2 Instance Savings Plans only */
    const char *region; /* NULL for Compute Savings Plans */
    const char *zone;   /* zonal reserved instances, blocks and capacity reservations; else NULL */
    enum platform platform;     /* of reserved instances */
    int32_t owner;              /* account */
    bool sunk;                  /* from before the plan: of equal ones it is used first */
    int64_t count;              /* instances; 0 for savings plans */
    money_t hourly;             /* savings plans: the commitment an hour, in savings-plan rates */
    money_t upfront;            /* paid at start_us, for all instances */
    money_t recurring_per_hour; /* paid along the term, for all instances */
    int64_t start_us,
        end_us; /* since the scenario's start; may be negative; in force in [start, end) */
};

bool commitment_is_reserved(const struct commitment *c);
bool commitment_is_savings_plan(const struct commitment *c);
int64_t commitment_term_us(int years);

/* These set count or hourly, the money, and end_us from start_us and term_years. Amounts that
 * overflow are MONEY_MAX, which commitment_check refuses. */
/* Prices of one instance. */
void commitment_set_reserved(struct commitment *c, int64_t count, money_t upfront_each,
                             money_t hourly_each);
/* Half is paid upfront with PAYMENT_PARTIAL_UPFRONT ("at least half"; an odd nano-unit an hour goes
 * to the upfront part). */
void commitment_set_savings_plan(struct commitment *c, money_t hourly);
/* A block's window [start_us, end_us) must be set (see capacity_block.h): the whole is paid at
 * its start, by reserved hours and whatever is used. */
void commitment_set_block(struct commitment *c, int64_t count, money_t per_hour_each);
/* Also needs its window: on-demand price while it is held, used or not. */
void commitment_set_capacity_reservation(struct commitment *c, int64_t count,
                                         money_t per_hour_each);

/* Not signed after all: it costs and covers nothing. */
void commitment_drop(struct commitment *c);

/* False when something in it cannot be, told in d by the commitment's name: unknown or missing type
 * or zone, a count or amount out of range, no time in force, a total above what money can hold. */
bool commitment_check(const struct commitment *c, struct place where, struct diagnostics *d);

/* Upfront and all recurring payments to the end of the term. MONEY_MAX on overflow. */
money_t commitment_total(const struct commitment *c);
/* What signing it obliges to pay: its total; 0 for a capacity reservation, which may be given up
 * any time. */
money_t commitment_obligation(const struct commitment *c);
/* Cash out in [from_us, to_us): the upfront part at start_us, recurring payments as they accrue. */
money_t commitment_paid(const struct commitment *c, int64_t from_us, int64_t to_us);
/* The total spread evenly over the term: what falls into [from_us, to_us). */
money_t commitment_amortised(const struct commitment *c, int64_t from_us, int64_t to_us);
/* What is still to be paid at or after at_us. */
money_t commitment_owed(const struct commitment *c, int64_t at_us);
/* Amortised cost of one whole hour, rounded down; *exact when nothing was cut off: n whole hours
 * then cost exactly n times it. */
money_t commitment_hour(const struct commitment *c, bool *exact);
/* Part of [from_us, to_us) in which it is in force. */
int64_t commitment_overlap_us(const struct commitment *c, int64_t from_us, int64_t to_us);

#endif
