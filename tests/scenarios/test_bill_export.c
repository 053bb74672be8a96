/* SPDX-License-Identifier: GPL-3.0-or-later
 * Real bills: FOCUS files and both shapes of a Cost and Usage Report, what a row costs and what it
 * is for, which rows are kept, and what is refused with its line. */
#include "scenarios/import/bill_export.h"

#include "engine/civil_time.h"
#include "engine/gsl_errors.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINES = 32 };

/* What was read. */
struct bill_seen {
    struct bill_line lines[MOST_LINES];
    size_t count;
    struct bill_totals totals;
    char *errors;
    bool ok;
};

static bool note(void *context, const struct bill_line *l)
{
    struct bill_seen *s = context;
    assert_true(s->count < MOST_LINES);
    s->lines[s->count] = *l;
    s->lines[s->count++].service = "";
    return true;
}

static struct bill_seen read_text(const char *text, const char *const *where, size_t count)
{
    struct bill_seen s = {.count = 0};
    char path[] = "/tmp/fleetcast-bill-XXXXXX";
    FILE *out = fdopen(mkstemp(path), "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
    struct arena *a = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    const struct bill_filter filter = {where, count};
    s.ok = bill_export_read(path, &filter, "USD", a, d, note, &s, &s.totals);
    assert_int_equal(s.ok, !diagnostics_failed(d));
    struct place place = {0};
    enum diagnostic_kind kind;
    const char *first = diagnostics_text(d, 0, &kind, &place);
    char told[600];
    snprintf(told, sizeof told, "%d: %s", place.line, first == NULL ? "" : first);
    s.errors = strdup(told);
    diagnostics_free(d);
    arena_free(a);
    unlink(path);
    return s;
}

#define FOCUS                                                                                      \
    "ChargePeriodStart,ChargePeriodEnd,BilledCost,EffectiveCost,BillingCurrency,ChargeCategory,"   \
    "ServiceName,ServiceCategory,PricingCategory,CommitmentDiscountStatus,ConsumedQuantity,"       \
    "ConsumedUnit,SubAccountId,Tags\n"

#define CUR                                                                                        \
    "line_item_usage_start_date,line_item_unblended_cost,line_item_line_item_type,"                \
    "line_item_currency_code\n"

static void focus_rows_are_parted(void **state)
{
    (void)state;
    static const struct {
        const char *row;
        double billed, effective, node_h;
        enum bill_part part;
    } rows[] = {
        {"2.5,2.5,USD,Usage,EC2,Compute,Standard,,1,Hours", 2.5, 2.5, 1, BILL_PART_ON_DEMAND},
        {"0.9,0.9,USD,Usage,EC2,Compute,Dynamic,,3,Hrs", 0.9, 0.9, 3, BILL_PART_SPOT},
        {"0,1.5,USD,Usage,EC2,Compute,Committed,Used,1,Hours", 0, 1.5, 1, BILL_PART_COMMITTED},
        {"0,0.5,USD,Usage,EC2,Compute,Committed,Unused,,", 0, 0.5, 0, BILL_PART_UNUSED},
        {"100,0,USD,Purchase,EC2,Compute,Standard,,1,Units", 100, 0, 0, BILL_PART_ON_DEMAND},
        {"7,7,USD,Usage,S3,Storage,Standard,,10,GB", 7, 7, 0, BILL_PART_STORAGE},
        {"8,8,USD,Usage,Transfer,Networking,Standard,,10,GB", 8, 8, 0, BILL_PART_TRANSFER},
        {"-3,-3,USD,Credit,EC2,Compute,,,,", -3, -3, 0, BILL_PART_CREDIT},
        {"4,4,USD,Tax,Tax,Other,,,,", 4, 4, 0, BILL_PART_TAX},
        {"5,5,USD,Usage,AWS Support,Management and Governance,,,,", 5, 5, 0, BILL_PART_SUPPORT},
        {"1.25e2,1.25E2,USD,Usage,Bedrock,AI and Machine Learning,,,9,Tokens", 125, 125, 0,
         BILL_PART_OTHER},
    };
    enum { ROWS = sizeof rows / sizeof rows[0] };
    char text[4000] = FOCUS;
    for (int i = 0; i < ROWS; i++) {
        strcat(text, "2026-03-02T00:00:00Z,2026-03-02T01:00:00Z,");
        strcat(text, rows[i].row);
        strcat(text, ",111,\"{\"\"project\"\": \"\"chat\"\"}\"\n");
    }
    struct bill_seen s = read_text(text, NULL, 0);
    assert_true(s.ok);
    assert_string_equal(s.totals.format, "FOCUS");
    assert_int_equal(s.count, ROWS);
    for (int i = 0; i < ROWS; i++) {
        assert_near(s.lines[i].billed, rows[i].billed, 1e-12, rows[i].row);
        assert_near(s.lines[i].effective, rows[i].effective, 1e-12, rows[i].row);
        assert_near(s.lines[i].node_h, rows[i].node_h, 1e-12, rows[i].row);
        assert_int_equal(s.lines[i].part, rows[i].part);
        assert_int_equal(s.lines[i].end_unix_s - s.lines[i].start_unix_s, 3600);
    }
    free(s.errors);
}

/* Amortised cost by the rule of the Cost and Usage Report guide. A savings plan of 10 an hour of
 * which 7 are used by usage worth 12 on demand; a reserved instance at 2 an hour, once used and
 * once not. */
static void reports_are_amortised(void **state)
{
    (void)state;
    static const char head[] =
        "line_item_usage_start_date,line_item_usage_end_date,line_item_unblended_cost,"
        "line_item_line_item_type,line_item_currency_code,line_item_product_code,"
        "line_item_usage_type,line_item_usage_amount,reservation_effective_cost,"
        "reservation_reservation_a_r_n,reservation_unused_amortized_upfront_fee_for_billing_period,"
        "reservation_unused_recurring_fee,savings_plan_savings_plan_effective_cost,"
        "savings_plan_total_commitment_to_date,savings_plan_used_commitment\n";
    static const struct {
        const char *row;
        double billed, effective, node_h;
        enum bill_part part;
    } rows[] = {
        {"12,SavingsPlanCoveredUsage,USD,AmazonEC2,BoxUsage:p4d.24xlarge,1,,,,,7,,", 12, 7, 1,
         BILL_PART_COMMITTED},
        {"-12,SavingsPlanNegation,USD,ComputeSavingsPlans,BoxUsage:p4d.24xlarge,1,,,,,,,", -12, 0,
         0, BILL_PART_COMMITTED},
        {"10,SavingsPlanRecurringFee,USD,ComputeSavingsPlans,ComputeSP:1yr,1,,,,,,10,7", 10, 3, 0,
         BILL_PART_UNUSED},
        {"0,DiscountedUsage,USD,AmazonEC2,USW2-BoxUsage:p3.2xlarge,1,2,arn:ri,,,,,", 0, 2, 1,
         BILL_PART_COMMITTED},
        {"1440,RIFee,USD,AmazonEC2,USW2-HeavyUsage:p3.2xlarge,720,,arn:ri,0.5,1.5,,,", 1440, 2, 0,
         BILL_PART_UNUSED},
        {"9000,Fee,USD,AmazonEC2,HeavyUsage:p3.2xlarge,1,,arn:ri,,,,,", 9000, 0, 0,
         BILL_PART_OTHER},
        {"0.9,Usage,USD,AmazonEC2,SpotUsage:p3.2xlarge,2,,,,,,,", 0.9, 0.9, 2, BILL_PART_SPOT},
        {"3.06,Usage,USD,AmazonEC2,BoxUsage:p3.2xlarge,1,,,,,,,", 3.06, 3.06, 1,
         BILL_PART_ON_DEMAND},
        {"0.1,Usage,USD,AmazonEC2,EBS:VolumeUsage.gp3,1,,,,,,,", 0.1, 0.1, 0, BILL_PART_STORAGE},
        {"0.2,Usage,USD,AmazonEC2,USW2-DataTransfer-Out-Bytes,1,,,,,,,", 0.2, 0.2, 0,
         BILL_PART_TRANSFER},
        {"0.3,Usage,USD,AmazonS3,TimedStorage-ByteHrs,1,,,,,,,", 0.3, 0.3, 0, BILL_PART_STORAGE},
        {"-0.3,EdpDiscount,USD,AmazonS3,,,,,,,,,", -0.3, -0.3, 0, BILL_PART_CREDIT},
        {"1,Tax,USD,AmazonEC2,,,,,,,,,", 1, 1, 0, BILL_PART_TAX},
    };
    enum { ROWS = sizeof rows / sizeof rows[0] };
    char text[6000];
    strcpy(text, head);
    for (int i = 0; i < ROWS; i++) {
        strcat(text, "2026-03-31 23:00:00.000,2026-04-01T00:00:00Z,");
        strcat(text, rows[i].row);
        strcat(text, "\n");
    }
    struct bill_seen s = read_text(text, NULL, 0);
    assert_string_equal(s.errors, "0: ");
    assert_string_equal(s.totals.format, "CUR");
    assert_int_equal(s.count, ROWS);
    for (int i = 0; i < ROWS; i++) {
        assert_near(s.lines[i].billed, rows[i].billed, 1e-12, rows[i].row);
        assert_near(s.lines[i].effective, rows[i].effective, 1e-12, rows[i].row);
        assert_near(s.lines[i].node_h, rows[i].node_h, 1e-12, rows[i].row);
        assert_int_equal(s.lines[i].part, rows[i].part);
    }
    assert_int_equal(s.totals.unknown, 0);
    free(s.errors);
    /* A kind of line that is not known counts in full, and is told. */
    s = read_text(CUR "2026-03-01T00:00:00Z,5,Usage,USD\n2026-03-01T00:00:00Z,7,SomethingNew,USD\n"
                      "2026-03-01T00:00:00Z,-2,SomethingNew,USD\n",
                  NULL, 0);
    assert_true(s.ok);
    assert_int_equal(s.totals.unknown, 2);
    assert_near(s.totals.unknown_billed, 5, 1e-12, "billed");
    assert_string_equal(s.totals.unknown_type, "SomethingNew");
    assert_near(s.lines[1].effective, 7, 1e-12, "effective");
    free(s.errors);
    /* The older report says the same under other names. */
    s = read_text("identity/LineItemId,lineItem/UsageStartDate,lineItem/UnblendedCost,"
                  "lineItem/LineItemType,lineItem/CurrencyCode,lineItem/UsageType,"
                  "lineItem/UsageAmount,savingsPlan/SavingsPlanEffectiveCost\n"
                  "x,2026-03-01T00:00:00Z,12,SavingsPlanCoveredUsage,USD,BoxUsage:a,4,7\n",
                  NULL, 0);
    assert_true(s.ok);
    assert_near(s.lines[0].effective, 7, 1e-12, "effective");
    assert_near(s.lines[0].node_h, 4, 1e-12, "hours");
    free(s.errors);
}

static void rows_are_chosen_by_column_and_tag(void **state)
{
    (void)state;
    static const char text[] =
        FOCUS "2026-03-02T00:00:00Z,,1,1,USD,Usage,,,,,,,111,\"{\"\"project\"\": \"\"chat\"\"}\"\n"
              "2026-03-02T00:00:00Z,,2,2,USD,Usage,,,,,,,111,\"{\"\"project\"\": \"\"shop\"\"}\"\n"
              "2026-03-02T00:00:00Z,,4,4,USD,Usage,,,,,,,222,\"{\"\"project\"\": \"\"chat\"\"}\"\n"
              "2026-03-02T00:00:00Z,,8,8,USD,Usage,,,,,,,111,\n"
              "2026-03-02T00:00:00Z,,16,16,EUR,Usage,,,,,,,333,not json\n";
    static const struct {
        const char *where[2];
        size_t count;
        double sum; /* -1: refused */
    } rows[] = {{{"SubAccountId=111", NULL}, 1, 11},
                {{"Tags/project=chat", NULL}, 1, 5},
                {{"Tags/project=chat", "SubAccountId=111"}, 2, 1},
                {{"SubAccountId=", NULL}, 1, 0},
                {{"Account=1", NULL}, 1, -1},
                {{"SubAccountId", NULL}, 1, -1},
                {{"=1", NULL}, 1, -1},
                {{NULL, NULL}, 0, -1}}; /* the charge in EUR */
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bill_seen s = read_text(text, rows[i].where, rows[i].count);
        double sum = 0;
        for (size_t k = 0; k < s.count; k++) {
            sum += s.lines[k].billed;
        }
        assert_int_equal(s.ok, rows[i].sum >= 0);
        if (s.ok) {
            assert_near(sum, rows[i].sum, 1e-12, rows[i].where[0]);
        }
        free(s.errors);
    }
}

static void broken_bills_are_told_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *told;
    } rows[] = {
        {"a,b\n1,2\n", "1: neither a FOCUS file nor a Cost and Usage Report"},
        {"", "the file is empty"},
        {FOCUS "2026-03-02T00:00:00Z,,1,x,USD,Usage,,,,,,,,\n", "2: EffectiveCost 'x'"},
        {FOCUS "2026-03-02T00:00:00Z,,nan,1,USD,Usage,,,,,,,,\n", "2: BilledCost 'nan'"},
        {FOCUS "2026-03-02T00:00:00Z,,1e300,1,USD,Usage,,,,,,,,\n", "2: BilledCost"},
        {FOCUS "02.03.2026,,1,1,USD,Usage,,,,,,,,\n", "2: ChargePeriodStart '02.03.2026'"},
        {FOCUS "2026-03-02T00:00:00+02:00,,1,1,USD,Usage,,,,,,,,\n", "a time in UTC"},
        {FOCUS "2026-03-02T00:00:00Z,,1,1,CNY,Usage,,,,,,,,\n", "2: the charge is in 'CNY'"},
        {FOCUS "2026-03-02T00:00:00Z,,1\n", "2: "},
        /* What is not stated is not free. */
        {FOCUS "2026-03-02T00:00:00Z,,,1,USD,Usage,,,,,,,,\n",
         "2: BilledCost ''; expected a number"},
        {FOCUS "2026-03-02T00:00:00Z,,1,,USD,Usage,,,,,,,,\n", "2: EffectiveCost ''"},
        {FOCUS "2026-03-02T00:00:00Z,,1e13,1,USD,Usage,,,,,,,,\n", "at most 1e12 either way"},
        {FOCUS "2026-03-02T00:00:00Z,,1,1,USD,usage,,,,,,,,\n",
         "2: ChargeCategory 'usage'; expected Usage, Purchase, Tax, Credit or Adjustment"},
        {FOCUS "2026-03-02T00:00:00Z,2026-03-01T00:00:00Z,1,1,USD,Usage,,,,,,,,\n",
         "2: the charge ends before it starts"},
        {CUR "2026-03-02T00:00:00Z,,Usage,USD\n", "2: line_item_unblended_cost ''"},
        {CUR "2026-03-02T00:00:00Z,12,SavingsPlanCoveredUsage,USD\n",
         "2: without a column 'savings_plan_savings_plan_effective_cost'"},
        {CUR "2026-03-02T00:00:00Z,12,SavingsPlanRecurringFee,USD\n",
         "2: without a column 'savings_plan_total_commitment_to_date'"},
        {CUR "2026-03-02T00:00:00Z,12,DiscountedUsage,USD\n",
         "2: without a column 'reservation_effective_cost'"},
        {CUR "2026-03-02T00:00:00Z,12,RIFee,USD\n",
         "2: without a column 'reservation_unused_amortized_upfront_fee_for_billing_period'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bill_seen s = read_text(rows[i].text, NULL, 0);
        assert_false(s.ok);
        if (strstr(s.errors, rows[i].told) == NULL) {
            fail_msg("expected '%s' in '%s'", rows[i].told, s.errors);
        }
        free(s.errors);
    }
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(focus_rows_are_parted),
        cmocka_unit_test(reports_are_amortised),
        cmocka_unit_test(rows_are_chosen_by_column_and_tag),
        cmocka_unit_test(broken_bills_are_told_with_their_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
