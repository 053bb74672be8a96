/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/double_sort.h"

#include "tests/support/testing.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST 5000

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Any finite double, every sign and exponent alike. */
static double any_double(uint64_t *state)
{
    double value;
    do {
        *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint64_t bits = *state ^ (*state >> 29);
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return value;
}

static double money(uint64_t *state)
{
    return 6000 + fmod(fabs(any_double(state)), 1000);
}

static double few_values(uint64_t *state)
{
    return floor(fmod(fabs(any_double(state)), 3));
}

static double same(uint64_t *state)
{
    (void)state;
    return 42;
}

static double rising(uint64_t *state)
{
    return (double)++*state;
}

static double falling(uint64_t *state)
{
    return -(double)++*state;
}

struct family {
    const char *name;
    double (*next)(uint64_t *state);
};

static const struct family families[] = {
    {"all doubles", any_double}, {"money", money},   {"few values", few_values},
    {"one value", same},         {"rising", rising}, {"falling", falling},
};

static void sorts_like_qsort(void **state)
{
    const struct family *f = *state;
    static const size_t sizes[] = {0, 1, 2, 3, 47, 48, 49, 257, 1000, MOST};
    static double values[MOST], want[MOST], spare[MOST];
    uint64_t seed = 1;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        for (size_t i = 0; i < sizes[s]; i++) {
            values[i] = want[i] = f->next(&seed);
        }
        qsort(want, sizes[s], sizeof *want, compare);
        double_sort(values, spare, sizes[s]);
        assert_memory_equal(values, want, sizes[s] * sizeof *values);
    }
}

static void the_ends_of_the_line(void **state)
{
    (void)state;
    double values[100], spare[100];
    static const double want[] = {-HUGE_VAL, -DBL_MAX, -1, -DBL_MIN, -5e-324, 0,
                                  5e-324,    DBL_MIN,  1,  DBL_MAX,  HUGE_VAL};
    size_t n = sizeof want / sizeof want[0];
    for (size_t i = 0; i < 9 * n; i++) {
        values[i] = want[(i * 7) % n];
    }
    double_sort(values, spare, 9 * n);
    for (size_t i = 0; i < 9 * n; i++) {
        assert_memory_equal(&values[i], &want[i / 9], sizeof(double));
    }
}

int main(void)
{
    enum { FAMILIES = sizeof families / sizeof families[0] };
    struct CMUnitTest tests[FAMILIES + 1];
    for (size_t i = 0; i < FAMILIES; i++) {
        tests[i] = (struct CMUnitTest){.name = families[i].name,
                                       .test_func = sorts_like_qsort,
                                       .initial_state = (void *)(uintptr_t)&families[i]};
    }
    tests[FAMILIES] = (struct CMUnitTest)cmocka_unit_test(the_ends_of_the_line);
    return _cmocka_run_group_tests("double_sort", tests, FAMILIES + 1, NULL, NULL);
}
