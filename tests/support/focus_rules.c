/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/focus_rules.h"

#include "engine/civil_time.h"
#include "scenarios/output/focus_file.h"
#include "scenarios/study/simulation.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a file, read back ---- */

void focus_reading_open(struct focus_reading *f, const struct study *s, size_t strategy,
                        uint32_t world)
{
    size_t size = 0;
    memset(f, 0, sizeof *f);
    f->d = diagnostics_new();
    if (!focus_export_open(&f->export, s, strategy, world, f->d)) {
        diagnostics_write(f->d, stderr);
        fail_msg("no export");
    }
    FILE *out = open_memstream(&f->text, &size);
    assert_non_null(out);
    assert_true(focus_file_write(&f->export, out));
    assert_int_equal(fclose(out), 0);
    for (int i = 0; i < FOCUS_COLUMN_COUNT; i++) {
        f->names[i] = focus_column_table[i].name;
    }
    f->csv = csv_open_text(f->text, size, "focus.csv", f->names, f->d);
    assert_non_null(f->csv);
}

void focus_reading_close(struct focus_reading *f)
{
    assert_false(diagnostics_failed(f->d));
    csv_close(f->csv);
    focus_export_close(&f->export);
    diagnostics_free(f->d);
    free(f->text);
}

const char *focus_cell(const struct focus_reading *f, enum focus_column c)
{
    return csv_text(f->csv, c);
}

bool focus_cell_is(const struct focus_reading *f, enum focus_column c, const char *text)
{
    return strcmp(focus_cell(f, c), text) == 0;
}

money_t focus_cell_money(struct focus_reading *f, enum focus_column c)
{
    money_t amount = 0;
    assert_true(csv_money(f->csv, c, &amount));
    return amount;
}

double focus_cell_number(struct focus_reading *f, enum focus_column c)
{
    double value = 0;
    assert_true(csv_double(f->csv, c, &value));
    return value;
}

/* ---- what holds for every row ---- */

static void check_times(const struct focus_reading *f)
{
    for (int i = 0; i < 2; i++) {
        const char *start =
            focus_cell(f, i == 0 ? FOCUS_CHARGE_PERIOD_START : FOCUS_BILLING_PERIOD_START);
        const char *end =
            focus_cell(f, i == 0 ? FOCUS_CHARGE_PERIOD_END : FOCUS_BILLING_PERIOD_END);
        assert_int_equal(strlen(start), 20);
        assert_int_equal(start[19], 'Z');
        assert_int_equal(start[10], 'T');
        assert_true(strcmp(start, end) < 0);
    }
    assert_string_equal(focus_cell(f, FOCUS_BILLING_PERIOD_START) + 7, "-01T00:00:00Z");
    assert_true(strcmp(focus_cell(f, FOCUS_BILLING_PERIOD_START),
                       focus_cell(f, FOCUS_CHARGE_PERIOD_START)) <= 0);
    if (!focus_cell_is(f, FOCUS_CHARGE_FREQUENCY, "One-Time")) {
        assert_true(strcmp(focus_cell(f, FOCUS_CHARGE_PERIOD_END),
                           focus_cell(f, FOCUS_BILLING_PERIOD_END)) <= 0);
    }
}

static double hours_of(const struct focus_reading *f)
{
    int64_t from_s, to_s;
    assert_true(civil_parse(focus_cell(f, FOCUS_CHARGE_PERIOD_START), &from_s));
    assert_true(civil_parse(focus_cell(f, FOCUS_CHARGE_PERIOD_END), &to_s));
    return (double)(to_s - from_s) / 3600;
}

/* Unit price times quantity is the cost (PricingQuantity, ListCost, ContractedCost). */
static void check_product(struct focus_reading *f, enum focus_column unit, enum focus_column cost)
{
    const double quantity = focus_cell_number(f, FOCUS_PRICING_QUANTITY);
    const double price = focus_cell_number(f, unit);
    const double amount = money_to_double(focus_cell_money(f, cost));
    const bool node = csv_missing(f->csv, FOCUS_X_LINE);
    /* Rounded once an hour: half a nano-unit each; of other charges the rate is. A row is within a
     * month, and of fewer than ten nodes. Of others a row is the rest of a clock hour's usage less
     * what is covered of it, each rounded, hour by hour. */
    const bool others = focus_cell_is(f, FOCUS_X_PARTY, "others");
    const double slack = 1e-9 * (2 + (others ? 2 * hours_of(f) : 0) + (node ? quantity : 7440)) +
                         1e-13 * fabs(amount);
    assert_true(price >= 0 && quantity >= 0);
    assert_near(amount, price * quantity, slack, focus_column_table[cost].name);
}

static void check_prices(struct focus_reading *f)
{
    const bool priced = !csv_missing(f->csv, FOCUS_LIST_UNIT_PRICE);
    const bool usage = focus_cell_is(f, FOCUS_CHARGE_CATEGORY, "Usage");
    const bool unused = focus_cell_is(f, FOCUS_COMMITMENT_STATUS, "Unused");
    assert_int_equal(priced, !csv_missing(f->csv, FOCUS_CONTRACTED_UNIT_PRICE));
    assert_int_equal(priced,
                     !unused && (usage || focus_cell_is(f, FOCUS_CHARGE_CATEGORY, "Purchase")));
    assert_true(focus_cell_money(f, FOCUS_CONTRACTED_COST) <=
                    focus_cell_money(f, FOCUS_LIST_COST) ||
                focus_cell_is(f, FOCUS_CHARGE_CATEGORY, "Adjustment"));
    if (priced) {
        check_product(f, FOCUS_LIST_UNIT_PRICE, FOCUS_LIST_COST);
        check_product(f, FOCUS_CONTRACTED_UNIT_PRICE, FOCUS_CONTRACTED_COST);
    } else if (unused) {
        assert_int_equal(focus_cell_money(f, FOCUS_LIST_COST), 0);
        assert_int_equal(focus_cell_money(f, FOCUS_CONTRACTED_COST), 0);
    }
}

/* ---- what a column may hold ---- */

static bool one_of(const char *text, const char *const *words)
{
    for (size_t i = 0; words[i] != NULL; i++) {
        if (strcmp(text, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void check_words(const struct focus_reading *f)
{
    static const struct {
        enum focus_column column;
        const char *words[20];
    } allowed[] = {
        {FOCUS_CHARGE_CATEGORY, {"Usage", "Purchase", "Tax", "Credit", "Adjustment"}},
        {FOCUS_CHARGE_FREQUENCY, {"One-Time", "Recurring", "Usage-Based"}},
        {FOCUS_PRICING_CATEGORY, {"Standard", "Dynamic", "Committed", "Other"}},
        {FOCUS_CHARGE_CLASS, {"Correction"}},
        {FOCUS_COMMITMENT_CATEGORY, {"Spend", "Usage"}},
        {FOCUS_COMMITMENT_STATUS, {"Used", "Unused"}},
        {FOCUS_CAPACITY_RESERVATION_STATUS, {"Used", "Unused"}},
        {FOCUS_BILLING_CURRENCY, {"USD", "CNY"}},
        {FOCUS_SERVICE_CATEGORY,
         {"AI and Machine Learning", "Analytics", "Business Applications", "Compute", "Databases",
          "Developer Tools", "Multicloud", "Identity", "Integration", "Internet of Things",
          "Management and Governance", "Media", "Migration", "Mobile", "Networking", "Security",
          "Storage", "Web", "Other"}},
    };
    /* Of the subcategories those of the categories that this program writes. */
    static const char *const subcategories[] = {"Compute/Virtual Machines",
                                                "Compute/Other (Compute)",
                                                "Storage/Block Storage",
                                                "Storage/File Storage",
                                                "Storage/Object Storage",
                                                "Networking/Network Connectivity",
                                                "Networking/Network Infrastructure",
                                                "Management and Governance/Support",
                                                "Management and Governance/Cost Management",
                                                "Management and Governance/Observability",
                                                "Other/Other (Other)",
                                                NULL};
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++) {
        const char *text = focus_cell(f, allowed[i].column);
        if (text[0] != '\0' && !one_of(text, allowed[i].words)) {
            fail_msg("line %d: '%s' is no %s", csv_line(f->csv), text,
                     focus_column_table[allowed[i].column].name);
        }
    }
    char pair[128];
    snprintf(pair, sizeof pair, "%s/%s", focus_cell(f, FOCUS_SERVICE_CATEGORY),
             focus_cell(f, FOCUS_SERVICE_SUBCATEGORY));
    if (!one_of(pair, subcategories)) {
        fail_msg("line %d: no such subcategory: %s", csv_line(f->csv), pair);
    }
}

/* Numeric format: digits, a point, a minus; no exponent is needed here. */
static void check_numbers(const struct focus_reading *f)
{
    static const enum focus_column numbers[] = {
        FOCUS_BILLED_COST,      FOCUS_EFFECTIVE_COST,    FOCUS_LIST_COST,
        FOCUS_CONTRACTED_COST,  FOCUS_LIST_UNIT_PRICE,   FOCUS_CONTRACTED_UNIT_PRICE,
        FOCUS_PRICING_QUANTITY, FOCUS_CONSUMED_QUANTITY, FOCUS_COMMITMENT_QUANTITY,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const char *text = focus_cell(f, numbers[i]);
        if (strspn(text, "-0123456789.") != strlen(text)) {
            fail_msg("line %d: %s is '%s'", csv_line(f->csv), focus_column_table[numbers[i]].name,
                     text);
        }
    }
}

/* One level, text alone. */
static void check_tags(const struct focus_reading *f)
{
    const char *tags = focus_cell(f, FOCUS_TAGS);
    if (tags[0] != '\0') {
        assert_true(strncmp(tags, "{\"", 2) == 0 && tags[strlen(tags) - 1] == '}');
        assert_null(strpbrk(tags + 1, "{["));
    }
}

/* ---- what a kind of charge asks for ---- */

static void check_commitment_cells(struct focus_reading *f)
{
    const bool unused = focus_cell_is(f, FOCUS_COMMITMENT_STATUS, "Unused");
    static const enum focus_column together[] = {FOCUS_COMMITMENT_QUANTITY,
                                                 FOCUS_COMMITMENT_CATEGORY, FOCUS_COMMITMENT_TYPE,
                                                 FOCUS_COMMITMENT_UNIT};
    for (size_t i = 0; i < sizeof together / sizeof together[0]; i++) {
        assert_int_equal(csv_missing(f->csv, FOCUS_COMMITMENT_ID),
                         csv_missing(f->csv, together[i]));
    }
    if (unused || focus_cell_is(f, FOCUS_COMMITMENT_STATUS, "Used")) {
        assert_string_equal(focus_cell(f, FOCUS_CHARGE_CATEGORY), "Usage");
        assert_int_equal(focus_cell_money(f, FOCUS_BILLED_COST), 0);
        assert_string_equal(focus_cell(f, FOCUS_PRICING_CATEGORY), "Committed");
    }
    if (unused) {
        assert_true(csv_missing(f->csv, FOCUS_CONSUMED_QUANTITY));
        assert_string_equal(focus_cell(f, FOCUS_RESOURCE_ID), focus_cell(f, FOCUS_COMMITMENT_ID));
    }
}

static void check_purchase(struct focus_reading *f)
{
    assert_true(focus_cell_money(f, FOCUS_BILLED_COST) > 0);
    assert_false(focus_cell_is(f, FOCUS_CHARGE_FREQUENCY, "Usage-Based"));
    assert_string_equal(focus_cell(f, FOCUS_PRICING_CATEGORY), "Standard");
    assert_true(csv_missing(f->csv, FOCUS_COMMITMENT_STATUS));
    assert_true(csv_missing(f->csv, FOCUS_CONSUMED_QUANTITY));
    /* Nothing when it covers what comes later. */
    assert_int_equal(focus_cell_money(f, FOCUS_EFFECTIVE_COST),
                     csv_missing(f->csv, FOCUS_COMMITMENT_ID) &&
                             csv_missing(f->csv, FOCUS_CAPACITY_RESERVATION_ID)
                         ? focus_cell_money(f, FOCUS_BILLED_COST)
                         : 0);
}

static void check_tax(struct focus_reading *f)
{
    static const enum focus_column none[] = {
        FOCUS_PRICING_QUANTITY, FOCUS_PRICING_UNIT, FOCUS_PRICING_CATEGORY, FOCUS_LIST_UNIT_PRICE,
        FOCUS_SKU_ID,           FOCUS_SKU_PRICE_ID, FOCUS_CONSUMED_QUANTITY};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_true(csv_missing(f->csv, none[i]));
    }
}

/* Of a Capacity Block all is paid at its purchase. */
static bool is_block(const struct focus_reading *f)
{
    return strncmp(focus_cell(f, FOCUS_CAPACITY_RESERVATION_ID), "block-", 6) == 0;
}

/* Unrelated to other charges and to any SKU: its costs are what is billed, below nothing. */
static void check_credit(struct focus_reading *f)
{
    static const enum focus_column none[] = {
        FOCUS_PRICING_QUANTITY, FOCUS_PRICING_UNIT, FOCUS_LIST_UNIT_PRICE,  FOCUS_SKU_ID,
        FOCUS_SKU_PRICE_ID,     FOCUS_SKU_METER,    FOCUS_CONSUMED_QUANTITY};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_true(csv_missing(f->csv, none[i]));
    }
    const money_t billed = focus_cell_money(f, FOCUS_BILLED_COST);
    /* With an account the plan may make its bill, and an agreement's share of it, smaller. */
    assert_true(billed < 0 || account_matters(&f->export.study->account));
    assert_int_equal(focus_cell_money(f, FOCUS_LIST_COST), billed);
    assert_int_equal(focus_cell_money(f, FOCUS_CONTRACTED_COST), billed);
    assert_int_equal(focus_cell_money(f, FOCUS_EFFECTIVE_COST), billed);
}

static void check_kind(struct focus_reading *f)
{
    const char *category = focus_cell(f, FOCUS_CHARGE_CATEGORY);
    const bool usage = strcmp(category, "Usage") == 0, tax = strcmp(category, "Tax") == 0;
    check_commitment_cells(f);
    if (strcmp(category, "Purchase") == 0) {
        check_purchase(f);
    } else if (tax) {
        check_tax(f);
    } else if (strcmp(category, "Credit") == 0) {
        check_credit(f);
    } else if (is_block(f)) {
        assert_int_equal(focus_cell_money(f, FOCUS_BILLED_COST), 0);
    } else if (csv_missing(f->csv, FOCUS_COMMITMENT_ID) && strcmp(category, "Adjustment") != 0 &&
               !focus_cell_is(f, FOCUS_SERVICE_NAME, "AWS Support")) {
        assert_int_equal(focus_cell_money(f, FOCUS_BILLED_COST),
                         focus_cell_money(f, FOCUS_EFFECTIVE_COST));
        assert_int_equal(focus_cell_money(f, FOCUS_BILLED_COST),
                         focus_cell_money(f, FOCUS_CONTRACTED_COST));
    }
    if (usage) {
        assert_int_equal(csv_missing(f->csv, FOCUS_CONSUMED_QUANTITY),
                         focus_cell_is(f, FOCUS_COMMITMENT_STATUS, "Unused"));
        assert_int_equal(csv_missing(f->csv, FOCUS_CAPACITY_RESERVATION_ID),
                         csv_missing(f->csv, FOCUS_CAPACITY_RESERVATION_STATUS));
    } else {
        assert_true(csv_missing(f->csv, FOCUS_CAPACITY_RESERVATION_STATUS));
    }
    if (focus_cell_is(f, FOCUS_CAPACITY_RESERVATION_STATUS, "Unused")) {
        assert_string_equal(focus_cell(f, FOCUS_RESOURCE_ID),
                            focus_cell(f, FOCUS_CAPACITY_RESERVATION_ID));
    }
    assert_int_equal(csv_missing(f->csv, FOCUS_CONSUMED_QUANTITY),
                     csv_missing(f->csv, FOCUS_CONSUMED_UNIT));
    if (strcmp(category, "Adjustment") == 0) {
        assert_true(llabs(focus_cell_money(f, FOCUS_BILLED_COST)) < 100000); /* a ten-thousandth */
    } else if (strcmp(category, "Credit") != 0) {
        assert_true(focus_cell_money(f, FOCUS_BILLED_COST) >= 0);
        assert_true(focus_cell_money(f, FOCUS_EFFECTIVE_COST) >= 0);
    }
}

/* Without an account beside it all of the bill is the plan's. */
static void check_party(struct focus_reading *f)
{
    const struct study *s = f->export.study;
    const bool alone = !account_matters(&s->account);
    const bool plan = focus_cell_is(f, FOCUS_X_PARTY, "plan");
    assert_int_equal(csv_missing(f->csv, FOCUS_SUB_ACCOUNT_ID), alone);
    assert_true(plan || (!alone && (focus_cell_is(f, FOCUS_X_PARTY, "existing") ||
                                    focus_cell_is(f, FOCUS_X_PARTY, "others"))));
    if (plan) {
        assert_int_equal(focus_cell_money(f, FOCUS_X_PLAN_BILLED),
                         focus_cell_money(f, FOCUS_BILLED_COST));
        assert_true(focus_cell_is(f, FOCUS_X_PLAN_EFFECTIVE, focus_cell(f, FOCUS_EFFECTIVE_COST)) ||
                    strncmp(focus_cell(f, FOCUS_COMMITMENT_ID), "existing-", 9) == 0);
    }
}

static void check_row(struct focus_reading *f)
{
    for (int i = 0; i < FOCUS_COLUMN_COUNT; i++) {
        if (!focus_column_table[i].nullable && csv_missing(f->csv, (size_t)i)) {
            fail_msg("line %d: %s is empty", csv_line(f->csv), focus_column_table[i].name);
        }
    }
    assert_string_equal(focus_cell(f, FOCUS_X_SIMULATED), "true");
    if (focus_cell_is(f, FOCUS_CHARGE_CATEGORY, "Usage") ||
        focus_cell_is(f, FOCUS_CHARGE_CATEGORY, "Purchase")) {
        assert_false(csv_missing(f->csv, FOCUS_PRICING_QUANTITY));
        assert_false(csv_missing(f->csv, FOCUS_PRICING_UNIT));
        assert_false(csv_missing(f->csv, FOCUS_PRICING_CATEGORY));
        assert_false(csv_missing(f->csv, FOCUS_RESOURCE_ID));
        assert_int_equal(strncmp(focus_cell(f, FOCUS_SKU_ID), "fleetcast:", 10), 0);
        assert_int_equal(strncmp(focus_cell(f, FOCUS_SKU_PRICE_ID), "fleetcast:", 10), 0);
    }
    check_party(f);
    check_words(f);
    check_numbers(f);
    check_tags(f);
    check_times(f);
    check_prices(f);
    check_kind(f);
}

/* ---- sums ---- */

static void add_existing(struct focus_reading *f, struct focus_totals *sums)
{
    size_t k = (size_t)atol(focus_cell(f, FOCUS_COMMITMENT_ID) + strlen("existing-")) - 1;
    assert_true(k < FOCUS_COMMITMENTS_MAX && csv_missing(f->csv, FOCUS_X_BILLED_LATER));
    if (focus_cell_is(f, FOCUS_X_IN_HORIZON, "true")) {
        sums->existing[k] += focus_cell_money(f, FOCUS_EFFECTIVE_COST);
        sums->existing_billed[k] += focus_cell_money(f, FOCUS_BILLED_COST);
    }
    sums->existing_used += focus_cell_is(f, FOCUS_COMMITMENT_STATUS, "Used");
    /* Sunk: whoever it covers, it costs the plan nothing. */
    if (!focus_cell_is(f, FOCUS_X_PARTY, "others")) {
        assert_int_equal(focus_cell_money(f, FOCUS_X_PLAN_BILLED), 0);
        assert_int_equal(focus_cell_money(f, FOCUS_X_PLAN_EFFECTIVE), 0);
    }
}

static void add_commitment(struct focus_reading *f, struct focus_totals *sums)
{
    if (strncmp(focus_cell(f, FOCUS_COMMITMENT_ID), "existing-", 9) == 0) {
        add_existing(f, sums);
        return;
    }
    size_t k = (size_t)atol(focus_cell(f, FOCUS_COMMITMENT_ID) + strlen("commitment-")) - 1;
    assert_true(k < FOCUS_COMMITMENTS_MAX);
    if (focus_cell_is(f, FOCUS_CHARGE_CATEGORY, "Purchase")) {
        sums->purchases++;
        sums->purchased[k] += focus_cell_money(f, FOCUS_BILLED_COST);
    } else {
        sums->amortised[k] += focus_cell_money(f, FOCUS_EFFECTIVE_COST);
        sums->covered += focus_cell_is(f, FOCUS_COMMITMENT_STATUS, "Used");
        sums->unused += focus_cell_is(f, FOCUS_COMMITMENT_STATUS, "Unused");
    }
    if (!csv_missing(f->csv, FOCUS_X_BILLED_LATER)) {
        sums->billed_later[k] += focus_cell_money(f, FOCUS_X_BILLED_LATER);
        sums->effective_later[k] += focus_cell_money(f, FOCUS_X_EFFECTIVE_LATER);
    }
}

static void add_row(struct focus_reading *f, struct focus_totals *sums)
{
    bool inside = focus_cell_is(f, FOCUS_X_IN_HORIZON, "true");
    sums->rows++;
    sums->outside += !inside;
    sums->all_billed += focus_cell_money(f, FOCUS_X_PLAN_BILLED);
    sums->billed += inside ? focus_cell_money(f, FOCUS_X_PLAN_BILLED) : 0;
    sums->effective += inside ? focus_cell_money(f, FOCUS_X_PLAN_EFFECTIVE) : 0;
    sums->adjustments += focus_cell_is(f, FOCUS_CHARGE_CATEGORY, "Adjustment");
    sums->charges += !csv_missing(f->csv, FOCUS_X_LINE);
    if (strncmp(focus_cell(f, FOCUS_CAPACITY_RESERVATION_ID), "reservation-", 12) == 0) {
        const bool used = focus_cell_is(f, FOCUS_CAPACITY_RESERVATION_STATUS, "Used");
        sums->held_used += used;
        sums->held_idle += !used;
        sums->held_covered += !csv_missing(f->csv, FOCUS_COMMITMENT_ID);
    }
    sums->others += focus_cell_is(f, FOCUS_X_PARTY, "others");
    sums->credits += focus_cell_is(f, FOCUS_CHARGE_CATEGORY, "Credit");
    sums->taxes += focus_cell_is(f, FOCUS_CHARGE_CATEGORY, "Tax");
    sums->discounted +=
        focus_cell_money(f, FOCUS_CONTRACTED_COST) < focus_cell_money(f, FOCUS_LIST_COST);
    if (!csv_missing(f->csv, FOCUS_X_END_REASON)) {
        sums->usage++;
        sums->node_h += focus_cell_number(f, FOCUS_CONSUMED_QUANTITY);
    }
    if (focus_cell_is(f, FOCUS_PRICING_CATEGORY, "Dynamic")) {
        bool is_free = focus_cell_number(f, FOCUS_PRICING_QUANTITY) <= 0;
        sums->spot++;
        sums->free += is_free;
        if (is_free) {
            assert_int_equal(focus_cell_money(f, FOCUS_BILLED_COST), 0);
            assert_int_equal(focus_cell_money(f, FOCUS_LIST_COST), 0);
            assert_string_equal(focus_cell(f, FOCUS_X_END_REASON), "interrupted");
            assert_true(focus_cell_number(f, FOCUS_CONSUMED_QUANTITY) < 1);
        }
    }
    if (!csv_missing(f->csv, FOCUS_COMMITMENT_ID)) {
        add_commitment(f, sums);
    }
}

static void check_commitments(const struct study *s, size_t strategy, const struct focus_export *e,
                              const struct focus_totals *sums)
{
    const struct commitment_plan *plan = &s->strategies[strategy].commitments;
    for (size_t k = 0; k < plan->count; k++) {
        const struct commitment *c = &matched_items(e->matched)[k]; /* in this world */
        money_t total = commitment_total(c);
        assert_int_equal(sums->purchased[k] + sums->billed_later[k], total);
        assert_int_equal(sums->amortised[k] + sums->effective_later[k], total);
        if (c->end_us <= s->frame.horizon_us) {
            assert_int_equal(sums->amortised[k], sums->purchased[k]);
            assert_int_equal(sums->billed_later[k], 0);
        }
    }
    for (size_t k = 0; k < plan->sunk; k++) {
        assert_int_equal(sums->existing[k], account_sunk(plan->account, k, s->frame.horizon_us));
    }
}

/* ---- months ---- */

/* The cash and the amortised cost of each month, as monthly.csv tells them; caller frees. */
static money_t *expected_months(const struct study *s, size_t strategy, uint32_t world)
{
    money_t *by_month = calloc(BILL_ROWS * s->frame.months, sizeof *by_month);
    struct simulation *sim = simulation_new(s);
    assert_true(by_month != NULL && sim != NULL);
    const struct simulation_outputs out = {.by_month = by_month};
    assert_true(simulation_begin_world(sim, world) && simulation_run_strategy(sim, strategy, &out));
    simulation_free(sim);
    return by_month;
}

static void take_off_row(struct focus_reading *f, const struct study *s, money_t *by_month)
{
    int64_t at_s = 0;
    if (focus_cell_is(f, FOCUS_X_IN_HORIZON, "true")) {
        assert_true(civil_parse(focus_cell(f, FOCUS_CHARGE_PERIOD_START), &at_s));
        const size_t month =
            bill_month(&s->frame, (at_s - s->frame.start_unix_s) * INT64_C(1000000));
        by_month[BILL_ROW_CASH * s->frame.months + month] -=
            focus_cell_money(f, FOCUS_X_PLAN_BILLED);
        by_month[BILL_ROW_AMORTISED * s->frame.months + month] -=
            focus_cell_money(f, FOCUS_X_PLAN_EFFECTIVE);
    }
}

/* Rows are rounded one by one. */
static void assert_nothing_left(const struct study *s, const money_t *by_month, size_t rows)
{
    static const size_t which[] = {BILL_ROW_CASH, BILL_ROW_AMORTISED};
    for (size_t i = 0; i < 2; i++) {
        for (size_t m = 0; m < s->frame.months; m++) {
            assert_near((double)by_month[which[i] * s->frame.months + m], 0, 100 + (double)rows,
                        i == 0 ? "cash of a month" : "amortised cost of a month");
        }
    }
}

/* All of it for one world. */
struct focus_totals focus_check_world(const struct study *s, size_t strategy, uint32_t world)
{
    struct focus_reading f;
    struct focus_totals sums = {0};
    money_t *by_month = expected_months(s, strategy, world);
    focus_reading_open(&f, s, strategy, world);
    int more;
    while ((more = csv_next(f.csv)) == 1) {
        check_row(&f);
        add_row(&f, &sums);
        take_off_row(&f, s, by_month);
    }
    assert_int_equal(more, 0);
    assert_nothing_left(s, by_month, sums.rows);
    free(by_month);
    const struct metric_cells *all = &f.export.all;
    assert_int_equal(sums.rows, f.export.rows);
    assert_int_equal(sums.billed, all->value[METRIC_CASH].money);
    assert_int_equal(sums.effective, all->value[METRIC_AMORTISED].money);
    double node_h = all->value[METRIC_NODE_HOURS].number;
    assert_near(sums.node_h, node_h, 1e-9 * (1 + node_h), "node-hours");
    if (s->strategies[strategy].commitments.count == 0) {
        assert_int_equal(sums.all_billed, all->value[METRIC_COST].money);
    }
    check_commitments(s, strategy, &f.export, &sums);
    focus_reading_close(&f);
    return sums;
}
