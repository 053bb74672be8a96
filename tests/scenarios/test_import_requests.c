/* SPDX-License-Identifier: GPL-3.0-or-later
 * Traces of requests in the formats of those who published them, to fleetcast's table of requests,
 * and back through its reader. */
#include "models/inference/request_trace.h"
#include "scenarios/import/importer.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD "start,time_s,prompt_tokens,output_tokens,cached_tokens\n"

struct layout_case {
    const char *layout, *columns;
    double unit_s;
    const char *file, *table, *said;
};

static const struct layout_case cases[] = {
    /* As published: CR LF, seven digits, no end of the last line. */
    {"azure", NULL, 0,
     "TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:15:46.6805900,374,44\r\n"
     "2023-11-16 18:15:50.9951693,396,109\r\n2023-11-16 18:15:50.9951693,879,55",
     HEAD ",0,374,44,\n,4.3145793,396,109,\n,4.3145793,879,55,\n",
     "3 requests over 0.0012 hours\n"},
    /* That of 2024 states the zone. */
    {"azure", NULL, 0,
     "TIMESTAMP,ContextTokens,GeneratedTokens\n2024-05-10 00:00:00.009930+00:00,2162,5\n"
     "2024-05-10 00:00:01.009930+00:00,1,0\n",
     HEAD "2024-05-10T00:00:00.009930Z,0,2162,5,\n,1,1,0,\n", "2 requests over 0.000278 hours\n"},
    {"burstgpt", NULL, 0,
     "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
     "5,ChatGPT,472,18,490,Conversation log\n45,ChatGPT,1087,0,1087,Conversation log\n"
     "118,GPT-4,417,276,693,API log\n",
     HEAD ",0,472,18,\n,113,417,276,\n",
     "2 requests over 0.0314 hours\nleft out: 1 without an answer\n"},
    {"burstgpt", NULL, 0,
     "Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log "
     "Type\n0.5,7,1.25,ChatGPT,10,20,30,API log\n",
     HEAD ",0,10,20,\n", "1 request over 0 hours\n"},
    /* The second begins with a block of the first; its block 9 comes behind one that is new. */
    {"mooncake", NULL, 0,
     "{\"timestamp\": 27482, \"input_length\": 1030, \"output_length\": 52, \"hash_ids\": [4, 9]}\n"
     "{\"timestamp\": 27482, \"input_length\": 700, \"output_length\": 1, \"hash_ids\": [4, 5, 9], "
     "\"more\": {\"x\": [1]}}\n\n"
     "{\"timestamp\": 30482.5, \"input_length\": 600, \"output_length\": 9, \"hash_ids\": [4, 5]}",
     HEAD ",0,1030,52,0\n,0,700,1,512\n,3.0005,600,9,600\n",
     "3 requests over 0.000833 hours\n7 blocks of prompts, of which a prefix cache without end has "
     "a share of 0.428571\n"},
    {"csv", "ms,in", 1e-3, "in,x,ms\n7,a,1000\n,b,1000\n9,c,1500.25\n",
     HEAD ",0,7,,\n,0,,,\n,0.50025,9,,\n", "3 requests over 0.000139 hours\n"},
    {"csv", NULL, 0,
     "time,prompt_tokens,output_tokens\n2026-03-02T10:00:00+01:00,1,2\n2026-03-02T09:00:30Z,3,4\n",
     HEAD "2026-03-02T09:00:00Z,0,1,2,\n,30,3,4,\n", "2 requests over 0.00833 hours\n"},
};

static const struct importer *find(void)
{
    size_t i = 0;
    while (strcmp(importer_table[i]->name, "requests") != 0) {
        i++;
    }
    return importer_table[i];
}

struct scene {
    char path[64];
    const char *paths[1];
    struct text said;
    struct import_request r;
};

static void begin(struct scene *s, const char *layout, const char *content)
{
    strcpy(s->path, "/tmp/fleetcast-requests-XXXXXX");
    int fd = mkstemp(s->path);
    assert_true(fd >= 0 && write(fd, content, strlen(content)) == (ssize_t)strlen(content));
    close(fd);
    s->paths[0] = s->path;
    text_init(&s->said, 0);
    s->r = (struct import_request){.files = s->paths,
                                   .file_count = 1,
                                   .layout = layout,
                                   .said = &s->said,
                                   .arena = arena_new(0),
                                   .d = diagnostics_new()};
}

static void end(struct scene *s)
{
    unlink(s->path);
    text_release(&s->said);
    diagnostics_free(s->r.d);
    arena_free(s->r.arena);
}

static void layouts_are_read(void **state)
{
    const struct layout_case *c = *state;
    struct scene s;
    char table[1024] = "";
    struct request_trace t;
    begin(&s, c->layout, c->file);
    s.r.columns = c->columns;
    s.r.unit_s = c->unit_s;
    void *made = find()->read(&s.r);
    if (made == NULL) {
        diagnostics_write(s.r.d, stdout);
    }
    assert_non_null(made);
    FILE *out = fopen(s.path, "w+");
    assert_true(find()->write(made, out));
    find()->release(made);
    rewind(out);
    size_t length = fread(table, 1, sizeof table - 1, out);
    table[length] = '\0';
    fclose(out);
    assert_string_equal(table, c->table);
    assert_string_equal(s.said.data, c->said);
    assert_true(request_trace_read(&t, s.path, s.path, s.r.arena, s.r.d));
    assert_near(t.items[0].at_s, 0, 0, "the first begins");
    assert_int_equal(t.has_start, strncmp(c->table + strlen(HEAD), ",", 1) != 0);
    end(&s);
}

struct wrong_case {
    const char *layout, *file, *says;
};

#define AZURE "TIMESTAMP,ContextTokens,GeneratedTokens\n"

static const struct wrong_case wrongs[] = {
    {"azure", AZURE "yesterday,1,2\n",
     ":2: error: column 'TIMESTAMP' is 'yesterday'; expected a time"},
    {"azure", AZURE "2023-11-16 18:15:46,1.5,2\n",
     "column 'ContextTokens' is '1.5'; expected a whole number of tokens"},
    {"azure", AZURE "2023-11-16 18:15:46,1,\n", "column 'GeneratedTokens' is ''"},
    {"azure", AZURE "2023-11-16 18:15:46,1,2\n2023-11-16 18:15:44.5,1,2\n",
     ":3: error: this request comes 1.5 s before the one above"},
    {"azure", AZURE, "no request is in this file"},
    {"azure", "TIMESTAMP\n", "ContextTokens"},
    {"burstgpt", "Timestamp,Request tokens,Response tokens\n1,2,0\n", "no request is in this file"},
    {"burstgpt", "Timestamp,Request tokens,Response tokens\nnan,2,1\n", "column 'Timestamp'"},
    {"csv", "time,prompt_tokens,output_tokens\n12,1,1\n", "or --unit for times that are bare"},
    {"csv", "time,prompt_tokens,output_tokens\n2026-03-02 10:00:00,1,1\n", "with its offset"},
    {"mooncake", "{\"timestamp\": 1, \"input_length\": 2}\n", "the request has no 'output_length'"},
    {"mooncake", "{\"timestamp\": 1, \"input_length\": -2, \"output_length\": 1}\n",
     "'input_length' is not what it should be; expected a whole number"},
    {"mooncake", "{\"timestamp\": 1, \"input_length\": 2, \"output_length\": 1}\n\n[1]\n",
     ":3: error: this is no request"},
    {"mooncake", "{\"timestamp\": 1, \"hash_ids\": [1, \"x\"]}\n", "'hash_ids' is not"},
    {"mooncake", "{\"timestamp\": 1, \"input_length\": 2, \"out", "cut"},
    {"mooncake", "{\"timestamp\": \"soon\"}", "'timestamp' is not"},
    {"mooncake", "", "empty"},
};

static bool tells(const struct scene *s, const char *what)
{
    char *all = NULL;
    size_t size;
    FILE *out = open_memstream(&all, &size);
    diagnostics_write(s->r.d, out);
    fclose(out);
    bool told = strstr(all, what) != NULL;
    if (!told) {
        printf("%s\n", all);
    }
    free(all);
    return told;
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        struct scene s;
        begin(&s, wrongs[i].layout, wrongs[i].file);
        assert_null(find()->read(&s.r));
        if (!tells(&s, wrongs[i].says)) {
            fail_msg("not told: %s", wrongs[i].says);
        }
        end(&s);
    }
}

static void options_that_mean_nothing_are_refused(void **state)
{
    (void)state;
    struct scene s;
    begin(&s, "azure", AZURE "2023-11-16 18:15:46,1,2\n");
    s.r.unit_s = 1;
    s.r.columns = "a";
    s.r.tick_s = 5;
    assert_null(find()->read(&s.r));
    assert_true(tells(&s, "option '--unit' means nothing for this layout"));
    assert_true(tells(&s, "option '--columns' means nothing for this layout"));
    assert_true(tells(&s, "option '--tick' means nothing for 'requests'"));
    end(&s);
    static const char *const wrong[] = {"", "a,", "a,b,c,d", ",b"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        begin(&s, "csv", "time\n");
        s.r.columns = wrong[i];
        assert_null(find()->read(&s.r));
        assert_true(tells(&s, "expected TIME, TIME,PROMPT or TIME,PROMPT,OUTPUT"));
        end(&s);
    }
}

/* A line of a hundred thousand blocks, a megabyte long, and the next that has all of them. */
static void long_lines_are_read(void **state)
{
    (void)state;
    enum { BLOCKS = 100000 };
    struct scene s;
    struct text line;
    text_init(&line, 0);
    for (int k = 0; k < 2; k++) {
        text_format(&line,
                    "{\"timestamp\": %d, \"input_length\": %d, \"output_length\": 1, "
                    "\"hash_ids\": [0",
                    k, BLOCKS * 512);
        for (int i = 1; i < BLOCKS; i++) {
            text_format(&line, ", %d", i * 1000);
        }
        text_add(&line, "]}\n");
    }
    begin(&s, "mooncake", line.data);
    void *made = find()->read(&s.r);
    assert_non_null(made);
    assert_true(strstr(s.said.data, "200000 blocks of prompts, of which a prefix cache without end "
                                    "has a share of 0.500000\n") != NULL);
    find()->release(made);
    end(&s);
    text_release(&line);
}

/* ---- fleetcast's own table ---- */

static void own_tables(void **state)
{
    static const struct {
        const char *rows, *says; /* NULL: it is right */
    } own[] = {
        {"2026-03-02T09:00:00.5Z,0,1,2,1\n,0,3,4,0\n,7.5,5,6,\n", NULL},
        {",5,,,\n", NULL},
        {",5,,,\n,4,,,\n",
         ":3: error: column 'time_s': 4 comes before the request of the row above"},
        {",-1,,,\n", "expected a time from 0"},
        {",1e99,,,\n", "expected a time from 0"},
        {",nan,,,\n", "time_s"},
        {",,,,\n", "time_s"},
        {"soon,0,,,\n", "column 'start' is 'soon'"},
        {",0,-3,,\n", "column 'prompt_tokens': -3 tokens"},
        {",0,2000000000,,\n", "expected a number from 0 to 1000000000"},
        {",0,5,1,6\n", "6 tokens of a prompt of 5 were cached"},
        {"", "no request"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        struct scene s;
        struct request_trace t;
        char content[512];
        snprintf(content, sizeof content, "%s%s", HEAD, own[i].rows);
        begin(&s, NULL, content);
        bool read = request_trace_read(&t, s.path, "requests.csv", s.r.arena, s.r.d);
        assert_int_equal(read, own[i].says == NULL);
        if (own[i].says != NULL && !tells(&s, own[i].says)) {
            fail_msg("not told: %s", own[i].says);
        }
        if (i == 0) {
            struct request_statistics q = request_trace_statistics(&t);
            assert_int_equal(t.count, 3);
            assert_true(t.has_start && t.has_prompt && t.has_output && !t.has_cached);
            assert_int_equal(t.start_unix_us, INT64_C(1772442000500000));
            assert_near(q.prompt_tokens, 9, 0, "prompt tokens");
            assert_near(q.output_tokens, 12, 0, "output tokens");
            /* Gaps of 0 and 7.5 s. */
            assert_near(q.gap_mean_s, 3.75, 1e-12, "mean gap");
            assert_near(q.gap_cv, 1, 1e-12, "variation of gaps");
            assert_near(q.no_gap, 1, 0, "without a gap");
            assert_near(request_trace_period_s(&t), 11.25, 1e-12, "period");
        } else if (i == 1) {
            struct request_statistics q = request_trace_statistics(&t);
            assert_true(isnan(q.gap_mean_s) && isnan(q.rate_per_s) && isnan(q.gap_cv));
            assert_near(request_trace_period_s(&t), 0, 0, "period of one request");
        }
        end(&s);
    }
}

/* 60, 0 and 120 requests in three minutes, and a part of a fourth. */
static void minutes_are_counted(void **state)
{
    (void)state;
    struct traced_request items[185];
    size_t n = 0;
    for (; n < 60; n++) {
        items[n] = (struct traced_request){.at_s = 5 + (double)n};
    }
    for (; n < 180; n++) {
        items[n] = (struct traced_request){.at_s = 5 + 120 + (double)(n - 60) / 2};
    }
    for (; n < 185; n++) {
        items[n] = (struct traced_request){.at_s = 5 + 180 + (double)(n - 180)};
    }
    struct request_trace t = {.items = items, .count = n};
    struct request_statistics s = request_trace_statistics(&t);
    assert_near(s.minute_mean, 60, 1e-9, "mean a minute");
    assert_near(s.minute_most, 120, 0, "most in a minute");
    assert_near(s.minute_variation, 2400.0 / 60, 1e-9, "variance over mean");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(layouts_are_read, (void *)&cases[0]),
        cmocka_unit_test_prestate(layouts_are_read, (void *)&cases[1]),
        cmocka_unit_test_prestate(layouts_are_read, (void *)&cases[2]),
        cmocka_unit_test_prestate(layouts_are_read, (void *)&cases[3]),
        cmocka_unit_test_prestate(layouts_are_read, (void *)&cases[4]),
        cmocka_unit_test_prestate(layouts_are_read, (void *)&cases[5]),
        cmocka_unit_test_prestate(layouts_are_read, (void *)&cases[6]),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(options_that_mean_nothing_are_refused),
        cmocka_unit_test(long_lines_are_read),
        cmocka_unit_test(own_tables),
        cmocka_unit_test(minutes_are_counted),
    };
    return cmocka_run_group_tests_name("import_requests", tests, NULL, NULL);
}
