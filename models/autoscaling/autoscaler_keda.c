/* SPDX-License-Identifier: GPL-3.0-or-later
 * `keda`: Kubernetes event-driven autoscaling of a deployment (KEDA 2.20 documentation, "Scaling
 * Deployments"): from none to one by KEDA itself as soon as there is something to do, from one on
 * by the horizontal pod autoscaler with the average value ceil(total / target), and back to none
 * when there was nothing to do for the whole cooldown. Its own polls (pollingInterval) tell whether
 * there is something to do; the horizontal pod autoscaler asks the source anew at each of its
 * looks, unless values are kept between polls ("ScaledObject specification", useCachedMetrics). A
 * queue counts messages that are worked on too, unless told otherwise, as its scaler of SQS does
 * ("AWS SQS Queue", scaleOnInFlight). */
#include "models/autoscaling/autoscaler_rows.h"
#include "models/autoscaling/hpa_behaviour.h"

#include <math.h>

#define HPA_PERIOD_S  15.0
#define HPA_TOLERANCE 0.1
/* Messages a replica that the SQS trigger aims at by default. */
#define DEFAULT_QUEUE 5.0

struct keda_params {
    struct schema_item item;
    struct scaling_target target;
    struct number poll, cooldown, activation;
    bool in_flight, cached;
    struct hpa_behaviour behaviour;
};

struct keda_state {
    double polled_at_s; /* -infinity: not yet */
    double total;       /* as it was seen then, or at the last look */
    bool known;
    double last_active_at_s;   /* -infinity: never */
    struct hpa_memory *memory; /* behind this, in the same memory */
};

static const struct schema_key keys[] = {
    SCALING_TARGET_KEYS(struct keda_params, target),
    {.name = "poll",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 1,
     .high = 3600,
     .default_text = "30s",
     .offset = offsetof(struct keda_params, poll),
     .help = "How often it is looked whether there is something to do (pollingInterval)."},
    {.name = "cooldown",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 604800,
     .default_text = "5min",
     .offset = offsetof(struct keda_params, cooldown),
     .help = "How long there must be nothing to do before the last replica goes (cooldownPeriod)."},
    {.name = "activation",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = 1e9,
     .default_text = "0",
     .offset = offsetof(struct keda_params, activation),
     .help = "There is something to do while the total of the metric, in its own unit (requests "
             "per second, seconds), is above this."},
    {.name = "in_flight",
     .kind = SCHEMA_FLAG,
     .default_text = "yes",
     .offset = offsetof(struct keda_params, in_flight),
     .help = "Of `queue`: the queue counts requests that replicas work on too, as that of SQS does "
             "(scaleOnInFlight); `no`: only those that wait."},
    {.name = "cached",
     .kind = SCHEMA_FLAG,
     .default_text = "no",
     .offset = offsetof(struct keda_params, cached),
     .help =
         "`yes`: between one and many replicas too it goes by what was seen when it polled last "
         "(useCachedMetrics); `no`: the pod autoscaler looks itself, every 15 s."},
    HPA_BEHAVIOUR_KEYS(struct keda_params, behaviour),
};

const struct schema autoscaler_keda_schema = {
    .name = "keda",
    .tag = "name",
    .shorthand = "name",
    SCHEMA_KEYS(keys),
    .size = sizeof(struct keda_params),
    .help = "KEDA: scale from and to zero, between by the horizontal pod autoscaler; without a "
            "target 5 requests in the queue a replica.",
};

static bool check(const void *params, char *message, size_t size)
{
    const struct keda_params *p = params;
    if (scaling_target_count(&p->target) > 1) {
        return scaling_target_check(&p->target, "keda", message, size);
    }
    return hpa_behaviour_check(&p->behaviour, "keda", message, size);
}

static double period_s(const void *params)
{
    const struct keda_params *p = params;
    return fmin(HPA_PERIOD_S, p->poll.median);
}

static size_t state_size(const void *params)
{
    const struct keda_params *p = params;
    return sizeof(struct keda_state) + hpa_memory_size(&p->behaviour, period_s(params));
}

static void begin(const void *params, void *state)
{
    const struct keda_params *p = params;
    struct keda_state *s = state;
    s->polled_at_s = -HUGE_VAL;
    s->last_active_at_s = -HUGE_VAL;
    s->memory = (struct hpa_memory *)(void *)(s + 1);
    hpa_memory_begin(s->memory, &p->behaviour, period_s(params));
}

/* What its trigger looks at. */
static enum scaling_metric looked_at(const struct keda_params *p)
{
    enum scaling_metric metric = scaling_target_metric(&p->target);
    bool queue = metric == SCALING_TARGET_COUNT || metric == SCALING_QUEUE;
    return !queue ? metric : p->in_flight ? SCALING_INSIDE : SCALING_QUEUE;
}

static double aims_at(const void *params, enum scaling_metric metric)
{
    const struct keda_params *p = params;
    enum scaling_metric stated = scaling_target_metric(&p->target);
    return metric != looked_at(p)           ? (double)NAN
           : stated == SCALING_TARGET_COUNT ? DEFAULT_QUEUE
                                            : p->target.of[stated].median;
}

/* The average value, as the horizontal pod autoscaler works on it. */
static uint32_t recommend(const struct keda_state *s, double target, uint32_t current)
{
    double ratio = s->total / (target * current);
    return fabs(ratio - 1.0) <= HPA_TOLERANCE + 1e-12 ? current
                                                      : autoscaler_ceil(s->total / target);
}

static struct autoscaler_decision decide(const void *params, void *state,
                                         const struct autoscaler_view *view)
{
    const struct keda_params *p = params;
    struct keda_state *s = state;
    enum scaling_metric metric = scaling_target_metric(&p->target);
    double target = metric < SCALING_TARGET_COUNT ? p->target.of[metric].median : DEFAULT_QUEUE;
    const struct scaling_reading *r = &view->readings[looked_at(p)];
    bool polls = view->now_s >= s->polled_at_s + p->poll.median - 1e-6;
    if (polls || !p->cached) {
        s->known = r->known;
        s->total = r->total;
    }
    if (polls) {
        s->polled_at_s = view->now_s;
        if (r->known && r->total > p->activation.median) {
            s->last_active_at_s = view->now_s;
        }
    }
    if (!s->known) {
        return autoscaler_stay();
    }
    bool active = s->last_active_at_s == s->polled_at_s;
    if (view->desired == 0) {
        return autoscaler_want(active ? 1 : 0);
    }
    if (!active && view->minimum == 0 && view->now_s >= s->last_active_at_s + p->cooldown.median) {
        return autoscaler_want(0);
    }
    uint32_t wants = recommend(s, target, view->desired);
    uint32_t least = view->minimum > 0 ? view->minimum : 1; /* zero is KEDA's to ask for */
    wants = wants > least ? wants : least;
    return autoscaler_want(hpa_behaviour_limit(&p->behaviour, s->memory, view->now_s, view->desired,
                                               wants, least, view->maximum));
}

const struct autoscaler autoscaler_keda = {
    .schema = &autoscaler_keda_schema,
    .check = check,
    .period_s = period_s,
    .aims_at = aims_at,
    .state_size = state_size,
    .begin = begin,
    .decide = decide,
};
