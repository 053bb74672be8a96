/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/arena.h"
#include "tests/support/testing.h"

#include <string.h>

static void memory_is_zeroed_and_aligned(void **state)
{
    struct arena *a = arena_new(0);

    (void)state;
    for (size_t bytes = 0; bytes < 3000; bytes += 7) {
        unsigned char *p = arena_alloc(a, bytes);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < bytes; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xa5, bytes); /* so that a reused byte would show */
    }
    arena_free(a);
}

static void pieces_do_not_overlap(void **state)
{
    struct arena *a = arena_new(0);
    unsigned char *piece[500];

    (void)state;
    for (size_t i = 0; i < 500; i++) {
        piece[i] = arena_alloc(a, 1 + i * 13);
        assert_non_null(piece[i]);
        memset(piece[i], (int)(i & 0xff), 1 + i * 13);
    }
    for (size_t i = 0; i < 500; i++)
        for (size_t k = 0; k < 1 + i * 13; k++)
            assert_int_equal(piece[i][k], i & 0xff);
    arena_free(a);
}

static void limit_is_kept(void **state)
{
    struct arena *a = arena_new(1000);

    (void)state;
    assert_null(arena_alloc(a, 1001));
    assert_null(arena_alloc(a, SIZE_MAX));
    assert_null(arena_alloc(a, SIZE_MAX - 15));
    assert_non_null(arena_alloc(a, 900));
    assert_null(arena_alloc(a, 200));
    assert_non_null(arena_alloc(a, 16)); /* what still fits is still given */
    assert_true(arena_used(a) <= 1000);
    arena_free(a);
}

static void array_refuses_overflow(void **state)
{
    struct arena *a = arena_new(0);

    (void)state;
    assert_null(arena_array(a, SIZE_MAX / 2, 3));
    assert_null(arena_array(a, (size_t)1 << 33, (size_t)1 << 33));
    assert_non_null(arena_array(a, 10, 8));
    assert_non_null(arena_array(a, 0, 8));
    assert_non_null(arena_array(a, 8, 0));
    arena_free(a);
}

static void text_is_copied_and_formatted(void **state)
{
    struct arena *a = arena_new(0);
    char source[] = "p4d.24xlarge";
    char *copy = arena_copy(a, source, 3);
    char *whole = arena_string(a, source);

    (void)state;
    source[0] = 'X';
    assert_string_equal(copy, "p4d");
    assert_string_equal(whole, "p4d.24xlarge");
    assert_string_equal(arena_format(a, "%s/%d", whole, 42), "p4d.24xlarge/42");
    assert_string_equal(arena_format(a, "%s", ""), "");
    assert_string_equal(arena_copy(a, "", 0), "");
    arena_free(a);
}

static void reset_gives_back_and_reuses(void **state)
{
    struct arena *a = arena_new(1 << 20);
    void *first;

    (void)state;
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 100; i++) {
            unsigned char *p = arena_alloc(a, 5000);
            assert_non_null(p); /* the limit would be met in round 3 if nothing came back */
            assert_int_equal(p[0], 0);
            assert_int_equal(p[4999], 0);
            memset(p, 0xff, 5000);
        }
        assert_true(arena_used(a) >= 500000);
        arena_reset(a);
        assert_int_equal(arena_used(a), 0);
    }
    /* From the second round on everything lives in one block: the same address comes again. */
    first = arena_alloc(a, 5000);
    arena_reset(a);
    assert_ptr_equal(arena_alloc(a, 5000), first);
    arena_free(a);
}

static void nothing_is_legal(void **state)
{
    struct arena *a = arena_new(0);

    (void)state;
    arena_free(NULL);
    arena_reset(a);
    assert_ptr_not_equal(arena_alloc(a, 0), arena_alloc(a, 0));
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_and_aligned),
        cmocka_unit_test(pieces_do_not_overlap),
        cmocka_unit_test(limit_is_kept),
        cmocka_unit_test(array_refuses_overflow),
        cmocka_unit_test(text_is_copied_and_formatted),
        cmocka_unit_test(reset_gives_back_and_reuses),
        cmocka_unit_test(nothing_is_legal),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
