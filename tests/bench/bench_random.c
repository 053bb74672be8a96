/* SPDX-License-Identifier: GPL-3.0-or-later
 * Random numbers: nanoseconds a draw, the generator's share included; what a world of the market
 * needs (26,000 normals in bulk); and GSL's ways on the same generator for comparison. */
#include "engine/gsl_errors.h"
#include "engine/philox.h"
#include "engine/random.h"
#include "tests/support/bench.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WORLD ((struct random_world){.seed = 1, .replication = 0})

/* Nanoseconds a repetition takes in the quickest of several rounds of `count`. */
static double quickest_ns(void (*run)(void *context, long count), void *context, long count)
{
    enum { ROUNDS = 12 };
    double best_s = HUGE_VAL;
    for (int round = 0; round < ROUNDS; round++) {
        double start_s = bench_cpu_s();
        run(context, count);
        best_s = fmin(best_s, bench_cpu_s() - start_s);
    }
    return 1e9 * best_s / (double)count;
}

/* A row without a target. */
static void plain_row(const char *name, double value, const char *unit)
{
    printf("%-56s %12.4g %s\n", name, value, unit);
}

enum { BULK = 26000 };

struct bench {
    struct random_stream stream;
    gsl_rng *gsl;
    double sink; /* keeps the work from being left out */
    double bulk[BULK];
    uint32_t words[4 * PHILOX_BATCH];
};

static void run_batch(void *context, long count)
{
    struct bench *b = context;
    const uint32_t key[2] = {1, 2};
    for (long i = 0; i < count; i += 2 * PHILOX_BATCH) {
        const uint32_t counter[4] = {(uint32_t)i, 1, 2, 3};
        philox_batch(counter, key, b->words);
        b->sink += b->words[0];
    }
}

static void run_batch_portable(void *context, long count)
{
    struct bench *b = context;
    const uint32_t key[2] = {1, 2};
    for (long i = 0; i < count; i += 2 * PHILOX_BATCH) {
        const uint32_t counter[4] = {(uint32_t)i, 1, 2, 3};
        philox_batch_portable(counter, key, b->words);
        b->sink += b->words[0];
    }
}

static void run_normals(void *context, long count)
{
    struct bench *b = context;
    for (long i = 0; i < count; i += BULK) {
        random_normals(&b->stream, b->bulk, BULK);
        b->sink += b->bulk[0];
    }
}

#define RUN(name, draw)                                                                            \
    static void name(void *context, long count)                                                    \
    {                                                                                              \
        struct bench *b = context;                                                                 \
        while (count-- > 0) {                                                                      \
            b->sink += draw;                                                                       \
        }                                                                                          \
    }

RUN(run_uniform, random_uniform(&b->stream))
RUN(run_uniform_at, random_uniform_at(WORLD, 5, (uint32_t)count))
RUN(run_normal, random_normal(&b->stream))
RUN(run_exponential, random_exponential(&b->stream))
RUN(run_below, random_below(&b->stream, 1000))
RUN(run_gsl_ziggurat, gsl_ran_gaussian_ziggurat(b->gsl, 1))
RUN(run_gsl_exponential, gsl_ran_exponential(b->gsl, 1))

static void print(const char *name, void (*run)(void *, long), struct bench *b, double target_ns)
{
    double ns = quickest_ns(run, b, 40L * BULK);
    if (target_ns > 0) {
        bench_row(name, ns, "ns", target_ns, BENCH_AT_MOST);
    } else {
        plain_row(name, ns, "ns");
    }
}

int main(void)
{
    gsl_errors_install();
    struct bench *b = calloc(1, sizeof *b);
    if (b == NULL || (b->gsl = random_gsl_new(WORLD, 2)) == NULL) {
        abort();
    }
    random_stream_init(&b->stream, WORLD, 1);
    printf("random numbers\n");
    print("normal, in bulk", run_normals, b, 6);
    print("normal, one by one", run_normal, b, 0);
    print("normal, GSL's ziggurat", run_gsl_ziggurat, b, 0);
    print("exponential", run_exponential, b, 0);
    print("exponential, GSL", run_gsl_exponential, b, 0);
    print("uniform", run_uniform, b, 0);
    print("uniform by index", run_uniform_at, b, 0);
    print("integer below 1,000", run_below, b, 0);
    print("64 bits of Philox", run_batch, b, 0);
    print("64 bits of Philox, portable", run_batch_portable, b, 0);
    if (!(b->sink > 0)) {
        abort();
    }
    gsl_rng_free(b->gsl);
    free(b);
    return 0;
}
