/* SPDX-License-Identifier: GPL-3.0-or-later
 * Several services on one fleet, from scenario files. Where replicas stand is counted by hand:
 * requests come regularly (cv 0.01), nodes are there at once (boot 0 s). */
#include "engine/gsl_errors.h"
#include "tests/support/program.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD   "version: 1\nstart: 2026-03-02\nregion: us-east-1\nprices_as_of: 2025-11-30\n"
#define STEADY "demand: {rate: 1/s, cv: 0.01}, service: {any: {time: 10ms, replicas_per_node: %d}}"

struct one {
    struct study *study;
    struct run run;
};

static void run_one(struct one *o, int jobs, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void run_one(struct one *o, int jobs, const char *format, ...)
{
    char text[6000];
    va_list args;
    va_start(args, format);
    int size = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    assert_true(size > 0 && size < (int)sizeof text);
    o->study = study_from_text(text, NULL);
    study_run(&o->run, o->study, jobs);
}

static void release(struct one *o)
{
    run_release(&o->run);
    study_free(o->study);
}

/* Of one workload, or all (its index: their number). */
static const struct metric_cells *cells(const struct one *o, uint32_t replication, size_t strategy,
                                        size_t workload)
{
    return results_cells(&o->run.results, replication, strategy, workload);
}

static double value(const struct one *o, size_t workload, enum metric m)
{
    return metric_number(cells(o, 0, 0, workload), m);
}

/* ---- places ---- */

/* Replicas of so many of 1/4, 1/2 and 1 of a node stand on how many nodes. */
static void replicas_stand_beside_each_other(void **state)
{
    (void)state;
    static const struct {
        int quarters, halves, wholes, nodes;
    } rows[] = {
        {1, 0, 0, 1}, {4, 0, 0, 1}, {5, 0, 0, 2}, {2, 1, 0, 1}, {3, 1, 0, 2}, {2, 1, 1, 2},
        {4, 2, 1, 3}, {1, 1, 1, 2}, {3, 3, 2, 5}, {0, 1, 3, 4}, {8, 4, 1, 5},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct one o;
        run_one(&o, 1,
                HEAD "horizon: 2h\nreplications: 1\nworkloads:\n"
                     "  a: {kind: inference, fleet: f, " STEADY "}\n"
                     "  b: {kind: inference, fleet: f, " STEADY "}\n"
                     "  f: {kind: fleet, max_nodes: 9, boot: 0s}\n"
                     "  c: {kind: inference, fleet: f, " STEADY "}\n"
                     "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, max_replicas: 20, "
                     "min_replicas: 0, workloads: {a: {autoscale: {name: fixed, replicas: %d}}, b: "
                     "{autoscale: {name: fixed, replicas: %d}}, c: {autoscale: {name: fixed, "
                     "replicas: %d}}}}}\n",
                4, 2, 1, rows[i].quarters, rows[i].halves, rows[i].wholes);
        assert_near(value(&o, 2, METRIC_NODE_HOURS), 2 * rows[i].nodes, 1e-6, "nodes of the fleet");
        assert_near(value(&o, 0, METRIC_REPLICA_HOURS), 2 * rows[i].quarters, 1e-6, "quarters");
        assert_near(value(&o, 1, METRIC_REPLICA_HOURS), 2 * rows[i].halves, 1e-6, "halves");
        assert_near(value(&o, 3, METRIC_REPLICA_HOURS), 2 * rows[i].wholes, 1e-6, "wholes");
        assert_near(value(&o, 0, METRIC_SHARED_NODE_HOURS), 0.5 * rows[i].quarters, 1e-6,
                    "node-hours of the quarters");
        release(&o);
    }
}

/* What finds no room waits for it, and the node it would need is told as unmet by nothing: the
 * fleet has all it may. A node that falls empty goes. */
static void nodes_follow_replicas_within_limits(void **state)
{
    (void)state;
    struct one o;
    /* Six of a half for the first hour, two after it: target 6/s a replica, looked at each minute,
     * scaled in after fifteen datapoints. */
#define FALLS                                                                                      \
    HEAD "horizon: 4h\nreplications: 1\nworkloads:\n"                                              \
         "  f: {kind: fleet, max_nodes: %d, min_nodes: %d, boot: 0s}\n"                            \
         "  a: {kind: inference, fleet: f, demand: {rate: 12/s, cv: 0.01, events: [{from: 0h, "    \
         "for: 1h, factor: 3}]}, service: {any: {time: 10ms, replicas_per_node: 2}}}\n"            \
         "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, min_replicas: 2, max_replicas: " \
         "6, autoscale: {name: scheduled, actions: [{at: 0h, replicas: 6}, "                       \
         "{at: 1h, replicas: 2}]}}}\n"
    run_one(&o, 1, FALLS, 9, 0);
    assert_near(value(&o, 0, METRIC_NODE_HOURS), 3 + 3, 0.02, "three nodes, then one");
    release(&o);
    run_one(&o, 1, FALLS, 2, 0);
    assert_near(value(&o, 0, METRIC_NODE_HOURS), 2 + 3, 0.02, "two nodes at most");
    assert_near(value(&o, 1, METRIC_REPLICA_HOURS), 4 + 6, 0.04, "four replicas, then two");
    release(&o);
    run_one(&o, 1, FALLS, 9, 2);
    assert_near(value(&o, 0, METRIC_NODE_HOURS), 3 + 6, 0.02, "two nodes at least");
    release(&o);
}

/* ---- beside fleets of their own ---- */

#define TWO(FLEET, PER_NODE_A, PER_NODE_B)                                                         \
    HEAD "horizon: 6h\nreplications: 2\nworkloads:\n" FLEET                                        \
         "  demand: {rate: 8/s, events: [{from: 2h, for: 2h, factor: 3}]}, load: 30s, mode: "      \
         "requests, service: {any: {time: exponential(200ms), slots: 2, "                          \
         "replicas_per_node: " PER_NODE_A "}}}\n"                                                  \
         "  b: {kind: inference, %s demand: {rate: 5/s, events: [{from: 3h, for: 2h, factor: "     \
         "2}]}, load: 60s, mode: requests, service: {any: {time: exponential(300ms), slots: 2, "   \
         "replicas_per_node: " PER_NODE_B "}}}\n"                                                  \
         "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, max_replicas: 20, autoscale: "   \
         "{name: target-tracking, utilisation: 50 %%}}}\n"
#define SHARED "  f: {kind: fleet, max_nodes: 40, boot: 2min}\n  a: {kind: inference, fleet: f,"
#define APART  "  a: {kind: inference, boot: 2min,"

/* One replica a node: nothing is shared, and all is as on two fleets. */
static void with_a_node_each_it_is_two_fleets(void **state)
{
    (void)state;
    static const enum metric same[] = {METRIC_REQUESTS,      METRIC_REQUESTS_SERVED,
                                       METRIC_LATENCY_MEAN,  METRIC_LATENCY_P99,
                                       METRIC_REPLICA_HOURS, METRIC_REPLICA_BUSY};
    struct one shared, apart;
    run_one(&shared, 1, TWO(SHARED, "1", "1"), "fleet: f,");
    run_one(&apart, 1, TWO(APART, "1", "1"), "boot: 2min,");
    for (uint32_t r = 0; r < 2; r++) {
        for (size_t w = 0; w < 2; w++) {
            for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
                double here = metric_number(cells(&shared, r, 0, w + 1), same[i]);
                double there = metric_number(cells(&apart, r, 0, w), same[i]);
                assert_near(here, there, 1e-9 * fabs(there), metric_table[same[i]].name);
            }
        }
        double nodes = metric_number(cells(&shared, r, 0, 3), METRIC_NODE_HOURS);
        /* On nodes of their own, those that drain at a time go with the last of them. */
        assert_near(nodes, metric_number(cells(&apart, r, 0, 2), METRIC_NODE_HOURS), 5 / 3600.0,
                    "node-hours");
        /* Five seconds of them, and rounded once a launch and hour, which differ. */
        assert_near((double)cells(&shared, r, 0, 3)->value[METRIC_COST].money,
                    (double)cells(&apart, r, 0, 2)->value[METRIC_COST].money, 1e6,
                    "cost in nano-units");
    }
    release(&shared);
    release(&apart);
}

/* Quarters and halves fill nodes up that either would leave in part empty. */
static void sharing_saves_nodes(void **state)
{
    (void)state;
    struct one shared, apart;
    run_one(&shared, 1, TWO(SHARED, "4", "4"), "fleet: f,");
    run_one(&apart, 1, TWO(APART, "4", "4"), "boot: 2min,");
    for (uint32_t r = 0; r < 2; r++) {
        double here = metric_number(cells(&shared, r, 0, 3), METRIC_NODE_HOURS);
        double there = metric_number(cells(&apart, r, 0, 2), METRIC_NODE_HOURS);
        assert_true(here < there - 1);
        /* No fewer than the replicas fill. */
        double taken = metric_number(cells(&shared, r, 0, 3), METRIC_SHARED_NODE_HOURS);
        assert_true(here >= taken);
        assert_true(taken >= metric_number(cells(&shared, r, 0, 3), METRIC_REPLICA_HOURS) / 4);
        for (size_t w = 0; w < 2; w++) {
            assert_int_equal((long)metric_number(cells(&shared, r, 0, w + 1), METRIC_REQUESTS),
                             (long)metric_number(cells(&apart, r, 0, w), METRIC_REQUESTS));
        }
    }
    release(&shared);
    release(&apart);
}

#define APART_UNDER(MEMBER, OWN)                                                                   \
    "  a: {kind: inference, " MEMBER "boot: 2min, disk: {size: 100 GB, per_gb_month: 0.08 USD}, "  \
    "demand: {rate: 3/s, events: [{from: 1h, for: 1h, factor: 3}]}, service: {any: {time: "        \
    "exponential(500ms), replicas_per_node: 2}}}\n"                                                \
    "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, max_replicas: 20, " OWN               \
    "autoscale: {name: target-tracking, utilisation: 50 %%}}}\n"

/* A strategy may give a member nodes of its own: all is as if it stated no fleet. */
static void a_strategy_may_keep_it_apart(void **state)
{
    (void)state;
    struct one kept, apart;
    run_one(&kept, 1,
            HEAD "horizon: 3h\nreplications: 2\nworkloads:\n  f: {kind: fleet, max_nodes: 9, boot: "
                 "2min}\n" APART_UNDER("fleet: f, ", "own_nodes: yes, nodes: 1, "));
    run_one(&apart, 1,
            HEAD "horizon: 3h\nreplications: 2\nworkloads:\n" APART_UNDER("", "nodes: 1, "));
    for (uint32_t r = 0; r < 2; r++) {
        assert_memory_equal(cells(&kept, r, 0, 1), cells(&apart, r, 0, 0),
                            sizeof(struct metric_cells));
        assert_true(cells(&kept, r, 0, 0)->value[METRIC_COST].money == 0);
        assert_true(cells(&kept, r, 0, 1)->value[METRIC_COST].money > 0);
    }
    release(&kept);
    release(&apart);
}

/* What a fleet needs follows from what its services ask for, and they are judged by the requests
 * that they answer: that its nodes boot for ten minutes rules it out no more than theirs do. */
static void the_cheaper_of_shared_and_apart_is_chosen(void **state)
{
    (void)state;
    struct one o;
    run_one(&o, 1,
            HEAD
            "horizon: 6h\nreplications: 4\nchoose: cost_usd\nworkloads:\n"
            "  f: {kind: fleet, max_nodes: 12, boot: 10min}\n"
            "  a: {kind: inference, fleet: f, boot: 10min, demand: 3/s, service: {any: {time: "
            "exponential(500ms), replicas_per_node: 4}}}\n"
            "  b: {kind: inference, fleet: f, boot: 10min, demand: {rate: 2/s, events: "
            "[{from: 2h, for: 2h, factor: 3}]}, service: {any: {time: exponential(500ms), "
            "replicas_per_node: 4}}}\n"
            "strategies:\n"
            "  apart: {instance: g4dn.xlarge, buy: on-demand, own_nodes: yes, max_replicas: 20, "
            "autoscale: {name: target-tracking, utilisation: 50 %%}}\n"
            "  shared: {instance: g4dn.xlarge, buy: on-demand, max_replicas: 20, autoscale: "
            "{name: target-tracking, utilisation: 50 %%}}\n");
    for (size_t w = 0; w < 4; w++) { /* all of them in the end */
        assert_true(isnan(metric_number(cells(&o, 0, 1, w), METRIC_NEEDED)));
    }
    assert_true(cells(&o, 0, 1, 3)->value[METRIC_COST].money <
                cells(&o, 0, 0, 3)->value[METRIC_COST].money);
    assert_int_equal(o.run.choice.chosen, 1);
    release(&o);
}

/* ---- what adds up ---- */

#define SPOTTY                                                                                     \
    HEAD "horizon: 30h\nreplications: 4\nmarket: {spot: {g4dn.xlarge: {availability: 0.7, "        \
         "notice: 0s}}}\nworkloads:\n"                                                             \
         "  f: {kind: fleet, max_nodes: 12, boot: exponential(3min), disk: {size: 100 GB, "        \
         "per_gb_month: 0.08 USD}}\n"                                                              \
         "  a: {kind: inference, fleet: f, demand: 0.6/s, retries: 2, timeout: 9s, drain: 20s, "   \
         "load: 20s, service: {any: {time: exponential(5s), slots: 2, replicas_per_node: 3}}}\n"   \
         "  b: {kind: inference, fleet: f, demand: {rate: 0.3/s, events: [{from: 5h, for: 3h, "    \
         "factor: 4}]}, "                                                                          \
         "timeout: 3s, service: {any: {batch: {max: 8, base: 1s, each: 300ms}, "                   \
         "replicas_per_node: 4}}}\n"                                                               \
         "  c: {kind: inference, fleet: f, demand: {rate: 0.02/s, until: 20h}, service: {any: "    \
         "{time: exponential(20s), replicas_per_node: 1}}}\n"
#define SPOT                                                                                       \
    "  spot: {instance: g4dn.xlarge, fill: [{buy: spot}, {buy: on-demand}], min_replicas: 0, "     \
    "max_replicas: 8, autoscale: {name: keda, concurrency: 2}}\n"
#define BESIDE                                                                                     \
    "  other: {instance: g4dn.2xlarge, buy: on-demand, max_replicas: 6, autoscale: {name: "        \
    "target-tracking, utilisation: 60 %%}}\n"

static void requests_and_costs_add_up(void **state)
{
    (void)state;
    struct one o;
    run_one(&o, 1, SPOTTY "strategies:\n" SPOT BESIDE);
    double lost = 0, on_demand = 0;
    for (uint32_t r = 0; r < 4; r++) {
        for (size_t k = 0; k < 2; k++) {
            money_t shares = 0;
            double taken = 0;
            for (size_t w = 1; w < 4; w++) {
                const struct metric_cells *c = cells(&o, r, k, w);
                assert_near(metric_number(c, METRIC_REQUESTS),
                            metric_number(c, METRIC_REQUESTS_SERVED) +
                                metric_number(c, METRIC_REQUESTS_DROPPED) +
                                metric_number(c, METRIC_REQUESTS_TIMED_OUT) +
                                metric_number(c, METRIC_REQUESTS_LOST) +
                                metric_number(c, METRIC_REQUESTS_REJECTED) +
                                metric_number(c, METRIC_REQUESTS_LEFT),
                            1e-9, "requests");
                assert_true(metric_number(c, METRIC_REQUESTS_LEFT) >= 0);
                shares += c->value[METRIC_SHARED_NODES_COST].money;
                taken += metric_number(c, METRIC_SHARED_NODE_HOURS);
                assert_near(metric_number(c, METRIC_PER_1000_REQUESTS),
                            1000 * metric_number(c, METRIC_SHARED_NODES_COST) /
                                metric_number(c, METRIC_REQUESTS_SERVED),
                            1e-9, "cost of 1000 requests");
                lost += metric_number(c, METRIC_REQUESTS_LOST);
            }
            const struct metric_cells *f = cells(&o, r, k, 0);
            assert_int_equal(shares, f->value[METRIC_COST].money);
            assert_int_equal(shares, cells(&o, r, k, 4)->value[METRIC_SHARED_NODES_COST].money);
            assert_true(shares > 0);
            assert_true(taken <= metric_number(f, METRIC_NODE_HOURS) + 1e-6);
            on_demand += k == 0 ? metric_number(f, METRIC_ON_DEMAND_COST) : 0;
        }
    }
    assert_true(lost > 0);      /* nodes vanished under requests */
    assert_true(on_demand > 0); /* and others stood in */
    release(&o);
}

static void same_bytes(const struct one *a, const struct one *b, size_t strategies)
{
    for (uint32_t r = 0; r < 4; r++) {
        for (size_t k = 0; k < strategies; k++) {
            assert_memory_equal(cells(a, r, k, 0), cells(b, r, k, 0),
                                5 * sizeof(struct metric_cells));
        }
    }
}

static void worlds_are_the_same_whoever_runs_them(void **state)
{
    (void)state;
    struct one one, two, alone;
    run_one(&one, 1, SPOTTY "strategies:\n" SPOT BESIDE);
    run_one(&two, 2, SPOTTY "strategies:\n" SPOT BESIDE);
    run_one(&alone, 1, SPOTTY "strategies:\n" SPOT);
    same_bytes(&one, &two, 2);
    same_bytes(&one, &alone, 1);
    release(&one);
    release(&two);
    release(&alone);
}

/* Two models of half a node and a quarter of its accelerators. */
/* In steps too what is busy is what was served, times as long as it took, also where much waited
 * for a while: half an hour of five times the load on at most three nodes. */
static void a_backlog_is_worked_off_in_its_own_time(void **state)
{
    (void)state;
    struct one o;
    enum { WORLDS = DRAWS_OF(60) };
    double ratio[WORLDS], mean = 0, square = 0;
    run_one(&o, 1,
            HEAD "horizon: 6h\nreplications: %d\nworkloads:\n"
                 "  f: {kind: fleet, max_nodes: 3, boot: 0s}\n"
                 "  m: {kind: inference, fleet: f, mode: interval, demand: {rate: 4/s, events: "
                 "[{from: 1h, for: 30min, factor: 5}]}, service: {any: {time: exponential(500ms), "
                 "replicas_per_node: 2}}}\n"
                 "strategies: {s: {instance: g4dn.12xlarge, buy: on-demand, max_replicas: 6, "
                 "workloads: {m: {autoscale: {name: hpa, utilisation: 60 %%}}}}}\n",
            WORLDS);
    for (uint32_t w = 0; w < WORLDS; w++) {
        const struct metric_cells *m = cells(&o, w, 0, 1);
        double busy_s =
            3600 * metric_number(m, METRIC_REPLICA_HOURS) * metric_number(m, METRIC_REPLICA_BUSY);
        ratio[w] = busy_s / (0.5 * metric_number(m, METRIC_REQUESTS_SERVED));
        mean += ratio[w] / WORLDS;
    }
    for (uint32_t w = 0; w < WORLDS; w++) {
        square += (ratio[w] - mean) * (ratio[w] - mean) / (WORLDS - 1);
    }
    /* 600 worlds: 1.0006, standard error 0.0002. */
    assert_true(square > 0);
    assert_near(mean, 1.0006, 4 * sqrt(square / WORLDS), "busy over served");
    release(&o);
}

static void language_models_share_accelerators(void **state)
{
    (void)state;
    struct one o;
    run_one(&o, 1,
            HEAD "horizon: 2h\nreplications: 1\nworkloads:\n"
                 "  f: {kind: fleet, max_nodes: 4, boot: 0s}\n"
                 "  a: {kind: inference, fleet: f, demand: 0.5/s, llm: {model: llama-2-7b, "
                 "accelerators: 2, prompt: 100, output: 20}}\n"
                 "  b: {kind: inference, fleet: f, demand: 0.5/s, llm: {model: llama-2-7b, "
                 "accelerators: 1, prompt: 100, output: 20}}\n"
                 "strategies: {s: {instance: g5.12xlarge, buy: on-demand, max_replicas: 4, "
                 "workloads: {a: {autoscale: {name: fixed, replicas: 1}}, b: {autoscale: {name: "
                 "fixed, replicas: 2}}}}}\n");
    assert_near(value(&o, 0, METRIC_NODE_HOURS), 2, 1e-6, "one node of four");
    assert_near(value(&o, 1, METRIC_SHARED_NODE_HOURS), 1, 1e-6, "two of four accelerators");
    assert_near(value(&o, 2, METRIC_SHARED_NODE_HOURS), 1, 1e-6, "twice one of them");
    assert_true(value(&o, 1, METRIC_PER_MILLION_TOKENS) > 0);
    release(&o);
}

/* ---- in steps of time ---- */

#define MEMBERS                                                                                    \
    "  f: {kind: fleet, max_nodes: 40, boot: 1min}\n"                                              \
    "  a: {kind: inference, fleet: f, mode: %s, slo: 1s, demand: {rate: 10/s, events: [{from: "    \
    "2h, for: 2h, factor: 3}]}, service: {any: {time: exponential(500ms), replicas_per_node: "     \
    "4}}}\n"                                                                                       \
    "  b: {kind: inference, fleet: f, mode: %s, slo: 3s, load: 30s, demand: {rate: 4/s, events: "  \
    "[{from: 3h, for: 2h, factor: 2}]}, service: {any: {time: exponential(1.5s), slots: 2, "       \
    "replicas_per_node: 2}}}\n"                                                                    \
    "strategies:\n  s: {instance: g4dn.12xlarge, %s, max_replicas: 60, workloads: {a: "            \
    "{autoscale: {name: hpa, utilisation: 60 %%}}, b: {autoscale: {name: target-tracking, "        \
    "utilisation: 70 %%}}}}\n"
#define SPOT_MARKET "market: {spot: {g4dn.12xlarge: {availability: 0.7, notice: 2min}}}\n"

/* As request by request, whatever the members' modes: cost within 3 %, attainment within 2 points;
 * and none of it hangs on the number of threads. */
static void steps_agree_with_requests(void **state)
{
    (void)state;
    static const struct {
        const char *market, *buy;
    } rows[] = {{"", "buy: on-demand"}, {SPOT_MARKET, "fill: [{buy: spot}, {buy: on-demand}]"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct one by_requests;
        run_one(&by_requests, 2, HEAD "horizon: 6h\nreplications: 2\n%sworkloads:\n" MEMBERS,
                rows[i].market, "requests", "requests", rows[i].buy);
        struct mean cost = run_mean(&by_requests.run, 0, METRIC_COST);
        for (int mode = 0; mode < 3; mode++) {
            struct one steps;
            run_one(&steps, mode == 0 ? 2 : 1,
                    HEAD "horizon: 6h\nreplications: 2\n%sworkloads:\n" MEMBERS, rows[i].market,
                    mode < 2 ? "interval" : "requests", "interval", rows[i].buy);
            assert_relative(run_mean(&steps.run, 0, METRIC_COST).mean, cost.mean, 0.03, "cost");
            for (size_t w = 1; w < 3; w++) {
                for (uint32_t r = 0; r < 2; r++) {
                    const struct metric_cells *here = cells(&steps, r, 0, w),
                                              *there = cells(&by_requests, r, 0, w);
                    assert_near(metric_number(here, METRIC_SLO_ATTAINED),
                                metric_number(there, METRIC_SLO_ATTAINED), 0.02, "attainment");
                    assert_relative(metric_number(here, METRIC_SHARED_NODE_HOURS),
                                    metric_number(there, METRIC_SHARED_NODE_HOURS), 0.03,
                                    "node-hours that replicas took");
                }
            }
            release(&steps);
        }
        release(&by_requests);
    }
}

/* Fixed numbers of replicas over months: 3 halves on nodes 1 and 2, 4 fourths beside them on 2 and
 * 3, which stay there when the others end, since nothing is moved. 30/s of 100 ms are 3 busy slots
 * of 8. */
static void months_are_as_counted_by_hand(void **state)
{
    (void)state;
    struct one o;
    run_one(&o, 1,
            HEAD "horizon: 60d\nreplications: 1\nworkloads:\n"
                 "  f: {kind: fleet, max_nodes: 9, boot: 0s}\n"
                 "  a: {kind: inference, fleet: f, demand: 30/s, service: {any: {time: "
                 "exponential(100ms), slots: 2, replicas_per_node: 4}}}\n"
                 "  b: {kind: inference, fleet: f, demand: {rate: 2/s, until: 20d}, service: "
                 "{any: {time: exponential(600ms), replicas_per_node: 2}}}\n"
                 "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, max_replicas: 20, "
                 "workloads: {a: {autoscale: {name: fixed, replicas: 4}}, b: "
                 "{autoscale: {name: fixed, replicas: 3}}}}}\n");
    const double hours = 60 * 24, until = 20 * 24;
    assert_relative(value(&o, 0, METRIC_NODE_HOURS), 3 * until + 2 * (hours - until), 1e-4,
                    "nodes");
    assert_relative(value(&o, 1, METRIC_REPLICA_HOURS), 4 * hours, 1e-6, "replicas");
    assert_relative(value(&o, 2, METRIC_REPLICA_HOURS), 3 * until, 1e-6, "replicas of the other");
    assert_relative(value(&o, 1, METRIC_SHARED_NODE_HOURS), hours, 1e-6, "fourths");
    assert_relative(value(&o, 2, METRIC_SHARED_NODE_HOURS), 1.5 * until, 1e-4, "halves");
    assert_relative(value(&o, 1, METRIC_REQUESTS), 30 * 3600 * hours, 1e-9, "requests");
    assert_relative(value(&o, 1, METRIC_REPLICA_BUSY), 3.0 / 8, 3e-3, "busy");
    assert_relative(value(&o, 2, METRIC_REPLICA_BUSY), 0.4, 6e-3, "busy of the other");
    release(&o);
}

/* ---- what cannot be ---- */

#define REFUSED(FLEET, SERVICE, STRATEGY)                                                          \
    HEAD "horizon: 1d\nworkloads:\n  f: {kind: fleet, max_nodes: 9" FLEET                          \
         "}\n  a: {kind: inference, demand: 1/s, service: {any: {time: 10ms}}, " SERVICE           \
         "}\nstrategies: {s: {instance: g4dn.xlarge, buy: on-demand, max_replicas: 4, " STRATEGY   \
         "}}\n"
#define SCALED "autoscale: {name: target-tracking, utilisation: 50 %}"

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *told;
    } rows[] = {
        {REFUSED("", "fleet: g", SCALED),
         "'g', which is no workload of `kind: fleet`; expected 'f'"},
        {REFUSED("", "fleet: a", SCALED), "'a', which is no workload of `kind: fleet`"},
        {REFUSED("", "queue_limit: 3", SCALED), "no service stands on the nodes of 'f'"},
        {REFUSED(", min_nodes: 10", "fleet: f", SCALED), "at least 10 nodes, and at most 9"},
        {REFUSED("", "fleet: f, boot: 2min", SCALED), "states 'boot', but stands on nodes"},
        {REFUSED("", "fleet: f, rollouts: {every: 1d, takes: 1h}", SCALED), "'rollouts'"},
        {REFUSED("", "fleet: f, mode: interval", SCALED ", min_replicas: 0"),
         "state 'mode: requests' in 'a'"},
        {REFUSED(", disk: {size: 100 GB}", "fleet: f", SCALED ", own_nodes: yes"),
         "'disk' is stated of those of 'f' alone; state it in 'a' too"},
        {REFUSED(", boot: 1min", "fleet: f", SCALED ", own_nodes: yes"), "state it in 'a' too"},
        {HEAD "horizon: 1d\nworkloads: {a: {kind: inference, demand: 1/s, service: {any: {time: "
              "10ms}}}}\nstrategies: {s: {instance: g4dn.xlarge, buy: on-demand, max_replicas: 4, "
              "workloads: {a: {own_nodes: yes}}, " SCALED "}}\n",
         "'a' has nodes of its own anyway"},
#define TAKES(MEMORY)                                                                              \
    HEAD "horizon: 1d\nworkloads:\n  f: {kind: fleet, max_nodes: 9}\n  a: {kind: inference, "      \
         "demand: 1/s, fleet: f, service: {any: {time: 10ms, slots: 2, replicas_per_node: "        \
         "4, " MEMORY                                                                              \
         "}}}\nstrategies: {s: {instance: g5.xlarge, buy: on-demand, max_replicas: 4, " SCALED     \
         "}}\n"
        {TAKES("memory: 4 GB, memory_per_request: 1.5 GB"),
         "takes 7 GB with 2 requests at a time, and has 6 GB where 4 of them share the 1 x 24 GB "
         "of "
         "g5.xlarge; fewer 'slots', or 'replicas_per_node' of at most 3"},
        {HEAD
         "horizon: 1d\nworkloads:\n  f: {kind: fleet, max_nodes: 9}\n  a: {kind: inference, "
         "demand: 1/s, fleet: f, service: {any: {batch: {max: 3, base: 1ms, each: 1ms}, slots: "
         "2, replicas_per_node: 4, memory: 4 GB, memory_per_request: 1 GB}}}\nstrategies: {s: "
         "{instance: g5.xlarge, buy: on-demand, max_replicas: 4, " SCALED "}}\n",
         "takes 10 GB with 6 requests at a time"},
        {TAKES("memory: 40 GB"), "replicas that fit onto a node of it: 0"},
        {TAKES("memory_per_request: 1 GB"), "expected 'memory' beside 'memory_per_request'"},
        {REFUSED("", "fleet: f", SCALED ", footprint: {spare_nodes: 1}"), "drop it"},
        {REFUSED("", "fleet: f", SCALED ", warm_pool: {start: 30s}"), "drop it"},
        {REFUSED("", "fleet: f", SCALED ", nodes: 2"), "no workload takes 'nodes'"},
        {REFUSED("", "fleet: f", "warm_up: 1min"),
         "how many replicas 'a' has; expected 'autoscale'"},
        {REFUSED("", "fleet: f", "autoscale: keda-jobs"), "nodes that it shares"},
        {REFUSED("", "fleet: f", SCALED ", workloads: {a: {instance: g5.xlarge}}"),
         "say it of 'f'"},
        {REFUSED("", "fleet: f", SCALED ", workloads: {f: {nodes: 3}}"), "drop this 'nodes'"},
        {REFUSED("", "fleet: f", SCALED ", workloads: {f: {max_replicas: 3}}"),
         "'max_replicas' is of a service"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int exit_code = 0;
        char *told = study_errors(rows[i].text, &exit_code);
        if (strstr(told, rows[i].told) == NULL) {
            fail_msg("expected '%s', told:\n%s", rows[i].told, told);
        }
        free(told);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replicas_stand_beside_each_other),
        cmocka_unit_test(a_backlog_is_worked_off_in_its_own_time),
        cmocka_unit_test(nodes_follow_replicas_within_limits),
        cmocka_unit_test(with_a_node_each_it_is_two_fleets),
        cmocka_unit_test(sharing_saves_nodes),
        cmocka_unit_test(a_strategy_may_keep_it_apart),
        cmocka_unit_test(the_cheaper_of_shared_and_apart_is_chosen),
        cmocka_unit_test(requests_and_costs_add_up),
        cmocka_unit_test(worlds_are_the_same_whoever_runs_them),
        cmocka_unit_test(language_models_share_accelerators),
        cmocka_unit_test(steps_agree_with_requests),
        cmocka_unit_test(months_are_as_counted_by_hand),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    gsl_errors_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
