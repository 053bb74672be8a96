/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/text.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <string.h>

static void grows_and_stays_terminated(void **state)
{
    struct text t;

    (void)state;
    text_init(&t, 0);
    assert_string_equal(t.data, "");
    for (int i = 0; i < 1000; i++)
        text_format(&t, "%d,", i);
    assert_int_equal(t.length, 10 * 2 + 90 * 3 + 900 * 4);
    assert_int_equal(strlen(t.data), t.length);
    assert_memory_equal(t.data, "0,1,2,", 6);
    text_clear(&t);
    assert_string_equal(t.data, "");
    text_add_bytes(&t, "abcdef", 3);
    text_add(&t, "");
    text_add(&t, "x");
    assert_string_equal(t.data, "abcx");
    assert_false(t.overflow);
    text_release(&t);
    assert_string_equal(t.data, "");
    text_clear(&t);
}

static void limit_ends_the_text(void **state)
{
    struct text t;

    (void)state;
    text_init(&t, 5);
    text_add(&t, "abc");
    text_add(&t, "def"); /* would be 6 */
    assert_true(t.overflow);
    text_add(&t, "g"); /* would fit, but nothing may follow a gap */
    assert_string_equal(t.data, "abc");
    text_clear(&t);
    text_format(&t, "%s", "12345");
    assert_false(t.overflow);
    assert_string_equal(t.data, "12345");
    text_format(&t, "%s", "6");
    assert_true(t.overflow);
    text_release(&t);
}

struct pair {
    const char *name, *in, *out;
    size_t max;
};

static struct pair visible[] = {
    {"plain text stays", "p4d.24xlarge 'a' \\", "p4d.24xlarge 'a' \\", 100},
    {"utf-8 stays", "50 €, 训练, ü", "50 €, 训练, ü", 100},
    {"escape sequence", "\x1b[31mred", "\\x1b[31mred", 100},
    {"newline, tab, return", "a\nb\tc\rd", "a\\nb\\tc\\rd", 100},
    {"del", "a\x7f", "a\\x7f", 100},
    {"c1 control as utf-8",
     "a\xc2\x9b"
     "31m",
     "a\\xc2\\x9b31m", 100},
    {"lone continuation byte",
     "a\x9b"
     "31m",
     "a\\x9b31m", 100},
    {"invalid byte", "\xff\xfe", "\\xff\\xfe", 100},
    {"overlong slash", "\xc0\xaf", "\\xc0\\xaf", 100},
    {"surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80", 100},
    {"cut short at the end", "a\xe8\xae", "a\\xe8\\xae", 100},
    {"text that is reordered",
     "a\xe2\x80\xae"
     "b",
     "a\\u202eb", 100},
    {"line separator",
     "a\xe2\x80\xa8"
     "b",
     "a\\u2028b", 100},
    {"cut", "abcdef", "abc...", 3},
    {"not cut when it fits exactly", "abc", "abc", 3},
    {"cut between characters", "a训练", "a训...", 6},
    {"cut to nothing", "abc", "...", 0},
    {"empty", "", "", 0},
};

static void is_made_visible(void **state)
{
    const struct pair *row = *state;
    struct text t;

    text_init(&t, 0);
    text_add_visible(&t, row->in, row->max);
    assert_string_equal(t.data, row->out);
    text_release(&t);
}

static void utf8_is_recognised(void **state)
{
    (void)state;
    /* Edges of RFC 3629, table of section 4. */
    assert_true(text_is_utf8("", 0));
    assert_true(text_is_utf8("a\0b", 3));
    assert_true(text_is_utf8("\xc2\x80\xdf\xbf", 4));
    assert_true(text_is_utf8("\xe0\xa0\x80\xef\xbf\xbf", 6));
    assert_true(text_is_utf8("\xed\x9f\xbf\xee\x80\x80", 6));
    assert_true(text_is_utf8("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", 8));
    assert_false(text_is_utf8("\xc1\xbf", 2));
    assert_false(text_is_utf8("\xe0\x9f\xbf", 3));
    assert_false(text_is_utf8("\xed\xa0\x80", 3));
    assert_false(text_is_utf8("\xf0\x8f\xbf\xbf", 4));
    assert_false(text_is_utf8("\xf4\x90\x80\x80", 4));
    assert_false(text_is_utf8("\xf8\x88\x80\x80\x80", 5));
    assert_false(text_is_utf8("\x80", 1));
    assert_false(text_is_utf8("\xe2\x82", 2)); /* ends inside a character */
    assert_false(text_is_utf8("\xe2\x82\x41", 3));
}

static void width_counts_columns(void **state)
{
    (void)state;
    assert_int_equal(text_width(""), 0);
    assert_int_equal(text_width("abc"), 3);
    assert_int_equal(text_width("naïve €"), 7);
    assert_int_equal(text_width("训练"), 4);
    assert_int_equal(text_width("カタカナ"), 8);
    assert_int_equal(text_width("ｱｲｳ"), 3);  /* half-width forms */
    assert_int_equal(text_width("ＡＢ"), 4); /* full-width forms */
    assert_int_equal(text_width("학습"), 4);
    assert_int_equal(text_width("e\xcc\x81"), 1); /* e and a combining acute */
    assert_int_equal(text_width("🚀"), 2);
    assert_int_equal(text_width("a\xe2\x80\x8b"
                                "b"),
                     2);                     /* zero-width space */
    assert_int_equal(text_width("สวัสดี"), 4); /* two marks above */
    assert_int_equal(text_width("\xff\xff"), 2);
    assert_int_equal(text_width("\x1b"), 0);
}

struct guess {
    const char *word, *want;
};

static const char *const keys[] = {
    "gpus", "nodes",    "boot", "p4d.24xlarge", "p5.48xlarge", "uniform-progress", "checkpoint",
    "mfu",  "训练作业", "s"};

static struct guess guesses[] = {
    {"gpuz", "gpus"},
    {"gpu", "gpus"},
    {"GPUS", "gpus"}, /* only the case differs */
    {"bot", "boot"},
    {"nodse", "nodes"}, /* a swap is one step */
    {"p5.48xlarg", "p5.48xlarge"},
    {"chekcpiont", "checkpoint"}, /* two swaps */
    {"uniformprogres", "uniform-progress"},
    {"chxckpxxxt", NULL}, /* four wrong of ten: limit three */
    {"mfx", "mfu"},
    {"xfx", NULL},
    {"x", NULL}, /* one letter: nothing of it would be left */
    {"S", "s"},
    {"", NULL},
    {"completely-different", NULL},
    {"训练作叶", "训练作业"}, /* one character, three bytes */
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", NULL},
};

static void nearest_word_is_found(void **state)
{
    const struct guess *row = *state;
    const char *got = text_suggest(row->word, keys, sizeof(keys) / sizeof(keys[0]));

    if (row->want == NULL) {
        if (got != NULL)
            fail_msg("'%s': got '%s', want nothing", row->word, got);
    } else if (got == NULL || strcmp(got, row->want) != 0) {
        fail_msg("'%s': got '%s', want '%s'", row->word, got == NULL ? "(nothing)" : got,
                 row->want);
    }
}

static void nearest_wins_and_the_first_of_a_tie(void **state)
{
    static const char *const words[] = {"restart", "restorf", "restorg", "restore"};
    static const char *const tie[] = {"boota", "bootb"};

    (void)state;
    assert_string_equal(text_suggest("restore", words, 4), "restore");
    assert_string_equal(text_suggest("boot", tie, 2), "boota");
    assert_null(text_suggest("boot", tie, 0));
}

enum {
    VISIBLE = sizeof(visible) / sizeof(visible[0]),
    GUESSES = sizeof(guesses) / sizeof(guesses[0])
};

int main(void)
{
    const struct CMUnitTest own[] = {
        cmocka_unit_test(grows_and_stays_terminated),
        cmocka_unit_test(limit_ends_the_text),
        cmocka_unit_test(utf8_is_recognised),
        cmocka_unit_test(width_counts_columns),
        cmocka_unit_test(nearest_wins_and_the_first_of_a_tie),
    };
    struct CMUnitTest tests[sizeof own / sizeof own[0] + VISIBLE + GUESSES];
    size_t n = sizeof own / sizeof own[0];
    memcpy(tests, own, sizeof own);
    for (size_t i = 0; i < VISIBLE; i++)
        tests[n++] = (struct CMUnitTest){visible[i].name, is_made_visible, NULL, NULL, &visible[i]};
    for (size_t i = 0; i < GUESSES; i++)
        tests[n++] =
            (struct CMUnitTest){guesses[i].word, nearest_word_is_found, NULL, NULL, &guesses[i]};
    return _cmocka_run_group_tests("text", tests, n, NULL, NULL);
}
