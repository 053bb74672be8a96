/* SPDX-License-Identifier: GPL-3.0-or-later
 * Replay of a series of steps: at every instant what the series says, around and around. */
#include "models/market/replay_path.h"

#include "tests/support/testing.h"

#include <math.h>

/* 2 from 0, 0 from 600, 1 from 1800, 3 from 2400, up to 3000. */
static const struct replay_step steps[] = {{0, 2}, {600, 0}, {1800, 1}, {2400, 3}};
static const struct replay_series ring = {steps, 4, 3000, true};
static const struct replay_step ended_steps[] = {{0, 2}, {600, 0}, {1800, 1}, {2400, 3}, {3000, 0}};
static const struct replay_series ended = {ended_steps, 5, 3000, false};

static int64_t said(double in_s)
{
    double s = fmod(in_s, 3000);
    return s < 600 ? 2 : s < 1800 ? 0 : s < 2400 ? 1 : 3;
}

static void a_ring_says_what_its_steps_say(void **state)
{
    (void)state;
    const double offsets[] = {0, 1, 599, 600, 2400, 2999};
    for (size_t k = 0; k < sizeof offsets / sizeof offsets[0]; k++) {
        struct replay_path p;
        replay_path_begin(&p, &ring, offsets[k]);
        for (double t = 0; t < 12000; t += 1) {
            assert_int_equal(replay_path_at(&p, t), said(offsets[k] + t));
        }
        for (double t = 11999; t >= 0; t -= 7) { /* and backwards */
            assert_int_equal(replay_path_at(&p, t), said(offsets[k] + t));
        }
    }
}

/* Events lead from change to change, and at each the value has changed. */
static void walk(double offset_s, int64_t cap)
{
    struct replay_path p;
    replay_path_begin(&p, &ring, offset_s);
    double t = 0;
    while (true) {
        int64_t now = replay_path_at(&p, t) < cap ? replay_path_at(&p, t) : cap;
        double next_s = replay_path_next(&p, t, cap, 20000);
        if (isinf(next_s)) {
            break;
        }
        assert_true(next_s > t);
        int64_t then = replay_path_at(&p, next_s) < cap ? replay_path_at(&p, next_s) : cap;
        assert_int_not_equal(now, then);
        int64_t before = replay_path_at(&p, nextafter(next_s, 0));
        assert_int_equal(before < cap ? before : cap, now);
        t = next_s;
    }
    assert_true(t > 20000 - 3000);
}

static void changes_are_met_at_their_instant(void **state)
{
    (void)state;
    const double offsets[] = {0, 0.1, 1.0 / 3, 599.999, 1234.5678901, 2999.9999};
    for (size_t k = 0; k < sizeof offsets / sizeof offsets[0]; k++) {
        walk(offsets[k], 1);
        walk(offsets[k], 2);
        walk(offsets[k], 100);
    }
    /* At a cap of 1 the step from 1 to 3 and the seam from 3 to 2 are no changes. */
    struct replay_path p;
    replay_path_begin(&p, &ring, 0);
    assert_near(replay_path_next(&p, 1800, 1, 20000), 3600, 0, "over the seam");
    assert_true(isinf(replay_path_next(&p, 1800, 0, 20000)));
    assert_true(isinf(replay_path_next(&p, 1800, 1, 3599)));
}

static void an_end_is_an_end(void **state)
{
    (void)state;
    struct replay_path p;
    replay_path_begin(&p, &ended, 1000);
    assert_int_equal(replay_path_at(&p, 1999), 3);
    assert_int_equal(replay_path_at(&p, 2000), 0);
    assert_int_equal(replay_path_at(&p, 1e9), 0);
    assert_near(replay_path_next(&p, 1400, 100, 1e9), 2000, 0, "the end");
    assert_true(isinf(replay_path_next(&p, 2000, 100, 1e9)));
}

static void shares_are_those_of_one_turn(void **state)
{
    (void)state;
    const struct replay_series *both[] = {&ring, &ended};
    for (int k = 0; k < 2; k++) {
        struct replay_share one = replay_share_of(both[k], 1), three = replay_share_of(both[k], 3);
        assert_near(one.up_s, 1800, 0, "at least one");
        assert_int_equal(one.falls, 1);
        assert_near(three.up_s, 600, 0, "three");
        assert_int_equal(three.falls, k == 0 ? 1 : 0); /* the seam; the end is not a loss */
        assert_near(replay_mean(both[k]), (2 * 600 + 600 + 3 * 600) / 3000.0, 1e-12, "mean");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_says_what_its_steps_say),
        cmocka_unit_test(changes_are_met_at_their_instant),
        cmocka_unit_test(an_end_is_an_end),
        cmocka_unit_test(shares_are_those_of_one_turn),
    };
    return cmocka_run_group_tests_name("replay_path", tests, NULL, NULL);
}
