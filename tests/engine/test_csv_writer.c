/* SPDX-License-Identifier: GPL-3.0-or-later
 * Bytes written, row by row of the tables; the fixed-point path against printf, which rounds the
 * exact value of the double, ties to even. */
#include "engine/csv_reader.h"
#include "engine/csv_writer.h"
#include "tests/support/testing.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct output {
    struct csv_writer writer;
    FILE *file;
    char *bytes;
    size_t length;
};

static void output_open(struct output *o)
{
    o->bytes = NULL;
    o->file = open_memstream(&o->bytes, &o->length);
    assert_non_null(o->file);
    assert_true(csv_writer_init(&o->writer, o->file));
}

/* Ends the writing and compares. */
static void output_expect(struct output *o, const char *want)
{
    assert_true(csv_writer_finish(&o->writer));
    fclose(o->file);
    assert_string_equal(o->bytes, want);
    free(o->bytes);
}

/* ---- numbers ---- */

struct number {
    double value;
    const char *text;
};

static const struct number numbers[] = {
    {0.0, "0"},
    {-0.0, "0"},
    {1, "1"},
    {-1, "-1"},
    {100, "100"},
    {1000000, "1000000"},
    {0.5, "0.5"},
    {0.1, "0.1"},
    {32.7726, "32.7726"},
    {41283.83, "41283.83"},
    {-41283.830000000002, "-41283.83"},
    {1.0 / 3, "0.333333"},
    {-2.0 / 3, "-0.666667"},
    {0.9999995, "1"}, /* 0.99999950000000003 */
    {0.9999994999, "0.999999"},
    {1999999.9999999, "2000000"},
    {99.9999999, "100"},
    /* Ties that are exact in binary go to even: k/2^7 has a 5 as its 7th decimal. */
    {0.1328125, "0.132812"},
    {0.1484375, "0.148438"},
    {1.0000005, "1.000001"}, /* 1.00000050000000007 */
    {1.0000015, "1.000001"}, /* 1.00000149999999999 */
    /* The product with 10^6 comes out on a tie, the exact one is beside it. */
    {0.9885985, "0.988599"}, /* 0.98859850000000005 */
    {0.3674595, "0.367459"}, /* 0.36745949999999999 */
    {999999999999999.9, "999999999999999.875"},
    {123456789012345.67, "123456789012345.671875"},
    {9007199254740991.0 / 10, "900719925474099.125"},
    /* Below 0.1: nine decimals. */
    {0.0999999999, "0.1"},
    {0.05, "0.05"},
    {1.0 / 30, "0.033333333"},
    {2.7777777777777778e-4, "0.000277778"}, /* once an hour, per second */
    {1e-4, "0.0001"},
    {1.5e-4, "0.00015"},
    /* Outside of the fixed-point range. */
    {9.9999999999e-5, "0.0001"},
    {1.23456789012e-5, "1.23456789e-05"},
    {5e-324, "4.94065646e-324"},
    {1e15, "1e+15"},
    {-1.5e300, "-1.5e+300"},
    {NAN, ""},
    {INFINITY, ""},
    {-INFINITY, ""},
};

static void test_number(void **state)
{
    const struct number *n = *state;
    struct output o;
    output_open(&o);
    csv_put_text(&o.writer, "x");
    csv_put_number(&o.writer, n->value);
    csv_end_row(&o.writer);
    char want[64];
    snprintf(want, sizeof want, "x,%s\n", n->text);
    output_expect(&o, want);
}

static uint64_t next_bits(uint64_t *state) /* splitmix64 */
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* What printf makes of it, trailing zeros dropped. */
static void print_fixed(double v, char *out, size_t size)
{
    snprintf(out, size, "%.*f", fabs(v) >= 0.1 ? 6 : 9, v);
    size_t n = strlen(out);
    while (out[n - 1] == '0') {
        n--;
    }
    n -= out[n - 1] == '.';
    out[n] = '\0';
}

/* Of every magnitude of the fixed-point range, random ones and ones beside ties. */
static void test_numbers_as_printf(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    double *values = malloc(COUNT * sizeof *values);
    assert_non_null(values);
    uint64_t bits = 1;
    for (int i = 0; i < COUNT; i++) {
        double uniform = (double)(next_bits(&bits) >> 11) * 0x1p-53;
        double magnitude = pow(10, -4 + 19 * uniform);
        if (i % 2 == 0) { /* (k + 1/2) / 10^6, and its neighbours */
            double k = floor(magnitude) + (double)(next_bits(&bits) % 1000000) / 1e6;
            magnitude = k + 0.5e-6;
            magnitude = i % 6 == 2 ? nextafter(magnitude, 0) : magnitude;
            magnitude = i % 6 == 4 ? nextafter(magnitude, INFINITY) : magnitude;
        }
        magnitude = fmin(fmax(magnitude, 1e-4), nextafter(1e15, 0));
        values[i] = next_bits(&bits) % 2 == 0 ? magnitude : -magnitude;
    }
    struct output o;
    output_open(&o);
    for (int i = 0; i < COUNT; i++) {
        csv_put_number(&o.writer, values[i]);
        csv_end_row(&o.writer);
    }
    assert_true(csv_writer_finish(&o.writer));
    fclose(o.file);
    const char *line = o.bytes;
    for (int i = 0; i < COUNT; i++) {
        char want[64];
        print_fixed(values[i], want, sizeof want);
        size_t n = strcspn(line, "\n");
        if (strlen(want) != n || memcmp(want, line, n) != 0) {
            fail_msg("%.17g: got %.*s, want %s", values[i], (int)n, line, want);
        }
        line += n + 1;
    }
    free(o.bytes);
    free(values);
}

/* ---- text ---- */

struct written {
    const char *name;
    const char *text;
    const char *bytes;
};

static const struct written texts[] = {
    {"plain", "spot-safe", "spot-safe"},
    {"empty", "", ""},
    {"none", NULL, ""},
    {"space inside", "a b", "a b"},
    {"comma", "a,b", "\"a,b\""},
    {"quote", "say \"x\"", "\"say \"\"x\"\"\""},
    {"only quotes", "\"\"", "\"\"\"\"\"\""},
    {"LF", "a\nb", "\"a\nb\""},
    {"CR", "a\rb", "\"a\rb\""},
    {"space before", " a", "\" a\""},
    {"space behind", "a ", "\"a \""},
    {"tab behind", "a\t", "\"a\t\""},
    {"only a space", " ", "\" \""},
    {"formula", "=1+1", "=1+1"},
    {"at", "@x", "@x"},
    {"minus", "-x", "-x"},
    {"UTF-8", "Z\xC3\xBCrich", "Z\xC3\xBCrich"},
    {"not UTF-8", "Z\xFCrich", "Z\\xfcrich"},
    {"not UTF-8, with a comma", "\xFF,", "\"\\xff,\""},
};

static void test_text(void **state)
{
    const struct written *t = *state;
    struct output o;
    output_open(&o);
    csv_put_integer(&o.writer, 1);
    csv_put_text(&o.writer, t->text);
    csv_put_text(&o.writer, "z");
    csv_end_row(&o.writer);
    char want[64];
    snprintf(want, sizeof want, "1,%s,z\n", t->bytes);
    output_expect(&o, want);
}

/* ---- the rest ---- */

static void test_integers_money_time(void **state)
{
    (void)state;
    struct output o;
    output_open(&o);
    csv_put_integer(&o.writer, 0);
    csv_put_integer(&o.writer, INT64_MAX);
    csv_put_integer(&o.writer, INT64_MIN);
    csv_put_missing(&o.writer);
    csv_end_row(&o.writer);
    csv_put_money(&o.writer, 0);
    csv_put_money(&o.writer, 1);
    csv_put_money(&o.writer, -12 * MONEY_UNIT);
    csv_put_money(&o.writer, INT64_C(9007199254740993)); /* 2^53 + 1 nano: no double holds it */
    csv_put_time(&o.writer, 1772409600);                 /* date -u -d 2026-03-02 +%s */
    csv_end_row(&o.writer);
    output_expect(&o, "0,9223372036854775807,-9223372036854775808,\n"
                      "0.00,0.000000001,-12.00,9007199.254740993,2026-03-02T00:00:00Z\n");
}

static void test_blank_rows(void **state)
{
    (void)state;
    struct output o;
    output_open(&o);
    csv_put_missing(&o.writer);
    csv_end_row(&o.writer);
    csv_put_text(&o.writer, "");
    csv_end_row(&o.writer);
    csv_put_number(&o.writer, NAN);
    csv_end_row(&o.writer);
    csv_put_missing(&o.writer);
    csv_put_missing(&o.writer);
    csv_end_row(&o.writer);
    csv_put_text(&o.writer, "x");
    csv_end_row(&o.writer);
    output_expect(&o, "\"\"\n\"\"\n\"\"\n,\nx\n");
}

/* Texts longer than the buffer, and rows that end everywhere in it, read back. */
static void test_buffer_edges(void **state)
{
    (void)state;
    enum { LONG = 200000, ROWS = 30000 };
    char *text = malloc(LONG + 1);
    assert_non_null(text);
    memset(text, 'x', LONG);
    text[LONG / 2] = '"';
    text[LONG] = '\0';
    struct output o;
    output_open(&o);
    csv_put_text(&o.writer, "a");
    csv_put_text(&o.writer, "b");
    csv_end_row(&o.writer);
    csv_put_text(&o.writer, text);
    csv_put_integer(&o.writer, -1);
    csv_end_row(&o.writer);
    for (int i = 0; i < ROWS; i++) {
        csv_put_text(&o.writer, "y,");
        csv_put_integer(&o.writer, i);
        csv_end_row(&o.writer);
    }
    assert_true(csv_writer_finish(&o.writer));
    fclose(o.file);
    static const char *const columns[] = {"a", "b", NULL};
    struct diagnostics *d = diagnostics_new();
    struct csv_reader *r = csv_open_text(o.bytes, o.length, "t.csv", columns, d);
    assert_non_null(r);
    assert_int_equal(csv_next(r), 1);
    assert_string_equal(csv_text(r, 0), text);
    for (int i = 0; i < ROWS; i++) {
        int64_t n;
        assert_int_equal(csv_next(r), 1);
        assert_string_equal(csv_text(r, 0), "y,");
        assert_true(csv_int64(r, 1, &n));
        assert_int_equal(n, i);
    }
    assert_int_equal(csv_next(r), 0);
    csv_close(r);
    diagnostics_free(d);
    free(o.bytes);
    free(text);
}

static void test_full_disk(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    if (full == NULL) {
        skip();
    }
    struct csv_writer w;
    /* Seen at the end only ... */
    assert_true(csv_writer_init(&w, full));
    csv_put_integer(&w, 1);
    csv_end_row(&w);
    assert_int_equal(w.error, 0);
    errno = 0;
    assert_false(csv_writer_finish(&w));
    assert_int_equal(errno, ENOSPC);
    clearerr(full);
    /* ... or on the way, so that a long writing can stop. */
    assert_true(csv_writer_init(&w, full));
    for (int i = 0; i < 1000000 && w.error == 0; i++) {
        csv_put_integer(&w, i);
        csv_end_row(&w);
    }
    assert_int_equal(w.error, ENOSPC);
    errno = 0;
    assert_false(csv_writer_finish(&w));
    assert_int_equal(errno, ENOSPC);
    fclose(full);
}

int main(void)
{
    enum { NUMBERS = sizeof numbers / sizeof numbers[0], TEXTS = sizeof texts / sizeof texts[0] };
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(test_numbers_as_printf), cmocka_unit_test(test_integers_money_time),
        cmocka_unit_test(test_blank_rows),        cmocka_unit_test(test_buffer_edges),
        cmocka_unit_test(test_full_disk),
    };
    enum { OTHERS = sizeof others / sizeof others[0] };
    static char names[NUMBERS][32];
    struct CMUnitTest tests[NUMBERS + TEXTS + OTHERS];
    for (size_t i = 0; i < NUMBERS; i++) {
        snprintf(names[i], sizeof names[i], "%.17g", numbers[i].value);
        tests[i] = (struct CMUnitTest){names[i], test_number, NULL, NULL, (void *)&numbers[i]};
    }
    for (size_t i = 0; i < TEXTS; i++) {
        tests[NUMBERS + i] =
            (struct CMUnitTest){texts[i].name, test_text, NULL, NULL, (void *)&texts[i]};
    }
    memcpy(tests + NUMBERS + TEXTS, others, sizeof others);
    return _cmocka_run_group_tests("csv_writer", tests, NUMBERS + TEXTS + OTHERS, NULL, NULL);
}
