/* SPDX-License-Identifier: GPL-3.0-or-later
 * `fleetcast actuals` from outside: the plan's own world as a bill is the plan to the cent; what
 * lies outside, what is not over yet, and what differs. */
#include "tests/support/program.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two months and a bit; the job ends in the second. */
static const char plan[] =
    "version: 1\nstart: 2026-03-10\nhorizon: 60d\nregion: us-east-1\nreplications: 40\n"
    "workloads:\n  job: {kind: training, hours: 500..900h, checkpoint: {every: 1h}}\n"
    "strategies:\n  on-demand: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}\n"
    "  reserved: {instance: p4d.24xlarge, nodes: 1, buy: on-demand, commitments: [{kind: "
    "reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y, payment: all-upfront}]}\n";

static void make_bill(const char *folder, const char *strategy)
{
    char words[200];
    program_file(folder, "p.yaml", plan);
    program_expect_code(folder, "run p.yaml --no-charts -q -o r", 0);
    snprintf(words, sizeof words, "export r --focus 1.2 --strategy %s -o bill.csv", strategy);
    program_expect_code(folder, words, 0);
}

/* The number in this column of monthly.csv, of the strategy's month. */
static double of_month(const char *folder, const char *strategy, const char *month,
                       const char *column)
{
    char *text = program_text_of(folder, "r", "monthly.csv");
    char *save = NULL, *line = strtok_r(text, "\n", &save);
    int wanted = -1, k = 0;
    double value = (double)NAN;
    char *cells = NULL;
    for (char *c = strtok_r(line, ",", &cells); c != NULL; c = strtok_r(NULL, ",", &cells), k++) {
        wanted = strcmp(c, column) == 0 ? k : wanted;
    }
    char begin[64];
    snprintf(begin, sizeof begin, "%s,%s,", strategy, month);
    while ((line = strtok_r(NULL, "\n", &save)) != NULL) {
        if (strncmp(line, begin, strlen(begin)) == 0) {
            const char *c = line;
            for (int i = 0; i < wanted; i++) {
                c = strchr(c, ',') + 1;
            }
            value = strtod(c, NULL);
        }
    }
    free(text);
    return value;
}

/* BASIS,MONTH,mean,p10,p90,actual,… */
static double actual_of(const char *out, const char *begin)
{
    const char *line = strstr(out, begin);
    assert_non_null(line);
    for (int i = 0; i < 5; i++) {
        line = strchr(line, ',') + 1;
    }
    return strtod(line, NULL);
}

static void the_plan_world_as_a_bill_is_the_plan(void **state)
{
    static const char *const strategies[] = {"on-demand", "reserved"};
    static const char *const months[] = {"2026-03", "2026-04", "2026-05"};
    for (size_t s = 0; s < 2; s++) {
        struct program p;
        char words[200];
        make_bill(*state, strategies[s]);
        snprintf(words, sizeof words,
                 "actuals r bill.csv --strategy %s --date 2026-06-01 --format csv", strategies[s]);
        program_expect(&p, *state, words, 0);
        for (size_t m = 0; m < 3; m++) {
            char begin[64];
            snprintf(begin, sizeof begin, "cash,%s,", months[m]);
            assert_near(actual_of(p.out, begin),
                        of_month(*state, strategies[s], months[m], "cash_plan_usd"), 1e-5, begin);
            snprintf(begin, sizeof begin, "amortised,%s,", months[m]);
            assert_near(actual_of(p.out, begin),
                        of_month(*state, strategies[s], months[m], "amortised_plan_usd"), 1e-5,
                        begin);
        }
        assert_null(strstr(p.out, "e-")); /* nano-units of a mean are no money */
        program_release(&p);
        char shell[300];
        snprintf(shell, sizeof shell, "rm -f '%s/bill.csv'", (const char *)*state);
        assert_int_equal(system(shell), 0);
    }
}

/* A bill of a whole account is no bill of the plan in it: that is said. What rounding leaves
 * between two sums of the same amounts is no difference. */
static void beside_others_and_to_the_cent(void **state)
{
    static const char certain[] =
        "version: 1\nstart: 2026-03-01\nhorizon: 62d\nregion: us-east-1\nreplications: 37\n"
        "workloads:\n  job: {kind: usage, nodes: [1, 2, 3, 1, 2, 5, 1, 2, 3, 1, 2, 5, 1, 2, 3, 1, "
        "2, 5, "
        "1, 2, 3, 1, 2, 5], boot: 97s}\n"
        "strategies:\n  od: {instance: g5.xlarge, buy: on-demand}\n";
    static const char account[] =
        "account: {commitments: [{kind: reserved-instances, instance: g5.xlarge, count: 2, ends: "
        "2026-09-30}]}\n";
    struct program p;
    program_file(*state, "c.yaml", certain);
    program_file(*state, "a.yaml", account);
    program_expect_code(*state, "run c.yaml --no-charts -q -o c", 0);
    program_expect_code(*state, "export c --focus 1.2 -o c.csv", 0);
    program_expect(&p, *state, "actuals c c.csv --format csv", 0);
    assert_null(strstr(p.out, "e-"));
    program_release(&p);
    program_expect(&p, *state, "actuals c c.csv", 0);
    assert_null(strstr(p.out, "whole account"));
    assert_null(strstr(p.out, "no row of the bill"));
    program_release(&p);
    /* A month that surely costs something, and of which there is no row: a file is missing. */
    char remove[600];
    snprintf(remove, sizeof remove,
             "cd '%s' && grep -v 2026-05-01T00:00:00Z,2026-04-01T00:00:00Z c.csv > gap.csv",
             (const char *)*state);
    assert_int_equal(system(remove), 0);
    program_expect(&p, *state, "actuals c gap.csv --date 2026-06-01", 0);
    assert_non_null(strstr(p.out, "no row of the bill falls in 2026-04"));
    assert_null(strstr(p.out, "falls in 2026-05"));
    program_release(&p);
    program_expect_code(*state, "run c.yaml a.yaml --no-charts -q -o ca", 0);
    program_expect_code(*state, "export ca --focus 1.2 -o ca.csv", 0);
    /* Our own export says what of it is the plan's. */
    program_expect(&p, *state, "actuals ca ca.csv", 0);
    assert_null(strstr(p.out, "whole account"));
    assert_non_null(strstr(p.out, "x_PlanBilledCost"));
    assert_null(strstr(p.out, "above P90"));
    assert_null(strstr(p.out, "not in the plan"));
    program_release(&p);
    char shell[600];
    snprintf(shell, sizeof shell, "cd '%s' && sed '1s/x_Plan/y_Plan/g' ca.csv > real.csv",
             (const char *)*state);
    assert_int_equal(system(shell), 0);
    program_expect(&p, *state, "actuals ca real.csv", 0);
    assert_non_null(strstr(p.out, "whole account"));
    assert_null(strstr(p.out, "x_PlanBilledCost"));
    program_release(&p);
}

static const char bill_head[] = "ChargePeriodStart,ChargePeriodEnd,BilledCost,EffectiveCost,"
                                "BillingCurrency,ChargeCategory,ServiceCategory,PricingCategory,"
                                "ConsumedQuantity,ConsumedUnit\n";

/* On-demand is 21.957642 an hour: March has at most 520 hours of it. */
static void what_lies_outside_is_said(void **state)
{
    char bill[1200];
    struct program p;
    make_bill(*state, "on-demand");
    snprintf(bill, sizeof bill,
             "%s2026-02-20T00:00:00Z,2026-02-20T01:00:00Z,5,5,USD,Usage,Compute,Standard,1,Hours\n"
             "2026-03-10T00:00:00Z,2026-03-11T00:00:00Z,30000,30000,USD,Usage,Compute,Standard,"
             "1000,Hours\n"
             "2026-04-02T00:00:00Z,2026-04-10T00:00:00Z,10,10,USD,Usage,Storage,Standard,1,GB\n"
             "2026-05-09T00:00:00Z,2026-05-10T00:00:00Z,9,9,USD,Usage,Storage,Standard,1,GB\n"
             "2026-07-02T00:00:00Z,2026-07-02T00:00:00Z,7,7,USD,Usage,Storage,Standard,1,GB\n",
             bill_head);
    program_file(*state, "other.csv", bill);
    program_expect(&p, *state, "actuals r other.csv --date 2026-04-10", 0);
    assert_holds(p.out, "above P90");
    assert_holds(p.out, "so far");
    assert_holds(p.out, "to come");
    assert_holds(p.out, "1 complete month: $30,000 paid against");
    assert_holds(p.out, "nodes ran 1,000 h against 520 h planned");
    assert_holds(p.out, "planned (mean) (+163 %)");
    assert_holds(p.out, "$5 were billed before the plan's first month");
    assert_holds(p.out, "$7 were billed after the plan's last month");
    assert_holds(p.out, "$9 of the last month were billed after the plan ends on 2026-05-09");
    assert_null(strstr(p.out, "of the first month"));
    program_release(&p);
    /* April, with nothing but a disk, once it is over. */
    program_expect(&p, *state, "actuals r other.csv --date 2026-05-01 --markdown", 0);
    assert_holds(p.out, "inside");
    assert_holds(p.out, "| basis |");
    program_release(&p);
    snprintf(bill, sizeof bill,
             "%s2026-03-01T00:00:00Z,2026-03-02T00:00:00Z,30,30,USD,Usage,Storage,,1,GB\n"
             "2026-03-10T00:00:00Z,2026-04-01T00:00:00Z,100,100,USD,Usage,Storage,,1,GB\n",
             bill_head);
    program_file(*state, "little.csv", bill);
    program_expect(&p, *state, "actuals r little.csv", 0);
    assert_holds(p.out, "below P10");
    assert_holds(p.out, "on-demand: $0 against");
    assert_holds(p.out, "$30 of the first month were billed before the plan starts on 2026-03-10");
    assert_null(strstr(p.out, "no row of the bill"));
    program_release(&p);
    /* April without a row is no gap: in some futures the job ended in March. */
    program_expect(&p, *state, "actuals r little.csv --date 2026-06-01", 0);
    assert_null(strstr(p.out, "no row of the bill"));
    program_release(&p);
}

static void wrong_calls_are_refused(void **state)
{
    struct program p;
    make_bill(*state, "on-demand");
    program_expect_code(*state, "actuals r", 2);
    program_expect_code(*state, "actuals bill.csv r", 2);
    program_expect(&p, *state, "actuals r bill.csv --strategy nobody", 2);
    assert_holds(p.err, "no strategy 'nobody'");
    program_release(&p);
    program_expect(&p, *state, "actuals r bill.csv --where x_Strategy=spot", 2);
    assert_holds(p.err, "no row of the bill fits");
    program_release(&p);
    program_file(*state, "empty.csv", bill_head);
    program_expect(&p, *state, "actuals r empty.csv", 2);
    assert_holds(p.err, "the bill has no rows");
    program_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PROGRAM_CASE(the_plan_world_as_a_bill_is_the_plan),
        PROGRAM_CASE(beside_others_and_to_the_cent),
        PROGRAM_CASE(what_lies_outside_is_said),
        PROGRAM_CASE(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
