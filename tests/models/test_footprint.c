/* SPDX-License-Identifier: GPL-3.0-or-later
 * How many replicas stand so that enough are left: by trying every loss. */
#include "models/policies/footprint.h"
#include "tests/support/testing.h"

static uint32_t largest(const uint32_t *share, uint32_t count)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        most = share[i] > most ? share[i] : most;
    }
    return most;
}

/* Without any zone enough are left, and with one replica fewer they would not be. */
static void no_zone_is_missed(void **state)
{
    (void)state;
    for (uint32_t zones = 2; zones <= FOOTPRINT_MOST_ZONES; zones++) {
        const struct footprint f = {.per_node = 1, .zones = zones, .survive_zone = true};
        for (uint32_t asked = 1; asked < 60; asked++) {
            uint32_t share[FOOTPRINT_MOST_ZONES], all = footprint_replicas(&f, asked);
            footprint_spread(all, zones, share);
            assert_true(all - largest(share, zones) >= asked);
            footprint_spread(all - 1, zones, share);
            assert_true(all - 1 - largest(share, zones) < asked);
        }
    }
}

static void no_node_is_missed(void **state)
{
    (void)state;
    for (uint32_t per_node = 1; per_node <= 8; per_node++) {
        const struct footprint f = {.spare_nodes = 1, .per_node = per_node, .zones = 1};
        for (uint32_t asked = 1; asked < 40; asked++) {
            uint32_t all = footprint_replicas(&f, asked);
            assert_true(all - per_node >= asked);
            /* In units of nodes it is one more. */
            assert_int_equal((all + per_node - 1) / per_node,
                             (asked + per_node - 1) / per_node + 1);
        }
    }
}

/* Spares and zones are not added: either covers a loss. */
static void the_larger_of_both_stands(void **state)
{
    (void)state;
    struct footprint f = {.spare_replicas = 1, .per_node = 1, .zones = 3, .survive_zone = true};
    assert_int_equal(footprint_replicas(&f, 4), 6);
    f.spare_replicas = 5;
    assert_int_equal(footprint_replicas(&f, 4), 9);
    assert_int_equal(footprint_replicas(&f, 0), 0);
}

static void shares_add_up(void **state)
{
    (void)state;
    uint32_t share[4];
    footprint_spread(10, 4, share);
    assert_int_equal(share[0], 3);
    assert_int_equal(share[1], 3);
    assert_int_equal(share[2], 2);
    assert_int_equal(share[3], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_zone_is_missed),
        cmocka_unit_test(no_node_is_missed),
        cmocka_unit_test(the_larger_of_both_stands),
        cmocka_unit_test(shares_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
