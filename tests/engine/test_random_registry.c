/* SPDX-License-Identifier: GPL-3.0-or-later
 * Names of sources. The hashes are pinned: another hash would change every number of every run. */
#include "engine/random.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <string.h>

static void hashes_are_pinned(void **state)
{
    (void)state;
    /* Computed independently, from the definitions of FNV-1a and fmix64, in Python. */
    assert_true(random_source("%s", "") == UINT64_C(0xefd01f60ba992926));
    assert_true(random_source("a") == UINT64_C(0x82a2a958a9bece5b));
    assert_true(random_source("input/%s", "price") == UINT64_C(0xa5b7bf344d46ce99));
    assert_true(random_source("boot/%s/spot/%d", "fine-tune", 17) == UINT64_C(0x890e30fcbf320d19));
}

static void numbered_families_are_pinned(void **state)
{
    (void)state;
    /* The first outputs of SplitMix64 from state 0, as in Vigna's reference splitmix64.c. */
    assert_true(random_source_at(0, 1) == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(random_source_at(0, 2) == UINT64_C(0x6e789e6aa1b965f4));
    assert_true(random_source_at(0, 3) == UINT64_C(0x06c45d188009454f));
    struct random_registry *r = random_registry_new();
    assert_non_null(r);
    const char *const families[] = {"drop/a", "drop/b"};
    for (size_t f = 0; f < 2; f++) {
        for (uint64_t i = 0; i < 20000; i++) {
            char name[32];
            snprintf(name, sizeof name, "%s/%d", families[f], (int)i);
            assert_true(random_registry_add(
                r, random_source_at(random_source("%s", families[f]), i), name));
        }
    }
    random_registry_free(r);
}

static void long_names_are_not_cut(void **state)
{
    (void)state;
    char name[2001];
    memset(name, 'x', 2000);
    name[2000] = '\0';
    assert_true(random_source("%s", name) == UINT64_C(0xca576e4bf0a29f6a));
    name[1999] = 'y';
    assert_true(random_source("%s", name) != UINT64_C(0xca576e4bf0a29f6a));
}

static void typical_names_do_not_collide(void **state)
{
    (void)state;
    struct random_registry *r = random_registry_new();
    assert_non_null(r);
    const char *const purposes[] = {"boot", "lifetime", "restore"};
    for (size_t p = 0; p < 3; p++) {
        for (int workload = 0; workload < 20; workload++) {
            for (int slot = 0; slot < 1000; slot++) {
                char name[64];
                snprintf(name, sizeof name, "%s/w%d/p4d.24xlarge/%d", purposes[p], workload, slot);
                assert_true(random_registry_add(r, random_source("%s", name), name));
            }
        }
    }
    assert_true(random_registry_add(r, random_source("boot/w0/p4d.24xlarge/0"),
                                    "boot/w0/p4d.24xlarge/0")); /* known already */
    random_registry_free(r);
}

static void a_collision_is_detected(void **state)
{
    (void)state;
    struct random_registry *r = random_registry_new();
    assert_non_null(r);
    assert_true(random_registry_add(r, 12345, "input/price"));
    assert_true(random_registry_add(r, 12345, "input/price"));
    assert_false(random_registry_add(r, 12345, "input/speed"));
    /* Same place in the table, another hash: no collision. */
    assert_true(random_registry_add(r, 12345 + (UINT64_C(1) << 40), "input/speed"));
    assert_true(random_registry_add(r, 0, "zero"));
    assert_false(random_registry_add(r, 0, "nought"));
    /* Still found after the table has grown. */
    for (uint64_t i = 1; i < 500; i++) {
        char name[32];
        snprintf(name, sizeof name, "n%d", (int)i);
        assert_true(random_registry_add(r, i * UINT64_C(0x9E3779B97F4A7C15), name));
    }
    assert_false(random_registry_add(r, 12345, "input/speed"));
    assert_true(random_registry_add(r, 12345, "input/price"));
    random_registry_free(r);
    random_registry_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_are_pinned),       cmocka_unit_test(numbered_families_are_pinned),
        cmocka_unit_test(long_names_are_not_cut),  cmocka_unit_test(typical_names_do_not_collide),
        cmocka_unit_test(a_collision_is_detected),
    };
    return cmocka_run_group_tests_name("random_registry", tests, NULL, NULL);
}
