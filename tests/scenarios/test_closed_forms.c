/* SPDX-License-Identifier: GPL-3.0-or-later
 * Exact means of checkpoint/restart under Poisson losses and of alternating renewal spot capacity,
 * reached through the scenario reader, the plan and the simulator. Values: mpmath at 40 digits,
 * confirmed by independent Monte Carlo.
 *
 * Model A (losses strike work, checkpoint and restore; `regain` is free of them): E[T_segment] =
 * exp(r R)(1/r + D)(exp(r (tau + C)) - 1), Daly, FGCS 22 (2006), with D after Bougeret et al.,
 * SC11. Model B (a fixed delay R after each loss, no restore): (1/r + R)(exp(r (tau + C)) - 1). */
#include "engine/gsl_errors.h"
#include "engine/statistics.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define Z 4.0 /* standard errors */

struct checkpoint_case {
    const char *name;
    double mean_between_losses_h, every_h, write_h, restore_h, down_h;
    int segments;
    double a_mean, b_mean, b_sd; /* hours */
};

static const struct checkpoint_case cases[] = {
    {"K1", 24, 2, 0.1, 0.25, 0, 24, 53.22226542, 53.21939791, 2.181621},
    {"K2", 3, 0.5, 0.05, 0.1, 0.1, 48, 30.95559951, 29.94075424, 1.342496},
    {"K3", 100, 4, 0.2, 0.5, 1, 50, 217.7029155, 215.5447557, 4.254669},
    {"K4", 10, 10, 0.5, 0.5, 0, 10, 195.2894928, 195.0533674, 37.53894},
    {"K5", 8, 1, 1.0 / 60, 0.25, 0.05, 100, 112.549659, 111.7971028, 3.125018},
};

static const char checkpoint_scenario[] =
    "version: 1\n"
    "start: 2026-01-01\n"
    "horizon: 300d\n"
    "region: us-east-1\n"
    "replications: %u\n"
    "market:\n"
    "  spot:\n"
    "    p3.2xlarge: {price: 1 USD/h, capacity: constant, interruptions: %.17gs, notice: 0s,\n"
    "                 regain: %.17gs, first_hour_free: no}\n"
    "workloads:\n"
    "  job:\n"
    "    kind: training\n"
    "    hours: %.17gh\n"
    "    boot: 0s\n"
    "    restart: %s\n"
    "    checkpoint: {every: %.17gs, write: %.17gs, restore: %.17gs, restore_from_scratch: yes}\n"
    "strategies:\n"
    "  spot: {instance: p3.2xlarge, nodes: %d, buy: spot}\n";

/* The gang's loss rate is the sum over its nodes: nodes in series. */
static void run_checkpoint(struct run *run, struct study **study, const struct checkpoint_case *c,
                           int nodes, const char *restart, double restore_h, double regain_h)
{
    char text[2048];
    snprintf(text, sizeof text, checkpoint_scenario, DRAWS_OF(20000),
             c->mean_between_losses_h * 3600 * nodes, regain_h * 3600, c->segments * c->every_h,
             restart, c->every_h * 3600, c->write_h * 3600, restore_h * 3600, nodes);
    *study = study_from_text(text, NULL);
    study_run(run, *study, 2);
    assert_near(run_mean(run, 0, METRIC_FINISHED).mean, 1, 0, "all worlds finish");
}

static void model_a(void **state)
{
    const struct checkpoint_case *c = *state;
    struct run run;
    struct study *study;
    run_checkpoint(&run, &study, c, 1, "gang", c->restore_h, c->down_h);
    struct mean t = run_mean(&run, 0, METRIC_TIME_TO_TRAIN);
    assert_near(t.mean, c->a_mean, Z * t.error, "mean time, model A");
    run_release(&run);
    study_free(study);
}

static void model_b(void **state)
{
    const struct checkpoint_case *c = *state;
    struct run run;
    struct study *study;
    run_checkpoint(&run, &study, c, 1, "gang", 0, c->restore_h);
    struct mean t = run_mean(&run, 0, METRIC_TIME_TO_TRAIN);
    assert_near(t.mean, c->b_mean, Z * t.error, "mean time, model B");
    /* The standard error of a standard deviation, with room for the skew of T. */
    assert_near(t.sd, c->b_sd, Z * 1.5 * c->b_sd / sqrt(2.0 * run.results.replications),
                "sd of time, model B");
    run_release(&run);
    study_free(study);
}

/* Four nodes in series at a quarter of the rate each are one node at the whole rate, whichever
 * nodes are launched anew: exponential lives have no memory. */
static void nodes_in_series(void **state)
{
    (void)state;
    static const char *const restarts[] = {"gang", "node"};
    for (int i = 0; i < 2; i++) {
        struct run run;
        struct study *study;
        run_checkpoint(&run, &study, &cases[1], 4, restarts[i], cases[1].restore_h,
                       cases[1].down_h);
        struct mean t = run_mean(&run, 0, METRIC_TIME_TO_TRAIN);
        assert_near(t.mean, cases[1].a_mean, Z * t.error, restarts[i]);
        run_release(&run);
        study_free(study);
    }
}

/* Turns U up and D down, d lost at each: progress E[max(U - d, 0)]/(E[U] + E[D]), billed per useful
 * hour E[U]/E[max(U - d, 0)], by the renewal-reward theorem; E[max(U - d, 0)] = sum p_i s_i
 * exp(-d/s_i) over the phases of U. The hyperexponential values were computed from these sums and
 * confirmed by 2 million independent turns each. */
struct renewal_case {
    const char *name, *capacity;
    double mean_up_h, mean_down_h, boot_h;
    double progress, billed_per_useful;
};

static const struct renewal_case renewals[] = {
    {"0.2/1.0/0.10", "on-off", 5, 1, 0.10, 0.816832228, 1.020201340},
    {"0.5/0.5/0.05", "on-off", 2, 2, 0.05, 0.487654956, 1.025315121},
    {"1.0/0.25/0.20", "on-off", 1, 4, 0.20, 0.163746151, 1.221402758},
    {"default shape", "hyperexponential", 5, 2, 0.1, 0.7004920482, 1.0196913957},
    {"long times down",
     "hyperexponential, up_short_share: 50 %, up_long_ratio: 5, down_short_share: 90 %,\n"
     "      down_long_ratio: 40",
     1.8, 1.8, 0.2, 0.4495055196, 1.1123333934},
    {"long times up",
     "hyperexponential, up_short_share: 90 %, up_long_ratio: 30, down_short_share: 55 %,\n"
     "      down_long_ratio: 6",
     3, 0.5, 0.05, 0.8432676382, 1.0164541106},
};

/* held - billed per useful hour * useful, by replication: 0 in the mean but for the edges. */
static struct mean held_beyond(const struct run *run, double billed_per_useful)
{
    const uint32_t n = run->results.replications;
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < n; i++) {
        double e = run_value(run, 0, i, METRIC_NODE_HOURS) -
                   billed_per_useful * run_value(run, 0, i, METRIC_USEFUL);
        sum += e;
        squares += e * e;
    }
    double mean = sum / n;
    return (struct mean){.mean = mean, .error = sqrt((squares / n - mean * mean) / n)};
}

static void alternating_renewal(void **state)
{
    const struct renewal_case *c = *state;
    const double horizon_h = 2400;
    char text[2048];
    snprintf(
        text, sizeof text,
        "version: 1\nstart: 2026-01-01\nhorizon: 100d\nregion: us-east-1\nreplications: %u\n"
        "market:\n  spot:\n    p3.2xlarge: {price: 1 USD/h, capacity: %s,\n"
        "      mean_up: %.17gs, mean_down: %.17gs, notice: 0s, first_hour_free: no}\n"
        "workloads:\n  job: {kind: training, hours: 5000h, boot: %.17gs, checkpoint: continuous}\n"
        "strategies:\n  spot: {instance: p3.2xlarge, nodes: 1, buy: spot}\n",
        DRAWS_OF(800), c->capacity, 3600 * c->mean_up_h, 3600 * c->mean_down_h, c->boot_h * 3600);
    struct study *study = study_from_text(text, NULL);
    struct run run;
    study_run(&run, study, 2);
    struct mean useful = run_mean(&run, 0, METRIC_USEFUL);
    struct mean held = run_mean(&run, 0, METRIC_NODE_HOURS);
    struct mean cost = run_mean(&run, 0, METRIC_COST);
    /* The job boots at 0 although the pool may have been up for long: at most one boot is missing.
     */
    double edge = c->boot_h / horizon_h;
    assert_near(useful.mean / horizon_h, c->progress, Z * useful.error / horizon_h + edge,
                "progress");
    struct mean beyond = held_beyond(&run, c->billed_per_useful);
    assert_near(beyond.mean, 0, Z * beyond.error + 2 * c->boot_h * c->billed_per_useful,
                "billed per useful hour");
    assert_relative(cost.mean, held.mean, 1e-9, "every hour held is paid at 1 USD");
    double a = c->mean_up_h / (c->mean_up_h + c->mean_down_h);
    assert_near(held.mean / horizon_h, a, Z * held.error / horizon_h,
                "availability, from the start on");
    run_release(&run);
    study_free(study);
}

struct first_hour_case {
    const char *name;
    double loss_per_h, billed_share;
};

static const struct first_hour_case first_hours[] = {
    {"0.05/h", 0.05, 0.998790896}, {"0.2/h", 0.2, 0.982476904}, {"0.5/h", 0.5, 0.909795990},
    {"1/h", 1, 0.735758882},       {"2/h", 2, 0.406005850},
};

/* "No charge when interrupted in the first hour": billed share of running time exp(-r)(1 + r). */
static void first_hour_rule(void **state)
{
    const struct first_hour_case *c = *state;
    char text[2048];
    snprintf(
        text, sizeof text,
        "version: 1\nstart: 2026-01-01\nhorizon: 400d\nregion: us-east-1\nreplications: %u\n"
        "market:\n  spot:\n    p3.2xlarge: {price: 1 USD/h, capacity: constant,\n"
        "      interruptions: %.17g/h, notice: 0s}\n"
        "workloads:\n  job: {kind: training, hours: 20000h, boot: 0s, checkpoint: continuous}\n"
        "strategies:\n  spot: {instance: p3.2xlarge, nodes: 1, buy: spot}\n",
        DRAWS_OF(120), c->loss_per_h);
    struct study *study = study_from_text(text, NULL);
    struct run run;
    study_run(&run, study, 2);
    struct mean cost = run_mean(&run, 0, METRIC_COST);
    struct mean held = run_mean(&run, 0, METRIC_NODE_HOURS);
    assert_near(held.mean, 9600, 1e-6, "always up");
    /* The last run is cut at the horizon and billed although it might have been short. */
    assert_near(cost.mean / held.mean, c->billed_share, Z * cost.error / held.mean + 1.0 / 9600,
                "billed share");
    run_release(&run);
    study_free(study);
}

/* The reference job of the default hidden process: 48 h of work, 0.2 h at every start, nothing else
 * lost, one node; computed twice, independently, to 0.2 % (docs/models.md, "Market"). */
struct reference_case {
    const char *name;
    double availability, mean_h, p50_h, p90_h, losses;
};

static const struct reference_case references[] = {
    {"0.30", 0.30, 231.7, 206.5, 407.5, 51.8}, {"0.50", 0.50, 126.5, 109.5, 216.7, 34.8},
    {"0.70", 0.70, 81.3, 70.1, 127.5, 20.9},   {"0.80", 0.80, 67.15, 59.0, 96.7, 14.3},
    {"0.90", 0.90, 56.4, 51.5, 70.9, 7.59},    {"0.95", 0.95, 52.0, 49.1, 59.3, 4.04},
    {"0.99", 0.99, 48.9, 48.2, 50.3, 0.94},
};

static void hidden_process_reference(void **state)
{
    const struct reference_case *c = *state;
    const uint32_t n = DRAWS_OF(10000);
    char text[2048];
    snprintf(text, sizeof text,
             "version: 1\nstart: 2026-01-01\nhorizon: 300d\nregion: us-east-1\nreplications: %u\n"
             "market: {spot: {p3.2xlarge: {price: 1 USD/h, availability: %.17g, season: none,\n"
             "  notice: 0s, first_hour_free: no}}}\n"
             "workloads: {job: {kind: training, hours: 48h, boot: 12min, checkpoint: continuous}}\n"
             "strategies: {spot: {instance: p3.2xlarge, nodes: 1, buy: spot}}\n",
             n, c->availability);
    struct study *study = study_from_text(text, NULL);
    struct run run;
    study_run(&run, study, 2);
    struct mean t = run_mean(&run, 0, METRIC_TIME_TO_TRAIN);
    struct mean losses = run_mean(&run, 0, METRIC_LOSSES);
    assert_near(t.mean, c->mean_h, Z * t.error + 0.002 * c->mean_h, "mean time");
    assert_near(losses.mean, c->losses, Z * losses.error + 0.005 * c->losses, "losses a job");
    double *values = malloc(n * sizeof *values);
    unsigned char *censored = malloc(n);
    assert_int_equal(results_column(&run.results, 0, 1, METRIC_TIME_TO_TRAIN, values, censored), 0);
    struct sample *s = sample_new(values, censored, n);
    struct quantile p50 = sample_quantile(s, 0.5, 0.9999);
    struct quantile p90 = sample_quantile(s, 0.9, 0.9999);
    assert_true(p50.low - 0.002 * c->p50_h <= c->p50_h && c->p50_h <= p50.high + 0.002 * c->p50_h);
    assert_true(p90.low - 0.002 * c->p90_h <= c->p90_h && c->p90_h <= p90.high + 0.002 * c->p90_h);
    sample_free(s);
    free(values);
    free(censored);
    run_release(&run);
    study_free(study);
}

int main(void)
{
    gsl_errors_install();
    struct CMUnitTest tests[32] = {{0}};
    static char names[32][64];
    size_t n = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(names[n], sizeof names[n], "model A, %s", cases[i].name);
        tests[n] = (struct CMUnitTest){names[n], model_a, NULL, NULL, (void *)(uintptr_t)&cases[i]};
        n++;
        snprintf(names[n], sizeof names[n], "model B, %s", cases[i].name);
        tests[n] = (struct CMUnitTest){names[n], model_b, NULL, NULL, (void *)(uintptr_t)&cases[i]};
        n++;
    }
    tests[n++] = (struct CMUnitTest){"nodes in series", nodes_in_series, NULL, NULL, NULL};
    for (size_t i = 0; i < sizeof renewals / sizeof renewals[0]; i++) {
        snprintf(names[n], sizeof names[n], "alternating renewal, %s", renewals[i].name);
        tests[n] = (struct CMUnitTest){names[n], alternating_renewal, NULL, NULL,
                                       (void *)(uintptr_t)&renewals[i]};
        n++;
    }
    for (size_t i = 0; i < sizeof first_hours / sizeof first_hours[0]; i++) {
        snprintf(names[n], sizeof names[n], "first hour free, %s", first_hours[i].name);
        tests[n] = (struct CMUnitTest){names[n], first_hour_rule, NULL, NULL,
                                       (void *)(uintptr_t)&first_hours[i]};
        n++;
    }
    for (size_t i = 0; i < sizeof references / sizeof references[0]; i++) {
        snprintf(names[n], sizeof names[n], "hidden process, availability %s", references[i].name);
        tests[n] = (struct CMUnitTest){names[n], hidden_process_reference, NULL, NULL,
                                       (void *)(uintptr_t)&references[i]};
        n++;
    }
    return _cmocka_run_group_tests("closed_forms", tests, n, NULL, NULL);
}
