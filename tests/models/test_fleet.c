/* SPDX-License-Identifier: GPL-3.0-or-later
 * Nodes and their life in a market written by hand: when they come, boot and go, what crews are
 * told, and the usage records that are left. */
#include "engine/distribution.h"
#include "tests/support/crew_bed.h"
#include "tests/support/scripted_market_double.h"
#include "tests/support/testing.h"

#include <math.h>
#include <string.h>

/* An owner that asks for what it has just lost. */
static void ask_again(struct bed_owner *o, struct crew *c)
{
    (void)o;
    crew_ask(c);
}

/* ---- boot and life ---- */

/* The k-th launch of a slot draws its boot at index k from a source of the slot's own. */
static double boot_of(const struct bed *b, const struct distribution *d, uint32_t slot,
                      uint32_t ordinal)
{
    return distribution_quantile(
        d, random_uniform_at(b->world, random_source("launch/a/spot/%u/boot", slot), ordinal));
}

static void a_gang_is_ready_at_its_slowest_boot(void **state)
{
    (void)state;
    struct scripted_pool p = bed_spot();
    struct bed b;
    bed_make(&b, &p, 1);
    b.boot = variate_constant(0);
    b.boot.family = DISTRIBUTION_UNIFORM;
    b.boot.p[0] = NUMBER_CERTAIN(50);
    b.boot.p[1] = NUMBER_CERTAIN(150);
    struct crew *c = bed_add(&b, 0, 0, 3);
    struct distribution d;
    assert_true(variate_resolve(&b.boot, NULL, &d));
    for (int world_twice = 0; world_twice < 2; world_twice++) {
        bed_begin(&b);
        for (uint32_t ordinal = 0; ordinal < 3; ordinal++) {
            double start_s = b.calendar.now_s, slowest_s = 0;
            b.told[0] = '\0';
            crew_ask(c);
            for (uint32_t i = 0; i < 3; i++) {
                double boot_s = boot_of(&b, &d, i, ordinal);
                assert_near(c->nodes[i].ready_s, start_s + boot_s, 1e-9, "ready");
                slowest_s = fmax(slowest_s, boot_s);
            }
            bed_run(&b, 1000);
            assert_near(b.calendar.now_s, start_s + slowest_s, 1e-9, "the gang is ready");
            assert_non_null(strstr(b.told, "ready"));
            crew_release(c, END_RELEASED);
        }
        assert_int_equal(b.log.count, 9); /* no twins: their boots differ */
        for (size_t i = 0; i < 9; i++) {
            const struct usage *u = &b.log.records[i];
            assert_near((double)u->activity_us[ACTIVITY_BOOT] / 1e6,
                        boot_of(&b, &d, u->slot, (uint32_t)i / 3), 1e-6, "boot");
        }
    }
    bed_release(&b);
}

static void a_hazard_strikes_each_launch_at_its_own_time(void **state)
{
    (void)state;
    struct scripted_pool p = bed_spot();
    p.hazard_per_s = 1e-3;
    p.notice_s = 120;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 1);
    /* Draws may be made in batches, which must not show: across two of them, and in a new world. */
    enum { LAUNCHES = 19 };
    for (uint32_t world = 0; world < 2; world++) {
        b.world.replication += world;
        bed_begin(&b);
        double at_s = 0;
        for (uint32_t ordinal = 0; ordinal < LAUNCHES; ordinal++) {
            crew_ask(c);
            bed_run(&b, 1e9);
            double end_s = at_s + bed_life_s(&b, 0, ordinal, p.hazard_per_s) + p.notice_s;
            assert_near(b.calendar.now_s, end_s, 1e-6, "gone");
            const struct usage *u = &b.log.records[ordinal];
            assert_int_equal(u->start_us, microseconds(at_s));
            assert_int_equal(u->end_us, microseconds(end_s));
            assert_int_equal(u->reason, END_INTERRUPTED);
            at_s = end_s;
        }
        assert_int_equal(c->launched, LAUNCHES);
        assert_int_equal(c->interrupted, LAUNCHES);
    }
    bed_release(&b);
}

/* The strike frees the node's room for others, at the notice. */
static void what_a_hazard_frees_goes_to_the_queue(void **state)
{
    (void)state;
    struct scripted_pool p = bed_spot();
    p.steps[0].nodes = 1;
    p.step_count = 1;
    p.hazard_per_s = 1e-3;
    p.notice_s = 50;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *a = bed_add(&b, 0, 0, 1), *c = bed_add(&b, 1, 0, 1);
    bed_begin(&b);
    crew_ask(a);
    crew_ask(c);
    double struck_s = bed_life_s(&b, 0, 0, p.hazard_per_s);
    bed_run(&b, struck_s);
    assert_int_equal(a->noticed, 1);
    assert_int_equal(c->held, 1);
    assert_near(c->nodes[0].start_s, struck_s, 0, "served at the notice");
    bed_release(&b);
}

/* The latest boot counts even when the node that boots longest is lost and replaced. */
static void a_gang_is_ready_at_the_slowest_of_those_it_holds(void **state)
{
    (void)state;
    struct scripted_pool p = bed_spot();
    p.hazard_per_s = 2e-3;
    struct bed b;
    bed_make(&b, &p, 1);
    b.boot.family = DISTRIBUTION_UNIFORM;
    b.boot.p[0] = NUMBER_CERTAIN(50);
    b.boot.p[1] = NUMBER_CERTAIN(400);
    struct crew *c = bed_add(&b, 0, 0, 4);
    b.owners[0].on_lost = ask_again;
    uint32_t ready = 0, replaced = 0;
    for (b.world.replication = 0; b.world.replication < 200; b.world.replication++) {
        bed_begin(&b);
        crew_ask(c);
        while (strstr(b.told, "ready") == NULL) {
            b.told[0] = '\0';
            assert_true(calendar_step(&b.calendar, 1e9));
        }
        double slowest_s = 0;
        for (uint32_t i = 0; i < c->size; i++) {
            slowest_s = fmax(slowest_s, c->nodes[i].ready_s);
        }
        assert_near(b.calendar.now_s, slowest_s, 1e-9, "ready");
        ready++;
        replaced += c->launched > 4;
    }
    assert_true(ready == 200 && replaced > 50);
    bed_release(&b);
}

/* ---- notices ---- */

static void a_node_goes_when_its_notice_ends(void **state)
{
    (void)state;
    struct scripted_pool p = bed_stepped(500, 4, 0);
    p.notice_s = 120;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 4);
    bed_begin(&b);
    crew_ask(c);
    bed_run(&b, 1e9);
    bed_assert_told(&b,
                    "0 a holds 4; 100 a ready; 500 a noticed 4; 500 a capacity; 620 a left 0; ");
    assert_int_equal(b.log.count, 1);
    bed_assert_record(&b, 0, "a 0-3 0..620 interrupted");
    bed_release(&b);
}

static void a_notice_in_boot_keeps_the_gang_from_being_ready(void **state)
{
    (void)state;
    struct scripted_pool p = bed_stepped(50, 4, 3);
    p.notice_s = 120;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 4);
    bed_begin(&b);
    crew_ask(c);
    bed_run(&b, 1e9);
    bed_assert_told(&b, "0 a holds 4; 50 a noticed 1; 50 a capacity; 170 a left 3; ");
    bed_release(&b);
}

/* Given back in boot and asked for again: what boots now is not ready when the old would have been.
 */
static void a_gang_given_back_in_boot_is_never_ready(void **state)
{
    (void)state;
    struct scripted_pool p = bed_spot();
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 2);
    bed_begin(&b);
    crew_ask(c);
    bed_at(&b, 50, bed_release_crew, c);
    bed_at(&b, 60, bed_ask, c);
    bed_run(&b, 1000);
    bed_assert_told(&b, "0 a holds 2; 60 a holds 2; 160 a ready; ");
    bed_release(&b);
}

static void nodes_given_back_under_notice_were_ended_by_us(void **state)
{
    (void)state;
    struct scripted_pool p = bed_stepped(500, 2, 0);
    p.notice_s = 120;
    p.delay_s = 1000;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 2);
    bed_begin(&b);
    crew_ask(c);
    bed_at(&b, 560, bed_release_crew, c);
    bed_run(&b, 1e9);
    bed_assert_told(&b, "0 a holds 2; 100 a ready; 500 a noticed 2; 500 a capacity; ");
    bed_assert_record(&b, 0, "a 0-1 0..560 released");
    assert_int_equal(c->interrupted, 0);
    assert_true(b.fleet->pools[0]->closed_until_s <= 0); /* no regain after no loss */
    bed_release(&b);
}

static void a_drop_during_a_notice_takes_only_what_is_above_capacity(void **state)
{
    (void)state;
    struct scripted_pool p = bed_spot();
    const struct scripted_step steps[] = {{0, 4}, {500, 3}, {560, 2}, {600, 4}};
    memcpy(p.steps, steps, sizeof steps);
    p.step_count = 4;
    p.notice_s = 120;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 4);
    bed_begin(&b);
    crew_ask(c);
    bed_run(&b, 1e9);
    bed_assert_told(&b,
                    "0 a holds 4; 100 a ready; 500 a noticed 1; 500 a capacity; 560 a noticed 2; "
                    "560 a capacity; 600 a capacity; 620 a left 3; 680 a left 2; ");
    bed_release(&b);
}

/* ---- books ---- */

/* Told 30 useful and 20 lost of the 100 s after boot: 50 were waiting. */
static void what_nobody_tells_was_waiting(void **state)
{
    (void)state;
    struct scripted_pool p = bed_spot();
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 2);
    bed_begin(&b);
    crew_ask(c);
    bed_at(&b, 200, bed_release_crew, c);
    bed_run(&b, 150);
    crew_did(c, ACTIVITY_USEFUL, 30);
    crew_did(c, ACTIVITY_LOST, 20);
    bed_run(&b, 1000);
    const int64_t *us = b.log.records[0].activity_us;
    assert_int_equal(us[ACTIVITY_BOOT], 100000000);
    assert_int_equal(us[ACTIVITY_USEFUL], 30000000);
    assert_int_equal(us[ACTIVITY_LOST], 20000000);
    assert_int_equal(us[ACTIVITY_WAITING], 50000000);
    bed_release(&b);
}

/* ---- worlds and failures ---- */

static void a_new_world_begins_empty(void **state)
{
    (void)state;
    struct scripted_pool p = bed_stepped(500, 2, 1);
    p.notice_s = 100;
    p.delay_s = 1e6;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *a = bed_add(&b, 0, 0, 2), *c = bed_add(&b, 1, 0, 2);
    bed_begin(&b);
    crew_ask(a);
    crew_ask(c);
    bed_run(&b, 700); /* closed, held, queued */
    bed_begin(&b);
    assert_int_equal(a->held + c->held + a->asked + c->asked + a->launched, 0);
    crew_ask(c);
    bed_run(&b, 100);
    bed_assert_told(&b, "0 b holds 2; 100 b ready; ");
    bed_release(&b);
}

static void an_impossible_boot_is_refused(void **state)
{
    (void)state;
    struct scripted_pool p = bed_spot();
    struct bed b;
    bed_make(&b, &p, 1);
    b.boot.family = DISTRIBUTION_EXPONENTIAL;
    b.boot.p[0] = NUMBER_CERTAIN(-1);
    bed_add(&b, 0, 0, 2);
    assert_false(fleet_begin(b.fleet, b.world, NULL, NULL));
    bed_release(&b);
}

static void too_many_events_or_records_are_told(void **state)
{
    (void)state;
    struct scripted_pool p = bed_spot();
    p.hazard_per_s = 1e-3;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 20);
    calendar_release(&b.calendar);
    assert_true(calendar_init(&b.calendar, 10));
    bed_begin(&b);
    crew_ask(c); /* 20 strikes */
    assert_true(fleet_failed(b.fleet));
    bed_begin(&b);
    assert_false(fleet_failed(b.fleet));
    fleet_fail(b.fleet);
    assert_true(fleet_failed(b.fleet));
    bed_release(&b);

    p.hazard_per_s = 0;
    bed_make(&b, &p, 1);
    usage_log_release(&b.log);
    usage_log_init(&b.log, 1);
    c = bed_add(&b, 0, 0, 1);
    bed_begin(&b);
    for (int i = 0; i < 2; i++) {
        assert_false(fleet_failed(b.fleet));
        crew_ask(c);
        crew_release(c, END_RELEASED);
    }
    assert_true(fleet_failed(b.fleet));
    bed_release(&b);
}

/* A gang that comes and goes together is few events and one record, but work on every node. */
static void work_grows_with_the_gang(void **state)
{
    static const uint32_t sizes[] = {10, 1000};
    double work[2];

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const struct scripted_pool pool = bed_spot();
        struct bed b;
        bed_make(&b, &pool, 1);
        struct crew *c = bed_add(&b, 0, 0, sizes[i]);
        bed_begin(&b);
        assert_true(fleet_work(b.fleet) < 1);
        for (int k = 0; k < 5; k++) {
            bed_at(&b, 100 * k, bed_ask, c);
            bed_at(&b, 100 * k + 50, bed_release_crew, c);
        }
        bed_run(&b, 1e6);
        assert_int_equal(c->launched, 5 * sizes[i]);
        assert_true(b.log.count <= 5);
        work[i] = fleet_work(b.fleet);
        assert_true(work[i] >= c->launched);
        fleet_count_work(b.fleet, 640000);
        assert_true(fleet_work(b.fleet) > work[i]);
        bed_begin(&b);
        assert_true(fleet_work(b.fleet) < 1);
        bed_release(&b);
    }
    assert_relative(work[1], 100 * work[0], 1e-9, "work");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gang_is_ready_at_its_slowest_boot),
        cmocka_unit_test(a_hazard_strikes_each_launch_at_its_own_time),
        cmocka_unit_test(what_a_hazard_frees_goes_to_the_queue),
        cmocka_unit_test(a_gang_is_ready_at_the_slowest_of_those_it_holds),
        cmocka_unit_test(a_node_goes_when_its_notice_ends),
        cmocka_unit_test(a_notice_in_boot_keeps_the_gang_from_being_ready),
        cmocka_unit_test(a_gang_given_back_in_boot_is_never_ready),
        cmocka_unit_test(nodes_given_back_under_notice_were_ended_by_us),
        cmocka_unit_test(a_drop_during_a_notice_takes_only_what_is_above_capacity),
        cmocka_unit_test(what_nobody_tells_was_waiting),
        cmocka_unit_test(a_new_world_begins_empty),
        cmocka_unit_test(an_impossible_boot_is_refused),
        cmocka_unit_test(too_many_events_or_records_are_told),
        cmocka_unit_test(work_grows_with_the_gang),
    };
    return cmocka_run_group_tests_name("fleet", tests, NULL, NULL);
}
