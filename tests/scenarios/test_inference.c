/* SPDX-License-Identifier: GPL-3.0-or-later
 * `kind: inference` from scenario files: replicas that come and go, and the bill; queues against
 * their closed forms are in test_queue_forms. */
#include "engine/gsl_errors.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* On-demand in us-east-1, as of the date below. */
#define G4DN 0.526

#define HEAD "version: 1\nstart: 2026-03-02\nregion: us-east-1\nprices_as_of: 2025-11-30\n"

/* ---- one world ---- */

struct one {
    struct study *study;
    struct run run;
};

static void run_one(struct one *o, const char *text)
{
    o->study = study_from_text(text, NULL);
    study_run(&o->run, o->study, 1);
}

static double value(const struct one *o, enum metric m)
{
    return run_value(&o->run, 0, 0, m);
}

static void release(struct one *o)
{
    run_release(&o->run);
    study_free(o->study);
}

static void replicas_are_paid_by_the_schedule(void **state)
{
    (void)state;
    struct one o;
    /* 4 from 8 to 20 o'clock, else 2: 72 node-hours a day, for five days, whatever comes. */
    run_one(
        &o, HEAD
        "horizon: 5d\nreplications: 1\nworkloads: {w: {kind: inference, mode: requests, boot: 0s, "
        "demand: "
        "0.01/s, service: {any: {time: 1s}}}}\n"
        "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, min_replicas: 1, max_replicas: "
        "9, autoscale: {name: scheduled, actions: [{at: 8h, replicas: 4}, {at: 20h, replicas: "
        "2}]}}}\n");
    assert_near(value(&o, METRIC_NODE_HOURS), 5 * 72, 1e-6, "node-hours");
    assert_near(value(&o, METRIC_REPLICA_HOURS), 5 * 72, 1e-6, "replica-hours");
    assert_near(value(&o, METRIC_COST), 5 * 72 * G4DN, 1e-6, "cost");
    assert_true(isnan(value(&o, METRIC_NEEDED))); /* that is usage by the clock */
    /* Charts over time go to the horizon. */
    assert_int_equal((int64_t)o.run.timeline.frames[0].buckets * o.run.timeline.frames[0].bucket_us,
                     INT64_C(5) * 86400 * 1000000);
    assert_near(value(&o, METRIC_PER_1000_REQUESTS),
                1000 * value(&o, METRIC_COST) / value(&o, METRIC_REQUESTS_SERVED), 1e-9,
                "per 1000");
    release(&o);
}

static void nodes_are_billed_and_replicas_scaled(void **state)
{
    (void)state;
    struct one o;
    /* Five replicas, four a node: two nodes. */
    run_one(&o, HEAD
            "horizon: 1d\nreplications: 1\nworkloads: {w: {kind: inference, mode: requests, boot: "
            "0s, demand: "
            "0.01/s, service: {any: {time: 1s, replicas_per_node: 4}}}}\n"
            "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, max_replicas: 9, autoscale: "
            "{name: fixed, replicas: 5}}}\n");
    assert_near(value(&o, METRIC_NODE_HOURS), 48, 1e-6, "node-hours");
    assert_near(value(&o, METRIC_REPLICA_HOURS), 5 * 24, 1e-6, "replica-hours");
    release(&o);
}

static void a_replica_serves_once_it_has_loaded(void **state)
{
    (void)state;
    struct one o;
    /* Ten minutes of boot and five of loading: the first request that is served ends after that. */
    run_one(&o,
            HEAD "horizon: 2h\nreplications: 1\nworkloads: {w: {kind: inference, mode: requests, "
                 "boot: 10min, load: 5min, "
                 "demand: {rate: 1/min, cv: 0.01}, service: {any: {time: 1s}}, queue_limit: 5}}\n"
                 "strategies: {s: {instance: g4dn.xlarge, nodes: 1, buy: on-demand}}\n");
    /* The first five wait for 15 minutes, the next ten or so are dropped. */
    assert_near(value(&o, METRIC_REQUESTS_DROPPED), 10, 1, "dropped");
    assert_near(value(&o, METRIC_LATENCY_P99), 800, 60, "about the longest wait");
    assert_near(value(&o, METRIC_REPLICA_HOURS), 1.75, 1e-9, "replica-hours");
    assert_near(value(&o, METRIC_IDLE), 0.25, 1e-9, "hours without a replica");
    release(&o);
}

static void scale_to_zero_pays_with_cold_starts(void **state)
{
    (void)state;
    struct one o;
    run_one(
        &o, HEAD
        "horizon: 10d\nreplications: 1\nworkloads: {w: {kind: inference, mode: requests, boot: "
        "2min, demand: "
        "1/h, service: {any: {time: 10s}}}}\n"
        "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, min_replicas: 0, max_replicas: "
        "3, autoscale: {name: keda, queue: 1}}}\n");
    double hours = value(&o, METRIC_NODE_HOURS), requests = value(&o, METRIC_REQUESTS);
    assert_in_range((uint64_t)requests, 180, 300);
    /* About 2 min + 5 min of cooldown a request, less where several share one start. */
    assert_true(hours > requests * 4 / 60 && hours < requests * 10 / 60);
    assert_true(value(&o, METRIC_LATENCY_P50) > 120 && value(&o, METRIC_LATENCY_P50) < 180);
    release(&o);
}

/* What drains serves too: nothing is busier than all the time, however often nodes are taken. */
static void no_replica_is_busier_than_all_the_time(void **state)
{
    (void)state;
    struct one o;
    run_one(
        &o, HEAD
        "horizon: 3d\nreplications: 1\nmarket: {spot: {g4dn.xlarge: {price: 0.2 USD/h, capacity: "
        "constant, interruptions: 2h, notice: 5min}}}\n"
        "workloads: {w: {kind: inference, mode: requests, boot: 1min, demand: 0.05/s, service: "
        "{any: {time: 60s}}}}\n"
        "strategies: {s: {instance: g4dn.xlarge, nodes: 2, buy: spot}}\n");
    assert_true(value(&o, METRIC_INTERRUPTIONS) > 30);
    double busy = value(&o, METRIC_REPLICA_BUSY);
    assert_true(busy > 0.99 && busy <= 1 + 1e-9);
    release(&o);
}

static void scaling_in_lets_requests_end(void **state)
{
    (void)state;
    /* Requests of up to a minute; every hour the service shrinks. */
    static const char text[] =
        HEAD "horizon: 2d\nreplications: 1\nworkloads: {w: {kind: inference, mode: requests, boot: "
             "0s, demand: 0.7/s, "
             "drain: %s, service: {any: {time: 'uniform(20s, 60s)'}}}}\n"
             "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, max_replicas: 40, autoscale: "
             "{name: scheduled, actions: [%s]}}}\n";
    char actions[2000] = "", full[4000];
    for (int hour = 0; hour < 24; hour++) {
        snprintf(actions + strlen(actions), sizeof actions - strlen(actions),
                 "%s{at: %dmin, replicas: 40}, {at: %dmin, replicas: 20}", hour > 0 ? ", " : "",
                 60 * hour, 60 * hour + 30);
    }
    struct one o;
    snprintf(full, sizeof full, text, "5min", actions);
    run_one(&o, full);
    assert_near(value(&o, METRIC_REQUESTS_LOST), 0, 0, "lost while draining");
    double drained_h = value(&o, METRIC_NODE_HOURS);
    release(&o);
    snprintf(full, sizeof full, text, "0s", actions);
    run_one(&o, full);
    assert_true(value(&o, METRIC_REQUESTS_LOST) > 0);
    assert_near(value(&o, METRIC_NODE_HOURS), 48 * 30, 1e-6, "node-hours without draining");
    assert_true(drained_h > 48 * 30);
    release(&o);
}

static void spot_takes_requests_with_it(void **state)
{
    (void)state;
    /* Nodes that live half an hour on average and go without notice. */
    static const char text[] = HEAD
        "horizon: 2d\nreplications: 1\nmarket: {spot: {g4dn.xlarge: {price: 0.2 USD/h, capacity: "
        "constant, nodes: 100, lifetime: exponential(30min), notice: %s}}}\n"
        "workloads: {w: {kind: inference, mode: requests, boot: 0s, demand: 0.2/s, retries: %d, "
        "service: {any: "
        "{time: 40s}}}}\n"
        "strategies: {s: {instance: g4dn.xlarge, buy: spot, nodes: 16}}\n";
    char full[2000];
    struct one o;
    double lost[3];
    static const struct {
        const char *notice;
        int retries;
    } ways[] = {{"0s", 0}, {"2min", 0}, {"0s", 20}};
    for (int i = 0; i < 3; i++) {
        snprintf(full, sizeof full, text, ways[i].notice, ways[i].retries);
        run_one(&o, full);
        lost[i] = value(&o, METRIC_REQUESTS_LOST);
        assert_true(value(&o, METRIC_INTERRUPTIONS) > 500);
        if (i == 2) {
            assert_true(value(&o, METRIC_RETRIES) > 100);
        }
        release(&o);
    }
    /* Of 40 s a share of 40 / 1800 is hit. */
    assert_near(lost[0], 0.2 * 172800 * 40 / 1800, 4 * sqrt(0.2 * 172800 * 40 / 1800), "lost");
    assert_near(lost[1], 0, 0, "with two minutes of notice");
    assert_near(lost[2], 0, 0, "sent again");
}

static void timeouts_are_given_up(void **state)
{
    (void)state;
    struct one o;
    /* M/M/1 with patience: at twice the load half of the requests are given up, and those who are
     * served have waited less than the timeout. */
    run_one(&o, HEAD "horizon: 20000s\nreplications: 1\nworkloads: {w: {kind: inference, mode: "
                     "requests, boot: 0s, demand: "
                     "2/s, timeout: 10s, service: {any: {time: exponential(1s)}}}}\n"
                     "strategies: {s: {instance: g4dn.xlarge, nodes: 1, buy: on-demand}}\n");
    double requests = value(&o, METRIC_REQUESTS);
    assert_near(value(&o, METRIC_REQUESTS_TIMED_OUT) / requests, 0.5, 0.02, "timed out");
    assert_true(value(&o, METRIC_REQUEST_WAIT_P95) <= 10.01);
    release(&o);
}

static void demand_is_the_same_for_every_strategy(void **state)
{
    (void)state;
    struct study *study = study_from_text(
        HEAD "horizon: 1d\nreplications: 3\nworkloads: {w: {kind: inference, mode: requests, "
             "demand: {rate: 1/s, "
             "cv: 2}, service: {any: {time: exponential(2s)}}}}\n"
             "strategies:\n  a: {instance: g4dn.xlarge, nodes: 4, buy: on-demand}\n"
             "  b: {instance: g4dn.xlarge, buy: spot, max_replicas: 20, autoscale: {name: hpa, "
             "utilisation: 60 %}}\n",
        NULL);
    struct run run;
    study_run(&run, study, 2);
    for (uint32_t r = 0; r < 3; r++) {
        assert_near(run_value(&run, 0, r, METRIC_REQUESTS), run_value(&run, 1, r, METRIC_REQUESTS),
                    0, "requests");
    }
    run_release(&run);
    study_free(study);
}

/* A share that nobody stated is an assumption; a stated one is none. */
static void the_share_of_an_objective_is_registered(void **state)
{
    (void)state;
    static const char *const shares[] = {"", ", share: 90 %"};
    for (int stated = 0; stated < 2; stated++) {
        char text[600];
        snprintf(text, sizeof text,
                 HEAD "horizon: 1d\nreplications: 1\nworkloads: {w: {kind: inference, demand: 1/s, "
                      "slo: {latency: 2s%s}, service: {any: {time: 1s}}}}\n"
                      "strategies:\n  a: {instance: g4dn.xlarge, nodes: 4, buy: on-demand}\n",
                 shares[stated]);
        struct study *study = study_from_text(text, NULL);
        size_t found = 0;
        for (size_t i = 0; i < study->assumptions.count; i++) {
            const struct assumption *a = &study->assumptions.items[i];
            if (strstr(a->what, "share of an hour's requests of w ") != NULL) {
                assert_string_equal(a->value, "95 %, for the hour to have met it");
                assert_string_equal(a->source, "default");
                found++;
            }
        }
        assert_int_equal(found, !stated);
        study_free(study);
    }
}

static void nothing_comes(void **state)
{
    (void)state;
    struct one o;
    run_one(&o, HEAD "horizon: 1d\nreplications: 1\nworkloads: {w: {kind: inference, mode: "
                     "requests, slo: 1s, demand: {rate: "
                     "0/s}, service: {any: {time: 1s}}}}\n"
                     "strategies: {s: {instance: g4dn.xlarge, nodes: 2, buy: on-demand}}\n");
    assert_near(value(&o, METRIC_REQUESTS), 0, 0, "requests");
    assert_true(isnan(value(&o, METRIC_LATENCY_P95)));
    assert_true(isnan(value(&o, METRIC_SLO_ATTAINED)));
    assert_true(isnan(value(&o, METRIC_PER_1000_REQUESTS)));
    assert_near(value(&o, METRIC_COST), 48 * G4DN, 1e-6, "cost");
    release(&o);
}

/* ---- what is refused ---- */

#define SERVICE                                                                                    \
    "workloads: {w: {kind: inference, mode: requests, demand: 1/s, service: {any: {time: 1s}}}}\n"

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *told;
    } rows[] = {
        {SERVICE "strategies: {s: {instance: g4dn.xlarge, buy: on-demand}}\n",
         "does not say how many replicas 'w' has"},
        {SERVICE "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, autoscale: {name: hpa, "
                 "utilisation: 60 %}}}\n",
         "scales 'w' without a limit; expected 'max_replicas: N'"},
        {SERVICE "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, min_replicas: 5, "
                 "max_replicas: 2, autoscale: {name: hpa, utilisation: 60 %}}}\n",
         "at least 5 replicas of 'w', and at most 2"},
        {SERVICE "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, max_replicas: 2, "
                 "autoscale: {name: hpa}}}\n",
         "hpa has no target"},
        {SERVICE "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, max_replicas: 2, "
                 "autoscale: {name: target-tracking, utilisation: 0 %}}}\n",
         "utilisation"},
        {SERVICE "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, nodes: 2, max_replicas: "
                 "3}}\n",
         "but nothing scales them"},
        {SERVICE "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, max_replicas: 99999, "
                 "autoscale: {name: hpa, queue: 5}}}\n",
         "at most 20000 can be simulated"},
        {"workloads: {w: {kind: inference, mode: requests, demand: 1/s, service: {p3.2xlarge: "
         "{time: 1s}}}}\n"
         "strategies: {s: {instance: g4dn.xlarge, nodes: 1, buy: on-demand}}\n",
         "does not say how a replica serves on g4dn.xlarge"},
        {"workloads: {w: {kind: inference, mode: requests, demand: 1/s, service: {g4dn.xlrge: "
         "{time: 1s}}}}\n"
         "strategies: {s: {instance: g4dn.xlarge, nodes: 1, buy: on-demand}}\n",
         "unknown instance type 'g4dn.xlrge'"},
        {"workloads: {w: {kind: inference, mode: requests, demand: 1/s, service: {any: {slots: "
         "2}}}}\n"
         "strategies: {s: {instance: g4dn.xlarge, nodes: 1, buy: on-demand}}\n",
         "states no time of service"},
        {"workloads: {w: {kind: inference, demand: 1/s, service: {any: {time: 1s, sharing: "
         "yes}}}}\n"
         "strategies: {s: {instance: g4dn.xlarge, nodes: 1, buy: on-demand}}\n",
         "expected 'sharing' with 'time' and 'slots' of 2 or more"},
        {"workloads: {w: {kind: inference, mode: requests, demand: 1/s, service: {any: {batch: "
         "{max: 4, base: 0s, "
         "each: 0s}}}}}\n"
         "strategies: {s: {instance: g4dn.xlarge, nodes: 1, buy: on-demand}}\n",
         "batches of 'w' on any take no time"},
        {"workloads: {w: {kind: inference, demand: 1/s, service: {any: {time: 0s}}}}\n"
         "strategies: {s: {instance: g4dn.xlarge, nodes: 1, buy: on-demand}}\n",
         "requests of 'w' on any take no time"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[2000];
        int exit_code = 0;
        snprintf(text, sizeof text, HEAD "horizon: 1d\n%s", rows[i].text);
        char *told = study_errors(text, &exit_code);
        if (strstr(told, rows[i].told) == NULL) {
            fail_msg("expected '%s', told:\n%s", rows[i].told, told);
        }
        free(told);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replicas_are_paid_by_the_schedule),
        cmocka_unit_test(nodes_are_billed_and_replicas_scaled),
        cmocka_unit_test(a_replica_serves_once_it_has_loaded),
        cmocka_unit_test(scale_to_zero_pays_with_cold_starts),
        cmocka_unit_test(no_replica_is_busier_than_all_the_time),
        cmocka_unit_test(scaling_in_lets_requests_end),
        cmocka_unit_test(spot_takes_requests_with_it),
        cmocka_unit_test(timeouts_are_given_up),
        cmocka_unit_test(demand_is_the_same_for_every_strategy),
        cmocka_unit_test(the_share_of_an_objective_is_registered),
        cmocka_unit_test(nothing_comes),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    gsl_errors_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
