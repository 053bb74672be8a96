/* SPDX-License-Identifier: GPL-3.0-or-later
 * Charges beside nodes in a FOCUS file: every kind by the rules of the specification, and sums that
 * are the bill's to the nano-unit in random worlds. */
#include "scenarios/output/focus_services.h"

#include "engine/gsl_errors.h"
#include "scenarios/output/focus_file.h"
#include "tests/support/focus_rules.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "version: 1\nstart: 2025-12-01\nregion: us-east-1\nreplications: 1\nhorizon: 30d\n"
#define JOB  "workloads: {job: {kind: training, hours: 100h, boot: 0s, checkpoint: continuous"
#define BUY  "}}\nstrategies: {od: {instance: p4d.24xlarge, nodes: 2, buy: on-demand}}\n"

/* ---- one row of one line ---- */

struct line_row {
    const char *name, *text, *line, *meter;
    const char *service, *category, *charge, *unit;
    double quantity, list_price, contracted_price, billed;
};

static const struct line_row line_rows[] = {
    {"volume", HEAD JOB ", disk: {size: 730 GiB, iops: 3073}" BUY, "disk", "Storage",
     "Amazon Elastic Block Store", "Storage", "Usage", "GB-Months", 200, 0.08, 0.08, 16},
    {"its IOPS", HEAD JOB ", disk: {size: 730 GiB, iops: 3073}" BUY, "disk", "Provisioned IOPS",
     "Amazon Elastic Block Store", "Storage", "Usage", "IOPS-Months", 20, 0.005, 0.005, 0.1},
    {"with a discount", HEAD "charges: {discount: {ebs: 25 %}}\n" JOB ", disk: 730 GiB" BUY, "disk",
     "Storage", "Amazon Elastic Block Store", "Storage", "Usage", "GB-Months", 200, 0.08, 0.06, 12},
    {"data set", HEAD JOB ", dataset: 7300 GiB" BUY, "dataset", "Storage",
     "Amazon Simple Storage Service", "Storage", "Usage", "GB-Months", 1000, 0.023, 0.023, 23},
    {"both directions", HEAD JOB ", transfer: {size: 100 GiB, route: cross-az, when: start}" BUY,
     "transfer", "Data", "AWS Data Transfer", "Networking", "Usage", "GB", 200, 0.01, 0.01, 2},
    {"gateway", HEAD "charges: {nat: {}}\n" JOB BUY, "nat", "Hours", "Amazon Virtual Private Cloud",
     "Networking", "Usage", "Hours", 100, 0.045, 0.045, 4.5},
    {"through it",
     HEAD "charges: {nat: {}}\n" JOB ", transfer: {size: 50 GiB, route: nat, when: start}" BUY,
     "nat", "Data", "Amazon Virtual Private Cloud", "Networking", "Usage", "GB", 50, 0.045, 0.045,
     2.25},
    {"monthly", HEAD "charges: {name: seats, monthly: 744 USD}\n" JOB BUY, "seats", "Months",
     "seats", "Other", "Purchase", "Months", 100.0 / 744, 744, 744, 100},
    {"once", HEAD "charges: {name: setup, once: 500 USD}\n" JOB BUY, "setup", "Units", "setup",
     "Other", "Purchase", "Units", 1, 500, 500, 500},
    {"hourly", HEAD "charges: {name: log, hourly: 0.2 USD/h}\n" JOB BUY, "log", "Hours", "log",
     "Other", "Usage", "Hours", 100, 0.2, 0.2, 20},
    {"file system", HEAD "charges: {efs: {size: 730 GiB, per_gb_month: 0.3 USD}}\n" JOB BUY, "efs",
     "Storage", "Amazon Elastic File System", "Storage", "Usage", "GB-Months", 100, 0.3, 0.3, 30},
    {"by accelerator", HEAD "charges: {name: nim, per_gpu_hour: 0.5 USD/h}\n" JOB BUY, "nim",
     "Hours", "nim", "Other", "Usage", "Hours", 1600, 0.5, 0.5, 800},
    {"helper",
     HEAD "charges: [{name: head, instance: g4dn.xlarge}, {discount: {ec2: 50 %}}]\n" JOB BUY,
     "head", "Hours", "Amazon Elastic Compute Cloud", "Compute", "Usage", "Hours", 100, 0.526,
     0.263, 26.3},
};

static void a_line_is_described(void **state)
{
    const struct line_row *c = *state;
    struct study *s = study_from_text(c->text, NULL);
    struct focus_reading f;
    size_t found = 0;
    focus_check_world(s, 0, 0);
    focus_reading_open(&f, s, 0, 0);
    while (csv_next(f.csv) == 1) {
        if (!focus_cell_is(&f, FOCUS_X_LINE, c->line) ||
            !focus_cell_is(&f, FOCUS_SKU_METER, c->meter)) {
            continue;
        }
        found++;
        assert_string_equal(focus_cell(&f, FOCUS_SERVICE_NAME), c->service);
        assert_string_equal(focus_cell(&f, FOCUS_SERVICE_CATEGORY), c->category);
        assert_string_equal(focus_cell(&f, FOCUS_CHARGE_CATEGORY), c->charge);
        assert_string_equal(focus_cell(&f, FOCUS_PRICING_UNIT), c->unit);
        assert_near(focus_cell_number(&f, FOCUS_PRICING_QUANTITY), c->quantity, 1e-9, "quantity");
        assert_near(focus_cell_number(&f, FOCUS_LIST_UNIT_PRICE), c->list_price, 1e-9, "list");
        assert_near(focus_cell_number(&f, FOCUS_CONTRACTED_UNIT_PRICE), c->contracted_price, 1e-6,
                    "contracted");
        assert_near(money_to_double(focus_cell_money(&f, FOCUS_BILLED_COST)), c->billed, 1e-6,
                    "billed");
    }
    assert_int_equal(found, 1);
    focus_reading_close(&f);
    study_free(s);
}

/* 10,240 GiB at 0.09, 40,960 at 0.085, the rest at 0.07: a row for each. */
static void a_transfer_has_a_row_for_each_tier(void **state)
{
    (void)state;
    static const double quantity[] = {10240, 40960, 8800}, price[] = {0.09, 0.085, 0.07};
    struct study *s = study_from_text(
        HEAD JOB ", transfer: {size: 60000 GiB, route: internet, when: start}" BUY, NULL);
    struct focus_reading f;
    size_t found = 0;
    focus_check_world(s, 0, 0);
    focus_reading_open(&f, s, 0, 0);
    while (csv_next(f.csv) == 1) {
        if (focus_cell_is(&f, FOCUS_X_LINE, "transfer")) {
            assert_true(found < 3);
            assert_near(focus_cell_number(&f, FOCUS_PRICING_QUANTITY), quantity[found], 1e-9, "GB");
            assert_near(focus_cell_number(&f, FOCUS_LIST_UNIT_PRICE), price[found], 1e-12, "price");
            found++;
        }
    }
    assert_int_equal(found, 3);
    focus_reading_close(&f);
    study_free(s);
}

/* On a node: ContractedCost is less than ListCost, and what is billed. */
static void a_discount_stands_in_the_rows_of_nodes(void **state)
{
    (void)state;
    struct study *s =
        study_from_text(HEAD "market: {on-demand: {p4d.24xlarge: {price: 20 USD/h}}}\n"
                             "charges: {discount: {p4d: 15 %}}\n" JOB BUY,
                        NULL);
    struct focus_totals sums = focus_check_world(s, 0, 0);
    struct focus_reading f;
    focus_reading_open(&f, s, 0, 0);
    assert_int_equal(csv_next(f.csv), 1);
    assert_string_equal(focus_cell(&f, FOCUS_LIST_COST), "2000.00");
    assert_string_equal(focus_cell(&f, FOCUS_CONTRACTED_COST), "1700.00");
    assert_string_equal(focus_cell(&f, FOCUS_BILLED_COST), "1700.00");
    assert_string_equal(focus_cell(&f, FOCUS_LIST_UNIT_PRICE), "20.00");
    assert_string_equal(focus_cell(&f, FOCUS_CONTRACTED_UNIT_PRICE), "17.00");
    assert_int_equal(sums.discounted, 2);
    focus_reading_close(&f);
    study_free(s);
}

/* 10 % of 4,000, then 20 % of 4,400: by month, as what they are shares of (24 h of 31 December,
 * 76 h in January). */
static void support_and_tax_follow_the_months(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        "version: 1\nstart: 2025-12-31\nregion: us-east-1\nreplications: 1\nhorizon: 30d\n"
        "market: {on-demand: {p4d.24xlarge: {price: 20 USD/h}}}\n"
        "charges: [{support: 10 %}, {tax: 20 %}]\n" JOB BUY,
        NULL);
    static const char *const want[] = {"96.00", "304.00", "211.20", "668.80"};
    struct focus_totals sums = focus_check_world(s, 0, 0);
    struct focus_reading f;
    size_t found = 0;
    focus_reading_open(&f, s, 0, 0);
    while (csv_next(f.csv) == 1) {
        if (!csv_missing(f.csv, FOCUS_X_LINE)) {
            assert_true(found < 4);
            assert_string_equal(focus_cell(&f, FOCUS_BILLED_COST), want[found]);
            assert_string_equal(focus_cell(&f, FOCUS_CHARGE_CATEGORY), found < 2 ? "Usage" : "Tax");
            assert_string_equal(focus_cell(&f, FOCUS_X_JOB), "job");
            found++;
        }
    }
    assert_int_equal(found, 4);
    assert_int_equal(sums.taxes, 2);
    focus_reading_close(&f);
    study_free(s);
}

/* A credit is used up in December: that month's tax is less by it, as on the bill, though the
 * credit is nobody's and the nodes are the job's. */
static void tax_of_a_month_is_less_by_its_credits(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        "version: 1\nstart: 2025-12-31\nregion: us-east-1\nreplications: 1\nhorizon: 30d\n"
        "market: {on-demand: {p4d.24xlarge: {price: 20 USD/h}}}\n"
        "charges: [{name: startup, credit: 300 USD}, {tax: 20 %}]\n" JOB BUY,
        NULL);
    struct focus_reading f;
    money_t december = 0, january = 0;
    focus_reading_open(&f, s, 0, 0);
    while (csv_next(f.csv) == 1) {
        if (focus_cell_is(&f, FOCUS_CHARGE_CATEGORY, "Tax")) {
            bool first = strncmp(focus_cell(&f, FOCUS_CHARGE_PERIOD_START), "2025", 4) == 0;
            *(first ? &december : &january) += focus_cell_money(&f, FOCUS_BILLED_COST);
        }
    }
    assert_int_equal(december, 132 * MONEY_UNIT); /* on 24 h at 40 USD, less 300 */
    assert_int_equal(january, 608 * MONEY_UNIT);  /* on 76 h */
    focus_reading_close(&f);
    study_free(s);
}

/* Work ends after the horizon under a commitment that goes on for a year: what is taxed in the file
 * is what it bills there, not what the commitment still will. */
static void tax_past_the_horizon_is_of_what_is_billed_there(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        "version: 1\nstart: 2026-01-30T10:17Z\nregion: us-east-1\nreplications: 1\nhorizon: 3d\n"
        "charges: [{support: 10 %}, {tax: 20 %}]\n"
        "workloads: {job: {kind: training, hours: 100.3h, boot: 0s, checkpoint: continuous, "
        "at_horizon: finish-on-demand, disk: 500 GB}}\n"
        "strategies: {s: {instance: p4d.24xlarge, nodes: 2, buy: on-demand, commitments: {kind: "
        "reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y, reuse: 40 %}}}\n",
        NULL);
    struct focus_reading f;
    money_t rest = 0, support = 0, tax = 0;
    focus_check_world(s, 0, 0);
    focus_reading_open(&f, s, 0, 0);
    while (csv_next(f.csv) == 1) {
        if (!focus_cell_is(&f, FOCUS_X_IN_HORIZON, "true")) {
            money_t *sum = focus_cell_is(&f, FOCUS_X_LINE, "tax")       ? &tax
                           : focus_cell_is(&f, FOCUS_X_LINE, "support") ? &support
                                                                        : &rest;
            *sum += focus_cell_money(&f, FOCUS_BILLED_COST);
        }
    }
    assert_true(rest > 500 * MONEY_UNIT);
    assert_near((double)support, 0.1 * (double)rest, 100, "support, nano-units");
    assert_near((double)tax, 0.2 * (double)(rest + support), 100, "tax, nano-units");
    focus_reading_close(&f);
    study_free(s);
}

/* Owner and tags of the workload on its rows, those of a charge on its own; none on what is shared.
 */
static void rows_say_whose_they_are(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD
        "charges: [{name: seats, once: 9 USD, owner: Ops, tags: {team: ops}}, {name: desk, "
        "once: 9 USD}]\n"
        "workloads: {job: {kind: training, hours: 100h, boot: 0s, disk: 9 GB, owner: 'The \"A\" "
        "team',\n    tags: {team: vision, cost-center: 0042}" BUY,
        NULL);
    struct focus_reading f;
    size_t own = 0, seats = 0, desk = 0;
    focus_check_world(s, 0, 0);
    focus_reading_open(&f, s, 0, 0);
    while (csv_next(f.csv) == 1) {
        if (focus_cell_is(&f, FOCUS_X_JOB, "job")) {
            own++;
            assert_string_equal(focus_cell(&f, FOCUS_X_OWNER), "The \"A\" team");
            assert_string_equal(focus_cell(&f, FOCUS_TAGS),
                                "{\"workload\":\"job\",\"team\":\"vision\",\"cost-center\":"
                                "\"0042\"}");
        } else if (focus_cell_is(&f, FOCUS_X_LINE, "seats")) {
            seats++;
            assert_string_equal(focus_cell(&f, FOCUS_X_OWNER), "Ops");
            assert_string_equal(focus_cell(&f, FOCUS_TAGS), "{\"team\":\"ops\"}");
        } else {
            desk++;
            assert_true(csv_missing(f.csv, FOCUS_X_OWNER) && csv_missing(f.csv, FOCUS_TAGS));
        }
    }
    assert_true(own >= 3 && seats == 1 && desk == 1);
    focus_reading_close(&f);
    study_free(s);
}

/* ---- everything ---- */

#define EVERYTHING(horizon)                                                                        \
    "version: 1\nstart: 2026-01-30T10:17Z\nregion: us-east-1\nreplications: 30\n" horizon          \
    "market: {spot: {p4d.24xlarge: {availability: 70..90 %}}}\n"                                   \
    "charges:\n"                                                                                   \
    "  - {nat: {hourly: 0.01..0.09 USD/h}, until: horizon}\n"                                      \
    "  - {name: desk, monthly: 100..900 USD}\n"                                                    \
    "  - {name: log, hourly: 'uniform(0.1 USD/h, 0.7 USD/h)', at: 1d}\n"                           \
    "  - {name: head, instance: g4dn.xlarge}\n"                                                    \
    "  - {name: setup, once: 50..900 USD, at: 37h}\n"                                              \
    "  - {name: image, per_node_hour: 0.0731 USD/h, applies_to: spot}\n"                           \
    "  - {name: agent, per_node_hour: 0.0123457 USD/h}\n"                                          \
    "  - {name: licence, per_vcpu_hour: 0.0011 USD/h}\n"                                           \
    "  - {name: driver, per_gpu_hour: 0.0313 USD/h, applies_to: on-demand}\n"                      \
    "  - {name: watch, monitoring: 2.1 USD}\n"                                                     \
    "  - {efs: {size: 100..900 GiB, throughput: 90 MiB/s, per_gb_month: 0.3 USD, per_mbps_month: " \
    "6 USD}}\n"                                                                                    \
    "  - {name: scratch, lustre: {size: 4.8 TiB, throughput: 125, per_gb_month: 0.145 USD}, "      \
    "workload: a}\n"                                                                               \
    "  - {discount: {p4d: 5..30 %, ec2: 3 %, ebs: 7.3 %, s3: 1 %, transfer: 10 %, nat: 50 %}}\n"   \
    "  - {edp: {discount: 3..9 %, minimum: 90000..200000 USD, other_spend: 5000 USD, years: 1}}\n" \
    "  - {name: startup, credit: 500..2000 USD, expires: 2026-02-09}\n"                            \
    "  - {name: storage, credit: 20 USD, service: s3, at: 2d}\n"                                   \
    "  - {support: 3..10 %}\n"                                                                     \
    "  - {tax: 19 %}\n  - {name: city, tax: 1.7 %}\n"                                              \
    "workloads:\n"                                                                                 \
    "  a: {kind: training, hours: 100..900h, boot: 2min..9min, disk: {size: 100..900 GB, iops: "   \
    "4000..9000},\n"                                                                               \
    "      checkpoint: {every: 1h, write: 1min, size: 98 GB, keep: 5, part_size: 8 MB}, dataset: " \
    "{size: 1..3 TB, object_size: 100 MB},\n"                                                      \
    "      transfer: [{size: 300..900 GB, route: internet}, {size: 9 GB, route: nat}]}\n"          \
    "  b: {kind: training, hours: 50..900h, submit: 5d, boot: 2min..9min, disk: 77 GB,\n"          \
    "      checkpoint: {mode: continuous, size: 9 GB}, at_horizon: finish-on-demand,\n"            \
    "      transfer: [{size: 90 GB, route: cross-az}, {size: 900 GB, route: internet, when: "      \
    "end}]}\n"                                                                                     \
    "strategies:\n"                                                                                \
    "  mixed: {instance: p4d.24xlarge, nodes: 3, buy: spot, policy: {name: fallback, return: "     \
    "yes},\n"                                                                                      \
    "    commitments: [{kind: reserved-instances, instance: p4d.24xlarge, count: 2, term: 1y},\n"  \
    "      {kind: compute-savings-plan, hourly: 40 USD/h, term: 3y, payment: partial-upfront, "    \
    "at: 3d,\n       rates: {p4d.24xlarge: 12 USD/h}, reuse: 30 %}]}\n"                            \
    "  plain: {instance: p4d.24xlarge, nodes: 3, buy: on-demand}\n"                                \
    "  held: {instance: p4d.24xlarge, nodes: 3, buy: on-demand, commitments: [\n"                  \
    "      {kind: capacity-reservation, instance: p4d.24xlarge, count: 2, at: 7h, for: 9d},\n"     \
    "      {kind: capacity-reservation, instance: p4d.24xlarge, count: 3, at: 50.3h},\n"           \
    "      {kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y, zone: "          \
    "us-east-1a},\n"                                                                               \
    "      {kind: compute-savings-plan, hourly: 41.7 USD/h, term: 3y, at: 3d,\n"                   \
    "       rates: {p4d.24xlarge: 12 USD/h}}]}\n"                                                  \
    "  held-alone: {instance: p4d.24xlarge, nodes: 2, buy: on-demand, commitments:\n"              \
    "      {kind: capacity-reservation, instance: p4d.24xlarge, count: 3, for: 12d}}\n"

#define ACCOUNT                                                                                    \
    "account:\n"                                                                                   \
    "  commitments: [{kind: compute-savings-plan, hourly: 25 USD/h, ends: 2026-06-01, rates: "     \
    "{p4d.24xlarge: 12 USD/h}},\n"                                                                 \
    "    {kind: reserved-instances, instance: p4d.24xlarge, count: 1, ends: 2026-02-09}]\n"        \
    "  usage: [{instance: p4d.24xlarge, count: 2, scale: 50 %..150 %},\n"                          \
    "    {instance: p4d.24xlarge, owner: web, day: "                                               \
    "[0,0,0,0,0,0,1,1,2,3,3,3,3,3,3,3,3,3,2,1,0,0,0,"                                              \
    "0]}]\n"

static void every_kind_adds_up_in_random_worlds(void **state)
{
    (void)state;
    static const char *const texts[] = {EVERYTHING("horizon: 40d\n"),
                                        EVERYTHING("horizon: 17d\n" ACCOUNT)};
    struct focus_totals all = {0};
    for (size_t i = 0; i < 2; i++) {
        struct study *s = study_from_text(texts[i], NULL);
        for (uint32_t world = 0; world < 8; world++) {
            for (size_t k = 0; k < s->strategy_count; k++) {
                struct focus_totals sums = focus_check_world(s, k, world);
                all.charges += sums.charges;
                all.taxes += sums.taxes;
                all.discounted += sums.discounted;
                all.covered += sums.covered;
                all.unused += sums.unused;
                all.outside += sums.outside;
                all.credits += sums.credits;
                all.others += sums.others;
                all.existing_used += sums.existing_used;
                all.held_used += sums.held_used;
                all.held_idle += sums.held_idle;
                all.held_covered += sums.held_covered;
            }
        }
        study_free(s);
    }
    assert_true(all.held_used > 100 && all.held_idle > 100 && all.held_covered > 100);
    assert_true(all.credits > 50 && all.others > 1000 && all.existing_used > 1000);
    assert_true(all.charges > 1000 && all.taxes > 100 && all.discounted > 1000);
    assert_true(all.covered > 0 && all.unused > 0 && all.outside > 0);
}

/* Covered in full under a discount: nothing is billed but the commitment, and its tax. */
static void a_discount_does_not_hold_for_what_is_covered(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        "version: 1\nstart: 2025-12-01T10:17:05Z\nregion: us-east-1\nreplications: 1\n"
        "horizon: 20d\ncharges: [{discount: {p4d: 12.3456789 %}}, {tax: 19 %}]\n"
        "workloads: {job: {kind: training, hours: 20..90h, boot: 2min..9min, checkpoint: {every: "
        "1h, write: 1min}}}\n"
        "strategies:\n  all: {instance: p4d.24xlarge, nodes: 3, buy: on-demand,\n"
        "    commitments: [{kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: "
        "1y},\n"
        "      {kind: reserved-instances, instance: p4d.24xlarge, count: 2, term: 1y, zone: "
        "us-east-1a}]}\n",
        NULL);
    for (uint32_t world = 0; world < 40; world++) {
        struct focus_totals sums = focus_check_world(s, 0, world);
        assert_true(sums.covered > 0 && sums.taxes > 0);
    }
    study_free(s);
}

/* A window over the end of a month, used in part, and taxed: paid at the purchase, used and unused
 * by time. */
static void capacity_blocks_add_up(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        "version: 1\nstart: 2026-03-29\nregion: us-east-1\nreplications: 1\nhorizon: 20d\n"
        "charges: [{tax: 19 %}, {discount: {ec2: 7 %}}]\n"
        "market: {on-demand: {p5.48xlarge: {price: 100 USD/h}}}\n"
        "workloads:\n"
        "  a: {kind: training, hours: 30..150h, boot: 4min, checkpoint: {every: 1h, write: 1min}}\n"
        "strategies:\n"
        "  block: {instance: p5.48xlarge, nodes: 3, buy: capacity-block,\n"
        "    block: [{starts: 2026-03-30T04:55Z, days: 4, instances: 4, price: 31.4159 USD/h}]}\n",
        NULL);
    struct focus_reading f;
    size_t used = 0, unused = 0, bought = 0;
    for (uint32_t world = 0; world < 20; world++) {
        focus_check_world(s, 0, world);
    }
    focus_reading_open(&f, s, 0, 0);
    while (csv_next(f.csv) == 1) {
        used += focus_cell_is(&f, FOCUS_CAPACITY_RESERVATION_STATUS, "Used");
        unused += focus_cell_is(&f, FOCUS_CAPACITY_RESERVATION_STATUS, "Unused");
        bought += focus_cell_is(&f, FOCUS_CHARGE_CATEGORY, "Purchase");
    }
    assert_true(used >= 3 && unused >= 1 && bought == 1);
    focus_reading_close(&f);
    study_free(s);
}

/* Uncertain worlds with gaps, extensions, fallbacks, commitments, discount and tax. */
static const char blocks[] =
    "version: 1\nstart: 2026-02-20T07:13Z\nregion: us-east-2\nreplications: 40\nhorizon: 30d\n"
    "market: {spot: {p4d.24xlarge: {availability: 70..90 %}}}\n"
    "charges: [{discount: {ec2: 7 %}}, {tax: 19 %}]\n"
    "workloads:\n"
    "  a: {kind: training, hours: 100..400h, boot: 2min..9min,\n"
    "      checkpoint: {every: 5h, write: 1..9min, restore: 4min}, at_horizon: finish-on-demand}\n"
    "  b: {kind: training, hours: 50..90h, submit: 8d, checkpoint: continuous}\n"
    "strategies:\n"
    "  then: {instance: p4d.24xlarge, nodes: 3, buy: capacity-block,\n"
    "    policy: {name: capacity-block, then: on-demand, gaps: yes},\n"
    "    commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y},\n"
    "    block: [{starts: 2d, days: 5, instances: 6, price: 12..19 USD/h},\n"
    "            {extends: yes, days: 3, instances: 6, upfront: 3000 USD},\n"
    "            {starts: 26d, days: 14, instances: 3}]}\n"
    "  spot: {instance: p4d.24xlarge, nodes: 3, buy: capacity-block,\n"
    "    policy: {name: capacity-block, then: spot},\n"
    "    workloads: {b: {block: {starts: 10d, days: 2, instances: 4}}},\n"
    "    block: {starts: 1d, days: 7, instances: 3}}\n"
    "  alone: {instance: p4d.24xlarge, nodes: 3, buy: capacity-block,\n"
    "    block: {starts: 1d, days: 7, instances: 3}}\n";

static void blocks_add_up_in_random_worlds(void **state)
{
    (void)state;
    struct study *s = study_from_text(blocks, NULL);
    for (uint32_t world = 0; world < 15; world++) {
        for (size_t k = 0; k < s->strategy_count; k++) {
            focus_check_world(s, k, world);
        }
    }
    study_free(s);
}

/* As if a kind of charge had told nothing of its line. */
static void a_line_without_rows_is_refused_by_name(void **state)
{
    (void)state;
    struct study *s = study_from_text(HEAD "charges: {name: seats, once: 500 USD}\n" JOB BUY, NULL);
    struct focus_reading f;
    struct diagnostics *d = diagnostics_new();
    focus_reading_open(&f, s, 0, 0);
    assert_true(focus_export_has_lines(&f.export, d));
    for (size_t i = 0; i < s->charges.count; i++) {
        f.export.lines[i] = 0;
    }
    assert_false(focus_export_has_lines(&f.export, d));
    assert_int_equal(diagnostics_exit_code(d), 4);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    diagnostics_write(d, out);
    fclose(out);
    assert_non_null(strstr(text, "the line 'seats' of the bill (500.00) has no rows"));
    free(text);
    diagnostics_free(d);
    focus_reading_close(&f);
    study_free(s);
}

static void every_kind_has_a_row(void **state)
{
    (void)state;
    for (int kind = 0; kind < CHARGE_KIND_COUNT; kind++) {
        const struct focus_service *row = focus_service_of((enum charge_kind)kind);
        if (row == NULL) {
            fail_msg("kind %d of a charge has no row", kind);
        }
        assert_non_null(row->subcategory);
        assert_non_null(row->charge);
        assert_non_null(row->frequency);
        assert_non_null(row->words);
    }
    for (int meter = 0; meter < CHARGE_METER_COUNT; meter++) {
        assert_non_null(focus_meter_of((enum charge_meter)meter)->unit);
        assert_non_null(focus_meter_of((enum charge_meter)meter)->name);
    }
}

enum { LINE_ROWS = sizeof line_rows / sizeof line_rows[0] };

int main(void)
{
    gsl_errors_install();
    struct CMUnitTest tests[LINE_ROWS + 11] = {
        cmocka_unit_test(every_kind_has_a_row),
        cmocka_unit_test(capacity_blocks_add_up),
        cmocka_unit_test(blocks_add_up_in_random_worlds),
        cmocka_unit_test(rows_say_whose_they_are),
        cmocka_unit_test(a_line_without_rows_is_refused_by_name),
        cmocka_unit_test(a_transfer_has_a_row_for_each_tier),
        cmocka_unit_test(a_discount_stands_in_the_rows_of_nodes),
        cmocka_unit_test(support_and_tax_follow_the_months),
        cmocka_unit_test(tax_of_a_month_is_less_by_its_credits),
        cmocka_unit_test(tax_past_the_horizon_is_of_what_is_billed_there),
        cmocka_unit_test(every_kind_adds_up_in_random_worlds),
        cmocka_unit_test(a_discount_does_not_hold_for_what_is_covered),
    };
    for (size_t i = 0; i < LINE_ROWS; i++) {
        tests[11 + i] = (struct CMUnitTest){line_rows[i].name, a_line_is_described, NULL, NULL,
                                            (void *)&line_rows[i]};
    }
    return cmocka_run_group_tests_name("focus services", tests, NULL, NULL);
}
