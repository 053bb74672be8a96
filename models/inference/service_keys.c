/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/service_keys.h"

#include <stddef.h>

#define DAY_S 86400.0

/* ---- how a replica serves ---- */

#define BATCH(member) offsetof(struct batch_spec, member)

static const char *const law_names[] = {"linear", "quadrature", NULL};

static const struct schema_key batch_keys[] = {
    {.name = "max",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1e6,
     .required = true,
     .offset = BATCH(most),
     .help = "Most requests of a batch."},
    {.name = "base",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = DAY_S,
     .required = true,
     .offset = BATCH(base),
     .help = "Time that a batch takes whatever its size."},
    {.name = "each",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = DAY_S,
     .required = true,
     .offset = BATCH(each),
     .help = "Time that each of its requests takes."},
    {.name = "law",
     .kind = SCHEMA_CHOICE,
     .choices = law_names,
     .default_text = "linear",
     .offset = BATCH(law),
     .help = "How the two add up for b requests: `base + each · b`, or the root of `base² + (each "
             "· b)²`, which fits measured networks better."},
    {.name = "delay",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = DAY_S,
     .default_text = "0s",
     .offset = BATCH(delay),
     .help = "How long a request may wait for others, while a slot is free, before a batch that is "
             "not full is begun."},
};

static const struct schema batch_schema = {
    .name = "inference.service.batch",
    SCHEMA_KEYS(batch_keys),
    .size = sizeof(struct batch_spec),
    .help = "Dynamic batching: those that wait when a slot falls free are served together.",
};

#define SERVING(member) offsetof(struct serving_spec, member)

static const struct schema_key serving_keys[] = {
    {.name = "time",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 30 * DAY_S,
     .offset = SERVING(time),
     .help =
         "Time that one request takes: `exponential(500ms)`, `lognormal(p50=80ms, p95=200ms)`."},
    {.name = "slots",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1e5,
     .default_text = "1",
     .offset = SERVING(slots),
     .help = "Requests, or batches, that a replica serves at a time."},
    {.name = "sharing",
     .kind = SCHEMA_FLAG,
     .default_text = "no",
     .offset = SERVING(sharing),
     .help =
         "`yes`: the slots share one accelerator by time slices: `time` is what a request takes "
         "alone, and k that are served at a time take k times as long."},
    {.name = "batch",
     .kind = SCHEMA_SECTION,
     .inner = &batch_schema,
     .offset = SERVING(batch),
     .given_offset = SERVING(batched),
     .help = "Dynamic batching, in place of `time`."},
    {.name = "replicas_per_node",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1000,
     .default_text = "1",
     .offset = SERVING(replicas_per_node),
     .help = "Replicas on one node: they are scaled, nodes are billed."},
    {.name = "memory",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA,
     .low = 0,
     .high = 1e15,
     .offset = SERVING(memory),
     .help = "Of the accelerators' memory, what a replica takes whatever it serves: weights, the "
             "runtime. What does not fit is refused; default: not looked at."},
    {.name = "memory_per_request",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA,
     .low = 0,
     .high = 1e15,
     .default_text = "0 B",
     .offset = SERVING(memory_per_request),
     .help = "What each request that it serves takes beside `memory`."},
};

static const struct schema serving_schema = {
    .name = "inference.service",
    SCHEMA_KEYS(serving_keys),
    .size = sizeof(struct serving_spec),
    .help = "How a replica on an instance type serves.",
};

#define SLO(member) offsetof(struct slo_spec, member)

static const struct schema_key slo_keys[] = {
    {.name = "latency",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 1e-6,
     .high = 30 * DAY_S,
     .offset = SLO(latency),
     .place_offset = SLO(place),
     .help = "From a request's arrival to its end."},
    {.name = "ttft",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 1e-6,
     .high = 30 * DAY_S,
     .offset = SLO(ttft),
     .help = "Of a language model: from a request's arrival to the first token of its output."},
    {.name = "tpot",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 1e-6,
     .high = DAY_S,
     .offset = SLO(tpot),
     .help = "Likewise: time of each token after the first, on average over the output."},
    {.name = "share",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .default_text = "95 %",
     .offset = SLO(share),
     .help = "The share of an hour's requests that is to be within all of these, for the hour to "
             "have met the objective: slo_hours_frac tells the share of hours that did."},
};

static const struct schema slo_schema = {
    .name = "inference.slo",
    .shorthand = "latency",
    SCHEMA_KEYS(slo_keys),
    .size = sizeof(struct slo_spec),
    .help = "What requests are to be served within, all that is stated of it; a latency alone may "
            "stand in its place.",
};

/* ---- the workload ---- */

#define SERVICE(member) offsetof(struct service_spec, member)

static const char *const mode_names[] = {"auto", "requests", "interval", NULL};

static const struct schema_key service_keys[] = {
    {.name = "demand",
     .kind = SCHEMA_SECTION,
     .inner = &demand_schema,
     .required = true,
     .offset = SERVICE(demand),
     .place_offset = SERVICE(demand.place),
     .help = "The requests over time: a rate, or a section."},
    {.name = "service",
     .kind = SCHEMA_MAP,
     .inner = &serving_schema,
     .low = 1,
     .high = 200,
     .offset = SERVICE(serving),
     .place_offset = SERVICE(serving_place),
     .help = "How a replica serves, by instance type; `any` stands for those that are not named."},
    {.name = "llm",
     .kind = SCHEMA_SECTION,
     .inner = &llm_schema,
     .offset = SERVICE(llm),
     .given_offset = SERVICE(is_llm),
     .help = "A language model, in place of `service`: how replicas serve follows from the model "
             "and the accelerators."},
    {.name = "queue_limit",
     .kind = SCHEMA_INTEGER,
     .low = 0,
     .high = 1e6,
     .default_text = "1M",
     .offset = SERVICE(queue_limit),
     .help = "Requests that may wait; one that comes when there are so many is dropped."},
    {.name = "timeout",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 30 * DAY_S,
     .default_text = "0s",
     .offset = SERVICE(timeout),
     .help =
         "How long a request waits to be served before it is given up; 0: as long as it takes."},
    {.name = "retries",
     .kind = SCHEMA_INTEGER,
     .low = 0,
     .high = 100,
     .default_text = "0",
     .offset = SERVICE(retries),
     .help =
         "How often a request that was dropped, timed out, lost or turned away by `admission` is "
         "sent again."},
    {.name = "retry_after",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = DAY_S,
     .default_text = "1s",
     .offset = SERVICE(retry_after),
     .help = "How long after."},
    {.name = "slo",
     .kind = SCHEMA_SECTION,
     .inner = &slo_schema,
     .offset = SERVICE(slo),
     .given_offset = SERVICE(has_slo),
     .help = "What requests are to be served within."},
    {.name = "boot",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 30 * DAY_S,
     .default_text = "3min",
     .offset = SERVICE(boot),
     .help = "Time from a node's launch to its being ready for its replicas."},
    {.name = "load",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 30 * DAY_S,
     .default_text = "0s",
     .offset = SERVICE(load),
     .help = "Time from there until they serve: image, weights."},
    {.name = "drain",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = DAY_S,
     .default_text = "5min",
     .offset = SERVICE(drain),
     .help = "How long a node that is taken away may go on with the requests that are on it."},
    {.name = "mode",
     .kind = SCHEMA_CHOICE,
     .choices = mode_names,
     .default_text = "auto",
     .offset = SERVICE(mode),
     .help =
         "How it is simulated: request by request, or in steps of the autoscaler's period, "
         "which is for months and years. `auto` takes `interval` from 2 requests/s on, unless "
         "`cv` is above 3, bursts are under 60 s, or there are shared nodes, batches, limits of "
         "admission, a "
         "trace, retries beside a `timeout` or a `queue_limit`, times of service that vary with "
         "more than 1.5, or a language model with bursts, with `admission: chunk` or with more "
         "that is uncertain than its `factor`; or the objective lies near the wait that a "
         "`timeout` or a `queue_limit` enforces, and it is a language model, `cv` is above 1.5, or "
         "times of service hardly vary. The same for all strategies; one that steps cannot follow "
         "is "
         "refused: no replica at all at times, a language model scaled at a high load, by its "
         "queue or "
         "its latency, or whose requests may outgrow full caches."},
    {.name = "measure_from",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 3660 * DAY_S,
     .default_text = "0s",
     .offset = SERVICE(measure_from),
     .help = "Requests that come before, from the begin of the service on, are served but counted "
             "nowhere: for what is not yet steady."},
    {.name = "admission",
     .kind = SCHEMA_SECTION,
     .inner = &admission_schema,
     .offset = SERVICE(admission),
     .given_offset = SERVICE(has_admission),
     .place_offset = SERVICE(admission.place),
     .help = "Limits beyond which requests are rejected as they come."},
    {.name = "rollouts",
     .kind = SCHEMA_SECTION,
     .inner = &rollouts_schema,
     .offset = SERVICE(rollouts),
     .given_offset = SERVICE(has_rollouts),
     .place_offset = SERVICE(rollouts.place),
     .help = "New versions, for which further nodes stand for a while."},
    {.name = "fleet",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .offset = SERVICE(fleet),
     .place_offset = SERVICE(fleet_place),
     .help = "Its replicas stand on the nodes of this workload (`kind: fleet`), beside those of "
             "other services; default: on nodes of its own."},
    STORAGE_KEYS(struct service_spec),
    LABEL_KEY_OWNER(SERVICE(labels), "Whose service it is: split.csv splits the cost by owner."),
    LABEL_KEY_TAGS(SERVICE(labels)),
};

const struct schema inference_schema = {
    .name = "inference",
    .tag = "kind",
    SCHEMA_KEYS(service_keys),
    .size = sizeof(struct service_spec),
    .help = "A service that answers requests, on as many replicas as its autoscalers ask for.",
};
