/* SPDX-License-Identifier: GPL-3.0-or-later
 * Items of `charges` that look at a month's bill as a whole: support plans, credits, an enterprise
 * agreement; and the provider's services, by which they and discounts are told apart. */
#ifndef FLEETCAST_MODELS_INVOICE_KEYS_H
#define FLEETCAST_MODELS_INVOICE_KEYS_H

#include "engine/inputs.h"
#include "engine/schema.h"

#include <stdbool.h>
#include <stdint.h>

enum charge_service {
    SERVICE_NONE = -1, /* somebody else's */
    SERVICE_EC2,
    SERVICE_EBS,
    SERVICE_S3,
    SERVICE_EFS,
    SERVICE_FSX,
    SERVICE_TRANSFER,
    SERVICE_NAT,
    SERVICE_CLOUDWATCH,
    SERVICE_COUNT
};
extern const char *const charge_service_names[]; /* "ec2", …, NULL */

enum support_tier {
    SUPPORT_TIER_DEVELOPER,
    SUPPORT_TIER_BUSINESS,
    SUPPORT_TIER_ON_RAMP,
    SUPPORT_TIER_ENTERPRISE
};
extern const char *const support_tier_names[]; /* "developer", …, NULL */

/* A support plan by name. */
struct support_plan_spec {
    bool given;
    int plan;                  /* enum support_tier */
    struct number other_spend; /* in a month */
};
extern const struct schema support_plan_schema;

/* An enterprise discount program: a share off, against a minimum to be spent. */
struct edp_spec {
    bool given;
    struct number discount, minimum, other_spend;
    int64_t years;
};
extern const struct schema edp_schema;

#endif
