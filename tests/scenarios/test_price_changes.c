/* SPDX-License-Identifier: GPL-3.0-or-later
 * Prices that change during the plan, from scenario files to the bill: dollars worked out by hand.
 */
#include "engine/gsl_errors.h"
#include "scenarios/study/simulation.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD   "version: 1\nregion: us-east-1\nreplications: 1\n"
#define P4D    21.957642  /* us-east-1, since 2025-06-05 */
#define P4D_80 17.5661136 /* less 20 % */
#define RI     13.921094  /* 1-year standard no-upfront, ec2instances.info 2025-11-30 */
#define YEAR_H 8760.0

static double value(const struct run *run, enum metric m)
{
    return run_value(run, 0, 0, m);
}

struct world_bill {
    double cost, on_demand, covered, used, cash;
};

/* count: reserved instances; 0: none. */
static struct world_bill bill_of(const char *submit, const char *hours, int nodes, int count,
                                 const char *change, const char *horizon)
{
    char text[1024], commitments[200] = "";
    struct run run;
    if (count > 0) {
        snprintf(commitments, sizeof commitments,
                 ", commitments: [{kind: reserved-instances, instance: p4d.24xlarge, count: %d, "
                 "term: 1y}]",
                 count);
    }
    snprintf(text, sizeof text,
             HEAD "start: 2025-12-02\nhorizon: %s\nprices_as_of: 2025-12-01\n"
                  "market: {price_changes: [{at: %s, change: -20 %%, families: p4d}]}\n"
                  "workloads: {job: {kind: training, hours: %s, submit: %s, boot: 0s,\n"
                  "  checkpoint: continuous}}\n"
                  "strategies: {one: {instance: p4d.24xlarge, nodes: %d, buy: on-demand%s}}\n",
             horizon, change, hours, submit, nodes, commitments);
    struct study *s = study_from_text(text, NULL);
    study_run(&run, s, 1);
    struct world_bill b = {value(&run, METRIC_COST), value(&run, METRIC_ON_DEMAND_COST),
                           value(&run, METRIC_COVERED), value(&run, METRIC_COMMITMENT_USED),
                           value(&run, METRIC_CASH)};
    run_release(&run);
    study_free(s);
    return b;
}

static void the_price_in_force_is_paid(void **state)
{
    (void)state;
    static const struct {
        const char *change;
        double before_h;
    } rows[] = {
        {"2025-12-02T05:00Z", 5},
        {"2025-12-02T05:30Z", 5.5},
        {"2025-12-02T05:12:36Z", 5.21},
        {"2025-12-02T10:00Z", 10}, /* at the very end */
        {"2025-12-02T00:00:01Z", 1.0 / 3600},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct world_bill b = bill_of("0s", "10h", 4, 0, rows[i].change, "1d");
        double want = 4 * (rows[i].before_h * P4D + (10 - rows[i].before_h) * P4D_80);
        assert_near(b.cost, want, 1e-8, rows[i].change);
        assert_near(b.cash, want, 1e-8, rows[i].change);
    }
}

/* Two of four nodes are reserved: what is signed stays, what is covered is worth less. */
static void a_reservation_does_not_fall(void **state)
{
    (void)state;
    static const struct {
        const char *change;
        double before_h;
    } rows[] = {{"2025-12-02T05:00Z", 5}, {"2025-12-02T05:30Z", 5.5}};
    for (size_t i = 0; i < 2; i++) {
        struct world_bill b = bill_of("0s", "10h", 4, 2, rows[i].change, "1d");
        double two = 2 * (rows[i].before_h * P4D + (10 - rows[i].before_h) * P4D_80);
        assert_near(b.on_demand, two, 1e-8, "on demand");
        assert_near(b.covered, two, 1e-8, "covered");
        assert_near(b.used, 2 * 10 * RI, 1e-8, "used");
        assert_near(b.cost, two + 2 * RI * YEAR_H, 1e-6, "cost");
    }
}

/* Half an hour of three nodes within one clock hour, whose middle has the new price; one reserved
 * instance covers 3,600 of the 5,400 seconds, as many before as after. */
static void a_partly_covered_hour_of_two_prices(void **state)
{
    (void)state;
    struct world_bill b = bill_of("5.25h", "0.5h", 3, 1, "2025-12-02T05:30Z", "1d");
    assert_near(b.covered, 0.5 * P4D + 0.5 * P4D_80, 1e-8, "covered");
    assert_near(b.on_demand, 0.25 * P4D + 0.25 * P4D_80, 1e-8, "on demand");
    assert_near(b.used, RI, 1e-8, "used");
    /* Fifteen minutes before the change and thirty after it. */
    b = bill_of("5.25h", "0.75h", 3, 1, "2025-12-02T05:30Z", "1d");
    assert_near(b.covered, P4D / 3 + P4D_80 * 2 / 3, 1e-8, "covered in proportion to time");
    assert_near(b.on_demand + b.covered, 3 * (0.25 * P4D + 0.5 * P4D_80), 1e-8, "all");
}

/* The horizon falls into the hour, and the work goes on: cash has what was on demand before it. */
static void the_horizon_in_an_hour_of_two_prices(void **state)
{
    (void)state;
    char text[1024];
    struct run run;
    snprintf(text, sizeof text,
             HEAD "start: 2025-12-02T05:00Z\nhorizon: 45min\nprices_as_of: 2025-12-01\n"
                  "market: {price_changes: [{at: 2025-12-02T05:30Z, change: -20 %%}]}\n"
                  "workloads: {job: {kind: training, hours: 1h, boot: 0s, checkpoint: continuous,\n"
                  "  at_horizon: finish-on-demand}}\n"
                  "strategies: {one: {instance: p4d.24xlarge, nodes: 2, buy: on-demand,\n"
                  "  commitments: [{kind: reserved-instances, instance: p4d.24xlarge, count: 1,\n"
                  "                 term: 1y}]}}\n");
    struct study *s = study_from_text(text, NULL);
    study_run(&run, s, 1);
    assert_near(value(&run, METRIC_COVERED), 0.5 * P4D + 0.5 * P4D_80, 1e-8, "covered");
    assert_near(value(&run, METRIC_CASH), 0.5 * P4D + 0.25 * P4D_80 + 0.75 * RI, 1e-8, "cash");
    run_release(&run);
    study_free(s);
}

/* Uncertain cuts: strategies of one world meet the same, and what is signed is the same always. */
static void all_strategies_meet_the_same_cuts(void **state)
{
    (void)state;
    enum { WORLDS = 60 };
    struct run run;
    struct study *s = study_from_text(
        "version: 1\nstart: 2026-01-01\nhorizon: 24mo\nregion: us-east-1\nreplications: 60\n"
        "market: {price_cuts: {rate: 0.2/y..2/y, size: 10 %..40 %}}\n"
        "workloads: {job: {kind: training, hours: 12000h, boot: 0s, checkpoint: continuous}}\n"
        "strategies:\n"
        "  one: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}\n"
        "  three: {instance: p4d.24xlarge, nodes: 3, buy: on-demand}\n"
        "  reserved: {instance: p4d.24xlarge, nodes: 1, buy: on-demand, commitments: [{\n"
        "    kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 3y}]}\n",
        NULL);
    study_run(&run, s, 2);
    double least = HUGE_VAL, most = 0;
    for (uint32_t r = 0; r < WORLDS; r++) {
        double one = run_value(&run, 0, r, METRIC_COST);
        assert_near(run_value(&run, 1, r, METRIC_COST), 3 * one, 1e-4, "the same cuts");
        assert_near(run_value(&run, 2, r, METRIC_COVERED), one, 1e-4, "worth at what is in force");
        assert_near(run_value(&run, 2, r, METRIC_OBLIGATION),
                    run_value(&run, 2, 0, METRIC_OBLIGATION), 0, "signed");
        assert_near(run_value(&run, 2, r, METRIC_COST), run_value(&run, 2, 0, METRIC_COST), 0,
                    "what is reserved costs the same");
        least = fmin(least, one);
        most = fmax(most, one);
    }
    assert_true(most <= 12000 * P4D + 1e-6);
    assert_true(least < 0.8 * most);
    run_release(&run);
    study_free(s);
}

/* In a year of one node the mean price is the mean of E[(1 - size)^N(t)], that is of
 * exp(-rate × size × t): here 1 - 0.2 × 0.5 × t and so on. Each cut waits for its midnight, half a
 * day on average. */
static void the_mean_bill_is_that_of_the_process(void **state)
{
    (void)state;
    struct run run;
    struct study *s = study_from_text(
        "version: 1\nstart: 2026-01-01\nhorizon: 400d\nregion: us-east-1\nreplications: 4000\n"
        "market: {price_cuts: {rate: 0.8/y, size: 25 %}}\n"
        "workloads: {job: {kind: training, hours: 8766h, boot: 0s, checkpoint: continuous}}\n"
        "strategies: {one: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}}\n",
        NULL);
    study_run(&run, s, 2);
    struct mean cost = run_mean(&run, 0, METRIC_COST);
    const double decay = 0.8 * 0.25; /* a year */
    double want = P4D * 8766 * (1 - exp(-decay)) / decay;
    double wait = P4D * 12 * (1 - exp(-decay)); /* half a day later each */
    assert_near(cost.mean, want + wait, 4 * cost.error, "mean cost");
    assert_true(cost.error < 0.003 * want);
    run_release(&run);
    study_free(s);
}

/* A month after a cut of 20 % that was announced: offers have followed it. */
static void what_is_bought_later_costs_what_it_costs_then(void **state)
{
    (void)state;
    static const struct {
        const char *at;
        double factor;
    } rows[] = {{"0s", 1}, {"5d", 1}, {"10d", 0.8}, {"1mo", 0.8}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1400];
        struct run run;
        snprintf(text, sizeof text,
                 HEAD
                 "start: 2025-12-02\nhorizon: 60d\n"
                 "market: {price_changes: [{at: 2025-12-12, change: -20 %%, families: p4d},\n"
                 "  {at: 2025-12-03, change: -50 %%, families: p5}]}\n"
                 "workloads: {job: {kind: training, hours: 1440h, boot: 0s,\n"
                 "  checkpoint: continuous}}\n"
                 "strategies:\n"
                 "  reserved: {instance: p4d.24xlarge, nodes: 1, buy: on-demand, commitments:\n"
                 "    [{kind: reserved-instances, instance: p4d.24xlarge, count: 2, term: 1y,\n"
                 "      at: %s}]}\n"
                 "  plan: {instance: p4d.24xlarge, nodes: 1, buy: on-demand, commitments:\n"
                 "    [{kind: compute-savings-plan, hourly: 7 USD/h, term: 1y, at: %s,\n"
                 "      rates: {p4d.24xlarge: 14 USD/h}}]}\n",
                 rows[i].at, rows[i].at);
        struct study *s = study_from_text(text, NULL);
        study_run(&run, s, 1);
        const struct commitment *planned = &s->strategies[0].commitments.items[0];
        assert_near(value(&run, METRIC_OBLIGATION), 2 * RI * YEAR_H * rows[i].factor, 1e-3,
                    "reserved");
        assert_near(money_to_double(commitment_total(planned)), 2 * RI * YEAR_H * rows[i].factor,
                    1e-3, "planned: it is announced");
        /* The plan costs the same; at the lower rate it covers more: 7 / (14 × factor). */
        assert_near(run_value(&run, 1, 0, METRIC_OBLIGATION), 7 * YEAR_H, 1e-6, "plan");
        double days = i == 0 ? 60 : i == 1 ? 55 : i == 2 ? 50 : 29;
        double covered = 7 / (14 * rows[i].factor) * 24 *
                         (i <= 1 ? P4D * (days - 50) + P4D_80 * 50 : P4D_80 * days);
        assert_near(run_value(&run, 1, 0, METRIC_COVERED), covered, 1e-4, "covered by the plan");
        run_release(&run);
        study_free(s);
    }
}

static void offers_follow_the_cuts_of_their_world(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        "version: 1\nstart: 2026-01-01\nhorizon: 24mo\nregion: us-east-1\nreplications: 1\n"
        "market: {price_cuts: {rate: 1/y, size: 10 %..40 %}}\n"
        "workloads: {job: {kind: training, hours: 12000h, boot: 0s, checkpoint: continuous}}\n"
        "strategies:\n"
        "  later: {instance: p4d.24xlarge, nodes: 1, buy: on-demand, commitments: [{\n"
        "    kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y, at: 1y,\n"
        "    payment: all-upfront}]}\n",
        NULL);
    struct simulation *sim = simulation_new(s);
    struct metric_cells *cells = calloc(s->workload_count + 1, sizeof *cells);
    const struct simulation_outputs out = {.cells = cells};
    double listed = money_to_double(commitment_total(&s->strategies[0].commitments.items[0]));
    int offer = market_plan_offer(s->market, "p4d.24xlarge");
    double least = 1;
    for (uint32_t world = 0; world < 40; world++) {
        assert_true(simulation_begin_world(sim, world));
        assert_true(simulation_run_strategy(sim, 0, &out));
        double factor = market_offer_factor(simulation_market(sim), offer, 365 * 86400.0);
        double pool = money_to_double(market_price(
            simulation_market(sim), s->strategies[0].plans[0]->pools[0].pool, 365 * 86400.0, NULL));
        const union metric_value *all = cells[s->workload_count].value;
        assert_near(pool, P4D * factor, 1e-8, "as the pool's");
        assert_near(money_to_double(all[METRIC_OBLIGATION].money), listed * factor, 1e-3, "signed");
        least = fmin(least, factor);
    }
    assert_true(least < 0.7);
    free(cells);
    simulation_free(sim);
    study_free(s);
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *market, *message;
    } rows[] = {
        {"price_changes: {at: 2025-12-01, change: -20 %}", "is not after the start (2025-12-02)"},
        {"price_changes: {at: 2025-12-04, announced: 2025-12-05, change: -20 %}",
         "is announced later, on 2025-12-05"},
        {"price_changes: {at: 2025-12-04, families: p4x, change: -20 %}",
         "no instance family is called 'p4x'"},
        {"price_changes: {at: 2025-12-04, instances: p4d.24xlarg, change: -20 %}",
         "did you mean 'p4d.24xlarge'?"},
        {"price_changes: {at: 2025-12-04, change: -96 %}", "is below -95 %"},
        {"price_changes: {at: 2025-12-04}", "missing key 'change'"},
        {"price_cuts: 13/y", "is above 12/y"},
        {"price_cuts: never", "'none' is legal too"},
        {"price_cuts: {size: 99 %}", "is above 95 %"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1024];
        int exit_code;
        snprintf(text, sizeof text,
                 HEAD "start: 2025-12-02\nhorizon: 1d\nmarket: {%s}\n"
                      "workloads: {job: {kind: training, hours: 1h}}\n"
                      "strategies: {one: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}}\n",
                 rows[i].market);
        char *errors = study_errors(text, &exit_code);
        if (strstr(errors, rows[i].message) == NULL) {
            fail_msg("expected '%s' in: %s", rows[i].message, errors);
        }
        assert_int_equal(exit_code, 2);
        free(errors);
    }
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_price_in_force_is_paid),
        cmocka_unit_test(a_reservation_does_not_fall),
        cmocka_unit_test(a_partly_covered_hour_of_two_prices),
        cmocka_unit_test(the_horizon_in_an_hour_of_two_prices),
        cmocka_unit_test(all_strategies_meet_the_same_cuts),
        cmocka_unit_test(the_mean_bill_is_that_of_the_process),
        cmocka_unit_test(what_is_bought_later_costs_what_it_costs_then),
        cmocka_unit_test(offers_follow_the_cuts_of_their_world),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("price changes", tests, NULL, NULL);
}
