/* SPDX-License-Identifier: GPL-3.0-or-later
 * The fleets of services from scenario files: what their autoscalers see and when, and what stands
 * there beside the replicas that are asked for. Known answers are counted by hand: requests come
 * regularly (cv 0.01) and nodes are there at once (boot 0 s), so that hours follow from the rules.
 */
#include "engine/gsl_errors.h"
#include "scenarios/study/simulation.h"
#include "tests/support/program.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "version: 1\nstart: 2026-03-02\nregion: us-east-1\nprices_as_of: 2025-11-30\n"

/* ---- one world ---- */

struct one {
    struct study *study;
    struct run run;
};

static void run_one(struct one *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void run_one(struct one *o, const char *format, ...)
{
    char text[4000];
    va_list args;
    va_start(args, format);
    int size = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    assert_true(size > 0 && size < (int)sizeof text);
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

/* ---- monitoring ---- */

/* 10 requests/s for an hour, then 20; 6 a replica are aimed at: 2 replicas, then 4, once three
 * datapoints were above the target. */
#define GROWS                                                                                      \
    HEAD                                                                                           \
        "horizon: 2h\nreplications: 1\nworkloads: {w: {kind: inference, mode: %s, boot: 0s, "      \
        "demand: "                                                                                 \
        "{rate: 10/s, cv: 0.01, events: [{from: 1h, for: 1h, factor: 2}]}, service: {any: {time: " \
        "10ms}}}}\n"                                                                               \
        "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, nodes: 2, max_replicas: %d, "     \
        "autoscale: {name: target-tracking, requests: 6/s}%s}}\n"

static void datapoints_are_seen_when_they_are_stated_to_be(void **state)
{
    (void)state;
    static const struct {
        const char *monitoring;
        double minute; /* at which two more are asked for */
    } rows[] = {
        {"", 63},
        {", monitoring: {delay: 0s}", 63},
        {", monitoring: {delay: 5min}", 68},
        /* At the next look after it, which is a whole minute. */
        {", monitoring: {delay: 150s}", 66},
        /* Three of five minutes each (EC2's basic monitoring), seen at once, or late. */
        {", monitoring: {period: 5min}", 75},
        {", monitoring: {period: 5min, delay: 2min}", 77},
        /* Those of a minute, together, are the datapoint of a minute. */
        {", monitoring: {period: 10s}", 63},
        {", monitoring: {period: 10s, delay: 1min}", 64},
    };
    static const char *const modes[] = {"requests", "interval"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t k = 0; k < 2; k++) {
            struct one o;
            run_one(&o, GROWS, modes[k], 4, rows[i].monitoring);
            double hours = 2 * 2 + 2 * (120 - rows[i].minute) / 60;
            assert_near(value(&o, METRIC_NODE_HOURS), hours, 1e-6, rows[i].monitoring);
            release(&o);
        }
    }
}

/* A mean that is late goes on to say that each replica is too busy: more are added at every look,
 * the limit of 9 is met, and a quarter of an hour later all too many go. */
static void late_datapoints_overshoot(void **state)
{
    (void)state;
    struct one o;
    run_one(&o, GROWS, "requests", 9, "");
    assert_near(value(&o, METRIC_NODE_HOURS), (2 * 63 + 4 * 57) / 60.0, 1e-6, "at once");
    release(&o);
    run_one(&o, GROWS, "requests", 9, ", monitoring: {delay: 5min}");
    /* 2 for 68 min, 4, 7, and 9 from minute 70 to 87. */
    double so_far = (2 * 68 + 4 + 7 + 9 * 17) / 60.0;
    assert_true(value(&o, METRIC_NODE_HOURS) > so_far + 33 / 60.0 * 2);
    release(&o);
}

/* Errors make an autoscaler restless: it asks for more than without them, in both modes alike. */
static void errors_cost_replicas(void **state)
{
    (void)state;
    static const char *const modes[] = {"requests", "interval"};
    double hours[2][2];
    for (size_t k = 0; k < 2; k++) {
        for (size_t noisy = 0; noisy < 2; noisy++) {
            struct one o;
            run_one(&o,
                    HEAD
                    "horizon: 3d\nreplications: 1\nworkloads: {w: {kind: inference, mode: %s, "
                    "boot: 0s, demand: {rate: 5.5/s, cv: 0.01}, service: {any: {time: 10ms}}}}\n"
                    "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, nodes: 10, "
                    "max_replicas: 99, autoscale: {name: hpa, requests: 0.55/s}%s}}\n",
                    modes[k], noisy ? ", monitoring: {noise: 20 %}" : "");
            hours[k][noisy] = value(&o, METRIC_NODE_HOURS);
            release(&o);
        }
        assert_near(hours[k][0], 72 * 10, 1e-6, "without errors");
        assert_true(hours[k][1] > 72 * 12 && hours[k][1] < 72 * 25);
    }
    /* The same errors at the same looks: the same replicas. */
    assert_near(hours[0][1], hours[1][1], 0.01 * hours[0][1], "both modes");
}

/* A hundred requests/s for replicas that serve one a second: each is busy from when it is there,
 * 50 s after it was asked for. Each minute is fully busy, whoever came in it, so that one more is
 * asked for at each of the first three looks and none is taken away; divided by the replicas at its
 * end the second minute, of 60 and 10 s, would be busy for 58 %. */
static void a_replica_that_came_was_not_idle_before(void **state)
{
    (void)state;
    static const char *const modes[] = {"requests", "interval"};
    static const char *const monitoring[] = {"", ", monitoring: {period: 1min}"};
    for (size_t i = 0; i < 4; i++) {
        struct one o;
        run_one(&o,
                HEAD "horizon: 1h\nreplications: 1\nworkloads: {w: {kind: inference, mode: %s, "
                     "boot: 50s, demand: {rate: 100/s, cv: 0.01}, service: {any: {time: 1s}}}}\n"
                     "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, nodes: 1, "
                     "max_replicas: 4, autoscale: {name: step-scaling, out: {utilisation: 90 %%, "
                     "count: 1}, in: {utilisation: 60 %%, count: 1}}%s}}\n",
                modes[i % 2], monitoring[i / 2]);
        assert_near(value(&o, METRIC_NODE_HOURS), (60 + 59 + 58 + 57) / 60.0, 1e-6, modes[i % 2]);
        release(&o);
    }
}

/* Three of four replicas are to go, and are wanted again a minute later, when requests of two
 * minutes and a half are on them still: as many are inside then as if they had always served. */
static void who_is_wanted_again_has_its_requests_still(void **state)
{
    (void)state;
    double left[2];
    for (int moved = 0; moved < 2; moved++) {
        struct one o;
        run_one(&o,
                HEAD "horizon: 1870s\nreplications: 1\nworkloads: {w: {kind: inference, mode: "
                     "interval, boot: 0s, drain: 30min, demand: 0.4/s, llm: {model: llama-2-7b, "
                     "prompt: 200, output: 1500, factor: 5}}}\n"
                     "strategies: {s: {instance: p4d.24xlarge, buy: on-demand, nodes: 1, "
                     "max_replicas: 8, autoscale: {name: scheduled, actions: [{at: 0h, replicas: "
                     "4}%s]}}}\n",
                moved ? ", {at: 30min, replicas: 1}, {at: 31min, replicas: 4}" : "");
        left[moved] = value(&o, METRIC_REQUESTS_LEFT);
        release(&o);
    }
    assert_near(left[1], left[0], 0.1 * left[0], "inside");
}

/* ---- footprint ---- */

static void spares_stand_beside_what_is_asked_for(void **state)
{
    (void)state;
    static const struct {
        const char *more, *strategy;
        double nodes, replicas;
    } rows[] = {
        {"", "nodes: 4", 4, 4},
        {"", "nodes: 4, footprint: {spare_replicas: 1}", 5, 5},
        {"", "nodes: 4, footprint: {spare_nodes: 2}", 6, 6},
        /* Four on two nodes; as many as a node holds beside them, or one. */
        {", replicas_per_node: 2", "nodes: 2, footprint: {spare_nodes: 1}", 3, 6},
        {", replicas_per_node: 2", "nodes: 2, footprint: {spare_replicas: 1}", 3, 5},
        /* Three zones: six, of which any two zones hold four. */
        {"",
         "nodes: 4, footprint: {zones: [us-east-1a, us-east-1b, us-east-1c], "
         "survive_zone: yes}",
         6, 6},
        {"", "nodes: 4, footprint: {zones: [us-east-1a, us-east-1b, us-east-1c]}", 4, 4},
        /* Two replicas in each of two zones, three of which fill no node. */
        {", replicas_per_node: 3",
         "max_replicas: 9, autoscale: {name: fixed, replicas: 4}, footprint: {zones: "
         "[us-east-1a, us-east-1b]}",
         2, 4},
        /* The autoscaler asks for three and does not see the fourth. */
        {"",
         "max_replicas: 9, nodes: 3, autoscale: {name: hpa, requests: 1/s}, footprint: "
         "{spare_replicas: 1}",
         4, 4},
    };
    static const char *const modes[] = {"requests", "interval"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t k = 0; k < 2; k++) {
            struct one o;
            run_one(&o,
                    HEAD
                    "horizon: 1d\nreplications: 1\nworkloads: {w: {kind: inference, mode: %s, "
                    "boot: 0s, demand: {rate: 3/s, cv: 0.01}, service: {any: {time: 10ms%s}}}}\n"
                    "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, %s}}\n",
                    modes[k], rows[i].more, rows[i].strategy);
            assert_near(value(&o, METRIC_NODE_HOURS), 24 * rows[i].nodes, 1e-6, rows[i].strategy);
            assert_near(value(&o, METRIC_REPLICA_HOURS), 24 * rows[i].replicas, 1e-6, "replicas");
            release(&o);
        }
    }
}

static void an_autoscaler_goes_on_as_without_spares(void **state)
{
    (void)state;
    static const char *const modes[] = {"requests", "interval"};
    for (size_t k = 0; k < 2; k++) {
        struct one o;
        run_one(&o, GROWS, modes[k], 4, ", footprint: {spare_replicas: 3}");
        assert_near(value(&o, METRIC_NODE_HOURS), (5 * 63 + 7 * 57) / 60.0, 1e-6, modes[k]);
        release(&o);
    }
}

/* ---- nodes at a moment ---- */

struct moment_world {
    struct study *study;
    struct simulation *simulation;
    char *folder;
};

/* `text` with the folder of a trace for its only %s. */
static void world_open(struct moment_world *w, const char *trace, const char *text)
{
    char full[4000];
    const struct simulation_outputs out = {0};
    w->folder = program_folder_new();
    program_file(w->folder, "t.csv", trace);
    assert_non_null(strstr(text, "FOLDER"));
    size_t before = (size_t)(strstr(text, "FOLDER") - text);
    snprintf(full, sizeof full, "%.*s%s%s", (int)before, text, w->folder,
             text + before + strlen("FOLDER"));
    w->study = study_from_text(full, NULL);
    w->simulation = simulation_new(w->study);
    assert_non_null(w->simulation);
    assert_true(simulation_begin_world(w->simulation, 0));
    assert_true(simulation_run_strategy(w->simulation, 0, &out));
}

static void world_close(struct moment_world *w)
{
    simulation_free(w->simulation);
    study_free(w->study);
    program_folder_free(w->folder);
}

/* Nodes that are held, paid or not, at this hour: in this zone ("": any) and bought so. */
static int held_at(const struct moment_world *w, double hour, const char *zone,
                   enum purchase purchase)
{
    const struct usage_log *log = simulation_usage(w->simulation);
    const struct market_plan *market = market_plan_of(simulation_market(w->simulation));
    int64_t at_us = (int64_t)(hour * 3600e6);
    int held = 0;
    for (size_t i = 0; i < log->count; i++) {
        const struct usage *u = &log->records[i];
        const struct pool_info *pool = market_pool_info(market, u->pool);
        if (u->start_us <= at_us && at_us < u->end_us && pool->purchase == purchase &&
            (zone[0] == '\0' || strcmp(pool->zone, zone) == 0)) {
            held += (int)usage_nodes(u);
        }
    }
    return held;
}

#define TRACE_HEAD "zone,instance_type,start,tick_s,time_s,nodes,price_per_hour,mark\n"
#define ALWAYS(zone)                                                                               \
    "us-east-1" zone ",g4dn.xlarge,2026-01-01T00:00:00Z,0,0,9,,\n"                                 \
    "us-east-1" zone ",g4dn.xlarge,,,86400,,,end\n"

/* Zone b has nothing from 10 to 12 o'clock: a and c stand in until its nodes have booted again. */
static void zones_stand_in_for_one_that_is_out(void **state)
{
    (void)state;
    static const char trace[] =
        TRACE_HEAD ALWAYS("a") "us-east-1b,g4dn.xlarge,2026-01-01T00:00:00Z,0,0,9,,\n"
                               "us-east-1b,g4dn.xlarge,,,36000,0,,\n"
                               "us-east-1b,g4dn.xlarge,,,43200,9,,\n"
                               "us-east-1b,g4dn.xlarge,,,86400,,,end\n" ALWAYS("c");
    struct moment_world w;
    world_open(&w, trace,
               HEAD "horizon: 1d\nreplications: 1\nmarket: {spot: {g4dn.xlarge: {capacity: replay, "
                    "trace: {file: FOLDER/t.csv, start: 0s}, price: 0.2 USD/h, notice: 0s}}}\n"
                    "workloads: {w: {kind: inference, mode: requests, boot: 10min, demand: 1/s, "
                    "service: {any: {time: 10ms}}}}\n"
                    "strategies: {s: {instance: g4dn.xlarge, buy: spot, nodes: 4, footprint: "
                    "{zones: [us-east-1a, us-east-1b, us-east-1c], survive_zone: yes}}}\n");
    static const struct {
        double hour;
        int in[3];
    } rows[] = {{0.1, {2, 2, 2}},  {9.9, {2, 2, 2}},  {10.05, {3, 0, 3}}, {11.9, {3, 0, 3}},
                {12.1, {3, 2, 3}}, {12.2, {2, 2, 2}}, {23.9, {2, 2, 2}}};
    static const char *const zones[] = {"us-east-1a", "us-east-1b", "us-east-1c"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t z = 0; z < 3; z++) {
            int held = held_at(&w, rows[i].hour, zones[z], PURCHASE_SPOT);
            if (held != rows[i].in[z]) {
                fail_msg("at %g h %d nodes in %s, expected %d", rows[i].hour, held, zones[z],
                         rows[i].in[z]);
            }
        }
    }
    world_close(&w);
}

/* SkyServe: three are asked for, one of spot is over-provisioned (num_overprovision: 1), and what
 * spot has not of the four stands on demand until it has (dynamic_ondemand_fallback). */
static void on_demand_stands_in_for_spot_as_skyserve_has_it(void **state)
{
    (void)state;
    static const char trace[] = TRACE_HEAD "us-east-1a,g4dn.xlarge,2026-01-01T00:00:00Z,0,0,9,,\n"
                                           "us-east-1a,g4dn.xlarge,,,36000,2,,\n"
                                           "us-east-1a,g4dn.xlarge,,,43200,9,,\n"
                                           "us-east-1a,g4dn.xlarge,,,86400,,,end\n";
    struct moment_world w;
    world_open(&w, trace,
               HEAD "horizon: 1d\nreplications: 1\nmarket: {spot: {g4dn.xlarge: {capacity: replay, "
                    "trace: {file: FOLDER/t.csv, start: 0s}, price: 0.2 USD/h, notice: 0s}}}\n"
                    "workloads: {w: {kind: inference, mode: requests, boot: 10min, demand: 1/s, "
                    "service: {any: {time: 10ms}}}}\n"
                    "strategies: {s: {instance: g4dn.xlarge, fill: [{buy: spot}, {buy: "
                    "on-demand}], nodes: 3, footprint: {spare_replicas: 1}}}\n");
    static const struct {
        double hour;
        int spot, on_demand;
    } rows[] = {{5, 4, 0}, {10.05, 2, 2}, {11.9, 2, 2}, {12.1, 4, 2}, {12.2, 4, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(held_at(&w, rows[i].hour, "", PURCHASE_SPOT), rows[i].spot);
        assert_int_equal(held_at(&w, rows[i].hour, "", PURCHASE_ON_DEMAND), rows[i].on_demand);
    }
    world_close(&w);
}

/* ---- rollouts ---- */

static void rollouts_are_paid_for_as_long_as_they_take(void **state)
{
    (void)state;
    static const struct {
        const char *rollouts;
        double more; /* node-hours */
    } rows[] = {
        {"{every: 10h, takes: 30min}", 3 * 4 * 0.5},
        {"{every: 10h, takes: 30min, extra: 30 %}", 3 * 2 * 0.5},
        {"{every: 10h, from: 6h, takes: 1h}", 3 * 4 * 1},
        {"{at: [5h, '2026-03-02T20:00Z'], takes: 2h, extra: 50 %}", 2 * 2 * 2},
        /* The last is cut by the horizon, two overlap. */
        {"{at: 34h, takes: 2h}", 4 * 1},
        {"{at: [5h, 6h], takes: 2h}", 4 * 3},
        {"{at: 5h, takes: 2h, extra: 0 %}", 0},
    };
    static const char *const modes[] = {"requests", "interval"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t k = 0; k < 2; k++) {
            struct one o;
            run_one(&o,
                    HEAD
                    "horizon: 35h\nreplications: 1\nworkloads: {w: {kind: inference, mode: %s, "
                    "boot: 0s, demand: 1/s, service: {any: {time: 10ms}}, rollouts: %s}}\n"
                    "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, nodes: 4}}\n",
                    modes[k], rows[i].rollouts);
            assert_near(value(&o, METRIC_NODE_HOURS), 35 * 4 + rows[i].more, 1e-6,
                        rows[i].rollouts);
            assert_near(value(&o, METRIC_REPLICA_HOURS), 35 * 4, 1e-6, "replica-hours");
            assert_near(value(&o, METRIC_COST), (35 * 4 + rows[i].more) * 0.526, 1e-6, "cost");
            release(&o);
        }
    }
}

/* ---- warm pools ---- */

/* Two replicas, four from 8 to 10 o'clock. A new node boots for 10 min and loads for 5; a stopped
 * one starts in a minute and loads for half a minute. Making one ready takes a quarter of an hour,
 * and a volume of 73 GiB costs a cent an hour. */
static void stopped_nodes_are_started_first(void **state)
{
    (void)state;
    static const struct {
        const char *warm;
        double prepared;       /* nodes that are made ready */
        double late_h, volume; /* until the two are ready, summed; volume-hours */
    } rows[] = {
        {"", 0, 2 * 0.25, 52},
        /* Four stand always, two of them stopped; new ones replace those that ended. */
        {", warm_pool: {start: 1min, load: 30s}", 4, 2 * 0.025, 96},
        /* A stopped node is a node with its volume, so that there are four of those all day. */
        {", warm_pool: {start: 1min, load: 30s, reuse: yes}", 2, 2 * 0.025, 96},
        {", warm_pool: {start: 1min, reuse: yes}", 2, 2 * (1 / 60.0 + 5 / 60.0), 96},
        {", warm_pool: {start: 1min, load: 30s, prepared: 3}", 2, 0.025 + 0.25, 96 - 22},
        {", warm_pool: {start: 1min, load: 30s, min: 1}", 4, 2 * 0.025, 96 + 2},
        {", warm_pool: {start: 1min, load: 30s, prepared: 0}", 0, 2 * 0.25, 52},
    };
    static const char *const modes[] = {"requests", "interval"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t k = 0; k < 2; k++) {
            struct one o;
            run_one(&o,
                    HEAD
                    "horizon: 1d\nreplications: 1\nworkloads: {w: {kind: inference, mode: %s, "
                    "boot: 10min, load: 5min, demand: {rate: 3/s, cv: 0.01}, service: {any: "
                    "{time: 10ms}}, disk: {size: 73 GiB, per_gb_month: 0.1 USD}}}\n"
                    "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, nodes: 2, "
                    "max_replicas: 4, autoscale: {name: scheduled, actions: [{at: 8h, replicas: "
                    "4}, {at: 10h, replicas: 2}]}%s}}\n",
                    modes[k], rows[i].warm);
            double hours = 52 + 0.25 * rows[i].prepared;
            assert_near(value(&o, METRIC_NODE_HOURS), hours, 1e-6, rows[i].warm);
            assert_near(value(&o, METRIC_REPLICA_HOURS), 52 - 2 * 0.25 - rows[i].late_h, 1e-6,
                        rows[i].warm);
            assert_near(value(&o, METRIC_COST), hours * 0.526 + 0.01 * rows[i].volume, 1e-5,
                        "with the volumes");
            release(&o);
        }
    }
}

/* ---- admission ---- */

struct admission_case {
    const char *demand, *service, *admission;
    double rejected; /* share */
};

static const struct admission_case admission_cases[] = {
    /* Erlang B of 4 slots and 3 of load: 3^4/4! / (1 + 3 + 9/2 + 27/6 + 81/24). */
    {"3/s", "{time: exponential(1s), slots: 4}", "{in_flight: 4}", 0.20610687022900763},
    {"3/s", "{time: exponential(1s), slots: 4}", "{in_flight_per_replica: 4}", 0.20610687022900763},
    /* M/M/1/4 at 0.8: three may wait a second each. */
    {"0.8/s", "{time: exponential(1s)}", "{wait: 3s}", 0.12184673964778677},
    /* After one that is let in none is for 0.2 s: 1 - 1 / (1 + 10 · 0.2). */
    {"10/s", "{time: 1ms}", "{rate: 5/s}", 2.0 / 3},
    /* Evenly every 0.1 s, and a token for every other. */
    {"{rate: 10/s, cv: 0.01}", "{time: 1ms}", "{rate: 5.5/s}", 0.5},
};

static void those_beyond_the_limits_are_rejected(void **state)
{
    (void)state;
    enum { WORLDS = 16 };
    for (size_t i = 0; i < sizeof admission_cases / sizeof admission_cases[0]; i++) {
        const struct admission_case *c = &admission_cases[i];
        struct one o;
        run_one(
            &o,
            HEAD
            "horizon: 2h\nreplications: 16\nseed: 5\nworkloads: {w: {kind: inference, mode: "
            "requests, boot: 0s, measure_from: 10min, demand: %s, service: {any: %s}, admission: "
            "%s}}\nstrategies: {s: {instance: g4dn.xlarge, nodes: 1, buy: on-demand}}\n",
            c->demand, c->service, c->admission);
        double share[WORLDS], mean = 0, squares = 0;
        const double exact = c->rejected;
        for (uint32_t r = 0; r < WORLDS; r++) {
            double requests = run_value(&o.run, 0, r, METRIC_REQUESTS), sum = 0;
            static const enum metric parts[] = {
                METRIC_REQUESTS_SERVED, METRIC_REQUESTS_DROPPED, METRIC_REQUESTS_TIMED_OUT,
                METRIC_REQUESTS_LOST,   METRIC_REQUESTS_LEFT,    METRIC_REQUESTS_REJECTED};
            for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
                sum += run_value(&o.run, 0, r, parts[k]);
            }
            assert_near(sum, requests, 0, "requests add up");
            assert_near(run_value(&o.run, 0, r, METRIC_REQUESTS_DROPPED), 0, 0, "dropped");
            share[r] = run_value(&o.run, 0, r, METRIC_REQUESTS_REJECTED) / requests;
            mean += share[r] / WORLDS;
        }
        for (uint32_t r = 0; r < WORLDS; r++) {
            squares += (share[r] - mean) * (share[r] - mean);
        }
        double error = sqrt(squares / (WORLDS - 1) / WORLDS);
        assert_near(mean, exact, 4 * error + 1e-4, c->admission);
        assert_true(error < 0.05 * exact + 1e-9);
        release(&o);
    }
}

/* A bucket of 100 that does not fill: all but 100 are rejected, and sent again twice before. */
static void who_is_turned_away_may_come_again(void **state)
{
    (void)state;
    struct one o;
    run_one(&o, HEAD
            "horizon: 1h\nreplications: 1\nworkloads: {w: {kind: inference, mode: requests, boot: "
            "0s, demand: {rate: 1/s, until: 50min}, service: {any: {time: 1ms}}, retries: 2, "
            "retry_after: 10s, admission: {rate: 1e-9/s, burst: 100}}}\n"
            "strategies: {s: {instance: g4dn.xlarge, nodes: 1, buy: on-demand}}\n");
    double requests = value(&o, METRIC_REQUESTS), served = value(&o, METRIC_REQUESTS_SERVED);
    double rejected = value(&o, METRIC_REQUESTS_REJECTED), left = value(&o, METRIC_REQUESTS_LEFT);
    assert_near(served, 100, 0, "served");
    assert_near(rejected + left, requests - 100, 0, "the rest");
    /* Those left at the end wait to come again. */
    assert_true(left < 40);
    double retries = value(&o, METRIC_RETRIES);
    assert_true(retries >= 2 * rejected && retries <= 2 * (rejected + left));
    release(&o);
}

/* ---- jobs ---- */

/* A job for each request: a node for ten minutes of boot and an hour of work, and nothing else. */
static void a_job_ends_with_its_request(void **state)
{
    (void)state;
    struct one o;
    run_one(&o, HEAD
            "horizon: 10d\nreplications: 1\nworkloads: {w: {kind: inference, boot: 10min, demand: "
            "{rate: 2/h, events: [{from: 9d, for: 1d, factor: 0}]}, service: {any: {time: 1h}}}}\n"
            "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, max_replicas: 50, autoscale: "
            "keda-jobs}}\n");
    double requests = value(&o, METRIC_REQUESTS);
    assert_true(requests > 300);
    assert_near(value(&o, METRIC_REQUESTS_SERVED), requests, 0, "served");
    /* A node that boots for a job which found another meanwhile may be used by the next. */
    double launches = value(&o, METRIC_LAUNCHES);
    assert_true(launches <= requests && launches > 0.9 * requests);
    assert_near(value(&o, METRIC_NODE_HOURS), requests + launches * 10 / 60, 1e-6, "node-hours");
    assert_near(value(&o, METRIC_REPLICA_HOURS), requests, 1e-6, "replica-hours");
    assert_near(value(&o, METRIC_REPLICA_BUSY), 1, 1e-9, "busy");
    /* Ten minutes, and up to half a minute until it is seen; less for those that find the node of
     * a job which has just ended. */
    double wait_s = value(&o, METRIC_REQUEST_WAIT_MEAN);
    assert_true(wait_s > 420 && wait_s < 620);
    release(&o);
}

/* Two a node: requests on one node share its boot. No more nodes than jobs, no fewer than half. */
static void jobs_share_nodes(void **state)
{
    (void)state;
    struct one o;
    run_one(&o, HEAD
            "horizon: 10d\nreplications: 1\nworkloads: {w: {kind: inference, boot: 10min, load: "
            "5min, demand: {rate: 6/h, events: [{from: 9d, for: 1d, factor: 0}]}, service: {any: "
            "{time: 'uniform(30min, 90min)', "
            "replicas_per_node: 2}}}}\n"
            "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, max_replicas: 50, autoscale: "
            "keda-jobs}}\n");
    double requests = value(&o, METRIC_REQUESTS), jobs = value(&o, METRIC_REPLICA_HOURS);
    assert_near(value(&o, METRIC_REQUESTS_SERVED), requests, 0, "served");
    assert_near(value(&o, METRIC_REQUESTS_LOST), 0, 0, "none is ended at work");
    assert_near(jobs, requests, 0.05 * requests, "replica-hours");
    double hours = value(&o, METRIC_NODE_HOURS), loads = requests * 5 / 60;
    assert_true(hours > (jobs + loads) / 2 && hours < jobs + loads + requests * 10 / 60);
    release(&o);
}

/* One node is stopped when its job has ended, and started in a minute for the next. */
static void jobs_start_stopped_nodes(void **state)
{
    (void)state;
    struct one o;
    run_one(&o, HEAD
            "horizon: 30d\nreplications: 1\nworkloads: {w: {kind: inference, boot: 10min, disk: "
            "100 GB, demand: {rate: 0.05/h, events: [{from: 29d, for: 1d, factor: 0}]}, service: "
            "{any: {time: 1h}}}}\n"
            "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, max_replicas: 50, autoscale: "
            "keda-jobs, warm_pool: {start: 1min, prepared: 1, reuse: yes}}}\n");
    double requests = value(&o, METRIC_REQUESTS);
    assert_true(requests > 20);
    /* Now and then one comes while the node is at work. */
    double wait_s = value(&o, METRIC_REQUEST_WAIT_MEAN);
    assert_true(wait_s > 60 && wait_s < 60 + 30 + 120);
    assert_near(value(&o, METRIC_NODE_HOURS), requests * 61 / 60 + 10 / 60.0, 0.03 * requests,
                "node-hours");
    release(&o);
}

/* A queue that holds what waits only: by default running jobs stand against new ones. */
static void strategies_of_jobs_differ(void **state)
{
    (void)state;
    static const char *const lists[] = {"{name: keda-jobs, in_flight: no, strategy: eager}",
                                        "{name: keda-jobs, in_flight: no}"};
    double wait_s[2];
    for (size_t i = 0; i < 2; i++) {
        struct one o;
        run_one(
            &o,
            HEAD
            "horizon: 10d\nreplications: 1\nworkloads: {w: {kind: inference, boot: 0s, demand: "
            "{rate: 2/h, events: [{from: 9d, for: 1d, factor: 0}]}, service: {any: {time: 3h}}}}\n"
            "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, max_replicas: 50, "
            "autoscale: %s}}\n",
            lists[i]);
        wait_s[i] = value(&o, METRIC_REQUEST_WAIT_MEAN);
        release(&o);
    }
    assert_near(wait_s[0], 15, 5, "eager: until it is seen");
    assert_true(wait_s[1] > 1800);
}

/* Spot takes the nodes of jobs: requests are sent again, and others are started for them. */
static void jobs_are_started_anew_when_their_node_vanishes(void **state)
{
    (void)state;
    struct one o;
    run_one(&o,
            HEAD "horizon: 10d\nreplications: 1\nmarket: {spot: {g4dn.xlarge: {price: 0.2 USD/h, "
                 "capacity: constant, interruptions: 10h, notice: 0s}}}\n"
                 "workloads: {w: {kind: inference, boot: 5min, demand: {rate: 2/h, events: [{from: "
                 "8d, for: 2d, factor: 0}]}, service: "
                 "{any: {time: 1h}}, retries: 50}}\n"
                 "strategies: {s: {instance: g4dn.xlarge, buy: spot, max_replicas: 50, autoscale: "
                 "keda-jobs}}\n");
    assert_true(value(&o, METRIC_INTERRUPTIONS) > 10);
    assert_near(value(&o, METRIC_REQUESTS_SERVED), value(&o, METRIC_REQUESTS), 0, "served");
    assert_true(value(&o, METRIC_RETRIES) > 10);
    /* Work that was lost is paid twice, and nothing stands when all is done. */
    assert_true(value(&o, METRIC_NODE_HOURS) < 1.5 * value(&o, METRIC_REQUESTS));
    release(&o);
}

/* Nine of ten are turned away at once, and those that are served take a second: that is the latency
 * that an autoscaler sees, and it asks for twice the replicas as often as it may. */
static void who_is_turned_away_has_no_latency(void **state)
{
    (void)state;
    struct one o;
    run_one(
        &o, HEAD
        "horizon: 2h\nreplications: 1\nworkloads: {w: {kind: inference, mode: requests, boot: "
        "0s, demand: 40/s, service: {any: {time: 1s}}, admission: {in_flight_per_replica: 1}}}\n"
        "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, nodes: 2, max_replicas: 4, "
        "autoscale: {name: hpa, latency: 500ms}}}\n");
    assert_true(value(&o, METRIC_REQUESTS_REJECTED) > 0.85 * value(&o, METRIC_REQUESTS));
    assert_near(value(&o, METRIC_LATENCY_P50), 1, 0.01, "latency");
    assert_near(value(&o, METRIC_NODE_HOURS), 8, 0.05, "four from the first looks on");
    release(&o);
}

/* ---- what is refused ---- */

#define MODE_W(mode, strategy)                                                                     \
    "workloads: {w: {kind: inference, mode: " mode ", demand: 5/s, service: {any: {time: "         \
    "exponential(100ms)}}}}\nstrategies: {s: {instance: g4dn.xlarge, buy: on-demand, " strategy    \
    "}}\n"

#define ROLLS(rollouts)                                                                            \
    "workloads: {w: {kind: inference, mode: requests, demand: 5/s, service: {any: {time: 1s}}, "   \
    "rollouts: " rollouts "}}\nstrategies: {s: {instance: g4dn.xlarge, buy: on-demand, nodes: "    \
    "2}}\n"

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *told;
    } rows[] = {
        {MODE_W("requests", "nodes: 2, monitoring: {delay: 1min}"),
         "the 'monitoring' of 'w', which nothing looks at; add 'autoscale', or drop it"},
        {MODE_W("interval", "max_replicas: 9, autoscale: {name: hpa, utilisation: 60 %}, "
                            "monitoring: {period: 40s}"),
         "datapoints of 40 s end in the middle of the steps of 15 s"},
        {MODE_W("interval", "max_replicas: 9, autoscale: {name: hpa, utilisation: 60 %}, "
                            "monitoring: {period: 40s}"),
         "or 'mode: requests' in 'w'"},
        {MODE_W("requests", "max_replicas: 9, autoscale: {name: hpa, utilisation: 60 %}, "
                            "monitoring: {delay: 1d}"),
         "'delay': '1d' is above 6 h"},
        {MODE_W("requests", "nodes: 2, footprint: {survive_zone: yes}"),
         "survive the loss of a zone, but states none; add 'zones:"},
        {MODE_W("requests", "nodes: 2, footprint: {zones: [us-east-1a, us-east-1a]}"),
         "zone 'us-east-1a' stands twice"},
        {MODE_W("requests", "nodes: 2, footprint: {zones: [us-east-1a, us-west-2b]}"),
         "us-west-2b"},
        {MODE_W("requests", "nodes: 19999, footprint: {spare_nodes: 10}"),
         "wants up to 20009 replicas of 'w'; at most 20000"},
        {MODE_W("requests", "max_replicas: 9, autoscale: {name: hpa, utilisation: 60 %}, "
                            "warm_pool: {start: 1min}"),
         "cost their volumes, which strategy 's' knows nothing of; state 'disk:"},
        {"workloads: {w: {kind: inference, demand: 5/s, service: {any: {time: 1s}}, disk: 100 GB}}"
         "\nstrategies: {s: {instance: g4dn.xlarge, buy: spot, nodes: 2, warm_pool: {start: "
         "1min}}}\n",
         "expected 'buy: on-demand' (spot cannot be stopped in a warm pool)"},
        {"workloads: {w: {kind: inference, demand: 5/s, service: {any: {time: 1s}}, disk: 100 GB}}"
         "\nstrategies: {s: {instance: g4dn.xlarge, buy: on-demand, nodes: 2, warm_pool: {start: "
         "1min}}}\n",
         "'w' always has its 2 nodes; add 'autoscale', or 'min'"},
        {"workloads: {w: {kind: inference, demand: 5/s, service: {any: {time: 1s}}, admission: "
         "{burst: 3}}}\nstrategies: {s: {instance: g4dn.xlarge, buy: on-demand, nodes: 2}}\n",
         "'admission' of 'w' limits nothing; expected 'in_flight'"},
        {"workloads: {w: {kind: inference, mode: interval, demand: 5/s, service: {any: {time: 1s}},"
         " admission: {in_flight: 9}}}\nstrategies: {s: {instance: g4dn.xlarge, buy: on-demand, "
         "nodes: 2}}\n",
         "single requests are let in or rejected; state 'mode: requests'"},
        {MODE_W("interval", "max_replicas: 9, autoscale: keda-jobs"),
         "a job for each request of 'w', which cannot be simulated in intervals"},
        {MODE_W("requests", "max_replicas: 9, autoscale: [keda-jobs, {name: hpa, queue: 4}]"),
         "other autoscalers beside 'keda-jobs'; expected it alone"},
        {MODE_W("requests", "max_replicas: 9, min_replicas: 2, autoscale: keda-jobs"),
         "'min_replicas', but a job of 'keda-jobs' that has nothing to do ends; drop it"},
        {ROLLS("{takes: 1h}"), "does not say when; expected 'every: 2w', or 'at:"},
        {ROLLS("{every: 1h, takes: 2h}"), "longer than the time to the next"},
        {ROLLS("{at: soon, takes: 2h}"), "expected a date or time (UTC)"},
        {ROLLS("{at: 2026-02-01, takes: 2h}"), "before the scenario's start"},
        {ROLLS("{at: 3h, from: 2h, takes: 2h}"), "'every' so often, which is not stated"},
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

/* Nothing that is said of a service is left out without a word where there is none. */
static void keys_of_services_are_for_services(void **state)
{
    (void)state;
    static const struct {
        const char *key, *line;
    } rows[] = {
        {"autoscale", "autoscale: {name: target-tracking, utilisation: 50 %}"},
        {"min_replicas", "min_replicas: 2"},
        {"max_replicas", "max_replicas: 4"},
        {"warm_up", "warm_up: 3min"},
        {"monitoring", "monitoring: {delay: 60s}"},
        {"footprint", "footprint: {spare_nodes: 1}"},
        {"warm_pool", "warm_pool: {start: 30s, min: 1}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int own = 0; own < 2; own++) {
            char text[2000], wanted[200];
            int exit_code = 0;
            snprintf(
                text, sizeof text,
                HEAD "horizon: 2d\nworkloads:\n  t: {kind: training, hours: 20h}\n"
                     "%sstrategies:\n  s:\n    instance: g4dn.xlarge\n    buy: on-demand\n"
                     "    nodes: 1\n%s    %s%s%s\n",
                own ? "  w: {kind: inference, demand: 1/s, service: {any: {time: 10ms}}}\n" : "",
                own ? "    workloads:\n" : "", own ? "  t: {" : "", rows[i].line, own ? "}" : "");
            snprintf(wanted, sizeof wanted,
                     "error: '%s' is of a service (`kind: inference`), and %s", rows[i].key,
                     own ? "'t' is `kind: training`; drop it" : "no workload is one; drop it");
            char *told = study_errors(text, &exit_code);
            const char *line = strstr(told, own ? ":15:" : ":13:");
            if (line == NULL || strstr(line, wanted) == NULL) {
                fail_msg("expected '%s', told (%d):\n%s", wanted, exit_code, told);
            }
            free(told);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(datapoints_are_seen_when_they_are_stated_to_be),
        cmocka_unit_test(late_datapoints_overshoot),
        cmocka_unit_test(errors_cost_replicas),
        cmocka_unit_test(a_replica_that_came_was_not_idle_before),
        cmocka_unit_test(who_is_wanted_again_has_its_requests_still),
        cmocka_unit_test(spares_stand_beside_what_is_asked_for),
        cmocka_unit_test(an_autoscaler_goes_on_as_without_spares),
        cmocka_unit_test(zones_stand_in_for_one_that_is_out),
        cmocka_unit_test(on_demand_stands_in_for_spot_as_skyserve_has_it),
        cmocka_unit_test(rollouts_are_paid_for_as_long_as_they_take),
        cmocka_unit_test(stopped_nodes_are_started_first),
        cmocka_unit_test(those_beyond_the_limits_are_rejected),
        cmocka_unit_test(who_is_turned_away_may_come_again),
        cmocka_unit_test(a_job_ends_with_its_request),
        cmocka_unit_test(jobs_share_nodes),
        cmocka_unit_test(jobs_start_stopped_nodes),
        cmocka_unit_test(strategies_of_jobs_differ),
        cmocka_unit_test(jobs_are_started_anew_when_their_node_vanishes),
        cmocka_unit_test(who_is_turned_away_has_no_latency),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(keys_of_services_are_for_services),
    };
    gsl_errors_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
