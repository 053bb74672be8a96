/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which of the replicas that may be given requests gets one, where each has a queue of its own. */
#ifndef FLEETCAST_MODELS_SERVICE_ROUTER_H
#define FLEETCAST_MODELS_SERVICE_ROUTER_H

#include <stdbool.h>
#include <stdint.h>

enum routing_law {
    ROUTING_ROUND_ROBIN, /* in turn */
    ROUTING_LEAST,       /* the one with the least in flight; of equals the next in turn */
    ROUTING_TWO_CHOICES  /* of two different ones, drawn, that with less in flight; the first of
                            equals (Mitzenmacher 2001) */
};

enum { SERVICE_ROUTER_LEVELS = 512 };

struct service_router {
    enum routing_law law;
    uint32_t count; /* read only: of those that may be given requests */
    /* private */
    uint32_t *open;  /* these replicas, in the order in which they were opened */
    uint32_t *place; /* by replica: its place in `open` + 1; 0: closed */
    uint32_t *load;  /* by replica … */
    uint32_t *loads; /* … and by place in `open` */
    uint32_t turn;   /* place in `open` */
    uint64_t *level; /* LEAST: by load below SERVICE_ROUTER_LEVELS, the places in `open` that have
                        it: a bit each */
    uint32_t words;  /* of a level */
    uint32_t lowest; /* no level below it has a bit */
    uint32_t capacity;
};

/* For replicas 0 … capacity - 1. False when memory is out. */
bool service_router_init(struct service_router *r, enum routing_law law, uint32_t capacity);
void service_router_release(struct service_router *r);
/* All closed, with nothing in flight. */
void service_router_reset(struct service_router *r);

void service_router_open(struct service_router *r, uint32_t replica);
void service_router_close(struct service_router *r, uint32_t replica);
/* What it has in flight from now on. */
void service_router_load(struct service_router *r, uint32_t replica, uint32_t load);
/* One of those that are open, of which there is one at least. u in (0, 1): the draw of this
 * decision, used by TWO_CHOICES only. */
uint32_t service_router_pick(struct service_router *r, double u);

#endif
