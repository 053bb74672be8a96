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

/* ---- asynchronous, and work carried in: against a simulation in steps ---- */

/* What happens at each instant, as a training loop would do it: work, pause at the end of a
 * segment, a writer behind that takes one checkpoint at a time. Every time is a whole number of
 * steps of a second. */
struct loop {
    const struct checkpoint_cycle *c;
    double kept, done, since, paused, waiting; /* since the last copy */
    double copied, writing_left; /* what the writer has, and how long it takes still */
    bool writer, pausing, over;
    uint64_t written;
};

static void writer_step(struct loop *l)
{
    if (!l->writer) {
        return;
    }
    l->writing_left -= 1;
    if (l->writing_left <= 0) {
        l->writer = false;
        l->kept = l->copied;
        l->written++;
    }
}

static bool all_kept(const struct loop *l)
{
    return l->done >= l->c->left_s && (!l->c->final || l->kept >= l->c->left_s);
}

/* The copy is made: the writer takes it as soon as it has written the one before. */
static void copied(struct loop *l)
{
    if (l->writer) {
        return; /* only at the end of all work */
    }
    l->pausing = false;
    l->waiting = 0;
    l->since = 0;
    l->copied = l->done;
    if (l->c->behind_s > 0) {
        l->writer = true;
        l->writing_left = l->c->behind_s;
    } else {
        l->kept = l->done;
        l->written++;
    }
}

static void loop_step(struct loop *l)
{
    bool last = l->done >= l->c->left_s;
    writer_step(l);
    if (l->pausing || last) {
        l->paused++;
        if (l->pausing) {
            l->waiting++;
        }
    } else {
        l->done++;
        l->since++;
    }
    last = l->done >= l->c->left_s;
    if (!l->pausing && l->since > 0 && (l->since >= l->c->every_s || last) &&
        (!last || l->c->final)) {
        l->pausing = true;
        l->waiting = 0;
        l->since = 0;
        if (l->c->write_s > 0) {
            return;
        }
    }
    if (l->pausing && l->waiting >= l->c->write_s) {
        copied(l);
    }
}

/* Looks at every second of a stretch. */
static void compare_with_loop(const struct checkpoint_cycle *c)
{
    struct loop l = {.c = c, .done = c->carried_s, .since = c->carried_s};
    if (l.since >= c->every_s && l.since < c->left_s) {
        l.pausing = true; /* due at once */
        l.since = 0;
        if (c->write_s <= 0) {
            copied(&l);
        }
    }
    double t = 0;
    for (; !all_kept(&l); t++) {
        struct checkpoint_state s = checkpoint_cycle_at(c, t);
        assert_near(s.kept_s, l.kept, 1e-6, "kept");
        assert_near(s.unkept_s, l.done - l.kept, 1e-6, "unkept");
        assert_near(s.writing_s, l.paused, 1e-6, "paused");
        assert_int_equal(s.written, l.written);
        loop_step(&l);
        assert_true(t < 1e6);
    }
    assert_near(checkpoint_cycle_length_s(c), t, 1e-6, "length");
    struct checkpoint_state s = checkpoint_cycle_at(c, t);
    assert_near(s.kept_s, c->left_s, 1e-6, "all is kept");
    assert_near(s.writing_s, l.paused, 1e-6, "all pauses");
}

static void asynchronous_ones_agree_with_a_loop(void **state)
{
    (void)state;
    struct random_stream r;
    random_stream_init(&r, (struct random_world){.seed = 3}, random_source("test/cycle"));
    for (int i = 0; i < 3000; i++) {
        struct checkpoint_cycle c = {.left_s = 1 + random_below(&r, 400),
                                     .every_s = 1 + random_below(&r, 90),
                                     .write_s = random_below(&r, 12),
                                     .final = i % 2 == 0};
        c.behind_s = i % 4 == 0 ? 0 : random_below(&r, (uint32_t)c.every_s + 1);
        c.carried_s = i % 3 == 0 ? 0 : random_below(&r, (uint32_t)c.left_s);
        compare_with_loop(&c);
    }
}

static void asynchronous_by_hand(void **state)
{
    (void)state;
    /* 100 w, copy to 102, w to 202 (the first complete at 142), copy to 204, w to 254, copy to 256:
     * the second was complete at 244, so the last is written from 256 to 296. */
    struct checkpoint_cycle c = {
        .left_s = 250, .every_s = 100, .write_s = 2, .behind_s = 40, .final = true};
    assert_near(checkpoint_cycle_length_s(&c), 296, 0, "the last write is waited for");
    struct checkpoint_state s = checkpoint_cycle_at(&c, 141);
    assert_near(s.kept_s, 0, 0, "copied, but not written yet");
    assert_near(s.unkept_s, 139, 0, "all of it can be lost");
    s = checkpoint_cycle_at(&c, 142);
    assert_near(s.kept_s, 100, 0, "complete");
    assert_near(s.unkept_s, 40, 0, "work went on meanwhile");
    s = checkpoint_cycle_at(&c, 203);
    assert_near(s.write_left_s, 41, 0, "the rest of the copy and the write");
    /* A last segment shorter than the write: it waits for the one before. */
    c.left_s = 210;
    /* copy 202–204, w to 214, copy to 216; the second complete at 244, the last at 284 */
    assert_near(checkpoint_cycle_length_s(&c), 284, 0, "two writes in turn");
    c.final = false;
    assert_near(checkpoint_cycle_length_s(&c), 214, 0, "without a last one nothing is waited for");
}

static void work_carried_in(void **state)
{
    (void)state;
    /* 60 were done before: the first write is due after 40 more. */
    struct checkpoint_cycle c = {
        .left_s = 250, .every_s = 100, .write_s = 10, .carried_s = 60, .final = true};
    assert_near(checkpoint_cycle_length_s(&c), 220, 0, "40+10+100+10+50+10");
    assert_near(checkpoint_cycle_at(&c, 45).unkept_s, 100, 0, "in the first write");
    assert_near(checkpoint_cycle_at(&c, 50).kept_s, 100, 0, "with what was carried");
    assert_near(checkpoint_cycle_written_s(&c, 1), 50, 0, "the first");
    c.carried_s = 130; /* overdue: written at once, with all of it */
    assert_near(checkpoint_cycle_length_s(&c), 10 + 100 + 10 + 20 + 10, 0, "overdue");
    assert_near(checkpoint_cycle_at(&c, 5).unkept_s, 130, 0, "all that was carried");
    assert_near(checkpoint_cycle_at(&c, 10).kept_s, 130, 0, "kept");
    assert_near(checkpoint_cycle_at(&c, 70).unkept_s, 60, 0, "from then on as always");
    assert_near(checkpoint_cycle_written_s(&c, 1), 10, 0, "the first");
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
        cmocka_unit_test(asynchronous_ones_agree_with_a_loop),
        cmocka_unit_test(asynchronous_by_hand),
        cmocka_unit_test(work_carried_in),
        cmocka_unit_test(time_is_accounted_for),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(whole_segments_have_no_empty_last_one),
        cmocka_unit_test(without_periodic_checkpoints),
    };
    return cmocka_run_group_tests_name("checkpoint_cycle", tests, NULL, NULL);
}
