/* SPDX-License-Identifier: GPL-3.0-or-later
 * The parts of the interval mode against closed forms: the offered load as an Ornstein-Uhlenbeck
 * process, Erlang's formulas, waits, the backlog, and which mode is chosen. */
#include "engine/gsl_errors.h"
#include "engine/random.h"
#include "models/inference/interval_backlog.h"
#include "models/inference/interval_latency.h"
#include "models/inference/interval_load.h"
#include "models/inference/interval_waits.h"
#include "models/inference/queue_limits.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the offered load ---- */

/* Variance of the mean over a step of a process of variance 1 and correlation exp(-t / tau). */
static double variance_of_mean(double r)
{
    return 2 / r * (1 + expm1(-r) / r);
}

static void one_step_keeps_the_stationary_law(void **state)
{
    (void)state;
    /* Steps from far shorter than a service to far longer. */
    static const double steps_s[] = {1e-5, 1e-3, 0.1, 0.5, 1, 15, 3600, 1e6};
    for (size_t i = 0; i < sizeof steps_s / sizeof steps_s[0]; i++) {
        struct interval_load_step p = interval_load_step(steps_s[i], 1.0);
        /* x of variance 1, x' too, and the mean as the process has it. */
        assert_near(p.keeps * p.keeps + p.end_1 * p.end_1, 1, 1e-12, "variance of the end");
        assert_relative(p.mean_keeps * p.mean_keeps + p.mean_1 * p.mean_1 + p.mean_2 * p.mean_2,
                        steps_s[i] < 1e-3 ? 1 - steps_s[i] / 3 : variance_of_mean(steps_s[i]), 1e-6,
                        "variance of the mean");
        /* Covariance of the mean and the end: the integral of exp(-(step - t)) is h. */
        assert_relative(p.keeps * p.mean_keeps + p.end_1 * p.mean_1, p.mean_keeps, 1e-9,
                        "covariance");
    }
}

static void the_load_settles_at_its_mean(void **state)
{
    (void)state;
    enum { STEPS = 200000 };
    struct random_stream noise;
    random_stream_init(&noise, (struct random_world){5, 0}, random_source("test/load"));
    struct interval_load_step p = interval_load_step(2, 5);
    double x = 400, sum = 0, square = 0, of_means = 0;
    for (int i = 0; i < STEPS; i++) {
        double z1 = random_normal(&noise), z2 = random_normal(&noise);
        struct interval_load l = interval_load_next(&p, x, 400, 2.5, z1, z2);
        x = l.end;
        sum += l.mean / STEPS;
        square += (x - 400) * (x - 400) / STEPS;
        of_means += (l.mean - 400) * (l.mean - 400) / STEPS;
    }
    /* Correlated over 5 s: so many steps are worth STEPS · 2 / (2 · 5) independent ones. */
    double independent = STEPS / 5.0;
    assert_near(sum, 400, 4 * sqrt(1000 / independent), "mean");
    assert_near(square, 1000, 4 * 1000 * sqrt(2 / independent), "variance");
    assert_near(of_means, 1000 * variance_of_mean(0.4), 4 * 1000 * sqrt(2 / independent),
                "variance of means");
}

/* ---- Erlang ---- */

static void erlang_by_known_values(void **state)
{
    (void)state;
    assert_near(erlang_b(10, 5), 0.0183845703366, 1e-12, "B(10, 5)");
    assert_near(erlang_c(4, 3.2), 0.596432471787, 1e-11, "C(4, 3.2)");
    assert_near(erlang_c(8, 7.2), 0.701532990146, 1e-11, "C(8, 7.2)");
    assert_near(erlang_c(100, 90), 0.216940480906, 1e-11, "C(100, 90)");
    assert_near(erlang_c(1, 0.7), 0.7, 1e-12, "C(1, a) = a");
    assert_near(erlang_b(3, 0), 0, 0, "no load");
}

/* The integral that defines it, by the trapezoidal rule in the logarithm of t. */
static double b_by_integral(double c, double a)
{
    double sum = 0;
    for (double v = -40; v <= 6; v += 0.001) {
        double t = exp(v);
        sum += 0.001 * t * exp(-a * t + c * log1p(t));
    }
    return 1 / (a * sum);
}

static void erlang_between_whole_servers(void **state)
{
    (void)state;
    static const double rows[][2] = {{0.4, 0.3}, {2.5, 2}, {7.25, 6.5}, {33.3, 30}, {80.8, 77}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_relative(erlang_b(rows[i][0], rows[i][1]), b_by_integral(rows[i][0], rows[i][1]),
                        1e-6, "B of a broken number of servers");
    }
    /* And where the limit of many servers takes over. */
    assert_relative(erlang_c(20001, 20001 * 0.993), erlang_c(19999, 19999 * 0.993), 0.02,
                    "many servers");
}

static void the_table_is_as_the_formula(void **state)
{
    (void)state;
    struct erlang_table *t = erlang_table_new();
    assert_non_null(t);
    for (unsigned c = 1; c < 1500; c = c * 2 + 1) {
        for (double rho = 0.05; rho < INTERVAL_MOST_LOAD; rho += 0.0417) {
            assert_near(erlang_table_c(t, c, rho), erlang_c(c, c * rho), 2e-3, "C from the table");
        }
    }
    erlang_table_begin(t, 2); /* Hayward: half the servers */
    assert_near(erlang_table_c(t, 20, 0.8), erlang_c(10, 8), 1e-3, "peaked");
    erlang_table_free(t);
}

static struct interval_waits waits_of(struct erlang_table *t, double servers, double rho,
                                      double cs2, double limit, double timeout_s)
{
    const struct interval_queue q = {.servers = servers,
                                     .s_s = 1,
                                     .ca2 = 1,
                                     .cs2 = cs2,
                                     .limit = limit,
                                     .timeout_s = timeout_s,
                                     .step_s = 60};
    return interval_waits(t, &q, rho);
}

static void waits_of_known_queues(void **state)
{
    (void)state;
    struct erlang_table *t = erlang_table_new();
    assert_non_null(t);
    struct interval_waits w = waits_of(t, 4, 0.8, 1, 1e6, HUGE_VAL);
    assert_near(w.waiting / w.rate, 0.745540589734, 2e-3, "M/M/4, mean wait");
    assert_near(w.waiting * w.mean_s, 0.745540589734, 2e-3, "the same");
    assert_near(w.dropped, 0, 0, "nothing is dropped");
    w = waits_of(t, 4, 0.8, 0, 1e6, HUGE_VAL);
    assert_relative(w.waiting / w.rate, 0.386094931, 0.01, "M/D/4, mean wait (Crommelin)");
    w = waits_of(t, 1, 0.8, 0, 1e6, HUGE_VAL);
    assert_relative(w.waiting / w.rate, 2, 1e-3, "M/D/1, mean wait");
    w = waits_of(t, 4, 0.8, 1, 6, HUGE_VAL);
    assert_near(w.dropped, 0.035740722481, 2e-4, "M/M/4/10");
    w = waits_of(t, 10, 0.5, 1, 0, HUGE_VAL);
    assert_near(w.dropped, 0.0183845703366, 2e-4, "Erlang B");
    assert_near(w.waiting, 0, 0, "nobody waits without a queue");
    erlang_table_free(t);
}

/* M/M/c/c+K by its birth and death equations: the shares of requests that find the queue full and
 * that wait, and the mean wait of those. */
static void birth_and_death(int servers, double a, int limit, double *full, double *wait,
                            double *mean_s)
{
    double p = 1, sum = 0, waits = 0, wait_sum_s = 0;
    for (int n = 0; n <= servers + limit; n++) {
        p *= n > 0 ? a / fmin(n, servers) : 1;
        sum += p;
        if (n >= servers && n < servers + limit) {
            waits += p;
            wait_sum_s += p * (n - servers + 1) / servers;
        }
    }
    *full = p / sum;
    *wait = waits / sum;
    *mean_s = wait_sum_s / waits;
}

static void limited_queues_at_any_load(void **state)
{
    (void)state;
    struct erlang_table *t = erlang_table_new();
    assert_non_null(t);
    static const double loads[] = {0.5, 0.9, 1, 1.3, 2};
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        double full, wait, mean_s, rho = loads[i];
        birth_and_death(4, 4 * rho, 6, &full, &wait, &mean_s);
        struct interval_waits w = waits_of(t, 4, rho, 1, 6, HUGE_VAL);
        assert_true(w.steady);
        assert_near(w.dropped, full, 3e-4, "M/M/4/10, full");
        assert_near(w.waiting, wait, 3e-4, "M/M/4/10, waits");
        assert_relative(w.mean_s, mean_s, 1e-6, "M/M/4/10, mean wait");
    }
    /* M/M/1+D at lambda = 2, mu = D = 1: 2 (e - 1) wait, 2 e in vain, and one is served at once. */
    struct interval_waits w = waits_of(t, 1, 2, 1, 1e6, 1);
    const double all = 1 + 2 * (M_E - 1) + 2 * M_E;
    assert_near(w.waiting, 2 * (M_E - 1) / all, 2e-6, "M/M/1+D, waits");
    assert_near(w.timed_out, 2 * M_E / all, 2e-6, "M/M/1+D, waits in vain");
    assert_near(w.mean_s, 1 / (M_E - 1), 2e-6, "M/M/1+D, mean wait");
    double points[QUEUE_LIMITS_POINTS], sum_s = 0;
    queue_limits_points(&w, 0.5, points);
    for (size_t i = 0; i < QUEUE_LIMITS_POINTS; i++) {
        assert_true(points[i] > 0 && points[i] < 1);
        sum_s += points[i] / QUEUE_LIMITS_POINTS;
    }
    assert_relative(sum_s, w.mean_s, 2e-3, "the mean of its points");
    /* Served plus lost is what came, at any load: lambda (1 - lost) = mu P(busy). */
    w = waits_of(t, 1, 1, 1, 1e6, 1);
    assert_near(1 - w.timed_out, w.waiting + w.timed_out, 1e-6, "M/M/1+D at a load of 1");
    w = waits_of(t, 10, 300, 1, 1e6, 2);
    assert_near(w.timed_out, 1 - 1 / 300.0, 1e-6, "far above what can be served");
    w = waits_of(t, 10, 0.9, 1, 1e6, 3600);
    assert_true(w.law == WAITS_EXPONENTIAL && !w.steady);
    erlang_table_free(t);
}

static void distance_from_the_wall(void **state)
{
    (void)state;
    assert_near(queue_limits_wall(13, 10, 1, 1), 3, 1e-4, "lambda - c / s when all is exponential");
    assert_near(queue_limits_wall(10, 10, 1, 1), 0, 0, "at a load of 1");
    double y = queue_limits_wall(13, 10, 1, 0) / 10;
    assert_near(y, 1.3 * -expm1(-y), 1e-4, "constant times of service");
    /* Constant times between arrivals, too: y / rho = log(1 + y). */
    y = queue_limits_wall(13, 10, 0, 1) / 10;
    assert_near(y / 1.3, log1p(y), 1e-4, "regular arrivals");
    assert_near(queue_limits_variance(4, 1, 8), 8, 0, "a Poisson process");
    assert_near(queue_limits_variance(4, 0, 8), 4 / 6.0, 1e-12, "constant times, any phase");
}

/* ---- backlog ---- */

static void what_comes_first_goes_first(void **state)
{
    (void)state;
    struct interval_backlog b = {0};
    const struct request_mix fresh = request_mix_fresh();
    for (int i = 0; i < 300; i++) {
        assert_true(interval_backlog_add(&b, i, i + 1, 10, &fresh));
    }
    assert_near(b.amount, 3000, 0, "amount");
    struct backlog_parcel p = interval_backlog_take(&b, 4);
    assert_near(p.from_s, 0, 0, "from");
    assert_near(p.to_s, 0.4, 1e-12, "to");
    p = interval_backlog_take(&b, 100);
    assert_near(p.amount, 6, 1e-12, "no more than the first parcel");
    assert_near(p.from_s, 0.4, 1e-12, "where the last ended");
    double left = 0;
    while (b.count > 0) {
        left += interval_backlog_take(&b, 1e9).amount;
    }
    assert_near(left, 2990, 1e-9, "all the rest");
    /* More stretches than are kept apart: joined, none lost, in order. */
    for (int i = 0; i < 40000; i++) {
        assert_true(interval_backlog_add(&b, i, i + 1, 1, &fresh));
    }
    double last_s = 0;
    left = 0;
    while (b.count > 0) {
        p = interval_backlog_take(&b, 3);
        assert_true(p.from_s >= last_s - 1e-9);
        last_s = p.to_s;
        left += p.amount;
    }
    assert_near(left, 40000, 1e-6, "joined");
    interval_backlog_release(&b);
}

/* ---- latencies ---- */

static void latencies_of_a_steady_queue(void **state)
{
    (void)state;
    /* M/M/1 at 0.8: waits are 0 with 0.2, else exponential; the sojourn is exponential, mean 5. */
    static struct interval_latency l;
    static struct log_histogram wait, latency;
    static double points[INTERVAL_SERVICE_POINTS];
    struct distribution time = {
        .family = DISTRIBUTION_EXPONENTIAL, .p = {1}, .low = 0, .high = HUGE_VAL};
    char message[128];
    assert_true(distribution_prepare(&time, NULL, message, sizeof message));
    assert_near(interval_variation(&time), 1, 1e-3, "variation of an exponential law");
    interval_service_points(&time, points);
    interval_latency_clear(&l);
    l.at_once = 20;
    interval_latency_tail(&l, 0.2, 80);
    struct interval_latency_result r =
        interval_latency_make(&l, &time, points, HUGE_VAL, 5, &wait, &latency);
    assert_near(r.weight, 100, 1e-9, "weight");
    assert_near(r.wait_sum_s, 400, 1e-9, "waits");
    assert_near(r.within_slo, 1 - exp(-1), 2e-3, "within a mean sojourn");
    assert_relative(log_histogram_quantile(&latency, 0.5), 3.465735903, 0.01, "median");
    assert_relative(log_histogram_quantile(&latency, 0.95), 14.97866137, 0.02, "p95");
    /* Cut at a timeout of 10 s. */
    r = interval_latency_make(&l, &time, points, 10, 5, &wait, &latency);
    assert_near(r.wait_sum_s, 80 * (5 - 10 / expm1(2)), 1e-6, "waits below the timeout");
    assert_true(wait.largest <= 10);
}

/* ---- which mode ---- */

#define HEAD                                                                                       \
    "version: 1\nstart: 2026-03-02\nhorizon: 6h\nregion: us-east-1\nprices_as_of: 2025-11-30\n"    \
    "replications: 1\n"

static const char *mode_of(const char *workload)
{
    static char text[1000], told[300];
    snprintf(text, sizeof text,
             HEAD "workloads: {w: {kind: inference, %s}}\nstrategies: {s: {instance: g6e.xlarge, "
                  "nodes: 9, buy: on-demand}}\n",
             workload);
    struct study *study = study_from_text(text, NULL);
    const struct assumptions *a = &study->assumptions;
    told[0] = 0;
    for (size_t i = 0; i < a->count; i++) {
        if (strstr(a->items[i].what, "are simulated") != NULL) {
            snprintf(told, sizeof told, "%s", a->items[i].value);
        }
    }
    study_free(study);
    return told;
}

static void the_service_says_how_it_is_simulated(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"demand: 3/s, service: {any: {time: 1s}}", "in steps"},
        {"demand: 1.9/s, service: {any: {time: 1s}}", "one by one: 1.9 requests/s"},
        {"demand: 3/s, mode: requests, service: {any: {time: 1s}}", "one by one: stated"},
        {"demand: 1/s, mode: interval, service: {any: {time: 1s}}", "period: stated"},
        {"demand: {rate: 3/s, cv: 3.5}, service: {any: {time: 1s}}", "one by one: requests come"},
        {"demand: {rate: 3/s, bursts: {every: 10min, for: 30s, factor: 6}}, service: {any: {time: "
         "1s}}",
         "one by one: bursts last 30 s"},
        {"demand: {rate: 3/s, bursts: {every: 10min, for: 60s, factor: 6}}, service: {any: {time: "
         "1s}}",
         "in steps"},
        {"demand: 3/s, service: {any: {time: 'gamma(1s, 2)'}}", "one by one: times of service"},
        {"demand: 3/s, retries: 1, service: {any: {time: 1s}}", "in steps"},
        {"demand: 3/s, retries: 1, timeout: 5s, service: {any: {time: 1s}}",
         "one by one: what is dropped"},
        {"demand: {rate: 3/s, cv: 2}, timeout: 5s, slo: 4s, service: {any: {time: 1s}}",
         "one by one: requests come in clusters, and the objective"},
        {"demand: {rate: 3/s, cv: 2}, timeout: 50s, slo: 4s, service: {any: {time: 1s}}",
         "in steps"},
        {"demand: 3/s, timeout: 3s, slo: 4s, service: {any: {time: 1s}}",
         "one by one: times of service hardly vary"},
        {"demand: 3/s, timeout: 7s, slo: 8s, service: {any: {time: 1s}}",
         "one by one: times of service hardly vary"},
        {"demand: 3/s, timeout: 9s, slo: 10s, service: {any: {time: 1s}}", "in steps"},
        {"demand: 3/s, timeout: 3s, slo: 4s, service: {any: {time: exponential(1s)}}", "in steps"},
        {"demand: 3/s, queue_limit: 15, slo: {ttft: 4s}, llm: {model: llama-3-8b, prompt: 500, "
         "output: 100}",
         "one by one: a language model's objective"},
        {"demand: 3/s, mode: interval, timeout: 4s, slo: {ttft: 4s}, llm: {model: llama-3-8b, "
         "prompt: 500, output: 100}",
         "stated, though steps err: a language model's objective"},
        {"demand: 3/s, retries: 9, service: {any: {time: 1s}}", "one by one: its requests are"},
        {"demand: 3/s, llm: {model: llama-3-8b, prompt: 500, output: 100}", "in steps"},
        {"demand: 1.9/s, llm: {model: llama-3-8b, prompt: 500, output: 100}", "one by one: 1.9"},
        {"demand: {rate: 3/s, bursts: {every: 2h, for: 10min, factor: 3}}, llm: {model: "
         "llama-3-8b, prompt: 500, output: 100}",
         "one by one: bursts of a language model"},
        {"demand: 3/s, llm: {model: llama-3-8b, prompt: 500, output: 'exponential(80..120)'}",
         "one by one: more of the language model is uncertain"},
        {"demand: 3/s, llm: {model: llama-3-8b, prompt: 500, output: 100, admission: chunk}",
         "one by one: prompts admitted"},
        {"demand: 3/s, service: {any: {batch: {max: 4, base: 1s, each: 0s}}}",
         "one by one: its replicas serve batches"},
        {"demand: 3/s, service: {any: {time: 1s, slots: 8, sharing: yes}}",
         "one by one: the slots of its replicas share"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *told = mode_of(rows[i][0]);
        if (strstr(told, rows[i][1]) == NULL) {
            fail_msg("%s: expected '%s', told '%s'", rows[i][0], rows[i][1], told);
        }
    }
}

#define SWINGS_IN(mode, autoscaler)                                                                \
    "workloads: {w: {kind: inference, " mode                                                       \
    "demand: 6/s, llm: {model: llama-2-7b, context: 4096, "                                        \
    "prompt: 'lognormal(p50=500, p95=2200)', output: 'lognormal(p50=130, p95=420)'}}}\n"           \
    "strategies: {s: {instance: g5.xlarge, buy: on-demand, nodes: 5, max_replicas: 60, "           \
    "autoscale: {name: " autoscaler "}}}\n"
#define SWINGS(autoscaler) SWINGS_IN("", autoscaler)

static void what_steps_follow_is_not_refused(void **state)
{
    (void)state;
    static const char *const rows[] = {
        SWINGS("target-tracking, concurrency: 6"), SWINGS("target-tracking, requests: 1/s"),
        SWINGS("hpa, concurrency: 10"), SWINGS("keda, queue: 6"),
        /* Stated: a warning only. */
        SWINGS_IN("mode: interval, ", "target-tracking, concurrency: 10"),
        SWINGS_IN("mode: requests, ", "hpa, queue: 1")};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1500];
        snprintf(text, sizeof text, HEAD "%s", rows[i]);
        study_free(study_from_text(text, NULL));
    }
}

static void what_steps_cannot_do_is_refused(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"workloads: {w: {kind: inference, demand: 3/s, service: {any: {time: 1s}}}}\n"
         "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, min_replicas: 0, max_replicas: "
         "9, autoscale: {name: keda, queue: 1}}}\n",
         "state 'mode: requests' in 'w'"},
        {"workloads: {w: {kind: inference, mode: interval, demand: 3/s, retries: 9, service: {any: "
         "{time: 1s}}}}\nstrategies: {s: {instance: g4dn.xlarge, nodes: 4, buy: on-demand}}\n",
         "its requests are sent again"},
        {"workloads: {w: {kind: inference, demand: 3/s, llm: {model: llama-3-8b, prompt: 500, "
         "output: 100}}}\nstrategies: {s: {nodes: 4, fill: [{instance: g6e.xlarge, buy: on-demand, "
         "nodes: 2}, {instance: g5.xlarge, buy: spot}]}}\n",
         "a router tells them apart"},
        /* A replica has 6.6 in flight at three fifths of its load, 44 % of those that fill it. */
        {SWINGS("target-tracking, concurrency: 7"), "a replica has 6.62 at 60 % of its load"},
        {SWINGS("target-tracking, utilisation: 50 %"), "a replica has 44.1 % at 60 % of its load"},
        {SWINGS("hpa, queue: 1"), "scales 'w' by its queue"},
        {SWINGS("keda, queue: 9, in_flight: no"), "scales 'w' by its queue"},
        {SWINGS("step-scaling, out: {latency: 9s, count: 1}"), "scales 'w' by its latency"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1500];
        int exit_code = 0;
        snprintf(text, sizeof text, HEAD "%s", rows[i][0]);
        char *told = study_errors(text, &exit_code);
        if (strstr(told, rows[i][1]) == NULL) {
            fail_msg("expected '%s', told:\n%s", rows[i][1], told);
        }
        free(told);
    }
}

/* ---- whole worlds, beside request level ---- */

#define SERVICE_TEXT                                                                               \
    HEAD "workloads: {w: {kind: inference, mode: %s, boot: 1min, measure_from: 30min, slo: 1s, "   \
         "%s}}\nstrategies: {s: {instance: g4dn.xlarge, nodes: 6, max_replicas: %d, buy: "         \
         "on-demand, autoscale: {name: %s}}}\n"

static struct run run_mode(const char *mode, const char *workload, int most, const char *scales)
{
    char text[2000];
    struct run run;
    snprintf(text, sizeof text, SERVICE_TEXT, mode, workload, most, scales);
    struct study *study = study_from_text(text, NULL);
    study_run(&run, study, 1);
    study_free(study);
    return run;
}

/* An engine that is certain, so that one world says much; at most 9 replicas, and at most 2. */
static struct run run_llm(const char *mode, int most, const char *more)
{
    char text[2000];
    struct run run;
    snprintf(text, sizeof text,
             HEAD
             "workloads: {w: {kind: inference, mode: %s, boot: 1min, measure_from: 30min, "
             "slo: {ttft: 150ms, tpot: 45ms}, demand: 12/s, %sllm: {model: llama-3-8b, "
             "factor: 1, prompt: 'lognormal(p50=500, p95=2200)', output: 'exponential(150)', "
             "context: 8192}}}\nstrategies: {s: {instance: g6e.xlarge, nodes: 2, max_replicas: "
             "%d, buy: on-demand, autoscale: {name: hpa, concurrency: 20}}}\n",
             mode, more, most);
    struct study *study = study_from_text(text, NULL);
    study_run(&run, study, 1);
    study_free(study);
    return run;
}

static void language_models_cost_what_requests_cost(void **state)
{
    (void)state;
    static const struct {
        int most;
        const char *more;
        double latency; /* tolerance: a fluid always waits as long as the timeout lets it */
    } rows[] = {{9, "", 0.05}, {1, "timeout: 30s, ", 0.15}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct run a = run_llm("requests", rows[i].most, rows[i].more);
        struct run b = run_llm("interval", rows[i].most, rows[i].more);
        const struct {
            enum metric metric;
            double tolerance; /* relative */
        } near[] = {{METRIC_REQUESTS, 0.01},
                    {METRIC_COST, 0.03},
                    {METRIC_LATENCY_P50, rows[i].latency},
                    {METRIC_LATENCY_P95, 2 * rows[i].latency},
                    {METRIC_REQUESTS_SERVED, 0.02},
                    {METRIC_OUTPUT_TOKENS, 0.02}};
        for (size_t k = 0; k < sizeof near / sizeof near[0]; k++) {
            assert_relative(run_value(&b, 0, 0, near[k].metric),
                            run_value(&a, 0, 0, near[k].metric), near[k].tolerance,
                            metric_table[near[k].metric].name);
        }
        assert_near(run_value(&b, 0, 0, METRIC_SLO_ATTAINED),
                    run_value(&a, 0, 0, METRIC_SLO_ATTAINED), 0.02, "attainment");
        static const enum metric parts[] = {METRIC_REQUESTS_SERVED,    METRIC_REQUESTS_DROPPED,
                                            METRIC_REQUESTS_TIMED_OUT, METRIC_REQUESTS_LOST,
                                            METRIC_REQUESTS_LEFT,      METRIC_REQUESTS_REJECTED};
        double sum = 0;
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
            sum += run_value(&b, 0, 0, parts[k]);
        }
        assert_near(sum, run_value(&b, 0, 0, METRIC_REQUESTS), 1e-6, "they add up");
        run_release(&a);
        run_release(&b);
    }
}

static void steps_cost_what_requests_cost(void **state)
{
    (void)state;
    static const struct {
        const char *workload;
        int most;
        const char *scales;
    } rows[] = {
        {"demand: 8/s, service: {any: {time: exponential(500ms)}}", 40, "hpa, utilisation: 60 %"},
        {"demand: 8/s, queue_limit: 30, timeout: 8s, service: {any: {time: exponential(500ms)}}", 3,
         "target-tracking, utilisation: 85 %"},
        {"demand: 8/s, service: {any: {time: exponential(500ms)}}", 40, "keda, queue: 0.6"},
        /* Nobody serves from 01:00 to 02:00: what comes waits. */
        {"demand: 8/s, service: {any: {time: exponential(500ms)}}", 40,
         "scheduled, actions: [{at: 1h, replicas: 0, min: 0, max: 0}, {at: 2h, replicas: 9, min: "
         "9, max: 40}]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct run a = run_mode("requests", rows[i].workload, rows[i].most, rows[i].scales);
        struct run b = run_mode("interval", rows[i].workload, rows[i].most, rows[i].scales);
        double requests = run_value(&a, 0, 0, METRIC_REQUESTS);
        assert_relative(run_value(&b, 0, 0, METRIC_REQUESTS), requests, 4 / sqrt(requests),
                        "requests");
        assert_relative(run_value(&b, 0, 0, METRIC_COST), run_value(&a, 0, 0, METRIC_COST), 0.03,
                        "cost");
        assert_near(run_value(&b, 0, 0, METRIC_SLO_ATTAINED),
                    run_value(&a, 0, 0, METRIC_SLO_ATTAINED), 0.02, "attainment");
        double sum = 0;
        static const enum metric parts[] = {METRIC_REQUESTS_SERVED, METRIC_REQUESTS_DROPPED,
                                            METRIC_REQUESTS_TIMED_OUT, METRIC_REQUESTS_LOST,
                                            METRIC_REQUESTS_LEFT};
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
            sum += run_value(&b, 0, 0, parts[k]);
            assert_near(run_value(&b, 0, 0, parts[k]), run_value(&a, 0, 0, parts[k]),
                        0.02 * requests, metric_table[parts[k]].name);
        }
        assert_near(sum, run_value(&b, 0, 0, METRIC_REQUESTS), 1e-6, "they add up");
        run_release(&a);
        run_release(&b);
    }
}

/* ---- replicas that go ---- */

static void those_that_vanish_take_what_they_serve(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "market: {spot: {g4dn.xlarge: {price: 0.2 USD/h, capacity: constant, nodes: 400, "
             "lifetime: exponential(30min), notice: 0s}}}\nworkloads: {w: {kind: inference, mode: "
             "interval, boot: 0s, demand: 2/s, service: {any: {time: 40s}}}}\nstrategies: {s: "
             "{instance: g4dn.xlarge, buy: spot, nodes: 160}}\n";
    struct study *study = study_from_text(text, NULL);
    struct run run;
    study_run(&run, study, 1);
    /* Each of some 1,900 losses takes half a request with it; of 40 s a share of 40 / 1800 is hit.
     */
    double lost = 2.0 * 21600 * 40 / 1800, losses = run_value(&run, 0, 0, METRIC_INTERRUPTIONS);
    assert_true(losses > 1000);
    assert_near(run_value(&run, 0, 0, METRIC_REQUESTS_LOST), lost, 4 * lost / sqrt(losses), "lost");
    run_release(&run);
    study_free(study);
}

static double node_hours_of_shrinking(const char *mode)
{
    static const char text[] =
        HEAD "workloads: {w: {kind: inference, mode: %s, boot: 0s, demand: 0.7/s, service: {any: "
             "{time: 'uniform(20s, 60s)'}}}}\nstrategies: {s: {instance: g4dn.xlarge, buy: "
             "on-demand, max_replicas: 40, autoscale: {name: scheduled, actions: [%s]}}}\n";
    char actions[2000] = "", full[3000];
    for (int hour = 0; hour < 24; hour++) {
        snprintf(actions + strlen(actions), sizeof actions - strlen(actions),
                 "%s{at: %dmin, replicas: 40}, {at: %dmin, replicas: 30}", hour > 0 ? ", " : "",
                 60 * hour, 60 * hour + 30);
    }
    snprintf(full, sizeof full, text, mode, actions);
    struct study *study = study_from_text(full, NULL);
    struct run run;
    study_run(&run, study, 1);
    double hours = run_value(&run, 0, 0, METRIC_NODE_HOURS);
    run_release(&run);
    study_free(study);
    return hours;
}

static void draining_costs_what_it_costs(void **state)
{
    (void)state;
    /* 210 node-hours without draining; six times ten nodes drain for half a minute or so. */
    double requests_h = node_hours_of_shrinking("requests");
    double steps_h = node_hours_of_shrinking("interval");
    assert_true(steps_h > 210.1 && requests_h > 210.1);
    assert_near(steps_h, requests_h, 0.3, "node-hours");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_step_keeps_the_stationary_law),
        cmocka_unit_test(the_load_settles_at_its_mean),
        cmocka_unit_test(erlang_by_known_values),
        cmocka_unit_test(erlang_between_whole_servers),
        cmocka_unit_test(the_table_is_as_the_formula),
        cmocka_unit_test(waits_of_known_queues),
        cmocka_unit_test(limited_queues_at_any_load),
        cmocka_unit_test(distance_from_the_wall),
        cmocka_unit_test(what_comes_first_goes_first),
        cmocka_unit_test(latencies_of_a_steady_queue),
        cmocka_unit_test(the_service_says_how_it_is_simulated),
        cmocka_unit_test(what_steps_follow_is_not_refused),
        cmocka_unit_test(what_steps_cannot_do_is_refused),
        cmocka_unit_test(steps_cost_what_requests_cost),
        cmocka_unit_test(language_models_cost_what_requests_cost),
        cmocka_unit_test(those_that_vanish_take_what_they_serve),
        cmocka_unit_test(draining_costs_what_it_costs),
    };
    gsl_errors_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
