/* SPDX-License-Identifier: GPL-3.0-or-later
 * Latencies come in time's order, so that one histogram of each measure for a workload is enough:
 * it is read when its bucket is over. */
#include "models/fleet/service_log.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

struct logged_service {
    bool begun;
    struct service_goal goal;
    struct service_bucket *buckets;
    size_t open; /* the bucket that the histograms are of */
    /* Made when it begins. */
    struct log_histogram *values; /* SERVICE_MEASURES of them */
    double *came, *could;         /* requests, by minute; could: be served, or gave up */
};

struct service_log {
    size_t workloads, buckets;
    size_t minutes; /* of a bucket, or so: parts of equal length */
    double bucket_s;
    struct logged_service *services;
    struct service_bucket *memory;
};

struct service_log *service_log_new(size_t workloads, size_t buckets, double bucket_s)
{
    struct service_log *log = calloc(1, sizeof *log);
    if (log == NULL) {
        return NULL;
    }
    *log = (struct service_log){
        .workloads = workloads,
        .buckets = buckets,
        .minutes = (size_t)fmax(SERVICE_BUCKET_PARTS, fmin(60, round(bucket_s / 60))),
        .bucket_s = bucket_s};
    log->services = calloc(workloads + 1, sizeof *log->services);
    log->memory = calloc(workloads * buckets + 1, sizeof *log->memory);
    if (log->services == NULL || log->memory == NULL) {
        service_log_free(log);
        return NULL;
    }
    for (size_t w = 0; w < workloads; w++) {
        log->services[w].buckets = log->memory + w * buckets;
    }
    service_log_clear(log);
    return log;
}

void service_log_free(struct service_log *log)
{
    if (log != NULL) {
        for (size_t w = 0; log->services != NULL && w < log->workloads; w++) {
            free(log->services[w].values);
            free(log->services[w].came);
            free(log->services[w].could);
        }
        free(log->services);
        free(log->memory);
        free(log);
    }
}

void service_log_clear(struct service_log *log)
{
    for (size_t i = 0; i < log->workloads * log->buckets; i++) {
        struct service_bucket *b = &log->memory[i];
        *b = (struct service_bucket){.span_s = 0};
        for (size_t q = 0; q < (size_t)SERVICE_MEASURES * SERVICE_QUANTILES; q++) {
            b->quantile_s[q / SERVICE_QUANTILES][q % SERVICE_QUANTILES] = (double)NAN;
        }
    }
    for (size_t w = 0; w < log->workloads; w++) {
        struct logged_service *s = &log->services[w];
        s->begun = false;
        s->open = 0;
        for (size_t m = 0; s->values != NULL && m < SERVICE_MEASURES; m++) {
            log_histogram_clear(&s->values[m]);
        }
        for (size_t k = 0; s->came != NULL && s->could != NULL && k < log->buckets * log->minutes;
             k++) {
            s->came[k] = s->could[k] = 0;
        }
    }
}

void service_log_begin(struct service_log *log, size_t workload, const struct service_goal *goal)
{
    if (log == NULL) {
        return;
    }
    struct logged_service *s = &log->services[workload];
    s->goal = *goal;
    if (s->values == NULL) {
        s->values = malloc(SERVICE_MEASURES * sizeof *s->values);
        for (size_t m = 0; s->values != NULL && m < SERVICE_MEASURES; m++) {
            log_histogram_clear(&s->values[m]);
        }
    }
    if (s->came == NULL) {
        s->came = calloc(log->buckets * log->minutes + 1, sizeof *s->came);
    }
    if (s->could == NULL) {
        s->could = calloc(log->buckets * log->minutes + 1, sizeof *s->could);
    }
    s->begun = s->values != NULL && s->came != NULL &&
               s->could != NULL; /* without memory nothing is shown of it */
}

/* The bucket of this moment, SIZE_MAX behind the last. */
static size_t bucket_of(const struct service_log *log, double at_s)
{
    double k = floor(at_s / log->bucket_s);
    return k >= 0 && k < (double)log->buckets ? (size_t)k : SIZE_MAX;
}

static void add_part(struct service_bucket *b, const struct service_span *span, size_t part,
                     double past_s)
{
    b->span_s += past_s;
    b->ready_s += past_s * span->ready;
    b->asked_s += past_s * span->asked;
    b->serving_s += past_s * span->serving;
    b->active_s += past_s * span->active;
    b->memory_s += past_s * span->held;
    b->busy_s += past_s * span->busy;
    b->waiting_s += past_s * span->waiting;
    b->could_serve += past_s * span->capacity;
    b->part_s[part] += past_s;
    b->part_waiting_s[part] += past_s * span->waiting;
}

/* Adds an amount that is spread evenly from one time to another, or of one moment, to minutes. */
static void add_to_minutes(const struct service_log *log, double *minutes, double from_s,
                           double to_s, double amount)
{
    const size_t count = log->buckets * log->minutes;
    const double minute_s = log->bucket_s / (double)log->minutes, length_s = to_s - from_s;
    double at_s = from_s;
    for (size_t k = (size_t)fmax(0, floor(from_s / minute_s)); k < count; k++) {
        double end_s = fmin(to_s, (double)(k + 1) * minute_s);
        minutes[k] += amount * (length_s > 0 ? fmax(0, end_s - at_s) / length_s : 1);
        at_s = fmax(at_s, end_s);
        if (at_s >= to_s) {
            return;
        }
    }
}

void service_log_span(struct service_log *log, size_t workload, const struct service_span *span)
{
    if (log == NULL || !log->services[workload].begun) {
        return;
    }
    add_to_minutes(log, log->services[workload].could, span->from_s, span->to_s,
                   (span->to_s - span->from_s) * span->capacity);
    const double part_s = log->bucket_s / SERVICE_BUCKET_PARTS;
    const size_t parts = log->buckets * SERVICE_BUCKET_PARTS;
    double from_s = span->from_s;
    for (size_t k = (size_t)fmax(0, floor(from_s / part_s)); k < parts && from_s < span->to_s;
         k++) {
        double to_s = fmin(span->to_s, (double)(k + 1) * part_s);
        if (to_s > from_s) {
            add_part(&log->services[workload].buckets[k / SERVICE_BUCKET_PARTS], span,
                     k % SERVICE_BUCKET_PARTS, to_s - from_s);
            from_s = to_s;
        }
    }
}

void service_log_count(struct service_log *log, size_t workload, double at_s,
                       enum service_event event, double number)
{
    size_t k = log == NULL ? SIZE_MAX : bucket_of(log, at_s);
    if (k != SIZE_MAX) {
        log->services[workload].buckets[k].count[event] += number;
    }
}

void service_log_came(struct service_log *log, size_t workload, double from_s, double to_s,
                      double number)
{
    if (log != NULL && log->services[workload].begun) {
        add_to_minutes(log, log->services[workload].came, from_s, to_s, number);
    }
}

void service_log_left(struct service_log *log, size_t workload, double from_s, double to_s,
                      double number)
{
    if (log != NULL && log->services[workload].begun) {
        add_to_minutes(log, log->services[workload].could, from_s, to_s, number);
    }
}

static void close_bucket(struct logged_service *s)
{
    static const double at[SERVICE_QUANTILES] = {0.5, 0.9, 0.95, 0.99};
    for (size_t m = 0; m < SERVICE_MEASURES; m++) {
        struct log_histogram *h = &s->values[m];
        if (!(h->weight > 0)) {
            continue;
        }
        for (size_t q = 0; q < SERVICE_QUANTILES; q++) {
            s->buckets[s->open].quantile_s[m][q] = log_histogram_quantile(h, at[q]);
        }
        log_histogram_clear(h);
    }
}

/* The histogram of this moment's bucket; NULL: it lies behind the last. */
static struct log_histogram *values_at(struct service_log *log, size_t workload, double at_s,
                                       enum service_measure measure)
{
    size_t k = log == NULL ? SIZE_MAX : bucket_of(log, at_s);
    if (k == SIZE_MAX || !log->services[workload].begun) {
        return NULL;
    }
    struct logged_service *s = &log->services[workload];
    if (k != s->open) {
        close_bucket(s);
        s->open = k;
    }
    return &s->values[measure];
}

void service_log_value(struct service_log *log, size_t workload, double at_s,
                       enum service_measure measure, double value_s, double weight)
{
    struct log_histogram *h = values_at(log, workload, at_s, measure);
    if (h != NULL) {
        log_histogram_add(h, value_s, weight);
    }
}

void service_log_values(struct service_log *log, size_t workload, double at_s,
                        enum service_measure measure, const struct log_histogram *values)
{
    struct log_histogram *h = values_at(log, workload, at_s, measure);
    if (h != NULL) {
        log_histogram_merge(h, values);
    }
}

void service_log_cache(struct service_log *log, size_t workload, double from_s, double to_s,
                       double cache_s, double memory_s)
{
    if (log == NULL || !(to_s > from_s)) {
        return;
    }
    const double each_s = to_s - from_s;
    double at_s = from_s;
    for (size_t k = (size_t)fmax(0, floor(from_s / log->bucket_s)); k < log->buckets; k++) {
        double end_s = fmin(to_s, (double)(k + 1) * log->bucket_s);
        if (end_s > at_s) {
            struct service_bucket *b = &log->services[workload].buckets[k];
            b->cache_s += cache_s * (end_s - at_s) / each_s;
            b->memory_s += memory_s * (end_s - at_s) / each_s;
            at_s = end_s;
        }
        if (at_s >= to_s) {
            return;
        }
    }
}

bool service_log_same_bucket(const struct service_log *log, double a_s, double b_s)
{
    return bucket_of(log, a_s) == bucket_of(log, b_s);
}

static void mark_bursts(const struct service_log *log, struct logged_service *s)
{
    struct service_fluid fluid = {0, 0};
    for (size_t k = 0; k < log->buckets * log->minutes; k++) {
        if (service_fluid_minute(&fluid, s->came[k], s->could[k])) {
            s->buckets[k / log->minutes].burst = true;
        }
    }
}

void service_log_close(struct service_log *log)
{
    for (size_t w = 0; log != NULL && w < log->workloads; w++) {
        if (log->services[w].begun) {
            close_bucket(&log->services[w]);
            mark_bursts(log, &log->services[w]);
        }
    }
}

const struct service_bucket *service_log_buckets(const struct service_log *log, size_t workload)
{
    const struct logged_service *s = &log->services[workload];
    return s->begun ? s->buckets : NULL;
}

const struct service_goal *service_log_goal(const struct service_log *log, size_t workload)
{
    return &log->services[workload].goal;
}

/* ---- overload ---- */

static bool grew_throughout(const struct service_bucket *b, double came)
{
    double first = 0, last = 0;
    for (size_t p = 0; p < SERVICE_BUCKET_PARTS; p++) {
        if (!(b->part_s[p] > 0)) {
            return false;
        }
        double waiting = b->part_waiting_s[p] / b->part_s[p];
        if (p > 0 && waiting <= last) {
            return false;
        }
        first = p == 0 ? waiting : first;
        last = waiting;
    }
    return last - first > 3 * sqrt(came);
}

bool service_bucket_overloaded(const struct service_bucket *b)
{
    double came = b->count[SERVICE_ARRIVED] + b->count[SERVICE_RETRIED];
    return came > 0 && (came > b->could_serve || b->burst || grew_throughout(b, came));
}
