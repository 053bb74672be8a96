/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/service_metrics.h"

#include <math.h>

/* NaN where there is no whole. */
static double share(double part, double whole)
{
    return whole > 0 ? part / whole : (double)NAN;
}

/* Of a language model; absent for all others. */
static void fill_tokens(struct metric_cells *c, const struct work_service *s, double cost)
{
    double millions = 1e-6 * s->output_tokens, all = 1e-6 * s->prompt_tokens + millions;
    const struct {
        enum metric metric;
        double value;
    } rows[] = {
        {METRIC_TTFT_MEAN, s->ttft_mean_s},
        {METRIC_TTFT_P50, s->ttft_s[0]},
        {METRIC_TTFT_P90, s->ttft_s[1]},
        {METRIC_TTFT_P95, s->ttft_s[2]},
        {METRIC_TTFT_P99, s->ttft_s[3]},
        {METRIC_TPOT_MEAN, s->tpot_mean_s},
        {METRIC_TPOT_P50, s->tpot_s[0]},
        {METRIC_TPOT_P90, s->tpot_s[1]},
        {METRIC_TPOT_P95, s->tpot_s[2]},
        {METRIC_TPOT_P99, s->tpot_s[3]},
        {METRIC_PROMPT_TOKENS, s->prompt_tokens},
        {METRIC_OUTPUT_TOKENS, s->output_tokens},
        {METRIC_OUTPUT_TOKEN_RATE, s->output_tokens_per_s},
        {METRIC_PER_MILLION_OUTPUT_TOKENS, share(cost, millions)},
        {METRIC_PER_MILLION_TOKENS, share(cost, all)},
        {METRIC_EVICTIONS, s->evictions},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        c->value[rows[i].metric].number = s->speaks ? rows[i].value : (double)NAN;
    }
}

struct vain_cost service_metrics_vain(const struct metric_cells *c, double busy_node_s,
                                      double loading_node_s)
{
    double boot = 0, up = 0, up_s = 0;
    for (int p = 0; p < PURCHASE_COUNT; p++) {
        for (int a = 0; a < ACTIVITY_COUNT; a++) {
            double charged = money_to_double(c->line[p][a]);
            bool boots = a == ACTIVITY_BOOT || a == ACTIVITY_STAGING;
            boot += boots ? charged : 0;
            up += boots ? 0 : charged;
            up_s += boots ? 0 : c->node_h[p][a] * 3600;
        }
    }
    double a_second = up_s > 0 ? up / up_s : 0, loading_s = fmin(loading_node_s, up_s);
    return (struct vain_cost){.boot = boot,
                              .loading = a_second * loading_s,
                              .idle = a_second * fmax(0, up_s - loading_s - busy_node_s),
                              .up_s = up_s};
}

void service_metrics_fill(struct metric_cells *c, const struct work_service *s, bool hosted)
{
    static const struct work_service none; /* its numbers are not read */
    bool given = s != NULL;
    s = given ? s : &none;
    double cost = money_to_double(c->value[METRIC_COST].money) +
                  money_to_double(c->value[METRIC_SHARED_NODES_COST].money);
    const struct vain_cost vain = hosted
                                      ? (struct vain_cost){.idle = (double)NAN, .boot = (double)NAN}
                                      : service_metrics_vain(c, s->busy_node_s, s->loading_node_s);
    const struct {
        enum metric metric;
        double value;
    } rows[] = {
        {METRIC_REQUESTS, s->requests},
        {METRIC_REQUESTS_SERVED, s->served},
        {METRIC_REQUESTS_DROPPED, s->dropped},
        {METRIC_REQUESTS_TIMED_OUT, s->timed_out},
        {METRIC_REQUESTS_LOST, s->lost},
        {METRIC_REQUESTS_LEFT, s->left},
        {METRIC_RETRIES, s->retries},
        {METRIC_LATENCY_MEAN, s->latency_mean_s},
        {METRIC_LATENCY_P50, s->latency_p50_s},
        {METRIC_LATENCY_P90, s->latency_p90_s},
        {METRIC_LATENCY_P95, s->latency_p95_s},
        {METRIC_LATENCY_P99, s->latency_p99_s},
        {METRIC_REQUEST_WAIT_MEAN, s->wait_mean_s},
        {METRIC_REQUEST_WAIT_P95, s->wait_p95_s},
        {METRIC_REQUESTS_WAITED, s->waited},
        {METRIC_SLO_ATTAINED, share(s->within_slo, s->requests)},
        {METRIC_REPLICA_HOURS, s->replica_s / 3600},
        {METRIC_REPLICA_BUSY, share(s->busy_replica_s, s->replica_s)},
        {METRIC_REQUESTS_INSIDE, s->in_system},
        {METRIC_PER_1000_REQUESTS, share(1000 * cost, s->served)},
        {METRIC_REQUESTS_REJECTED, s->rejected},
        {METRIC_IDLE_COST, vain.idle},
        {METRIC_COLD_START_COST, vain.boot + vain.loading},
        {METRIC_SLO_HOURS, share(s->hours_met, s->hours_judged)},
        {METRIC_OVERLOADED, s->overloaded_h},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        c->value[rows[i].metric].number = given ? rows[i].value : (double)NAN;
    }
    fill_tokens(c, s, cost);
}

/* What is idle on shared nodes is their workload's, and its tenants' once more. */
static double join_vain(const struct metric_cells *workloads, size_t count, enum metric m)
{
    double sum = (double)NAN;
    for (size_t i = 0; i < count; i++) {
        const double v = workloads[i].value[m].number;
        if (!isnan(v) && isnan(workloads[i].value[METRIC_SHARED_NODE_HOURS].number)) {
            sum = (isnan(sum) ? 0 : sum) + v;
        }
    }
    return sum;
}

/* Means over requests are those of all requests; quantiles are known of one service only, as what
 * a request costs: the cost of all holds that of other work. */
void service_metrics_join(struct metric_cells *all, const struct metric_cells *workloads,
                          size_t count)
{
    static const struct {
        enum metric mean, weight;
    } means[] = {{METRIC_LATENCY_MEAN, METRIC_REQUESTS_SERVED},
                 {METRIC_REQUEST_WAIT_MEAN, METRIC_REQUESTS_SERVED},
                 {METRIC_REQUESTS_WAITED, METRIC_REQUESTS_SERVED},
                 {METRIC_SLO_ATTAINED, METRIC_REQUESTS},
                 {METRIC_REPLICA_BUSY, METRIC_REPLICA_HOURS},
                 {METRIC_TTFT_MEAN, METRIC_REQUESTS_SERVED},
                 {METRIC_TPOT_MEAN, METRIC_REQUESTS_SERVED}};
    static const enum metric others[] = {
        METRIC_LATENCY_P50,      METRIC_LATENCY_P90, METRIC_LATENCY_P95, METRIC_LATENCY_P99,
        METRIC_REQUEST_WAIT_P95, METRIC_TTFT_P50,    METRIC_TTFT_P90,    METRIC_TTFT_P95,
        METRIC_TTFT_P99,         METRIC_TPOT_P50,    METRIC_TPOT_P90,    METRIC_TPOT_P95,
        METRIC_TPOT_P99};
    size_t services = 0, last = 0;
    all->value[METRIC_IDLE_COST].number = join_vain(workloads, count, METRIC_IDLE_COST);
    all->value[METRIC_COLD_START_COST].number = join_vain(workloads, count, METRIC_COLD_START_COST);
    for (size_t i = 0; i < count; i++) {
        if (!isnan(workloads[i].value[METRIC_REQUESTS].number)) {
            services++;
            last = i;
        }
    }
    for (size_t k = 0; k < sizeof means / sizeof means[0]; k++) {
        double sum = 0, weights = 0;
        for (size_t i = 0; i < count; i++) {
            double value = workloads[i].value[means[k].mean].number;
            double weight = workloads[i].value[means[k].weight].number;
            if (!isnan(value) && weight > 0) {
                sum += weight * value;
                weights += weight;
            }
        }
        all->value[means[k].mean].number = share(sum, weights);
    }
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        all->value[others[k]].number =
            services == 1 ? workloads[last].value[others[k]].number : (double)NAN;
    }
    double cost = money_to_double(all->value[METRIC_COST].money);
    all->value[METRIC_PER_1000_REQUESTS].number =
        services == 1 && count == 1
            ? share(1000 * cost, workloads[last].value[METRIC_REQUESTS_SERVED].number)
            : (double)NAN;
    static const enum metric of_tokens[] = {METRIC_PER_MILLION_OUTPUT_TOKENS,
                                            METRIC_PER_MILLION_TOKENS};
    double prompt = workloads[last].value[METRIC_PROMPT_TOKENS].number,
           output = workloads[last].value[METRIC_OUTPUT_TOKENS].number;
    for (size_t k = 0; k < sizeof of_tokens / sizeof of_tokens[0]; k++) {
        all->value[of_tokens[k]].number = services == 1 && count == 1
                                              ? share(1e6 * cost, output + (double)k * prompt)
                                              : (double)NAN;
    }
}
