/* SPDX-License-Identifier: GPL-3.0-or-later
 * What `check` and `explain` say of commitments: the accounts of single commitments add up to the
 * bill, to the nano-unit, and break-even use is what theory says. */
#include "engine/gsl_errors.h"
#include "models/training/training_work.h"
#include "scenarios/cli/commitment_remarks.h"
#include "scenarios/cli/commitment_table.h"
#include "scenarios/cli/node_table.h"
#include "scenarios/study/simulation.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <string.h>

#define P4D_ON_DEMAND 21.957642 /* us-east-1, since 2025-06-05 */
#define P4D_1Y_NO     13.921094 /* 1-year standard no-upfront, ec2instances.info 2025-11-30 */
#define P4D_3Y_ALL    8.159056  /* 3-year standard all-upfront, likewise */

static const char plan[] =
    "version: 1\nstart: 2025-12-01T10:17Z\nregion: us-east-1\nreplications: 20\nhorizon: 40d\n"
    "market: {spot: {p4d.24xlarge: {availability: 70..90 %}}}\n"
    "workloads:\n"
    "  a: {kind: training, hours: 100..300h, boot: 2min..9min,\n"
    "      checkpoint: {every: 1h, write: 1min}}\n"
    "  b: {kind: training, hours: 50..90h, submit: 38d, checkpoint: continuous,\n"
    "      at_horizon: finish-on-demand}\n"
    "strategies:\n"
    "  mixed: {instance: p4d.24xlarge, nodes: 3, buy: spot, policy: {name: fallback, return: "
    "yes},\n"
    "    commitments: [\n"
    "      {kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y},\n"
    "      {kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 3y,\n"
    "       payment: all-upfront, reuse: 80 %},\n"
    "      {kind: compute-savings-plan, hourly: 6 USD/h, term: 1y,\n"
    "       rates: {p4d.24xlarge: 12 USD/h}}]}\n"
    "  plain: {instance: p4d.24xlarge, nodes: 3, buy: on-demand}\n"
    "  spot: {instance: p4d.24xlarge, nodes: 3, buy: spot,\n"
    "    commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y}}\n";

static money_t cell(const struct table *t, size_t row, const char *column)
{
    int index = table_find(t, column);
    assert_true(index >= 0);
    return table_integer(t, row, (size_t)index);
}

static void accounts_add_up_to_the_bill(void **state)
{
    (void)state;
    struct study *s = study_from_text(plan, NULL);
    struct simulation *sim = simulation_new(s);
    struct metric_cells cells[3];
    const struct simulation_outputs out = {.cells = cells};
    money_t after_the_horizon = 0, reused_late = 0;
    for (uint32_t world = 0; world < 20; world++) {
        assert_true(simulation_begin_world(sim, world));
        assert_true(simulation_run_strategy(sim, 0, &out));
        const struct committed_account *accounts = simulation_commitments(sim, 0);
        money_t covered = 0, used = 0, unused = 0, later = 0;
        int64_t covered_us = 0;
        for (size_t i = 0; i < 3; i++) {
            covered += accounts[i].covered;
            used += accounts[i].used;
            unused += accounts[i].unused;
            later += accounts[i].later;
            covered_us += accounts[i].covered_us;
            assert_true(accounts[i].unused >= 0 && accounts[i].later >= 0);
        }
        const union metric_value *all = cells[2].value;
        assert_true(covered == all[METRIC_COVERED].money);
        assert_true(used == all[METRIC_COMMITMENT_USED].money);
        assert_true(unused == all[METRIC_COMMITMENT_UNUSED].money);
        assert_true(later == all[METRIC_COMMITMENT_LATER].money);
        assert_near((double)covered_us / 3.6e9 * P4D_ON_DEMAND, money_to_double(covered), 1e-4,
                    "covered hours and their worth");
        /* a commitment by itself: used + unused + later is what the plan bears of it */
        assert_near(money_to_double(accounts[0].used + accounts[0].unused + accounts[0].later),
                    8760 * P4D_1Y_NO, 1e-6, "one year");
        /* ... and nobody else can use again what it uses itself after the horizon */
        double three = 26280 * P4D_3Y_ALL,
               used_later = money_to_double(accounts[1].used - accounts[1].used_inside);
        double own = 40 * 24 * P4D_3Y_ALL + used_later;
        assert_near(money_to_double(accounts[1].used + accounts[1].unused + accounts[1].later),
                    own + 0.2 * (three - own), 1e-6, "three years, reused");
        reused_late += used_later > 0;
        after_the_horizon += accounts[0].used > 0;
        struct table *t = commitment_table(s, 0, accounts);
        assert_int_equal(table_rows(t), 4);
        assert_string_equal(table_text(t, 3, 0), "all");
        assert_true(cell(t, 3, "covered_usd") == covered);
        assert_true(cell(t, 3, "later_usd") == later);
        table_free(t);
    }
    assert_true(after_the_horizon > 0 && reused_late > 0);
    simulation_free(sim);
    study_free(s);
}

/* The totals of `explain`: nodes at what they cost without commitments, then what these do. */
static void totals_add_up(void **state)
{
    (void)state;
    struct study *s = study_from_text(plan, NULL);
    struct simulation *sim = simulation_new(s);
    struct metric_cells cells[3];
    const struct simulation_outputs out = {.cells = cells};
    for (size_t k = 0; k < 3; k++) {
        assert_true(simulation_begin_world(sim, 3));
        assert_true(simulation_run_strategy(sim, k, &out));
        struct table *t = node_table_lines(s, &cells[2], NULL);
        size_t last = table_rows(t) - 1, shared = 0;
        money_t sum = 0;
        for (size_t row = 0; row < last; row++) {
            shared += strcmp(table_text(t, row, 0), "commitment") == 0;
            sum += cell(t, row, "cost_usd");
        }
        assert_true(sum == cells[2].value[METRIC_COST].money);
        assert_true(cell(t, last, "cost_usd") == sum);
        assert_int_equal(shared, k == 1 ? 0 : 4);
        table_free(t);
    }
    assert_null(simulation_commitments(sim, 1));
    simulation_free(sim);
    study_free(s);
}

static void break_even_use(void **state)
{
    (void)state;
    struct study *s = study_from_text(plan, NULL);
    struct break_even b;
    int on_demand = training_plan_of(s->strategies[0].plans[0])->pools[PURCHASE_ON_DEMAND];
    int spot = training_plan_of(s->strategies[0].plans[0])->pools[PURCHASE_SPOT];
    assert_true(commitment_break_even(s, 0, 0, on_demand, &b));
    assert_near(b.nodes, 1, 0, "one node");
    assert_near(b.share, P4D_1Y_NO / P4D_ON_DEMAND, 1e-9, "effective price over on-demand price");
    assert_near(b.plan_h, 8760 * b.share, 1e-6, "hours");
    assert_near(b.horizon_h, 960, 1e-9, "40 days");
    assert_true(commitment_break_even(s, 0, 1, on_demand, &b));
    assert_near(b.share, P4D_3Y_ALL / P4D_ON_DEMAND, 1e-9, "three years");
    assert_near(b.plan_h, (960 + 0.2 * (26280 - 960)) * P4D_3Y_ALL / P4D_ON_DEMAND, 1e-5,
                "what the plan bears");
    assert_true(commitment_break_even(s, 0, 2, on_demand, &b));
    assert_near(b.nodes, 0.5, 1e-12, "6 of 12 an hour");
    assert_near(b.share, 12 / P4D_ON_DEMAND, 1e-9, "rate over on-demand price");
    assert_false(commitment_break_even(s, 0, 0, spot, &b));
    assert_false(commitment_break_even(s, 2, 0, spot, &b));
    study_free(s);
}

/* Four reserved p3.2xlarge (factor 16) are half a p3.16xlarge (factor 128). */
static void break_even_of_another_size(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        "version: 1\nstart: 2018-01-01\nregion: us-east-1\nhorizon: 40d\n"
        "market: {on-demand: {p3.16xlarge: {price: 24.48 USD/h}}}\n"
        "workloads: {a: {kind: training, hours: 100h}}\n"
        "strategies:\n"
        "  a: {instance: p3.16xlarge, nodes: 1, buy: on-demand,\n"
        "    commitments: {kind: reserved-instances, instance: p3.2xlarge, count: 4, term: 1y,\n"
        "                  payment: partial-upfront}}\n",
        NULL);
    struct break_even b;
    int pool = training_plan_of(s->strategies[0].plans[0])->pools[PURCHASE_ON_DEMAND];
    assert_true(commitment_break_even(s, 0, 0, pool, &b));
    assert_near(b.nodes, 0.5, 1e-12, "4 x 16 of 128");
    assert_near(b.share, 4 * 1.99 / (0.5 * 24.48), 1e-9, "four small ones against half a big one");
    study_free(s);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accounts_add_up_to_the_bill),
        cmocka_unit_test(totals_add_up),
        cmocka_unit_test(break_even_use),
        cmocka_unit_test(break_even_of_another_size),
    };
    return cmocka_run_group_tests_name("commitment_account", tests, NULL, NULL);
}
