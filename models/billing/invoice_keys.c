/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/invoice_keys.h"

#include <stddef.h>

const char *const charge_service_names[] = {"ec2",      "ebs", "s3",         "efs", "fsx",
                                            "transfer", "nat", "cloudwatch", NULL};
const char *const support_tier_names[] = {"developer", "business", "enterprise-on-ramp",
                                          "enterprise", NULL};

#define EDP(member) offsetof(struct edp_spec, member)

static const struct schema_key edp_keys[] = {
    {.name = "discount",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .required = true,
     .offset = EDP(discount),
     .help = "Share that is taken off all that the provider's services cost, after other "
             "discounts; not off commitments."},
    {.name = "minimum",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = 9.2e9,
     .offset = EDP(minimum),
     .help = "What must be spent in each year, counted from the month of the start; what is "
             "missing is charged at the year's end."},
    {.name = "years",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 10,
     .default_text = "1",
     .offset = EDP(years),
     .help = "For how many years `minimum` was signed."},
    {.name = "other_spend",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = 9.2e9,
     .default_text = "0",
     .offset = EDP(other_spend),
     .help = "What others of the account spend in a month, which counts towards `minimum`."},
};

const struct schema edp_schema = {
    .name = "charges.edp",
    SCHEMA_KEYS(edp_keys),
    .size = sizeof(struct edp_spec),
    .help = "An enterprise discount program.",
};

#define PLAN(member) offsetof(struct support_plan_spec, member)

static const struct schema_key support_plan_keys[] = {
    {.name = "plan",
     .kind = SCHEMA_CHOICE,
     .choices = support_tier_names,
     .required = true,
     .offset = PLAN(plan),
     .help = "Its name; it alone may stand in place of the section."},
    {.name = "other_spend",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = 9.2e9,
     .default_text = "0",
     .offset = PLAN(other_spend),
     .help =
         "What others of the account spend in a month. They pay for the plan anyway, and fill its "
         "lower tiers: charged is what it costs with the project less what it costs without."},
};

const struct schema support_plan_schema = {
    .name = "charges.support_plan",
    .shorthand = "plan",
    SCHEMA_KEYS(support_plan_keys),
    .size = sizeof(struct support_plan_spec),
    .help = "A support plan of AWS: in tiers of each month's charges, with its minimum.",
};
