/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/llm_requests.h"

#include <stdlib.h>

void llm_requests_init(struct llm_requests *r, uint32_t most)
{
    *r = (struct llm_requests){.most = most};
}

void llm_requests_release(struct llm_requests *r)
{
    free(r->items);
    llm_requests_init(r, r->most);
}

void llm_requests_reset(struct llm_requests *r)
{
    r->count = 0;
    r->free_ = 0;
}

static bool grow(struct llm_requests *r)
{
    uint32_t capacity = r->capacity < 128 ? 256 : r->capacity * 2;
    if (r->capacity > r->most || capacity < r->capacity) {
        return false;
    }
    struct llm_request *items = realloc(r->items, capacity * sizeof *items);
    if (items == NULL) {
        return false;
    }
    r->items = items;
    r->capacity = capacity;
    return true;
}

uint32_t llm_requests_take(struct llm_requests *r)
{
    uint32_t taken = r->free_;
    if (taken != 0) {
        r->free_ = r->items[taken].next;
    } else if (r->count >= r->most || (r->count + 1 >= r->capacity && !grow(r))) {
        return 0;
    } else {
        taken = ++r->count;
    }
    r->items[taken] = (struct llm_request){0};
    return taken;
}

void llm_requests_give(struct llm_requests *r, uint32_t request)
{
    r->items[request].next = r->free_;
    r->free_ = request;
}
