/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a scenario says about a service that answers requests. */
#ifndef FLEETCAST_MODELS_SERVICE_KEYS_H
#define FLEETCAST_MODELS_SERVICE_KEYS_H

#include "engine/inputs.h"
#include "engine/schema.h"
#include "models/fleet/label_keys.h"
#include "models/fleet/storage_keys.h"
#include "models/inference/admission_keys.h"
#include "models/inference/demand_keys.h"
#include "models/inference/llm_keys.h"
#include "models/inference/rollouts.h"

#include <stdbool.h>

struct llm_tables;

enum batch_law { BATCH_LINEAR, BATCH_QUADRATURE };

/* `batch: {max: 32, base: 1.9ms, each: 0.14ms}` */
struct batch_spec {
    int64_t most;
    struct number base, each; /* seconds */
    struct number delay;      /* seconds */
    int law;                  /* enum batch_law */
};

/* `service: {g4dn.xlarge: {time: exponential(500ms), slots: 4}}`: how a replica on this instance
 * type serves. */
struct serving_spec {
    struct schema_item item; /* the instance type, or "any" */
    struct variate time;     /* of one request, seconds */
    int64_t slots;           /* requests, or batches, at a time */
    bool sharing;            /* those share one processor: k of them at 1/k of the speed each */
    struct batch_spec batch;
    bool batched;
    int64_t replicas_per_node;
    struct number memory, memory_per_request; /* bytes, of accelerators: of a replica whatever it
                                                 serves, and of each that it serves beside it */
};

struct slo_spec {
    struct number latency;    /* seconds, from arrival to the end */
    struct number ttft, tpot; /* seconds, to the first token and of each after it */
    struct number share;      /* of the requests of an hour that is to be within them */
    struct place place;
};

struct service_spec {
    struct schema_item item;
    int mode; /* enum service_mode */
    struct demand_spec demand;
    struct schema_list serving; /* struct serving_spec */
    struct place serving_place;
    struct llm_spec llm;
    bool is_llm;
    struct llm_tables *tables; /* of an llm, for steps of time; NULL: none yet */
    int64_t queue_limit;       /* requests that wait; 0: no limit */
    struct number timeout, retry_after, load, drain, measure_from; /* seconds */
    int64_t retries;
    struct slo_spec slo;
    bool has_slo;
    struct variate boot; /* seconds from launch to booted */
    struct storage_spec storage;
    struct label_spec labels; /* whose service it is */
    struct admission_spec admission;
    bool has_admission;
    struct rollouts_spec rollouts;
    bool has_rollouts;
    const char *fleet; /* whose nodes it stands on; NULL: its own */
    struct place fleet_place;
};
extern const struct schema inference_schema; /* variant "inference" of `kind` */

#endif
