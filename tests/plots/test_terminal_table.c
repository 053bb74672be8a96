/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/testing.h"

#include "engine/text.h"
#include "plots/text/terminal_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a table looks like; the caller frees. */
static char *written(const struct terminal_table *t, size_t width, bool ascii)
{
    struct terminal_style style = {width, ascii};
    char *bytes = NULL;
    size_t length;
    FILE *f = open_memstream(&bytes, &length);

    assert_non_null(f);
    assert_true(terminal_table_write(t, &style, f));
    assert_int_equal(fclose(f), 0);
    return bytes;
}

static void assert_written(const struct terminal_table *t, size_t width, bool ascii,
                           const char *wanted)
{
    char *bytes = written(t, width, ascii);

    assert_string_equal(bytes, wanted);
    free(bytes);
}

static struct terminal_table *example(void)
{
    static const struct terminal_column columns[] = {
        {"STRATEGY", false}, {"COST P50", true}, {"NOTE", false}};
    struct terminal_table *t = terminal_table_new(columns, 3);
    size_t row;

    assert_non_null(t);
    row = terminal_table_add_row(t);
    terminal_table_set(t, row, 0, "on-demand");
    terminal_table_set(t, row, 1, "3,310");
    row = terminal_table_add_row(t);
    terminal_table_set(t, row, 0, "日本語");
    terminal_table_set(t, row, 1, "512,400");
    terminal_table_set(t, row, 2, "12 ± 3");
    return t;
}

/* A folded text loses nothing; what else stands in its row stands in its first line. */
static void one_column_is_folded(void **state)
{
    static const struct terminal_column columns[] = {
        {"NAME", false}, {"PRICED", false}, {"COST", true}};
    struct terminal_table *t = terminal_table_new(columns, 3);

    (void)state;
    assert_non_null(t);
    for (size_t row = 0; row < 2; row++) {
        assert_int_equal(terminal_table_add_row(t), row);
        terminal_table_set(t, row, 0, row == 0 ? "first" : "2");
        terminal_table_set(t, row, 1, row == 0 ? "12.1 h at 8.59, 3 h at 9.02" : "free");
        terminal_table_set(t, row, 2, "131");
    }
    assert_written(t, 27, false,
                   "NAME   PRICED          COST\n"
                   "first  12.1 h \xe2\x80\xa6t 9.02   131\n"
                   "2      free             131\n");
    terminal_table_fold(t, 1);
    assert_written(t, 27, false,
                   "NAME   PRICED          COST\n"
                   "first  12.1 h at        131\n"
                   "       8.59, 3 h at\n"
                   "       9.02\n"
                   "2      free             131\n");
    terminal_table_free(t);
}

static void aligns_by_the_width_on_a_terminal(void **state)
{
    struct terminal_table *t = example();

    (void)state;
    assert_written(t, 0, false,
                   "              COST\n"
                   "STRATEGY       P50  NOTE\n"
                   "on-demand    3,310\n"
                   "日本語     512,400  12 ± 3\n");
    assert_int_equal(terminal_table_width(t, &(struct terminal_style){0, false}), 26);
    terminal_table_free(t);
}

static void falls_back_to_ascii(void **state)
{
    struct terminal_table *t = example();

    (void)state;
    assert_written(t, 0, true,
                   "              COST\n"
                   "STRATEGY       P50  NOTE\n"
                   "on-demand    3,310\n"
                   "???        512,400  12 +- 3\n");
    terminal_table_free(t);
}

static void shortens_texts_but_never_numbers(void **state)
{
    static const struct terminal_column columns[] = {{"NAME", false}, {"N", true}};
    struct terminal_table *t = terminal_table_new(columns, 2);
    size_t row = terminal_table_add_row(t);
    char *bytes;

    (void)state;
    terminal_table_set(t, row, 0, "spot-with-fallback-in-us-east-1-by-16");
    terminal_table_set(t, row, 1, "123,456,789,012");
    assert_written(t, 32, false,
                   "NAME                           N\n"
                   "spot-wi…1-by-16  123,456,789,012\n");
    assert_written(t, 32, true,
                   "NAME                           N\n"
                   "spot-w...-by-16  123,456,789,012\n");
    /* Too narrow for anything: the number is whole all the same. */
    bytes = written(t, 5, false);
    assert_non_null(strstr(bytes, "  123,456,789,012\n"));
    free(bytes);
    terminal_table_free(t);
}

static void shortens_wide_characters_between_them(void **state)
{
    static const struct terminal_column columns[] = {{"NAME", false}};
    struct terminal_table *t = terminal_table_new(columns, 1);
    size_t row = terminal_table_add_row(t);
    char *bytes;

    (void)state;
    terminal_table_set(t, row, 0, "日本語の戦略、とても長い名前の戦略でございます");
    bytes = written(t, 20, false);
    assert_true(text_is_utf8(bytes, strlen(bytes)));
    assert_non_null(strstr(bytes, "…"));
    assert_true(text_width(strchr(bytes, '\n') + 1) <= 20);
    free(bytes);
    terminal_table_free(t);
}

static void nothing_from_outside_drives_the_terminal(void **state)
{
    static const struct terminal_column columns[] = {{"NAME", false}, {"N", true}};
    struct terminal_table *t = terminal_table_new(columns, 2);
    size_t row = terminal_table_add_row(t);

    (void)state;
    terminal_table_set(t, row, 0, "a\x1b[2J\nb\xff");
    terminal_table_set(t, row, 1, "1");
    assert_written(t, 0, false,
                   "NAME             N\n"
                   "a\\x1b[2J\\nb\\xff  1\n");
    terminal_table_free(t);
}

static void a_table_without_rows_is_its_headings(void **state)
{
    static const struct terminal_column columns[] = {{"INSTANCE TYPE", false}, {"GPUS", true}};
    struct terminal_table *t = terminal_table_new(columns, 2);

    (void)state;
    assert_written(t, 0, false, "INSTANCE\nTYPE      GPUS\n");
    /* Beyond the last row or column nothing is set. */
    terminal_table_set(t, 0, 0, "x");
    assert_written(t, 0, false, "INSTANCE\nTYPE      GPUS\n");
    terminal_table_free(t);
}

static void prints_any_table_of_the_engine(void **state)
{
    static const struct column columns[] = {{"type", "", "", COLUMN_TEXT, -1},
                                            {"gpus", "", "", COLUMN_INTEGER, -1},
                                            {"price_usd_per_hour", "usd", "", COLUMN_NUMBER, -1},
                                            {"share_frac", "frac", "", COLUMN_NUMBER, 2},
                                            {"paid_usd", "usd", "", COLUMN_MONEY, 2},
                                            {"date", "", "", COLUMN_TIME, -1}};
    struct terminal_style style = {0, false};
    struct table *t = table_new("show", columns, 6);
    char *bytes = NULL;
    size_t length, row;
    FILE *f = open_memstream(&bytes, &length);

    (void)state;
    assert_non_null(t);
    assert_non_null(f);
    row = table_add_row(t);
    table_set_text(t, row, 0, "p4d.24xlarge");
    table_set_integer(t, row, 1, 8);
    table_set_number(t, row, 2, 32.7726);
    table_set_number(t, row, 3, 0.5);
    table_set_money(t, row, 4, INT64_C(1234567) * MONEY_UNIT + MONEY_UNIT / 2);
    table_set_integer(t, row, 5, 1748736000); /* 2025-06-01 */
    row = table_add_row(t);
    table_set_number(t, row, 2, 0.5);
    table_set_number(t, row, 3, 0.001); /* is not shown as 0.00 */
    table_set_integer(t, row, 5, 1748736060);
    assert_true(terminal_table_print_folded(t, &style, NULL, f));
    fclose(f);
    assert_string_equal(bytes, "                      PRICE\n"
                               "                    USD PER  SHARE\n"
                               "TYPE          GPUS     HOUR   FRAC      PAID USD  DATE\n"
                               "p4d.24xlarge     8  32.7726   0.50  1,234,567.50  2025-06-01\n"
                               "-              n/a   0.5000  0.001           n/a  "
                               "2025-06-01T00:01:00Z\n");
    free(bytes);
    table_free(t);
}

static void a_full_disk_is_told(void **state)
{
    struct terminal_table *t = example();
    struct terminal_style style = {0, false};
    FILE *f = fopen("/dev/full", "w");

    (void)state;
    assert_non_null(f);
    setvbuf(f, NULL, _IONBF, 0);
    assert_false(terminal_table_write(t, &style, f));
    fclose(f);
    terminal_table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(aligns_by_the_width_on_a_terminal),
                                       cmocka_unit_test(one_column_is_folded),
                                       cmocka_unit_test(falls_back_to_ascii),
                                       cmocka_unit_test(shortens_texts_but_never_numbers),
                                       cmocka_unit_test(shortens_wide_characters_between_them),
                                       cmocka_unit_test(nothing_from_outside_drives_the_terminal),
                                       cmocka_unit_test(a_table_without_rows_is_its_headings),
                                       cmocka_unit_test(prints_any_table_of_the_engine),
                                       cmocka_unit_test(a_full_disk_is_told)};

    return cmocka_run_group_tests_name("terminal_table", tests, NULL, NULL);
}
