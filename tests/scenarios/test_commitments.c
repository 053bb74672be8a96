/* SPDX-License-Identifier: GPL-3.0-or-later
 * Commitments from scenario files to the bill: what is covered, what is lost, what is still owed.
 */
#include "engine/gsl_errors.h"
#include "scenarios/output/result_tables.h"
#include "scenarios/output/world_files.h"
#include "scenarios/study/simulation.h"
#include "tests/support/month_sums.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD          "version: 1\nstart: 2025-12-01\nregion: us-east-1\nreplications: 1\n"
#define P4D_ON_DEMAND 21.957642 /* us-east-1, since 2025-06-05 */
#define P4D_1Y_NO     13.921094 /* 1-year standard no-upfront, ec2instances.info 2025-11-30 */

static double value(const struct run *run, enum metric m)
{
    return run_value(run, 0, 0, m);
}

static struct study *run_text(struct run *run, const char *text)
{
    struct study *s = study_from_text(text, NULL);
    study_run(run, s, 1);
    return s;
}

static void finish(struct run *run, struct study *s)
{
    run_release(run);
    study_free(s);
}

/* cost = lines - covered + used + unused + later, months add up to it: to the nano-unit. */
static void assert_adds_up(const struct study *s, uint32_t worlds)
{
    struct simulation *sim = simulation_new(s);
    struct metric_cells *cells = calloc(s->workload_count + 1, sizeof *cells);
    money_t *months = calloc(s->frame.months, sizeof *months);
    money_t *parts = calloc(BILL_ROWS * s->frame.months, sizeof *parts);
    for (uint32_t world = 0; world < worlds; world++) {
        assert_true(simulation_begin_world(sim, world));
        for (size_t k = 0; k < s->strategy_count; k++) {
            const struct simulation_outputs out = {
                .cells = cells, .months = months, .by_month = parts};
            assert_true(simulation_run_strategy(sim, k, &out));
            const struct metric_cells *all = &cells[s->workload_count];
            money_t sum = -all->value[METRIC_COVERED].money +
                          all->value[METRIC_COMMITMENT_USED].money +
                          all->value[METRIC_COMMITMENT_UNUSED].money +
                          all->value[METRIC_COMMITMENT_LATER].money;
            for (int p = 0; p < PURCHASE_COUNT; p++) {
                for (int a = 0; a < ACTIVITY_COUNT; a++) {
                    sum += all->line[p][a];
                }
            }
            assert_months_add_up(s, all, months, parts);
            money_t by_month = 0;
            for (size_t m = 0; m < s->frame.months; m++) {
                by_month += months[m];
            }
            assert_int_equal(sum, all->value[METRIC_COST].money);
            assert_int_equal(by_month, all->value[METRIC_COST].money);
            assert_int_equal(all->value[METRIC_ON_DEMAND_COST].money +
                                 all->value[METRIC_SPOT_COST].money +
                                 all->value[METRIC_COMMITMENT_USED].money +
                                 all->value[METRIC_COMMITMENT_UNUSED].money +
                                 all->value[METRIC_COMMITMENT_LATER].money,
                             all->value[METRIC_COST].money);
            assert_true(all->value[METRIC_COVERED].money >= 0);
            assert_true(all->value[METRIC_ON_DEMAND_COST].money >= 0);
            assert_true(all->value[METRIC_COMMITMENT_UNUSED].money >= 0);
        }
    }
    free(cells);
    free(months);
    free(parts);
    simulation_free(sim);
}

/* DESIGN, invariant 11: four nodes reserved for a year for a 58-hour job cost the whole year. */
static void a_reservation_for_58_hours_costs_the_year(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(
        &run,
        HEAD "horizon: 60d\n"
             "workloads: {job: {kind: training, hours: 58h, boot: 0s, checkpoint: continuous}}\n"
             "strategies:\n  reserved: {instance: p4d.24xlarge, nodes: 4, buy: on-demand,\n"
             "    commitments: [{kind: reserved-instances, instance: p4d.24xlarge, count: 4,\n"
             "                   term: 1y, payment: no-upfront}]}\n");
    double year = 4 * 8760 * P4D_1Y_NO;
    assert_near(value(&run, METRIC_COST), year, 0.01, "cost: about 488,000, not 3,230");
    assert_near(value(&run, METRIC_OBLIGATION), year, 0.01, "obligation");
    assert_near(value(&run, METRIC_COVERED), 4 * 58 * P4D_ON_DEMAND, 0.01, "covered at on-demand");
    assert_near(value(&run, METRIC_ON_DEMAND_COST), 0, 1e-9, "nothing is left on demand");
    assert_near(value(&run, METRIC_COMMITMENT_USED), 4 * 58 * P4D_1Y_NO, 0.01, "used");
    assert_near(value(&run, METRIC_COMMITMENT_UNUSED), 4 * (60 * 24 - 58) * P4D_1Y_NO, 0.01,
                "unused");
    assert_near(value(&run, METRIC_CASH), 4 * 60 * 24 * P4D_1Y_NO, 0.01, "paid inside the horizon");
    assert_near(value(&run, METRIC_AMORTISED), 4 * 60 * 24 * P4D_1Y_NO, 0.01, "amortised inside");
    assert_adds_up(s, 1);
    finish(&run, s);
}

/* Pieces of covered time are rounded each by itself: no fully covered world is charged less than
 * nothing on demand for it. */
static void fully_covered_is_never_below_nothing(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD "horizon: 12mo\n"
             "workloads: {job: {kind: training, hours: uniform(3000h; 8000h), boot: 3min..8min,\n"
             "  checkpoint: {every: 2h, write: 2min, restore: 5min}}}\n"
             "strategies:\n  reserved: {instance: p4d.24xlarge, nodes: 2, buy: on-demand,\n"
             "    commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: 2,\n"
             "                  term: 1y}}\n",
        NULL);
    assert_adds_up(s, 300);
    study_free(s);
}

/* R1: one reserved instance, four instances the whole hour: one hour reserved, three on demand. */
static void one_reserved_instance_of_four(void **state)
{
    (void)state;
    struct run run;
    struct study *s =
        run_text(&run, HEAD
                 "horizon: 1d\n"
                 "workloads: {job: {kind: training, hours: 1h, boot: 0s, checkpoint: continuous}}\n"
                 "strategies:\n  one: {instance: p4d.24xlarge, nodes: 4, buy: on-demand,\n"
                 "    commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: 1,\n"
                 "                  term: 1y}}\n");
    assert_near(value(&run, METRIC_ON_DEMAND_COST), 3 * P4D_ON_DEMAND, 1e-6,
                "three hours on demand");
    assert_near(value(&run, METRIC_COVERED), P4D_ON_DEMAND, 1e-6, "one hour covered");
    assert_near(value(&run, METRIC_COMMITMENT_USED), P4D_1Y_NO, 1e-6, "one hour used");
    assert_adds_up(s, 1);
    finish(&run, s);
}

/* R2: one reserved instance, four instances of 15 minutes in the same clock hour: all covered. A
 * commitment covers its clock hour however early in it usage ends. */
static void a_quarter_of_an_hour_of_four(void **state)
{
    (void)state;
    static const char *const horizons[] = {"1d", "40min"};
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD
                 "horizon: %s\n"
                 "workloads: {job: {kind: training, hours: 15min, boot: 0s, checkpoint: "
                 "continuous}}\n"
                 "strategies:\n  one: {instance: p4d.24xlarge, nodes: 4, buy: on-demand,\n"
                 "    commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: 1,\n"
                 "                  term: 1y}}\n",
                 horizons[i]);
        struct run run;
        struct study *s = run_text(&run, text);
        assert_near(value(&run, METRIC_ON_DEMAND_COST), 0, 1e-9, "nothing is on demand");
        assert_near(value(&run, METRIC_COVERED), P4D_ON_DEMAND, 1e-6,
                    "an instance-hour is covered");
        assert_near(value(&run, METRIC_COMMITMENT_USED), P4D_1Y_NO, 1e-6, "one hour used");
        assert_adds_up(s, 1);
        finish(&run, s);
    }
}

/* R3: two at once for 45 minutes: 3,600 s are covered, 1,800 s are on demand. */
static void three_quarters_of_an_hour_of_two(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(
        &run,
        HEAD "horizon: 1d\n"
             "workloads: {job: {kind: training, hours: 45min, boot: 0s, checkpoint: continuous}}\n"
             "strategies:\n  one: {instance: p4d.24xlarge, nodes: 2, buy: on-demand,\n"
             "    commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: 1,\n"
             "                  term: 1y}}\n");
    assert_near(value(&run, METRIC_ON_DEMAND_COST), 0.5 * P4D_ON_DEMAND, 1e-6, "half an hour");
    assert_adds_up(s, 1);
    finish(&run, s);
}

/* A savings plan pays its commitment every hour and covers at its rates; the rest is on demand. */
static void a_compute_savings_plan(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(
        &run,
        HEAD "horizon: 10d\n"
             "workloads: {job: {kind: training, hours: 100h, boot: 0s, checkpoint: continuous}}\n"
             "strategies:\n  plan: {instance: p4d.24xlarge, nodes: 2, buy: on-demand,\n"
             "    commitments: [{kind: compute-savings-plan, hourly: 24 USD/h, term: 1y,\n"
             "                   rates: {p4d.24xlarge: 16 USD/h}}]}\n");
    /* 24 of 32 an hour: 1.5 instances covered, half of one on demand. */
    assert_near(value(&run, METRIC_ON_DEMAND_COST), 100 * 0.5 * P4D_ON_DEMAND, 1e-4, "on demand");
    assert_near(value(&run, METRIC_COMMITMENT_USED), 100 * 24, 1e-4, "used");
    assert_near(value(&run, METRIC_COMMITMENT_UNUSED), 140 * 24, 1e-4, "lost");
    assert_near(value(&run, METRIC_OBLIGATION), 8760 * 24, 1e-4, "signed");
    assert_adds_up(s, 1);
    finish(&run, s);
}

static void spot_is_never_covered_fallback_is(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD "horizon: 20d\n"
             "market: {spot: {p3dn.24xlarge: {price: 5 USD/h, availability: 0.5}}}\n"
             "workloads: {job: {kind: training, hours: 60h, boot: 3min, checkpoint: {every: 1h, "
             "write: 1min}}}\n"
             "strategies:\n"
             "  spot: {instance: p3dn.24xlarge, nodes: 1, buy: spot,\n"
             "    commitments: {kind: reserved-instances, instance: p3dn.24xlarge, count: 1, term: "
             "1y}}\n"
             "  back: {instance: p3dn.24xlarge, nodes: 1, buy: spot, policy: {name: fallback, "
             "return: yes},\n"
             "    commitments: {kind: reserved-instances, instance: p3dn.24xlarge, count: 1, term: "
             "1y}}\n",
        (const char *const[]){"replications=50", NULL});
    struct run run;
    study_run(&run, s, 1);
    double covered = 0;
    for (uint32_t i = 0; i < 50; i++) {
        assert_near(run_value(&run, 0, i, METRIC_COVERED), 0, 0, "spot alone");
        covered += run_value(&run, 1, i, METRIC_COVERED);
        assert_near(run_value(&run, 1, i, METRIC_ON_DEMAND_COST), 0, 1e-6,
                    "the fallback node is the reserved one");
    }
    assert_true(covered > 0);
    assert_adds_up(s, 50);
    run_release(&run);
    study_free(s);
}

/* A three-year term seen over four years: after its end usage is on demand again. */
static void expiry_returns_usage_to_on_demand(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(
        &run,
        HEAD "horizon: 500d\n"
             "workloads: {job: {kind: training, hours: 9600h, boot: 0s, checkpoint: continuous}}\n"
             "strategies:\n  one: {instance: p4d.24xlarge, nodes: 1, buy: on-demand,\n"
             "    commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: "
             "1y}}\n");
    assert_near(value(&run, METRIC_ON_DEMAND_COST), (9600 - 8760) * P4D_ON_DEMAND, 0.01,
                "after the year");
    assert_near(value(&run, METRIC_COMMITMENT_USED), 8760 * P4D_1Y_NO, 0.01, "all of it is used");
    assert_near(value(&run, METRIC_COMMITMENT_UNUSED), 0, 1e-9, "none is lost");
    assert_near(value(&run, METRIC_COMMITMENT_LATER), 0, 1e-9, "none is owed");
    assert_adds_up(s, 1);
    finish(&run, s);
}

static void reuse_takes_off_what_outlives_the_horizon(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(
        &run,
        HEAD "horizon: 60d\n"
             "workloads: {job: {kind: training, hours: 58h, boot: 0s, checkpoint: continuous}}\n"
             "strategies:\n  reserved: {instance: p4d.24xlarge, nodes: 1, buy: on-demand,\n"
             "    commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: 1,\n"
             "                  term: 1y, reuse: 75 %}}\n");
    double inside = 60 * 24 * P4D_1Y_NO, outside = (8760 - 60 * 24) * P4D_1Y_NO;
    assert_near(value(&run, METRIC_COST), inside + 0.25 * outside, 0.01, "cost");
    assert_near(value(&run, METRIC_OBLIGATION), inside + outside, 0.01, "the obligation is whole");
    assert_adds_up(s, 1);
    finish(&run, s);
}

/* Bought later: before `at` usage is on demand. All upfront is cash on that day. */
static void bought_later_and_paid_upfront(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(
        &run,
        HEAD "horizon: 30d\n"
             "workloads: {job: {kind: training, hours: 240h, boot: 0s, checkpoint: continuous}}\n"
             "strategies:\n  later: {instance: p4d.24xlarge, nodes: 1, buy: on-demand,\n"
             "    commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: 1,\n"
             "                  term: 1y, payment: all-upfront, at: 5d}}\n");
    const double all_upfront = 12.993037; /* effective, ec2instances.info 2025-11-30 */
    assert_near(value(&run, METRIC_ON_DEMAND_COST), 120 * P4D_ON_DEMAND, 0.01,
                "the first five days");
    assert_near(value(&run, METRIC_COMMITMENT_USED), 120 * all_upfront, 0.01, "the next five");
    assert_near(value(&run, METRIC_CASH), 120 * P4D_ON_DEMAND + 8760 * all_upfront, 0.05, "cash");
    assert_near(value(&run, METRIC_AMORTISED), 120 * P4D_ON_DEMAND + 25 * 24 * all_upfront, 0.05,
                "amortised");
    assert_adds_up(s, 1);
    finish(&run, s);
}

static void random_worlds_add_up(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        "version: 1\nstart: 2026-01-30T10:17Z\nregion: us-east-1\nreplications: 40\nhorizon: 40d\n"
        "market: {spot: {p4d.24xlarge: {availability: 70..90 %}}}\n"
        "workloads:\n"
        "  a: {kind: training, hours: 100..300h, boot: 2min..9min, checkpoint: {every: 1h, write: "
        "1min}}\n"
        "  b: {kind: training, hours: 50..90h, submit: 5d, boot: 2min..9min, checkpoint: "
        "continuous,\n"
        "      at_horizon: finish-on-demand}\n"
        "strategies:\n"
        "  mixed: {instance: p4d.24xlarge, nodes: 3, buy: spot, policy: {name: fallback, return: "
        "yes},\n"
        "    commitments: [{kind: reserved-instances, instance: p4d.24xlarge, count: 2, term: "
        "1y},\n"
        "      {kind: compute-savings-plan, hourly: 40 USD/h, term: 3y, payment: partial-upfront, "
        "at: 3d,\n"
        "       rates: {p4d.24xlarge: 12 USD/h}, reuse: 30 %},\n"
        "      {kind: ec2-instance-savings-plan, family: p4d, hourly: 7.5 USD/h, term: 1y,\n"
        "       rates: {p4d.24xlarge: 13 USD/h}}]}\n"
        "  plain: {instance: p4d.24xlarge, nodes: 3, buy: on-demand}\n",
        NULL);
    assert_adds_up(s, 40);
    study_free(s);
}

/* ---- tables ---- */

static money_t cell(const struct table *t, size_t row, const char *column)
{
    int index = table_find(t, column);
    assert_true(index >= 0);
    return table_integer(t, row, (size_t)index);
}

static double number(const struct table *t, size_t row, const char *column)
{
    int index = table_find(t, column);
    assert_true(index >= 0);
    return table_number(t, row, (size_t)index);
}

#define TWO_JOBS                                                                                   \
    "version: 1\nstart: 2025-12-01\nregion: us-east-1\nreplications: 9\n"                          \
    "workloads:\n"                                                                                 \
    "  a: {kind: training, hours: 100..300h, boot: 5min, checkpoint: continuous}\n"                \
    "  b: {kind: training, hours: 50..90h, boot: 5min, checkpoint: continuous}\n"                  \
    "strategies:\n"                                                                                \
    "  signed: {instance: p4d.24xlarge, nodes: 3, buy: on-demand,\n"                               \
    "    commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: 2, term: 1y}}\n"   \
    "  plain: {instance: p4d.24xlarge, nodes: 3, buy: on-demand}\n"

/* Lines of the workloads and of `shared` add up to the cost of `all`, in the plan world to the
 * nano-unit; only what signs has shared lines. */
static void lines_add_up(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(&run, TWO_JOBS "horizon: 40d\n");
    struct result_tables tables;
    assert_true(result_tables_make(&tables, &run));
    for (size_t k = 0; k < 2; k++) {
        money_t plan = 0;
        double mean = 0;
        size_t shared = 0;
        for (size_t row = 0; row < table_rows(tables.lines); row++) {
            if (strcmp(table_text(tables.lines, row, 0), study_strategy_name(s, k)) != 0) {
                continue;
            }
            bool is_shared = strcmp(table_text(tables.lines, row, 1), "shared") == 0;
            assert_int_equal(is_shared,
                             strcmp(table_text(tables.lines, row, 2), "commitment") == 0);
            shared += is_shared;
            plan += cell(tables.lines, row, "cost_plan_usd");
            mean += number(tables.lines, row, "cost_mean_usd");
        }
        assert_int_equal(shared, k == 0 ? 4 : 0);
        const struct metric_cells *world = results_cells(&run.results, run.plan_worlds[k], k, 2);
        assert_int_equal(plan, world->value[METRIC_COST].money);
        assert_near(mean, run_mean(&run, k, METRIC_COST).mean, 1e-6 * mean, "means");
        /* and the workloads with the shared part are all */
        money_t workloads = 0;
        for (size_t w = 0; w < 2; w++) {
            workloads +=
                results_cells(&run.results, run.plan_worlds[k], k, w)->value[METRIC_COST].money;
        }
        assert_int_equal(workloads - world->value[METRIC_COVERED].money +
                             world->value[METRIC_COMMITMENT_USED].money +
                             world->value[METRIC_COMMITMENT_UNUSED].money +
                             world->value[METRIC_COMMITMENT_LATER].money,
                         world->value[METRIC_COST].money);
    }
    result_tables_release(&tables);
    finish(&run, s);
}

/* What is unused inside the horizon, and what is left after it, is known of work that was cut off;
 * what it would have covered in the end is not. */
static void lines_of_cut_worlds(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(&run, TWO_JOBS "horizon: 4d\n");
    struct result_tables tables;
    size_t seen = 0;
    assert_true(result_tables_make(&tables, &run));
    for (size_t row = 0; row < table_rows(tables.lines); row++) {
        const char *activity = table_text(tables.lines, row, 3);
        if (strcmp(table_text(tables.lines, row, 1), "shared") != 0) {
            continue;
        }
        bool known = strcmp(activity, "unused") == 0 || strcmp(activity, "later") == 0;
        seen++;
        assert_int_equal(isfinite(number(tables.lines, row, "cost_mean_usd")), known);
        assert_int_equal(cell(tables.lines, row, "censored") == 0, known);
        /* a negative line can only fall: its quantiles are sure */
        assert_int_equal(isfinite(number(tables.lines, row, "cost_p90_usd")),
                         strcmp(activity, "used") != 0);
    }
    assert_int_equal(seen, 4);
    result_tables_release(&tables);
    finish(&run, s);
}

/* usage.csv is before commitments: with the shared lines it adds up to the plan world's cost. */
static void usage_is_before_commitments(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(&run, TWO_JOBS "horizon: 40d\n");
    char *text = NULL, *line;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    assert_true(write_usage(f, &run));
    fclose(f);
    double sum = 0;
    char *rest = text;
    while ((line = strsep(&rest, "\n")) != NULL) {
        for (int after = 0; after < 3; after++) { /* staging_s, evaluation_s, down_s */
            char *comma = strrchr(line, ',');
            *(comma == NULL ? line : comma) = '\0';
        }
        const char *last = strrchr(line, ',');
        sum += strncmp(line, "signed,", 7) == 0 ? strtod(last + 1, NULL) : 0;
    }
    const struct metric_cells *world = results_cells(&run.results, run.plan_worlds[0], 0, 2);
    assert_true(world->value[METRIC_COVERED].money > 0);
    assert_near(sum - metric_number(world, METRIC_COVERED) +
                    metric_number(world, METRIC_COMMITMENT_USED) +
                    metric_number(world, METRIC_COMMITMENT_UNUSED) +
                    metric_number(world, METRIC_COMMITMENT_LATER),
                metric_number(world, METRIC_COST), 1e-5, "adds up");
    free(text);
    finish(&run, s);
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *commitment, *says;
        int code;
    } cases[] = {
        {"{kind: reserved-instances, instance: p5.48xlarge, count: 1, term: 1y}", "p5.48xlarge", 4},
        {"{kind: reserved-instances, instance: p4d.24xlarg, count: 1, term: 1y}", "p4d.24xlarge",
         2},
        {"{kind: reserved-instances, instance: p4d.24xlarge, term: 1y}", "'count' is missing", 2},
        {"{kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y, hourly: 2 USD/h}",
         "'hourly' does not belong", 2},
        {"{kind: compute-savings-plan, term: 1y, hourly: 2 USD/h}",
         "no rate for it, and the catalogue knows none", 2},
        {"{kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 2y}", "2y", 2},
        {"{kind: compute-savings-plan, term: 1y, hourly: 2 USD/h, rates: {p5.48xlarge: 30 USD/h}}",
         "no rate for it", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 HEAD "horizon: 60d\nworkloads: {job: {kind: training, hours: 5h}}\n"
                      "strategies:\n  a: {instance: p4d.24xlarge, nodes: 1, buy: on-demand,\n"
                      "    commitments: [%s]}\n",
                 cases[i].commitment);
        int code = 0;
        char *what = study_errors(text, &code);
        if (code != cases[i].code || strstr(what, cases[i].says) == NULL) {
            fail_msg("%s: exit %d, %s", cases[i].commitment, code, what);
        }
        free(what);
    }
}

/* What is wrong with one strategy hides nothing that is wrong with the commitments of the next. */
static void all_strategies_are_told(void **state)
{
    (void)state;
    int code = 0;
    char *what =
        study_errors(HEAD "horizon: 20d\nworkloads: {j: {kind: training, hours: 10h, boot: 0}}\n"
                          "strategies:\n"
                          "  a: {instance: p4d.25xlarge, nodes: 1, buy: on-demand}\n"
                          "  b: {instance: p4d.24xlarge, nodes: 1, buy: on-demand,\n"
                          "    commitments: [{kind: reserved-instances, instance: p4d.26xlarge, "
                          "count: 1, term: 1y, payment: no-upfront}]}\n",
                     &code);
    assert_non_null(strstr(what, "p4d.25xlarge"));
    assert_non_null(strstr(what, "p4d.26xlarge"));
    free(what);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reservation_for_58_hours_costs_the_year),
        cmocka_unit_test(fully_covered_is_never_below_nothing),
        cmocka_unit_test(one_reserved_instance_of_four),
        cmocka_unit_test(a_quarter_of_an_hour_of_four),
        cmocka_unit_test(three_quarters_of_an_hour_of_two),
        cmocka_unit_test(a_compute_savings_plan),
        cmocka_unit_test(spot_is_never_covered_fallback_is),
        cmocka_unit_test(expiry_returns_usage_to_on_demand),
        cmocka_unit_test(reuse_takes_off_what_outlives_the_horizon),
        cmocka_unit_test(bought_later_and_paid_upfront),
        cmocka_unit_test(random_worlds_add_up),
        cmocka_unit_test(lines_add_up),
        cmocka_unit_test(lines_of_cut_worlds),
        cmocka_unit_test(usage_is_before_commitments),
        cmocka_unit_test(refusals),
        cmocka_unit_test(all_strategies_are_told),
    };
    return cmocka_run_group_tests_name("commitments", tests, NULL, NULL);
}
