/* SPDX-License-Identifier: GPL-3.0-or-later
 * The interval mode of services against request level, which is the same service, nodes and
 * autoscaler with every request simulated: `make validate` (no data is needed). Rows over loads,
 * autoscalers, overload, limits and bursts. Where `auto` takes the interval mode, cost must agree
 * within 3 % and attainment of the objective within 2 points, beyond two standard errors of the
 * differences between so few worlds; the other rows show why it does not take it. */
#include "engine/gsl_errors.h"
#include "tests/support/studies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COST_PERCENT      3.0
#define ATTAINMENT_POINTS 2.0

/* Standard errors of a row. */
#define CHANCE 2.0

enum { WORLDS = 4, MOST_WORLDS = 24 };

struct row {
    const char *name;
    const char *demand; /* beside the profile */
    const char *service;
    const char *slo;
    int most;
    const char *scaler;
    const char *more;
    const char *instance;
    const char *strategy; /* more of it */
    int days, worlds;
};

#define EXP                      "time: exponential(500ms)"
#define WITH(instance, strategy) instance, strategy, 1, WORLDS
#define G4_TYPE                  "g4dn.xlarge"
#define G6E_TYPE                 "g6e.xlarge"
#define G5_TYPE                  "g5.xlarge"
#define G4                       WITH(G4_TYPE, "")
#define G6E                      WITH(G6E_TYPE, "")
#define G5                       WITH(G5_TYPE, "")
#define HPA                      "hpa, utilisation: 60 %"
#define TT                       "target-tracking, utilisation: 85 %"

static const struct row rows[] = {
    {"M/M/c, HPA 0.6", "rate: 20/s", EXP, "1s", 200, HPA, "", G4},
    {"M/M/c, target tracking 0.85", "rate: 20/s", EXP, "1s", 200, TT, "", G4},
    {"the same, objective 300 ms", "rate: 20/s", EXP, "300ms", 200, TT, "", G4},
    {"the same, objective 3 s", "rate: 20/s", EXP, "3s", 200, TT, "", G4},
    {"8 slots a replica, target tracking 0.85", "rate: 60/s", EXP ", slots: 8", "1s", 200, TT, "",
     G4},
    {"2 requests/s, HPA 0.6", "rate: 2/s", EXP, "1s", 200, HPA, "", G4},
    {"constant times, target tracking 0.85", "rate: 20/s", "time: 500ms", "600ms", 200, TT, "", G4},
    {"service cv 1.5, target tracking 0.85", "rate: 20/s",
     "time: 'lognormal(p50=277ms, p95=1652ms)'", "2s", 200, TT, "", G4},
    {"service cv 3, HPA 0.6", "rate: 20/s", "time: 'lognormal(p50=158ms, p95=1918ms)'", "2s", 200,
     HPA, "", G4},
    {"10 s of service, HPA 0.7", "rate: 20/s", "time: exponential(10s)", "30s", 800,
     "hpa, utilisation: 70 %", "", G4},
    {"arrivals of cv 3, target tracking 0.85", "rate: 20/s, cv: 3", EXP, "1s", 200, TT, "", G4},
    {"arrivals of cv 5, target tracking 0.85", "rate: 20/s, cv: 5", EXP, "1s", 200, TT, "", G4},
    {"regular arrivals of cv 0.5", "rate: 20/s, cv: 0.5", EXP, "1s", 200, TT, "", G4},
    {"HPA on concurrency 0.8", "rate: 20/s", EXP, "1s", 200, "hpa, concurrency: 0.8", "", G4},
    {"target tracking, 1.5 requests/s a replica", "rate: 20/s", EXP, "1s", 200,
     "target-tracking, requests: 1.5/s", "", G4},
    {"SkyServe, 1.6 requests/s a replica", "rate: 20/s", EXP, "1s", 200,
     "skyserve, requests: 1.6/s", "", G4},
    {"overload, at most 10 replicas", "rate: 20/s", EXP, "1s", 10, HPA, "", G4},
    {"overload, queue limit 100", "rate: 20/s", EXP, "1s", 10, HPA, "queue_limit: 100, ", G4},
    {"overload, timeout 5 s", "rate: 20/s", EXP, "1s", 10, HPA, "timeout: 5s, ", G4},
    {"no queue, HPA 0.6", "rate: 20/s", EXP, "1s", 200, HPA, "queue_limit: 0, ", G4},
    {"bursts x4, 10 min every 2 h, HPA",
     "rate: 15/s, bursts: {every: 2h, for: 10min, factor: 4, regular: yes}", EXP, "1s", 400, HPA,
     "", G4},
    {"bursts x3, 1 min every 20 min on average, HPA",
     "rate: 15/s, bursts: {every: 20min, for: 1min, factor: 3}", EXP, "1s", 400, HPA, "", G4},
    {"bursts x6, 30 s every 10 min, HPA",
     "rate: 15/s, bursts: {every: 10min, for: 30s, factor: 6, regular: yes}", EXP, "1s", 400, HPA,
     "", G4},
    {"overload, timeout 5 s, sent again twice", "rate: 20/s", EXP, "8s", 10, HPA,
     "timeout: 5s, retries: 2, retry_after: 5s, ", G4},
    {"overload, queue limit 50, sent again 3 times", "rate: 20/s", EXP, "20s", 10, HPA,
     "queue_limit: 50, retries: 3, retry_after: 20s, ", G4},
    {"no queue, sent again twice, HPA 0.6", "rate: 20/s", EXP, "3s", 200, HPA,
     "queue_limit: 0, retries: 2, ", G4},
    /* Objectives near the wait that is enforced. */
    {"limit 100 (5 s), objective 4.5 s", "rate: 20/s", EXP, "4.5s", 10, HPA, "queue_limit: 100, ",
     G4},
    {"limit 100 (5 s), objective 5 s", "rate: 20/s", EXP, "5s", 10, HPA, "queue_limit: 100, ", G4},
    {"timeout 5 s, objective 5 s", "rate: 20/s", EXP, "5s", 10, HPA, "timeout: 5s, ", G4},
    {"timeout 500 ms, objective 600 ms", "rate: 20/s", EXP, "600ms", 10, HPA, "timeout: 500ms, ",
     G4},
    {"limit 5, objective 1 s", "rate: 20/s", EXP, "1s", 10, HPA, "queue_limit: 5, ", G4},
    {"limit 20, objective 1 s", "rate: 20/s", EXP, "1s", 10, HPA, "queue_limit: 20, ", G4},
    {"no queue, overload", "rate: 20/s", EXP, "1s", 10, HPA, "queue_limit: 0, ", G4},
    {"timeout 300 ms, tracking 0.85", "rate: 20/s", EXP, "600ms", 200, TT, "timeout: 300ms, ", G4},
    {"limit 3, tracking 0.85", "rate: 20/s", EXP, "600ms", 200, TT, "queue_limit: 3, ", G4},
    {"timeout 5 s, limit 80 (4 s), objective 4.5 s", "rate: 20/s", EXP, "4.5s", 10, HPA,
     "timeout: 5s, queue_limit: 80, ", G4},
    {"constant times, timeout 5 s, objective 5.4 s", "rate: 20/s", "time: 500ms", "5.4s", 10, HPA,
     "timeout: 5s, ", G4},
    {"constant times, limit 100, objective 5.4 s", "rate: 20/s", "time: 500ms", "5.4s", 10, HPA,
     "queue_limit: 100, ", G4},
    {"constant times, timeout 300 ms, objective 700 ms", "rate: 20/s", "time: 500ms", "700ms", 10,
     HPA, "timeout: 300ms, ", G4},
    {"arrivals of cv 2, limit 100, objective 5 s", "rate: 20/s, cv: 2", EXP, "5s", 10, HPA,
     "queue_limit: 100, ", G4},
    {"arrivals of cv 2, timeout 5 s, objective 5 s", "rate: 20/s, cv: 2", EXP, "5s", 10, HPA,
     "timeout: 5s, ", G4},
    {"arrivals of cv 1.5, timeout 5 s, objective 5 s", "rate: 20/s, cv: 1.5", EXP, "5s", 10, HPA,
     "timeout: 5s, ", G4},
    {"constant times, timeout 2.5 s, objective 2.9 s", "rate: 20/s", "time: 500ms", "2900ms", 10,
     HPA, "timeout: 2500ms, ", G4},
    {"arrivals of cv 3, timeout 5 s, objective 5 s", "rate: 20/s, cv: 3", EXP, "5s", 10, HPA,
     "timeout: 5s, ", G4},
    {"service cv 1.5, timeout 5 s, objective 5.5 s", "rate: 20/s",
     "time: 'lognormal(p50=277ms, p95=1652ms)'", "5.5s", 10, HPA, "timeout: 5s, ", G4},
    {"10 s of service, timeout 20 s, objective 25 s", "rate: 20/s", "time: exponential(10s)", "25s",
     200, "hpa, utilisation: 70 %", "timeout: 20s, ", G4},
    {"30 replicas, limit 30 (0.5 s), objective 1 s", "rate: 60/s", EXP, "1s", 30, HPA,
     "queue_limit: 30, ", G4},
    {"30 replicas, timeout 500 ms, objective 1 s", "rate: 60/s", EXP, "1s", 30, HPA,
     "timeout: 500ms, ", G4},
    /* Autoscalers. */
    {"KEDA on requests", "rate: 20/s", EXP, "1s", 200, "keda, requests: 1.5/s", "",
     WITH(G4_TYPE, "min_replicas: 1, ")},
    {"KEDA on the queue, with those in flight", "rate: 20/s", EXP, "1s", 200, "keda, queue: 0.7",
     "", WITH(G4_TYPE, "min_replicas: 1, ")},
    {"KEDA on those that wait alone", "rate: 20/s", EXP, "2s", 200, "keda, queue: 1, in_flight: no",
     "", WITH(G4_TYPE, "min_replicas: 1, ")},
    {"HPA on latency 700 ms", "rate: 20/s", EXP, "1s", 200, "hpa, latency: 700ms", "", G4},
    {"step scaling", "rate: 20/s", EXP, "1s", 200,
     "step-scaling, out: [{utilisation: 80 %, count: 2}, {utilisation: 95 %, count: 4}], in: "
     "{utilisation: 50 %, count: 1}",
     "", WITH(G4_TYPE, "min_replicas: 3, ")},
    {"simple scaling", "rate: 20/s", EXP, "1s", 200,
     "simple-scaling, out: {utilisation: 85 %, count: 3}, in: {utilisation: 60 %, count: 2}", "",
     G4},
    {"SageMaker", "rate: 20/s", EXP, "1s", 200, "sagemaker, most: 2/s, safety_factor: 0.8", "", G4},
    {"scheduled, and HPA", "rate: 20/s", EXP, "1s", 200,
     HPA "}, {name: scheduled, actions: [{at: 6h, min: 12}, {at: 18h, min: 2}]", "", G4},
    {"predictive, and target tracking", "rate: 20/s", EXP, "1s", 200,
     TT "}, {name: predictive, utilisation: 80 %", "", G4_TYPE, "", 4, WORLDS},
    {"HPA, seen a minute late", "rate: 20/s", EXP, "1s", 200, HPA, "",
     WITH(G4_TYPE, "monitoring: {delay: 1min}, ")},
    {"HPA, points of 1 min, 2 min late, noise 10 %", "rate: 20/s", EXP, "1s", 200, HPA, "",
     WITH(G4_TYPE, "monitoring: {period: 1min, delay: 2min, noise: 10 %}, ")},
    {"tracking, points of 5 min", "rate: 20/s", EXP, "1s", 200, TT, "",
     WITH(G4_TYPE, "monitoring: {period: 5min}, ")},
    {"tracking, 2 min late, noise 5 %", "rate: 20/s", EXP, "1s", 200, TT, "",
     WITH(G4_TYPE, "monitoring: {delay: 2min, noise: 5 %}, ")},
    {"tracking, warm-up of 3 min", "rate: 20/s", EXP, "1s", 200, TT, "",
     WITH(G4_TYPE, "warm_up: 3min, ")},
    {"bursts x3, 5 min every 30 min, tracking",
     "rate: 15/s, bursts: {every: 30min, for: 5min, factor: 3}", EXP, "1s", 400, TT, "", G4},
    {"bursts x3, 5 min, timeout 2 s, tracking",
     "rate: 15/s, bursts: {every: 30min, for: 5min, factor: 3}", EXP, "2s", 400, TT,
     "timeout: 2s, ", G4},
    {"bursts x3, 5 min, limit 20, KEDA", "rate: 15/s, bursts: {every: 30min, for: 5min, factor: 3}",
     EXP, "1s", 400, "keda, requests: 1.5/s", "queue_limit: 20, ",
     WITH(G4_TYPE, "min_replicas: 1, ")},
};

/* Llama 3 8B on L40S, which a cache of 195,000 tokens makes wide, and Llama 2 7B on A10G, where it
 * is 12,600 tokens and full before anything else. */
#define L8 "model: llama-3-8b, context: 8192, " LENGTHS
#define L7 "model: llama-2-7b, context: 4096, " LENGTHS
#define LENGTHS                                                                                    \
    "prompt: 'lognormal(p50=500, p95=2200)', output: 'lognormal(p50=130, p95=420)', "              \
    "correlation: 0.2"
#define SLO8 "{ttft: 500ms, tpot: 33ms}"
#define SLO7 "{ttft: 1s, tpot: 60ms}"

static const struct row llm_rows[] = {
    {"8B on L40S, HPA 20 in flight", "rate: 20/s", L8, SLO8, 40, "hpa, concurrency: 20", "", G6E},
    {"the same, objective TTFT 150 ms", "rate: 20/s", L8, "{ttft: 150ms}", 40,
     "hpa, concurrency: 20", "", G6E},
    {"the same, objective 8 s end to end", "rate: 20/s", L8, "8s", 40, "hpa, concurrency: 20", "",
     G6E},
    {"target tracking 20 in flight", "rate: 20/s", L8, SLO8, 40, "target-tracking, concurrency: 20",
     "", G6E},
    {"HPA 80 in flight", "rate: 20/s", L8, "{tpot: 40ms}", 40, "hpa, concurrency: 80", "", G6E},
    {"3 requests/s, HPA 20", "rate: 3/s", L8, SLO8, 40, "hpa, concurrency: 20", "", G6E},
    {"60 requests/s, HPA 20", "rate: 60/s", L8, SLO8, 120, "hpa, concurrency: 20", "", G6E},
    {"SkyServe, 4 requests/s a replica", "rate: 20/s", L8, SLO8, 40, "skyserve, requests: 4/s", "",
     G6E},
    {"HPA, utilisation 20 %", "rate: 20/s", L8, "{tpot: 40ms}", 40, "hpa, utilisation: 20 %", "",
     G6E},
    {"round robin, HPA 20", "rate: 20/s", L8 ", routing: round-robin", SLO8, 40,
     "hpa, concurrency: 20", "", G6E},
    {"two choices, prefill first, HPA 20", "rate: 20/s",
     L8 ", routing: two-choices, scheduling: prefill-first", SLO8, 40, "hpa, concurrency: 20", "",
     G6E},
    {"overload, at most 2 replicas", "rate: 20/s", L8, SLO8, 2, "hpa, concurrency: 20", "", G6E},
    {"overload, timeout 60 s", "rate: 20/s", L8, "{ttft: 30s}", 2, "hpa, concurrency: 20",
     "timeout: 60s, ", G6E},
    {"overload, queue limit 200", "rate: 20/s", L8, "20s", 2, "hpa, concurrency: 20",
     "queue_limit: 200, ", G6E},
    {"overload, timeout 20 s, sent again once", "rate: 20/s", L8, "{ttft: 15s}", 2,
     "hpa, concurrency: 20", "timeout: 20s, retries: 1, ", G6E},
    {"7B on A10G, HPA 6 in flight", "rate: 6/s", L7, SLO7, 60, "hpa, concurrency: 6", "", G5},
    {"7B on A10G, target tracking 6", "rate: 6/s", L7, "{ttft: 2s}", 60,
     "target-tracking, concurrency: 6", "", G5},
    /* The target is what a replica holds when it is nearly full: what is taken away at a light load
     * leaves the rest overloaded, so that there are too few and too many replicas in turn, hundreds
     * of times a day, at request level too. When it tips over is chance: worlds differ by half. */
    {"7B on A10G, target tracking 10 (swings)", "rate: 6/s", L7, "{ttft: 2s}", 60,
     "target-tracking, concurrency: 10", "", G5_TYPE, "", 1, MOST_WORLDS},
    {"7B on A10G, guaranteed, HPA 6", "rate: 6/s", L7 ", admission: guaranteed", SLO7, 60,
     "hpa, concurrency: 6", "", G5},
    {"7B on A10G, overload, at most 6", "rate: 6/s", L7, SLO7, 6, "hpa, concurrency: 6", "", G5},
    /* Requests outgrow the cache and are evicted: full replicas serve less than nearly full ones.
     */
    {"7B on A10G, long outputs, at most 14 (evicts)", "rate: 4/s",
     "model: llama-2-7b, context: 4096, prompt: 'lognormal(p50=300, p95=900)', output: "
     "'lognormal(p50=500, p95=1500)'",
     "{ttft: 2s}", 14, "hpa, concurrency: 12", "", G5},
    {"bursts x3, 10 min every 2 h, HPA 20",
     "rate: 15/s, bursts: {every: 2h, for: 10min, factor: 3, regular: yes}", L8, SLO8, 60,
     "hpa, concurrency: 20", "", G6E},
    {"limit 200 (9 s), TTFT 8 s", "rate: 20/s", L8, "{ttft: 8s}", 2, "hpa, concurrency: 20",
     "queue_limit: 200, ", G6E},
    {"timeout 10 s, TTFT 10.2 s", "rate: 20/s", L8, "{ttft: 10200ms}", 2, "hpa, concurrency: 20",
     "timeout: 10s, ", G6E},
    {"timeout 1 s, TTFT 1 s", "rate: 20/s", L8, "{ttft: 1s}", 2, "hpa, concurrency: 20",
     "timeout: 1s, ", G6E},
    {"7B, timeout 10 s, TTFT 10 s", "rate: 6/s", L7, "{ttft: 10s}", 6, "hpa, concurrency: 6",
     "timeout: 10s, ", G5},
    {"KEDA, a queue of 20 with those in flight", "rate: 20/s", L8, SLO8, 40, "keda, queue: 20", "",
     WITH(G6E_TYPE, "min_replicas: 1, ")},
    {"HPA on the queue (swings)", "rate: 6/s", L7, "{ttft: 2s}", 60, "hpa, queue: 1", "", G5},
    {"HPA on latency 8 s (swings)", "rate: 6/s", L7, "{ttft: 2s}", 60, "hpa, latency: 8s", "", G5},
    {"KEDA 20 in flight", "rate: 20/s", L8, SLO8, 40, "keda, concurrency: 20", "",
     WITH(G6E_TYPE, "min_replicas: 1, ")},
    {"step scaling", "rate: 20/s", L8, SLO8, 40,
     "step-scaling, out: [{concurrency: 25, percent: 20 %}, {concurrency: 60, percent: 50 %}], in: "
     "{concurrency: 12, percent: 10 %}",
     "", G6E},
    {"HPA 20, points of 1 min, 1 min late, noise 10 %", "rate: 20/s", L8, SLO8, 40,
     "hpa, concurrency: 20", "",
     WITH(G6E_TYPE, "monitoring: {period: 1min, delay: 1min, noise: 10 %}, ")},
    {"predictive, and target tracking 20", "rate: 20/s", L8, SLO8, 40,
     "target-tracking, concurrency: 20}, {name: predictive, concurrency: 20", "", G6E_TYPE, "", 3,
     WORLDS},
};

/* Services on one fleet, all in steps against all request by request. */
enum { MOST_MEMBERS = 3 };
struct fleet_row {
    const char *name;
    const char *instance, *buy, *market;
    int most_nodes, worlds;
    struct {
        const char *demand, *service, *slo, *scaler;
    } members[MOST_MEMBERS];
};

#define FOURTHS  "{any: {time: exponential(500ms), replicas_per_node: 4}}"
#define HALVES   "{any: {time: exponential(1500ms), slots: 2, replicas_per_node: 2}}"
#define EIGHTHS  "{any: {time: exponential(100ms), replicas_per_node: 8}}"
#define G4_LARGE "g4dn.12xlarge"
#define THREE                                                                                      \
    {                                                                                              \
        {"rate: 20/s", "service: " FOURTHS, "1s", HPA},                                            \
            {"rate: 6/s", "service: " HALVES, "3s", "target-tracking, utilisation: 70 %"},         \
        {                                                                                          \
            "rate: 30/s", "service: " EIGHTHS, "500ms", "hpa, utilisation: 50 %"                   \
        }                                                                                          \
    }

static const struct fleet_row fleet_rows[] = {
    {"fourths, halves and eighths of a node", G4_LARGE, "buy: on-demand", "", 100, WORLDS, THREE},
    {"the same, on spot with stand-ins", G4_LARGE, "fill: [{buy: spot}, {buy: on-demand}]",
     "market: {spot: {" G4_LARGE ": {availability: 0.7, notice: 2min}}}\n", 100, WORLDS, THREE},
    {"the same, 9 nodes at most: some find no place", G4_LARGE, "buy: on-demand", "", 9,
     MOST_WORLDS, THREE},
    {"a language model and eighths",
     "g6e.12xlarge",
     "buy: on-demand",
     "",
     60,
     WORLDS,
     {{"rate: 20/s", "llm: {accelerators: 1, " L8 "}", SLO8, "hpa, concurrency: 20"},
      {"rate: 60/s", "service: " EIGHTHS, "500ms", TT}}},
    {"bursts of one member",
     G4_LARGE,
     "buy: on-demand",
     "",
     100,
     WORLDS,
     {{"rate: 15/s, bursts: {every: 2h, for: 10min, factor: 4, regular: yes}", "service: " FOURTHS,
       "1s", HPA},
      {"rate: 30/s", "service: " EIGHTHS, "500ms", HPA}}},
};

static const char profile[] = "profile: [3, 2, 1, 1, 1, 2, 4, 7, 9, 10, 10, 11, 12, 12, 11, 11, "
                              "12, 13, 15, 16, 14, 10, 7, 5]";

struct seen {
    double cost[MOST_WORLDS], attained[MOST_WORLDS];
    struct mean dropped, p95_s;
    bool interval, refused; /* by `auto`: it says so, with what to do */
};

/* Mean over worlds, which both ways of simulating share, and its standard error. */
static struct mean mean_of(const double *values, int worlds)
{
    struct mean m = {0};
    for (int i = 0; i < worlds; i++) {
        m.mean += values[i] / worlds;
    }
    for (int i = 0; i < worlds; i++) {
        m.sd += (values[i] - m.mean) * (values[i] - m.mean) / (worlds - 1);
    }
    m.sd = sqrt(m.sd);
    m.error = m.sd / sqrt(worlds);
    return m;
}

static int jobs(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 1 ? (int)count : 1;
}

static struct seen run_row(const struct row *row, const char *mode)
{
    char text[3000];
    struct run run;
    bool llm = strcmp(row->instance, G4_TYPE) != 0;
    snprintf(text, sizeof text,
             "version: 1\nstart: 2026-03-02\nhorizon: %dd\nregion: us-east-1\nprices_as_of: "
             "2025-11-30\nreplications: %d\nworkloads: {w: {kind: inference, mode: %s, boot: 1min, "
             "measure_from: 1h, slo: %s, %sdemand: {%s, %s}, %s%s%s}}\nstrategies: "
             "{s: {instance: %s, buy: on-demand, nodes: 5, %smax_replicas: %d, autoscale: "
             "[{name: %s}]}}\n",
             row->days, row->worlds, mode, row->slo, row->more, row->demand, profile,
             llm ? "llm: {" : "service: {any: {", row->service, llm ? "}" : "}}", row->instance,
             row->strategy, row->most, row->scaler);
    struct seen seen = {.interval = false};
    bool named_so = strstr(row->name, "(swings)") != NULL || strstr(row->name, "(evicts)") != NULL;
    if (strcmp(mode, "auto") == 0 && named_so) {
        int exit_code = 0;
        char *told = study_errors(text, &exit_code);
        seen.refused = strstr(told, "cannot be simulated in intervals") != NULL;
        free(told);
        if (seen.refused) {
            return seen;
        }
    }
    struct study *study = study_from_text(text, NULL);
    for (size_t i = 0; i < study->assumptions.count; i++) {
        const struct assumption *a = &study->assumptions.items[i];
        seen.interval |= strstr(a->what, "are simulated") != NULL && strstr(a->value, "in steps");
    }
    if (strcmp(mode, "auto") != 0) {
        study_run(&run, study, jobs());
        for (uint32_t i = 0; i < (uint32_t)row->worlds; i++) {
            seen.cost[i] = run_value(&run, 0, i, METRIC_COST);
            seen.attained[i] = run_value(&run, 0, i, METRIC_SLO_ATTAINED);
        }
        seen.dropped = run_mean(&run, 0, METRIC_REQUESTS_DROPPED);
        seen.p95_s = run_mean(&run, 0, METRIC_LATENCY_P95);
        double requests = run_mean(&run, 0, METRIC_REQUESTS).mean;
        seen.dropped.mean /= requests;
        run_release(&run);
    }
    study_free(study);
    return seen;
}

/* ---- several services on one fleet ---- */

static void fleet_text(char *text, size_t size, const struct fleet_row *row, const char *mode)
{
    int used = snprintf(text, size,
                        "version: 1\nstart: 2026-03-02\nhorizon: 1d\nregion: us-east-1\n"
                        "prices_as_of: 2025-11-30\nreplications: %d\n%sworkloads:\n"
                        "  f: {kind: fleet, max_nodes: %d, boot: 1min}\n",
                        row->worlds, row->market, row->most_nodes);
    for (int i = 0; i < MOST_MEMBERS && row->members[i].demand != NULL; i++) {
        used += snprintf(text + used, size - (size_t)used,
                         "  m%d: {kind: inference, fleet: f, mode: %s, measure_from: 1h, slo: %s, "
                         "demand: {%s, %s}, %s}\n",
                         i, mode, row->members[i].slo, row->members[i].demand, profile,
                         row->members[i].service);
    }
    used += snprintf(text + used, size - (size_t)used,
                     "strategies:\n  s:\n    instance: %s\n    %s\n    max_replicas: 200\n    "
                     "workloads:\n",
                     row->instance, row->buy);
    for (int i = 0; i < MOST_MEMBERS && row->members[i].demand != NULL; i++) {
        used += snprintf(text + used, size - (size_t)used, "      m%d: {autoscale: {name: %s}}\n",
                         i, row->members[i].scaler);
    }
}

struct fleet_seen {
    double cost[MOST_WORLDS], attained[MOST_MEMBERS][MOST_WORLDS];
    int members, in_steps;
};

static struct fleet_seen run_fleet(const struct fleet_row *row, const char *mode)
{
    char text[4000];
    struct run run;
    struct fleet_seen seen = {.members = 0};
    fleet_text(text, sizeof text, row, mode);
    struct study *study = study_from_text(text, NULL);
    for (size_t i = 0; i < study->assumptions.count; i++) {
        const struct assumption *a = &study->assumptions.items[i];
        seen.in_steps += strstr(a->what, "are simulated") != NULL && strstr(a->value, "in steps");
    }
    seen.members = (int)study->workload_count - 1;
    if (strcmp(mode, "auto") != 0) {
        study_run(&run, study, jobs());
        for (uint32_t w = 0; w < (uint32_t)row->worlds; w++) {
            seen.cost[w] = run_value(&run, 0, w, METRIC_COST);
            for (int i = 0; i < seen.members; i++) {
                seen.attained[i][w] = metric_number(
                    results_cells(&run.results, w, 0, (size_t)i + 1), METRIC_SLO_ATTAINED);
            }
        }
        run_release(&run);
    }
    study_free(study);
    return seen;
}

static size_t compare_fleets(const char *named)
{
    size_t failed = 0;
    printf("several services on one fleet\n  %-48s %15s %18s  %s\n", "", "cost +- s.e.",
           "slo met +- s.e.", "auto, of the members");
    for (size_t i = 0; i < sizeof fleet_rows / sizeof fleet_rows[0]; i++) {
        const struct fleet_row *row = &fleet_rows[i];
        if (strstr(row->name, named) == NULL) {
            continue;
        }
        struct fleet_seen truth = run_fleet(row, "requests"), steps = run_fleet(row, "interval");
        struct fleet_seen chosen = run_fleet(row, "auto");
        const int worlds = row->worlds;
        double differs[MOST_WORLDS], mean_cost = mean_of(truth.cost, worlds).mean;
        struct mean most = {0};
        for (int w = 0; w < worlds; w++) {
            differs[w] = 100 * (steps.cost[w] - truth.cost[w]) / mean_cost;
        }
        struct mean cost = mean_of(differs, worlds);
        bool good = fabs(cost.mean) <= COST_PERCENT + CHANCE * cost.error;
        for (int m = 0; m < truth.members; m++) {
            for (int w = 0; w < worlds; w++) {
                differs[w] = 100 * (steps.attained[m][w] - truth.attained[m][w]);
            }
            struct mean points = mean_of(differs, worlds);
            good &= fabs(points.mean) <= ATTAINMENT_POINTS + CHANCE * points.error;
            most = fabs(points.mean) > fabs(most.mean) ? points : most;
        }
        failed += !good;
        printf("  %-48s %+6.2f +- %4.2f %% %+6.2f +- %4.2f pt  %d of %d in steps%s\n", row->name,
               cost.mean, cost.error, most.mean, most.error, chosen.in_steps, chosen.members,
               good ? "" : "  MISSED");
        fflush(stdout);
    }
    return failed;
}

static size_t compare(const char *what, const struct row *of, size_t count, const char *named)
{
    size_t failed = 0;
    printf("%s\n  %-48s %8s %15s %15s %8s %8s  %s\n", what, "", "slo met", "cost +- s.e.",
           "slo met +- s.e.", "dropped", "p95", "auto");
    for (size_t i = 0; i < count; i++) {
        const struct row *row = &of[i];
        if (strstr(row->name, named) == NULL) {
            continue;
        }
        struct seen truth = run_row(row, "requests"), steps = run_row(row, "interval");
        struct seen by_rule = run_row(row, "auto");
        bool chosen = by_rule.interval;
        double mean_cost = mean_of(truth.cost, row->worlds).mean;
        double cost_of[MOST_WORLDS], points_of[MOST_WORLDS];
        for (int w = 0; w < row->worlds; w++) {
            cost_of[w] = 100 * (steps.cost[w] - truth.cost[w]) / mean_cost;
            points_of[w] = 100 * (steps.attained[w] - truth.attained[w]);
        }
        struct mean cost = mean_of(cost_of, row->worlds), points = mean_of(points_of, row->worlds);
        bool good = fabs(cost.mean) <= COST_PERCENT + CHANCE * cost.error &&
                    fabs(points.mean) <= ATTAINMENT_POINTS + CHANCE * points.error;
        failed += chosen && !good;
        printf("  %-48s %6.2f %% %+6.2f +- %4.2f %% %+6.2f +- %4.2f pt %+6.2f pt %+6.1f %%  %s%s\n",
               row->name, 100 * mean_of(truth.attained, row->worlds).mean, cost.mean, cost.error,
               points.mean, points.error, 100 * (steps.dropped.mean - truth.dropped.mean),
               100 * (steps.p95_s.mean / truth.p95_s.mean - 1),
               chosen            ? "interval"
               : by_rule.refused ? "refused"
                                 : "requests",
               chosen && !good ? "  MISSED" : "");
        fflush(stdout);
    }
    return failed;
}

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "", *named = argc > 2 ? argv[2] : "";
    bool all =
        strcmp(only, "slots") != 0 && strcmp(only, "llm") != 0 && strcmp(only, "fleets") != 0;
    bool slots = all || strcmp(only, "slots") == 0, llm = all || strcmp(only, "llm") == 0;
    gsl_errors_install();
    printf("services in steps of time against request by request, %d worlds of a day each\n",
           WORLDS);
    size_t failed = 0;
    if (slots) {
        failed += compare("replicas of slots", rows, COUNT(rows), named);
    }
    if (llm) {
        failed += compare("replicas of a language model", llm_rows, COUNT(llm_rows), named);
    }
    if (all || strcmp(only, "fleets") == 0) {
        failed += compare_fleets(named);
    }
    printf("%zu of the rows for which the interval mode is taken are off by more than %g %% of "
           "cost or %g points\n",
           failed, COST_PERCENT, ATTAINMENT_POINTS);
    return failed > 0;
}
