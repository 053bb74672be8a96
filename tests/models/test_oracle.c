/* SPDX-License-Identifier: GPL-3.0-or-later
 * The offline optimum: by hand, against an exhaustive search of small cases, and its refusals. */
#include "models/policies/oracle.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void by_hand(void **state)
{
    (void)state;
    /* Spot at both ends, away in the middle: two ticks, then four, do the four ticks of work. */
    const double spot[10] = {1, 1, 0, 0, 0, 0, 1, 1, 1, 1};
    const double on_demand[10] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
    struct oracle_job job = {.tick_s = 600,
                             .work_s = 2400,
                             .overhead_s = 600,
                             .ticks = 10,
                             .spot_per_hour = spot,
                             .on_demand_per_hour = on_demand};
    double cost;
    assert_int_equal(oracle_cost(&job, &cost), ORACLE_FOUND);
    assert_true(fabs(cost - 1) < 1e-12);
    job.ticks = 9; /* one tick of work is then done on-demand: it goes on with 4 ticks of it */
    assert_int_equal(oracle_cost(&job, &cost), ORACLE_FOUND);
    assert_true(cost > 1);
    job.ticks = 4;
    assert_int_equal(oracle_cost(&job, &cost), ORACLE_LATE);
    job.work_s = 1800;
    assert_int_equal(oracle_cost(&job, &cost), ORACLE_FOUND);
    assert_true(fabs(cost - 2) < 1e-12); /* four ticks on-demand */
}

/* All 3^ticks plans. */
struct search {
    const struct oracle_job *job;
    double best;
};

static void search(struct search *s, size_t tick, int last, int64_t pending_s, int64_t left_s,
                   double cost)
{
    if (left_s <= 0) {
        s->best = fmin(s->best, cost);
        return;
    }
    if (tick == s->job->ticks) {
        return;
    }
    search(s, tick + 1, 0, 0, left_s, cost);
    for (int what = 1; what <= 2; what++) {
        double price = what == 1 ? s->job->spot_per_hour[tick] : s->job->on_demand_per_hour[tick];
        if (!(price > 0)) {
            continue;
        }
        int64_t pending = what == last ? pending_s : s->job->overhead_s;
        int64_t useful = s->job->tick_s > pending ? s->job->tick_s - pending : 0;
        search(s, tick + 1, what, pending - (s->job->tick_s - useful), left_s - useful,
               cost + price * (double)s->job->tick_s / 3600);
    }
}

static void as_exhaustive_search(void **state)
{
    (void)state;
    uint64_t x = 88172645463325252u; /* xorshift64, Marsaglia 2003 */
    int late = 0, found = 0;
    for (int round = 0; round < 300; round++) {
        double spot[8], on_demand[8];
        uint64_t r[20];
        for (int i = 0; i < 20; i++) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            r[i] = x >> 20;
        }
        for (int i = 0; i < 8; i++) {
            spot[i] = r[i] % 3 == 0 ? 0 : 0.5 + (double)(r[i] % 7) / 10;
            on_demand[i] = 2 + (double)(r[i + 8] % 5) / 10;
        }
        const struct oracle_job job = {.tick_s = 300,
                                       .work_s = 100 * (int64_t)(1 + r[16] % 16),
                                       .overhead_s = 100 * (int64_t)(r[17] % 8),
                                       .ticks = 3 + r[18] % 6,
                                       .spot_per_hour = spot,
                                       .on_demand_per_hour = on_demand};
        struct search s = {&job, HUGE_VAL};
        search(&s, 0, 0, 0, job.work_s, 0);
        double cost;
        enum oracle_status status = oracle_cost(&job, &cost);
        if (isinf(s.best)) {
            assert_int_equal(status, ORACLE_LATE);
            late++;
        } else {
            assert_int_equal(status, ORACLE_FOUND);
            assert_true(fabs(cost - s.best) < 1e-9);
            found++;
        }
    }
    assert_true(late > 10 && found > 100);
}

static void what_is_too_large_is_refused(void **state)
{
    (void)state;
    const double none[1] = {0};
    const struct oracle_job job = {.tick_s = 7,
                                   .work_s = 1000003,
                                   .overhead_s = 11,
                                   .ticks = 1000000,
                                   .spot_per_hour = none,
                                   .on_demand_per_hour = none};
    double cost;
    assert_int_equal(oracle_cost(&job, &cost), ORACLE_TOO_LARGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(as_exhaustive_search),
        cmocka_unit_test(what_is_too_large_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
