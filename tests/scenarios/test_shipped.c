/* SPDX-License-Identifier: GPL-3.0-or-later
 * The scenarios that are shipped run as they are, in a few worlds each, and write numbers only. */
#include "tests/support/program.h"
#include "tests/support/testing.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 100 };

/* Those that simulate a year of a service, by minutes: a month of it is the same code. */
static const char *shorter_when_slow(const char *path)
{
    static const char *const years[] = {"image-service", "service-growth"};
    for (size_t i = 0; UNDER_SANITIZERS && i < sizeof years / sizeof years[0]; i++) {
        if (strstr(path, years[i]) != NULL) {
            return " --set horizon=30d";
        }
    }
    return "";
}

static void a_shipped_scenario_runs(void **state)
{
    const char *path = *state;
    char *folder = program_folder_new();
    char words[512];
    struct program p;
    snprintf(words, sizeof words, "run %s --replications 3 --no-charts --quiet -o %s/result%s",
             path, folder, shorter_when_slow(path));
    const struct program_call call = {.folder = "."};
    program_run(&p, &call, words);
    /* 5: in three worlds a strategy on spot may finish in none. */
    if (p.code != 0 && p.code != 5) {
        print_error("%s: %d\n%s", path, p.code, p.err);
    }
    assert_true(p.code == 0 || p.code == 5);
    assert_null(strstr(p.out, " nan")); /* "unanswered" is a word */
    char *summary = program_text_of(folder, "result", "summary.csv");
    assert_null(strstr(summary, "nan"));
    assert_null(strstr(summary, "inf"));
    free(summary);
    program_release(&p);
    program_folder_free(folder);
}

int main(void)
{
    static struct CMUnitTest tests[MOST];
    glob_t found;
    if (glob("scenarios/*.yaml", 0, NULL, &found) != 0 || found.gl_pathc > MOST) {
        return 1;
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        tests[i] = (struct CMUnitTest){found.gl_pathv[i], a_shipped_scenario_runs, NULL, NULL,
                                       found.gl_pathv[i]};
    }
    int failed = _cmocka_run_group_tests("shipped scenarios", tests, found.gl_pathc, NULL, NULL);
    globfree(&found);
    return failed;
}
