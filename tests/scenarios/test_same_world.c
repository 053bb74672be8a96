/* SPDX-License-Identifier: GPL-3.0-or-later
 * The market of a world is the same for every strategy, as its event log tells it: whatever policy
 * is chosen, each pool's prices and room come at the same instants. */
#include "engine/gsl_errors.h"
#include "models/fleet/journal.h"
#include "scenarios/study/simulation.h"
#include "tests/support/program.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POLICIES = 7, MOST_LINES = 20000 };

static const char strategies[] =
    "  wait: {instance: p3.2xlarge, nodes: 4, buy: spot}\n"
    "  fallback: {instance: p3.2xlarge, nodes: 4, policy: {name: fallback, return: yes}}\n"
    "  greedy: {instance: p3.2xlarge, nodes: 4, policy: greedy}\n"
    "  uniform: {instance: p3.2xlarge, nodes: 4, policy: uniform-progress}\n"
    "  sliced: {instance: p3.2xlarge, nodes: 4, policy: time-sliced}\n"
    "  thrifty: {instance: p3.2xlarge, nodes: 4, buy: spot, max_price: 0.9 USD/h}\n"
    "  zones: {instance: p3.2xlarge, nodes: 4, buy: spot, zones: [us-east-1a, us-east-1b]}\n";

static struct study *study_of(const char *spot)
{
    char text[4000];
    snprintf(text, sizeof text,
             "version: 1\nstart: 2026-03-02\nhorizon: 30d\nregion: us-east-1\nreplications: 10\n"
             "market: {spot: {p3.2xlarge: {%s}},\n"
             "  price_changes: {at: 2026-03-05, change: -20 %%, purchase: all}}\n"
             "workloads:\n"
             "  job: {kind: training, hours: 60h, boot: 3min, deadline: 6d,\n"
             "    checkpoint: {every: 1h, write: 1min, restore: 2min}}\n"
             "strategies:\n%s",
             spot, strategies);
    return study_from_text(text, NULL);
}

/* What the log of one strategy says of a pool of the market. */
struct market_log {
    struct journal *journal;
    size_t at[MOST_LINES];
    size_t count;
};

static void keep_lines(struct market_log *log, const char *pool)
{
    log->count = 0;
    for (size_t i = 0; i < journal_count(log->journal); i++) {
        const struct journal_entry *e = journal_at(log->journal, i);
        if (e->workload == UINT32_MAX && strncmp(e->what, pool, strlen(pool)) == 0 &&
            (strstr(e->what, ": room for ") != NULL || strstr(e->what, ": costs ") != NULL)) {
            assert_true(log->count < MOST_LINES);
            log->at[log->count++] = i;
        }
    }
}

static bool is_price(const struct journal_entry *e)
{
    return strstr(e->what, ": costs ") != NULL;
}

/* The log ends when the work is done: the shorter one begins the longer one. */
static size_t assert_same(const struct market_log *a, const struct market_log *b, double until_s)
{
    size_t n = a->count < b->count ? a->count : b->count, same = 0;
    for (size_t i = 0; i < n; i++) {
        const struct journal_entry *x = journal_at(a->journal, a->at[i]);
        const struct journal_entry *y = journal_at(b->journal, b->at[i]);
        if (x->time_s > until_s || y->time_s > until_s) {
            return same;
        }
        assert_near(x->time_s, y->time_s, 0, x->what);
        assert_string_equal(x->what, y->what);
        same++;
    }
    return same;
}

/* When the last thing of the log happened. */
static double end_of(const struct market_log *log)
{
    size_t n = journal_count(log->journal);
    return n == 0 ? 0 : journal_at(log->journal, n - 1)->time_s;
}

static void assert_one_world(const char *spot, bool priced)
{
    struct study *s = study_of(spot);
    struct simulation *sim = simulation_new(s);
    static struct market_log logs[POLICIES];
    size_t compared = 0, prices = 0;
    for (uint32_t world = 0; world < 5; world++) {
        assert_true(simulation_begin_world(sim, world));
        for (size_t k = 0; k < POLICIES; k++) {
            logs[k].journal = journal_new(MOST_LINES);
            struct simulation_outputs out = {.journal = logs[k].journal};
            assert_true(simulation_run_strategy(sim, k, &out));
            assert_int_equal(journal_dropped(logs[k].journal), 0);
            journal_sort(logs[k].journal);
            keep_lines(&logs[k], "us-east-1a/p3.2xlarge/spot");
        }
        for (size_t k = 1; k < POLICIES; k++) {
            double until_s = fmin(end_of(&logs[0]), end_of(&logs[k]));
            compared += assert_same(&logs[0], &logs[k], until_s);
        }
        for (size_t i = 0; i < logs[0].count; i++) {
            prices += is_price(journal_at(logs[0].journal, logs[0].at[i]));
        }
        for (size_t k = 0; k < POLICIES; k++) {
            journal_free(logs[k].journal);
        }
    }
    assert_true(compared > 60);
    assert_true(!priced || prices > 10);
    simulation_free(sim);
    study_free(s);
}

static void hidden_process(void **state)
{
    (void)state;
    assert_one_world("price: 0.5 USD/h, availability: 70 %", false);
}

static void renewal(void **state)
{
    (void)state;
    assert_one_world("price: 0.5 USD/h, capacity: hyperexponential, availability: 70 %", false);
}

static void regimes(void **state)
{
    (void)state;
    assert_one_world("price: 0.5 USD/h..1.2 USD/h, price_model: regimes, availability: 70 %, "
                     "max_price: 1.1 USD/h, interruptions: 0.05/h",
                     false);
}

/* Up 5 h of 7, at another price each day. */
static void replay(void **state)
{
    (void)state;
    char *folder = program_folder_new(), spot[300];
    char *table = malloc(200000);
    size_t used = (size_t)sprintf(
        table, "zone,instance_type,start,tick_s,time_s,nodes,price_per_hour,mark\n");
    for (int zone = 0; zone < 2; zone++) {
        for (int i = 0; i < 200; i++) {
            used +=
                (size_t)sprintf(table + used, "us-east-1%c,p3.2xlarge,%s,%d,%d,%.2f,\n", 'a' + zone,
                                i == 0 ? "2026-01-01T00:00:00Z,600" : ",", i * 12600,
                                (i + zone) % 3 == 0 ? 0 : 4, 0.5 + 0.01 * (i / 7 % 5));
        }
        used += (size_t)sprintf(table + used, "us-east-1%c,p3.2xlarge,,,%d,,,end\n", 'a' + zone,
                                200 * 12600);
    }
    program_file(folder, "t.csv", table);
    snprintf(spot, sizeof spot, "trace: {file: %s/t.csv}, capacity: replay, price_model: replay",
             folder);
    assert_one_world(spot, true);
    free(table);
    program_folder_free(folder);
}

/* Two worlds do differ: the comparison above can fail. */
static void another_world_is_another(void **state)
{
    (void)state;
    struct study *s = study_of("price: 0.5 USD/h, availability: 70 %");
    struct simulation *sim = simulation_new(s);
    struct market_log logs[2];
    for (uint32_t world = 0; world < 2; world++) {
        logs[world].journal = journal_new(MOST_LINES);
        struct simulation_outputs out = {.journal = logs[world].journal};
        assert_true(simulation_begin_world(sim, world));
        assert_true(simulation_run_strategy(sim, 0, &out));
        journal_sort(logs[world].journal);
        keep_lines(&logs[world], "us-east-1a/p3.2xlarge/spot");
    }
    size_t n = logs[0].count < logs[1].count ? logs[0].count : logs[1].count, differ = 0;
    for (size_t i = 0; i < n; i++) {
        differ += journal_at(logs[0].journal, logs[0].at[i])->time_s !=
                  journal_at(logs[1].journal, logs[1].at[i])->time_s;
    }
    assert_true(n > 3 && differ > n / 2);
    journal_free(logs[0].journal);
    journal_free(logs[1].journal);
    simulation_free(sim);
    study_free(s);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hidden_process),
        cmocka_unit_test(renewal),
        cmocka_unit_test(regimes),
        cmocka_unit_test(replay),
        cmocka_unit_test(another_world_is_another),
    };
    return cmocka_run_group_tests_name("same world", tests, NULL, NULL);
}
