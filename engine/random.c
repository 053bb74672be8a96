/* SPDX-License-Identifier: GPL-3.0-or-later
 * Streams over Philox. The generator has no state but its counter, so a stream is cheap to make
 * (nothing to warm up), any number of them are independent, and a draw can be asked for by index.
 */
#include "engine/random.h"

#include "engine/philox.h"

#include <assert.h>

_Static_assert(sizeof(((struct random_window *)0)->values) == PHILOX_BATCH * sizeof(double),
               "a window is one batch");
_Static_assert(sizeof(((struct random_stream *)0)->words) == 4 * PHILOX_BATCH * sizeof(uint32_t),
               "a stream buffers one batch");

void random_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    philox_block(counter, key, out);
}

uint64_t random_source_at(uint64_t source, uint64_t ordinal)
{
    uint64_t z = source + ordinal * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

double random_uniform_at(struct random_world w, uint64_t source, uint32_t index)
{
    const uint32_t counter[4] = {index, w.replication, (uint32_t)source, (uint32_t)(source >> 32)};
    const uint32_t key[2] = {(uint32_t)w.seed, (uint32_t)(w.seed >> 32)};
    uint32_t words[4];
    philox_block(counter, key, words);
    return random_unit(words[0] | (uint64_t)words[1] << 32);
}

double random_window_at(struct random_window *v, struct random_world w, uint64_t source,
                        uint32_t index)
{
    uint32_t first = index & ~(uint32_t)(PHILOX_BATCH - 1);
    if (!v->filled || v->first != first || v->source != source || v->world.seed != w.seed ||
        v->world.replication != w.replication) {
        const uint32_t counter[4] = {first, w.replication, (uint32_t)source,
                                     (uint32_t)(source >> 32)};
        const uint32_t key[2] = {(uint32_t)w.seed, (uint32_t)(w.seed >> 32)};
        uint32_t words[4 * PHILOX_BATCH];
        philox_batch(counter, key, words);
        for (size_t i = 0; i < PHILOX_BATCH; i++) {
            v->values[i] = random_unit(words[4 * i] | (uint64_t)words[4 * i + 1] << 32);
        }
        v->world = w;
        v->source = source;
        v->first = first;
        v->filled = true;
    }
    return v->values[index - first];
}

void random_stream_init(struct random_stream *s, struct random_world w, uint64_t source)
{
    s->world = w;
    s->source = source;
    s->block = 0;
    s->used = 4 * PHILOX_BATCH;
}

void random_stream_refill(struct random_stream *s)
{
    const uint32_t counter[4] = {s->block, s->world.replication, (uint32_t)s->source,
                                 (uint32_t)(s->source >> 32)};
    const uint32_t key[2] = {(uint32_t)s->world.seed, (uint32_t)(s->world.seed >> 32)};
    if (s->block == 0) { /* many a stream ends soon, as that of who falls at one instant */
        s->used = 4 * (PHILOX_BATCH - PHILOX_FEW);
        philox_few(counter, key, s->words + s->used);
        s->block = PHILOX_FEW;
    } else {
        s->used = 0;
        philox_batch(counter, key, s->words);
        s->block += PHILOX_BATCH;
    }
}

uint64_t random_word64_across(struct random_stream *s)
{
    uint64_t low = random_word(s);
    return low | (uint64_t)random_word(s) << 32;
}

/* Lemire, "Fast random integer generation in an interval", ACM TOMACS 29(1), 2019: the high half of
 * word × n, after refusing the few words that would make some values likelier. */
uint32_t random_below(struct random_stream *s, uint32_t n)
{
    assert(n > 0);
    uint64_t product = (uint64_t)random_word(s) * n;
    if ((uint32_t)product < n) {
        uint32_t refused = (0 - n) % n; /* 2^32 mod n */
        while ((uint32_t)product < refused) {
            product = (uint64_t)random_word(s) * n;
        }
    }
    return (uint32_t)(product >> 32);
}

void random_shuffle(struct random_stream *s, uint32_t *items, size_t n)
{
    assert(n <= UINT32_MAX);
    for (size_t left = n; left > 1; left--) {
        size_t chosen = random_below(s, (uint32_t)left);
        uint32_t item = items[chosen];
        items[chosen] = items[left - 1];
        items[left - 1] = item;
    }
}

static void gsl_set(void *state, unsigned long seed)
{
    random_stream_init(state, (struct random_world){seed, 0}, 0);
}

static unsigned long gsl_get(void *state)
{
    return random_word(state);
}

static double gsl_get_double(void *state)
{
    return random_uniform(state);
}

static const gsl_rng_type philox_type = {
    .name = "philox4x32-10",
    .max = UINT32_MAX,
    .min = 0,
    .size = sizeof(struct random_stream),
    .set = gsl_set,
    .get = gsl_get,
    .get_double = gsl_get_double,
};

gsl_rng *random_gsl_new(struct random_world w, uint64_t source)
{
    gsl_rng *r = gsl_rng_alloc(&philox_type);
    if (r != NULL) {
        random_stream_init(gsl_rng_state(r), w, source);
    }
    return r;
}
