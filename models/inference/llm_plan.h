/* SPDX-License-Identifier: GPL-3.0-or-later
 * A language model on instance types, resolved before any world: what is served, how much of it
 * fits onto a replica, and, for a world, the rules by which a replica works.
 *
 * Peaks and bandwidths are the catalogue's, of a share of an accelerator that share of them. A GB
 * of an accelerator's memory counts 10^9 bytes, since part of it is never there for the engine, and
 * no more counts than the instance type shows. Links carry 0.3 of the published two-way NVLink
 * figure, and 15 GB/s without one (assumed). Weights of 8 bits in `fp8` are computed at that peak
 * where the accelerator has it; `int8` and `int4` are held small, and computed in 16 bits. With
 * more accelerators than heads of keys and values each of them keeps one: the cache of the group is
 * larger by as much. */
#ifndef FLEETCAST_MODELS_LLM_PLAN_H
#define FLEETCAST_MODELS_LLM_PLAN_H

#include "engine/text.h"
#include "models/inference/llm_capacity.h"
#include "models/inference/llm_keys.h"
#include "models/inference/request_trace.h"
#include "models/market/market.h"
#include "models/speed/model_shape.h"

#include <stdbool.h>
#include <stdint.h>

struct llm_plan {
    const struct llm_spec *spec;
    const char *workload;
    const struct model_preset *preset; /* NULL: figures only */
    struct number factor;              /* of the engine */
    struct llm_lengths lengths;        /* as planned */
    double long_request;               /* tokens: 99 % quantiles of both lengths */
};

/* On one instance type. */
struct llm_host_plan {
    const struct instance_type *type;
    const struct llm_host_spec *host; /* NULL: nothing of its own */
    struct llm_hardware hardware;     /* of one replica */
    bool eight_bit;                   /* computed at the 8-bit peak */
    uint32_t replicas_per_node;
    double node_share;      /* of its accelerators that a replica takes */
    struct llm_rules rules; /* as planned */
};

/* trace: that is replayed, or NULL. False when something was wrong, and told. Borrows spec and
 * workload. */
bool llm_plan_make(struct llm_plan *p, const struct llm_spec *spec, const char *workload,
                   const struct request_trace *trace, const struct market_context *c);
/* What does not fit is refused at `where`, with what would. Says what is assumed. */
bool llm_plan_host(const struct llm_plan *p, const struct instance_type *type,
                   const struct market_context *c, struct place where, struct llm_host_plan *out);
/* Of this world; drawn NULL: as planned. */
struct llm_rules llm_plan_rules(const struct llm_plan *p, const struct llm_host_plan *h,
                                const double *drawn);
/* "llama-2-7b in bf16, 1 x A10G a replica: …", one line. */
void llm_plan_describe(const struct llm_plan *p, const struct llm_host_plan *h, struct text *out);

#endif
