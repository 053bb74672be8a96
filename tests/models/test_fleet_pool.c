/* SPDX-License-Identifier: GPL-3.0-or-later
 * A pool as a strategy sees it: who is served, who falls, and for how long it stays closed, in a
 * market written by hand. */
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

/* ---- grants ---- */

static void a_crew_gets_what_there_is_and_the_rest_as_it_comes(void **state)
{
    (void)state;
    struct scripted_pool p = bed_stepped(50, 3, 5);
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 4);
    bed_begin(&b);
    crew_ask(c);
    crew_ask(c); /* no effect */
    assert_int_equal(c->held, 3);
    assert_false(crew_complete(c));
    bed_run(&b, 1000);
    bed_assert_told(&b, "0 a holds 3; 50 a holds 4; 50 a capacity; 150 a ready; ");
    crew_release(c, END_FINISHED);
    assert_int_equal(b.log.count, 2);
    bed_assert_record(&b, 0, "a 0-2 0..150 finished");
    bed_assert_record(&b, 1, "a 3-3 50..150 finished");
    bed_release(&b);
}

static void first_come_first_served(void **state)
{
    (void)state;
    struct scripted_pool p = bed_stepped(100, 0, 5);
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *a = bed_add(&b, 0, 0, 2), *second = bed_add(&b, 1, 0, 2);
    struct crew *third = bed_add(&b, 2, 0, 2);
    bed_begin(&b);
    bed_at(&b, 10, bed_ask, third);
    bed_at(&b, 20, bed_ask, a);
    bed_at(&b, 30, bed_ask, second);
    bed_at(&b, 40, bed_withdraw, third); /* loses its place */
    bed_at(&b, 50, bed_ask, third);
    bed_run(&b, 100);
    bed_assert_told(&b, "100 a holds 2; 100 b holds 2; 100 c holds 1; "
                        "100 a capacity; 100 b capacity; 100 c capacity; ");
    /* What one gives back goes to the one that waits; then all hear of room. */
    bed_at(&b, 110, bed_release_crew, a);
    bed_run(&b, 110);
    bed_assert_told(&b, "110 c holds 2; 110 a room; 110 b room; 110 c room; ");
    bed_release(&b);
}

static void one_crew_alone_is_not_told_of_its_own_room(void **state)
{
    (void)state;
    struct scripted_pool pools[2] = {bed_spot(), bed_spot()};
    pools[1].name = "other";
    struct bed b;
    bed_make(&b, pools, 2);
    struct crew *c = bed_add(&b, 0, 0, 2);
    bed_add(&b, 1, 1, 2);
    bed_begin(&b);
    crew_ask(c);
    crew_release(c, END_RELEASED);
    bed_run(&b, 1000);
    bed_assert_told(&b, "0 a holds 2; ");
    bed_release(&b);
}

static void obtainable_means_whole_and_at_once(void **state)
{
    (void)state;
    struct scripted_pool p = bed_stepped(100, 5, 6);
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *a = bed_add(&b, 0, 0, 4), *c = bed_add(&b, 1, 0, 2);
    bed_begin(&b);
    assert_true(crew_obtainable(a));
    crew_ask(a);
    assert_false(crew_obtainable(c)); /* one is left */
    crew_ask(c);
    bed_run(&b, 100);
    assert_int_equal(c->held, 2);
    crew_release(a, END_RELEASED);
    assert_true(crew_obtainable(a));
    bed_release(&b);
}

/* ---- who falls ---- */

static uint32_t fallen(const struct crew *c)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < c->size; i++) {
        mask |= (uint32_t)(c->nodes[i].state == NODE_NOTICED) << i;
    }
    return mask;
}

/* Two strategies that hold the same nodes when capacity drops lose the same ones, whatever they did
 * before. */
static void who_falls_does_not_depend_on_the_past(void **state)
{
    (void)state;
    for (int k = 0; k < 50; k++) {
        struct scripted_pool p = bed_stepped(1000 + 10 * k, 6, 3);
        p.notice_s = 1e6;
        uint32_t masks[2];
        for (int strategy = 0; strategy < 2; strategy++) {
            struct bed b;
            bed_make(&b, &p, 1);
            struct crew *c = bed_add(&b, 0, 0, 6);
            bed_begin(&b);
            crew_ask(c);
            if (strategy == 1) {
                bed_at(&b, 200, bed_release_crew, c);
                bed_at(&b, 700, bed_ask, c);
            }
            bed_run(&b, 2000);
            masks[strategy] = fallen(c);
            bed_release(&b);
        }
        assert_int_equal(masks[0], masks[1]);
    }
}

/* Each subset of two of four falls alike: 1/6 of 6,000 drops, tolerance 5 standard errors. */
static void every_choice_is_equally_likely(void **state)
{
    (void)state;
    uint32_t counts[16] = {0};
    const int drops = 6000;
    for (int k = 0; k < drops; k++) {
        struct scripted_pool p = bed_stepped(1 + k, 4, 2);
        p.notice_s = 1e6;
        struct bed b;
        bed_make(&b, &p, 1);
        struct crew *c = bed_add(&b, 0, 0, 4);
        bed_begin(&b);
        crew_ask(c);
        bed_run(&b, 1 + k);
        counts[fallen(c)]++;
        bed_release(&b);
    }
    double error = sqrt(drops * (1.0 / 6) * (5.0 / 6));
    uint32_t pairs = 0;
    for (uint32_t mask = 0; mask < 16; mask++) {
        if (counts[mask] > 0) {
            assert_near(counts[mask], drops / 6.0, 5 * error, "drops of this pair");
            pairs++;
        }
    }
    assert_int_equal(pairs, 6);
}

static uint32_t seen_noticed[BED_CREWS];

/* Gives all back and asks again at once: the greatest disturbance an owner can make. */
static void start_over(struct bed_owner *o, struct crew *c)
{
    for (int i = 0; i < 2; i++) {
        seen_noticed[i] = o->bed->crews[i]->noticed;
    }
    crew_release(c, END_RELEASED);
    crew_ask(c);
}

/* All are marked before anybody is told; what an owner does then changes nothing for the others. */
static void a_reaction_does_not_change_who_falls(void **state)
{
    (void)state;
    struct scripted_pool p = bed_stepped(500, 8, 4);
    p.notice_s = 100;
    uint32_t masks[2] = {0};
    for (int reacts = 0; reacts < 2; reacts++) {
        struct bed b;
        bed_make(&b, &p, 1);
        struct crew *a = bed_add(&b, 0, 0, 4), *c = bed_add(&b, 1, 0, 4);
        b.owners[0].on_noticed = reacts ? start_over : NULL;
        bed_begin(&b);
        crew_ask(a);
        crew_ask(c);
        bed_run(&b, 500);
        masks[reacts] = fallen(c);
        assert_true(c->noticed > 0 && c->noticed < 4);
        if (reacts) {
            assert_int_equal(seen_noticed[0] + seen_noticed[1], 4);
            assert_int_equal(seen_noticed[1], c->noticed);
            /* The survivors of b keep what they hold; a gets what room is left. */
            assert_int_equal(a->held - a->noticed + c->held - c->noticed, 4);
        }
        bed_release(&b);
    }
    assert_int_equal(masks[0], masks[1]);
}

/* ---- regain ---- */

static void a_pool_stays_closed_after_a_loss(void **state)
{
    (void)state;
    struct scripted_pool p = bed_spot();
    const struct scripted_step steps[] = {{0, 2}, {500, 0}, {510, 2}};
    memcpy(p.steps, steps, sizeof steps);
    p.step_count = 3;
    p.notice_s = 100;
    p.delay_s = 200;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 2);
    b.owners[0].on_lost = ask_again;
    bed_begin(&b);
    assert_true(crew_obtainable(c)); /* not before the first start */
    crew_ask(c);
    bed_run(&b, 799);
    bed_assert_told(&b,
                    "0 a holds 2; 100 a ready; 500 a noticed 2; 500 a capacity; 510 a capacity; "
                    "600 a left 0; ");
    bed_run(&b, 850);
    bed_assert_told(&b, "800 a holds 2; 800 a capacity; ");
    bed_release(&b);
}

/* Even if nobody asks: who runs elsewhere wants to know. */
static void owners_are_told_when_a_pool_reopens(void **state)
{
    (void)state;
    struct scripted_pool p = bed_spot();
    const struct scripted_step steps[] = {{0, 2}, {500, 0}, {510, 2}};
    memcpy(p.steps, steps, sizeof steps);
    p.step_count = 3;
    p.delay_s = 200;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 2);
    bed_begin(&b);
    crew_ask(c);
    bed_run(&b, 699);
    assert_false(crew_obtainable(c));
    bed_assert_told(&b, "0 a holds 2; 100 a ready; 500 a noticed 2; 500 a left 0; 500 a capacity; "
                        "510 a capacity; ");
    bed_run(&b, 1e9);
    bed_assert_told(&b, "700 a capacity; ");
    assert_true(crew_obtainable(c));
    bed_release(&b);
}

/* The k-th loss of a pool draws its regain at index k; a later loss cannot shorten the time. */
static void regain_is_drawn_anew_for_each_loss(void **state)
{
    (void)state;
    struct scripted_pool p = bed_spot();
    p.hazard_per_s = 1e-3;
    p.delay_spread_s = 5000;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 2);
    int first_counts = 0;
    for (b.world.replication = 0; b.world.replication < 20; b.world.replication++) {
        bed_begin(&b);
        crew_ask(c);
        double lost_s[2] = {bed_life_s(&b, 0, 0, 1e-3), bed_life_s(&b, 1, 0, 1e-3)};
        uint64_t source = random_source("regain/spot");
        double open_s[2] = {
            fmin(lost_s[0], lost_s[1]) + 5000 * random_uniform_at(b.world, source, 0),
            fmax(lost_s[0], lost_s[1]) + 5000 * random_uniform_at(b.world, source, 1)};
        first_counts += open_s[0] > open_s[1];
        bed_run(&b, fmax(lost_s[0], lost_s[1]));
        assert_int_equal(c->held, 0);
        crew_ask(c);
        while (c->held == 0) {
            assert_true(calendar_step(&b.calendar, 1e9));
        }
        assert_near(b.calendar.now_s, fmax(open_s[0], open_s[1]), 1e-6, "reopened");
    }
    assert_true(first_counts > 2 && first_counts < 18);
    bed_release(&b);
}

/* The pool reopens at the instant at which its capacity is gone: nothing is granted. */
static void a_pool_that_reopens_as_its_capacity_goes_grants_nothing(void **state)
{
    (void)state;
    struct scripted_pool p = bed_spot();
    const struct scripted_step steps[] = {{0, 2}, {500, 0}, {510, 2}, {700, 0}};
    memcpy(p.steps, steps, sizeof steps);
    p.step_count = 4;
    p.delay_s = 200;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 2);
    b.owners[0].on_lost = ask_again;
    bed_begin(&b);
    crew_ask(c);
    bed_run(&b, 1e9);
    assert_int_equal(c->launched, 2);
    bed_release(&b);
}

/* ---- waits ---- */

static double wait_of(const struct bed *b, uint32_t slot, uint32_t ordinal)
{
    uint64_t source = random_source("launch/a/od/%u/wait", slot);
    return 10 + 100 * random_uniform_at(b->world, source, ordinal);
}

static struct scripted_pool waiting_pool(void)
{
    return (struct scripted_pool){
        .name = "od", .purchase = PURCHASE_ON_DEMAND, .delay_s = 10, .delay_spread_s = 100};
}

static void each_node_comes_after_a_wait_of_its_own(void **state)
{
    (void)state;
    struct scripted_pool p = waiting_pool();
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 3);
    bed_begin(&b);
    crew_ask(c);
    assert_int_equal(c->waiting, 3);
    bed_run(&b, 1e9);
    for (uint32_t i = 0; i < 3; i++) {
        assert_near(c->nodes[i].start_s, wait_of(&b, i, 0), 1e-9, "launched");
    }
    bed_release(&b);
}

/* Asked again, a slot that had not come yet has new luck: else a gang that gives its part back
 * would meet the same wait for ever. */
static void a_wait_given_up_is_drawn_anew(void **state)
{
    (void)state;
    struct scripted_pool p = waiting_pool();
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 3);
    bed_begin(&b);
    crew_ask(c);
    crew_withdraw(c);
    assert_int_equal(c->waiting, 0);
    crew_ask(c);
    bed_run(&b, 1e9);
    for (uint32_t i = 0; i < 3; i++) {
        assert_near(c->nodes[i].start_s, wait_of(&b, i, 1), 1e-9, "launched");
    }
    assert_int_equal(c->launched, 3);
    bed_release(&b);
}

static void a_wait_does_not_lift_the_limit(void **state)
{
    (void)state;
    struct scripted_pool p = waiting_pool();
    p.steps[0].nodes = 3;
    p.step_count = 1;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *a = bed_add(&b, 0, 0, 3), *c = bed_add(&b, 1, 0, 2);
    bed_begin(&b);
    crew_ask(a);
    bed_at(&b, 200, bed_ask, c);
    bed_at(&b, 500, bed_release_crew, a);
    bed_run(&b, 499);
    assert_int_equal(a->held, 3);
    assert_int_equal(c->held, 0);
    assert_int_equal(c->asked, 2);
    bed_run(&b, 500);
    assert_int_equal(c->held, 2);
    assert_near(c->nodes[0].start_s, 500, 0, "as room came");
    bed_release(&b);
}

/* ---- quotas ---- */

static const struct account_quota ten_vcpus = {"10 vCPUs", 10, true};

/* Two pools share 10 vCPUs; nodes of the first have 2, of the second 4. */
static void bed_with_quota(struct bed *b, struct crew **first, struct crew **second)
{
    struct scripted_pool pools[2] = {bed_spot(), bed_stepped(500, 5, 1)};
    pools[1].name = "other";
    pools[1].notice_s = 100;
    pools[0].quota = (struct pool_quota){&ten_vcpus, 2};
    pools[1].quota = (struct pool_quota){&ten_vcpus, 4};
    bed_make(b, pools, 2);
    *first = bed_add(b, 0, 0, 4);
    *second = bed_add(b, 1, 1, 2);
    bed_begin(b);
}

/* 2 nodes of 4 vCPUs leave 2: one node of 2. The rest comes when they are given back. */
static void pools_share_a_quota(void **state)
{
    (void)state;
    struct bed b;
    struct crew *first, *second;
    bed_with_quota(&b, &first, &second);
    assert_true(crew_obtainable(first));
    crew_ask(second);
    assert_int_equal(second->held, 2);
    assert_false(crew_obtainable(first)); /* the market has 4, the quota 1 */
    crew_ask(first);
    assert_int_equal(first->held, 1);
    assert_int_equal(pool_room(first->in), 0);
    bed_at(&b, 200, bed_release_crew, second);
    bed_run(&b, 200);
    assert_int_equal(first->held, 4);
    assert_false(crew_obtainable(second)); /* 2 are left, it needs 8 */
    bed_assert_told(&b, "0 b holds 2; 0 a holds 1; 100 b ready; 200 a holds 4; 200 a room; "
                        "200 b room; ");
    bed_release(&b);
}

/* The market takes a node of the second pool at 500: it counts until it is gone, at 600. */
static void a_node_counts_until_it_is_gone(void **state)
{
    (void)state;
    struct bed b;
    struct crew *first, *second;
    bed_with_quota(&b, &first, &second);
    crew_ask(second);
    crew_ask(first);
    bed_run(&b, 599);
    assert_int_equal(second->noticed, 1);
    assert_int_equal(first->held, 1);
    bed_run(&b, 600);
    assert_int_equal(second->held, 1);
    assert_int_equal(first->held, 3); /* 4 + 3 x 2 */
    bed_release(&b);
}

/* ---- rebalance recommendations ---- */

/* 60 s before a fall below what is held; not before one that takes nothing, nor to empty crews. */
static void falls_are_announced(void **state)
{
    (void)state;
    struct scripted_pool p = {.name = "spot",
                              .purchase = PURCHASE_SPOT,
                              .steps = {{0, 9}, {300, 5}, {500, 3}, {520, 9}},
                              .step_count = 4,
                              .rebalance_lead_s = 60};
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *a = bed_add(&b, 0, 0, 2), *c = bed_add(&b, 1, 0, 2);
    bed_add(&b, 2, 0, 5); /* holds nothing */
    bed_begin(&b);
    crew_ask(a);
    crew_ask(c);
    bed_run(&b, 299);
    bed_assert_told(&b, "0 a holds 2; 0 b holds 2; 100 a ready; 100 b ready; ");
    bed_run(&b, 499);
    bed_assert_told(&b, "300 a capacity; 300 b capacity; 300 c capacity; 440 a advised; "
                        "440 b advised; ");
    bed_release(&b);
}

/* A node's own end is announced to its crew alone, if it is still held then. */
static void ends_of_nodes_are_announced(void **state)
{
    (void)state;
    struct scripted_pool p = bed_spot();
    p.hazard_per_s = 1e-4;
    p.rebalance_lead_s = 1;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *a = bed_add(&b, 0, 0, 1);
    bed_add(&b, 1, 0, 1);
    bed_begin(&b);
    crew_ask(a);
    double life_s = bed_life_s(&b, 0, 0, 1e-4);
    bed_run(&b, life_s - 1.5);
    bed_assert_told(&b, "0 a holds 1; 100 a ready; ");
    bed_run(&b, life_s - 0.5);
    char told[40];
    snprintf(told, sizeof told, "%.7g a advised; ", life_s - 1);
    bed_assert_told(&b, told);
    bed_release(&b);
}

static void false_alarms_come_by_their_own_clock(void **state)
{
    (void)state;
    struct scripted_pool p = bed_spot();
    p.false_alarm_s = 400;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *a = bed_add(&b, 0, 0, 1);
    bed_begin(&b);
    bed_at(&b, 500, bed_ask, a);
    bed_run(&b, 1300);
    bed_assert_told(&b, "500 a holds 1; 600 a ready; 800 a advised; 1200 a advised; ");
    bed_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crew_gets_what_there_is_and_the_rest_as_it_comes),
        cmocka_unit_test(first_come_first_served),
        cmocka_unit_test(one_crew_alone_is_not_told_of_its_own_room),
        cmocka_unit_test(obtainable_means_whole_and_at_once),
        cmocka_unit_test(who_falls_does_not_depend_on_the_past),
        cmocka_unit_test(every_choice_is_equally_likely),
        cmocka_unit_test(a_reaction_does_not_change_who_falls),
        cmocka_unit_test(a_pool_stays_closed_after_a_loss),
        cmocka_unit_test(owners_are_told_when_a_pool_reopens),
        cmocka_unit_test(regain_is_drawn_anew_for_each_loss),
        cmocka_unit_test(a_pool_that_reopens_as_its_capacity_goes_grants_nothing),
        cmocka_unit_test(each_node_comes_after_a_wait_of_its_own),
        cmocka_unit_test(a_wait_given_up_is_drawn_anew),
        cmocka_unit_test(a_wait_does_not_lift_the_limit),
        cmocka_unit_test(pools_share_a_quota),
        cmocka_unit_test(a_node_counts_until_it_is_gone),
        cmocka_unit_test(falls_are_announced),
        cmocka_unit_test(ends_of_nodes_are_announced),
        cmocka_unit_test(false_alarms_come_by_their_own_clock),
    };
    return cmocka_run_group_tests_name("fleet_pool", tests, NULL, NULL);
}
