/* SPDX-License-Identifier: GPL-3.0-or-later
 * What `search: over:` spans: values of lists, ranges and patterns, the order of plans, what is
 * wrong, and what the fragment of a plan lays over a scenario. */
#include "scenarios/reader/search_space.h"

#include "scenarios/decide/search_studies.h"
#include "scenarios/reader/search_plans.h"
#include "scenarios/reader/yaml_flow.h"
#include "tests/support/program.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bed {
    struct arena *arena;
    struct catalogue *catalogue;
};

static int set_up(void **state)
{
    struct diagnostics *d = diagnostics_new();
    struct bed *b = calloc(1, sizeof *b);
    b->arena = arena_new(0);
    b->catalogue = catalogue_load(NULL, NULL, 0, d);
    diagnostics_free(d);
    *state = b;
    return b->catalogue == NULL;
}

static int tear_down(void **state)
{
    struct bed *b = *state;
    arena_free(b->arena);
    catalogue_free(b->catalogue);
    free(b);
    return 0;
}

static struct yaml_node *tree_of(struct bed *b, const char *text, struct diagnostics *d)
{
    struct yaml_source source = {.file = "space.yaml"};
    char *copy = arena_string(b->arena, text);
    source.length = strlen(copy);
    source.text = copy;
    return yaml_tree_read(&source, b->arena, d);
}

/* The values of the first key, separated by "; "; or the first error. */
static void expect(struct bed *b, const char *over, const char *values)
{
    struct diagnostics *d = diagnostics_new();
    struct search_space s;
    struct text t;
    text_init(&t, 0);
    if (search_space_read(&s, tree_of(b, over, d), b->catalogue, b->arena, d)) {
        for (size_t i = 0; i < s.grids[0].keys[0].count; i++) {
            text_format(&t, "%s%s", i > 0 ? "; " : "", s.grids[0].keys[0].values[i].text);
        }
    } else {
        text_add(&t, diagnostics_text(d, 0, NULL, NULL));
    }
    if (strcmp(t.data, values) != 0) {
        fail_msg("%s\n  gives    %s\n  expected %s", over, t.data, values);
    }
    text_release(&t);
    diagnostics_free(d);
}

static void values_of_lists_and_ranges(void **state)
{
    static const struct {
        const char *over, *values;
    } rows[] = {
        {"{nodes: [1, 2, 4]}", "1; 2; 4"},
        {"{nodes: 4}", "4"},
        {"{nodes: 2..5}", "2; 3; 4; 5"},
        {"{nodes: 2..16 step 4}", "2; 6; 10; 14"},
        {"{nodes: 1..64 log 7}", "1; 2; 4; 8; 16; 32; 64"},
        {"{nodes: 1..3 log 7}", "1; 2; 3"},
        {"{max_price: 0.1..0.3 step 0.1 USD/h}", "0.1USD/h; 0.2USD/h; 0.3USD/h"},
        {"{max_price: 1..2 USD/h log 3}", "1USD/h; 1.414USD/h; 2USD/h"},
        {"{policy.after: 10min..1h step 20min}", "10min; 30min; 50min"},
        {"{policy.after: 30min..2h step 1h}", "30min; 90min"},
        {"{policy.after: 1h..4h}", "1h; 1.5h; 2h; 2.5h; 3h; 3.5h; 4h"},
        {"{policy.after: 1min..64min}", "1min; 2min; 4min; 8min; 16min; 32min; 64min"},
        {"{policy: [wait, {name: fallback, after: 30min}, 'greedy', null]}",
         "wait; {name: fallback, after: 30min}; greedy; null"},
        {"{commitments: [[], [{kind: reserved-instances, count: 2}]]}",
         "[]; [{kind: reserved-instances, count: 2}]"},
        {"{zones: [[us-east-1a], [us-east-1a, us-east-1b]]}",
         "[us-east-1a]; [us-east-1a, us-east-1b]"},
        {"{warm_up: ['uniform(10s; 60s)']}", "'uniform(10s; 60s)'"},
        {"{instance: ['p3*', p4d.24xlarge, 'p4*']}",
         "p3.16xlarge; p3.2xlarge; p3.8xlarge; p3dn.24xlarge; p4d.24xlarge; p4de.24xlarge"},
        {"{workloads.train.nodes: [1, 2]}", "1; 2"},
        {"{autoscale.utilisation: 30 %..90 % step 20 %}", "30%; 50%; 70%; 90%"},
        {"{commitments.count: 1..3}", "1; 2; 3"},
        {"{workloads.train.checkpoint.every: [auto, 1h]}", "auto; 1h"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        expect(*state, rows[i].over, rows[i].values);
    }
}

static void what_is_wrong_is_told(void **state)
{
    static const struct {
        const char *over, *error;
    } rows[] = {
        {"{}", "'over' must be a mapping of 1 to 16 keys to their values, such as {nodes: [2, 4, "
               "8]}, or a list of such mappings"},
        {"[]", "'over' has 0 entries; expected 1 to 64"},
        {"{nodez: [1]}", "'nodez' is no key of a strategy, and no path of a workload such as "
                         "workloads.NAME.checkpoint.every"},
        {"{market.spot.x.price: [1]}", "'market.spot.x.price' is no key of a strategy, and no path "
                                       "of a workload such as workloads.NAME.checkpoint.every"},
        {"{nodes: {a: 1}}",
         "the values of 'nodes' must be a list such as [a, b], or a range such as 2..16 step 2; a "
         "mapping that is one value stands in a list of one"},
        {"{nodes: []}", "'the values': at least one value is wanted"},
        {"{nodes: [2, 4, 2]}", "'2': this value stands in the list twice"},
        {"{nodes: 8..2}", "'8..2': the left end must be below the right one"},
        {"{nodes: 1..x}", "'1..x': a range is written as 2..16, 5min..4h, or 10 %..90 %"},
        {"{nodes: 2..16 step 2 step 2}", "'2..16 step 2 step 2': behind 'step' a number above 0 is "
                                         "wanted, in the unit of the ends"},
        {"{nodes: 1..9 step 0}",
         "'1..9 step 0': behind 'step' a number above 0 is wanted, in the unit of the ends"},
        {"{nodes: 0..9 log 3}", "'0..9 log 3': 'log' needs ends above 0"},
        {"{nodes: 1..9 log 1}",
         "'1..9 log 1': behind 'log' a number of values is wanted, at least 2"},
        {"{nodes: 1..9 log x}",
         "'1..9 log x': behind 'log' a number of values is wanted, at least 2"},
        {"{policy.after: 5min..4GB}", "'5min..4GB': the ends are measured in different things"},
        {"{nodes: 1..1000000}", "'1..1000000': too many values; take larger steps"},
        {"{nodes: all that fit}", "'all that fit': only instance types can be all that fit"},
        {"{instance: 'x9*'}", "'x9*': no further instance type is called so; `fleetcast show "
                              "instances` lists them"},
        {"{nodes: 1..200, spares: 1..200}",
         "more than 20000 plans; give fewer values, or larger steps"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        expect(*state, rows[i].over, rows[i].error);
    }
}

static void the_last_key_varies_fastest(void **state)
{
    struct bed *b = *state;
    struct diagnostics *d = diagnostics_new();
    struct search_space s;
    size_t i[SEARCH_MAX_KEYS];
    assert_true(search_space_read(
        &s,
        tree_of(b, "[{nodes: [1, 2], buy: [on-demand, spot, owned]}, {zone: [a], nodes: [9]}]", d),
        b->catalogue, b->arena, d));
    assert_int_equal(s.plans, 7);
    assert_int_equal(s.column_count, 3);
    assert_string_equal(s.columns[2], "zone");
    assert_ptr_equal(search_space_plan(&s, 4, i), &s.grids[0]);
    assert_int_equal(i[0], 1);
    assert_int_equal(i[1], 1);
    assert_ptr_equal(search_space_plan(&s, 6, i), &s.grids[1]);
    assert_true(s.grids[0].keys[0].of_strategy);
    diagnostics_free(d);
}

/* A continuous range knows its scale, and gives values back with their unit. */
static void a_continuous_range_has_a_scale(void **state)
{
    struct bed *b = *state;
    struct diagnostics *d = diagnostics_new();
    struct search_space s;
    assert_true(search_space_read(
        &s, tree_of(b, "{workloads.a.checkpoint.every: 5min..4h, nodes: 1..9 log 3}", d),
        b->catalogue, b->arena, d));
    const struct search_key *k = &s.grids[0].keys[0];
    assert_true(k->continuous && k->logarithmic && !k->of_strategy);
    assert_near(k->low, log(5), 1e-12, "low");
    assert_near(k->high, log(240), 1e-12, "high");
    assert_string_equal(search_key_text(k, log(33.33333), b->arena), "33.33min");
    assert_false(s.grids[0].keys[1].continuous);
    diagnostics_free(d);
}

/* ---- fragments ---- */

static void a_fragment_is_what_differs(void **state)
{
    struct bed *b = *state;
    struct diagnostics *d = diagnostics_new();
    char *folder = program_folder_new();
    program_file(
        folder, "plan.yaml",
        "workloads: {a.b: {kind: training, hours: 5h, checkpoint: {every: 1h}}, c: {}}\n"
        "strategies:\n  spot: {instance: x, nodes: 4, policy: {name: fallback, after: 1h}}\n");
    const char *paths[] = {arena_format(b->arena, "%s/plan.yaml", folder)};
    const char *const sets[] = {"policy=null", "policy={name: greedy, margin: 5 %}", "nodes=7"};
    const char *const shared[] = {"workloads.a.b.checkpoint.every=20min"};
    const struct search_plan plan = {.name = "chosen", .sets = sets, .set_count = 3};
    const struct search_plans plans = {
        .base = "spot", .sets = shared, .set_count = 1, .plans = &plan, .count = 1, .beside = true};
    const struct scenario_request request = {.paths = paths, .path_count = 1};
    struct text out;
    text_init(&out, 0);
    assert_true(search_plans_fragment(&out, &request, &plans, d));
    assert_string_equal(out.data, "workloads:\n  a.b:\n    checkpoint:\n      every: 20min\n"
                                  "strategies:\n  chosen:\n    instance: x\n    nodes: 7\n"
                                  "    policy:\n      name: greedy\n      margin: 5 %\n");
    text_release(&out);
    program_folder_free(folder);
    diagnostics_free(d);
}

/* Written and read again it is the same tree, whatever stands in it. */
static void yaml_is_read_back_as_it_was(void **state)
{
    static const char *const texts[] = {
        "{a: [1, {b: c}], 'x: y': 'it''s', d: \"tab\\there\", e: null, f: ''}",
        ("{a: '[x]', b: '{', c: '# no', d: '- x', e: 'a, b', f: 'null', g: '~', h: "
         "\"a'b\\\"c\\\\\"}"),
        "{time: 2026-03-02T08:00Z, share: 5 %, money: $0.9/h, name: 'ends ', list: []}"};
    struct bed *b = *state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct diagnostics *d = diagnostics_new();
        struct yaml_node *tree = tree_of(b, texts[i], d), *again;
        struct text lines;
        again = tree_of(b, yaml_flow_text(b->arena, tree), d);
        assert_true(again != NULL && yaml_flow_same(tree, again));
        text_init(&lines, 0);
        yaml_flow_lines(&lines, tree, 0, 9);
        again = tree_of(b, lines.data, d);
        assert_true(again != NULL && yaml_flow_same(tree, again));
        assert_false(diagnostics_failed(d));
        text_release(&lines);
        diagnostics_free(d);
    }
}

static void reasons_are_counted_by_kind(void **state)
{
    struct bed *b = *state;
    assert_string_equal(
        search_studies_kind_of_reason(
            b->arena, "'it's' does not fit on 1 x 'p3.2xlarge': each V100 needs 5.5 GiB"),
        "'…' does not fit on # x '…'");
    assert_string_equal(search_studies_kind_of_reason(
                            b->arena, "no price for 'a;b' (in any zone) on 2025-11-30; it has one"),
                        "no price for '…'  on #-#-#");
    assert_int_equal(search_studies_short_reason("'a: b' is 3; not 4"), 11);
    /* A key alone says nothing of what is wrong with it. */
    assert_string_equal(
        search_studies_kind_of_reason(b->arena, "'nodes': '2 x' follows the number; one is wanted"),
        "'…': '…' follows the number");
    assert_int_equal(search_studies_short_reason("'nodes': it is 3: too many"), 16);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(values_of_lists_and_ranges),  CASE(what_is_wrong_is_told),
        CASE(the_last_key_varies_fastest), CASE(a_continuous_range_has_a_scale),
        CASE(a_fragment_is_what_differs),  CASE(yaml_is_read_back_as_it_was),
        CASE(reasons_are_counted_by_kind)};
    return cmocka_run_group_tests_name("search_space", tests, NULL, NULL);
}
