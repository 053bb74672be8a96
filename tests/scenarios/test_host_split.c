/* SPDX-License-Identifier: GPL-3.0-or-later
 * What shared nodes cost, idle and cold too, split over those who stand on them: by hand where
 * requests come regularly and nodes are there at once, and to the nano-unit over random worlds. */
#include "engine/gsl_errors.h"
#include "scenarios/output/focus_tenants.h"
#include "scenarios/output/result_tables.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "version: 1\nstart: 2026-03-02\nregion: us-east-1\nprices_as_of: 2025-11-30\n"

struct made {
    struct study *study;
    struct run run;
};

static void make(struct made *m, const char *text)
{
    m->study = study_from_text(text, NULL);
    study_run(&m->run, m->study, 1);
}

static void release(struct made *m)
{
    run_release(&m->run);
    study_free(m->study);
}

static double value(const struct made *m, uint32_t replication, size_t workload, enum metric metric)
{
    return metric_number(results_cells(&m->run.results, replication, 0, workload), metric);
}

/* A half and a quarter of one node for two hours, which load for six minutes. They are busy for a
 * tenth and four tenths of the time: so what each has and does not work on is not as what it has,
 * by which the quarter that nobody has is split. */
#define BY_HAND                                                                                    \
    HEAD "horizon: 2h\nreplications: 1\nworkloads:\n  f: {kind: fleet, max_nodes: 3, boot: 0s}\n"  \
         "  a: {kind: inference, fleet: f, load: 6min, demand: {rate: 1/s, cv: 0.01}, service: "   \
         "{any: {time: 100ms, replicas_per_node: 2}}}\n"                                           \
         "  b: {kind: inference, fleet: f, load: 6min, demand: {rate: 1/s, cv: 0.01}, service: "   \
         "{any: {time: 400ms, replicas_per_node: 4}}}\n"                                           \
         "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, max_replicas: 2, autoscale: "    \
         "{name: fixed, replicas: 1}}}\n"

static void idle_and_cold_by_hand(void **state)
{
    (void)state;
    struct made m;
    make(&m, BY_HAND);
    const double an_hour = value(&m, 0, 0, METRIC_COST) / 2;
    assert_near(value(&m, 0, 0, METRIC_NODE_HOURS), 2, 1e-9, "one node");
    assert_near(value(&m, 0, 1, METRIC_COLD_START_COST), 0.1 * 0.5 * an_hour, 1e-6, "a loads");
    assert_near(value(&m, 0, 2, METRIC_COLD_START_COST), 0.1 * 0.25 * an_hour, 1e-6, "b loads");
    /* Of two hours a has half of the node, b a quarter; the quarter that nobody has goes to them as
     * they have of it. Every request that came is served: 0.2 and 0.8 h of work. */
    const double a = 1 - 0.05 - 0.2 * 0.5 + 0.5 * 2 / 3, b = 0.5 - 0.025 - 0.8 * 0.25 + 0.5 / 3;
    assert_near(value(&m, 0, 1, METRIC_IDLE_COST), a * an_hour, 2e-4, "a is idle");
    assert_near(value(&m, 0, 2, METRIC_IDLE_COST), b * an_hour, 2e-4, "b is idle");
    assert_near(value(&m, 0, 0, METRIC_IDLE_COST), (a + b) * an_hour, 2e-4, "all of the node");
    assert_near(value(&m, 0, 3, METRIC_IDLE_COST), value(&m, 0, 0, METRIC_IDLE_COST), 1e-12,
                "counted once");
    release(&m);
}

/* The same in steps of time, at 4/s of 100 ms each: 1,440 requests wait until the load is over, and
 * are worked off at 10/s. All in all 2,880 s of work come to each, whose chance has the variance
 * that docs/models.md tells. */
static void steps_are_as_busy_as_by_hand(void **state)
{
    (void)state;
    enum { WORLDS = 100 };
    struct made m;
    make(&m,
         HEAD "horizon: 2h\nreplications: 100\nworkloads:\n  f: {kind: fleet, max_nodes: 3, "
              "boot: 0s}\n  a: {kind: inference, fleet: f, load: 6min, mode: interval, demand: "
              "{rate: 4/s, cv: 0.01}, service: {any: {time: 100ms, replicas_per_node: 2}}}\n"
              "  b: {kind: inference, fleet: f, load: 6min, mode: interval, demand: {rate: 4/s, "
              "cv: 0.01}, service: {any: {time: 100ms, replicas_per_node: 4}}}\n"
              "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, max_replicas: 2, "
              "autoscale: {name: fixed, replicas: 1}}}\n");
    const double an_hour = value(&m, 0, 0, METRIC_COST) / 2, came_s = 4 * 0.1 * 7200;
    const double sd_s = sqrt(4 * 0.1 * 0.1 * 7200 / 2 / WORLDS);
    double busy_s[2] = {0, 0}, idle[2] = {0, 0};
    for (uint32_t r = 0; r < WORLDS; r++) {
        for (size_t k = 0; k < 2; k++) {
            busy_s[k] += value(&m, r, k + 1, METRIC_REPLICA_BUSY) *
                         value(&m, r, k + 1, METRIC_REPLICA_HOURS) * 3600 / WORLDS;
            idle[k] += value(&m, r, k + 1, METRIC_IDLE_COST) / WORLDS;
        }
    }
    for (size_t k = 0; k < 2; k++) {
        const double part = k == 0 ? 0.5 : 0.25, of_nobody = k == 0 ? 1.0 / 3 : 1.0 / 6;
        const double hours = (2 - 0.1 - came_s / 3600) * part + of_nobody;
        assert_near(busy_s[k], came_s, 4 * sd_s, "busy");
        assert_near(idle[k], hours * an_hour, 4 * sd_s / 3600 * part * an_hour, "idle");
    }
    release(&m);
}

/* A model on three of four accelerators takes three quarters, and is never busier than that. */
static void a_language_model_is_idle_by_its_accelerators(void **state)
{
    (void)state;
    struct made m;
    make(&m, HEAD "horizon: 2h\nreplications: 1\nworkloads:\n"
                  "  f: {kind: fleet, max_nodes: 4, boot: 0s}\n"
                  "  a: {kind: inference, fleet: f, load: 0s, demand: 0.2/s, llm: {model: "
                  "llama-2-7b, accelerators: 2, prompt: 100, output: 20}}\n"
                  "  b: {kind: inference, fleet: f, load: 0s, demand: 0.2/s, llm: {model: "
                  "llama-2-7b, accelerators: 1, prompt: 100, output: 20}}\n"
                  "strategies: {s: {instance: g5.12xlarge, buy: on-demand, max_replicas: 4, "
                  "autoscale: {name: fixed, replicas: 1}}}\n");
    const double cost = value(&m, 0, 0, METRIC_COST);
    double idle = 0;
    for (size_t w = 1; w <= 2; w++) {
        const double taken = w == 1 ? 2.0 / 3 : 1.0 / 3;
        const double busy = value(&m, 0, w, METRIC_REPLICA_BUSY) * (w == 1 ? 0.5 : 0.25);
        assert_true(busy > 0);
        assert_near(value(&m, 0, w, METRIC_IDLE_COST), (taken - busy) * cost, 0.002 * cost,
                    "what it has less what it works");
        idle += value(&m, 0, w, METRIC_IDLE_COST);
    }
    assert_near(idle, value(&m, 0, 0, METRIC_IDLE_COST), 1e-9, "adds up");
    release(&m);
}

/* Spot that comes and goes, three services with and without owners. */
#define RANDOM                                                                                     \
    HEAD "horizon: 12h\nreplications: 3\nmarket: {spot: {g4dn.xlarge: {availability: 0.7, "        \
         "notice: 0s}}}\nworkloads:\n"                                                             \
         "  f: {kind: fleet, max_nodes: 12, boot: exponential(3min)%s}\n"                          \
         "  a: {kind: inference, fleet: f, owner: A, demand: 0.6/s, load: 20s, service: {any: "    \
         "{time: exponential(5s), slots: 2, replicas_per_node: 3}}}\n"                             \
         "  b: {kind: inference, fleet: f, owner: B, demand: 0.3/s, timeout: 3s, service: {any: "  \
         "{time: exponential(1s), replicas_per_node: 4}}}\n"                                       \
         "  c: {kind: inference, fleet: f, demand: {rate: 0.02/s, until: 9h}, service: {any: "     \
         "{time: exponential(20s), replicas_per_node: 1}}}\n"                                      \
         "strategies:\n  spot: {instance: g4dn.xlarge, fill: [{buy: spot}, {buy: on-demand}], "    \
         "max_replicas: 8, autoscale: {name: target-tracking, utilisation: 50 %%}}\n"

static void make_random(struct made *m, const char *fleet)
{
    char text[3000];
    int size = snprintf(text, sizeof text, RANDOM, fleet);
    assert_true(size > 0 && size < (int)sizeof text);
    make(m, text);
}

static void parts_add_up(void **state)
{
    (void)state;
    static const enum metric split[] = {METRIC_IDLE_COST, METRIC_COLD_START_COST};
    struct made m;
    make_random(&m, "");
    for (uint32_t r = 0; r < 3; r++) {
        for (size_t i = 0; i < 2; i++) {
            const double whole = value(&m, r, 0, split[i]);
            double sum = 0;
            for (size_t w = 1; w < 4; w++) {
                assert_true(value(&m, r, w, split[i]) > 0);
                sum += value(&m, r, w, split[i]);
            }
            assert_near(sum, whole, 1e-9, "of those who stand on it");
            assert_near(value(&m, r, 4, split[i]), whole, 0, "of all");
        }
        assert_true(value(&m, r, 0, METRIC_IDLE_COST) + value(&m, r, 0, METRIC_COLD_START_COST) <
                    value(&m, r, 0, METRIC_COST));
        for (size_t w = 1; w < 4; w++) { /* nobody is idle for more than is borne */
            assert_true(value(&m, r, w, METRIC_IDLE_COST) +
                            value(&m, r, w, METRIC_COLD_START_COST) <=
                        value(&m, r, w, METRIC_SHARED_NODES_COST) + 0.02);
        }
    }
    release(&m);
}

/* Of the row of an owner; NULL: of nobody's. */
static double split_of(const struct result_tables *t, const char *owner)
{
    const struct table *s = t->split;
    const size_t name = (size_t)table_find(s, "value"),
                 mean = (size_t)table_find(s, "cost_mean_usd");
    for (size_t i = 0; i < table_rows(s); i++) {
        if (strcmp(table_text(s, i, name), owner) == 0) {
            return table_number(s, i, mean);
        }
    }
    return 0;
}

static double mean_of(const struct made *m, size_t workload, enum metric metric)
{
    return (value(m, 0, workload, metric) + value(m, 1, workload, metric) +
            value(m, 2, workload, metric)) /
           3;
}

static void owners_bear_what_they_took(void **state)
{
    (void)state;
    struct made m;
    struct result_tables t;
    make_random(&m, "");
    assert_true(result_tables_make(&t, &m.run));
    assert_near(split_of(&t, "A"), mean_of(&m, 1, METRIC_SHARED_NODES_COST), 1e-6, "A");
    assert_near(split_of(&t, "B"), mean_of(&m, 2, METRIC_SHARED_NODES_COST), 1e-6, "B");
    assert_near(split_of(&t, ""), mean_of(&m, 3, METRIC_SHARED_NODES_COST), 1e-6, "nobody");
    result_tables_release(&t);
    release(&m);
}

static void a_fleet_with_an_owner_is_borne_by_it(void **state)
{
    (void)state;
    struct made m;
    struct result_tables t;
    make_random(&m, ", owner: platform");
    assert_true(result_tables_make(&t, &m.run));
    assert_near(split_of(&t, "platform"), mean_of(&m, 4, METRIC_COST), 1e-6, "all of it");
    assert_near(split_of(&t, "A"), 0, 0, "A");
    result_tables_release(&t);
    release(&m);
}

/* Shares are told to a part in 10^9, add up to 1, and are those of the cost. */
static void exported_rows_say_who_stood_on_them(void **state)
{
    (void)state;
    struct made m;
    make_random(&m, "");
    const struct metric_cells *c = results_cells(&m.run.results, 1, 0, 0);
    money_t *shares = focus_tenants_make(m.study, 0, c), sum = 0;
    struct text t;
    assert_non_null(shares);
    for (size_t w = 1; w < 4; w++) {
        const double share =
            value(&m, 1, w, METRIC_SHARED_NODES_COST) / value(&m, 1, 0, METRIC_COST);
        assert_near((double)shares[w] / FOCUS_TENANT_PARTS, share, 2e-9, "share");
        sum += shares[w];
    }
    assert_int_equal(sum, FOCUS_TENANT_PARTS);
    assert_int_equal(shares[0], 0);
    text_init(&t, 0);
    shares[1] = 512345678, shares[2] = 487654322, shares[3] = 0;
    focus_tenants_write(&t, m.study, 0, shares, 0);
    assert_string_equal(t.data, "[{\"job\":\"a\",\"owner\":\"A\",\"share\":0.512345678},"
                                "{\"job\":\"b\",\"owner\":\"B\",\"share\":0.487654322}]");
    focus_tenants_write(&t, m.study, 0, shares, 1); /* nobody stands on a service */
    assert_int_equal(t.length, 0);
    text_release(&t);
    free(shares);
    release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_and_cold_by_hand),
        cmocka_unit_test(steps_are_as_busy_as_by_hand),
        cmocka_unit_test(a_language_model_is_idle_by_its_accelerators),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(owners_bear_what_they_took),
        cmocka_unit_test(a_fleet_with_an_owner_is_borne_by_it),
        cmocka_unit_test(exported_rows_say_who_stood_on_them),
    };
    gsl_errors_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
