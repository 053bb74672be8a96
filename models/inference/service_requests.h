/* SPDX-License-Identifier: GPL-3.0-or-later
 * The requests that are in a service at a time, for all its replicas: a pool of records that are
 * reused, named by their place in it. */
#ifndef FLEETCAST_MODELS_SERVICE_REQUESTS_H
#define FLEETCAST_MODELS_SERVICE_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

/* One request, from its arrival until it is told as done. */
struct service_request {
    double arrived_s, first_s; /* first_s: when its first token was made */
    double queued_s;           /* since when it waits, or was sent anew */
    double admitted_s;         /* when work on it began */
    uint32_t number;           /* the service's, modulo 2^32, as draws are asked for */
    uint32_t attempts;         /* made before this one */
    uint32_t prompt, output;   /* tokens; both >= 1 */
    uint32_t cached;           /* of the prompt, found in the prefix cache: < prompt */
    /* of a language-model replica, see llm_replica.h */
    uint32_t made;  /* tokens of the output */
    uint32_t order; /* of its admission there, among all */
    uint32_t next;  /* in the list that it stands in, or free */
};
_Static_assert(sizeof(struct service_request) == 64, "a record is a cache line");

/* Requests of all replicas of a service. */
struct service_requests {
    struct service_request *items; /* aligned to records; index 0 is never used */
    uint32_t count, capacity, most, free_;
};
/* most: in the system at a time. */
void service_requests_init(struct service_requests *r, uint32_t most);
void service_requests_release(struct service_requests *r);
/* Forgets all; keeps memory. */
void service_requests_reset(struct service_requests *r);
/* A zeroed request; 0 when there are `most`, or memory is out. Items may move. */
uint32_t service_requests_take(struct service_requests *r);
void service_requests_give(struct service_requests *r, uint32_t request);

#endif
