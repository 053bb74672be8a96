/* SPDX-License-Identifier: GPL-3.0-or-later
 * Of the memory of a node's accelerators, what a replica may take, where several stand on a node.
 * A replica that has several accelerators has them whole; of those that share one each has the same
 * part of it, and none lies on two. A GB of an accelerator's memory counts 10^9 bytes, since part
 * of it is never there for what runs on it, and no more counts than the instance type shows. */
#ifndef FLEETCAST_MODELS_REPLICA_MEMORY_H
#define FLEETCAST_MODELS_REPLICA_MEMORY_H

#include "models/catalogue/catalogue.h"

#include <stdint.h>

/* Bytes of one accelerator of the type, or of the share of one that it has; 0: it has none, or the
 * catalogue does not know. */
double replica_memory_of_one(const struct instance_type *type);
/* Bytes for one of so many replicas on a node, at most. */
double replica_memory_room(const struct instance_type *type, uint32_t replicas_per_node);
/* Bytes of a node, by its replicas: what shares are told of. */
double replica_memory_part(const struct instance_type *type, uint32_t replicas_per_node);
/* Replicas of so many bytes that fit onto a node, at most; 0: not even one does. */
uint32_t replica_memory_most(const struct instance_type *type, double bytes);

#endif
