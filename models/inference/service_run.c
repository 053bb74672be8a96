/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/service_run.h"

#include "engine/extremes.h"
#include "engine/text.h"
#include "models/fleet/independent_nodes.h"
#include "models/inference/service_state.h"

#include <math.h>
#include <stdlib.h>

/* Requests in the system at a time: memory is bounded, and a service that falls behind so far is
 * told as failed by the calendar's owner. */
enum { MOST_REQUESTS = 4000000 };

/* ---- autoscaling ---- */

static void on_look(void *run, uint64_t tag);

static void schedule_look(struct service_run *s)
{
    double at_s = autoscaler_group_next_s(&s->group);
    if (isfinite(at_s) && calendar_schedule(s->calendar, double_max(at_s, s->calendar->now_s),
                                            EVENT_POLICY, on_look, s, 0, NULL) != CALENDAR_OK) {
        fleet_fail(s->fleet);
    }
}

static void on_look(void *run, uint64_t tag)
{
    struct service_run *s = run;
    (void)tag;
    if (s->over) {
        return;
    }
    service_book(s);
    uint32_t warm = service_seen(s);
    struct autoscaler_view view = {.now_s = s->calendar->now_s,
                                   .unix_s =
                                       (double)s->plan->demand.start_unix_s + s->calendar->now_s,
                                   .desired = s->desired,
                                   .ready = warm,
                                   .warming = s->desired > warm ? s->desired - warm : 0,
                                   .changed_at_s = s->changed_at_s};
    uint32_t wants = autoscaler_group_look(&s->group, &view, service_read, s);
    if (wants != s->desired) {
        journal_add(fleet_journal(s->fleet), s->calendar->now_s, s->plan->work.workload,
                    "scaled from %u to %u replicas, %u ready, %u waiting", s->desired, wants,
                    s->ready, service_waiting(s));
        service_want(s, wants);
    }
    schedule_look(s);
}

/* ---- demand ---- */

static void on_arrival(void *run, uint64_t tag);

static void schedule_arrival(struct service_run *s)
{
    if (isfinite(s->arrivals.next_s) &&
        calendar_schedule_aside(s->calendar, s->arrivals.next_s, EVENT_WORK, on_arrival, s, 0) !=
            CALENDAR_OK) {
        fleet_fail(s->fleet);
    }
}

static void on_arrival(void *run, uint64_t tag)
{
    struct service_run *s = run;
    (void)tag;
    if (s->over) {
        return;
    }
    service_arrive(s);
    arrivals_next(&s->arrivals);
    schedule_arrival(s);
}

/* ---- what became of it ---- */

static double share_of(double part, double whole)
{
    return whole > 0 ? part / whole : (double)NAN;
}

static void fill_tokens(struct service_run *s, double measured_s)
{
    static const double at[WORK_QUANTILES] = {0.5, 0.9, 0.95, 0.99};
    const struct service_books *b = &s->books;
    struct work_service *r = &s->result;
    r->speaks = true;
    r->ttft_mean_s = share_of(b->ttft.sum, b->ttft.weight);
    r->tpot_mean_s = share_of(b->tpot.sum, b->tpot.weight);
    for (size_t i = 0; i < WORK_QUANTILES; i++) {
        r->ttft_s[i] = log_histogram_quantile(&b->ttft, at[i]);
        r->tpot_s[i] = log_histogram_quantile(&b->tpot, at[i]);
    }
    r->prompt_tokens = b->prompt_tokens;
    r->output_tokens = b->output_tokens;
    r->output_tokens_per_s = share_of(r->output_tokens, measured_s);
    r->evictions = s->llm != NULL ? (double)service_llm_evictions(s) : b->evictions;
}

/* Of nodes, what replicas take in so much time: an equal part, or where nodes are shared their own.
 */
static double node_s(const struct service_run *s, double replica_s)
{
    const struct service_books *b = &s->books;
    if (s->host == NULL) {
        return replica_s / s->plan->replicas_per_node;
    }
    return replica_s *
           (b->standing_s > 0 ? b->room_s / b->standing_s : service_node_share(s->plan, 0));
}

static void fill_result(struct service_run *s)
{
    const struct service_books *b = &s->books;
    const struct log_histogram *l = &b->latency;
    double served = b->served, requests = b->requests;
    double measured_s = s->end_s - s->measure_from_s;
    s->result = (struct work_service){
        .requests = requests,
        .served = served,
        .dropped = b->dropped,
        .timed_out = b->timed_out,
        .lost = b->lost,
        .left = requests - served - (b->dropped + b->timed_out + b->lost + b->rejected),
        .retries = b->retries,
        .latency_mean_s = share_of(l->sum, l->weight),
        .latency_p50_s = log_histogram_quantile(l, 0.5),
        .latency_p90_s = log_histogram_quantile(l, 0.9),
        .latency_p95_s = log_histogram_quantile(l, 0.95),
        .latency_p99_s = log_histogram_quantile(l, 0.99),
        .wait_mean_s = share_of(b->wait.sum, b->wait.weight),
        .wait_p95_s = log_histogram_quantile(&b->wait, 0.95),
        .waited = share_of(b->waited, b->wait.weight),
        .within_slo = s->plan->has_slo ? b->within_slo : (double)NAN,
        .replica_s = b->measured_replica_s,
        .busy_replica_s = b->measured_busy_s,
        .in_system = share_of(b->measured_in_flight, measured_s),
        .rejected = b->rejected,
        .busy_node_s = node_s(s, b->busy_s),
        .loading_node_s = node_s(s, b->loading_s),
        .hours_judged = s->watch.judged,
        .hours_met = s->watch.met,
        .overloaded_h = s->watch.overloaded_h,
    };
    if (s->plan->is_llm) {
        fill_tokens(s, measured_s);
    }
}

/* ---- life ---- */

static void end(struct service_run *s, bool finished, enum end_reason reason)
{
    service_book(s);
    if (s->interval != NULL && s->begun) {
        service_interval_end(s);
    }
    hour_watch_end(&s->watch);
    s->over = true;
    s->finished = finished;
    s->end_s = s->calendar->now_s;
    fill_result(s);
    for (uint32_t z = 0; z < s->plan->zone_count; z++) {
        fill_release(&s->zones[z].fill, reason);
    }
    if (s->host != NULL && finished) { /* else it is ended too */
        shared_fleet_follow(s->host);
    }
    if (s->plan->has_warm_pool) {
        warm_nodes_end(&s->warm, reason);
    }
    journal_add(fleet_journal(s->fleet), s->calendar->now_s, s->plan->work.workload, "%s",
                finished                  ? "the service ends"
                : reason == END_CANCELLED ? "the project is cancelled"
                                          : "the horizon ends the service");
}

static void on_service_end(void *run, uint64_t tag)
{
    struct service_run *s = run;
    (void)tag;
    if (!s->over) {
        end(s, true, END_FINISHED);
    }
}

static void on_service_begin(void *run, uint64_t tag)
{
    struct service_run *s = run;
    (void)tag;
    if (s->over) {
        return;
    }
    s->begun = true;
    s->books.booked_s = s->calendar->now_s;
    service_monitoring_start(s);
    hour_watch_start(&s->watch, s->calendar->now_s, s->measure_from_s);
    if (s->interval != NULL) {
        service_interval_start(s);
    }
    service_want(s, s->plan->begin_replicas);
    service_rollouts_start(s);
    autoscaler_group_begin(&s->group, s->calendar->now_s);
    schedule_look(s);
}

static void on_change(void *owner, struct crew *c)
{
    struct service_run *s = owner;
    (void)c;
    if (s->begun && !s->over) {
        service_book(s);
        service_nodes_changed(s);
    }
}

static void on_losing(void *owner, struct crew *c)
{
    (void)owner;
    (void)c;
}

static const struct crew_events service_events = {
    .granted = on_change,
    .ready = on_change,
    .noticed = on_change,
    .losing = on_losing,
    .lost = on_change,
    .capacity = on_change,
    .room = on_change,
};

/* Where the inverse is an iteration. */
static bool make_time_tables(struct service_run *s)
{
    for (size_t k = 0; k < service_nodes_of(s->plan)->pool_count && !s->plan->is_llm; k++) {
        const struct serving_spec *of = s->plan->serving[k];
        if (!s->plan->mode.interval && !of->batched && of->time.family == DISTRIBUTION_GAMMA) {
            s->time_tables[k] = quantile_table_new();
            if (s->time_tables[k] == NULL) {
                return false;
            }
        }
    }
    return true;
}

static bool make_parts(struct service_run *s)
{
    const struct service_plan *plan = s->plan;
    for (size_t k = 0; k < plan->work.pool_count; k++) {
        const struct work_pool *pool = &plan->work.pools[k];
        s->crews[k] = fleet_add_crew(s->fleet, &service_events, s, plan->work.workload,
                                     plan->work.workload_name, pool->pool, plan->crew_nodes[k],
                                     &plan->spec->boot);
        if (s->crews[k] == NULL) {
            return false;
        }
        independent_make(s->crews[k]);
    }
    if (plan->has_warm_pool &&
        !warm_nodes_init(&s->warm, s->crews[0], plan->work.workload_name, &plan->warm_pool,
                         plan->prepared, &plan->spec->boot)) {
        return false;
    }
    if (!service_zones_make(s) || !service_replicas_make(s) || !make_time_tables(s) ||
        (plan->is_llm && !plan->mode.interval && (s->llm = service_llm_new(s)) == NULL)) {
        return false;
    }
    return arrivals_init(&s->arrivals, plan->work.workload_name) &&
           autoscaler_group_init(&s->group, s->arena, plan->uses, plan->use_count,
                                 plan->min_replicas, plan->max_replicas);
}

struct service_run *service_run_new(const struct service_plan *plan, struct fleet *fleet)
{
    struct service_run *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->plan = plan;
    s->way = plan->mode.interval ? &serving_by_interval
             : plan->is_llm      ? &serving_by_llm
                                 : &serving_by_slots;
    s->fleet = fleet;
    s->calendar = fleet_calendar(fleet);
    s->source_time = random_source("workload/%s/service-time", plan->work.workload_name);
    s->source_noise = random_source("workload/%s/metric-noise", plan->work.workload_name);
    service_requests_init(&s->requests, MOST_REQUESTS);
    s->arena = arena_new(0);
    if (plan->mode.interval) {
        s->interval = service_interval_new(plan);
    }
    if (s->arena == NULL || (plan->mode.interval && s->interval == NULL) || !make_parts(s)) {
        service_run_free(s);
        return NULL;
    }
    return s;
}

void service_run_free(struct service_run *s)
{
    if (s == NULL) {
        return;
    }
    arrivals_release(&s->arrivals);
    service_monitoring_release(s);
    warm_nodes_release(&s->warm);
    service_llm_free(s);
    service_interval_free(s->interval);
    service_requests_release(&s->requests);
    for (size_t k = 0; k < WORK_MAX_POOLS; k++) {
        quantile_table_free(s->time_tables[k]);
    }
    arena_free(s->arena);
    free(s->units.items);
    free(s->replicas);
    free(s->free_words);
    free(s);
}

static double objective(const struct number *stated, const double *drawn)
{
    return stated->given ? number_value(stated, drawn) : HUGE_VAL;
}

/* As service_most_rate, in this world. */
static double most_rate(const struct pool_serving *p)
{
    if (p->batch <= 1) {
        return (p->sharing ? 1 : p->slots) / distribution_mean(&p->time);
    }
    double all_s = p->each_s * p->batch;
    return (double)p->slots * p->batch /
           (p->law == BATCH_LINEAR ? p->base_s + all_s : hypot(p->base_s, all_s));
}

/* The numbers of this world. */
static bool resolve(struct service_run *s, const double *drawn)
{
    const struct service_spec *spec = s->plan->spec;
    const size_t pools = service_nodes_of(s->plan)->pool_count;
    for (size_t k = 0; k < pools && !s->plan->is_llm; k++) {
        const struct serving_spec *of = s->plan->serving[k];
        struct pool_serving *p = &s->serving[k];
        *p =
            (struct pool_serving){.slots = (uint32_t)of->slots, .batch = 1, .sharing = of->sharing};
        if (of->batched) {
            p->batch = (uint32_t)of->batch.most;
            p->base_s = number_value(&of->batch.base, drawn);
            p->each_s = number_value(&of->batch.each, drawn);
            p->delay_s = number_value(&of->batch.delay, drawn);
            p->law = of->batch.law;
        } else if (!variate_resolve(&of->time, drawn, &p->time)) {
            return false;
        } else if (s->time_tables[k] != NULL && quantile_table_begin(s->time_tables[k], &p->time)) {
            p->time_table = s->time_tables[k];
        }
        p->most_rate = most_rate(p);
        double part = of->memory.given ? s->plan->memory_parts[k] : (double)NAN;
        p->memory_share = number_value(&of->memory, drawn) / part;
        p->request_share = number_value(&of->memory_per_request, drawn) / part;
    }
    for (size_t k = 0; k < pools && s->plan->is_llm; k++) {
        s->serving[k].most_rate = service_most_rate(s->plan, k); /* as planned */
    }
    s->load_s = number_value(&spec->load, drawn);
    const struct number *warm_load = &s->plan->warm_pool.load;
    s->warm_load_s =
        s->plan->has_warm_pool && warm_load->given ? number_value(warm_load, drawn) : s->load_s;
    s->drain_s = number_value(&spec->drain, drawn);
    s->timeout_s = number_value(&spec->timeout, drawn);
    s->retry_after_s = number_value(&spec->retry_after, drawn);
    s->slo_s = objective(&spec->slo.latency, drawn);
    s->slo_ttft_s = objective(&spec->slo.ttft, drawn);
    s->slo_tpot_s = objective(&spec->slo.tpot, drawn);
    return s->llm == NULL || service_llm_resolve(s, drawn);
}

/* Once: all of the fleet are made before any of them begins. */
static bool find_host(struct service_run *s)
{
    if (s->plan->host == NULL || s->host != NULL) {
        return true;
    }
    s->host = fleet_offered(s->fleet, s->plan->host->work.workload);
    return s->host != NULL && shared_fleet_join(s->host, s);
}

bool service_run_begin(struct service_run *s, const double *drawn)
{
    const struct service_spec *spec = s->plan->spec;
    s->begun = s->over = s->finished = s->cancelled = false;
    s->end_s = 0;
    s->desired = s->wanted = 0;
    s->numbered = 0;
    s->delay = s->drain_end = EVENT_NONE;
    if (!find_host(s)) {
        return false;
    }
    service_zones_begin(s);
    service_jobs_begin(s);
    service_clear_requests(s);
    service_replicas_begin(s);
    service_books_begin(s);
    service_monitoring_begin(s, drawn);
    service_rollouts_begin(s, drawn);
    service_admission_begin(s, drawn);
    if (!resolve(s, drawn)) {
        return false;
    }
    if (s->plan->has_warm_pool) {
        warm_nodes_begin(&s->warm, s->load_s);
    }
    s->log = fleet_services(s->fleet);
    const struct demand *d = &s->arrivals.demand;
    if (s->interval != NULL) {
        s->arrivals.next_s = HUGE_VAL;
        (void)demand_begin(&s->arrivals.demand, &s->plan->demand, fleet_world(s->fleet), drawn);
        service_interval_begin(s);
    } else {
        arrivals_begin(&s->arrivals, &s->plan->demand, fleet_world(s->fleet), drawn);
    }
    s->measure_from_s = d->begin_s + number_value(&s->plan->spec->measure_from, drawn);
    const struct service_goal goal = {.stated = s->plan->has_slo,
                                      .speaks = s->plan->is_llm,
                                      .measured_from_s = s->measure_from_s,
                                      .within_s = {[SERVICE_LATENCY] = s->slo_s,
                                                   [SERVICE_TTFT] = s->slo_ttft_s,
                                                   [SERVICE_TPOT] = s->slo_tpot_s}};
    service_log_begin(s->log, s->plan->work.workload, &goal);
    hour_watch_begin(&s->watch, s->plan->has_slo, number_value(&spec->slo.share, drawn),
                     fleet_hours(s->fleet), s->plan->work.workload);
    if (d->begin_s >= d->end_s) {
        return true; /* it slips past its end: the horizon ends it */
    }
    bool ends = s->plan->demand.stated_end_s <= s->plan->demand.horizon_s &&
                d->end_s < s->plan->demand.horizon_s;
    if (calendar_schedule(s->calendar, d->begin_s, EVENT_NODE, on_service_begin, s, 0, NULL) !=
            CALENDAR_OK ||
        (ends && calendar_schedule(s->calendar, d->end_s, EVENT_WORK, on_service_end, s, 0, NULL) !=
                     CALENDAR_OK)) {
        return false;
    }
    schedule_arrival(s);
    return true;
}

bool service_run_over(const struct service_run *s)
{
    return s->over;
}

void service_run_horizon(struct service_run *s)
{
    if (!s->over) {
        end(s, false, END_HORIZON);
    }
}

void service_run_cancel(struct service_run *s)
{
    if (!s->over) {
        s->cancelled = true;
        end(s, false, END_CANCELLED);
    }
}

/* ---- result ---- */

struct work_result service_run_result(const struct service_run *s)
{
    struct work_result r = {.by_clock = true,
                            .finished = s->finished,
                            .cancelled = s->cancelled,
                            .end_s = s->end_s,
                            .idle_s = s->idle_s,
                            .service = &s->result,
                            .stopped = s->warm.spans,
                            .stopped_count = s->warm.span_count};
    if (s->host != NULL) {
        r.hosted = true;
        r.host = s->plan->host->work.workload;
        r.hosted_node_s = shared_fleet_node_s(s->host, s);
    }
    for (size_t k = 0; k < s->plan->work.pool_count; k++) {
        r.launches += s->crews[k]->launched;
        r.interruptions += s->crews[k]->interrupted;
    }
    r.launches += s->plan->has_warm_pool ? s->warm.preparing->launched : 0;
    return r;
}
