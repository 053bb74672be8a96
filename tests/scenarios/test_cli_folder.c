/* SPDX-License-Identifier: GPL-3.0-or-later
 * The result directory from outside: what is replaced and what is not, what is left after a failure
 * or Ctrl-C, and its charts. */
#include "tests/support/testing.h"

#include "tests/support/program.h"

#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* ---- the directory ---- */

/* The caller frees. */
static char *path_in(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    assert_non_null(path);
    snprintf(path, size, "%s/%s", folder, name);
    return path;
}

static int mkdir_in(const char *folder, const char *name)
{
    char *path = path_in(folder, name);
    int result = mkdir(path, 0777);
    free(path);
    return result;
}

/* The link's path, the caller's. */
static char *link_in(const char *folder, const char *target, const char *name)
{
    char *path = path_in(folder, name);
    assert_int_equal(symlink(target, path), 0);
    return path;
}

static void test_foreign_directory_is_refused(void **state)
{
    struct program p;
    char path[300];
    snprintf(path, sizeof path, "%s/theirs", (const char *)*state);
    assert_int_equal(mkdir(path, 0777), 0);
    program_file(*state, "theirs/thesis.txt", "precious");
    program_expect(&p, *state, "run plan.yaml --no-charts -o theirs", 2);
    assert_holds(p.err, "'theirs' exists and was not written by fleetcast");
    assert_string_equal(p.out, "");
    program_release(&p);
    char *text = program_text(*state, "theirs/thesis.txt");
    assert_string_equal(text, "precious");
    free(text);
    assert_int_equal(program_entries(*state, "."), 2);
}

/* Moving a link aside and a directory in its place would be found out only at the end. */
static void test_link_is_refused(void **state)
{
    static const char *const targets[] = {"nowhere", "empty", "out"};
    program_expect_code(*state, "run plan.yaml --no-charts -o out", 0);
    assert_int_equal(mkdir_in(*state, "empty"), 0);
    for (size_t i = 0; i < 3; i++) {
        struct program p;
        char *link = link_in(*state, targets[i], "link");
        program_expect(&p, *state, "run plan.yaml --no-charts -o link/", 2);
        assert_holds(p.err, "'link' is a link, which is not replaced");
        assert_string_equal(p.out, "");
        program_release(&p);
        assert_int_equal(unlink(link), 0);
        free(link);
    }
    assert_int_equal(program_entries(*state, "."), 3);
}

static void test_charts_do_not_follow_a_link(void **state)
{
    struct program p;
    program_expect_code(*state, "run plan.yaml --no-charts -o out", 0);
    assert_int_equal(mkdir_in(*state, "elsewhere"), 0);
    free(link_in(*state, "../elsewhere", "out/charts"));
    program_expect(&p, *state, "plot out", 2);
    assert_holds(p.err, "'out/charts' is a link");
    program_release(&p);
    assert_int_equal(program_entries(*state, "elsewhere"), 0);
}

/* A pipe that nobody writes to would keep the program waiting for ever. */
static void test_plot_does_not_wait_for_a_pipe(void **state)
{
    static const char *const files[] = {"out/manifest.json", "out/summary.csv"};
    for (size_t i = 0; i < 2; i++) {
        struct program p;
        program_expect_code(*state, "run plan.yaml --no-charts -o out", 0);
        char *pipe = path_in(*state, files[i]);
        assert_int_equal(unlink(pipe), 0);
        assert_int_equal(mkfifo(pipe, 0600), 0);
        free(pipe);
        program_expect(&p, *state, "plot out", 2);
        assert_holds(p.err, "is a pipe or a device; a regular file is wanted");
        program_release(&p);
        char *out = path_in(*state, "out"), *aside = path_in(*state, i == 0 ? "a" : "b");
        assert_int_equal(rename(out, aside), 0);
        free(out);
        free(aside);
    }
}

static void test_own_directory_is_replaced(void **state)
{
    program_expect_code(*state, "run plan.yaml --no-charts -o out/", 0);
    program_file(*state, "out/inputs/stale.txt", "old");
    program_expect_code(*state, "run plan.yaml --no-charts --seed 9 -o out", 0);
    assert_false(program_exists(*state, "out/inputs/stale.txt"));
    json_t *m = program_manifest(*state, "out");
    assert_int_equal(json_integer_value(json_object_get(m, "seed")), 9);
    json_decref(m);
    assert_int_equal(program_entries(*state, "."), 2); /* no draft, nothing moved aside */
}

/* Notes that somebody put beside the results are not fleetcast's to delete. */
static void test_own_directory_with_notes_is_kept(void **state)
{
    struct program p;
    program_expect_code(*state, "run plan.yaml --no-charts -o out", 0);
    program_file(*state, "out/notes.txt", "precious");
    program_expect(&p, *state, "run plan.yaml --no-charts -o out", 2);
    assert_holds(p.err, "'out' holds 'notes.txt', which fleetcast did not write");
    program_release(&p);
    assert_true(program_exists(*state, "out/notes.txt"));
}

static void test_directory_without_a_name(void **state)
{
    static const char *const rows[] = {"-o .", "-o ..", "-o out/..", "-o /", "-o -"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char words[100];
        snprintf(words, sizeof words, "run plan.yaml --no-charts %s", rows[i]);
        program_expect_code(*state, words, 2);
    }
    assert_int_equal(program_entries(*state, "."), 1);
}

/* Root may write everywhere but in a file system of the kernel's own. */
static const char *unwritable(const char *folder)
{
    static char path[300];
    struct statfs about;
    if (geteuid() == 0) {
        bool sysfs = statfs("/sys", &about) == 0 && about.f_type == SYSFS_MAGIC;
        return sysfs ? "/sys" : NULL;
    }
    snprintf(path, sizeof path, "%s/locked", folder);
    assert_int_equal(mkdir(path, 0555), 0);
    return path;
}

static void test_unwritable_directory(void **state)
{
    struct program p;
    char words[400];
    const char *path = unwritable(*state);
    if (path == NULL) {
        skip();
    }
    size_t entries = program_entries(*state, ".");
    snprintf(words, sizeof words, "run plan.yaml --no-charts -o %s/fleetcast/out", path);
    program_expect(&p, *state, words, 1);
    assert_holds(p.err, "fleetcast: error: ");
    assert_string_equal(p.out, "");
    program_release(&p);
    assert_int_equal(program_entries(*state, "."), entries);
}

static void test_file_in_the_way(void **state)
{
    struct program p;
    program_run(&p, &(struct program_call){.folder = *state},
                "run plan.yaml --no-charts -o plan.yaml/out");
    assert_true(p.code == 1 || p.code == 2);
    program_release(&p);
    assert_int_equal(program_entries(*state, "."), 1);
}

/* The disk fills up while files are written: here, a file may not grow beyond a limit. */
static void test_full_disk_leaves_nothing(void **state)
{
    struct program p;
    const struct program_call call = {.folder = *state, .file_bytes = 20000};
    program_run(&p, &call, "run plan.yaml --no-charts -o deep/er/out");
    assert_int_equal(p.code, 1);
    assert_string_equal(p.out, "");
    assert_holds(p.err, ".csv': File too large");
    program_release(&p);
    assert_int_equal(program_entries(*state, "."), 1);
}

/* ---- Ctrl-C ---- */

/* The first Ctrl-C keeps every world up to the first that is missing, the same ones as a run of
 * that many. */
static void test_interrupt_keeps_a_prefix(void **state)
{
    struct program p;
    const struct program_call call = {
        .folder = *state, .terminal = true, .environment = {"TERM=vt100"}};
    program_start(&p, &call, "run plan.yaml --no-charts --jobs 2 --replications 300000 -o cut/out");
    program_await(&p, " worlds, "); /* some are done */
    assert_int_equal(kill(p.pid, SIGINT), 0);
    program_wait(&p);
    assert_int_equal(p.code, 130);
    assert_holds(p.err, "warning: interrupted: only the first ");
    program_release(&p);
    json_t *m = program_manifest(*state, "cut/out");
    assert_true(json_is_true(json_object_get(m, "partial")));
    long long n = json_integer_value(json_object_get(m, "replications"));
    json_decref(m);
    assert_in_range(n, 1, 299999);
    char words[200];
    snprintf(words, sizeof words, "run plan.yaml --no-charts -o whole --replications %lld", n);
    program_expect_code(*state, words, 0);
    assert_same_file(*state, "cut/out", "whole", "replications.csv");
    assert_same_file(*state, "cut/out", "whole", "summary.csv");
}

/* Progress is for people: on a terminal, and not when it is dumb or quiet is asked for. */
static void test_progress_only_on_a_terminal(void **state)
{
    static const struct {
        const char *words, *terminal;
        bool shown;
    } rows[] = {
        {"run plan.yaml --no-charts", "TERM=vt100", true},
        {"run plan.yaml --no-charts", "TERM=dumb", false},
        {"run plan.yaml --no-charts", "TERM=", false},
        {"run plan.yaml --no-charts -q", "TERM=vt100", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct program p;
        const struct program_call call = {
            .folder = *state, .terminal = true, .environment = {rows[i].terminal}};
        program_run(&p, &call, rows[i].words);
        assert_int_equal(p.code, 0);
        if (rows[i].shown) {
            assert_holds(p.err, "\r60 of 60 worlds");
            assert_string_equal(p.err + strlen(p.err) - 4, "\r\x1b[K"); /* taken away at the end */
        } else {
            assert_string_equal(p.err, "");
        }
        program_release(&p);
    }
}

/* ---- charts ---- */

static void test_without_gnuplot(void **state)
{
    struct program p;
    const struct program_call call = {.folder = *state,
                                      .environment = {"GNUPLOT=/nonexistent/gnuplot"}};
    program_run(&p, &call, "run plan.yaml -o out");
    assert_int_equal(p.code, 0);
    assert_holds(p.err, "warning: ");
    assert_int_equal(count_lines(p.err), 1);
    program_release(&p);
    assert_true(program_exists(*state, "out/charts/cost.gp"));
    assert_true(program_exists(*state, "out/charts/cost.csv"));
    assert_false(program_exists(*state, "out/charts/cost.png"));
    assert_true(program_exists(*state, "out/manifest.json"));
}

/* A machine whose fonts have Latin alone: gnuplot would draw a letter as large as the page. */
static void test_names_that_no_font_has(void **state)
{
    struct program p;
    char *fc_list = path_in(*state, "fc-list"), path[512], *script;
    snprintf(path, sizeof path, "PATH=%s:/usr/bin:/bin", (const char *)*state);
    const struct program_call call = {.folder = *state,
                                      .environment = {"GNUPLOT=/nonexistent/gnuplot", path}};
    program_file(*state, "fc-list", "#!/bin/sh\necho ':charset=20-7e 2265'\n");
    assert_int_equal(chmod(fc_list, 0700), 0);
    program_file(*state, "name.yaml", "name: \xe6\x97\xa5 plan\n");
    program_run(&p, &call, "run plan.yaml name.yaml -o out");
    assert_int_equal(p.code, 0);
    assert_holds(p.err, "no font of this machine has some characters of the names");
    program_release(&p);
    script = program_text(*state, "out/charts/cost.gp");
    assert_holds(script, "'\xe2\x96\xa1 plan ");
    assert_lacks(script, "\xe6\x97\xa5");
    free(script);
    free(fc_list);
}

static void test_plot_draws_again(void **state)
{
    struct program p;
    const struct program_call call = {.folder = *state,
                                      .environment = {"GNUPLOT=/nonexistent/gnuplot"}};
    program_run(&p, &call, "run plan.yaml -o out");
    assert_int_equal(p.code, 0);
    program_release(&p);
    char *before = program_text(*state, "out/charts/cost.gp");
    program_file(*state, "out/charts/cost.gp", "ruined");
    program_run(&p, &call, "plot out/");
    assert_int_equal(p.code, 0);
    assert_holds(p.out, "Charts: out/");
    program_release(&p);
    char *after = program_text(*state, "out/charts/cost.gp");
    assert_string_equal(before, after);
    free(before);
    free(after);
}

static void test_plot_with_gnuplot(void **state)
{
    struct program p;
    if (system("command -v gnuplot > /dev/null 2>&1") != 0) {
        skip();
    }
    program_expect_code(*state, "run plan.yaml --no-charts -o out", 0);
    program_expect(&p, *state, "plot out", 0);
    assert_string_equal(p.err, "");
    program_release(&p);
    assert_true(program_exists(*state, "out/charts/cost.png"));
    assert_true(program_exists(*state, "out/charts/cost.svg"));
}

static void test_plot_refuses_what_is_not_ours(void **state)
{
    struct program p;
    program_expect(&p, *state, "plot .", 2);
    assert_holds(p.err, "is not a result directory of fleetcast");
    program_release(&p);
    program_file(*state, "manifest.json", "{\"written_by\": \"someone\"}");
    program_expect(&p, *state, "plot .", 2);
    assert_holds(p.err, "not a manifest that fleetcast wrote");
    program_release(&p);
    program_file(*state, "manifest.json", "{\"written_by\": ");
    program_expect(&p, *state, "plot .", 2);
    program_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PROGRAM_CASE(test_foreign_directory_is_refused),
        PROGRAM_CASE(test_link_is_refused),
        PROGRAM_CASE(test_charts_do_not_follow_a_link),
        PROGRAM_CASE(test_plot_does_not_wait_for_a_pipe),
        PROGRAM_CASE(test_own_directory_is_replaced),
        PROGRAM_CASE(test_own_directory_with_notes_is_kept),
        PROGRAM_CASE(test_directory_without_a_name),
        PROGRAM_CASE(test_unwritable_directory),
        PROGRAM_CASE(test_file_in_the_way),
        PROGRAM_CASE(test_full_disk_leaves_nothing),
        PROGRAM_CASE(test_interrupt_keeps_a_prefix),
        PROGRAM_CASE(test_progress_only_on_a_terminal),
        PROGRAM_CASE(test_without_gnuplot),
        PROGRAM_CASE(test_names_that_no_font_has),
        PROGRAM_CASE(test_plot_draws_again),
        PROGRAM_CASE(test_plot_with_gnuplot),
        PROGRAM_CASE(test_plot_refuses_what_is_not_ours),
    };
    return cmocka_run_group_tests_name("cli_folder", tests, NULL, NULL);
}
