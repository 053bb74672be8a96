/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/trace_builder.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAYS_NODES, SAYS_PRICE, SAYS_HOLE };

/* Sixteen bytes, since there may be millions. */
struct sighting {
    double at_s;
    int64_t word; /* 4 x the value + what it says */
};

struct building {
    const char *zone, *type;
    int64_t start_unix_s;
    double tick_s, end_s;
    struct sighting *seen;
    size_t count, capacity;
    bool in_order;
    size_t steps; /* when closed: how many it makes, and what they know */
    bool has_nodes, has_price;
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
    p->seen[p->count] = (struct sighting){at_s, value * 4 + says};
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
        struct sighting *newest = p->count == 0 ? NULL : &p->seen[p->count - 1];
        if (newest != NULL && newest->at_s == at_s && (newest->word & 3) == says) {
            newest->word = value * 4 + says;
            return;
        }
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

/* Two sorted stretches that meet, into one; of one instant the former's stand first. */
static void merge(const struct sighting *a, size_t na, const struct sighting *b, size_t nb,
                  struct sighting *out)
{
    while (na > 0 || nb > 0) {
        if (nb == 0 || (na > 0 && a->at_s <= b->at_s)) {
            *out++ = *a++;
            na--;
        } else {
            *out++ = *b++;
            nb--;
        }
    }
}

/* By time, and of one instant by the order of the calls: from the bottom up, so that it is stable
 * whatever the C library's qsort is. False when out of memory. */
static bool sort(struct building *p)
{
    size_t first = 1;
    while (first < p->count && p->seen[first - 1].at_s <= p->seen[first].at_s) {
        first++;
    }
    if (first >= p->count) {
        return true;
    }
    struct sighting *other = malloc(p->count * sizeof *other);
    if (other == NULL) {
        return false;
    }
    for (size_t width = 1; width < p->count; width *= 2) {
        for (size_t at = 0; at < p->count; at += 2 * width) {
            size_t left = p->count - at, na = left < width ? left : width;
            size_t nb = left - na < width ? left - na : width;
            merge(p->seen + at, na, p->seen + at + na, nb, other + at);
        }
        struct sighting *sorted = other;
        other = p->seen;
        p->seen = sorted;
    }
    free(other);
    p->capacity = p->count;
    return true;
}

static bool same(const struct trace_step *a, const struct trace_step *b)
{
    return a->hole == b->hole && a->nodes == b->nodes && a->price == b->price;
}

struct trace_step trace_builder_before_all(void)
{
    return (struct trace_step){.nodes = TRACE_UNKNOWN, .price = TRACE_UNKNOWN};
}

/* Sightings of one instant are one step, and what changes nothing is none. */
bool trace_builder_step(const struct trace_builder *b, size_t pool, size_t *at,
                        struct trace_step *step)
{
    const struct building *p = &b->pools[pool];
    bool first = *at == 0;
    size_t i = *at;
    while (i < p->count && p->seen[i].at_s < p->end_s) {
        struct trace_step now = *step;
        now.at_s = p->seen[i].at_s;
        now.hole = false;
        for (; i < p->count && p->seen[i].at_s == now.at_s; i++) {
            int says = (int)(p->seen[i].word & 3);
            if (says == SAYS_HOLE) {
                now = (struct trace_step){now.at_s, TRACE_UNKNOWN, TRACE_UNKNOWN, true};
                continue;
            }
            *(says == SAYS_NODES ? &now.nodes : &now.price) = p->seen[i].word / 4;
            now.hole = false;
        }
        if (first || !same(step, &now)) {
            *step = now;
            *at = i;
            return true;
        }
    }
    return false;
}

enum trace_building trace_builder_close(struct trace_builder *b, size_t *failed)
{
    if (b->too_long) {
        return TRACE_TOO_LONG;
    }
    for (size_t i = 0; !b->no_memory && i < b->count; i++) {
        struct building *p = &b->pools[i];
        struct trace_step step = trace_builder_before_all();
        size_t at = 0;
        if (!sort(p)) {
            return TRACE_NO_MEMORY;
        }
        p->steps = 0;
        p->has_nodes = p->has_price = false;
        while (trace_builder_step(b, i, &at, &step)) {
            p->steps++;
            p->has_nodes = p->has_nodes || step.nodes != TRACE_UNKNOWN;
            p->has_price = p->has_price || step.price != TRACE_UNKNOWN;
        }
        if (!(p->has_nodes || p->has_price)) {
            if (failed != NULL) {
                *failed = i;
            }
            return TRACE_EMPTY;
        }
    }
    return b->no_memory ? TRACE_NO_MEMORY : b->count == 0 ? TRACE_EMPTY : TRACE_BUILT;
}

size_t trace_builder_count(const struct trace_builder *b)
{
    return b->count;
}

struct trace trace_builder_head(const struct trace_builder *b, size_t pool)
{
    const struct building *p = &b->pools[pool];
    return (struct trace){.zone = p->zone,
                          .instance_type = p->type,
                          .start_unix_s = p->start_unix_s,
                          .tick_s = p->tick_s,
                          .end_s = p->end_s,
                          .has_nodes = p->has_nodes,
                          .has_price = p->has_price};
}

enum trace_building trace_builder_finish(struct trace_builder *b, struct trace_set *set,
                                         size_t *failed)
{
    enum trace_building closed = trace_builder_close(b, failed);
    set->count = 0;
    if (closed != TRACE_BUILT) {
        return closed;
    }
    set->items = arena_array(b->arena, b->count, sizeof *set->items);
    for (size_t i = 0; set->items != NULL && i < b->count; i++) {
        struct trace *t = &set->items[i];
        struct trace_step step = trace_builder_before_all();
        size_t at = 0;
        *t = trace_builder_head(b, i);
        t->steps = arena_array(b->arena, b->pools[i].steps, sizeof *t->steps);
        if (t->steps == NULL) {
            return TRACE_NO_MEMORY;
        }
        while (trace_builder_step(b, i, &at, &step)) {
            t->steps[t->count++] = step;
        }
        free(b->pools[i].seen);
        b->pools[i].seen = NULL;
        b->pools[i].count = b->pools[i].capacity = 0;
    }
    if (set->items == NULL) {
        return TRACE_NO_MEMORY;
    }
    set->count = b->count;
    return TRACE_BUILT;
}
