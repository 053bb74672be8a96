/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/service_tables.h"

#include "models/billing/rating.h"
#include "models/inference/inference_work.h"
#include "scenarios/output/result_rows.h"
#include "scenarios/study/simulation.h"

#include <math.h>
#include <stdlib.h>

enum { HOUR_S = 3600, WEEK_HOURS = 168, MONDAY_HOUR = 96 /* the first one after 1970-01-01 */ };
/* Several steps: what happens in one is told of its middle. */
#define LEAST_BUCKET_OF_STEPS_S 300.0
#define SAME_INSTANT_S          1e-6

struct making_services {
    const struct run *run;
    struct simulation *sim;
    struct result_rows services, week;
    struct service_log *log;
    size_t buckets;
    double bucket_s;
    bool any_service, any_week;
    size_t strategy;
    double *paid; /* of each bucket, by the strategy at hand */
    bool shows_paid;
    /* Of hours from the start. */
    size_t hours;
    double *spend, *nodes;
};

static double horizon_s(const struct making_services *m)
{
    return m->run->study->scenario->horizon_s;
}

static bool any_in_steps(const struct study *s)
{
    for (size_t k = 0; k < s->strategy_count; k++) {
        for (size_t w = 0; w < s->workload_count; w++) {
            const struct work_plan *plan = s->strategies[k].plans[w];
            if (plan != NULL && plan->kind == &work_inference &&
                service_plan_of(plan)->mode.interval) {
                return true;
            }
        }
    }
    return false;
}

static void choose_buckets(struct making_services *m)
{
    double whole_s = horizon_s(m);
    /* A service lasts to the horizon under every strategy, so that their frames are alike. */
    const struct timeline_frame *frames = m->run->timeline.frames;
    const int64_t bucket_us = frames == NULL ? 0 : frames[0].bucket_us;
    m->bucket_s = fmin((double)bucket_us / (double)MICROSECONDS, HOUR_S);
    if (any_in_steps(m->run->study)) {
        m->bucket_s = fmax(m->bucket_s, LEAST_BUCKET_OF_STEPS_S);
    }
    if (whole_s > m->bucket_s * SERVICE_TABLE_BUCKETS) {
        m->bucket_s = ceil(whole_s / HOUR_S / SERVICE_TABLE_BUCKETS) * HOUR_S;
    }
    m->buckets = (size_t)ceil(whole_s / m->bucket_s);
    m->hours = (size_t)ceil(whole_s / HOUR_S);
}

/* ---- services.csv ---- */

static double share(double part, double whole)
{
    return whole > 0 ? part / whole : (double)NAN;
}

static void put_quantiles(struct result_rows *r, const struct service_bucket *b,
                          enum service_measure measure)
{
    for (size_t q = 0; q < SERVICE_QUANTILES; q++) {
        rows_number(r, b->quantile_s[measure][q]);
    }
}

static void put_accelerators(struct result_rows *r, const struct service_bucket *b, bool speaks)
{
    rows_number(r, share(b->active_s, b->serving_s));
    rows_number(r, speaks ? share(b->cache_s, b->serving_s) : (double)NAN);
    rows_number(r, share(b->memory_s, b->serving_s));
    rows_number(r, speaks ? b->count[SERVICE_PROMPT_TOKENS] : (double)NAN);
    rows_number(r, speaks ? b->count[SERVICE_OUTPUT_TOKENS] : (double)NAN);
}

static void put_bucket(struct making_services *m, size_t workload, size_t k,
                       const struct service_bucket *b)
{
    static const enum service_event events[] = {SERVICE_ARRIVED, SERVICE_RETRIED,   SERVICE_SERVED,
                                                SERVICE_DROPPED, SERVICE_TIMED_OUT, SERVICE_LOST,
                                                SERVICE_REJECTED};
    const struct study *s = m->run->study;
    const double start_s = (double)k * m->bucket_s, *n = b->count;
    const struct service_goal *goal = service_log_goal(m->log, workload);
    const double ended = n[SERVICE_SERVED] + n[SERVICE_DROPPED] + n[SERVICE_TIMED_OUT] +
                         n[SERVICE_LOST] + n[SERVICE_REJECTED];
    struct result_rows *r = &m->services;
    rows_next(r);
    rows_text(r, study_strategy_name(s, m->strategy));
    rows_text(r, study_workload_name(s, workload));
    rows_integer(r, m->run->plan_worlds[m->strategy]);
    rows_integer(r, s->scenario->start.unix_s + (int64_t)floor(start_s));
    rows_number(r, start_s);
    rows_number(r, fmin(start_s + m->bucket_s, horizon_s(m)));
    rows_number(r, share(n[SERVICE_ARRIVED], b->span_s));
    rows_number(r, share(n[SERVICE_SERVED], b->span_s));
    rows_number(r, share(b->could_serve, b->span_s));
    rows_number(r, share(b->ready_s, b->span_s));
    rows_number(r, share(b->asked_s, b->span_s));
    rows_number(r, share(b->busy_s, b->serving_s));
    rows_number(r, share(b->waiting_s, b->span_s));
    rows_number(r, b->quantile_s[SERVICE_LATENCY][0]);
    rows_number(r, b->quantile_s[SERVICE_LATENCY][2]);
    rows_number(r, goal->within_s[SERVICE_LATENCY]);
    rows_number(r, goal->stated ? share(n[SERVICE_WITHIN], ended) : (double)NAN);
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        rows_number(r, n[events[i]]);
    }
    rows_integer(r, start_s >= goal->measured_from_s - SAME_INSTANT_S ? service_bucket_overloaded(b)
                                                                      : COLUMN_MISSING_INTEGER);
    rows_number(r, b->quantile_s[SERVICE_LATENCY][1]);
    rows_number(r, b->quantile_s[SERVICE_LATENCY][3]);
    put_quantiles(r, b, SERVICE_TTFT);
    put_quantiles(r, b, SERVICE_TPOT);
    put_accelerators(r, b, goal->speaks);
    rows_number(r, m->shows_paid ? m->paid[k] : (double)NAN);
    rows_number(r, goal->within_s[SERVICE_TTFT]);
    rows_number(r, goal->within_s[SERVICE_TPOT]);
}

static void put_services(struct making_services *m)
{
    for (size_t w = 0; w < m->run->study->workload_count; w++) {
        const struct service_bucket *buckets = service_log_buckets(m->log, w);
        for (size_t k = 0; buckets != NULL && k < m->buckets; k++) {
            if (buckets[k].span_s > 0) { /* it may begin later, and end earlier */
                put_bucket(m, w, k, &buckets[k]);
            }
        }
    }
}

/* ---- hour_of_week.csv ---- */

/* What each record is charged, by the hour. */
static bool rate_hours(struct making_services *m)
{
    struct rating_frame frame = m->run->study->frame;
    struct bill bill = {0};
    const struct usage_log *log = simulation_usage(m->sim);
    frame.months = 0;
    frame.others = 0;
    frame.other_category = NULL;
    frame.buckets = m->hours;
    frame.bucket_us = (int64_t)HOUR_S * MICROSECONDS;
    bill_clear(&bill, &frame);
    for (size_t i = 0; i < m->hours; i++) {
        m->spend[i] = 0;
    }
    for (size_t i = 0; i < PURCHASE_COUNT * m->hours; i++) {
        m->nodes[i] = 0;
    }
    for (size_t i = 0; i < log->count; i++) {
        rating_rate(&frame, simulation_market(m->sim), &log->records[i], &bill, m->spend, m->nodes);
    }
    return !bill.overflow;
}

static bool holds_nodes(const struct making_services *m, size_t hour)
{
    for (size_t p = 0; p < PURCHASE_COUNT; p++) {
        if (m->nodes[p * m->hours + hour] > 0) {
            return true;
        }
    }
    return false;
}

static void put_week(struct making_services *m)
{
    double spend[WEEK_HOURS] = {0}, nodes[WEEK_HOURS] = {0};
    int64_t hours[WEEK_HOURS] = {0}, used[WEEK_HOURS] = {0};
    const struct scenario *sc = m->run->study->scenario;
    /* Whole hours alone: the last one may be cut by the horizon. */
    const size_t whole = (size_t)floor(horizon_s(m) / HOUR_S);
    size_t from = 0, to = whole;
    while (from < to && !holds_nodes(m, from)) {
        from++;
    }
    while (to > from && !holds_nodes(m, to - 1)) {
        to--;
    }
    for (size_t i = 0; i < whole; i++) {
        /* Of an hour that does not begin on the clock's its middle counts. */
        int64_t clock = (sc->start.unix_s + (int64_t)i * HOUR_S + HOUR_S / 2) / HOUR_S;
        size_t k = (size_t)(((clock - MONDAY_HOUR) % WEEK_HOURS + WEEK_HOURS) % WEEK_HOURS);
        hours[k]++;
        used[k] += i >= from && i < to;
        spend[k] += m->spend[i];
        for (size_t p = 0; p < PURCHASE_COUNT; p++) {
            nodes[k] += m->nodes[p * m->hours + i];
        }
    }
    for (size_t k = 0; k < WEEK_HOURS; k++) {
        struct result_rows *r = &m->week;
        rows_next(r);
        rows_text(r, study_strategy_name(m->run->study, m->strategy));
        rows_integer(r, m->run->plan_worlds[m->strategy]);
        rows_integer(r, (int64_t)k);
        rows_integer(r, hours[k]);
        rows_number(r, share(nodes[k], (double)hours[k]));
        rows_number(r, share(spend[k], (double)hours[k]));
        rows_integer(r, used[k]);
    }
}

/* ---- both ---- */

static bool has_service(const struct run *run)
{
    for (size_t k = 0; k < run->study->strategy_count; k++) {
        for (size_t w = 0; run->plan_worlds[k] != UINT32_MAX && w < run->study->workload_count;
             w++) {
            const struct metric_cells *c = results_cells(&run->results, run->plan_worlds[k], k, w);
            if (!isnan(metric_number(c, METRIC_REQUESTS))) {
                return true;
            }
        }
    }
    return false;
}

/* All that is paid is the one service's, and when it is used. */
static bool all_is_paid_by_use(const struct making_services *m)
{
    const size_t all = m->run->study->workload_count;
    const struct metric_cells *c =
        results_cells(&m->run->results, m->run->plan_worlds[m->strategy], m->strategy, all);
    const double cash = metric_number(c, METRIC_CASH), used = metric_number(c, METRIC_AMORTISED);
    return all == 1 && fabs(cash - used) <= 1e-3 * fabs(cash);
}

static void put_strategy(struct making_services *m)
{
    const struct simulation_outputs out = {.services = m->log,
                                           .buckets = m->buckets,
                                           .bucket_us =
                                               (int64_t)llround(m->bucket_s * (double)MICROSECONDS),
                                           .spend_units = m->paid};
    service_log_clear(m->log);
    for (size_t k = 0; k < m->buckets; k++) {
        m->paid[k] = 0;
    }
    m->shows_paid = all_is_paid_by_use(m);
    /* The world ran before, so only memory can fail. */
    if (!simulation_begin_world(m->sim, m->run->plan_worlds[m->strategy]) ||
        !simulation_run_strategy(m->sim, m->strategy, &out)) {
        rows_fail(&m->services);
        return;
    }
    put_services(m);
    if (m->any_week && rate_hours(m)) {
        put_week(m);
    }
}

static bool prepare(struct making_services *m)
{
    const struct run *run = m->run;
    m->any_service = has_service(run);
    m->any_week = horizon_s(m) > (double)WEEK_HOURS * HOUR_S;
    if (!m->any_service && !m->any_week) {
        return true;
    }
    choose_buckets(m);
    m->sim = simulation_new(run->study);
    m->log =
        service_log_new(run->study->workload_count, m->any_service ? m->buckets : 0, m->bucket_s);
    m->paid = calloc(m->buckets + 1, sizeof *m->paid);
    m->spend = calloc(m->hours + 1, sizeof *m->spend);
    m->nodes = calloc(PURCHASE_COUNT * m->hours + 1, sizeof *m->nodes);
    return m->sim != NULL && m->log != NULL && m->spend != NULL && m->nodes != NULL &&
           m->paid != NULL;
}

void service_tables_make(const struct run *run, struct table **services,
                         struct table **hour_of_week)
{
    const char *currency = run->study->scenario->currency;
    struct making_services m = {.run = run};
    rows_begin(&m.services, "services", currency);
    rows_begin(&m.week, "hour_of_week", currency);
    if (!prepare(&m)) {
        rows_fail(&m.services);
    }
    for (size_t k = 0; !m.services.failed && m.sim != NULL && k < run->study->strategy_count; k++) {
        m.strategy = k;
        if (run->plan_worlds[k] != UINT32_MAX) {
            put_strategy(&m);
        }
    }
    if (m.services.failed) {
        rows_fail(&m.week);
    }
    simulation_free(m.sim);
    service_log_free(m.log);
    free(m.paid);
    free(m.spend);
    free(m.nodes);
    *services = rows_end(&m.services);
    *hour_of_week = rows_end(&m.week);
}
