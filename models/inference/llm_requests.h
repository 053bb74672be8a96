/* SPDX-License-Identifier: GPL-3.0-or-later
 * The requests that are in a language-model service at a time, for all its replicas: a pool of
 * records that are reused, named by their place in it. */
#ifndef FLEETCAST_MODELS_LLM_REQUESTS_H
#define FLEETCAST_MODELS_LLM_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

/* One request, from its arrival until it is told as done. */
struct llm_request {
    double arrived_s, first_s; /* first_s: when its first token was made */
    uint64_t number;           /* the service's */
    uint32_t prompt, output;   /* tokens; both >= 1 */
    uint32_t cached;           /* of the prompt, found in the prefix cache: < prompt */
    /* private */
    uint32_t made;      /* tokens of the output */
    uint32_t prefilled; /* of those to prefill now: prompt + made after an eviction */
    uint64_t done_at;   /* decoding: number of the step after which it is done */
    uint32_t heap_place;
    uint32_t older, newer; /* in order of admission */
    uint32_t next;         /* waiting, or free */
};

/* Requests of all replicas of a service. */
struct llm_requests {
    struct llm_request *items; /* index 0 is never used */
    uint32_t count, capacity, most, free_;
};
/* most: in the system at a time. */
void llm_requests_init(struct llm_requests *r, uint32_t most);
void llm_requests_release(struct llm_requests *r);
/* Forgets all; keeps memory. */
void llm_requests_reset(struct llm_requests *r);
/* A zeroed request; 0 when there are `most`, or memory is out. Items may move. */
uint32_t llm_requests_take(struct llm_requests *r);
void llm_requests_give(struct llm_requests *r, uint32_t request);

#endif
