/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which replica a request goes to. */
#include "engine/random.h"
#include "models/inference/service_router.h"
#include "tests/support/testing.h"

#include <math.h>

enum { REPLICAS = 5 };

static void open_all(struct service_router *r, enum routing_law law)
{
    assert_true(service_router_init(r, law, REPLICAS));
    for (uint32_t i = 0; i < REPLICAS; i++) {
        service_router_open(r, i);
    }
    assert_int_equal(r->count, REPLICAS);
}

static void in_turn_all_get_the_same(void **state)
{
    (void)state;
    struct service_router r;
    open_all(&r, ROUTING_ROUND_ROBIN);
    uint32_t got[REPLICAS] = {0};
    for (int i = 0; i < 10 * REPLICAS; i++) {
        uint32_t replica = service_router_pick(&r, 0.5);
        assert_int_equal(replica, i % REPLICAS);
        got[replica]++;
        service_router_load(&r, replica, got[replica]); /* which it does not look at */
    }
    /* One that closes is passed over, and the turn goes on with the next. */
    service_router_pick(&r, 0.5); /* 0 */
    service_router_close(&r, 1);
    service_router_close(&r, 1);
    assert_int_equal(r.count, REPLICAS - 1);
    assert_int_equal(service_router_pick(&r, 0.5), 2);
    assert_int_equal(service_router_pick(&r, 0.5), 3);
    service_router_close(&r, 0); /* before the turn, which stays where it is */
    assert_int_equal(service_router_pick(&r, 0.5), 4);
    assert_int_equal(service_router_pick(&r, 0.5), 2);
    service_router_open(&r, 0);
    service_router_open(&r, 0);
    assert_int_equal(r.count, REPLICAS - 1);
    service_router_reset(&r);
    assert_int_equal(r.count, 0);
    service_router_release(&r);
}

static void the_least_is_found_and_equals_take_turns(void **state)
{
    (void)state;
    struct service_router r;
    uint32_t loads[REPLICAS] = {3, 1, 2, 1, 4};
    open_all(&r, ROUTING_LEAST);
    for (uint32_t i = 0; i < REPLICAS; i++) {
        service_router_load(&r, i, loads[i]);
    }
    assert_int_equal(service_router_pick(&r, 0.5), 1);
    assert_int_equal(service_router_pick(&r, 0.5), 3);
    assert_int_equal(service_router_pick(&r, 0.5), 1);
    service_router_load(&r, 4, 0);
    assert_int_equal(service_router_pick(&r, 0.5), 4);
    service_router_close(&r, 4);
    assert_int_equal(service_router_pick(&r, 0.5), 1);
    service_router_release(&r);
    /* Joining the least loaded of many keeps them within one of each other. */
    open_all(&r, ROUTING_LEAST);
    uint32_t load[REPLICAS] = {0};
    for (int i = 0; i < 1003; i++) {
        uint32_t replica = service_router_pick(&r, 0.5);
        service_router_load(&r, replica, ++load[replica]);
    }
    for (uint32_t i = 0; i < REPLICAS; i++) {
        assert_in_range(load[i], 200, 201);
    }
    service_router_release(&r);
}

/* The plainest way: all open ones are looked at, from the one in turn on. */
static uint32_t least_by_looking(const uint32_t *open, uint32_t count, const uint32_t *load,
                                 uint32_t *turn)
{
    uint32_t best = *turn < count ? *turn : 0;
    for (uint32_t i = 1, at = best; i < count; i++) {
        at = at + 1 < count ? at + 1 : 0;
        best = load[open[at]] < load[open[best]] ? at : best;
    }
    *turn = best + 1;
    return open[best];
}

/* Under all that can happen to replicas, with loads for which there are levels and others. */
static void the_least_is_the_one_found_by_looking(void **state)
{
    enum { MANY = 150, STEPS = 20000 };
    (void)state;
    struct service_router r;
    struct random_stream s;
    uint32_t load[MANY] = {0}, open[MANY], count = 0, turn = 0;
    assert_true(service_router_init(&r, ROUTING_LEAST, MANY));
    service_router_reset(&r);
    random_stream_init(&s, (struct random_world){.seed = 8}, 1);
    for (int step = 0; step < STEPS; step++) {
        const uint32_t replica = random_below(&s, MANY), what = random_below(&s, 20);
        const uint32_t base = (uint32_t)step / 2000 % 2 * (SERVICE_ROUTER_LEVELS - 3);
        uint32_t place = 0;
        while (place < count && open[place] != replica) {
            place++;
        }
        if (what < 2 && place == count) {
            service_router_open(&r, replica);
            open[count++] = replica;
        } else if (what == 2 && place < count) {
            service_router_close(&r, replica);
            for (count--; place < count; place++) {
                open[place] = open[place + 1];
            }
            turn = r.turn; /* tested apart */
        } else if (what < 12) {
            load[replica] = base + random_below(&s, 6);
            service_router_load(&r, replica, load[replica]);
        } else if (count > 0) {
            const uint32_t picked = service_router_pick(&r, 0.5);
            assert_int_equal(picked, least_by_looking(open, count, load, &turn));
            service_router_load(&r, picked, ++load[picked]);
        }
    }
    assert_true(count > 64);
    service_router_release(&r);
}

static void two_choices_are_every_pair_alike(void **state)
{
    (void)state;
    struct service_router r;
    open_all(&r, ROUTING_TWO_CHOICES);
    /* Loads 0 … 4: replica i is the better of the two in 2 (4 - i) of the 20 ordered pairs. */
    for (uint32_t i = 0; i < REPLICAS; i++) {
        service_router_load(&r, i, i);
    }
    enum { DRAWS = 20000 };
    uint32_t got[REPLICAS] = {0};
    for (uint32_t i = 0; i < DRAWS; i++) {
        got[service_router_pick(
            &r, random_uniform_at((struct random_world){.seed = 5}, random_source("test"), i))]++;
    }
    for (uint32_t i = 0; i < REPLICAS; i++) {
        double share = 2.0 * (REPLICAS - 1 - i) / (REPLICAS * (REPLICAS - 1));
        assert_near(got[i], DRAWS * share, 4 * sqrt(DRAWS * share * (1 - share)) + 1e-9, "picked");
    }
    /* The ends of the draw, and one alone. */
    assert_int_equal(service_router_pick(&r, 1e-18), 0);
    assert_in_range(service_router_pick(&r, 1.0), 0, REPLICAS - 1);
    for (uint32_t i = 0; i + 1 < REPLICAS; i++) {
        service_router_close(&r, i);
    }
    assert_int_equal(service_router_pick(&r, 0.7), REPLICAS - 1);
    service_router_release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_turn_all_get_the_same),
        cmocka_unit_test(the_least_is_found_and_equals_take_turns),
        cmocka_unit_test(the_least_is_the_one_found_by_looking),
        cmocka_unit_test(two_choices_are_every_pair_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
