/* SPDX-License-Identifier: GPL-3.0-or-later
 * Projects that are cancelled, late to begin, or larger than stated: from scenario files to the
 * bill and the tables.
 */
#include "engine/gsl_errors.h"
#include "engine/table.h"
#include "scenarios/output/summary_table.h"
#include "tests/support/focus_rules.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define P4D    21.957642 /* us-east-1, since 2025-06-05 */
#define RI     13.921094 /* 1-year standard no-upfront, ec2instances.info 2025-11-30 */
#define YEAR_H 8760.0

#define HEAD "version: 1\nstart: 2026-01-01\nregion: us-east-1\nmarket: {price_cuts: none}\n"
#define JOB  "kind: training, boot: 0s, checkpoint: continuous"
#define RESERVED                                                                                   \
    "commitments: [{kind: reserved-instances, instance: p4d.24xlarge, count: 2, term: 1y}]"

#define EARLY "{starts: 2026-01-03, days: 2, instances: 2, price: 9 USD/h}"
#define LATE  "{starts: 2026-03-01, days: 7, instances: 2, bought: 30d, price: 9 USD/h}"

static struct study *run_text(struct run *run, const char *text)
{
    struct study *s = study_from_text(text, NULL);
    study_run(run, s, 2);
    return s;
}

static void finish(struct run *run, struct study *s)
{
    run_release(run);
    study_free(s);
}

/* Certain to be cancelled after 30 days: what ran is paid, what is signed stays. */
static void a_cancelled_project_costs_what_ran_and_what_is_signed(void **state)
{
    (void)state;
    struct run run;
    struct study *s =
        run_text(&run, HEAD
                 "horizon: 12mo\nreplications: 3\n"
                 "cancel: {probability: 100 %, at: 30d}\n"
                 "workloads: {job: {" JOB ", hours: 3000h, deadline: 200d}}\n"
                 "strategies:\n"
                 "  on-demand: {instance: p4d.24xlarge, nodes: 2, buy: on-demand}\n"
                 "  reserved: {instance: p4d.24xlarge, nodes: 2, buy: on-demand, " RESERVED "}\n");
    for (uint32_t r = 0; r < 3; r++) {
        assert_near(run_value(&run, 0, r, METRIC_COST), 2 * 720 * P4D, 1e-6, "on demand");
        assert_near(run_value(&run, 0, r, METRIC_USEFUL), 1440, 1e-9, "useful so far");
        for (size_t k = 0; k < 2; k++) {
            assert_near(run_value(&run, k, r, METRIC_CANCELLED), 1, 0, "cancelled");
            assert_true(isnan(run_value(&run, k, r, METRIC_TIME_TO_TRAIN)));
            assert_true(isnan(run_value(&run, k, r, METRIC_FINISHED)));
            assert_true(isnan(run_value(&run, k, r, METRIC_LATE)));
            const struct metric_cells *all = results_cells(&run.results, r, k, 1);
            assert_false(metric_cut(all));
            assert_false(metric_censored(all, METRIC_COST));
        }
        const double signed_for = 2 * RI * YEAR_H;
        assert_near(run_value(&run, 1, r, METRIC_COST), signed_for, 1e-5, "reserved");
        assert_near(run_value(&run, 1, r, METRIC_OBLIGATION), signed_for, 1e-5, "signed");
        assert_near(run_value(&run, 1, r, METRIC_CASH), signed_for, 1e-5, "paid in the year");
        assert_near(run_value(&run, 1, r, METRIC_AMORTISED), signed_for, 1e-5, "amortised");
        assert_near(run_value(&run, 1, r, METRIC_COMMITMENT_USED), 2 * 720 * RI, 1e-6, "used");
        assert_near(run_value(&run, 1, r, METRIC_COMMITMENT_UNUSED), 2 * (YEAR_H - 720) * RI, 1e-5,
                    "regretted");
    }
    finish(&run, s);
}

/* Half the worlds are cancelled after 30 days: what is dated then or later is not signed in them,
 * and reserved capacity is given up. The next world is as planned again. */
static void nothing_is_signed_after_a_cancellation(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(
        &run, HEAD
        "horizon: 100d\nreplications: 24\n"
        "cancel: {probability: 50 %, at: 30d}\n"
        "workloads: {job: {" JOB ", hours: 2300h}}\n"
        "strategies:\n"
        "  ladder: {instance: p4d.24xlarge, nodes: 2, buy: on-demand, commitments: {kind: "
        "reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y, every: 15d, "
        "times: 4}}\n"
        "  held: {instance: p4d.24xlarge, nodes: 2, buy: on-demand, commitments: [{kind: "
        "capacity-reservation, instance: p4d.24xlarge, count: 3, at: 10d}, {kind: "
        "capacity-reservation, instance: p4d.24xlarge, count: 5, at: 40d}]}\n"
        "  blocks: {instance: p4d.24xlarge, nodes: 2, buy: capacity-block, block: [" EARLY ", " LATE
        "]}\n"
        "  early: {instance: p4d.24xlarge, nodes: 2, buy: capacity-block, block: " EARLY "}\n");
    int cancelled = 0;
    for (uint32_t r = 0; r < 24; r++) {
        const bool off = run_value(&run, 0, r, METRIC_CANCELLED) > 0;
        const double rungs = off ? 2 : 4;
        cancelled += off;
        assert_near(run_value(&run, 0, r, METRIC_OBLIGATION), rungs * RI * YEAR_H, 1e-5, "signed");
        const double days = 100 + 85 + (off ? 0 : 70 + 55);
        assert_near(run_value(&run, 0, r, METRIC_AMORTISED) -
                        run_value(&run, 0, r, METRIC_ON_DEMAND_COST),
                    days * 24 * RI, 1e-5, "amortised");
        /* One of three is idle while the job runs; without it all are, and five more, to the
         * horizon. */
        const double end_h = 2300,
                     idle_h =
                         off ? 20 * 24 : (end_h - 240) + 3 * (2400 - end_h) + 5 * (2400 - 40 * 24);
        assert_near(run_value(&run, 1, r, METRIC_RESERVATION_IDLE), idle_h * P4D, 1e-5, "idle");
        const double both = run_value(&run, 2, r, METRIC_OBLIGATION);
        const double early = run_value(&run, 3, r, METRIC_OBLIGATION);
        assert_true(early > 0 && (off ? fabs(both - early) < 1e-9 : both > 2 * early));
        assert_near(run_value(&run, 2, r, METRIC_CASH), both, 1e-9, "paid for blocks");
        for (size_t k = 0; k < 4; k++) {
            focus_check_world(s, k, r);
        }
    }
    assert_true(cancelled > 5 && cancelled < 19);
    finish(&run, s);
}

/* Whole months are those of the calendar: the first of May is day 120, the first of March day 59.
 */
static void months_are_counted_in_the_calendar(void **state)
{
    (void)state;
    static const struct {
        const char *at;
        double days;
    } rows[] = {{"4mo", 120}, {"2mo", 59}, {"1w", 7}, {"1y", 365}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[800];
        struct run run;
        snprintf(text, sizeof text,
                 HEAD "horizon: 500d\nreplications: 1\n"
                      "cancel: {probability: 100 %%, at: %s}\n"
                      "workloads: {job: {" JOB ", hours: 11000h}}\n"
                      "strategies: {one: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}}\n",
                 rows[i].at);
        struct study *s = run_text(&run, text);
        assert_near(run_value(&run, 0, 0, METRIC_NODE_HOURS), rows[i].days * 24, 1e-9, rows[i].at);
        finish(&run, s);
    }
}

static void work_that_was_done_is_not_cancelled(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(
        &run, HEAD "horizon: 60d\nreplications: 1\n"
                   "cancel: {probability: 100 %, at: 10d}\n"
                   "workloads:\n  short: {" JOB ", hours: 240h}\n"
                   "  early: {" JOB ", hours: 24h}\n"
                   "strategies: {one: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}}\n");
    assert_near(run_value(&run, 0, 0, METRIC_CANCELLED), 0, 0, "done at the very instant");
    assert_near(run_value(&run, 0, 0, METRIC_FINISHED), 1, 0, "finished");
    assert_near(run_value(&run, 0, 0, METRIC_TIME_TO_TRAIN), 240, 1e-9, "time");
    finish(&run, s);
}

/* One of two workloads was done: the project is cancelled all the same. */
static void part_of_the_work_was_done(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(
        &run, HEAD "horizon: 60d\nreplications: 1\n"
                   "cancel: {probability: 100 %, at: 10d}\n"
                   "workloads:\n  done: {" JOB ", hours: 24h, deadline: 5d}\n"
                   "  not: {" JOB ", hours: 500h, deadline: 30d}\n"
                   "strategies: {one: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}}\n");
    const struct metric_cells *done = results_cells(&run.results, 0, 0, 0);
    const struct metric_cells *all = results_cells(&run.results, 0, 0, 2);
    assert_near(done->value[METRIC_FINISHED].number, 1, 0, "its own row");
    assert_near(done->value[METRIC_CANCELLED].number, 0, 0, "its own row");
    assert_near(done->value[METRIC_LATE].number, 0, 0, "its own row");
    assert_true(metric_cancelled(all) && !metric_cut(all));
    assert_true(isnan(all->value[METRIC_TIME_TO_TRAIN].number));
    assert_true(isnan(all->value[METRIC_LATE].number));
    finish(&run, s);
}

/* Cancelled before it begins: nothing is launched, nothing kept, and what lasts as long as the
 * horizon ends with the project. */
static void charges_end_with_the_project(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(
        &run, HEAD "horizon: 60d\nreplications: 1\nslip: 20d\n"
                   "cancel: {probability: 100 %, at: 10d}\n"
                   "charges: [{name: head, hourly: 1 USD/h, until: horizon}]\n"
                   "workloads: {job: {" JOB ", hours: 240h, dataset: 1 TB, disk: 100 GB}}\n"
                   "strategies: {one: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}}\n");
    assert_near(run_value(&run, 0, 0, METRIC_CANCELLED), 1, 0, "cancelled");
    assert_near(run_value(&run, 0, 0, METRIC_LAUNCHES), 0, 0, "launches");
    assert_near(run_value(&run, 0, 0, METRIC_COST), 240, 1e-6, "ten days of the head node");
    finish(&run, s);
}

static const char risky[] =
    HEAD "horizon: 12mo\nreplications: 4000\n"
         "cancel: {probability: 15 %, at: 20d..60d}\n"
         "workloads: {job: {" JOB ", hours: 1000h..6000h, deadline: 150d}}\n"
         "strategies:\n"
         "  two: {instance: p4d.24xlarge, nodes: 2, buy: on-demand}\n"
         "  reserved: {instance: p4d.24xlarge, nodes: 2, buy: on-demand, " RESERVED "}\n";

static void the_share_of_cancelled_worlds_is_as_stated(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(&run, risky);
    const int at = inputs_find(s->scenario->inputs, "cancel.at");
    const int luck = inputs_find(s->scenario->inputs, "cancel.luck");
    assert_true(at >= 0 && luck >= 0);
    double lucky = 0, cancelled = 0, late = 0, lateable = 0;
    for (uint32_t r = 0; r < 4000; r++) {
        double drawn[16];
        inputs_draw(s->scenario->inputs, (struct random_world){.seed = 1, .replication = r}, drawn);
        bool unlucky = drawn[luck] < 0.15;
        lucky += !unlucky;
        bool off = run_value(&run, 0, r, METRIC_CANCELLED) > 0;
        assert_near(run_value(&run, 1, r, METRIC_CANCELLED), off, 0, "the same in all strategies");
        cancelled += off;
        if (off) {
            assert_true(unlucky);
            assert_near(run_value(&run, 0, r, METRIC_COST), 2 * P4D * drawn[at] / 3600, 1e-4,
                        "what ran");
        } else {
            lateable++;
            late += run_value(&run, 0, r, METRIC_LATE);
            /* Nearly all work takes longer than any cancellation. */
            assert_true(!unlucky || run_value(&run, 0, r, METRIC_TIME_TO_TRAIN) * 3600 < drawn[at]);
        }
    }
    assert_near(lucky / 4000, 0.85, 4 * sqrt(0.15 * 0.85 / 4000), "probability");
    assert_true(cancelled > 500 && cancelled <= 4000 - lucky);
    struct mean share = run_mean(&run, 0, METRIC_CANCELLED);
    assert_near(share.mean, cancelled / 4000, 1e-12, "cancelled");
    /* Tables: a chance of being late among those not cancelled, nothing unfinished. */
    struct table *summary = summary_table(&run);
    assert_non_null(summary);
    bool found = false;
    for (size_t i = 0; i < table_rows(summary); i++) {
        if (strcmp(table_text(summary, i, 0), "two") == 0 &&
            strcmp(table_text(summary, i, 1), "all") == 0 &&
            strcmp(table_text(summary, i, 2), "late") == 0) {
            found = true;
            assert_near(table_number(summary, i, 4), lateable, 0, "n");
            assert_near(table_number(summary, i, 5), 0, 0, "censored");
            assert_near(table_number(summary, i, 6), late / lateable, 1e-9, "p_late");
        }
    }
    assert_true(found && late > 100);
    table_free(summary);
    finish(&run, s);
}

static void slipping_delays_work_and_nothing_else(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(
        &run, HEAD "horizon: 12mo\nreplications: 1\nslip: 1mo\n"
                   "workloads: {job: {" JOB ", hours: 240h, submit: 1d, deadline: 30d}}\n"
                   "strategies: {one: {instance: p4d.24xlarge, nodes: 2, buy: on-demand, " RESERVED
                   "}}\n");
    /* A slip of one month is that from the scenario's start: 31 days. */
    assert_near(run_value(&run, 0, 0, METRIC_TIME_TO_TRAIN), (31 + 1) * 24 + 240, 1e-9, "time");
    assert_near(run_value(&run, 0, 0, METRIC_LATE), 1, 0, "the deadline did not wait");
    assert_near(run_value(&run, 0, 0, METRIC_IDLE), 0, 1e-9, "not submitted is not idle");
    assert_near(run_value(&run, 0, 0, METRIC_COMMITMENT_UNUSED), 2 * (YEAR_H - 240) * RI, 1e-5,
                "the commitment did not wait");
    finish(&run, s);
}

static void growing_multiplies_the_work(void **state)
{
    (void)state;
    static const char *const works[] = {"hours: 100h", "tokens: 20B, throughput: {p4d.24xlarge: "
                                                       "29000/s}"};
    static const char *const grows[] = {"0 %", "25 %", "-20 %"};
    static const double factors[] = {1, 1.25, 0.8};
    for (size_t w = 0; w < 2; w++) {
        double plain = 0;
        for (size_t g = 0; g < 3; g++) {
            char text[800];
            struct run run;
            snprintf(text, sizeof text,
                     HEAD "horizon: 60d\nreplications: 1\ngrow: %s\nworkloads: {job: {" JOB
                          ", %s}}\n"
                          "strategies: {one: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}}\n",
                     grows[g], works[w]);
            struct study *s = run_text(&run, text);
            double hours = run_value(&run, 0, 0, METRIC_USEFUL);
            plain = g == 0 ? hours : plain;
            assert_relative(hours, plain * factors[g], 1e-9, grows[g]);
            assert_relative(s->strategies[0].plans[0]->planned_work_s, 3600 * plain * factors[g],
                            1e-9, "planned");
            finish(&run, s);
        }
    }
}

/* Draws are inputs of the world: columns, and medians for planning. */
static void draws_are_inputs(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(
        &run, HEAD "horizon: 12mo\nreplications: 50\n"
                   "slip: 2w..6w\ngrow: {work: 10 %..30 %}\n"
                   "cancel: {probability: 5 %..25 %, at: 3mo..6mo}\n"
                   "workloads: {job: {" JOB ", hours: 100h}}\n"
                   "strategies: {one: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}}\n");
    static const char *const names[] = {"slip", "grow.work", "cancel.probability", "cancel.at",
                                        "cancel.luck"};
    int at[5];
    for (size_t i = 0; i < 5; i++) {
        at[i] = inputs_find(s->scenario->inputs, names[i]);
        assert_true(at[i] >= 0);
    }
    for (uint32_t r = 0; r < 50; r++) {
        double drawn[16];
        inputs_draw(s->scenario->inputs, (struct random_world){.seed = 1, .replication = r}, drawn);
        assert_near(run_value(&run, 0, r, METRIC_TIME_TO_TRAIN),
                    drawn[at[0]] / 3600 + 100 * (1 + drawn[at[1]]), 1e-6, "slip and growth");
    }
    const struct work_plan *plan = s->strategies[0].plans[0];
    assert_relative(plan->planned_work_s, 360000 * (1 + s->project.spec.grow.work.median), 1e-12,
                    "planned");
    assert_true(isinf(project_cancel_s(&s->project, NULL)));
    assert_relative(work_submit_s(plan, NULL), s->project.spec.slip.median, 1e-12, "median");
    finish(&run, s);
}

static void nothing_stated_changes_nothing(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(
        &run, HEAD "horizon: 10d\nreplications: 2\ncancel: {probability: 0 %, at: 1d}\n"
                   "workloads: {job: {" JOB ", hours: 100h}}\n"
                   "strategies: {one: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}}\n");
    assert_int_equal(inputs_count(s->scenario->inputs), 0);
    assert_true(isnan(run_value(&run, 0, 0, METRIC_CANCELLED)));
    assert_near(run_value(&run, 0, 0, METRIC_FINISHED), 1, 0, "finished");
    finish(&run, s);
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *message;
    } rows[] = {
        {"cancel: {probability: 15 %}", "'cancel' needs both 'probability' and 'at'"},
        {"cancel: {at: 4mo}", "'cancel' needs both 'probability' and 'at'"},
        {"cancel: {probability: 115 %, at: 4mo}", "is above 100 %"},
        {"cancel: 15 %", "cancel"},
        {"cancel: {probability: 15 %, at: 30}", "write 60d, 3mo or 1y"},
        {"slip: -1w", "slip"},
        {"slip: 11y", "slip"},
        {"grow: -100 %", "below -95 %"},
        {"grow: {nodes: 10 %}", "unknown key 'nodes'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[800];
        int exit_code;
        snprintf(text, sizeof text,
                 HEAD "horizon: 10d\n%s\nworkloads: {job: {" JOB ", hours: 100h}}\n"
                      "strategies: {one: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}}\n",
                 rows[i].keys);
        char *errors = study_errors(text, &exit_code);
        if (strstr(errors, rows[i].message) == NULL) {
            fail_msg("expected '%s' in: %s", rows[i].message, errors);
        }
        assert_int_equal(exit_code, 2);
        free(errors);
    }
}

/* Four nodes for ten days, a quarter more of them, two days late: by hand. */
static void usage_slips_and_grows_too(void **state)
{
    (void)state;
    static const struct {
        const char *horizon, *nodes;
        double node_h;
    } cases[] = {
        {"30d", "[{from: 0d, for: 10d, nodes: 4}]", 5 * 240.0},
        {"11d", "[{from: 0d, for: 10d, nodes: 4}]", 5 * 216.0}, /* the rest is past the horizon */
        {"30d", "[{from: 1d, for: 1d, nodes: 4}, {from: 29d, for: 1d, nodes: 4}]", 5 * 24.0},
        {"3d", "4", 5 * 24.0},
        /* Noon to midnight, whatever slips: all of the third day, none of the first two. */
        {"3d", "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4]",
         5 * 12.0},
        {"2d", "4", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1000];
        struct run run;
        snprintf(text, sizeof text,
                 HEAD "horizon: %s\nreplications: 2\ngrow: 25 %%\nslip: 2d\n"
                      "workloads: {w: {kind: usage, boot: 0s, nodes: %s}}\n"
                      "strategies: {s: {instance: p4d.24xlarge, buy: on-demand}}\n",
                 cases[i].horizon, cases[i].nodes);
        struct study *s = run_text(&run, text);
        assert_near(run_value(&run, 0, 0, METRIC_COST), cases[i].node_h * P4D, 1e-6,
                    cases[i].nodes);
        assert_near(run_value(&run, 0, 0, METRIC_NEEDED), cases[i].node_h, 1e-9, cases[i].horizon);
        finish(&run, s);
    }
}

static void usage_ends_with_the_project(void **state)
{
    (void)state;
    struct run run;
    struct study *s =
        run_text(&run, HEAD "horizon: 60d\nreplications: 2\n"
                            "cancel: {probability: 100 %, at: 30d}\n"
                            "workloads: {w: {kind: usage, boot: 0s, nodes: 2}}\n"
                            "strategies: {s: {instance: p4d.24xlarge, buy: on-demand}}\n");
    assert_near(run_value(&run, 0, 0, METRIC_COST), 2 * 720 * P4D, 1e-6, "thirty days");
    assert_near(run_value(&run, 0, 0, METRIC_CANCELLED), 1, 0, "cancelled");
    finish(&run, s);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cancelled_project_costs_what_ran_and_what_is_signed),
        cmocka_unit_test(nothing_is_signed_after_a_cancellation),
        cmocka_unit_test(months_are_counted_in_the_calendar),
        cmocka_unit_test(work_that_was_done_is_not_cancelled),
        cmocka_unit_test(part_of_the_work_was_done),
        cmocka_unit_test(charges_end_with_the_project),
        cmocka_unit_test(the_share_of_cancelled_worlds_is_as_stated),
        cmocka_unit_test(slipping_delays_work_and_nothing_else),
        cmocka_unit_test(growing_multiplies_the_work),
        cmocka_unit_test(draws_are_inputs),
        cmocka_unit_test(nothing_stated_changes_nothing),
        cmocka_unit_test(refusals),
        cmocka_unit_test(usage_slips_and_grows_too),
        cmocka_unit_test(usage_ends_with_the_project),
    };
    return cmocka_run_group_tests_name("project risk", tests, NULL, NULL);
}
