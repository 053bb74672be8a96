/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/service_requests.h"

#include <stdlib.h>
#include <string.h>

void service_requests_init(struct service_requests *r, uint32_t most)
{
    *r = (struct service_requests){.most = most};
}

void service_requests_release(struct service_requests *r)
{
    free(r->items);
    service_requests_init(r, r->most);
}

void service_requests_reset(struct service_requests *r)
{
    r->count = 0;
    r->free_ = 0;
}

static bool grow(struct service_requests *r)
{
    uint32_t capacity = r->capacity < 128 ? 256 : r->capacity * 2;
    if (r->capacity > r->most || capacity < r->capacity) {
        return false;
    }
    struct service_request *items = aligned_alloc(sizeof *items, capacity * sizeof *items);
    if (items == NULL) {
        return false;
    }
    if (r->items != NULL) {
        memcpy(items, r->items, r->capacity * sizeof *items);
        free(r->items);
    }
    r->items = items;
    r->capacity = capacity;
    return true;
}

uint32_t service_requests_take(struct service_requests *r)
{
    uint32_t taken = r->free_;
    if (taken != 0) {
        r->free_ = r->items[taken].next;
    } else if (r->count >= r->most || (r->count + 1 >= r->capacity && !grow(r))) {
        return 0;
    } else {
        taken = ++r->count;
    }
    r->items[taken] = (struct service_request){0};
    return taken;
}

void service_requests_give(struct service_requests *r, uint32_t request)
{
    r->items[request].next = r->free_;
    r->free_ = request;
}
