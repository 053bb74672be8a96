/* SPDX-License-Identifier: GPL-3.0-or-later
 * Nodes by the clock from a CSV file, and what is told of a wrong one. */
#include "models/usage/need_file.h"

#include "engine/civil_time.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct read_file {
    struct need_steps steps;
    bool good;
    char *words;
    struct arena *arena;
};

static void read_text(struct read_file *r, const char *text)
{
    char path[] = "/tmp/fleetcast-test-XXXXXX";
    int fd = mkstemp(path);
    int64_t start;
    size_t size = 0;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    assert_true(civil_parse("2026-03-02", &start));
    struct diagnostics *d = diagnostics_new();
    *r = (struct read_file){.arena = arena_new(0)};
    r->good = need_file_read(&r->steps, path, "load.csv", start, 100000, r->arena, d);
    FILE *out = open_memstream(&r->words, &size);
    diagnostics_write(d, out);
    fclose(out);
    diagnostics_free(d);
    unlink(path);
}

static void forget(struct read_file *r)
{
    free(r->words);
    arena_free(r->arena);
}

static void test_good(void **state)
{
    (void)state;
    struct read_file r;
    read_text(&r, "note,nodes,time\n"
                  "a,3,2026-03-01T23:00Z\n"
                  "b,2.5,2026-03-02\n"
                  "c,0,36h\n"
                  "d,7,2026-03-05 06:00\n");
    assert_true(r.good);
    assert_string_equal(r.words, "");
    static const struct need_step want[] = {{-3600, 3}, {0, 2.5}, {129600, 0}, {280800, 7}};
    assert_int_equal(r.steps.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_near(r.steps.items[i].from_s, want[i].from_s, 0, "time");
        assert_near(r.steps.items[i].nodes, want[i].nodes, 0, "nodes");
    }
    forget(&r);
}

static const struct {
    const char *text, *word;
} wrong[] = {
    {"time,count\n2026-03-02,3\n", "nodes"},
    {"time,nodes\n", "load.csv:1: error: no rows; expected a time and a number of nodes in each"},
    {"time,nodes\n2026-03-02,3\nsoon,3\n",
     "load.csv:3: error: column 'time': 'soon': expected a date or time (UTC) such as "
     "2026-03-02T08:00Z, or a time from the scenario's start such as 36h"},
    {"time,nodes\n2026-03-02,3\n0s,3\n",
     "load.csv:3: error: column 'time': '0s' does not come after the row before; expected times in "
     "rising order"},
    {"time,nodes\n2026-03-02,-1\n",
     "load.csv:2: error: column 'nodes': -1 nodes; expected a number from 0 to 100000"},
    {"time,nodes\n2026-03-02,100001\n", "load.csv:2: error: column 'nodes': 100001 nodes"},
    {"time,nodes\n2026-03-02,many\n", "load.csv:2"},
    {"time,nodes\n2026-03-02,\n", "load.csv:2"},
    {"time,nodes\n2026-03-02\n", "load.csv:2"},
};

static void test_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct read_file r;
        read_text(&r, wrong[i].text);
        assert_false(r.good);
        if (strstr(r.words, wrong[i].word) == NULL) {
            fail_msg("'%s' is not in '%s'", wrong[i].word, r.words);
        }
        forget(&r);
    }
}

/* All that is wrong is told, not only the first. */
static void test_all_told(void **state)
{
    (void)state;
    struct read_file r;
    read_text(&r, "time,nodes\nx,1\n2026-03-02,y\n2026-03-03,-4\n");
    assert_false(r.good);
    assert_non_null(strstr(r.words, "load.csv:2"));
    assert_non_null(strstr(r.words, "load.csv:3"));
    assert_non_null(strstr(r.words, "load.csv:4"));
    forget(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_all_told),
    };
    return cmocka_run_group_tests_name("need_file", tests, NULL, NULL);
}
