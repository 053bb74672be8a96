/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/job_tables.h"

#include "engine/money_split.h"
#include "scenarios/output/job_attempts.h"
#include "scenarios/output/plan_world_table.h"
#include "scenarios/output/result_rows.h"
#include "scenarios/study/simulation.h"

#include <math.h>
#include <stdlib.h>

struct making_jobs {
    const struct run *run;
    struct simulation *sim;
    struct result_rows jobs, use;
    struct attempt_log *log;
    size_t strategy;
};

static double seconds_of(int64_t us)
{
    return (double)us / (double)MICROSECONDS;
}

/* ---- jobs.csv ---- */

static double node_s(const struct attempt *a)
{
    return isnan(a->start_s) ? 0
                             : ((a->end_s - a->start_s) * a->nodes - a->fewer_node_s) * a->share;
}

static int64_t time_of(const struct making_jobs *m, double s)
{
    return isnan(s) ? COLUMN_MISSING_INTEGER
                    : m->run->study->scenario->start.unix_s + (int64_t)floor(s);
}

static void put_row(struct making_jobs *m, const struct attempt *a, bool whole, double total_node_s,
                    money_t cost)
{
    const struct study *s = m->run->study;
    const struct pool_info *pool = a->pool < 0 ? NULL : market_pool_info(s->market, a->pool);
    const double from_s = whole ? a->submitted_s : a->queued_s;
    struct result_rows *rows = &m->jobs;
    rows_next(rows);
    rows_text(rows, study_strategy_name(s, m->strategy));
    rows_text(rows, study_workload_name(s, a->workload));
    rows_integer(rows, m->run->plan_worlds[m->strategy]);
    rows_integer(rows, a->job);
    rows_text(rows, a->name);
    rows_text(rows, whole ? "job" : "attempt");
    rows_integer(rows, a->attempt);
    rows_integer(rows, time_of(m, from_s));
    rows_integer(rows, time_of(m, a->start_s));
    rows_integer(rows, time_of(m, a->end_s));
    rows_number(rows, from_s);
    rows_number(rows, a->start_s);
    rows_number(rows, a->end_s);
    rows_number(rows, (isnan(a->start_s) ? a->end_s : a->start_s) - from_s);
    rows_integer(rows, a->pool < 0 ? COLUMN_MISSING_INTEGER : (int64_t)a->nodes);
    rows_number(rows, a->pool < 0 ? (double)NAN : a->share);
    rows_text(rows, pool == NULL ? NULL : pool->zone);
    rows_text(rows, pool == NULL ? NULL : purchase_names[pool->purchase]);
    rows_text(rows, attempt_outcome_names[a->outcome]);
    rows_number(rows, total_node_s);
    rows_number(rows, a->useful_s);
    rows_number(rows, a->lost_s);
    rows_money(rows, cost);
}

/* A job as one: from its first attempt to its last. */
static void put_job(struct making_jobs *m, size_t first, size_t count, const money_t *costs)
{
    const struct attempt *begun = attempt_log_at(m->log, first);
    struct attempt all = *attempt_log_at(m->log, first + count - 1);
    double used_s = 0;
    money_t cost = 0;
    all.start_s = begun->start_s;
    all.attempt = 0;
    all.useful_s = all.lost_s = 0;
    for (size_t i = 0; i < count; i++) {
        const struct attempt *a = attempt_log_at(m->log, first + i);
        if (a->pool >= 0) { /* it ran: the last one that did is told of */
            all.pool = a->pool;
            all.nodes = a->nodes;
            all.share = a->share;
            all.attempt++;
        }
        used_s += node_s(a);
        all.useful_s += a->useful_s;
        all.lost_s += a->lost_s;
        (void)money_add(&cost, costs[i]);
    }
    put_row(m, &all, true, used_s, cost);
    for (size_t i = 0; i < count; i++) {
        const struct attempt *a = attempt_log_at(m->log, first + i);
        put_row(m, a, false, node_s(a), costs[i]);
    }
}

/* What the workload's nodes are charged, from its lines. */
static money_t charged(const struct making_jobs *m, uint32_t workload)
{
    const struct metric_cells *c =
        results_cells(&m->run->results, m->run->plan_worlds[m->strategy], m->strategy, workload);
    money_t sum = 0;
    for (int p = 0; p < PURCHASE_COUNT; p++) {
        for (int a = 0; a < ACTIVITY_COUNT; a++) {
            (void)money_add(&sum, c->line[p][a]);
        }
    }
    return sum;
}

static bool share_out(const struct making_jobs *m, size_t first, size_t count, money_t *costs)
{
    money_t *weights = calloc(count, sizeof *weights);
    struct money_part *scratch = calloc(count, sizeof *scratch);
    bool ok = weights != NULL && scratch != NULL;
    money_t all = 0;
    for (size_t i = 0; ok && i < count; i++) {
        weights[i] = (money_t)llround(node_s(attempt_log_at(m->log, first + i)) * 1e3);
        all += weights[i];
    }
    /* What never ran may have been paid for all the same: nodes that booted, or waited for others.
     */
    for (size_t i = 0; ok && all == 0 && i < count; i++) {
        weights[i] = 1;
    }
    if (ok) {
        (void)money_split(charged(m, attempt_log_at(m->log, first)->workload), weights, count,
                          costs, scratch);
    }
    free(weights);
    free(scratch);
    return ok;
}

static size_t same_workload(const struct attempt_log *log, size_t first)
{
    size_t count = 1;
    const uint32_t workload = attempt_log_at(log, first)->workload;
    while (first + count < attempt_log_count(log) &&
           attempt_log_at(log, first + count)->workload == workload) {
        count++;
    }
    return count;
}

static size_t same_job(const struct attempt_log *log, size_t first, size_t end)
{
    size_t count = 1;
    const uint32_t job = attempt_log_at(log, first)->job;
    while (first + count < end && attempt_log_at(log, first + count)->job == job) {
        count++;
    }
    return count;
}

static void put_jobs(struct making_jobs *m)
{
    for (size_t i = 0; i < attempt_log_count(m->log);) {
        const size_t count = same_workload(m->log, i);
        money_t *costs = calloc(count, sizeof *costs);
        if (costs == NULL || !share_out(m, i, count, costs)) {
            rows_fail(&m->jobs);
        }
        for (size_t k = i; !m->jobs.failed && k < i + count;) {
            const size_t attempts = same_job(m->log, k, i + count);
            put_job(m, k, attempts, costs + (k - i));
            k += attempts;
        }
        free(costs);
        i += count;
    }
}

/* ---- utilisation.csv ---- */

enum use { USE_HELD, USE_BASE, USE_OVERFLOW, USE_RUNNING, USE_WAITING, USES };

/* Adds amount × the overlap of each bucket with the stretch. */
static void spread(double *sums, const struct timeline_frame *t, double from_s, double to_s,
                   double amount)
{
    const double length_s = seconds_of(t->bucket_us);
    const double last_s = length_s * (double)t->buckets;
    from_s = fmax(0, from_s);
    to_s = fmin(to_s, last_s);
    if (!(to_s > from_s)) {
        return;
    }
    for (size_t b = (size_t)(from_s / length_s); b < t->buckets; b++) {
        const double start_s = (double)b * length_s;
        if (start_s >= to_s) {
            break;
        }
        double overlap_s = fmin(to_s, start_s + length_s) - fmax(from_s, start_s);
        sums[b] += amount * fmax(0, overlap_s);
    }
}

static void gather_use(const struct making_jobs *m, uint32_t workload, double *sums)
{
    const struct timeline_frame *t = &m->run->timeline.frames[m->strategy];
    const struct work_plan *plan = m->run->study->strategies[m->strategy].plans[workload];
    const struct usage_log *usage = simulation_usage(m->sim);
    const int base = plan->pools[0].pool;
    for (size_t i = 0; i < usage->count; i++) {
        const struct usage *u = &usage->records[i];
        if (u->workload == workload && u->pool == base) {
            spread(sums + USE_HELD * t->buckets, t, seconds_of(u->start_us), seconds_of(u->end_us),
                   (double)usage_nodes(u));
        }
    }
    for (size_t i = 0; i < attempt_log_count(m->log); i++) {
        const struct attempt *a = attempt_log_at(m->log, i);
        if (a->workload != workload) {
            continue;
        }
        const bool ran = !isnan(a->start_s);
        spread(sums + USE_WAITING * t->buckets, t, a->queued_s, ran ? a->start_s : a->end_s, 1);
        if (ran) {
            const enum use where = a->pool == base ? USE_BASE : USE_OVERFLOW;
            spread(sums + USE_RUNNING * t->buckets, t, a->start_s, a->end_s, 1);
            spread(sums + where * t->buckets, t, a->start_s, a->end_s, a->nodes * a->share);
        }
    }
}

static void put_use(struct making_jobs *m, uint32_t workload)
{
    const struct timeline_frame *t = &m->run->timeline.frames[m->strategy];
    const struct study *s = m->run->study;
    const double length_s = seconds_of(t->bucket_us);
    const uint32_t capacity = s->strategies[m->strategy].plans[workload]->pools[0].nodes;
    double *sums = calloc(USES * t->buckets + 1, sizeof *sums);
    if (sums == NULL) {
        rows_fail(&m->use);
        return;
    }
    gather_use(m, workload, sums);
    for (size_t b = 0; b < t->buckets; b++) {
        double mean[USES];
        for (int u = 0; u < USES; u++) {
            mean[u] = sums[(size_t)u * t->buckets + b] / length_s;
        }
        struct result_rows *rows = &m->use;
        rows_next(rows);
        rows_text(rows, study_strategy_name(s, m->strategy));
        rows_text(rows, study_workload_name(s, workload));
        rows_integer(rows, m->run->plan_worlds[m->strategy]);
        rows_integer(rows, time_of(m, (double)b * length_s));
        rows_number(rows, (double)b * length_s);
        rows_number(rows, (double)(b + 1) * length_s);
        rows_integer(rows, capacity);
        rows_number(rows, mean[USE_HELD]);
        rows_number(rows, mean[USE_BASE]);
        rows_number(rows, mean[USE_BASE] / capacity);
        rows_number(rows, mean[USE_OVERFLOW]);
        rows_number(rows, mean[USE_RUNNING]);
        rows_number(rows, mean[USE_WAITING]);
    }
    free(sums);
}

/* ---- both ---- */

static bool is_queue(const struct making_jobs *m, uint32_t workload)
{
    const struct metric_cells *c =
        results_cells(&m->run->results, m->run->plan_worlds[m->strategy], m->strategy, workload);
    return !isnan(metric_number(c, METRIC_JOBS));
}

static void put_strategy(struct making_jobs *m)
{
    const uint32_t world = m->run->plan_worlds[m->strategy];
    struct trail *trail = trail_new(PLAN_WORLD_ROWS);
    const struct simulation_outputs out = {.trail = trail, .attempts = m->log};
    attempt_log_clear(m->log);
    /* The world ran before, so only memory can fail. */
    if (trail == NULL || !simulation_begin_world(m->sim, world) ||
        !simulation_run_strategy(m->sim, m->strategy, &out)) {
        rows_fail(&m->jobs);
        trail_free(trail);
        return;
    }
    job_attempts_of_trail(m->log, trail, m->run, m->strategy);
    const bool whole = attempt_log_dropped(m->log) == 0; /* else nodes would look idle */
    attempt_log_sort(m->log);
    trail_free(trail);
    put_jobs(m);
    for (uint32_t w = 0; w < m->run->study->workload_count; w++) {
        if (whole && m->run->timeline.frames != NULL && is_queue(m, w)) {
            put_use(m, w);
        }
    }
}

void job_tables_make(const struct run *run, struct table **jobs, struct table **utilisation)
{
    const char *currency = run->study->scenario->currency;
    struct making_jobs m = {
        .run = run, .sim = simulation_new(run->study), .log = attempt_log_new(JOB_TABLE_ATTEMPTS)};
    rows_begin(&m.jobs, "jobs", currency);
    rows_begin(&m.use, "utilisation", currency);
    if (m.sim == NULL || m.log == NULL) {
        rows_fail(&m.jobs);
    }
    for (size_t k = 0; !m.jobs.failed && k < run->study->strategy_count; k++) {
        m.strategy = k;
        if (run->plan_worlds[k] != UINT32_MAX) {
            put_strategy(&m);
        }
    }
    if (m.jobs.failed) {
        rows_fail(&m.use);
    }
    simulation_free(m.sim);
    attempt_log_free(m.log);
    *jobs = rows_end(&m.jobs);
    *utilisation = rows_end(&m.use);
}
