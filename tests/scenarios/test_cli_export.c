/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast export: from a result directory the very world that its manifest names, from a scenario
 * any, and no file that is wrong or in somebody's way. */
#include "engine/arena.h"
#include "engine/gsl_errors.h"
#include "scenarios/output/rerun.h"
#include "tests/support/program.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char prices[] =
    "kind,region,instance_type,date,price_per_hour,currency,statistic,source\n"
    "on-demand,us-east-1,p4d.24xlarge,2025-11-01,20.5,USD,,our contract\n";

static const char plan[] =
    "version: 1\nstart: 2025-12-01\nhorizon: 30d\nregion: us-east-1\nreplications: 30\n"
    "price_files: [our prices.csv]\n"
    "workloads: {job: {kind: training, hours: 50..90h, boot: 3min, checkpoint: {every: auto}}}\n"
    "strategies:\n"
    "  spot: {instance: p4d.24xlarge, nodes: 2, buy: spot}\n"
    "  it's signed:\n"
    "    {instance: p4d.24xlarge, nodes: 2, buy: on-demand,\n"
    "     commitments: [{kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y}]}\n"
    "baseline: it's signed\n";

/* A folder with the plan and its results in `out`. */
static char *folder_with_results(void)
{
    char *folder = program_folder_new();
    program_file(folder, "signed.yaml", plan);
    program_file(folder, "our prices.csv", prices);
    program_expect_code(folder,
                        "run signed.yaml -o out --seed 4 --no-charts -q "
                        "--set workloads.job.boot=4min",
                        0);
    return folder;
}

static long plan_world(const char *folder, size_t strategy)
{
    json_t *m = program_manifest(folder, "out");
    json_t *s = json_array_get(json_object_get(m, "strategies"), strategy);
    long world = (long)json_integer_value(json_object_get(s, "plan_world"));
    json_decref(m);
    return world;
}

static void assert_same_text(const char *folder, const char *a, const char *b)
{
    char *x = program_text(folder, a), *y = program_text(folder, b);
    assert_string_equal(x, y);
    free(x);
    free(y);
}

static void a_directory_gives_its_plan_world(void **state)
{
    (void)state;
    char *folder = folder_with_results();
    struct program p;
    char words[256];
    program_expect(&p, folder, "export out --focus 1.2 -o a.csv", 0);
    assert_string_equal(p.out, "");
    assert_holds(p.err, "commitment-1");
    assert_holds(p.err, "outlives the horizon");
    program_release(&p);
    snprintf(words, sizeof words,
             "export signed.yaml --focus=1.2 --seed 4 --set workloads.job.boot=4min "
             "--replication %ld -o b.csv",
             plan_world(folder, 1));
    program_expect_code(folder, words, 0);
    assert_same_text(folder, "a.csv", "b.csv");
    /* Again over itself, though the originals are gone; the other strategy to standard output. */
    char path[512];
    snprintf(path, sizeof path, "%s/signed.yaml", folder);
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof path, "%s/our prices.csv", folder);
    assert_int_equal(unlink(path), 0);
    program_expect_code(folder, "export out --focus 1.2 -o a.csv", 0);
    assert_same_text(folder, "a.csv", "b.csv");
    program_expect(&p, folder, "export out --focus 1.2 --strategy spot", 0);
    snprintf(words, sizeof words, ",spot,%ld,4,true,", plan_world(folder, 0));
    assert_holds(p.out, words);
    assert_holds(p.out, ",Dynamic,");
    assert_lacks(p.out, "Purchase");
    program_release(&p);
    program_expect(&p, folder, "export out --focus 1.2 --strategy spot --replication 3 -o -", 0);
    assert_holds(p.out, ",spot,3,4,true,");
    program_release(&p);
    program_folder_free(folder);
}

static void a_world_that_is_another_now_is_refused(void **state)
{
    (void)state;
    char *folder = folder_with_results();
    struct program p;
    program_file(folder, "out/inputs/our prices.csv",
                 "kind,region,instance_type,date,price_per_hour,currency\n"
                 "on-demand,us-east-1,p4d.24xlarge,2025-11-01,20.6,USD\n");
    program_expect(&p, folder, "export out --focus 1.2 -o a.csv", 1);
    assert_holds(p.err, "the plan world costs");
    program_release(&p);
    assert_false(program_exists(folder, "a.csv"));
    program_folder_free(folder);
}

static void charges_beside_nodes_are_exported(void **state)
{
    (void)state;
    struct program p;
    char *folder = program_folder_new();
    program_file(folder, "disk.yaml",
                 "version: 1\nstart: 2026-03-02\nhorizon: 5d\nregion: us-east-1\n"
                 "charges: [{name: seats, once: 9 USD}, {tax: 19 %}]\n"
                 "workloads: {job: {kind: training, hours: 5h, disk: {size: 500 GB}}}\n"
                 "strategies: {od: {instance: g5.xlarge, nodes: 1, buy: on-demand}}\n");
    program_expect(&p, folder, "export disk.yaml --focus 1.2", 0);
    assert_holds(p.out, "Amazon Elastic Block Store");
    assert_holds(p.out, "seats: stated amount, shared (simulated)");
    assert_holds(p.out, ",Tax,");
    program_release(&p);
    program_folder_free(folder);
}

static void refusals(void **state)
{
    (void)state;
    char *folder = folder_with_results();
    static const struct {
        const char *words, *says;
        int code;
    } cases[] = {
        {"export out", "expected --focus 1.2", 2},
        {"export out --focus 1.3", "expected one of 1.2", 2},
        {"export --focus 1.2", "needs an operand", 2},
        {"export out --focus 1.2 --strategy no", "expected one of: spot, it's signed", 2},
        {"export out --focus 1.2 --strategy spot --strategy spot", "one strategy", 2},
        {"export out --focus 1.2 --seed 3", "without --set and --seed", 2},
        {"export out signed.yaml --focus 1.2", "one result directory", 2},
        {"export out/inputs --focus 1.2", "not a result directory", 2},
        {"export nothing.yaml --focus 1.2", "nothing.yaml", 2},
        {"export out --focus 1.2 -o signed.yaml", "is no export", 2},
        {"export out --focus 1.2 -o out", "is no export", 2},
        {"export out --focus 1.2 -o no/where.csv", "no/where.csv", 1},
        {"export signed.yaml --focus 1.2 --replication x", "whole number", 2},
        {"run signed.yaml --focus 1.2", "does not belong to 'run'", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct program p;
        program_expect(&p, folder, cases[i].words, cases[i].code);
        assert_holds(p.err, cases[i].says);
        assert_string_equal(p.out, "");
        program_release(&p);
    }
    char *text = program_text(folder, "signed.yaml");
    assert_string_equal(text, plan);
    free(text);
    assert_int_equal(program_entries(folder, "."), 3);
    program_folder_free(folder);
}

static void a_command_is_taken_apart_as_it_was_made(void **state)
{
    (void)state;
    const char *const sets[] = {"name=it's \"x\"", "a.b='c d'", ""};
    const char *const strategies[] = {"two words", "-x"};
    const struct rerun_request request = {.sets = sets,
                                          .set_count = 3,
                                          .strategies = strategies,
                                          .strategy_count = 2,
                                          .replications = 17};
    struct input_copy copy = {.kind = INPUT_SCENARIO, .copy = "scenario/my plan's.yaml"};
    const struct input_copies copies = {.items = &copy, .count = 1, .folder = "scenario/"};
    struct text command;
    text_init(&command, 0);
    rerun_command(&command, &copies, &request);
    struct arena *a = arena_new(0);
    size_t count = 0;
    char **words = rerun_words(a, command.data, &count);
    static const char *const want[] = {"fleetcast",
                                       "run",
                                       "inputs/scenario/my plan's.yaml",
                                       "--set",
                                       "name=it's \"x\"",
                                       "--set",
                                       "a.b='c d'",
                                       "--set",
                                       "",
                                       "--strategy",
                                       "two words",
                                       "--strategy",
                                       "-x",
                                       "--replications",
                                       "17",
                                       "-o",
                                       "../rerun"};
    assert_non_null(words);
    assert_int_equal(count, sizeof want / sizeof want[0]);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(words[i], want[i]);
    }
    assert_null(words[count]);
    static const char *const bad[] = {"",
                                      "rm -rf x",
                                      "fleetcast run 'a",
                                      "fleetcast run a;b",
                                      "fleetcast run $(x)",
                                      "fleetcast run \\x"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_null(rerun_words(a, bad[i], &count));
    }
    arena_free(a);
    text_release(&command);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_directory_gives_its_plan_world),
        cmocka_unit_test(a_world_that_is_another_now_is_refused),
        cmocka_unit_test(charges_beside_nodes_are_exported),
        cmocka_unit_test(refusals),
        cmocka_unit_test(a_command_is_taken_apart_as_it_was_made),
    };
    return cmocka_run_group_tests_name("export", tests, NULL, NULL);
}
