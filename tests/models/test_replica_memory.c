/* SPDX-License-Identifier: GPL-3.0-or-later
 * What replicas on a node may take of its accelerators' memory, counted by hand. */
#include "models/inference/replica_memory.h"
#include "tests/support/testing.h"

/* 24 GB, which the catalogue keeps as 24 GiB. */
static const struct accelerator chip = {.memory_bytes = 24.0 * 1073741824};
static const struct instance_type four = {
    .accelerator = &chip, .accelerator_count = 4, .accelerator_memory_bytes = 24.0 * 1073741824};
static const struct instance_type quarter = {
    .accelerator = &chip, .accelerator_count = 0.25, .accelerator_memory_bytes = 5.6e9};
static const struct instance_type none = {.accelerator_count = 0};

static void none_lies_on_two(void **state)
{
    (void)state;
    static const struct {
        uint32_t replicas;
        double room_gb, part_gb;
    } rows[] = {
        {1, 96, 96},      {2, 48, 48}, {3, 24, 32}, {4, 24, 24}, /* whole accelerators */
        {5, 12, 19.2},    {6, 12, 16}, {8, 12, 12},              /* two on the fullest */
        {9, 8, 32.0 / 3}, {16, 6, 6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_relative(replica_memory_room(&four, rows[i].replicas), 1e9 * rows[i].room_gb, 1e-12,
                        "room");
        assert_relative(replica_memory_part(&four, rows[i].replicas), 1e9 * rows[i].part_gb, 1e-12,
                        "part");
    }
    assert_relative(replica_memory_of_one(&quarter), 5.6e9, 1e-12, "what the type shows");
    assert_relative(replica_memory_room(&quarter, 2), 2.8e9, 1e-12, "halves of a quarter");
    assert_near(replica_memory_room(&none, 1), 0, 0, "no accelerator");
}

static void the_most_that_fit(void **state)
{
    (void)state;
    static const struct {
        double gb;
        uint32_t most;
    } rows[] = {{6, 16}, {6.01, 12}, {12, 8}, {12.5, 4}, {24, 4}, {25, 2}, {49, 1}, {97, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t most = replica_memory_most(&four, 1e9 * rows[i].gb);
        assert_int_equal(most, rows[i].most);
        /* They have the room, and one more would not. */
        assert_true(most == 0 || replica_memory_room(&four, most) >= 1e9 * rows[i].gb);
        assert_true(replica_memory_room(&four, most + 1) < 1e9 * rows[i].gb);
    }
    assert_int_equal(replica_memory_most(&none, 1e9), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_lies_on_two),
        cmocka_unit_test(the_most_that_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
