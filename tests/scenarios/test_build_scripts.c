/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the build does beside compiling: installation and its undoing, and the runner of tests. */
#include "tests/support/testing.h"

#include "tests/support/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* Runs the commands with the folder in $D; their exit code. */
static int shell(const char *folder, const char *commands)
{
    assert_int_equal(setenv("D", folder, 1), 0);
    int status = system(commands);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int folder_setup(void **state)
{
    *state = program_folder_new();
    return *state == NULL;
}

/* ---- installation ---- */

/* The program that is there is installed, nothing is built. */
#define MAKE(GOAL)                                                                                 \
    "bin=${FLEETCAST_BIN:-build/fleetcast}; env -u MAKEFLAGS -u MAKELEVEL make -s -o \"$bin\" "    \
    "BIN=\"$bin\" PREFIX=/p DESTDIR=\"$D\" " GOAL " > /dev/null"

/* Relative links of an installed page, from its own folder on. */
static size_t check_links(const char *root, const char *page, const char *folder)
{
    char *text = program_text_of(root, "p/share/doc/fleetcast", page);
    size_t links = 0;
    for (const char *s = strstr(text, "]("); s != NULL; s = strstr(s, "](")) {
        char target[400];
        s += 2;
        size_t length = strcspn(s, "#)\n");
        if (length == 0 || memchr(s, ':', length) != NULL) {
            continue; /* an anchor of the page, or the web */
        }
        snprintf(target, sizeof target, "p/share/doc/fleetcast/%s/%.*s", folder, (int)length, s);
        if (!program_exists(root, target)) {
            fail_msg("%s: '%.*s' leads nowhere", page, (int)length, s);
        }
        links++;
    }
    free(text);
    return links;
}

static void test_install_and_uninstall(void **state)
{
    static const char *const files[] = {
        "p/bin/fleetcast",
        "p/share/man/man1/fleetcast.1",
        "p/share/fleetcast/catalogue/README.md",
        "p/share/fleetcast/scenarios/quickstart.yaml",
        "p/share/doc/fleetcast/LICENSE",
        "p/share/doc/fleetcast/docs/images/quickstart-compare.png",
        "p/share/bash-completion/completions/fleetcast",
    };
    const char *folder = *state;
    assert_int_equal(shell(folder, MAKE("install")), 0);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (!program_exists(folder, files[i])) {
            fail_msg("%s was not installed", files[i]);
        }
    }
    assert_true(check_links(folder, "README.md", ".") > 5);
    assert_true(check_links(folder, "docs/architecture.md", "docs") > 1);
    assert_true(check_links(folder, "docs/scenario.md", "docs") > 1);
    check_links(folder, "docs/models.md", "docs");
    check_links(folder, "docs/output.md", "docs");
    char *completion = program_text(folder, "p/share/bash-completion/completions/fleetcast");
    assert_holds(completion, "complete -");
    free(completion);
    /* The program finds the catalogue that was installed beside it. */
    assert_int_equal(shell(folder, "cd \"$D\" && p/bin/fleetcast check -q "
                                   "p/share/fleetcast/scenarios/quickstart.yaml"),
                     0);
    assert_int_equal(shell(folder, MAKE("uninstall")), 0);
    assert_int_equal(shell(folder, "test -z \"$(find \"$D\" -type f -o -type l)\""), 0);
}

/* ---- tests/run ---- */

static void test_a_hanging_program_is_a_failure(void **state)
{
    const char *folder = *state;
    program_file(folder, "hangs", "#!/bin/sh\necho '[       OK ] one'\nexec sleep 60\n");
    program_file(folder, "good", "#!/bin/sh\necho '[       OK ] one'\n");
    assert_int_equal(shell(folder, "chmod +x \"$D/hangs\" \"$D/good\""), 0);
    assert_int_equal(shell(folder, "FLEETCAST_TEST_LIMIT_S=0.2 tests/run \"$D/hangs\" \"$D/good\" "
                                   "> \"$D/log\""),
                     1);
    char *log = program_text(folder, "log");
    assert_holds(log, "hangs: stopped, not done within 0.2 s\n");
    assert_holds(log, "\n2 passed, 1 failed\n");
    free(log);
    assert_int_equal(shell(folder, "tests/run \"$D/good\" > /dev/null"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_install_and_uninstall, folder_setup, program_teardown),
        cmocka_unit_test_setup_teardown(test_a_hanging_program_is_a_failure, folder_setup,
                                        program_teardown),
    };
    return cmocka_run_group_tests_name("build_scripts", tests, NULL, NULL);
}
