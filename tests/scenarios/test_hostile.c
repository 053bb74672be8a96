/* SPDX-License-Identifier: GPL-3.0-or-later
 * DESIGN invariant 10: any file, however broken or hostile, and any legal but enormous one, ends in
 * a clear error in bounded time and memory. Each row is too large to be a text case, and is made
 * here: a head, a unit repeated (with # replaced by its number), and a tail. */
#include "tests/support/scenario_text.h"
#include "tests/support/testing.h"

#include "engine/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOWED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLOWED 1
#endif
#endif
#ifndef SLOWED
#define SLOWED 0
#endif

#define KIB 1024
#define MIB (1024 * 1024)

struct row {
    const char *name;
    const char *head;
    const char *unit;
    size_t count;
    const char *tail;
    const char *expect; /* stands in the output */
};

#define HEAD                                                                                       \
    "version: 1\nstart: 2026-03-02\nhorizon: 60d\nregion: us-east-1\n"                             \
    "strategies: {s: {instance: p4d.24xlarge, nodes: 1, buy: spot}}\n"
#define WORK "workloads: {w: {kind: training, hours: 1h}}\n"
#define JOB  "workloads:\n  w:\n    kind: training\n"

static const struct row rows[] = {
    /* nesting */
    {"100k [", "a: ", "[", 100 * KIB, "", "nested more than 32 deep"},
    {"100k {a: ", "", "{a: ", 100 * KIB, "", "nested more than 32 deep"},
    {"block lists in block lists", "a: \n ", "- ", 100 * KIB, "x", "nested more than 32 deep"},
    {"100k complex keys", "", "? ", 100 * KIB, "x", "a key must be text"},
    {"brackets in brackets in keys", "", "[{", 50 * KIB, "", "a key must be text"},
    /* size */
    {"a file of 1 MiB and a byte", "#", "x", MIB, "", "larger than the limit of 1 MiB"},
    {"a file of 6 MB", "a: [", "1, ", 2 * MIB, "]", "larger than the limit of 1 MiB"},
    {"more than 200,000 nodes", "a: [", "1,", 250000, "]", "more than 200000 values"},
    {"more than 200,000 keys", "{", "#,", 120000, "}", "more than 200000 values"},
    {"a value of 70 KiB", "name: ", "x", 70 * KIB, "\n", "a value of 71680 bytes"},
    {"a quoted value of 1 MB", "name: \"", "x", 1000000, "\"\n", "a value of 1000000 bytes"},
    {"a block scalar of 1 MB", "name: |\n", "  xxxxxxx\n", 100000, "", "a value of 800000 bytes"},
    {"a folded scalar of 1 MB", "name: >\n", "  xxxxxxx\n\n", 90000, "", "a value of"},
    {"a plain value over many lines", "name: x\n", "  y\n", 250000, "", "a value of"},
    {"a key of 300 bytes", "", "k", 300, ": 1\n", "a key of 300 bytes"},
    {"a key of 1 MB", "", "k", 1000000, ": 1\n", "error: "},
    {"a quoted key of 100 KiB", "\"", "k", 100 * KIB, "\": 1\n", "error: "},
    /* bytes */
    {"a million NULs are one error", "a: \"", "\\0", 30000, "\"", "a NUL character is not allowed"},
    {"bytes that are not UTF-8", "a: ", "\xff", MIB / 2, "", "the byte 0xFF is not UTF-8"},
    {"an overlong form", "a: \xc0\xaf", "x", 1, "", "the byte 0xC0 is not UTF-8"},
    {"a surrogate", "a: \xed\xa0\x80", "x", 1, "", "the byte 0xED is not UTF-8"},
    {"a cut character", "a: \xe6\x97", "", 1, "", "the byte 0xE6 is not UTF-8"},
    {"UTF-16", "\xff\xfe", "a", 100, "", "save it as UTF-8"},
    {"escapes for a terminal", "a: ", "\x1b[31m", 100000, "",
     "the character U+001B is not allowed"},
    {"escapes in quotes", HEAD WORK "name: \"", "\\x1b[31m", 1000, "\"\n", "control character"},
    {"escapes in a name", HEAD "workloads: {\"\\x1b[2J\\u202E", "x", 8,
     "\": {kind: training, hours: 1h}}\n", "the name '\\x1b[2J"},
    /* bombs and directives */
    {"billion laughs", "a: &a [x, x, x, x, x, x, x, x, x]\n",
     "b#: &b# [*a, *a, *a, *a, *a, *a, *a, *a]\n", 10000, "", "aliases are not supported"},
    {"300k anchors", "", "- &a x\n", 130000, "", "anchors are not supported"},
    {"300k tags", "", "- !t x\n", 130000, "", "tags are not supported"},
    {"100k %TAG lines", "", "%TAG !x! tag:x#,2000:\n", 40000, "---\na: 1\n",
     "a line cannot begin with '%'"},
    {"many documents", "", "---\na: 1\n", 100000, "", "a second document begins here"},
    /* quotes and brackets */
    {"an unclosed double quote", "name: \"", "x\n", 400000, "", "this quote is never closed"},
    {"an unclosed single quote", "name: '", "x\n", 400000, "", "this quote is never closed"},
    {"an unclosed { over 1 MB", "a: {", "b#: 1,\n", 70000, "", "error: "},
    {"parentheses cut by commas", HEAD WORK "price_files: [", "f(1,", 100000, "]\n",
     "'price_files' has 100000 entries"},
    {"parentheses cut and closed", HEAD WORK "price_files: [", "f(1,2),", 60000, "]\n",
     "unclosed parenthesis"},
    {"one character over and over: [", "", "[]", MIB / 2, "", "error: "},
    {"one character over and over: :", "", ":", MIB, "", "error: "},
    {"one character over and over: -", "", "- ", MIB / 2, "", "error: "},
    {"one character over and over: '", "", "'", MIB, "", "error: "},
    {"one character over and over: !", "a: ", "!", MIB - 4, "", "error: "},
    {"one character over and over: *", "a: ", "*", MIB - 4, "", "error: "},
    {"one character over and over: ,", "a: {", ",", MIB - 4, "", "error: "},
    {"one character over and over: tab", "", "\t", MIB, "", "error: "},
    {"one character over and over: space", "", " ", MIB, "", "the file is empty"},
    {"one character over and over: newline", "", "\n", MIB, "", "the file is empty"},
    {"one character over and over: return", "", "\r", MIB, "", "the file is empty"},
    {"one character over and over: #", "", "#", MIB, "", "the file is empty"},
    {"one character over and over: >", "a: >\n", " >\n", MIB / 4, "", "error: "},
    /* keys and names without end */
    {"100k unknown keys", HEAD WORK, "horizo#: 1\n", 65000, "", "unknown key 'horizo1'"},
    {"the same key 200k times", HEAD WORK, "a: 1\n", 90000, "", "duplicate key 'a'"},
    {"100k workloads", HEAD "workloads: {", "#: {},", 90000, "}\n",
     "'workloads' has 90000 entries; at most 64"},
    {"100k pools", HEAD WORK "market: {spot: {", "#: 1,", 90000, "}}\n",
     "'spot' has 90000 entries; at most 10000"},
    {"10k pools that are wrong", HEAD WORK "market: {spot: {", "#: {prise: 1},", 10000, "}}\n",
     "unknown key 'prise'; did you mean 'price'?"},
    {"10k uncertain numbers", HEAD "workloads: {w: {kind: training, hours: 1h, throughput: {",
     "#: 1/s..2/s,", 10000, "}}}\n", "uncertain numbers"},
    {"10k correlations of nothing", HEAD WORK "correlate: [", "[a#, b#, 0.5],", 10000, "]\n",
     "'a1' is not an uncertain number"},
    /* values without end */
    {"a number of 60 KiB", HEAD WORK "seed: ", "9", 60 * KIB, "\n", "'seed' is '999"},
    {"a quantity of 60 KiB", HEAD WORK "budget: ", "9", 60 * KIB, " USD\n", "'budget'"},
    {"an expression of 60 KiB", HEAD WORK "budget: ", "(", 60 * KIB, "\n", "'budget'"},
    {"calls in calls", HEAD JOB "    hours: ", "uniform(1h; ", 5000, "\n", "'hours'"},
    {"an interval of points", HEAD WORK "budget: ", ".", 60 * KIB, "\n", "'budget'"},
    {"a choice of 60 KiB", HEAD JOB "    restart: ", "gang", 15 * KIB, "\n",
     "'restart' is 'ganggang"},
    {"a date of 60 KiB", HEAD WORK "prices_as_of: ", "2", 60 * KIB, "\n",
     "'prices_as_of' is '2222"},
};

/* The row's text; the caller frees. */
static char *make(const struct row *row, size_t *length)
{
    struct text t;

    text_init(&t, 0);
    text_add(&t, row->head);
    for (size_t i = 1; i <= row->count; i++) {
        const char *rest = row->unit, *hash;
        while ((hash = strchr(rest, '#')) != NULL && hash[1] != '\0') {
            text_add_bytes(&t, rest, (size_t)(hash - rest));
            text_format(&t, "%zu", i);
            rest = hash + 1;
        }
        text_add(&t, rest);
    }
    text_add(&t, row->tail);
    assert_false(t.overflow);
    *length = t.length;
    return t.data; /* on the heap, since every row has bytes */
}

/* Reads what was added, writes all messages, and checks kind, time and size of the answer. */
static void assert_refused(struct scenario_text *t, const char *expect)
{
    const clock_t start = clock();
    double seconds;
    char *output;

    assert_null(scenario_text_read(t));
    output = scenario_text_output(t);
    seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (strstr(output, expect) == NULL)
        fail_msg("expected '%s', got\n%.2000s", expect, output);
    assert_int_equal(diagnostics_exit_code(t->diagnostics), 2);
    if (strlen(output) > 500 * KIB)
        fail_msg("%zu bytes of messages", strlen(output));
    if (!SLOWED && seconds >= 2)
        fail_msg("%.1f s of processor time", seconds);
    if (!text_is_utf8(output, strlen(output)) || strchr(output, '\x1b') != NULL)
        fail_msg("the messages could drive a terminal");
    free(output);
}

static void refuses(void **state)
{
    const struct row *row = *state;
    struct scenario_text t;
    size_t length;
    char *text = make(row, &length);

    scenario_text_init(&t);
    scenario_text_add(&t, "scenario.yaml", text, length);
    free(text);
    assert_refused(&t, row->expect);
    scenario_text_release(&t);
}

static void refuses_a_nul_byte(void **state)
{
    static const char text[] = HEAD WORK "name: a\0b\nhorizn: 5d\n";
    struct scenario_text t;

    (void)state;
    scenario_text_init(&t);
    scenario_text_add(&t, "scenario.yaml", text, sizeof(text) - 1);
    assert_refused(&t, "scenario.yaml:7:8: error: a NUL byte is not allowed");
    scenario_text_release(&t);
}

static void refuses_an_endless_device(void **state)
{
    struct scenario_text t;

    (void)state;
    scenario_text_init(&t);
    t.paths[t.path_count++] = strdup("/dev/zero");
    assert_refused(&t, "larger than the limit of 1 MiB");
    scenario_text_release(&t);
}

static void refuses_what_is_no_file(void **state)
{
    struct scenario_text t;

    (void)state;
    scenario_text_init(&t);
    t.paths[t.path_count++] = strdup("/dev/null");
    t.paths[t.path_count++] = strdup(t.folder);
    t.paths[t.path_count++] = strdup("/nonexistent/a.yaml");
    assert_refused(&t, "cannot read '/nonexistent/a.yaml'");
    assert_int_equal(diagnostics_count(t.diagnostics, DIAGNOSTIC_ERROR), 3);
    scenario_text_release(&t);
}

static void refuses_a_file_given_twice(void **state)
{
    struct scenario_text t;

    (void)state;
    scenario_text_init(&t);
    scenario_text_add(&t, "a.yaml", HEAD WORK, strlen(HEAD WORK));
    t.paths[t.path_count++] = strdup(t.paths[0]);
    assert_refused(&t, "is given twice");
    scenario_text_release(&t);
}

/* Two mappings of 60,000 keys laid over each other: not quadratic. */
static void lays_large_files_over_each_other(void **state)
{
    const struct row row = {"", HEAD WORK, "k#: 1\n", 80000, "", ""};
    struct scenario_text t;
    size_t length;
    char *text = make(&row, &length);

    (void)state;
    scenario_text_init(&t);
    for (int i = 0; i < 4; i++) {
        char name[16];
        snprintf(name, sizeof(name), "%d.yaml", i);
        scenario_text_add(&t, name, text, length);
    }
    free(text);
    assert_refused(&t, "unknown key 'k1'");
    scenario_text_release(&t);
}

static void refuses_settings_without_end(void **state)
{
    const struct row path = {"", "market.spot", ".x", 300000, "=1", ""};
    const struct row value = {"", "market.spot.x=", "[", 300000, "", ""};
    const struct row name = {"", "workloads.", "x", 300000, ".hours=1h", ""};
    struct scenario_text t;
    char *texts[3];
    size_t length;

    (void)state;
    scenario_text_init(&t);
    scenario_text_add(&t, "a.yaml", HEAD WORK, strlen(HEAD WORK));
    t.sets[t.set_count++] = texts[0] = make(&path, &length);
    t.sets[t.set_count++] = texts[1] = make(&value, &length);
    t.sets[t.set_count++] = texts[2] = make(&name, &length);
    assert_refused(&t, "the path has too many parts");
    for (int i = 0; i < 3; i++)
        free(texts[i]);
    scenario_text_release(&t);
}

/* Legal and as large as the limits let it be. */
static void reads_the_largest_scenario(void **state)
{
    const clock_t start = clock();
    struct scenario_text t;
    struct text s;

    (void)state;
    text_init(&s, 0);
    text_add(&s, "version: 1\nstart: 2026-03-02\nhorizon: 10y\nregion: us-east-1\nworkloads:\n");
    for (int i = 0; i < 64; i++)
        text_format(&s, "  w%d: {kind: training, hours: 1h..2h, boot: 1min..3min}\n", i);
    text_add(&s, "strategies:\n");
    for (int i = 0; i < 64; i++) {
        text_format(&s,
                    "  s%d:\n    instance: p4d.24xlarge\n    nodes: 1M\n    buy: spot\n"
                    "    workloads: {",
                    i);
        for (int w = 0; w < 64; w++)
            text_format(&s, "w%d: {nodes: %d, policy: {name: fallback, after: 5min}}, ", w, i + 1);
        text_add(&s, "}\n");
    }
    text_add(&s, "market:\n  spot:\n");
    for (int i = 0; i < 10000; i++)
        text_format(&s, "    t%d: {availability: 0.9}\n", i);
    scenario_text_init(&t);
    scenario_text_add(&t, "large.yaml", s.data, s.length);
    if (scenario_text_read(&t) == NULL)
        fail_msg("refused: %s", diagnostics_text(t.diagnostics, 0, NULL, NULL));
    assert_int_equal(t.scenario->market.spot.count, 10000);
    assert_true(SLOWED || (double)(clock() - start) / CLOCKS_PER_SEC < 2);
    text_release(&s);
    scenario_text_release(&t);
}

int main(void)
{
    enum { ROWS = sizeof(rows) / sizeof(rows[0]), OTHERS = 8 };
    struct CMUnitTest tests[OTHERS + ROWS] = {
        cmocka_unit_test(refuses_a_nul_byte),
        cmocka_unit_test(refuses_an_endless_device),
        cmocka_unit_test(refuses_what_is_no_file),
        cmocka_unit_test(refuses_a_file_given_twice),
        cmocka_unit_test(lays_large_files_over_each_other),
        cmocka_unit_test(refuses_settings_without_end),
        cmocka_unit_test(reads_the_largest_scenario),
    };
    size_t count = 0;

    while (tests[count].test_func != NULL)
        count++;
    for (size_t i = 0; i < ROWS; i++)
        tests[count++] = (struct CMUnitTest){
            .name = rows[i].name, .test_func = refuses, .initial_state = (void *)&rows[i]};
    return _cmocka_run_group_tests("hostile", tests, count, NULL, NULL);
}
