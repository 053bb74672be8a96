/* SPDX-License-Identifier: GPL-3.0-or-later
 * `kind: notebooks` from scenario files: days worked out by hand, and the mean time that machines
 * are forgotten against its closed form. g4dn.xlarge in us-east-1: 0.526 USD/h since 2022-06-23. */
#include "engine/gsl_errors.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRICE 0.526

/* From a Monday on. */
#define HEAD                                                                                       \
    "version: 1\nstart: 2026-03-02\nregion: us-east-1\nprices_as_of: 2025-11-30\nseed: 4\n"        \
    "strategies: {s: {instance: g4dn.xlarge, buy: on-demand%s}}\nreplications: %d\n"               \
    "horizon: %s\nworkloads: {w: {kind: notebooks, begins: 9h, %s}}\n"

static struct study *study_of(const char *strategy, int replications, const char *horizon,
                              const char *workload)
{
    char text[2000];
    snprintf(text, sizeof text, HEAD, strategy, replications, horizon, workload);
    return study_from_text(text, NULL);
}

struct day_case {
    const char *name, *strategy, *horizon, *workload;
    /* Node-hours, launches, seconds of waiting for a machine. */
    double node_h, useful_h, forgotten_h, sessions, forgotten, launches, wait_s, other_usd;
};

static const struct day_case day_cases[] = {
    {"stopped after each", "", "2d",
     "people: 1, session: 8h, forgotten: 0 %, boot: 30min, disk: {size: 100 GiB, per_gb_month: 7.3 "
     "USD}",
     /* The volume goes with the node: 16 h of 1 USD. */
     16, 15, 0, 2, 0, 2, 1800, 16},
    /* On from 9:00 on Monday to Tuesday's midnight; the second session waits for nothing. */
    {"always forgotten", "", "2d",
     "people: 1, session: 8h, forgotten: 100 %, boot: 30min, disk: {size: 100 GiB, keep: yes, "
     "per_gb_month: 7.3 USD}",
     39, 15.5, 23, 2, 2, 1, 900, 39},
    {"stopped when idle", ", stop_when_idle: 2h", "2d",
     "people: 3, session: 8h, forgotten: 100 %, boot: 30min, disk: {size: 100 GiB, keep: yes, "
     "per_gb_month: 7.3 USD}",
     /* Volumes of three people stay from their first launch on. */
     60, 45, 12, 6, 6, 6, 1800, 117},
    {"at once", ", stop_when_idle: 0s", "2d", "people: 1, session: 8h, forgotten: 100 %, boot: 0s",
     16, 16, 0, 2, 2, 2, 0, 0},
    /* Four sessions; the pause of an hour is longer than half an hour. */
    {"two a day", ", stop_when_idle: 30min", "2d",
     "people: 1, session: 2h, sessions: 2, forgotten: 100 %, boot: 0s", 10, 8, 2, 4, 4, 4, 0, 0},
    {"two a day, left on in the pause only", ", stop_when_idle: 3h", "2d",
     "people: 1, session: 2h, sessions: 2, forgotten: 100 %, boot: 0s", 16, 8, 8, 4, 4, 2, 0, 0},
    /* Friday to Monday's 9:00 is 64 h from 17:00 on: found then, though nobody works. */
    {"over a weekend", "", "8d", "people: 1, session: 8h, forgotten: 100 %, boot: 0s",
     /* From the first 9:00 to the end of the second Monday. */
     183, 48, 135, 6, 6, 1, 0, 0},
    {"a session through the night", "", "2d", "people: 1, session: 26h, forgotten: 0 %, boot: 0s",
     39, 39, 0, 2, 0, 1, 0, 0},
    {"nobody", "", "2d", "people: 0, session: 8h, forgotten: 50 %", 0, 0, 0, 0, 0, 0, -1, 0},
    {"never used", "", "7d", "people: 5, session: 8h, forgotten: 50 %, use: 0 %", 0, 0, 0, 0, 0, 0,
     -1, 0},
    {"a machine that never comes up in time", "", "1d",
     "people: 1, session: 1h, forgotten: 0 %, boot: 2h", 1, 0, 0, 1, 0, 1, 3600, 0},
};

static void days_by_hand(void **state)
{
    const struct day_case *c = *state;
    struct run run;
    struct study *s = study_of(c->strategy, 1, c->horizon, c->workload);
    study_run(&run, s, 1);
    const struct {
        enum metric metric;
        double value;
    } rows[] = {{METRIC_NODE_HOURS, c->node_h},
                {METRIC_USEFUL, c->useful_h},
                {METRIC_FORGOTTEN_NODE_HOURS, c->forgotten_h},
                {METRIC_FORGOTTEN_COST, c->forgotten_h * PRICE},
                {METRIC_SESSIONS, c->sessions},
                {METRIC_SESSIONS_FORGOTTEN, c->forgotten},
                {METRIC_LAUNCHES, c->launches},
                {METRIC_OTHER_COST, c->other_usd},
                {METRIC_COST, c->node_h * PRICE + c->other_usd}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_near(run_value(&run, 0, 0, rows[i].metric), rows[i].value, 1e-6,
                    metric_table[rows[i].metric].name);
    }
    double wait_s = run_value(&run, 0, 0, METRIC_SESSION_WAIT_MEAN);
    if (c->wait_s < 0) {
        assert_true(isnan(wait_s));
    } else {
        assert_near(wait_s, c->wait_s, 1e-6, "mean wait");
    }
    run_release(&run);
    study_free(s);
}

/* ---- closed forms ---- */

struct law_case {
    const char *name, *strategy, *workload;
    double use;
    double (*expected_h)(double use);
};

enum { PEOPLE = 40, DAYS = 28 };
#define FORGOTTEN 0.25

/* Every day is used with a chance u, from 9 h to 17 h: a machine that is left on runs for 24 G - 8
 * hours, G geometric, or up to the horizon. */
static double until_used_h(double u)
{
    double sum = 0;
    for (int d = 0; d < DAYS; d++) {
        double mean = 0, none = 1;
        for (int g = 1; g < DAYS - d; g++) {
            mean += none * u * 24 * g;
            none *= 1 - u;
        }
        sum += u * FORGOTTEN * (mean + none * (24.0 * (DAYS - d) - 9) - 8);
    }
    return PEOPLE * sum;
}

/* Four nights and a weekend each week, the last one up to its midnight. */
static double until_next_day_h(double u)
{
    return PEOPLE * u * FORGOTTEN * (4 * (4 * 16) + 3 * 64 + (7 + 48));
}

static double two_hours_h(double u)
{
    return PEOPLE * u * FORGOTTEN * DAYS * 2;
}

#define LAW "people: 40, session: 8h, boot: 0s, forgotten: 25 %, "

static const struct law_case law_cases[] = {
    {"until the next use", "", LAW "weekend: yes, use: 60 %", 0.6, until_used_h},
    {"until the next working day", "", LAW "found: next-day, use: 70 %", 0.7, until_next_day_h},
    {"until it is idle", ", stop_when_idle: 2h", LAW "weekend: yes, use: 60 %", 0.6, two_hours_h},
};

static void forgotten_hours_on_average(void **state)
{
    const struct law_case *c = *state;
    struct run run;
    struct study *s = study_of(c->strategy, 60, "28d", c->workload);
    study_run(&run, s, 1);
    struct mean m = run_mean(&run, 0, METRIC_FORGOTTEN_NODE_HOURS);
    assert_near(m.mean, c->expected_h(c->use), 4 * m.error, c->name);
    run_release(&run);
    study_free(s);
}

/* Sessions are of the world: whatever is done about machines, people work as they do. */
static void all_strategies_have_the_same_sessions(void **state)
{
    (void)state;
    struct run run;
    struct study *s = study_from_text(
        "version: 1\nstart: 2026-03-02\nregion: us-east-1\nprices_as_of: 2025-11-30\n"
        "replications: 5\nhorizon: 14d\nworkloads: {w: {kind: notebooks, people: 7, session: "
        "lognormal(p50=3h; p95=8h), use: 50 %..90 %, forgotten: 10 %..40 %}}\nstrategies: {a: "
        "{instance: g4dn.xlarge, buy: on-demand}, b: {instance: g4dn.xlarge, fill: [spot, "
        "on-demand], stop_when_idle: 1h}, c: {instance: p3.2xlarge, buy: on-demand, "
        "stop_when_idle: "
        "20min..3h}}\n",
        NULL);
    study_run(&run, s, 1);
    for (uint32_t i = 0; i < 5; i++) {
        for (size_t k = 1; k < 3; k++) {
            assert_near(run_value(&run, k, i, METRIC_SESSIONS),
                        run_value(&run, 0, i, METRIC_SESSIONS), 0, "sessions");
            assert_near(run_value(&run, k, i, METRIC_NEEDED), run_value(&run, 0, i, METRIC_NEEDED),
                        1e-6, "hours of sessions");
            assert_true(run_value(&run, k, i, METRIC_FORGOTTEN_NODE_HOURS) <=
                        run_value(&run, 0, i, METRIC_FORGOTTEN_NODE_HOURS));
        }
        double parts_h = run_value(&run, 0, i, METRIC_USEFUL) + run_value(&run, 0, i, METRIC_BOOT) +
                         run_value(&run, 0, i, METRIC_FORGOTTEN_NODE_HOURS);
        assert_near(parts_h, run_value(&run, 0, i, METRIC_NODE_HOURS), 1e-6, "all node-hours");
    }
    run_release(&run);
    study_free(s);
}

/* ---- what is wrong ---- */

static void wrong_scenarios_are_refused(void **state)
{
    static const struct {
        const char *strategy, *kind, *says;
    } wrong[] = {
        {"fill: [{buy: spot, nodes: 3}, on-demand]",
         "notebooks, people: 5, session: 1h, forgotten: 0 %",
         "each machine of 'w' is bought by itself"},
        {"buy: on-demand, workloads: {w: {nodes: 3}}",
         "notebooks, people: 5, session: 1h, forgotten: 0 %", "has a machine of their own"},
        {"buy: on-demand, nodes: 3", "notebooks, people: 5, session: 1h, forgotten: 0 %",
         "no workload takes 'nodes'"},
        {"buy: on-demand, stop_when_idle: 1h", "usage, nodes: 2",
         "'stop_when_idle' is of machines that people work on"},
        {"buy: on-demand", "notebooks, people: 5, session: 1h", "forgotten"},
        {"buy: on-demand", "notebooks, people: 5, session: -1h, forgotten: 0 %", "session"},
        {"buy: on-demand", "notebooks, people: 3000, session: 1h, forgotten: 0 %", "people"},
        {"buy: on-demand", "notebooks, people: 5, session: 1h, forgotten: 120 %", "forgotten"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[1000];
        int code;
        snprintf(text, sizeof text,
                 "version: 1\nstart: 2026-03-02\nregion: us-east-1\nhorizon: 7d\nworkloads: {w: "
                 "{kind: %s}}\nstrategies: {s: {instance: g4dn.xlarge, %s}}\n",
                 wrong[i].kind, wrong[i].strategy);
        char *told = study_errors(text, &code);
        if (strstr(told, wrong[i].says) == NULL || code != 2) {
            fail_msg("expected '%s', got (%d) %s", wrong[i].says, code, told);
        }
        free(told);
    }
}

int main(void)
{
    enum {
        DAY_CASES = sizeof day_cases / sizeof day_cases[0],
        LAWS = sizeof law_cases / sizeof law_cases[0],
        ALL = DAY_CASES + LAWS + 2
    };
    struct CMUnitTest tests[ALL];
    size_t n = 0;
    gsl_errors_install();
    for (size_t i = 0; i < DAY_CASES; i++) {
        tests[n++] =
            (struct CMUnitTest){day_cases[i].name, days_by_hand, NULL, NULL, (void *)&day_cases[i]};
    }
    for (size_t i = 0; i < LAWS; i++) {
        tests[n++] = (struct CMUnitTest){law_cases[i].name, forgotten_hours_on_average, NULL, NULL,
                                         (void *)&law_cases[i]};
    }
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(all_strategies_have_the_same_sessions);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(wrong_scenarios_are_refused);
    return _cmocka_run_group_tests("notebooks", tests, n, NULL, NULL);
}
