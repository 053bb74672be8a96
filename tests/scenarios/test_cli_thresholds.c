/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast thresholds: closed forms, and what the table claims checked by running the scenario at
 * the value that it prints, and on both sides of it. */
#include "engine/gsl_errors.h"
#include "tests/support/program.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One job of one node. A year reserved without upfront costs 8,760 x 13.921094 USD, used or not; on
 * demand an hour costs 21.957642 (ec2instances.info, 2025-11-30): they cross at 5,553.9 h, a use of
 * 63.4 %. */
static const char reserved[] =
    "version: 1\nstart: 2025-12-01\nhorizon: 365d\nregion: us-east-1\nreplications: 400\n"
    "prices_as_of: 2025-12-01\nmarket: {price_cuts: none}\n"
    "workloads: {job: {kind: training, hours: uniform(1000h; 8000h), boot: 0s,\n"
    "                  checkpoint: continuous}}\n"
    "strategies:\n"
    "  od: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}\n"
    "  ri:\n    {instance: p4d.24xlarge, nodes: 1, buy: on-demand,\n"
    "     commitments: [{kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y}]}\n";
#define BREAK_EVEN_H (8760 * 13.921094 / 21.957642)

/* Spot is cheaper an hour, but each interruption costs a boot, a restore and the work since the
 * last checkpoint: too many make it the dearer. (Very many do not: what the cloud ends within an
 * hour is free.) */
static const char spot[] =
    "version: 1\nstart: 2025-12-01\nhorizon: 60d\nregion: us-east-1\nreplications: 150\n"
    "market:\n  on-demand: {p4d.24xlarge: {price: 20 USD/h}}\n"
    "  spot: {p4d.24xlarge: {price: 14 USD/h, capacity: constant, nodes: 9,\n"
    "                        interruptions: 0.1/h}}\n"
    "workloads: {job: {kind: training, hours: 80..120h, boot: 30min,\n"
    "                  checkpoint: {every: 4h, write: 1min, restore: 5min, size: 1 GB}}}\n"
    "strategies:\n"
    "  od: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}\n"
    "  spot: {instance: p4d.24xlarge, nodes: 1, buy: spot}\n"
    "baseline: od\n";
#define RATE "market.spot.p4d.24xlarge.interruptions"

/* The index-th column of the first row that begins with `start`; cells before `sentence` hold no
 * comma. */
static double cell(const char *csv, const char *start, size_t index)
{
    const char *row = csv;
    while (row != NULL && strncmp(row, start, strlen(start)) != 0) {
        row = strchr(row, '\n');
        row = row == NULL ? NULL : row + 1;
    }
    if (row == NULL)
        fail_msg("no row begins with '%s' in\n%s", start, csv);
    for (size_t i = 0; i < index; i++) {
        row = strchr(row, ',') + 1;
    }
    return *row == ',' ? (double)NAN : strtod(row, NULL);
}

enum { NOW = 2, THRESHOLD = 5, LOW, HIGH, FROM = 9, TO };

static struct program thresholds(const char *folder, const char *options)
{
    struct program p;
    char command[512];
    snprintf(command, sizeof command, "thresholds plan.yaml --format csv -q%s%s",
             options[0] == '\0' ? "" : " ", options);
    program_expect(&p, folder, command, 0);
    return p;
}

static void use_of_a_reservation(void **state)
{
    (void)state;
    char *folder = program_folder_new();
    program_file(folder, "plan.yaml", reserved);
    struct program p = thresholds(folder, "");
    const char *row = "workloads.job.hours,s,";
    /* Mean use is 4,500 h: on demand is the better. */
    assert_non_null(strstr(p.out, ",od,ri,"));
    assert_relative(cell(p.out, row, THRESHOLD), 3600 * BREAK_EVEN_H, 1e-4, "break-even");
    assert_relative(cell(p.out, row, NOW), 3600 * 4500.0, 1e-9, "now");
    assert_non_null(strstr(p.out, "ri wins above 231.4 d of workloads.job.hours (now 187.5 d)"));
    assert_non_null(strstr(p.out, ",above,"));
    /* The price of an hour at which 4,500 h on demand cost as much as the year: 27.1 USD. */
    assert_relative(cell(p.out, "market.on-demand.p4d.24xlarge.price,", THRESHOLD),
                    8760 * 13.921094 / 4500, 0.09, "price, 4 standard errors");
    program_release(&p);
    program_folder_free(folder);
}

/* Difference of cost, spot less on demand, and its interval. */
static void run_at(const char *folder, double rate, double *low, double *high)
{
    char command[512];
    snprintf(command, sizeof command, "run plan.yaml --set " RATE "=%.17g/s -o out -q --no-charts",
             rate);
    program_expect_code(folder, command, 0);
    char *csv = program_text(folder, "out/comparison.csv");
    *low = cell(csv, "spot,od,all,cost_usd,", 8);
    *high = cell(csv, "spot,od,all,cost_usd,", 9);
    free(csv);
}

static void rework_of_spot(void **state)
{
    (void)state;
    char *folder = program_folder_new();
    program_file(folder, "plan.yaml", spot);
    struct program p = thresholds(folder, "--input " RATE "=0.02..0.4/h");
    const char *row = RATE ",per_s,";
    double at = cell(p.out, row, THRESHOLD), low, high;
    double from = cell(p.out, row, LOW), to = cell(p.out, row, HIGH);
    assert_non_null(strstr(p.out, "od wins above"));
    assert_true(from < at && at < to);
    assert_true(from > 0.5 * at && to < 2 * at);
    run_at(folder, at, &low, &high);
    assert_true(low < 0 && high > 0);
    run_at(folder, 0.97 * from, &low, &high);
    assert_true(high < 0); /* spot is the cheaper, surely */
    run_at(folder, 1.03 * to, &low, &high);
    assert_true(low > 0);
    program_release(&p);
    /* By itself it finds the same key, and a price at which spot loses. */
    p = thresholds(folder, "");
    assert_relative(cell(p.out, row, NOW), 0.1 / 3600, 1e-6, "now");
    assert_non_null(strstr(p.out, "market.spot.p4d.24xlarge.price,"));
    assert_true(cell(p.out, "market.spot.p4d.24xlarge.price,", THRESHOLD) > 14);
    assert_true(cell(p.out, "market.spot.p4d.24xlarge.price,", THRESHOLD) < 20);
    program_release(&p);
    program_folder_free(folder);
}

/* One node of 8 GPUs is the cheaper by a boot, but is late beyond 8 x 99.5 = 796 GPU-hours, of
 * which there are whole numbers. */
static const char late[] =
    "version: 1\nstart: 2025-12-01\nhorizon: 60d\nregion: us-east-1\nreplications: 20\n"
    "market: {on-demand: {p4d.24xlarge: {price: 20 USD/h}}}\n"
    "workloads: {job: {kind: training, gpu_hours: {A100-40GB: 400}, boot: 30min, deadline: 100h}}\n"
    "strategies:\n"
    "  one: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}\n"
    "  two: {instance: p4d.24xlarge, nodes: 2, buy: on-demand}\n"
    "choose: {minimise: cost_usd.mean, subject_to: p_late <= 5 %}\n";
#define GPU_HOURS "workloads.job.gpu_hours.A100-40GB"

static bool run_chooses(const char *folder, const char *name, double gpu_hours)
{
    char command[512], row[64];
    snprintf(command, sizeof command,
             "run plan.yaml --set " GPU_HOURS "=%.17g -o out -q --no-charts", gpu_hours);
    program_expect_code(folder, command, 0);
    char *csv = program_text(folder, "out/choice.csv");
    snprintf(row, sizeof row, "\n%s,chosen,", name);
    const bool chosen = strstr(csv, row) != NULL;
    free(csv);
    return chosen;
}

/* The winner is not beaten: a condition forbids it. And the other way round. */
static void a_condition_flips_the_choice(void **state)
{
    (void)state;
    char *folder = program_folder_new();
    program_file(folder, "plan.yaml", late);
    struct program p = thresholds(folder, "--input " GPU_HOURS "=300..1500");
    const double at = cell(p.out, GPU_HOURS ",", THRESHOLD);
    assert_relative(at, 8 * 99.5 + 1, 1e-9, "GPU-hours at which one node is late");
    assert_non_null(strstr(p.out, ",one,two,"));
    assert_non_null(strstr(p.out, "two wins above 797"));
    assert_non_null(strstr(p.out, "one cannot be chosen there: 'p_late <= 5 %' does not hold: "
                                  "chance of 'late' is 100 %"));
    assert_non_null(strstr(p.out, ",eligibility\n"));
    program_release(&p);
    assert_true(run_chooses(folder, "one", at - 1));
    assert_true(run_chooses(folder, "two", at));
    p = thresholds(folder, "--set " GPU_HOURS "=1000 --input " GPU_HOURS "=300..1500");
    assert_non_null(strstr(p.out, ",two,one,"));
    assert_relative(cell(p.out, GPU_HOURS ",", THRESHOLD), at, 1e-9, "from the other side");
    assert_non_null(strstr(p.out, "one wins below 797"));
    assert_non_null(strstr(p.out, "one cannot be chosen on the other side: 'p_late <= 5 %'"));
    program_release(&p);
    program_folder_free(folder);
}

static void into_a_directory(void **state)
{
    (void)state;
    char *folder = program_folder_new();
    program_file(folder, "plan.yaml", spot);
    program_expect_code(folder, "run plan.yaml --replications 40 -o out -q --no-charts", 0);
    char *manifest = program_text(folder, "out/manifest.json");
    program_expect_code(folder, "thresholds out --input " RATE "=0.02..0.4/h -q", 0);
    char *after = program_text(folder, "out/manifest.json");
    char *table = program_text(folder, "out/thresholds.csv");
    assert_string_equal(after, manifest);
    assert_true(cell(table, RATE ",per_s,", THRESHOLD) > 0);
    assert_non_null(strstr(table, ",40,"));
    free(manifest);
    free(after);
    free(table);
    program_expect_code(folder, "plot out -q", 0);
    /* The directory is still one of ours. */
    program_expect_code(folder, "run plan.yaml --replications 30 -o out -q --no-charts", 0);
    assert_false(program_exists(folder, "out/thresholds.csv"));
    program_expect_code(folder, "thresholds out --seed 2 -q", 2);
    program_folder_free(folder);
}

static void what_is_said(void **state)
{
    (void)state;
    char *folder = program_folder_new();
    program_file(folder, "plan.yaml", spot);
    program_expect_code(folder, "thresholds plan.yaml --input workloads.job.boott=1..2h -q", 2);
    program_expect_code(folder, "thresholds plan.yaml --input workloads.job.boot -q", 2);
    program_expect_code(folder, "thresholds plan.yaml --input horizon=1d -q", 2);
    program_expect_code(folder, "thresholds plan.yaml --strategy od -q", 2);
    program_expect_code(folder, "thresholds plan.yaml --input seed=1..2 -q", 2);
    program_expect_code(folder, "thresholds plan.yaml --input 'replications=1..2' -q", 2);
    struct program p = thresholds(folder, "--input workloads.job.hours=100..110h");
    assert_non_null(strstr(p.out,
                           "none in the range 4.167 d to 4.583 d of workloads.job.hours: spot "
                           "stays ahead of od"));
    assert_true(isnan(cell(p.out, "workloads.job.hours,s,", THRESHOLD)));
    program_release(&p);
    program_folder_free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(use_of_a_reservation),
        cmocka_unit_test(rework_of_spot),
        cmocka_unit_test(a_condition_flips_the_choice),
        cmocka_unit_test(into_a_directory),
        cmocka_unit_test(what_is_said),
    };
    gsl_errors_install();
    return cmocka_run_group_tests_name("cli_thresholds", tests, NULL, NULL);
}
