/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/hour_results.h"

#include "models/inference/inference_work.h"

#include <math.h>
#include <stdlib.h>

#define HOUR_S     3600.0
#define LINEAR     0.002
#define LOG_FROM   0.01 /* of the share that misses the objective */
#define LOG_STEP   0.025
#define NO_MISS    1e-6
#define WHOLE      4294967296.0 /* 2^32 */
#define THOUSANDTH 1e3

/* Hours of a bucket: the least of these that leaves no more than HOUR_RESULTS_MAX_BUCKETS. */
static const int lengths_h[] = {1, 2, 3, 4, 6, 8, 12, 24, 48, 72, 168, 336, 672, 1344, 2688};

static double bucket_s_of(double horizon_s)
{
    const size_t count = sizeof lengths_h / sizeof lengths_h[0];
    size_t i = 0;
    while (i + 1 < count && horizon_s > lengths_h[i] * HOUR_S * HOUR_RESULTS_MAX_BUCKETS) {
        i++;
    }
    return fmax(lengths_h[i], ceil(horizon_s / HOUR_S / HOUR_RESULTS_MAX_BUCKETS)) * HOUR_S;
}

double hour_results_bytes(size_t services, double horizon_s)
{
    const double buckets = ceil(horizon_s / bucket_s_of(horizon_s)) + HOUR_LOG_WEEK;
    return (double)services * buckets * (double)sizeof(struct hour_cell);
}

bool hour_results_init(struct hour_results *r, const struct study *study)
{
    *r = (struct hour_results){.strategies = study->strategy_count,
                               .workloads = study->workload_count,
                               .horizon_s = study->scenario->horizon_s,
                               .start_unix_s = study->scenario->start.unix_s};
    r->bucket_s = bucket_s_of(r->horizon_s);
    r->buckets = (size_t)ceil(r->horizon_s / r->bucket_s);
    r->cells = calloc(r->strategies * r->workloads + 1, sizeof(struct hour_cell *));
    if (r->cells == NULL) {
        return false;
    }
    for (size_t i = 0; i < r->strategies * r->workloads; i++) {
        const struct work_plan *plan = study->strategies[i / r->workloads].plans[i % r->workloads];
        if (plan == NULL || plan->kind != &work_inference) {
            continue;
        }
        r->any = true;
        r->cells[i] = calloc(r->buckets + HOUR_LOG_WEEK, sizeof *r->cells[i]);
        if (r->cells[i] == NULL) {
            return false;
        }
    }
    return true;
}

void hour_results_release(struct hour_results *r)
{
    for (size_t i = 0; r->cells != NULL && i < r->strategies * r->workloads; i++) {
        free(r->cells[i]);
    }
    free(r->cells);
    r->cells = NULL;
}

struct hour_log *hour_results_log(const struct hour_results *r)
{
    return hour_log_new(r->workloads, r->buckets, r->bucket_s, r->start_unix_s);
}

/* ---- bins of a share ---- */

static size_t bin_of(double share)
{
    const double miss = 1 - share;
    if (miss > LOG_FROM) {
        return (size_t)fmin(share / LINEAR, HOUR_SHARE_LINEAR - 1);
    }
    if (miss <= NO_MISS) {
        return HOUR_SHARE_BINS - 1;
    }
    const double at = log(LOG_FROM / miss) / log1p(LOG_STEP);
    return HOUR_SHARE_LINEAR + (size_t)fmin(at, HOUR_SHARE_LOG - 1);
}

static double middle_of(size_t bin)
{
    if (bin < HOUR_SHARE_LINEAR) {
        return ((double)bin + 0.5) * LINEAR;
    }
    return bin == HOUR_SHARE_BINS - 1
               ? 1
               : 1 - LOG_FROM * exp(-((double)(bin - HOUR_SHARE_LINEAR) + 0.5) * log1p(LOG_STEP));
}

/* ---- worlds ---- */

static void add(struct hour_cell *c, const struct hour_sum *of)
{
    c->hours += of->hours;
    c->overloaded += of->overloaded;
    c->judged += of->judged;
    c->met += of->met;
    c->ended += (uint64_t)llround(fmin(of->ended, 1e12) * THOUSANDTH);
    /* Without an objective no hour is judged. */
    const double share = of->judged > 0 ? hour_sum_attained(of) : (double)NAN;
    if (isnan(share)) {
        return;
    }
    c->least = c->worlds == 0 ? (float)share : fminf(c->least, (float)share);
    c->most = c->worlds == 0 ? (float)share : fmaxf(c->most, (float)share);
    c->worlds++;
    c->sum += (uint64_t)llround(share * WHOLE);
    c->bins[bin_of(share)]++;
}

void hour_results_add(struct hour_results *r, size_t strategy, const struct hour_log *log)
{
    for (size_t w = 0; w < r->workloads; w++) {
        struct hour_cell *cells = r->cells[strategy * r->workloads + w];
        if (cells == NULL) {
            continue;
        }
        const struct hour_sum *sums = hour_log_buckets(log, w), *week = hour_log_week(log, w);
        for (size_t k = 0; k < r->buckets; k++) {
            add(&cells[k], &sums[k]);
        }
        for (size_t k = 0; k < HOUR_LOG_WEEK; k++) {
            add(&cells[r->buckets + k], &week[k]);
        }
    }
}

/* ---- what is told of them ---- */

const struct hour_cell *hour_results_cells(const struct hour_results *r, size_t strategy,
                                           size_t workload)
{
    return r->cells[strategy * r->workloads + workload];
}

double hour_cell_mean(const struct hour_cell *c)
{
    return c->worlds > 0 ? (double)c->sum / WHOLE / (double)c->worlds : (double)NAN;
}

double hour_cell_quantile(const struct hour_cell *c, double p)
{
    if (c->worlds == 0) {
        return (double)NAN;
    }
    const double rank = fmax(1, ceil(p * (double)c->worlds - 1e-9));
    double below = 0;
    size_t bin = 0;
    while (bin + 1 < HOUR_SHARE_BINS && below + c->bins[bin] < rank) {
        below += c->bins[bin++];
    }
    return fmin(fmax(middle_of(bin), (double)c->least), (double)c->most);
}
