/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/autoscaling/metric_feed.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

/* Times that are meant to be the same differ by rounding. */
#define SAME_INSTANT_S 1e-6

#define MONITORING(member) offsetof(struct monitoring_spec, member)

static const struct schema_key keys[] = {
    {.name = "period",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 1,
     .high = 3600,
     .offset = MONITORING(period),
     .help = "Time between two datapoints, each the mean of that time (of requests that wait: the "
             "number at its end); an autoscaler sees the mean of those that are new to it, or the "
             "last one again; default: as often as the autoscaler looks."},
    {.name = "delay",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 21600,
     .default_text = "0s",
     .offset = MONITORING(delay),
     .help = "How long after its end a datapoint can be seen."},
    {.name = "noise",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 2,
     .default_text = "0",
     .offset = MONITORING(noise),
     .help = "Error of a datapoint: standard deviation over the true value, drawn for each "
             "datapoint and metric."},
};

const struct schema monitoring_schema = {
    .name = "strategy.monitoring",
    SCHEMA_KEYS(keys),
    .size = sizeof(struct monitoring_spec),
    .help = "What autoscalers see of a service, and when.",
};

void metric_feed_begin(struct metric_feed *f, struct random_world world, uint64_t source,
                       double delay_s, double noise)
{
    f->world = world;
    f->source = source;
    f->delay_s = delay_s;
    f->noise = noise;
    f->made = f->first = f->count = 0;
    f->any = false;
}

void metric_feed_release(struct metric_feed *f)
{
    free(f->points);
    *f = (struct metric_feed){0};
}

/* Room for one more, in order from the start of the memory. */
static bool grow(struct metric_feed *f)
{
    uint32_t capacity = f->capacity > 0 ? 2 * f->capacity : 8;
    struct metric_point *points = calloc(capacity, sizeof *points);
    if (points == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < f->count; i++) {
        points[i] = f->points[(f->first + i) % f->capacity];
    }
    free(f->points);
    f->points = points;
    f->capacity = capacity;
    f->first = 0;
    return true;
}

/* Lognormal of mean 1 and this coefficient of variation. */
static double error_factor(const struct metric_feed *f, int metric)
{
    double variance = log1p(f->noise * f->noise);
    uint64_t source = random_source_at(f->source, (uint64_t)metric);
    double z = gsl_cdf_ugaussian_Pinv(random_uniform_at(f->world, source, f->made));
    return exp(sqrt(variance) * z - 0.5 * variance);
}

bool metric_feed_add(struct metric_feed *f, const struct metric_point *point)
{
    if (f->count == f->capacity && !grow(f)) {
        return false;
    }
    struct metric_point *p = &f->points[(f->first + f->count) % f->capacity];
    *p = *point;
    for (int m = 0; m < SCALING_METRIC_COUNT && f->noise > 0; m++) {
        p->readings[m].total *= error_factor(f, m);
    }
    struct scaling_reading *busy = &p->readings[SCALING_UTILISATION];
    if (f->noise > 0) {
        busy->total = fmin(busy->total, busy->of_ready > 0 ? busy->of_ready : p->ready);
    }
    f->made++;
    f->count++;
    return true;
}

static void take_first(struct metric_feed *f, struct metric_point *sum,
                       uint32_t known[SCALING_METRIC_COUNT])
{
    const struct metric_point *p = &f->points[f->first];
    for (int m = 0; m < SCALING_METRIC_COUNT; m++) {
        if (p->readings[m].known) {
            known[m]++;
            sum->readings[m].total += p->readings[m].total;
            sum->readings[m].of_ready +=
                p->readings[m].of_ready > 0 ? p->readings[m].of_ready : p->ready;
        }
    }
    f->first = (f->first + 1) % f->capacity;
    f->count--;
}

void metric_feed_show(struct metric_feed *f, struct autoscaler_view *view)
{
    struct metric_point sum = {0};
    uint32_t known[SCALING_METRIC_COUNT] = {0};
    bool fresh = false;
    while (f->count > 0 && f->points[f->first].at_s + f->delay_s <= view->now_s + SAME_INSTANT_S) {
        take_first(f, &sum, known);
        fresh = true;
    }
    for (int m = 0; m < SCALING_METRIC_COUNT; m++) {
        struct scaling_reading *r = &sum.readings[m];
        if (known[m] > 0) {
            r->known = true;
            r->total /= known[m];
            r->of_ready /= known[m];
        }
    }
    if (fresh) {
        f->last = sum;
        f->any = true;
    }
    for (int m = 0; m < SCALING_METRIC_COUNT; m++) {
        view->readings[m] = f->any ? f->last.readings[m] : (struct scaling_reading){0};
        view->readings[m].repeated = !fresh;
    }
}
