/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/testing.h"

#include "plots/text/report_words.h"

#include <string.h>

/* The places of a row, as bits. */
static unsigned places(const char *s)
{
    unsigned bits = 0;

    for (; *s != '\0'; s++) {
        if (s[0] == '{' && s[1] >= '1' && s[1] <= '9' && s[2] == '}')
            bits |= 1u << (s[1] - '0');
    }
    return bits;
}

static void test_every_word_in_every_language(void **state)
{
    (void)state;
    for (int w = 0; w < REPORT_WORDS; w++) {
        const char *en = report_word(REPORT_EN, (enum report_word)w);
        const char *zh = report_word(REPORT_ZH, (enum report_word)w);
        assert_non_null(en);
        assert_non_null(zh);
        assert_true(en[0] != '\0' && zh[0] != '\0');
        assert_true(text_is_utf8(en, strlen(en)) && text_is_utf8(zh, strlen(zh)));
        if (places(en) != places(zh))
            fail_msg("'%s' and '%s' have not the same places", en, zh);
    }
}

static void test_places_without_a_gap(void **state)
{
    (void)state;
    for (int w = 0; w < REPORT_WORDS; w++) {
        unsigned bits = places(report_word(REPORT_EN, (enum report_word)w)) >> 1;
        assert_int_equal(bits & (bits + 1), 0); /* 0, 1, 11, 111 … */
    }
}

/* What is put in is not looked at again, and a brace alone is text. */
static void test_values_are_put_in_as_they_are(void **state)
{
    struct text t;

    (void)state;
    text_init(&t, 0);
    REPORT_SAY(&t, REPORT_EN, WORD_RANGE, "{2}", "%s");
    assert_string_equal(t.data, "{2} to %s");
    text_clear(&t);
    REPORT_SAY(&t, REPORT_ZH, WORD_RANGE, "一", "{");
    assert_string_equal(t.data, "一 至 {");
    text_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_word_in_every_language),
        cmocka_unit_test(test_places_without_a_gap),
        cmocka_unit_test(test_values_are_put_in_as_they_are),
    };

    return cmocka_run_group_tests_name("report_words", tests, NULL, NULL);
}
