/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/service_interval.h"

#include "engine/extremes.h"
#include "models/inference/interval_llm.h"
#include "models/inference/interval_llm_books.h"
#include "models/inference/interval_state.h"
#include "models/inference/llm_tables.h"
#include "models/inference/queue_limits.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_sf_expint.h>
#include <math.h>
#include <stdlib.h>

struct service_interval *service_interval_new(const struct service_plan *plan)
{
    const char *workload_name = plan->work.workload_name;
    struct service_interval *v = calloc(1, sizeof *v);
    if (v == NULL) {
        return NULL;
    }
    v->source_load = random_source("workload/%s/interval-load", workload_name);
    v->source_count = random_source("workload/%s/interval-counts", workload_name);
    v->erlang = erlang_table_new();
    if (plan->is_llm) {
        const struct llm_table *table = llm_tables_make(plan->table);
        v->llm = table != NULL ? interval_llm_new(table) : NULL;
    }
    if (v->erlang == NULL || (plan->is_llm && v->llm == NULL)) {
        service_interval_free(v);
        return NULL;
    }
    return v;
}

void service_interval_free(struct service_interval *v)
{
    if (v == NULL) {
        return;
    }
    erlang_table_free(v->erlang);
    interval_llm_free(v->llm);
    interval_backlog_release(&v->backlog);
    interval_retries_release(&v->retries);
    free(v);
}

/* ---- a world ---- */

void service_interval_begin(struct service_run *s)
{
    struct service_interval *v = s->interval;
    const struct random_world world = fleet_world(s->fleet);
    random_stream_init(&v->load_noise, world, v->source_load);
    random_stream_init(&v->count_noise, world, v->source_count);
    const size_t pools = service_nodes_of(s->plan)->pool_count;
    for (size_t k = 0; k < pools && v->llm == NULL; k++) {
        const struct pool_serving *p = &s->serving[k];
        v->pools[k] = (struct pool_mean){.s_s = double_max(distribution_mean(&p->time), 1e-9),
                                         .cs2 = interval_variation(&p->time),
                                         .slots = p->slots};
    }
    double cv = number_value(&s->plan->spec->demand.cv, s->arrivals.demand.drawn);
    v->ca2 = cv * cv;
    v->peakedness = 1 + (v->ca2 - 1) / 2;
    erlang_table_begin(v->erlang, v->peakedness);
    double period_s = service_points_every_s(s);
    v->period_s = isfinite(period_s) ? period_s : SERVICE_INTERVAL_S;
    v->stands = false;
    v->load = v->rho = v->rate = v->in_service = v->inside = 0;
    v->time = (struct replica_time){0};
    v->load_step = (struct interval_load_step){0};
    interval_backlog_clear(&v->backlog);
    interval_latency_clear(&v->latency);
    interval_retries_begin(&v->retries, (size_t)s->plan->spec->retries, s->retry_after_s);
    if (v->llm != NULL) {
        interval_llm_begin(s);
        for (size_t k = 0; k < pools; k++) {
            s->serving[k].most_rate = interval_llm_most_rate(s);
            v->pools[k] = (struct pool_mean){.s_s = 1 / s->serving[k].most_rate, .slots = 1};
        }
    }
    if (v->llm == NULL) {
        interval_objective_begin(&v->objective, &s->serving[0].time,
                                 s->timeout_s > 0 ? s->timeout_s : HUGE_VAL, s->slo_s,
                                 s->plan->has_slo);
    }
    interval_log_begin(s);
}

/* ---- steps and what comes in them ---- */

/* The step from step_from_s on: up to the autoscaler's next look, a jump of the demand, or where
 * measuring begins. */
static void stand_on_step(struct service_run *s)
{
    struct service_interval *v = s->interval;
    struct demand *d = &s->arrivals.demand;
    double from_s = v->step_from_s, t_s = from_s, begin_s = d->begin_s;
    while (begin_s + (double)v->looks * v->period_s <= from_s + INTERVAL_SAME_INSTANT_S) {
        v->looks++;
    }
    double end_s = double_min(begin_s + (double)v->looks * v->period_s, d->end_s);
    if (s->measure_from_s > from_s + INTERVAL_SAME_INSTANT_S) {
        end_s = double_min(end_s, s->measure_from_s);
    }
    v->arrivals = 0;
    v->stands = d->end_s > from_s;
    while (v->stands) {
        if (d->to_s <= t_s) {
            if (!demand_next(d)) {
                break;
            }
            continue;
        }
        if (d->jumps_s > from_s) {
            end_s = double_min(end_s, d->jumps_s);
        }
        double to_s = double_min(end_s, d->to_s);
        v->arrivals += d->rate * (to_s - t_s);
        t_s = to_s;
        if (t_s >= end_s) {
            break;
        }
    }
    v->step_end_s = v->stands ? end_s : HUGE_VAL;
}

void service_interval_start(struct service_run *s)
{
    struct service_interval *v = s->interval;
    v->step_from_s = v->booked_s = s->calendar->now_s;
    v->looks = 0;
    v->failed = 0;
    stand_on_step(s);
}

/* ---- a step ---- */

/* Of a step that is zero but for its times and what comes. */
static void describe_step(struct service_run *s, struct interval_step *p)
{
    struct service_interval *v = s->interval;
    double length_s = p->to_s - p->from_s;
    p->fresh = p->arrivals;
    p->failed = v->failed;
    p->slots = v->time.slot_s / length_s;
    p->most_rate = v->time.served_most / length_s;
    p->s_s = p->slots > 0 ? p->slots / p->most_rate : v->pools[0].s_s;
    p->cs2 = v->pools[0].cs2;
    p->measured = p->from_s >= s->measure_from_s - INTERVAL_SAME_INSTANT_S;
    p->mix.share[0] = 1;
    v->failed = 0;
}

/* Pools that serve differently count by what they serve of a busy fleet. */
static double variation_of(const struct service_run *s, const struct interval_step *p)
{
    const struct service_interval *v = s->interval;
    const size_t pools = service_nodes_of(s->plan)->pool_count;
    double sum = 0, square = 0;
    if (pools == 1 || !(p->most_rate > 0)) {
        return p->cs2;
    }
    for (size_t k = 0; k < pools; k++) {
        const struct pool_mean *m = &v->pools[k];
        double rate = s->ready_of[k] * m->slots / m->s_s;
        sum += rate;
        square += rate * m->s_s * m->s_s * (1 + m->cs2);
    }
    return sum > 0 ? double_max(0, square / sum / (p->s_s * p->s_s) - 1) : p->cs2;
}

/* Mean over the step of the requests that wait in a steady queue: P_w m on average, m = lambda /
 * theta, with the variance P_w (2 - P_w) m^2 of a queue that is empty or exponential, over a time
 * of correlation of (1 + rho) / theta / (1 - rho), that of M/M/1. It is long when the load is high,
 * so it is lognormal in the same chance that the load was drawn with. */
static double steady_queue(const struct service_interval *v, const struct interval_step *p)
{
    const struct interval_waits *w = &p->waits;
    double waiting = w->waiting + w->timed_out, came = p->arrivals / (p->to_s - p->from_s);
    double mean = v->rate * w->waiting * w->mean_s;
    if (w->law != WAITS_EXPONENTIAL) {
        mean = came * (w->waiting * w->mean_s + (w->timed_out > 0 ? w->timed_out * w->most_s : 0));
    }
    if (!(mean > 0)) {
        return 0;
    }
    double r = (p->to_s - p->from_s) / w->memory_s;
    double of_mean = r > 1e-3 ? 2 / r * (1 + expm1(-r) / r) : 1;
    double log_variance = log1p((2 - waiting) / waiting * of_mean);
    return mean * exp(sqrt(log_variance) * p->luck - 0.5 * log_variance);
}

/* Seconds that those who were answered took, as they are seen: waits of a steady queue add up to
 * the number that waits over time, which varies; so does the sum of their times of service. */
static double latency_sum(const struct interval_step *p, double answered, double steady, double u)
{
    double noise = sqrt(answered * p->cs2) * p->s_s * gsl_cdf_ugaussian_Pinv(u);
    double waits_s = p->wait_sum_s - p->calm_wait_s + steady * p->calm_s;
    return double_max(0, answered * p->s_s + noise + waits_s);
}

/* Requests that wait or are served, now: those of a backlog and of all slots; else some wait where
 * the load is among the highest of so many chances as there are of a wait, all slots being busy. */
static double inside(const struct service_run *s, const struct interval_step *p)
{
    const struct service_interval *v = s->interval;
    const struct interval_waits *w = &p->waits;
    double a = v->rate * p->s_s, sd = sqrt(a * v->peakedness), waits = w->waiting + w->timed_out;
    if (v->backlog.amount > 0 || !(p->slots > 0)) {
        return v->backlog.amount + p->slots;
    }
    double z = sd > 0 ? (v->load - a) / sd : 0, u = gsl_cdf_ugaussian_Q(z);
    if (!(u < waits)) {
        return double_max(0, double_min(p->slots, v->load + v->peakedness * (z * z - 1) / 6));
    }
    return p->slots + double_min(queue_limits_point(w, 1 - u / waits) * v->rate,
                                 (double)s->plan->spec->queue_limit);
}

/* What an autoscaler will see of the step. */
static void show(struct service_run *s, const struct interval_step *p, double busy_slot_s,
                 double before)
{
    struct service_interval *v = s->interval;
    struct service_books *b = &s->books;
    double length_s = p->to_s - p->from_s, after = v->backlog.amount;
    double noise = random_normal(&v->count_noise), u = random_uniform(&v->count_noise);
    double queue = 0, calm = p->calm_s / length_s;
    if (p->calm_s > 0) {
        /* Waiting requests of a steady queue, now: none, or exponential. */
        const struct interval_waits *w = &p->waits;
        double waiting = (w->waiting + w->timed_out) * calm;
        queue = u < waiting ? queue_limits_point(w, 1 - u / waiting) * v->rate : 0;
        queue = double_min(queue, (double)s->plan->spec->queue_limit);
    }
    double steady = p->calm_s > 0 ? steady_queue(v, p) : 0;
    double busy = p->slots > 0 ? busy_slot_s * v->time.replica_s / v->time.slot_s : 0;
    double here = busy_slot_s + p->backlog_s + steady * p->calm_s;
    double ended = double_max(0, p->fresh + before - after);
    s->waiting = (uint32_t)double_min(after + queue + 0.5, 4e9);
    v->inside = floor(inside(s, p) + 0.5);
    b->busy_s += busy;
    b->seen_s += v->time.seen_s;
    b->in_flight += here;
    b->arrivals += double_max(0, p->fresh + sqrt(p->fresh * v->ca2) * noise);
    b->ended += ended;
    double answered = double_max(0, p->arrivals + before - after - p->failed);
    b->answered += answered;
    b->latency_sum += latency_sum(p, answered, steady, u);
    if (p->measured) {
        b->requests += p->fresh;
        b->measured_busy_s += busy;
        b->measured_in_flight += here;
        b->measured_replica_s += v->time.replica_s;
    }
}

static void take_llm_step(struct service_run *s, struct interval_step *p)
{
    struct service_interval *v = s->interval;
    double before = v->backlog.amount + interval_llm_inside(s);
    interval_log_open(s, p);
    interval_llm_step(s, p);
    s->books.rejected += p->measured ? p->rejected : 0;
    /* What goes inside is served some seconds later. */
    interval_log_step(s, p, before - interval_llm_inside(s));
    v->time = (struct replica_time){0};
    v->step_from_s = p->to_s;
}

/* The load of a queue that is steady, without what is dropped or given up: its mean and, by chance
 * as of the load that is offered, the variance m - (A - m)(c - m) of a loss system (Riordan, in
 * Wilkinson, "Theories for toll traffic engineering in the USA", Bell Syst. Tech. J. 35, 1956).
 * Where some may wait slots are fuller than that system's: no load between 0 and c varies by more
 * than m (c - m) (Bhatia and Davis, Amer. Math. Monthly 107, 2000), so that full ones stay full. */
static double carried(const struct interval_step *p, double a, double load)
{
    double offered = p->arrivals * p->s_s / (p->to_s - p->from_s);
    double m = offered * (1 - p->waits.dropped - p->waits.timed_out);
    double variance =
        double_max(0, double_min(m - (offered - m) * (p->slots - m), m * (p->slots - m)));
    return a > 0 ? double_max(0, m + (load - a) * sqrt(variance / a)) : 0;
}

static void take_step(struct service_run *s, double to_s, double arrivals)
{
    struct service_interval *v = s->interval;
    if (!(to_s - v->step_from_s > 0)) {
        return;
    }
    struct interval_step p = {.from_s = v->step_from_s, .to_s = to_s, .arrivals = arrivals};
    describe_step(s, &p);
    if (v->llm != NULL) {
        take_llm_step(s, &p);
        return;
    }
    double length_s = to_s - p.from_s, cs2 = variation_of(s, &p);
    double tau_s = 0.5 * p.s_s * (1 + cs2), before = v->backlog.amount;
    if (v->load_step.step_s != length_s || v->load_step.tau_s != tau_s) {
        v->load_step = interval_load_step(length_s, tau_s);
    }
    v->rate = arrivals / length_s;
    double a = v->rate * p.s_s;
    double z1 = random_normal(&v->load_noise), z2 = random_normal(&v->load_noise);
    struct interval_load load =
        interval_load_next(&v->load_step, v->load, a, v->peakedness, z1, z2);
    v->load = load.end;
    if (p.slots > 0) {
        p.queue = (struct interval_queue){.servers = p.slots,
                                          .s_s = p.s_s,
                                          .ca2 = v->ca2,
                                          .cs2 = cs2,
                                          .limit = (double)s->plan->spec->queue_limit,
                                          .timeout_s = s->timeout_s > 0 ? s->timeout_s : HUGE_VAL,
                                          .step_s = length_s};
        p.waits = interval_waits(v->erlang, &p.queue, a / p.slots);
    }
    double spread = (double)v->looks * 0.61803398874989485;
    p.shift = spread - floor(spread);
    double sd = sqrt(a * v->peakedness) * v->load_step.mean_sd;
    p.luck = sd > 0 ? double_min(4, (load.mean - a) / sd) : 0;
    interval_log_open(s, &p);
    interval_serve(s, &p, load.mean);
    double most = p.slots * length_s;
    double busy = double_min(most, p.waits.steady ? carried(&p, a, load.mean) * length_s
                                                  : load.mean * length_s + before * p.s_s);
    v->rho = most > 0 ? busy / most : 0;
    v->in_service = v->backlog.amount > 0 ? p.slots : double_min(p.slots, load.end);
    show(s, &p, busy, before);
    p.busy = most > 0 ? busy / most : 0;
    interval_log_step(s, &p, before);
    v->time = (struct replica_time){0};
    v->step_from_s = to_s;
}

static void count_replicas(struct service_run *s, double to_s)
{
    struct service_interval *v = s->interval;
    double past_s = to_s - v->booked_s;
    if (!(past_s > 0)) {
        return;
    }
    for (size_t k = 0; k < service_nodes_of(s->plan)->pool_count; k++) {
        double replica_s = past_s * s->ready_of[k], slot_s = replica_s * v->pools[k].slots;
        v->time.replica_s += replica_s;
        v->time.slot_s += slot_s;
        v->time.served_most += slot_s / v->pools[k].s_s;
    }
    v->time.seen_s += past_s * service_standing(s);
    v->booked_s = to_s;
}

void service_interval_book(struct service_run *s)
{
    struct service_interval *v = s->interval;
    double now_s = s->calendar->now_s;
    while (v->stands && v->step_end_s <= now_s + INTERVAL_SAME_INSTANT_S) {
        double end_s = v->step_end_s;
        count_replicas(s, end_s);
        take_step(s, end_s, v->arrivals);
        stand_on_step(s);
    }
    count_replicas(s, now_s);
}

/* ---- replicas that go ---- */

/* The mean of the largest of exponential times of mean 1, whose number is Poisson with mean n: the
 * integral of 1 - exp(-n exp(-t)). */
static double largest_of(double n)
{
    if (n < 1e-3) {
        return n;
    }
    return log(n) + M_EULER + (n < 700 ? gsl_sf_expint_E1(n) : 0);
}

static uint32_t ready_before(const struct service_run *s, uint32_t replica)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < replica; i++) {
        count += s->replicas[i].state == REPLICA_READY;
    }
    return count;
}

/* Requests in service on so many replicas behind the first ones, of all that are ready or drain.
 * Requests go to the first replica that is free, so that the last are the least busy: of the load a
 * those behind c carry a B(c, a). When all are busy they are full. */
static double busy_slots_draining(const struct service_interval *v, double first, double count,
                                  double replicas, double slots)
{
    double all = slots * replicas, a = v->rho * all;
    if (v->rho >= INTERVAL_MOST_LOAD || all > 20000) {
        return v->rho * slots * count;
    }
    double before = first > 0 ? erlang_b(first * slots, a) : 1;
    double carried = a * (before - erlang_b((first + count) * slots, a));
    double full = erlang_c(all, a);
    return full * slots * count + (1 - full) * double_min(carried, slots * count);
}

double service_interval_inside(const struct service_run *s)
{
    return s->interval->inside;
}

double service_interval_drain_s(struct service_run *s, uint32_t replica)
{
    struct service_interval *v = s->interval;
    const struct pool_mean *m = &v->pools[s->replicas[replica].pool];
    if (v->llm != NULL) {
        return interval_llm_drain(s, &s->replicas[replica],
                                  s->host != NULL ? 1 : s->draining_busy + 1.0);
    }
    double first = ready_before(s, replica), count = 1;
    if (s->host == NULL) {
        /* Its nodes go when all that drains on them has ended: those before it count too. */
        v->first_draining = s->draining_busy == 0 ? (uint32_t)first : v->first_draining;
        first = v->first_draining;
        count += s->draining_busy;
    }
    double n = busy_slots_draining(v, first, count, s->ready + count, m->slots);
    return 0.5 * m->s_s * (1 + m->cs2) * largest_of(n);
}

void service_interval_resume(struct service_run *s, uint32_t replica)
{
    const struct replica *r = &s->replicas[replica];
    if (s->interval->llm != NULL) {
        interval_llm_resume(s, r, s->calendar->now_s - r->drains_from_s);
    }
}

/* Those that it had on average. */
static double had(const struct service_run *s, uint32_t replica)
{
    const struct service_interval *v = s->interval;
    const struct replica *r = &s->replicas[replica];
    const struct pool_mean *m = &v->pools[r->pool];
    double now_s = s->calendar->now_s;
    if (r->drains_from_s > r->ready_s) {
        double tau_s = 0.5 * m->s_s * (1 + m->cs2);
        return v->rho * m->slots * exp(-(now_s - r->drains_from_s) / tau_s);
    }
    return now_s > r->ready_s ? v->rho * m->slots : 0;
}

static void lose(struct service_run *s, uint32_t replica)
{
    struct service_interval *v = s->interval;
    const struct replica *r = &s->replicas[replica];
    double now_s = s->calendar->now_s;
    double drained_s = r->drains_from_s > r->ready_s ? now_s - r->drains_from_s : 0;
    double lost = v->llm != NULL ? interval_llm_lose(s, r, drained_s) : had(s, replica);
    const struct request_mix mix = request_mix_fresh();
    interval_fail(s, NULL, REQUEST_LOST, &mix, lost, 0, now_s, service_measures(s, now_s));
}

/* There are no requests of which any could be given to a replica. */
static void dispatch(struct service_run *s)
{
    (void)s;
}

static bool takes_one(struct service_run *s)
{
    (void)s;
    return false;
}

static void set_free(struct service_run *s, uint32_t replica)
{
    (void)s;
    (void)replica;
}

const struct serving_way serving_by_interval = {
    .dispatch = dispatch,
    .takes_one = takes_one,
    .lose = lose,
    .set_free = set_free,
    .begin = dispatch,
};

/* ---- the end ---- */

static double measured_backlog(const struct service_run *s)
{
    const struct interval_backlog *b = &s->interval->backlog;
    double sum = 0;
    for (size_t i = 0; i < b->count; i++) {
        const struct backlog_parcel *p = &b->parcels[(b->first + i) % b->capacity];
        sum += p->from_s >= s->measure_from_s ? p->amount : 0;
    }
    return sum;
}

/* Fills the share that is within the objective, too. */
static void make_latencies(struct service_run *s)
{
    struct service_interval *v = s->interval;
    struct service_books *b = &s->books;
    const struct distribution *time = &s->serving[0].time;
    struct interval_latency_result r = interval_latency_make(
        &v->latency, time, v->objective.points, s->timeout_s > 0 ? s->timeout_s : HUGE_VAL,
        s->slo_s, &b->wait, &b->latency);
    b->latency.sum = r.wait_sum_s + r.weight * v->pools[0].s_s;
    b->within_slo = r.weight > 0 ? r.within_slo : 0;
}

void service_interval_end(struct service_run *s)
{
    struct service_interval *v = s->interval;
    struct service_books *b = &s->books;
    service_interval_book(s);
    double now_s = s->calendar->now_s;
    if (v->stands && now_s > v->step_from_s) {
        double share = (now_s - v->step_from_s) / (v->step_end_s - v->step_from_s);
        take_step(s, now_s, share * v->arrivals);
    }
    v->stands = false;
    interval_log_end(s);
    if (v->llm != NULL) {
        interval_llm_end(s);
    } else {
        make_latencies(s);
    }
    /* Requests that came are served, fail or are left. */
    double failed = b->dropped + b->timed_out + b->lost + b->rejected;
    double left = measured_backlog(s) + (b->requests > 0 ? v->in_service + v->retries.amount : 0);
    b->served = double_max(0, b->requests - failed - left);
    b->within_slo *= b->served;
    if (v->llm != NULL) {
        interval_llm_count_tokens(s);
    }
}
