/* SPDX-License-Identifier: GPL-3.0-or-later
 * Support plans, credits and agreements, from scenario files to the bill: each against a sum made
 * by hand, what they add up to in random worlds, and that commitments stay the least that is paid.
 */
#include "engine/gsl_errors.h"
#include "models/billing/invoice_charges.h"
#include "tests/support/bill_lines.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAYS  BILL_HEAD "horizon: 30d\n"
#define JOB   BILL_JOB
#define BUY   BILL_BUY
#define NODES (200 * BILL_P4D) /* 4391.5284: 2 nodes, 100 h */
/* 100 of December's 744 hours */
#define PART (100.0 / 744)

/* Over New Year: 48 h in December, 52 h in January; two nodes. */
#define YEAR     "version: 1\nstart: 2025-12-30\nregion: us-east-1\nreplications: 1\nhorizon: 30d\n"
#define DECEMBER (96 * BILL_P4D)
#define JANUARY  (104 * BILL_P4D)

/* A reservation that covers both nodes, no upfront: 13.921094 an hour each, 7,200 h inside. */
#define RESERVED                                                                                   \
    "}}\nstrategies: {ri: {instance: p4d.24xlarge, nodes: 2, buy: on-demand, commitments: {kind: " \
    "reserved-instances, instance: p4d.24xlarge, count: 2, term: 1y, payment: %s}}}\n"

static const struct bill_case cases[] = {
    /* ---- support plans ---- */
    {"developer: 3 % above its least", DAYS "charges: {support_plan: developer}\n" JOB BUY,
     "support", 0.03 * NODES},
    {"developer: the least, for a part of the month",
     DAYS "charges: [{support_plan: developer}, {discount: {ec2: 100 %}}]\n" JOB BUY, "support",
     29 * PART},
    {"developer, to the horizon: 30 of 31 days",
     DAYS
     "charges: [{support_plan: developer, until: horizon}, {discount: {ec2: 100 %}}]\n" JOB BUY,
     "support", 29.0 * 30 / 31},
    {"business: 10 % of the first 10,000", DAYS "charges: {support_plan: business}\n" JOB BUY,
     "support", 0.1 * NODES},
    {"business in tiers, of what is the provider's",
     DAYS "charges: [{support_plan: business}, {name: big, once: 300000 USD, service: ec2}, {name: "
          "desk, once: 9999 USD}]\n" JOB BUY,
     "support", 1000 + 4900 + 8500 + 0.03 * (50000 + NODES)},
    {"by month, not by the sum of months: 2 × 10 % of 10,000 and 7 %",
     YEAR "charges: [{support_plan: business}, {name: a, once: 12000 USD, service: s3}, {name: b, "
          "once: 12000 USD, service: s3, at: 3d}, {discount: {ec2: 100 %}}]\n" JOB BUY,
     "support", 2 * (1000 + 0.07 * 2000)},
    {"enterprise: its least", DAYS "charges: {support_plan: enterprise}\n" JOB BUY, "support",
     15000 * PART},
    {"enterprise on-ramp: its least", DAYS "charges: {support_plan: enterprise-on-ramp}\n" JOB BUY,
     "support", 5500 * PART},
    {"after discounts, storage among it",
     DAYS "charges: [{support_plan: business}, {discount: {ec2: 50 %, s3: 10 %}}]\n" JOB
          ", dataset: {size: 73 GiB, per_gb_month: 100 USD}" BUY,
     "support", 0.1 * (0.5 * NODES + 0.9 * 1000)},
    {"a plan that begins later", DAYS "charges: [{support_plan: developer, at: 2d}]\n" JOB BUY,
     "support", 0.03 * NODES},
    {"no time, no plan", DAYS "charges: [{support_plan: enterprise, at: 20d}]\n" JOB BUY, "support",
     0},
    {"others fill the lower tiers: 7 % of 2,000, then 5 %",
     DAYS "charges: [{support_plan: {plan: business, other_spend: 78000 USD}}, {name: big, once: "
          "10000 USD, service: s3}, {discount: {ec2: 100 %}}]\n" JOB BUY,
     "support", 0.07 * 2000 + 0.05 * 8000},
    {"others pay the least",
     DAYS "charges: [{support_plan: {plan: developer, other_spend: 100 USD}}, {discount: {ec2: 100 "
          "%}}]\n" JOB BUY,
     "support", 0},
    {"others pay a part of the least: 3 % of 100 and the charges, less 29 for the time",
     DAYS "charges: {support_plan: {plan: developer, other_spend: 100 USD}}\n" JOB BUY, "support",
     0.03 * (100 + NODES) - 29 * PART},
    /* ---- credits ---- */
    {"more than there is to pay", DAYS "charges: {credit: 9999 USD}\n" JOB BUY, "credits", -NODES},
    {"less", DAYS "charges: {credit: 1000 USD}\n" JOB BUY, "credits", -1000},
    {"for a service",
     DAYS "charges: {name: c, credit: 9999 USD, service: s3}\n" JOB
          ", dataset: {size: 73 GiB, per_gb_month: 10 USD}" BUY,
     "c", -100},
    {"not for what is somebody else's",
     DAYS "charges: [{credit: 9999 USD}, {name: desk, once: 700 USD}]\n" JOB BUY, "credits",
     -NODES},
    {"for a stated amount of the provider's",
     DAYS "charges: [{credit: 9999 USD}, {name: desk, once: 700 USD, service: ec2}]\n" JOB BUY,
     "credits", -NODES - 700},
    {"not for support", DAYS "charges: [{credit: 9999 USD}, {support: 10 %}]\n" JOB BUY, "credits",
     -NODES},
    {"after discounts", DAYS "charges: [{credit: 9999 USD}, {discount: {p4d: 10 %}}]\n" JOB BUY,
     "credits", -0.9 * NODES},
    {"the first month's charges first, then what is left",
     YEAR "charges: {credit: 3000 USD}\n" JOB BUY, "credits", -3000},
    {"expired with the year", YEAR "charges: {credit: 9999 USD, expires: 2025-12-31}\n" JOB BUY,
     "credits", -DECEMBER},
    {"half of December's node time",
     YEAR "charges: {credit: 9999 USD, expires: 2025-12-30}\n" JOB BUY, "credits", -DECEMBER / 2},
    {"from the new year on", YEAR "charges: {credit: 9999 USD, at: 2d}\n" JOB BUY, "credits",
     -JANUARY},
    {"the one that expires first pays first",
     YEAR "charges: [{name: late, credit: 5000 USD}, {name: soon, credit: 5000 USD, expires: "
          "2025-12-31}]\n" JOB BUY,
     "soon", -DECEMBER},
    {"and the later one what is left",
     YEAR "charges: [{name: late, credit: 5000 USD}, {name: soon, credit: 5000 USD, expires: "
          "2025-12-31}]\n" JOB BUY,
     "late", -JANUARY},
    {"of equal ones that for a service pays first",
     DAYS
     "charges: [{name: any, credit: 5000 USD}, {name: ec2, credit: 5000 USD, service: ec2}]\n" JOB
         BUY,
     "ec2", -NODES},
    {"of equal ones that for any service pays the rest",
     DAYS
     "charges: [{name: any, credit: 5000 USD}, {name: ec2, credit: 4000 USD, service: ec2}]\n" JOB
         BUY,
     "any", -NODES + 4000},
    {"tax is on what is left", DAYS "charges: [{credit: 1000 USD}, {tax: 10 %}]\n" JOB BUY, "tax",
     0.1 * (NODES - 1000)},
    {"a credit of nothing is a line", DAYS "charges: {credit: 0 USD}\n" JOB BUY, "credits", 0},
    /* ---- an agreement ---- */
    {"a discount on all services",
     DAYS "charges: {edp: {discount: 10 %}}\n" JOB
          ", dataset: {size: 73 GiB, per_gb_month: 100 USD}" BUY,
     "edp", -0.1 * (NODES + 1000)},
    {"on top of others",
     DAYS "charges: [{edp: {discount: 10 %}}, {discount: {ec2: 50 %}}]\n" JOB BUY, "edp",
     -0.05 * NODES},
    {"nothing off what is not the provider's",
     DAYS "charges: [{edp: {discount: 10 %}}, {name: x, once: 100 USD}]\n" JOB BUY, "edp",
     -0.1 * NODES},
    {"what is missing of the minimum",
     DAYS "charges: {edp: {discount: 10 %, minimum: 10000 USD}}\n" JOB BUY, "edp shortfall",
     10000 - 0.9 * NODES},
    {"less what others spend",
     DAYS "charges: {edp: {discount: 0 %, minimum: 10000 USD, other_spend: 400 USD}}\n" JOB BUY,
     "edp shortfall", 10000 - NODES - 4800},
    {"nothing is missing", DAYS "charges: {edp: {discount: 0 %, minimum: 4000 USD}}\n" JOB BUY,
     "edp shortfall", 0},
    {"three years: two without any spend",
     DAYS "charges: {edp: {discount: 0 %, minimum: 5000 USD, years: 3}}\n" JOB BUY, "edp shortfall",
     15000 - NODES},
    {"support is on what is left",
     DAYS "charges: [{edp: {discount: 10 %}}, {support_plan: business}]\n" JOB BUY, "support",
     0.09 * NODES},
};

static const struct bill_refusal refusals[] = {
    {"{support_plan: gold}", "", "gold", 2},
    {"[{support_plan: business}, {support_plan: developer, name: x}]", "", "stands twice", 2},
    {"[{support_plan: business}, {support: 1 %}]", "", "two lines of the bill are called 'support'",
     2},
    {"{credit: 1 USD, expires: 2025-11-30}", "", "expires before it begins", 2},
    {"{credit: 1 USD, at: 5d, expires: 2025-12-04}", "", "expires before it begins", 2},
    {"{credit: 1 USD, service: lambda}", "", "lambda", 2},
    {"{name: x, once: 1 USD, expires: 2026-01-01}", "", "'expires' belongs to credit", 2},
    {"{instance: g4dn.xlarge, name: x, service: ec2}", "", "'service' belongs to stated", 2},
    {"[{credit: 1 USD}, {credit: 2 USD}]", "", "two lines of the bill are called 'credits'", 2},
    {"[{edp: {discount: 1 %}}, {name: x, edp: {discount: 2 %}}]", "", "stands twice", 2},
    {"{edp: {minimum: 1 USD}}", "", "discount", 2},
    {"{edp: {discount: 1 %}, until: horizon}", "", "'until' does not belong", 2},
    {"{credit: 5 USD, once: 3 USD}", "", "several amounts", 2},
};

/* ---- tiers, against the provider's own price page -------------------------------------------- */

static void fees_go_in_tiers(void **state)
{
    (void)state;
    static const struct {
        enum support_tier plan;
        double cost, fee;
    } rows[] = {
        {SUPPORT_TIER_DEVELOPER, 1000, 30},        {SUPPORT_TIER_BUSINESS, 0, 0},
        {SUPPORT_TIER_BUSINESS, 10000, 1000},      {SUPPORT_TIER_BUSINESS, 80000, 5900},
        {SUPPORT_TIER_BUSINESS, 250000, 14400},    {SUPPORT_TIER_BUSINESS, 350000, 17400},
        {SUPPORT_TIER_ON_RAMP, 1000000, 100000},   {SUPPORT_TIER_ENTERPRISE, 150000, 15000},
        {SUPPORT_TIER_ENTERPRISE, 1200000, 70500}, /* 15,000 + 24,500 + 25,000 + 6,000 */
        {SUPPORT_TIER_ENTERPRISE, 2000000, 94500}, /* 15,000 + 24,500 + 25,000 + 30,000 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        money_t cost;
        assert_true(money_from_double(rows[i].cost, &cost));
        assert_near(money_to_double(invoice_support_fee(rows[i].plan, cost)), rows[i].fee, 0,
                    "fee");
    }
}

/* ---- cash, months, commitments -----------------------------------------------------------------
 */

/* 50 of the 100 hours lie inside the horizon: half of all is cash. */
static void past_the_horizon_is_cost_but_not_cash(void **state)
{
    (void)state;
    static const char *const charges[] = {"{support_plan: business}", "{edp: {discount: 10 %}}",
                                          "{credit: 9999 USD}"};
    static const double times[] = {1.1, 0.9, 0};
    for (size_t i = 0; i < 3; i++) {
        char text[1024];
        struct bill_lines b;
        snprintf(text, sizeof text, "%shorizon: 50h\ncharges: %s\n%s%s%s", BILL_HEAD, charges[i],
                 BILL_JOB, ", at_horizon: finish-on-demand", BILL_BUY);
        bill_lines_see(&b, text);
        assert_near(bill_lines_metric(&b, METRIC_COST), times[i] * NODES, 1e-5, "cost");
        assert_near(bill_lines_metric(&b, METRIC_CASH), times[i] * NODES / 2, 1e-5, "cash");
        assert_near(bill_lines_metric(&b, METRIC_AMORTISED), times[i] * NODES / 2, 1e-5,
                    "amortised");
        bill_lines_release(&b);
    }
}

/* The credit is used on what comes first: 1,000 of the 2,195 inside, nothing later. */
static void a_credit_pays_what_comes_first(void **state)
{
    (void)state;
    struct bill_lines b;
    bill_lines_see(&b, BILL_HEAD "horizon: 50h\ncharges: {credit: 1000 USD}\n" BILL_JOB
                                 ", at_horizon: finish-on-demand" BILL_BUY);
    assert_near(bill_lines_metric(&b, METRIC_CASH), NODES / 2 - 1000, 1e-5, "cash");
    assert_near(bill_lines_metric(&b, METRIC_COST), NODES - 1000, 1e-5, "cost");
    bill_lines_release(&b);
    bill_lines_see(&b, YEAR "charges: {credit: 3000 USD}\n" BILL_JOB BILL_BUY);
    assert_near(money_to_double(b.months[0]), 0, 1e-5, "December");
    assert_near(money_to_double(b.months[1]), JANUARY - (3000 - DECEMBER), 1e-5, "January");
    bill_lines_release(&b);
}

static void see_reserved(struct bill_lines *b, const char *charges, const char *payment)
{
    char text[1024], buy[512];
    snprintf(buy, sizeof buy, RESERVED, payment);
    snprintf(text, sizeof text, "%shorizon: 30d\ncharges: %s\n%s%s", BILL_HEAD, charges, BILL_JOB,
             buy);
    bill_lines_see(b, text);
}

/* Covered nodes are no charge of their own; what is paid for them counts in the month of payment:
 * 10 % of what two reservations cost along 720 h, or of all that is paid upfront. */
static void support_is_on_what_is_paid_for_commitments(void **state)
{
    (void)state;
    struct bill_lines b;
    double cash;
    see_reserved(&b, "{support_plan: enterprise-on-ramp, until: horizon}", "no-upfront");
    cash = bill_lines_metric(&b, METRIC_CASH) - bill_lines_sum(&b, "support");
    assert_near(cash, 2 * 720 * 13.921094, 1e-5, "paid along the term");
    assert_near(bill_lines_sum(&b, "support"), fmax(0.1 * cash, 5500.0 * 30 / 31), 1e-5, "least");
    bill_lines_release(&b);
    see_reserved(&b, "{support_plan: business, until: horizon}", "no-upfront");
    assert_near(bill_lines_sum(&b, "support"), 1000 + 0.07 * (cash - 10000), 1e-5, "tiers");
    bill_lines_release(&b);
    see_reserved(&b, "{support_plan: enterprise, until: horizon}", "all-upfront");
    cash = bill_lines_metric(&b, METRIC_CASH) - bill_lines_sum(&b, "support");
    assert_true(cash > 150000);
    assert_near(bill_lines_sum(&b, "support"), 15000 + 0.07 * (cash - 150000), 1e-4, "upfront");
    bill_lines_release(&b);
}

/* Credits pay what is due along the term, and nothing upfront. */
static void credits_pay_no_upfront_fee(void **state)
{
    (void)state;
    struct bill_lines b;
    see_reserved(&b, "{credit: 100000 USD}", "no-upfront");
    assert_near(bill_lines_sum(&b, "credits"), -2 * 720 * 13.921094, 1e-5, "along the term");
    bill_lines_release(&b);
    see_reserved(&b, "{credit: 100000 USD, service: s3}", "no-upfront");
    assert_near(bill_lines_sum(&b, "credits"), 0, 0, "of another service");
    bill_lines_release(&b);
    see_reserved(&b, "{credit: 100000 USD}", "all-upfront");
    assert_near(bill_lines_sum(&b, "credits"), 0, 1e-7, "all upfront");
    bill_lines_release(&b);
}

/* Payments for commitments count towards a minimum, and no discount of the agreement is on them. */
static void commitments_count_towards_the_minimum(void **state)
{
    (void)state;
    struct bill_lines b;
    see_reserved(&b, "{edp: {discount: 10 %, minimum: 30000 USD}}", "no-upfront");
    assert_near(bill_lines_sum(&b, "edp"), 0, 1e-7, "discount");
    assert_near(bill_lines_sum(&b, "edp shortfall"), 30000 - 2 * 720 * 13.921094, 1e-5, "missing");
    bill_lines_release(&b);
}

/* A Capacity Block is paid upfront: support is on it, it counts towards a minimum, no credit pays
 * it and no discount of the agreement is on it. */
static void blocks_are_paid_upfront(void **state)
{
    (void)state;
    static const struct {
        const char *charges, *line;
        double share, plus;
    } rows[] = {
        {"{support_plan: developer, until: horizon}", "support", 0.03, 0},
        {"{credit: 100000 USD}", "credits", 0, 0},
        {"{edp: {discount: 10 %}}", "edp", 0, 0},
        {"{edp: {discount: 0 %, minimum: 500000 USD}}", "edp shortfall", -1, 500000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1024];
        struct bill_lines b;
        snprintf(text, sizeof text,
                 "%shorizon: 20d\ncharges: %s\nworkloads: {job: {kind: training, hours: 40h, boot: "
                 "0s}}\nstrategies: {cb: {instance: p5.48xlarge, nodes: 4, buy: capacity-block, "
                 "block: {starts: 2d, days: 7, instances: 4, price: 31.5 USD/h}}}\n",
                 BILL_HEAD, rows[i].charges);
        bill_lines_see(&b, text);
        double block =
            bill_lines_metric(&b, METRIC_BLOCK_USED) + bill_lines_metric(&b, METRIC_BLOCK_UNUSED);
        assert_true(block > 19000);
        assert_near(bill_lines_sum(&b, rows[i].line), rows[i].share * block + rows[i].plus, 1e-5,
                    rows[i].line);
        bill_lines_release(&b);
    }
}

/* A support plan is named with its tiers where it is assumed. */
static void tiers_are_said(void **state)
{
    (void)state;
    struct study *s = study_from_text(DAYS "charges: {support_plan: business}\n" JOB BUY, NULL);
    bool said = false;
    for (size_t i = 0; i < s->assumptions.count; i++) {
        const struct assumption *a = &s->assumptions.items[i];
        said = said || (strcmp(a->what, "support plan 'business'") == 0 &&
                        strcmp(a->value, "at least 100 USD a month, else 10 % of the month's "
                                         "charges and less in tiers") == 0);
    }
    assert_true(said);
    study_free(s);
}

static void tiers_are_in_dollars(void **state)
{
    (void)state;
    int code = 0;
    char *what =
        study_errors("version: 1\nstart: 2026-01-05\nregion: cn-north-1\nreplications: 1\n"
                     "horizon: 30d\nmarket: {on-demand: {p3.2xlarge: {price: 20 CNY/h}}}\ncharges: "
                     "{support_plan: business}\n"
                     "workloads: {job: {kind: training, hours: 1h}}\n"
                     "strategies: {od: {instance: p3.2xlarge, nodes: 1, buy: on-demand}}\n",
                     &code);
    if (strstr(what, "are in USD") == NULL) {
        fail_msg("%s", what);
    }
    free(what);
}

/* ---- random worlds
 * ------------------------------------------------------------------------------- */

#define EVERYTHING                                                                                 \
    "charges:\n"                                                                                   \
    "  - {nat: {hourly: 0.01..0.09 USD/h}, until: horizon}\n"                                      \
    "  - {name: log, hourly: 'uniform(0.1 USD/h, 0.7 USD/h)', at: 1d, service: cloudwatch}\n"      \
    "  - {name: desk, monthly: 100..900 USD}\n"                                                    \
    "  - {name: head, instance: g4dn.xlarge}\n"                                                    \
    "  - {name: agent, per_gpu_hour: 0.0123457 USD/h, service: ec2}\n"                             \
    "  - {name: licence, per_vcpu_hour: 0.00131 USD/h, applies_to: spot}\n"                        \
    "  - {monitoring: 2.10 USD}\n"                                                                 \
    "  - {efs: {size: 77 GiB, per_gb_month: 0.31 USD, read: 3 GiB, per_gb_read: 0.03 USD}}\n"      \
    "  - {lustre: {size: 1.2 TB, throughput: 250, per_gb_month: 0.21 USD}, workload: b}\n"         \
    "  - {discount: {p4d: 5..30 %, ec2: 3 %, ebs: 7.3 %, s3: 1 %, efs: 4.4 %, nat: 50 %}}\n"       \
    "  - {edp: {discount: 1..9 %, minimum: 20000..90000 USD, other_spend: 1000 USD, years: 2}}\n"  \
    "  - {support_plan: business}\n"                                                               \
    "  - {support: 1..2 %, name: partner}\n"                                                       \
    "  - {name: gift, credit: 'uniform(300 USD, 4000 USD)', expires: 2026-02-03}\n"                \
    "  - {name: ours, credit: 'uniform(100 USD, 20000 USD)', at: 3d}\n"                            \
    "  - {name: files, credit: 'uniform(5 USD, 20 USD)', service: efs}\n"                          \
    "  - {tax: 19 %}\n"

static const char everything[] =
    "version: 1\nstart: 2026-01-30T10:17Z\nregion: us-east-1\nreplications: 60\nhorizon: 6d\n"
    "market: {spot: {p4d.24xlarge: {availability: 70..90 %}}}\n" EVERYTHING "workloads:\n"
    "  a: {kind: training, hours: 60h..150h, at_horizon: finish-on-demand, checkpoint: {every: 2h, "
    "write: 1min, size: 98 GB, keep: 3, part_size: 64 MiB}, disk: {size: 500 GiB, keep: yes}, "
    "dataset: {size: 2 TB, object_size: 7 MB, upload: yes}, transfer: {size: 9 GB, route: nat}}\n"
    "  b: {kind: training, hours: 30h, submit: 1d, at_horizon: finish-on-demand, disk: 100 GB}\n"
    "strategies:\n"
    "  od: {instance: p4d.24xlarge, nodes: 2, buy: on-demand}\n"
    "  spot: {instance: p4d.24xlarge, nodes: 2, buy: spot}\n"
    "  ri: {instance: p4d.24xlarge, nodes: 2, buy: on-demand, commitments: [{kind: "
    "reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y, payment: partial-upfront}]}\n";

/* What the timeline shows is what is paid inside the horizon. */
static void the_timeline_is_cash(const struct bill_lines *b, size_t strategy)
{
    double spend[7] = {0}, sum = 0;
    const struct simulation_outputs out = {
        .spend_units = spend, .buckets = 7, .bucket_us = b->study->frame.horizon_us / 7};
    assert_true(simulation_run_strategy(b->simulation, strategy, &out));
    for (size_t i = 0; i < 7; i++) {
        sum += spend[i];
    }
    assert_near(sum, bill_lines_metric(b, METRIC_CASH), 1e-3, "timeline");
}

/* To the nano-unit: lines and months add up to the cost; credits never take more than they are, nor
 * more than there is; the cost before credits is never below what was signed. */
static void random_worlds_add_up(void **state)
{
    (void)state;
    struct bill_lines b;
    bill_lines_see(&b, everything);
    const struct study *s = b.study;
    size_t seen_credit = 0, seen_shortfall = 0, seen_later = 0;
    for (uint32_t r = 0; r < 60; r++) {
        for (size_t k = 0; k < s->strategy_count; k++) {
            bill_lines_again(&b, k, r);
            const union metric_value *v = b.cells[s->workload_count].value;
            money_t months = 0;
            for (size_t i = 0; i < s->frame.months; i++) {
                months += b.months[i];
            }
            assert_int_equal(months, v[METRIC_COST].money);
            money_t others = 0;
            for (size_t i = 0; i < (s->workload_count + 1) * s->frame.others; i++) {
                others += b.others[i];
            }
            assert_int_equal(v[METRIC_OTHER_COST].money - v[METRIC_DISCOUNT].money, others);
            assert_int_equal(v[METRIC_ON_DEMAND_COST].money + v[METRIC_SPOT_COST].money +
                                 v[METRIC_COMMITMENT_USED].money +
                                 v[METRIC_COMMITMENT_UNUSED].money +
                                 v[METRIC_COMMITMENT_LATER].money + others,
                             v[METRIC_COST].money);
            double gift = -bill_lines_sum(&b, "gift"), ours = -bill_lines_sum(&b, "ours");
            double files = -bill_lines_sum(&b, "files");
            assert_true(gift >= 0 && ours >= 0 && files >= 0);
            assert_true(gift <= 4000 && ours <= 20000 && files <= 20);
            double before = money_to_double(v[METRIC_COST].money) - bill_lines_sum(&b, "tax") +
                            gift + ours + files;
            double signed_usd = money_to_double(v[METRIC_OBLIGATION].money);
            assert_true(before >= signed_usd - 1e-6);
            assert_true(money_to_double(v[METRIC_COST].money) >= -1e-6);
            the_timeline_is_cash(&b, k);
            seen_credit += gift > 0 && ours > 0 && files > 0;
            seen_shortfall += bill_lines_sum(&b, "edp shortfall") > 0;
            seen_later += v[METRIC_COST].money > v[METRIC_CASH].money;
        }
    }
    assert_true(seen_credit > 30 && seen_shortfall > 30 && seen_later > 30);
    bill_lines_release(&b);
}

/* Whatever is committed, whatever is used: what is paid before credits is at least that. */
static void cost_before_credits_is_at_least_what_was_signed(void **state)
{
    (void)state;
    static const char *const payments[] = {"no-upfront", "partial-upfront", "all-upfront"};
    for (int count = 0; count <= 8; count++) {
        for (size_t p = 0; p < 3; p++) {
            char text[2048], commitments[256] = "";
            if (count > 0) {
                snprintf(commitments, sizeof commitments,
                         ", commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: "
                         "%d, term: 1y, payment: %s}",
                         count, payments[p]);
            }
            snprintf(text, sizeof text,
                     "%shorizon: 20d\ncharges: [{discount: {ec2: 100 %%}}, {edp: {discount: 50 "
                     "%%, minimum: 9000 USD}}, {credit: 1000000 USD}]\nworkloads: {job: {kind: "
                     "training, hours: 20h..400h}}\nstrategies: {s: {instance: p4d.24xlarge, "
                     "nodes: 3, buy: on-demand%s}}\n",
                     BILL_HEAD, commitments);
            struct bill_lines b;
            bill_lines_see(&b, text);
            for (uint32_t r = 0; r < 20; r++) {
                bill_lines_again(&b, 0, r);
                double before = bill_lines_metric(&b, METRIC_COST) - bill_lines_sum(&b, "credits");
                assert_true(before >= bill_lines_metric(&b, METRIC_OBLIGATION) - 1e-6);
                assert_true(before >= 9000 - 1e-6);
            }
            bill_lines_release(&b);
        }
    }
}

int main(void)
{
    enum { CASES = sizeof cases / sizeof cases[0] };
    enum { REFUSALS = sizeof refusals / sizeof refusals[0] };
    gsl_errors_install();
    const struct CMUnitTest others[] = {
        cmocka_unit_test(fees_go_in_tiers),
        cmocka_unit_test(past_the_horizon_is_cost_but_not_cash),
        cmocka_unit_test(a_credit_pays_what_comes_first),
        cmocka_unit_test(support_is_on_what_is_paid_for_commitments),
        cmocka_unit_test(credits_pay_no_upfront_fee),
        cmocka_unit_test(commitments_count_towards_the_minimum),
        cmocka_unit_test(blocks_are_paid_upfront),
        cmocka_unit_test(tiers_are_said),
        cmocka_unit_test(tiers_are_in_dollars),
        cmocka_unit_test(random_worlds_add_up),
        cmocka_unit_test(cost_before_credits_is_at_least_what_was_signed),
    };
    enum { OTHERS = sizeof others / sizeof others[0] };
    struct CMUnitTest tests[CASES + REFUSALS + OTHERS];
    size_t count = 0;
    for (size_t i = 0; i < CASES; i++) {
        tests[count++] = (struct CMUnitTest){.name = cases[i].name,
                                             .test_func = bill_case_holds,
                                             .initial_state = (void *)(uintptr_t)&cases[i]};
    }
    for (size_t i = 0; i < REFUSALS; i++) {
        tests[count++] = (struct CMUnitTest){.name = refusals[i].says,
                                             .test_func = bill_refusal_holds,
                                             .initial_state = (void *)(uintptr_t)&refusals[i]};
    }
    for (size_t i = 0; i < OTHERS; i++) {
        tests[count++] = others[i];
    }
    return cmocka_run_group_tests_name("charges_invoice", tests, NULL, NULL);
}
