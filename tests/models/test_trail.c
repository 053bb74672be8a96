/* SPDX-License-Identifier: GPL-3.0-or-later
 * The trail of a world: stretches without gaps of nothing, marks that come late, caps; and that of
 * a job in a market written by hand. */
#include "tests/support/testing.h"

#include "engine/text.h"
#include "models/fleet/trail.h"
#include "tests/support/job_world.h"
#include "tests/support/scripted_market_double.h"

#include <stdlib.h>
#include <string.h>

static void nothing_where_there_is_none(void **state)
{
    (void)state;
    trail_enter(NULL, 1, 0, TRAIL_WORK, 0, 1);
    trail_mark(NULL, 1, 0, TRAIL_LOSS, 0);
    trail_close(NULL, 2);
    assert_int_equal(trail_count(NULL), 0);
    assert_int_equal(trail_dropped(NULL), 0);
    assert_null(trail_at(NULL, 0));
    trail_free(NULL);
}

/* "work 10-40 of 2 in pool 1\n" or "interrupted 40\n" for each entry. */
static char *words(const struct trail *t)
{
    struct text out;
    text_init(&out, 0);
    for (size_t i = 0; i < trail_count(t); i++) {
        const struct trail_entry *e = trail_at(t, i);
        if (e->is_mark) {
            text_format(&out, "%s %g\n", trail_mark_names[e->mark], e->start_s);
        } else {
            text_format(&out, "%s %g-%g, %u of pool %d\n", trail_state_names[e->state], e->start_s,
                        e->end_s, e->nodes, e->pool);
        }
    }
    char *copy = strdup(out.data);
    text_release(&out);
    return copy;
}

static void assert_words(const struct trail *t, const char *want)
{
    char *got = words(t);
    assert_string_equal(got, want);
    free(got);
}

static void stretches_follow_each_other(void **state)
{
    (void)state;
    struct trail *t = trail_new(100);
    trail_enter(t, 10, 1, TRAIL_WORK, 3, 2);
    trail_enter(t, 10, 0, TRAIL_IDLE, -1, 0);
    trail_enter(t, 20, 0, TRAIL_IDLE, -1, 0); /* as before */
    trail_enter(t, 30, 0, TRAIL_BOOT, 1, 4);
    trail_enter(t, 30, 0, TRAIL_WORK, 1, 4); /* booted in no time */
    trail_mark(t, 25, 1, TRAIL_WRITTEN, 3);  /* told late */
    trail_enter(t, 50, 0, TRAIL_NONE, -1, 0);
    trail_mark(t, 50, 0, TRAIL_DONE, -1);
    trail_close(t, 60);
    assert_words(t, "idle 10-30, 0 of pool -1\nwork 30-50, 4 of pool 1\ndone 50\n"
                    "work 10-60, 2 of pool 3\ncheckpoint-written 25\n");
    trail_free(t);
}

static void what_is_beyond_the_limit_is_counted(void **state)
{
    (void)state;
    struct trail *t = trail_new(2);
    for (int i = 0; i < 5; i++) {
        trail_mark(t, i, 0, TRAIL_LOSS, 0);
    }
    trail_enter(t, 5, 0, TRAIL_WORK, 0, 1);
    trail_close(t, 6);
    assert_int_equal(trail_count(t), 2);
    assert_int_equal(trail_dropped(t), 4);
    trail_free(t);
}

/* One node of spot, booting in 100 s, with checkpoints every 1,000 s that take 10. It is taken at
 * 2,500, where two checkpoints (1,110 and 2,120) are complete, and back at 3,000; then it boots,
 * restores in 50 s, and does the 2,000 s that are left, with one checkpoint on the way and one at
 * the end. */
static void a_job_leaves_what_it_does(void **state)
{
    (void)state;
    struct job_world_script script = {
        .spot = {.steps = {{0, 1}, {2500, 0}, {3000, 1}}, .step_count = 3},
        .horizon_s = 100000,
        .jobs = {{.nodes = 1,
                  .work_s = 4000,
                  .boot_s = 100,
                  .every_s = 1000,
                  .write_s = 10,
                  .restore_s = 50,
                  .policy = "wait"}},
    };
    struct job_world *w = job_world_new(&script);
    struct trail *t = trail_new(100);
    fleet_follow(job_world_fleet(w), t);
    assert_true(job_world_run(w, 0, NULL));
    trail_close(t, 1e6);
    assert_words(t, "boot 0-100, 1 of pool 1\n"
                    "work 100-2500, 1 of pool 1\n"
                    "checkpoint-written 1110\n"
                    "checkpoint-written 2120\n"
                    "idle 2500-3000, 0 of pool -1\n"
                    "interrupted 2500\n"
                    "boot 3000-3100, 1 of pool 1\n"
                    "restore 3100-3150, 1 of pool 1\n"
                    "work 3150-5170, 1 of pool 1\n"
                    "checkpoint-written 4160\n"
                    "checkpoint-written 5170\n"
                    "done 5170\n");
    fleet_follow(job_world_fleet(w), NULL);
    trail_free(t);
    job_world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_where_there_is_none),
        cmocka_unit_test(stretches_follow_each_other),
        cmocka_unit_test(what_is_beyond_the_limit_is_counted),
        cmocka_unit_test(a_job_leaves_what_it_does),
    };
    return cmocka_run_group_tests_name("trail", tests, NULL, NULL);
}
