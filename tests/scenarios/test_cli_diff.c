/* SPDX-License-Identifier: GPL-3.0-or-later
 * `fleetcast diff` from outside: directories and scenarios, what it prints, and what it refuses. */
#include "tests/support/program.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void run_both(const char *folder)
{
    program_expect_code(folder, "run plan.yaml --no-charts -q -o a", 0);
    program_expect_code(folder,
                        "run plan.yaml --no-charts -q -o b --set prices_as_of=2026-01-01 --set "
                        "strategies.on-demand.nodes=5",
                        0);
}

static void two_directories_are_compared(void **state)
{
    struct program p;
    run_both(*state);
    program_expect(&p, *state, "diff a b", 0);
    assert_holds(p.out, "cost, P50");
    assert_holds(p.out, "drawn alike");
    assert_holds(p.out, "prices as of");
    program_release(&p);
    program_expect(&p, *state, "diff a a", 0);
    assert_holds(p.out, "unchanged");
    assert_lacks(p.out, "more");
    assert_lacks(p.out, "less");
    program_release(&p);
    program_expect(&p, *state, "diff a b --format json", 0);
    json_t *root = parse_json(p.out);
    assert_true(json_array_size(json_object_get(root, "differences")) > 20);
    assert_true(json_is_array(json_object_get(root, "assumptions")));
    assert_true(json_is_array(json_object_get(root, "inputs")));
    const json_t *stated = json_object_get(root, "stated");
    assert_int_equal(json_array_size(stated), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(stated, 0), "key")),
                        "strategies.on-demand.nodes");
    assert_string_equal(json_string_value(json_object_get(json_array_get(stated, 1), "b")),
                        "2026-01-01");
    json_decref(root);
    program_release(&p);
    program_expect(&p, *state, "diff a b --strategy spot --format csv", 0);
    assert_lacks(p.out, "on-demand,");
    assert_holds(p.out, "spot,");
    program_release(&p);
}

/* A scenario run anew is the directory that it was run into, to what a file can tell. */
static void a_scenario_is_its_own_directory(void **state)
{
    struct program p;
    program_expect_code(*state, "run plan.yaml --no-charts -q -o a", 0);
    program_expect(&p, *state, "diff a plan.yaml --format csv", 0);
    assert_lacks(p.out, ",more\n");
    assert_lacks(p.out, ",less\n");
    assert_lacks(p.out, ",no detectable change\n");
    assert_holds(p.out, ",unchanged\n");
    program_release(&p);
    /* Of a scenario and a directory alike; and without its scenario a directory is as good. */
    program_expect(&p, *state, "diff a plan.yaml --strategy spot", 0);
    assert_holds(p.out, "spot      cost, P50");
    assert_lacks(p.out, "on-demand  cost, P50");
    assert_lacks(p.out, "not stated alike");
    program_release(&p);
    program_expect_code(*state, "run plan.yaml --no-charts -q -o bare", 0);
    char shell[300];
    snprintf(shell, sizeof shell, "cd '%s' && rm -r bare/inputs", (const char *)*state);
    assert_int_equal(system(shell), 0);
    program_expect(&p, *state, "diff bare a", 0);
    assert_holds(p.out, "state otherwise is not known");
    assert_lacks(p.out, "what the scenarios state, prices");
    program_release(&p);
    /* --set changes B alone, --seed both. */
    program_expect(&p, *state, "diff plan.yaml plan.yaml --seed 9 --set strategies.spot.nodes=2",
                   0);
    assert_holds(p.out, "drawn alike");
    assert_lacks(p.out, "the seeds differ");
    program_release(&p);
    program_expect(&p, *state, "diff a plan.yaml --seed 9", 0);
    assert_holds(p.out, "the seeds differ");
    program_release(&p);
}

/* What the two rest on, from a directory and from a run alike; of what is the same no word. */
static void what_they_rest_on_is_told(void **state)
{
    struct program p;
    program_expect_code(*state, "run plan.yaml --no-charts -q -o a", 0);
    program_expect(&p, *state, "diff a plan.yaml", 0);
    assert_holds(p.out,
                 "what the scenarios state, prices, assumptions and uncertain inputs are the "
                 "same in both");
    assert_lacks(p.out, "not the same");
    assert_lacks(p.out, "not stated alike");
    assert_lacks(p.out, "drawn otherwise");
    program_release(&p);
    program_expect(&p, *state,
                   "diff a plan.yaml --set strategies.spot.nodes=3 --set "
                   "market.spot.p4d.24xlarge.price=5USD/h "
                   "--set budget=5000..7000USD",
                   0);
    assert_holds(p.out, "keys that are not stated alike:\n");
    assert_holds(p.out, "  strategies.spot.nodes: A 4; B 3\n");
    assert_holds(p.out, "  market.spot.p4d.24xlarge.price, only in B: 5USD/h\n");
    assert_holds(p.out, "prices and assumptions that are not the same in both:");
    assert_holds(p.out, ", spot: A ");
    assert_holds(p.out, "; B 5 USD/h (the scenario)\n");
    assert_holds(p.out, ", only in B: ");
    assert_holds(p.out, "budget_usd");
    assert_holds(p.out, "only in B\n");
    assert_lacks(p.out, "on-demand: A ");
    program_release(&p);
    /* Another seed is no other input. */
    program_expect(&p, *state,
                   "diff plan.yaml plan.yaml --seed 4 --set budget=5000..7000USD --markdown", 0);
    const char *inputs = strstr(p.out, "### Uncertain inputs");
    assert_non_null(inputs);
    assert_holds(inputs, "| budget\\_usd |");
    assert_lacks(inputs, "| changed |");
    assert_holds(p.out, "| budget | changed |");
    program_release(&p);
}

static void a_directory_remembers_its_limits(void **state)
{
    struct program p;
    program_expect_code(*state, "run plan.yaml --no-charts -q -o a", 0);
    program_expect_code(*state, "run plan.yaml --no-charts -q -o b --set limits=cost_usd.p90<=1USD",
                        3);
    program_expect_code(*state, "diff b a", 0);
    program_expect(&p, *state, "diff a b", 3);
    assert_holds(p.err, "cost_usd.p90");
    assert_holds(p.out, "drawn alike");
    program_release(&p);
    program_expect(&p, *state, "diff a b --strategy spot", 3);
    assert_holds(p.err, "spot");
    assert_lacks(p.err, "on-demand");
    program_release(&p);
}

/* A third of the worlds is cut off: the P50 lies between 869 and 895, at a price higher by a
 * sixteenth between 923 and 950, which is 3 % to 10 % more. Beyond that nothing is unknown. */
static void bounds_say_whether_a_rise_may_pass(void **state)
{
    static const struct {
        const char *condition;
        int code;
    } cases[] = {{"cost_usd.p50>+12%", 0}, {"cost_usd.p50>+6%", 3},   {"cost_usd.p50>+2%", 3},
                 {"cost_usd.p50<+2%", 0},  {"cost_usd.p50<+6%", 3},   {"cost_usd.p90>+12%", 3},
                 {"cost_usd.p90<-2%", 3},  {"cost_usd.p50<900USD", 0}};
    program_file(*state, "cut.yaml",
                 "version: 1\nstart: 2026-03-02\nhorizon: 20d\nregion: us-east-1\n"
                 "replications: 60\n"
                 "workloads: {w: {kind: training, hours: 100h, checkpoint: {every: 1h}}}\n"
                 "market: {spot: {p4d.24xlarge: {price: 8 USD/h, availability: 0.35, losses: "
                 "3/d}}}\n"
                 "strategies: {spot: {instance: p4d.24xlarge, nodes: 1, buy: spot}}\n");
    program_expect_code(*state, "run cut.yaml --no-charts -q -o c", 0);
    program_expect_code(*state,
                        "run cut.yaml --no-charts -q -o d --set "
                        "market.spot.p4d.24xlarge.price=8.5USD/h",
                        0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char words[100];
        snprintf(words, sizeof words, "diff c d --fail-on %s", cases[i].condition);
        program_expect_code(*state, words, cases[i].code);
    }
}

static void limits_decide_the_exit_code(void **state)
{
    struct program p;
    run_both(*state);
    program_expect_code(*state, "diff a b --strategy on-demand --fail-on cost_usd>+90%", 0);
    program_expect_code(*state, "diff a b --strategy on-demand --fail-on cost_usd<0USD", 0);
    program_expect_code(*state, "diff a b --fail-on no_metric>1", 2);
    program_expect_code(*state, "diff a b --fail-on ttft_p99_s>+1%", 2);
    program_expect(&p, *state,
                   "check plan.yaml --set limits=cost_usd.p90<=9MUSD --set choose=cost_usd.p80", 0);
    assert_holds(p.out, "  chosen by   least P80 of cost_usd\n");
    assert_holds(p.out, "  limits      cost_usd.p90<=9MUSD\n");
    program_release(&p);
    /* `limits` of the scenario B; A is what was before. */
    program_expect_code(*state, "diff a plan.yaml --set limits=cost_usd.p90<=9MUSD", 0);
    program_expect_code(*state, "diff plan.yaml a --set limits=cost_usd.p90<=1USD", 0);
    program_expect(&p, *state, "diff a plan.yaml --set limits=cost_usd.p90<=1USD", 3);
    assert_holds(p.out, "drawn alike");
    assert_holds(p.err, "cost_usd.p90");
    program_release(&p);
    program_expect(&p, *state, "diff a b --fail-on cost_usd.p50>1USD --markdown", 3);
    assert_holds(p.out, "is broken by on-demand");
    assert_holds(p.out, "| strategy |");
    program_release(&p);
    /* Of times that are the same in both a fall breaks nothing, a level may. */
    program_expect_code(*state, "diff a a --fail-on time_to_train_h.p50>+0%", 0);
    program_expect_code(*state, "diff a a --fail-on time_to_train_h.p50>1min", 3);
}

static void what_cannot_be_compared_is_refused(void **state)
{
    struct program p;
    run_both(*state);
    program_expect(&p, *state, "diff a nothing", 2);
    assert_holds(p.err, "nothing");
    program_release(&p);
    program_expect(&p, *state, "diff a", 2);
    program_release(&p);
    program_expect(&p, *state, "diff a b --set seed=2", 2);
    assert_holds(p.err, "expected a scenario among the two");
    program_release(&p);
    program_expect(&p, *state, "diff a b --strategy nobody", 2);
    assert_holds(p.err, "'nobody' is not in 'a'");
    program_release(&p);
    char shell[600];
    snprintf(shell, sizeof shell,
             "cd '%s' && cp -r b yuan && sed 's/\"USD\"/\"CNY\"/' b/manifest.json > "
             "yuan/manifest.json",
             (const char *)*state);
    assert_int_equal(system(shell), 0);
    program_expect(&p, *state, "diff a yuan", 2);
    assert_holds(p.err, "one currency");
    program_release(&p);
}

/* Files that somebody changed: what is missing, twice or unknown has its line. */
static void broken_files_are_told_with_their_line(void **state)
{
    static const struct {
        const char *name, *change, *told;
    } rows[] = {
        {"twice", "sed -n '1p;2p;2p' a/replications.csv", "a second time"},
        {"short", "head -n 3 a/replications.csv", "rows; expected"},
        {"foreign", "sed '2s/^[^,]*/nobody/' a/replications.csv", "manifest.json does not name"},
        {"number", "sed '2s/,0,/,zero,/' a/replications.csv", "replications.csv:2"},
        {"beyond", "sed '2s/,0,/,4000000,/' a/replications.csv", "expected less than 60"},
        {"empty", "true", "replications.csv"},
    };
    program_expect_code(*state, "run plan.yaml --no-charts -q -o a", 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char shell[600];
        snprintf(
            shell, sizeof shell,
            "cd '%s' && rm -rf c && mkdir c && cp a/manifest.json c && %s > c/replications.csv",
            (const char *)*state, rows[i].change);
        assert_int_equal(system(shell), 0);
        struct program p;
        program_expect(&p, *state, "diff a c", 2);
        assert_holds(p.err, rows[i].told);
        program_release(&p);
    }
}

/* Columns that an older version did not write: their metrics are there on one side alone. */
static void older_directories_lack_columns(void **state)
{
    char shell[600];
    struct program p;
    program_expect_code(*state, "run plan.yaml --no-charts -q -o a", 0);
    snprintf(shell, sizeof shell,
             "cd '%s' && mkdir old && cp a/manifest.json old && "
             "sed '1s/,interruptions,/,gone,/' a/replications.csv > old/replications.csv",
             (const char *)*state);
    assert_int_equal(system(shell), 0);
    program_expect(&p, *state, "diff a old --format csv", 0);
    assert_holds(p.out, "interruptions,mean,,");
    assert_holds(p.out, "only in A");
    program_release(&p);
}

/* Latency of an overloaded service is marked on its side, and only there. */
static void overload_is_marked(void **state)
{
    struct program p;
    program_file(*state, "web.yaml",
                 "version: 1\nstart: 2026-03-02\nregion: us-east-1\nhorizon: 6h\n"
                 "replications: 3\nworkloads: {web: {kind: inference, boot: 0s, demand: 20/s,\n"
                 "  timeout: 30s, service: {any: {time: 1s, slots: 4}}}}\n"
                 "strategies: {od: {instance: g4dn.xlarge, nodes: 10, buy: on-demand}}\n");
    program_expect(&p, *state, "diff web.yaml web.yaml --set strategies.od.nodes=4", 0);
    assert_holds(p.out, "P99 latency");
    assert_holds(p.out, "s*  ");
    assert_holds(p.out, "*: hours of overload are in it");
    program_release(&p);
    program_expect(&p, *state, "diff web.yaml web.yaml --set strategies.od.nodes=12", 0);
    assert_holds(p.out, "P99 latency");
    assert_lacks(p.out, "s*  ");
    assert_lacks(p.out, "*: hours");
    program_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PROGRAM_CASE(two_directories_are_compared),
        PROGRAM_CASE(a_scenario_is_its_own_directory),
        PROGRAM_CASE(what_they_rest_on_is_told),
        PROGRAM_CASE(a_directory_remembers_its_limits),
        PROGRAM_CASE(limits_decide_the_exit_code),
        PROGRAM_CASE(bounds_say_whether_a_rise_may_pass),
        PROGRAM_CASE(what_cannot_be_compared_is_refused),
        PROGRAM_CASE(broken_files_are_told_with_their_line),
        PROGRAM_CASE(older_directories_lack_columns),
        PROGRAM_CASE(overload_is_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
