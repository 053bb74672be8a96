/* SPDX-License-Identifier: GPL-3.0-or-later
 * `skyserve`: SkyPilot's request-rate autoscaler (documentation, "Autoscaling"): replicas for the
 * requests per second, once that has held for a delay; from none at once. It decides every 20 s
 * over the requests of the last minute (as remembered of its source). */
#include "models/autoscaling/autoscaler_rows.h"

#include <math.h>

#define DECIDES_EVERY_S 20.0

struct skyserve_params {
    struct schema_item item;
    struct number requests, up_delay, down_delay;
};

struct skyserve_state {
    uint32_t up, down; /* decisions in a row that want more, fewer */
};

static const struct schema_key keys[] = {
    {.name = "requests",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_RATE,
     .low = 1e-9,
     .high = 1e9,
     .required = true,
     .offset = offsetof(struct skyserve_params, requests),
     .help = "Requests a replica is to get (target_qps_per_replica): `2.5/s`."},
    {.name = "up_delay",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 604800,
     .default_text = "5min",
     .offset = offsetof(struct skyserve_params, up_delay),
     .help = "How long more must be wanted before replicas are added (upscale_delay_seconds)."},
    {.name = "down_delay",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 604800,
     .default_text = "20min",
     .offset = offsetof(struct skyserve_params, down_delay),
     .help = "How long fewer must be wanted before some go (downscale_delay_seconds)."},
};

const struct schema autoscaler_skyserve_schema = {
    .name = "skyserve",
    .tag = "name",
    .shorthand = "name",
    SCHEMA_KEYS(keys),
    .size = sizeof(struct skyserve_params),
    .help = "SkyServe: requests per second a replica, held for a delay.",
};

static double period_s(const void *params)
{
    (void)params;
    return DECIDES_EVERY_S;
}

static size_t state_size(const void *params)
{
    (void)params;
    return sizeof(struct skyserve_state);
}

static uint32_t decisions(double delay_s)
{
    return (uint32_t)fmax(1.0, floor(delay_s / DECIDES_EVERY_S));
}

static struct autoscaler_decision decide(const void *params, void *state,
                                         const struct autoscaler_view *view)
{
    const struct skyserve_params *p = params;
    struct skyserve_state *s = state;
    const struct scaling_reading *r = &view->readings[SCALING_REQUESTS];
    if (!r->known) {
        return autoscaler_stay();
    }
    uint32_t wants = autoscaler_ceil(r->total / p->requests.median);
    wants = wants < view->minimum ? view->minimum : wants;
    wants = wants > view->maximum ? view->maximum : wants;
    if (view->desired == 0) {
        *s = (struct skyserve_state){0};
        return autoscaler_want(wants);
    }
    s->up = wants > view->desired ? s->up + 1 : 0;
    s->down = wants < view->desired ? s->down + 1 : 0;
    if (s->up >= decisions(p->up_delay.median) && s->up > 0) {
        s->up = 0;
        return autoscaler_want(wants);
    }
    if (s->down >= decisions(p->down_delay.median) && s->down > 0) {
        s->down = 0;
        return autoscaler_want(wants);
    }
    return autoscaler_stay();
}

const struct autoscaler autoscaler_skyserve = {
    .schema = &autoscaler_skyserve_schema,
    .period_s = period_s,
    .state_size = state_size,
    .decide = decide,
};
