/* SPDX-License-Identifier: GPL-3.0-or-later
 * The closed form against a walk through the segments, and the edges by hand. */
#include "engine/random.h"
#include "models/training/checkpoint_cycle.h"
#include "tests/support/testing.h"

#include <math.h>

/* Segment by segment, as a reader would do it on paper. */
static struct checkpoint_state walk(const struct checkpoint_cycle *c, double elapsed_s)
{
    struct checkpoint_state s = {0};
    double left_s = c->left_s;
    double t_s = elapsed_s;
    while (left_s > 1e-9) {
        double segment_s = fmin(left_s, c->every_s);
        bool last = left_s - segment_s <= 1e-9;
        double write_s = !last || c->final ? c->write_s : 0;
        if (t_s < segment_s) {
            s.unkept_s = t_s;
            return s;
        }
        t_s -= segment_s;
        if (t_s < write_s) {
            s.unkept_s = segment_s;
            s.writing_s += t_s;
            s.write_left_s = write_s - t_s;
            return s;
        }
        t_s -= write_s;
        s.writing_s += write_s;
        s.written += !last || c->final;
        s.kept_s += segment_s;
        left_s -= segment_s;
    }
    return s;
}

static void assert_same(const struct checkpoint_cycle *c, double elapsed_s)
{
    struct checkpoint_state got = checkpoint_cycle_at(c, elapsed_s);
    struct checkpoint_state want = walk(c, elapsed_s);
    assert_near(got.kept_s, want.kept_s, 1e-6, "kept");
    assert_near(got.unkept_s, want.unkept_s, 1e-6, "unkept");
    assert_near(got.writing_s, want.writing_s, 1e-6, "writing");
    assert_near(got.write_left_s, want.write_left_s, 1e-6, "write left");
    assert_int_equal(got.written, want.written);
}

static void agrees_with_a_walk(void **state)
{
    (void)state;
    struct random_stream r;
    random_stream_init(&r, (struct random_world){.seed = 1}, random_source("test/cycle"));
    for (int i = 0; i < 20000; i++) {
        struct checkpoint_cycle c = {
            .left_s = 10000 * random_uniform(&r),
            .every_s = 50 + 3000 * random_uniform(&r),
            .write_s = i % 5 == 0 ? 0 : 200 * random_uniform(&r),
            .final = i % 2 == 0,
        };
        double elapsed_s = checkpoint_cycle_length_s(&c) * random_uniform(&r);
        assert_same(&c, elapsed_s);
    }
}

static void time_is_accounted_for(void **state)
{
    (void)state;
    struct random_stream r;
    random_stream_init(&r, (struct random_world){.seed = 2}, random_source("test/cycle"));
    for (int i = 0; i < 20000; i++) {
        struct checkpoint_cycle c = {.left_s = 1e5 * random_uniform(&r),
                                     .every_s = 1 + 3000 * random_uniform(&r),
                                     .write_s = 200 * random_uniform(&r),
                                     .final = i % 2 == 0};
        double elapsed_s = checkpoint_cycle_length_s(&c) * random_uniform(&r);
        struct checkpoint_state s = checkpoint_cycle_at(&c, elapsed_s);
        assert_near(s.kept_s + s.unkept_s + s.writing_s, elapsed_s, 1e-6, "sum of parts");
        assert_true(s.kept_s >= 0 && s.unkept_s >= 0 && s.writing_s >= 0 && s.write_left_s >= 0);
        assert_true(s.kept_s + s.unkept_s <= c.left_s + 1e-6);
    }
}

static void by_hand(void **state)
{
    (void)state;
    const struct checkpoint_cycle c = {.left_s = 250, .every_s = 100, .write_s = 10, .final = true};
    assert_near(checkpoint_cycle_length_s(&c), 280, 0, "100+10+100+10+50+10");
    struct checkpoint_state s = checkpoint_cycle_at(&c, 0);
    assert_near(s.kept_s + s.unkept_s + s.writing_s, 0, 0, "at the start");
    s = checkpoint_cycle_at(&c, 105);
    assert_near(s.unkept_s, 100, 0, "in the first write nothing is kept yet");
    assert_near(s.write_left_s, 5, 0, "half of the write is left");
    s = checkpoint_cycle_at(&c, 110);
    assert_near(s.kept_s, 100, 0, "the write is complete");
    assert_int_equal(s.written, 1);
    s = checkpoint_cycle_at(&c, 275);
    assert_near(s.kept_s, 200, 0, "in the last write");
    assert_near(s.unkept_s, 50, 0, "in the last write");
    s = checkpoint_cycle_at(&c, 280);
    assert_near(s.kept_s, 250, 0, "all");
    assert_int_equal(s.written, 3);
    s = checkpoint_cycle_at(&c, 1e9);
    assert_near(s.kept_s, 250, 0, "beyond the end");
}

static void whole_segments_have_no_empty_last_one(void **state)
{
    (void)state;
    /* 0.1 s is not a binary fraction: 30 × 0.1 must be 30 segments, not 31. */
    const struct checkpoint_cycle c = {
        .left_s = 30 * 0.1, .every_s = 0.1, .write_s = 1, .final = true};
    assert_near(checkpoint_cycle_length_s(&c), 33, 1e-9, "length");
}

static void without_periodic_checkpoints(void **state)
{
    (void)state;
    struct checkpoint_cycle c = {
        .left_s = 1000, .every_s = HUGE_VAL, .write_s = 10, .final = false};
    assert_near(checkpoint_cycle_length_s(&c), 1000, 0, "no write at all");
    struct checkpoint_state s = checkpoint_cycle_at(&c, 999);
    assert_near(s.kept_s, 0, 0, "nothing is kept before the end");
    assert_near(s.unkept_s, 999, 0, "all may be lost");
    c.final = true;
    assert_near(checkpoint_cycle_length_s(&c), 1010, 0, "one final write");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_a_walk),
        cmocka_unit_test(time_is_accounted_for),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(whole_segments_have_no_empty_last_one),
        cmocka_unit_test(without_periodic_checkpoints),
    };
    return cmocka_run_group_tests_name("checkpoint_cycle", tests, NULL, NULL);
}
