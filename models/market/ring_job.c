/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/ring_job.h"

#include "engine/double_sort.h"

#include <math.h>
#include <stdlib.h>

/* A stretch that crosses the ring's seam is one. */
static bool joins_seam(const struct up_series *s)
{
    return s->count > 1 && s->spans[0].from_s <= 0 && s->spans[s->count - 1].to_s >= s->length_s;
}

static bool always_up(const struct up_series *s)
{
    return s->count == 1 && s->spans[0].from_s <= 0 && s->spans[0].to_s >= s->length_s;
}

/* How much a whole turn gets done. */
static double turn_s(const struct up_series *s, double overhead_s)
{
    bool seam = joins_seam(s);
    double done_s = 0;
    for (size_t i = 0; i < s->count; i++) {
        double up_s = s->spans[i].to_s - s->spans[i].from_s;
        if (seam && i == 0) {
            continue;
        }
        if (seam && i == s->count - 1) {
            up_s += s->spans[0].to_s - s->spans[0].from_s;
        }
        done_s += fmax(up_s - overhead_s, 0);
    }
    return done_s;
}

/* Seconds from a start to the end; `next`: the first span that ends after it. */
static double time_from(const struct up_series *s, double start_s, size_t next, double work_s,
                        double overhead_s)
{
    bool seam = joins_seam(s);
    double left_s = work_s, turn_at_s = 0; /* of the turn that span `next` lies in */
    double at_s = start_s;
    for (size_t i = next;; i++) {
        if (i == s->count) {
            i = 0;
            turn_at_s += s->length_s;
        }
        double from_s = fmax(turn_at_s + s->spans[i].from_s, at_s);
        double to_s = turn_at_s + s->spans[i].to_s;
        if (seam && i == s->count - 1) { /* goes on into the first span of the next turn */
            i = 0;
            turn_at_s += s->length_s;
            to_s = turn_at_s + s->spans[0].to_s;
        }
        double useful_s = fmax(to_s - from_s - overhead_s, 0);
        if (useful_s >= left_s) {
            return from_s + overhead_s + left_s - start_s;
        }
        left_s -= useful_s;
        at_s = to_s;
    }
}

static struct ring_times summarise_times(double *times, double *spare, size_t n)
{
    struct ring_times t = {.starts = n};
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        t.mean_s += times[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        squares += (times[i] - t.mean_s) * (times[i] - t.mean_s);
    }
    t.sd_s = sqrt(squares / (double)n);
    double_sort(times, spare, n);
    t.p90_s = times[(size_t)fmax(ceil(0.9 * (double)n - 1e-9) - 1, 0)];
    return t;
}

enum ring_status ring_job(const struct up_series *s, double work_s, double overhead_s,
                          double every_s, struct ring_times *out)
{
    if (always_up(s)) {
        *out = (struct ring_times){.mean_s = work_s + overhead_s,
                                   .p90_s = work_s + overhead_s,
                                   .starts = (size_t)ceil(s->length_s / every_s)};
        return RING_FINISHED;
    }
    if (!(turn_s(s, overhead_s) > 0)) {
        return RING_NEVER;
    }
    size_t n = (size_t)ceil(s->length_s / every_s);
    double *times = malloc(2 * n * sizeof *times);
    if (times == NULL) {
        return RING_NO_MEMORY;
    }
    size_t next = 0;
    for (size_t k = 0; k < n; k++) {
        double start_s = (double)k * every_s;
        while (next < s->count && s->spans[next].to_s <= start_s) {
            next++;
        }
        times[k] = time_from(s, start_s, next, work_s, overhead_s);
    }
    *out = summarise_times(times, times + n, n);
    free(times);
    return RING_FINISHED;
}
