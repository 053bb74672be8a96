/* SPDX-License-Identifier: GPL-3.0-or-later
 * A FOCUS file of a plan in an account with others: the account's bill, and in it what is the
 * plan's. The rest must be the bill without the plan, whatever the strategy. Prices of
 * p4d.24xlarge in us-east-1: 21.957642 USD/h on demand, 13.921094 USD/h as 1-year standard
 * no-upfront Reserved Instance. */
#include "engine/civil_time.h"
#include "engine/gsl_errors.h"
#include "tests/support/focus_rules.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <stdlib.h>
#include <string.h>

#define PRICE         21.957642
#define RESERVED_HOUR 13.921094

#define HEAD  "version: 1\nstart: 2026-03-01\nregion: us-east-1\nreplications: 1\nhorizon: 10d\n"
#define NEEDS "workloads: {w: {kind: usage, boot: 0s, nodes: [{from: 24h, for: 48h, nodes: 2}]}}\n"
#define EXISTING(n, keys)                                                                          \
    "  commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: " n                  \
    ", ends: 2026-09-01" keys "}\n"
#define OTHERS(n, keys) "  usage: {instance: p4d.24xlarge, count: " n keys "}\n"
#define PLAN(list)                                                                                 \
    "strategies: {s: {instance: p4d.24xlarge, buy: on-demand, commitments: [" list "]}}\n"
#define RESERVED "{kind: reserved-instances, instance: p4d.24xlarge, count: 3, term: 1y}"

/* ---- by hand, over ten days ---- */

struct account_row {
    const char *name, *text;
    double billed, effective; /* of the account */
    double plan_billed, plan_effective;
    double others_h, others_covered_h; /* node-hours of others, and what is covered of them */
};

static const struct account_row rows[] = {
    {"half empty: one of two is left for the plan",
     HEAD "account:\n" EXISTING("2", "") OTHERS("1", "") NEEDS PLAN(""),
     480 * RESERVED_HOUR + 48 * PRICE, 480 * RESERVED_HOUR + 48 * PRICE, 48 * PRICE, 48 * PRICE,
     240, 240},
    {"full: the plan pays for all it runs",
     HEAD "account:\n" EXISTING("2", "") OTHERS("2", "") NEEDS PLAN(""),
     480 * RESERVED_HOUR + 96 * PRICE, 480 * RESERVED_HOUR + 96 * PRICE, 96 * PRICE, 96 * PRICE,
     480, 480},
    /* What the plan's account signed covers the plan first: others pay for that on demand. */
    {"displaced",
     HEAD "account:\n" EXISTING("2", "") OTHERS("2", ", owner: research") NEEDS PLAN(""),
     480 * RESERVED_HOUR + 96 * PRICE, 480 * RESERVED_HOUR + 96 * PRICE, 96 * PRICE, 96 * PRICE,
     480, 384},
    /* Three reserved by the plan, which runs two for two days, and others one: without the plan
     * they would pay 240 hours on demand. */
    {"what the plan signs covers others too",
     HEAD "account:\n" OTHERS("1", "") NEEDS PLAN(RESERVED), 720 * RESERVED_HOUR,
     720 * RESERVED_HOUR, 720 * RESERVED_HOUR - 240 * PRICE, 720 * RESERVED_HOUR - 240 * PRICE, 240,
     240},
    {"nobody signed for anything", HEAD "account:\n" OTHERS("1", "") NEEDS PLAN(""),
     240 * PRICE + 96 * PRICE, 240 * PRICE + 96 * PRICE, 96 * PRICE, 96 * PRICE, 240, 0},
    /* Paid before the plan: billed no more, but it costs. */
    {"all upfront",
     HEAD "account:\n" EXISTING("2", ", payment: all-upfront, price: 10 USD/h") NEEDS PLAN(""), 0,
     4800, 0, 0, 0, 0},
    {"half of it upfront",
     HEAD "account:\n" EXISTING("2", ", payment: partial-upfront, price: 10 USD/h") NEEDS PLAN(""),
     2400, 4800, 0, 0, 0, 0},
};

static void the_bill_of_the_account(void **state)
{
    const struct account_row *row = *state;
    struct study *s = study_from_text(row->text, NULL);
    struct focus_reading f;
    double billed = 0, effective = 0, others_h = 0, covered_h = 0;
    struct focus_totals sums = focus_check_world(s, 0, 0);
    focus_reading_open(&f, s, 0, 0);
    while (csv_next(f.csv) == 1) {
        billed += money_to_double(focus_cell_money(&f, FOCUS_BILLED_COST));
        effective += money_to_double(focus_cell_money(&f, FOCUS_EFFECTIVE_COST));
        if (focus_cell_is(&f, FOCUS_X_PARTY, "others")) {
            const double h = focus_cell_number(&f, FOCUS_CONSUMED_QUANTITY);
            others_h += h;
            covered_h += focus_cell_is(&f, FOCUS_COMMITMENT_STATUS, "Used") ? h : 0;
        }
    }
    focus_reading_close(&f);
    study_free(s);
    assert_near(billed, row->billed, 1e-6, "billed");
    assert_near(effective, row->effective, 1e-6, "effective");
    assert_near(money_to_double(sums.billed), row->plan_billed, 1e-6, "the plan's cash");
    assert_near(money_to_double(sums.effective), row->plan_effective, 1e-6, "its amortised cost");
    assert_near(others_h, row->others_h, 1e-9, "others' hours");
    assert_near(covered_h, row->others_covered_h, 1e-9, "covered of them");
}

static void accounts_have_names(void **state)
{
    (void)state;
    struct study *s =
        study_from_text(HEAD "account:\n  owner: ml\n" EXISTING("1", ", owner: research")
                            OTHERS("2", "") NEEDS PLAN(""),
                        NULL);
    struct focus_reading f;
    size_t own = 0, linked = 0;
    focus_reading_open(&f, s, 0, 0);
    while (csv_next(f.csv) == 1) {
        const bool existing = focus_cell_is(&f, FOCUS_X_PARTY, "existing");
        assert_string_equal(focus_cell(&f, FOCUS_SUB_ACCOUNT_ID),
                            existing ? "account-1" : "account-0");
        assert_string_equal(focus_cell(&f, FOCUS_SUB_ACCOUNT_NAME), existing ? "research" : "ml");
        *(existing ? &linked : &own) += 1;
        if (focus_cell_is(&f, FOCUS_X_PARTY, "others")) {
            assert_string_equal(focus_cell(&f, FOCUS_RESOURCE_ID),
                                "others/account-0/us-east-1a/p4d.24xlarge/on-demand");
        }
    }
    assert_true(own > 0 && linked > 0);
    focus_reading_close(&f);
    study_free(s);
}

/* ---- random worlds: the bill without the plan is one for all strategies ---- */

#define RANDOM(start, keys)                                                                        \
    "version: 1\nregion: us-east-1\nreplications: 30\nhorizon: 33d\nstart: " start "\n"            \
    "market:\n  spot: {p4d.24xlarge: {availability: 60..90 %}}\n"                                  \
    "  price_changes: [{at: 2026-02-03T07:41:13Z, change: -11.7 %}]\n" keys                        \
    "account:\n  owner: ml\n  commitments:\n"                                                      \
    "    - {kind: reserved-instances, instance: p4d.24xlarge, count: 2, ends: "                    \
    "2026-02-10T13:30Z, owner: research}\n"                                                        \
    "    - {kind: ec2-instance-savings-plan, family: p4d, hourly: 7.123456789 USD/h, ends: "       \
    "2026-12-01, rates: {p4d.24xlarge: 13 USD/h}}\n"                                               \
    "    - {kind: compute-savings-plan, hourly: 33.3 USD/h, ends: 2026-12-01, payment: "           \
    "partial-upfront, rates: {p4d.24xlarge: 12.1 USD/h, p3.16xlarge: 14 USD/h}}\n"                 \
    "  usage:\n"                                                                                   \
    "    - {instance: p4d.24xlarge, day: [0,0,0,0,0,0,1,1,2,3,3,3,3,3,3,3,3,3,2,1,0,0,0,0], "      \
    "owner: research, scale: 50 %..180 %}\n"                                                       \
    "    - {instance: p4d.24xlarge, count: 1}\n"                                                   \
    "    - {instance: p3.16xlarge, count: 2, scale: 50 %..150 %, owner: web}\n"                    \
    "workloads:\n"                                                                                 \
    "  a: {kind: training, hours: 100..500h, boot: 2min..9min, checkpoint: {every: 1h, write: "    \
    "1min}}\n"                                                                                     \
    "  b: {kind: training, hours: 300..900h, submit: 5d, boot: 2min..9min, checkpoint: "           \
    "continuous, at_horizon: finish-on-demand}\n"                                                  \
    "strategies:\n"                                                                                \
    "  plain: {instance: p4d.24xlarge, nodes: 2, buy: on-demand}\n"                                \
    "  fallback: {instance: p4d.24xlarge, nodes: 3, buy: spot, policy: {name: fallback, return: "  \
    "yes},\n    commitments: [{kind: reserved-instances, instance: p4d.24xlarge, count: 2, term: " \
    "1y},\n      {kind: compute-savings-plan, hourly: 40 USD/h, term: 3y, payment: "               \
    "partial-upfront, at: 3.3d,\n       rates: {p4d.24xlarge: 12 USD/h, p3.16xlarge: 13.7 "        \
    "USD/h}, reuse: 30 %}]}\n"                                                                     \
    "  held: {instance: p4d.24xlarge, nodes: 2, buy: on-demand, commitments: [\n"                  \
    "    {kind: capacity-reservation, instance: p4d.24xlarge, count: 3, at: 7h, for: 9d},\n"       \
    "    {kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y}]}\n"               \
    "  other-type: {instance: p3.16xlarge, nodes: 2, buy: on-demand}\n"

enum { MONTHS_MAX = 8, KINDS = 2 };

struct without {
    money_t month[MONTHS_MAX][KINDS]; /* billed, effective; inside the horizon */
};

static struct without bill_without(const struct study *s, size_t strategy, uint32_t world)
{
    struct without w = {0};
    struct focus_reading f;
    focus_reading_open(&f, s, strategy, world);
    while (csv_next(f.csv) == 1) {
        int64_t at_s;
        assert_true(civil_parse(focus_cell(&f, FOCUS_CHARGE_PERIOD_START), &at_s));
        const size_t month =
            bill_month(&s->frame, (at_s - s->frame.start_unix_s) * INT64_C(1000000));
        assert_true(month < MONTHS_MAX);
        if (focus_cell_is(&f, FOCUS_X_IN_HORIZON, "true")) {
            w.month[month][0] +=
                focus_cell_money(&f, FOCUS_BILLED_COST) - focus_cell_money(&f, FOCUS_X_PLAN_BILLED);
            w.month[month][1] += focus_cell_money(&f, FOCUS_EFFECTIVE_COST) -
                                 focus_cell_money(&f, FOCUS_X_PLAN_EFFECTIVE);
        }
    }
    focus_reading_close(&f);
    return w;
}

static void what_is_not_the_plans_is_the_same_in_all_strategies(void **state)
{
    (void)state;
    static const char *const texts[] = {
        RANDOM("2026-01-30", ""),
        RANDOM("2026-01-30T10:17:05Z", "charges: [{discount: {p4d: 7.3 %, p3: 5..9 %}}, "
                                       "{credit: 900 USD}, {support: 3 %}, {tax: 19 %}]\n"),
    };
    struct focus_totals all = {0};
    for (size_t i = 0; i < 2; i++) {
        struct study *s = study_from_text(texts[i], NULL);
        for (uint32_t world = 0; world < 3; world++) {
            const struct without first = bill_without(s, 0, world);
            assert_true(first.month[0][0] > 0 && first.month[1][1] > 0);
            for (size_t k = 0; k < s->strategy_count; k++) {
                struct focus_totals sums = focus_check_world(s, k, world);
                const struct without other = bill_without(s, k, world);
                for (size_t m = 0; m < MONTHS_MAX; m++) {
                    assert_int_equal(first.month[m][0], other.month[m][0]);
                    assert_int_equal(first.month[m][1], other.month[m][1]);
                }
                all.others += sums.others;
                all.existing_used += sums.existing_used;
                all.covered += sums.covered;
                all.outside += sums.outside;
            }
        }
        study_free(s);
    }
    assert_true(all.others > 1000 && all.existing_used > 1000);
    assert_true(all.covered > 1000 && all.outside > 0);
}

int main(void)
{
    gsl_errors_install();
    struct CMUnitTest tests[16] = {
        cmocka_unit_test(accounts_have_names),
        cmocka_unit_test(what_is_not_the_plans_is_the_same_in_all_strategies),
    };
    size_t n = 2;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tests[n++] = (struct CMUnitTest){.name = rows[i].name,
                                         .test_func = the_bill_of_the_account,
                                         .initial_state = (void *)&rows[i]};
    }
    return _cmocka_run_group_tests("focus account", tests, n, NULL, NULL);
}
