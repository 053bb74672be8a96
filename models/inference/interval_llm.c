/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/interval_llm.h"

#include "engine/double_sort.h"
#include "models/inference/interval_llm_books.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

/* Fewer requests are none. */
#define LEAST_REQUESTS 1e-9
enum { TOP = LLM_TABLE_LOADS - 1 };

struct interval_llm *interval_llm_new(const struct llm_table *table)
{
    struct interval_llm *l = calloc(1, sizeof *l);
    if (l != NULL) {
        l->table = table;
    }
    return l;
}

void interval_llm_free(struct interval_llm *l)
{
    free(l);
}

/* ---- a world ---- */

/* How much longer it could have waited, with times f times as long; below 0: not within. */
static double slack_of(const struct service_run *s, const struct llm_sample *x, double f)
{
    if ((double)x->tpot_s >= 0 && f * (double)x->tpot_s > s->slo_tpot_s) {
        return -1;
    }
    return fmin(s->slo_ttft_s - f * (double)x->ttft_s, s->slo_s - f * (double)x->e2e_s);
}

static struct cell_law law_of(const struct service_run *s, const struct llm_cell *cell, double f)
{
    double timeout_s = s->timeout_s > 0 ? s->timeout_s : HUGE_VAL;
    uint32_t within = 0, timed_out = 0, waits = 0;
    for (uint32_t i = 0; i < cell->count; i++) {
        const struct llm_sample *x = &cell->samples[i];
        bool gone = f * (double)x->wait_s > timeout_s;
        timed_out += gone;
        waits += !gone && (double)x->wait_s > 0;
        within += !gone && slack_of(s, x, f) >= 0;
    }
    double count = cell->count;
    return (struct cell_law){within / count, timed_out / count, waits / count};
}

void interval_llm_begin(struct service_run *s)
{
    struct interval_llm *l = s->interval->llm;
    const struct llm_table *t = l->table;
    const struct llm_plan *plan = &s->plan->llm;
    const double *drawn = s->arrivals.demand.drawn;
    const struct llm_host_plan *host = &s->plan->hosts[0];
    bool measured = host->host != NULL && host->host->is_measured;
    double f = measured ? 1 : number_value(&plan->factor, drawn) / plan->factor.median;
    const struct llm_step step = llm_plan_rules(plan, host, drawn).step;
    const double memory_bytes = host->hardware.accelerators * host->hardware.memory_bytes;
    *l = (struct interval_llm){.table = t,
                               .factor = f,
                               .kv_tokens = step.kv_tokens,
                               .token_memory = step.kv_bytes_per_token / memory_bytes,
                               .weights_memory = step.weights_bytes / memory_bytes};
    for (size_t k = 0; k < LLM_TABLE_COUNTS; k++) {
        for (size_t j = 0; j < LLM_TABLE_LOADS; j++) {
            l->laws[k][j] = law_of(s, &t->cells[k][j], f);
        }
    }
    for (uint32_t i = 0; i < t->full.count; i++) {
        l->slack_s[i] = slack_of(s, &t->full.samples[i], f);
    }
    double_sort(l->slack_s, l->spare, t->full.count);
}

double interval_llm_most_rate(const struct service_run *s)
{
    const struct interval_llm *l = s->interval->llm;
    return l->table->saturated_rate / l->factor;
}

/* ---- requests by their law ---- */

static void take_cell(struct service_run *s, struct interval_step *p, size_t column, size_t load,
                      double amount)
{
    struct interval_llm *l = s->interval->llm;
    const struct cell_law *law = &l->laws[column][load];
    double timed_out = amount * law->timed_out;
    if (timed_out > 0) {
        interval_fail(s, p, REQUEST_TIMED_OUT, &p->mix, timed_out, s->timeout_s, p->to_s,
                      p->measured);
    }
    p->within += amount * law->within;
    l->evicted += amount * l->table->cells[column][load].evictions;
    l->logged.of[column][load] += amount;
    if (p->measured) {
        s->books.waited += amount * law->waits;
        l->weights.of[column][load] += amount;
        l->within += amount * law->within;
        l->taken += amount - timed_out;
    }
}

/* So many came while the load went along the line between two rows, `share` of them at the upper
 * end. */
static void take_line(struct service_run *s, struct interval_step *p, size_t upper, double share,
                      double amount)
{
    const struct llm_row *row = &s->interval->llm->row;
    size_t lower = upper > 0 ? upper - 1 : 0;
    for (unsigned side = 0; side < 2; side++) {
        double part = amount * (side == 0 ? 1 - row->share : row->share);
        if (part > 0) {
            take_cell(s, p, row->column + side, lower, part * (1 - share));
            take_cell(s, p, row->column + side, upper, part * share);
        }
    }
}

/* Share of a full replica's requests that may wait so long. */
static double within_after(const struct interval_llm *l, double wait_s)
{
    size_t low = 0, high = l->table->full.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (l->slack_s[middle] >= wait_s) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return 1 - (double)low / l->table->full.count;
}

/* Requests ahead on one replica are done after a time that varies: about normally, as many are.
 * Returns the share that is within the objectives. */
static double take_waits(struct service_run *s, double age_s, double mean_s, double sd_s,
                         double amount, bool measured)
{
    /* The middles of five equal parts. */
    static const double normal[] = {-1.2816, -0.5244, 0, 0.5244, 1.2816};
    enum { PARTS = sizeof normal / sizeof normal[0] };
    struct interval_llm *l = s->interval->llm;
    double within = 0;
    for (int i = 0; i < PARTS; i++) {
        double wait_s = fmax(0, mean_s + normal[i] * sd_s);
        wait_s = age_s + (s->timeout_s > 0 ? fmin(wait_s, s->timeout_s) : wait_s);
        double part = within_after(l, wait_s) / PARTS;
        within += part;
        if (s->log != NULL) {
            log_histogram_add(&s->interval->log.latency.backlog, wait_s, amount / PARTS);
        }
        if (measured) {
            log_histogram_add(&s->interval->latency.backlog, wait_s, amount / PARTS);
            l->within += amount * part;
        }
    }
    return within;
}

double interval_llm_ahead_s(const struct service_run *s)
{
    const struct interval_llm *l = s->interval->llm;
    const struct llm_table *t = l->table;
    double ahead = l->replicas > 0 ? l->inside / l->replicas - t->saturated_in_flight : 0;
    return fmax(0, ahead) / t->saturated_rate * l->factor;
}

double interval_llm_serve_full(struct service_run *s, const struct request_mix *mix, double wait_s,
                               bool spread, double amount, bool measured)
{
    struct interval_llm *l = s->interval->llm;
    const struct llm_table *t = l->table;
    double all = 0, taken = 0, sd_s = 0;
    wait_s += interval_llm_ahead_s(s);
    if (spread) {
        sd_s = sqrt(t->dispersion * wait_s / t->saturated_rate * l->factor);
    }
    l->evicted += amount * t->full.evictions;
    for (size_t k = 0; k <= s->interval->retries.most; k++) {
        double part = amount * mix->share[k];
        if (!(part > 0)) {
            continue;
        }
        taken += part;
        all += part * take_waits(s, mix->age_s[k], wait_s, sd_s, part, measured);
    }
    if (measured) {
        s->books.waited += taken;
        l->taken += taken;
    }
    return all;
}

/* Those sent for the first time fare as the table says; others are taken as those of full
 * replicas, since they waited long before. */
static void take(struct service_run *s, struct interval_step *p, size_t upper, double share,
                 double amount)
{
    double fresh = p->mix.share[0];
    take_line(s, p, upper, share, amount * fresh);
    if (fresh < 1) {
        struct request_mix again = p->mix;
        again.share[0] = 0;
        p->within += interval_llm_serve_full(s, &again, 0, true, amount, p->measured);
    }
}

/* ---- the fluid while replicas are not full ---- */

static double load_at(const struct interval_llm *l, size_t j)
{
    return llm_table_loads[j] * l->table->saturated_rate;
}

/* The row above this number in flight; LLM_TABLE_LOADS: none is. */
static size_t row_above(const struct llm_row *row, double in_flight)
{
    size_t j = 0;
    while (j < LLM_TABLE_LOADS && row->in_flight[j] <= in_flight) {
        j++;
    }
    return j;
}

/* Replicas hold more than the last row: they work as full ones do, down to it. Returns the time
 * that took. */
static double leave_full(struct service_run *s, struct interval_step *p, double lambda,
                         double left_s)
{
    struct interval_llm *l = s->interval->llm;
    double falls = l->table->saturated_rate - lambda, nu = l->inside / l->replicas;
    double for_s = fmin(left_s, (nu - l->cap) / falls * l->factor);
    double amount = lambda * for_s / l->factor * l->replicas;
    l->inside_s += (l->inside - 0.5 * falls * for_s / l->factor * l->replicas) * for_s;
    p->within += interval_llm_serve_full(s, &p->mix, 0, true, amount, p->measured);
    l->inside = fmax(l->cap * l->replicas, l->inside - falls * for_s / l->factor * l->replicas);
    return for_s;
}

/* Along one line of the table, for at most left_s; returns the time that took. lambda: requests a
 * replica, in the table's time. */
static double flow_along(struct service_run *s, struct interval_step *p, double lambda,
                         double left_s)
{
    struct interval_llm *l = s->interval->llm;
    const double c = l->replicas, nu = l->inside / c;
    size_t j = row_above(&l->row, nu);
    /* On a row: the line towards which it goes. */
    double here = j > 0 ? load_at(l, j - 1) : 0;
    if (j > 0 && nu <= l->row.in_flight[j - 1] && lambda < here) {
        j--;
    }
    if (j == LLM_TABLE_LOADS || nu >= l->cap) {
        if (lambda >= here) { /* it stays there: below the saturated rate */
            l->inside_s += l->inside * left_s;
            take(s, p, j < TOP ? j : TOP, 1, lambda * left_s / l->factor * c);
            return left_s;
        }
        j = j < TOP ? j : TOP;
    }
    double from = j > 0 ? l->row.in_flight[j - 1] : 0, low = j > 0 ? load_at(l, j - 1) : 0;
    double to = fmin(l->row.in_flight[j], l->cap);
    double wide = l->row.in_flight[j] - from, slope = (load_at(l, j) - low) / wide;
    double u = nu - from, goal = (lambda - low) / slope, most = to - from;
    double t = left_s / l->factor; /* in the table's time */
    if (goal > most) {
        t = fmin(t, log((goal - u) / (goal - most)) / slope);
    } else if (goal < 0 && u > 0) {
        t = fmin(t, log((u - goal) / -goal) / slope);
    }
    double gone = -expm1(-slope * t), sum = goal * t + (u - goal) * gone / slope;
    double after = u + (goal - u) * gone;
    double mean = t > 0 ? fmin(fmax(sum / t, 0), wide) : u;
    take(s, p, j, mean / wide, lambda * t * c);
    l->inside_s += (from + mean) * c * t * l->factor;
    l->inside = c * (from + fmin(fmax(after, 0), most));
    /* Just short of a row it would never leave it. */
    if (goal > most && after >= most * (1 - 1e-9)) {
        l->inside = c * to * (1 + 1e-12);
    } else if (goal < 0 && after <= 1e-9 * wide) {
        l->inside = c * from * (1 - 1e-12);
    }
    return fmax(t * l->factor, 0);
}

/* Until replicas are full, or the time is over. */
static double flow(struct service_run *s, struct interval_step *p, double came_rate, double left_s)
{
    enum { MOST_LINES = 4 * LLM_TABLE_LOADS };
    struct interval_llm *l = s->interval->llm;
    double lambda = came_rate / l->replicas * l->factor, spent_s = 0;
    for (int i = 0; i < MOST_LINES && left_s - spent_s > INTERVAL_SAME_INSTANT_S; i++) {
        double nu = l->inside / l->replicas, rest_s = left_s - spent_s;
        if (nu >= l->cap && lambda > l->table->saturated_rate) {
            return spent_s;
        }
        spent_s += nu > l->cap * (1 + 1e-9) ? leave_full(s, p, lambda, rest_s)
                                            : flow_along(s, p, lambda, rest_s);
    }
    return spent_s;
}

/* ---- a step ---- */

/* What waits goes in as far as there is room. */
static void let_in(struct service_run *s, struct interval_step *p, double now_s)
{
    struct interval_llm *l = s->interval->llm;
    struct interval_backlog *b = &s->interval->backlog;
    double room = l->cap * l->replicas - l->inside;
    while (b->count > 0 && room > LEAST_REQUESTS) {
        struct backlog_parcel q = interval_backlog_take(b, room);
        double wait_s = fmax(0, now_s - 0.5 * (q.from_s + q.to_s));
        p->wait_sum_s += wait_s * q.amount;
        p->within += interval_llm_serve_full(s, &q.mix, wait_s, true, q.amount,
                                             q.from_s >= s->measure_from_s);
        l->inside += q.amount;
        room -= q.amount;
    }
}

/* Along the line between two rows. */
static double along(double position, const struct row_values *at, size_t offset)
{
    size_t j = position < TOP ? (size_t)position : TOP - 1;
    double share = position - (double)j;
    const char *low = (const char *)&at[j] + offset, *high = (const char *)&at[j + 1] + offset;
    return (1 - share) * *(const double *)low + share * *(const double *)high;
}
#define ALONG(l, position, member) along(position, (l)->at, offsetof(struct row_values, member))

/* Where between rows a number in flight lies, from 0; *below: what of the first row that is. */
static double position_of(const struct interval_llm *l, double nu, double *below)
{
    size_t j = row_above(&l->row, nu);
    *below = 1;
    if (j == 0) {
        *below = nu / l->row.in_flight[0];
        return 0;
    }
    if (j == LLM_TABLE_LOADS) {
        return TOP;
    }
    double from = l->row.in_flight[j - 1];
    return (double)(j - 1) + (nu - from) / (l->row.in_flight[j] - from);
}

/* From how many in flight on a replica is full: where the last row is, or the queue's limit. */
static double cap_of(const struct interval_llm *l, double replicas, double queue_limit)
{
    double top = l->row.in_flight[TOP];
    for (size_t j = TOP; j > 0; j--) {
        if (l->at[j].waiting * replicas <= queue_limit) {
            return l->row.in_flight[j];
        }
    }
    return fmax(fmin(l->table->saturated_in_flight, top), l->row.in_flight[0]);
}

static void set_rows(struct interval_llm *l, double replicas, double queue_limit)
{
    if (l->rows_for == replicas) {
        return;
    }
    l->rows_for = replicas;
    l->length_s = 0;
    l->row = llm_table_row(l->table, replicas);
    const struct llm_cell *low = l->table->cells[l->row.column],
                          *high = l->table->cells[l->row.column + 1];
    double u = l->row.share;
    for (size_t j = 0; j < LLM_TABLE_LOADS; j++) {
        l->at[j] = (struct row_values){
            .in_flight = l->row.in_flight[j],
            .waiting = (1 - u) * low[j].waiting + u * high[j].waiting,
            .busy = (1 - u) * low[j].busy + u * high[j].busy,
            .active = (1 - u) * low[j].active + u * high[j].active,
            .cache_tokens = (1 - u) * low[j].cache_tokens + u * high[j].cache_tokens,
            .spread = (1 - u) * low[j].spread + u * high[j].spread,
            .e2e_s = (1 - u) * low[j].e2e_s + u * high[j].e2e_s,
            .drain_s = (1 - u) * low[j].drain_s + u * high[j].drain_s,
            .memory_s = l->factor * ((1 - u) * low[j].memory_s + u * high[j].memory_s)};
    }
    l->cap = cap_of(l, replicas, queue_limit);
}

/* Of the row that is nearest: the time of correlation changes little from one to the next. */
static const struct interval_load_step *noise_of(struct interval_llm *l, double position,
                                                 double length_s)
{
    if (l->length_s != length_s) {
        l->length_s = length_s;
        for (size_t j = 0; j < LLM_TABLE_LOADS; j++) {
            l->at[j].noise.step_s = 0;
        }
    }
    struct row_values *at = &l->at[(size_t)(position + 0.5)];
    if (at->noise.step_s != length_s) {
        at->noise = interval_load_step(length_s, at->memory_s);
    }
    return &at->noise;
}

/* What of replicas and of their caches is in use on average, with so many in flight on each; while
 * there is a backlog they are full. */
static void show_use(const struct interval_llm *l, struct interval_step *p, double position,
                     double below)
{
    const double full = fmin(fmax(0, 1 - p->calm_s / (p->to_s - p->from_s)), 1);
    p->active = full + (1 - full) * below * ALONG(l, position, active);
    p->cache_tokens =
        full * l->table->full.cache_tokens + (1 - full) * below * ALONG(l, position, cache_tokens);
}

/* What an autoscaler will see. */
static void show(struct service_run *s, struct interval_step *p, double before)
{
    struct service_interval *v = s->interval;
    struct interval_llm *l = v->llm;
    struct service_books *b = &s->books;
    double length_s = p->to_s - p->from_s, c = l->replicas, below;
    double z1 = random_normal(&v->load_noise), z2 = random_normal(&v->load_noise);
    double count = random_normal(&v->count_noise);
    double seen = 0, seen_end = 0, busy = 0, e2e_s = 0, waiting = 0;
    if (c > 0) {
        double nu = l->inside_s / length_s / c, at = position_of(l, nu, &below);
        p->waiting = c * below * ALONG(l, at, waiting);
        show_use(l, p, at, below);
        double sd = sqrt(ALONG(l, at, spread) * below / c);
        const struct interval_load_step *o = noise_of(l, at, length_s);
        seen = fmax(0, nu + sd * (l->noise * o->mean_keeps + o->mean_1 * z1 + o->mean_2 * z2));
        l->noise = l->noise * o->keeps + o->end_1 * z1;
        seen_end = fmax(0, l->inside / c + sd * l->noise);
        e2e_s = l->factor * ALONG(l, at, e2e_s);
        at = position_of(l, seen, &below);
        busy = v->backlog.amount > 0 ? 1 : below * ALONG(l, at, busy);
        at = position_of(l, seen_end, &below);
        waiting = c * below * ALONG(l, at, waiting);
    }
    double ended = fmax(0, before + p->arrivals - v->backlog.amount - l->inside - p->failed);
    double here = seen * c * length_s + p->backlog_s;
    s->waiting = (uint32_t)fmin(v->backlog.amount + waiting + 0.5, 4e9);
    v->inside = floor(v->backlog.amount + seen_end * c + 0.5);
    b->busy_s += busy * v->time.replica_s;
    b->seen_s += v->time.seen_s;
    b->in_flight += here;
    b->arrivals += fmax(0, p->arrivals + sqrt(p->arrivals * v->ca2) * count);
    b->ended += ended;
    b->answered += ended;
    b->latency_sum += ended * e2e_s + p->wait_sum_s;
    p->busy = c > 0 ? busy : 0;
    if (p->measured) {
        b->requests += p->fresh + p->rejected;
        b->measured_busy_s += busy * v->time.replica_s;
        b->measured_in_flight += here;
        b->measured_replica_s += v->time.replica_s;
    }
    v->rho = busy;
    v->in_service = l->inside;
}

void interval_llm_step(struct service_run *s, struct interval_step *p)
{
    struct service_interval *v = s->interval;
    struct interval_llm *l = v->llm;
    double length_s = p->to_s - p->from_s, t_s = p->from_s, before;
    double most = l->table->saturated_rate / l->factor;
    p->rejected = p->fresh * l->table->rejected;
    p->fresh -= p->rejected;
    p->arrivals = p->fresh;
    l->replicas = v->time.replica_s / length_s;
    p->queue = (struct interval_queue){.ca2 = v->ca2, .cs2 = l->table->dispersion};
    l->inside_s = 0;
    before = l->inside + v->backlog.amount;
    if (l->replicas > 0) {
        double patient = s->timeout_s > 0 ? s->timeout_s * most * l->replicas : HUGE_VAL;
        set_rows(l, l->replicas, fmin((double)s->plan->spec->queue_limit, patient));
        let_in(s, p, t_s);
    }
    double waits = l->replicas > 0 ? fmax(0, l->cap - l->table->saturated_in_flight) : 0;
    while (p->to_s - t_s > INTERVAL_SAME_INSTANT_S) {
        double for_s = p->to_s - t_s, took_s, q = v->backlog.amount;
        double room = (double)s->plan->spec->queue_limit - q - waits * l->replicas;
        double rate = most * l->replicas;
        struct interval_inflow in = interval_inflow(s, p, t_s, &for_s);
        bool fills = l->inside >= l->cap * l->replicas && in.rate > rate;
        if (l->replicas > 0 && q <= LEAST_REQUESTS && !fills) {
            interval_backlog_clear(&v->backlog);
            took_s = fmax(flow(s, p, in.rate, for_s), INTERVAL_SAME_INSTANT_S);
            p->calm_s += took_s;
        } else {
            took_s = interval_serve_backlog(s, p, t_s, for_s, in.rate, rate, room);
            l->inside_s += l->inside * took_s;
        }
        interval_inflow_end(s, p, t_s, for_s, took_s, &in);
        t_s += took_s;
    }
    show(s, p, before);
}

/* ---- replicas that go ---- */

/* In flight on each of so many replicas, and where in the table that is. */
static double each(struct interval_llm *l, double replicas, double *at)
{
    double nu = l->inside / replicas, below;
    if (!(l->rows_for > 0)) {
        set_rows(l, replicas, HUGE_VAL);
    }
    *at = position_of(l, nu, &below);
    return nu;
}

/* The largest of n times is log n + gamma of them on average when they are exponential: so the
 * drain of more replicas lasts longer than that of one. */
double interval_llm_drain(struct service_run *s, struct replica *r, double draining)
{
    struct interval_llm *l = s->interval->llm;
    double replicas = s->ready + 1.0, at, nu = each(l, replicas, &at);
    l->inside -= nu;
    double one_s = l->factor * ALONG(l, at, drain_s);
    /* What is left of times of mean m, seen at some moment, ends at first at the rate 1 / m. */
    r->drains = nu;
    r->drain_time_s = l->factor * ALONG(l, at, e2e_s);
    if (nu < 1) {
        return one_s * nu;
    }
    return one_s * (log(nu * draining) + M_EULER) / (log(nu) + M_EULER);
}

static double left_of(const struct replica *r, double drained_s)
{
    return r->drain_time_s > 0 ? r->drains * exp(-drained_s / r->drain_time_s) : 0;
}

void interval_llm_resume(struct service_run *s, const struct replica *r, double drained_s)
{
    s->interval->llm->inside += left_of(r, drained_s);
}

double interval_llm_lose(struct service_run *s, const struct replica *r, double drained_s)
{
    struct interval_llm *l = s->interval->llm;
    struct interval_backlog *b = &s->interval->backlog;
    if (drained_s > 0) {
        return left_of(r, drained_s);
    }
    double replicas = s->ready + 1.0, at, nu = each(l, replicas, &at);
    double lost = nu + b->amount / replicas;
    l->inside -= nu;
    interval_backlog_thin(b, 1 - 1 / replicas);
    return lost;
}

double interval_llm_inside(const struct service_run *s)
{
    return s->interval->llm->inside;
}
