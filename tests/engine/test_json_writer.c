/* SPDX-License-Identifier: GPL-3.0-or-later
 * Exact bytes for the layout; for text of any kind a strict reader of RFC 8259 strings, which gives
 * back what was written. */
#include "engine/json_writer.h"
#include "engine/text.h"
#include "tests/support/testing.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct output {
    struct json_writer writer;
    FILE *file;
    char *bytes;
    size_t length;
};

static struct json_writer *output_open(struct output *o)
{
    o->bytes = NULL;
    o->file = open_memstream(&o->bytes, &o->length);
    assert_non_null(o->file);
    json_init(&o->writer, o->file);
    return &o->writer;
}

static void output_close(struct output *o)
{
    assert_true(json_finish(&o->writer));
    fclose(o->file);
}

static void output_expect(struct output *o, const char *want)
{
    output_close(o);
    assert_string_equal(o->bytes, want);
    free(o->bytes);
}

/* Of each kind, the edges too: no text, no number, the largest integer, leading zeros. */
static void test_members(void **state)
{
    (void)state;
    struct output o;
    struct json_writer *j = output_open(&o);
    json_begin_object(j);
    json_member_text(j, "name", "a");
    json_member_text(j, "none", NULL);
    json_member_number(j, "share", 0.25);
    json_member_number(j, "unknown", (double)NAN);
    json_member_integer(j, "most", INT64_MAX);
    json_member_bool(j, "yes", true);
    json_member_bool(j, "no", false);
    json_member_hash(j, "hash", UINT64_C(0x00fedcba98765432));
    json_end_object(j);
    output_expect(&o, "{\n"
                      "  \"name\": \"a\",\n"
                      "  \"none\": null,\n"
                      "  \"share\": 0.25,\n"
                      "  \"unknown\": null,\n"
                      "  \"most\": 9223372036854775807,\n"
                      "  \"yes\": true,\n"
                      "  \"no\": false,\n"
                      "  \"hash\": \"00fedcba98765432\"\n"
                      "}\n");
}

static void test_layout(void **state)
{
    (void)state;
    struct output o;
    struct json_writer *j = output_open(&o);
    json_begin_object(j);
    json_put_key(j, "version");
    json_put_integer(j, 1);
    json_put_key(j, "empty_object");
    json_begin_object(j);
    json_end_object(j);
    json_put_key(j, "empty_array");
    json_begin_array(j);
    json_end_array(j);
    json_put_key(j, "list");
    json_begin_array(j);
    json_put_number(j, 1.5);
    json_put_text(j, "a \"b\"");
    json_begin_object(j);
    json_put_key(j, "x");
    json_put_bool(j, true);
    json_put_key(j, "y");
    json_put_bool(j, false);
    json_end_object(j);
    json_put_null(j);
    json_put_text(j, NULL);
    json_end_array(j);
    json_put_key(j, "cost_usd");
    json_put_money(j, INT64_C(9007199254740993)); /* 2^53 + 1 nano: no double holds it */
    json_end_object(j);
    output_expect(&o, "{\n"
                      "  \"version\": 1,\n"
                      "  \"empty_object\": {},\n"
                      "  \"empty_array\": [],\n"
                      "  \"list\": [\n"
                      "    1.5,\n"
                      "    \"a \\\"b\\\"\",\n"
                      "    {\n"
                      "      \"x\": true,\n"
                      "      \"y\": false\n"
                      "    },\n"
                      "    null,\n"
                      "    null\n"
                      "  ],\n"
                      "  \"cost_usd\": 9007199.254740993\n"
                      "}\n");
}

static void test_single_values(void **state)
{
    (void)state;
    struct output o;
    json_put_text(output_open(&o), "x");
    output_expect(&o, "\"x\"\n");
    json_put_integer(output_open(&o), INT64_MIN);
    output_expect(&o, "-9223372036854775808\n");
    json_begin_array(output_open(&o));
    json_end_array(&o.writer);
    output_expect(&o, "[]\n");
}

/* 32 levels are legal. */
static void test_depth(void **state)
{
    (void)state;
    struct output o;
    struct json_writer *j = output_open(&o);
    for (int i = 0; i < JSON_DEPTH_LIMIT; i++) {
        json_begin_array(j);
    }
    for (int i = 0; i < JSON_DEPTH_LIMIT; i++) {
        json_end_array(j);
    }
    output_close(&o);
    assert_int_equal(strspn(o.bytes, "[ \n"), strcspn(o.bytes, "]"));
    free(o.bytes);
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
    {-2.5, "-2.5"},
    {0.1, "0.1"},
    {1.0 / 3, "0.3333333333333333"},
    {41283.83, "41283.83"},
    {0.1 + 0.2, "0.30000000000000004"},
    {5e-324, "4.94065645841247e-324"},
    {DBL_MAX, "1.7976931348623157e+308"},
    {1e15, "1e+15"},
    {123456789012345.0, "123456789012345"},
    {NAN, "null"},
    {INFINITY, "null"},
    {-INFINITY, "null"},
};

static void test_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct output o;
        json_put_number(output_open(&o), numbers[i].value);
        output_close(&o);
        assert_int_equal(o.bytes[o.length - 1], '\n');
        o.bytes[o.length - 1] = '\0';
        assert_string_equal(o.bytes, numbers[i].text);
        if (isfinite(numbers[i].value)) {
            assert_true(strtod(o.bytes, NULL) == numbers[i].value);
        }
        free(o.bytes);
    }
}

/* ---- text ---- */

static unsigned hex4(const char *s)
{
    unsigned value = 0;
    for (int i = 0; i < 4; i++) {
        const char *digit = strchr("0123456789abcdef", s[i]);
        assert_true(s[i] != '\0' && digit != NULL);
        value = value * 16 + (unsigned)(strchr("0123456789abcdef", s[i]) - "0123456789abcdef");
    }
    return value;
}

/* Reads one JSON string strictly: only legal escapes, no bare control character, whole UTF-8. */
static void read_string(const char *s, char *out)
{
    assert_int_equal(*s++, '"');
    while (*s != '"') {
        assert_true((unsigned char)*s >= 0x20);
        if (*s != '\\') {
            *out++ = *s++;
            continue;
        }
        static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
        const char *escape = strchr(escapes, s[1]);
        if (s[1] == 'u') {
            unsigned value = hex4(s + 2);
            assert_true(value > 0 && value < 0x80); /* the writer escapes nothing else */
            *out++ = (char)value;
            s += 6;
        } else {
            assert_true(s[1] != '\0' && escape != NULL);
            *out++ = meant[escape - escapes];
            s += 2;
        }
    }
    *out = '\0';
    assert_string_equal(s, "\"\n");
}

#define FFFD "\xEF\xBF\xBD"

struct written {
    const char *name;
    const char *text;
    const char *back; /* NULL: the same */
};

static const struct written texts[] = {
    {"empty", "", NULL},
    {"plain", "spot", NULL},
    {"quotes and backslashes", "\"\\\"\\\\\"", NULL},
    {"controls", "\x01\x02\x03\x04\x05\x06\x07\b\t\n\v\f\r\x0E\x1B[31m\x1F\x7F", NULL},
    {"UTF-8 of 2, 3 and 4 bytes", "Z\xC3\xBC \xE6\x9D\xB1 \xF0\x9F\x92\xB8", NULL},
    {"last code points", "\xDF\xBF\xEF\xBF\xBF\xF4\x8F\xBF\xBF", NULL},
    {"Latin-1", "Z\xFCrich", "Z" FFFD "rich"},
    {"cut at the end", "ab\xE6\x9D", "ab" FFFD FFFD},
    {"cut before a quote", "\xF0\x9F\"", FFFD FFFD "\""},
    {"lone continuation", "\x80x", FFFD "x"},
    {"overlong", "\xC0\xAF", FFFD FFFD},
    {"surrogate", "\xED\xA0\x80", FFFD FFFD FFFD},
    {"beyond Unicode", "\xF4\x90\x80\x80", FFFD FFFD FFFD FFFD},
    {"never legal", "\xFE\xFF", FFFD FFFD},
};

static void test_text(void **state)
{
    const struct written *t = *state;
    struct output o;
    char back[128];
    json_put_text(output_open(&o), t->text);
    output_close(&o);
    assert_true(text_is_utf8(o.bytes, o.length));
    read_string(o.bytes, back);
    assert_string_equal(back, t->back != NULL ? t->back : t->text);
    free(o.bytes);
}

/* Keys are escaped as values are. */
static void test_key(void **state)
{
    (void)state;
    struct output o;
    struct json_writer *j = output_open(&o);
    json_begin_object(j);
    json_put_key(j, "a\"\n\xFF");
    json_put_text(j, "x");
    json_end_object(j);
    output_expect(&o, "{\n  \"a\\\"\\n" FFFD "\": \"x\"\n}\n");
}

/* Every pair of bytes, as a hostile name might hold it. */
static void test_all_pairs_of_bytes(void **state)
{
    (void)state;
    struct output o;
    for (int first = 1; first < 256; first++) {
        struct json_writer *j = output_open(&o);
        json_begin_array(j);
        for (int second = 1; second < 256; second++) {
            json_put_text(j, (char[]){(char)first, (char)second, '\0'});
        }
        json_end_array(j);
        output_close(&o);
        assert_true(text_is_utf8(o.bytes, o.length));
        const char *line = strchr(o.bytes, '\n') + 1;
        for (int second = 1; second < 256; second++) {
            char one[64], back[64];
            size_t n = strcspn(line, "\n");
            snprintf(one, sizeof one, "%.*s\n", (int)(n - 2 - (second < 255)), line + 2);
            read_string(one, back);
            line += n + 1;
        }
        assert_string_equal(line, "]\n");
        free(o.bytes);
    }
}

static void test_full_disk(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    if (full == NULL) {
        skip();
    }
    struct json_writer j;
    json_init(&j, full);
    json_put_integer(&j, 1);
    errno = 0;
    assert_false(json_finish(&j));
    assert_int_equal(errno, ENOSPC);
    fclose(full);
}

int main(void)
{
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_single_values),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_key),
        cmocka_unit_test(test_all_pairs_of_bytes),
        cmocka_unit_test(test_full_disk),
    };
    enum { OTHERS = sizeof others / sizeof others[0], TEXTS = sizeof texts / sizeof texts[0] };
    struct CMUnitTest tests[TEXTS + OTHERS];
    for (size_t i = 0; i < TEXTS; i++) {
        tests[i] = (struct CMUnitTest){texts[i].name, test_text, NULL, NULL, (void *)&texts[i]};
    }
    memcpy(tests + TEXTS, others, sizeof others);
    return _cmocka_run_group_tests("json_writer", tests, TEXTS + OTHERS, NULL, NULL);
}
