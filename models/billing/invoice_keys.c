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
