/* SPDX-License-Identifier: GPL-3.0-or-later
 * A result directory runs again from itself: the command in its manifest, given to a shell there,
 * makes the same bytes, though all original files are gone. */
#include "tests/support/program.h"
#include "tests/support/testing.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const csv_files[] = {"summary.csv",  "comparison.csv",  "distribution.csv",
                                        "timeline.csv", "monthly.csv",     "lines.csv",
                                        "usage.csv",    "replications.csv"};
enum { CSV_FILES = sizeof csv_files / sizeof csv_files[0] };

/* %s: price files, boot. */
static const char plan[] =
    "version: 1\nstart: 2026-01-30\nhorizon: 20d\nregion: us-east-1\nreplications: 50\n"
    "price_files: %s\n"
    "workloads: {job: {kind: training, hours: 8..12h, checkpoint: {every: auto}, boot: %s}}\n"
    "strategies:\n"
    "  on demand: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n"
    "  spot: {instance: p3.2xlarge, nodes: 2, buy: spot}\n"
    "  more: {instance: p3.2xlarge, nodes: 3, buy: spot}\n";

static const char over[] = "workloads: {job: {deadline: 3d}}\n";

static const char prices[] =
    "kind,region,instance_type,date,price_per_hour,currency,statistic,source\n"
    "on-demand,us-east-1,p3.2xlarge,2026-01-01,2.5,USD,,our contract\n"
    "spot,us-east-1,p3.2xlarge,2026-01-01,0.71,USD,,our guess\n";

static const char boots[] = "boot_s\n60\n120\n300\n";

struct rerun_case {
    const char *name;
    const char *price_files; /* %s: the folder */
    const char *boot;
    const char *prices_at, *boot_at; /* below the folder */
    const char *words;               /* of the command line */
};

static const struct rerun_case cases[] = {
    {"beside the scenario", "[prices.csv]", "\"empirical(boot.csv; boot_s)\"", "plans/prices.csv",
     "plans/boot.csv", ""},
    {"below and above it", "[../our prices/p.csv]", "\"empirical(sub/../../boot.csv; boot_s)\"",
     "our prices/p.csv", "boot.csv", " --seed 9"},
    {"an absolute price file", "[\"%s/x/p.csv\"]", "90s", "x/p.csv", "unused.csv",
     " --replications 40 --strategy spot --strategy more"},
    {"settings", "[]", "90s", "x/p.csv", "unused.csv",
     " --set price_files=../x/p.csv --set budget=500USD --set name=it's --precision 10% "
     "--set workloads.job.boot=empirical(../unused.csv;boot_s)"},
};

static void make_folders_of(const char *folder, const char *file)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    *strrchr(path, '/') = '\0';
    mkdir(path, 0777);
}

static void assert_same_results(const char *folder, const char *a, const char *b)
{
    for (size_t i = 0; i < CSV_FILES; i++) {
        assert_same_file(folder, a, b, csv_files[i]);
    }
}

/* The command as a shell in the directory reads it, the program being in PATH. */
static void run_again(const char *folder, const char *directory, const char *extra)
{
    char bin[PATH_MAX], *command = NULL;
    const char *given = getenv("FLEETCAST_BIN");
    json_t *m = program_manifest(folder, directory);
    const char *rerun = json_string_value(json_object_get(m, "rerun"));
    assert_non_null(rerun);
    assert_non_null(realpath(given == NULL ? "build/fleetcast" : given, bin));
    assert_true(
        asprintf(&command,
                 "cd '%s/%s' && fleetcast() { '%s' \"$@\"; } && %s --no-charts%s >/dev/null",
                 folder, directory, bin, rerun, extra) > 0);
    int code = system(command);
    if (code != 0) {
        fail_msg("exit code %d of: %s", code, command);
    }
    free(command);
    json_decref(m);
}

static void runs_again(void **state)
{
    const struct rerun_case *c = *state;
    char *folder = program_folder_new();
    char files[PATH_MAX], text[2 * PATH_MAX], words[500];
    make_folders_of(folder, "plans/plan.yaml");
    make_folders_of(folder, "plans/sub/any");
    make_folders_of(folder, c->prices_at);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(files, sizeof files, c->price_files, folder);
#pragma GCC diagnostic pop
    snprintf(text, sizeof text, plan, files, c->boot);
    program_file(folder, "plans/plan.yaml", text);
    program_file(folder, "over.yaml", over);
    program_file(folder, c->prices_at, prices);
    program_file(folder, c->boot_at, boots);
    snprintf(words, sizeof words, "run plans/plan.yaml over.yaml --no-charts -o out%s", c->words);
    program_expect_code(folder, words, 0);
    /* Nothing but the results is left. */
    char clean[PATH_MAX + 100];
    snprintf(clean, sizeof clean,
             "cd '%s' && for f in *; do test \"$f\" = out || rm -r \"$f\"; done", folder);
    assert_int_equal(system(clean), 0);
    run_again(folder, "out", "");
    assert_same_results(folder, "out", "rerun");
    /* And once more from what that made. */
    run_again(folder, "rerun", " -o ../third");
    assert_same_results(folder, "out", "third");
    json_t *one = program_manifest(folder, "out"), *two = program_manifest(folder, "third");
    static const char *const same[] = {"seed",       "replications", "scenario",
                                       "strategies", "workloads",    "budget"};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        assert_true(json_equal(json_object_get(one, same[i]), json_object_get(two, same[i])));
    }
    json_decref(one);
    json_decref(two);
    program_folder_free(folder);
}

static void the_scenario_may_come_from_standard_input(void **state)
{
    (void)state;
    char *folder = program_folder_new();
    struct program p;
    const struct program_call call = {.folder = folder, .input = program_plan};
    program_run(&p, &call, "run - --no-charts -o out");
    assert_int_equal(p.code, 0);
    program_release(&p);
    run_again(folder, "out", "");
    assert_same_results(folder, "out", "rerun");
    program_folder_free(folder);
}

int main(void)
{
    enum { CASES = sizeof cases / sizeof cases[0] };
    struct CMUnitTest tests[CASES + 1] = {
        cmocka_unit_test(the_scenario_may_come_from_standard_input)};
    for (size_t i = 0; i < CASES; i++) {
        tests[1 + i] = (struct CMUnitTest){.name = cases[i].name,
                                           .test_func = runs_again,
                                           .initial_state = (void *)(uintptr_t)&cases[i]};
    }
    return _cmocka_run_group_tests("rerun", tests, CASES + 1, NULL, NULL);
}
