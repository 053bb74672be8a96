/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/diagnostics.h"
#include "engine/text.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything that d writes; caller frees. */
static char *written(struct diagnostics *d)
{
    FILE *f = tmpfile();
    long size;
    char *out;

    assert_non_null(f);
    diagnostics_write(d, f);
    size = ftell(f);
    rewind(f);
    out = calloc((size_t)size + 1, 1);
    assert_int_equal(fread(out, 1, (size_t)size, f), size);
    fclose(f);
    return out;
}

static void assert_written(struct diagnostics *d, const char *want)
{
    char *got = written(d);

    assert_string_equal(got, want);
    free(got);
}

static const char scenario[] = "version: 1\n"
                               "workloads:\n"
                               "  train:\n"
                               "    gpuz: 8\n"
                               "mc: {replications: 1000, seed: 42\n";

static void an_error_shows_its_line(void **state)
{
    struct diagnostics *d = diagnostics_new();

    (void)state;
    diagnostics_source(d, "a.yaml", scenario, strlen(scenario));
    diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){"a.yaml", 4, 5},
                    "unknown key '%s'; did you mean '%s'?", "gpuz", "gpus");
    assert_written(d, "a.yaml:4:5: error: unknown key 'gpuz'; did you mean 'gpus'?\n"
                      "    4 |     gpuz: 8\n"
                      "      |     ^\n");
    diagnostics_free(d);
}

static void a_place_may_vanish(void **state)
{
    struct diagnostics *d = diagnostics_new();
    char *name = strdup("gone.yaml");

    (void)state;
    diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){name, 2, 1}, "wrong");
    memset(name, 'x', strlen(name));
    free(name);
    assert_written(d, "gone.yaml:2:1: error: wrong\n");
    diagnostics_free(d);
}

static void entries_are_sorted_by_place(void **state)
{
    struct diagnostics *d = diagnostics_new();

    (void)state;
    diagnostics_source(d, "z.yaml", "a\nb\n", 4);
    diagnostics_source(d, "b.yaml", "c\n", 2);
    diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "nowhere");
    diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){"--set", 0, 0}, "from the command line");
    diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){"prices.csv", 7, 0}, "not a source");
    diagnostics_add(d, DIAGNOSTIC_WARNING, (struct place){"b.yaml", 1, 1}, "second file");
    diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){"z.yaml", 2, 1}, "line 2");
    diagnostics_add(d, DIAGNOSTIC_NOTE, (struct place){"z.yaml", 1, 1}, "explains line 2");
    diagnostics_add(d, DIAGNOSTIC_NOTE, (struct place){0}, "explains it further");
    diagnostics_add(d, DIAGNOSTIC_INFEASIBLE, (struct place){"z.yaml", 1, 1}, "first of two");
    diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){"z.yaml", 1, 1}, "second of two");
    diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){"z.yaml", 1, 0}, "the whole line");
    diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){"z.yaml", 0, 0}, "the whole file");
    diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){"prices.csv", 3, 0}, "earlier line");
    assert_written(d, "z.yaml: error: the whole file\n"
                      "z.yaml:1: error: the whole line\n"
                      "    1 | a\n"
                      "z.yaml:1:1: error: first of two\n"
                      "    1 | a\n"
                      "      | ^\n"
                      "z.yaml:1:1: error: second of two\n"
                      "    1 | a\n"
                      "      | ^\n"
                      "z.yaml:2:1: error: line 2\n"
                      "    2 | b\n"
                      "      | ^\n"
                      "z.yaml:1:1: note: explains line 2\n"
                      "    1 | a\n"
                      "      | ^\n"
                      "fleetcast: note: explains it further\n"
                      "b.yaml:1:1: warning: second file\n"
                      "    1 | c\n"
                      "      | ^\n"
                      "prices.csv:3: error: earlier line\n"
                      "prices.csv:7: error: not a source\n"
                      "--set: error: from the command line\n"
                      "fleetcast: error: nowhere\n");
    diagnostics_free(d);
}

struct caret_row {
    const char *name, *line;
    int column;
    const char *want; /* from the bar on, both lines */
};

static struct caret_row carets[] = {
    {"wide characters", "名: 训练 x", 7, " | 名: 训练 x\n      |          ^\n"},
    {"tabs go to the next stop", "\ta\tb", 4, " |     a   b\n      |         ^\n"},
    {"a mark has no width", "e\xcc\x81x", 3, " | e\xcc\x81x\n      |  ^\n"},
    {"an escape is as wide as it shows",
     "a\x1b"
     "b",
     3, " | a\\x1bb\n      |      ^\n"},
    {"invalid bytes count one",
     "a\xff"
     "b",
     3, " | a\\xffb\n      |      ^\n"},
    {"behind the end", "abc", 4, " | abc\n      |    ^\n"},
    {"far behind the end", "abc", 400, " | abc\n      |    ^\n"},
    {"an empty line", "", 1, " | \n      | ^\n"},
};

static void caret_is_below_the_character(void **state)
{
    const struct caret_row *row = *state;
    struct diagnostics *d = diagnostics_new();
    char *got;

    diagnostics_source(d, "f", row->line, strlen(row->line));
    diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){"f", 1, row->column}, "x");
    got = written(d);
    assert_string_equal(strchr(got, '\n') + 1 + 5, row->want);
    free(got);
    diagnostics_free(d);
}

/* The character above the caret, in a line of width columns 1 … n whose character k is k mod 10. */
static void long_lines_are_cut_round_the_caret(void **state)
{
    static const int at[] = {1, 60, 81, 82, 119, 120, 121, 122, 500, 999, 1000};
    char line[1001];

    (void)state;
    for (int k = 1; k <= 1000; k++)
        line[k - 1] = (char)('0' + k % 10);
    line[1000] = '\0';
    for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
        struct diagnostics *d = diagnostics_new();
        char *got, *first, *second;
        diagnostics_source(d, "f", line, 1000);
        diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){"f", 1, at[i]}, "x");
        got = written(d);
        first = strchr(got, '\n') + 1;
        second = strchr(first, '\n') + 1;
        assert_true(second - first <= 8 + 120 + 6 + 1);
        assert_int_equal(first[strchr(second, '^') - second], '0' + at[i] % 10);
        if (at[i] == 1)
            assert_memory_equal(first, "    1 | 123", 11);
        if (at[i] == 500)
            assert_memory_equal(first, "    1 | ...", 11);
        if (at[i] == 1000)
            assert_memory_equal(second - 3, "90\n", 3);
        else
            assert_memory_equal(second - 4, at[i] == 999 ? "890\n" : "...\n", 4);
        free(got);
        diagnostics_free(d);
    }
}

static void wide_lines_are_cut_between_characters(void **state)
{
    struct diagnostics *d = diagnostics_new();
    struct text line;
    char *got, *first, *second;

    (void)state;
    text_init(&line, 0);
    text_add(&line, "x");
    for (int i = 0; i < 200; i++)
        text_add(&line, i == 149 ? "@" : "训");
    diagnostics_source(d, "f", line.data, line.length);
    diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){"f", 1, 151}, "x");
    got = written(d);
    assert_true(text_is_utf8(got, strlen(got)));
    first = strchr(got, '\n') + 1;
    second = strchr(first, '\n') + 1;
    *strchr(first, '@') = '\0';
    *strchr(second, '^') = '\0';
    assert_int_equal(text_width(first), text_width(second));
    free(got);
    text_release(&line);
    diagnostics_free(d);
}

static void line_ends_of_all_kinds(void **state)
{
    static const char text[] = "\xef\xbb\xbfone\r\ntwo\rthree\n\nfive";
    struct diagnostics *d = diagnostics_new();

    (void)state;
    diagnostics_source(d, "f", text, sizeof(text) - 1);
    for (int line = 1; line <= 6; line++)
        diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){"f", line, 0}, "x");
    assert_written(d, "f:1: error: x\n    1 | one\n"
                      "f:2: error: x\n    2 | two\n"
                      "f:3: error: x\n    3 | three\n"
                      "f:4: error: x\n    4 | \n"
                      "f:5: error: x\n    5 | five\n"
                      "f:6: error: x\n"); /* no such line: no quotation */
    diagnostics_free(d);
}

static void text_cannot_drive_a_terminal(void **state)
{
    struct diagnostics *d = diagnostics_new();

    (void)state;
    diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){"a\x1b[2J", 1, 1}, "unknown '%s'",
                    "\x1b]0;title\x07\n");
    assert_written(d, "a\\x1b[2J:1:1: error: unknown '\\x1b]0;title\\x07\\n'\n");
    assert_string_equal(diagnostics_text(d, 0, NULL, NULL), "unknown '\\x1b]0;title\\x07\\n'");
    diagnostics_free(d);
}

static void long_text_is_cut_between_characters(void **state)
{
    struct diagnostics *d = diagnostics_new();
    char *big = malloc(100001);
    const char *text;

    (void)state;
    for (int i = 0; i < 100000; i += 2)
        memcpy(big + i, "ü", 2);
    big[100000] = '\0';
    diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){0}, "x%s", big);
    text = diagnostics_text(d, 0, NULL, NULL);
    assert_true(strlen(text) <= 2003);
    assert_true(text_is_utf8(text, strlen(text)));
    assert_string_equal(text + strlen(text) - 3, "...");
    free(big);
    diagnostics_free(d);
}

static void exit_code_is_the_worst_kind(void **state)
{
    static const enum diagnostic_kind order[] = {DIAGNOSTIC_NOTE, DIAGNOSTIC_WARNING,
                                                 DIAGNOSTIC_INFEASIBLE, DIAGNOSTIC_ERROR,
                                                 DIAGNOSTIC_FAILURE};
    static const int code[] = {0, 0, 4, 2, 1};
    struct diagnostics *d = diagnostics_new();

    (void)state;
    assert_int_equal(diagnostics_exit_code(d), 0);
    assert_false(diagnostics_failed(d));
    for (size_t i = 0; i < 5; i++) {
        diagnostics_add(d, order[i], (struct place){0}, "x");
        assert_int_equal(diagnostics_exit_code(d), code[i]);
        assert_int_equal(diagnostics_failed(d), code[i] != 0);
        assert_int_equal(diagnostics_count(d, order[i]), 1);
    }
    diagnostics_free(d);
}

static void what_is_too_much_is_counted(void **state)
{
    struct diagnostics *d = diagnostics_new();
    char *got;
    size_t lines = 0;

    (void)state;
    for (int i = 0; i < 1000; i++) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){"f", 1000 - i, 0}, "e%d", i);
        for (int k = 0; k < 10; k++)
            diagnostics_add(d, DIAGNOSTIC_NOTE, (struct place){"f", 1, 0}, "n");
    }
    diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "disk full"); /* counts though lost */
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_ERROR), 1000);
    assert_int_equal(diagnostics_exit_code(d), 1);
    got = written(d);
    for (const char *p = got; (p = strchr(p, '\n')) != NULL; p++)
        lines++;
    assert_int_equal(lines, 200 * (1 + 5) + 1);
    assert_non_null(strstr(got, "fleetcast: note: 801 more are not shown\n"));
    free(got);
    diagnostics_free(d);
}

/* 200 errors in one line of 1 MiB: the quotations together must not cost seconds. */
static void hostile_lines_are_quick(void **state)
{
    size_t length = (size_t)1 << 20;
    char *line = malloc(length);
    struct diagnostics *d = diagnostics_new();
    char *got;

    (void)state;
    memset(line, 'a', length);
    diagnostics_source(d, "f", line, length);
    for (int i = 0; i < 200; i++)
        diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){"f", 1, (int)length - i}, "x");
    got = written(d);
    assert_true(strlen(got) < 200 * 400);
    free(got);
    free(line);
    diagnostics_free(d);
}

static void texts_can_be_read_back(void **state)
{
    struct diagnostics *d = diagnostics_new();
    enum diagnostic_kind kind;
    struct place where;

    (void)state;
    diagnostics_add(d, DIAGNOSTIC_WARNING, (struct place){"f", 9, 2}, "later");
    diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){"f", 1, 1}, "sooner");
    assert_string_equal(diagnostics_text(d, 0, &kind, &where), "later");
    assert_int_equal(kind, DIAGNOSTIC_WARNING);
    assert_int_equal(where.line, 9);
    assert_string_equal(diagnostics_text(d, 1, &kind, NULL), "sooner");
    assert_null(diagnostics_text(d, 2, &kind, &where));
    diagnostics_free(d);
    diagnostics_free(NULL);
}

static void first_text_of_a_source_stays(void **state)
{
    struct diagnostics *d = diagnostics_new();

    (void)state;
    diagnostics_source(d, "f", "one", 3);
    diagnostics_source(d, "f", "two", 3);
    diagnostics_source(d, "empty", NULL, 0);
    diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){"f", 1, 1}, "x");
    diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){"empty", 1, 1}, "no document");
    assert_written(d, "f:1:1: error: x\n    1 | one\n      | ^\n"
                      "empty:1:1: error: no document\n    1 | \n      | ^\n");
    diagnostics_free(d);
}

static void a_note_without_an_error_stands_alone(void **state)
{
    struct diagnostics *d = diagnostics_new();

    (void)state;
    diagnostics_add(d, DIAGNOSTIC_NOTE, (struct place){0}, "prices are old");
    diagnostics_add(d, DIAGNOSTIC_NOTE, (struct place){0}, "very old");
    assert_written(d, "fleetcast: note: prices are old\nfleetcast: note: very old\n");
    diagnostics_free(d);
}

enum { CARETS = sizeof(carets) / sizeof(carets[0]) };

static void the_same_is_not_said_twice(void **state)
{
    struct diagnostics *d = diagnostics_new();
    const struct place here = {"a.yaml", 3, 1}, there = {"a.yaml", 4, 1};

    (void)state;
    for (int i = 0; i < 3; i++) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, here, "the deadline lies beyond the horizon");
        diagnostics_add(d, DIAGNOSTIC_NOTE, here, "the horizon is here");
    }
    diagnostics_add(d, DIAGNOSTIC_ERROR, there, "the deadline lies beyond the horizon");
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_ERROR), 2);
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_NOTE), 1);
    diagnostics_free(d);
}

int main(void)
{
    struct CMUnitTest tests[20 + CARETS] = {
        cmocka_unit_test(an_error_shows_its_line),
        cmocka_unit_test(a_place_may_vanish),
        cmocka_unit_test(entries_are_sorted_by_place),
        cmocka_unit_test(long_lines_are_cut_round_the_caret),
        cmocka_unit_test(wide_lines_are_cut_between_characters),
        cmocka_unit_test(line_ends_of_all_kinds),
        cmocka_unit_test(text_cannot_drive_a_terminal),
        cmocka_unit_test(long_text_is_cut_between_characters),
        cmocka_unit_test(exit_code_is_the_worst_kind),
        cmocka_unit_test(what_is_too_much_is_counted),
        cmocka_unit_test(hostile_lines_are_quick),
        cmocka_unit_test(texts_can_be_read_back),
        cmocka_unit_test(first_text_of_a_source_stays),
        cmocka_unit_test(a_note_without_an_error_stands_alone),
        cmocka_unit_test(the_same_is_not_said_twice),
    };
    size_t n = 0;

    while (tests[n].name != NULL)
        n++;

    for (size_t i = 0; i < CARETS; i++)
        tests[n++] = (struct CMUnitTest){carets[i].name, caret_is_below_the_character, NULL, NULL,
                                         &carets[i]};
    return _cmocka_run_group_tests("diagnostics", tests, n, NULL, NULL);
}
