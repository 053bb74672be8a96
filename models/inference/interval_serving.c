/* SPDX-License-Identifier: GPL-3.0-or-later
 * What becomes of the requests of a step: served at once, as in a steady queue, or after a backlog;
 * dropped, or given up, and sent again. */
#include "models/inference/interval_llm.h"
#include "models/inference/interval_state.h"

#include <math.h>

/* With a timeout, what waits too long is looked for so many times within it. */
#define LOOKS_A_TIMEOUT 4.0
/* Where much is sent again, a step has at most so many parts. */
#define MOST_PARTS 8.0
/* Much: of what comes for the first time. */
#define MUCH_SENT_AGAIN 0.01
/* Fewer requests are none. */
#define LEAST_BACKLOG 1e-9

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
    p->mix = request_mix_fresh();
    if (r->amount > MUCH_SENT_AGAIN * p->fresh) {
        *for_s = fmin(*for_s, fmax(r->after_s, length_s / MOST_PARTS));
    }
    double again =
        r->count > 0 ? interval_retries_take(r, now_s + *for_s, rate * *for_s, &p->mix) : 0;
    return (struct interval_inflow){rate + again / *for_s, again};
}

void interval_inflow_end(struct service_run *s, struct interval_step *p, double now_s, double for_s,
                         double took_s, const struct interval_inflow *in)
{
    double sent = in->again * fmin(1, took_s / for_s);
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
            within += part * on_top / PARTS * interval_objective_after(o, since_s + more_s);
        }
    }
    return within;
}

/* Those served calmly that are. */
static double within_calm(struct interval_objective *o, const struct interval_step *p,
                          double at_once, double waited)
{
    const double fresh = p->mix.share[0];
    double within = fresh * at_once * o->at_once;
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
            log_histogram_add(h, since_s + more_s, part * on_top / PARTS);
        }
    }
}

/* Those served calmly: at once, or after the wait of a steady queue. */
static void note_calm(struct interval_latency *l, const struct interval_step *p, double at_once,
                      double waited)
{
    double fresh = p->mix.share[0];
    l->at_once += fresh * at_once;
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
    double waiting = requests * w->waiting, dropped = requests * w->dropped, timed_out = 0;
    double fresh = p->mix.share[0], at_once = requests - waiting - dropped;
    if (s->timeout_s > 0) {
        timed_out = waiting * exp(-w->rate * s->timeout_s);
    }
    p->calm_s += over_s;
    if (!(requests > 0)) {
        return;
    }
    p->wait_sum_s += waiting / w->rate + (requests - dropped) * mean_age_s(&p->mix);
    interval_fail(s, p, REQUEST_DROPPED, &p->mix, dropped, 0, now_s + over_s, p->measured);
    interval_fail(s, p, REQUEST_TIMED_OUT, &p->mix, timed_out, s->timeout_s, now_s + over_s,
                  p->measured);
    waiting -= timed_out;
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

/* Served between two times: what they waited runs along a line; below full load the waits of a
 * steady queue come on top. */
static void record_backlog(struct service_run *s, struct interval_step *p,
                           const struct backlog_parcel *q, double from_s, double to_s)
{
    enum { PARTS = 4 };
    struct service_interval *v = s->interval;
    double first_s = fmax(0, from_s - q->from_s), last_s = fmax(0, to_s - q->to_s);
    bool measured = q->from_s >= s->measure_from_s, llm = s->interval->llm != NULL;
    bool full =
        llm || p->waits.rate <= 0 || p->s_s * s->interval->rate >= INTERVAL_MOST_LOAD * p->slots;
    double on_top = full ? 0 : p->waits.waiting, age_s = mean_age_s(&q->mix);
    for (int i = 0; i < PARTS; i++) {
        double wait_s = first_s + (last_s - first_s) * (i + 0.5) / PARTS, part = q->amount / PARTS;
        wait_s = s->timeout_s > 0 ? fmin(wait_s, s->timeout_s) : wait_s;
        p->wait_sum_s += part * (age_s + wait_s + (full ? 0 : on_top / p->waits.rate));
        if (llm) {
            p->within += interval_llm_serve_full(s, &q->mix, wait_s, part, measured);
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
    double before_s = now_s - s->timeout_s;
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
                         double came_rate, double rate)
{
    struct interval_backlog *b = &s->interval->backlog;
    double before = b->amount, serves = rate * (to_s - from_s), t_s = from_s;
    if (!interval_backlog_add(b, from_s, to_s, came_rate * (to_s - from_s), &p->mix)) {
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

double interval_serve_backlog(struct service_run *s, struct interval_step *p, double now_s,
                              double left_s, double came_rate, double rate, double room)
{
    double for_s = left_s, enters = came_rate;
    /* Until it is gone, or full, or the step ends. */
    if (came_rate < rate) {
        for_s = fmin(left_s, s->interval->backlog.amount / (rate - came_rate));
    } else if (room > LEAST_BACKLOG) {
        for_s = fmin(left_s, room / (came_rate - rate));
    } else {
        enters = rate;
    }
    if (s->timeout_s > 0) {
        for_s = fmin(for_s, s->timeout_s / LOOKS_A_TIMEOUT);
    }
    for_s = fmax(for_s, INTERVAL_SAME_INSTANT_S);
    pass_backlog(s, p, now_s, now_s + for_s, enters, rate);
    interval_fail(s, p, REQUEST_DROPPED, &p->mix, (came_rate - enters) * for_s, 0, now_s + for_s,
                  p->measured);
    return for_s;
}

/* ---- a step ---- */

void interval_serve(struct service_run *s, struct interval_step *p, double load)
{
    struct service_interval *v = s->interval;
    double length_s = p->to_s - p->from_s, t_s = p->from_s;
    /* What comes by chance beyond the mean takes from what can be served. */
    double beyond = p->fresh / length_s - load / p->s_s;
    double rate = p->slots > 0 ? fmax(0, p->most_rate + beyond) : 0;
    while (p->to_s - t_s > INTERVAL_SAME_INSTANT_S) {
        double for_s = p->to_s - t_s, took_s, q = v->backlog.amount;
        double room = (double)s->plan->spec->queue_limit - q;
        struct interval_inflow in = interval_inflow(s, p, t_s, &for_s);
        if (q <= LEAST_BACKLOG && in.rate <= rate) {
            interval_backlog_clear(&v->backlog);
            serve_calmly(s, p, in.rate * for_s, t_s, for_s);
            took_s = for_s;
        } else {
            took_s = interval_serve_backlog(s, p, t_s, for_s, in.rate, rate, room);
        }
        interval_inflow_end(s, p, t_s, for_s, took_s, &in);
        t_s += took_s;
    }
}
