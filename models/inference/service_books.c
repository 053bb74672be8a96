/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/service_state.h"

#include <math.h>

void service_books_begin(struct service_run *s)
{
    s->books = (struct service_books){0};
    log_histogram_clear(&s->books.latency);
    log_histogram_clear(&s->books.wait);
    log_histogram_clear(&s->books.ttft);
    log_histogram_clear(&s->books.tpot);
    for (size_t i = 0; i < SERVICE_MOST_AUTOSCALERS; i++) {
        s->seen[i] = (struct scaling_snapshot){0};
    }
}

double service_in_flight(const struct service_run *s)
{
    return s->books.arrivals - s->books.ended - s->away;
}

double service_inside(const struct service_run *s)
{
    return s->interval != NULL ? service_interval_inside(s) : service_in_flight(s);
}

double service_capacity(const struct service_run *s)
{
    double rate = 0;
    for (size_t k = 0; k < service_nodes_of(s->plan)->pool_count; k++) {
        rate += s->ready_of[k] > 0 ? s->ready_of[k] * s->serving[k].most_rate : 0;
    }
    return rate;
}

double service_memory_held(const struct service_run *s, double replicas, double requests)
{
    double of_replicas = 0, of_requests = 0;
    for (size_t k = 0; s->ready > 0 && k < service_nodes_of(s->plan)->pool_count; k++) {
        double share = (double)s->ready_of[k] / s->ready;
        of_replicas += share > 0 ? share * s->serving[k].memory_share : 0;
        of_requests += share > 0 ? share * s->serving[k].request_share : 0;
    }
    if (s->ready == 0) {
        of_replicas = s->serving[0].memory_share;
        of_requests = s->serving[0].request_share;
    }
    return replicas * of_replicas + requests * of_requests;
}

/* Share of their accelerators' memory that the weights take, summed over replicas that serve; those
 * that drain count as the mean of those that are ready. */
static double held(const struct service_run *s, double serving)
{
    double sum = 0;
    if (s->llm == NULL) {
        return service_memory_held(s, serving, service_in_flight(s) - service_waiting(s));
    }
    for (size_t k = 0; k < service_nodes_of(s->plan)->pool_count; k++) {
        sum += s->ready_of[k] > 0 ? s->ready_of[k] * service_llm_weights_share(s, k) : 0;
    }
    return s->ready > 0 ? sum * serving / s->ready : serving * service_llm_weights_share(s, 0);
}

/* ---- apart from what every run does ---- */

#define APART __attribute__((noinline, cold)) static

APART void log_span(const struct service_run *s)
{
    const double serving = s->serving_replicas;
    const struct service_span span = {.from_s = s->books.booked_s,
                                      .to_s = s->calendar->now_s,
                                      .ready = s->ready,
                                      .asked = s->wanted,
                                      .serving = serving,
                                      .busy = s->busy_replicas,
                                      .active = s->active_replicas,
                                      .held = held(s, serving),
                                      .waiting = service_waiting(s),
                                      .capacity = service_capacity(s)};
    service_log_span(s->log, s->plan->work.workload, &span);
}

/* On shared nodes. */
APART void book_places(struct service_run *s, double past_s)
{
    for (size_t k = 0; k < s->plan->host->work.pool_count; k++) {
        s->books.standing_s += past_s * s->ready_of[k];
        s->books.room_s += past_s * s->ready_of[k] * service_node_share(s->plan, k);
    }
}

/* ---- every event ---- */

/* Replicas that serve, as autoscalers see them. */
static inline double seen(const struct service_run *s)
{
    return s->wanted > s->desired ? service_standing(s) + (double)s->draining_busy
                                  : s->serving_replicas;
}

void service_book(struct service_run *s)
{
    struct service_books *b = &s->books;
    double now_s = s->calendar->now_s, past_s = now_s - b->booked_s;
    if (!(past_s > 0)) {
        return;
    }
    if (s->ready == 0 && s->desired > 0) {
        s->idle_s += past_s;
    }
    if (s->loading > 0) {
        b->loading_s += past_s * s->loading;
    }
    if (s->host != NULL) {
        book_places(s, past_s);
    }
    if (s->interval != NULL) {
        service_interval_book(s);
        b->booked_s = now_s;
        return;
    }
    hour_watch_pass(&s->watch, b->booked_s, now_s, s->capacity, service_waiting(s));
    double busy = past_s * s->busy_replicas, here = past_s * service_in_flight(s);
    b->busy_s += busy;
    b->in_flight += here;
    b->seen_s += past_s * seen(s);
    if (b->booked_s >= s->measure_from_s) {
        b->measured_busy_s += busy;
        b->measured_in_flight += here;
        b->measured_replica_s += past_s * s->serving_replicas;
    }
    if (s->log != NULL) {
        log_span(s);
    }
    b->booked_s = now_s;
}
