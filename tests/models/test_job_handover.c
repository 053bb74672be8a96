/* SPDX-License-Identifier: GPL-3.0-or-later
 * How a planned move goes, and how often the policy looks: each job worked out by hand. One node
 * boots in 100 s and restores in 50 s; 4,000 s of work; on-demand first, spot from 1,000 s on. */
#include "tests/support/job_world.h"
#include "tests/support/scripted_market_double.h"
#include "tests/support/testing.h"

#include <stdlib.h>

static struct job_world_script script_with(struct job_script job)
{
    job.nodes = 1;
    job.work_s = 4000;
    job.boot_s = 100;
    job.restore_s = 50;
    job.policy = "script";
    job.wants[0].want = PURCHASE_ON_DEMAND;
    job.wants[1].from_s = 1000;
    job.wants[1].want = PURCHASE_SPOT;
    return (struct job_world_script){.horizon_s = 100000, .jobs = {job}};
}

static void assert_result(struct job_world_script script, const char *want)
{
    struct job_world *w = job_world_new(&script);
    assert_true(job_world_run(w, 0, NULL));
    char *got = job_world_result(w, 0);
    assert_string_equal(got, want);
    free(got);
    job_world_free(w);
}

/* Spot boots from 1,000 to 1,100 while on-demand works on: 1,000 s are done then, 50 s restore,
 * 3,000 s of work. */
static void a_move_overlaps(void **state)
{
    (void)state;
    assert_result(
        script_with((struct job_script){.mode = CHECKPOINT_CONTINUOUS}),
        "done 4150 of 4000; restarts 1, switches 1, launches 2; spot 3150, on-demand 1100");
}

/* On-demand goes at 1,000 with 900 s done; boot to 1,100, restore to 1,150, 3,100 s of work. */
static void a_move_stops_first(void **state)
{
    (void)state;
    assert_result(
        script_with(
            (struct job_script){.mode = CHECKPOINT_CONTINUOUS, .handover = HANDOVER_STOP_FIRST}),
        "done 4250 of 4000; restarts 1, switches 1, launches 2; spot 3250, on-demand 1000");
}

/* A checkpoint of 10 s comes before: on-demand goes at 1,010; 1,110, 1,160, then 3,100 s and the
 * final checkpoint. */
static void what_was_done_is_saved_first(void **state)
{
    (void)state;
    assert_result(
        script_with((struct job_script){.write_s = 10, .handover = HANDOVER_STOP_FIRST}),
        "done 4270 of 4000; checkpoints 2, restarts 1, switches 1, launches 2; spot 3260, "
        "on-demand 1010");
}

/* Without room on spot until 2,000 on-demand works on, and then goes first: 1,900 s done; 2,100,
 * 2,150, 2,100 s. */
static void a_pool_without_room_is_not_waited_for(void **state)
{
    (void)state;
    struct job_world_script s = script_with(
        (struct job_script){.mode = CHECKPOINT_CONTINUOUS, .handover = HANDOVER_STOP_FIRST});
    s.spot = (struct scripted_pool){.steps = {{0, 0}, {2000, 1}}, .step_count = 2};
    assert_result(s, "done 4250 of 4000; restarts 1, switches 1, launches 2; spot 2250, "
                     "on-demand 2000");
}

/* A look each 600 s: what is wanted from 1,000 on is seen at 1,200. Spot boots to 1,300 beside
 * on-demand, with 1,200 s done; 1,350; 2,800 s. */
static void a_policy_that_polls_sees_late(void **state)
{
    (void)state;
    assert_result(
        script_with((struct job_script){.mode = CHECKPOINT_CONTINUOUS, .look_every_s = 600}),
        "done 4150 of 4000; restarts 1, switches 1, launches 2; spot 2950, on-demand 1300");
}

/* Looks are counted from submission: at 250, 850, 1,450. Boot to 350, 1,200 s done at 1,550, …; one
 * that goes first leaves at 1,450 with 1,100 s done: 1,550, 1,600, 2,900 s. */
static void looks_begin_with_the_submission(void **state)
{
    (void)state;
    assert_result(
        script_with((struct job_script){.mode = CHECKPOINT_CONTINUOUS,
                                        .submit_s = 250,
                                        .look_every_s = 600,
                                        .handover = HANDOVER_STOP_FIRST}),
        "done 4500 of 4000; restarts 1, switches 1, launches 2; spot 3050, on-demand 1200");
}

/* Spot is lost at 1,700 and back at 1,900: what was decided at 1,200, spot, is followed at once, no
 * look is waited for. 1,200 s done at 1,300; restored at 1,350; 350 s to 1,700: 1,550 s. Again from
 * 1,900: 2,000, 2,050, 2,450 s. */
static void between_looks_the_last_decision_is_followed(void **state)
{
    (void)state;
    struct job_world_script s =
        script_with((struct job_script){.mode = CHECKPOINT_CONTINUOUS, .look_every_s = 600});
    s.spot = (struct scripted_pool){.steps = {{0, 1}, {1700, 0}, {1900, 1}}, .step_count = 3};
    assert_result(s, "done 4500 of 4000; restarts 2, losses 1, switches 1, "
                     "idle 200, launches 3, interruptions 1; spot 3100, on-demand 1300");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_move_overlaps),
        cmocka_unit_test(a_move_stops_first),
        cmocka_unit_test(what_was_done_is_saved_first),
        cmocka_unit_test(a_pool_without_room_is_not_waited_for),
        cmocka_unit_test(a_policy_that_polls_sees_late),
        cmocka_unit_test(looks_begin_with_the_submission),
        cmocka_unit_test(between_looks_the_last_decision_is_followed),
    };
    return cmocka_run_group_tests_name("job_handover", tests, NULL, NULL);
}
