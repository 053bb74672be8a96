/* SPDX-License-Identifier: GPL-3.0-or-later
 * `kind: usage` and `fill:` from scenario files to the bill: node-hours and cost against sums made
 * by hand with the catalogue's price (p4d.24xlarge in us-east-1: 21.957642 USD/h since 2025-06-05)
 * and a spot price stated in the scenario. */
#include "engine/gsl_errors.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define P4D 21.957642

/* Ten days from a Monday on. */
#define HEAD                                                                                       \
    "version: 1\nstart: 2026-03-02\nhorizon: 10d\nregion: us-east-1\nprices_as_of: 2025-11-30\n"   \
    "seed: 4\n"
#define ONE  "replications: 1\n"
#define MANY "replications: 60\n"
/* Spot at 10 USD/h, room for three nodes, always. */
#define SPOT_3     "market: {spot: {p4d.24xlarge: {price: 10 USD/h, capacity: constant, nodes: 3}}}\n"
#define BUY(terms) "strategies: {s: {instance: p4d.24xlarge, " terms "}}\n"

struct sum_case {
    const char *name, *text;
    double needed_h, served_h, cost;
};

static const struct sum_case sum_cases[] = {
    /* 2 nodes × 36 h; 3 minutes of boot are not served. */
    {"from, for",
     HEAD ONE "workloads: {w: {kind: usage, nodes: [{from: 12h, for: 36h, nodes: 2}]}}\n" BUY(
         "buy: on-demand"),
     72, 71.9, 72 * P4D},
    {"to the horizon",
     HEAD ONE "workloads: {w: {kind: usage, nodes: 1, boot: 30min}}\n" BUY("buy: on-demand"), 240,
     239.5, 240 * P4D},
    {"dates",
     HEAD ONE "workloads: {w: {kind: usage, nodes: 3, boot: 0s, from: 2026-03-03, until: "
              "2026-03-03T08:00Z}}\n" BUY("buy: on-demand"),
     24, 24, 24 * P4D},
    /* 10 days of 12 h × 1 and 12 h × 3; two boot each morning for an hour, one at the start. */
    {"a profile of the day",
     HEAD ONE "workloads: {w: {kind: usage, boot: 1h, nodes: [1,1,1,1,1,1,3,3,3,3,3,3, "
              "3,3,3,3,3,3,1,1,1,1,1,1]}}\n" BUY("buy: on-demand"),
     480, 459, 480 * P4D},
    {"half of it, rounded: 1 (of 0.5) and 2 (of 1.5)",
     HEAD ONE "workloads: {w: {kind: usage, boot: 0s, scale: 0.5, nodes: [1,1,1,1,1,1,3,3,3,3,3,3, "
              "3,3,3,3,3,3,1,1,1,1,1,1]}}\n" BUY("buy: on-demand"),
     360, 360, 360 * P4D},
    /* Spot has three of five. */
    {"spot, then on-demand",
     HEAD ONE "workloads: {w: {kind: usage, nodes: 5, boot: 0s, until: 10h}}\n" SPOT_3 BUY(
         "fill: [{buy: spot}, {buy: on-demand}]"),
     50, 50, 3 * 10 * 10 + 2 * 10 * P4D},
    {"on-demand, then spot, then on-demand",
     HEAD ONE "workloads: {w: {kind: usage, nodes: 7, boot: 0s, until: 10h}}\n" SPOT_3 BUY(
         "fill: [{buy: on-demand, nodes: 2}, spot, on-demand]"),
     70, 70, 3 * 10 * 10 + 4 * 10 * P4D},
    {"two of spot at most",
     HEAD ONE "workloads: {w: {kind: usage, nodes: 7, boot: 0s, until: 10h}}\n" SPOT_3 BUY(
         "fill: [{buy: spot, nodes: 2}, on-demand]"),
     70, 70, 2 * 10 * 10 + 5 * 10 * P4D},
    {"what cannot be had is unmet",
     HEAD ONE
     "workloads: {w: {kind: usage, nodes: 5, boot: 0s, until: 10h}}\n" SPOT_3 BUY("buy: spot"),
     50, 30, 300},
    {"two zones: three in each",
     HEAD ONE "workloads: {w: {kind: usage, nodes: 5, boot: 0s, until: 10h}}\n" SPOT_3 BUY(
         "fill: [{buy: spot}, {buy: spot, zone: us-east-1b}]"),
     50, 50, 500},
};

static void test_sum(void **state)
{
    const struct sum_case *c = *state;
    struct study *s = study_from_text(c->text, NULL);
    struct run run;
    study_run(&run, s, 1);
    assert_near(run_value(&run, 0, 0, METRIC_NEEDED), c->needed_h, 1e-9, "needed");
    assert_near(run_value(&run, 0, 0, METRIC_SERVED), c->served_h, 1e-9, "served");
    assert_near(run_value(&run, 0, 0, METRIC_UNMET), c->needed_h - c->served_h, 1e-9, "unmet");
    assert_near(run_value(&run, 0, 0, METRIC_SERVED_SHARE), c->served_h / c->needed_h, 1e-12,
                "share");
    assert_near(run_value(&run, 0, 0, METRIC_COST), c->cost, 0.005, "cost");
    /* It has no end: neither finished nor not, neither late nor in time. */
    assert_true(isnan(run_value(&run, 0, 0, METRIC_TIME_TO_TRAIN)));
    assert_true(isnan(run_value(&run, 0, 0, METRIC_FINISHED)));
    assert_true(isnan(run_value(&run, 0, 0, METRIC_LATE)));
    assert_false(metric_cut(results_cells(&run.results, 0, 0, 1)));
    run_release(&run);
    study_free(s);
}

/* Two of five on-demand nodes are covered by a reservation, and the three spot ones by none: the
 * covered ones are worth 2 × 240 h of the on-demand price. */
static void test_covered(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD ONE "workloads: {w: {kind: usage, nodes: 8, boot: 0s}}\n" SPOT_3 BUY(
            "fill: [spot, on-demand], commitments: [{kind: reserved-instances, instance: "
            "p4d.24xlarge, count: 2, term: 1y, payment: no-upfront}]"),
        NULL);
    struct run run;
    study_run(&run, s, 1);
    assert_near(run_value(&run, 0, 0, METRIC_COVERED), 2 * 240 * P4D, 0.005, "covered");
    assert_near(run_value(&run, 0, 0, METRIC_SPOT_COST), 3 * 240 * 10, 0.005, "spot");
    assert_near(run_value(&run, 0, 0, METRIC_ON_DEMAND_COST), 3 * 240 * P4D, 0.005, "not covered");
    run_release(&run);
    study_free(s);
}

/* A number is drawn once a world and rounded to whole nodes: uniform from 1.5 to 4.5 gives 2, 3 and
 * 4 alike often. */
static void test_drawn(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD "replications: 3000\nworkloads: {w: {kind: usage, nodes: uniform(1.5; 4.5), boot: 0s, "
             "until: 10h}}\n" BUY("buy: on-demand"),
        NULL);
    struct run run;
    uint32_t count[6] = {0};
    study_run(&run, s, 2);
    for (uint32_t i = 0; i < 3000; i++) {
        double nodes = run_value(&run, 0, i, METRIC_NEEDED) / 10;
        assert_near(nodes, round(nodes), 1e-9, "whole nodes");
        assert_true(nodes > 1.5 && nodes < 4.5);
        count[(int)round(nodes)]++;
        assert_near(run_value(&run, 0, i, METRIC_COST), round(nodes) * 10 * P4D, 0.005, "cost");
    }
    for (int k = 2; k <= 4; k++) {
        assert_near(count[k], 1000, 4.5 * sqrt(3000 * (1.0 / 3) * (2.0 / 3)), "a third each");
    }
    run_release(&run);
    study_free(s);
}

/* Beside a job: the time to train is the job's, and what the nodes do does not move it. */
static void test_beside_training(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD ONE "workloads:\n  job: {kind: training, hours: 30h, boot: 0s, deadline: 2d}\n"
                 "  w: {kind: usage, nodes: 2, boot: 0s}\n" BUY("nodes: 4, buy: on-demand"),
        NULL);
    struct run run;
    study_run(&run, s, 1);
    assert_near(run_value(&run, 0, 0, METRIC_TIME_TO_TRAIN), 30, 1e-9, "time");
    assert_near(run_value(&run, 0, 0, METRIC_FINISHED), 1, 0, "finished");
    assert_near(run_value(&run, 0, 0, METRIC_LATE), 0, 0, "late");
    assert_near(run_value(&run, 0, 0, METRIC_NEEDED), 480, 1e-9, "needed");
    assert_near(run_value(&run, 0, 0, METRIC_COST), (4 * 30 + 2 * 240) * P4D, 0.005, "cost");
    const struct metric_cells *job = results_cells(&run.results, 0, 0, 0);
    assert_true(isnan(job->value[METRIC_NEEDED].number));
    assert_true(isnan(job->value[METRIC_SERVED_SHARE].number));
    run_release(&run);
    study_free(s);
}

/* In every world of a market that comes and goes: served and unmet make the need, no more nodes are
 * held than that beside those under notice, an entry that stands in costs what it must; and the
 * number of threads does not matter. */
static void test_random_market(void **state)
{
    (void)state;
    const char *text =
        HEAD MANY "workloads: {w: {kind: usage, nodes: 12, boot: 5min}}\n"
                  "market: {spot: {p4d.24xlarge: {price: 10 USD/h}}}\n"
                  "strategies:\n"
                  "  mix: {instance: p4d.24xlarge, fill: [{buy: on-demand, nodes: 4}, spot, "
                  "on-demand]}\n"
                  "  spot: {instance: p4d.24xlarge, fill: [{buy: on-demand, nodes: 4}, spot]}\n";
    struct study *s = study_from_text(text, NULL);
    struct run one, two;
    study_run(&one, s, 1);
    study_run(&two, s, 2);
    bool some_unmet = false;
    for (uint32_t i = 0; i < 60; i++) {
        for (size_t k = 0; k < 2; k++) {
            double needed = run_value(&one, k, i, METRIC_NEEDED);
            assert_near(needed, 12 * 240, 1e-6, "needed");
            assert_near(run_value(&one, k, i, METRIC_SERVED) + run_value(&one, k, i, METRIC_UNMET),
                        needed, 1e-6, "served and unmet");
            assert_near(run_value(&one, k, i, METRIC_COST), run_value(&two, k, i, METRIC_COST), 0,
                        "threads");
        }
        /* Who stands in is asked at the notice, 3 min before it is ready and 2 min before the node
         * is gone: what is unmet is less than the boots of all that were launched. */
        assert_true(run_value(&one, 0, i, METRIC_UNMET) <=
                    run_value(&one, 0, i, METRIC_LAUNCHES) * 5 / 60.0);
        assert_true(run_value(&one, 0, i, METRIC_SERVED) >=
                    run_value(&one, 1, i, METRIC_SERVED) - 1e-9);
        some_unmet = some_unmet || run_value(&one, 1, i, METRIC_SERVED_SHARE) < 0.9;
    }
    assert_true(some_unmet);
    run_release(&one);
    run_release(&two);
    study_free(s);
}

/* From a file, which is one of the study's inputs. 4 nodes for 6 h, none for 18, 2 for 216. */
static void test_file(void **state)
{
    (void)state;
    char path[] = "/tmp/fleetcast-test-XXXXXX", text[1000];
    int fd = mkstemp(path);
    const char *rows = "time,nodes\n2026-03-02,4\n6h,0\n2026-03-03,2\n";
    assert_true(fd >= 0);
    assert_int_equal(write(fd, rows, strlen(rows)), strlen(rows));
    close(fd);
    snprintf(text, sizeof text,
             HEAD ONE
             "workloads: {w: {kind: usage, boot: 0s, nodes: {file: %s}}}\n" BUY("buy: on-demand"),
             path);
    struct study *s = study_from_text(text, NULL);
    struct run run;
    study_run(&run, s, 1);
    assert_near(run_value(&run, 0, 0, METRIC_NEEDED), 4 * 6 + 2 * 216, 1e-9, "needed");
    assert_near(run_value(&run, 0, 0, METRIC_COST), (4 * 6 + 2 * 216) * P4D, 0.005, "cost");
    bool copied = false;
    for (size_t i = 0; i < s->copies.count; i++) {
        copied = copied || (s->copies.items[i].kind == INPUT_DATA &&
                            strcmp(s->copies.items[i].path, path) == 0);
    }
    assert_true(copied);
    run_release(&run);
    study_free(s);
    unlink(path);
}

int main(void)
{
    enum { CASES = sizeof sum_cases / sizeof sum_cases[0] };
    struct CMUnitTest tests[CASES + 5];
    gsl_errors_install();
    for (size_t i = 0; i < CASES; i++) {
        tests[i] =
            (struct CMUnitTest){sum_cases[i].name, test_sum, NULL, NULL, (void *)&sum_cases[i]};
    }
    tests[CASES] = (struct CMUnitTest)cmocka_unit_test(test_covered);
    tests[CASES + 1] = (struct CMUnitTest)cmocka_unit_test(test_drawn);
    tests[CASES + 2] = (struct CMUnitTest)cmocka_unit_test(test_beside_training);
    tests[CASES + 3] = (struct CMUnitTest)cmocka_unit_test(test_random_market);
    tests[CASES + 4] = (struct CMUnitTest)cmocka_unit_test(test_file);
    return _cmocka_run_group_tests("usage_kind", tests, CASES + 5, NULL, NULL);
}
