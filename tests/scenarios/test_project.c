/* SPDX-License-Identifier: GPL-3.0-or-later
 * Projects: workloads after each other, through scenario files. Critical paths by hand; the join of
 * n exponential branches of mean m takes m H_n on average (the maximum of n exponentials, Rényi
 * 1953), with variance m² (1 + 1/4 + … + 1/n²). */
#include "engine/gsl_errors.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define Z 4.0 /* standard errors */

#define HEAD                                                                                       \
    "version: 1\nstart: 2026-03-02\nhorizon: 60d\nregion: us-east-1\n"                             \
    "market:\n  spot:\n    p3.2xlarge: {price: 1 USD/h, capacity: constant, interruptions: 40h}\n"
#define STRATEGIES                                                                                 \
    "strategies:\n"                                                                                \
    "  on-demand: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n"                              \
    "  spot: {instance: p3.2xlarge, nodes: 1, buy: spot}\n"

static double value_of(const struct run *run, size_t strategy, size_t workload, enum metric m)
{
    return metric_number(results_cells(&run->results, 0, strategy, workload), m);
}

/* a 10 h; b 20 h after it; c 5 h after it and 2 h more, but not before hour 14; d 7 h after both:
 * 10 + 20 + 7. */
static void critical_path(void **state)
{
    (void)state;
    struct run run;
    struct study *s = study_from_text(
        HEAD "replications: 1\ndeadline: 37h\n"
             "workloads:\n"
             "  d: {kind: training, hours: 7h, boot: 0s, after: [b, c]}\n"
             "  a: {kind: training, hours: 10h, boot: 0s}\n"
             "  b: {kind: training, hours: 20h, boot: 0s, after: a}\n"
             "  c: {kind: training, hours: 5h, boot: 0s, after: [a, a], delay: 2h, submit: 14h}\n"
             "strategies:\n  one: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n",
        NULL);
    static const double begins_h[] = {30, 0, 10, 14}, ends_h[] = {37, 10, 30, 19};
    study_run(&run, s, 1);
    for (size_t w = 0; w < 4; w++) {
        const double end_h = value_of(&run, 0, w, METRIC_TIME_TO_TRAIN);
        assert_near(end_h, ends_h[w], 1e-9, study_workload_name(s, w));
        assert_near(end_h - value_of(&run, 0, w, METRIC_MAKESPAN), begins_h[w], 1e-9, "begins");
    }
    assert_near(value_of(&run, 0, 4, METRIC_MAKESPAN), 37, 1e-9, "makespan");
    /* The project's deadline is that of its last workload, to the second. */
    assert_near(value_of(&run, 0, 0, METRIC_LATE), 0, 0, "in time");
    assert_true(isnan(value_of(&run, 0, 2, METRIC_LATE)));
    assert_near(s->strategies[0].plans[0]->planned_start_s, 30 * 3600, 1e-6, "planned start");
    assert_near(s->strategies[0].plans[3]->planned_start_s, 14 * 3600, 1e-6, "planned start");
    run_release(&run);
    study_free(s);
}

static void fork_and_join(void **state)
{
    (void)state;
    enum { BRANCHES = 5, WORLDS = 4000 };
    char text[2048] = HEAD "replications: 4000\nworkloads:\n"
                           "  fork: {kind: training, hours: 1h, boot: 0s}\n";
    double mean_h = 2, variance = 0; /* the fork and the join take an hour each */
    for (int i = 1; i <= BRANCHES; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "  b%d: {kind: training, hours: exponential(10h), boot: 0s, after: fork}\n", i);
        mean_h += 10.0 / i;
        variance += 100.0 / (i * i);
    }
    strcat(text, "  join: {kind: training, hours: 1h, boot: 0s, after: [b1, b2, b3, b4, b5]}\n"
                 "strategies:\n  one: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n");
    struct run run;
    struct study *s = study_from_text(text, NULL);
    study_run(&run, s, 2);
    const struct mean t = run_mean(&run, 0, METRIC_MAKESPAN);
    assert_near(t.mean, mean_h, Z * sqrt(variance / WORLDS), "mean of the join");
    assert_relative(t.sd, sqrt(variance), 0.06, "its spread");
    run_release(&run);
    study_free(s);
}

/* What a world draws does not depend on the strategy: without losses both meet the same project. */
static void one_world_for_all(void **state)
{
    (void)state;
    struct run run;
    struct study *s = study_from_text(
        "version: 1\nstart: 2026-03-02\nhorizon: 60d\nregion: us-east-1\nreplications: 20\n"
        "market: {spot: {p3.2xlarge: {price: 1 USD/h, capacity: constant, interruptions: none}}}\n"
        "workloads:\n"
        "  a: {kind: training, hours: 5h..20h, boot: 0s}\n"
        "  b: {kind: training, hours: 5h..20h, boot: 0s, after: a, delay: 1h..3h}\n" STRATEGIES,
        NULL);
    study_run(&run, s, 2);
    for (uint32_t i = 0; i < 20; i++) {
        assert_near(run_value(&run, 1, i, METRIC_MAKESPAN), run_value(&run, 0, i, METRIC_MAKESPAN),
                    1e-9, "the same makespan");
    }
    assert_true(run_mean(&run, 0, METRIC_MAKESPAN).sd > 0);
    run_release(&run);
    study_free(s);
}

/* a is stopped at its budget: b never begins and costs nothing, and nothing looks finished. */
static void undone_before_never_begins_after(void **state)
{
    (void)state;
    struct run run;
    struct study *s = study_from_text(
        HEAD "replications: 1\nworkloads:\n"
             "  a: {kind: training, hours: 100h, boot: 0s, checkpoint: {every: 1h}}\n"
             "  b: {kind: training, hours: 10h, boot: 0s, after: a}\n"
             "  c: {kind: training, hours: 10h, boot: 0s, after: b}\n"
             "strategies:\n"
             "  one: {instance: p3.2xlarge, nodes: 1, buy: on-demand, workloads: {a: "
             "{stop_at_budget: 30 USD}}}\n",
        NULL);
    study_run(&run, s, 1);
    for (size_t w = 0; w < 4; w++) {
        assert_near(value_of(&run, 0, w, METRIC_FINISHED), 0, 0, "unfinished");
    }
    assert_near(value_of(&run, 0, 1, METRIC_COST), 0, 0, "b costs nothing");
    assert_near(value_of(&run, 0, 2, METRIC_LAUNCHES), 0, 0, "c launches nothing");
    assert_true(value_of(&run, 0, 0, METRIC_COST) > 20);
    run_release(&run);
    study_free(s);
}

/* Behind the horizon the chain goes on where both links say so; else it is cut there. */
static void the_horizon(void **state)
{
    (void)state;
    struct run run;
    struct study *s = study_from_text(
        "version: 1\nstart: 2026-03-02\nhorizon: 15h\nregion: us-east-1\nreplications: 1\n"
        "workloads:\n"
        "  a: {kind: training, hours: 20h, boot: 0s, at_horizon: finish-on-demand}\n"
        "  b: {kind: training, hours: 20h, boot: 0s, at_horizon: finish-on-demand, after: a}\n"
        "  c: {kind: training, hours: 1h, boot: 0s, after: a}\n"
        "strategies:\n  one: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n",
        NULL);
    study_run(&run, s, 1);
    assert_near(value_of(&run, 0, 1, METRIC_TIME_TO_TRAIN), 40, 1e-9, "b goes on");
    assert_near(value_of(&run, 0, 1, METRIC_FINISHED), 1, 0, "and ends");
    assert_near(value_of(&run, 0, 2, METRIC_FINISHED), 0, 0, "c is cut");
    assert_near(value_of(&run, 0, 2, METRIC_COST), 0, 0, "before it began");
    run_release(&run);
    study_free(s);
}

static void cancelled_with_the_project(void **state)
{
    (void)state;
    struct run run;
    struct study *s =
        study_from_text(HEAD "replications: 1\ncancel: {probability: 100 %, at: 15h}\nworkloads:\n"
                             "  a: {kind: training, hours: 10h, boot: 0s}\n"
                             "  b: {kind: training, hours: 10h, boot: 0s, after: a}\n"
                             "  c: {kind: training, hours: 10h, boot: 0s, after: b}\n" STRATEGIES,
                        NULL);
    study_run(&run, s, 1);
    assert_near(value_of(&run, 0, 0, METRIC_FINISHED), 1, 0, "a was done");
    for (size_t w = 1; w < 3; w++) {
        assert_near(value_of(&run, 0, w, METRIC_CANCELLED), 1, 0, "cancelled");
        assert_true(isnan(value_of(&run, 0, w, METRIC_MAKESPAN)));
    }
    run_release(&run);
    study_free(s);
}

struct refusal {
    const char *name, *workloads, *says;
};

static const struct refusal refusals[] = {
    {"an unknown name",
     "  a: {kind: training, hours: 1h, after: bb}\n  b1: {kind: training, hours: 1h}\n",
     "5:41: error: 'after' of 'a' names 'bb', but no workload is called so; did you mean 'b1'?"},
    {"itself", "  a: {kind: training, hours: 1h, after: [a]}\n", "'a' is to begin after itself"},
    {"usage by the clock",
     "  u: {kind: usage, nodes: 1}\n  a: {kind: training, hours: 1h, after: u}\n",
     "'a' is to begin after 'u', which runs by the clock and is never done; give 'a' a 'submit' "
     "instead"},
    {"a circle",
     "  x: {kind: training, hours: 1h, after: a}\n  a: {kind: training, hours: 1h, after: b}\n"
     "  b: {kind: training, hours: 1h, after: [c]}\n  c: {kind: training, hours: 1h, after: a}\n",
     "workloads wait for each other in a circle: 'a' after 'b' after 'c' after 'a'; drop one "
     "'after'"},
    {"a delay of nothing", "  a: {kind: training, hours: 1h, delay: 3h}\n",
     "'delay' of 'a' counts from the end of what it follows, but it has no 'after'"},
    {"a deadline behind the project's", "  a: {kind: training, hours: 1h, deadline: 9d}\n",
     "the deadline of 'a' lies behind that of the project; drop one of them"},
};

static void refused(void **state)
{
    const struct refusal *r = *state;
    char text[1024];
    int exit_code;
    snprintf(text, sizeof text,
             "version: 1\nstart: 2026-03-02\nhorizon: 60d\n"
             "workloads:\n%sregion: us-east-1\ndeadline: 8d\nstrategies:\n"
             "  one: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n",
             r->workloads);
    char *errors = study_errors(text, &exit_code);
    if (strstr(errors, r->says) == NULL) {
        fail_msg("expected %s\nin %s", r->says, errors);
    }
    assert_int_equal(exit_code, 2);
    free(errors);
}

int main(void)
{
    enum { REFUSALS = sizeof refusals / sizeof refusals[0], OTHERS = 6 };
    const struct CMUnitTest others[OTHERS] = {
        cmocka_unit_test(critical_path),     cmocka_unit_test(fork_and_join),
        cmocka_unit_test(one_world_for_all), cmocka_unit_test(undone_before_never_begins_after),
        cmocka_unit_test(the_horizon),       cmocka_unit_test(cancelled_with_the_project),
    };
    struct CMUnitTest tests[REFUSALS + OTHERS];
    gsl_errors_install();
    memcpy(tests, others, sizeof others);
    for (size_t i = 0; i < REFUSALS; i++) {
        tests[OTHERS + i] =
            (struct CMUnitTest){refusals[i].name, refused, NULL, NULL, (void *)&refusals[i]};
    }
    return _cmocka_run_group_tests("project", tests, REFUSALS + OTHERS, NULL, NULL);
}
