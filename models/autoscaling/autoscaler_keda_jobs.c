/* SPDX-License-Identifier: GPL-3.0-or-later
 * `keda-jobs`: KEDA's ScaledJob (KEDA 2.20 documentation, "Scaling Jobs"): replicas are jobs, each
 * of which serves one request and ends. At each poll new ones are started for what the queue holds;
 * none is ever taken away. */
#include "models/autoscaling/autoscaler_rows.h"
#include "models/autoscaling/keda_jobs.h"

struct jobs_params {
    struct schema_item item;
    struct number target, poll, running_share;
    int strategy; /* enum keda_jobs_strategy */
    int64_t deduction;
    bool in_flight;
};

static const char *const strategy_names[] = {"default", "accurate", "custom", "eager", NULL};

_Static_assert(KEDA_JOBS_DEFAULT == 0 && KEDA_JOBS_ACCURATE == 1 && KEDA_JOBS_CUSTOM == 2 &&
                   KEDA_JOBS_EAGER == 3,
               "strategy_names are indexed by enum keda_jobs_strategy");

static const struct schema_key keys[] = {
    {.name = "queue",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 1e-9,
     .high = 1e9,
     .default_text = "1",
     .offset = offsetof(struct jobs_params, target),
     .help = "Requests in the queue for each of which a job is wanted: the trigger's target."},
    {.name = "strategy",
     .kind = SCHEMA_CHOICE,
     .choices = strategy_names,
     .default_text = "default",
     .offset = offsetof(struct jobs_params, strategy),
     .help = "How those that run already are counted (scalingStrategy): taken off; not at all, as "
             "far as there is room; by `deduction` and `running_share`; or as many new ones as "
             "there is room for."},
    {.name = "in_flight",
     .kind = SCHEMA_FLAG,
     .default_text = "yes",
     .offset = offsetof(struct jobs_params, in_flight),
     .help = "The queue counts requests that jobs work on too, as that of SQS does "
             "(scaleOnInFlight); `no`: only those that wait."},
    {.name = "deduction",
     .kind = SCHEMA_INTEGER,
     .low = 0,
     .high = 1e6,
     .default_text = "0",
     .offset = offsetof(struct jobs_params, deduction),
     .help = "Of `custom`: jobs that are taken off (customScalingQueueLengthDeduction)."},
    {.name = "running_share",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .default_text = "0",
     .offset = offsetof(struct jobs_params, running_share),
     .help = "Of `custom`: share of the running jobs that is taken off "
             "(customScalingRunningJobPercentage)."},
    {.name = "poll",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 1,
     .high = 3600,
     .default_text = "30s",
     .offset = offsetof(struct jobs_params, poll),
     .help = "How often the queue is looked at (pollingInterval)."},
};

const struct schema autoscaler_keda_jobs_schema = {
    .name = "keda-jobs",
    .tag = "name",
    .shorthand = "name",
    SCHEMA_KEYS(keys),
    .size = sizeof(struct jobs_params),
    .help = "KEDA's ScaledJob: a job for each request, which ends when it has served it; "
            "`max_replicas` is its maxReplicaCount.",
};

static double period_s(const void *params)
{
    const struct jobs_params *p = params;
    return p->poll.median;
}

/* A job that is ready works on one request: others have ended. */
static struct autoscaler_decision decide(const void *params, void *state,
                                         const struct autoscaler_view *view)
{
    const struct jobs_params *p = params;
    const struct scaling_reading *r = &view->readings[SCALING_QUEUE];
    const struct keda_jobs_terms terms = {.strategy = (enum keda_jobs_strategy)p->strategy,
                                          .target = p->target.median,
                                          .maximum = view->maximum,
                                          .deduction = (uint32_t)p->deduction,
                                          .running_share = p->running_share.median};
    (void)state;
    if (!r->known) {
        return autoscaler_stay();
    }
    double queue = r->total + (p->in_flight ? view->ready : 0);
    return autoscaler_want(view->desired +
                           keda_jobs_new(&terms, queue, view->desired, view->warming));
}

const struct autoscaler autoscaler_keda_jobs = {
    .schema = &autoscaler_keda_jobs_schema,
    .of_jobs = true,
    .period_s = period_s,
    .decide = decide,
};
