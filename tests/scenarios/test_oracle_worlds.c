/* SPDX-License-Identifier: GPL-3.0-or-later
 * The bound beside the strategies: never above what one that is in time paid for its nodes, close
 * where all can be worked out by hand, and without effect on anything else. */
#include "engine/gsl_errors.h"
#include "scenarios/output/oracle_table.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD "version: 1\nstart: 2026-01-05\nhorizon: 12d\nregion: us-west-2\nreplications: 200\n"

/* Every policy of the program. */
#define ALL_POLICIES(type, nodes)                                                                  \
    "strategies:\n"                                                                                \
    "  on-demand: {instance: " type ", nodes: " nodes ", buy: on-demand}\n"                        \
    "  wait: {instance: " type ", nodes: " nodes ", buy: spot}\n"                                  \
    "  fallback: {instance: " type ", nodes: " nodes ", buy: spot,\n"                              \
    "    policy: {name: fallback, after: 20min}}\n"                                                \
    "  return: {instance: " type ", nodes: " nodes ", buy: spot,\n"                                \
    "    policy: {name: fallback, after: 10min, return: yes}}\n"
#define DEADLINE_POLICIES(type, nodes)                                                             \
    "  greedy: {instance: " type ", nodes: " nodes ", buy: spot, policy: greedy}\n"                \
    "  line: {instance: " type ", nodes: " nodes ", buy: spot, policy: uniform-progress}\n"        \
    "  loose: {instance: " type ", nodes: " nodes ", buy: spot,\n"                                 \
    "    policy: {name: uniform-progress, hysteresis: no}}\n"                                      \
    "  sliced: {instance: " type ", nodes: " nodes ", buy: spot,\n"                                \
    "    policy: {name: time-sliced, slice: 4h}}\n"                                                \
    "  last moment: {instance: " type ", nodes: " nodes ", buy: spot, policy: last-moment}\n"

/* The same where spot may run in several zones, under each rule. */
#define FAILOVER(rule) "zones: [us-west-2a, us-west-2b, us-west-2c], failover: " rule
#define ZONE_POLICIES(type, nodes)                                                                 \
    "strategies:\n"                                                                                \
    "  on-demand: {instance: " type ", nodes: " nodes ", buy: on-demand}\n"                        \
    "  one: {instance: " type ", nodes: " nodes ", buy: spot, zone: us-west-2b}\n"                 \
    "  cheapest: {instance: " type ", nodes: " nodes ", buy: spot, " FAILOVER(                     \
        "cheapest") "}\n"                                                                          \
                    "  available: {instance: " type ", nodes: " nodes ", buy: spot,\n"             \
                    "    " FAILOVER(                                                               \
                        "most-available") ", policy: {name: fallback, after: 20min, return: "      \
                                          "yes}}\n"                                                \
                                          "  sticky: {instance: " type ", nodes: " nodes           \
                                          ", buy: spot, " FAILOVER(                                \
                                              "sticky") ",\n"                                      \
                                                        "    policy: greedy}\n"                    \
                                                        "  line: {instance: " type                 \
                                                        ", nodes: " nodes                          \
                                                        ", buy: spot, " FAILOVER(                  \
                                                            "cheapest") ",\n"                      \
                                                                        "    policy: "             \
                                                                        "uniform-progress}\n"      \
                                                                        "  sliced: "               \
                                                                        "{instance: " type         \
                                                                        ", nodes: " nodes          \
                                                                        ", buy: spot, " FAILOVER(  \
                                                                            "sticky") ",\n"        \
                                                                                      "    "       \
                                                                                      "policy: "   \
                                                                                      "{name: "    \
                                                                                      "time-"      \
                                                                                      "sliced, "   \
                                                                                      "slice: "    \
                                                                                      "4h}}\n"

static const struct bound_case {
    const char *name, *text;
    size_t least_compared;
} cases[] = {
    {"hidden, notice used, first hour free",
     HEAD "workloads: {job: {kind: training, hours: 30h, boot: 4min, on_notice: checkpoint,\n"
          "  checkpoint: {every: 15min, write: 20s, restore: 5min}, deadline: 42h}}\n"
          "market: {spot: {p3.2xlarge: {price: 0.9 USD/h, availability: 0.3..0.9}}}\n" ALL_POLICIES(
              "p3.2xlarge", "1") DEADLINE_POLICIES("p3.2xlarge", "1"),
     1000},
    {"tight, nothing lost, long notice",
     HEAD "workloads: {job: {kind: training, hours: 30h, boot: 1min, checkpoint: continuous,\n"
          "  deadline: 33h}}\n"
          "market: {spot: {p3.2xlarge: {price: 0.9 USD/h, availability: 0.6, notice: 15min,\n"
          "  first_hour_free: no}}}\n" ALL_POLICIES("p3.2xlarge", "1")
              DEADLINE_POLICIES("p3.2xlarge", "1"),
     1000},
    {"a gang whose lost nodes alone start anew",
     HEAD "workloads: {job: {kind: training, hours: 24h, boot: 2min..9min, restart: node,\n"
          "  checkpoint: {every: 10min, write: 10s, restore: 30s..6min}, deadline: 40h}}\n"
          "market: {spot: {p4d.24xlarge: {price: 8 USD/h, availability: 0.5..0.95,\n"
          "  node_slope: 0.3}}}\n" ALL_POLICIES("p4d.24xlarge", "4")
              DEADLINE_POLICIES("p4d.24xlarge", "4"),
     1000},
    {"up and down within minutes, off the grid",
     HEAD "workloads: {job: {kind: training, hours: 20h, boot: 90s, checkpoint: continuous,\n"
          "  deadline: 30h}}\n"
          "market: {spot: {p3.2xlarge: {price: 1 USD/h, capacity: on-off, mean_up: 25min,\n"
          "  mean_down: 7min}}}\n" ALL_POLICIES("p3.2xlarge", "1")
              DEADLINE_POLICIES("p3.2xlarge", "1"),
     1000},
    {"no deadline, nodes that fail, a project that slips, grows and may end",
     HEAD "slip: 0h..30h\ngrow: {work: 0.1..0.5}\ncancel: {probability: 0.2, at: 1d..9d}\n"
          "workloads: {job: {kind: training, hours: 20h, boot: 3min,\n"
          "  checkpoint: {every: 10min, write: 10s, restore: 2min}}}\n"
          "market: {spot: {p3.2xlarge: {price: 0.5..1.5 USD/h, interruptions: 5h, regain: 9min,\n"
          "  first_hour_free: no}}}\n" ALL_POLICIES("p3.2xlarge", "1"),
     300},
    {"two jobs in one small pool, on-demand after a wait",
     HEAD "workloads:\n"
          "  big: {kind: training, hours: 20h, boot: 3min, checkpoint: continuous, deadline: 40h}\n"
          "  small: {kind: training, hours: 9h, submit: 5h, boot: 3min, restart: node,\n"
          "    checkpoint: {every: 10min, restore: 2min}, deadline: 30h}\n"
          "market:\n"
          "  spot: {p3.2xlarge: {price: 1 USD/h, nodes: 5, node_slope: 0.5, availability: 0.8}}\n"
          "  on-demand: {p3.2xlarge: {capacity: wait, wait: 1min..40min}}\n" ALL_POLICIES(
              "p3.2xlarge", "3") DEADLINE_POLICIES("p3.2xlarge", "3"),
     1000},
    {"failover between three zones of their own prices and maximum prices",
     HEAD
     "workloads: {job: {kind: training, hours: 24h, boot: 4min,\n"
     "  checkpoint: {every: 15min, write: 20s, restore: 5min}, deadline: 40h}}\n"
     "market: {spot: {us-west-2a/p3.2xlarge: {price: 0.9 USD/h, availability: 0.3..0.7},\n"
     "  us-west-2b/p3.2xlarge: {price: 1.1 USD/h, availability: 0.4..0.8,\n"
     "    price_model: regimes, max_price: 1.2 USD/h},\n"
     "  us-west-2c/p3.2xlarge: {price: 0.8..1.4 USD/h, availability: 0.3, max_price: 1.1 USD/h,\n"
     "    notice: 0s}}}\n" ZONE_POLICIES("p3.2xlarge", "2"),
     1000},
    {"failover, moves that stop first, a policy that polls, no notice, first hours paid",
     HEAD "workloads: {job: {kind: training, hours: 24h, boot: 4min, handover: stop-first,\n"
          "  look_every: 7min, checkpoint: {mode: continuous, restore: 5min}, deadline: 40h}}\n"
          "market: {spot: {us-west-2a/p3.2xlarge: {price: 0.9 USD/h, availability: 0.7,\n"
          "    capacity: hyperexponential, first_hour_free: no, notice: 0s},\n"
          "  us-west-2b/p3.2xlarge: {price: 1.1 USD/h, capacity: on-off, mean_up: 3h,\n"
          "    mean_down: 1h, first_hour_free: no},\n"
          "  us-west-2c/p3.2xlarge: {price: 1 USD/h, first_hour_free: no}}}\n" ZONE_POLICIES(
              "p3.2xlarge", "1"),
     1000},
    {"a replayed trace from a random start, asked for below prices that move",
     HEAD "workloads: {job: {kind: training, hours: 9h, boot: 3min,\n"
          "  checkpoint: {every: 30min, write: 30s, restore: 4min}, deadline: 20h}}\n"
          "market: {spot: {p2.xlarge: {capacity: replay, price: 0.27 USD/h,\n"
          "  price_model: regimes, trace: {file: TRACE, zone: "
          "us-east-1b}}}}\n" ALL_POLICIES("p2.xlarge", "1") DEADLINE_POLICIES(
              "p2.xlarge",
              "1") "  limited: {instance: p2.xlarge, nodes: 1, buy: spot, max_price: 0.3 USD/h,\n"
                   "    policy: uniform-progress}\n",
     1000},
    {"work done again, nodes that fail, spares and data to be read first",
     HEAD "workloads: {job: {kind: training, hours: 20h, boot: 3min, rework: 1.2, dataset: {size: "
          "300 GB, per_gb_month: 0.023 USD},\n"
          "  staging: 1 GB/s, failures: {mtbf: 9d}, restart: node,\n"
          "  checkpoint: {every: 15min, write: 20s, restore: 5min}, deadline: 60h}}\n"
          "market: {spot: {p3.2xlarge: {price: 0.9 USD/h, availability: 0.7}}}\n" ALL_POLICIES(
              "p3.2xlarge", "3")
              DEADLINE_POLICIES("p3.2xlarge", "3") "  spare: {instance: p3.2xlarge, nodes: 3, buy: "
                                                   "spot, spares: 1, policy: greedy}\n",
     1000},
};

/* TRACE becomes the path of a trace that is shipped. */
static void with_trace(char *out, size_t size, const char *text)
{
    char here[4096];
    const char *found = strstr(text, "TRACE");
    int before = found == NULL ? (int)strlen(text) : (int)(found - text);
    assert_non_null(getcwd(here, sizeof here));
    int length = snprintf(out, size, "%.*s%s%s%s", before, text, found == NULL ? "" : here,
                          found == NULL ? "" : "/scenarios/k80-two-zones.csv",
                          found == NULL ? "" : found + strlen("TRACE"));
    assert_true(length > 0 && (size_t)length < size);
}

static void never_above_what_was_paid(void **state)
{
    const struct bound_case *c = *state;
    char text[8192];
    with_trace(text, sizeof text, c->text);
    struct study *study = study_from_text(text, NULL);
    struct run run;
    study_run(&run, study, 2);
    assert_int_equal(study->oracle.worlds, 200);
    size_t compared = 0;
    for (uint32_t i = 0; i < study->oracle.worlds; i++) {
        const double *bounds = results_bounds(&run.results, i);
        for (size_t k = 0; k < study->strategy_count * study->workload_count; k++) {
            size_t strategy = k / study->workload_count, workload = k % study->workload_count;
            const struct metric_cells *cells = results_cells(&run.results, i, strategy, workload);
            int gang = study->oracle.of[k];
            if (gang < 0) {
                continue; /* not compared, as one with spares */
            }
            bool late = cells->value[METRIC_LATE].number > 0;
            if (late || !(cells->value[METRIC_FINISHED].number > 0)) {
                continue;
            }
            double paid = metric_number(cells, METRIC_ON_DEMAND_COST) +
                          metric_number(cells, METRIC_SPOT_COST);
            /* Somebody was in time, so that there is a plan in time. */
            if (!(bounds[gang] <= paid)) {
                fail_msg("%s pays %.6f for workload %zu in world %u, the bound is %.6f",
                         study_strategy_name(study, strategy), paid, workload, i, bounds[gang]);
            }
            assert_true(bounds[gang] >= 0);
            compared++;
        }
    }
    assert_true(compared >= c->least_compared);
    run_release(&run);
    study_free(study);
}

/* ---- by hand ---- */

static double cell(const struct table *t, size_t row, const char *column)
{
    int c = table_find(t, column);
    assert_true(c >= 0);
    return table_number(t, row, (size_t)c);
}

/* Spot is always there: ten hours and six minutes of it are the least, which the strategy on spot
 * pays, and on-demand pays three times as much. */
static void spot_that_is_always_there(void **state)
{
    (void)state;
    struct study *study = study_from_text(
        HEAD "workloads: {job: {kind: training, hours: 10h, boot: 6min, checkpoint: continuous}}\n"
             "market:\n"
             "  spot: {p3.2xlarge: {price: 1 USD/h, capacity: constant}}\n"
             "  on-demand: {p3.2xlarge: {price: 3 USD/h}}\n"
             "strategies:\n"
             "  a: {instance: p3.2xlarge, nodes: 2, buy: on-demand}\n"
             "  b: {instance: p3.2xlarge, nodes: 2, buy: spot}\n",
        NULL);
    struct run run;
    study_run(&run, study, 1);
    struct table *t = oracle_table(&run);
    assert_int_equal(table_rows(t), 2);
    for (size_t row = 0; row < 2; row++) {
        assert_near(cell(t, row, "oracle_mean_usd"), 20.2, 1e-4, "oracle");
        assert_near(cell(t, row, "n"), 200, 0, "worlds compared");
    }
    assert_near(cell(t, 0, "regret_mean_usd"), 40.4, 1e-4, "regret on demand");
    assert_near(cell(t, 0, "regret_p90_usd"), 40.4, 1e-4, "its P90");
    assert_near(cell(t, 0, "regret_frac"), 2.0 / 3, 1e-5, "its share");
    assert_near(cell(t, 1, "regret_mean_usd"), 0, 1e-4, "regret on spot");
    table_free(t);
    run_release(&run);
    study_free(study);
}

/* Nobody on spot; what commitments pay for; gangs that differ. */
static size_t rows_of(const char *rest)
{
    char text[2048];
    snprintf(text, sizeof text,
             HEAD "workloads: {job: {kind: training, hours: 10h, checkpoint: continuous}}\n%s",
             rest);
    struct study *study = study_from_text(text, (const char *const[]){"replications=5", NULL});
    struct run run;
    study_run(&run, study, 1);
    struct table *t = oracle_table(&run);
    size_t rows = table_rows(t);
    table_free(t);
    run_release(&run);
    study_free(study);
    return rows;
}

static void who_is_compared(void **state)
{
    (void)state;
    assert_int_equal(rows_of("strategies: {a: {instance: p3.2xlarge, nodes: 1, buy: on-demand}}\n"),
                     0);
    /* b's gang never sees spot. */
    assert_int_equal(rows_of("strategies:\n"
                             "  a: {instance: p3.2xlarge, nodes: 1, buy: spot}\n"
                             "  b: {instance: p3.2xlarge, nodes: 2, buy: on-demand}\n"),
                     1);
    assert_int_equal(
        rows_of("strategies:\n"
                "  a: {instance: p4d.24xlarge, nodes: 1, buy: spot}\n"
                "  b: {instance: p4d.24xlarge, nodes: 1, buy: on-demand, commitments:\n"
                "    [{kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y,\n"
                "      payment: no-upfront}]}\n"),
        1);
    /* Free first hours and failures of single nodes: no bound. */
    assert_int_equal(rows_of("market: {spot: {p3.2xlarge: {interruptions: 5h}}}\n"
                             "strategies: {a: {instance: p3.2xlarge, nodes: 1, buy: spot}}\n"),
                     0);
}

int main(void)
{
    enum { CASES = sizeof cases / sizeof cases[0] };
    struct CMUnitTest tests[CASES + 2] = {{0}};
    size_t n = 0;
    gsl_errors_install();
    for (; n < CASES; n++) {
        tests[n] = (struct CMUnitTest){cases[n].name, never_above_what_was_paid, NULL, NULL,
                                       (void *)(uintptr_t)&cases[n]};
    }
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(spot_that_is_always_there);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(who_is_compared);
    return _cmocka_run_group_tests("oracle_worlds", tests, n, NULL, NULL);
}
