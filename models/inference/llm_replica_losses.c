/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/llm_replica_losses.h"

#include <math.h>
#include <stdlib.h>

static struct service_request *request_at(const struct llm_replica *r, uint32_t request)
{
    return &r->requests->items[request];
}

static void give_back(void *owner, uint32_t request, double done_s)
{
    service_requests_give(owner, request);
    (void)done_s;
}

/* The first that waits and was never begun, behind those that were evicted; 0: there is none. */
static uint32_t first_never_begun(const struct llm_replica *r, uint32_t *before)
{
    uint32_t request = r->first_waiting;
    *before = 0;
    while (request != 0 && (request_at(r, request)->made > 0 ||
                            request_at(r, request)->admitted_s > 0)) { /* evicted ones */
        *before = request;
        request = request_at(r, request)->next;
    }
    return request;
}

double llm_replica_first_queued_s(const struct llm_replica *r)
{
    uint32_t before;
    const uint32_t request = first_never_begun(r, &before);
    return request != 0 ? request_at(r, request)->queued_s : HUGE_VAL;
}

void llm_replica_give_up(struct llm_replica *r, double timeout_s, double now_s, llm_done *lost,
                         void *owner)
{
    uint32_t before, request = first_never_begun(r, &before);
    while (request != 0 && request_at(r, request)->queued_s + timeout_s <= now_s) {
        uint32_t next = request_at(r, request)->next;
        *(before != 0 ? &request_at(r, before)->next : &r->first_waiting) = next;
        if (next == 0) {
            r->last_waiting = before;
        }
        r->waiting--;
        r->in_flight--;
        lost(owner, request, now_s);
        request = next;
    }
}

static int by_order(const void *a, const void *b)
{
    const struct decode_entry *x = a, *y = b;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* All that are admitted, in that order, in place of the decoding ones, for whom there is room. How
 * many they are. */
static uint32_t gather_admitted(struct llm_replica *r)
{
    struct decode_entry *entries = r->decoders.entries;
    uint32_t count = r->decoders.count;
    for (uint32_t request = r->in_step; request != 0; request = request_at(r, request)->next) {
        entries[count++] =
            (struct decode_entry){.request = request, .order = request_at(r, request)->order};
    }
    if (r->partial != 0) {
        entries[count++] =
            (struct decode_entry){.request = r->partial, .order = request_at(r, r->partial)->order};
    }
    if (count > 1) {
        qsort(entries, count, sizeof *entries, by_order);
    }
    return count;
}

void llm_replica_drop(struct llm_replica *r, double now_s, llm_done *lost, void *owner)
{
    if (r->phase != LLM_IDLE) {
        r->busy_s += now_s - r->begin_s;
        r->cache_token_s += (now_s - r->begin_s) * r->used;
    }
    const uint32_t admitted = gather_admitted(r);
    for (uint32_t i = 0; i < admitted; i++) {
        lost(owner, r->decoders.entries[i].request, now_s);
    }
    for (uint32_t request = r->first_waiting, next; request != 0; request = next) {
        next = request_at(r, request)->next;
        lost(owner, request, now_s);
    }
    struct llm_replica empty = {.rules = r->rules,
                                .requests = r->requests,
                                .decoders = r->decoders,
                                .end_s = HUGE_VAL,
                                .evictions = r->evictions,
                                .events = r->events,
                                .busy_s = r->busy_s,
                                .cache_token_s = r->cache_token_s};
    empty.decoders.count = 0;
    *r = empty;
}

void llm_replica_reset(struct llm_replica *r)
{
    llm_replica_drop(r, r->begin_s, give_back, r->requests);
    r->evictions = r->events = 0;
    r->busy_s = r->cache_token_s = 0;
}
