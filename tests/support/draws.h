/* SPDX-License-Identifier: GPL-3.0-or-later
 * Random cases for property tests: splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom
 * number generators", OOPSLA 2014), which owes nothing to the engine's own streams. The state is a
 * fixed seed of the test's choice. */
#ifndef FLEETCAST_TESTS_DRAWS_H
#define FLEETCAST_TESTS_DRAWS_H

#include <stdint.h>

static inline uint64_t draw_word(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* [0, 1) */
static inline double draw_uniform(uint64_t *state)
{
    return (double)(draw_word(state) >> 11) * 0x1p-53;
}

/* 0 … n - 1 */
static inline int64_t draw_below(uint64_t *state, int64_t n)
{
    return (int64_t)(draw_word(state) % (uint64_t)n);
}

/* 0 … limit, all magnitudes alike. */
static inline int64_t draw_amount(uint64_t *state, int64_t limit)
{
    int64_t amount = (int64_t)(draw_word(state) >> 1 >> draw_word(state) % 63);
    return amount <= limit ? amount : amount % (limit + 1);
}

/* 0 … limit, as often evenly spread as of all magnitudes. */
static inline int64_t draw_length(uint64_t *state, int64_t limit)
{
    return draw_below(state, 2) ? draw_amount(state, limit) : draw_below(state, limit + 1);
}

#endif
