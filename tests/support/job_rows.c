/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/job_rows.h"

#include "tests/support/testing.h"

#include <stdlib.h>

static void tell(void **state)
{
    const struct job_row *row = *state;
    struct job_world_script script = row->script;
    if (script.horizon_s <= 0) {
        script.horizon_s = 100000;
    }
    struct job_world *w = job_world_new(&script);
    assert_true(job_world_run(w, 0, NULL));
    char *story = job_world_story(w);
    assert_string_equal(story, row->story);
    free(story);
    for (size_t i = 0; i == 0 || i < script.job_count; i++) {
        char *result = job_world_result(w, i);
        assert_string_equal(result, row->results[i]);
        free(result);
    }
    job_world_free(w);
}

int job_rows_run(const char *group, const struct job_row *rows, size_t count)
{
    struct CMUnitTest *tests = calloc(count, sizeof *tests);
    assert_non_null(tests);
    for (size_t i = 0; i < count; i++) {
        tests[i] = (struct CMUnitTest){rows[i].name, tell, NULL, NULL, (void *)(uintptr_t)&rows[i]};
    }
    int failed = _cmocka_run_group_tests(group, tests, count, NULL, NULL);
    free(tests);
    return failed;
}
