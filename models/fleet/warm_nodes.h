/* SPDX-License-Identifier: GPL-3.0-or-later
 * The warm pool of a crew of independent nodes: nodes that were launched, made ready and stopped.
 * The crew starts those first when it is granted nodes, which then boot as long as a start takes.
 * Only their volumes are paid meanwhile. Nodes that are made ready are a crew of their own in the
 * same pool, with places behind those of the crew. */
#ifndef FLEETCAST_MODELS_WARM_NODES_H
#define FLEETCAST_MODELS_WARM_NODES_H

#include "models/fleet/crew.h"
#include "models/policies/warm_pool_keys.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* So many nodes stood stopped. */
struct stopped_span {
    double from_s, to_s;
    uint32_t nodes;
};

struct warm_nodes {
    /* private, but for the spans */
    struct crew *crew, *preparing;
    uint32_t least, prepared;
    bool reuse;
    double prepare_s; /* after its boot, until a node is stopped */
    uint32_t target, wanted, held, launched, interrupted; /* of the crew, as seen last */
    uint32_t stopped;                                     /* likewise, since */
    double since_s;
    struct stopped_span *spans; /* of this world, in order of time */
    size_t span_count, span_capacity;
    bool following, again;
};

/* Makes the crew of those that are made ready, before the first world; the crew is of independent
 * nodes. start, boot: borrowed. False when memory is out. */
bool warm_nodes_init(struct warm_nodes *w, struct crew *crew, const char *workload_name,
                     const struct warm_pool_spec *spec, uint32_t prepared,
                     const struct variate *boot);
void warm_nodes_release(struct warm_nodes *w);
/* For a new world: none is there. */
void warm_nodes_begin(struct warm_nodes *w, double prepare_s);
/* After anything that may have changed the crew, or how many of its nodes are wanted: stops what
 * was given back, launches what lacks, ends what is too much. There are to be `prepared` in all,
 * and `least` beside those that are wanted. */
void warm_nodes_follow(struct warm_nodes *w, uint32_t wanted);
/* All end. */
void warm_nodes_end(struct warm_nodes *w, enum end_reason reason);

#endif
