/* SPDX-License-Identifier: GPL-3.0-or-later
 * The calendar against the plainest reference there is: an unsorted list in which the next event is
 * looked for, under random operations from outside and from within handlers, with many ties. Then
 * its rules one by one. */
#include "engine/calendar.h"
#include "engine/random.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdlib.h>

/* ---- the reference ------------------------------------------------------------------------- */

struct entry {
    double time_s;
    int class_;
    uint64_t sequence;
    struct event_id id;
    bool alive;
    bool aside; /* it has no handle */
};

#define MOST_ENTRIES 200000

struct reference {
    struct calendar c;
    struct random_stream s;
    struct entry *entries; /* the index is the event's tag */
    uint32_t used;
    uint32_t *alive; /* tags of pending events, in no order */
    size_t alive_count;
    uint64_t sequence;
    uint64_t operations;
    size_t most_pending;
};

static bool fires_before(const struct entry *a, const struct entry *b)
{
    if (a->time_s != b->time_s) {
        return a->time_s < b->time_s;
    }
    return a->class_ != b->class_ ? a->class_ < b->class_ : a->sequence < b->sequence;
}

/* Position in `alive` of the event that must fire next. */
static size_t next_alive(const struct reference *r)
{
    size_t next = 0;
    for (size_t i = 1; i < r->alive_count; i++) {
        if (fires_before(&r->entries[r->alive[i]], &r->entries[r->alive[next]])) {
            next = i;
        }
    }
    return next;
}

static void bury(struct reference *r, size_t position)
{
    r->entries[r->alive[position]].alive = false;
    r->alive[position] = r->alive[--r->alive_count];
}

/* Half of all delays are few and coarse, so that ties abound. */
static double random_time(struct reference *r)
{
    if (random_below(&r->s, 2)) {
        return r->c.now_s + 0.5 * random_below(&r->s, 12);
    }
    return r->c.now_s + 3 * random_exponential(&r->s);
}

static void fire(void *actor, uint64_t tag);

static void schedule_one(struct reference *r)
{
    const bool placed = random_below(&r->s, 8) == 0;
    const uint64_t sequence = r->sequence++, place = placed ? calendar_take_place(&r->c) : 0;
    if (placed && r->used < MOST_ENTRIES / 2) {
        schedule_one(r); /* it comes later in the order, though it is scheduled before */
    }
    struct entry *e = &r->entries[r->used];
    *e = (struct entry){.time_s = random_time(r),
                        .class_ = (int)random_below(&r->s, 5),
                        .sequence = sequence,
                        .alive = true,
                        .aside = !placed && random_below(&r->s, 8) == 0};
    const enum event_class class_ = (enum event_class)e->class_;
    enum calendar_status status;
    if (placed) {
        status =
            calendar_schedule_in_place(&r->c, place, e->time_s, class_, fire, r, r->used, &e->id);
    } else if (e->aside) {
        status = calendar_schedule_aside(&r->c, e->time_s, class_, fire, r, r->used);
    } else {
        status = calendar_schedule(&r->c, e->time_s, class_, fire, r, r->used, &e->id);
    }
    assert_int_equal(status, CALENDAR_OK);
    r->alive[r->alive_count++] = r->used++;
}

/* False when something was scheduled since it fired or was cancelled. */
static bool schedule_again(struct reference *r, uint32_t tag)
{
    struct entry *e = &r->entries[tag];
    const double time_s = random_time(r);
    if (calendar_again(&r->c, &e->id, time_s) != CALENDAR_OK) {
        return false;
    }
    assert_true(calendar_pending(&r->c, e->id));
    assert_int_equal(calendar_again(&r->c, &e->id, time_s), CALENDAR_BAD_TIME);
    e->time_s = time_s;
    e->sequence = r->sequence++;
    e->alive = true;
    r->alive[r->alive_count++] = tag;
    return true;
}

static void cancel_one(struct reference *r)
{
    size_t position = random_below(&r->s, (uint32_t)r->alive_count);
    struct entry *e = &r->entries[r->alive[position]];
    if (e->aside) {
        return;
    }
    assert_true(calendar_pending(&r->c, e->id));
    assert_true(calendar_cancel(&r->c, e->id));
    assert_false(calendar_pending(&r->c, e->id));
    assert_false(calendar_cancel(&r->c, e->id));
    bury(r, position);
}

static void move_one(struct reference *r)
{
    size_t position = random_below(&r->s, (uint32_t)r->alive_count);
    struct entry *e = &r->entries[r->alive[position]];
    if (e->aside) {
        return;
    }
    e->time_s = random_time(r);
    e->sequence = r->sequence++;
    assert_int_equal(calendar_move(&r->c, e->id, e->time_s), CALENDAR_OK);
    assert_true(calendar_pending(&r->c, e->id));
}

static void use_stale_one(struct reference *r)
{
    const uint32_t tag = random_below(&r->s, r->used);
    struct entry *e = &r->entries[tag];
    if (!e->alive && !schedule_again(r, tag)) {
        assert_false(calendar_pending(&r->c, e->id));
        assert_false(calendar_cancel(&r->c, e->id));
        assert_int_equal(calendar_move(&r->c, e->id, r->c.now_s + 1), CALENDAR_BAD_TIME);
    }
}

static void check_view(const struct reference *r)
{
    assert_int_equal(calendar_count(&r->c), r->alive_count);
    double next_s = r->alive_count == 0 ? HUGE_VAL : r->entries[r->alive[next_alive(r)]].time_s;
    assert_true(calendar_next_time(&r->c) == next_s);
}

/* The number of pending events swings between a few and many. */
static void operate(struct reference *r)
{
    static const size_t wanted[] = {2, 600, 40, 6, 200};
    bool grow = r->alive_count < wanted[r->operations++ / 8000 % 5];
    uint32_t what = random_below(&r->s, 20);
    if (r->alive_count == 0 || what < (grow ? 15 : 4)) {
        schedule_one(r);
    } else if (what < (grow ? 16 : 13)) {
        cancel_one(r);
    } else if (what < 18) {
        move_one(r);
    } else {
        use_stale_one(r);
    }
    check_view(r);
}

static void fire(void *actor, uint64_t tag)
{
    struct reference *r = actor;
    size_t next = next_alive(r);
    assert_int_equal(tag, r->alive[next]);
    assert_true(r->c.now_s == r->entries[tag].time_s);
    bury(r, next);
    check_view(r);
    if (random_below(&r->s, 4) == 0) {
        assert_int_equal(calendar_again(&r->c, &r->entries[tag].id, r->c.now_s - 1),
                         CALENDAR_BAD_TIME);
        assert_int_equal(schedule_again(r, (uint32_t)tag), !r->entries[tag].aside);
    }
    for (uint32_t n = random_below(&r->s, 4); n > 0; n--) {
        operate(r);
    }
}

static void same_order_as_a_list(void **state)
{
    (void)state;
    struct reference r = {0};
    r.entries = calloc(MOST_ENTRIES, sizeof *r.entries);
    r.alive = calloc(MOST_ENTRIES, sizeof *r.alive);
    assert_non_null(r.entries);
    assert_non_null(r.alive);
    assert_true(calendar_init(&r.c, 100000));
    random_stream_init(&r.s, (struct random_world){.seed = 7, .replication = 0}, 1);
    while (r.operations < 100000) {
        if (random_below(&r.s, 3)) {
            operate(&r);
        } else {
            calendar_step(&r.c, r.c.now_s + 2);
        }
        if (r.alive_count > r.most_pending) {
            r.most_pending = r.alive_count;
        }
        if (random_below(&r.s, 20000) == 0) {
            calendar_reset(&r.c);
            while (r.alive_count > 0) {
                bury(&r, 0);
            }
            check_view(&r);
        }
    }
    while (calendar_step(&r.c, 1e9)) {
    }
    assert_int_equal(r.alive_count, 0);
    assert_true(r.most_pending > 500); /* the heap was deep enough to be wrong */
    calendar_release(&r.c);
    free(r.entries);
    free(r.alive);
}

/* ---- the rules ------------------------------------------------------------------------------ */

struct log {
    struct calendar c;
    uint64_t tags[64];
    double times[64];
    size_t n;
};

static void record(void *actor, uint64_t tag)
{
    struct log *l = actor;
    l->times[l->n] = l->c.now_s;
    l->tags[l->n++] = tag;
}

static int set_up(void **state)
{
    struct log *l = calloc(1, sizeof *l);
    if (l == NULL || !calendar_init(&l->c, 1000)) {
        free(l);
        return 1;
    }
    *state = l;
    return 0;
}

static int tear_down(void **state)
{
    struct log *l = *state;
    calendar_release(&l->c);
    free(l);
    return 0;
}

static struct event_id schedule(struct log *l, double time_s, enum event_class class_, uint64_t tag)
{
    struct event_id id = EVENT_NONE;
    assert_int_equal(calendar_schedule(&l->c, time_s, class_, record, l, tag, &id), CALENDAR_OK);
    return id;
}

static void ties_fire_by_class_then_order(void **state)
{
    struct log *l = *state;
    schedule(l, 5, EVENT_MEASURE, 6);
    schedule(l, 5, EVENT_WORK, 3);
    struct event_id moved = schedule(l, 5, EVENT_WORK, 5);
    schedule(l, 5, EVENT_NODE, 2);
    schedule(l, 5, EVENT_WORK, 4);
    schedule(l, 5, EVENT_MARKET, 1);
    schedule(l, 4.5, EVENT_MEASURE, 0);
    /* Moving to the same instant is a new place in its order. */
    assert_int_equal(calendar_move(&l->c, moved, 5), CALENDAR_OK);
    while (calendar_step(&l->c, 5)) {
    }
    assert_int_equal(l->n, 7);
    for (uint64_t i = 0; i < 7; i++) {
        assert_int_equal(l->tags[i], i);
    }
    assert_int_equal(l->c.fired, 7);
}

static void impossible_times_are_refused(void **state)
{
    struct log *l = *state;
    struct event_id id = schedule(l, 10, EVENT_WORK, 1);
    assert_true(calendar_step(&l->c, 10));
    const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, -1, 9.999999};
    struct event_id pending = schedule(l, 20, EVENT_WORK, 2);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct event_id untouched = {77, 78};
        assert_int_equal(calendar_schedule(&l->c, bad[i], EVENT_WORK, record, l, 3, &untouched),
                         CALENDAR_BAD_TIME);
        assert_int_equal(untouched.slot, 77);
        assert_int_equal(untouched.generation, 78);
        assert_int_equal(calendar_move(&l->c, pending, bad[i]), CALENDAR_BAD_TIME);
    }
    assert_int_equal(calendar_move(&l->c, id, 30), CALENDAR_BAD_TIME);
    assert_int_equal(calendar_count(&l->c), 1);
    assert_true(calendar_next_time(&l->c) == 20);
    assert_int_equal(calendar_schedule(&l->c, 10, EVENT_WORK, record, l, 4, NULL), CALENDAR_OK);
}

static void minus_zero_is_zero(void **state)
{
    struct log *l = *state;
    schedule(l, 0, EVENT_WORK, 1);
    schedule(l, -0.0, EVENT_WORK, 2);
    schedule(l, -0.0, EVENT_MARKET, 0);
    while (calendar_step(&l->c, 0)) {
    }
    assert_int_equal(l->n, 3);
    for (uint64_t i = 0; i < 3; i++) {
        assert_int_equal(l->tags[i], i);
        assert_false(signbit(l->times[i]));
    }
}

static void the_clock_stops_at_events(void **state)
{
    struct log *l = *state;
    assert_true(calendar_next_time(&l->c) == HUGE_VAL);
    assert_false(calendar_step(&l->c, 100));
    schedule(l, 50, EVENT_WORK, 1);
    assert_false(calendar_step(&l->c, 49.999));
    assert_false(calendar_step(&l->c, (double)NAN));
    assert_true(l->c.now_s == 0);
    assert_true(calendar_step(&l->c, 50));
    assert_true(l->c.now_s == 50);
    assert_false(calendar_step(&l->c, 1000));
    assert_true(l->c.now_s == 50);
}

static void handles_go_stale(void **state)
{
    struct log *l = *state;
    assert_false(calendar_pending(&l->c, EVENT_NONE));
    assert_false(calendar_cancel(&l->c, EVENT_NONE));
    struct event_id first = schedule(l, 1, EVENT_WORK, 1);
    assert_true(calendar_cancel(&l->c, first));
    struct event_id second = schedule(l, 1, EVENT_WORK, 2);
    assert_int_equal(first.slot, second.slot); /* used again, and told apart */
    assert_false(calendar_cancel(&l->c, first));
    assert_true(calendar_step(&l->c, 1));
    assert_false(calendar_pending(&l->c, second));
    assert_false(calendar_cancel(&l->c, (struct event_id){12345678, 1}));
    struct event_id third = schedule(l, 2, EVENT_WORK, 3);
    calendar_reset(&l->c);
    assert_true(l->c.now_s == 0);
    assert_int_equal(l->c.fired, 0);
    assert_int_equal(calendar_count(&l->c), 0);
    assert_false(calendar_pending(&l->c, third));
    struct event_id fourth = schedule(l, 2, EVENT_WORK, 4);
    assert_false(calendar_cancel(&l->c, third));
    assert_true(calendar_pending(&l->c, fourth));
}

static void the_cap_holds(void **state)
{
    (void)state;
    struct log l = {0};
    const uint32_t caps[] = {0, 1, 5, 64, 65, 200};
    for (size_t k = 0; k < sizeof caps / sizeof caps[0]; k++) {
        assert_true(calendar_init(&l.c, caps[k]));
        struct event_id id = EVENT_NONE;
        for (uint32_t i = 0; i < caps[k]; i++) {
            id = schedule(&l, caps[k] - i, EVENT_WORK, i);
        }
        assert_int_equal(calendar_schedule(&l.c, 1, EVENT_WORK, record, &l, 0, NULL),
                         CALENDAR_FULL);
        assert_int_equal(calendar_count(&l.c), caps[k]);
        if (caps[k] > 0) {
            assert_true(calendar_cancel(&l.c, id));
            schedule(&l, 1, EVENT_WORK, 0);
            assert_int_equal(calendar_schedule(&l.c, 1, EVENT_WORK, record, &l, 0, NULL),
                             CALENDAR_FULL);
            assert_true(calendar_next_time(&l.c) == 1);
        }
        calendar_release(&l.c);
    }
}

static void the_sequence_ends_cleanly(void **state)
{
    struct log *l = *state;
    l->c.sequence = ((UINT64_C(1) << 37) - 2) << 24; /* two are left */
    struct event_id id = schedule(l, 1, EVENT_MARKET, 1);
    schedule(l, 1, EVENT_MARKET, 2);
    assert_int_equal(calendar_schedule(&l->c, 1, EVENT_MARKET, record, l, 3, NULL), CALENDAR_FULL);
    assert_int_equal(calendar_move(&l->c, id, 2), CALENDAR_FULL);
    while (calendar_step(&l->c, 1)) {
    }
    assert_int_equal(l->tags[0], 1);
    assert_int_equal(l->tags[1], 2);
    calendar_reset(&l->c);
    schedule(l, 1, EVENT_MARKET, 3);
}

static void step_within(void *actor, uint64_t tag)
{
    struct log *l = actor;
    record(actor, tag);
    assert_true(calendar_step(&l->c, 10)); /* fires the next one from within */
    schedule(l, l->c.now_s, EVENT_WORK, 30);
}

static void handlers_may_step(void **state)
{
    struct log *l = *state;
    assert_int_equal(calendar_schedule(&l->c, 1, EVENT_WORK, step_within, l, 10, NULL),
                     CALENDAR_OK);
    schedule(l, 2, EVENT_WORK, 20);
    schedule(l, 3, EVENT_WORK, 40);
    while (calendar_step(&l->c, 10)) {
    }
    assert_int_equal(l->n, 4);
    for (uint64_t i = 0; i < 4; i++) {
        assert_int_equal(l->tags[i], 10 * (i + 1));
    }
}

static void reset_within(void *actor, uint64_t tag)
{
    struct log *l = actor;
    record(actor, tag);
    calendar_reset(&l->c);
    schedule(l, 0.5, EVENT_WORK, 99);
}

static void handlers_may_reset(void **state)
{
    struct log *l = *state;
    assert_int_equal(calendar_schedule(&l->c, 1, EVENT_WORK, reset_within, l, 1, NULL),
                     CALENDAR_OK);
    struct event_id dropped = schedule(l, 2, EVENT_WORK, 2);
    assert_true(calendar_step(&l->c, 10));
    assert_false(calendar_pending(&l->c, dropped));
    assert_int_equal(calendar_count(&l->c), 1);
    assert_true(calendar_step(&l->c, 10));
    assert_int_equal(l->tags[1], 99);
    assert_true(l->c.now_s == 0.5);
    assert_false(calendar_step(&l->c, 10));
}

static void a_deep_heap_comes_out_sorted(void **state)
{
    (void)state;
    struct log l = {0};
    assert_true(calendar_init(&l.c, 300000));
    struct random_stream s;
    random_stream_init(&s, (struct random_world){.seed = 1, .replication = 1}, 2);
    for (int i = 0; i < 300000; i++) {
        schedule(&l, random_uniform(&s), EVENT_WORK, 0);
    }
    double before_s = 0;
    for (int i = 0; i < 300000; i++) {
        assert_true(calendar_next_time(&l.c) >= before_s);
        before_s = calendar_next_time(&l.c);
        l.n = 0;
        assert_true(calendar_step(&l.c, 1));
        assert_true(l.c.now_s == before_s);
    }
    assert_int_equal(calendar_count(&l.c), 0);
    calendar_release(&l.c);
}

#define WITH_LOG(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_order_as_a_list),
        WITH_LOG(ties_fire_by_class_then_order),
        WITH_LOG(impossible_times_are_refused),
        WITH_LOG(minus_zero_is_zero),
        WITH_LOG(the_clock_stops_at_events),
        WITH_LOG(handles_go_stale),
        cmocka_unit_test(the_cap_holds),
        WITH_LOG(the_sequence_ends_cleanly),
        WITH_LOG(handlers_may_step),
        WITH_LOG(handlers_may_reset),
        cmocka_unit_test(a_deep_heap_comes_out_sorted),
    };
    return cmocka_run_group_tests_name("calendar", tests, NULL, NULL);
}
