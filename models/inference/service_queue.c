/* SPDX-License-Identifier: GPL-3.0-or-later
 * Requests, however they are served: they come, wait, are given up, sent again, and end. */
#include "models/inference/service_state.h"

#include <math.h>

static struct service_request *request_at(const struct service_run *s, uint32_t request)
{
    return &s->requests.items[request];
}

/* Apart from what every run does. */
__attribute__((noinline, cold)) static void log_event(const struct service_run *s,
                                                      enum service_event event, bool comes)
{
    const double now_s = s->calendar->now_s;
    service_log_count(s->log, s->plan->work.workload, now_s, event, 1);
    if (comes) {
        service_log_came(s->log, s->plan->work.workload, now_s, now_s, 1);
    }
}

static inline void count_coming(struct service_run *s, enum service_event event)
{
    s->watch.came++;
    if (s->log != NULL) {
        log_event(s, event, true);
    }
}

static inline void count_end(struct service_run *s, enum service_event event)
{
    s->watch.ended++;
    if (s->log != NULL) {
        log_event(s, event, false);
    }
}

/* ---- ends of requests ---- */

static void queue_request(struct service_run *s, uint32_t request);
static inline void serve_in_time(struct service_run *s);

static void on_retry(void *run, uint64_t request)
{
    struct service_run *s = run;
    if (s->over) {
        return;
    }
    service_book(s);
    s->away--;
    count_coming(s, SERVICE_RETRIED);
    queue_request(s, (uint32_t)request);
    serve_in_time(s);
}

static void give_back(struct service_run *s, uint32_t request)
{
    s->books.ended++;
    service_requests_give(&s->requests, request);
}

void service_fail(struct service_run *s, uint32_t request, enum service_failure how)
{
    struct service_request *q = request_at(s, request);
    struct service_books *b = &s->books;
    bool measured = service_measures(s, q->arrived_s);
    if (how != REQUEST_LOST) { /* what is lost was served in part */
        s->watch.left++;
        service_log_left(s->log, s->plan->work.workload, s->calendar->now_s, s->calendar->now_s, 1);
    }
    if (how != REQUEST_REJECTED && q->attempts < (uint64_t)s->plan->spec->retries) {
        double at_s = s->calendar->now_s + s->retry_after_s;
        q->attempts++;
        b->retries += measured;
        s->away++;
        if (calendar_schedule(s->calendar, at_s, EVENT_WORK, on_retry, s, request, NULL) !=
            CALENDAR_OK) {
            fleet_fail(s->fleet);
        }
        return;
    }
    b->dropped += measured && how == REQUEST_DROPPED;
    b->timed_out += measured && how == REQUEST_TIMED_OUT;
    b->lost += measured && how == REQUEST_LOST;
    b->rejected += measured && (how == REQUEST_REJECTED || how == REQUEST_TURNED_AWAY);
    count_end(s, how == REQUEST_DROPPED     ? SERVICE_DROPPED
                 : how == REQUEST_TIMED_OUT ? SERVICE_TIMED_OUT
                 : how == REQUEST_LOST      ? SERVICE_LOST
                                            : SERVICE_REJECTED);
    give_back(s, request);
}

void service_succeed(struct service_run *s, uint32_t request)
{
    const struct service_request *q = request_at(s, request);
    struct service_books *b = &s->books;
    const double latency_s = s->calendar->now_s - q->arrived_s;
    const bool measured = service_measures(s, q->arrived_s);
    bool within = latency_s <= s->slo_s;
    if (s->llm != NULL) {
        within &= service_llm_count(s, q, measured);
    }
    b->answered++;
    b->latency_sum += latency_s;
    if (measured) {
        b->served++;
        b->within_slo += within;
        log_histogram_add(&b->latency, latency_s, 1);
    }
    count_end(s, SERVICE_SERVED);
    s->watch.within += within;
    if (s->log != NULL) {
        service_log_count(s->log, s->plan->work.workload, s->calendar->now_s, SERVICE_WITHIN,
                          within);
        service_log_value(s->log, s->plan->work.workload, s->calendar->now_s, SERVICE_LATENCY,
                          latency_s, 1);
        if (s->llm != NULL) {
            service_llm_log(s, q);
        }
    }
    give_back(s, request);
}

/* ---- waiting ---- */

uint32_t service_take_first(struct service_run *s)
{
    uint32_t request = s->first_waiting;
    s->first_waiting = request_at(s, request)->next;
    if (s->first_waiting == 0) {
        s->last_waiting = 0;
    }
    s->waiting--;
    return request;
}

/* Those at the head that have waited as long as they would are given up. All wait equally long, so
 * that nobody behind the head has waited longer. */
void service_time_out(struct service_run *s)
{
    while (s->first_waiting != 0 &&
           request_at(s, s->first_waiting)->queued_s + s->timeout_s <= s->calendar->now_s) {
        service_fail(s, service_take_first(s), REQUEST_TIMED_OUT);
    }
}

static void on_time_out(void *run, uint64_t tag);

/* Where nothing else happens at that time, an event has the first that waits given up when it would
 * be: else autoscalers would see it in the queue for longer, and it would be sent again too late.
 * One is enough, since nobody who comes later is given up before. */
static void watch_the_first(struct service_run *s, double queued_s)
{
    s->timing_out = queued_s < HUGE_VAL;
    if (s->timing_out && calendar_schedule(s->calendar, queued_s + s->timeout_s, EVENT_WORK,
                                           on_time_out, s, 0, NULL) != CALENDAR_OK) {
        fleet_fail(s->fleet);
    }
}

/* Serves what waits, the request that has come now too. */
static inline void serve_in_time(struct service_run *s)
{
    service_dispatch(s);
    if (s->timeout_s > 0 && !s->timing_out && service_waiting(s) > 0) {
        watch_the_first(s, s->calendar->now_s);
    }
}

static void on_time_out(void *run, uint64_t tag)
{
    struct service_run *s = run;
    double first_s = HUGE_VAL;
    (void)tag;
    if (s->over) {
        return;
    }
    service_book(s);
    service_dispatch(s); /* gives up those that wait for a replica */
    if (s->llm != NULL) {
        first_s = service_llm_time_out(s);
    }
    if (s->first_waiting != 0) {
        first_s = fmin(first_s, request_at(s, s->first_waiting)->queued_s);
    }
    watch_the_first(s, first_s);
}

/* ---- coming ---- */

static void queue_request(struct service_run *s, uint32_t request)
{
    struct service_request *q = request_at(s, request);
    service_give_up(s);
    if (!service_admits(s)) {
        service_fail(s, request, REQUEST_TURNED_AWAY);
        return;
    }
    if (service_waiting(s) >= (uint64_t)s->plan->spec->queue_limit && !service_takes_one(s)) {
        service_fail(s, request, REQUEST_DROPPED);
        return;
    }
    q->queued_s = s->calendar->now_s;
    q->next = 0;
    *(s->last_waiting != 0 ? &request_at(s, s->last_waiting)->next : &s->first_waiting) = request;
    s->last_waiting = request;
    s->waiting++;
}

void service_arrive(struct service_run *s)
{
    uint32_t request = service_requests_take(&s->requests);
    if (request == 0) {
        fleet_fail(s->fleet);
        return;
    }
    service_book(s);
    struct service_request *q = request_at(s, request);
    q->arrived_s = s->calendar->now_s;
    q->number = (uint32_t)s->numbered++;
    s->books.arrivals++;
    s->books.requests += service_measures(s, q->arrived_s);
    count_coming(s, SERVICE_ARRIVED);
    if (s->llm != NULL && !service_llm_measure(s, q)) {
        service_fail(s, request, REQUEST_REJECTED);
        return;
    }
    queue_request(s, request);
    serve_in_time(s);
}

void service_clear_requests(struct service_run *s)
{
    s->way->begin(s);
    service_requests_reset(&s->requests);
    s->first_waiting = s->last_waiting = s->waiting = s->away = 0;
    s->timing_out = false;
    s->busy_replicas = 0;
    s->active_replicas = 0;
}
