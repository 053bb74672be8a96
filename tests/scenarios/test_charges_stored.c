/* SPDX-License-Identifier: GPL-3.0-or-later
 * Requests, file systems, kept volumes and fees by node, from scenario files to the bill: each
 * against a sum made by hand (us-east-1: S3 0.005 a thousand PUT, 0.0004 a thousand GET; the prices
 * of file systems are stated: none is shipped). */
#include "engine/gsl_errors.h"
#include "models/billing/filesystem_charges.h"
#include "models/billing/kept_volumes.h"
#include "tests/support/bill_lines.h"
#include "tests/support/program.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAYS BILL_HEAD "horizon: 30d\n"
#define JOB  BILL_JOB
#define BUY  BILL_BUY
#define GIB  1073741824.0

static const struct bill_case cases[] = {
    /* ---- requests: 2 nodes, 1 launch each ---- */
    {"each launch reads 8,000 objects",
     DAYS JOB ", dataset: {size: 1000 GiB, object_size: 128 MiB}" BUY, "requests",
     2 * 8000 * 0.0004 / 1000},
    {"an object begun is an object",
     DAYS JOB ", dataset: {size: 1000.01 GiB, object_size: 128 MiB}" BUY, "requests",
     2 * 8001 * 0.0004 / 1000},
    {"three passes, once",
     DAYS JOB ", dataset: {size: 1000 GiB, object_size: 128 MiB, read: start, passes: 3}" BUY,
     "requests", 3 * 8000 * 0.0004 / 1000},
    {"written by the plan, read by nobody",
     DAYS JOB ", dataset: {size: 1000 GiB, object_size: 128 MiB, read: never, upload: yes}" BUY,
     "requests", 8000 * 0.005 / 1000},
    {"objects of a hundred bytes cost more than their storage",
     DAYS JOB ", dataset: {size: 100 GB, object_size: 100 B, upload: yes}" BUY, "requests",
     1e9 * 0.005 / 1000 + 2 * 1e9 * 0.0004 / 1000},
    {"stated prices",
     DAYS JOB ", dataset: {size: 10 MB, object_size: 1 MB, upload: yes, per_1000_put: 100 USD, "
              "per_1000_get: 10 USD}" BUY,
     "requests", 10 * 0.1 + 2 * 10 * 0.01},
    {"ten checkpoints of 100 parts, begun and completed",
     DAYS JOB ", checkpoint: {every: 10h, size: 100 GiB, part_size: 1 GiB}" BUY, "requests",
     10 * 102 * 0.005 / 1000},
    {"in one part, a request each",
     DAYS JOB ", checkpoint: {every: 10h, size: 100 MiB, part_size: 1 GiB}" BUY, "requests",
     10 * 0.005 / 1000},
    /* The first is kept for 90 h, the second for 80. */
    {"checkpoints on a volume that nobody states",
     DAYS JOB ", checkpoint: {every: 10h, size: 73 GiB, keep: 2, storage: ebs, write: 0s, restore: "
              "0s}" BUY,
     "checkpoints", (90 + 80) / 730.0 * 73 * 0.08},
    {"on the disk, which is paid",
     DAYS JOB ", disk: 200 GiB, checkpoint: {every: 10h, size: 73 GiB, keep: 2, storage: ebs, "
              "write: 0s, restore: 0s}" BUY,
     "checkpoints", 0},
    {"on a file system, by the GiB",
     DAYS JOB ", checkpoint: {every: 10h, size: 73 GiB, keep: 2, storage: fsx, write: 0s, restore: "
              "0s, per_gb_month: 0.145 USD}" BUY,
     "checkpoints", (90 + 80) / 730.0 * 73 * 0.145},
    {"discounted as a volume",
     DAYS "charges: {discount: {ebs: 50 %, s3: 100 %}}\n" JOB
          ", checkpoint: {every: 10h, size: 73 GiB, keep: 2, storage: ebs, write: 0s, restore: "
          "0s}" BUY,
     "discount", -(90 + 80) / 730.0 * 73 * 0.04},
    {"with a discount on s3",
     DAYS "charges: {discount: {s3: 50 %}}\n" JOB
          ", dataset: {size: 1000 GiB, object_size: 128 MiB, per_gb_month: 0 USD}" BUY,
     "discount", -8000 * 0.0004 / 1000},
    /* ---- EFS ---- */
    {"while work goes on", DAYS "charges: {efs: {size: 730 GiB, per_gb_month: 0.3 USD}}\n" JOB BUY,
     "efs", 0.3 * 100},
    {"to the horizon",
     DAYS "charges: {efs: {size: 73 GiB, per_gb_month: 1 USD}, at: 1d, until: horizon}\n" JOB BUY,
     "efs", 0.1 * 29 * 24},
    {"provisioned throughput above 50 KiB/s a GiB: 100 - 50 MiB/s",
     DAYS "charges: {efs: {size: 1024 GiB, throughput: 100 MiB/s, per_gb_month: 0 USD, "
          "per_mbps_month: 6 USD}}\n" JOB BUY,
     "efs", 50 * 6.0 / 730 * 100},
    {"below it",
     DAYS "charges: {efs: {size: 1024 GiB, throughput: 50 MiB/s, per_gb_month: 0 USD, "
          "per_mbps_month: 6 USD}}\n" JOB BUY,
     "efs", 0},
    {"read at each launch, written by each checkpoint",
     DAYS "charges: {efs: {size: 0 B, per_gb_month: 0 USD, read: 10 GiB, per_gb_read: 0.03 USD, "
          "write: 5 GiB, per_gb_write: 0.06 USD}}\n" JOB ", checkpoint: {every: 10h}" BUY,
     "efs", 2 * 10 * 0.03 + 10 * 5 * 0.06},
    {"infrequent access",
     DAYS "charges: {efs: {size: 73 GiB, class: infrequent-access, per_gb_month: 0.1 USD, read: 10 "
          "GiB, per_gb_read: 0.01 USD}}\n" JOB BUY,
     "efs", 1 + 0.2},
    {"of a workload, from its submission to its end, discounted",
     DAYS "charges: [{efs: {size: 730 GiB, per_gb_month: 1 USD}, workload: job}, {discount: {efs: "
          "25 %}}]\n" JOB ", submit: 3d" BUY,
     "discount", -25},
    /* ---- FSx for Lustre ---- */
    {"the least capacity",
     DAYS "charges: {lustre: {size: 1 TB, throughput: 125, per_gb_month: 0.146 USD}}\n" JOB BUY,
     "lustre", 1200 * 0.146 / 730 * 100},
    {"the next step: 2,500 GiB are 4,800",
     DAYS "charges: {lustre: {size: 2500 GiB, throughput: 1000, per_gb_month: 0.73 USD}}\n" JOB BUY,
     "lustre", 4800 * 0.73 / 730 * 100},
    {"scratch, while the job runs",
     DAYS "charges: {name: fast, lustre: {size: 2400 GiB, deployment: scratch, per_gb_month: 0.14 "
          "USD}, workload: job}\n" JOB ", submit: 2d" BUY,
     "fast", 2400 * 0.14 / 730 * 100},
    {"on hard disks",
     DAYS "charges: {lustre: {size: 7 TB, deployment: persistent-1, storage: hdd, throughput: 12, "
          "per_gb_month: 0.025 USD}}\n" JOB BUY,
     "lustre", 12000 * 0.025 / 730 * 100},
    {"with a discount",
     DAYS "charges: [{lustre: {size: 1200 GiB, throughput: 125, per_gb_month: 0.73 USD}}, "
          "{discount: {fsx: 10 %}}]\n" JOB BUY,
     "discount", -1200 * 0.73 / 730 * 100 / 10},
    /* ---- fees by node: 2 nodes of 96 vCPUs and 8 accelerators, 100 h ---- */
    {"by vCPU", DAYS "charges: {name: x, per_vcpu_hour: 0.01 USD/h}\n" JOB BUY, "x",
     2 * 96 * 100 * 0.01},
    {"by accelerator", DAYS "charges: {name: x, per_gpu_hour: 0.5 USD/h}\n" JOB BUY, "x",
     2 * 8 * 100 * 0.5},
    {"by accelerator of spot nodes",
     DAYS "charges: {name: x, per_gpu_hour: 0.5 USD/h, applies_to: spot}\n" JOB BUY, "x", 0},
    {"monitoring, by the hour", DAYS "charges: {monitoring: 2.10 USD}\n" JOB BUY, "monitoring",
     2.10 / 730 * 200},
    {"monitoring of nothing is a line", DAYS "charges: {monitoring: 0 USD}\n" JOB BUY, "monitoring",
     0},
    /* ---- kept volumes ---- */
    {"nothing lies between: kept or not", DAYS JOB ", disk: {size: 730 GiB, keep: yes}" BUY, "disk",
     0.08 * 200},
};

static const struct bill_refusal refusals[] = {
    {"[]", ", dataset: {size: 1 GB, upload: yes}", "need its 'object_size'", 2},
    {"[]", ", dataset: {size: 1 GB, per_1000_get: 1 USD}", "need its 'object_size'", 2},
    {"[]", ", dataset: {size: 1 GB, object_size: 0 B}", "object_size", 2},
    {"[]", ", checkpoint: {every: 1h, part_size: 1 MB}", "'part_size' belongs to periodic", 2},
    {"[]", ", checkpoint: {mode: continuous, size: 1 GB, part_size: 1 MB}",
     "'part_size' belongs to periodic", 2},
    {"[]", ", checkpoint: {every: 1h, size: 1 GB, per_1000_put: 1 USD}", "need their 'part_size'",
     2},
    {"{name: requests, once: 1 USD}", ", dataset: {size: 1 GB, object_size: 1 MB}",
     "two lines of the bill are called 'requests'", 2},
    {"{efs: {size: 1 TB}}", "", "no price of 'efs' in 'us-east-1'", 4},
    {"{efs: {size: 1 TB}}", "", "state it with 'per_gb_month', or in a file of 'price_files'", 4},
    {"{efs: {per_gb_month: 1 USD}}", "", "'efs' states no size", 2},
    {"{efs: {size: 1 TB, per_gb_month: 1 USD, read: 1 GB}}", "", "'efs-read'", 4},
    {"{efs: {size: 1 TB, per_gb_month: 1 USD, class: infrequent-access, read: 1 GB}}", "",
     "'efs-ia-read'", 4},
    {"{efs: {size: 1 TB, per_gb_month: 1 USD, throughput: 1 MiB/s, per_mbps_month: 1 USD, write: 1 "
     "GB}}",
     "", "leave 'read' and 'write' out", 2},
    {"{efs: {size: 1 TB, per_gb_month: 1 USD}, workload: jbo}", "", "no workload is called 'jbo'",
     2},
    {"{efs: {size: 1 TB, per_gb_month: 1 USD}, workload: job, until: horizon}", "",
     "'at' and 'until' do not belong beside it", 2},
    {"{name: x, once: 1 USD, workload: job}", "", "'workload' belongs to efs and lustre", 2},
    {"{lustre: {throughput: 125}}", "", "'lustre' states no size", 2},
    {"{lustre: {size: 1 TB}}", "", "expected 'throughput' 125, 250, 500 or 1000", 2},
    {"{lustre: {size: 1 TB, deployment: scratch, throughput: 125}}", "", "none of scratch", 2},
    {"{lustre: {size: 1 TB, storage: hdd, throughput: 12}}", "", "no file system of this", 2},
    {"{lustre: {size: 1 TB, throughput: 125}}", "", "no price of 'fsx-lustre-125'", 4},
    {"[{efs: {size: 1 TB, per_gb_month: 1 USD}}, {efs: {size: 2 TB, per_gb_month: 1 USD}}]", "",
     "two lines of the bill are called 'efs'; name one", 2},
    {"{monitoring: 1 USD, at: 1d}", "", "'at' does not belong", 2},
    {"{name: x, hourly: 1 USD/h, applies_to: spot}", "", "'applies_to' belongs to per_node_hour",
     2},
    {"{per_gpu_hour: 1 USD/h}", "", "no 'name'", 2},
};

/* ---- steps of capacity: UpdateFileSystem, StorageCapacity -------------------------------------
 */

static void capacities_go_in_steps(void **state)
{
    (void)state;
    static const struct {
        int deployment, storage;
        int64_t throughput;
        double asked_gib, paid_gib;
    } rows[] = {
        {LUSTRE_PERSISTENT_2, LUSTRE_SSD, 125, 0, 1200},
        {LUSTRE_PERSISTENT_2, LUSTRE_SSD, 125, 1200, 1200},
        {LUSTRE_PERSISTENT_2, LUSTRE_SSD, 125, 1201, 2400},
        {LUSTRE_PERSISTENT_2, LUSTRE_SSD, 125, 2400, 2400},
        {LUSTRE_PERSISTENT_2, LUSTRE_SSD, 125, 2401, 4800},
        {LUSTRE_SCRATCH, LUSTRE_SSD, 0, 100000, 100800},
        {LUSTRE_PERSISTENT_1, LUSTRE_HDD, 12, 1, 6000},
        {LUSTRE_PERSISTENT_1, LUSTRE_HDD, 12, 6001, 12000},
        {LUSTRE_PERSISTENT_1, LUSTRE_HDD, 40, 1801, 3600},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct lustre_spec s = {.deployment = rows[i].deployment,
                                      .storage = rows[i].storage,
                                      .throughput = rows[i].throughput};
        assert_near(lustre_capacity_gib(&s, rows[i].asked_gib * GIB), rows[i].paid_gib, 0,
                    "capacity");
    }
}

static void a_step_of_capacity_is_said(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        DAYS "charges: {lustre: {size: 2 TB, throughput: 125, per_gb_month: 1 USD}}\n" JOB BUY,
        NULL);
    bool said = false;
    for (size_t i = 0; i < s->assumptions.count; i++) {
        const struct assumption *a = &s->assumptions.items[i];
        said = said || (strcmp(a->what, "capacity of 'lustre'") == 0 &&
                        strstr(a->value, "2400 GiB, the next that can be had above 1863") != NULL);
    }
    assert_true(said);
    study_free(s);
}

/* ---- kept volumes ------------------------------------------------------------------------------
 */

struct gap {
    int64_t from_us, to_us, count;
};
struct gaps {
    struct gap items[16];
    size_t count;
};

static void take_gap(void *context, int64_t from_us, int64_t to_us, int64_t count)
{
    struct gaps *g = context;
    assert_true(g->count < 16);
    g->items[g->count++] = (struct gap){from_us, to_us, count};
}

static void volumes_lie_between_launches(void **state)
{
    (void)state;
    static struct usage records[] = {
        /* written when nodes end: not in the order of their launches */
        {.slot = 0, .twins = 2, .start_us = 10, .end_us = 20},
        {.slot = 1, .start_us = 50, .end_us = 60},
        {.workload = 1, .slot = 7, .start_us = 0, .end_us = 5},
        {.slot = 0, .start_us = 35, .end_us = 70}, /* overlaps the next, of the same slot */
        {.slot = 0, .start_us = 30, .end_us = 40},
        {.slot = 9, .start_us = 90, .end_us = 90, .reason = END_HORIZON}, /* never was */
    };
    const struct usage_log log = {.records = records, .count = 6};
    static const struct gap want[] = {
        {20, 30, 1}, {20, 50, 1}, {70, 80, 1}, {60, 80, 1}, {20, 80, 1}};
    struct gaps got = {0};
    assert_true(kept_volumes(&log, 0, 80, take_gap, &got));
    assert_int_equal(got.count, sizeof want / sizeof want[0]);
    for (size_t i = 0; i < got.count; i++) {
        assert_memory_equal(&got.items[i], &want[i], sizeof want[i]);
    }
    got.count = 0;
    assert_true(kept_volumes(&log, 3, 80, take_gap, &got));
    assert_int_equal(got.count, 0);
}

/* Interrupted nodes on spot: with kept volumes, a volume for each node from the first launch to the
 * end of the work; without, while nodes exist. */
static void kept_volumes_are_paid_all_along(void **state)
{
    (void)state;
    static const char *const text =
        DAYS "market: {spot: {p4d.24xlarge: {price: 5 USD/h, availability: 0.7}}}\n"
             "workloads: {job: {kind: training, hours: 100h, boot: 9min, checkpoint: {every: 1h}, "
             "disk: {size: 730 GiB%s}}}\n"
             "strategies: {s: {instance: p4d.24xlarge, nodes: 3, buy: spot}}\n";
    char scenario[1024];
    struct bill_lines b;
    snprintf(scenario, sizeof scenario, text, "");
    bill_lines_see(&b, scenario);
    double plain = bill_lines_sum(&b, "disk"), node_h = bill_lines_metric(&b, METRIC_NODE_HOURS);
    assert_near(plain, 0.08 * node_h, 1e-6, "while nodes exist");
    assert_true(bill_lines_metric(&b, METRIC_INTERRUPTIONS) > 0);
    const struct usage_log *log = simulation_usage(b.simulation);
    int64_t first_us[3] = {INT64_MAX, INT64_MAX, INT64_MAX}, last_us = 0;
    for (size_t i = 0; i < log->count; i++) {
        const struct usage *u = &log->records[i];
        for (size_t s = u->slot; s <= u->slot + u->twins; s++) {
            first_us[s] = u->start_us < first_us[s] ? u->start_us : first_us[s];
        }
        last_us = u->end_us > last_us ? u->end_us : last_us;
    }
    bill_lines_release(&b);
    snprintf(scenario, sizeof scenario, text, ", keep: yes");
    bill_lines_see(&b, scenario);
    double want = 0;
    for (size_t s = 0; s < 3; s++) {
        want += 0.08 * (double)(last_us - first_us[s]) / 3.6e9;
    }
    assert_near(bill_lines_sum(&b, "disk"), want, 1e-6, "from the first launch to the end");
    assert_true(want > plain);
    bill_lines_release(&b);
}

/* A requests line is there when the scenario asks for one, and else not: nothing else changes. */
static void requests_are_a_line_where_named(void **state)
{
    (void)state;
    struct study *s = study_from_text(DAYS JOB ", dataset: 1 GB" BUY, NULL);
    assert_int_equal(s->charges.count, CHARGE_ALWAYS);
    study_free(s);
    s = study_from_text(DAYS JOB ", dataset: {size: 0 B, object_size: 1 MB, read: never}" BUY,
                        NULL);
    assert_int_equal(s->charges.count, CHARGE_ALWAYS + 1);
    assert_string_equal(s->charges.items[CHARGE_ALWAYS].name, "requests");
    study_free(s);
}

/* A restore reads the checkpoint: on spot, GETs of all its parts for each restart. */
static void restores_ask_for_all_parts(void **state)
{
    (void)state;
    struct bill_lines b;
    bill_lines_see(&b, DAYS
                   "market: {spot: {p4d.24xlarge: {price: 5 USD/h, availability: 0.7}}}\n"
                   "workloads: {job: {kind: training, hours: 100h, boot: 9min, checkpoint: {every: "
                   "1h, size: 1 GiB, part_size: 1 MiB, per_1000_put: 0 USD, per_1000_get: 1000 "
                   "USD}}}\nstrategies: {s: {instance: p4d.24xlarge, nodes: 3, buy: spot}}\n");
    assert_true(bill_lines_metric(&b, METRIC_RESTARTS) > 0);
    assert_near(bill_lines_sum(&b, "requests"), 1024 * bill_lines_metric(&b, METRIC_RESTARTS), 1e-6,
                "requests");
    bill_lines_release(&b);
}

/* A price file makes EFS known, and the register says which file it was. */
static void prices_of_files_are_charged_and_named(void **state)
{
    (void)state;
    char *folder = program_folder_new();
    program_file(folder, "own.csv",
                 "region,item,unit,date,price,currency,source\n"
                 "us-east-1,efs,GiB-month,2025-01-01,0.3,USD,offer 17\n"
                 "us-east-1,gp3,GiB-month,2025-11-01,0.07,USD,\n");
    program_file(folder, "plan.yaml",
                 DAYS "price_files: own.csv\ncharges: {efs: 730 GiB}\n" JOB ", disk: 730 GiB" BUY);
    program_expect_code(folder, "run plan.yaml -o r --no-charts", 0);
    char *text = program_text(folder, "r/lines.csv");
    assert_holds(text, "od,shared,other,efs,30,30.00,");
    assert_holds(text, "od,job,other,disk,14,14.00,");
    free(text);
    text = program_text(folder, "r/manifest.json");
    assert_holds(text, "0.30 USD per GiB-month, known on 2025-01-01, 334 days before the start");
    assert_holds(text, "own.csv): offer 17");
    assert_holds(text, "price file ");
    free(text);
    program_folder_free(folder);
}

int main(void)
{
    enum { CASES = sizeof cases / sizeof cases[0] };
    enum { REFUSALS = sizeof refusals / sizeof refusals[0] };
    gsl_errors_install();
    const struct CMUnitTest others[] = {
        cmocka_unit_test(capacities_go_in_steps),
        cmocka_unit_test(a_step_of_capacity_is_said),
        cmocka_unit_test(volumes_lie_between_launches),
        cmocka_unit_test(kept_volumes_are_paid_all_along),
        cmocka_unit_test(requests_are_a_line_where_named),
        cmocka_unit_test(restores_ask_for_all_parts),
        cmocka_unit_test(prices_of_files_are_charged_and_named),
    };
    enum { OTHERS = sizeof others / sizeof others[0] };
    struct CMUnitTest tests[CASES + REFUSALS + OTHERS];
    size_t count = 0;
    for (size_t i = 0; i < CASES; i++) {
        tests[count++] = (struct CMUnitTest){.name = cases[i].name,
                                             .test_func = bill_case_holds,
                                             .initial_state = (void *)(uintptr_t)&cases[i]};
    }
    for (size_t i = 0; i < REFUSALS; i++) {
        tests[count++] = (struct CMUnitTest){.name = refusals[i].says,
                                             .test_func = bill_refusal_holds,
                                             .initial_state = (void *)(uintptr_t)&refusals[i]};
    }
    for (size_t i = 0; i < OTHERS; i++) {
        tests[count++] = others[i];
    }
    return cmocka_run_group_tests_name("charges_stored", tests, NULL, NULL);
}
