/* SPDX-License-Identifier: GPL-3.0-or-later
 * Objectives and conditions as they are read, and what is said to those that are none. */
#include "scenarios/study/objective.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const workloads[] = {"chat", "fine:tune"};
static const struct objective_names names = {"USD", workloads, 2};
static const struct objective_names any = {"CNY", NULL, 0};

struct reading {
    const char *text;
    enum metric metric;
    enum objective_stat stat;
    double quantile;
    size_t workload; /* 2: all */
    enum dimension dimension;
    double scale;
};

static const struct reading readings[] = {
    {"cost_usd.p80", METRIC_COST, OBJECTIVE_QUANTILE, 0.8, 2, DIMENSION_MONEY, 1},
    {"  cost_usd ", METRIC_COST, OBJECTIVE_MEAN, 0, 2, DIMENSION_MONEY, 1},
    {"all:cost_usd.mean", METRIC_COST, OBJECTIVE_MEAN, 0, 2, DIMENSION_MONEY, 1},
    {"time_to_train_h.max", METRIC_TIME_TO_TRAIN, OBJECTIVE_MAX, 0, 2, DIMENSION_TIME, 3600},
    {"chat:ttft_p99_s.p90", METRIC_TTFT_P99, OBJECTIVE_QUANTILE, 0.9, 0, DIMENSION_TIME, 1},
    {"fine:tune:goodput_frac.min", METRIC_GOODPUT, OBJECTIVE_MIN, 0, 1, DIMENSION_SHARE, 1},
    {"cost_usd.p99.5", METRIC_COST, OBJECTIVE_QUANTILE, 0.995, 2, DIMENSION_MONEY, 1},
    {"p_late", METRIC_LATE, OBJECTIVE_MEAN, 0, 2, DIMENSION_SHARE, 1},
    {"late", METRIC_LATE, OBJECTIVE_MEAN, 0, 2, DIMENSION_SHARE, 1},
    {"chat:p_over_budget.mean", METRIC_OVER_BUDGET, OBJECTIVE_MEAN, 0, 0, DIMENSION_SHARE, 1},
    {"p_unfinished", METRIC_FINISHED, OBJECTIVE_MEAN, 0, 2, DIMENSION_SHARE, 1},
    {"tokens_per_s.p10", METRIC_OUTPUT_TOKEN_RATE, OBJECTIVE_QUANTILE, 0.1, 2, DIMENSION_RATE, 1},
    {"per_1000_requests_usd", METRIC_PER_1000_REQUESTS, OBJECTIVE_MEAN, 0, 2, DIMENSION_MONEY, 1},
    {"interruptions", METRIC_INTERRUPTIONS, OBJECTIVE_MEAN, 0, 2, DIMENSION_COUNT, 1},
};

static void reads(void **state)
{
    const struct reading *c = *state;
    struct objective o;
    char message[256] = "";
    assert_true(objective_parse(c->text, strlen(c->text), &names, &o, message, sizeof message));
    assert_int_equal(o.metric, c->metric);
    assert_int_equal(o.stat, c->stat);
    if (c->stat == OBJECTIVE_QUANTILE) {
        assert_near(o.quantile, c->quantile, 1e-15, "quantile");
    }
    assert_int_equal(o.workload_index, c->workload);
    assert_true((o.workload == NULL) == (c->workload == 2));
    assert_true(o.unfinished == (strcmp(c->text, "p_unfinished") == 0));
    assert_int_equal(objective_dimension(&o), c->dimension);
    assert_near(objective_scale(&o), c->scale, 0, "scale");
}

struct refusal {
    const char *text, *says;
};

static const struct refusal refused[] = {
    {"", "nothing where a metric is wanted"},
    {"cost.p80", "unknown metric 'cost'; did you mean 'cost_usd'?"},
    {"cost_cny.p80", "unknown metric 'cost_cny'; did you mean 'cost_usd'?"},
    {"p_lat", "unknown metric 'p_lat'; did you mean 'p_late'?"},
    {"p_unfinishd", "did you mean 'p_unfinished'?"},
    {"happiness", "unknown metric 'happiness'; expected one of summary.csv, such as "},
    {"cost_usd.p100", "'.p100' is no statistic; expected .mean, .min, .max or a quantile"},
    {"cost_usd.p0", "is no statistic"},
    {"cost_usd.", "'.' is no statistic"},
    {"cost_usd.P90", "is no statistic"},
    {"cost_usd.p9.0.1", "is no statistic"},
    {"cost_usd.p1e1", "is no statistic"},
    {"late.p50", "'late' is yes or no in each world and has no quantiles; write 'p_late'"},
    {"p_late.p50", "'p_late' is a chance already; drop '.p50'"},
    {"caht:cost_usd", "no workload is called 'caht'; did you mean 'chat'?"},
    {":cost_usd", "no workload is called ''; expected one such as 'chat'"},
    {"cost\x1b[2J_usd", "unknown metric 'cost\\x1b[2J_usd'"},
};

static void refuses(void **state)
{
    const struct refusal *c = *state;
    struct objective o;
    char message[256] = "";
    assert_false(objective_parse(c->text, strlen(c->text), &names, &o, message, sizeof message));
    if (strstr(message, c->says) == NULL) {
        fail_msg("'%s' is answered by \"%s\"", c->text, message);
    }
}

static void any_workload_and_another_currency(void **state)
{
    (void)state;
    struct objective o;
    char message[256];
    assert_true(objective_parse("what ever:cost_cny.p50", 22, &any, &o, message, sizeof message));
    assert_int_equal(o.workload_length, 9);
    assert_memory_equal(o.workload, "what ever", 9);
    assert_false(objective_parse("cost_usd.p50", 12, &any, &o, message, sizeof message));
}

struct bound {
    const char *text;
    bool changes;
    enum condition_op op;
    enum condition_kind kind;
    double bound;
    const char *says; /* NULL: accepted */
};

static const struct bound bounds[] = {
    {"cost_usd.p90 <= 6000 USD", false, CONDITION_AT_MOST, CONDITION_LEVEL, 6000, NULL},
    {"cost_usd.p90<6k USD", false, CONDITION_BELOW, CONDITION_LEVEL, 6000, NULL},
    {"time_to_train_h.p90 <= 4d", false, CONDITION_AT_MOST, CONDITION_LEVEL, 96, NULL},
    {"chat:ttft_p99_s.p90 ≤ 500ms", false, CONDITION_AT_MOST, CONDITION_LEVEL, 0.5, NULL},
    {"p_late <= 5 %", false, CONDITION_AT_MOST, CONDITION_LEVEL, 0.05, NULL},
    {"p_late <= 0.05", false, CONDITION_AT_MOST, CONDITION_LEVEL, 0.05, NULL},
    {"chat:slo_attained_frac >= 99 %", false, CONDITION_AT_LEAST, CONDITION_LEVEL, 0.99, NULL},
    {"interruptions.p95 > 3", false, CONDITION_ABOVE, CONDITION_LEVEL, 3, NULL},
    {"displaced_usd >= -5 USD", false, CONDITION_AT_LEAST, CONDITION_LEVEL, -5, NULL},
    {"cost_usd.p90 > +10%", true, CONDITION_ABOVE, CONDITION_RELATIVE, 0.1, NULL},
    {"cost_usd.p90 > -10 %", true, CONDITION_ABOVE, CONDITION_RELATIVE, -0.1, NULL},
    {"cost_usd.p90 > +500 USD", true, CONDITION_ABOVE, CONDITION_CHANGE, 500, NULL},
    {"time_to_train_h.p50 < -3h", true, CONDITION_BELOW, CONDITION_CHANGE, -3, NULL},
    {"p_late > +5 %", true, CONDITION_ABOVE, CONDITION_CHANGE, 0.05, NULL},
    {"cost_usd.p90 > 500 USD", true, CONDITION_ABOVE, CONDITION_LEVEL, 500, NULL},
    {"cost_usd.p90", false, 0, 0, 0, "'cost_usd.p90' is no condition: expected a metric"},
    {"cost_usd.p90 = 5 USD", false, 0, 0, 0, "is no condition"},
    {"cost_usd.p90 <= 5", false, 0, 0, 0, "the value of 'cost_usd.p90': a bare number"},
    {"cost_usd.p90 <= 5h", false, 0, 0, 0, "the value of 'cost_usd.p90': "},
    {"cost_usd.p90 <= 5 CNY", false, 0, 0, 0, "the value is in CNY, but 'cost_usd.p90' is in USD"},
    {"cost_usd.p90 <= 10 %", false, 0, 0, 0, "the value of 'cost_usd.p90': "},
    {"time_to_train_h.p50 <= 4", false, 0, 0, 0, "the value of 'time_to_train_h.p50': a bare"},
    {"interruptions <= 4h", false, 0, 0, 0, "the value of 'interruptions': "},
    {"p_late <= 5", false, 0, 0, 0, "'5' is 500 % of 'p_late', which is a share; write 5 %"},
    {"p_late > +5", true, 0, 0, 0, "'+5' is 500 % of 'p_late'"},
    {"p_late <= 1", false, CONDITION_AT_MOST, CONDITION_LEVEL, 1, NULL},
    {"p_late <=", false, 0, 0, 0, "the value of 'p_late': nothing where"},
    {"<= 5 %", false, 0, 0, 0, "nothing where a metric is wanted"},
    {"cost.p90 <= 5 USD", false, 0, 0, 0, "did you mean 'cost_usd'?"},
};

static void bound(void **state)
{
    const struct bound *c = *state;
    struct condition k;
    char message[256] = "";
    const bool ok = condition_parse(c->text, &names, c->changes, &k, message, sizeof message);
    if (c->says != NULL) {
        assert_false(ok);
        if (strstr(message, c->says) == NULL) {
            fail_msg("'%s' is answered by \"%s\"", c->text, message);
        }
        return;
    }
    if (!ok) {
        fail_msg("%s", message);
    }
    assert_int_equal(k.op, c->op);
    assert_int_equal(k.kind, c->kind);
    assert_near(k.bound, c->bound, 1e-12, "bound");
    assert_int_equal(k.length, strlen(c->text));
}

/* Between two bounds a condition may hold, fail, or be open; never both. */
static void unknown_is_neither(void **state)
{
    (void)state;
    static const char *const texts[] = {"p_late <= 0.5", "p_late < 0.5", "p_late >= 0.5",
                                        "p_late > 0.5"};
    static const struct {
        double at_least, at_most;
        int answer[4]; /* 1 holds, -1 fails, 0 neither */
    } rows[] = {{0.4, 0.4, {1, 1, -1, -1}},
                {0.5, 0.5, {1, -1, 1, -1}},
                {0.6, 0.6, {-1, -1, 1, 1}},
                {0.4, 0.6, {0, 0, 0, 0}},
                {0.5, 0.6, {0, -1, 1, 0}},
                {0.4, 0.5, {1, 0, 0, -1}},
                {(double)NAN, (double)NAN, {0, 0, 0, 0}},
                {-HUGE_VAL, HUGE_VAL, {0, 0, 0, 0}}};
    for (size_t t = 0; t < 4; t++) {
        struct condition c;
        char message[256];
        assert_true(condition_parse(texts[t], &names, false, &c, message, sizeof message));
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            const int answer = condition_holds(&c, rows[i].at_least, rows[i].at_most) -
                               condition_fails(&c, rows[i].at_least, rows[i].at_most);
            assert_int_equal(answer, rows[i].answer[t]);
        }
    }
}

static void values_are_written_for_people(void **state)
{
    (void)state;
    static const struct {
        const char *objective;
        double value;
        const char *text;
    } rows[] = {{"cost_usd", 1234567.4, "1,234,567 USD"},
                {"cost_usd", -1234.5, "-1,234 USD"},
                {"cost_usd", 999.6, "1,000 USD"},
                {"cost_usd", 3.456, "3.46 USD"},
                {"cost_usd", (double)NAN, "unknown"},
                {"cost_usd", HUGE_VAL, "no limit"},
                {"time_to_train_h", 59, "2.46 d"},
                {"chat:ttft_p99_s", 0.25, "250 ms"},
                {"p_late", 0.0512, "5.12 %"},
                {"tokens_per_s", 123.4, "123.4/s"},
                {"interruptions", 2.5, "2.5"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct objective o;
        char message[256], out[48];
        assert_true(objective_parse(rows[i].objective, strlen(rows[i].objective), &names, &o,
                                    message, sizeof message));
        assert_string_equal(objective_value_text(&o, rows[i].value, "USD", out), rows[i].text);
    }
}

int main(void)
{
    enum {
        READINGS = sizeof readings / sizeof readings[0],
        REFUSED = sizeof refused / sizeof refused[0],
        BOUNDS = sizeof bounds / sizeof bounds[0],
        OTHERS = 3
    };
    struct CMUnitTest tests[READINGS + REFUSED + BOUNDS + OTHERS] = {
        cmocka_unit_test(any_workload_and_another_currency),
        cmocka_unit_test(unknown_is_neither),
        cmocka_unit_test(values_are_written_for_people),
    };
    size_t n = OTHERS;
    for (size_t i = 0; i < READINGS; i++) {
        tests[n++] = (struct CMUnitTest){.name = readings[i].text,
                                         .test_func = reads,
                                         .initial_state = (void *)(uintptr_t)&readings[i]};
    }
    for (size_t i = 0; i < REFUSED; i++) {
        tests[n++] = (struct CMUnitTest){.name = refused[i].says,
                                         .test_func = refuses,
                                         .initial_state = (void *)(uintptr_t)&refused[i]};
    }
    for (size_t i = 0; i < BOUNDS; i++) {
        tests[n++] = (struct CMUnitTest){.name = bounds[i].text,
                                         .test_func = bound,
                                         .initial_state = (void *)(uintptr_t)&bounds[i]};
    }
    return _cmocka_run_group_tests("objective", tests, n, NULL, NULL);
}
