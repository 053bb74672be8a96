/* SPDX-License-Identifier: GPL-3.0-or-later
 * Replicas of a language model: a router gives each request to one of those that are ready, and
 * there it stays; while none is, requests wait in the service's own queue. Each replica has one
 * event in the calendar, the end of what goes on in it. A time-out takes effect at the first event
 * of the replica after it. */
#include "models/inference/llm_replica_losses.h"
#include "models/inference/service_state.h"

#include <math.h>
#include <stdlib.h>

/* Into the handlers of events and arrivals, which are most of a run. */
#define INLINE __attribute__((always_inline)) inline

static void on_event(void *run, uint64_t replica);

static struct service_request *request_at(const struct service_run *s, uint32_t request)
{
    return &s->requests.items[request];
}

/* ---- bookkeeping ---- */

/* Its event is at end_s from now on. */
INLINE static void set_event(struct service_run *s, uint32_t replica)
{
    struct llm_server *v = &s->llm->servers[replica];
    const double end_s = v->engine.end_s;
    enum calendar_status status = CALENDAR_OK;
    if (end_s == v->next_s) {
        return;
    }
    if (!(end_s < HUGE_VAL)) {
        calendar_cancel(s->calendar, v->next);
    } else if (v->next_s < HUGE_VAL) {
        status = calendar_move(s->calendar, v->next, end_s);
    } else if (calendar_again(s->calendar, &v->next, end_s) != CALENDAR_OK) {
        status = calendar_schedule(s->calendar, end_s, EVENT_WORK, on_event, s, replica, &v->next);
    }
    v->next_s = end_s;
    if (status != CALENDAR_OK) {
        fleet_fail(s->fleet);
    }
}

/* After anything was done to a replica in which so many waited before. */
INLINE static void follow(struct service_run *s, uint32_t replica, uint32_t waited)
{
    struct service_llm *l = s->llm;
    struct llm_server *v = &l->servers[replica];
    struct replica *r = &s->replicas[replica];
    const uint32_t in_flight = v->engine.in_flight;
    l->waiting += v->engine.waiting - waited;
    if (in_flight != r->busy) {
        double busy = in_flight / l->sequences[r->pool];
        busy = busy < 1.0 ? busy : 1.0;
        s->busy_replicas += busy - v->busy;
        v->busy = busy;
        s->active_replicas += (uint32_t)(in_flight > 0) - (uint32_t)(r->busy > 0);
        r->busy = in_flight;
        service_router_load(&l->router, replica, in_flight);
    }
    set_event(s, replica);
}

/* ---- what an engine tells ---- */

static void served(void *run, uint32_t request, double done_s)
{
    (void)done_s;
    service_succeed(run, request);
}

static void given_up(void *run, uint32_t request, double at_s)
{
    (void)at_s;
    service_fail(run, request, REQUEST_TIMED_OUT);
}

static void lost(void *run, uint32_t request, double at_s)
{
    (void)at_s;
    service_fail(run, request, REQUEST_LOST);
}

/* ---- memory ---- */

/* Of the accelerators of a replica. */
static double memory_bytes(const struct service_run *s, size_t pool)
{
    const struct llm_hardware *h = &s->plan->hosts[pool].hardware;
    return h->accelerators * h->memory_bytes;
}

double service_llm_weights_share(const struct service_run *s, size_t pool)
{
    return s->llm->rules[pool].step.weights_bytes / memory_bytes(s, pool);
}

/* ---- serving ---- */

static void give_up_there(struct service_run *s, struct llm_server *v)
{
    if (s->timeout_s > 0) {
        llm_replica_give_up(&v->engine, s->timeout_s, s->calendar->now_s, given_up, s);
    }
}

/* Over this stretch the replica had so many tokens in its cache, summed over time. */
static void log_cache(const struct service_run *s, uint32_t replica, double from_s, double to_s,
                      double token_s)
{
    const size_t k = s->replicas[replica].pool;
    const struct llm_step *step = &s->llm->rules[k].step;
    service_log_cache(s->log, s->plan->work.workload, from_s, to_s, token_s / step->kv_tokens,
                      token_s * step->kv_bytes_per_token / memory_bytes(s, k));
}

static void advance_logged(struct service_run *s, uint32_t replica)
{
    struct llm_replica *engine = &s->llm->servers[replica].engine;
    const double from_s = engine->begin_s, to_s = engine->end_s, before = engine->cache_token_s;
    llm_replica_advance(engine, served, s);
    log_cache(s, replica, from_s, to_s, engine->cache_token_s - before);
}

INLINE static void advance(struct service_run *s, uint32_t replica)
{
    struct llm_server *v = &s->llm->servers[replica];
    uint32_t waited = v->engine.waiting;
    give_up_there(s, v);
    if (s->log != NULL) {
        advance_logged(s, replica);
    } else {
        llm_replica_advance(&v->engine, served, s);
    }
    follow(s, replica, waited);
}

static void on_event(void *run, uint64_t replica)
{
    struct service_run *s = run;
    if (s->over) {
        return;
    }
    service_book(s);
    s->llm->servers[replica].next_s = HUGE_VAL; /* it has fired */
    advance(s, (uint32_t)replica);
    const struct replica *r = &s->replicas[replica];
    if (r->state == REPLICA_DRAINING && r->busy == 0) {
        service_drained(s, (uint32_t)replica);
    }
}

double service_llm_time_out(struct service_run *s)
{
    double first_s = HUGE_VAL;
    for (uint32_t i = 0; i < s->replica_count; i++) {
        struct llm_server *v = &s->llm->servers[i];
        const uint32_t waited = v->engine.waiting;
        if (waited == 0) {
            continue;
        }
        give_up_there(s, v);
        follow(s, i, waited);
        if (v->engine.waiting > 0) {
            first_s = fmin(first_s, llm_replica_first_queued_s(&v->engine));
        }
        if (s->replicas[i].state == REPLICA_DRAINING && s->replicas[i].busy == 0) {
            service_drained(s, i);
        }
    }
    return first_s;
}

static void route(struct service_run *s, uint32_t request)
{
    struct service_llm *l = s->llm;
    struct service_request *q = request_at(s, request);
    double u = l->router.law != ROUTING_TWO_CHOICES
                   ? 0.5
                   : random_uniform_at(l->world, l->source_route, q->number);
    uint32_t replica = service_router_pick(&l->router, u);
    struct llm_server *v = &l->servers[replica];
    if (!llm_rules_can_serve(v->engine.rules, q->prompt, q->output)) {
        service_fail(s, request, REQUEST_REJECTED);
        return;
    }
    if (v->engine.end_s <= s->calendar->now_s) {
        advance(s, replica); /* due at this very instant */
    }
    uint32_t waited = v->engine.waiting;
    give_up_there(s, v);
    q->made = 0;
    q->first_s = q->admitted_s = 0;
    if (!llm_replica_arrive(&v->engine, request, s->calendar->now_s)) {
        fleet_fail(s->fleet);
    }
    follow(s, replica, waited);
}

static void dispatch(struct service_run *s)
{
    service_give_up(s);
    while (s->waiting > 0 && s->llm->router.count > 0) {
        route(s, service_take_first(s));
    }
}

static bool takes_one(struct service_run *s)
{
    for (uint32_t i = 0; i < s->replica_count; i++) {
        const struct llm_replica *e = &s->llm->servers[i].engine;
        if (s->replicas[i].state == REPLICA_READY && e->waiting == 0 &&
            e->in_flight < e->rules->most_sequences) {
            return true;
        }
    }
    return false;
}

static void lose(struct service_run *s, uint32_t replica)
{
    struct llm_server *v = &s->llm->servers[replica];
    uint32_t waited = v->engine.waiting;
    const double from_s = v->engine.begin_s, before = v->engine.cache_token_s;
    llm_replica_drop(&v->engine, s->calendar->now_s, lost, s);
    if (s->log != NULL) {
        log_cache(s, replica, from_s, s->calendar->now_s, v->engine.cache_token_s - before);
    }
    follow(s, replica, waited);
}

static void set_free(struct service_run *s, uint32_t replica)
{
    if (s->replicas[replica].state == REPLICA_READY) {
        service_router_open(&s->llm->router, replica);
    } else {
        service_router_close(&s->llm->router, replica);
    }
}

static void begin_serving(struct service_run *s)
{
    struct service_llm *l = s->llm;
    service_router_reset(&l->router);
    l->waiting = 0;
    for (uint32_t i = 0; i < s->replica_count; i++) {
        llm_replica_reset(&l->servers[i].engine);
        l->servers[i].next = EVENT_NONE;
        l->servers[i].next_s = HUGE_VAL;
        l->servers[i].busy = 0;
    }
}

const struct serving_way serving_by_llm = {
    .dispatch = dispatch,
    .takes_one = takes_one,
    .lose = lose,
    .set_free = set_free,
    .begin = begin_serving,
};

/* ---- requests ---- */

bool service_llm_measure(struct service_run *s, struct service_request *q)
{
    const struct arrivals *a = &s->arrivals;
    const struct token_length traced = {a->prompt_tokens, a->output_tokens, a->cached_tokens};
    struct token_length t = token_lengths_of(&s->llm->lengths, s->llm->world, q->number, &traced);
    bool good = token_lengths_cut(&t, (uint64_t)s->plan->llm.spec->context);
    q->prompt = t.prompt;
    q->output = t.output;
    q->cached = t.cached;
    return good;
}

static double tpot_s_of(const struct service_run *s, const struct service_request *q)
{
    return q->output >= 2 ? (s->calendar->now_s - q->first_s) / (q->output - 1) : 0.0;
}

bool service_llm_count(struct service_run *s, const struct service_request *q, bool measured)
{
    struct service_books *b = &s->books;
    const double ttft_s = q->first_s - q->arrived_s, tpot_s = tpot_s_of(s, q);
    if (measured) {
        const double wait_s = q->admitted_s - q->arrived_s;
        b->prompt_tokens += q->prompt;
        b->output_tokens += q->output;
        b->waited += wait_s > 0;
        log_histogram_add(&b->wait, wait_s > 0 ? wait_s : 0, 1);
        log_histogram_add(&b->ttft, ttft_s, 1);
        if (q->output >= 2) {
            log_histogram_add(&b->tpot, tpot_s, 1);
        }
    }
    return ttft_s <= s->slo_ttft_s && tpot_s <= s->slo_tpot_s;
}

void service_llm_log(const struct service_run *s, const struct service_request *q)
{
    const size_t w = s->plan->work.workload;
    const double now_s = s->calendar->now_s;
    service_log_value(s->log, w, now_s, SERVICE_TTFT, q->first_s - q->arrived_s, 1);
    if (q->output >= 2) {
        service_log_value(s->log, w, now_s, SERVICE_TPOT, tpot_s_of(s, q), 1);
    }
    service_log_count(s->log, w, now_s, SERVICE_PROMPT_TOKENS, q->prompt);
    service_log_count(s->log, w, now_s, SERVICE_OUTPUT_TOKENS, q->output);
}

uint64_t service_llm_evictions(const struct service_run *s)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->replica_count; i++) {
        sum += s->llm->servers[i].engine.evictions;
    }
    return sum;
}

/* ---- life ---- */

bool service_llm_resolve(struct service_run *s, const double *drawn)
{
    struct service_llm *l = s->llm;
    l->world = fleet_world(s->fleet);
    for (size_t k = 0; k < service_nodes_of(s->plan)->pool_count; k++) {
        l->rules[k] = llm_plan_rules(&s->plan->llm, &s->plan->hosts[k], drawn);
        l->sequences[k] = llm_saturated_sequences(&l->rules[k], &s->plan->llm.lengths);
    }
    return token_lengths_begin(&l->lengths, s->plan->llm.spec, drawn);
}

struct service_llm *service_llm_new(struct service_run *s)
{
    const struct service_plan *plan = s->plan;
    struct service_llm *l = calloc(1, sizeof *l);
    if (l == NULL) {
        return NULL;
    }
    l->source_route = random_source("workload/%s/route", plan->work.workload_name);
    token_lengths_init(&l->lengths, plan->work.workload_name);
    l->servers = calloc(s->replica_count > 0 ? s->replica_count : 1, sizeof *l->servers);
    if (!service_router_init(&l->router, (enum routing_law)plan->llm.spec->routing,
                             s->replica_count) ||
        !token_lengths_tabulate(&l->lengths) || l->servers == NULL) {
        service_router_release(&l->router);
        token_lengths_release(&l->lengths);
        free(l->servers);
        free(l);
        return NULL;
    }
    for (size_t k = 0; k < service_nodes_of(plan)->pool_count; k++) {
        uint32_t from = s->pool_first[k];
        uint32_t to =
            k + 1 < service_nodes_of(plan)->pool_count ? s->pool_first[k + 1] : s->replica_count;
        for (uint32_t i = from; i < to; i++) {
            llm_replica_init(&l->servers[i].engine, &l->rules[k], &s->requests);
            l->servers[i].next_s = HUGE_VAL;
        }
    }
    return l;
}

void service_llm_free(struct service_run *s)
{
    struct service_llm *l = s->llm;
    if (l == NULL) {
        return;
    }
    for (uint32_t i = 0; i < s->replica_count; i++) {
        llm_replica_release(&l->servers[i].engine);
    }
    service_router_release(&l->router);
    token_lengths_release(&l->lengths);
    free(l->servers);
    free(l);
    s->llm = NULL;
}
