/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/service_mode.h"

#include "models/inference/interval_latency.h"
#include "models/inference/interval_retries.h"
#include "models/inference/llm_replica.h"

#include <math.h>
#include <stdio.h>

const char *service_mode_refusal(const struct service_spec *spec)
{
    const struct serving_spec *serving = spec->serving.items;
    if (spec->demand.trace != NULL) {
        return "its requests are replayed from a trace";
    }
    if (spec->is_llm && (llm_spec_varies(&spec->llm) || spec->demand.cv.input >= 0)) {
        return "more of the language model is uncertain than the factor on its times, and one "
               "table of latencies is made for all worlds";
    }
    for (size_t i = 0; i < spec->serving.count; i++) {
        if (serving[i].sharing) {
            return "the slots of its replicas share one accelerator";
        }
        if (serving[i].batched) {
            return "its replicas serve batches, for whose waits there is no formula";
        }
    }
    if (spec->has_admission) {
        return "single requests are let in or rejected";
    }
    return spec->retries > INTERVAL_MOST_RETRIES ? "its requests are sent again more than 8 times"
                                                 : NULL;
}

static double largest_service_cv(const struct service_spec *spec)
{
    const struct serving_spec *serving = spec->serving.items;
    double largest = 0;
    for (size_t i = 0; i < spec->serving.count; i++) {
        struct distribution time;
        if (variate_resolve(&serving[i].time, NULL, &time)) {
            largest = fmax(largest, sqrt(interval_variation(&time)));
        }
    }
    return largest;
}

static struct service_mode_choice requests_because(const char *before, double a, const char *after)
{
    struct service_mode_choice c = {.interval = false};
    snprintf(c.why, sizeof c.why, "%s%.3g%s", before, a, after);
    return c;
}

struct service_mode_choice service_mode_choose(const struct service_spec *spec,
                                               const struct demand_plan *demand)
{
    const struct demand_spec *d = &spec->demand;
    if (spec->mode != SERVICE_AUTO) {
        return (struct service_mode_choice){spec->mode == SERVICE_INTERVAL, "stated"};
    }
    struct service_mode_choice c = {.interval = false};
    const char *refused = service_mode_refusal(spec);
    if (refused != NULL) {
        snprintf(c.why, sizeof c.why, "%s", refused);
        return c;
    }
    double mean = demand_planned(demand).mean, cv = d->cv.median;
    if (mean < SERVICE_LEAST_INTERVAL_RATE) {
        return requests_because("", mean, " requests/s on average, fewer than 2");
    }
    if (cv > SERVICE_MOST_INTERVAL_CV) {
        return requests_because("requests come in clusters, cv ", cv, "");
    }
    if (d->has_bursts && d->bursts.length.median < SERVICE_LEAST_BURST_S) {
        return requests_because("bursts last ", d->bursts.length.median, " s, less than a minute");
    }
    if (d->has_bursts && spec->is_llm) {
        return (struct service_mode_choice){
            .why = "bursts of a language model, whose requests stay on the replica they came to"};
    }
    if (spec->is_llm && spec->llm.admission == LLM_ADMIT_CHUNK) {
        return (struct service_mode_choice){
            .why = "prompts admitted by their first chunk are evicted when the cache is full"};
    }
    if (spec->retries > 0 && (spec->timeout.median > 0 || spec->timeout.input >= 0 ||
                              spec->queue_limit < SERVICE_NO_QUEUE_LIMIT)) {
        return (struct service_mode_choice){
            .why = "what is dropped or given up is sent again, which comes in clusters"};
    }
    double service_cv = largest_service_cv(spec);
    if (service_cv > SERVICE_MOST_SERVICE_CV) {
        return requests_because("times of service vary much, cv ", service_cv, "");
    }
    c.interval = true;
    snprintf(c.why, sizeof c.why, "%.3g requests/s on average, and smooth enough", mean);
    return c;
}
