/* SPDX-License-Identifier: GPL-3.0-or-later
 * Each row of the table is one file: what is read from it (line of the record, then its fields) and
 * which errors come out. The hostile files that are too long to write down are built by a test. */
#include "engine/csv_reader.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

struct row {
    const char *name;
    const char *text;
    size_t length;
    const char *records; /* "line:a|b;" for each record, from columns a and b */
    const char *errors;  /* as printed */
};

#define ROW(name, text, records, errors)                                                           \
    {                                                                                              \
        name, text, sizeof(text) - 1, records, errors                                              \
    }

static const struct row rows[] = {
    ROW("plain", "a,b\n1,2\n3,4\n", "2:1|2;3:3|4;", ""),
    ROW("no line end at the end", "a,b\n1,2", "2:1|2;", ""),
    ROW("header only", "a,b\n", "", ""),
    ROW("header only without line end", "a,b", "", ""),
    ROW("other order and other columns", "x,b,y,a\n0,2,9,1\n", "2:1|2;", ""),
    ROW("byte-order mark",
        "\xEF\xBB\xBF"
        "a,b\n1,2\n",
        "2:1|2;", ""),
    ROW("byte-order mark and quoted name", "\xEF\xBB\xBF\"a\",b\n1,2\n", "2:1|2;", ""),
    ROW("CRLF", "a,b\r\n1,2\r\n3,4\r\n", "2:1|2;3:3|4;", ""),
    ROW("CR only", "a,b\r1,2\r3,4\r", "2:1|2;3:3|4;", ""),
    ROW("CR only, blank lines", "a,b\r\r1,2\r\r\r3,4", "3:1|2;6:3|4;", ""),
    ROW("line ends mixed", "a,b\r1,2\n3,4\r\n5,6\n\r7,8\n", "2:1|2;3:3|4;4:5|6;6:7|8;", ""),
    ROW("blank lines", "\n\na,b\n\n1,2\n \t \n\n3,4\n\n", "5:1|2;8:3|4;", ""),
    ROW("blank lines with CRLF", "\r\na,b\r\n\r\n1,2\r\n\r\n", "4:1|2;", ""),
    ROW("quoted line ends", "a,b\n\"1\n1\",\"2\r\n2\"\n\n3,4\n", "2:1\n1|2\r\n2;6:3|4;", ""),
    ROW("quoted comma and quote", "a,b\n\"1,1\",\"say \"\"2\"\"\"\n", "2:1,1|say \"2\";", ""),
    ROW("empty fields", "a,b\n,\n\"\",2\n", "2:|;3:|2;", ""),
    ROW("spaces round bare and quoted fields", "a,b\n  1 ,\t\"2 \" \n", "2:1|2 ;", ""),
    ROW("UTF-8", "a,b\nZ\xC3\xBCrich,\xE6\x9D\xB1\xE4\xBA\xAC\n",
        "2:Z\xC3\xBCrich|\xE6\x9D\xB1\xE4\xBA\xAC;", ""),
    ROW("nameless columns", "a,b,,\n1,2,,\n", "2:1|2;", ""),
    ROW("formula text stays", "a,b\n=1+1,@x\n", "2:=1+1|@x;", ""),

    ROW("empty file", "", "", "t.csv: error: the file is empty; expected a row of column names\n"),
    ROW("only a byte-order mark", "\xEF\xBB\xBF", "",
        "t.csv: error: the file is empty; expected a row of column names\n"),
    ROW("only blank lines", "\n\r\n  \n", "",
        "t.csv: error: the file is empty; expected a row of column names\n"),
    ROW("column missing", "a,c,d\n1,2,3\n", "", "t.csv:1: error: no column 'b'\n"),
    ROW("column misspelt", "A ,b\n1,2\n", "", "t.csv:1: error: no column 'a'; did you mean 'A'?\n"),
    ROW("both columns missing", "\nfoo,bar\n1,2\n", "",
        "t.csv:2: error: no column 'a'\nt.csv:2: error: no column 'b'\n"),
    ROW("semicolons", "a;b\n1;2\n", "",
        "t.csv:1: error: no column 'a'; expected columns separated by commas, found 'a;b'\n"
        "t.csv:1: error: no column 'b'; expected columns separated by commas, found 'a;b'\n"),
    ROW("column twice", "a,b,a\n1,2,3\n", "", "t.csv:1: error: two columns are named 'a'\n"),
    ROW("column three times", "a,b,a,a\n", "", "t.csv:1: error: two columns are named 'a'\n"),
    ROW("record too short", "a,b\n1,2\n3\n4,5\n", "2:1|2;",
        "t.csv:3: error: expected 2 columns, found 1\n"),
    ROW("record too long", "a,b\n1,2,3\n", "", "t.csv:2: error: expected 2 columns, found 3\n"),
    ROW("ragged behind a quoted line end", "a,b\n\"1\n\",2\n3\n", "2:1\n|2;",
        "t.csv:4: error: expected 2 columns, found 1\n"),
    ROW("unclosed quote", "a,b\n1,2\n\"3,4\n5,6\n", "2:1|2;",
        "t.csv:3: error: unclosed quote in the record that starts here\n"),
    ROW("unclosed quote in the header", "\"a,b\n1,2\n", "",
        "t.csv:1: error: unclosed quote in the record that starts here\n"),
    ROW("unclosed quote is the last byte", "a,b\n1,\"", "",
        "t.csv:2: error: unclosed quote in the record that starts here\n"),
    ROW("quote inside a bare field", "a,b\n1,2\n3,4\"\n", "2:1|2;",
        "t.csv:3:4: error: a quote inside a field; expected quotes round the whole field, and "
        "quotes in it doubled\n"),
    ROW("text behind a closing quote", "a,b\nZ\xC3\xBC,\"2\"x\n", "",
        "t.csv:2:7: error: a quote inside a field; expected quotes round the whole field, and "
        "quotes in it doubled\n"),
    ROW("quote left open meets the next one", "a,b\n\"1,2\n\"3\",4\n", "",
        "t.csv:3:2: error: a quote inside a field, in the record that starts on line 2; expected "
        "quotes round the whole field, and quotes in it doubled\n"),
    ROW("NUL", "a,b\n1,2\n3,\0004\n", "2:1|2;",
        "t.csv:3:3: error: a NUL byte; expected text in UTF-8\n"),
    ROW("UTF-16",
        "\xFF\xFE"
        "a\0,\0b\0\n\0",
        "", "t.csv:1:4: error: a NUL byte; expected text in UTF-8\n"),
    ROW("Latin-1", "a,b\n1,2\n3,Z\xFCrich\n", "2:1|2;",
        "t.csv:3: error: column 2 holds bytes that are not UTF-8; expected text in UTF-8\n"),
    ROW("overlong UTF-8", "a,b\n\xC0\xAF,2\n", "",
        "t.csv:2: error: column 1 holds bytes that are not UTF-8; expected text in UTF-8\n"),
    ROW("broken UTF-8 in the header", "a,b,\xC3\n1,2,3\n", "",
        "t.csv:1: error: column 3 holds bytes that are not UTF-8; expected text in UTF-8\n"),
};

static const char *const two_columns[] = {"a", "b", NULL};

static char *errors_text(struct diagnostics *d)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    diagnostics_write(d, out);
    fclose(out);
    return text;
}

/* Reads to the end; twice at the end to see that it stays the end. */
static char *records_text(struct csv_reader *r)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    int got;
    while (r != NULL && (got = csv_next(r)) == 1) {
        fprintf(out, "%d:%s|%s;", csv_line(r), csv_text(r, 0), csv_text(r, 1));
        assert_int_equal(csv_place(r).line, csv_line(r));
        assert_string_equal(csv_place(r).file, "t.csv");
    }
    if (r != NULL) {
        assert_int_equal(csv_next(r), got);
        assert_string_equal(csv_text(r, 0), "");
    }
    fclose(out);
    return text;
}

static void check_row(const struct row *row, struct csv_reader *r, struct diagnostics *d)
{
    char *records = records_text(r);
    char *errors = errors_text(d);
    csv_close(r);
    diagnostics_free(d);
    assert_string_equal(records, row->records);
    assert_string_equal(errors, row->errors);
    free(records);
    free(errors);
}

static void write_file(const char *path, const char *text, size_t length)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, length, f), length);
    assert_int_equal(fclose(f), 0);
}

static void test_row(void **state)
{
    const struct row *row = *state;
    struct diagnostics *d = diagnostics_new();
    check_row(row, csv_open_text(row->text, row->length, "t.csv", two_columns, d), d);

    char path[] = "build/test_csv_reader_XXXXXX";
    close(mkstemp(path));
    write_file(path, row->text, row->length);
    d = diagnostics_new();
    struct csv_reader *r = csv_open(path, "t.csv", two_columns, d);
    unlink(path);
    check_row(row, r, d);
}

/* ---- values ---- */

struct value {
    const char *name;
    const char *text; /* as it stands in the file */
    double number;    /* NAN: refused */
    int64_t integer;  /* -1: refused */
    money_t money;    /* -1: refused */
};

static const struct value values[] = {
    {"0", "0", 0, 0, 0},
    {"whole", "42", 42, 42, 42 * MONEY_UNIT},
    {"negative", "-7", -7, -7, -7 * MONEY_UNIT},
    {"plus sign", "+7", 7, 7, -1},
    {"decimals", "1.25", 1.25, -1, 1250000000},
    {"nine decimals", "0.000000001", 1e-9, -1, 1},
    {"ten decimals", "0.0000000001", 1e-10, -1, -1},
    {"exponent", "1e3", 1000, -1, -1},
    {"point first", ".5", 0.5, -1, -1},
    {"point last", "5.", 5, -1, -1},
    {"largest money", "9223372036.854775807", 9223372036.854775807, -1, INT64_MAX},
    {"one nano too much money", "9223372036.854775808", 9223372036.854775808, -1, -1},
    {"least integer", "-9223372036854775807", -9223372036854775807.0, -INT64_MAX, -1},
    {"the integer that means missing", "-9223372036854775808", -9223372036854775808.0, -1, -1},
    {"integer too large", "9223372036854775808", 9223372036854775808.0, -1, -1},
    {"nan", "nan", NAN, -1, -1},
    {"infinity", "inf", NAN, -1, -1},
    {"too large", "1e999", NAN, -1, -1},
    {"too small", "1e-999", NAN, -1, -1},
    {"smallest denormal", "4.94065646e-324", 4.94065646e-324, -1, -1},
    {"hexadecimal", "0x10", NAN, -1, -1},
    {"thousands", "\"1,234\"", NAN, -1, -1},
    {"decimal comma", "\"1,5\"", NAN, -1, -1},
    {"quoted space", "\" 1\"", NAN, -1, -1},
    {"unit", "5s", NAN, -1, -1},
    {"only a sign", "-", NAN, -1, -1},
    {"two points", "1.2.3", NAN, -1, -1},
    {"empty", "", NAN, -1, -1},
};

static void test_value(void **state)
{
    const struct value *v = *state;
    char text[128];
    int length = snprintf(text, sizeof text, "a,b\n%s,x\n", v->text);
    struct diagnostics *d = diagnostics_new();
    struct csv_reader *r = csv_open_text(text, (size_t)length, "t.csv", two_columns, d);
    assert_non_null(r);
    assert_int_equal(csv_next(r), 1);
    assert_true(csv_missing(r, 0) == (v->text[0] == '\0'));

    size_t refused = 0;
    double number = 123;
    bool good = csv_double(r, 0, &number);
    assert_true(good == !isnan(v->number));
    assert_true(number == (good ? v->number : 123));
    refused += !good;
    int64_t integer = 123;
    good = csv_int64(r, 0, &integer);
    assert_true(good == (v->integer != -1));
    assert_true(integer == (good ? v->integer : 123));
    refused += !good;
    money_t money = 123;
    good = csv_money(r, 0, &money);
    assert_true(good == (v->money != -1));
    assert_true(money == (good ? v->money : 123));
    refused += !good;

    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_ERROR), refused);
    assert_int_equal(csv_next(r), 0); /* a bad value does not end the reading */
    csv_close(r);
    diagnostics_free(d);
}

static void expect_errors(struct diagnostics *d, const char *want)
{
    char *errors = errors_text(d);
    assert_string_equal(errors, want);
    free(errors);
    diagnostics_free(d);
}

static void test_value_messages(void **state)
{
    (void)state;
    static const char text[] =
        "a,b\nbad,2026-02-30\n,2026-03-02\n"
        "1234567890123456789012345678901234567890123456789012345678\xC3\xBC\xC3\xBC"
        "9,x\n";
    struct diagnostics *d = diagnostics_new();
    struct csv_reader *r = csv_open_text(text, sizeof text - 1, "t.csv", two_columns, d);
    assert_non_null(r);
    double number;
    int64_t integer = 5;
    assert_int_equal(csv_next(r), 1);
    assert_false(csv_double(r, 0, &number));
    assert_false(csv_date(r, 1, &integer));
    assert_int_equal(integer, 5);
    assert_int_equal(csv_next(r), 1);
    assert_false(csv_int64(r, 0, &integer));
    assert_true(csv_date(r, 1, &integer));
    assert_int_equal(integer, 1772409600); /* date -u -d 2026-03-02 +%s */
    assert_int_equal(csv_next(r), 1);
    assert_false(csv_double(r, 0, &number));
    csv_close(r);
    expect_errors(d, "t.csv:2: error: column 'a': 'bad' is not a number\n"
                     "t.csv:2: error: column 'b': '2026-02-30' is not a date such as 2026-03-02\n"
                     "t.csv:3: error: column 'a' is empty; expected a whole number\n"
                     "t.csv:4: error: column 'a': "
                     "'1234567890123456789012345678901234567890123456789012345678\xC3\xBC...' is "
                     "not a number\n");
}

static void test_columns_by_name(void **state)
{
    (void)state;
    static const char text[] = "x,a,\n1,2,3\n";
    static const char *const none[] = {NULL};
    struct diagnostics *d = diagnostics_new();
    for (int i = 0; i < 2; i++) {
        struct csv_reader *r =
            csv_open_text(text, sizeof text - 1, "t.csv", i == 0 ? none : NULL, d);
        assert_non_null(r);
        assert_int_equal(csv_find_column(r, "x"), 0);
        assert_int_equal(csv_find_column(r, "a"), 1);
        assert_int_equal(csv_find_column(r, "b"), -1);
        assert_int_equal(csv_find_column(r, ""), -1);
        assert_string_equal(csv_raw(r, 1), ""); /* no record yet */
        assert_int_equal(csv_next(r), 1);
        assert_string_equal(csv_raw(r, 0), "1");
        assert_string_equal(csv_raw(r, 2), "3");
        assert_string_equal(csv_raw(r, 3), "");
        assert_string_equal(csv_raw(r, -1), "");
        assert_string_equal(csv_text(r, 0), "");
        csv_close(r);
    }
    expect_errors(d, "");
}

/* ---- what cannot be opened ---- */

static void test_no_such_file(void **state)
{
    (void)state;
    struct diagnostics *d = diagnostics_new();
    assert_null(csv_open("build/no/such.csv", NULL, two_columns, d));
    assert_int_equal(diagnostics_exit_code(d), 2);
    expect_errors(d, "build/no/such.csv: error: cannot open 'build/no/such.csv': No such file or "
                     "directory\n");
}

static void test_folder(void **state)
{
    (void)state;
    struct diagnostics *d = diagnostics_new();
    assert_null(csv_open("tests", "t.csv", two_columns, d));
    assert_int_equal(diagnostics_exit_code(d), 2);
    expect_errors(d, "t.csv: error: cannot read 't.csv': Is a directory\n");
}

/* A pipe that nobody writes to would keep the program waiting for ever. */
static void test_device_and_pipe(void **state)
{
    (void)state;
    static const char *const paths[] = {"/dev/zero", "build/test_csv_reader.pipe"};
    unlink(paths[1]);
    assert_int_equal(mkfifo(paths[1], 0600), 0);
    for (size_t i = 0; i < 2; i++) {
        struct diagnostics *d = diagnostics_new();
        assert_null(csv_open(paths[i], "t.csv", two_columns, d));
        assert_int_equal(diagnostics_exit_code(d), 2);
        expect_errors(d, "t.csv: error: 't.csv' is a pipe or a device; a regular file is wanted\n");
    }
    unlink(paths[1]);
}

/* ---- large files ---- */

/* "a,b\n1,\"" and then `length` times `filler`: never closed. */
static void check_hostile(char filler, size_t length, const char *error)
{
    static const char head[] = "a,b\n1,\"";
    char *text = malloc(sizeof head + length);
    assert_non_null(text);
    memcpy(text, head, sizeof head - 1);
    memset(text + sizeof head - 1, filler, length);
    struct diagnostics *d = diagnostics_new();
    struct csv_reader *r = csv_open_text(text, sizeof head - 1 + length, "t.csv", two_columns, d);
    assert_non_null(r);
    assert_int_equal(csv_next(r), -1);
    csv_close(r);
    free(text);
    expect_errors(d, error);
}

static void test_unclosed_quote_over_the_limit(void **state)
{
    (void)state;
    const char *error = "t.csv:2: error: the record that starts here is longer than 1 MiB; is a "
                        "closing quote missing?\n";
    check_hostile('x', 8 * 1024 * 1024, error);
    check_hostile('\n', 8 * 1024 * 1024, error);
    check_hostile('\r', 8 * 1024 * 1024, error);
    check_hostile(' ', 8 * 1024 * 1024, error);
}

/* A record of exactly `bytes`, line end included: a quoted field, a comma, a bare one. */
static int read_record_of(size_t bytes)
{
    char *text = malloc(4 + bytes);
    assert_non_null(text);
    memcpy(text, "a,b\n", 4);
    memset(text + 4, 'x', bytes);
    memcpy(text + 4 + bytes - 3, ",y\n", 3);
    struct diagnostics *d = diagnostics_new();
    struct csv_reader *r = csv_open_text(text, 4 + bytes, "t.csv", two_columns, d);
    assert_non_null(r);
    int got = csv_next(r);
    if (got == 1) {
        assert_int_equal(strlen(csv_text(r, 0)), bytes - 3);
        assert_string_equal(csv_text(r, 1), "y");
    }
    csv_close(r);
    diagnostics_free(d);
    free(text);
    return got;
}

static void test_record_limit(void **state)
{
    (void)state;
    assert_int_equal(read_record_of(1024 * 1024), 1);
    assert_int_equal(read_record_of(1024 * 1024 + 1), -1);
}

static struct csv_reader *open_header_of(size_t columns, struct diagnostics *d, char **text)
{
    size_t length = 0;
    FILE *out = open_memstream(text, &length);
    assert_non_null(out);
    for (size_t i = 0; i < columns; i++) {
        fprintf(out, "%sc%zu", i == 0 ? "" : ",", i);
    }
    fputs("\n", out);
    fclose(out);
    static const char *const last[] = {"c4095", NULL};
    return csv_open_text(*text, length, "t.csv", last, d);
}

static void test_column_limit(void **state)
{
    (void)state;
    char *text;
    struct diagnostics *d = diagnostics_new();
    struct csv_reader *r = open_header_of(4096, d, &text);
    assert_non_null(r);
    csv_close(r);
    free(text);
    expect_errors(d, "");
    d = diagnostics_new();
    assert_null(open_header_of(4097, d, &text));
    free(text);
    expect_errors(d, "t.csv:1: error: more than 4096 columns\n");
}

/* Megabytes of commas and of blank lines: bounded time and memory, clear ends. */
static void test_commas_and_blank_lines(void **state)
{
    (void)state;
    size_t length = 8 * 1024 * 1024;
    char *text = malloc(length);
    assert_non_null(text);
    memset(text, ',', length);
    struct diagnostics *d = diagnostics_new();
    assert_null(csv_open_text(text, length, "t.csv", two_columns, d));
    expect_errors(d, "t.csv:1: error: more than 4096 columns\n");
    memset(text, '\r', length);
    memcpy(text, "a,b", 3);
    memcpy(text + length - 3, "1,2", 3);
    d = diagnostics_new();
    struct csv_reader *r = csv_open_text(text, length, "t.csv", two_columns, d);
    assert_non_null(r);
    assert_int_equal(csv_next(r), 1);
    assert_int_equal(csv_line(r), (int)length - 6 + 1);
    assert_string_equal(csv_text(r, 1), "2");
    csv_close(r);
    free(text);
    expect_errors(d, "");
}

/* Fields, quotes, CRLF and code points straddle the 64 KiB blocks in which a file is read. */
static void test_blocks(void **state)
{
    (void)state;
    enum { RECORDS = 20000 };
    char path[] = "build/test_csv_reader_XXXXXX";
    FILE *f = fdopen(mkstemp(path), "wb");
    assert_non_null(f);
    fputs("a,b\r\n", f);
    for (int i = 0; i < RECORDS; i++) {
        fprintf(f, "%d,\"x\xC3\xBC\r\n\"\"%d\"\"\"\r\n", i, i % 977);
    }
    fclose(f);
    struct diagnostics *d = diagnostics_new();
    struct csv_reader *r = csv_open(path, "t.csv", two_columns, d);
    assert_non_null(r);
    unlink(path);
    char want[32];
    for (int i = 0; i < RECORDS; i++) {
        assert_int_equal(csv_next(r), 1);
        int64_t number;
        assert_true(csv_int64(r, 0, &number));
        assert_int_equal(number, i);
        snprintf(want, sizeof want, "x\xC3\xBC\r\n\"%d\"", i % 977);
        assert_string_equal(csv_text(r, 1), want);
        assert_int_equal(csv_line(r), 2 + 2 * i);
    }
    assert_int_equal(csv_next(r), 0);
    csv_close(r);
    expect_errors(d, "");
}

/* A file whose first block of 64 KiB ends with the CR of a CRLF: the LF begins no line. */
static void test_line_end_over_two_blocks(void **state)
{
    (void)state;
    enum { BLOCK = 64 * 1024 };
    char *text = malloc(BLOCK + 16);
    assert_non_null(text);
    memset(text, 'x', BLOCK);
    memcpy(text, "a,b\r\n1,", 7);
    memcpy(text + BLOCK - 1, "\r\n3,4\r\n5\r\n", 11);
    char path[] = "build/test_csv_reader_XXXXXX";
    close(mkstemp(path));
    write_file(path, text, BLOCK - 1 + 10);
    struct diagnostics *d = diagnostics_new();
    struct csv_reader *r = csv_open(path, "t.csv", two_columns, d);
    assert_non_null(r);
    unlink(path);
    assert_int_equal(csv_next(r), 1);
    assert_int_equal(strlen(csv_text(r, 1)), BLOCK - 1 - 7);
    assert_int_equal(csv_next(r), 1);
    assert_string_equal(csv_text(r, 1), "4");
    assert_int_equal(csv_line(r), 3);
    assert_int_equal(csv_next(r), -1);
    csv_close(r);
    free(text);
    expect_errors(d, "t.csv:4: error: expected 2 columns, found 1\n");
}

/* The column of an error counts code points over all blocks of a line. */
static void test_column_over_two_blocks(void **state)
{
    (void)state;
    enum { LETTERS = 50000 };
    size_t length = 4 + 2 * LETTERS + 1;
    char *text = malloc(length + 1);
    assert_non_null(text);
    memcpy(text, "a,b\n", 4);
    for (size_t i = 0; i < LETTERS; i++) {
        memcpy(text + 4 + 2 * i, "\xC3\xBC", 2);
    }
    text[length - 1] = '"';
    struct diagnostics *d = diagnostics_new();
    struct csv_reader *r = csv_open_text(text, length, "t.csv", two_columns, d);
    assert_non_null(r);
    assert_int_equal(csv_next(r), -1);
    csv_close(r);
    free(text);
    expect_errors(d,
                  "t.csv:2:50001: error: a quote inside a field; expected quotes round the whole "
                  "field, and quotes in it doubled\n");
}

static long peak_kib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* 32 MB of records: memory stays where it was. */
static void test_streams(void **state)
{
    (void)state;
    enum { RECORDS = 1000000 };
    char path[] = "build/test_csv_reader_XXXXXX";
    FILE *f = fdopen(mkstemp(path), "wb");
    assert_non_null(f);
    fputs("a,b\n", f);
    for (int i = 0; i < RECORDS; i++) {
        fputs("123456789.25,a text of some 20 b\n", f);
    }
    fclose(f);
    long before = peak_kib();
    struct diagnostics *d = diagnostics_new();
    struct csv_reader *r = csv_open(path, "t.csv", two_columns, d);
    assert_non_null(r);
    unlink(path);
    int count = 0;
    while (csv_next(r) == 1) {
        count++;
    }
    assert_int_equal(count, RECORDS);
    assert_int_equal(csv_line(r), RECORDS + 1);
    csv_close(r);
    expect_errors(d, "");
    assert_true(peak_kib() - before < 4096);
}

static void note_preamble(void *context, const char *name, const char *value)
{
    char *seen = context;
    snprintf(seen + strlen(seen), 200 - strlen(seen), "%s=%s;", name, value);
}

static void test_preamble(void **state)
{
    (void)state;
    static const struct {
        const char *text, *seen, *errors;
    } cases[] = {
        {"v,1\n\"note, long\"\na,b\n1,2\n", "v=1;note, long=;", ""},
        {"a,b\n1,2\n", "", ""},
        {"v,1\nw,2\n", "v=1;w=2;",
         "t.csv: error: no row of column names; expected one that begins with 'a'\n"},
        {"", "", "t.csv: error: the file is empty; expected a row of column names\n"},
        {"v,1\na,c\n1,2\n", "v=1;", "t.csv:2: error: no column 'b'\n"},
        {"v,1\na,b\n1\n", "v=1;", "t.csv:3: error: expected 2 columns, found 1\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char seen[200] = "";
        struct csv_preamble preamble = {"a", note_preamble, seen};
        char path[] = "build/test_csv_reader_XXXXXX";
        close(mkstemp(path));
        write_file(path, cases[i].text, strlen(cases[i].text));
        struct diagnostics *d = diagnostics_new();
        struct csv_reader *r = csv_open_behind(path, "t.csv", &preamble, two_columns, d);
        if (r != NULL && csv_next(r) == 1) {
            assert_string_equal(csv_text(r, 1), "2");
        }
        csv_close(r);
        assert_string_equal(seen, cases[i].seen);
        expect_errors(d, cases[i].errors);
        unlink(path);
    }
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof rows[0], VALUES = sizeof values / sizeof values[0] };
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(test_value_messages),
        cmocka_unit_test(test_columns_by_name),
        cmocka_unit_test(test_no_such_file),
        cmocka_unit_test(test_folder),
        cmocka_unit_test(test_device_and_pipe),
        cmocka_unit_test(test_unclosed_quote_over_the_limit),
        cmocka_unit_test(test_record_limit),
        cmocka_unit_test(test_column_limit),
        cmocka_unit_test(test_commas_and_blank_lines),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_line_end_over_two_blocks),
        cmocka_unit_test(test_column_over_two_blocks),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_preamble),
    };
    enum { OTHERS = sizeof others / sizeof others[0] };
    struct CMUnitTest tests[ROWS + VALUES + OTHERS];
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){rows[i].name, test_row, NULL, NULL, (void *)&rows[i]};
    }
    for (size_t i = 0; i < VALUES; i++) {
        tests[ROWS + i] =
            (struct CMUnitTest){values[i].name, test_value, NULL, NULL, (void *)&values[i]};
    }
    memcpy(tests + ROWS + VALUES, others, sizeof others);
    return _cmocka_run_group_tests("csv_reader", tests, ROWS + VALUES + OTHERS, NULL, NULL);
}
