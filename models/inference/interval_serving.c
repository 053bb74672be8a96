/* SPDX-License-Identifier: GPL-3.0-or-later
 * What becomes of the requests of a step: served at once, as in a steady queue, or after a backlog;
 * dropped, or given up. */
#include "models/inference/interval_state.h"

#include <math.h>

/* With a timeout, what waits too long is looked for so many times within it. */
#define LOOKS_A_TIMEOUT 4.0
/* Fewer requests are none. */
#define LEAST_BACKLOG 1e-9

/* Of those served calmly: so many at once, so many after an exponential wait. */
static void note_calm(struct interval_latency *l, double rate, double at_once, double waited)
{
    l->at_once += at_once;
    if (waited > 0) {
        interval_latency_tail(l, rate, waited);
    }
}

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
    if (s->log != NULL) {
        note_calm(&v->log.latency, w->rate, requests - waiting - dropped, waiting - timed_out);
    }
    if (!p->measured) {
        return;
    }
    b->dropped += dropped;
    b->timed_out += timed_out;
    b->waited += waiting - timed_out;
    note_calm(&v->latency, w->rate, requests - waiting - dropped, waiting - timed_out);
}

/* So many waited in the backlog for so long, a share of them, on_top, for longer. */
static void note_backlog(struct log_histogram *h, const struct interval_step *p, double wait_s,
                         double part, double on_top)
{
    enum { PARTS = 4 };
    log_histogram_add(h, wait_s, part * (1 - on_top));
    for (int k = 0; on_top > 0 && k < PARTS; k++) {
        double more_s = -log1p(-(k + 0.5) / PARTS) / p->waits.rate;
        log_histogram_add(h, wait_s + more_s, part * on_top / PARTS);
    }
}

/* Served between two times: what they waited runs along a line; below full load the waits of a
 * steady queue come on top. */
static void record_backlog(struct service_run *s, struct interval_step *p,
                           const struct backlog_parcel *q, double from_s, double to_s)
{
    enum { PARTS = 4 };
    struct service_interval *v = s->interval;
    double first_s = fmax(0, from_s - q->from_s), last_s = fmax(0, to_s - q->to_s);
    bool full = p->waits.rate <= 0 || p->s_s * s->interval->rate >= INTERVAL_MOST_LOAD * p->slots;
    double on_top = full ? 0 : p->waits.waiting;
    for (int i = 0; i < PARTS; i++) {
        double wait_s = first_s + (last_s - first_s) * (i + 0.5) / PARTS, part = q->amount / PARTS;
        wait_s = s->timeout_s > 0 ? fmin(wait_s, s->timeout_s) : wait_s;
        p->wait_sum_s += part * (wait_s + (full ? 0 : on_top / p->waits.rate));
        if (s->log != NULL) {
            note_backlog(&v->log.latency.backlog, p, wait_s, part, on_top);
        }
        if (q->from_s >= s->measure_from_s) {
            s->books.waited += part;
            note_backlog(&v->latency.backlog, p, wait_s, part, on_top);
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

void interval_serve(struct service_run *s, struct interval_step *p, double load)
{
    struct service_interval *v = s->interval;
    double length_s = p->to_s - p->from_s, came_rate = p->arrivals / length_s, t_s = p->from_s;
    /* What comes by chance beyond the mean takes from what can be served. */
    double rate = p->slots > 0 ? fmax(0, p->most_rate + came_rate - load / p->s_s) : 0;
    while (p->to_s - t_s > INTERVAL_SAME_INSTANT_S) {
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
        for_s = fmax(for_s, INTERVAL_SAME_INSTANT_S);
        serve_backlog(s, p, t_s, t_s + for_s, enters, rate);
        s->books.dropped += p->measured ? (came_rate - enters) * for_s : 0;
        p->dropped += (came_rate - enters) * for_s;
        t_s += for_s;
    }
}
