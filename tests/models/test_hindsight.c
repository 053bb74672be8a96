/* SPDX-License-Identifier: GPL-3.0-or-later
 * The bound of continuous time: by hand, against the exact optimum on ticks, and against plans at
 * random in continuous time. */
#include "models/policies/hindsight.h"
#include "models/policies/oracle.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdlib.h>

#define NONE   ((double)NAN)
#define CLOSE  1e-6
#define HOUR_S 3600.0

static struct hindsight_job on_demand_and_spot(const double *on_demand, const double *spot,
                                               double spot_price, size_t ticks)
{
    return (struct hindsight_job){.tick_s = HOUR_S,
                                  .ticks = ticks,
                                  .ways = {{on_demand, on_demand[0], 0}, {spot, spot_price, 0}},
                                  .way_count = 2};
}

#define P(x) ((x) / HOUR_S) /* a price of so much an hour */

static void by_hand(void **state)
{
    (void)state;
    const double on_demand[] = {P(3), P(3), P(3), P(3), P(3), P(3)};
    const double spot[] = {P(1), P(1), NONE, P(1), P(1), P(1)};
    struct hindsight_job job = on_demand_and_spot(on_demand, spot, P(1), 6);

    /* Spot alone does it, with half an hour at each of two launches. */
    job.boot_s = HOUR_S / 2;
    job.work_s = 4 * HOUR_S;
    assert_near(hindsight_bound(&job), 5, CLOSE, "five hours of spot");
    /* On-demand fills the gap: it and the spot after it boot beside what runs; 6 hours and 1.5
     * of boot come to 5.5 of work, of which 1 at most is not bought in time. */
    job.work_s = 5.5 * HOUR_S;
    assert_near(hindsight_bound(&job), 5 + 3 + 0.5 * 3 + 0.5 * 1, CLOSE, "booted beside");
    /* Nobody can do more than run all the time. */
    job.work_s = 5.6 * HOUR_S;
    assert_true(isnan(hindsight_bound(&job)));
    job.work_s = 0;
    assert_near(hindsight_bound(&job), 0, 0, "no work");
}

static void the_first_run_restores_nothing(void **state)
{
    (void)state;
    const double on_demand[] = {P(3), P(3), P(3)};
    const double spot[] = {NONE, NONE, NONE};
    struct hindsight_job job = on_demand_and_spot(on_demand, spot, P(1), 3);

    job.boot_s = 360;
    job.restore_s = 720;
    job.work_s = 2 * HOUR_S;
    assert_near(hindsight_bound(&job), 3 * 2.1, CLOSE, "boot and work");
}

static void a_notice_is_worked_through(void **state)
{
    (void)state;
    const double on_demand[] = {P(3), P(3), P(3)};
    const double spot[] = {P(1), NONE, NONE};
    struct hindsight_job job = on_demand_and_spot(on_demand, spot, P(1), 3);

    job.ways[1].notice_s = 180;
    job.work_s = HOUR_S + 180;
    assert_near(hindsight_bound(&job), 1.05, CLOSE, "an hour and the notice");
}

/* ---- against the optimum on ticks ---- */

static void below_the_optimum_on_ticks_and_near(void **state)
{
    (void)state;
    size_t found = 0;
    double shares = 0;
    srand48(1);
    for (int n = 0; n < 300; n++) {
        enum { TICKS = 120 };
        double spot_h[TICKS], on_demand_h[TICKS], spot[TICKS], on_demand[TICKS];
        int up = 1;
        for (size_t k = 0; k < TICKS; k++) {
            up = drand48() < 0.1 ? !up : up;
            spot_h[k] = up ? 1 + 0.2 * (double)(k / 40) : 0;
            on_demand_h[k] = 3;
            spot[k] = up ? P(spot_h[k]) : NONE;
            on_demand[k] = P(3);
        }
        const struct oracle_job exact = {.tick_s = 600,
                                         .work_s = 600 * (40 + lrand48() % 60),
                                         .overhead_s = 300 * (lrand48() % 5),
                                         .ticks = TICKS,
                                         .spot_per_hour = spot_h,
                                         .on_demand_per_hour = on_demand_h};
        const struct hindsight_job job = {.tick_s = 600,
                                          .work_s = (double)(exact.work_s + exact.overhead_s),
                                          .restore_s = (double)exact.overhead_s,
                                          .ticks = TICKS,
                                          .ways = {{on_demand, P(3), 0}, {spot, P(1), 0}},
                                          .way_count = 2};
        double optimum, bound = hindsight_bound(&job);
        if (oracle_cost(&exact, &optimum) == ORACLE_FOUND) {
            assert_true(bound <= optimum * (1 + 1e-12));
            shares += bound / optimum;
            found++;
        }
    }
    assert_true(found > 250);
    assert_true(shares / (double)found > 0.97);
}

/* ---- against plans in continuous time ---- */

enum { STEPS = 30 };

/* Runs at random, with moves at random instants, boots beside and after what runs, losses with
 * notice; tells the work it does and what it costs. */
static void at_random(const struct hindsight_job *job, double *work_s, double *cost)
{
    double t = 0, end_s = job->tick_s * (double)job->ticks, ready_s = 0;
    int runs = -1;
    bool first = true;
    *work_s = *cost = 0;
    while (t < end_s) {
        size_t k = (size_t)(t / job->tick_s);
        double next = fmin(t + job->tick_s * 3 * drand48(), end_s);
        int want = (int)(lrand48() % 4) - 1; /* 2: goes on */
        want = want == 2 ? runs : want;
        if (want >= 0 && isnan(job->ways[want].per_s[k])) {
            want = 0;
        }
        if (want >= 0 && want != runs) {
            bool beside = runs >= 0 && drand48() < 0.5;
            *cost += beside ? job->boot_s * job->ways[want].least_per_s : 0;
            ready_s = t + (beside ? 0 : job->boot_s) + (first ? 0 : job->restore_s);
        }
        runs = want;
        while (runs >= 0 && t < next) {
            k = (size_t)(t / job->tick_s);
            double edge = fmin((double)(k + 1) * job->tick_s, next);
            edge = edge > t ? edge : next;
            *cost += (edge - t) * job->ways[runs].per_s[k];
            double done = fmax(edge - fmax(t, ready_s), 0);
            *work_s += done;
            first = first && done <= 0;
            t = edge;
            bool at_edge = t >= (double)(k + 1) * job->tick_s && k + 1 < job->ticks;
            if (at_edge && isnan(job->ways[runs].per_s[k + 1])) {
                double notice_s = job->ways[runs].notice_s;
                *cost += notice_s * job->ways[runs].least_per_s;
                *work_s += ready_s < t ? notice_s : 0;
                runs = -1;
                next = t;
            }
        }
        t = t < next ? next : t;
    }
}

static void no_plan_is_cheaper(void **state)
{
    (void)state;
    size_t compared = 0;
    srand48(2);
    for (int n = 0; n < 3000; n++) {
        double on_demand[STEPS], spot[STEPS];
        int up = 1;
        for (size_t k = 0; k < STEPS; k++) {
            up = drand48() < 0.2 ? !up : up;
            spot[k] = up ? P(1) : NONE;
            on_demand[k] = P(3);
        }
        struct hindsight_job job = on_demand_and_spot(on_demand, spot, P(1), STEPS);
        job.tick_s = 600;
        job.boot_s = 60 * (double)(lrand48() % 15);
        job.restore_s = 60 * (double)(lrand48() % 15);
        job.ways[1].notice_s = 120;
        double cost;
        at_random(&job, &job.work_s, &cost);
        if (job.work_s > 0) {
            double bound = hindsight_bound(&job);
            assert_true(bound <= cost * (1 + 1e-9));
            compared++;
        }
    }
    assert_true(compared > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(the_first_run_restores_nothing),
        cmocka_unit_test(a_notice_is_worked_through),
        cmocka_unit_test(below_the_optimum_on_ticks_and_near),
        cmocka_unit_test(no_plan_is_cheaper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
