/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/text_set.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <string.h>

static void test_equal_texts_are_one(void **state)
{
    (void)state;
    struct text_set *s = text_set_new(0);
    assert_non_null(s);
    assert_int_equal(text_set_count(s), 0);
    char spot[] = "spot";
    const char *first = text_set_add(s, spot);
    spot[0] = 'x'; /* the set has its own copy */
    assert_string_equal(first, "spot");
    assert_ptr_equal(text_set_add(s, "spot"), first);
    assert_ptr_not_equal(text_set_add(s, "spo"), first);
    assert_string_equal(text_set_add(s, ""), "");
    assert_int_equal(text_set_count(s), 3);
    text_set_free(s);
    text_set_free(NULL);
}

/* Growing moves no text. */
static void test_many(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    const char *kept[COUNT];
    struct text_set *s = text_set_new(0);
    assert_non_null(s);
    char text[32];
    for (int i = 0; i < COUNT; i++) {
        snprintf(text, sizeof text, "strategy %d", i);
        kept[i] = text_set_add(s, text);
    }
    for (int i = 0; i < COUNT; i++) {
        snprintf(text, sizeof text, "strategy %d", i);
        assert_string_equal(kept[i], text);
        assert_ptr_equal(text_set_add(s, text), kept[i]);
    }
    assert_int_equal(text_set_count(s), COUNT);
    text_set_free(s);
}

static void test_limit(void **state)
{
    (void)state;
    struct text_set *s = text_set_new(1000);
    assert_non_null(s);
    char big[2000];
    memset(big, 'x', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    assert_null(text_set_add(s, big));
    assert_int_equal(text_set_count(s), 0);
    assert_string_equal(text_set_add(s, "small"), "small");
    assert_null(text_set_add(s, big));
    assert_int_equal(text_set_count(s), 1);
    text_set_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_texts_are_one),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_limit),
    };
    return cmocka_run_group_tests_name("text_set", tests, NULL, NULL);
}
