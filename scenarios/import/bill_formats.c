/* SPDX-License-Identifier: GPL-3.0-or-later
 * FOCUS: the columns of FOCUS 1.2 (focus.finops.org), of which 1.0 and 1.3 have those used here.
 * CUR: the line items of the Cost and Usage Report user guide (docs.aws.amazon.com/cur): CUR 2.0
 * writes line_item_usage_start_date where the older report has lineItem/UsageStartDate. */
#include "scenarios/import/bill_formats.h"

#include <stddef.h>
#include <string.h>

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static bool holds(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

/* ---- FOCUS ---- */

enum {
    FOCUS_START,
    FOCUS_END,
    FOCUS_BILLED,
    FOCUS_EFFECTIVE,
    FOCUS_CURRENCY,
    FOCUS_CATEGORY,
    FOCUS_SERVICE,
    FOCUS_SERVICE_CATEGORY,
    FOCUS_PRICING,
    FOCUS_COMMITMENT,
    FOCUS_QUANTITY,
    FOCUS_UNIT,
    FOCUS_RESOURCE_TYPE,
    FOCUS_PARTY,
    FOCUS_PLAN_BILLED,
    FOCUS_PLAN_EFFECTIVE,
    FOCUS_COLUMNS
};

static const struct bill_column focus_columns[FOCUS_COLUMNS] = {
    {"ChargePeriodStart", true}, {"ChargePeriodEnd", false},
    {"BilledCost", true},        {"EffectiveCost", true},
    {"BillingCurrency", true},   {"ChargeCategory", true},
    {"ServiceName", false},      {"ServiceCategory", false},
    {"PricingCategory", false},  {"CommitmentDiscountStatus", false},
    {"ConsumedQuantity", false}, {"ConsumedUnit", false},
    {"ResourceType", false},     {"x_Party", false},
    {"x_PlanBilledCost", false}, {"x_PlanEffectiveCost", false},
};

/* Columns of our own export of a world: what of a whole account's bill is the plan's. */
static bool focus_read_plan(const struct bill_cells *c, struct bill_line *l)
{
    if (bill_cell(c, FOCUS_PLAN_BILLED)[0] == '\0' ||
        bill_cell(c, FOCUS_PLAN_EFFECTIVE)[0] == '\0') {
        return true;
    }
    l->of_plan = true;
    if (!is(bill_cell(c, FOCUS_PARTY), "plan")) {
        l->node_h = 0;
    }
    return bill_number(c, FOCUS_PLAN_BILLED, &l->billed) &&
           bill_number(c, FOCUS_PLAN_EFFECTIVE, &l->effective);
}

static enum bill_part focus_part(const struct bill_cells *c)
{
    const char *category = bill_cell(c, FOCUS_CATEGORY), *of = bill_cell(c, FOCUS_SERVICE_CATEGORY);
    const char *status = bill_cell(c, FOCUS_COMMITMENT);
    if (is(category, "Tax")) {
        return BILL_PART_TAX;
    }
    if (is(category, "Credit") || is(category, "Adjustment")) {
        return BILL_PART_CREDIT;
    }
    if (holds(bill_cell(c, FOCUS_SERVICE), "Support")) {
        return BILL_PART_SUPPORT;
    }
    if (is(status, "Unused")) {
        return BILL_PART_UNUSED;
    }
    if (is(status, "Used")) {
        return BILL_PART_COMMITTED;
    }
    if (is(of, "Compute")) {
        return is(bill_cell(c, FOCUS_PRICING), "Dynamic") ? BILL_PART_SPOT : BILL_PART_ON_DEMAND;
    }
    return is(of, "Storage")      ? BILL_PART_STORAGE
           : is(of, "Networking") ? BILL_PART_TRANSFER
                                  : BILL_PART_OTHER;
}

/* Hours of machines, however a provider counts them, but not those of what is bought ahead or
 * stands idle. */
static bool focus_read_hours(const struct bill_cells *c, struct bill_line *l)
{
    const bool of_nodes = l->part == BILL_PART_ON_DEMAND || l->part == BILL_PART_SPOT ||
                          l->part == BILL_PART_COMMITTED;
    const char *unit = bill_cell(c, FOCUS_UNIT);
    const bool in_hours = is(unit, "Hours") || is(unit, "Hrs") || is(unit, "Hour");
    if (!of_nodes || !in_hours || !is(bill_cell(c, FOCUS_CATEGORY), "Usage") ||
        !is(bill_cell(c, FOCUS_SERVICE_CATEGORY), "Compute")) {
        return true;
    }
    return bill_number(c, FOCUS_QUANTITY, &l->node_h);
}

/* What a charge of no known category is for would be a guess. */
static bool focus_check_category(const struct bill_cells *c)
{
    static const char *const categories[] = {"Usage", "Purchase", "Tax", "Credit", "Adjustment"};
    for (size_t i = 0; i < sizeof categories / sizeof categories[0]; i++) {
        if (is(bill_cell(c, FOCUS_CATEGORY), categories[i])) {
            return true;
        }
    }
    return bill_refuse(c, FOCUS_CATEGORY, "Usage, Purchase, Tax, Credit or Adjustment");
}

static bool read_focus(const struct bill_cells *c, struct bill_line *l)
{
    if (!focus_check_category(c)) {
        return false;
    }
    l->part = focus_part(c);
    l->service = bill_cell(c, FOCUS_SERVICE);
    if (!bill_time(c, FOCUS_START, &l->start_unix_s)) {
        return false;
    }
    l->end_unix_s = l->start_unix_s;
    return (bill_cell(c, FOCUS_END)[0] == '\0' || bill_time(c, FOCUS_END, &l->end_unix_s)) &&
           bill_number(c, FOCUS_BILLED, &l->billed) &&
           bill_number(c, FOCUS_EFFECTIVE, &l->effective) && focus_read_hours(c, l) &&
           focus_read_plan(c, l);
}

const struct bill_format bill_format_focus = {"FOCUS", focus_columns, FOCUS_COLUMNS, FOCUS_CURRENCY,
                                              read_focus};

/* ---- Cost and Usage Report ---- */

enum {
    CUR_START,
    CUR_END,
    CUR_UNBLENDED,
    CUR_TYPE,
    CUR_CURRENCY,
    CUR_PRODUCT,
    CUR_USAGE_TYPE,
    CUR_AMOUNT,
    CUR_RESERVED_EFFECTIVE,
    CUR_RESERVED_ARN,
    CUR_RESERVED_UNUSED_UPFRONT,
    CUR_RESERVED_UNUSED_FEE,
    CUR_PLAN_EFFECTIVE,
    CUR_PLAN_TOTAL,
    CUR_PLAN_USED,
    CUR_COLUMNS
};

static const struct bill_column cur_columns[CUR_COLUMNS] = {
    {"line_item_usage_start_date", true},
    {"line_item_usage_end_date", false},
    {"line_item_unblended_cost", true},
    {"line_item_line_item_type", true},
    {"line_item_currency_code", true},
    {"line_item_product_code", false},
    {"line_item_usage_type", false},
    {"line_item_usage_amount", false},
    {"reservation_effective_cost", false},
    {"reservation_reservation_a_r_n", false},
    {"reservation_unused_amortized_upfront_fee_for_billing_period", false},
    {"reservation_unused_recurring_fee", false},
    {"savings_plan_savings_plan_effective_cost", false},
    {"savings_plan_total_commitment_to_date", false},
    {"savings_plan_used_commitment", false},
};

static const struct bill_column cur_older_columns[CUR_COLUMNS] = {
    {"lineItem/UsageStartDate", true},
    {"lineItem/UsageEndDate", false},
    {"lineItem/UnblendedCost", true},
    {"lineItem/LineItemType", true},
    {"lineItem/CurrencyCode", true},
    {"lineItem/ProductCode", false},
    {"lineItem/UsageType", false},
    {"lineItem/UsageAmount", false},
    {"reservation/EffectiveCost", false},
    {"reservation/ReservationARN", false},
    {"reservation/UnusedAmortizedUpfrontFeeForBillingPeriod", false},
    {"reservation/UnusedRecurringFee", false},
    {"savingsPlan/SavingsPlanEffectiveCost", false},
    {"savingsPlan/TotalCommitmentToDate", false},
    {"savingsPlan/UsedCommitment", false},
};

/* By the kind of line, where that decides; BILL_PART_COUNT: it does not. */
static enum bill_part cur_part_by_type(const char *type)
{
    static const struct {
        const char *type;
        enum bill_part part;
    } rows[] = {{"Tax", BILL_PART_TAX},
                {"Credit", BILL_PART_CREDIT},
                {"Refund", BILL_PART_CREDIT},
                {"EdpDiscount", BILL_PART_CREDIT},
                {"BundledDiscount", BILL_PART_CREDIT},
                {"PrivateRateDiscount", BILL_PART_CREDIT},
                {"Discount", BILL_PART_CREDIT},
                {"DiscountedUsage", BILL_PART_COMMITTED},
                {"SavingsPlanCoveredUsage", BILL_PART_COMMITTED},
                {"SavingsPlanNegation", BILL_PART_COMMITTED},
                {"RIFee", BILL_PART_UNUSED},
                {"SavingsPlanRecurringFee", BILL_PART_UNUSED},
                {"SavingsPlanUpfrontFee", BILL_PART_UNUSED}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (is(type, rows[i].type)) {
            return rows[i].part;
        }
    }
    return BILL_PART_COUNT;
}

/* Kinds of line whose part their product tells; of others it is a guess. */
static bool cur_is_of_product(const char *type)
{
    return is(type, "Usage") || is(type, "Fee");
}

static enum bill_part cur_part_by_product(const char *product, const char *usage)
{
    if (holds(product, "Support")) {
        return BILL_PART_SUPPORT;
    }
    if (holds(usage, "SpotUsage")) {
        return BILL_PART_SPOT;
    }
    if (holds(usage, "BoxUsage") || holds(usage, "DedicatedUsage") ||
        holds(usage, "HostBoxUsage")) {
        return BILL_PART_ON_DEMAND;
    }
    if (holds(usage, "DataTransfer") || holds(usage, "NatGateway") || holds(usage, "-Bytes")) {
        return BILL_PART_TRANSFER;
    }
    if (holds(usage, "EBS:") || is(product, "AmazonS3") || is(product, "AmazonFSx") ||
        is(product, "AmazonEFS")) {
        return BILL_PART_STORAGE;
    }
    return BILL_PART_OTHER;
}

static bool cost_of_kind(const struct bill_cells *c, size_t column, const char *kind, double *cost)
{
    return bill_needs(c, column, kind) && bill_number(c, column, cost);
}

/* The amortised cost of a line. */
static bool cur_effective(const struct bill_cells *c, const char *type, struct bill_line *l)
{
    double a = 0, b = 0;
    bool ok = true;
    if (is(type, "SavingsPlanCoveredUsage")) {
        ok = cost_of_kind(c, CUR_PLAN_EFFECTIVE, type, &a);
    } else if (is(type, "SavingsPlanRecurringFee")) {
        ok = cost_of_kind(c, CUR_PLAN_TOTAL, type, &a) && cost_of_kind(c, CUR_PLAN_USED, type, &b);
        a -= b;
    } else if (is(type, "DiscountedUsage")) {
        ok = cost_of_kind(c, CUR_RESERVED_EFFECTIVE, type, &a);
    } else if (is(type, "RIFee")) {
        ok = cost_of_kind(c, CUR_RESERVED_UNUSED_UPFRONT, type, &a) &&
             cost_of_kind(c, CUR_RESERVED_UNUSED_FEE, type, &b);
        a += b;
    } else if (!is(type, "SavingsPlanNegation") && !is(type, "SavingsPlanUpfrontFee") &&
               !(is(type, "Fee") && bill_cell(c, CUR_RESERVED_ARN)[0] != '\0')) {
        a = l->billed;
    }
    l->effective = a;
    return ok;
}

static bool read_cur(const struct bill_cells *c, struct bill_line *l)
{
    const char *type = bill_cell(c, CUR_TYPE), *usage = bill_cell(c, CUR_USAGE_TYPE);
    l->service = bill_cell(c, CUR_PRODUCT);
    l->part = cur_part_by_type(type);
    if (l->part == BILL_PART_COUNT) {
        l->part = cur_part_by_product(l->service, usage);
        l->unknown_type = cur_is_of_product(type) ? NULL : type;
    }
    if (!bill_time(c, CUR_START, &l->start_unix_s)) {
        return false;
    }
    l->end_unix_s = l->start_unix_s;
    if ((bill_cell(c, CUR_END)[0] != '\0' && !bill_time(c, CUR_END, &l->end_unix_s)) ||
        !bill_number(c, CUR_UNBLENDED, &l->billed) || !cur_effective(c, type, l)) {
        return false;
    }
    const bool used =
        is(type, "Usage") || is(type, "DiscountedUsage") || is(type, "SavingsPlanCoveredUsage");
    return !used || !(holds(usage, "BoxUsage") || holds(usage, "SpotUsage")) ||
           bill_number(c, CUR_AMOUNT, &l->node_h);
}

const struct bill_format bill_format_cur = {"CUR", cur_columns, CUR_COLUMNS, CUR_CURRENCY,
                                            read_cur};
const struct bill_format bill_format_cur_older = {"CUR", cur_older_columns, CUR_COLUMNS,
                                                  CUR_CURRENCY, read_cur};

const struct bill_format *const bill_formats[] = {&bill_format_focus, &bill_format_cur,
                                                  &bill_format_cur_older, NULL};
