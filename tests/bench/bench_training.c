/* SPDX-License-Identifier: GPL-3.0-or-later
 * Training on spot, simulated and rated, from scenario text; and what a second thread costs. */
#include "engine/gsl_errors.h"
#include "scenarios/study/simulation.h"
#include "tests/support/bench.h"
#include "tests/support/studies.h"

#include <math.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define JOB                                                                                        \
    "version: 1\nstart: 2026-01-05\nhorizon: 30d\nregion: us-east-1\nreplications: 4000\n"         \
    "workloads:\n  job: {kind: training, hours: 2000h, boot: 3min, restart: %s,\n"                 \
    "    checkpoint: {every: 1h, write: 2min, restore: 4min}}\n"                                   \
    "strategies: {spot: {instance: p3.2xlarge, nodes: 16, buy: spot}}\n"                           \
    "market: {spot: {p3.2xlarge: {price: 1 USD/h, %s}}}\n"

/* What else the machine does only slows a batch down: the fastest of so many counts. */
enum { BATCHES = 8 };

/* Replications a second of one thread, of `count` in all. */
static double rate(const char *restart, const char *market, uint32_t count)
{
    char text[2048];
    snprintf(text, sizeof text, JOB, restart, market);
    struct study *s = study_from_text(text, NULL);
    struct simulation *sim = simulation_new(s);
    struct metric_cells cells[2];
    const struct simulation_outputs out = {.cells = cells};
    const uint32_t batch = count / BATCHES;
    double best = 0;
    for (uint32_t b = 0; b <= BATCHES; b++) { /* the first warms up */
        double start_s = bench_cpu_s();
        for (uint32_t i = 0; i < batch; i++) {
            (void)simulation_begin_world(sim, b * batch + i);
            (void)simulation_run_strategy(sim, 0, &out);
        }
        double per_s = batch / (bench_cpu_s() - start_s);
        best = b > 0 && per_s > best ? per_s : best;
    }
    simulation_free(sim);
    study_free(s);
    return best;
}

static double cpu_of_run(const struct study *s, int jobs)
{
    struct run run;
    double start_s = bench_cpu_s();
    study_run(&run, s, jobs);
    double spent_s = bench_cpu_s() - start_s;
    run_release(&run);
    return spent_s;
}

/* CPU seconds of one thread while another process, which shares nothing with it, does the same
 * work: what two busy cores cost each other in clock and cache, whatever the program does. */
static double cpu_beside_another(const struct study *s)
{
    pid_t other = fork();
    if (other == 0) {
        (void)cpu_of_run(s, 1);
        _exit(0);
    }
    double spent_s = cpu_of_run(s, 1);
    if (other > 0) {
        (void)waitpid(other, NULL, 0);
    }
    return spent_s;
}

int main(void)
{
    gsl_errors_install();
    bench_row("training, 16 nodes, hidden process, gang restarts",
              rate("gang", "availability: 0.8", 4000), "replications/s", 2500, BENCH_AT_LEAST);
    bench_row("training, 16 nodes, 5 losses a day, node restarts",
              rate("node", "capacity: constant, interruptions: 0.3125/d", 20000), "replications/s",
              15000, BENCH_AT_LEAST);
    char text[2048];
    snprintf(text, sizeof text, JOB, "gang", "availability: 0.8");
    struct study *s = study_from_text(text, NULL);
    double one_s = HUGE_VAL, two_s = HUGE_VAL, beside_s = HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        one_s = fmin(one_s, cpu_of_run(s, 1));
        two_s = fmin(two_s, cpu_of_run(s, 2));
        beside_s = fmin(beside_s, cpu_beside_another(s));
    }
    bench_row("CPU seconds of 2 threads / of 1", two_s / one_s, "", 1.03, BENCH_AT_MOST);
    bench_note("CPU seconds beside another process / alone", beside_s / one_s, "");
    study_free(s);
    return 0;
}
