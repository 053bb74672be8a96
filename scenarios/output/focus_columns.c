/* SPDX-License-Identifier: GPL-3.0-or-later
 * Names and levels: FOCUS specification 1.2, column library (focus.finops.org). */
#include "scenarios/output/focus_columns.h"

const struct focus_column_row focus_column_table[FOCUS_COLUMN_COUNT] = {
    [FOCUS_AVAILABILITY_ZONE] = {"AvailabilityZone", false, true, "Zone of the node"},
    [FOCUS_BILLED_COST] =
        {"BilledCost", true, false,
         "What is paid: adds up to `cash` where `x_InHorizon` is true (with an `account` "
         "`x_PlanBilledCost` does). 0 for "
         "usage that a commitment or a Capacity Block covers, and for its unused part"},
    [FOCUS_BILLING_ACCOUNT_ID] = {"BillingAccountId", true, false, "`simulated`"},
    [FOCUS_BILLING_ACCOUNT_NAME] = {"BillingAccountName", true, true, "Empty"},
    [FOCUS_BILLING_CURRENCY] = {"BillingCurrency", true, false, "Of the scenario: `USD`, `CNY`"},
    [FOCUS_BILLING_PERIOD_END] = {"BillingPeriodEnd", true, false, "Start of the next month (UTC)"},
    [FOCUS_BILLING_PERIOD_START] = {"BillingPeriodStart", true, false,
                                    "Start of the calendar month (UTC)"},
    [FOCUS_CAPACITY_RESERVATION_ID] =
        {"CapacityReservationId", false, true,
         "`block-N`, counted over the strategy's Capacity Blocks from 1; `reservation-N`, over its "
         "On-Demand Capacity Reservations"},
    [FOCUS_CAPACITY_RESERVATION_STATUS] =
        {"CapacityReservationStatus", false, true,
         "Of usage in reserved capacity: `Used`, or `Unused` where nothing runs in it"},
    [FOCUS_CHARGE_CATEGORY] = {"ChargeCategory", true, false,
                               "`Usage`; `Purchase` of a commitment, or of what is stated by the "
                               "month or once; `Tax`; `Credit`: what credits and agreements take "
                               "off; `Adjustment`: nano-units between usage as it "
                               "was rated and as it was covered"},
    [FOCUS_CHARGE_CLASS] = {"ChargeClass", true, true, "Empty: nothing is a correction"},
    [FOCUS_CHARGE_DESCRIPTION] = {"ChargeDescription", true, true, "In words"},
    [FOCUS_CHARGE_FREQUENCY] =
        {"ChargeFrequency", false, false,
         "`Usage-Based`; of a purchase `One-Time` or `Recurring`; of support "
         "and tax `Recurring`"},
    [FOCUS_CHARGE_PERIOD_END] = {"ChargePeriodEnd", true, false,
                                 "Exclusive, to the second below; what is shorter than a second "
                                 "has one"},
    [FOCUS_CHARGE_PERIOD_START] = {"ChargePeriodStart", true, false,
                                   "Inclusive, to the second below. A row is a stretch of equal "
                                   "price, cut at months, at the horizon, and where coverage "
                                   "changes; an upfront payment has the hour of its purchase"},
    [FOCUS_COMMITMENT_CATEGORY] = {"CommitmentDiscountCategory", false, true,
                                   "`Usage` (Reserved Instances) or `Spend` (savings plans)"},
    [FOCUS_COMMITMENT_ID] = {"CommitmentDiscountId", false, true,
                             "`commitment-N`, counted over the strategy's commitments from 1"},
    [FOCUS_COMMITMENT_NAME] = {"CommitmentDiscountName", false, true, "What was signed, in words"},
    [FOCUS_COMMITMENT_QUANTITY] = {"CommitmentDiscountQuantity", false, true,
                                   "Instance hours of the reserved type, or money at "
                                   "savings-plan rates: bought, used or unused"},
    [FOCUS_COMMITMENT_STATUS] = {"CommitmentDiscountStatus", false, true, "`Used` or `Unused`"},
    [FOCUS_COMMITMENT_TYPE] = {"CommitmentDiscountType", false, true,
                               "`Reserved Instance`, `EC2 Instance Savings Plan`, `Compute Savings "
                               "Plan`"},
    [FOCUS_COMMITMENT_UNIT] = {"CommitmentDiscountUnit", false, true, "`Hours` or the currency"},
    [FOCUS_CONSUMED_QUANTITY] =
        {"ConsumedQuantity", false, true,
         "Of a node the hours that it was held, billed or not; of other usage "
         "as `PricingQuantity`. Empty for purchases and what of a commitment is unused"},
    [FOCUS_CONSUMED_UNIT] = {"ConsumedUnit", false, true, "As `PricingUnit`"},
    [FOCUS_CONTRACTED_COST] =
        {"ContractedCost", true, false,
         "`ListCost` less what a negotiated `discount` takes off; of usage that a "
         "commitment covers no discount is taken"},
    [FOCUS_CONTRACTED_UNIT_PRICE] = {"ContractedUnitPrice", false, true,
                                     "`ListUnitPrice` less the discount"},
    [FOCUS_EFFECTIVE_COST] = {"EffectiveCost", true, false,
                              "Amortised: adds up to `amortised` where `x_InHorizon` is true. 0 "
                              "for purchases of commitments; of support and tax the share of the "
                              "`EffectiveCost` of what they are a share of"},
    [FOCUS_INVOICE_ISSUER_NAME] = {"InvoiceIssuerName", true, false,
                                   "Who would send the invoice. This file is simulated, not one"},
    [FOCUS_LIST_COST] = {"ListCost", true, false,
                         "`ListUnitPrice` times `PricingQuantity`, as it was rated; 0 for what "
                         "is unused; of tax the share of the `ListCost` of what is taxed, "
                         "purchases of commitments apart"},
    [FOCUS_LIST_UNIT_PRICE] = {"ListUnitPrice", false, true,
                               "Price in force: on demand, or of spot at that time (savings of "
                               "spot are not in this file). Empty for what of a commitment is "
                               "unused, tax and credits"},
    [FOCUS_PRICING_CATEGORY] =
        {"PricingCategory", false, true,
         "`Standard` (on demand, purchases, other charges), `Dynamic` (spot), "
         "`Committed`, `Other` (Capacity Blocks); empty for tax and credits"},
    [FOCUS_PRICING_QUANTITY] = {"PricingQuantity", true, true,
                                "Hours that are charged for: at least a minute for a launch on "
                                "demand, 0 where spot is free; 1 for a purchase at once. Of other "
                                "charges in `PricingUnit`; empty for tax and credits"},
    [FOCUS_PRICING_UNIT] =
        {"PricingUnit", true, true,
         "`Hours`, `GB-Months` (of 2^30 bytes and 730 hours), `IOPS-Months`, "
         "`MiBps-Months`, `GB`, `Months`, `Units`; of savings plans the currency"},
    [FOCUS_PROVIDER_NAME] = {"ProviderName", true, false, "`AWS`"},
    [FOCUS_PUBLISHER_NAME] = {"PublisherName", true, false, "`AWS`"},
    [FOCUS_REGION_ID] = {"RegionId", false, true, "`us-east-1`; empty for a Compute Savings Plan"},
    [FOCUS_REGION_NAME] = {"RegionName", false, true, "Its name"},
    [FOCUS_RESOURCE_ID] =
        {"ResourceId", false, true,
         "Workload, pool, place in the gang and launch, as in `usage.csv`; of "
         "commitments and what of them is unused `CommitmentDiscountId`; of reserved "
         "capacity in which nothing runs `CapacityReservationId`; of other "
         "charges the workload (or `shared`) and the line"},
    [FOCUS_RESOURCE_NAME] = {"ResourceName", false, true, "Workload and place in the gang"},
    [FOCUS_RESOURCE_TYPE] = {"ResourceType", false, true,
                             "`Instance`, `Capacity Reservation`, `Volume`, `Bucket`, `File "
                             "System`, `NAT Gateway`; of a "
                             "commitment "
                             "`CommitmentDiscountType`"},
    [FOCUS_SERVICE_CATEGORY] =
        {"ServiceCategory", true, false,
         "`Compute`, `Storage`, `Networking`, `Management and Governance`, `Other`"},
    [FOCUS_SERVICE_NAME] =
        {"ServiceName", true, false,
         "Such as `Amazon Elastic Compute Cloud`; of what is stated the name of its line"},
    [FOCUS_SERVICE_SUBCATEGORY] = {"ServiceSubcategory", false, false,
                                   "Such as `Virtual Machines`, `Block Storage`"},
    [FOCUS_SKU_ID] = {"SkuId", false, true,
                      "`fleetcast:`, what is sold and the region; made up, as all ids of this "
                      "file"},
    [FOCUS_SKU_METER] = {"SkuMeter", false, true,
                         "`Instance Hours`, `Spot Instance Hours`, `Commitment`, `Storage`, "
                         "`Provisioned IOPS`, `Data`, …"},
    [FOCUS_SKU_PRICE_DETAILS] = {"SkuPriceDetails", false, true,
                                 "JSON: `InstanceType`, `InstanceSeries`, `CoreCount` (vCPUs), "
                                 "`GpuCount`, `MemorySize` (GiB), `OperatingSystem`"},
    [FOCUS_SKU_PRICE_ID] = {"SkuPriceId", false, true, "`SkuId` and the way to buy"},
    [FOCUS_SUB_ACCOUNT_ID] = {"SubAccountId", false, true,
                              "With an `account`: `account-0` is the plan's, linked ones are "
                              "counted from 1 in the order "
                              "of the scenario"},
    [FOCUS_SUB_ACCOUNT_NAME] = {"SubAccountName", false, true, "Its `owner` there"},
    [FOCUS_TAGS] = {"Tags", false, true,
                    "JSON: `workload`, and the `tags` of the workload or of the charge"},
    [FOCUS_X_SCENARIO] = {"x_Scenario", false, false, "Name of the scenario"},
    [FOCUS_X_STRATEGY] = {"x_Strategy", false, false, "Name of the strategy"},
    [FOCUS_X_WORLD] = {"x_World", false, false, "Replication"},
    [FOCUS_X_SEED] = {"x_Seed", false, false, "Seed"},
    [FOCUS_X_SIMULATED] = {"x_Simulated", false, false, "`true`: no invoice will ever show this"},
    [FOCUS_X_PRICES_AS_OF] = {"x_PricesAsOf", false, false, "Date of the prices"},
    [FOCUS_X_IN_HORIZON] = {"x_InHorizon", false, false,
                            "`false`: usage at or after the horizon (finishing late)"},
    [FOCUS_X_JOB] = {"x_Job", false, true, "Name of the workload"},
    [FOCUS_X_END_REASON] = {"x_EndReason", false, true, "Why the node ended, as in `usage.csv`"},
    [FOCUS_X_BILLED_LATER] = {"x_BilledLater", false, true,
                              "In the first row of a commitment: what it still bills after the "
                              "horizon, in no row of this file"},
    [FOCUS_X_EFFECTIVE_LATER] = {"x_EffectiveLater", false, true,
                                 "In the same row: what of its cost is in no `Used` or `Unused` "
                                 "row, since it falls after the horizon. 0 when the term ends "
                                 "before it: the rows then add up to its purchase"},
    [FOCUS_X_LINE] = {"x_Line", false, true, "Name of the line in `lines.csv`, of other charges"},
    [FOCUS_X_OWNER] = {"x_Owner", false, true,
                       "`owner` of the workload or of the charge; empty for what is shared, which "
                       "split.csv splits"},
    [FOCUS_X_PARTY] = {"x_Party", false, false,
                       "`plan`; with an `account` also `others`, what they run, and `existing`, "
                       "commitments from before the plan"},
    [FOCUS_X_PLAN_BILLED] = {"x_PlanBilledCost", false, false,
                             "What of BilledCost is the plan's: adds up to `cash` where "
                             "`x_InHorizon` is true. All of it "
                             "on rows of the plan, nothing on those of existing commitments; of "
                             "others what they pay more "
                             "on demand than without the plan, below 0 less. BilledCost less this "
                             "is the account's bill "
                             "without the plan"},
    [FOCUS_X_PLAN_EFFECTIVE] =
        {"x_PlanEffectiveCost", false, false,
         "Likewise of EffectiveCost: adds up to `amortised`. 0 for usage that existing commitments "
         "cover"},
    [FOCUS_X_SHARED_BY] =
        {"x_SharedBy", false, true,
         "Of the nodes of a shared fleet (`kind: fleet`): the services that stood on them in this "
         "world, as JSON, `job`, `owner` if stated, and `share` of the node-time that replicas "
         "took. Shares of a fleet are the same in all its rows and add up to 1: a cost times them "
         "is what split.csv gives each of a fleet without `owner` and `tags`"},
};
