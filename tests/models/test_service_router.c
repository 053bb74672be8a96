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
        cmocka_unit_test(two_choices_are_every_pair_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
