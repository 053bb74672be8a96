/* SPDX-License-Identifier: GPL-3.0-or-later
 * Adaptive checkpoint intervals: the posterior mean by hand, the looks of an undisturbed job
 * against a loop, and what a wrong plan costs against the right one. */
#include "models/policies/checkpoint_interval.h"
#include "models/training/adaptive_interval.h"
#include "tests/support/job_world.h"
#include "tests/support/scripted_market_double.h"
#include "tests/support/testing.h"

#include <math.h>

static void the_mean_of_the_posterior(void **state)
{
    (void)state;
    struct loss_record seen = {0};
    assert_near(adaptive_loss_rate(&seen, 0.5), 0.5, 0, "nothing seen: the plan");
    seen = (struct loss_record){.expected = 3, .losses = 3};
    assert_near(adaptive_loss_rate(&seen, 0.5), 0.5, 0, "as planned");
    seen = (struct loss_record){.expected = 1, .losses = 0};
    assert_near(adaptive_loss_rate(&seen, 0.5), 0.1, 1e-15, "a fifth after one that did not come");
    seen = (struct loss_record){.expected = 0.25, .losses = 2};
    assert_near(adaptive_loss_rate(&seen, 0.5), 2.25, 1e-15, "two and a quarter for a half");
}

static void looks_come_when_as_much_was_seen_again(void **state)
{
    (void)state;
    struct loss_record seen = {0};
    assert_int_equal(adaptive_look_after(&seen, 0.01, 10), 3); /* 2.5 */
    seen.expected = 1;
    assert_int_equal(adaptive_look_after(&seen, 0.01, 10), 13); /* 12.5 */
    assert_int_equal(adaptive_look_after(&seen, 1, 10), 1);     /* at least one */
    assert_true(adaptive_look_after(&seen, 1e-300, 1e-3) > 0);
}

#define WORK_S 500000.0
#define RATE   (1 / 5000.0)

/* Nothing is lost, so that intervals grow from look to look. */
static void undisturbed(double copy_s, double write_s)
{
    struct job_world_script script = {.horizon_s = 1e7,
                                      .jobs = {{.nodes = 4,
                                                .work_s = WORK_S,
                                                .copy_s = copy_s,
                                                .write_s = write_s,
                                                .no_final = true,
                                                .adaptive_per_s = RATE,
                                                .policy = "on-demand"}}};
    struct job_world *w = job_world_new(&script);
    assert_true(job_world_run(w, 0, NULL));
    struct work_result r = job_result(job_world_job(w, 0));

    double pause_s = copy_s > 0 ? copy_s : write_s, t = 0, done = 0, first_s = 0, last_s = 0;
    struct loss_record seen = {0};
    uint64_t written = 0, looks = 0;
    double carried_s = 0; /* since the last copy */
    while (done < WORK_S - 1e-3) {
        double every_s = fmax(1, checkpoint_interval_s(adaptive_loss_rate(&seen, RATE), pause_s));
        every_s = copy_s > 0 ? fmax(every_s, write_s) : every_s;
        uint64_t count = adaptive_look_after(&seen, RATE, every_s + pause_s);
        double began_s = t;
        first_s = looks == 0 ? every_s : first_s;
        last_s = every_s;
        for (uint64_t k = 0; k < count && done < WORK_S - 1e-3; k++) {
            double segment_s = fmin(every_s - carried_s, WORK_S - done);
            bool whole = WORK_S - done > every_s - carried_s + 1e-6;
            t += segment_s + (whole ? pause_s : 0);
            done += segment_s;
            written += whole;
            carried_s = 0;
        }
        if (copy_s > 0 && done < WORK_S - 1e-3) {
            carried_s = fmin(write_s, WORK_S - done); /* the look waits for the write behind */
            t += carried_s;
            done += carried_s;
        }
        seen.expected += RATE * (t - began_s);
        looks++;
    }
    assert_true(looks >= 4 && last_s > 3 * first_s);
    assert_int_equal(r.checkpoints, written);
    assert_relative(r.end_s, t, 1e-9, "end");
    job_world_free(w);
}

static void an_undisturbed_job_writes_ever_more_seldom(void **state)
{
    (void)state;
    undisturbed(0, 60);
    undisturbed(30, 200);
}

/* Mean end over worlds in which two nodes are each struck every hazard_s. */
static double mean_end_s(double every_s, double planned_per_s, double hazard_s)
{
    struct job_world_script script = {.spot = {.hazard_per_s = 1 / hazard_s},
                                      .horizon_s = 1e9,
                                      .jobs = {{.nodes = 2,
                                                .work_s = 4e5,
                                                .every_s = every_s,
                                                .write_s = 60,
                                                .restore_s = 30,
                                                .adaptive_per_s = planned_per_s,
                                                .policy = "wait"}}};
    struct job_world *w = job_world_new(&script);
    double sum = 0;
    for (uint32_t i = 0; i < 40; i++) {
        assert_true(job_world_run(w, i, NULL));
        struct work_result r = job_result(job_world_job(w, 0));
        assert_true(r.finished);
        sum += r.end_s;
    }
    job_world_free(w);
    return sum / 40;
}

static void a_wrong_plan_is_corrected(void **state)
{
    (void)state;
    const double true_per_s = 1 / 4000.0; /* of the gang */
    double right_s = mean_end_s(checkpoint_interval_s(true_per_s, 60), 0, 8000);
    static const double times[] = {0.01, 0.1, 1, 10, 100};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        double planned_per_s = true_per_s * times[i];
        double adaptive_s = mean_end_s(0, planned_per_s, 8000);
        /* Within 2 %; a plan wrong by a hundred that is never looked at costs a fifth and more. */
        assert_relative(adaptive_s, right_s, 0.02, "adaptive against right");
        if (times[i] < 0.05 || times[i] > 50) {
            double wrong_s = mean_end_s(checkpoint_interval_s(planned_per_s, 60), 0, 8000);
            assert_true(wrong_s > 1.2 * right_s);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_of_the_posterior),
        cmocka_unit_test(looks_come_when_as_much_was_seen_again),
        cmocka_unit_test(an_undisturbed_job_writes_ever_more_seldom),
        cmocka_unit_test(a_wrong_plan_is_corrected),
    };
    return cmocka_run_group_tests_name("adaptive_interval", tests, NULL, NULL);
}
