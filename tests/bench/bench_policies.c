/* SPDX-License-Identifier: GPL-3.0-or-later
 * A run of the tick model (48 h of work on ticks of ten minutes), of which the published Python
 * simulator does one in 15 to 40 ms; and the bound of hindsight beside a world. The trace is made
 * here, as often up as V100 spot in October 2022, with up to days of the same. */
#include "models/policies/hindsight.h"
#include "tests/support/bench.h"
#include "tests/support/tick_model.h"

#include <math.h>
#include <stdlib.h>

enum { TICKS = 4032, STARTS = 5, ROUNDS = 40 };

static const struct {
    const char *policy;
    bool overridden;
} policies[] = {{"on-demand", false},       {"wait", false},       {"greedy", true},
                {"uniform-progress", true}, {"time-sliced", true}, {"last-moment", true}};
enum { POLICIES = sizeof policies / sizeof policies[0] };

static const struct {
    double deadline_h, overhead_h;
} jobs[] = {{52, 0.1}, {52, 0.2}, {60, 0.2}, {70, 0.1}, {70, 0.5}, {92, 0.2}};
enum { JOBS = sizeof jobs / sizeof jobs[0] };

static void make_trace(int nodes[TICKS])
{
    int up = 1;
    srand48(1);
    for (size_t k = 0; k < TICKS; k++) {
        up = drand48() < (up ? 0.06 : 0.09) ? !up : up;
        nodes[k] = up;
    }
}

/* Microseconds of CPU a run, over all policies, jobs and starts. */
static double of_tick_model(const int *nodes)
{
    size_t runs = 0;
    double spent_s = 0, cost = 0;
    for (size_t p = 0; p < POLICIES; p++) {
        const struct policy *policy = tick_model_policy(policies[p].policy);
        void *params = tick_model_params(policy, 4 * 3600.0, true);
        double start_s = bench_cpu_s();
        for (size_t i = 0; i < (size_t)JOBS * STARTS * ROUNDS; i++) {
            const size_t job = i % JOBS, start = 288 * (i / JOBS % STARTS);
            struct text timeline;
            text_init(&timeline, 100000);
            const struct tick_case c = {.policy = policy,
                                        .params = params,
                                        .overridden = policies[p].overridden,
                                        .work_s = 48 * 3600.0,
                                        .deadline_s = jobs[job].deadline_h * 3600,
                                        .overhead_s = round(jobs[job].overhead_h * 3600),
                                        .tick_s = 600,
                                        .on_demand_per_hour = 3.06,
                                        .spot_per_hour = 0.9731,
                                        .nodes = nodes + start,
                                        .ticks = TICKS - start};
            cost += tick_model_run(&c, &timeline).cost;
            text_release(&timeline);
            runs++;
        }
        spent_s += bench_cpu_s() - start_s;
        free(params);
    }
    return cost > 0 ? 1e6 * spent_s / (double)runs : (double)NAN;
}

/* Microseconds of CPU a bound. */
static double of_bound(const int *nodes)
{
    enum { DEADLINE = 420, BOUNDS = 400 };
    double on_demand[DEADLINE], spot[DEADLINE], sum = 0, start_s = bench_cpu_s();
    for (size_t i = 0; i < BOUNDS; i++) {
        for (size_t k = 0; k < DEADLINE; k++) {
            on_demand[k] = 3.06 / 3600;
            spot[k] = nodes[8 * i + k] > 0 ? 0.9731 / 3600 : (double)NAN;
        }
        const struct hindsight_job job = {
            .tick_s = 600,
            .work_s = 48 * 3600.0,
            .boot_s = 360,
            .restore_s = 360,
            .ticks = DEADLINE,
            .ways = {{on_demand, 3.06 / 3600, 0}, {spot, 0.9731 / 3600, 120}},
            .way_count = 2};
        sum += hindsight_bound(&job);
    }
    return sum > 0 ? 1e6 * (bench_cpu_s() - start_s) / BOUNDS : (double)NAN;
}

int main(void)
{
    static int nodes[TICKS];
    make_trace(nodes);
    bench_row("policies, a run of the tick model", of_tick_model(nodes), "us", 40, BENCH_AT_MOST);
    bench_row("hindsight, a bound of 70 h", of_bound(nodes), "us", 250, BENCH_AT_MOST);
    return 0;
}
