/* SPDX-License-Identifier: GPL-3.0-or-later
 * Services from scenario files against the closed forms of queues: Erlang B and C, M/M/c/K,
 * Pollaczek-Khinchine, Crommelin for M/D/c (numerically exact), and for batches the simulation and
 * bounds published with Inoue's formula (arXiv 1912.06322). Three seeds of five worlds each; a
 * world is a batch whose mean gives the error, its first twentieth is not measured. */
#include "engine/gsl_errors.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD "version: 1\nstart: 2026-03-02\nregion: us-east-1\nprices_as_of: 2025-11-30\n"

struct queue_case {
    const char *name, *demand, *service, *more;
    double horizon_s;
    struct {
        enum metric metric;
        double exact;
    } expect[5];
};

static const unsigned seeds[] = {11, 12, 13};
enum { SEEDS = UNDER_SANITIZERS ? 1 : sizeof seeds / sizeof seeds[0], WORLDS = 5 };

#define WAIT    METRIC_REQUEST_WAIT_MEAN
#define DELAYED METRIC_REQUESTS_WAITED

static const struct queue_case queue_cases[] = {
    {"M/M/1, 0.5",
     "0.5/s",
     "{time: exponential(1s)}",
     "",
     30000,
     {{WAIT, 1}, {DELAYED, 0.5}, {METRIC_LATENCY_P95, 5.991464547}, {METRIC_REPLICA_BUSY, 0.5}}},
    {"M/M/1, 0.8",
     "0.8/s",
     "{time: exponential(1s)}",
     "",
     40000,
     {{WAIT, 4},
      {DELAYED, 0.8},
      {METRIC_LATENCY_P50, 3.465735903},
      {METRIC_REQUEST_WAIT_P95, 13.86294361}}},
    {"M/M/4, 3.2",
     "3.2/s",
     "{time: exponential(1s), slots: 4}",
     "",
     8000,
     {{WAIT, 0.745540589734},
      {DELAYED, 0.596432471787},
      {METRIC_LATENCY_P50, 1.346199054},
      {METRIC_LATENCY_P99, 6.893203749}}},
    {"M/M/8, 7.2",
     "7.2/s",
     "{time: exponential(1s), slots: 8}",
     "",
     6000,
     {{WAIT, 0.876916237683}, {DELAYED, 0.701532990146}, {METRIC_LATENCY_P95, 4.925146785}}},
    {"M/M/100, 90",
     "90/s",
     "{time: exponential(1s), slots: 100}",
     "",
     800,
     {{WAIT, 0.0216940480906},
      {DELAYED, 0.216940480906},
      {METRIC_LATENCY_P50, 0.7169286366},
      {METRIC_REQUESTS_INSIDE, 90 + 1.95246432816}}},
    {"M/M/1, 0.95", "0.95/s", "{time: exponential(1s)}", "", 50000, {{WAIT, 19}, {DELAYED, 0.95}}},
    {"M/M/2, 1.6",
     "1.6/s",
     "{time: exponential(1s), slots: 2}",
     "",
     8000,
     {{WAIT, 1.77777777778},
      {DELAYED, 0.711111111111},
      {METRIC_LATENCY_P50, 2.040031446},
      {METRIC_LATENCY_P95, 7.910684252}}},
    {"M/M/4, 3.8",
     "3.8/s",
     "{time: exponential(1s), slots: 4}",
     "",
     8000,
     {{WAIT, 4.45709497589}, {DELAYED, 0.891418995178}}},
    {"M/M/16, 14",
     "14/s",
     "{time: exponential(1s), slots: 16}",
     "",
     1200,
     {{WAIT, 0.254241103029},
      {DELAYED, 0.508482206057},
      {METRIC_REQUEST_WAIT_P95, 1.159703608},
      {METRIC_LATENCY_P95, 3.395471331},
      {METRIC_LATENCY_P99, 5.014032065}}},
    {"M/M/32, 30",
     "30/s",
     "{time: exponential(1s), slots: 32}",
     "",
     1000,
     {{WAIT, 0.315111360334}, {DELAYED, 0.630222720667}, {METRIC_LATENCY_P50, 1.0339837}}},
    {"Erlang B, 4 and 3.2",
     "3.2/s",
     "{time: exponential(1s), slots: 4}",
     "queue_limit: 0",
     3000,
     {{METRIC_REQUESTS_DROPPED, 0.228144929958}}},
    {"Erlang B, 8 and 8, gamma",
     "8/s",
     "{time: 'gamma(1s, 2)', slots: 8}",
     "queue_limit: 0",
     1500,
     {{METRIC_REQUESTS_DROPPED, 0.235570261124}}},
    {"Erlang B, 32 and 30",
     "30/s",
     "{time: exponential(1s), slots: 32}",
     "queue_limit: 0",
     500,
     {{METRIC_REQUESTS_DROPPED, 0.0962663096364}}},
    {"Erlang B, 100 and 90, constant",
     "90/s",
     "{time: 1s, slots: 100}",
     "queue_limit: 0",
     300,
     {{METRIC_REQUESTS_DROPPED, 0.0269573804644}}},
    {"M/M/1/5",
     "0.8/s",
     "{time: exponential(1s)}",
     "queue_limit: 4",
     10000,
     {{METRIC_REQUESTS_DROPPED, 0.0888194986556}, {WAIT, 1.56306520704}}},
    {"M/M/8/16",
     "7.2/s",
     "{time: exponential(1s), slots: 8}",
     "queue_limit: 8",
     2500,
     {{METRIC_REQUESTS_DROPPED, 0.0414696619065}, {WAIT, 0.282868066961}}},
    {"M/D/1, 0.5",
     "0.5/s",
     "{time: 1s}",
     "",
     12000,
     {{WAIT, 0.5}, {DELAYED, 0.5}, {METRIC_REQUEST_WAIT_P95, 2.050638407}}},
    {"M/D/1, 0.9", "0.9/s", "{time: 1s}", "", 20000, {{WAIT, 4.5}}},
    {"M/D/1, 0.95", "0.95/s", "{time: 1s}", "", 40000, {{WAIT, 9.5}}},
    {"M/D/8, 7.2", "7.2/s", "{time: 1s, slots: 8}", "", 2500, {{WAIT, 0.449973259}}},
    {"M/D/16, 14.4", "14.4/s", "{time: 1s, slots: 16}", "", 1200, {{WAIT, 0.192467031}}},
    /* Mean 1, cv 1.5. */
    {"M/G/1, lognormal",
     "0.8/s",
     "{time: 'lognormal(p50=0.5547001962s; p95=3.3082597344s)'}",
     "",
     25000,
     {{WAIT, 6.5}}},
    {"M/G/1, hyperexponential",
     "0.8/s",
     "{time: 'empirical(%s; hyper_s)'}",
     "",
     50000,
     {{WAIT, 13}}},
    {"M/G/1, two points", "0.7/s", "{time: 'empirical(%s; two_s)'}", "", 15000, {{WAIT, 7.0 / 3}}},
    /* At 0.1 the simulation published; phi1, the bound, is 3.2982. */
    {"dynamic batching, 0.1",
     "695.41/s",
     "{batch: {max: 100000, base: 1.8874ms, each: 0.1438ms}}",
     "",
     10,
     {{METRIC_LATENCY_MEAN, 3.1460e-3}}},
    {"dynamic batching, 0.3",
     "2086.23/s",
     "{batch: {max: 100000, base: 1.8874ms, each: 0.1438ms}}",
     "",
     6,
     {{METRIC_LATENCY_MEAN, 4.22519e-3}}},
    {"dynamic batching, 0.8",
     "5563.28/s",
     "{batch: {max: 100000, base: 1.8874ms, each: 0.1438ms}}",
     "",
     8,
     {{METRIC_LATENCY_MEAN, 14.68e-3}}},
    /* The same in replicas of one slot each, on nodes of several. */
    {"M/M/4, in four replicas",
     "3.2/s",
     "{time: exponential(1s), replicas_per_node: 4}",
     "",
     8000,
     {{WAIT, 0.745540589734}, {METRIC_REPLICA_BUSY, 0.8}}},
    {"Erlang B, 1 and 0.5",
     "0.5/s",
     "{time: exponential(1s)}",
     "queue_limit: 0",
     20000,
     {{METRIC_REQUESTS_DROPPED, 0.333333333333}, {WAIT, 0}}},
    {"Erlang B, 10 and 5, constant",
     "5/s",
     "{time: 1s, slots: 10}",
     "queue_limit: 0",
     4000,
     {{METRIC_REQUESTS_DROPPED, 0.0183845703366}}},
    {"M/M/4/10",
     "3.2/s",
     "{time: exponential(1s), slots: 4}",
     "queue_limit: 6",
     8000,
     {{METRIC_REQUESTS_DROPPED, 0.035740722481}, {WAIT, 0.3740594478}}},
    {"M/M/8/16, overloaded",
     "12/s",
     "{time: exponential(1s), slots: 8}",
     "queue_limit: 8",
     3000,
     {{METRIC_REQUESTS_DROPPED, 0.336104840092}, {WAIT, 0.769269659785}}},
    {"M/D/1, 0.8",
     "0.8/s",
     "{time: 1s}",
     "",
     30000,
     {{WAIT, 2}, {METRIC_REQUEST_WAIT_P95, 6.620324997}}},
    {"M/D/4, 3.2", "3.2/s", "{time: 1s, slots: 4}", "", 8000, {{WAIT, 0.386094931}}},
    {"M/G/1, uniform", "0.8/s", "{time: 'uniform(0s, 2s)'}", "", 40000, {{WAIT, 8.0 / 3}}},
    {"M/G/1, gamma", "0.9/s", "{time: 'gamma(1s, 0.5)'}", "", 16000, {{WAIT, 5.625}}},
    {"M/G/infinity",
     "20/s",
     "{time: 'gamma(2s, 1.5)', slots: 1000}",
     "",
     300,
     {{METRIC_REQUESTS_INSIDE, 40}, {WAIT, 0}, {DELAYED, 0}}},
    /* Processor sharing: s / (1 - rho) whatever the law of the times (Kleinrock, Queueing Systems
     * II, 1976, 4.4); of one slot after the other the last would be 1 + 6.5. */
    {"M/M/1, sharing, 0.8",
     "0.8/s",
     "{time: exponential(1s), slots: 1000, sharing: yes}",
     "",
     12000,
     {{METRIC_LATENCY_MEAN, 5},
      {WAIT, 0},
      {METRIC_REPLICA_BUSY, 0.8},
      {METRIC_REQUESTS_INSIDE, 4}}},
    {"M/D/1, sharing, 0.5",
     "0.5/s",
     "{time: 1s, slots: 1000, sharing: yes}",
     "",
     5000,
     {{METRIC_LATENCY_MEAN, 2}, {METRIC_REPLICA_BUSY, 0.5}}},
    {"M/G/1, sharing, lognormal",
     "0.8/s",
     "{time: 'lognormal(p50=0.5547001962s; p95=3.3082597344s)', slots: 1000, sharing: yes}",
     "",
     12000,
     {{METRIC_LATENCY_MEAN, 5}, {METRIC_REPLICA_BUSY, 0.8}}},
    /* Of exponential times the number inside, and so its mean, does not hang on who is served. */
    {"M/M/1, sharing among four",
     "0.8/s",
     "{time: exponential(1s), slots: 4, sharing: yes}",
     "",
     10000,
     {{METRIC_LATENCY_MEAN, 5}, {DELAYED, 0.4096}}},
    {"M/M/1/5, sharing among two",
     "0.8/s",
     "{time: exponential(1s), slots: 2, sharing: yes}",
     "queue_limit: 3",
     6000,
     {{METRIC_REQUESTS_DROPPED, 0.0888194986556}}},
    /* V100, ResNet-50: 0.1438 ms an image and 1.8874 ms a batch; half of what it can serve. */
    {"dynamic batching",
     "3477.05/s",
     "{batch: {max: 100000, base: 1.8874ms, each: 0.1438ms}}",
     "",
     5,
     {{METRIC_LATENCY_MEAN, 5.9018e-3}}},
    {"dynamic batching, 0.7",
     "4867.87/s",
     "{batch: {max: 100000, base: 1.8874ms, each: 0.1438ms}}",
     "",
     6,
     {{METRIC_LATENCY_MEAN, 9.813e-3}}},
};

/* The distribution function of 0.9 exponentials of mean 0.5 and 0.1 of mean 5.5, turned round. */
static double hyperexponential(double u)
{
    double low = 0, high = 1000;
    for (int i = 0; i < 60; i++) {
        double x = 0.5 * (low + high);
        *(0.9 * exp(-x / 0.5) + 0.1 * exp(-x / 5.5) > 1 - u ? &low : &high) = x;
    }
    return low;
}

/* Laws without a name come from a file: of equal parts of the distribution, and of two points, 0.5
 * s eight times in ten and 3 s. path is completed. */
static void write_service(char *out, size_t size, const char *service, char *path)
{
    enum { PARTS = 20000 };
    if (path == NULL) {
        snprintf(out, size, "%s", service);
        return;
    }
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    assert_non_null(file);
    fputs("hyper_s,two_s\n", file);
    for (int i = 0; i < PARTS; i++) {
        fprintf(file, "%.9g,%s\n", hyperexponential((i + 0.5) / PARTS), i % 10 < 8 ? "0.5" : "3");
    }
    fclose(file);
    const char *hole = strstr(service, "%s");
    snprintf(out, size, "%.*s%s%s", (int)(hole - service), service, path, hole + 2);
}

static struct mean mean_of_runs(const struct run *runs, enum metric metric)
{
    double sum = 0, squares = 0;
    const double n = (double)SEEDS * WORLDS;
    for (size_t k = 0; k < SEEDS; k++) {
        for (uint32_t r = 0; r < WORLDS; r++) {
            sum += run_value(&runs[k], 0, r, metric);
        }
    }
    for (size_t k = 0; k < SEEDS; k++) {
        for (uint32_t r = 0; r < WORLDS; r++) {
            double off = run_value(&runs[k], 0, r, metric) - sum / n;
            squares += off * off;
        }
    }
    return (struct mean){.mean = sum / n, .error = sqrt(squares / (n - 1) / n)};
}

static void requests_add_up(const struct run *run)
{
    static const enum metric parts[] = {METRIC_REQUESTS_SERVED, METRIC_REQUESTS_DROPPED,
                                        METRIC_REQUESTS_TIMED_OUT, METRIC_REQUESTS_LOST,
                                        METRIC_REQUESTS_LEFT};
    for (uint32_t r = 0; r < WORLDS; r++) {
        double sum = 0;
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
            double part = run_value(run, 0, r, parts[k]);
            assert_true(part >= 0);
            sum += part;
        }
        assert_near(sum, run_value(run, 0, r, METRIC_REQUESTS), 0, "requests add up");
    }
}

static void compare(const struct queue_case *c, const struct run *runs)
{
    for (size_t i = 0; i < sizeof c->expect / sizeof c->expect[0]; i++) {
        enum metric metric = c->expect[i].metric;
        if (metric == METRIC_COST) {
            break; /* no more */
        }
        struct mean m = mean_of_runs(runs, metric);
        double exact = c->expect[i].exact, of_bins = 0;
        if (metric == METRIC_REQUESTS_DROPPED) {
            double requests = mean_of_runs(runs, METRIC_REQUESTS).mean;
            m.mean /= requests;
            m.error /= requests;
        }
        if (strstr(metric_table[metric].name, "_p") != NULL) {
            of_bins = 0.004 * exact; /* a quantile is right to so much */
        }
        assert_near(m.mean, exact, 4 * m.error + of_bins + 1e-9, metric_table[metric].name);
        /* Close enough to mean something. */
        assert_true(m.error <= 0.15 * exact + 1e-9);
    }
}

static void test_queue(void **state)
{
    const struct queue_case *c = *state;
    char text[2000], service[200], path[] = "/tmp/fleetcast-queue-XXXXXX";
    struct run runs[SEEDS];
    struct study *studies[SEEDS];
    const bool of_file = strstr(c->service, "%s") != NULL;
    write_service(service, sizeof service, c->service, of_file ? path : NULL);
    for (size_t k = 0; k < SEEDS; k++) {
        snprintf(
            text, sizeof text,
            HEAD
            "horizon: %.0fs\nreplications: %d\nseed: %u\nworkloads: {w: {kind: inference, "
            "mode: requests, boot: 0s, measure_from: %.9gs, demand: %s, service: {any: %s}%s%s}}"
            "\nstrategies: {s: {instance: g4dn.xlarge, nodes: 1, buy: on-demand}}\n",
            c->horizon_s, WORLDS, seeds[k], c->horizon_s / 20, c->demand, service,
            c->more[0] != '\0' ? ", " : "", c->more);
        studies[k] = study_from_text(text, NULL);
        study_run(&runs[k], studies[k], 1);
        requests_add_up(&runs[k]);
    }
    compare(c, runs);
    for (size_t k = 0; k < SEEDS; k++) {
        run_release(&runs[k]);
        study_free(studies[k]);
    }
    if (of_file) {
        unlink(path);
    }
}

int main(void)
{
    enum { QUEUES = sizeof queue_cases / sizeof queue_cases[0] };
    struct CMUnitTest tests[QUEUES];
    gsl_errors_install();
    for (size_t i = 0; i < QUEUES; i++) {
        tests[i] = (struct CMUnitTest){.name = queue_cases[i].name,
                                       .test_func = test_queue,
                                       .initial_state = (void *)(uintptr_t)&queue_cases[i]};
    }
    return cmocka_run_group_tests_name("queue_forms", tests, NULL, NULL);
}
