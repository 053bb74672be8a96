/* SPDX-License-Identifier: GPL-3.0-or-later
 * The FOCUS file of a world: columns and rows as FOCUS 1.2 wants them (specification, column
 * library), and sums that are the bill's to the nano-unit. */
#include "scenarios/output/focus_export.h"
#include "scenarios/output/focus_file.h"

#include "engine/gsl_errors.h"
#include "tests/support/focus_rules.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "version: 1\nstart: 2025-12-01\nregion: us-east-1\nreplications: 1\n"

static struct focus_totals check_text(const char *text)
{
    struct study *s = study_from_text(text, NULL);
    struct focus_totals sums = focus_check_world(s, 0, 0);
    study_free(s);
    return sums;
}

/* ---- columns ---- */

static void columns_are_those_of_the_specification(void **state)
{
    (void)state;
    static const char *const mandatory[] = {
        "BilledCost",        "BillingAccountId",   "BillingAccountName", "BillingCurrency",
        "BillingPeriodEnd",  "BillingPeriodStart", "ChargeCategory",     "ChargeClass",
        "ChargeDescription", "ChargePeriodEnd",    "ChargePeriodStart",  "ContractedCost",
        "EffectiveCost",     "InvoiceIssuerName",  "ListCost",           "PricingQuantity",
        "PricingUnit",       "ProviderName",       "PublisherName",      "ServiceCategory",
        "ServiceName"};
    size_t count = 0;
    for (int i = 0; i < FOCUS_COLUMN_COUNT; i++) {
        const char *name = focus_column_table[i].name;
        if (focus_column_table[i].mandatory) {
            assert_true(count < 21);
            assert_string_equal(name, mandatory[count++]);
        }
        bool own = strncmp(name, "x_", 2) == 0;
        assert_int_equal(own, i >= FOCUS_X_SCENARIO);
        if (i > 0 && !own) {
            assert_true(strcmp(focus_column_table[i - 1].name, name) < 0);
        }
    }
    assert_int_equal(count, 21);
}

static void the_file_of_one_node(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD "name: 'One, \"small\"'\nhorizon: 1d\n"
             "market: {on-demand: {p4d.24xlarge: {price: 20 USD/h}}}\n"
             "workloads: {job: {kind: training, hours: 90min, boot: 0s, checkpoint: continuous}}\n"
             "strategies: {one: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}}\n",
        NULL);
    struct focus_reading f;
    focus_reading_open(&f, s, 0, 0);
    assert_string_equal(
        f.text,
        "AvailabilityZone,BilledCost,BillingAccountId,BillingAccountName,BillingCurrency,"
        "BillingPeriodEnd,BillingPeriodStart,CapacityReservationId,CapacityReservationStatus,"
        "ChargeCategory,ChargeClass,ChargeDescription,ChargeFrequency,ChargePeriodEnd,"
        "ChargePeriodStart,CommitmentDiscountCategory,CommitmentDiscountId,"
        "CommitmentDiscountName,CommitmentDiscountQuantity,CommitmentDiscountStatus,"
        "CommitmentDiscountType,CommitmentDiscountUnit,ConsumedQuantity,ConsumedUnit,"
        "ContractedCost,ContractedUnitPrice,EffectiveCost,InvoiceIssuerName,ListCost,"
        "ListUnitPrice,PricingCategory,PricingQuantity,PricingUnit,ProviderName,PublisherName,"
        "RegionId,RegionName,ResourceId,ResourceName,ResourceType,ServiceCategory,ServiceName,"
        "ServiceSubcategory,SkuId,SkuMeter,SkuPriceDetails,SkuPriceId,SubAccountId,SubAccountName,"
        "Tags,x_Scenario,x_Strategy,"
        "x_World,x_Seed,x_Simulated,x_PricesAsOf,x_InHorizon,x_Job,x_EndReason,x_BilledLater,"
        "x_EffectiveLater,x_Line,x_Owner,x_Party,x_PlanBilledCost,x_PlanEffectiveCost,"
        "x_SharedBy\n"
        "us-east-1a,30.00,simulated,,USD,2026-01-01T00:00:00Z,2025-12-01T00:00:00Z,,,Usage,,"
        "p4d.24xlarge on-demand in us-east-1a (simulated),Usage-Based,2025-12-01T01:30:00Z,"
        "2025-12-01T00:00:00Z,,,,,,,,1.5,Hours,30.00,20.00,30.00,\"Amazon Web Services, Inc.\","
        "30.00,20.00,Standard,1.5,Hours,AWS,AWS,us-east-1,US East (N. Virginia),"
        "job/us-east-1a/p4d.24xlarge/on-demand/0/0,job/0,Instance,Compute,"
        "Amazon Elastic Compute Cloud,Virtual Machines,fleetcast:p4d.24xlarge/us-east-1,Instance "
        "Hours,"
        "\"{\"\"InstanceType\"\":\"\"p4d.24xlarge\"\",\"\"InstanceSeries\"\":\"\"p4d\"\","
        "\"\"CoreCount\"\":96,\"\"GpuCount\"\":8,\"\"MemorySize\"\":1152,"
        "\"\"OperatingSystem\"\":\"\"Linux\"\"}\",fleetcast:p4d.24xlarge/us-east-1/on-demand,,,"
        "\"{\"\"workload\"\":\"\"job\"\"}\",\"One, "
        "\"\"small\"\"\",one,0,1,true,2025-12-01,true,job,"
        "finished,,,,,plan,30.00,30.00,\n");
    focus_reading_close(&f);
    study_free(s);
}

/* ---- kinds of worlds ---- */

/* R1 of the reservation rules: one reserved instance, four instances the whole hour. */
static void a_partly_covered_hour_is_two_rows(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD "horizon: 1d\n"
             "workloads: {job: {kind: training, hours: 1h, boot: 0s, checkpoint: continuous}}\n"
             "strategies:\n  one: {instance: p4d.24xlarge, nodes: 4, buy: on-demand,\n"
             "    commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: 1,\n"
             "                  term: 1y}}\n",
        NULL);
    struct focus_totals sums = focus_check_world(s, 0, 0);
    assert_int_equal(sums.usage, 8);
    assert_int_equal(sums.covered, 4);
    struct focus_reading f;
    focus_reading_open(&f, s, 0, 0);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(csv_next(f.csv), 1);
        bool covered = focus_cell_is(&f, FOCUS_COMMITMENT_STATUS, "Used");
        assert_int_equal(covered, i % 2 == 0);
        assert_string_equal(focus_cell(&f, FOCUS_CONSUMED_QUANTITY), covered ? "0.25" : "0.75");
        assert_string_equal(focus_cell(&f, FOCUS_COMMITMENT_QUANTITY), covered ? "0.25" : "");
    }
    /* The purchase, and the 23 hours without usage. */
    assert_int_equal(csv_next(f.csv), 1);
    assert_string_equal(focus_cell(&f, FOCUS_CHARGE_CATEGORY), "Purchase");
    assert_string_equal(focus_cell(&f, FOCUS_COMMITMENT_QUANTITY), "24");
    assert_int_equal(csv_next(f.csv), 1);
    assert_string_equal(focus_cell(&f, FOCUS_COMMITMENT_STATUS), "Unused");
    assert_string_equal(focus_cell(&f, FOCUS_COMMITMENT_QUANTITY), "23");
    assert_int_equal(csv_next(f.csv), 0);
    focus_reading_close(&f);
    study_free(s);
}

/* A reservation covers 3,600 instance-seconds of a clock hour, whenever in it they run. */
static void half_an_hour_of_two_nodes_is_one_reserved_hour(void **state)
{
    (void)state;
    struct focus_totals sums = check_text(
        HEAD "horizon: 1d\n"
             "workloads: {job: {kind: training, hours: 30min, boot: 0s, checkpoint: continuous}}\n"
             "strategies:\n  one: {instance: p4d.24xlarge, nodes: 2, buy: on-demand,\n"
             "    commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: 1,\n"
             "                  term: 1y}}\n");
    assert_int_equal(sums.usage, 2);
    assert_int_equal(sums.covered, 2);
}

static void a_term_inside_the_horizon_adds_up_to_its_purchase(void **state)
{
    (void)state;
    static const char *const payments[] = {"no-upfront", "partial-upfront", "all-upfront"};
    for (int i = 0; i < 3; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD "horizon: 400d\n"
                      "workloads: {job: {kind: training, hours: 5000.5h, boot: 7min, "
                      "checkpoint: {every: 5h, write: 1min}}}\n"
                      "strategies:\n  one: {instance: p4d.24xlarge, nodes: 3, buy: on-demand,\n"
                      "    commitments: [{kind: reserved-instances, instance: p4d.24xlarge, "
                      "count: 2, term: 1y, payment: %s},\n"
                      "      {kind: ec2-instance-savings-plan, family: p4d, hourly: 5.5 USD/h, "
                      "term: 1y, payment: %s, at: 10d, rates: {p4d.24xlarge: 13.1 USD/h}}]}\n",
                 payments[i], payments[i]);
        struct focus_totals sums = check_text(text);
        assert_true(sums.covered > 0 && sums.unused > 0);
        assert_int_equal(sums.effective_later[0], 0);
        assert_true(sums.purchases >= 2);
    }
}

/* What is bought a year later costs what it costs in this world. */
static void offers_after_cuts_add_up(void **state)
{
    (void)state;
    struct focus_totals sums = check_text(
        HEAD "horizon: 800d\n"
             "market: {price_cuts: {rate: 4/y, size: 10 %..40 %}}\n"
             "workloads: {job: {kind: training, hours: 15000.5h, boot: 7min, "
             "checkpoint: {every: 5h, write: 1min}}}\n"
             "strategies: {one: {instance: p4d.24xlarge, nodes: 3, buy: on-demand,\n"
             "  commitments: [{kind: reserved-instances, instance: p4d.24xlarge, count: 1,\n"
             "                 term: 1y, at: 365d, payment: partial-upfront},\n"
             "    {kind: ec2-instance-savings-plan, family: p4d, hourly: 5.5 USD/h, term: 1y,\n"
             "     at: 300d, rates: {p4d.24xlarge: 13.1 USD/h}}]}}\n");
    assert_true(sums.covered > 0 && sums.unused > 0);
    assert_int_equal(sums.effective_later[0], 0);
}

/* Prices change within clock hours of which commitments cover a part. */
static void prices_that_change_within_the_hour_add_up(void **state)
{
    (void)state;
    struct focus_totals sums = check_text(
        HEAD "horizon: 40d\n"
             "market: {price_changes: [{at: 2025-12-04T07:41:13Z, change: -33 %},\n"
             "                         {at: 2025-12-04T07:52Z, change: -17.3 %},\n"
             "                         {at: 2025-12-20T13:00:01Z, change: -5 %}]}\n"
             "workloads:\n"
             "  a: {kind: training, hours: 777.7h, boot: 7min, checkpoint: {every: 5h}}\n"
             "  b: {kind: training, hours: 76h, submit: 11.3h, boot: 3min, "
             "checkpoint: {every: 1h}}\n"
             "strategies: {one: {instance: p4d.24xlarge, nodes: 3, buy: on-demand,\n"
             "  commitments: [{kind: reserved-instances, instance: p4d.24xlarge, count: 2,\n"
             "                 term: 1y},\n"
             "    {kind: ec2-instance-savings-plan, family: p4d, hourly: 5.5 USD/h, term: 1y,\n"
             "     rates: {p4d.24xlarge: 13.1 USD/h}}]}}\n");
    assert_true(sums.covered > 0);
}

static void spot_in_its_first_hour_is_free(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD "horizon: 20d\n"
             "market: {spot: {p3.2xlarge: {price: 0.9..1.1 USD/h, availability: 80 %,\n"
             "                             interruptions: 0.4/h}}}\n"
             "workloads: {job: {kind: training, hours: 40h, boot: 3min, restart: node,\n"
             "                  checkpoint: {every: 1h, write: 1min}}}\n"
             "strategies: {spot: {instance: p3.2xlarge, nodes: 2, buy: spot}}\n",
        NULL);
    struct focus_totals all = {0};
    for (uint32_t world = 0; world < 5; world++) {
        struct focus_totals sums = focus_check_world(s, 0, world);
        all.spot += sums.spot;
        all.free += sums.free;
    }
    assert_true(all.free > 5);
    assert_true(all.spot > all.free);
    study_free(s);
}

/* Two workloads on one pool, fallback from spot, three commitments of which two cover the same,
 * a start and a horizon within a clock hour, work that ends after the horizon. */
static void random_worlds_add_up(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        "version: 1\nstart: 2026-01-30T10:17:05Z\nregion: us-east-1\nreplications: 40\n"
        "horizon: 10d\n"
        "market: {spot: {p4d.24xlarge: {availability: 50..80 %}}}\n"
        "workloads:\n"
        "  a: {kind: training, hours: 100..300h, boot: 2min..9min, checkpoint: {every: 1h, write: "
        "1min}}\n"
        "  b: {kind: training, hours: 200..240h, submit: 1d, boot: 2min..9min, checkpoint: "
        "continuous,\n"
        "      at_horizon: finish-on-demand}\n"
        "strategies:\n"
        "  mixed: {instance: p4d.24xlarge, nodes: 3, buy: spot, policy: {name: fallback, return: "
        "yes},\n"
        "    commitments: [{kind: reserved-instances, instance: p4d.24xlarge, count: 2, term: "
        "1y},\n"
        "      {kind: compute-savings-plan, hourly: 20.123456789 USD/h, term: 3y, payment: "
        "partial-upfront, at: 3.3d,\n"
        "       rates: {p4d.24xlarge: 12.1 USD/h}, reuse: 30 %},\n"
        "      {kind: ec2-instance-savings-plan, family: p4d, hourly: 7.5 USD/h, term: 1y,\n"
        "       rates: {p4d.24xlarge: 13 USD/h}}]}\n"
        "  plain: {instance: p4d.24xlarge, nodes: 3, buy: on-demand}\n",
        NULL);
    struct focus_totals all = {0};
    for (uint32_t world = 0; world < 25; world++) {
        struct focus_totals sums = focus_check_world(s, 0, world);
        all.covered += sums.covered;
        all.unused += sums.unused;
        all.outside += sums.outside;
        all.spot += sums.spot;
        all.adjustments += sums.adjustments;
        focus_check_world(s, 1, world);
    }
    assert_true(all.covered > 0 && all.unused > 0 && all.outside > 0 && all.spot > 0);
    assert_true(all.adjustments > 0);
    study_free(s);
}

/* All is covered: rating gives back what pieces of it came to beyond the charge of the nodes. */
static void what_is_covered_in_full_adds_up(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        "version: 1\nstart: 2025-12-01T10:17:05Z\nregion: us-east-1\nreplications: 1\n"
        "horizon: 20d\n"
        "workloads: {job: {kind: training, hours: 20..90h, boot: 2min..9min, checkpoint: {every: "
        "1h, write: 1min}}}\n"
        "strategies:\n  all: {instance: p4d.24xlarge, nodes: 3, buy: on-demand,\n"
        "    commitments: [{kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: "
        "1y},\n"
        "      {kind: reserved-instances, instance: p4d.24xlarge, count: 2, term: 1y, zone: "
        "us-east-1a}]}\n",
        NULL);
    for (uint32_t world = 0; world < 40; world++) {
        focus_check_world(s, 0, world);
    }
    study_free(s);
}

/* One commitment fully used across a horizon that lies within a clock hour: nothing is lost, and
 * no more than is paid for is used. */
static void an_hour_with_the_horizon_inside_is_two(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        "version: 1\nstart: 2026-01-30T10:17:00Z\nregion: us-east-1\nreplications: 1\n"
        "horizon: 2d\n"
        "workloads: {job: {kind: training, hours: 60h, boot: 0s, checkpoint: continuous,\n"
        "                  at_horizon: finish-on-demand}}\n"
        "strategies:\n  one: {instance: p4d.24xlarge, nodes: 2, buy: on-demand,\n"
        "    commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: "
        "1y}}\n",
        NULL);
    struct run run;
    study_run(&run, s, 1);
    assert_near(run_value(&run, 0, 0, METRIC_COMMITMENT_UNUSED), 0, 1e-9, "nothing is lost");
    run_release(&run);
    struct focus_totals sums = focus_check_world(s, 0, 0);
    assert_true(sums.outside > 0);
    study_free(s);
}

static void china_pays_in_its_own_currency(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        "version: 1\nstart: 2025-12-01\nregion: cn-northwest-1\nreplications: 1\nhorizon: 5d\n"
        "market: {on-demand: {p3.2xlarge: {price: 20 CNY/h}}}\n"
        "workloads: {job: {kind: training, hours: 3h}}\n"
        "strategies: {one: {instance: p3.2xlarge, nodes: 1, buy: on-demand}}\n",
        NULL);
    struct focus_reading f;
    focus_check_world(s, 0, 0);
    focus_reading_open(&f, s, 0, 0);
    assert_int_equal(csv_next(f.csv), 1);
    assert_string_equal(focus_cell(&f, FOCUS_BILLING_CURRENCY), "CNY");
    assert_string_equal(focus_cell(&f, FOCUS_INVOICE_ISSUER_NAME),
                        "Ningxia Western Cloud Data Technology Co., Ltd.");
    focus_reading_close(&f);
    study_free(s);
}

static void a_full_disk_is_told(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD "horizon: 5d\nworkloads: {job: {kind: training, hours: 3h}}\n"
             "strategies: {one: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}}\n",
        NULL);
    struct focus_reading f;
    focus_reading_open(&f, s, 0, 0);
    FILE *full = fopen("/dev/full", "wb");
    if (full != NULL) {
        assert_false(focus_file_write(&f.export, full));
        fclose(full);
    }
    focus_reading_close(&f);
    study_free(s);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_those_of_the_specification),
        cmocka_unit_test(the_file_of_one_node),
        cmocka_unit_test(a_partly_covered_hour_is_two_rows),
        cmocka_unit_test(half_an_hour_of_two_nodes_is_one_reserved_hour),
        cmocka_unit_test(a_term_inside_the_horizon_adds_up_to_its_purchase),
        cmocka_unit_test(offers_after_cuts_add_up),
        cmocka_unit_test(prices_that_change_within_the_hour_add_up),
        cmocka_unit_test(spot_in_its_first_hour_is_free),
        cmocka_unit_test(random_worlds_add_up),
        cmocka_unit_test(what_is_covered_in_full_adds_up),
        cmocka_unit_test(an_hour_with_the_horizon_inside_is_two),
        cmocka_unit_test(china_pays_in_its_own_currency),
        cmocka_unit_test(a_full_disk_is_told),
    };
    return cmocka_run_group_tests_name("focus export", tests, NULL, NULL);
}
