/* SPDX-License-Identifier: GPL-3.0-or-later
 * A second currency beside the one that is computed in: 1 USD = 0.5 EUR, so that values are exact.
 */
#include "engine/gsl_errors.h"
#include "scenarios/output/report_tables.h"
#include "scenarios/output/result_tables.h"
#include "scenarios/output/world_files.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLAN                                                                                       \
    "version: 1\nstart: 2026-01-01\nhorizon: 40d\nregion: us-east-1\nreplications: 20\n"           \
    "workloads: {job: {kind: training, hours: 200h..300h}}\n"                                      \
    "strategies:\n"                                                                                \
    "  a: {instance: p3.2xlarge, nodes: 2, buy: on-demand}\n"                                      \
    "  b: {instance: p3.2xlarge, nodes: 2, buy: spot, policy: fallback}\n"
#define IN_EUR "report_currency: {code: EUR, rate: 0.5 EUR/USD, date: 2026-03-01}\n"

static const struct report_currency half = {.given = true, .code = "EUR", .rate = 0.5};

struct tables_of {
    struct study *study;
    struct run run;
    struct result_tables tables;
};

static void make_both(struct tables_of *plain, struct tables_of *shown)
{
    static const char *const texts[] = {PLAN "budget: 2000 USD\n",
                                        PLAN IN_EUR "budget: 1000 EUR\n"};
    struct tables_of *both[] = {plain, shown};
    for (size_t i = 0; i < 2; i++) {
        both[i]->study = study_from_text(texts[i], NULL);
        study_run(&both[i]->run, both[i]->study, 1);
        assert_true(result_tables_make(&both[i]->tables, &both[i]->run));
    }
}

static void release_both(struct tables_of *plain, struct tables_of *shown)
{
    struct tables_of *both[] = {plain, shown};
    for (size_t i = 0; i < 2; i++) {
        result_tables_release(&both[i]->tables);
        run_release(&both[i]->run);
        study_free(both[i]->study);
    }
}

static void names_change_their_suffix_alone(void **state)
{
    (void)state;
    char out[64];
    assert_true(report_name("cost_mean_usd", "USD", "EUR", out));
    assert_string_equal(out, "cost_mean_eur");
    assert_true(report_name("usd_usd", "USD", "EUR", out));
    assert_string_equal(out, "usd_eur");
    static const char *const none[] = {"late", "time_to_train_h", "usd", "xusd", "cost_cny", ""};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_false(report_name(none[i], "USD", "EUR", out));
    }
}

static void same_cell(const struct table *a, const struct table *b, size_t row, size_t column)
{
    if (table_column(a, column)->kind == COLUMN_TEXT) {
        assert_string_equal(table_text(a, row, column), table_text(b, row, column));
    } else {
        double x = table_number(a, row, column), y = table_number(b, row, column);
        assert_true((isnan(x) && isnan(y)) || (x <= y && x >= y));
    }
}

/* All that there is without a report's currency stands first, unchanged: the budget of 1,000 EUR is
 * the one of 2,000 USD. */
static void what_was_there_stays(void **state)
{
    (void)state;
    struct tables_of plain, shown;
    make_both(&plain, &shown);
    const struct table *before[] = {
        plain.tables.summary,  plain.tables.comparison, plain.tables.distribution,
        plain.tables.timeline, plain.tables.monthly,    plain.tables.lines,
        plain.tables.quarters, plain.tables.categories, plain.tables.commitments};
    const struct table *after[] = {
        shown.tables.summary,  shown.tables.comparison, shown.tables.distribution,
        shown.tables.timeline, shown.tables.monthly,    shown.tables.lines,
        shown.tables.quarters, shown.tables.categories, shown.tables.commitments};
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
        bool by_rows = i < 4;
        assert_true(table_rows(before[i]) > 0 || before[i] == plain.tables.commitments);
        assert_true(by_rows ? table_rows(after[i]) > table_rows(before[i])
                            : table_rows(after[i]) == table_rows(before[i]));
        assert_true(by_rows ? table_columns(after[i]) == table_columns(before[i])
                            : table_columns(after[i]) > table_columns(before[i]));
        for (size_t row = 0; row < table_rows(before[i]); row++) {
            for (size_t c = 0; c < table_columns(before[i]); c++) {
                same_cell(before[i], after[i], row, c);
            }
        }
    }
    release_both(&plain, &shown);
}

static size_t metric_row(const struct table *t, const char *strategy, const char *metric)
{
    size_t metric_at = (size_t)table_find(t, "metric");
    for (size_t row = 0; row < table_rows(t); row++) {
        if (strcmp(table_text(t, row, 0), strategy) == 0 &&
            strcmp(table_text(t, row, (size_t)table_find(t, "workload")), "all") == 0 &&
            strcmp(table_text(t, row, metric_at), metric) == 0) {
            return row;
        }
    }
    fail_msg("no %s of %s", metric, strategy);
    return 0;
}

static void assert_half(const struct table *t, size_t row, size_t of, const char *column)
{
    size_t c = (size_t)table_find(t, column);
    assert_near(table_number(t, row, c), 0.5 * table_number(t, of, c), 0, column);
}

static void amounts_are_multiplied_and_nothing_else(void **state)
{
    (void)state;
    struct tables_of plain, shown;
    make_both(&plain, &shown);
    const struct table *t = shown.tables.summary;
    size_t eur = metric_row(t, "b", "cost_eur"), usd = metric_row(t, "b", "cost_usd");
    static const char *const scaled[] = {"mean", "sd", "min", "p5", "p90", "max", "p50_low"};
    for (size_t i = 0; i < sizeof scaled / sizeof scaled[0]; i++) {
        assert_half(t, eur, usd, scaled[i]);
    }
    assert_string_equal(table_text(t, eur, (size_t)table_find(t, "unit")), "eur");
    assert_int_equal(table_integer(t, eur, (size_t)table_find(t, "n")), 20);
    t = shown.tables.comparison;
    eur = metric_row(t, "b", "cost_eur");
    usd = metric_row(t, "b", "cost_usd");
    assert_half(t, eur, usd, "mean_difference");
    assert_half(t, eur, usd, "high");
    /* Shares are the same in any currency. */
    same_cell(t, t, eur, (size_t)table_find(t, "n"));
    assert_near(table_number(t, eur, (size_t)table_find(t, "win_frac")),
                table_number(t, usd, (size_t)table_find(t, "win_frac")), 0, "wins");
    assert_near(table_number(t, eur, (size_t)table_find(t, "relative_frac")),
                table_number(t, usd, (size_t)table_find(t, "relative_frac")), 0, "relative");
    t = shown.tables.monthly;
    for (size_t row = 0; row < table_rows(t); row++) {
        assert_near(table_number(t, row, (size_t)table_find(t, "cash_plan_eur")),
                    0.5 * table_number(t, row, (size_t)table_find(t, "cash_plan_usd")), 1e-12,
                    "cash of the plan world");
    }
    /* Columns stand in the order of those they are of, and counts have none. */
    assert_true(table_find(t, "cost_mean_eur") < table_find(t, "cost_plan_eur"));
    assert_int_equal(table_find(t, "censored_eur"), -1);
    assert_int_equal(table_columns(t) - 15, 12);
    release_both(&plain, &shown);
}

/* Of a cost above what can be counted exactly there is no money, but a number. */
static void large_amounts_do_not_overflow(void **state)
{
    (void)state;
    struct result_table_layout l;
    struct arena *a = arena_new(0);
    assert_true(result_table_layout("lines", "USD", a, &l));
    struct table *t = table_new(l.name, l.columns, l.count);
    size_t row = table_add_row(t);
    table_set_money(t, row, (size_t)table_find(t, "cost_plan_usd"),
                    INT64_C(9000000000) * MONEY_UNIT);
    const struct report_currency won = {.given = true, .code = "KRW", .rate = 1400};
    t = report_table(t, "USD", &won);
    assert_non_null(t);
    assert_relative(table_number(t, row, (size_t)table_find(t, "cost_plan_krw")), 1.26e13, 1e-12,
                    "won");
    assert_true(table_missing(t, row, (size_t)table_find(t, "cost_mean_krw")));
    table_free(t);
    assert_null(report_table(NULL, "USD", &half));
    arena_free(a);
}

static void without_one_nothing_changes(void **state)
{
    (void)state;
    struct result_table_layout l, before;
    struct arena *a = arena_new(0);
    const struct report_currency none = {0};
    assert_true(result_table_layout("summary", "USD", a, &l));
    before = l;
    assert_true(report_layout(&l, "USD", NULL, a));
    assert_int_equal(l.count, before.count);
    struct table *t = table_new(l.name, l.columns, l.count);
    assert_ptr_equal(report_table(t, "USD", &none), t);
    table_free(t);
    arena_free(a);
}

/* replications.csv and usage.csv: behind the drawn inputs. */
static void world_files_have_both(void **state)
{
    (void)state;
    struct tables_of plain, shown;
    make_both(&plain, &shown);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_true(write_replications(out, &shown.run));
    fclose(out);
    const char *header_end = strchr(text, '\n');
    const char *input = strstr(text, ",workloads.job.hours_s,");
    const char *added = strstr(text, ",cost_eur,cash_eur,");
    assert_true(input != NULL && input < added && added < header_end);
    /* As many values as names. */
    size_t names = 0, values = 0;
    for (const char *c = text; c < header_end; c++) {
        names += *c == ',';
    }
    for (const char *c = header_end + 1; *c != '\n'; c++) {
        values += *c == ',';
    }
    assert_int_equal(names, values);
    free(text);
    out = open_memstream(&text, &size);
    assert_true(write_usage(out, &shown.run));
    fclose(out);
    assert_non_null(strstr(text, "free,cost_usd,staging_s,evaluation_s,down_s,cost_eur\n"));
    free(text);
    release_both(&plain, &shown);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_change_their_suffix_alone),
        cmocka_unit_test(what_was_there_stays),
        cmocka_unit_test(amounts_are_multiplied_and_nothing_else),
        cmocka_unit_test(large_amounts_do_not_overflow),
        cmocka_unit_test(without_one_nothing_changes),
        cmocka_unit_test(world_files_have_both),
    };
    return cmocka_run_group_tests_name("report_tables", tests, NULL, NULL);
}
