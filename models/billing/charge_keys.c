/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/charge_keys.h"

#include <stddef.h>

static const char *const applies_to_names[] = {"on-demand", "spot", "all", NULL};
static const char *const until_names[] = {"work-ends", "horizon", NULL};

#define MOST_MONEY 9.2e9
#define MOST_PRICE 1e6

static const struct schema_key discount_keys[] = {
    {.name = "share",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .required = true,
     .offset = offsetof(struct discount_spec, share),
     .help = "Share of the list price that is taken off."},
};

static const struct schema discount_schema = {
    .name = "charges.discount",
    .shorthand = "share",
    SCHEMA_KEYS(discount_keys),
    .size = sizeof(struct discount_spec),
    .help = "What is taken off one service (`ec2`: on-demand nodes, `ebs`, `s3`, `efs`, `fsx`, "
            "`transfer`, `nat`, `cloudwatch`) or one instance family such as `p4d`, which goes "
            "before `ec2`.",
};

static const struct schema_key nat_keys[] = {
    {.name = "hourly",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_PRICE,
     .low = 0,
     .high = MOST_PRICE,
     .offset = offsetof(struct nat_spec, hourly),
     .help = "Price of the gateway's hour; default: the catalogue's."},
    {.name = "per_gb",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = MOST_PRICE,
     .offset = offsetof(struct nat_spec, per_gb),
     .help = "Price of a GiB that goes through it; default: the catalogue's."},
};

static const struct schema nat_schema = {
    .name = "charges.nat",
    SCHEMA_KEYS(nat_keys),
    .size = sizeof(struct nat_spec),
    .help = "A NAT gateway that stands from the start; the workloads' `transfer` says what goes "
            "through it.",
};

#define CHARGE(member) offsetof(struct charge_spec, member)

static const struct schema_key charge_keys[] = {
    {.name = "name",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .offset = CHARGE(name),
     .help = "Name of the line on the bill; `nat`, `efs`, `lustre`, `monitoring`, `discount`, "
             "`edp`, `support`, `support_plan`, `credit` and `tax` need none."},
    {.name = "monthly",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = MOST_MONEY,
     .offset = CHARGE(monthly),
     .help = "An amount for each calendar month (UTC); of a part of one its share by time."},
    {.name = "hourly",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_PRICE,
     .low = 0,
     .high = MOST_PRICE,
     .offset = CHARGE(hourly),
     .help = "A price by the hour, such as a helper's; one per month is over 730 hours."},
    {.name = "instance",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .offset = CHARGE(instance),
     .help = "A helper instance that runs all the time, at the catalogue's on-demand price."},
    {.name = "once",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = MOST_MONEY,
     .offset = CHARGE(once),
     .help = "An amount that is paid once, at `at`."},
    {.name = "per_node_hour",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_PRICE,
     .low = 0,
     .high = MOST_PRICE,
     .offset = CHARGE(per_node_hour),
     .help = "A fee for each hour of each node: an image, a marketplace product, monitoring."},
    {.name = "applies_to",
     .kind = SCHEMA_CHOICE,
     .choices = applies_to_names,
     .offset = CHARGE(applies_to),
     .help = "`per_node_hour` and its like: the nodes that pay it; default: `all`."},
    {.name = "at",
     .kind = SCHEMA_QUANTITY,
     .dimension = DIMENSION_SPAN,
     .low = 0,
     .high = 10 * 365.25 * 86400,
     .offset = CHARGE(at),
     .given_offset = CHARGE(at_given),
     .help = "When it is paid or begins, from the scenario's start; default: at the start."},
    {.name = "until",
     .kind = SCHEMA_CHOICE,
     .choices = until_names,
     .offset = CHARGE(until),
     .help =
         "What lasts (`monthly`, `hourly`, `instance`, `nat`, `efs`, `lustre`, `support_plan`): "
         "where it ends; "
         "default: `work-ends`, the end of all work."},
    {.name = "nat",
     .kind = SCHEMA_SECTION,
     .inner = &nat_schema,
     .offset = CHARGE(nat),
     .given_offset = CHARGE(nat.given),
     .help = "A NAT gateway: `{}` for the catalogue's prices."},
    {.name = "discount",
     .kind = SCHEMA_MAP,
     .inner = &discount_schema,
     .low = 0,
     .high = 64,
     .offset = CHARGE(discount),
     .help = "What was negotiated, by service and instance family: `{p4d: 12 %}`."},
    {.name = "support",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .offset = CHARGE(support),
     .help = "A support plan: a share of all charges, discounts taken off, before tax."},
    {.name = "tax",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .offset = CHARGE(tax),
     .help = "Tax on all charges, support and commitments among them."},
    {.name = "per_vcpu_hour",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_PRICE,
     .low = 0,
     .high = MOST_PRICE,
     .offset = CHARGE(per_vcpu_hour),
     .help = "As `per_node_hour`, for each vCPU of each node."},
    {.name = "per_gpu_hour",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_PRICE,
     .low = 0,
     .high = MOST_PRICE,
     .offset = CHARGE(per_gpu_hour),
     .help = "As `per_node_hour`, for each accelerator of each node."},
    {.name = "monitoring",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = MOST_PRICE,
     .offset = CHARGE(monitoring),
     .help =
         "Detailed monitoring: an amount for each node's month of 730 hours, of a part of it the "
         "share by time."},
    {.name = "efs",
     .kind = SCHEMA_SECTION,
     .inner = &efs_schema,
     .offset = CHARGE(efs),
     .given_offset = CHARGE(efs.given),
     .help = "A file system of EFS."},
    {.name = "lustre",
     .kind = SCHEMA_SECTION,
     .inner = &lustre_schema,
     .offset = CHARGE(lustre),
     .given_offset = CHARGE(lustre.given),
     .help = "A file system of FSx for Lustre."},
    {.name = "workload",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .offset = CHARGE(workload),
     .help = "`efs`, `lustre`: the workload that it stands for, from its submission to its end, on "
             "its bill; default: all of them, from `at` to `until`."},
    LABEL_KEY_OWNER(CHARGE(labels), "Whose charge it is, who then bears it alone; default: it is "
                                    "split as `shared` says."),
    LABEL_KEY_TAGS(CHARGE(labels)),
    {.name = "service",
     .kind = SCHEMA_CHOICE,
     .choices = charge_service_names,
     .offset = CHARGE(service),
     .help = "A stated amount: the provider's service that it belongs to, for discounts, support "
             "plans, credits; default: none, it is somebody else's. `credit`: the service that it "
             "is for; default: all."},
    {.name = "support_plan",
     .kind = SCHEMA_SECTION,
     .inner = &support_plan_schema,
     .offset = CHARGE(support_plan),
     .given_offset = CHARGE(support_plan.given),
     .help = "A support plan of AWS by name: in tiers of each month's charges, with its minimum."},
    {.name = "credit",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0,
     .high = MOST_MONEY,
     .offset = CHARGE(credit),
     .help =
         "A credit: it pays what the provider's services cost, month by month, until it is used "
         "up or expires."},
    {.name = "expires",
     .kind = SCHEMA_DATE,
     .offset = CHARGE(expires),
     .help = "`credit`: the last day on which it pays; default: never."},
    {.name = "edp",
     .kind = SCHEMA_SECTION,
     .inner = &edp_schema,
     .offset = CHARGE(edp),
     .given_offset = CHARGE(edp.given),
     .help = "An enterprise discount program: a discount, and a minimum to be spent."},
};

const struct schema charge_schema = {
    .name = "charges",
    SCHEMA_KEYS(charge_keys),
    .size = sizeof(struct charge_spec),
    .help = "One charge beside nodes and their data. Each item states exactly one of `monthly`, "
            "`hourly`, `instance`, `once`, `per_node_hour`, `per_vcpu_hour`, `per_gpu_hour`, "
            "`monitoring`, `nat`, `efs`, `lustre`, `discount`, `edp`, `support`, "
            "`support_plan`, `credit`, `tax`.",
};
