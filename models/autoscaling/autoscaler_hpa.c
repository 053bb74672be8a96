/* SPDX-License-Identifier: GPL-3.0-or-later
 * `hpa`: the Kubernetes horizontal pod autoscaler (kubernetes.io, "Horizontal Pod Autoscaling",
 * autoscaling/v2, and the order of its cases in the controller's replica calculator): every 15 s
 * ceil(current × metric / target) unless the ratio is within the tolerance of 1; of several metrics
 * the largest; pods that are not ready count as idle when there is too little, and not at all when
 * there is too much; what would then turn round is left alone. */
#include "models/autoscaling/autoscaler_rows.h"
#include "models/autoscaling/hpa_behaviour.h"

#include <math.h>

struct hpa_params {
    struct schema_item item;
    struct scaling_target target;
    struct number period, tolerance;
    struct hpa_behaviour behaviour;
};

static const struct schema_key keys[] = {
    SCALING_TARGET_KEYS(struct hpa_params, target),
    {.name = "period",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 1,
     .high = 3600,
     .default_text = "15s",
     .offset = offsetof(struct hpa_params, period),
     .help = "How often it looks."},
    {.name = "tolerance",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .default_text = "0.1",
     .offset = offsetof(struct hpa_params, tolerance),
     .help = "Nothing is done while the metric is so near its target."},
    HPA_BEHAVIOUR_KEYS(struct hpa_params, behaviour),
};

const struct schema autoscaler_hpa_schema = {
    .name = "hpa",
    .tag = "name",
    .shorthand = "name",
    SCHEMA_KEYS(keys),
    .size = sizeof(struct hpa_params),
    .help = "Kubernetes horizontal pod autoscaler; with several targets, the largest count.",
};

static bool check(const void *params, char *message, size_t size)
{
    const struct hpa_params *p = params;
    if (scaling_target_count(&p->target) == 0) {
        return scaling_target_check(&p->target, "hpa", message, size);
    }
    return hpa_behaviour_check(&p->behaviour, "hpa", message, size);
}

static double period_s(const void *params)
{
    const struct hpa_params *p = params;
    return p->period.median;
}

static double aims_at(const void *params, enum scaling_metric metric)
{
    const struct hpa_params *p = params;
    return scaling_target_of(&p->target, metric);
}

static size_t state_size(const void *params)
{
    const struct hpa_params *p = params;
    return hpa_memory_size(&p->behaviour, p->period.median);
}

static void begin(const void *params, void *state)
{
    const struct hpa_params *p = params;
    hpa_memory_begin(state, &p->behaviour, p->period.median);
}

static bool near_one(double ratio, double tolerance)
{
    return fabs(ratio - 1.0) <= tolerance + 1e-12;
}

/* What one metric recommends. */
static uint32_t recommend(double total, double target, double tolerance,
                          const struct autoscaler_view *view)
{
    double pods = view->ready, ratio = total / (pods * target);
    if (ratio > 1.0 && view->warming > 0) {
        pods += view->warming; /* as if they were idle */
        ratio = total / (pods * target);
        if (ratio < 1.0) {
            return view->desired;
        }
    }
    if (near_one(ratio, tolerance)) {
        return view->desired;
    }
    uint32_t wants = autoscaler_ceil(ratio * pods);
    bool turns_round = ratio > 1.0 ? wants < view->desired : wants > view->desired;
    return turns_round ? view->desired : wants;
}

static struct autoscaler_decision decide(const void *params, void *state,
                                         const struct autoscaler_view *view)
{
    const struct hpa_params *p = params;
    uint32_t wants = 0;
    bool any = false, all = true;
    for (int m = 0; m < SCALING_TARGET_COUNT; m++) {
        if (!p->target.of[m].given) {
            continue;
        }
        const struct scaling_reading *r = &view->readings[m];
        if (!r->known || view->ready == 0) {
            all = false;
            continue;
        }
        uint32_t by_this = recommend(scaling_reading_total(r, view->ready), p->target.of[m].median,
                                     p->tolerance.median, view);
        wants = by_this > wants ? by_this : wants;
        any = true;
    }
    if (!any) {
        return autoscaler_stay();
    }
    if (!all && wants < view->desired) {
        wants = view->desired; /* a metric that is missing takes nothing away */
    }
    return autoscaler_want(hpa_behaviour_limit(&p->behaviour, state, view->now_s, view->desired,
                                               wants, view->minimum, view->maximum));
}

const struct autoscaler autoscaler_hpa = {
    .schema = &autoscaler_hpa_schema,
    .check = check,
    .period_s = period_s,
    .aims_at = aims_at,
    .state_size = state_size,
    .begin = begin,
    .decide = decide,
};
