/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/timeline.h"

#include <math.h>
#include <stdlib.h>

/* Bucket lengths that people count in. */
static const int64_t lengths_s[] = {
    10,   30,    60,    120,   300,   600,       900,       1800,       3600,
    7200, 10800, 21600, 43200, 86400, 2 * 86400, 7 * 86400, 14 * 86400, 28 * 86400,
};

/* Work without an end of its own: usage by the clock, services. */
static bool lasts_to_the_horizon(const struct metric_cells *c)
{
    return c->value[METRIC_NEEDED].number > 0 || c->value[METRIC_REQUESTS].number > 0 ||
           c->value[METRIC_REPLICA_HOURS].number > 0;
}

/* The last end of the strategy's work over all worlds, inside the horizon. */
static int64_t last_end_us(const struct results *r, size_t strategy, int64_t horizon_us)
{
    double last_h = 0;
    for (uint32_t i = 0; i < r->replications; i++) {
        const struct metric_cells *c = results_cells(r, i, strategy, r->workloads);
        if (metric_cancelled(c)) {
            return horizon_us; /* its end is told nowhere */
        }
        last_h = fmax(last_h,
                      lasts_to_the_horizon(c) ? HUGE_VAL : c->value[METRIC_TIME_TO_TRAIN].number);
    }
    double us = last_h * (double)HOUR_US;
    return us >= (double)horizon_us ? horizon_us : (int64_t)ceil(us);
}

double timeline_bytes(size_t strategies, uint32_t replications)
{
    double one = (double)strategies * TIMELINE_MEASURES * TIMELINE_MAX_BUCKETS;
    double worlds = fmin(replications, TIMELINE_MAX_REPLICATIONS);
    return one * (worlds * sizeof(float) + sizeof(double));
}

static struct timeline_frame frame_of(int64_t span_us)
{
    size_t count = sizeof lengths_s / sizeof lengths_s[0];
    int64_t bucket_us = lengths_s[count - 1] * MICROSECONDS;
    for (size_t i = 0; i < count; i++) {
        if (lengths_s[i] * MICROSECONDS * TIMELINE_MAX_BUCKETS >= span_us) {
            bucket_us = lengths_s[i] * MICROSECONDS;
            break;
        }
    }
    return (struct timeline_frame){
        .buckets = span_us <= 0 ? 1 : (size_t)((span_us + bucket_us - 1) / bucket_us),
        .bucket_us = bucket_us,
    };
}

bool timeline_init(struct timeline *t, const struct results *r, int64_t horizon_us, uint32_t worlds)
{
    *t = (struct timeline){.frames = calloc(r->strategies + 1, sizeof *t->frames),
                           .strategies = r->strategies,
                           .replications = worlds};
    for (size_t k = 0; t->frames != NULL && k < t->strategies; k++) {
        t->frames[k] = frame_of(last_end_us(r, k, horizon_us));
        t->most = t->frames[k].buckets > t->most ? t->frames[k].buckets : t->most;
    }
    size_t one = t->strategies * TIMELINE_MEASURES * t->most;
    t->worlds = calloc((size_t)t->replications * one + 1, sizeof *t->worlds);
    t->plan = calloc(one + 1, sizeof *t->plan);
    if (t->frames == NULL || t->worlds == NULL || t->plan == NULL) {
        timeline_release(t);
        return false;
    }
    return true;
}

void timeline_release(struct timeline *t)
{
    free(t->frames);
    free(t->worlds);
    free(t->plan);
    t->frames = NULL;
    t->worlds = NULL;
    t->plan = NULL;
}

float *timeline_world(const struct timeline *t, uint32_t replication, size_t strategy,
                      enum timeline_measure m)
{
    size_t row = ((size_t)replication * t->strategies + strategy) * TIMELINE_MEASURES + (size_t)m;
    return &t->worlds[row * t->most];
}

double *timeline_plan(const struct timeline *t, size_t strategy, enum timeline_measure m)
{
    return &t->plan[(strategy * TIMELINE_MEASURES + (size_t)m) * t->most];
}
