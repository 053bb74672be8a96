/* SPDX-License-Identifier: GPL-3.0-or-later
 * Policies with a deadline, in the tick model in which they were published, on a trace of ten ticks
 * worked out by hand; and what they answer in continuous time. The published runs themselves:
 * `make validate-policies`. */
#include "models/policies/safety_net.h"
#include "tests/support/testing.h"
#include "tests/support/tick_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OD   PURCHASE_ON_DEMAND
#define SPOT PURCHASE_SPOT

/* Four ticks of work, one of overhead, ten to the deadline; spot is away in the middle. */
static const int there[10] = {1, 1, 0, 0, 0, 0, 1, 1, 1, 1};

static void runs_like(const char *name, bool hysteresis, double slice_s, const char *timeline,
                      double finish_s, double cost)
{
    const struct policy *policy = tick_model_policy(name);
    assert_non_null(policy);
    void *params = tick_model_params(policy, slice_s, hysteresis);
    const struct tick_case c = {.policy = policy,
                                .params = params,
                                .overridden = true,
                                .work_s = 2400,
                                .deadline_s = 6000,
                                .overhead_s = 600,
                                .tick_s = 600,
                                .on_demand_per_hour = 3,
                                .spot_per_hour = 1,
                                .nodes = there,
                                .ticks = 10};
    struct text t;
    text_init(&t, 0);
    struct tick_outcome out = tick_model_run(&c, &t);
    assert_string_equal(t.data, timeline);
    assert_true(out.finished && out.finish_s == finish_s);
    assert_true(fabs(out.cost - cost) < 1e-12);
    text_release(&t);
    free(params);
}

static void greedy_waits_until_it_must_not(void **state)
{
    (void)state;
    /* Two ticks of spot give one of work; at tick 5 work 3 + two overheads fill the five left. */
    runs_like("greedy", false, 0, "2S3.4D", 5400, (2 * 1 + 4 * 3) / 6.0);
}

static void uniform_progress_follows_the_line(void **state)
{
    (void)state;
    /* Behind at tick 3 (600 s done, line 720 s). With hysteresis it keeps on-demand at tick 6,
     * 1800 s done, since the lead over the line in two overheads, 1920 s, is not there. */
    runs_like("uniform-progress", true, 0, "2S1.4D", 4200, (2 * 1 + 4 * 3) / 6.0);
    /* Without, it stops on the line at tick 5; at tick 6 spot is there, but 1200 s of work and two
     * overheads fill the 2400 s left. */
    runs_like("uniform-progress", false, 0, "2S1.2D1.3D", 5400, (2 * 1 + 5 * 3) / 6.0);
}

static void time_sliced_does_each_share(void **state)
{
    (void)state;
    /* Slices of five ticks, shares of 1200 s. The first has 600 s done at tick 2, and 600 + 1200 s
     * of need against 1800 s left: on-demand at once; its share is done at tick 4, so it stops; in
     * the second slice spot is away at tick 5 (need 2400 of 3000 s), and at tick 6 too late. */
    runs_like("time-sliced", false, 3000, "2S2D2.3D", 5400, (2 * 1 + 5 * 3) / 6.0);
}

static void the_last_moment_allows_for_nothing(void **state)
{
    (void)state;
    /* The published override steps in at tick 6: 1800 + 600 s fill the 2400 s left. */
    runs_like("last-moment", false, 0, "2S4.4D", 6000, (2 * 1 + 4 * 3) / 6.0);
}

/* ---- continuous time ---- */

static struct policy_view idle_at(double now_s, double done_s)
{
    return (struct policy_view){.now_s = now_s,
                                .spot_wanted_since_s = now_s,
                                .nodes = 1,
                                .work_s = 36000,
                                .done_s = done_s,
                                .work_left_s = 36000 - done_s,
                                .deadline_s = 72000,
                                .overhead_s = 600};
}

static struct policy_decision ask(const char *name, const struct policy_view *v)
{
    const struct policy *policy = tick_model_policy(name);
    void *params = tick_model_params(policy, 14400, true);
    struct policy_decision d = policy->decide(params, v);
    free(params);
    return d;
}

/* Whatever a policy says when it will ask again, then it must decide otherwise, or at least not
 * name the same instant again: else the simulation would stand still. */
static void asking_again_gets_on(void **state)
{
    (void)state;
    static const char *const names[] = {"greedy", "uniform-progress", "time-sliced", "last-moment"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct policy_view v = idle_at(0, 0);
        for (int round = 0; round < 60; round++) {
            struct policy_decision d = ask(names[i], &v);
            if (d.want == OD) {
                break;
            }
            assert_true(d.ask_again_at_s > v.now_s && d.ask_again_at_s < 72000.0);
            v.now_s = d.ask_again_at_s;
            memcpy(v.noted, d.noted, sizeof v.noted);
            assert_true(round < 50);
        }
    }
}

static void the_net_acts_just_in_time(void **state)
{
    (void)state;
    struct policy_view v = idle_at(0, 0);
    struct policy_decision d = ask("greedy", &v);
    assert_int_equal(d.want, SPOT);
    /* 72000 - 36000 - 2 × 600 = 34800 */
    assert_true(fabs(d.ask_again_at_s - 34800) < 0.01);
    v.now_s = 34799;
    assert_int_equal(ask("greedy", &v).want, SPOT);
    v.now_s = 34800;
    assert_int_equal(ask("greedy", &v).want, OD);
    /* A gang that works on spot stays, one that still boots there does not once d is short. */
    v.running = true;
    v.runs_on = SPOT;
    v.now_s = 35500;
    assert_int_equal(ask("greedy", &v).want, SPOT);
    v.overhead_left_s = 600;
    assert_int_equal(ask("greedy", &v).want, OD);
    v.now_s = 35399;
    assert_int_equal(ask("greedy", &v).want, SPOT);
    assert_true(fabs(ask("greedy", &v).ask_again_at_s - 35400) < 0.01);
}

static void on_demand_is_given_up_only_when_told(void **state)
{
    (void)state;
    struct policy_view v = idle_at(20000, 20000);
    v.running = true;
    v.runs_on = OD;
    struct policy_decision d = ask("greedy", &v);
    assert_true(d.want == SPOT && d.give_up);
    d = ask("uniform-progress", &v);
    assert_true(d.want == OD && !d.give_up);
    v.spot_obtainable = true;
    d = ask("uniform-progress", &v);
    assert_true(d.want == SPOT && !d.give_up);
}

static void a_margin_moves_the_deadline(void **state)
{
    (void)state;
    const struct policy_view v = idle_at(0, 0);
    struct policy_decision d =
        safety_net(&v, 3600, (struct policy_decision){.want = SPOT, .ask_again_at_s = HUGE_VAL});
    assert_true(fabs(d.ask_again_at_s - (34800 - 3600)) < 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(greedy_waits_until_it_must_not),
        cmocka_unit_test(uniform_progress_follows_the_line),
        cmocka_unit_test(time_sliced_does_each_share),
        cmocka_unit_test(the_last_moment_allows_for_nothing),
        cmocka_unit_test(asking_again_gets_on),
        cmocka_unit_test(the_net_acts_just_in_time),
        cmocka_unit_test(on_demand_is_given_up_only_when_told),
        cmocka_unit_test(a_margin_moves_the_deadline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
