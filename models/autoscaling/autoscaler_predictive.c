/* SPDX-License-Identifier: GPL-3.0-or-later
 * `predictive`: replicas for a forecast of the coming hours, begun a little before them. AWS says
 * what its predictive scaling does around the forecast (hourly values from up to two weeks, a day
 * at least; it adds and never takes away; EC2 Auto Scaling User Guide, "Predictive scaling"), not
 * how it forecasts. Here an hour is forecast by the mean of the same hour of the week in the two
 * weeks before, or, where there was none, of the same hour of the days before. */
#include "models/autoscaling/autoscaler_rows.h"

#include <math.h>

#define HOUR_S 3600.0
enum { DAY = 24, WEEK = 7 * DAY, REMEMBERED = 2 * WEEK };

struct predictive_params {
    struct schema_item item;
    struct scaling_target target;
    struct number lead, headroom;
};

struct hour_seen {
    double sum;
    double looks; /* 0: nothing was seen in it */
};

struct predictive_state {
    bool looked;
    int64_t first_hour, hour;          /* since the epoch: of the first look, of the last */
    struct hour_seen seen[REMEMBERED]; /* by hour modulo two weeks; that of `hour` is the newest */
};

static const struct schema_key keys[] = {
    SCALING_TARGET_KEYS(struct predictive_params, target),
    {.name = "lead",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = HOUR_S,
     .default_text = "5min",
     .offset = offsetof(struct predictive_params, lead),
     .help = "How long before an hour its replicas are asked for (SchedulingBufferTime)."},
    {.name = "headroom",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 10,
     .default_text = "0 %",
     .offset = offsetof(struct predictive_params, headroom),
     .help = "Replicas above the forecast."},
};

const struct schema autoscaler_predictive_schema = {
    .name = "predictive",
    .tag = "name",
    .shorthand = "name",
    SCHEMA_KEYS(keys),
    .size = sizeof(struct predictive_params),
    .help = "Replicas ahead of a forecast from the last two weeks; adds only, so that another "
            "autoscaler beside it takes away.",
};

static bool check(const void *params, char *message, size_t size)
{
    const struct predictive_params *p = params;
    return scaling_target_check(&p->target, "predictive", message, size);
}

static double period_s(const void *params)
{
    (void)params;
    return 60.0;
}

static double aims_at(const void *params, enum scaling_metric metric)
{
    const struct predictive_params *p = params;
    return scaling_target_of(&p->target, metric);
}

static size_t state_size(const void *params)
{
    (void)params;
    return sizeof(struct predictive_state);
}

static struct hour_seen *seen_at(struct predictive_state *s, int64_t hour)
{
    return &s->seen[((hour % REMEMBERED) + REMEMBERED) % REMEMBERED];
}

/* Steps to this hour; what passed unseen is empty. */
static void go_to(struct predictive_state *s, int64_t hour)
{
    if (!s->looked) {
        s->looked = true;
        s->first_hour = s->hour = hour;
        *seen_at(s, hour) = (struct hour_seen){0};
    }
    if (hour - s->hour > REMEMBERED) {
        s->hour = hour - REMEMBERED;
    }
    while (s->hour < hour) {
        s->hour++;
        *seen_at(s, s->hour) = (struct hour_seen){0};
    }
}

/* Mean load of the hours that lie whole multiples of `step` before `hour`. */
static bool mean_before(struct predictive_state *s, int64_t hour, int step, double *mean)
{
    struct hour_seen all = {0};
    for (int64_t at = hour - step; at > s->hour - REMEMBERED && at >= s->first_hour; at -= step) {
        const struct hour_seen *h = at < s->hour ? seen_at(s, at) : NULL;
        if (h != NULL && h->looks > 0) {
            all.sum += h->sum / h->looks;
            all.looks += 1;
        }
    }
    *mean = all.looks > 0 ? all.sum / all.looks : 0.0;
    return all.looks > 0;
}

static uint32_t replicas_for(const struct predictive_params *p, struct predictive_state *s,
                             int64_t hour)
{
    double load = 0.0;
    if (s->hour - s->first_hour < DAY ||
        (!mean_before(s, hour, WEEK, &load) && !mean_before(s, hour, DAY, &load))) {
        return 0;
    }
    double target = p->target.of[scaling_target_metric(&p->target)].median;
    return autoscaler_ceil(load / target * (1.0 + p->headroom.median));
}

static struct autoscaler_decision decide(const void *params, void *state,
                                         const struct autoscaler_view *view)
{
    const struct predictive_params *p = params;
    struct predictive_state *s = state;
    int64_t hour = (int64_t)floor(view->unix_s / HOUR_S);
    const struct scaling_reading *r = &view->readings[scaling_target_metric(&p->target)];
    go_to(s, hour);
    if (r->known) {
        struct hour_seen *h = seen_at(s, hour);
        h->sum += r->total;
        h->looks += 1;
    }
    uint32_t wants = replicas_for(p, s, hour);
    if (view->unix_s + p->lead.median >= (double)(hour + 1) * HOUR_S) {
        uint32_t next = replicas_for(p, s, hour + 1);
        wants = next > wants ? next : wants;
    }
    return (struct autoscaler_decision){.says = AUTOSCALER_AT_LEAST, .replicas = wants};
}

const struct autoscaler autoscaler_predictive = {
    .schema = &autoscaler_predictive_schema,
    .check = check,
    .period_s = period_s,
    .aims_at = aims_at,
    .state_size = state_size,
    .decide = decide,
};
