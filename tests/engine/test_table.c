/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/table.h"
#include "engine/table_read.h"
#include "tests/support/testing.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STRATEGY, HOURS, RESTARTS, COST, END };
static const struct column columns[] = {
    {"strategy", "", "how the nodes are bought", COLUMN_TEXT, -1},
    {"time_to_train_h", "h", "from start to end", COLUMN_NUMBER, 1},
    {"restarts", "", "of the gang", COLUMN_INTEGER, 0},
    {"cost_usd", "usd", "the bill", COLUMN_MONEY, 2},
    {"end", "", "of the work", COLUMN_TIME, -1},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

#define MARCH_2 INT64_C(1772409600) /* date -u -d 2026-03-02 +%s */

static void add(struct table *t, const char *strategy, double hours, int64_t restarts, money_t cost,
                int64_t end)
{
    size_t row = table_add_row(t);
    assert_int_not_equal(row, SIZE_MAX);
    table_set_text(t, row, STRATEGY, strategy);
    table_set_number(t, row, HOURS, hours);
    table_set_integer(t, row, RESTARTS, restarts);
    table_set_money(t, row, COST, cost);
    table_set_integer(t, row, END, end);
}

static struct table *sample(void)
{
    struct table *t = table_new("replications", columns, COLUMNS);
    assert_non_null(t);
    add(t, "on-demand", 58.25, 0, INT64_C(9007199254740993), MARCH_2); /* 2^53 + 1 nano */
    add(t, "spot, \"safe\"", 1.0 / 3, -3, -1, MARCH_2 + 86399);
    table_add_row(t);
    add(t, "spot\nunsafe ", 1e-5, INT64_MAX, INT64_MAX, 0);
    return t;
}

static const char sample_csv[] =
    "strategy,time_to_train_h,restarts,cost_usd,end\n"
    "on-demand,58.25,0,9007199.254740993,2026-03-02T00:00:00Z\n"
    "\"spot, \"\"safe\"\"\",0.333333,-3,-0.000000001,2026-03-02T23:59:59Z\n"
    ",,,,\n"
    "\"spot\nunsafe \",1e-05,9223372036854775807,9223372036.854775807,1970-01-01T00:00:00Z\n";

static void expect_csv(const struct table *t, const char *want)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);
    assert_non_null(out);
    assert_true(table_write_csv(t, out));
    fclose(out);
    assert_string_equal(bytes, want);
    free(bytes);
}

/* ---- shape and cells ---- */

static void test_shape(void **state)
{
    (void)state;
    char name[] = "temporary";
    struct column own[] = {{name, NULL, NULL, COLUMN_NUMBER, 3}};
    struct table *t = table_new(name, own, 1);
    assert_non_null(t);
    memset(name, 'x', 3); /* the table has its own copies */
    assert_string_equal(table_name(t), "temporary");
    assert_int_equal(table_columns(t), 1);
    assert_int_equal(table_rows(t), 0);
    assert_string_equal(table_column(t, 0)->name, "temporary");
    assert_string_equal(table_column(t, 0)->unit, "");
    assert_string_equal(table_column(t, 0)->meaning, "");
    assert_int_equal(table_column(t, 0)->decimals, 3);
    table_free(t);
    table_free(NULL);

    t = sample();
    assert_int_equal(table_rows(t), 4);
    assert_int_equal(table_find(t, "cost_usd"), COST);
    assert_int_equal(table_find(t, "cost"), -1);
    assert_string_equal(table_column(t, COST)->unit, "usd");
    table_free(t);
}

static void test_cells(void **state)
{
    (void)state;
    struct table *t = sample();
    assert_string_equal(table_text(t, 0, STRATEGY), "on-demand");
    assert_true(table_number(t, 0, HOURS) == 58.25);
    assert_int_equal(table_integer(t, 1, RESTARTS), -3);
    assert_true(table_integer(t, 0, COST) == INT64_C(9007199254740993));
    assert_true(table_integer(t, 1, END) == MARCH_2 + 86399);
    /* Every kind but text has a number. */
    assert_true(table_number(t, 1, RESTARTS) == -3);
    assert_relative(table_number(t, 0, COST), 9007199.254740993, 1e-15, "money as double");
    assert_true(table_number(t, 0, END) == (double)MARCH_2);
    assert_true(isnan(table_number(t, 0, STRATEGY)));
    assert_true(table_integer(t, 0, HOURS) == COLUMN_MISSING_INTEGER);
    assert_string_equal(table_text(t, 0, HOURS), "");
    for (size_t c = 0; c < COLUMNS; c++) {
        assert_false(table_missing(t, 0, c));
        assert_true(table_missing(t, 2, c));
        assert_true(isnan(table_number(t, 2, c)));
        assert_true(table_integer(t, 2, c) == COLUMN_MISSING_INTEGER);
        assert_string_equal(table_text(t, 2, c), "");
    }
    table_free(t);
}

static void test_set_to_missing(void **state)
{
    (void)state;
    struct table *t = sample();
    table_set_text(t, 0, STRATEGY, NULL);
    table_set_text(t, 1, STRATEGY, "");
    table_set_number(t, 0, HOURS, NAN);
    table_set_number(t, 1, HOURS, -INFINITY);
    table_set_integer(t, 0, RESTARTS, COLUMN_MISSING_INTEGER);
    table_set_money(t, 0, COST, COLUMN_MISSING_INTEGER);
    table_set_integer(t, 0, END, COLUMN_MISSING_INTEGER);
    for (size_t c = 0; c < COLUMNS; c++) {
        assert_true(table_missing(t, 0, c));
    }
    assert_true(table_missing(t, 1, STRATEGY));
    assert_true(table_missing(t, 1, HOURS));
    assert_false(table_incomplete(t));
    table_free(t);
}

/* ---- sorting ---- */

struct sorting {
    const char *name;
    size_t column;
    bool descending;
    const char *order; /* of the rows' marks */
};

/* Equal cells keep their order in both directions, missing ones are last in both. */
static const struct sorting sortings[] = {
    {"sort by text", STRATEGY, false, "cfadbe"},
    {"sort by text, descending", STRATEGY, true, "adfcbe"},
    {"sort by number", HOURS, false, "cadebf"},
    {"sort by number, descending", HOURS, true, "eadcbf"},
    {"sort by integer", RESTARTS, false, "eadbfc"},
    {"sort by integer, descending", RESTARTS, true, "bfadec"},
    {"sort by money", COST, false, "ebacfd"},
    {"sort by money, descending", COST, true, "facbed"},
    {"sort by time", END, false, "eacbfd"},
    {"sort by time, descending", END, true, "bfaced"},
};

static void test_sorting(void **state)
{
    const struct sorting *s = *state;
    const money_t big = INT64_C(9007199254740992); /* its successor is the same double */
    const int64_t none = COLUMN_MISSING_INTEGER;
    struct column marked[COLUMNS + 1];
    memcpy(marked, columns, sizeof columns);
    marked[COLUMNS] = (struct column){"mark", "", "", COLUMN_TEXT, -1};
    struct table *t = table_new("sorted", marked, COLUMNS + 1);
    assert_non_null(t);
    add(t, "spot", 2, 0, big + 1, 10);
    add(t, "", NAN, 3, big, 20);
    add(t, "on-demand", -1, none, big + 1, 10);
    add(t, "spot", 2, 0, none, none);
    add(t, NULL, 5, -7, 1, 0);
    add(t, "reserved", NAN, 3, big + 2, 20);
    for (size_t row = 0; row < 6; row++) {
        table_set_text(t, row, COLUMNS, (char[]){(char)('a' + row), '\0'});
    }
    table_sort(t, s->column, s->descending);
    char order[7] = "";
    for (size_t row = 0; row < 6; row++) {
        order[row] = table_text(t, row, COLUMNS)[0];
    }
    assert_string_equal(order, s->order);
    assert_false(table_incomplete(t));
    table_free(t);
}

/* Sizes round powers of two, where a bottom-up merge has its edges. */
static void test_sort_sizes(void **state)
{
    (void)state;
    static const struct column two[] = {{"key", "", "", COLUMN_INTEGER, 0},
                                        {"ordinal", "", "", COLUMN_INTEGER, 0}};
    for (size_t n = 0; n < 70; n++) {
        struct table *t = table_new("sorted", two, 2);
        assert_non_null(t);
        for (size_t i = 0; i < n; i++) {
            table_add_row(t);
            table_set_integer(t, i, 0, (int64_t)(i * 7919 % 13));
            table_set_integer(t, i, 1, (int64_t)i);
        }
        table_sort(t, 0, false);
        int64_t sum = 0;
        for (size_t i = 0; i < n; i++) {
            sum += table_integer(t, i, 1);
            int64_t key = table_integer(t, i, 0);
            assert_int_equal(key, table_integer(t, i, 1) * 7919 % 13);
            if (i > 0 && key == table_integer(t, i - 1, 0)) {
                assert_true(table_integer(t, i, 1) > table_integer(t, i - 1, 1));
            } else if (i > 0) {
                assert_true(key > table_integer(t, i - 1, 0));
            }
        }
        assert_int_equal(sum, n * (n - (n > 0)) / 2);
        table_free(t);
    }
}

/* ---- writing and reading back ---- */

static void test_csv(void **state)
{
    (void)state;
    struct table *t = sample();
    expect_csv(t, sample_csv);
    table_free(t);
    t = table_new("empty", columns, COLUMNS);
    assert_non_null(t);
    expect_csv(t, "strategy,time_to_train_h,restarts,cost_usd,end\n");
    table_free(t);
}

static void test_json(void **state)
{
    (void)state;
    struct table *t = sample();
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);
    assert_non_null(out);
    table_sort(t, RESTARTS, false);
    assert_true(table_write_json(t, out));
    fclose(out);
    assert_string_equal(bytes, "[\n"
                               "  {\n"
                               "    \"strategy\": \"spot, \\\"safe\\\"\",\n"
                               "    \"time_to_train_h\": 0.3333333333333333,\n"
                               "    \"restarts\": -3,\n"
                               "    \"cost_usd\": -0.000000001,\n"
                               "    \"end\": \"2026-03-02T23:59:59Z\"\n"
                               "  },\n"
                               "  {\n"
                               "    \"strategy\": \"on-demand\",\n"
                               "    \"time_to_train_h\": 58.25,\n"
                               "    \"restarts\": 0,\n"
                               "    \"cost_usd\": 9007199.254740993,\n"
                               "    \"end\": \"2026-03-02T00:00:00Z\"\n"
                               "  },\n"
                               "  {\n"
                               "    \"strategy\": \"spot\\nunsafe \",\n"
                               "    \"time_to_train_h\": 1e-05,\n"
                               "    \"restarts\": 9223372036854775807,\n"
                               "    \"cost_usd\": 9223372036.854775807,\n"
                               "    \"end\": \"1970-01-01T00:00:00Z\"\n"
                               "  },\n"
                               "  {\n"
                               "    \"strategy\": null,\n"
                               "    \"time_to_train_h\": null,\n"
                               "    \"restarts\": null,\n"
                               "    \"cost_usd\": null,\n"
                               "    \"end\": null\n"
                               "  }\n"
                               "]\n");
    free(bytes);
    table_free(t);
}

/* Writes text to a file and reads it as a table; errors go to *errors (the caller frees it). */
static struct table *read_text(const char *text, const struct column *wanted, size_t count,
                               char **errors)
{
    static const char path[] = "build/test_table.csv";
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    struct diagnostics *d = diagnostics_new();
    struct table *t = table_read_csv(path, "read", wanted, count, d);
    unlink(path);
    size_t length;
    FILE *out = open_memstream(errors, &length);
    assert_non_null(out);
    diagnostics_write(d, out);
    fclose(out);
    assert_true(diagnostics_failed(d) == (t == NULL));
    diagnostics_free(d);
    return t;
}

static void test_round_trip(void **state)
{
    (void)state;
    char *errors;
    struct table *t = read_text(sample_csv, columns, COLUMNS, &errors);
    assert_string_equal(errors, "");
    assert_non_null(t);
    struct table *original = sample();
    assert_int_equal(table_rows(t), table_rows(original));
    for (size_t row = 0; row < table_rows(t); row++) {
        assert_string_equal(table_text(t, row, STRATEGY), table_text(original, row, STRATEGY));
        assert_true(table_integer(t, row, RESTARTS) == table_integer(original, row, RESTARTS));
        assert_true(table_integer(t, row, COST) == table_integer(original, row, COST));
        assert_true(table_integer(t, row, END) == table_integer(original, row, END));
        if (row != 2) {
            assert_relative(table_number(t, row, HOURS), table_number(original, row, HOURS), 2e-6,
                            "hours");
        }
    }
    for (size_t c = 0; c < COLUMNS; c++) {
        assert_true(table_missing(t, 2, c));
    }
    expect_csv(t, sample_csv);
    table_free(original);
    table_free(t);
    free(errors);
}

/* A row that is missing as a whole survives even in a table of one column. */
static void test_round_trip_of_one_column(void **state)
{
    (void)state;
    static const char text[] = "cost_usd\n1.00\n\"\"\n0.50\n";
    char *errors;
    struct table *t = read_text(text, &columns[COST], 1, &errors);
    assert_non_null(t);
    assert_int_equal(table_rows(t), 3);
    assert_true(table_missing(t, 1, 0));
    expect_csv(t, text);
    table_free(t);
    free(errors);
}

static void test_read_other_order(void **state)
{
    (void)state;
    char *errors;
    struct table *t = read_text("new,cost_usd,strategy\n1,2.5,spot\n",
                                (struct column[]){columns[STRATEGY], columns[COST]}, 2, &errors);
    assert_non_null(t);
    assert_string_equal(table_text(t, 0, 0), "spot");
    assert_true(table_integer(t, 0, 1) == 5 * MONEY_UNIT / 2);
    table_free(t);
    free(errors);
}

static void test_read_errors(void **state)
{
    (void)state;
    char *errors;
    assert_null(read_text("strategy,time_to_train_h,restarts,cost_usd,end\n"
                          "x,1,2,3,2026-03-02\n"
                          "x,one,2.5,1e3,tomorrow\n"
                          "x,1,-9223372036854775808,0.0000000001,2026-03-02\n",
                          columns, COLUMNS, &errors));
    assert_string_equal(
        errors,
        "build/test_table.csv:3: error: column 'time_to_train_h': 'one' is not a number\n"
        "build/test_table.csv:3: error: column 'restarts': '2.5' is not a whole number\n"
        "build/test_table.csv:3: error: column 'cost_usd': '1e3' is not an amount of money with at "
        "most 9 decimals\n"
        "build/test_table.csv:3: error: column 'end': 'tomorrow' is not a date such as 2026-03-02\n"
        "build/test_table.csv:4: error: column 'restarts': '-9223372036854775808' is not a whole "
        "number between -2^63 and 2^63, both excluded\n"
        "build/test_table.csv:4: error: column 'cost_usd': '0.0000000001' is not an amount of "
        "money with at most 9 decimals\n");
    free(errors);
    assert_null(read_text("strategy\nx\n", columns, 2, &errors));
    assert_string_equal(errors, "build/test_table.csv:1: error: no column 'time_to_train_h'\n");
    free(errors);
    assert_null(read_text("strategy,restarts\nx\n", columns, 1, &errors));
    assert_string_equal(errors, "build/test_table.csv:2: error: expected 2 columns, found 1\n");
    free(errors);
}

/* A file of an older version lacks the columns that were appended since, of both parts; what is
 * missing elsewhere is no older version. */
static void test_read_older(void **state)
{
    (void)state;
    static const struct column older[] = {{"a", "", "", COLUMN_TEXT, 0},
                                          {"b", "", "", COLUMN_NUMBER, -1},
                                          {"c", "", "", COLUMN_NUMBER, -1},
                                          {"b_eur", "", "", COLUMN_NUMBER, -1},
                                          {"c_eur", "", "", COLUMN_NUMBER, -1}};
    static const struct {
        const char *text;
        const char *found; /* columns of the row that are not missing; NULL: refused */
    } rows[] = {{"a,b,c,b_eur,c_eur\nx,1,2,3,4\n", "abcBC"},
                {"a,b,b_eur\nx,1,3\n", "abB"},
                {"a,b,c\nx,1,2\n", "abc"},
                {"b_eur,b,a\n3,1,x\n", "abB"},
                {"b_eur,a\n3,x\n", NULL},
                {"a,c\nx,2\n", NULL},
                {"a,b,c_eur\nx,1,4\n", NULL},
                {"other\nx\n", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char path[] = "/tmp/fleetcast-table-XXXXXX";
        FILE *out = fdopen(mkstemp(path), "w");
        assert_non_null(out);
        fputs(rows[i].text, out);
        assert_int_equal(fclose(out), 0);
        struct diagnostics *d = diagnostics_new();
        struct table *t = table_read_csv_older(path, "t", older, 3, 5, d);
        assert_int_equal(t == NULL, rows[i].found == NULL);
        assert_int_equal(diagnostics_failed(d), rows[i].found == NULL);
        for (size_t c = 0; t != NULL && c < 5; c++) {
            assert_int_equal(table_missing(t, 0, c), strchr(rows[i].found, "abcBC"[c]) == NULL);
        }
        table_free(t);
        diagnostics_free(d);
        unlink(path);
    }
}

static void test_full_disk(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    if (full == NULL) {
        skip();
    }
    struct table *t = sample();
    errno = 0;
    assert_false(table_write_csv(t, full));
    assert_int_equal(errno, ENOSPC);
    clearerr(full);
    errno = 0;
    assert_false(table_write_json(t, full));
    assert_int_equal(errno, ENOSPC);
    fclose(full);
    table_free(t);
}

/* A hundred thousand rows, as a long run has them. */
static void test_many_rows(void **state)
{
    (void)state;
    enum { ROWS = 100000 };
    struct table *t = table_new("replications", columns, COLUMNS);
    assert_non_null(t);
    for (int i = 0; i < ROWS; i++) {
        add(t, i % 2 == 0 ? "spot" : "on-demand", i, i % 7, i * MONEY_UNIT, MARCH_2 + i);
    }
    assert_int_equal(table_rows(t), ROWS);
    table_sort(t, HOURS, true);
    for (size_t row = 0; row < ROWS; row++) {
        size_t i = ROWS - 1 - row;
        assert_true(table_number(t, row, HOURS) == (double)i);
        assert_string_equal(table_text(t, row, STRATEGY), i % 2 == 0 ? "spot" : "on-demand");
        assert_true(table_integer(t, row, COST) == (money_t)i * MONEY_UNIT);
    }
    table_free(t);
}

int main(void)
{
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_set_to_missing),
        cmocka_unit_test(test_sort_sizes),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_round_trip_of_one_column),
        cmocka_unit_test(test_read_other_order),
        cmocka_unit_test(test_read_errors),
        cmocka_unit_test(test_read_older),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_many_rows),
    };
    enum {
        OTHERS = sizeof others / sizeof others[0],
        SORTINGS = sizeof sortings / sizeof sortings[0]
    };
    struct CMUnitTest tests[SORTINGS + OTHERS];
    for (size_t i = 0; i < SORTINGS; i++) {
        tests[i] =
            (struct CMUnitTest){sortings[i].name, test_sorting, NULL, NULL, (void *)&sortings[i]};
    }
    memcpy(tests + SORTINGS, others, sizeof others);
    return _cmocka_run_group_tests("table", tests, SORTINGS + OTHERS, NULL, NULL);
}
