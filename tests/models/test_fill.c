/* SPDX-License-Identifier: GPL-3.0-or-later
 * Shares of a need among pools in order: cases made by hand, and what must hold of any. */
#include "models/fleet/fill.h"

#include "engine/random.h"
#include "tests/support/testing.h"

#include <string.h>

#define REST FILL_ALL_THE_REST

struct share_case {
    const char *name;
    struct fill_entry entries[4];
    size_t count, pools;
    uint32_t need, got[3], share[3];
};

static const struct share_case share_cases[] = {
    {"one pool", {{0, REST}}, 1, 1, 7, {0}, {7}},
    {"nothing is needed", {{0, REST}, {1, REST}}, 2, 2, 0, {3, 2}, {0, 0}},
    {"the first gets all", {{0, REST}, {1, REST}}, 2, 2, 5, {5, 0}, {5, 0}},
    {"the second stands in for what the first lacks",
     {{0, REST}, {1, REST}},
     2,
     2,
     5,
     {3, 0},
     {5, 2}},
    {"… and is not needed when it is there", {{0, REST}, {1, REST}}, 2, 2, 5, {5, 2}, {5, 0}},
    {"no more than stated", {{0, 2}, {1, REST}}, 2, 2, 5, {2, 0}, {2, 3}},
    {"what the first lacks goes to the second too", {{0, 2}, {1, REST}}, 2, 2, 5, {0, 0}, {2, 5}},
    {"all limited: the rest is unmet", {{0, 2}, {1, 2}}, 2, 2, 5, {2, 2}, {2, 2}},
    {"a pool twice: all is there", {{0, 8}, {1, REST}, {0, REST}}, 3, 2, 20, {8, 12}, {8, 12}},
    {"a pool twice: it stands in", {{0, 8}, {1, REST}, {0, REST}}, 3, 2, 20, {8, 5}, {15, 12}},
    {"a pool twice: it stands in, and is there",
     {{0, 8}, {1, REST}, {0, REST}},
     3,
     2,
     20,
     {15, 5},
     {15, 12}},
    /* The first two it waits for itself: asking for them again would bring them twice. */
    {"a pool twice: what it lacks is not asked twice",
     {{0, 2}, {1, REST}, {0, REST}},
     3,
     2,
     4,
     {0, 0},
     {4, 4}},
    {"three pools", {{0, 1}, {1, 2}, {2, REST}}, 3, 3, 6, {1, 1, 0}, {1, 2, 4}},
};

static void test_share(void **state)
{
    const struct share_case *c = *state;
    uint32_t share[3];
    fill_share(c->entries, c->count, c->need, c->got, share, c->pools);
    for (size_t k = 0; k < c->pools; k++) {
        if (share[k] != c->share[k]) {
            fail_msg("%s: pool %zu has %u, expected %u", c->name, k, share[k], c->share[k]);
        }
    }
}

/* Whatever the list and whatever is there: no pool is asked for more than the need; what is there
 * of the shares does not pass it; and once every share is there, nothing is lacking that the limits
 * allow, and asking again changes nothing. */
static void test_any_share(void **state)
{
    (void)state;
    struct random_stream s;
    random_stream_init(&s, (struct random_world){.seed = 5}, random_source("test/fill"));
    for (int round = 0; round < 20000; round++) {
        struct fill_entry entries[4];
        uint32_t got[3], share[3], again[3], pools = 1 + random_below(&s, 3);
        size_t count = 1 + random_below(&s, 4);
        uint32_t need = random_below(&s, 12), taken = 0, most = 0, least = 0;
        for (size_t i = 0; i < count; i++) {
            bool rest = random_below(&s, 3) == 0;
            entries[i] =
                (struct fill_entry){random_below(&s, pools), rest ? REST : 1 + random_below(&s, 5)};
            most = rest || most > 12 ? need : most + entries[i].most;
        }
        for (uint32_t k = 0; k < pools; k++) {
            got[k] = random_below(&s, 9);
        }
        fill_share(entries, count, need, got, share, pools);
        for (uint32_t k = 0; k < pools; k++) {
            assert_true(share[k] <= need);
            taken += share[k] < got[k] ? share[k] : got[k];
        }
        assert_true(taken <= need);
        /* Grant everything, entry by entry, as a fill does. */
        memset(got, 0, sizeof got);
        for (size_t i = 0; i < count; i++) {
            fill_share(entries, i + 1, need, got, share, pools);
            memcpy(got, share, pools * sizeof *got);
        }
        for (uint32_t k = 0; k < pools; k++) {
            least += got[k];
        }
        fill_share(entries, count, need, got, again, pools);
        assert_memory_equal(got, again, pools * sizeof *got);
        assert_int_equal(least, most < need ? most : need);
    }
}

int main(void)
{
    enum { CASES = sizeof share_cases / sizeof share_cases[0] };
    struct CMUnitTest tests[CASES + 1];
    for (size_t i = 0; i < CASES; i++) {
        tests[i] = (struct CMUnitTest){share_cases[i].name, test_share, NULL, NULL,
                                       (void *)&share_cases[i]};
    }
    tests[CASES] = (struct CMUnitTest)cmocka_unit_test(test_any_share);
    return _cmocka_run_group_tests("fill", tests, CASES + 1, NULL, NULL);
}
