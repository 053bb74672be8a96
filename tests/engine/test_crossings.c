/* SPDX-License-Identifier: GPL-3.0-or-later
 * Crossings of functions whose zeros are known, with the stretch in which a stated error hides
 * them; and ranges in which there is none, or nothing is known. */
#include "engine/crossings.h"

#include "tests/support/testing.h"

#include <math.h>

struct law {
    double (*value)(double x);
    double half;
    double unknown_from; /* NaN: known everywhere */
    size_t calls;
};

static bool evaluate(void *context, double x, double *value, double *half)
{
    struct law *l = context;
    l->calls++;
    *value = l->value(x);
    *half = l->half;
    return !(x >= l->unknown_from);
}

static double line(double x)
{
    return 2 * (x - 3);
}
static double falling(double x)
{
    return 1 / x - 0.04;
}
static double cubic(double x)
{
    return (x - 1) * (x - 4) * (x - 8);
}
static double above(double x)
{
    return 1 + x * x;
}
static double steps(double x)
{
    return floor(x) < 7 ? -1 : 1;
}

static struct crossings find(struct law *l, double low, double high, bool logarithmic)
{
    const struct crossing_range r = {low, high, logarithmic, false, 9, 1e-6};
    struct crossings c;
    crossings_find(&c, &r, evaluate, l);
    return c;
}

/* 2 (x - 3) with an error of 1 is within it from 2.5 to 3.5. */
static void a_line(void **state)
{
    (void)state;
    struct law l = {line, 1, (double)NAN, 0};
    struct crossings c = find(&l, 0, 10, false);
    assert_int_equal(c.count, 1);
    assert_near(c.of[0].at, 3, 0.03, "at"); /* a twentieth of the error */
    assert_near(c.of[0].low, 2.5, 1e-5, "low");
    assert_near(c.of[0].high, 3.5, 1e-5, "high");
    assert_true(c.of[0].rises);
    assert_true(l.calls < 40);
    l.half = 0;
    c = find(&l, 0, 10, false);
    assert_near(c.of[0].at, 3, 1e-9, "without an error");
    assert_near(c.of[0].low, 3, 1e-9, "low");
    /* The error is larger than the function: known in no place, but where it is zero. */
    l.half = 100;
    c = find(&l, 0, 10, false);
    assert_int_equal(c.count, 1);
    assert_true(isnan(c.of[0].low) && isnan(c.of[0].high));
}

/* 1/x = 0.04 at 25; within an error of 0.01 from 20 to 33.3. */
static void ratios(void **state)
{
    (void)state;
    struct law l = {falling, 0.01, (double)NAN, 0};
    struct crossings c = find(&l, 0.1, 1000, true);
    assert_int_equal(c.count, 1);
    assert_false(c.of[0].rises);
    assert_relative(c.of[0].at, 25, 0.02, "at");
    assert_relative(c.of[0].low, 20, 1e-3, "low");
    assert_relative(c.of[0].high, 100 / 3.0, 1e-3, "high");
}

static void several(void **state)
{
    (void)state;
    struct law l = {cubic, 0, (double)NAN, 0};
    struct crossings c = find(&l, 0, 10, false);
    const double want[] = {1, 4, 8};
    assert_int_equal(c.count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_near(c.of[i].at, want[i], 1e-4, "at");
        assert_true(c.of[i].rises == (i != 1));
    }
    assert_false(c.gaps);
}

static void none(void **state)
{
    (void)state;
    struct law l = {above, 0.1, (double)NAN, 0};
    struct crossings c = find(&l, -5, 5, false);
    assert_int_equal(c.count, 0);
    assert_true(c.first > 0 && c.known_from == -5 && c.known_to == 5);
    l.unknown_from = -100;
    c = find(&l, -5, 5, false);
    assert_int_equal(c.count, 0);
    assert_true(isnan(c.known_from) && isnan(c.first));
    /* Known up to 4: what lies behind is not claimed. */
    l = (struct law){line, 0, 4, 0};
    c = find(&l, 0, 10, false);
    assert_int_equal(c.count, 1);
    assert_near(c.of[0].at, 3, 1e-9, "at");
    assert_true(c.known_to < 4);
    l.unknown_from = 2;
    c = find(&l, 0, 10, false);
    assert_int_equal(c.count, 0);
}

static double jump(double x)
{
    return x < 6.3 ? -CROSSINGS_DECIDED : x - 6;
}

/* What flickers around its place: the bracket ends at one of the changes. */
static double flicker(double x)
{
    return x < 6.2 || (x > 6.25 && x < 6.3) ? -CROSSINGS_DECIDED : 5;
}

static double drop(double x)
{
    return jump(10 - x);
}

/* By a rule up to 6.3, by amounts from there on: the error does not reach zero there, and the
 * stretch is the place itself, not what lies off it in a straight line. */
static void jumps(void **state)
{
    (void)state;
    struct law l = {jump, 0.1, (double)NAN, 0};
    struct crossings c = find(&l, 0, 10, false);
    assert_int_equal(c.count, 1);
    assert_near(c.of[0].at, 6.3, 1e-4, "at");
    assert_true(c.of[0].at >= 6.3 && c.of[0].beside < 6.3);
    assert_near(c.of[0].beside, 6.3, 1e-4, "beside");
    assert_true(c.of[0].low <= c.of[0].at && c.of[0].at <= c.of[0].high);
    assert_near(c.of[0].high, 6.3, 1e-4, "high");
    /* An error of 0.5 hides the amounts up to 6.5. */
    l.half = 0.5;
    c = find(&l, 0, 10, false);
    assert_near(c.of[0].high, 6.5, 1e-3, "high");
    /* Wherever the last of the changes is taken for the place, the one beside it is on the other
     * side, and the stretch holds it. */
    l = (struct law){flicker, 1, (double)NAN, 0};
    c = find(&l, 0, 10, false);
    assert_int_equal(c.count, 1);
    assert_true(flicker(c.of[0].at) > 0 && flicker(c.of[0].beside) < 0);
    assert_true(c.of[0].low <= c.of[0].at && c.of[0].at <= c.of[0].high);
    /* Falling: the point above zero is the lower one. */
    l = (struct law){drop, 0.1, (double)NAN, 0};
    c = find(&l, 0, 10, false);
    assert_int_equal(c.count, 1);
    assert_true(!c.of[0].rises && drop(c.of[0].at) > 0 && drop(c.of[0].beside) < 0);
    assert_true(c.of[0].low <= c.of[0].at && c.of[0].at <= c.of[0].high);
}

/* The first whole number at which the sign has changed. */
static void whole_numbers(void **state)
{
    (void)state;
    struct law l = {steps, 0, (double)NAN, 0};
    struct crossing_range r = {1, 64, true, true, 5, 1e-6};
    struct crossings c;
    crossings_find(&c, &r, evaluate, &l);
    assert_int_equal(c.count, 1);
    assert_true(c.of[0].at == 7);
    r = (struct crossing_range){6, 8, false, true, 9, 1e-6};
    crossings_find(&c, &r, evaluate, &l);
    assert_int_equal(c.count, 1);
    assert_true(c.of[0].at == 7);
    l.value = line;
    r = (struct crossing_range){1, 8, false, true, 9, 1e-6};
    crossings_find(&c, &r, evaluate, &l);
    assert_int_equal(c.count, 1);
    assert_true(c.of[0].at == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line), cmocka_unit_test(ratios),        cmocka_unit_test(several),
        cmocka_unit_test(none),   cmocka_unit_test(whole_numbers), cmocka_unit_test(jumps),
    };
    return cmocka_run_group_tests_name("crossings", tests, NULL, NULL);
}
