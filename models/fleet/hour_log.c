/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/hour_log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HOUR_S = 3600, FIRST_MONDAY_H = 96 /* after 1970-01-01 */ };

struct hour_log {
    size_t workloads, buckets;
    double bucket_s;
    int64_t start_unix_s;
    struct hour_sum *sums; /* of each workload its buckets, then the week */
};

double hour_sum_attained(const struct hour_sum *sum)
{
    return sum->ended > 0        ? fmin(1, sum->within / sum->ended)
           : sum->overloaded > 0 ? 0
                                 : (double)NAN;
}

struct hour_log *hour_log_new(size_t workloads, size_t buckets, double bucket_s,
                              int64_t start_unix_s)
{
    struct hour_log *log = calloc(1, sizeof *log);
    if (log == NULL) {
        return NULL;
    }
    *log = (struct hour_log){.workloads = workloads,
                             .buckets = buckets,
                             .bucket_s = bucket_s,
                             .start_unix_s = start_unix_s};
    log->sums = calloc(workloads * (buckets + HOUR_LOG_WEEK) + 1, sizeof *log->sums);
    if (log->sums == NULL) {
        hour_log_free(log);
        return NULL;
    }
    return log;
}

void hour_log_free(struct hour_log *log)
{
    if (log != NULL) {
        free(log->sums);
        free(log);
    }
}

void hour_log_clear(struct hour_log *log)
{
    if (log != NULL) {
        memset(log->sums, 0, log->workloads * (log->buckets + HOUR_LOG_WEEK) * sizeof *log->sums);
    }
}

static struct hour_sum *sums_of(const struct hour_log *log, size_t workload)
{
    return &log->sums[workload * (log->buckets + HOUR_LOG_WEEK)];
}

static void add(struct hour_sum *to, const struct hour_sum *hour)
{
    to->ended += hour->ended;
    to->within += hour->within;
    to->hours += hour->hours;
    to->overloaded += hour->overloaded;
    to->judged += hour->judged;
    to->met += hour->met;
}

void hour_log_put(struct hour_log *log, size_t workload, double from_s, const struct hour_sum *hour)
{
    if (log == NULL) {
        return;
    }
    const double k = floor(from_s / log->bucket_s);
    if (!(k >= 0 && k < (double)log->buckets)) {
        return;
    }
    struct hour_sum *sums = sums_of(log, workload);
    const int64_t clock =
        (log->start_unix_s + (int64_t)from_s + HOUR_S / 2) / HOUR_S - FIRST_MONDAY_H;
    const int64_t of_week = (clock % HOUR_LOG_WEEK + HOUR_LOG_WEEK) % HOUR_LOG_WEEK;
    add(&sums[(size_t)k], hour);
    add(&sums[log->buckets + (size_t)of_week], hour);
}

const struct hour_sum *hour_log_buckets(const struct hour_log *log, size_t workload)
{
    return sums_of(log, workload);
}

const struct hour_sum *hour_log_week(const struct hour_log *log, size_t workload)
{
    return sums_of(log, workload) + log->buckets;
}
