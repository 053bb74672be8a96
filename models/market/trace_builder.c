/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/trace_builder.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAYS_NODES, SAYS_PRICE, SAYS_HOLE };

struct sighting {
    double at_s;
    int64_t value;
    uint32_t order; /* of the calls: the later wins */
    int says;
};

struct building {
    const char *zone, *type;
    int64_t start_unix_s;
    double tick_s, end_s;
    struct sighting *seen;
    size_t count, capacity;
    bool in_order;
    int64_t last[2]; /* in order: the latest values, and … */
    double last_s;   /* … their time */
};

struct trace_builder {
    struct arena *arena;
    struct building *pools;
    size_t count, capacity;
    size_t sightings;
    bool no_memory, too_long;
};

struct trace_builder *trace_builder_new(struct arena *arena)
{
    struct trace_builder *b = calloc(1, sizeof *b);
    if (b != NULL) {
        b->arena = arena;
    }
    return b;
}

void trace_builder_free(struct trace_builder *b)
{
    for (size_t i = 0; b != NULL && i < b->count; i++) {
        free(b->pools[i].seen);
    }
    if (b != NULL) {
        free(b->pools);
    }
    free(b);
}

int trace_builder_pool(struct trace_builder *b, const char *zone, const char *type)
{
    zone = zone == NULL ? "" : zone;
    type = type == NULL ? "" : type;
    for (size_t i = b->count; i-- > 0;) {
        if (strcmp(b->pools[i].zone, zone) == 0 && strcmp(b->pools[i].type, type) == 0) {
            return (int)i;
        }
    }
    if (b->count == b->capacity) {
        size_t capacity = b->capacity * 2 + 8;
        struct building *pools = realloc(b->pools, capacity * sizeof *pools);
        if (pools == NULL) {
            b->no_memory = true;
            return -1;
        }
        b->pools = pools;
        b->capacity = capacity;
    }
    const char *own_zone = arena_copy(b->arena, zone, strlen(zone));
    const char *own_type = arena_copy(b->arena, type, strlen(type));
    if (own_zone == NULL || own_type == NULL) {
        b->no_memory = true;
        return -1;
    }
    b->pools[b->count] = (struct building){.zone = own_zone,
                                           .type = own_type,
                                           .start_unix_s = TRACE_NO_START,
                                           .end_s = -HUGE_VAL,
                                           .last = {TRACE_UNKNOWN, TRACE_UNKNOWN},
                                           .last_s = -HUGE_VAL};
    return (int)b->count++;
}

void trace_builder_start(struct trace_builder *b, int pool, int64_t start_unix_s, double tick_s)
{
    b->pools[pool].start_unix_s = start_unix_s;
    b->pools[pool].tick_s = tick_s;
}

void trace_builder_in_order(struct trace_builder *b, int pool)
{
    b->pools[pool].in_order = true;
}

static void put(struct trace_builder *b, int pool, double at_s, int says, int64_t value)
{
    struct building *p = &b->pools[pool];
    if (b->sightings >= TRACE_MOST_STEPS) {
        b->too_long = true;
        return;
    }
    if (p->count == p->capacity) {
        size_t capacity = p->capacity * 2 + 64;
        struct sighting *seen = realloc(p->seen, capacity * sizeof *seen);
        if (seen == NULL) {
            b->no_memory = true;
            return;
        }
        p->seen = seen;
        p->capacity = capacity;
    }
    p->seen[p->count] = (struct sighting){at_s, value, (uint32_t)p->count, says};
    p->count++;
    b->sightings++;
}

static void see(struct trace_builder *b, int pool, double at_s, int says, int64_t value)
{
    struct building *p = &b->pools[pool];
    if (p->in_order) {
        assert(at_s >= p->last_s);
        p->last_s = at_s;
        if (p->last[says] == value) {
            return;
        }
        p->last[says] = value;
    }
    put(b, pool, at_s, says, value);
}

void trace_builder_nodes(struct trace_builder *b, int pool, double at_s, int64_t nodes)
{
    see(b, pool, at_s, SAYS_NODES, nodes);
}

void trace_builder_price(struct trace_builder *b, int pool, double at_s, money_t price)
{
    see(b, pool, at_s, SAYS_PRICE, price);
}

void trace_builder_hole(struct trace_builder *b, int pool, double at_s)
{
    struct building *p = &b->pools[pool];
    p->last[SAYS_NODES] = p->last[SAYS_PRICE] = TRACE_UNKNOWN;
    put(b, pool, at_s, SAYS_HOLE, 0);
}

void trace_builder_end(struct trace_builder *b, int pool, double at_s)
{
    if (at_s > b->pools[pool].end_s) {
        b->pools[pool].end_s = at_s;
    }
}

static int by_time(const void *a, const void *b)
{
    const struct sighting *x = a, *y = b;
    if (x->at_s != y->at_s) {
        return x->at_s < y->at_s ? -1 : 1;
    }
    return x->order < y->order ? -1 : x->order > y->order;
}

static bool same(const struct trace_step *a, const struct trace_step *b)
{
    return a->hole == b->hole && a->nodes == b->nodes && a->price == b->price;
}

/* Sorted sightings to steps: those of one instant are one, and what changes nothing is none. */
static void settle(const struct building *p, struct trace *t)
{
    struct trace_step now = {.nodes = TRACE_UNKNOWN, .price = TRACE_UNKNOWN};
    for (size_t i = 0; i < p->count && p->seen[i].at_s < p->end_s;) {
        now.at_s = p->seen[i].at_s;
        now.hole = false;
        for (; i < p->count && p->seen[i].at_s == now.at_s; i++) {
            if (p->seen[i].says == SAYS_HOLE) {
                now = (struct trace_step){now.at_s, TRACE_UNKNOWN, TRACE_UNKNOWN, true};
                continue;
            }
            *(p->seen[i].says == SAYS_NODES ? &now.nodes : &now.price) = p->seen[i].value;
            now.hole = false;
        }
        t->has_nodes = t->has_nodes || now.nodes != TRACE_UNKNOWN;
        t->has_price = t->has_price || now.price != TRACE_UNKNOWN;
        if (t->count == 0 || !same(&t->steps[t->count - 1], &now)) {
            t->steps[t->count++] = now;
        }
    }
    t->end_s = p->end_s;
}

enum trace_building trace_builder_finish(struct trace_builder *b, struct trace_set *set,
                                         size_t *failed)
{
    if (b->too_long) {
        return TRACE_TOO_LONG;
    }
    set->count = 0;
    set->items = arena_array(b->arena, b->count + 1, sizeof *set->items);
    if (b->no_memory || set->items == NULL) {
        return TRACE_NO_MEMORY;
    }
    for (size_t i = 0; i < b->count; i++) {
        struct building *p = &b->pools[i];
        struct trace *t = &set->items[i];
        if (p->count > 1) {
            qsort(p->seen, p->count, sizeof *p->seen, by_time);
        }
        *t = (struct trace){.zone = p->zone,
                            .instance_type = p->type,
                            .start_unix_s = p->start_unix_s,
                            .tick_s = p->tick_s,
                            .steps = arena_array(b->arena, p->count + 1, sizeof *t->steps)};
        if (t->steps == NULL) {
            return TRACE_NO_MEMORY;
        }
        settle(p, t);
        if (t->count == 0 || !(t->has_nodes || t->has_price)) {
            if (failed != NULL) {
                *failed = i;
            }
            return TRACE_EMPTY;
        }
    }
    set->count = b->count;
    return b->count == 0 ? TRACE_EMPTY : TRACE_BUILT;
}
