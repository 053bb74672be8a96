/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/service_router.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_BITS = 64 };

bool service_router_init(struct service_router *r, enum routing_law law, uint32_t capacity)
{
    size_t size = capacity > 0 ? capacity : 1;
    *r = (struct service_router){.law = law, .capacity = capacity};
    r->open = calloc(size, sizeof *r->open);
    r->place = calloc(size, sizeof *r->place);
    r->load = calloc(size, sizeof *r->load);
    r->loads = calloc(size, sizeof *r->loads);
    r->words = capacity / WORD_BITS + 1;
    if (law == ROUTING_LEAST) {
        r->level = calloc((size_t)r->words * SERVICE_ROUTER_LEVELS, sizeof *r->level);
        if (r->level == NULL) {
            return false;
        }
    }
    return r->loads != NULL && r->open != NULL && r->place != NULL && r->load != NULL;
}

void service_router_release(struct service_router *r)
{
    free(r->open);
    free(r->place);
    free(r->load);
    free(r->loads);
    free(r->level);
    *r = (struct service_router){.law = r->law};
}

/* ---- levels ---- */

static inline void take_from_level(struct service_router *r, uint32_t place)
{
    const uint32_t load = r->loads[place];
    if (r->level != NULL && load < SERVICE_ROUTER_LEVELS) {
        r->level[(size_t)load * r->words + place / WORD_BITS] &=
            ~(UINT64_C(1) << place % WORD_BITS);
    }
}

static inline void put_on_level(struct service_router *r, uint32_t place)
{
    const uint32_t load = r->loads[place];
    if (r->level != NULL && load < SERVICE_ROUTER_LEVELS) {
        r->level[(size_t)load * r->words + place / WORD_BITS] |= UINT64_C(1) << place % WORD_BITS;
        r->lowest = load < r->lowest ? load : r->lowest;
    }
}

/* The first place at `from` or after it that has a bit; r->count: none has. */
static uint32_t first_of(const struct service_router *r, const uint64_t *level, uint32_t from)
{
    uint64_t bits = level[from / WORD_BITS] & ~UINT64_C(0) << from % WORD_BITS;
    for (uint32_t word = from / WORD_BITS;; bits = level[word]) {
        if (bits != 0) {
            return word * WORD_BITS + (uint32_t)__builtin_ctzll(bits);
        }
        if (++word == r->words) {
            return r->count;
        }
    }
}

/* ---- who is open ---- */

void service_router_reset(struct service_router *r)
{
    if (r->level != NULL) {
        memset(r->level, 0, (size_t)r->words * SERVICE_ROUTER_LEVELS * sizeof *r->level);
    }
    r->lowest = SERVICE_ROUTER_LEVELS;
    r->count = r->turn = 0;
    for (uint32_t i = 0; i < r->capacity; i++) {
        r->place[i] = r->load[i] = 0;
    }
}

void service_router_open(struct service_router *r, uint32_t replica)
{
    if (r->place[replica] == 0) {
        r->open[r->count] = replica;
        r->loads[r->count] = r->load[replica];
        put_on_level(r, r->count);
        r->place[replica] = ++r->count;
    }
}

void service_router_close(struct service_router *r, uint32_t replica)
{
    uint32_t place = r->place[replica];
    if (place == 0) {
        return;
    }
    r->place[replica] = 0;
    r->count--;
    take_from_level(r, place - 1);
    for (uint32_t i = place - 1; i < r->count; i++) {
        take_from_level(r, i + 1);
        r->open[i] = r->open[i + 1];
        r->loads[i] = r->loads[i + 1];
        put_on_level(r, i);
        r->place[r->open[i]] = i + 1;
    }
    r->turn -= r->turn >= place;
}

void service_router_load(struct service_router *r, uint32_t replica, uint32_t load)
{
    const uint32_t before = r->load[replica], at = r->place[replica];
    r->load[replica] = load;
    if (at == 0) {
        return;
    }
    const uint32_t place = at - 1;
    r->loads[place] = load;
    if (r->level == NULL) {
        return;
    }
    const uint64_t bit = UINT64_C(1) << place % WORD_BITS;
    uint64_t *words = r->level + place / WORD_BITS; /* of this place, on every level */
    if (before < SERVICE_ROUTER_LEVELS) {
        words[(size_t)before * r->words] &= ~bit;
    }
    if (load < SERVICE_ROUTER_LEVELS) {
        words[(size_t)load * r->words] |= bit;
        r->lowest = load < r->lowest ? load : r->lowest;
    }
}

static uint32_t in_turn(struct service_router *r)
{
    r->turn = r->turn < r->count ? r->turn : 0;
    return r->turn++;
}

/* Where all have so much in flight that there is no level for it. */
static uint32_t least_of_all(struct service_router *r)
{
    const uint32_t *loads = r->loads;
    uint32_t smallest = loads[0], best = r->turn < r->count ? r->turn : 0;
    for (uint32_t i = 1; i < r->count; i++) {
        smallest = loads[i] < smallest ? loads[i] : smallest;
    }
    while (loads[best] != smallest) {
        best = best + 1 < r->count ? best + 1 : 0;
    }
    r->turn = best + 1;
    return best;
}

/* The first with the smallest load, from the one in turn on. */
static uint32_t least(struct service_router *r)
{
    for (; r->lowest < SERVICE_ROUTER_LEVELS; r->lowest++) {
        const uint64_t *level = r->level + (size_t)r->lowest * r->words;
        uint32_t best = r->turn < r->count ? first_of(r, level, r->turn) : r->count;
        best = best < r->count ? best : first_of(r, level, 0);
        if (best < r->count) {
            r->turn = best + 1;
            return best;
        }
    }
    return least_of_all(r);
}

/* One draw for both: all ordered pairs of different ones are as likely. */
static uint32_t better_of_two(const struct service_router *r, double u)
{
    uint64_t n = r->count, pairs = n * (n - 1);
    if (n == 1) {
        return 0;
    }
    uint64_t pair = (uint64_t)(u * (double)pairs);
    pair = pair < pairs ? pair : pairs - 1;
    uint32_t first = (uint32_t)(pair / (n - 1)), second = (uint32_t)(pair % (n - 1));
    second += second >= first;
    return r->load[r->open[second]] < r->load[r->open[first]] ? second : first;
}

uint32_t service_router_pick(struct service_router *r, double u)
{
    switch (r->law) {
    case ROUTING_ROUND_ROBIN:
        return r->open[in_turn(r)];
    case ROUTING_TWO_CHOICES:
        return r->open[better_of_two(r, u)];
    default:
        return r->open[least(r)];
    }
}
