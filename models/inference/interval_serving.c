/* SPDX-License-Identifier: GPL-3.0-or-later
 * What becomes of the requests of a step: served at once, as in a steady queue, or after a backlog;
 * dropped, or given up, and sent again. */
#include "engine/extremes.h"
#include "models/inference/interval_llm.h"
#include "models/inference/interval_state.h"
#include "models/inference/queue_limits.h"

#include <math.h>

/* With a timeout, what waits too long is looked for so many times within it. */
#define LOOKS_A_TIMEOUT 4.0
/* Where much is sent again, a step has at most so many parts. */
#define MOST_PARTS 8.0
/* Much: of what comes for the first time. */
#define MUCH_SENT_AGAIN 0.01
/* Fewer requests are none. */
#define LEAST_BACKLOG 1e-9
/* Of points of laws, from step to step: multiples of it fill the unit evenly. */
#define SPREAD 0.61803398874989485

/* ---- failing, and coming again ---- */

void interval_fail(struct service_run *s, struct interval_step *p, enum service_failure how,
                   const struct request_mix *mix, double amount, double waited_s, double now_s,
                   bool measured)
{
    struct service_books *b = &s->books;
    bool good;
    double again =
        interval_retries_fail(&s->interval->retries, mix, amount, waited_s, now_s, &good);
    double failed = amount - again;
    if (!good) {
        fleet_fail(s->fleet);
    }
    *(p != NULL ? &p->failed : &s->interval->failed) += amount;
    s->interval->log.lost += how == REQUEST_LOST ? failed : 0;
    if (p != NULL) {
        p->dropped += how == REQUEST_DROPPED ? failed : 0;
        p->timed_out += how == REQUEST_TIMED_OUT ? failed : 0;
    }
    if (measured) {
        b->retries += again;
        b->dropped += how == REQUEST_DROPPED ? failed : 0;
        b->timed_out += how == REQUEST_TIMED_OUT ? failed : 0;
        b->lost += how == REQUEST_LOST ? failed : 0;
    }
}

struct interval_inflow interval_inflow(struct service_run *s, struct interval_step *p, double now_s,
                                       double *for_s)
{
    struct interval_retries *r = &s->interval->retries;
    double length_s = p->to_s - p->from_s, rate = p->fresh / length_s;
    if (p->mixed) {
        p->mix = request_mix_fresh();
    }
    p->mixed = r->count > 0;
    if (r->amount > MUCH_SENT_AGAIN * p->fresh) {
        *for_s = double_min(*for_s, double_max(r->after_s, length_s / MOST_PARTS));
    }
    double again = p->mixed ? interval_retries_take(r, now_s + *for_s, rate * *for_s, &p->mix) : 0;
    return (struct interval_inflow){rate + again / *for_s, again};
}

void interval_inflow_end(struct service_run *s, struct interval_step *p, double now_s, double for_s,
                         double took_s, const struct interval_inflow *in)
{
    double sent = in->again * double_min(1, took_s / for_s);
    interval_retries_return(&s->interval->retries, &p->mix, in->again - sent, now_s + took_s);
    p->arrivals += sent;
}

/* ---- waits ---- */

static double mean_age_s(const struct request_mix *mix)
{
    double sum_s = 0;
    for (size_t k = 1; k <= INTERVAL_MOST_RETRIES; k++) {
        sum_s += mix->share[k] * mix->age_s[k];
    }
    return sum_s;
}

/* Of so many of a mix that waited so long those that are within the objective; as note_waits. */
static double within_after(const struct interval_objective *o, const struct interval_step *p,
                           const struct request_mix *mix, double wait_s, double amount,
                           double on_top)
{
    enum { PARTS = 4 };
    double within = 0;
    for (size_t k = 0; o->stated && k <= INTERVAL_MOST_RETRIES; k++) {
        double part = amount * mix->share[k], since_s = mix->age_s[k] + wait_s;
        if (!(part > 0)) {
            continue;
        }
        within += part * (1 - on_top) * interval_objective_after(o, since_s);
        for (int i = 0; on_top > 0 && i < PARTS; i++) {
            double more_s = -log1p(-(i + 0.5) / PARTS) / p->waits.rate;
            more_s = double_min(more_s, double_max(0, p->queue.timeout_s - wait_s));
            within += part * on_top / PARTS * interval_objective_after(o, since_s + more_s);
        }
    }
    return within;
}

/* Of so many that waited by the law of a queue that a limit is near to; as note_limited_waits. */
static double within_limited(const struct interval_objective *o, const struct interval_step *p,
                             double waited)
{
    double points[QUEUE_LIMITS_POINTS], within = 0;
    size_t served = 0;
    queue_limits_points(&p->waits, p->shift, points);
    for (size_t i = 0; i < QUEUE_LIMITS_POINTS; i++) {
        if (points[i] <= p->waits.most_s) {
            within += within_after(o, p, &p->mix, points[i], 1, 0);
            served++;
        }
    }
    return served > 0 ? waited * within / (double)served : 0;
}

/* Those served calmly that are. */
static double within_calm(struct interval_objective *o, const struct interval_step *p,
                          double at_once, double waited)
{
    const double fresh = p->mix.share[0];
    double within = fresh * at_once * o->at_once;
    if (p->waits.law != WAITS_EXPONENTIAL) {
        struct request_mix again = p->mix;
        again.share[0] = 0;
        return within + within_after(o, p, &again, 0, at_once, 0) +
               (waited > 0 && o->stated ? within_limited(o, p, waited) : 0);
    }
    if (waited > 0 && o->stated) {
        within += fresh * waited * interval_objective_tail(o, p->waits.rate);
    }
    if (fresh < 1) {
        struct request_mix again = p->mix;
        again.share[0] = 0;
        within += within_after(o, p, &again, 0, at_once + waited, waited / (at_once + waited));
    }
    return within;
}

/* So many of a mix waited so long, a share of them, on_top, for longer; and before that as long as
 * they were sent in vain. */
static void note_waits(struct log_histogram *h, const struct interval_step *p,
                       const struct request_mix *mix, double wait_s, double amount, double on_top)
{
    enum { PARTS = 4 };
    for (size_t k = 0; k <= INTERVAL_MOST_RETRIES; k++) {
        double part = amount * mix->share[k], since_s = mix->age_s[k] + wait_s;
        if (!(part > 0)) {
            continue;
        }
        log_histogram_add(h, since_s, part * (1 - on_top));
        for (int i = 0; on_top > 0 && i < PARTS; i++) {
            double more_s = -log1p(-(i + 0.5) / PARTS) / p->waits.rate;
            more_s = double_min(more_s, double_max(0, p->queue.timeout_s - wait_s));
            log_histogram_add(h, since_s + more_s, part * on_top / PARTS);
        }
    }
}

/* So many of a mix, which waited by the law of a queue that a limit is near to. */
static void note_limited_waits(struct log_histogram *h, const struct interval_step *p,
                               const double *points, const struct request_mix *mix, double amount)
{
    size_t served = 0;
    for (size_t i = 0; i < QUEUE_LIMITS_POINTS; i++) {
        served += points[i] <= p->waits.most_s;
    }
    for (size_t k = 0; k <= INTERVAL_MOST_RETRIES; k++) {
        double part = amount * mix->share[k] / (double)served;
        for (size_t i = 0; i < QUEUE_LIMITS_POINTS && part > 0; i++) {
            if (points[i] <= p->waits.most_s) {
                log_histogram_add(h, mix->age_s[k] + points[i], part);
            }
        }
    }
}

/* Those served calmly: at once, or after the wait of a steady queue. */
static void note_calm(struct interval_latency *l, const struct interval_step *p, double at_once,
                      double waited)
{
    double fresh = p->mix.share[0];
    l->at_once += fresh * at_once;
    if (p->waits.law != WAITS_EXPONENTIAL) {
        if (waited > 0) {
            double points[QUEUE_LIMITS_POINTS];
            queue_limits_points(&p->waits, p->shift, points);
            note_limited_waits(&l->backlog, p, points, &p->mix, waited);
        }
        if (fresh < 1) {
            struct request_mix again = p->mix;
            again.share[0] = 0;
            note_waits(&l->backlog, p, &again, 0, at_once, 0);
        }
        return;
    }
    if (waited > 0) {
        interval_latency_tail(l, p->waits.rate, fresh * waited);
    }
    if (fresh < 1) {
        struct request_mix again = p->mix;
        again.share[0] = 0;
        note_waits(&l->backlog, p, &again, 0, at_once + waited, waited / (at_once + waited));
    }
}

/* Requests that are served at once, or wait as in a steady queue. */
static void serve_calmly(struct service_run *s, struct interval_step *p, double requests,
                         double now_s, double over_s)
{
    struct service_interval *v = s->interval;
    const struct interval_waits *w = &p->waits;
    double waiting = requests * w->waiting, dropped = requests * w->dropped;
    double timed_out = requests * w->timed_out, served = requests - dropped - timed_out;
    double fresh = p->mix.share[0], at_once = served - waiting;
    p->calm_s += over_s;
    if (!(requests > 0)) {
        return;
    }
    p->wait_sum_s += waiting * w->mean_s + (p->mixed ? served * mean_age_s(&p->mix) : 0);
    p->calm_wait_s += waiting * w->mean_s;
    if (dropped != 0) {
        interval_fail(s, p, REQUEST_DROPPED, &p->mix, dropped, 0, now_s + over_s, p->measured);
    }
    if (timed_out != 0) {
        interval_fail(s, p, REQUEST_TIMED_OUT, &p->mix, timed_out, s->timeout_s, now_s + over_s,
                      p->measured);
    }
    p->within += within_calm(&v->objective, p, at_once, waiting);
    if (s->log != NULL) {
        note_calm(&v->log.latency, p, at_once, waiting);
    }
    if (p->measured) {
        s->books.waited += waiting + (1 - fresh) * at_once;
        note_calm(&v->latency, p, at_once, waiting);
    }
}

/* ---- a backlog ---- */

/* Stretches of a backlog. */
struct backlog_stretch {
    double came_rate, rate; /* per second: comes; is served */
    bool full;              /* the queue is as long as it may be */
};

/* The number that waits, or the longest wait, is a wall against which the difference of what comes
 * and what is served presses: the distance from it is exponential with this rate per second of wait
 * (queue_limits.h). */
static double wall_rate(const struct interval_step *p, const struct backlog_stretch *of,
                        double queues)
{
    return queue_limits_wall(of->came_rate / queues, of->rate / queues, p->queue.ca2 / queues,
                             p->queue.cs2);
}

/* How long one waits in the backlog before it is given up: what it will wait on its replica counts
 * too. */
static double patience_s(const struct service_run *s)
{
    double inside_s = s->interval->llm != NULL ? interval_llm_ahead_s(s) : 0;
    return s->timeout_s > 0 ? double_max(0, s->timeout_s - inside_s) : HUGE_VAL;
}

/* How long one waited: along the line of the fluid, or less by the distance from the wall, and
 * for a number that is served with the chance that it has within a step. */
static double wait_at(const struct service_run *s, const struct interval_step *p,
                      const struct backlog_parcel *q, double wait_s, double wall, double u,
                      double normal)
{
    const struct interval_queue *of = &p->queue;
    const double most_s = patience_s(s);
    if (wait_s >= most_s) {
        wait_s = most_s;
        if (wall > 0 && wait_s > 0) {
            wait_s += log1p(u * expm1(-wall * wait_s)) / wall;
        }
        return wait_s;
    }
    if (q->below_per_s > 0) {
        wait_s += log1p(u * expm1(-q->below_per_s * wait_s)) / q->below_per_s;
    }
    if (q->below_per_s > 0 && s->interval->llm == NULL && of->servers > 0) {
        double per_s = of->servers / of->s_s, x = double_min(wait_s / of->step_s, 1);
        /* What of it is not in the mean over the step, which was drawn. */
        double rest_s = x < 1 ? wait_s * (1 - x + x * x / 3) : of->step_s / 3;
        double share = wait_s > 0 ? rest_s / wait_s : 0;
        double variance = queue_limits_variance(of->servers, of->cs2, wait_s * per_s) * share;
        wait_s = double_max(0, wait_s + normal * sqrt(variance) / per_s);
    }
    return double_min(wait_s, most_s);
}

/* Served between two times: what they waited runs along a line; below full load the waits of a
 * steady queue come on top. */
static void record_backlog(struct service_run *s, struct interval_step *p,
                           const struct backlog_parcel *q, double from_s, double to_s, double wall)
{
    /* Middles of eight parts of the normal law; parts that follow each other are far apart. */
    static const double normals[] = {-1.5341, 0.1573, -0.4888, 0.8871,
                                     -0.8871, 0.4888, -0.1573, 1.5341};
    enum { PARTS = 4, WALL_PARTS = sizeof normals / sizeof normals[0] };
    struct service_interval *v = s->interval;
    double first_s = double_max(0, from_s - q->from_s), last_s = double_max(0, to_s - q->to_s);
    bool measured = q->from_s >= s->measure_from_s, llm = s->interval->llm != NULL;
    bool full =
        llm || p->waits.rate <= 0 || p->s_s * s->interval->rate >= INTERVAL_MOST_LOAD * p->slots;
    bool given_up = double_max(first_s, last_s) >= patience_s(s);
    bool walled = q->below_per_s > 0 || given_up;
    double on_top = full ? 0 : p->waits.waiting, age_s = mean_age_s(&q->mix);
    int parts = walled ? WALL_PARTS : PARTS;
    p->shift = fmod(p->shift + SPREAD, 1);
    for (int i = 0; i < parts; i++) {
        double along = fmod((i + 0.5) / parts + (walled ? p->shift : 0), 1),
               part = q->amount / parts;
        double wait_s = wait_at(s, p, q, first_s + (last_s - first_s) * along, wall,
                                (i + p->shift) / parts, normals[i % WALL_PARTS]);
        p->wait_sum_s += part * (age_s + wait_s + (full ? 0 : on_top / p->waits.rate));
        if (llm) {
            p->within += interval_llm_serve_full(s, &q->mix, wait_s, !given_up, part, measured);
            continue;
        }
        p->within += within_after(&v->objective, p, &q->mix, wait_s, part, on_top);
        if (s->log != NULL) {
            note_waits(&v->log.latency.backlog, p, &q->mix, wait_s, part, on_top);
        }
        if (measured) {
            s->books.waited += part;
            note_waits(&v->latency.backlog, p, &q->mix, wait_s, part, on_top);
        }
    }
}

/* Those that have waited as long as they would. */
static void give_up_backlog(struct service_run *s, struct interval_step *p, double now_s)
{
    struct interval_backlog *b = &s->interval->backlog;
    double before_s = now_s - patience_s(s);
    while (b->count > 0) {
        const struct backlog_parcel *q = &b->parcels[b->first];
        if (q->from_s >= before_s) {
            return;
        }
        double share = q->to_s > before_s ? (before_s - q->from_s) / (q->to_s - q->from_s) : 1;
        struct backlog_parcel gone = interval_backlog_take(b, share * q->amount);
        interval_fail(s, p, REQUEST_TIMED_OUT, &gone.mix, gone.amount, s->timeout_s, now_s,
                      gone.from_s >= s->measure_from_s);
    }
}

/* A stretch in which a backlog stands from begin to end, though it may be 0 at both. */
static void pass_backlog(struct service_run *s, struct interval_step *p, double from_s, double to_s,
                         const struct backlog_stretch *of)
{
    struct interval_backlog *b = &s->interval->backlog;
    double enters = of->full ? of->rate : of->came_rate;
    double before = b->amount, serves = of->rate * (to_s - from_s), t_s = from_s;
    double wall = wall_rate(p, of, s->interval->llm != NULL ? double_max(1, p->slots) : 1);
    if (!interval_backlog_add(b, from_s, to_s, enters * (to_s - from_s), &p->mix)) {
        fleet_fail(s->fleet);
        return;
    }
    if (of->full && enters > 0) {
        interval_backlog_mark(b, wall_rate(p, of, 1));
    }
    while (serves > 0 && b->count > 0) {
        struct backlog_parcel q = interval_backlog_take(b, serves);
        double end_s = double_min(to_s, t_s + q.amount / of->rate);
        record_backlog(s, p, &q, t_s, end_s, wall);
        t_s = end_s;
        serves -= q.amount;
    }
    if (s->timeout_s > 0) {
        give_up_backlog(s, p, to_s);
    }
    p->backlog_s += 0.5 * (before + b->amount) * (to_s - from_s);
}

double interval_serve_backlog(struct service_run *s, struct interval_step *p, double now_s,
                              double left_s, double came_rate, double rate, double room)
{
    struct backlog_stretch of = {.came_rate = came_rate, .rate = rate};
    double for_s = left_s;
    /* Until it is gone, or full, or the step ends. */
    if (came_rate < rate) {
        for_s = double_min(left_s, s->interval->backlog.amount / (rate - came_rate));
    } else if (room > LEAST_BACKLOG) {
        for_s = double_min(left_s, room / (came_rate - rate));
    } else {
        of.full = true;
    }
    if (s->timeout_s > 0) {
        for_s = double_min(for_s, s->timeout_s / LOOKS_A_TIMEOUT);
    }
    for_s = double_max(for_s, INTERVAL_SAME_INSTANT_S);
    pass_backlog(s, p, now_s, now_s + for_s, &of);
    if (of.full) {
        interval_fail(s, p, REQUEST_DROPPED, &p->mix, (came_rate - rate) * for_s, 0, now_s + for_s,
                      p->measured);
    }
    return for_s;
}

/* ---- a step ---- */

/* The queue is short, so that it is steady whatever comes: what is left from before is served
 * first.
 */
static void serve_steadily(struct service_run *s, struct interval_step *p)
{
    struct service_interval *v = s->interval;
    double t_s = p->from_s;
    while (v->backlog.count > 0) {
        struct backlog_parcel q = interval_backlog_take(&v->backlog, HUGE_VAL);
        double wait_s = double_max(0, t_s - 0.5 * (q.from_s + q.to_s));
        q.from_s = q.to_s = t_s - (s->timeout_s > 0 ? double_min(wait_s, s->timeout_s) : wait_s);
        record_backlog(s, p, &q, t_s, t_s, 0);
    }
    while (p->to_s - t_s > INTERVAL_SAME_INSTANT_S) {
        double for_s = p->to_s - t_s;
        struct interval_inflow in = interval_inflow(s, p, t_s, &for_s);
        if (in.again > 0) {
            p->waits = interval_waits(v->erlang, &p->queue, in.rate * p->s_s / p->slots);
        }
        serve_calmly(s, p, in.rate * for_s, t_s, for_s);
        interval_inflow_end(s, p, t_s, for_s, for_s, &in);
        t_s += for_s;
    }
}

void interval_serve(struct service_run *s, struct interval_step *p, double load)
{
    struct service_interval *v = s->interval;
    double length_s = p->to_s - p->from_s, t_s = p->from_s;
    if (p->slots > 0 && p->waits.steady) {
        serve_steadily(s, p);
        return;
    }
    /* What comes by chance beyond the mean takes from what can be served; at a full queue only what
     * is by chance of service does. */
    double beyond = p->fresh / length_s - load / p->s_s;
    double rate = p->slots > 0 ? double_max(0, p->most_rate + beyond) : 0;
    double of_service = p->slots > 0 ? sqrt(p->queue.cs2 / (p->queue.ca2 + p->queue.cs2)) : 0;
    double full_rate = p->slots > 0 ? double_max(0, p->most_rate + beyond * of_service) : 0;
    while (p->to_s - t_s > INTERVAL_SAME_INSTANT_S) {
        double for_s = p->to_s - t_s, took_s, q = v->backlog.amount;
        double room = (double)s->plan->spec->queue_limit - q;
        struct interval_inflow in = interval_inflow(s, p, t_s, &for_s);
        if (q <= LEAST_BACKLOG && in.rate <= rate) {
            interval_backlog_clear(&v->backlog);
            serve_calmly(s, p, in.rate * for_s, t_s, for_s);
            took_s = for_s;
        } else {
            bool full = room <= LEAST_BACKLOG && in.rate > rate;
            took_s = interval_serve_backlog(s, p, t_s, for_s, in.rate,
                                            full ? double_min(in.rate, full_rate) : rate, room);
        }
        interval_inflow_end(s, p, t_s, for_s, took_s, &in);
        t_s += took_s;
    }
}
