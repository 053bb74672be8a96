/* SPDX-License-Identifier: GPL-3.0-or-later
 * Usage records: times are rounded once, activities always add up, impossible times are refused. */
#include "tests/support/draws.h"
#include "tests/support/testing.h"

#include "engine/money.h"
#include "models/fleet/usage.h"

#include <math.h>
#include <string.h>

static int64_t activity_sum(const struct usage *u)
{
    int64_t sum = 0;
    for (int a = 0; a < ACTIVITY_COUNT; a++) {
        assert_true(u->activity_us[a] >= 0);
        sum += u->activity_us[a];
    }
    return sum;
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(activity_names[ACTIVITY_USEFUL], "useful");
    assert_string_equal(activity_names[ACTIVITY_WAITING], "waiting");
    assert_null(activity_names[ACTIVITY_COUNT]);
    assert_string_equal(end_reason_names[END_INTERRUPTED], "interrupted");
    assert_string_equal(end_reason_names[END_HORIZON], "horizon");
    assert_null(end_reason_names[END_REASON_COUNT]);
}

struct rounding {
    const char *name;
    double start_s, end_s;
    double activity_s[ACTIVITY_COUNT];
    int64_t start_us, end_us;
    int64_t activity_us[ACTIVITY_COUNT];
};

static const struct rounding roundings[] = {
    {"whole seconds",
     10,
     70,
     {40, 10, 5, 5, 0, 0},
     10000000,
     70000000,
     {40000000, 10000000, 5000000, 5000000, 0, 0}},
    {"start and end round half to even",
     0.0000005,
     2.0000015,
     {2.000001, 0, 0, 0, 0, 0},
     0,
     2000002,
     {2000002, 0, 0, 0, 0, 0}},
    {"thirds add up",
     0,
     0.00001,
     {0.00001 / 3, 0.00001 / 3, 0.00001 / 3, 0, 0, 0},
     0,
     10,
     {3, 4, 3, 0, 0, 0}},
    {"all zero is waiting", 5, 6.5, {0, 0, 0, 0, 0, 0}, 5000000, 6500000, {0, 0, 0, 0, 0, 1500000}},
    {"no duration", 7, 7, {0, 0, 0, 0, 0, 0}, 7000000, 7000000, {0, 0, 0, 0, 0, 0}},
    {"shorter than a microsecond",
     7,
     7.0000001,
     {1e-7, 0, 0, 0, 0, 0},
     7000000,
     7000000,
     {0, 0, 0, 0, 0, 0}},
    {"noise below zero counts as zero",
     0,
     100,
     {100, -1e-12, 0, 0, -3e-10, 0},
     0,
     100000000,
     {100000000, 0, 0, 0, 0, 0}},
    {"parts a little too long are scaled",
     0,
     100,
     {50.0004, 0, 0, 0, 50.0004, 0},
     0,
     100000000,
     {50000000, 0, 0, 0, 50000000, 0}},
    {"parts a little too short are scaled",
     0,
     100,
     {74.9997, 0, 0, 24.9999, 0, 0},
     0,
     100000000,
     {75000000, 0, 0, 25000000, 0, 0}},
    {"times beyond a double's whole microseconds never go negative",
     0,
     999999999001.685,
     {999999999001.685, 0, 0, 0, 1e-9, 0},
     0,
     INT64_C(999999999001685059),
     {INT64_C(999999999001685059), 0, 0, 0, 0, 0}},
    {"a million days",
     0,
     86400e6,
     {86400e6, 0, 0, 0, 0, 0},
     0,
     INT64_C(86400000000000000),
     {INT64_C(86400000000000000), 0, 0, 0, 0, 0}},
};

static void test_rounding(void **state)
{
    const struct rounding *row = *state;
    struct usage_log log;
    usage_log_init(&log, 10);
    struct usage record = {.workload = 3, .slot = 4, .pool = 6, .reason = END_RELEASED};
    usage_log_add(&log, &record, row->start_s, row->end_s, row->activity_s);
    assert_false(log.overflow);
    assert_int_equal(log.count, 1);
    const struct usage *u = &log.records[0];
    assert_int_equal(u->workload, 3);
    assert_int_equal(u->slot, 4);
    assert_int_equal(u->pool, 6);
    assert_int_equal(u->reason, END_RELEASED);
    assert_int_equal(u->start_us, row->start_us);
    assert_int_equal(u->end_us, row->end_us);
    for (int a = 0; a < ACTIVITY_COUNT; a++) {
        assert_int_equal(u->activity_us[a], row->activity_us[a]);
    }
    usage_log_release(&log);
}

/* Activities as a simulation sums them: many steps, each with the noise of its own additions. */
static void test_activities_always_add_up(void **state)
{
    (void)state;
    uint64_t random = 1;
    struct usage_log log;
    usage_log_init(&log, 20000);
    for (int i = 0; i < 20000; i++) {
        double start_s = draw_uniform(&random) * 3e7, clock_s = start_s;
        double part[ACTIVITY_COUNT] = {0};
        double scale = pow(10.0, draw_uniform(&random) * 10 - 5);
        bool present[ACTIVITY_COUNT];
        for (int a = 0; a < ACTIVITY_COUNT; a++) {
            present[a] = draw_word(&random) % 3 > 0;
        }
        for (int step = 0; step < 20; step++) {
            int a = (int)(draw_word(&random) % ACTIVITY_COUNT);
            double step_s = draw_uniform(&random) * scale;
            if (present[a]) {
                part[a] += step_s;
                clock_s += step_s;
            }
        }
        usage_log_add(&log, &(struct usage){0}, start_s, clock_s, part);
        assert_int_equal(log.count, i + 1);
        const struct usage *u = &log.records[i];
        assert_int_equal(activity_sum(u), u->end_us - u->start_us);
        assert_int_equal(u->start_us, microseconds(start_s));
        assert_int_equal(u->end_us, microseconds(clock_s));
        bool any = false;
        for (int a = 0; a < ACTIVITY_COUNT; a++) {
            any = any || part[a] > 0;
        }
        for (int a = 0; a < ACTIVITY_COUNT && any; a++) {
            if (part[a] == 0.0) {
                assert_int_equal(u->activity_us[a], 0);
            }
            /* The grid takes a microsecond, start and end half a one each. */
            assert_near((double)u->activity_us[a], part[a] * 1e6, 2.1, "activity");
        }
    }
    usage_log_release(&log);
}

#ifndef FLEETCAST_SLOW_CHECKS
/* A debug build stops here; a release build keeps the sum whatever the parts say. */
static void test_wrong_parts_still_add_up(void **state)
{
    (void)state;
    static const double parts[][ACTIVITY_COUNT] = {
        {1, 0, 0, 1, 0, 0}, {1e300, 1e300, 0, 0, 0, 0}, {1e-300, 0, 0, 0, 1e-300, 0}};
    struct usage_log log;
    usage_log_init(&log, 10);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        usage_log_add(&log, &(struct usage){0}, 0, 100, parts[i]);
        assert_int_equal(log.count, i + 1);
        assert_int_equal(activity_sum(&log.records[i]), 100000000);
        assert_int_equal(log.records[i].activity_us[ACTIVITY_USEFUL], 50000000);
    }
    usage_log_release(&log);
}
#endif

struct refusal {
    const char *name;
    double start_s, end_s, part_s;
};

static const struct refusal refusals[] = {
    {"start not a number", (double)NAN, 1, 1},
    {"end not a number", 0, (double)NAN, 1},
    {"activity not a number", 0, 1, (double)NAN},
    {"start before the scenario", -1e-9, 1, 1},
    {"end before start", 2, 1, 1},
    {"end infinite", 0, (double)INFINITY, 1},
    {"activity infinite", 0, 1, (double)INFINITY},
    {"activity minus infinity", 0, 1, -(double)INFINITY},
    {"end beyond all calendars", 0, 1.1e12, 1.1e12},
};

static void test_refused(void **state)
{
    const struct refusal *row = *state;
    struct usage_log log;
    usage_log_init(&log, 10);
    const double good[ACTIVITY_COUNT] = {1}, bad[ACTIVITY_COUNT] = {[ACTIVITY_BOOT] = row->part_s};
    usage_log_add(&log, &(struct usage){0}, 0, 1, good);
    assert_false(log.overflow);
    usage_log_add(&log, &(struct usage){0}, row->start_s, row->end_s, bad);
    assert_true(log.overflow);
    assert_int_equal(log.count, 1);
    usage_log_release(&log);
}

static void test_cap(void **state)
{
    (void)state;
    const double part[ACTIVITY_COUNT] = {1};
    struct usage_log log;
    usage_log_init(&log, 100);
    for (uint32_t i = 0; i < 100; i++) {
        usage_log_add(&log, &(struct usage){.slot = i}, i, i + 1.0, part);
        assert_false(log.overflow);
    }
    usage_log_add(&log, &(struct usage){.slot = 100}, 0, 1, part);
    assert_true(log.overflow);
    assert_int_equal(log.count, 100);
    for (uint32_t i = 0; i < 100; i++) {
        assert_int_equal(log.records[i].slot, i);
        assert_int_equal(log.records[i].end_us, (i + 1) * 1000000);
    }

    usage_log_clear(&log);
    assert_int_equal(log.count, 0);
    assert_false(log.overflow);
    usage_log_add(&log, &(struct usage){.slot = 7}, 0, 1, part);
    assert_int_equal(log.count, 1);
    assert_int_equal(log.records[0].slot, 7);

    usage_log_release(&log);
    assert_null(log.records);
    usage_log_add(&log, &(struct usage){.slot = 8}, 0, 1, part); /* starts anew, same limit */
    assert_int_equal(log.count, 1);
    assert_int_equal(log.limit, 100);
    usage_log_release(&log);

    usage_log_init(&log, 0);
    usage_log_add(&log, &(struct usage){0}, 0, 1, part);
    assert_true(log.overflow);
    assert_int_equal(log.count, 0);
    usage_log_release(&log);
}

/* Twins that are not neighbours: the same record, other nodes; the cap holds for them too. */
static void test_again(void **state)
{
    (void)state;
    const double part[ACTIVITY_COUNT] = {[ACTIVITY_USEFUL] = 3, [ACTIVITY_BOOT] = 1};
    struct usage_log log;
    usage_log_init(&log, 2);
    usage_log_add(&log, &(struct usage){.slot = 3, .pool = 5, .reason = END_RELEASED}, 10, 14,
                  part);
    usage_log_again(&log, 7, 4);
    assert_false(log.overflow);
    assert_int_equal(log.count, 2);
    const struct usage *first = &log.records[0], *second = &log.records[1];
    assert_true(usage_alike(first, second));
    assert_int_equal(first->slot, 3);
    assert_int_equal(usage_nodes(first), 1);
    assert_int_equal(second->slot, 7);
    assert_int_equal(usage_nodes(second), 5);
    assert_int_equal(second->pool, 5);
    assert_int_equal(second->activity_us[ACTIVITY_USEFUL], 3000000);
    assert_int_equal(activity_sum(second), second->end_us - second->start_us);

    struct usage other = *first;
    other.activity_us[ACTIVITY_USEFUL]--;
    other.activity_us[ACTIVITY_LOST]++;
    assert_false(usage_alike(first, &other));
    other = *first;
    other.workload = 1;
    assert_false(usage_alike(first, &other));
    other = *first;
    other.reason = END_INTERRUPTED;
    assert_false(usage_alike(first, &other));

    usage_log_again(&log, 20, 0);
    assert_true(log.overflow);
    assert_int_equal(log.count, 2);
    usage_log_release(&log);
}

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

int main(void)
{
    struct CMUnitTest tests[5 + COUNT(roundings) + COUNT(refusals)];
    size_t n = 0;
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_names);
    for (size_t i = 0; i < COUNT(roundings); i++) {
        tests[n++] = (struct CMUnitTest){roundings[i].name, test_rounding, NULL, NULL,
                                         (void *)(uintptr_t)&roundings[i]};
    }
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_activities_always_add_up);
#ifndef FLEETCAST_SLOW_CHECKS
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_wrong_parts_still_add_up);
#endif
    for (size_t i = 0; i < COUNT(refusals); i++) {
        tests[n++] = (struct CMUnitTest){refusals[i].name, test_refused, NULL, NULL,
                                         (void *)(uintptr_t)&refusals[i]};
    }
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_cap);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_again);
    return _cmocka_run_group_tests("usage", tests, n, NULL, NULL);
}
