/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/testing.h"

#include "plots/text/label.h"

#include <string.h>

struct row {
    const char *name, *in, *out;
};

static void cleans(void **state)
{
    const struct row *r = *state;
    struct text t;

    text_init(&t, 0);
    label_clean(&t, r->in);
    assert_string_equal(t.data, r->out);
    text_release(&t);
}

static void quotes(void **state)
{
    const struct row *r = *state;
    struct text t;

    text_init(&t, 0);
    label_quote(&t, r->in);
    assert_string_equal(t.data, r->out);
    /* Never a double quote of our own, which would let backquotes run; single ones in pairs. */
    if (strchr(r->in, '"') == NULL)
        assert_null(strchr(t.data, '"'));
    size_t singles = 0;
    for (size_t i = 0; i < t.length; i++)
        singles += t.data[i] == '\'';
    assert_int_equal(singles % 2, 0);
    text_release(&t);
}

static const struct row clean_rows[] = {
    {"plain", "spot + fallback", "spot + fallback"},
    {"no font for an emoji", "a \xf0\x9f\x9a\x80 b", "a \xe2\x96\xa1 b"},
    {"nor for private use", "\xee\x80\x80x", "\xe2\x96\xa1x"},
    {"but for CJK", "\xe6\x97\xa5", "\xe6\x97\xa5"},
    {"line break and tab", "a\nb\tc\rd", "a b c d"},
    {"escape sequence", "x\x1b[31my", "x[31my"},
    {"delete and C1", "x\x7fy\xc2\x85z", "xyz"},
    {"bytes that are not UTF-8",
     "a\xff\xfe"
     "b\xc3",
     "a\xef\xbf\xbd\xef\xbf\xbd"
     "b\xef\xbf\xbd"},
    {"overlong slash", "\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},
    {"right-to-left override",
     "a\xe2\x80\xae"
     "b",
     "ab"},
    {"zero width space",
     "a\xe2\x80\x8b"
     "b",
     "ab"},
    {"noncharacter U+FFFE",
     "a\xef\xbf\xbe"
     "b",
     "a\xef\xbf\xbd"
     "b"},
    {"CJK", "日本", "日本"}};

static const struct row quote_rows[] = {{"plain", "spot", "'spot'"},
                                        {"empty", "", "''"},
                                        {"apostrophe", "it's", "'it'.Q.'s'"},
                                        {"apostrophe first", "'x", "''.Q.'x'"},
                                        {"two apostrophes", "a''b", "'a'.Q.''.Q.'b'"},
                                        {"backquotes", "`id`", "'`id`'"},
                                        {"macro behind an apostrophe", "it's @x", "'it'.Q.'s @x'"},
                                        {"double quote", "\"x\"", "'\"x\"'"},
                                        {"backslash at the end", "x\\", "'x\\'"},
                                        {"end of CDATA", "]]></svg>", "']] ></svg>'"},
                                        {"line break", "a\n!b", "'a !b'"}};

static void tic_labels_double_the_percent_sign(void **state)
{
    struct text t;

    (void)state;
    text_init(&t, 0);
    label_quote_tic(&t, "5 % 'x'");
    assert_string_equal(t.data, "'5 %% '.Q.'x'.Q.''");
    text_release(&t);
}

static void widths_add_up(void **state)
{
    (void)state;
    assert_near(label_width("日本", false), 2.0, 1e-12, "two wide characters are two em");
    assert_near(label_width("00", false), 1.28, 1e-12, "digits");
    assert_true(label_width("il", false) < 0.6 * label_width("mw", false));
    assert_true(label_width("spot", true) > label_width("spot", false));
    /* A combining mark has no width of its own. */
    assert_near(label_width("e\xcc\x81", false), label_width("e", false), 1e-12, "accent");
}

static void shortens_in_the_middle(void **state)
{
    const char *name = "spot-with-fallback-in-us-east-1-p4d.24xlarge-16";
    struct text t;

    (void)state;
    text_init(&t, 0);
    label_shorten(&t, name, 10.0, false);
    assert_true(label_width(t.data, false) <= 10.0);
    assert_memory_equal(t.data, "spot-w", 6);
    assert_string_equal(t.data + t.length - 2, "16");
    assert_non_null(strstr(t.data, "\xe2\x80\xa6"));
    assert_true(text_is_utf8(t.data, t.length));
    text_clear(&t);
    label_shorten(&t, "short", 10.0, false);
    assert_string_equal(t.data, "short");
    text_clear(&t);
    label_shorten(&t, "日本語の戦略、とても長い名前", 6.0, false);
    assert_true(text_is_utf8(t.data, t.length));
    assert_true(label_width(t.data, false) <= 6.0);
    text_clear(&t);
    label_shorten(&t, "anything", 0.1, false); /* no room at all */
    assert_string_equal(t.data, "\xe2\x80\xa6");
    text_release(&t);
}

static void wraps_at_the_best_place(void **state)
{
    struct text a, b;

    (void)state;
    text_init(&a, 0);
    text_init(&b, 0);
    assert_true(label_wrap(&a, &b, "short", 20.0, false));
    assert_string_equal(a.data, "short");
    assert_string_equal(b.data, "");
    text_clear(&a);
    assert_true(label_wrap(&a, &b, "spot with a fallback", 8.0, false));
    assert_string_equal(a.data, "spot with a");
    assert_string_equal(b.data, "fallback");
    text_clear(&a);
    assert_true(label_wrap(&a, &b, "done by day 5 of 10 days", 8.0, false));
    assert_string_equal(a.data, "done by day"); /* the number stays with what it counts */
    assert_string_equal(b.data, "5 of 10 days");
    text_clear(&a);
    assert_true(label_wrap(&a, &b, "one thing; another thing", 7.5, false));
    assert_string_equal(a.data, "one thing;");
    text_clear(&a);
    assert_true(label_wrap(&a, &b, "spot-with-fallback", 7.0, false));
    assert_string_equal(a.data, "spot-with-");
    assert_string_equal(b.data, "fallback");
    text_clear(&a);
    assert_true(label_wrap(&a, &b, "日本語の戦略", 4.5, false));
    assert_string_equal(a.data, "日本語の"); /* before the first wide character that does not fit */
    assert_string_equal(b.data, "戦略");
    text_clear(&a);
    assert_false(label_wrap(&a, &b, "onewordthatislongerthantwolinesofthismeasure", 7.0, false));
    assert_true(label_width(a.data, false) <= 7.0);
    assert_true(label_width(b.data, false) <= 7.0);
    text_release(&a);
    text_release(&b);
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

int main(void)
{
    const struct CMUnitTest own[] = {
        cmocka_unit_test(tic_labels_double_the_percent_sign), cmocka_unit_test(widths_add_up),
        cmocka_unit_test(shortens_in_the_middle), cmocka_unit_test(wraps_at_the_best_place)};
    struct CMUnitTest tests[sizeof own / sizeof own[0] + COUNT(clean_rows) + COUNT(quote_rows)];
    size_t n = sizeof own / sizeof own[0];
    memcpy(tests, own, sizeof own);
    for (size_t i = 0; i < COUNT(clean_rows); i++)
        tests[n++] = (struct CMUnitTest){clean_rows[i].name, cleans, NULL, NULL,
                                         (void *)(uintptr_t)&clean_rows[i]};
    for (size_t i = 0; i < COUNT(quote_rows); i++)
        tests[n++] = (struct CMUnitTest){quote_rows[i].name, quotes, NULL, NULL,
                                         (void *)(uintptr_t)&quote_rows[i]};
    return _cmocka_run_group_tests("label", tests, n, NULL, NULL);
}
