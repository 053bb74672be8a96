/* SPDX-License-Identifier: GPL-3.0-or-later
 * Metrics of one world: from a job's result and its bill, joined over workloads, and what of them
 * is only a lower bound. */
#include "scenarios/study/metrics.h"

#include "tests/support/testing.h"

#include <math.h>
#include <string.h>

#define UNIT MONEY_UNIT
#define NONE ((double)NAN)

/* A bill of 30 on-demand, 3 of it covered, and 12 spot, over 10 node-hours of which 6 useful. */
static struct bill a_bill(void)
{
    struct bill b = {.cost = 42 * UNIT,
                     .cash = 40 * UNIT,
                     .amortised = 41 * UNIT,
                     .obligation = 7 * UNIT,
                     .free_us = HOUR_US / 2,
                     .committed = {.covered = 3 * UNIT,
                                   .used = 2 * UNIT,
                                   .unused = 4 * UNIT,
                                   .later = 5 * UNIT,
                                   .displaced = -2 * UNIT}};
    static money_t other[] = {9 * UNIT, -UNIT};
    b.other = other;
    b.others = 2;
    b.line[PURCHASE_ON_DEMAND][ACTIVITY_USEFUL] = 25 * UNIT;
    b.line[PURCHASE_ON_DEMAND][ACTIVITY_BOOT] = 5 * UNIT;
    b.line[PURCHASE_SPOT][ACTIVITY_USEFUL] = 12 * UNIT;
    b.line[PURCHASE_BLOCK][ACTIVITY_USEFUL] = 6 * UNIT;
    b.windows_unused = 8 * UNIT;
    b.owned[OWNED_CAPITAL] = 91 * UNIT;
    b.owned[OWNED_POWER] = 92 * UNIT;
    b.owned[OWNED_STAFF] = 93 * UNIT;
    b.owned[OWNED_COLOCATION] = 94 * UNIT;
    b.reserved_idle = 95 * UNIT;
    b.node_us[PURCHASE_ON_DEMAND][ACTIVITY_USEFUL] = 4 * HOUR_US;
    b.node_us[PURCHASE_ON_DEMAND][ACTIVITY_BOOT] = HOUR_US;
    b.node_us[PURCHASE_SPOT][ACTIVITY_USEFUL] = 2 * HOUR_US;
    b.node_us[PURCHASE_SPOT][ACTIVITY_LOST] = 2 * HOUR_US;
    b.node_us[PURCHASE_SPOT][ACTIVITY_WAITING] = HOUR_US;
    b.node_us[PURCHASE_BLOCK][ACTIVITY_STAGING] = HOUR_US / 4;
    b.node_us[PURCHASE_BLOCK][ACTIVITY_EVALUATION] = HOUR_US / 2;
    b.node_us[PURCHASE_BLOCK][ACTIVITY_DOWN] = HOUR_US / 4;
    return b;
}

static struct work_result a_job(void)
{
    return (struct work_result){.finished = true,
                                .end_s = 20 * 3600,
                                .handed_in_s = 2 * 3600,
                                .work_s = 8 * 3600,
                                .kept_s = 8 * 3600,
                                .may_fail = true,
                                .failures = 6,
                                .checkpoints = 9,
                                .restarts = 2,
                                .losses = 3,
                                .switches = 1,
                                .idle_s = 1800,
                                .launches = 12,
                                .interruptions = 5};
}

struct value_case {
    enum metric metric;
    double value;
};

static const struct value_case of_one_workload[] = {
    {METRIC_COST, 42},
    {METRIC_CASH, 40},
    {METRIC_AMORTISED, 41},
    {METRIC_OBLIGATION, 7},
    {METRIC_ON_DEMAND_COST, 27},
    {METRIC_SPOT_COST, 12},
    {METRIC_TIME_TO_TRAIN, 20},
    {METRIC_FINISHED, 1},
    {METRIC_LATE, 0},
    {METRIC_OVER_BUDGET, NONE},
    {METRIC_INTERRUPTIONS, 5},
    {METRIC_LAUNCHES, 12},
    {METRIC_LOSSES, 3},
    {METRIC_RESTARTS, 2},
    {METRIC_SWITCHES, 1},
    {METRIC_CHECKPOINTS, 9},
    {METRIC_USEFUL, 6},
    {METRIC_CHECKPOINT, 0},
    {METRIC_RESTORE, 0},
    {METRIC_BOOT, 1},
    {METRIC_LOST, 2},
    {METRIC_WAITING, 1},
    {METRIC_NODE_HOURS, 11},
    {METRIC_SPOT_NODE_HOURS, 5},
    {METRIC_FREE_NODE_HOURS, 0.5},
    {METRIC_IDLE, 0.5},
    {METRIC_GOODPUT, 6.0 / 11},
    {METRIC_COVERED, 3},
    {METRIC_COMMITMENT_USED, 2},
    {METRIC_COMMITMENT_UNUSED, 4},
    {METRIC_COMMITMENT_LATER, 5},
    {METRIC_OTHER_COST, 9},
    {METRIC_DISCOUNT, 1},
    {METRIC_BLOCK_USED, 6},
    {METRIC_BLOCK_UNUSED, 8},
    {METRIC_DISPLACED, -2},
    {METRIC_CANCELLED, 0},
    /* Of usage by the clock alone. */
    {METRIC_NEEDED, (double)NAN},
    {METRIC_SERVED, (double)NAN},
    {METRIC_UNMET, (double)NAN},
    {METRIC_SERVED_SHARE, (double)NAN},
    {METRIC_OWNED_CAPITAL, 91},
    {METRIC_OWNED_POWER, 92},
    {METRIC_OWNED_STAFF, 93},
    {METRIC_OWNED_COLOCATION, 94},
    {METRIC_RESERVATION_IDLE, 95},
    {METRIC_MAKESPAN, 18},
    {METRIC_BEYOND_TRACE, (double)NAN}, /* known to the study */
    {METRIC_JOBS, NONE},
    {METRIC_JOBS_DONE, NONE},
    {METRIC_JOBS_WAITED, NONE},
    {METRIC_WAIT_MEAN, NONE},
    {METRIC_WAIT_P50, NONE},
    {METRIC_WAIT_P95, NONE},
    {METRIC_WAIT_MAX, NONE},
    {METRIC_TURNAROUND_MEAN, NONE},
    {METRIC_TURNAROUND_P95, NONE},
    {METRIC_UTILISATION, NONE},
    {METRIC_FAILURES, 6},
    {METRIC_STAGING, 0.25},
    {METRIC_EVALUATION, 0.5},
    {METRIC_DOWN, 0.25},
    {METRIC_EFFECTIVE_TIME, 8.0 / 18}, /* of 2 h to 20 h */
    {METRIC_RESIZES, 0},
    {METRIC_MEAN_NODES, 11.0 / 18},
    {METRIC_SHARED_NODES_COST, 0},
    {METRIC_SHARED_NODE_HOURS, NONE},
    {METRIC_SLO_HOURS, NONE},
    {METRIC_OVERLOADED, NONE},
};

static void every_metric_of_a_workload(void **state)
{
    (void)state;
    struct bill b = a_bill();
    struct work_result r = a_job();
    struct metric_cells c;
    bool seen[METRIC_COUNT] = {false};
    metric_fill(&c, &r, &b, 20 * 3600);
    for (size_t i = 0; i < sizeof of_one_workload / sizeof of_one_workload[0]; i++) {
        const struct value_case *v = &of_one_workload[i];
        seen[v->metric] = true;
        if (isnan(v->value)) {
            assert_true(isnan(metric_number(&c, v->metric)));
        } else {
            assert_near(metric_number(&c, v->metric), v->value, 0, metric_table[v->metric].name);
        }
    }
    for (int m = METRIC_REQUESTS; m <= METRIC_PER_1000_REQUESTS; m++) { /* of services alone */
        seen[m] = true;
        assert_true(isnan(metric_number(&c, (enum metric)m)));
    }
    for (int m = METRIC_REQUESTS_REJECTED; m <= METRIC_COLD_START_COST; m++) { /* and others */
        seen[m] = true;
        assert_true(isnan(metric_number(&c, (enum metric)m)));
    }
    for (int m = 0; m < METRIC_COUNT; m++) {
        assert_true(seen[m]);
    }
    assert_int_equal(c.line[PURCHASE_SPOT][ACTIVITY_USEFUL], 12 * UNIT);
    assert_near(c.node_h[PURCHASE_SPOT][ACTIVITY_LOST], 2, 0, "node-hours of a line");
}

/* Hours of lines are as exact as the total: 24 bits would lose seconds at this size. */
static void node_hours_keep_their_microseconds(void **state)
{
    (void)state;
    struct bill b = {0};
    struct work_result r = {.finished = true};
    struct metric_cells c;
    b.node_us[PURCHASE_SPOT][ACTIVITY_USEFUL] = 5000000 * HOUR_US + 1000000;
    metric_fill(&c, &r, &b, HUGE_VAL);
    assert_near((c.node_h[PURCHASE_SPOT][ACTIVITY_USEFUL] - 5000000) * 3600, 1, 1e-5, "one second");
}

struct late_case {
    bool finished;
    double end_h, deadline_h, late;
};

static void late_is_known_of_every_world(void **state)
{
    (void)state;
    static const struct late_case cases[] = {
        {true, 20, HUGE_VAL, NONE}, {true, 20, 20, 0},  {true, 20, 19.999, 1},
        {true, 20, 21, 0},          {false, 24, 24, 1}, {false, 24, 20, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bill b = {0};
        struct work_result r = {.finished = cases[i].finished, .end_s = cases[i].end_h * 3600};
        struct metric_cells c;
        metric_fill(&c, &r, &b, cases[i].deadline_h * 3600);
        double late = c.value[METRIC_LATE].number;
        assert_true(isnan(cases[i].late) ? isnan(late) : fabs(late - cases[i].late) <= 0);
        assert_false(metric_censored(&c, METRIC_LATE));
    }
}

static void no_node_has_no_goodput(void **state)
{
    (void)state;
    struct bill b = {0};
    struct work_result r = {.finished = true};
    struct metric_cells c;
    metric_fill(&c, &r, &b, HUGE_VAL);
    assert_true(isnan(c.value[METRIC_GOODPUT].number));
    assert_near(c.value[METRIC_NODE_HOURS].number, 0, 0, "no node");
}

/* ---- all workloads together ---- */

static void sums_last_any_and_all(void **state)
{
    (void)state;
    struct bill b = a_bill(), both = {0};
    struct rating_frame frame = {0};
    struct work_result early = a_job(), late = a_job();
    struct metric_cells c[3];
    late.end_s = 30 * 3600;
    bill_add(&both, &b, &frame);
    bill_add(&both, &b, &frame);
    metric_fill(&c[0], &early, &b, HUGE_VAL);
    metric_fill(&c[1], &late, &b, 25 * 3600);
    metric_fill_all(&c[2], c, 2, &both, 84);
    assert_near(metric_number(&c[2], METRIC_COST), 84, 0, "the joint bill");
    assert_near(metric_number(&c[2], METRIC_TIME_TO_TRAIN), 30, 0, "the last end");
    assert_near(metric_number(&c[2], METRIC_LATE), 1, 0, "any is late; no deadline is none");
    assert_near(metric_number(&c[2], METRIC_FINISHED), 1, 0, "all finished");
    assert_near(metric_number(&c[2], METRIC_INTERRUPTIONS), 10, 0, "summed");
    assert_near(metric_number(&c[2], METRIC_IDLE), 1, 0, "summed");
    assert_near(metric_number(&c[2], METRIC_GOODPUT), 6.0 / 11, 0, "of all node-hours");
    assert_near(metric_number(&c[2], METRIC_OVER_BUDGET), 0, 0, "at the budget is not over it");
    metric_fill_all(&c[2], c, 2, &both, 83.999);
    assert_near(metric_number(&c[2], METRIC_OVER_BUDGET), 1, 0, "over it");
    metric_fill_all(&c[2], c, 2, &both, NONE);
    assert_true(isnan(metric_number(&c[2], METRIC_OVER_BUDGET)));
    early.finished = false;
    metric_fill(&c[0], &early, &b, HUGE_VAL);
    metric_fill_all(&c[2], c, 2, &both, NONE);
    assert_near(metric_number(&c[2], METRIC_FINISHED), 0, 0, "one is not");
    assert_true(metric_cut(&c[2]) && metric_cut(&c[0]) && !metric_cut(&c[1]));
}

static void without_any_deadline_there_is_no_late(void **state)
{
    (void)state;
    struct bill b = {0};
    struct work_result r = a_job();
    struct metric_cells c[3];
    metric_fill(&c[0], &r, &b, HUGE_VAL);
    metric_fill(&c[1], &r, &b, HUGE_VAL);
    metric_fill_all(&c[2], c, 2, &b, NONE);
    assert_true(isnan(metric_number(&c[2], METRIC_LATE)));
}

/* Usage by the clock has no end of its own, so it is never late, unfinished or censored; beside a
 * job it leaves the job's end alone. */
static void usage_by_the_clock(void **state)
{
    (void)state;
    struct bill b = a_bill();
    struct work_result r = {.by_clock = true,
                            .end_s = 50 * 3600,
                            .needs = true,
                            .needed_node_s = 40 * 3600,
                            .served_node_s = 30 * 3600};
    struct work_result job = a_job();
    struct metric_cells c[3];
    metric_fill(&c[0], &r, &b, HUGE_VAL);
    assert_true(metric_endless(&c[0]));
    assert_false(metric_cut(&c[0]));
    assert_true(isnan(metric_number(&c[0], METRIC_TIME_TO_TRAIN)));
    assert_true(isnan(metric_number(&c[0], METRIC_LATE)));
    assert_near(metric_number(&c[0], METRIC_NEEDED), 40, 0, "needed");
    assert_near(metric_number(&c[0], METRIC_SERVED), 30, 0, "served");
    assert_near(metric_number(&c[0], METRIC_UNMET), 10, 0, "unmet");
    assert_near(metric_number(&c[0], METRIC_SERVED_SHARE), 0.75, 0, "share");
    for (int m = 0; m < METRIC_COUNT; m++) {
        assert_false(metric_censored(&c[0], (enum metric)m));
    }
    metric_fill(&c[1], &job, &b, HUGE_VAL);
    metric_fill_all(&c[2], c, 2, &b, NONE);
    assert_false(metric_endless(&c[2]));
    assert_near(metric_number(&c[2], METRIC_TIME_TO_TRAIN),
                metric_number(&c[1], METRIC_TIME_TO_TRAIN), 0, "the job's end");
    assert_near(metric_number(&c[2], METRIC_SERVED_SHARE), 0.75, 0, "share of all");
    /* Nothing needed: nothing unmet, and no share. */
    r.needed_node_s = r.served_node_s = 0;
    metric_fill(&c[0], &r, &b, HUGE_VAL);
    assert_near(metric_number(&c[0], METRIC_UNMET), 0, 0, "nothing unmet");
    assert_true(isnan(metric_number(&c[0], METRIC_SERVED_SHARE)));
}

/* ---- services ---- */

static struct work_service a_service(double requests, double latency_s)
{
    return (struct work_service){.requests = requests,
                                 .served = requests - 10,
                                 .dropped = 4,
                                 .timed_out = 3,
                                 .lost = 2,
                                 .left = 1,
                                 .latency_mean_s = latency_s,
                                 .latency_p95_s = 2 * latency_s,
                                 .within_slo = requests / 2,
                                 .replica_s = 7200,
                                 .busy_replica_s = 1800};
}

static void requests_add_up_over_services(void **state)
{
    (void)state;
    struct bill b = a_bill(); /* costs 42 */
    struct work_service first = a_service(110, 1), second = a_service(310, 3);
    struct work_result r[2] = {{.by_clock = true, .service = &first},
                               {.by_clock = true, .service = &second}};
    struct metric_cells c[3];
    metric_fill(&c[0], &r[0], &b, HUGE_VAL);
    metric_fill(&c[1], &r[1], &b, HUGE_VAL);
    assert_near(metric_number(&c[0], METRIC_PER_1000_REQUESTS), 420, 1e-9, "per 1,000");
    assert_near(metric_number(&c[0], METRIC_SLO_ATTAINED), 0.5, 1e-12, "attained");
    assert_near(metric_number(&c[0], METRIC_REPLICA_BUSY), 0.25, 1e-12, "busy");
    assert_near(metric_number(&c[0], METRIC_REPLICA_HOURS), 2, 1e-12, "replica-hours");
    metric_fill_all(&c[2], c, 1, &b, HUGE_VAL);
    assert_near(metric_number(&c[2], METRIC_LATENCY_P95), 2, 0, "the only one's quantile");
    assert_near(metric_number(&c[2], METRIC_PER_1000_REQUESTS), 420, 1e-9, "per 1,000 of all");
    metric_fill_all(&c[2], c, 2, &b, HUGE_VAL);
    assert_near(metric_number(&c[2], METRIC_REQUESTS), 420, 0, "requests");
    assert_near(metric_number(&c[2], METRIC_REQUESTS_DROPPED), 8, 0, "dropped");
    assert_near(metric_number(&c[2], METRIC_LATENCY_MEAN), 2.5, 1e-12, "100 of 1 s, 300 of 3 s");
    assert_true(isnan(metric_number(&c[2], METRIC_LATENCY_P95)));
    assert_true(isnan(metric_number(&c[2], METRIC_PER_1000_REQUESTS)));
}

/* ---- sessions and items ---- */

static void sessions_and_items_add_up(void **state)
{
    (void)state;
    struct bill b = a_bill(); /* costs 42 */
    struct work_sessions few = {
        .sessions = 10, .forgotten = 2, .forgotten_node_s = 7200, .wait_s = 600};
    struct work_sessions more = {
        .sessions = 30, .forgotten = 3, .forgotten_node_s = 3600, .wait_s = 600};
    struct work_items items = {.items = 3e6, .done = 2e6, .redone = 1e5};
    struct work_result r[3] = {{.by_clock = true, .sessions = &few},
                               {.by_clock = true, .sessions = &more},
                               {.items = &items}};
    struct metric_cells c[4];
    for (size_t i = 0; i < 3; i++) {
        metric_fill(&c[i], &r[i], &b, HUGE_VAL);
    }
    assert_near(metric_number(&c[0], METRIC_SESSION_WAIT_MEAN), 60, 1e-12, "wait");
    assert_near(metric_number(&c[0], METRIC_FORGOTTEN_NODE_HOURS), 2, 1e-12, "forgotten");
    assert_near(metric_number(&c[2], METRIC_PER_MILLION_ITEMS), 21, 1e-12, "per million");
    metric_fill_all(&c[3], c, 3, &b, HUGE_VAL);
    assert_near(metric_number(&c[3], METRIC_SESSIONS), 40, 0, "sessions");
    assert_near(metric_number(&c[3], METRIC_SESSION_WAIT_MEAN), 30, 1e-12, "wait of all");
    assert_near(metric_number(&c[3], METRIC_ITEMS_DONE), 2e6, 0, "items of all");
    assert_true(isnan(metric_number(&c[3], METRIC_PER_MILLION_ITEMS)));
    metric_fill_all(&c[3], &c[2], 1, &b, HUGE_VAL);
    assert_near(metric_number(&c[3], METRIC_PER_MILLION_ITEMS), 21, 1e-12, "of the only one");
}

/* ---- censoring ---- */

/* What does not grow with the end is known though the work was cut. */
static bool known_of_cut_work(enum metric m)
{
    return m == METRIC_OBLIGATION || m == METRIC_FINISHED || m == METRIC_LATE ||
           m == METRIC_GOODPUT || m == METRIC_COMMITMENT_UNUSED || m == METRIC_COMMITMENT_LATER ||
           m == METRIC_BLOCK_UNUSED || m == METRIC_DISPLACED || m == METRIC_CANCELLED ||
           (m >= METRIC_NEEDED && m <= METRIC_SERVED_SHARE) || m == METRIC_OWNED_CAPITAL ||
           m == METRIC_OWNED_STAFF || m == METRIC_OWNED_COLOCATION || m == METRIC_JOBS_WAITED ||
           m == METRIC_UTILISATION || m == METRIC_RESERVATION_IDLE || m == METRIC_BEYOND_TRACE ||
           m == METRIC_EFFECTIVE_TIME || m == METRIC_MEAN_NODES ||
           (m >= METRIC_REQUESTS && m <= METRIC_PER_1000_REQUESTS) ||
           (m >= METRIC_REQUESTS_REJECTED && m <= METRIC_EVICTIONS) ||
           (m >= METRIC_SESSIONS && m <= METRIC_OVERLOADED);
}

static void cut_work_knows_lower_bounds(void **state)
{
    (void)state;
    struct bill b = a_bill();
    struct work_result r = a_job();
    struct metric_cells c[2];
    r.finished = false;
    metric_fill(&c[0], &r, &b, HUGE_VAL);
    metric_fill_all(&c[1], c, 1, &b, 100);
    for (int m = 0; m < METRIC_COUNT; m++) {
        assert_int_equal(metric_censored(&c[1], (enum metric)m),
                         !known_of_cut_work((enum metric)m));
    }
    /* Over the budget already: nothing that comes can change it. */
    metric_fill_all(&c[1], c, 1, &b, 10);
    assert_near(metric_number(&c[1], METRIC_OVER_BUDGET), 1, 0, "over");
    assert_false(metric_censored(&c[1], METRIC_OVER_BUDGET));
    /* No budget: nothing to be censored. */
    metric_fill_all(&c[1], c, 1, &b, NONE);
    assert_false(metric_censored(&c[1], METRIC_OVER_BUDGET));
}

static void finished_work_knows_all(void **state)
{
    (void)state;
    struct bill b = a_bill();
    struct work_result r = a_job();
    struct metric_cells c;
    metric_fill(&c, &r, &b, HUGE_VAL);
    for (int m = 0; m < METRIC_COUNT; m++) {
        assert_false(metric_censored(&c, (enum metric)m));
    }
}

/* ---- names ---- */

static void columns_are_in_the_currency(void **state)
{
    (void)state;
    char name[64], unit[16];
    assert_string_equal(metric_column(METRIC_COST, "USD", name), "cost_usd");
    assert_string_equal(metric_column(METRIC_COST, "CNY", name), "cost_cny");
    assert_string_equal(metric_column(METRIC_TIME_TO_TRAIN, "CNY", name), "time_to_train_h");
    assert_string_equal(metric_column(METRIC_FINISHED, "USD", name), "finished");
    assert_string_equal(metric_column(METRIC_USEFUL, "USD", name), "useful_node_h");
    assert_string_equal(metric_column(METRIC_GOODPUT, "USD", name), "goodput_frac");
    assert_string_equal(metric_unit(METRIC_SPOT_COST, "CNY", unit), "cny");
    assert_string_equal(metric_unit(METRIC_LATE, "USD", unit), "");
    /* A currency that is none (a broken manifest) is cut, never overrun. */
    metric_column(METRIC_ON_DEMAND_COST, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", name);
    assert_string_equal(name, "on_demand_cost_abcdefghijklmno");
}

static void names_are_snake_case_and_differ(void **state)
{
    (void)state;
    for (int m = 0; m < METRIC_COUNT; m++) {
        char name[64];
        metric_column((enum metric)m, "USD", name);
        assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz_0123456789"), strlen(name));
        assert_non_null(metric_table[m].meaning);
        for (int k = 0; k < m; k++) {
            char other[64];
            assert_string_not_equal(name, metric_column((enum metric)k, "USD", other));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_metric_of_a_workload),
        cmocka_unit_test(node_hours_keep_their_microseconds),
        cmocka_unit_test(late_is_known_of_every_world),
        cmocka_unit_test(no_node_has_no_goodput),
        cmocka_unit_test(sums_last_any_and_all),
        cmocka_unit_test(without_any_deadline_there_is_no_late),
        cmocka_unit_test(usage_by_the_clock),
        cmocka_unit_test(requests_add_up_over_services),
        cmocka_unit_test(sessions_and_items_add_up),
        cmocka_unit_test(cut_work_knows_lower_bounds),
        cmocka_unit_test(finished_work_knows_all),
        cmocka_unit_test(columns_are_in_the_currency),
        cmocka_unit_test(names_are_snake_case_and_differ),
    };
    return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
