/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast optimize as it is called: what it writes and prints, and that its choice can be run. */
#include "tests/support/program.h"
#include "tests/support/testing.h"

#include <stdlib.h>
#include <string.h>

static const char space[] = "choose: {minimise: cost_usd.p50}\n"
                            "search:\n"
                            "  budget: 600\n"
                            "  over: {nodes: [2, 4, 500000], buy: [on-demand, spot]}\n";

static void the_choice_can_be_run(void **state)
{
    struct program p;
    program_file(*state, "space.yaml", space);
    program_expect(&p, *state, "optimize plan.yaml space.yaml -o out --no-charts --jobs 1", 0);
    assert_holds(p.out, "6 plans\n");
    assert_holds(p.out, "2 refused, such as plan-5");
    assert_holds(p.out, "Chosen: plan-");
    assert_holds(p.out, "How sure: ");
    assert_null(strstr(p.out, "at least 100 %"));
    assert_holds(p.out, "of 600 strategy-worlds");
    assert_holds(p.out, "Run it: fleetcast run plan.yaml out/chosen.yaml");
    program_release(&p);
    char *chosen = program_text_of(*state, "out", "chosen.yaml");
    assert_holds(chosen, "strategies:\n  plan-");
    free(chosen);
    json_t *m = program_manifest(*state, "out");
    assert_string_equal(json_string_value(json_object_get(m, "verb")), "optimize");
    assert_true(json_is_true(json_object_get(m, "repeatable")));
    assert_true(json_integer_value(json_object_get(m, "spent_strategy_worlds")) <= 600);
    json_decref(m);
    program_expect(&p, *state, "run plan.yaml out/chosen.yaml -o run --no-charts", 0);
    assert_holds(p.out, "plan-");
    program_release(&p);
}

static void threads_change_no_byte_and_results_are_replaced(void **state)
{
    program_file(*state, "space.yaml", space);
    program_expect_code(*state, "optimize plan.yaml space.yaml -o one --jobs 1", 0);
    program_expect_code(*state, "optimize plan.yaml space.yaml -o two --no-charts --jobs 2", 0);
    program_expect_code(*state, "optimize plan.yaml space.yaml -o two --no-charts --jobs 2", 0);
    assert_same_file(*state, "one", "two", "candidates.csv");
    assert_same_file(*state, "one", "two", "front.csv");
    assert_same_file(*state, "one", "two", "chosen.yaml");
    char *chart = program_text_of(*state, "one", "charts/front.gp");
    assert_holds(chart, "P50 cost against P50 time to train");
    assert_holds(chart, "search over 6 plans, seed ");
    assert_holds(chart, "USD, tax excluded'");
    free(chart);
}

static void what_cannot_be_searched_is_told(void **state)
{
    struct program p;
    program_expect(&p, *state, "optimize plan.yaml -o out", 2);
    assert_holds(p.err, "there is nothing to search: expected `search:` with `over:`");
    program_release(&p);
    program_file(*state, "space.yaml", "search: {base: nobody, over: {nodes: [2]}}\n");
    program_expect(&p, *state, "optimize plan.yaml space.yaml -o out", 2);
    assert_holds(p.err, "no strategy is called 'nobody'");
    program_release(&p);
    program_file(*state, "space.yaml", "search: {over: {nodez: [2]}}\n");
    program_expect(&p, *state, "optimize plan.yaml space.yaml -o out", 2);
    assert_holds(p.err, "space.yaml:1:");
    assert_holds(p.err, "'nodez' is no key of a strategy");
    program_release(&p);
    assert_false(program_exists(*state, "out"));
}

/* 4: nothing may be chosen; all is written all the same. */
static void no_plan_may_be_chosen(void **state)
{
    struct program p;
    program_file(*state, "space.yaml", "search: {over: {instance: [p9.huge], nodes: [1, 2]}}\n");
    program_expect(&p, *state, "optimize plan.yaml space.yaml -o out --no-charts", 4);
    assert_holds(p.out, "No plan may be chosen.");
    program_release(&p);
    char *candidates = program_text_of(*state, "out", "candidates.csv");
    assert_holds(candidates, "unknown instance type 'p9.huge'");
    free(candidates);
    assert_false(program_exists(*state, "out/chosen.yaml"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PROGRAM_CASE(the_choice_can_be_run),
        PROGRAM_CASE(threads_change_no_byte_and_results_are_replaced),
        PROGRAM_CASE(what_cannot_be_searched_is_told),
        PROGRAM_CASE(no_plan_may_be_chosen),
    };
    return cmocka_run_group_tests_name("cli_optimize", tests, NULL, NULL);
}
