/* SPDX-License-Identifier: GPL-3.0-or-later
 * `fleetcast run` from outside: what it writes and what it prints. */
#include "tests/support/testing.h"

#include "tests/support/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const csv_files[] = {"summary.csv",  "comparison.csv",  "distribution.csv",
                                        "timeline.csv", "monthly.csv",     "lines.csv",
                                        "usage.csv",    "replications.csv"};
enum { CSV_FILES = sizeof csv_files / sizeof csv_files[0] };

/* ---- what is written and printed ---- */

static void test_run_writes_all_files(void **state)
{
    struct program p;
    program_expect(&p, *state, "run plan.yaml --no-charts", 0);
    assert_string_equal(p.err, "");
    assert_holds(p.out, "spot");
    assert_holds(p.out,
                 "List prices (Linux, shared tenancy) in us-east-1; the oldest in use, spot ");
    assert_holds(p.out, "Assumed:\n");
    assert_holds(p.out, "Not modelled: ");
    assert_holds(p.out, "60 worlds in ");
    assert_holds(p.out, "Results: fleetcast-results/plan\n");
    program_release(&p);
    for (size_t i = 0; i < CSV_FILES; i++) {
        char *text = program_text_of(*state, "fleetcast-results/plan", csv_files[i]);
        assert_true(count_lines(text) > 1);
        free(text);
    }
    char *copy = program_text_of(*state, "fleetcast-results/plan", "inputs/plan.yaml");
    assert_string_equal(copy, program_plan);
    free(copy);
    assert_false(program_exists(*state, "fleetcast-results/plan/charts"));
    assert_int_equal(program_entries(*state, "fleetcast-results"), 1);
}

static void test_quiet(void **state)
{
    struct program p;
    program_expect(&p, *state, "run plan.yaml --no-charts -q", 0);
    assert_holds(p.out, "spot");
    assert_holds(p.out, "listed in the manifest");
    assert_lacks(p.out, "Not modelled");
    program_release(&p);
}

/* Marks such as the plus-minus sign only where the locale can show them. */
static void test_marks_follow_the_locale(void **state)
{
    static const struct {
        const char *locale;
        bool utf8;
    } rows[] = {{"LC_ALL=C", false},
                {"LC_ALL=en_US.ISO-8859-1", false},
                {"LC_ALL=C.UTF-8", true},
                {"LC_ALL=de_DE.utf8", true}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct program p;
        const struct program_call call = {.folder = *state, .environment = {rows[i].locale}};
        program_run(&p, &call, "run plan.yaml --no-charts");
        assert_int_equal(p.code, 0);
        size_t marks = 0;
        for (const char *s = p.out; *s != '\0'; s++) {
            marks += (unsigned char)*s >= 0x80;
        }
        assert_int_equal(marks > 0, rows[i].utf8);
        assert_int_equal(strstr(p.out, "+-") != NULL, !rows[i].utf8);
        program_release(&p);
    }
}

static void test_standard_input(void **state)
{
    struct program p;
    const struct program_call call = {.folder = *state, .input = program_plan};
    program_run(&p, &call, "run - --no-charts");
    assert_int_equal(p.code, 0);
    program_release(&p);
    assert_true(program_exists(*state, "fleetcast-results/stdin/manifest.json"));
}

static void test_jobs_change_no_byte(void **state)
{
    program_expect_code(*state, "run plan.yaml --no-charts --jobs 1 -o one", 0);
    program_expect_code(*state, "run --no-charts --jobs=2 plan.yaml -o two", 0);
    for (size_t i = 0; i < CSV_FILES; i++) {
        assert_same_file(*state, "one", "two", csv_files[i]);
    }
}

static void test_seed_changes_worlds(void **state)
{
    program_expect_code(*state, "run plan.yaml --no-charts -o a", 0);
    program_expect_code(*state, "run plan.yaml --no-charts --seed 4 -o b", 0);
    char *a = program_text_of(*state, "a", "replications.csv"),
         *b = program_text_of(*state, "b", "replications.csv");
    assert_string_not_equal(a, b);
    assert_int_equal(count_lines(a), count_lines(b));
    free(a);
    free(b);
}

/* Table, charts and bare values in the currency of the report; the files have both. */
static void test_report_currency(void **state)
{
    struct program p;
    program_file(*state, "eur.yaml",
                 "report_currency: {code: EUR, rate: 0.5 EUR/USD, date: 2026-03-01}\n"
                 "budget: 500 EUR\n");
    program_expect(&p, *state, "run plan.yaml eur.yaml -q -o eur", 0);
    assert_holds(p.out, "Cost in EUR, tax excluded; budget 500;");
    assert_holds(p.out, "computed in USD, shown in EUR at 0.5 (2026-03-01)");
    program_release(&p);
    char *chart = program_text_of(*state, "eur/charts", "cost.gp");
    assert_holds(chart, "EUR ");
    assert_holds(chart, "computed in USD, shown in EUR at 0.5 (2026-03-01)");
    assert_lacks(chart, "'$");
    /* Drawn again it is the same chart. */
    program_expect_code(*state, "plot eur", 0);
    char *again = program_text_of(*state, "eur/charts", "cost.gp");
    assert_string_equal(again, chart);
    free(again);
    free(chart);
    program_expect(&p, *state, "run plan.yaml eur.yaml --strategy spot --print cost_eur.p50 -o v",
                   0);
    double eur = strtod(p.out, NULL);
    program_release(&p);
    program_expect(&p, *state, "run plan.yaml eur.yaml --strategy spot --print cost_usd.p50 -o v",
                   0);
    assert_near(eur, 0.5 * strtod(p.out, NULL), 1e-6, "half");
    program_release(&p);
}

static void test_csv_format_is_the_summary(void **state)
{
    struct program p;
    program_expect(&p, *state, "run plan.yaml --no-charts --format csv", 0);
    char *summary = program_text_of(*state, "fleetcast-results/plan", "summary.csv");
    assert_string_equal(p.out, summary);
    free(summary);
    program_release(&p);
}

static void test_json_format(void **state)
{
    struct program p;
    program_expect(&p, *state, "run plan.yaml --no-charts --format json", 0);
    json_t *root = parse_json(p.out);
    const json_t *manifest = json_object_get(root, "manifest");
    assert_string_equal(json_string_value(json_object_get(manifest, "written_by")), "fleetcast");
    assert_int_equal(json_integer_value(json_object_get(manifest, "seed")), 3);
    assert_int_equal(json_array_size(json_object_get(manifest, "arguments")), 5);
    assert_true(json_array_size(json_object_get(root, "summary")) > 50);
    const json_t *first = json_array_get(json_object_get(root, "comparison"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "strategy")), "spot");
    assert_string_equal(json_string_value(json_object_get(first, "baseline")), "on-demand");
    json_decref(root);
    program_release(&p);
}

/* ---- --print ---- */

static void test_print_one_value(void **state)
{
    struct program p, q;
    program_expect(&p, *state, "run plan.yaml --no-charts --strategy spot --print cost_usd.p90", 0);
    assert_int_equal(count_lines(p.out), 1);
    double printed = strtod(p.out, NULL);
    assert_true(printed > 100);
    program_expect(&q, *state, "run plan.yaml --no-charts --strategy spot --format json", 0);
    json_t *root = parse_json(q.out);
    double p90 = 0;
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(root, "summary"), i, row)
    {
        if (strcmp(json_string_value(json_object_get(row, "workload")), "all") == 0 &&
            strcmp(json_string_value(json_object_get(row, "metric")), "cost_usd") == 0) {
            p90 = json_number_value(json_object_get(row, "p90"));
        }
    }
    assert_near(printed, p90, 1e-5, "p90");
    json_decref(root);
    program_release(&p);
    program_release(&q);
}

static void test_print_is_checked_first(void **state)
{
    static const struct {
        const char *words, *text;
    } rows[] = {
        {"--strategy spot --print cost_usd.p91", "unknown quantile 'p91'; did you mean 'p90'?"},
        {"--strategy spot --print cost_uds.p90",
         "unknown metric 'cost_uds'; did you mean 'cost_usd'?"},
        {"--strategy spot --print cost_usd", "expected METRIC.QUANTILE such as cost_usd.p90"},
        {"--print cost_usd.p90", "name one with --strategy"},
        {"--strategy spot --print cost_usd.p90 --format csv", "exclude each other"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct program p;
        char words[200];
        snprintf(words, sizeof words, "run plan.yaml --no-charts %s", rows[i].words);
        program_expect(&p, *state, words, 2);
        assert_holds(p.err, rows[i].text);
        program_release(&p);
    }
    assert_false(program_exists(*state, "fleetcast-results"));
}

/* A quantile that the horizon makes unknowable is not printed as a number. */
static void test_print_nothing_unknown(void **state)
{
    struct program p;
    program_expect(&p, *state,
                   "run plan.yaml --no-charts --strategy spot --set horizon=52h "
                   "--set workloads.train.deadline=40h --print cost_usd.p90",
                   1);
    assert_string_equal(p.out, "");
    assert_holds(p.err, "'cost_usd.p90' is unknown, at least ");
    program_release(&p);
}

/* ---- how many worlds ---- */

static json_int_t replications_of(const char *folder, const char *words)
{
    char line[300];
    snprintf(line, sizeof line, "run --no-charts -o out %s", words);
    program_expect_code(folder, line, 0);
    json_t *m = program_manifest(folder, "out");
    json_int_t n = json_integer_value(json_object_get(m, "replications"));
    json_decref(m);
    return n;
}

/* The file says one way to stop, the command line the other. */
static void test_precision_and_replications_replace_each_other(void **state)
{
    assert_int_equal(replications_of(*state, "plan.yaml"), 60);
    assert_int_equal(replications_of(*state, "plan.yaml --replications 70"), 70);
    assert_int_equal(replications_of(*state, "plan.yaml --precision 20%"), 500); /* first batch */
    program_file(*state, "precise.yaml",
                 "replications: null\nprecision: 20%\nprecision_of: cost_usd.p50\n"
                 "max_replications: 2000\n");
    assert_int_equal(replications_of(*state, "plan.yaml precise.yaml"), 500);
    assert_int_equal(replications_of(*state, "plan.yaml precise.yaml --replications 80"), 80);
}

static void test_imprecise_run_is_told(void **state)
{
    struct program p;
    program_expect(&p, *state,
                   "run plan.yaml --no-charts --precision 0.02% --set max_replications=100", 0);
    assert_holds(p.err, "warning: the precision of 0.02 % was not reached in 100 worlds");
    program_release(&p);
}

/* ---- work that is not done ---- */

static void test_strategy_that_never_finishes(void **state)
{
    struct program p;
    program_expect(&p, *state,
                   "run plan.yaml --no-charts --set horizon=20h --set workloads.train.deadline=20h",
                   5);
    assert_holds(p.err, "strategy 'on-demand' finished its work in none of 60 worlds");
    assert_holds(p.err, "strategy 'spot' finished its work in none of 60 worlds");
    program_release(&p);
    assert_true(program_exists(*state, "fleetcast-results/plan/summary.csv"));
}

/* ---- explain agrees with the run ---- */

/* The cost of `all` in one replication, in the run's own digits. */
static char *cost_in(const char *csv, const char *strategy, int replication)
{
    char start[100];
    snprintf(start, sizeof start, "\n%s,all,%d,", strategy, replication);
    const char *row = strstr(csv, start);
    assert_non_null(row);
    row += strlen(start);
    return strndup(row, strcspn(row, ","));
}

static void test_explain_is_the_world_of_the_run(void **state)
{
    program_expect_code(*state, "run plan.yaml --no-charts -o out", 0);
    char *csv = program_text_of(*state, "out", "replications.csv");
    assert_holds(csv, "strategy,workload,replication,cost_usd,");
    for (int k = 0; k < 60; k += 13) {
        struct program p;
        char words[100], want[100];
        snprintf(words, sizeof words, "explain plan.yaml --strategy spot --replication %d", k);
        program_expect(&p, *state, words, 0);
        char *cost = cost_in(csv, "spot", k);
        snprintf(want, sizeof want, "Cost: %s USD\n", cost);
        assert_holds(p.out, want);
        free(cost);
        program_release(&p);
    }
    free(csv);
}

/* All is written and shown, and then the exit code tells. */
static void a_broken_limit_is_the_exit_code(void **state)
{
    const char *folder = *state;
    struct program p;
    program_expect(&p, folder,
                   "run plan.yaml -o out --no-charts --set choose=cost_usd.p80 --set "
                   "limits=[cost_usd.p90<=1USD,p_unfinished<=50%]",
                   3);
    assert_holds(p.out, "\nChosen: ");
    assert_holds(p.out, "\xe2\x9c\x94");
    assert_holds(p.err, "limit 'cost_usd.p90<=1USD' does not hold: P90 of cost_usd is ");
    assert_lacks(p.err, "p_unfinished");
    program_release(&p);
    char *choice = program_text_of(folder, "out", "choice.csv");
    char *limits = program_text_of(folder, "out", "limits.csv");
    assert_holds(choice, ",chosen,1,minimise cost_usd.p80,usd,");
    assert_holds(limits, ",cost_usd.p90<=1USD,broken,usd,");
    assert_holds(limits, ",p_unfinished<=50%,kept,,");
    free(choice);
    free(limits);
    program_expect_code(folder,
                        "run plan.yaml -o two --no-charts --jobs 2 --set choose=cost_usd.p80 --set "
                        "limits=cost_usd.p90<=1USD",
                        3);
    assert_same_file(folder, "out", "two", "choice.csv");
    program_expect_code(folder, "run plan.yaml -o out --no-charts --set limits=cost_usd>=1USD", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PROGRAM_CASE(test_run_writes_all_files),
        PROGRAM_CASE(test_quiet),
        PROGRAM_CASE(test_marks_follow_the_locale),
        PROGRAM_CASE(test_standard_input),
        PROGRAM_CASE(test_jobs_change_no_byte),
        PROGRAM_CASE(test_seed_changes_worlds),
        PROGRAM_CASE(test_report_currency),
        PROGRAM_CASE(test_csv_format_is_the_summary),
        PROGRAM_CASE(test_json_format),
        PROGRAM_CASE(test_print_one_value),
        PROGRAM_CASE(test_print_is_checked_first),
        PROGRAM_CASE(test_print_nothing_unknown),
        PROGRAM_CASE(test_precision_and_replications_replace_each_other),
        PROGRAM_CASE(test_imprecise_run_is_told),
        PROGRAM_CASE(test_strategy_that_never_finishes),
        PROGRAM_CASE(test_explain_is_the_world_of_the_run),
        PROGRAM_CASE(a_broken_limit_is_the_exit_code),
    };
    return cmocka_run_group_tests_name("cli_run", tests, NULL, NULL);
}
