/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast sweep: every point is what `run` says with the same settings, common worlds, and what
 * cannot be said at a point does not stop the others. */
#include "engine/gsl_errors.h"
#include "tests/support/program.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char plan[] =
    "version: 1\nstart: 2025-12-01\nhorizon: 30d\nregion: us-east-1\nreplications: 40\n"
    "workloads: {job: {kind: training, hours: 50..90h, boot: 3min, checkpoint: continuous}}\n"
    "strategies:\n"
    "  a: {instance: p4d.24xlarge, nodes: 2, buy: on-demand}\n"
    "  b: {instance: p3dn.24xlarge, nodes: 2, buy: on-demand}\n"
    "baseline: a\n";

static char *folder_with_plan(void)
{
    char *folder = program_folder_new();
    program_file(folder, "plan.yaml", plan);
    return folder;
}

/* The columns of a line from the `from`-th on, up to the last. */
static const char *from_column(const char *line, size_t from)
{
    for (size_t i = 0; i < from; i++) {
        line = strchr(line, ',');
        assert_non_null(line);
        line++;
    }
    return line;
}

/* Every row of summary.csv is a row of the point, with two columns behind it that are empty. */
static void assert_point_holds(const char *sweep, const char *point, size_t columns,
                               const char *summary)
{
    const char *line = strchr(summary, '\n') + 1;
    size_t rows = 0, found = 0;
    for (; *line != '\0'; line = strchr(line, '\n') + 1) {
        rows++;
    }
    for (const char *at = strchr(sweep, '\n') + 1; *at != '\0'; at = strchr(at, '\n') + 1) {
        if (strncmp(at, point, strlen(point)) != 0) {
            continue;
        }
        const char *of = from_column(at, columns);
        size_t length = (size_t)(strchr(of, '\n') - of) - 2; /* without the last commas */
        const char *same = strchr(summary, '\n') + 1;
        for (; *same != '\0'; same = strchr(same, '\n') + 1) {
            if ((size_t)(strchr(same, '\n') - same) == length && strncmp(same, of, length) == 0) {
                found++;
            }
        }
    }
    assert_int_equal(found, rows);
}

static void a_point_is_a_run(void **state)
{
    (void)state;
    char *folder = folder_with_plan();
    program_expect_code(folder,
                        "sweep plan.yaml --set strategies.a.nodes=1,2 "
                        "--set workloads.job.hours=uniform(50h,60h),70h -o grid -q",
                        0);
    char *sweep = program_text(folder, "grid/sweep.csv");
    assert_non_null(strstr(sweep, "point,strategies.a.nodes,workloads.job.hours,strategy,"));
    program_expect_code(folder,
                        "run plan.yaml --set strategies.a.nodes=2 --set workloads.job.hours=70h "
                        "-o out -q --no-charts",
                        0);
    char *summary = program_text(folder, "out/summary.csv");
    assert_point_holds(sweep, "3,2,70h,", 3, summary);
    free(summary);
    /* The same file again, at another number of threads, replaces the first. */
    program_expect_code(folder,
                        "sweep plan.yaml --set strategies.a.nodes=1,2 --jobs 3 "
                        "--set workloads.job.hours=uniform(50h,60h),70h -o grid -q",
                        0);
    char *again = program_text(folder, "grid/sweep.csv");
    assert_string_equal(again, sweep);
    free(again);
    free(sweep);
    program_folder_free(folder);
}

/* Amounts in a report's currency follow in the file; on the screen each strategy stands once, and
 * the head says in what. */
static void one_currency_on_the_screen(void **state)
{
    (void)state;
    char *folder = folder_with_plan();
    struct program p;
    program_expect(&p, folder,
                   "sweep plan.yaml --set report_currency.code=EUR --set report_currency.rate=0.5 "
                   "--set report_currency.date=2026-01-01 --set report_currency.source=x "
                   "--set strategies.a.nodes=1,2 -q",
                   0);
    size_t lines = 0;
    for (const char *c = p.out; *c != '\0'; c++) {
        lines += *c == '\n' && (c[1] == '1' || c[1] == '2');
    }
    assert_int_equal(lines, 4); /* two strategies at two points */
    assert_non_null(strstr(p.out, "USD"));
    assert_null(strstr(p.out, "EUR"));
    program_release(&p);
    program_folder_free(folder);
}

static void the_choice_at_each_point(void **state)
{
    (void)state;
    char *folder = folder_with_plan();
    program_expect_code(folder,
                        "sweep plan.yaml --set choose.minimise=cost_usd.p80 "
                        "--set strategies.a.nodes=1,8 --set strategies.b.nodes=8,1 -o grid -q",
                        0);
    char *sweep = program_text(folder, "grid/sweep.csv");
    assert_non_null(strstr(sweep, ",chosen,\n"));
    free(sweep);
    char *chart = program_text(folder, "grid/charts/sweep.gp");
    assert_non_null(strstr(chart, " simulated futures at each point, seed "));
    assert_non_null(strstr(chart, "prices as of "));
    assert_non_null(strstr(chart, "USD, tax excluded'"));
    free(chart);
    program_folder_free(folder);
}

static void what_is_refused(void **state)
{
    (void)state;
    char *folder = folder_with_plan();
    program_expect_code(folder, "sweep plan.yaml --set strategies.a.nodes=2,none -o grid -q", 2);
    char *sweep = program_text(folder, "grid/sweep.csv");
    assert_non_null(strstr(sweep, "\n0,2,a,"));
    assert_non_null(strstr(sweep, "\n1,none,"));
    assert_non_null(strstr(sweep, "'nodes'"));
    free(sweep);
    program_expect_code(folder, "sweep plan.yaml --set strategies.a.nodes=none,few -q", 2);
    program_expect_code(folder, "sweep plan.yaml --set strategies.a.nodes=2 -q", 2);
    program_expect_code(folder, "sweep plan.yaml --set strategies.a.nodes=(2,3 -q", 2);
    program_expect_code(folder, "sweep plan.yaml --precision 1% --set strategies.a.nodes=2,3", 2);
    /* What `run` says of a point, the grid says; of several the first that was refused. */
    program_expect_code(folder, "run plan.yaml --set horizon=1d -q --no-charts -o short", 5);
    program_expect_code(folder, "sweep plan.yaml --set horizon=1d,30d -q", 5);
    program_expect_code(folder, "sweep plan.yaml --set region=us-east-1,us-west-1 -q", 4);
    /* A file that is not a sweep's is not replaced. */
    program_file(folder, "grid/sweep.csv", "mine\n");
    program_expect_code(folder, "sweep plan.yaml --set strategies.a.nodes=2,3 -o grid -q", 2);
    program_folder_free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_is_a_run),
        cmocka_unit_test(one_currency_on_the_screen),
        cmocka_unit_test(the_choice_at_each_point),
        cmocka_unit_test(what_is_refused),
    };
    gsl_errors_install();
    return cmocka_run_group_tests_name("cli_sweep", tests, NULL, NULL);
}
