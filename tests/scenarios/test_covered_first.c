/* SPDX-License-Identifier: GPL-3.0-or-later
 * Policies that see what is signed: nodes that a commitment covers cost nothing more, so that
 * fallback takes them before spot, as far as they make the gang the cheaper. */
#include "engine/gsl_errors.h"
#include "scenarios/study/simulation.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define P4D_ON_DEMAND 21.957642 /* us-east-1, since 2025-06-05 */
#define RESERVED(more)                                                                             \
    "commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y" more "}"

/* Spot is always there, at this price. */
#define STUDY(spot, horizon, workloads, strategies)                                                \
    "version: 1\nstart: 2025-12-01\nregion: us-east-1\nreplications: 1\nhorizon: " horizon         \
    "\nmarket: {spot: {p4d.24xlarge: {price: " spot " USD/h, capacity: constant}}}\n"              \
    "workloads:\n" workloads "strategies:\n" strategies
#define JOB(name, hours)                                                                           \
    "  " name ": {kind: training, hours: " hours ", boot: 0s, checkpoint: {every: 1h, write: 0s, " \
    "restore: 0s}}\n"
#define BUYS(name, nodes, policy, commitments)                                                     \
    "  " name ": {instance: p4d.24xlarge, nodes: " #nodes ", policy: {name: fallback" policy       \
    "}, " commitments "}\n"

/* Node-hours on demand and on spot in the one world. */
struct hours {
    double on_demand, spot;
};

static struct hours hours_of(const struct run *run, size_t strategy, size_t workload)
{
    const struct metric_cells *c = results_cells(&run->results, 0, strategy, workload);
    struct hours h = {0};
    for (int a = 0; a < ACTIVITY_COUNT; a++) {
        h.on_demand += c->node_h[PURCHASE_ON_DEMAND][a];
        h.spot += c->node_h[PURCHASE_SPOT][a];
    }
    return h;
}

static void assert_hours(const struct run *run, size_t strategy, size_t workload, double on_demand,
                         double spot)
{
    struct hours h = hours_of(run, strategy, workload);
    assert_near(h.on_demand, on_demand, 1e-6, "node-hours on demand");
    assert_near(h.spot, spot, 1e-6, "node-hours on spot");
}

static void run_text(struct run *run, struct study **s, const char *text)
{
    *s = study_from_text(text, NULL);
    study_run(run, *s, 1);
}

static void finish(struct run *run, struct study *s)
{
    run_release(run);
    study_free(s);
}

static void covered_nodes_come_first(void **state)
{
    (void)state;
    struct run run;
    struct study *s;
    run_text(
        &run, &s,
        STUDY("5", "30d", JOB("job", "100h"),
              BUYS("default", 1, "", RESERVED("")) BUYS(
                  "off", 1, ", prefer_covered: no",
                  RESERVED("")) "  plain: {instance: p4d.24xlarge, nodes: 1, policy: fallback}\n"));
    assert_hours(&run, 0, 0, 100, 0);
    assert_hours(&run, 1, 0, 0, 100);
    assert_hours(&run, 2, 0, 0, 100);
    /* All that is added to the obligation is spot that was not needed. */
    assert_near(run_value(&run, 0, 0, METRIC_COST), run_value(&run, 0, 0, METRIC_OBLIGATION), 1e-6,
                "nothing beside what is signed");
    assert_near(run_value(&run, 1, 0, METRIC_COST) - run_value(&run, 0, 0, METRIC_COST), 500, 1e-6,
                "100 h of spot");
    finish(&run, s);
}

/* Reserved capacity is paid while it is idle: for the ten hours that it is held, running in it
 * costs less than spot, and then no longer. */
static void what_is_held_is_paid_already(void **state)
{
    (void)state;
    struct run run;
    struct study *s;
#define HELD "commitments: {kind: capacity-reservation, instance: p4d.24xlarge, count: 2, for: 10h}"
    run_text(&run, &s,
             STUDY("5", "30d", JOB("job", "24h"),
                   BUYS("held", 2, ", return: yes", HELD) BUYS("too few", 3, ", return: yes", HELD)
                       BUYS("off", 2, ", prefer_covered: no", HELD)));
    assert_hours(&run, 0, 0, 20, 28);
    assert_near(run_value(&run, 0, 0, METRIC_RESERVATION_IDLE), 0, 1e-6, "nothing idle");
    /* The third is 21.96 more, three of spot are 15. */
    assert_hours(&run, 1, 0, 0, 72);
    assert_hours(&run, 2, 0, 0, 48);
    assert_near(run_value(&run, 2, 0, METRIC_RESERVATION_IDLE), 20 * P4D_ON_DEMAND, 1e-6, "idle");
    finish(&run, s);
}

/* Two nodes, one of them reserved: 21.96 an hour on demand against twice the spot price. */
static void a_part_that_is_covered_is_weighed(void **state)
{
    (void)state;
    struct run run;
    struct study *s;
    run_text(&run, &s, STUDY("10", "30d", JOB("job", "100h"), BUYS("a", 2, "", RESERVED(""))));
    assert_hours(&run, 0, 0, 0, 200);
    finish(&run, s);
    run_text(&run, &s, STUDY("12", "30d", JOB("job", "100h"), BUYS("a", 2, "", RESERVED(""))));
    assert_hours(&run, 0, 0, 200, 0);
    assert_near(run_value(&run, 0, 0, METRIC_ON_DEMAND_COST), 100 * P4D_ON_DEMAND, 1e-6,
                "one node");
    finish(&run, s);
}

/* What another workload takes up covers nothing more. */
static void the_second_finds_it_taken(void **state)
{
    (void)state;
    struct run run;
    struct study *s;
    run_text(
        &run, &s,
        STUDY("5", "30d", JOB("a", "100h") JOB("b", "50h"), BUYS("both", 1, "", RESERVED(""))));
    assert_hours(&run, 0, 0, 100, 0);
    assert_hours(&run, 0, 1, 0, 50);
    finish(&run, s);
}

/* A commitment that begins is moved to, and one that ends is left, with `return` alone. */
static void terms_begin_and_end(void **state)
{
    (void)state;
    struct run run;
    struct study *s;
    run_text(&run, &s,
             STUDY("5", "30d", JOB("job", "100h"),
                   BUYS("moves", 1, ", return: yes", RESERVED(", at: 40h"))
                       BUYS("stays", 1, "", RESERVED(", at: 40h"))));
    assert_hours(&run, 0, 0, 60, 40);
    assert_hours(&run, 1, 0, 0, 100);
    finish(&run, s);
    run_text(&run, &s,
             STUDY("5", "400d", JOB("job", "9000h"),
                   BUYS("returns", 1, ", return: yes", RESERVED(""))
                       BUYS("stays", 1, "", RESERVED(""))));
    assert_hours(&run, 0, 0, 8760, 240);
    assert_hours(&run, 1, 0, 9000, 0);
    finish(&run, s);
}

/* Nobody peeks: the rate that planning sees decides, whatever is drawn. 20 USD/h are 1.37 nodes at
 * 13.92 × 1.05, 1.31 to 1.44 in the worlds: two nodes cost 0.63 of 21.96 against twice the spot. */
static void policies_see_planned_rates(void **state)
{
    (void)state;
    static const struct {
        const char *spot;
        bool on_demand;
    } rows[] = {{"7.0", true}, {"6.8", false}};
    for (size_t i = 0; i < 2; i++) {
        char text[2048];
        snprintf(
            text, sizeof text,
            STUDY("%s", "30d", JOB("job", "100h"),
                  BUYS("plan", 2, "",
                       "commitments: {kind: ec2-instance-savings-plan, family: p4d, hourly: 20 "
                       "USD/h, term: 1y, rate: as-reserved}")),
            rows[i].spot);
        struct study *s = study_from_text(text, (const char *const[]){"replications=50", NULL});
        struct simulation *sim = simulation_new(s);
        for (uint32_t world = 0; world < 50; world++) {
            struct metric_cells cells[2];
            const struct simulation_outputs out = {.cells = cells};
            assert_true(simulation_begin_world(sim, world) &&
                        simulation_run_strategy(sim, 0, &out));
            double spot = cells[1].node_h[PURCHASE_SPOT][ACTIVITY_USEFUL];
            assert_near(spot, rows[i].on_demand ? 0 : 200, 1e-6, "node-hours on spot");
        }
        simulation_free(sim);
        study_free(s);
    }
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covered_nodes_come_first),
        cmocka_unit_test(what_is_held_is_paid_already),
        cmocka_unit_test(a_part_that_is_covered_is_weighed),
        cmocka_unit_test(the_second_finds_it_taken),
        cmocka_unit_test(terms_begin_and_end),
        cmocka_unit_test(policies_see_planned_rates),
    };
    return cmocka_run_group_tests_name("covered nodes first", tests, NULL, NULL);
}
