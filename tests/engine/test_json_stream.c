/* SPDX-License-Identifier: GPL-3.0-or-later
 * JSON token by token: what comes out, on which line, and what is refused. */
#include "engine/json_stream.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const kind_letters = "$!{}[]ksnbz";

/* The tokens of a text as a line: a letter of kind_letters and the text of each. */
static void tokens_of(const char *json, struct diagnostics *d, char *out, size_t size)
{
    struct json_stream *s = json_stream_open_text(json, strlen(json), "x.json", d);
    size_t used = 0;
    assert_non_null(s);
    for (;;) {
        struct json_token t = json_stream_next(s);
        int n = snprintf(out + used, size - used, "%c%s ", kind_letters[t.kind], t.text);
        assert_true(n > 0 && (size_t)n < size - used);
        used += (size_t)n;
        if (t.kind == JSON_STREAM_END || t.kind == JSON_STREAM_FAILED) {
            break;
        }
    }
    out[used - 1] = '\0';
    json_stream_close(s);
}

static void tokens_come_in_order(void **state)
{
    (void)state;
    char out[400];
    struct diagnostics *d = diagnostics_new();
    tokens_of(
        "{\"a\": [1, -2.50, 1e3], \"b\": {\"c\": \"x\\u00e9\\n\"}, \"d\": [true, false, null]}", d,
        out, sizeof out);
    assert_string_equal(out,
                        "{ ka [ n1 n-2.50 n1e3 ] kb { kc sx\u00e9\n } kd [ btrue bfalse z ] } $");
    assert_false(diagnostics_failed(d));
    tokens_of("\xef\xbb\xbf[1]", d, out, sizeof out); /* a byte-order mark */
    assert_string_equal(out, "[ n1 ] $");
    assert_false(diagnostics_failed(d));
    tokens_of("\xef\xbb\xbf", d, out, sizeof out);
    assert_string_equal(out, "!");
    assert_true(diagnostics_failed(d));
    diagnostics_free(d);
}

static void a_token_knows_its_line(void **state)
{
    (void)state;
    struct diagnostics *d = diagnostics_new();
    const char *json = "{\n  \"a\": 1,\n\n  \"b\": [\n    2,\n    3 ]\n}\n";
    struct json_stream *s = json_stream_open_text(json, strlen(json), "x.json", d);
    static const int lines[] = {1, 2, 2, 4, 4, 5, 6, 6, 7};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_int_equal(json_stream_next(s).line, lines[i]);
        assert_int_equal(json_stream_place(s).line, lines[i]);
    }
    assert_int_equal(json_stream_next(s).kind, JSON_STREAM_END);
    assert_int_equal(json_stream_next(s).kind, JSON_STREAM_END);
    json_stream_close(s);
    diagnostics_free(d);
}

static void values_can_be_skipped(void **state)
{
    (void)state;
    struct diagnostics *d = diagnostics_new();
    const char *json = "{\"a\": {\"x\": [[1], {\"y\": 2}]}, \"b\": 5, \"c\": \"z\"}";
    struct json_stream *s = json_stream_open_text(json, strlen(json), "x.json", d);
    json_stream_next(s); /* { */
    json_stream_next(s); /* a */
    assert_true(json_stream_skip(s, json_stream_next(s)));
    assert_string_equal(json_stream_next(s).text, "b");
    assert_true(json_stream_skip(s, json_stream_next(s)));
    assert_string_equal(json_stream_next(s).text, "c");
    json_stream_close(s);
    diagnostics_free(d);
}

static void refused(const char *json, const char *text, int line)
{
    char out[4000];
    struct diagnostics *d = diagnostics_new();
    struct place where;
    tokens_of(json, d, out, sizeof out);
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_ERROR), 1);
    const char *said = diagnostics_text(d, 0, NULL, &where);
    if (strstr(said, text) == NULL) {
        fail_msg("'%s' does not hold '%s'", said, text);
    }
    assert_int_equal(where.line, line);
    assert_string_equal(where.file, "x.json");
    diagnostics_free(d);
}

static void broken_text_is_refused_with_its_line(void **state)
{
    (void)state;
    refused("", "empty", 0);
    refused("{\n\"a\": [1, 2,\n", "ends in the middle", 3);
    refused("{\n\"a\": 1,\n\"b\" 2}", "this is no JSON", 3);
    refused("[1, 2\n]\n]", "this is no JSON", 3);
    refused("[\n\"a\\u0000b\"]", "NUL", 2);
    refused("[nul]", "this is no JSON", 1);
    refused("[\"\xff\"]", "this is no JSON", 1);
    refused("{\"a\": 01}", "this is no JSON", 1);
    char deep[200];
    memset(deep, '[', 100);
    deep[100] = '\0';
    refused(deep, "64 deep", 1);
}

static void long_texts_are_refused(void **state)
{
    (void)state;
    size_t length = JSON_STREAM_LONGEST + 10;
    char *json = malloc(length + 1);
    memset(json, 'x', length);
    json[0] = '"';
    json[length - 1] = '"';
    json[length] = '\0';
    struct diagnostics *d = diagnostics_new();
    struct json_stream *s = json_stream_open_text(json, length, "x.json", d);
    assert_int_equal(json_stream_next(s).kind, JSON_STREAM_FAILED);
    assert_non_null(strstr(diagnostics_text(d, 0, NULL, NULL), "1 MiB"));
    json_stream_close(s);
    diagnostics_free(d);
    free(json);
}

/* Long enough for many blocks, so that tokens lie across their borders. */
static void a_file_of_many_blocks_streams(void **state)
{
    (void)state;
    char path[] = "/tmp/fleetcast-json-XXXXXX";
    int handle = mkstemp(path);
    FILE *f = fdopen(handle, "w");
    assert_non_null(f);
    fputs("[", f);
    for (int i = 0; i < 50000; i++) {
        fprintf(f, "%s\n{\"number\": %d.25, \"name\": \"n%d\"}", i == 0 ? "" : ",", i, i);
    }
    fputs("]\n", f);
    fclose(f);
    struct diagnostics *d = diagnostics_new();
    struct json_stream *s = json_stream_open(path, NULL, d);
    assert_int_equal(json_stream_next(s).kind, JSON_STREAM_ARRAY);
    for (int i = 0; i < 50000; i++) {
        char expected[32];
        struct json_token t = json_stream_next(s);
        assert_int_equal(t.kind, JSON_STREAM_OBJECT);
        assert_int_equal(t.line, i + 2);
        json_stream_next(s);
        snprintf(expected, sizeof expected, "%d.25", i);
        assert_string_equal(json_stream_next(s).text, expected);
        json_stream_next(s);
        snprintf(expected, sizeof expected, "n%d", i);
        assert_string_equal(json_stream_next(s).text, expected);
        assert_int_equal(json_stream_next(s).kind, JSON_STREAM_OBJECT_END);
    }
    assert_int_equal(json_stream_next(s).kind, JSON_STREAM_ARRAY_END);
    assert_int_equal(json_stream_next(s).kind, JSON_STREAM_END);
    json_stream_close(s);
    assert_false(diagnostics_failed(d));
    diagnostics_free(d);
    unlink(path);
}

static void what_is_not_there_is_an_error(void **state)
{
    (void)state;
    struct diagnostics *d = diagnostics_new();
    assert_null(json_stream_open("/nonexistent/x.json", NULL, d));
    assert_null(json_stream_open("/tmp", NULL, d));
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_ERROR), 2);
    diagnostics_free(d);
}

static void a_caller_may_refuse(void **state)
{
    (void)state;
    struct diagnostics *d = diagnostics_new();
    struct json_stream *s = json_stream_open_text("[1,\n2,\n3]", 9, "x.json", d);
    json_stream_next(s);
    json_stream_next(s);
    json_stream_next(s);
    json_stream_refuse(s, "'%d' will not do", 2);
    assert_int_equal(json_stream_next(s).kind, JSON_STREAM_FAILED);
    struct place where;
    assert_string_equal(diagnostics_text(d, 0, NULL, &where), "'2' will not do");
    assert_int_equal(where.line, 2);
    json_stream_close(s);
    diagnostics_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_come_in_order),
        cmocka_unit_test(a_token_knows_its_line),
        cmocka_unit_test(values_can_be_skipped),
        cmocka_unit_test(broken_text_is_refused_with_its_line),
        cmocka_unit_test(long_texts_are_refused),
        cmocka_unit_test(a_file_of_many_blocks_streams),
        cmocka_unit_test(what_is_not_there_is_an_error),
        cmocka_unit_test(a_caller_may_refuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
