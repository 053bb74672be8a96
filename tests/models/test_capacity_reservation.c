/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reserved capacity over time, by the guide's examples and against a count at each instant. */
#include "models/commitments/capacity_reservation.h"
#include "tests/support/coverage_scene.h"
#include "tests/support/draws.h"
#include "tests/support/testing.h"

enum { OUTSIDE, INSIDE, IDLE, SLOTS };
static const struct reservation_slots slots = {OUTSIDE, INSIDE, IDLE};

/* "24 hours … unused for the first hour … hours two through five … occupied … In the sixth hour the
 * Capacity Reservation is canceled and the instance runs normally": one unused hour, then the
 * instance alone. EC2 user guide, "Capacity Reservation pricing and billing"; 0.10 an hour. */
static void test_guide_example(void **state)
{
    (void)state;
    static struct coverage_scene s;
    scene_init(&s);
    static const enum coverage_use uses[SLOTS] = {USE_INSTANCE, USE_IN_RESERVATION, USE_IDLE};
    for (size_t i = 0; i < SLOTS; i++) {
        scene_use(&s, "m4.large", 0, 0.10);
        s.groups[i].use = uses[i];
    }
    scene_build(&s);
    const struct reservation_slots of = {(uint32_t)coverage_slot(s.coverage, OUTSIDE),
                                         (uint32_t)coverage_slot(s.coverage, INSIDE),
                                         (uint32_t)coverage_slot(s.coverage, IDLE)};
    const struct coverage_change running[] = {{HOUR_US, 0, 1}, {6 * HOUR_US, 0, -1}};
    const struct coverage_change reserved[] = {{0, 0, 1}, {5 * HOUR_US, 0, -1}};
    struct coverage_change out[12];
    size_t count = capacity_reservation_changes(running, 2, reserved, 2, &of, out);
    struct coverage_run *r = coverage_run_new(s.coverage);
    struct coverage_sums sums;
    assert_true(coverage_sums_init(&sums, s.coverage));
    const struct coverage_span span = {.to_us = 10 * HOUR_US};
    assert_int_equal(coverage_run(r, out, count, &span, coverage_sums_add, &sums),
                     COVERAGE_RUN_DONE);
    assert_int_equal(sums.on_demand[of.idle], DOLLARS(0.10));
    assert_int_equal(sums.on_demand[of.inside], DOLLARS(0.40));
    assert_int_equal(sums.on_demand[of.outside], DOLLARS(0.10));
    coverage_sums_release(&sums);
    coverage_run_free(r);
    scene_release(&s);
}

static int64_t count_at(const struct coverage_change *changes, size_t count, int64_t at_us,
                        uint32_t slot)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count && changes[i].at_us <= at_us; i++) {
        sum += changes[i].slot == slot ? changes[i].delta : 0;
    }
    return sum;
}

enum { CHANGES = 20, INSTANTS = 30 };

static void draw_changes(uint64_t *random, struct coverage_change *changes)
{
    for (size_t i = 0; i < CHANGES; i += 2) {
        int64_t at_us = draw_below(random, INSTANTS);
        int32_t count = (int32_t)draw_below(random, 6);
        changes[i] = (struct coverage_change){at_us, 0, count};
        changes[i + 1] = (struct coverage_change){at_us + draw_below(random, INSTANTS), 0, -count};
    }
    coverage_changes_sort(changes, CHANGES);
}

static void test_every_instant(void **state)
{
    (void)state;
    uint64_t random = 41;
    for (int n = 0; n < 1000; n++) {
        struct coverage_change running[CHANGES], reserved[CHANGES], out[6 * CHANGES];
        draw_changes(&random, running);
        draw_changes(&random, reserved);
        size_t count =
            capacity_reservation_changes(running, CHANGES, reserved, CHANGES, &slots, out);
        for (int64_t at_us = 0; at_us < 2 * INSTANTS; at_us++) {
            int64_t runs = count_at(running, CHANGES, at_us, 0);
            int64_t holds = count_at(reserved, CHANGES, at_us, 0);
            int64_t inside = runs < holds ? runs : holds;
            assert_int_equal(count_at(out, count, at_us, INSIDE), inside);
            assert_int_equal(count_at(out, count, at_us, OUTSIDE), runs - inside);
            assert_int_equal(count_at(out, count, at_us, IDLE), holds - inside);
        }
        for (size_t i = 1; i < count; i++) {
            assert_true(out[i - 1].at_us <= out[i].at_us);
        }
    }
}

static void test_nothing(void **state)
{
    (void)state;
    assert_int_equal(capacity_reservation_changes(NULL, 0, NULL, 0, &slots, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_guide_example),
        cmocka_unit_test(test_every_instant),
        cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests_name("capacity_reservation", tests, NULL, NULL);
}
