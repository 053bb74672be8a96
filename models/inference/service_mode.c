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

static double longest_service_s(const struct service_spec *spec)
{
    const struct serving_spec *serving = spec->serving.items;
    double longest_s = 0;
    for (size_t i = 0; i < spec->serving.count; i++) {
        struct distribution time;
        if (variate_resolve(&serving[i].time, NULL, &time)) {
            longest_s = fmax(longest_s, distribution_mean(&time));
        }
    }
    return longest_s;
}

/* The wait that limits enforce, as far as demand alone tells; infinity: none. */
static double enforced_wait_s(const struct service_spec *spec, double mean_rate)
{
    double wait_s = spec->timeout.median > 0 ? spec->timeout.median : HUGE_VAL;
    if (spec->queue_limit < SERVICE_NO_QUEUE_LIMIT) {
        wait_s = fmin(wait_s, (double)spec->queue_limit / mean_rate);
    }
    return wait_s;
}

static bool objective_near(const struct service_spec *spec, double wait_s)
{
    const struct number objectives[] = {spec->slo.ttft, spec->slo.latency};
    for (size_t i = 0; i < 2 && spec->has_slo; i++) {
        double share = objectives[i].median / wait_s;
        if (share > SERVICE_NEAR_LIMIT && share < SERVICE_BEYOND_LIMIT) {
            return true;
        }
    }
    return false;
}

/* Near the wait that limits enforce, how many are served in time hangs on laws of the queue at its
 * limit. They are known where arrivals and service are about exponential (queue_limits.h). Of
 * a language model a long prompt at the head waits for room in the cache, and all behind it do; and
 * a wait of few times of service that hardly vary sees the order in which servers end. */
static const char *limits_err(const struct service_spec *spec, double mean_rate, double cv,
                              double service_cv)
{
    double wait_s = enforced_wait_s(spec, mean_rate);
    if (!isfinite(wait_s) || !objective_near(spec, wait_s)) {
        return NULL;
    }
    if (spec->is_llm) {
        return "a language model's objective is near the wait that 'timeout' or 'queue_limit' "
               "enforces";
    }
    if (cv > SERVICE_MOST_LIMITED_CV) {
        return "requests come in clusters, and the objective is near the wait that 'timeout' or "
               "'queue_limit' enforces";
    }
    if (service_cv < SERVICE_LEAST_LIMITED_CV &&
        wait_s < SERVICE_FEW_SERVICES * longest_service_s(spec)) {
        return "times of service hardly vary, and 'timeout' or 'queue_limit' enforces a wait of "
               "few of them, near the objective";
    }
    return NULL;
}

/* Why steps would err: false, and nothing, where they would not. */
static bool steps_err(const struct service_spec *spec, const struct demand_plan *demand, char *why,
                      size_t size)
{
    const struct demand_spec *d = &spec->demand;
    double mean = demand_planned(demand).mean, cv = d->cv.median;
    double service_cv = largest_service_cv(spec);
    *why = '\0';
    if (mean < SERVICE_LEAST_INTERVAL_RATE) {
        snprintf(why, size, "%.3g requests/s on average, fewer than 2", mean);
    } else if (cv > SERVICE_MOST_INTERVAL_CV) {
        snprintf(why, size, "requests come in clusters, cv %.3g", cv);
    } else if (d->has_bursts && d->bursts.length.median < SERVICE_LEAST_BURST_S) {
        snprintf(why, size, "bursts last %.3g s, less than a minute", d->bursts.length.median);
    } else if (d->has_bursts && spec->is_llm) {
        snprintf(why, size,
                 "bursts of a language model, whose requests stay on the replica they "
                 "came to");
    } else if (spec->is_llm && spec->llm.admission == LLM_ADMIT_CHUNK) {
        snprintf(why, size,
                 "prompts admitted by their first chunk are evicted when the cache is "
                 "full");
    } else if (spec->retries > 0 && (spec->timeout.median > 0 || spec->timeout.input >= 0 ||
                                     spec->queue_limit < SERVICE_NO_QUEUE_LIMIT)) {
        snprintf(why, size, "what is dropped or given up is sent again, which comes in clusters");
    } else if (service_cv > SERVICE_MOST_SERVICE_CV) {
        snprintf(why, size, "times of service vary much, cv %.3g", service_cv);
    } else if (limits_err(spec, mean, cv, service_cv) != NULL) {
        snprintf(why, size, "%s", limits_err(spec, mean, cv, service_cv));
    }
    return *why != '\0';
}

struct service_mode_choice service_mode_choose(const struct service_spec *spec,
                                               const struct demand_plan *demand)
{
    struct service_mode_choice c = {.interval = spec->mode == SERVICE_INTERVAL};
    char against[160];
    if (spec->mode == SERVICE_REQUESTS) {
        snprintf(c.why, sizeof c.why, "stated");
        return c;
    }
    const char *refused = service_mode_refusal(spec);
    if (refused != NULL) {
        snprintf(c.why, sizeof c.why, "%s", spec->mode == SERVICE_INTERVAL ? "stated" : refused);
        return c;
    }
    c.errs = steps_err(spec, demand, against, sizeof against);
    if (spec->mode == SERVICE_INTERVAL) {
        snprintf(c.why, sizeof c.why, "%s%s%s", "stated", c.errs ? ", though steps err: " : "",
                 against);
        return c;
    }
    c.interval = !c.errs;
    if (c.errs) {
        snprintf(c.why, sizeof c.why, "%s", against);
    } else {
        snprintf(c.why, sizeof c.why, "%.3g requests/s on average, and smooth enough",
                 demand_planned(demand).mean);
    }
    c.errs = false;
    return c;
}
