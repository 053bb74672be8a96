/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/testing.h"

#include "plots/facts/time_course.h"
#include "tests/support/sample_study.h"

#include <math.h>

static void reads_one_measure_of_one_strategy(void **state)
{
    struct arena *arena = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    struct sample_study s;
    struct time_course t;

    (void)state;
    assert_true(sample_study_real(&s));
    assert_true(time_course_read(&t, s.tables.timeline, "on-demand", "cumulative_usd", arena, d));
    assert_int_equal(t.count, 160); /* buckets of 1.5 h over 240 h */
    for (size_t k = 0; k < t.count; k++) {
        assert_near(t.start_s[k], 5400.0 * (double)k, 1e-6, "start");
        assert_near(t.end_s[k], 5400.0 * (double)(k + 1), 1e-6, "end");
        assert_true(t.p10[k] <= t.p25[k] && t.p25[k] <= t.p50[k] && t.p75[k] <= t.p90[k]);
        assert_true(k == 0 || t.p50[k] >= t.p50[k - 1]);
    }
    assert_true(time_course_read(&t, s.tables.timeline, "on-demand", "spot_nodes", arena, d));
    assert_int_equal(t.count, 160);
    assert_true(isnan(t.p50[0])); /* only the plan world's nodes are given */
    assert_near(t.plan[0], 0.0, 0.0, "no spot");
    assert_true(time_course_read(&t, s.tables.timeline, "nobody", "spot_nodes", arena, d));
    assert_int_equal(t.count, 0);
    assert_false(time_course_read(&t, s.tables.summary, "spot", "spot_nodes", arena, d));
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_ERROR), 1);
    sample_study_release(&s);
    diagnostics_free(d);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_one_measure_of_one_strategy)};

    return cmocka_run_group_tests_name("time_course", tests, NULL, NULL);
}
