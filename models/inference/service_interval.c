/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/service_interval.h"

#include "models/inference/interval_backlog.h"
#include "models/inference/interval_latency.h"
#include "models/inference/interval_load.h"
#include "models/inference/interval_waits.h"
#include "models/inference/service_state.h"

#include <math.h>
#include <stdlib.h>

/* Times so far apart are the same. */
#define SAME_INSTANT_S 1e-6
/* With a timeout, what waits too long is looked for so many times within it. */
#define LOOKS_A_TIMEOUT 4.0
/* Fewer requests are none. */
#define LEAST_BACKLOG 1e-9

/* Replicas over the step so far, summed over time. */
struct replica_time {
    double replica_s, slot_s, served_most; /* served_most: requests that they could serve */
};

/* How requests are served on a pool, on average. */
struct pool_mean {
    double s_s, cs2, slots;
};

struct service_interval {
    uint64_t source_load, source_count;
    struct random_stream load_noise, count_noise;
    struct erlang_table *erlang;

    /* Of this world. */
    struct pool_mean pools[WORK_MAX_POOLS];
    double ca2, peakedness;
    double period_s;
    bool stands; /* a step stands at step_from_s … */
    double step_from_s, step_end_s, booked_s;
    double arrivals; /* … in which so many come */
    uint64_t looks;  /* periods begun */
    double lost;     /* since the last step was taken, measured or not */
    struct replica_time time;
    struct interval_load_step load_step;
    double load;       /* offered, at the end of the last step */
    double rho;        /* busy share of slots in the last step … */
    double rate;       /* … and what came, per second */
    double in_service; /* requests, at its end */
    struct interval_backlog backlog;
    struct interval_latency latency;
};

/* What a step is taken with. */
struct interval_step {
    double from_s, to_s, arrivals;
    double slots, most_rate; /* on average; requests/s that they could serve at most */
    double s_s, cs2;
    bool measured;
    struct interval_waits waits;          /* when there is no backlog */
    double dropped, timed_out;            /* made, measured or not */
    double wait_sum_s, backlog_s, calm_s; /* made: waits of those served, requests × seconds in the
                                             backlog, time without one */
};

struct service_interval *service_interval_new(const char *workload_name)
{
    struct service_interval *v = calloc(1, sizeof *v);
    if (v == NULL) {
        return NULL;
    }
    v->source_load = random_source("workload/%s/interval-load", workload_name);
    v->source_count = random_source("workload/%s/interval-counts", workload_name);
    v->erlang = erlang_table_new();
    if (v->erlang == NULL) {
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
    interval_backlog_release(&v->backlog);
    free(v);
}

/* ---- a world ---- */

void service_interval_begin(struct service_run *s)
{
    struct service_interval *v = s->interval;
    const struct random_world world = fleet_world(s->fleet);
    random_stream_init(&v->load_noise, world, v->source_load);
    random_stream_init(&v->count_noise, world, v->source_count);
    for (size_t k = 0; k < s->plan->work.pool_count; k++) {
        const struct pool_serving *p = &s->serving[k];
        v->pools[k] = (struct pool_mean){.s_s = fmax(distribution_mean(&p->time), 1e-9),
                                         .cs2 = interval_variation(&p->time),
                                         .slots = p->slots};
    }
    double cv = number_value(&s->plan->spec->demand.cv, s->arrivals.demand.drawn);
    v->ca2 = cv * cv;
    v->peakedness = 1 + (v->ca2 - 1) / 2;
    erlang_table_begin(v->erlang, v->peakedness);
    double period_s = autoscaler_group_period_s(&s->group);
    v->period_s = isfinite(period_s) ? period_s : SERVICE_INTERVAL_S;
    v->stands = false;
    v->load = v->rho = v->rate = v->in_service = 0;
    v->time = (struct replica_time){0};
    v->load_step = (struct interval_load_step){0};
    interval_backlog_clear(&v->backlog);
    interval_latency_clear(&v->latency);
}

/* ---- steps and what comes in them ---- */

/* The step from step_from_s on: up to the autoscaler's next look, a jump of the demand, or where
 * measuring begins. */
static void stand_on_step(struct service_run *s)
{
    struct service_interval *v = s->interval;
    struct demand *d = &s->arrivals.demand;
    double from_s = v->step_from_s, t_s = from_s, begin_s = d->begin_s;
    while (begin_s + (double)v->looks * v->period_s <= from_s + SAME_INSTANT_S) {
        v->looks++;
    }
    double end_s = fmin(begin_s + (double)v->looks * v->period_s, d->end_s);
    if (s->measure_from_s > from_s + SAME_INSTANT_S) {
        end_s = fmin(end_s, s->measure_from_s);
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
            end_s = fmin(end_s, d->jumps_s);
        }
        double to_s = fmin(end_s, d->to_s);
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
    v->lost = 0;
    stand_on_step(s);
}

/* ---- what becomes of requests ---- */

/* Requests that are served at once, or wait as in a steady queue. */
static void serve_calmly(struct service_run *s, struct interval_step *p, double requests,
                         double over_s)
{
    struct service_interval *v = s->interval;
    struct service_books *b = &s->books;
    const struct interval_waits *w = &p->waits;
    double waiting = requests * w->waiting, dropped = requests * w->dropped, timed_out = 0;
    if (s->timeout_s > 0) {
        timed_out = waiting * exp(-w->rate * s->timeout_s);
    }
    p->calm_s += over_s;
    if (!(requests > 0)) {
        return;
    }
    p->wait_sum_s += waiting / w->rate;
    p->dropped += dropped;
    p->timed_out += timed_out;
    if (!p->measured) {
        return;
    }
    b->dropped += dropped;
    b->timed_out += timed_out;
    b->waited += waiting - timed_out;
    v->latency.at_once += requests - waiting - dropped;
    if (waiting > timed_out) {
        interval_latency_tail(&v->latency, w->rate, waiting - timed_out);
    }
}

/* Served between two times: what they waited runs along a line; below full load the waits of a
 * steady queue come on top. */
static void record_backlog(struct service_run *s, struct interval_step *p,
                           const struct backlog_parcel *q, double from_s, double to_s)
{
    enum { PARTS = 4 };
    struct log_histogram *h = &s->interval->latency.backlog;
    double first_s = fmax(0, from_s - q->from_s), last_s = fmax(0, to_s - q->to_s);
    bool full = p->waits.rate <= 0 || p->s_s * s->interval->rate >= INTERVAL_MOST_LOAD * p->slots;
    double on_top = full ? 0 : p->waits.waiting;
    for (int i = 0; i < PARTS; i++) {
        double wait_s = first_s + (last_s - first_s) * (i + 0.5) / PARTS, part = q->amount / PARTS;
        wait_s = s->timeout_s > 0 ? fmin(wait_s, s->timeout_s) : wait_s;
        p->wait_sum_s += part * (wait_s + (full ? 0 : on_top / p->waits.rate));
        if (q->from_s < s->measure_from_s) {
            continue;
        }
        s->books.waited += part;
        log_histogram_add(h, wait_s, part * (1 - on_top));
        for (int k = 0; on_top > 0 && k < PARTS; k++) {
            double more_s = -log1p(-(k + 0.5) / PARTS) / p->waits.rate;
            log_histogram_add(h, wait_s + more_s, part * on_top / PARTS);
        }
    }
}

/* Those that have waited as long as they would. */
static void give_up_backlog(struct service_run *s, struct interval_step *p, double now_s)
{
    struct interval_backlog *b = &s->interval->backlog;
    double before_s = now_s - s->timeout_s;
    while (b->count > 0) {
        const struct backlog_parcel *q = &b->parcels[b->first];
        if (q->from_s >= before_s) {
            return;
        }
        double share = q->to_s > before_s ? (before_s - q->from_s) / (q->to_s - q->from_s) : 1;
        struct backlog_parcel gone = interval_backlog_take(b, share * q->amount);
        s->books.timed_out += gone.from_s >= s->measure_from_s ? gone.amount : 0;
        p->timed_out += gone.amount;
    }
}

/* A stretch in which a backlog stands from begin to end, though it may be 0 at both. */
static void serve_backlog(struct service_run *s, struct interval_step *p, double from_s,
                          double to_s, double came_rate, double rate)
{
    struct interval_backlog *b = &s->interval->backlog;
    double before = b->amount, serves = rate * (to_s - from_s), t_s = from_s;
    if (!interval_backlog_add(b, from_s, to_s, came_rate * (to_s - from_s))) {
        fleet_fail(s->fleet);
        return;
    }
    while (serves > 0 && b->count > 0) {
        struct backlog_parcel q = interval_backlog_take(b, serves);
        double end_s = fmin(to_s, t_s + q.amount / rate);
        record_backlog(s, p, &q, t_s, end_s);
        t_s = end_s;
        serves -= q.amount;
    }
    if (s->timeout_s > 0) {
        give_up_backlog(s, p, to_s);
    }
    p->backlog_s += 0.5 * (before + b->amount) * (to_s - from_s);
}

/* All requests of the step, of which those in service need `load` servers on average. */
static void serve(struct service_run *s, struct interval_step *p, double load)
{
    struct service_interval *v = s->interval;
    double length_s = p->to_s - p->from_s, came_rate = p->arrivals / length_s, t_s = p->from_s;
    /* What comes by chance beyond the mean takes from what can be served. */
    double rate = p->slots > 0 ? fmax(0, p->most_rate + came_rate - load / p->s_s) : 0;
    while (p->to_s - t_s > SAME_INSTANT_S) {
        double left_s = p->to_s - t_s, q = v->backlog.amount, for_s = left_s;
        double room = (double)s->plan->spec->queue_limit - q, enters = came_rate;
        if (q <= LEAST_BACKLOG && came_rate <= rate) {
            interval_backlog_clear(&v->backlog);
            serve_calmly(s, p, came_rate * left_s, left_s);
            return;
        }
        /* Until it is gone, or full, or the step ends. */
        if (came_rate < rate) {
            for_s = fmin(left_s, q / (rate - came_rate));
        } else if (room > LEAST_BACKLOG) {
            for_s = fmin(left_s, room / (came_rate - rate));
        } else {
            enters = rate;
        }
        if (s->timeout_s > 0) {
            for_s = fmin(for_s, s->timeout_s / LOOKS_A_TIMEOUT);
        }
        for_s = fmax(for_s, SAME_INSTANT_S);
        serve_backlog(s, p, t_s, t_s + for_s, enters, rate);
        s->books.dropped += p->measured ? (came_rate - enters) * for_s : 0;
        p->dropped += (came_rate - enters) * for_s;
        t_s += for_s;
    }
}

/* ---- a step ---- */

static struct interval_step step_of(struct service_run *s, double to_s, double arrivals)
{
    struct service_interval *v = s->interval;
    double length_s = to_s - v->step_from_s;
    struct interval_step p = {.from_s = v->step_from_s,
                              .to_s = to_s,
                              .arrivals = arrivals,
                              .slots = v->time.slot_s / length_s,
                              .most_rate = v->time.served_most / length_s,
                              .s_s = v->pools[0].s_s,
                              .cs2 = v->pools[0].cs2,
                              .measured = v->step_from_s >= s->measure_from_s - SAME_INSTANT_S};
    if (p.slots > 0) {
        p.s_s = p.slots / p.most_rate;
    }
    return p;
}

/* Pools that serve differently count by what they serve of a busy fleet. */
static double variation_of(const struct service_run *s, const struct interval_step *p)
{
    const struct service_interval *v = s->interval;
    double sum = 0, square = 0;
    if (s->plan->work.pool_count == 1 || !(p->most_rate > 0)) {
        return p->cs2;
    }
    for (size_t k = 0; k < s->plan->work.pool_count; k++) {
        const struct pool_mean *m = &v->pools[k];
        double rate = s->ready_of[k] * m->slots / m->s_s;
        sum += rate;
        square += rate * m->s_s * m->s_s * (1 + m->cs2);
    }
    return sum > 0 ? fmax(0, square / sum / (p->s_s * p->s_s) - 1) : p->cs2;
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
        double waiting = p->waits.waiting * calm;
        queue = u < waiting ? -log(u / waiting) * v->rate / p->waits.rate : 0;
    }
    double steady = p->calm_s > 0 ? v->rate * p->waits.waiting / p->waits.rate : 0;
    double busy = p->slots > 0 ? busy_slot_s * v->time.replica_s / v->time.slot_s : 0;
    double here = busy_slot_s + p->backlog_s + steady * p->calm_s;
    double ended = fmax(0, p->arrivals + before - after);
    s->waiting = (uint32_t)fmin(after + queue + 0.5, 4e9);
    b->busy_s += busy;
    b->in_flight += here;
    b->arrivals += fmax(0, p->arrivals + sqrt(p->arrivals * v->ca2) * noise);
    b->ended += ended;
    b->latency_sum += ended * p->s_s + p->wait_sum_s;
    if (p->measured) {
        b->requests += p->arrivals;
        b->measured_busy_s += busy;
        b->measured_in_flight += here;
        b->measured_replica_s += v->time.replica_s;
    }
}

/* Counts are of the middle of the step; what is served is the rest of those that came. */
static void log_step(struct service_run *s, const struct interval_step *p, double busy_slot_s,
                     double before)
{
    struct service_interval *v = s->interval;
    const double length_s = p->to_s - p->from_s, at_s = 0.5 * (p->from_s + p->to_s);
    const size_t w = s->plan->work.workload;
    const double steady = p->calm_s > 0 ? v->rate * p->waits.waiting / p->waits.rate : 0;
    const double served =
        p->arrivals + before - v->backlog.amount - p->dropped - p->timed_out - v->lost;
    const struct service_span span = {
        .from_s = p->from_s,
        .to_s = p->to_s,
        .ready = v->time.replica_s / length_s,
        .asked = s->desired,
        .busy = p->slots > 0 ? busy_slot_s * v->time.replica_s / v->time.slot_s / length_s : 0,
        .waiting = (p->backlog_s + steady * p->calm_s) / length_s,
        .capacity = p->slots > 0 ? p->most_rate : 0};
    service_log_span(s->log, w, &span);
    service_log_count(s->log, w, at_s, SERVICE_ARRIVED, p->arrivals);
    service_log_count(s->log, w, at_s, SERVICE_DROPPED, p->dropped);
    service_log_count(s->log, w, at_s, SERVICE_TIMED_OUT, p->timed_out);
    service_log_count(s->log, w, at_s, SERVICE_LOST, v->lost);
    service_log_count(s->log, w, at_s, SERVICE_SERVED, fmax(0, served));
    v->lost = 0;
}

static void take_step(struct service_run *s, double to_s, double arrivals)
{
    struct service_interval *v = s->interval;
    if (!(to_s - v->step_from_s > 0)) {
        return;
    }
    struct interval_step p = step_of(s, to_s, arrivals);
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
        p.waits = interval_waits(v->erlang, p.slots, a / p.slots, p.s_s, 0.5 * (v->ca2 + cs2),
                                 (double)s->plan->spec->queue_limit);
    }
    serve(s, &p, load.mean);
    double most = p.slots * length_s;
    double busy = fmin(most, load.mean * length_s + before * p.s_s);
    v->rho = most > 0 ? busy / most : 0;
    v->in_service = v->backlog.amount > 0 ? p.slots : fmin(p.slots, load.end);
    show(s, &p, busy, before);
    if (s->log != NULL) {
        log_step(s, &p, busy, before);
    }
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
    for (size_t k = 0; k < s->plan->work.pool_count; k++) {
        double replica_s = past_s * s->ready_of[k], slot_s = replica_s * v->pools[k].slots;
        v->time.replica_s += replica_s;
        v->time.slot_s += slot_s;
        v->time.served_most += slot_s / v->pools[k].s_s;
    }
    v->booked_s = to_s;
}

void service_interval_book(struct service_run *s)
{
    struct service_interval *v = s->interval;
    double now_s = s->calendar->now_s;
    while (v->stands && v->step_end_s <= now_s + SAME_INSTANT_S) {
        double end_s = v->step_end_s;
        count_replicas(s, end_s);
        take_step(s, end_s, v->arrivals);
        stand_on_step(s);
    }
    count_replicas(s, now_s);
}

/* ---- replicas that go ---- */

/* The mean of the largest of n exponential times of mean 1, between whole n along lines. */
static double largest_of(double n)
{
    double sum = 0, k = 1;
    if (n > 1000) {
        return log(n) + 0.5772156649 + 0.5 / n;
    }
    for (; k <= n; k++) {
        sum += 1 / k;
    }
    return sum + (n - (k - 1)) / k;
}

/* Requests go to the first replica that is free, so that the last is the least busy: of the load a
 * its servers carry a (B(c - n, a) - B(c, a)). */
static double busy_slots_of_last(const struct service_interval *v, double slots, double replicas)
{
    double c = slots * replicas, a = v->rho * c;
    if (v->rho >= INTERVAL_MOST_LOAD || c > 20000) {
        return v->rho * slots;
    }
    double all_busy = erlang_c(c, a), fewer = c > slots ? erlang_b(c - slots, a) : 1;
    double carried = fmin(slots, a * (fewer - erlang_b(c, a)));
    return all_busy * slots + (1 - all_busy) * carried;
}

double service_interval_drain_s(const struct service_run *s, uint32_t replica)
{
    const struct service_interval *v = s->interval;
    const struct pool_mean *m = &v->pools[s->replicas[replica].pool];
    double n = busy_slots_of_last(v, m->slots, s->ready + 1.0 + s->draining_busy);
    /* Nodes go when all that drains on them has ended: those before it count too. */
    return 0.5 * m->s_s * (1 + m->cs2) * largest_of(n * (1 + s->draining_busy));
}

/* Those that it had on average. */
static void lose(struct service_run *s, uint32_t replica)
{
    const struct service_interval *v = s->interval;
    const struct replica *r = &s->replicas[replica];
    const struct pool_mean *m = &v->pools[r->pool];
    double now_s = s->calendar->now_s, lost = v->rho * m->slots;
    if (r->drains_from_s > r->ready_s) {
        double tau_s = 0.5 * m->s_s * (1 + m->cs2);
        lost *= exp(-(now_s - r->drains_from_s) / tau_s);
    } else if (!(now_s > r->ready_s)) {
        lost = 0;
    }
    s->books.lost += service_measures(s, now_s) ? lost : 0;
    s->interval->lost += lost;
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
    double points[INTERVAL_SERVICE_POINTS];
    const struct distribution *time = &s->serving[0].time;
    interval_service_points(time, points);
    struct interval_latency_result r =
        interval_latency_make(&v->latency, time, points, s->timeout_s > 0 ? s->timeout_s : HUGE_VAL,
                              s->slo_s, &b->wait, &b->latency);
    b->latency.sum = r.wait_sum_s + r.weight * v->pools[0].s_s;
    /* Requests that came are served, fail or are left. */
    double failed = b->dropped + b->timed_out + b->lost;
    double left = measured_backlog(s) + (b->requests > 0 ? v->in_service : 0);
    b->served = fmax(0, b->requests - failed - left);
    b->within_slo = r.weight > 0 ? r.within_slo * b->served : 0;
}
