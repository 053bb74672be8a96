/* SPDX-License-Identifier: GPL-3.0-or-later
 * replications.csv and usage.csv: every cell is that of the results, and the plan world's nodes add
 * up to its bill. */
#include "scenarios/output/world_files.h"

#include "engine/csv_reader.h"
#include "engine/gsl_errors.h"
#include "engine/money.h"
#include "scenarios/output/result_layouts.h"
#include "tests/support/program.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char scenario[] =
    "version: 1\nstart: 2026-01-30T10:17:05Z\nhorizon: 6d\nregion: us-east-1\nreplications: 40\n"
    "seed: 5\nbudget: 100 USD\n"
    "workloads:\n"
    "  \"first, \\\"best\\\"\":\n"
    "    {kind: training, hours: 20..60h, restart: node, checkpoint: {every: auto, write: 90s}}\n"
    "  second: {kind: training, hours: 5h, submit: 12h, checkpoint: {every: auto}, deadline: 5d}\n"
    "market: {spot: {p3.2xlarge: {price: 0.9..1.1 USD/h, availability: 60..90 %,\n"
    "                             interruptions: 0.05/h}}}\n"
    "strategies:\n"
    "  a: {instance: p3.2xlarge, nodes: 3, buy: on-demand}\n"
    "  b: {instance: p3.2xlarge, nodes: 3, buy: spot, policy: {name: fallback, return: yes}}\n";

static char *written(bool (*write)(FILE *out, const struct run *run), const struct run *run)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_true(write(out, run));
    assert_int_equal(fclose(out), 0);
    return text;
}

/* A file in memory, read by the names of its layout. */
struct file {
    char *text;
    struct arena *arena;
    struct diagnostics *diagnostics;
    struct result_table_layout layout;
    struct csv_reader *reader;
};

static void file_open(struct file *f, char *text, const char *layout, const char *currency)
{
    *f = (struct file){.text = text, .arena = arena_new(0), .diagnostics = diagnostics_new()};
    assert_true(result_table_layout(layout, currency, f->arena, &f->layout));
    const char **names = arena_array(f->arena, f->layout.count + 1, sizeof *names);
    for (size_t i = 0; i < f->layout.count; i++) {
        names[i] = f->layout.columns[i].name;
    }
    f->reader = csv_open_text(text, strlen(text), layout, names, f->diagnostics);
    assert_non_null(f->reader);
}

static void file_close(struct file *f)
{
    assert_false(diagnostics_failed(f->diagnostics));
    csv_close(f->reader);
    diagnostics_free(f->diagnostics);
    arena_free(f->arena);
    free(f->text);
}

static size_t column(const struct file *f, const char *name)
{
    for (size_t i = 0; i < f->layout.count; i++) {
        if (strcmp(f->layout.columns[i].name, name) == 0) {
            return i;
        }
    }
    fail_msg("no column '%s'", name);
    return 0;
}

static const char *text_at(const struct file *f, const char *name)
{
    return csv_text(f->reader, column(f, name));
}

static double number_at(const struct file *f, const char *name)
{
    double v = 0;
    assert_true(csv_double(f->reader, column(f, name), &v));
    return v;
}

static money_t money_at(const struct file *f, const char *name)
{
    money_t v = 0;
    assert_true(csv_money(f->reader, column(f, name), &v));
    return v;
}

/* ---- replications.csv ---- */

static void assert_header(const char *text, const struct study *s, const char *layout)
{
    struct arena *a = arena_new(0);
    struct result_table_layout l;
    struct text want;
    text_init(&want, 0);
    assert_true(result_table_layout(layout, s->scenario->currency, a, &l));
    for (size_t i = 0; i < l.count; i++) {
        text_format(&want, "%s%s", i == 0 ? "" : ",", l.columns[i].name);
    }
    if (strcmp(layout, "replications") == 0) {
        for (size_t i = 0; i < inputs_count(s->scenario->inputs); i++) {
            const struct input *in = inputs_at(s->scenario->inputs, i);
            bool quoted = strpbrk(in->name, ",\"") != NULL;
            text_add(&want, quoted ? ",\"" : ",");
            for (const char *c = in->name; *c != '\0'; c++) {
                text_add_bytes(&want, c, 1);
                if (*c == '"') {
                    text_add(&want, "\"");
                }
            }
            text_format(&want, "%s%s%s", in->unit[0] != '\0' ? "_" : "", in->unit,
                        quoted ? "\"" : "");
        }
    }
    size_t length = strcspn(text, "\n");
    assert_int_equal(length, want.length);
    assert_memory_equal(text, want.data, length);
    text_release(&want);
    arena_free(a);
}

static void assert_row(struct file *f, const struct run *run, size_t k, size_t w, uint32_t i)
{
    const struct metric_cells *c = results_cells(&run->results, i, k, w);
    assert_int_equal(csv_next(f->reader), 1);
    assert_string_equal(text_at(f, "strategy"), study_strategy_name(run->study, k));
    assert_string_equal(text_at(f, "workload"), study_workload_name(run->study, w));
    assert_int_equal((int)number_at(f, "replication"), i);
    for (int m = 0; m < METRIC_COUNT; m++) {
        char name[64];
        double want = metric_number(c, (enum metric)m);
        metric_column((enum metric)m, "USD", name);
        if (isnan(want)) {
            assert_true(csv_missing(f->reader, column(f, name)));
        } else if (metric_table[m].kind == METRIC_MONEY) {
            assert_int_equal(money_at(f, name), c->value[m].money); /* exact */
        } else {
            assert_near(number_at(f, name), want, 5e-7 * fmax(1, fabs(want)), name);
        }
    }
    double drawn[16];
    size_t inputs = inputs_count(run->study->scenario->inputs);
    assert_true(inputs <= 16);
    inputs_draw(run->study->scenario->inputs, (struct random_world){5, i}, drawn);
    for (size_t n = 0; n < inputs; n++) {
        double got = 0;
        const char *text = csv_raw(f->reader, (int)(f->layout.count + n));
        assert_int_equal(sscanf(text, "%lf", &got), 1);
        assert_near(got, drawn[n], 1e-5 * fmax(1, fabs(drawn[n])), "drawn input");
    }
}

static void every_world_is_there(void **state)
{
    (void)state;
    struct study *s = study_from_text(scenario, NULL);
    struct run run;
    struct file f;
    study_run(&run, s, 2);
    assert_true(inputs_count(s->scenario->inputs) >= 3);
    file_open(&f, written(write_replications, &run), "replications", "USD");
    assert_header(f.text, s, "replications");
    for (size_t k = 0; k < 2; k++) {
        for (size_t w = 0; w <= 2; w++) {
            for (uint32_t i = 0; i < 40; i++) {
                assert_row(&f, &run, k, w, i);
            }
        }
    }
    assert_int_equal(csv_next(f.reader), 0);
    file_close(&f);
    run_release(&run);
    study_free(s);
}

/* ---- usage.csv ---- */

enum { SLOTS = 8 };

static void the_plan_world_adds_up(void **state)
{
    (void)state;
    struct study *s = study_from_text(scenario, NULL);
    struct run run;
    struct file f;
    study_run(&run, s, 2);
    file_open(&f, written(write_usage, &run), "usage", "USD");
    assert_header(f.text, s, "usage");
    money_t cost[2][2] = {{0}};
    double node_s[2][2] = {{0}}, free_s[2][2] = {{0}};
    int launches[2][2] = {{0}};
    int next[2][2][PURCHASE_COUNT][SLOTS] = {{{{0}}}};
    int got;
    while ((got = csv_next(f.reader)) == 1) {
        size_t k = strcmp(text_at(&f, "strategy"), "a") == 0 ? 0 : 1;
        size_t w = strcmp(text_at(&f, "workload"), "second") == 0 ? 1 : 0;
        size_t p =
            strcmp(text_at(&f, "purchase"), "spot") == 0 ? PURCHASE_SPOT : PURCHASE_ON_DEMAND;
        int slot = (int)number_at(&f, "slot");
        double start_s = number_at(&f, "start_s"), end_s = number_at(&f, "end_s"), sum_s = 0;
        assert_int_equal((int)number_at(&f, "replication"), (int)run.plan_worlds[k]);
        assert_string_equal(text_at(&f, "zone"), "us-east-1a");
        assert_string_equal(text_at(&f, "instance_type"), "p3.2xlarge");
        assert_true(0 <= start_s && start_s <= end_s && end_s <= s->scenario->horizon_s);
        assert_in_range(slot, 0, 2);
        assert_int_equal((int)number_at(&f, "launch"), next[k][w][p][slot]++);
        for (int a = 0; a < ACTIVITY_COUNT; a++) {
            char name[64];
            snprintf(name, sizeof name, "%s_s", activity_names[a]);
            sum_s += number_at(&f, name);
        }
        assert_near(sum_s, end_s - start_s, 2e-5, "activities");
        int64_t start = 0;
        assert_true(csv_date(f.reader, column(&f, "start"), &start));
        assert_int_equal(start, s->scenario->start.unix_s + (int64_t)start_s);
        cost[k][w] += money_at(&f, "cost_usd");
        node_s[k][w] += end_s - start_s;
        launches[k][w]++;
        if (number_at(&f, "free") > 0) {
            assert_int_equal(money_at(&f, "cost_usd"), 0);
            assert_string_equal(text_at(&f, "end_reason"), "interrupted");
            free_s[k][w] += end_s - start_s;
        }
    }
    assert_int_equal(got, 0);
    for (size_t k = 0; k < 2; k++) {
        for (size_t w = 0; w < 2; w++) {
            const struct metric_cells *c = results_cells(&run.results, run.plan_worlds[k], k, w);
            assert_int_equal(cost[k][w], c->value[METRIC_COST].money);
            assert_int_equal(launches[k][w], (int)c->value[METRIC_LAUNCHES].number);
            assert_near(node_s[k][w] / 3600, c->value[METRIC_NODE_HOURS].number, 1e-6,
                        "node-hours");
            assert_near(free_s[k][w] / 3600, c->value[METRIC_FREE_NODE_HOURS].number, 1e-6,
                        "free node-hours");
        }
    }
    file_close(&f);
    run_release(&run);
    study_free(s);
}

/* Work without a node has no usage, and an interrupted run without a world no plan world. */
static void nothing_to_tell_is_a_header(void **state)
{
    (void)state;
    static const char *const sets[] = {"workloads.second=null", "horizon=7d", NULL};
    struct study *s = study_from_text(scenario, sets);
    struct run run;
    study_run(&run, s, 1);
    run.results.replications = 0;
    run.plan_worlds[0] = run.plan_worlds[1] = UINT32_MAX;
    char *usage = written(write_usage, &run), *replications = written(write_replications, &run);
    assert_int_equal(count_lines(usage), 1);
    assert_int_equal(count_lines(replications), 1);
    free(usage);
    free(replications);
    run_release(&run);
    study_free(s);
}

static void china_pays_in_yuan_everywhere(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        "version: 1\nstart: 2026-01-30\nhorizon: 6d\nregion: cn-north-1\nreplications: 5\n"
        "budget: 900..1100 CNY\n"
        "workloads: {job: {kind: training, hours: 20..30h, checkpoint: {every: auto}}}\n"
        "market: {spot: {p3.2xlarge: {price: 9..11 CNY/h, availability: 60..90 %}}}\n"
        "strategies:\n"
        "  a: {instance: p3.2xlarge, nodes: 3, buy: on-demand}\n"
        "  b: {instance: p3.2xlarge, nodes: 3, buy: spot}\n",
        NULL);
    struct run run;
    study_run(&run, s, 1);
    char *usage = written(write_usage, &run), *replications = written(write_replications, &run);
    assert_null(strcasestr(usage, "usd"));
    assert_null(strcasestr(replications, "usd"));
    assert_holds(usage, ",cost_cny,staging_s,evaluation_s,down_s\n");
    assert_holds(replications, ",cost_cny,cash_cny,");
    assert_holds(replications, "budget_cny");
    assert_holds(replications, "price_cny_per_hour");
    free(usage);
    free(replications);
    run_release(&run);
    study_free(s);
}

static void a_full_disk_is_told(void **state)
{
    (void)state;
    static bool (*const writers[])(FILE *, const struct run *) = {write_replications, write_usage};
    struct study *s = study_from_text(scenario, NULL);
    struct run run;
    study_run(&run, s, 1);
    for (size_t i = 0; i < 2; i++) {
        FILE *full = fopen("/dev/full", "w");
        if (full == NULL) {
            skip();
        }
        assert_false(writers[i](full, &run));
        assert_int_equal(errno, ENOSPC);
        fclose(full);
    }
    run_release(&run);
    study_free(s);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_world_is_there),
        cmocka_unit_test(the_plan_world_adds_up),
        cmocka_unit_test(nothing_to_tell_is_a_header),
        cmocka_unit_test(china_pays_in_yuan_everywhere),
        cmocka_unit_test(a_full_disk_is_told),
    };
    return cmocka_run_group_tests_name("world_files", tests, NULL, NULL);
}
