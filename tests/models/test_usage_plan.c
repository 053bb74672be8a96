/* SPDX-License-Identifier: GPL-3.0-or-later
 * Plans of `kind: usage`, from scenario text: pools and shares, and what is refused. */
#include "models/usage/usage_plan.h"

#include "engine/gsl_errors.h"
#include "models/usage/usage_work.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                                       \
    "version: 1\nstart: 2026-03-02\nhorizon: 10d\nregion: us-east-1\nprices_as_of: 2025-11-30\n"   \
    "replications: 1\n"
#define NODES(n) "workloads: {w: {kind: usage, nodes: " n "}}\n"
#define P4D(terms)                                                                                 \
    "strategies: {s: {instance: p4d.24xlarge, " terms "}}\n"                                       \
    "market: {spot: {p4d.24xlarge: {price: 9 USD/h}}}\n"

static void test_single(void **state)
{
    (void)state;
    struct study *s = study_from_text(HEAD NODES("6") P4D("buy: on-demand"), NULL);
    const struct usage_plan *p = usage_plan_of(s->strategies[0].plans[0]);
    assert_false(p->work.finite);
    assert_int_equal(p->work.nodes, 6);
    assert_int_equal(p->work.pool_count, 1);
    assert_int_equal(p->work.pools[0].purchase, PURCHASE_ON_DEMAND);
    assert_int_equal(p->work.pools[0].nodes, 6);
    assert_int_equal(p->fill.count, 1);
    assert_true(p->fill.entries[0].most == FILL_ALL_THE_REST);
    assert_near(p->planned_node_s, 6 * 10 * 86400.0, 0, "node-seconds");
    assert_string_equal(p->work.how, "each node by itself");
    study_free(s);
}

/* Two entries of one pool share its slots; no pool has more slots than are ever needed. */
static void test_fill(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD NODES("20") P4D("fill: [{buy: on-demand, nodes: 8}, {buy: spot, nodes: 5}, {buy: "
                             "spot, zone: us-east-1b, nodes: 99}, on-demand]"),
        NULL);
    const struct usage_plan *p = usage_plan_of(s->strategies[0].plans[0]);
    static const uint32_t pools[] = {0, 1, 2, 0}, most[] = {8, 5, 99, FILL_ALL_THE_REST};
    static const uint32_t slots[] = {20, 5, 20};
    assert_int_equal(p->fill.count, 4);
    assert_int_equal(p->work.pool_count, 3);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(p->fill.entries[i].pool, pools[i]);
        assert_true(p->fill.entries[i].most == most[i]);
    }
    for (size_t k = 0; k < 3; k++) {
        assert_int_equal(p->work.pools[k].nodes, slots[k]);
    }
    assert_string_equal(p->work.how,
                        "filled in order: 8 on-demand, then 5 spot, then 99 spot, then "
                        "on-demand");
    study_free(s);
}

/* What a strategy says for a gang beside it is not meant for the nodes. */
static void test_own_terms(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD "workloads:\n"
             "  job: {kind: training, hours: 5h}\n"
             "  w: {kind: usage, nodes: 3}\n"
             "strategies: {s: {instance: p4d.24xlarge, nodes: 4, buy: spot, policy: fallback,\n"
             "  workloads: {w: {fill: [spot, on-demand]}}}}\n"
             "market: {spot: {p4d.24xlarge: {price: 9 USD/h}}}\n",
        NULL);
    const struct usage_plan *p = usage_plan_of(s->strategies[0].plans[1]);
    assert_int_equal(p->fill.count, 2);
    assert_int_equal(s->strategies[0].plans[0]->nodes, 4);
    assert_true(s->strategies[0].plans[0]->finite);
    study_free(s);
}

struct refused {
    const char *name, *text, *words;
    int exit_code;
};

static const struct refused refusals[] = {
    {"no instance", HEAD NODES("3") "strategies: {s: {buy: spot}}\n",
     "strategy 's' does not say which instance runs 'w'; expected 'instance: TYPE'", 2},
    {"no way to buy", HEAD NODES("3") "strategies: {s: {instance: p4d.24xlarge}}\n",
     "strategy 's' does not say how to buy for 'w'; expected such as 'buy: on-demand' or 'fill: "
     "[{buy: spot}, {buy: on-demand}]'",
     2},
    {"fill and buy", HEAD NODES("3") P4D("buy: spot, fill: [spot, on-demand]"),
     "'fill' of strategy 's' says how the nodes are bought; drop 'buy'", 2},
    {"fill and policy", HEAD NODES("3") P4D("policy: fallback, fill: [spot, on-demand]"),
     "'fill' of strategy 's' says which pool is asked when; drop 'policy'", 2},
    {"a policy for a gang", HEAD NODES("3") P4D("buy: spot, policy: fallback"),
     "policy 'fallback' of strategy 's' decides for a gang, but the nodes of 'w' are independent: "
     "say where they come from in order, such as 'fill: [{buy: spot}, {buy: on-demand}]'",
     2},
    {"nodes of its own", HEAD NODES("3") P4D("buy: spot, workloads: {w: {nodes: 4}}"),
     "how many nodes run for 'w' is said by the workload's own 'nodes'; drop this one ('fill' says "
     "how many are bought in which way)",
     2},
    {"nodes for nobody", HEAD NODES("3") P4D("buy: spot, nodes: 4"),
     "no workload takes 'nodes' from a strategy: each of them says itself how many run; drop it "
     "('fill' says how many are bought in which way)",
     2},
    {"fill for a gang",
     HEAD "workloads: {w: {kind: training, hours: 3h}}\n" P4D("nodes: 2, fill: [spot, on-demand]"),
     "strategy 's' fills 'w' from several ways to buy, but a gang is bought whole, in one way at a "
     "time; give it a 'buy' of its own under 'workloads', or, in place of 'fill', 'buy: spot' and "
     "'policy: fallback', which moves the gang",
     2},
    {"a profile of 23",
     HEAD NODES("[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]") P4D("buy: spot"),
     "23 numbers of nodes; a profile has 24", 2},
    {"no number", HEAD NODES("[{from: 2h}]") P4D("buy: spot"),
     "this item of 'nodes' states no number; expected such as 'nodes: 8'", 2},
    {"a file and a number", HEAD NODES("[{file: x.csv, nodes: 2}]") P4D("buy: spot"),
     "'file' says when and how many; it stands alone", 2},
    {"an unknown time", HEAD NODES("[{from: soon, nodes: 2}]") P4D("buy: spot"),
     "'from' is 'soon'; expected a date or time (UTC) such as 2026-03-02T08:00Z, or a time from "
     "the "
     "scenario's start such as 36h",
     2},
    {"after the horizon",
     HEAD "workloads: {w: {kind: usage, nodes: 2, from: 11d}}\n" P4D("buy: spot"),
     "'w' begins at or after the horizon; lengthen 'horizon'", 2},
    {"an end before the beginning",
     HEAD "workloads: {w: {kind: usage, nodes: 2, from: 3d, until: 2d}}\n" P4D("buy: spot"),
     "'w' ends before it begins; check its 'from', 'until' and 'nodes'", 2},
    {"more than can be simulated",
     HEAD "workloads: {w: {kind: usage, nodes: 60000, scale: 1..2}}\n" P4D("buy: spot"),
     "nodes at a time in some world; at most 100000 of one workload can be simulated", 4},
    {"no such type in an entry", HEAD NODES("3") P4D("fill: [{buy: spot, instance: p4d.24xlargo}]"),
     "unknown instance type 'p4d.24xlargo'; did you mean 'p4d.24xlarge'?", 2},
};

static void test_refused(void **state)
{
    const struct refused *r = *state;
    int exit_code;
    char *words = study_errors(r->text, &exit_code);
    if (strstr(words, r->words) == NULL || exit_code != r->exit_code) {
        fail_msg("exit %d, and '%s' is not in '%s'", exit_code, r->words, words);
    }
    free(words);
}

static void assert_warned(const char *text, const char *words)
{
    struct diagnostics *d = diagnostics_new();
    struct study *s = study_from_text_telling(text, d);
    char *told = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&told, &size);
    diagnostics_write(d, out);
    fclose(out);
    if (strstr(told, words) == NULL) {
        fail_msg("'%s' is not in '%s'", words, told);
    }
    free(told);
    diagnostics_free(d);
    study_free(s);
}

static void test_warned(void **state)
{
    (void)state;
    assert_warned(HEAD NODES("0") P4D("buy: on-demand"),
                  "workload 'w' never needs a node inside the horizon: it costs nothing");
    assert_warned(
        HEAD NODES("9") P4D("fill: [{buy: spot, nodes: 2}, {buy: on-demand, nodes: 3}]"),
        "'w' needs up to 9 nodes, but strategy 's' can have at most 5 at a time; the rest "
        "is counted as unmet");
    assert_warned(
        HEAD NODES("9") "strategies: {s: {instance: p4d.24xlarge, buy: on-demand}}\n"
                        "market: {on-demand: {p4d.24xlarge: {capacity: limit, limit: 4}}}",
        "can have at most 4 at a time");
}

int main(void)
{
    enum { CASES = sizeof refusals / sizeof refusals[0] };
    struct CMUnitTest tests[CASES + 4];
    gsl_errors_install();
    for (size_t i = 0; i < CASES; i++) {
        tests[i] =
            (struct CMUnitTest){refusals[i].name, test_refused, NULL, NULL, (void *)&refusals[i]};
    }
    tests[CASES] = (struct CMUnitTest)cmocka_unit_test(test_single);
    tests[CASES + 1] = (struct CMUnitTest)cmocka_unit_test(test_fill);
    tests[CASES + 2] = (struct CMUnitTest)cmocka_unit_test(test_own_terms);
    tests[CASES + 3] = (struct CMUnitTest)cmocka_unit_test(test_warned);
    return _cmocka_run_group_tests("usage_plan", tests, CASES + 4, NULL, NULL);
}
