/* SPDX-License-Identifier: GPL-3.0-or-later
 * The chart of plan worlds: lanes read from the table, and its title, each rule from a table in
 * which the claim holds and one in which it does not. */
#include "engine/file.h"
#include "plots/charts/charts.h"
#include "plots/facts/plan_lanes.h"
#include "plots/sentences/title_plan_world.h"
#include "tests/support/sample_market.h"
#include "tests/support/sample_study.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct bench {
    struct sample_study study;
    struct study_facts facts;
    struct diagnostics *d;
    struct arena *arena;
    struct text said;
};

static int set_up(void **state)
{
    static struct bench b;

    b.d = diagnostics_new();
    b.arena = arena_new(0);
    text_init(&b.said, 4096);
    *state = &b;
    return sample_study_real(&b.study) &&
                   study_facts_init(&b.facts, &b.study.frame, &b.study.tables, b.d)
               ? 0
               : -1;
}

static int tear_down(void **state)
{
    struct bench *b = *state;

    sample_study_release(&b->study);
    diagnostics_free(b->d);
    arena_free(b->arena);
    text_release(&b->said);
    return 0;
}

static struct plan_lane read(struct bench *b, const char *strategy, size_t index)
{
    struct plan_lane lane;

    assert_true(plan_lane_read(&lane, b->study.tables.plan_world, strategy, index, b->arena, b->d));
    return lane;
}

static void lanes_tell_work_from_waiting(void **state)
{
    static const struct lane_piece want[] = {
        {0, 1200, LANE_IDLE},         {1200, 1800, LANE_OVERHEAD}, {1800, 90000, LANE_SPOT},
        {50000, 50000, LANE_WRITTEN}, {90000, 90000, LANE_LOSS},   {90000, 92400, LANE_OVERHEAD},
        {92400, 273600, LANE_SPOT}};
    struct plan_lane lane = read(*state, "spot in three zones", 0);

    assert_string_equal(lane.workload, "train");
    assert_int_equal(lane.count, sizeof want / sizeof want[0]);
    for (size_t i = 0; i < lane.count; i++) {
        assert_int_equal(lane.pieces[i].kind, want[i].kind);
        assert_true(lane.pieces[i].start_s == want[i].start_s);
        assert_true(lane.pieces[i].end_s == want[i].end_s);
    }
    assert_true(lane.done && lane.end_s == 273600 && lane.losses == 1 && lane.replication == 4);
    assert_null(read(*state, "spot in three zones", 1).workload);
    assert_null(read(*state, "spot", 0).workload);
}

static const char *title_failing(struct bench *b, size_t losses, size_t failures, double end_h,
                                 bool done)
{
    struct title_plan_world of[CHART_STRATEGIES_MAX] = {{0}};

    assert_int_equal(b->facts.subject, 3);
    of[3] = (struct title_plan_world){losses, end_h, done, failures};
    text_clear(&b->said);
    title_plan_world(&b->said, &b->facts, of);
    return b->said.data;
}

static const char *title(struct bench *b, size_t losses, double end_h, bool done)
{
    return title_failing(b, losses, 0, end_h, done);
}

/* The deadline is 96 h. */
static void titles_say_what_the_plan_world_holds(void **state)
{
    assert_string_equal(title(*state, 7, 90.0, true),
                        "In its plan world spot in three zones is interrupted 7 times and finishes "
                        "6 hours before the deadline");
    assert_string_equal(title(*state, 1, 96.0, true),
                        "In its plan world spot in three zones is interrupted once and finishes "
                        "just before the deadline");
    assert_string_equal(title(*state, 0, 100.011, true),
                        "In its plan world spot in three zones is never interrupted and finishes "
                        "4.02 hours after the deadline");
    assert_string_equal(title(*state, 0, 240.0, false),
                        "In its plan world spot in three zones is never interrupted and is not "
                        "finished");
}

static void failures_are_no_interruptions(void **state)
{
    assert_string_equal(title_failing(*state, 7, 2, 90.0, true),
                        "In its plan world spot in three zones is stopped 7 times, 2 of them by "
                        "failed hardware, and finishes 6 hours before the deadline");
    assert_string_equal(title_failing(*state, 1, 1, 90.0, true),
                        "In its plan world spot in three zones is stopped once by failed hardware "
                        "and finishes 6 hours before the deadline");
}

static void without_a_deadline_none_is_met(void **state)
{
    struct bench *b = *state;

    b->study.frame.deadline_count = 0;
    assert_string_equal(title(b, 2, 61.0, true),
                        "In its plan world spot in three zones is interrupted 2 times and finishes "
                        "after 61 hours");
}

static void nobody_stands_and_nobody_is_praised(void **state)
{
    struct bench *b = *state;
    const struct title_plan_world of[CHART_STRATEGIES_MAX] = {{0}};

    b->facts.subject = -1;
    title_plan_world(&b->said, &b->facts, of);
    assert_null(strstr(b->said.data, "interrupted"));
}

static const char *drawn(struct bench *b, const char *folder, const char *suffix)
{
    size_t length;
    const char *path = arena_format(b->arena, "%s/plan-world%s", folder, suffix);

    return file_read(b->arena, path, (size_t)1 << 22, &length, b->d);
}

/* Only the strategies of the table have lanes; the others say so. */
static void the_chart_is_drawn_from_the_table(void **state)
{
    struct bench *b = *state;
    char folder[] = "/tmp/fleetcast-plan-XXXXXX";
    const char *script, *data;

    assert_non_null(mkdtemp(folder));
    setenv("GNUPLOT", "/nonexistent/gnuplot", 1);
    assert_true(charts_draw(&b->study.frame, &b->study.tables, folder, b->d));
    script = drawn(b, folder, ".gp");
    assert_non_null(strstr(script, "no plan world"));
    assert_non_null(strstr(script, "'Deadline'"));
    data = drawn(b, folder, ".csv");
    assert_non_null(strstr(data, ",idle,"));
    assert_non_null(strstr(data, ",interrupted,"));
    unsetenv("GNUPLOT");
    assert_true(file_remove_tree(folder, b->d));
}

/* Work that has no lane of its own counts in what the title says of the end. */
static void work_without_a_lane_has_an_end_too(void **state)
{
    struct bench *b = *state;
    struct table *t = text_table(
        "plan_world", "strategy:t,workload:t,replication,start_s,end_s,what:t,purchase:t,left_out",
        "a,gang,0,0,3600,work,spot,0\na,gang,0,3600,3600,done,,0\na,trials,0,9000,9000,cut,,0\n");
    struct plan_lane lane;
    assert_true(plan_lane_read(&lane, t, "a", 1, b->arena, b->d));
    assert_string_equal(lane.workload, "trials");
    assert_int_equal(lane.count, 0);
    assert_false(lane.done);
    assert_near(lane.end_s, 9000, 0, "its end");
    table_free(t);
}

static void a_table_without_a_column_is_an_error(void **state)
{
    struct bench *b = *state;
    struct table *t = text_table("plan_world", "strategy:t,workload:t", "a,b\n");
    struct plan_lane lane;

    assert_false(plan_lane_read(&lane, t, "a", 0, b->arena, b->d));
    assert_true(diagnostics_failed(b->d));
    table_free(t);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(lanes_tell_work_from_waiting),        TEST(titles_say_what_the_plan_world_holds),
        TEST(failures_are_no_interruptions),       TEST(without_a_deadline_none_is_met),
        TEST(nobody_stands_and_nobody_is_praised), TEST(the_chart_is_drawn_from_the_table),
        TEST(work_without_a_lane_has_an_end_too),  TEST(a_table_without_a_column_is_an_error),
    };
    return cmocka_run_group_tests_name("plan_world", tests, NULL, NULL);
}
