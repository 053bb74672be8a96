/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a strategy signs for: the keys of one item of `commitments`. */
#ifndef FLEETCAST_MODELS_COMMITMENT_KEYS_H
#define FLEETCAST_MODELS_COMMITMENT_KEYS_H

#include "engine/schema.h"

#include <stddef.h>
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
    int offering_class;       /* enum offer_kind: of Reserved Instances */
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

/* The keys that say what was signed, be it by a strategy or before it: its spec has members
 * instance, count, offering_class, zone, family, hourly, rates and rate. `what`: which kinds have a
 * type and a number; texts are string literals. class_place: offset of its struct place; 0: none.
 */
#define SIGNED_KEYS(type, what, class_at, zone_help, rates_help, rate_help)                        \
    {.name = "instance",                                                                           \
     .kind = SCHEMA_TEXT,                                                                          \
     .low = 1,                                                                                     \
     .high = 64,                                                                                   \
     .offset = offsetof(type, instance),                                                           \
     .help = what ": the instance type."},                                                         \
        {.name = "count",                                                                          \
         .kind = SCHEMA_INTEGER,                                                                   \
         .low = 1,                                                                                 \
         .high = 100000,                                                                           \
         .offset = offsetof(type, count),                                                          \
         .help = what ": how many."},                                                              \
        {.name = "class",                                                                          \
         .kind = SCHEMA_CHOICE,                                                                    \
         .choices = offering_class_names,                                                          \
         .default_text = "standard",                                                               \
         .offset = offsetof(type, offering_class),                                                 \
         .place_offset = (class_at),                                                               \
         .help = "Reserved instances: the offering class."},                                       \
        {.name = "zone",                                                                           \
         .kind = SCHEMA_TEXT,                                                                      \
         .low = 1,                                                                                 \
         .high = 64,                                                                               \
         .offset = offsetof(type, zone),                                                           \
         .help = zone_help},                                                                       \
        {.name = "family",                                                                         \
         .kind = SCHEMA_TEXT,                                                                      \
         .low = 1,                                                                                 \
         .high = 64,                                                                               \
         .offset = offsetof(type, family),                                                         \
         .help = "EC2 Instance Savings Plan: the family, such as `p4d`."},                         \
        {.name = "hourly",                                                                         \
         .kind = SCHEMA_QUANTITY,                                                                  \
         .dimension = DIMENSION_PRICE,                                                             \
         .low = 1e-6,                                                                              \
         .high = 1e6,                                                                              \
         .offset = offsetof(type, hourly),                                                         \
         .help = "Savings plans: the commitment, spent at the plan's rates in each hour or "       \
                 "lost."},                                                                         \
        {.name = "rates",                                                                          \
         .kind = SCHEMA_MAP,                                                                       \
         .inner = &plan_rate_schema,                                                               \
         .low = 0,                                                                                 \
         .high = 64,                                                                               \
         .offset = offsetof(type, rates),                                                          \
         .help = rates_help},                                                                      \
    {                                                                                              \
        .name = "rate", .kind = SCHEMA_CHOICE, .choices = commitment_rate_names,                   \
        .offset = offsetof(type, rate), .help = rate_help                                          \
    }

#endif
