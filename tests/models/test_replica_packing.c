/* SPDX-License-Identifier: GPL-3.0-or-later
 * Places of replicas by hand. */
#include "models/inference/replica_packing.h"
#include "tests/support/testing.h"

static void the_fullest_node_that_has_room_takes_it(void **state)
{
    (void)state;
    const uint64_t half = packing_units(0.5), quarter = packing_units(0.25);
    struct packing_node nodes[] = {
        {.used = quarter, .open = true},
        {.used = 2 * quarter, .open = true},
        {.used = 3 * quarter, .open = false},
        {.used = half, .open = true},
        {.used = 0, .open = true},
    };
    assert_int_equal(packing_place(nodes, 5, quarter), 1); /* of equals the first; 2 is closed */
    assert_int_equal(packing_place(nodes, 5, half), 1);
    assert_int_equal(packing_place(nodes, 5, 3 * quarter), 0);
    assert_int_equal(packing_place(nodes, 5, PACKING_NODE_UNITS), 4);
    nodes[2].open = true;
    assert_int_equal(packing_place(nodes, 5, quarter), 2);
    assert_int_equal(packing_place(nodes, 4, PACKING_NODE_UNITS), 4); /* none */
    assert_int_equal(packing_place(nodes, 0, 1), 0);
}

/* n replicas of an n-th are one node, whatever is lost in rounding. */
static void parts_make_a_whole(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 1000; n++) {
        uint64_t rooms[4];
        struct packing_wish wish = {.units = packing_units(1.0 / n), .count = n};
        assert_int_equal(packing_nodes_for(&wish, 1, rooms, 4), 1);
        wish.count = n + 1;
        assert_int_equal(packing_nodes_for(&wish, 1, rooms, 4), 2);
    }
}

static void the_largest_are_placed_first(void **state)
{
    (void)state;
    uint64_t rooms[8];
    /* Halves and thirds and a sixth: 1/2 + 1/3 + 1/6 = 1 twice. */
    struct packing_wish wishes[] = {
        {packing_units(1.0 / 6), 2}, {packing_units(0.5), 2}, {packing_units(1.0 / 3), 2}};
    /* Best fit decreasing: both halves on one node, both thirds and both sixths on the other. */
    assert_int_equal(packing_nodes_for(wishes, 3, rooms, 8), 2);
    /* 5/8 and 3/8 go together, in whatever order they are said; 3/8 twice and 1/4 beside them. */
    struct packing_wish eighths[] = {
        {packing_units(0.25), 1}, {packing_units(0.375), 3}, {packing_units(0.625), 1}};
    assert_int_equal(packing_nodes_for(eighths, 3, rooms, 8), 2);
    struct packing_wish none[] = {{packing_units(1), 0}, {packing_units(0.5), 0}};
    assert_int_equal(packing_nodes_for(none, 2, rooms, 8), 0);
    assert_int_equal(packing_nodes_for(none, 0, rooms, 8), 0);
    struct packing_wish many = {packing_units(1), 100};
    assert_int_equal(packing_nodes_for(&many, 1, rooms, 8), 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fullest_node_that_has_room_takes_it),
        cmocka_unit_test(parts_make_a_whole),
        cmocka_unit_test(the_largest_are_placed_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
