/* SPDX-License-Identifier: GPL-3.0-or-later
 * Streams, draws by index, integers, shuffles and the GSL generator. */
#include "engine/gsl_errors.h"
#include "engine/random.h"
#include "tests/support/goodness.h"
#include "tests/support/testing.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORLD ((struct random_world){.seed = UINT64_C(0x0123456789abcdef), .replication = 42})
#define DRAWS 100000

static void stream_is_philox_in_order(void **state)
{
    (void)state;
    const uint64_t source = UINT64_C(0xfedcba9876543210);
    struct random_stream s;
    random_stream_init(&s, WORLD, source);
    for (uint32_t block = 0; block < 100; block++) {
        const uint32_t counter[4] = {block, 42, 0x76543210, 0xfedcba98};
        const uint32_t key[2] = {0x89abcdef, 0x01234567};
        uint32_t want[4];
        random_philox(counter, key, want);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(random_word(&s), want[i]);
        }
        /* A draw by index is the first 64 bits of the block of that number. */
        double u = random_uniform_at(WORLD, source, block);
        assert_true(u == random_unit(want[0] | (uint64_t)want[1] << 32));
    }
}

static void words_join_across_batches(void **state)
{
    (void)state;
    struct random_stream narrow, wide;
    random_stream_init(&narrow, WORLD, 1);
    random_stream_init(&wide, WORLD, 1);
    assert_int_equal(random_word(&narrow), random_word(&wide)); /* now odd */
    for (int i = 0; i < 200; i++) {
        uint64_t low = random_word(&narrow);
        uint64_t high = random_word(&narrow);
        assert_true(random_word64(&wide) == (low | high << 32));
    }
}

static void unit_interval_is_open(void **state)
{
    (void)state;
    assert_true(random_unit(0) == 0x1p-53);
    assert_true(random_unit(UINT64_MAX) == 1 - 0x1p-53);
    assert_true(random_unit(0) > 0 && random_unit(UINT64_MAX) < 1);
    /* The mirror image is exact. */
    const uint64_t word = UINT64_C(0x123456789abcdef0);
    assert_true(1 - random_unit(word) == random_unit(~word));
}

static double uniform_cdf(double x, const void *context)
{
    (void)context;
    return x;
}

static void uniforms_are_uniform(void **state)
{
    (void)state;
    static double sample[DRAWS];
    struct random_stream s;
    random_stream_init(&s, WORLD, random_source("uniform"));
    for (size_t i = 0; i < DRAWS; i++) {
        sample[i] = random_uniform(&s);
    }
    assert_follows(sample, DRAWS, uniform_cdf, NULL, "stream");
    for (uint32_t i = 0; i < DRAWS; i++) {
        sample[i] = random_uniform_at(WORLD, random_source("by index"), i);
    }
    assert_follows(sample, DRAWS, uniform_cdf, NULL, "by index");
    for (uint32_t i = 0; i < DRAWS; i++) {
        struct random_world w = {.seed = 1, .replication = i};
        sample[i] = random_uniform_at(w, random_source("by replication"), 0);
    }
    assert_follows(sample, DRAWS, uniform_cdf, NULL, "by replication");
}

static void draw_all(double *out, struct random_world w, uint64_t source)
{
    struct random_stream s;
    random_stream_init(&s, w, source);
    for (size_t i = 0; i < DRAWS; i++) {
        out[i] = random_uniform(&s);
    }
}

/* The standard error of a correlation of independent samples is 1 / sqrt(n). */
static void neighbouring_streams_are_independent(void **state)
{
    (void)state;
    static double base[DRAWS], other[DRAWS];
    const double bound = 4.5 / sqrt(DRAWS);
    const uint64_t source = 1000;
    draw_all(base, WORLD, source);
    assert_near(correlation(base, base + 1, DRAWS - 1), 0, bound, "next draw");
    assert_near(correlation(base, base + 2, DRAWS - 2), 0, bound, "next but one");
    draw_all(other, WORLD, source + 1);
    assert_near(correlation(base, other, DRAWS), 0, bound, "next source");
    draw_all(other, WORLD, source + (UINT64_C(1) << 32));
    assert_near(correlation(base, other, DRAWS), 0, bound, "source, high half");
    struct random_world next = WORLD;
    next.replication++;
    draw_all(other, next, source);
    assert_near(correlation(base, other, DRAWS), 0, bound, "next replication");
    next = WORLD;
    next.seed++;
    draw_all(other, next, source);
    assert_near(correlation(base, other, DRAWS), 0, bound, "next seed");
    next = WORLD;
    next.seed ^= UINT64_C(1) << 40;
    draw_all(other, next, source);
    assert_near(correlation(base, other, DRAWS), 0, bound, "seed, high half");
    next = WORLD;
    next.replication |= RANDOM_FIRST_FIT;
    draw_all(other, next, source);
    assert_near(correlation(base, other, DRAWS), 0, bound, "judging worlds");
}

static void below_is_unbiased(void **state)
{
    (void)state;
    struct random_stream s;
    random_stream_init(&s, WORLD, 7);
    /* At three quarters of 2^32 a plain product would give every third value twice. */
    double thirds[3] = {0};
    for (int i = 0; i < DRAWS; i++) {
        uint32_t value = random_below(&s, UINT32_C(0xC0000000));
        assert_true(value < UINT32_C(0xC0000000));
        thirds[value % 3]++;
    }
    assert_counts(thirds, NULL, 3, "values modulo 3");
    double faces[6] = {0};
    for (int i = 0; i < DRAWS; i++) {
        faces[random_below(&s, 6)]++;
    }
    assert_counts(faces, NULL, 6, "a die");
    for (int i = 0; i < 100; i++) {
        assert_int_equal(random_below(&s, 1), 0);
    }
    double halves[2] = {0};
    for (int i = 0; i < DRAWS; i++) {
        uint32_t value = random_below(&s, UINT32_MAX);
        assert_true(value < UINT32_MAX);
        halves[value >> 31]++;
    }
    assert_counts(halves, NULL, 2, "largest range");
}

static void shuffles_are_uniform(void **state)
{
    (void)state;
    struct random_stream s;
    random_stream_init(&s, WORLD, 8);
    double seen[256] = {0};
    for (int i = 0; i < DRAWS; i++) {
        uint32_t items[4] = {0, 1, 2, 3};
        random_shuffle(&s, items, 4);
        assert_int_equal(1u << items[0] | 1u << items[1] | 1u << items[2] | 1u << items[3], 15);
        seen[items[0] << 6 | items[1] << 4 | items[2] << 2 | items[3]]++;
    }
    double counts[24];
    size_t orders = 0;
    for (size_t i = 0; i < 256; i++) {
        if (seen[i] > 0) {
            assert_true(orders < 24);
            counts[orders++] = seen[i];
        }
    }
    assert_int_equal(orders, 24);
    assert_counts(counts, NULL, 24, "orders of four");
    uint32_t one = 5;
    random_shuffle(&s, &one, 1);
    random_shuffle(&s, NULL, 0);
    assert_int_equal(one, 5);
}

static void gsl_generator_is_the_stream(void **state)
{
    (void)state;
    gsl_rng *r = random_gsl_new(WORLD, 99);
    assert_non_null(r);
    assert_string_equal(gsl_rng_name(r), "philox4x32-10");
    assert_int_equal(gsl_rng_min(r), 0);
    assert_int_equal(gsl_rng_max(r), UINT32_MAX);
    struct random_stream s;
    random_stream_init(&s, WORLD, 99);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(gsl_rng_get(r), random_word(&s));
    }
    assert_true(gsl_rng_uniform(r) == random_uniform(&s));
    gsl_rng *copy = gsl_rng_clone(r);
    assert_non_null(copy);
    assert_true(gsl_ran_gamma(copy, 2.5, 1.0) == gsl_ran_gamma(r, 2.5, 1.0));
    gsl_rng_free(copy);

    double sum = 0;
    for (int i = 0; i < DRAWS; i++) {
        sum += gsl_ran_gamma(r, 2.5, 2.0); /* mean 5, sd sqrt(10) */
    }
    assert_near(sum / DRAWS, 5, 4.5 * sqrt(10.0 / DRAWS), "mean of gsl_ran_gamma");

    gsl_rng_set(r, 77);
    random_stream_init(&s, (struct random_world){.seed = 77, .replication = 0}, 0);
    assert_int_equal(gsl_rng_get(r), random_word(&s));
    gsl_rng_free(r);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stream_is_philox_in_order),
        cmocka_unit_test(words_join_across_batches),
        cmocka_unit_test(unit_interval_is_open),
        cmocka_unit_test(uniforms_are_uniform),
        cmocka_unit_test(neighbouring_streams_are_independent),
        cmocka_unit_test(below_is_unbiased),
        cmocka_unit_test(shuffles_are_uniform),
        cmocka_unit_test(gsl_generator_is_the_stream),
    };
    return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
