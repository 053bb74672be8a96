/* SPDX-License-Identifier: GPL-3.0-or-later
 * Requests that leave a replica of a language model unserved: they waited too long, or the replica
 * is no more. */
#ifndef FLEETCAST_MODELS_LLM_REPLICA_LOSSES_H
#define FLEETCAST_MODELS_LLM_REPLICA_LOSSES_H

#include "models/inference/llm_replica.h"

/* Those that have waited for timeout_s or longer at now_s, by queued_s, and were never begun, are
 * taken out and given to `lost`, at now_s, which is not before any earlier call. They are in order
 * of queued_s. */
void llm_replica_give_up(struct llm_replica *r, double timeout_s, double now_s, llm_done *lost,
                         void *owner);
/* queued_s of the first of those that wait and were never begun; +infinity: there is none. */
double llm_replica_first_queued_s(const struct llm_replica *r);
/* Takes all requests out at now_s, each given to `lost` (at now_s); the replica is idle after that.
 * For a node that vanishes. */
void llm_replica_drop(struct llm_replica *r, double now_s, llm_done *lost, void *owner);
/* Empty again, idle; what is in it is given back. */
void llm_replica_reset(struct llm_replica *r);

#endif
