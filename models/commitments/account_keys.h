/* SPDX-License-Identifier: GPL-3.0-or-later
 * What exists before the plan: the keys of the section `account`. The provider matches commitments
 * with usage over a whole account (and those linked with it), so what others have signed for and
 * what they run decides what the plan's own nodes cost. */
#ifndef FLEETCAST_MODELS_ACCOUNT_KEYS_H
#define FLEETCAST_MODELS_ACCOUNT_KEYS_H

#include "engine/schema.h"

#include <stdbool.h>
#include <stdint.h>

/* A commitment that is paid whatever the plan does. */
struct sunk_spec {
    struct schema_item item;
    int kind;                 /* enum commitment_choice */
    const char *instance;     /* reserved instances */
    const char *zone;         /* of one zone; NULL: of the region */
    int64_t count;            /* reserved instances */
    int offering_class;       /* enum offer_kind: of Reserved Instances */
    const char *family;       /* EC2 Instance Savings Plan */
    struct quantity hourly;   /* savings plans */
    struct schema_list rates; /* struct plan_rate_spec */
    int rate;                 /* of types without one in rates: RATE_AS_RESERVED; -1: an error */
    int term;                 /* 0: one year, 1: three */
    int payment;              /* enum payment_option */
    struct quantity price;    /* reserved instances: effective, of one an hour */
    bool price_given;
    struct schema_date ends;
    const char *owner; /* NULL: the plan's account */
};

/* `day: [0, 0, 4, …]` */
struct use_count_spec {
    struct schema_item item;
    int64_t count;
};

/* On-demand nodes that others run. One of count, day, week and file is given. */
struct others_use_spec {
    struct schema_item item;
    const char *instance;
    const char *zone; /* NULL: the region's first */
    int64_t count;
    bool count_given;
    struct schema_list day, week; /* struct use_count_spec: 24 and 168 of them */
    const char *file;
    struct number scale; /* times all counts; may be uncertain */
    const char *owner;   /* NULL: the plan's account */
};

struct account_spec {
    const char *owner;              /* what `owner` calls the plan's account; may be NULL */
    struct schema_list commitments; /* struct sunk_spec */
    struct schema_list usage;       /* struct others_use_spec */
};
extern const struct schema account_schema;

#endif
