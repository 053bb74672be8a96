/* SPDX-License-Identifier: GPL-3.0-or-later
 * The runner is tried on small shell scripts in gnuplot's place: what matters is what it hands
 * over, what it hears, and that nothing survives it. */
#include "tests/support/testing.h"

#include "plots/charts/gnuplot.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct bench {
    char folder[64], program[96];
};

static int set_up(void **state)
{
    static struct bench b;

    snprintf(b.folder, sizeof b.folder, "/tmp/fleetcast-gnuplot-XXXXXX");
    if (mkdtemp(b.folder) == NULL)
        return -1;
    snprintf(b.program, sizeof b.program, "%s/program", b.folder);
    *state = &b;
    return 0;
}

static int tear_down(void **state)
{
    static const char *const names[] = {"program", "said", "pid"};
    const struct bench *b = *state;
    char path[128];

    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", b->folder, names[i]);
        unlink(path);
    }
    return rmdir(b->folder);
}

static void write_program(const struct bench *b, const char *body)
{
    FILE *f = fopen(b->program, "w");

    assert_non_null(f);
    fprintf(f, "#!/bin/sh\n%s\n", body);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(chmod(b->program, 0700), 0);
}

/* The file `name` in the folder, without its last line break. */
static void read_back(const struct bench *b, const char *name, char *out, size_t size)
{
    char path[128];
    FILE *f;
    size_t n;

    snprintf(path, sizeof path, "%s/%s", b->folder, name);
    f = fopen(path, "r");
    assert_non_null(f);
    n = fread(out, 1, size - 1, f);
    fclose(f);
    out[n] = '\0';
    if (n > 0 && out[n - 1] == '\n')
        out[n - 1] = '\0';
}

static void runs_in_the_folder_with_its_arguments(void **state)
{
    const struct bench *b = *state;
    struct gnuplot_result r;
    char said[1024];

    write_program(b, "echo \"$(pwd)|$*\" > said");
    r = gnuplot_run(b->program, b->folder, "cost.gp", ".part", 10.0);
    assert_int_equal(r.status, GNUPLOT_DONE);
    assert_string_equal(r.message, "");
    read_back(b, "said", said, sizeof said);
    assert_non_null(strstr(said, b->folder));
    assert_non_null(strstr(said, "|-d -e PART = '.part' cost.gp"));
}

static void hands_over_an_environment_of_its_own(void **state)
{
    const struct bench *b = *state;
    char said[4096];

    setenv("FLEETCAST_SECRET", "swordfish", 1);
    write_program(b, "env > said");
    assert_int_equal(gnuplot_run(b->program, b->folder, "x.gp", "", 10.0).status, GNUPLOT_DONE);
    unsetenv("FLEETCAST_SECRET");
    read_back(b, "said", said, sizeof said);
    assert_null(strstr(said, "swordfish"));
    assert_null(strstr(said, "HOME="));
    assert_non_null(strstr(said, "LC_ALL=C.UTF-8"));
    assert_non_null(strstr(said, "GNUTERM=dumb"));
    assert_non_null(strstr(said, "PATH="));
}

static void names_the_line_that_failed(void **state)
{
    const struct bench *b = *state;
    struct gnuplot_result r;

    write_program(
        b, "printf '\\nset foo\\n    ^\\n\"cost.gp\" line 3: unrecognized option\\n\\n' >&2\n"
           "exit 1");
    r = gnuplot_run(b->program, b->folder, "cost.gp", "", 10.0);
    assert_int_equal(r.status, GNUPLOT_FAILED);
    assert_int_equal(r.exit_code, 1);
    assert_string_equal(r.message, "\"cost.gp\" line 3: unrecognized option");
}

static void keeps_the_end_of_a_flood(void **state)
{
    const struct bench *b = *state;
    struct gnuplot_result r;

    write_program(b, "i=0; while [ $i -lt 2000 ]; do echo \"warning number $i\" >&2; "
                     "i=$((i + 1)); done; echo 'x line 9: the end' >&2; exit 7");
    r = gnuplot_run(b->program, b->folder, "cost.gp", "", 20.0);
    assert_int_equal(r.status, GNUPLOT_FAILED);
    assert_int_equal(r.exit_code, 7);
    assert_string_equal(r.message, "x line 9: the end");
}

static void a_signal_is_a_failure(void **state)
{
    const struct bench *b = *state;
    struct gnuplot_result r;

    write_program(b, "kill -SEGV $$");
    r = gnuplot_run(b->program, b->folder, "cost.gp", "", 10.0);
    assert_int_equal(r.status, GNUPLOT_FAILED);
    assert_int_equal(r.exit_code, 128 + SIGSEGV);
}

static void an_absent_program_is_told_apart(void **state)
{
    const struct bench *b = *state;

    assert_int_equal(gnuplot_run("/nonexistent/gnuplot", b->folder, "x.gp", "", 10.0).status,
                     GNUPLOT_ABSENT);
    assert_int_equal(gnuplot_run("no-such-program-anywhere", b->folder, "x.gp", "", 10.0).status,
                     GNUPLOT_ABSENT);
}

/* True once no process of that id is left (a killed grandchild is reaped by init in its own time).
 */
static bool is_gone(pid_t pid)
{
    for (int i = 0; i < 500; i++) {
        char path[64], state = '?';
        FILE *f;
        snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
        f = fopen(path, "r");
        if (f == NULL)
            return true;
        if (fscanf(f, "%*d %*s %c", &state) != 1)
            state = '?';
        fclose(f);
        if (state == 'Z')
            return true;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return false;
}

static void an_endless_loop_is_killed_with_its_children(void **state)
{
    const struct bench *b = *state;
    struct gnuplot_result r;
    struct timespec before, after;
    char pid[64];

    write_program(b, "sleep 600 &\necho $! > pid\nwhile :; do sleep 600; done");
    clock_gettime(CLOCK_MONOTONIC, &before);
    r = gnuplot_run(b->program, b->folder, "x.gp", "", 0.3);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert_int_equal(r.status, GNUPLOT_TIMEOUT);
    assert_string_equal(r.message, "it did not end within 0.3 s");
    assert_true(after.tv_sec - before.tv_sec < 60);
    read_back(b, "pid", pid, sizeof pid);
    assert_true(is_gone((pid_t)strtol(pid, NULL, 10)));
}

static void a_program_that_closes_its_output_is_waited_for(void **state)
{
    const struct bench *b = *state;

    write_program(b, "exec 2>&-\nsleep 600");
    assert_int_equal(gnuplot_run(b->program, b->folder, "x.gp", "", 0.3).status, GNUPLOT_TIMEOUT);
}

static void the_environment_names_the_program(void **state)
{
    const char *before = getenv("GNUPLOT");
    char kept[256];

    (void)state;
    snprintf(kept, sizeof kept, "%s", before == NULL ? "" : before);
    setenv("GNUPLOT", "/opt/gnuplot", 1);
    assert_string_equal(gnuplot_program(), "/opt/gnuplot");
    setenv("GNUPLOT", "", 1);
    assert_string_equal(gnuplot_program(), "gnuplot");
    unsetenv("GNUPLOT");
    assert_string_equal(gnuplot_program(), "gnuplot");
    if (before != NULL)
        setenv("GNUPLOT", kept, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_in_the_folder_with_its_arguments),
        cmocka_unit_test(hands_over_an_environment_of_its_own),
        cmocka_unit_test(names_the_line_that_failed),
        cmocka_unit_test(keeps_the_end_of_a_flood),
        cmocka_unit_test(a_signal_is_a_failure),
        cmocka_unit_test(an_absent_program_is_told_apart),
        cmocka_unit_test(an_endless_loop_is_killed_with_its_children),
        cmocka_unit_test(a_program_that_closes_its_output_is_waited_for),
        cmocka_unit_test(the_environment_names_the_program)};

    return cmocka_run_group_tests_name("gnuplot", tests, set_up, tear_down);
}
