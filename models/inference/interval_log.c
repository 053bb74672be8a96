/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/interval_log.h"

#include "engine/extremes.h"
#include "models/inference/interval_llm_books.h"
#include "models/inference/interval_state.h"

#include <math.h>

void interval_log_begin(struct service_run *s)
{
    struct interval_log *l = &s->interval->log;
    l->at_s = l->served = l->lost = 0;
    if (s->log != NULL) {
        interval_latency_clear(&l->latency);
    }
}

/* The bucket is over: its latencies are made. */
static void close_bucket(struct service_run *s)
{
    struct interval_log *l = &s->interval->log;
    struct log_histogram wait, latency;
    if (s->interval->llm != NULL) {
        interval_llm_log(s, l->at_s);
        interval_latency_clear(&l->latency);
        l->served = 0;
        return;
    }
    if (!(l->served > 0)) {
        interval_latency_clear(&l->latency);
        return;
    }
    struct interval_latency_result r = interval_latency_make(
        &l->latency, &s->serving[0].time, s->interval->objective.points,
        s->timeout_s > 0 ? s->timeout_s : HUGE_VAL, s->slo_s, &wait, &latency);
    if (r.weight > 0) {
        service_log_values(s->log, s->plan->work.workload, l->at_s, SERVICE_LATENCY, &latency);
        service_log_count(s->log, s->plan->work.workload, l->at_s, SERVICE_WITHIN,
                          r.within_slo * l->served);
    }
    interval_latency_clear(&l->latency);
    l->served = 0;
}

void interval_log_open(struct service_run *s, const struct interval_step *p)
{
    struct interval_log *l = &s->interval->log;
    const double at_s = 0.5 * (p->from_s + p->to_s);
    if (s->log == NULL) {
        return;
    }
    if (!service_log_same_bucket(s->log, l->at_s, at_s)) {
        close_bucket(s);
    }
    l->at_s = at_s;
}

/* Of the keys and values in the caches of the replicas. */
static void log_cache(const struct service_run *s, const struct interval_step *p, double ready)
{
    const struct interval_llm *l = s->interval->llm;
    const double token_s = p->cache_tokens * ready * (p->to_s - p->from_s);
    service_log_cache(s->log, s->plan->work.workload, p->from_s, p->to_s, token_s / l->kv_tokens,
                      token_s * l->token_memory);
}

/* With one slot a replica is active when it is busy. With more it is not known which of them are
 * busy together. */
static double active(const struct service_run *s, double busy)
{
    for (size_t k = 0; k < service_nodes_of(s->plan)->pool_count; k++) {
        if (s->interval->pools[k].slots > 1) {
            return (double)NAN;
        }
    }
    return busy;
}

/* Hour by hour, in any world. */
static void watch(struct service_run *s, const struct interval_step *p, double served,
                  double waiting)
{
    const double failed = p->dropped + p->timed_out;
    const struct hour_flow flow = {.came = p->arrivals,
                                   .left = failed,
                                   .could = p->slots > 0 ? p->most_rate * (p->to_s - p->from_s) : 0,
                                   .waiting = waiting,
                                   .ended = served + failed + p->rejected + s->interval->log.lost,
                                   .within = double_min(p->within, served)};
    hour_watch_flow(&s->watch, p->from_s, p->to_s, &flow);
}

void interval_log_step(struct service_run *s, const struct interval_step *p, double before)
{
    struct service_interval *v = s->interval;
    const double length_s = p->to_s - p->from_s, at_s = v->log.at_s;
    const size_t w = s->plan->work.workload;
    const double steady = v->llm != NULL  ? p->waiting
                          : p->calm_s > 0 ? v->rate * p->waits.waiting * p->waits.mean_s
                                          : 0;
    const double served = double_max(0, p->arrivals + before - v->backlog.amount - p->failed);
    watch(s, p, served, p->backlog_s + steady * p->calm_s);
    if (s->log == NULL) {
        v->log.lost = 0;
        return;
    }
    const double ready = v->time.replica_s / length_s, busy = p->busy * ready;
    const struct interval_llm *llm = v->llm;
    const struct service_span span = {
        .from_s = p->from_s,
        .to_s = p->to_s,
        .ready = ready,
        .asked = s->wanted,
        .serving = ready,
        .busy = busy,
        .active = llm != NULL ? p->active * ready : active(s, busy),
        .held = llm != NULL ? llm->weights_memory * ready
                            : service_memory_held(s, ready, p->busy * p->slots),
        .waiting = (p->backlog_s + steady * p->calm_s) / length_s,
        .capacity = p->slots > 0 ? p->most_rate : 0};
    service_log_span(s->log, w, &span);
    if (llm != NULL) {
        log_cache(s, p, ready);
    }
    service_log_count(s->log, w, at_s, SERVICE_ARRIVED, p->fresh + p->rejected);
    service_log_count(s->log, w, at_s, SERVICE_RETRIED, p->arrivals - p->fresh);
    service_log_count(s->log, w, at_s, SERVICE_REJECTED, p->rejected);
    service_log_came(s->log, w, p->from_s, p->to_s, p->arrivals);
    service_log_left(s->log, w, p->from_s, p->to_s, p->dropped + p->timed_out);
    service_log_count(s->log, w, at_s, SERVICE_DROPPED, p->dropped);
    service_log_count(s->log, w, at_s, SERVICE_TIMED_OUT, p->timed_out);
    service_log_count(s->log, w, at_s, SERVICE_LOST, v->log.lost);
    service_log_count(s->log, w, at_s, SERVICE_SERVED, served);
    if (v->llm != NULL) {
        service_log_count(s->log, w, at_s, SERVICE_WITHIN, p->within);
        service_log_count(s->log, w, at_s, SERVICE_PROMPT_TOKENS,
                          served * interval_llm_tokens(s).prompt);
        service_log_count(s->log, w, at_s, SERVICE_OUTPUT_TOKENS,
                          served * interval_llm_tokens(s).output);
    }
    v->log.served += served;
    v->log.lost = 0;
}

void interval_log_end(struct service_run *s)
{
    if (s->log != NULL) {
        close_bucket(s);
    }
}
