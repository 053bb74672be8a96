/* SPDX-License-Identifier: GPL-3.0-or-later
 * The ziggurats: their tables from the properties that define them, and their draws against GSL's
 * distribution functions, in the body, in every layer and in the tail. */
#include "engine/gsl_errors.h"
#include "engine/random.h"
#include "engine/ziggurat_tables.h"
#include "tests/support/goodness.h"
#include "tests/support/testing.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define WORLD      ((struct random_world){.seed = 20260302, .replication = 3})
#define DRAWS      400000
#define MANY_DRAWS 20000000

static double normal_density(double x)
{
    return exp(-0.5 * x * x);
}

static double normal_tail_area(double x)
{
    return sqrt(2 * M_PI) * gsl_cdf_ugaussian_Q(x);
}

static double exponential_density(double x)
{
    return exp(-x);
}

static void check_layers(const double *x, const double *f, double (*density)(double),
                         double tail_area)
{
    double area = x[1] * density(x[1]) + tail_area;
    assert_relative(x[0] * f[1], area, 1e-14, "base strip");
    for (size_t i = 0; i <= ZIGGURAT_LAYERS; i++) {
        assert_relative(f[i], density(x[i]), 1e-14, "density");
    }
    for (size_t i = 1; i < ZIGGURAT_LAYERS; i++) {
        assert_true(x[i + 1] < x[i]);
        /* A difference of f near 1 loses digits: 256 layers, relative 2e-13. */
        assert_relative(x[i] * (f[i + 1] - f[i]), area, 1e-12, "area of a layer");
    }
    assert_true(x[ZIGGURAT_LAYERS] == 0 && f[ZIGGURAT_LAYERS] == 1);
}

static void tables_are_ziggurats(void **state)
{
    (void)state;
    check_layers(ziggurat_normal_x, ziggurat_normal_f, normal_density,
                 normal_tail_area(ziggurat_normal_x[1]));
    check_layers(ziggurat_exponential_x, ziggurat_exponential_f, exponential_density,
                 exponential_density(ziggurat_exponential_x[1]));
}

static double normal_cdf(double x, const void *context)
{
    (void)context;
    return gsl_cdf_ugaussian_P(x);
}

static double exponential_cdf(double x, const void *context)
{
    (void)context;
    return gsl_cdf_exponential_P(x, 1.0);
}

static double normal_both_tails(double x)
{
    return 2 * gsl_cdf_ugaussian_Q(x);
}

static double exponential_one_tail(double x)
{
    return exp(-x);
}

static void draw_normals(struct random_stream *s, double *out, size_t n)
{
    random_normals(s, out, n);
}

static void draw_exponentials(struct random_stream *s, double *out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = random_exponential(s);
    }
}

/* Raw moment k of the sample against its value; the moment's own variance is m2k - mk^2. */
static void check_moment(const double *sample, int k, double mk, double m2k, const char *what)
{
    double sum = 0;
    for (size_t i = 0; i < DRAWS; i++) {
        sum += pow(sample[i], k);
    }
    assert_near(sum / DRAWS, mk, 4.5 * sqrt((m2k - mk * mk) / DRAWS), what);
}

static void normals_are_normal(void **state)
{
    (void)state;
    static double sample[DRAWS];
    struct random_stream s;
    random_stream_init(&s, WORLD, random_source("normal"));
    draw_normals(&s, sample, DRAWS);
    check_moment(sample, 1, 0, 1, "mean");
    check_moment(sample, 2, 1, 3, "second moment");
    check_moment(sample, 3, 0, 15, "third moment");
    check_moment(sample, 4, 3, 105, "fourth moment");
    assert_near(correlation(sample, sample + 1, DRAWS - 1), 0, 4.5 / sqrt(DRAWS), "next draw");
    assert_follows(sample, DRAWS, normal_cdf, NULL, "normal");
}

static void exponentials_are_exponential(void **state)
{
    (void)state;
    static double sample[DRAWS];
    struct random_stream s;
    random_stream_init(&s, WORLD, random_source("exponential"));
    draw_exponentials(&s, sample, DRAWS);
    for (size_t i = 0; i < DRAWS; i++) {
        assert_true(sample[i] > 0);
    }
    check_moment(sample, 1, 1, 2, "mean");
    check_moment(sample, 2, 2, 24, "second moment");
    check_moment(sample, 3, 6, 720, "third moment");
    assert_near(correlation(sample, sample + 1, DRAWS - 1), 0, 4.5 / sqrt(DRAWS), "next draw");
    assert_follows(sample, DRAWS, exponential_cdf, NULL, "exponential");
}

/* A wedge decided wrongly moves a few thousandths of the mass by less than a layer's width, which
 * no test over the whole distribution sees. So: very many draws, in cells narrower than the layers.
 */
static void check_fine_structure(void (*draw)(struct random_stream *, double *, size_t),
                                 double (*tail)(double), double start, const char *what)
{
    enum { PER_UNIT = 256, MOST_CELLS = 2000 };
    static double counts[MOST_CELLS], expected[MOST_CELLS], drawn[1000];
    const size_t cells = (size_t)(start * PER_UNIT) + 1;
    assert_true(cells <= MOST_CELLS);
    for (size_t i = 0; i < cells; i++) {
        double low = (double)i / PER_UNIT;
        double beyond = i + 1 < cells ? tail(low + 1.0 / PER_UNIT) : 0;
        expected[i] = MANY_DRAWS * (tail(low) - beyond);
        counts[i] = 0;
    }
    struct random_stream s;
    random_stream_init(&s, WORLD, random_source("fine structure"));
    for (size_t batch = 0; batch < MANY_DRAWS / 1000; batch++) {
        draw(&s, drawn, 1000);
        for (size_t i = 0; i < 1000; i++) {
            double cell = fabs(drawn[i]) * PER_UNIT;
            counts[cell < (double)cells ? (size_t)cell : cells - 1]++;
        }
    }
    assert_counts(counts, expected, cells, what);
}

static void normal_layers(void **state)
{
    (void)state;
    check_fine_structure(draw_normals, normal_both_tails, ziggurat_normal_x[1], "normal");
}

static void exponential_layers(void **state)
{
    (void)state;
    check_fine_structure(draw_exponentials, exponential_one_tail, ziggurat_exponential_x[1],
                         "exponential");
}

static double normal_tail_cdf(double x, const void *context)
{
    const double *start = context;
    return 1 - gsl_cdf_ugaussian_Q(x) / gsl_cdf_ugaussian_Q(*start);
}

static double exponential_tail_cdf(double x, const void *context)
{
    const double *start = context;
    return -expm1(*start - x);
}

/* How many draws lie beyond the last layer, and how they lie there. */
static void check_tail(void (*draw)(struct random_stream *, double *, size_t), double start,
                       double share, double (*cdf)(double, const void *), const char *what)
{
    static double tail[25000], drawn[1000];
    size_t n = 0;
    struct random_stream s;
    random_stream_init(&s, WORLD, random_source("tail"));
    for (size_t batch = 0; batch < MANY_DRAWS / 1000; batch++) {
        draw(&s, drawn, 1000);
        for (size_t i = 0; i < 1000; i++) {
            if (fabs(drawn[i]) > start && n < sizeof tail / sizeof tail[0]) {
                tail[n++] = fabs(drawn[i]);
            }
        }
    }
    assert_near((double)n, share * MANY_DRAWS, 4.5 * sqrt(share * MANY_DRAWS), what);
    assert_follows(tail, n, cdf, &start, what);
}

static void normal_tails(void **state)
{
    (void)state;
    const double start = ziggurat_normal_x[1];
    check_tail(draw_normals, start, normal_both_tails(start), normal_tail_cdf, "normal tails");
}

static void exponential_tail(void **state)
{
    (void)state;
    const double start = ziggurat_exponential_x[1];
    check_tail(draw_exponentials, start, exp(-start), exponential_tail_cdf, "exponential tail");
}

static void bulk_is_one_by_one(void **state)
{
    (void)state;
    struct random_stream single, bulk;
    random_stream_init(&single, WORLD, 5);
    random_stream_init(&bulk, WORLD, 5);
    double out[333];
    for (size_t n = 0; n < 333; n++) {
        if (n % 7 == 3) { /* an odd word moves everything behind it */
            assert_int_equal(random_word(&single), random_word(&bulk));
        }
        random_normals(&bulk, out, n);
        for (size_t i = 0; i < n; i++) {
            assert_true(out[i] == random_normal(&single));
        }
        assert_int_equal(bulk.used, single.used);
        assert_int_equal(bulk.block, single.block);
    }
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_ziggurats),
        cmocka_unit_test(normals_are_normal),
        cmocka_unit_test(exponentials_are_exponential),
        cmocka_unit_test(normal_layers),
        cmocka_unit_test(exponential_layers),
        cmocka_unit_test(normal_tails),
        cmocka_unit_test(exponential_tail),
        cmocka_unit_test(bulk_is_one_by_one),
    };
    return cmocka_run_group_tests_name("random_ziggurat", tests, NULL, NULL);
}
