/* SPDX-License-Identifier: GPL-3.0-or-later
 * Months, fiscal quarters and categories against sums made by hand from the catalogue's prices. */
#include "engine/civil_time.h"
#include "engine/gsl_errors.h"
#include "scenarios/output/month_tables.h"
#include "scenarios/output/result_tables.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define P4D 21.957642 /* us-east-1, since 2025-06-05 */

/* ---- names of quarters ---- */

static void quarters_are_named_after_the_year_that_ends(void **state)
{
    (void)state;
    static const struct {
        const char *day;
        int first_month;
        const char *name;
    } rows[] = {
        {"2026-01-01", 1, "FY2026 Q1"},  {"2026-03-31", 1, "FY2026 Q1"},
        {"2026-12-31", 1, "FY2026 Q4"},  {"2025-04-01", 4, "FY2026 Q1"},
        {"2026-03-31", 4, "FY2026 Q4"},  {"2026-04-01", 4, "FY2027 Q1"},
        {"2025-10-01", 10, "FY2026 Q1"}, {"2026-09-30", 10, "FY2026 Q4"},
        {"2026-02-01", 7, "FY2026 Q3"},  {"2026-12-01", 12, "FY2027 Q1"},
        {"2026-11-30", 12, "FY2026 Q4"}, {"2026-01-15", 2, "FY2026 Q4"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t at = 0;
        char name[32];
        assert_true(civil_parse(rows[i].day, &at));
        assert_string_equal(fiscal_quarter_name(at, rows[i].first_month, name), rows[i].name);
    }
}

/* ---- tables ---- */

struct made_tables {
    struct study *study;
    struct run run;
    struct result_tables tables;
};

static void make_tables(struct made_tables *m, const char *text)
{
    m->study = study_from_text(text, NULL);
    study_run(&m->run, m->study, 1);
    assert_true(result_tables_make(&m->tables, &m->run));
}

static void release_tables(struct made_tables *m)
{
    result_tables_release(&m->tables);
    run_release(&m->run);
    study_free(m->study);
}

static double cell(const struct table *t, size_t row, const char *column)
{
    int c = table_find(t, column);
    assert_true(c >= 0 && row < table_rows(t));
    return table_number(t, row, (size_t)c);
}

/* The row whose texts in the first columns are these; "" = any. */
static size_t find_row(const struct table *t, const char *strategy, const char *second,
                       const char *third)
{
    for (size_t row = 0; row < table_rows(t); row++) {
        if (strcmp(table_text(t, row, 0), strategy) == 0 &&
            strcmp(table_text(t, row, 1), second) == 0 &&
            (third[0] == '\0' || strcmp(table_text(t, row, 2), third) == 0)) {
            return row;
        }
    }
    fail_msg("no row %s %s %s", strategy, second, third);
    return 0;
}

/* 1,080 hours of one p4d from 1 January: 744 in January and 336 in February, on demand or under a
 * reservation of a year, paid upfront; and a fee of 310 a month to the horizon, 1 July. */
static const char half_a_year[] =
    "version: 1\nstart: 2026-01-01\nhorizon: 6mo\nregion: us-east-1\nreplications: 3\n"
    "fiscal_year: april\n"
    "workloads: {job: {kind: training, hours: 1080h, boot: 0s, checkpoint: continuous}}\n"
    "charges: [{name: licence, monthly: 310 USD, until: horizon}, {tax: 10 %}]\n"
    "strategies:\n"
    "  on-demand: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}\n"
    "  reserved: {instance: p4d.24xlarge, nodes: 1, buy: on-demand, commitments: [\n"
    "    {kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y,\n"
    "     payment: all-upfront}]}\n";

static void a_month_has_cash_and_amortised(void **state)
{
    (void)state;
    struct made_tables m;
    make_tables(&m, half_a_year);
    const struct table *t = m.tables.monthly;
    size_t january = find_row(t, "on-demand", "2026-01", "");
    double want = 1.1 * (744 * P4D + 310);
    assert_near(cell(t, january, "cost_mean_usd"), want, 1e-6, "cost");
    assert_near(cell(t, january, "cash_mean_usd"), want, 1e-6, "cash");
    assert_near(cell(t, january, "amortised_plan_usd"), want, 1e-6, "amortised");
    size_t february = find_row(t, "on-demand", "2026-02", "");
    assert_near(cell(t, february, "cash_p90_usd"), 1.1 * (336 * P4D + 310), 1e-6, "February");
    /* All is paid in January, and borne by the hour over 8,760 hours. */
    double upfront = run_value(&m.run, 1, 0, METRIC_OBLIGATION);
    assert_true(upfront > 50000);
    january = find_row(t, "reserved", "2026-01", "");
    assert_near(cell(t, january, "cash_plan_usd"), 1.1 * (upfront + 310), 1e-5, "paid at once");
    assert_near(cell(t, january, "amortised_plan_usd"), 1.1 * (upfront * 744 / 8760 + 310), 1e-5,
                "borne by the hour");
    size_t june = find_row(t, "reserved", "2026-06", "");
    assert_near(cell(t, june, "cash_plan_usd"), 1.1 * 310, 1e-5, "nothing more is paid");
    assert_near(cell(t, june, "amortised_plan_usd"), 1.1 * (upfront * 720 / 8760 + 310), 1e-5,
                "borne though unused");
    /* What outlives the horizon is cost, in the month that follows, but neither cash nor amortised.
     */
    size_t last = table_rows(t) - 1;
    assert_string_equal(table_text(t, last, 1), "2026-07");
    assert_near(cell(t, last, "cost_plan_usd"), 1.1 * upfront * (8760 - 4344) / 8760, 1e-5,
                "borne later");
    assert_near(cell(t, last, "cash_plan_usd"), 0, 0, "nothing is paid then");
    release_tables(&m);
}

static void quarters_are_sums_of_months(void **state)
{
    (void)state;
    static const char *const suffixes[] = {"cost_mean_usd", "cost_plan_usd", "cash_mean_usd",
                                           "amortised_plan_usd"};
    struct made_tables m;
    make_tables(&m, half_a_year);
    const struct table *q = m.tables.quarters, *t = m.tables.monthly;
    size_t first = find_row(q, "reserved", "FY2026 Q4", "");
    assert_string_equal(table_text(q, first, 2), "2026-01");
    assert_string_equal(table_text(q, first, 3), "2026-03");
    size_t january = find_row(t, "reserved", "2026-01", "");
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        double sum = 0;
        for (size_t k = 0; k < 3; k++) {
            sum += cell(t, january + k, suffixes[i]);
        }
        assert_near(cell(q, first, suffixes[i]), sum, 1e-6, suffixes[i]);
    }
    assert_string_equal(table_text(q, first + 1, 1), "FY2027 Q1");
    assert_string_equal(table_text(q, first + 1, 3), "2026-06");
    /* Without commitments nothing is behind the horizon, and there is no row for it. */
    size_t of_on_demand = 0;
    for (size_t row = 0; row < table_rows(q); row++) {
        of_on_demand += strcmp(table_text(q, row, 0), "on-demand") == 0;
    }
    assert_int_equal(of_on_demand, 2);
    assert_string_equal(table_text(q, table_rows(q) - 1, 1), "FY2027 Q2"); /* July to September */
    release_tables(&m);
}

static void a_month_is_the_sum_of_its_categories(void **state)
{
    (void)state;
    struct made_tables m;
    make_tables(&m, half_a_year);
    const struct table *t = m.tables.categories;
    double upfront = run_value(&m.run, 1, 0, METRIC_OBLIGATION);
    size_t row = find_row(t, "on-demand", "2026-01", "on-demand");
    assert_near(cell(t, row, "cost_mean_usd"), 744 * P4D, 1e-6, "nodes");
    row = find_row(t, "on-demand", "2026-02", "fees");
    assert_near(cell(t, row, "cost_p90_usd"), 310, 1e-9, "licence");
    row = find_row(t, "on-demand", "2026-02", "tax");
    assert_near(cell(t, row, "cost_plan_usd"), 0.1 * (336 * P4D + 310), 1e-6, "tax");
    row = find_row(t, "reserved", "2026-01", "commitments-used");
    assert_near(cell(t, row, "cost_plan_usd"), upfront * 744 / 8760, 1e-5, "used in January");
    row = find_row(t, "reserved", "2026-02", "commitments-used");
    assert_near(cell(t, row, "cost_plan_usd"), upfront * 336 / 8760, 1e-5, "half of February");
    row = find_row(t, "reserved", "2026-02", "commitments-unused");
    assert_near(cell(t, row, "cost_plan_usd"), upfront * 336 / 8760, 1e-5, "the other half");
    row = find_row(t, "reserved", "2026-07", "commitments-later");
    assert_near(cell(t, row, "cost_plan_usd"), upfront * (8760 - 4344) / 8760, 1e-5, "later");
    /* Nobody buys spot, and what a strategy never has is no row of it. */
    for (size_t i = 0; i < table_rows(t); i++) {
        assert_string_not_equal(table_text(t, i, 2), "spot");
        assert_true(strcmp(table_text(t, i, 0), "reserved") == 0 ||
                    strncmp(table_text(t, i, 2), "commitments", 11) != 0);
    }
    /* To the nano-unit. */
    for (size_t i = 0; i < table_rows(m.tables.monthly); i++) {
        int64_t sum = 0;
        for (size_t k = 0; k < table_rows(t); k++) {
            if (strcmp(table_text(t, k, 0), table_text(m.tables.monthly, i, 0)) == 0 &&
                strcmp(table_text(t, k, 1), table_text(m.tables.monthly, i, 1)) == 0) {
                sum += table_integer(t, k, (size_t)table_find(t, "cost_plan_usd"));
            }
        }
        assert_int_equal(sum, table_integer(m.tables.monthly, i,
                                            (size_t)table_find(m.tables.monthly, "cost_plan_usd")));
    }
    release_tables(&m);
}

static void lines_say_their_category(void **state)
{
    (void)state;
    struct made_tables m;
    make_tables(&m, half_a_year);
    static const struct {
        const char *purchase, *activity, *category;
    } want[] = {{"on-demand", "useful", "on-demand"},
                {"commitment", "covered", "on-demand"},
                {"commitment", "unused", "commitments-unused"},
                {"other", "disk", "storage"},
                {"other", "nat", "transfer"},
                {"other", "licence", "fees"},
                {"other", "tax", "tax"}};
    const struct table *t = m.tables.lines;
    size_t category = (size_t)table_find(t, "category");
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        size_t found = 0;
        for (size_t row = 0; row < table_rows(t); row++) {
            if (strcmp(table_text(t, row, 2), want[i].purchase) == 0 &&
                strcmp(table_text(t, row, 3), want[i].activity) == 0) {
                assert_string_equal(table_text(t, row, category), want[i].category);
                found++;
            }
        }
        assert_true(found > 0);
    }
    release_tables(&m);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quarters_are_named_after_the_year_that_ends),
        cmocka_unit_test(a_month_has_cash_and_amortised),
        cmocka_unit_test(quarters_are_sums_of_months),
        cmocka_unit_test(a_month_is_the_sum_of_its_categories),
        cmocka_unit_test(lines_say_their_category),
    };
    return cmocka_run_group_tests_name("month_tables", tests, NULL, NULL);
}
