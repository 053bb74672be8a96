/* SPDX-License-Identifier: GPL-3.0-or-later
 * Random numbers as a function of (seed, replication, source, index): Philox4x32-10 (Salmon et al.,
 * "Parallel random numbers: as easy as 1, 2, 3", SC 2011) with key = seed and counter = {block,
 * replication, source low, source high}. No state is shared, so adding a source or a strategy
 * changes no other draw (common random numbers).
 *
 * A source is used in one of two ways, never both: by index (random_uniform_at: block = index) or
 * as one stream (blocks 0, 1, 2, …). Both ways on one source would show the same blocks twice. */
#ifndef FLEETCAST_ENGINE_RANDOM_H
#define FLEETCAST_ENGINE_RANDOM_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* One world: all draws of a replication hang on this pair. */
struct random_world {
    uint64_t seed;
    uint32_t replication; /* or an id from below, for what must not share worlds with it */
};
/* Where the ids of each purpose begin; below them all are a run's own replications. Choosing and
 * judging never share worlds, so that a winner's luck does not count for it twice. */
#define RANDOM_FIRST_FIT    UINT32_C(0x80000000) /* fitting; tables that are built beforehand */
#define RANDOM_FIRST_SEARCH UINT32_C(0xa0000000) /* looking for a plan among many */
#define RANDOM_FIRST_JUDGE  UINT32_C(0xc0000000) /* estimating what was chosen anew */

/* 64-bit hash of a source's name, made with printf rules: random_source("input/%s", name). */
uint64_t random_source(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The ordinal-th source of a numbered family (one per instant, say) whose name hashed to `source`:
 * the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) over both. */
uint64_t random_source_at(uint64_t source, uint64_t ordinal);

/* Remembers the names behind hashes and tells when two names share one (debugging and tests). */
struct random_registry;
struct random_registry *random_registry_new(void); /* NULL when out of memory */
void random_registry_free(struct random_registry *r);
/* False when another name with this hash was registered before, or when the name could not be
 * remembered (out of memory, or more than 2^24 names). */
bool random_registry_add(struct random_registry *r, uint64_t source, const char *name);

/* The four words of one Philox block (known-answer vectors: Random123 kat_vectors). */
void random_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* One uniform in (0, 1) at this index: never 0, never 1. */
double random_uniform_at(struct random_world w, uint64_t source, uint32_t index);

/* The same at indices that mostly rise one by one: those of a batch are made together, at a quarter
 * of the cost. Zeroed: none are made yet. */
struct random_window {
    struct random_world world;
    uint64_t source;
    uint32_t first;
    bool filled;
    double values[16];
};
double random_window_at(struct random_window *window, struct random_world w, uint64_t source,
                        uint32_t index);

/* A sequence of draws of one source, buffered by blocks; 2^34 words until it repeats. */
struct random_stream {
    struct random_world world;
    uint64_t source;
    uint32_t block;     /* next block to compute */
    uint32_t used;      /* words of `words` handed out */
    uint32_t words[64]; /* the first four blocks at its end, then 16 at a time */
};
void random_stream_init(struct random_stream *s, struct random_world w, uint64_t source);
/* Computes the next blocks (at first 4, then 16) into `words`: for the inline functions below. */
void random_stream_refill(struct random_stream *s);

/* Two words of which the second may lie in the next batch. */
uint64_t random_word64_across(struct random_stream *s);

static inline uint32_t random_word(struct random_stream *s)
{
    if (s->used == 64) {
        random_stream_refill(s);
    }
    return s->words[s->used++];
}

/* Two neighbouring words, the first one low. As one load where memory has them so: compilers do not
 * see that for themselves. */
static inline uint64_t random_joined_words(const uint32_t *words)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t word;
    memcpy(&word, words, sizeof word);
    return word;
#else
    return words[0] | (uint64_t)words[1] << 32;
#endif
}

/* Two successive words, the first one low. */
static inline uint64_t random_word64(struct random_stream *s)
{
    if (s->used > 62) {
        return random_word64_across(s);
    }
    const uint32_t *next = s->words + s->used;
    s->used += 2;
    return random_joined_words(next);
}

/* The upper 52 bits as the middle of one of 2^52 equal steps of (0, 1): never 0 or 1, and 1 - u is
 * exact and as likely as u. */
static inline double random_unit(uint64_t word)
{
    uint64_t bits = word >> 12 | UINT64_C(0x3ff0000000000000); /* of a double in [1, 2) */
    double from_one;
    memcpy(&from_one, &bits, sizeof from_one);
    return from_one - (1 - 0x1p-53);
}

static inline double random_uniform(struct random_stream *s) /* (0, 1) */
{
    return random_unit(random_word64(s));
}

double random_normal(struct random_stream *s); /* mean 0, variance 1: ziggurat; never 0 */
void random_normals(struct random_stream *s, double *out, size_t n); /* same sequence as n calls */
double random_exponential(struct random_stream *s);                  /* mean 1: ziggurat; > 0 */
uint32_t random_below(struct random_stream *s, uint32_t n);          /* unbiased 0 … n-1; n > 0 */
void random_shuffle(struct random_stream *s, uint32_t *items, size_t n); /* n < 2^32 */

/* The stream as a GSL generator, so that every gsl_ran_* works on it; free with gsl_rng_free. NULL
 * when out of memory. gsl_rng_set(r, seed) makes it source 0 of world {seed, 0}. */
gsl_rng *random_gsl_new(struct random_world w, uint64_t source);

#endif
