/* SPDX-License-Identifier: GPL-3.0-or-later
 * split.csv: by owner and by each tag, adding up to the whole cost to the nano-unit in every world;
 * who bears what of commitments and of charges of the plan. */
#include "scenarios/output/split_table.h"

#include "engine/gsl_errors.h"
#include "scenarios/output/result_tables.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                                       \
    "version: 1\nstart: 2025-12-01\nregion: us-east-1\nreplications: 1\nhorizon: 10d\n"            \
    "market: {on-demand: {p4d.24xlarge: {price: 20 USD/h}, g5.xlarge: {price: 1 USD/h}}}\n"

enum { STRATEGY, BY, TAG, PART, VALUE, MEAN, PLAN, P10, P90, CENSORED };

static struct table *split_of(struct run *run, const char *text, const char *const *sets)
{
    struct study *s = study_from_text(text, sets);
    study_run(run, s, 2);
    struct table *t = split_table(run);
    assert_non_null(t);
    return t;
}

static void done(struct run *run, struct table *t)
{
    struct study *s = (struct study *)run->study;
    table_free(t);
    run_release(run);
    study_free(s);
}

/* The plan world's amount of a row; fails when there is none. */
static money_t plan_of(const struct table *t, const char *tag, const char *part, const char *value)
{
    for (size_t i = 0; i < table_rows(t); i++) {
        if (strcmp(table_text(t, i, TAG), tag) == 0 && strcmp(table_text(t, i, PART), part) == 0 &&
            strcmp(table_text(t, i, VALUE), value) == 0) {
            return table_integer(t, i, PLAN);
        }
    }
    fail_msg("no row %s %s %s", tag, part, value);
    return 0;
}

static void assert_plan(const struct table *t, const char *tag, const char *part, const char *value,
                        double want)
{
    assert_near(money_to_double(plan_of(t, tag, part, value)), want, 1e-6, value);
}

/* ---- who bears what ---- */

static const char two[] =
    HEAD "charges: [{name: desk, once: 30 USD}, {name: seats, once: 50 USD, owner: platform}, "
         "{tax: 10 %}]\n"
         "workloads:\n"
         "  a: {kind: training, hours: 10h, boot: 0s, checkpoint: continuous, owner: vision,\n"
         "      tags: {team: research}}\n"
         "  b: {kind: training, hours: 20h, boot: 0s, checkpoint: continuous, owner: speech}\n"
         "strategies: {od: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}}\n";

/* Own bills 220 and 440 with tax; the desk's 33 goes 1 : 2; seats bear their own tax. */
static void charges_of_the_plan(void **state)
{
    (void)state;
    struct run run;
    struct table *t = split_of(&run, two, NULL);
    assert_plan(t, "", "stated", "vision", 220 + 11);
    assert_plan(t, "", "stated", "speech", 440 + 22);
    assert_plan(t, "", "stated", "platform", 55);
    assert_plan(t, "team", "stated", "research", 231);
    assert_plan(t, "team", "none", "", 440 + 22 + 55);
    assert_int_equal(table_rows(t), 5);
    done(&run, t);
}

static void charges_evenly_or_apart(void **state)
{
    (void)state;
    static const char *const even[] = {"shared=even", NULL}, *const keep[] = {"shared=keep", NULL};
    struct run run;
    struct table *t = split_of(&run, two, even);
    assert_plan(t, "", "stated", "vision", 220 + 16.5);
    assert_plan(t, "", "stated", "speech", 440 + 16.5);
    done(&run, t);
    t = split_of(&run, two, keep);
    assert_plan(t, "", "stated", "vision", 220);
    assert_plan(t, "", "stated", "speech", 440);
    assert_plan(t, "", "stated", "platform", 55);
    assert_plan(t, "", "shared", "", 33);
    assert_plan(t, "team", "shared", "", 33);
    done(&run, t);
}

/* Two workloads that run alike under one reservation bear the same of it. (A pool that it does not
 * cover is in test_cost_split.) */
static void coverage_goes_to_whom_it_covers(void **state)
{
    (void)state;
    struct run run;
    struct table *t = split_of(
        &run,
        "version: 1\nstart: 2025-12-01\nregion: us-east-1\nreplications: 1\nhorizon: 366d\n"
        "market: {on-demand: {p4d.24xlarge: {price: 20 USD/h}}}\n"
        "workloads:\n"
        "  a: {kind: training, hours: 100h, boot: 0s, checkpoint: continuous, owner: vision}\n"
        "  b: {kind: training, hours: 100h, submit: 10d, boot: 0s, checkpoint: continuous, owner: "
        "speech}\n"
        "strategies:\n  r: {instance: p4d.24xlarge, nodes: 1, buy: on-demand, commitments:\n"
        "    [{kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y}]}\n",
        NULL);
    const struct metric_cells *all = results_cells(&run.results, 0, 0, 2);
    double cost = money_to_double(all->value[METRIC_COST].money);
    /* Both ran alike: the same to the last hour. */
    assert_plan(t, "", "stated", "vision", cost / 2);
    assert_plan(t, "", "stated", "speech", cost / 2);
    done(&run, t);
}

/* ---- sums ---- */

static const char many[] =
    "version: 1\nstart: 2026-01-30T10:17Z\nregion: us-east-1\nreplications: 40\nhorizon: 60d\n"
    "market: {spot: {p4d.24xlarge: {availability: 70..90 %}}}\n"
    "charges:\n"
    "  - {nat: {hourly: 0.01..0.09 USD/h}, until: horizon, owner: net}\n"
    "  - {name: desk, monthly: 100..900 USD, tags: {team: ops, stage: all}}\n"
    "  - {name: head, instance: g4dn.xlarge}\n"
    "  - {discount: {p4d: 5..30 %, ec2: 3 %, nat: 50 %}}\n"
    "  - {support: 3..10 %}\n  - {tax: 19 %}\n"
    "workloads:\n"
    "  a: {kind: training, hours: 100..300h, boot: 2min..9min, checkpoint: {every: 1h, write: "
    "1min}, disk: 300 GB, owner: vision,\n"
    "      tags: {team: research, stage: one}}\n"
    "  b: {kind: training, hours: 50..200h, submit: 5d, boot: 2min..9min, checkpoint: {every: 1h, "
    "write: 1min}, owner: speech,\n"
    "      tags: {team: research}, transfer: {size: 9 GB, route: nat}}\n"
    "  c: {kind: training, hours: 50..90h, boot: 2min..9min, checkpoint: {every: 1h, write: "
    "1min}}\n"
    "strategies:\n"
    "  mixed: {instance: p4d.24xlarge, nodes: 3, buy: spot, policy: {name: fallback, return: "
    "yes},\n"
    "    commitments: [{kind: reserved-instances, instance: p4d.24xlarge, count: 2, term: 1y},\n"
    "      {kind: compute-savings-plan, hourly: 40 USD/h, term: 3y, payment: partial-upfront, at: "
    "3d,\n       rates: {p4d.24xlarge: 12 USD/h}, reuse: 30 %}]}\n"
    "  plain: {instance: p4d.24xlarge, nodes: 3, buy: on-demand}\n";

static void every_world_adds_up(void **state)
{
    (void)state;
    static const char *const rules[] = {"shared=proportional", "shared=even", "shared=keep"};
    for (size_t rule = 0; rule < 3; rule++) {
        const char *const sets[] = {rules[rule], NULL};
        struct run run;
        struct table *t = split_of(&run, many, sets);
        const struct results *r = &run.results;
        assert_int_equal(r->holders, 3 + 2 + 1);
        for (uint32_t i = 0; i < r->replications; i++) {
            for (size_t k = 0; k < r->strategies; k++) {
                money_t sum = 0;
                for (size_t h = 0; h < r->holders; h++) {
                    sum += results_holders(r, i, k)[h];
                }
                assert_int_equal(sum,
                                 results_cells(r, i, k, r->workloads)->value[METRIC_COST].money);
            }
        }
        done(&run, t);
    }
}

/* Each split of the table too: means, and the plan world to the nano-unit. */
static void every_split_adds_up(void **state)
{
    (void)state;
    struct run run;
    struct table *t = split_of(&run, many, NULL);
    const size_t rows = table_rows(t);
    size_t splits = 0;
    for (size_t i = 0; i < rows;) {
        const char *name = table_text(t, i, STRATEGY), *tag = table_text(t, i, TAG);
        size_t k = strcmp(name, "mixed") == 0 ? 0 : 1;
        money_t plan = 0;
        double mean = 0;
        for (; i < rows && strcmp(table_text(t, i, STRATEGY), name) == 0 &&
               strcmp(table_text(t, i, TAG), tag) == 0;
             i++) {
            plan += table_integer(t, i, PLAN);
            mean += table_number(t, i, MEAN);
            assert_true(table_number(t, i, P10) <= table_number(t, i, P90));
            assert_int_equal(table_integer(t, i, CENSORED), 0);
        }
        splits++;
        assert_int_equal(
            plan, results_cells(&run.results, run.plan_worlds[k], k, 3)->value[METRIC_COST].money);
        assert_near(mean, run_mean(&run, k, METRIC_COST).mean, 1e-3, "means");
    }
    assert_int_equal(splits, 2 * 3); /* owner, team, stage */
    done(&run, t);
}

/* What cut-off work bears is not known, and then nor is what others do. */
static void cut_work_leaves_it_open(void **state)
{
    (void)state;
    struct run run;
    struct table *t =
        split_of(&run,
                 HEAD "workloads: {job: {kind: training, hours: 1000h, owner: vision}}\n"
                      "strategies: {od: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}}\n",
                 NULL);
    assert_int_equal(table_rows(t), 1);
    assert_true(isnan(table_number(t, 0, MEAN)) && isnan(table_number(t, 0, P90)));
    assert_int_equal(table_integer(t, 0, CENSORED), 1);
    assert_plan(t, "", "stated", "vision", 20 * 240);
    done(&run, t);
}

static void without_labels_there_is_nothing_to_split(void **state)
{
    (void)state;
    struct run run;
    struct table *t =
        split_of(&run,
                 HEAD "workloads: {job: {kind: training, hours: 10h}}\n"
                      "strategies: {od: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}}\n",
                 NULL);
    assert_int_equal(table_rows(t), 0);
    assert_int_equal(run.results.holders, 0);
    done(&run, t);
}

/* ---- errors ---- */

static void labels_out_of_place(void **state)
{
    (void)state;
    int exit_code;
    char *text = study_errors(HEAD "charges: [{tax: 10 %, owner: me}]\n"
                                   "workloads: {job: {kind: training, hours: 10h}}\n"
                                   "strategies: {od: {instance: p4d.24xlarge, nodes: 1, buy: "
                                   "on-demand}}\n",
                              &exit_code);
    assert_non_null(strstr(text, "'owner' and 'tags' do not belong to this kind of charge"));
    free(text);
    text = study_errors(HEAD "workloads: {job: {kind: training, hours: 10h, tags: {workload: x}}}\n"
                             "strategies: {od: {instance: p4d.24xlarge, nodes: 1, buy: "
                             "on-demand}}\n",
                        &exit_code);
    assert_non_null(strstr(text, "the tag 'workload' is the one that an export gives"));
    assert_int_equal(exit_code, 2);
    free(text);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(charges_of_the_plan),
        cmocka_unit_test(charges_evenly_or_apart),
        cmocka_unit_test(coverage_goes_to_whom_it_covers),
        cmocka_unit_test(every_world_adds_up),
        cmocka_unit_test(every_split_adds_up),
        cmocka_unit_test(cut_work_leaves_it_open),
        cmocka_unit_test(without_labels_there_is_nothing_to_split),
        cmocka_unit_test(labels_out_of_place),
    };
    return cmocka_run_group_tests_name("split table", tests, NULL, NULL);
}
