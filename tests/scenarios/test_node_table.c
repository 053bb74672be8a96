/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tables of `explain`: what they show adds up to the bill, to the nano-unit. */
#include "tests/support/testing.h"

#include "tests/support/studies.h"

#include "engine/gsl_errors.h"
#include "scenarios/cli/node_table.h"
#include "scenarios/study/simulation.h"

#include <string.h>

/* Two jobs on spot that are often interrupted, in short first hours too, across a price cut of the
 * on-demand fallback (5 June 2025). */
static const char plan[] =
    "version: 1\n"
    "start: 2025-06-03\n"
    "prices_as_of: 2025-09-01\n"
    "horizon: 20d\n"
    "region: us-east-1\n"
    "workloads:\n"
    "  a: {kind: training, hours: 60h, checkpoint: {every: 1h, write: 60s}}\n"
    "  b: {kind: training, hours: 30h, checkpoint: {every: 1h, write: 60s}, boot: 10s}\n"
    "market:\n"
    "  spot:\n"
    "    p4d.24xlarge: {interruptions: 2/d}\n"
    "charges: [{name: fee, per_node_hour: 0.3 USD/h}, {name: desk, monthly: 50 USD}, {tax: 7 %}]\n"
    "strategies:\n"
    "  spot: {instance: p4d.24xlarge, nodes: 3, buy: spot, policy: wait}\n"
    "  on-demand: {instance: p4d.24xlarge, nodes: 3, buy: on-demand}\n";

struct world {
    struct study *study;
    struct simulation *simulation;
    struct metric_cells cells[3];
    money_t others[3 * CHARGE_KIND_COUNT];
};

static void begin(struct world *w, uint32_t replication, size_t strategy)
{
    struct simulation_outputs out = {.cells = w->cells, .others = w->others};
    w->study = study_from_text(plan, NULL);
    assert_true(w->study->frame.others <= CHARGE_KIND_COUNT);
    w->simulation = simulation_new(w->study);
    assert_non_null(w->simulation);
    assert_true(simulation_begin_world(w->simulation, replication));
    assert_true(simulation_run_strategy(w->simulation, strategy, &out));
}

static void end(struct world *w)
{
    simulation_free(w->simulation);
    study_free(w->study);
}

static struct table *usage(const struct world *w)
{
    const struct usage_log *log = simulation_usage(w->simulation);
    struct table *t = node_table_usage(w->study, simulation_market(w->simulation), log, log->count);
    assert_non_null(t);
    assert_int_equal(table_rows(t), log->count);
    return t;
}

static money_t sum(const struct table *t, size_t rows)
{
    int column = table_find(t, "cost_usd");
    money_t total = 0;
    for (size_t i = 0; i < rows; i++) {
        assert_true(money_add(&total, table_integer(t, i, (size_t)column)));
    }
    return total;
}

static void test_rows_add_up_to_the_bill(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 4; k++) {
        struct world w;
        begin(&w, k, k % 2);
        money_t cost = w.cells[2].value[METRIC_COST].money;
        assert_true(cost > 0);
        struct table *t = usage(&w);
        const union metric_value *v = w.cells[2].value;
        assert_true(sum(t, table_rows(t)) ==
                    v[METRIC_ON_DEMAND_COST].money + v[METRIC_SPOT_COST].money);
        table_free(t);
        t = node_table_lines(w.study, &w.cells[2], w.others);
        assert_non_null(t);
        size_t last = table_rows(t) - 1;
        assert_true(sum(t, last) == cost);
        assert_true(table_integer(t, last, 3) == cost);
        assert_string_equal(table_text(t, last, 0), "all");
        table_free(t);
        end(&w);
    }
}

static size_t rows_holding(const struct table *t, const char *column, const char *part)
{
    size_t n = 0;
    for (size_t i = 0; i < table_rows(t); i++) {
        n += strstr(table_text(t, i, (size_t)table_find(t, column)), part) != NULL;
    }
    return n;
}

static void test_free_hours_are_told(void **state)
{
    (void)state;
    struct world w;
    begin(&w, 0, 0);
    struct table *t = usage(&w);
    size_t free_rows = rows_holding(t, "priced", "free: within the first hour");
    assert_true(free_rows > 0);
    for (size_t i = 0; i < table_rows(t); i++) {
        bool is_free = strstr(table_text(t, i, (size_t)table_find(t, "priced")), "free") != NULL;
        assert_int_equal(is_free, table_integer(t, i, (size_t)table_find(t, "cost_usd")) == 0);
    }
    table_free(t);
    end(&w);
}

/* A gang that lives through a price cut is priced in two pieces, before and after. */
static void test_price_change_makes_two_pieces(void **state)
{
    (void)state;
    struct world w;
    begin(&w, 0, 1);
    struct table *t = usage(&w);
    assert_true(rows_holding(t, "priced", "48 h at 32.7726 USD/h, 13.05 h at 21.957642 USD/h") ==
                1);
    assert_true(rows_holding(t, "nodes", "1-3") == table_rows(t));
    table_free(t);
    end(&w);
}

/* The log has the order in which nodes ended; people read by launch, and the first rows of many are
 * the first launches. */
static void test_rows_stand_in_the_order_of_launch(void **state)
{
    (void)state;
    struct world w;
    begin(&w, 0, 0);
    const struct usage_log *log = simulation_usage(w.simulation);
    struct table *t = usage(&w);
    size_t from = (size_t)table_find(t, "from_h");
    bool ended_in_another_order = false;
    for (size_t i = 1; i < table_rows(t); i++) {
        assert_true(table_number(t, i - 1, from) <= table_number(t, i, from));
        ended_in_another_order |= log->records[i - 1].start_us > log->records[i].start_us;
    }
    assert_true(ended_in_another_order);
    struct table *few = node_table_usage(w.study, simulation_market(w.simulation), log, 3);
    assert_non_null(few);
    for (size_t i = 0; i < 3; i++) {
        assert_near(table_number(few, i, from), table_number(t, i, from), 0, "first launches");
    }
    table_free(few);
    table_free(t);
    end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_add_up_to_the_bill),
        cmocka_unit_test(test_rows_stand_in_the_order_of_launch),
        cmocka_unit_test(test_free_hours_are_told),
        cmocka_unit_test(test_price_change_makes_two_pieces),
    };
    gsl_errors_install();
    return cmocka_run_group_tests_name("node_table", tests, NULL, NULL);
}
