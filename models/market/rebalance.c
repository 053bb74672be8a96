/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/rebalance.h"

#include <math.h>
#include <stddef.h>

#define REBALANCE(member) offsetof(struct rebalance_spec, member)

static const struct schema_key rebalance_keys[] = {
    {.name = "share",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .required = true,
     .offset = REBALANCE(share),
     .help = "Share of the interruptions that a recommendation comes before."},
    {.name = "lead",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 7 * 86400.0,
     .required = true,
     .offset = REBALANCE(lead),
     .help = "How long before the notice it comes, drawn for each interruption."},
    {.name = "false_alarms",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_RATE,
     .low = 0,
     .high = 1 / 600.0,
     .default_text = "0/d",
     .offset = REBALANCE(false_alarms),
     .help =
         "How often one comes to the nodes of the pool though no interruption follows (`2/d`)."},
};

const struct schema rebalance_schema = {
    .name = "market.spot.rebalance",
    SCHEMA_KEYS(rebalance_keys),
    .size = sizeof(struct rebalance_spec),
    .help = "Rebalance recommendations of a spot pool: early warnings of interruptions.",
};

bool rebalance_begin(struct rebalance *r, const struct rebalance_spec *spec, const double *drawn)
{
    *r = (struct rebalance){.given = spec->given};
    if (!spec->given) {
        return true;
    }
    r->share = number_value(&spec->share, drawn);
    r->false_per_s = number_value(&spec->false_alarms, drawn);
    return variate_resolve(&spec->lead, drawn, &r->lead);
}

double rebalance_lead_s(const struct rebalance *r, double u_share, double u_lead)
{
    if (!r->given || u_share >= r->share) {
        return -1;
    }
    return fmax(0, distribution_quantile(&r->lead, u_lead));
}

double rebalance_false_after_s(const struct rebalance *r, double u)
{
    return r->given && r->false_per_s > 0 ? -log(u) / r->false_per_s : HUGE_VAL;
}
