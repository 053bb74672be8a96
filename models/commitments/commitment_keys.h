/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a strategy signs for: the keys of one item of `commitments`. */
#ifndef FLEETCAST_MODELS_COMMITMENT_KEYS_H
#define FLEETCAST_MODELS_COMMITMENT_KEYS_H

#include "engine/schema.h"

#include <stdint.h>

enum commitment_choice {
    CHOICE_RESERVED_INSTANCES,
    CHOICE_INSTANCE_SAVINGS_PLAN,
    CHOICE_COMPUTE_SAVINGS_PLAN,
    CHOICE_CAPACITY_RESERVATION /* not signed for: see reservation_plan.h */
};
extern const char *const commitment_choice_names[]; /* "reserved-instances" …, NULL */
extern const char *const commitment_signed_names[]; /* those with a term */
extern const char *const commitment_term_names[];   /* "1y", "3y", NULL */
extern const char *const commitment_rate_names[];   /* "as-reserved", NULL */

enum rate_choice { RATE_AS_RESERVED };

/* `rates: {p4d.24xlarge: 13.9 USD/h}` of a savings plan. */
struct plan_rate_spec {
    struct schema_item item;
    struct quantity rate;
};
extern const struct schema plan_rate_schema;

struct commitment_spec {
    struct schema_item item;
    int kind;                 /* enum commitment_choice */
    const char *instance;     /* reserved instances, capacity reservations: the type */
    const char *zone;         /* of one zone; NULL: of the region, of its first zone */
    int64_t count;            /* reserved instances, capacity reservations */
    int offering_class;       /* enum offering_class */
    struct place class_place; /* where it was written */
    const char *family;       /* EC2 Instance Savings Plan */
    struct quantity hourly;   /* savings plans: the commitment, in savings-plan rates */
    struct schema_list rates; /* struct plan_rate_spec, by instance type */
    int rate;                 /* enum rate_choice, of types without a stated rate; -1: none */
    int term;                 /* 0: one year, 1: three; -1: not said */
    int payment;              /* enum payment_option */
    struct place payment_place;
    struct quantity at;       /* when it is bought, from the scenario's start */
    struct quantity every;    /* a ladder: bought again after each of these; see ladder.h */
    int64_t times;            /* how often in all */
    struct quantity reuse;    /* share of what outlives the horizon that is put to other use */
    struct quantity lasts;    /* capacity reservations: for how long … */
    struct schema_date until; /* … or until when; neither: to the horizon */
};
extern const struct schema commitment_schema;

#endif
